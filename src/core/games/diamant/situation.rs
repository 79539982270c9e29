//! A situation at a table, in words and as positions to play on from.

use super::bonus::bonus;
use super::course::course;
use super::log::OPTIONS;
use super::notation::{self, Next, Reader, Reading};
use super::referee::Hands;
use super::rules::{DiamantRules, Leavers, TakenBy};
use super::snapshot::{OPEN, Point, Snapshot};
use super::transcript::rubies;
use crate::diagnostic::{Fault, counted};
use crate::game::moments::{Course, Position};
use crate::game::notation::{AdviceWords, Situation};
use crate::game::story::{self, StoryStyle};

/// What is said to those who ask.
pub const WORDS: AdviceWords = AdviceWords {
    options: OPTIONS,
    doing: ["staying", "leaving"],
    others: "others_leaving",
    stakes: [
        "leaving brings",
        "next card adds",
        "next card ends expedition",
    ],
    players: "How many players?",
    help: "Type cards as they appear and players as they leave: 5 · snake · relic · @3 leaves · 2 \
           leave · me leaves · all leave.\nTo start in mid-game: 4: for expedition 4, gone snake \
           relic, and the chests before this expedition (what leavers take is added): chests 12 0 \
           30 5 8.\n",
    limits: super::limits::limits,
};

pub fn read(
    rules: &DiamantRules,
    players: usize,
    me: usize,
    text: &str,
) -> Result<Situation, Fault> {
    if me >= players {
        let why = format!("there is no seat {me}: seats are 0 to {}", players - 1);
        return Err(Fault::new(0..0, why, "a situation"));
    }
    let reader = Reader {
        me: Some(me),
        ..Reader::of_record(rules, players)
    };
    let readings = notation::read_all(reader, text)?;
    let mut situation = Situation {
        text: describe(rules, me, &readings),
        positions: Vec::new(),
        others: 0,
    };
    for reading in readings {
        if let Next::Decision(position) = reading.next
            && position.explorers[me].inside
        {
            situation.others = position.inside().count() - 1;
            (situation.positions).push(Point::before(position, OPEN, Some(me)));
        }
    }
    Ok(situation)
}

/// The same decision for each group of `leaving` others that may leave.
pub fn others(me: usize, point_of: &Point, leaving: usize) -> Vec<Position> {
    let position = &point_of.position;
    let others: Vec<usize> = position.inside().filter(|&seat| seat != me).collect();
    let mut points = Vec::new();
    for group in notation::groups(&others, leaving) {
        let mut settled = point_of.settled;
        for &seat in &others {
            settled[seat] = Some(group.contains(&seat));
        }
        points.push(Point::before(position.clone(), settled, Some(me)));
    }
    points
}

pub fn whole(
    rules: &DiamantRules,
    names: &[String],
    title: &str,
    text: &str,
) -> Result<Course, Fault> {
    let reading = notation::read(Reader::of_record(rules, names.len()), text)?;
    let end = text.trim_end().len();
    let missing = match &reading.next {
        Next::Nothing if reading.before.is_none() => {
            let hands = Hands::Log(names.len(), &reading.log);
            let plain = StoryStyle::PLAIN;
            return Ok(course(rules, hands, names, title, plain, &mut ()));
        }
        Next::Nothing => "the record begins in the middle of a game".to_string(),
        Next::Expedition(round) => format!("the record ends before expedition {}", round + 1),
        Next::Decision(position) | Next::Card(position) => {
            let round = position.round + 1;
            format!("the record ends in the middle of expedition {round}")
        }
    };
    let label = "a story needs the whole game, from the first card to the last";
    Err(Fault::new(end..end, missing, label))
}

/// The position as seat `me` knows it; `readings` are several where it is open which players left.
fn describe(rules: &DiamantRules, me: usize, readings: &[Reading]) -> String {
    let reading = &readings[0];
    let number = readings.len();
    let several = number > 1;
    let called = (1..=reading.chests.len()).map(|seat| format!("@{seat}"));
    let called: Vec<String> = called.collect();
    let listed = |label: &str, chests: &[i32]| {
        let chests = called.iter().zip(chests);
        let chests = chests.map(|(name, chest)| format!("{name} {chest}"));
        format!("{label}: {}.", Vec::from_iter(chests).join(", "))
    };
    let mut chests = if several {
        format!(
            "The players who left are not all known: {number} possibilities, all equally likely."
        )
    } else {
        listed("Chests", &reading.chests)
    };
    if let Some(before) = &reading.before {
        let label = format!("Chests before expedition {}", before.round + 1);
        let given = listed(&label, &before.chests());
        chests = format!("{given} {}", chests.replace("Chests:", "Now:"));
    }
    let rounds = rules.rounds;
    match &reading.next {
        Next::Nothing if several => format!("The game is over. {chests}"),
        Next::Nothing => {
            let winners = reading.winners.iter().map(|&seat| called[seat].as_str());
            let (winners, verb) = (Vec::from_iter(winners), story::win(reading.winners.len()));
            format!(
                "The game is over: {} {verb}. {chests}",
                story::list(&winners)
            )
        }
        Next::Expedition(round) => format!("Expedition {} of {rounds} begins. {chests}", round + 1),
        Next::Decision(position) | Next::Card(position) => {
            let text = standing(rules, me, position, &called, several);
            let more = match reading.next {
                Next::Card(_) => " The next card is due.",
                _ if position.explorers[me].inside => "",
                _ => " You are outside, so there is nothing to decide.",
            };
            format!("{text}{more} {chests}")
        }
    }
}

/// A player by the seat's number: `@2 (people)`, `@3 Ben`.
fn at_seat(name: &str) -> String {
    format!("@{}", name.strip_prefix("player ").unwrap_or(name))
}

/// The position of seat `me`, who decides, in three lines.
pub fn stands(rules: &DiamantRules, me: usize, position: &Snapshot, names: &[String]) -> String {
    let called: Vec<String> = names.iter().map(|name| at_seat(name)).collect();
    let chests = position.explorers.iter().enumerate();
    let chests = chests.filter(|(seat, _)| rules.shows_chest(Some(me), *seat));
    let chests = chests.map(|(seat, explorer)| {
        if seat == me {
            format!("you {}", explorer.chest)
        } else {
            format!("{} {}", called[seat], explorer.chest)
        }
    });
    let chests = chests.collect::<Vec<_>>().join(", ");
    let standing = standing(rules, me, position, &called, false);
    let (cave, inside) = standing.split_once(" Inside").unwrap_or((&standing, ""));
    format!("{cave}\nInside{inside}\nChests: {chests}.")
}

/// By the number of others who leave now, from 0: what leaving brings a player inside in rubies,
/// what the next card adds on average for one who stays, and its chance to end the expedition.
pub fn stakes(rules: &DiamantRules, position: &Snapshot) -> Vec<[f64; 3]> {
    let inside = position.inside().count();
    let (relics, _) = position.on_path(rules);
    let next = position.next_cards(rules);
    let left = f64::from(next.count_ones().max(1));
    let risk = f64::from(position.deadly(rules).count_ones()) / left;
    let by_leavers = (0..inside).map(|leaving| {
        let piles = position.piles.iter();
        let share: i32 = piles.map(|pile| pile / (leaving as i32 + 1)).sum();
        let takes = leaving == 0 && (rules.taken_by == TakenBy::LoneLeaver || inside == 1);
        let relics: i32 = relics.iter().filter(|_| takes).sum();
        let bonus = bonus(rules, position, leaving + 1, position.held);
        let brings = position.held + share + relics + bonus;
        let adds = rules.shares_in(next, inside - leaving) as f64 / left;
        [f64::from(brings), adds, risk]
    });
    by_leavers.collect()
}

/// By the number of others who leave now, from 0: why seat `me` should stay, and why it should
/// leave.
pub fn facts(
    rules: &DiamantRules,
    me: usize,
    position: &Snapshot,
    names: &[String],
) -> Vec<[String; 2]> {
    let inside = position.inside().count();
    let chest = |seat: &usize| position.explorers[*seat].chest;
    let others = (0..names.len()).filter(|&seat| seat != me && rules.shows_chest(Some(me), seat));
    let ahead = others.max_by_key(chest);
    let mut facts = Vec::new();
    for (leaving, [brings, adds, risk]) in stakes(rules, position).into_iter().enumerate() {
        let ends = match risk {
            0.0 => "cannot end the expedition".to_string(),
            _ if risk > 0.5 => "probably ends the expedition".to_string(),
            _ => format!("ends the expedition 1 time in {:.0}", risk.recip()),
        };
        let mut why = format!("leaving brings {brings}");
        if rules.leavers == Leavers::AfterReveal && leaving + 1 < inside {
            why += " and a share of what the next card leaves on the path";
        }
        // Before that it matters little who is ahead.
        if let Some(ahead) = ahead.filter(|_| position.round + 2 >= rules.rounds) {
            let (own, name) = (f64::from(chest(&me)) + brings, at_seat(&names[ahead]));
            why += &format!(" for a chest of {own} ({name} has {})", chest(&ahead));
        }
        let is_risky = risk * brings > adds;
        let card = format!("the next card adds {adds:.1} on average and {ends}");
        facts.push([false, true].map(|leaves| {
            let doing = WORDS.doing[usize::from(is_risky)];
            if leaves == is_risky {
                return format!("{why}; {card}");
            }
            format!(
                "{why}; {card}, which by itself speaks for {doing}, but later cards and the chests decide"
            )
        }));
    }
    facts
}

/// The cave and the players inside; only their number if `open`.
fn standing(
    rules: &DiamantRules,
    me: usize,
    position: &Snapshot,
    called: &[String],
    open: bool,
) -> String {
    let mut text = format!(
        "Expedition {} of {}, {}: each player inside holds {}, {} on the path",
        position.round + 1,
        rules.rounds,
        counted(position.revealed as usize, "card"),
        rubies(position.held),
        rubies(position.leftover())
    );
    let (relics, traps) = position.on_path(rules);
    if !relics.is_empty() {
        let worth: i32 = relics.iter().sum();
        let together = if relics.len() > 1 { " together" } else { "" };
        let relics = counted(relics.len(), "relic");
        let taker = rules.taker();
        text += &format!(", {relics} worth {worth}{together} for {taker}");
    }
    if !traps.is_empty() {
        let name = |&kind: &u8| rules.traps[usize::from(kind)].as_str();
        let names: Vec<&str> = traps.iter().map(name).collect();
        text += &format!("; traps showing: {}", story::list(&names));
    }
    let deadly = position.deadly(rules).count_ones();
    let left = position.deck.count_ones();
    if left > 0 {
        let end = if deadly == 1 { "ends" } else { "end" };
        text += &format!("; {deadly} of the {left} cards left {end} the expedition");
    }
    let others = position.inside().filter(|&seat| seat != me).count();
    let others = counted(others, "other");
    let mut inside: Vec<&str> = Vec::new();
    for seat in position.inside() {
        if seat == me {
            inside.push("you");
        } else if !open {
            inside.push(&called[seat]);
        }
    }
    if open {
        inside.push(&others);
    }
    text + &format!(". Inside: {}.", story::list(&inside))
}

#[cfg(test)]
#[path = "../../../../tests/unit/core/games/diamant/situation.rs"]
mod tests;
