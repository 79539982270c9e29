//! One game moment by moment: its story, and the positions to play on from.

use super::board::board;
use super::features::VOCABULARY;
use super::log::OPTIONS;
use super::referee::{self, Event, GameResult, Hands, Referee, Watch};
use super::rules::DiamantRules;
use super::situation;
use super::snapshot::{OPEN, Point, Settled, Snapshot};
use super::transcript::{Narrator, rubies};
use crate::game::Habit;
use crate::game::moments::{Cause, Chronicle, Course, Guide, Options, What};
use crate::game::story::{self, StoryStyle};
use std::mem::take;

/// How people leave: more likely the more they would take home, with a part of the relics, and the
/// more traps are showing; in the last expedition less likely where that would not put the chest
/// ahead, and more likely where it would.
pub const HABIT: Habit = Habit {
    bot: "human:relic=1",
    params: &["bias", "ruby", "trap", "relic", "behind", "ahead"],
    doubts: &[2.0, 0.2, 0.7, 0.7, 3.0, 1.0],
    least: &[f64::MIN, 0.02, f64::MIN, f64::MIN, f64::MIN, f64::MIN],
    always: 4,
    lacking: "decision in a last expedition with open chests",
    lean: |weights, inputs| {
        let [bias, ruby, trap, relic] = [0, 1, 2, 3].map(|at| weights[at]);
        let [rubies, traps, relics] = [0, 1, 2].map(|at| inputs[at]);
        let take = rubies + relic * relics;
        let mut slopes = vec![1.0, take, traps, ruby * relics];
        let mut lean = bias + ruby * take + trap * traps;
        if let [behind, ahead] = weights[4..] {
            lean += ahead * inputs[4] - behind * inputs[3];
            slopes.extend([-inputs[3], inputs[4]]);
        }
        (lean, slopes)
    },
    slip: 0.02,
    yes: 1,
    said: "left in",
    faults: ["staying too long", "leaving too early"],
    describe: |weights| {
        let at = |traps: f64| (-weights[0] - traps * weights[2]) / weights[1].max(0.01);
        let at = [0.0, 1.0, 2.0, 3.0].map(|traps| format!("{:.0}", at(traps).max(0.0)));
        let at = story::list(&at.each_ref().map(String::as_str));
        let part = 100.0 * weights[3].max(0.0);
        let mut said = format!(
            "leaves half of the time with {at} rubies to take home (0, 1, 2 and 3 traps showing), \
             counting {part:.0} % of its share of the relics"
        );
        if let [behind, ahead] = weights[4..] {
            let more = |rubies: f64| match rubies.round() {
                0.0 => "as many".to_string(),
                more if more > 0.0 => format!("{more} more"),
                fewer => format!("{} fewer", -fewer),
            };
            let [staying, leaving] = [behind, -ahead].map(|of| more(of / weights[1].max(0.01)));
            said += &format!(
                "; in the last expedition with {staying} while leaving would not put its chest ahead, \
                 and {leaving} once it would"
            );
        }
        said
    },
};

/// Plays a game with the title `title`; `names` are the explorers, by seat.
pub fn course(
    rules: &DiamantRules,
    hands: Hands,
    names: &[String],
    title: &str,
    style: StoryStyle,
    guide: &mut dyn Guide,
) -> Course {
    let mut chronicle = Chronicle::default();
    chronicle.line(title);
    for name in names {
        chronicle.line(&format!("  {name}"));
    }
    let mut chronicler = Chronicler {
        narrator: Narrator {
            rules,
            names,
            seat: style.seat,
            cards: 0,
        },
        style,
        chronicle,
        busted: false,
    };
    let result = referee::play(rules, hands, guide, &mut chronicler);
    let mut chronicle = chronicler.chronicle;
    chronicle.line("");
    chronicle.line(&winners(&result, names));
    chronicle.course(result.wins(), result.chests())
}

fn winners(result: &GameResult, names: &[String]) -> String {
    let winners = result.winners.iter();
    let winners: Vec<&str> = winners.map(|&seat| names[seat].as_str()).collect();
    let best = result.chests().into_iter().max().unwrap_or(0);
    let verb = story::win(winners.len());
    format!("{} {verb} with {}.", story::list(&winners), rubies(best))
}

/// Records the moments of a game while it is played.
struct Chronicler<'a> {
    narrator: Narrator<'a>,
    style: StoryStyle,
    chronicle: Chronicle,
    /// Whether a trap has just ended an expedition.
    busted: bool,
}

impl Chronicler<'_> {
    fn moment(&mut self, position: &Snapshot, settled: Settled, what: What) {
        let seat = match &what {
            What::Decision(options) => Some(options.seat),
            What::Event(_) => None,
        };
        let expedition = format!("expedition {}", position.round + 1);
        let at = match position.revealed {
            0 => format!("{expedition}, at the entrance"),
            card => format!("{expedition}, card {card}"),
        };
        let position = Point::before(position.clone(), settled, seat);
        self.chronicle.moment(at, position, what);
    }
}

impl Watch for Chronicler<'_> {
    fn event(&mut self, event: Event) {
        self.busted |= matches!(event, Event::Bust { .. });
        self.chronicle.line(&self.narrator.describe(&event));
    }

    fn entered(&mut self, game: &Referee) {
        let is_due = take(&mut self.busted) || self.chronicle.is_empty();
        // A decision adds a moment of its own.
        if is_due && !game.decides_at_entrance() {
            self.moment(&game.at, OPEN, What::Event(Cause::Chance));
        }
    }

    fn decided(&mut self, game: &Referee, leavers: &[usize]) {
        let position = &game.at;
        self.moment(position, OPEN, What::Event(Cause::Chance));
        let inside: Vec<usize> = position.inside().collect();
        let mut settled = OPEN;
        for &seat in &inside {
            if self.style.why
                && let Some(why) = game.why(seat)
            {
                let (name, why) = (&self.narrator.names[seat], why.text(&VOCABULARY));
                self.chronicle.line(&format!("      ? {name}: {why}"));
            }
            let leaves = leavers.contains(&seat);
            let mut options = Options {
                seat,
                names: OPTIONS.map(str::to_string).to_vec(),
                chosen: usize::from(leaves),
                secret: inside.len() > 1,
                habit: game.habit(seat),
                kind: vec![
                    ("traps seen", game.traps_seen().to_string()),
                    ("explorers inside", inside.len().to_string()),
                ],
                ..Options::default()
            };
            if self.style.seat == Some(seat) {
                let (rules, names) = (self.narrator.rules, self.narrator.names);
                options.standing = situation::stands(rules, seat, position, names);
                options.board = Some(board(rules, seat, position, &game.path(), names));
                options.facts = situation::facts(rules, seat, position, names).into();
                options.features = vec![game.features(seat); OPTIONS.len()];
            }
            self.moment(position, OPEN, What::Decision(Box::new(options)));
            settled[seat] = Some(leaves);
        }
        let last = leavers.len() == inside.len() && game.is_last();
        if inside.len() > 1 && !last {
            self.moment(position, settled, What::Event(Cause::Secrets));
        }
    }
}
