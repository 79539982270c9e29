//! A fourth game: Pig, of which there is nothing but its state. It is simulated, thought about and
//! replayed like the games of the catalog, and compared with its exact solution.

use carat_core::diagnostic::Diagnostic;
use carat_core::formula::{Feature, Kind, Vocabulary};
use carat_core::game::moments::{Course, What};
use carat_core::game::plain::{Luck, PlainTable, State};
use carat_core::game::story::StoryStyle;
use carat_core::game::{
    Count, Edition, Game, Layout, Metric, OWN, Per, Record, Rules, SCORE, Seated, Seating,
    SeatingError, Table, WIN, WIN_SHARE, WIN_UNITS, read_rules,
};
use carat_core::library::{Library, SourceText};
use carat_core::simulation::{Threads, play_games};
use carat_core::strategy::Seat;
use carat_core::streams::below;
use carat_core::thinking;
use fearless_simd::Level;
use serde::Deserialize;
use std::ops::RangeInclusive;

static VOCABULARY: Vocabulary = Vocabulary {
    question: "score",
    answer: Kind::Number,
    features: &[
        Feature::shared("hold", "truth", "0, 1", "this option ends the turn"),
        Feature::shared("turn", "points", "0…", "points of this turn"),
        Feature::shared("points", "points", "0…", "points that you have kept"),
        Feature::shared(
            "lead",
            "points",
            "…",
            "points ahead of the best other player",
        ),
    ],
};

static PIG: Game = Game {
    name: "pig",
    title: "Pig",
    summary: "Roll a die as often as you dare: a 1 takes all points of the turn.",
    score_unit: "points",
    legend: |_| String::new(),
    vocabulary: &VOCABULARY,
    editions: &[Edition {
        name: "hundred",
        text: "goal = 100",
    }],
    rules_keys: &[],
    older_rules: "",
    minutes: "",
    family: None,
    rule: None,
    field: &[],
    strongest: "hold",
    easy: &[],
    signs: &[],
    comes: None,
    habit: None,
    seats: 2..=8,
    players: 2,
    games: 100_000,
    chunk: 256,
    training: None,
    strategy: "",
    advice: None,
    read_rules: |file, text| Ok(Box::new(PigRules::from_toml(file, text)?)),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PigRules {
    goal: i32,
}

impl PigRules {
    fn from_toml(file: &str, text: &str) -> Result<PigRules, Diagnostic> {
        read_rules(file, text, Ok)
    }
}

/// Outcomes of a seat and of the table.
const BUSTS: usize = OWN;
const ROLLS: usize = 0;

impl Rules for PigRules {
    fn printed_players(&self) -> RangeInclusive<usize> {
        2..=8
    }

    fn table(&self, seats: &[Seat], seating: Seating) -> Result<Box<dyn Table>, SeatingError> {
        PIG.check_players(seats.len())?;
        let bust_rate = Metric::mean("busts", BUSTS, Per::Games(1.0), "turns lost per game");
        let rolls = Metric::mean("rolls", ROLLS, Per::Games(1.0), "rolls per game");
        Ok(Box::new(PlainTable {
            game: &PIG,
            start: Pig {
                goal: self.goal,
                kept: vec![0; seats.len()],
                busts: vec![0; seats.len()],
                turn: 0,
                place: 0,
                rolls: 0,
            },
            seated: Seated::new(seats, seating),
            layout: Layout {
                seats: seats.len(),
                seat_outcomes: BUSTS + 1,
                table_outcomes: ROLLS + 1,
                seat_counts: const { &[count("BUSTS")] },
                table_counts: vec![count("ROLLS")],
                seat_metrics: Metric::of_seat(vec![bust_rate]),
                table_metrics: Metric::of_table(vec![rolls], seats.len()),
                score_max: self.goal as usize + 5,
                ..Layout::default()
            },
        }))
    }
}

const fn count(name: &'static str) -> Count {
    Count {
        name,
        meaning: "",
        range: "",
    }
}

#[derive(Clone, Debug)]
struct Pig {
    goal: i32,
    /// By place, as the following.
    kept: Vec<i32>,
    busts: Vec<i32>,
    /// Points of this turn.
    turn: i32,
    place: usize,
    rolls: i32,
}

impl Pig {
    fn is_won(&self) -> bool {
        self.kept[self.place] + self.turn >= self.goal
    }
}

impl State for Pig {
    fn options(&self) -> Option<(usize, Vec<String>)> {
        let names = ["hold", "roll"].map(str::to_string).to_vec();
        (!self.is_won()).then_some((self.place, names))
    }

    fn features(&self, option: usize) -> Vec<f32> {
        let own = self.kept[self.place];
        let others = (0..self.kept.len()).filter(|place| *place != self.place);
        let best = others.map(|place| self.kept[place]).max();
        let hold = i32::from(option == 0);
        [
            hold,
            self.turn,
            own,
            own - best.expect("two players or more"),
        ]
        .map(|of| of as f32)
        .to_vec()
    }

    fn apply(&mut self, option: usize, luck: &mut Luck) -> String {
        let place = self.place;
        let rolled = if option == 0 {
            0
        } else {
            1 + below(luck, 6) as i32
        };
        self.rolls += i32::from(rolled > 0);
        if rolled > 1 {
            self.turn += rolled;
            return format!("player {} rolls a {rolled}", place + 1);
        }
        let kept = if rolled == 1 { 0 } else { self.turn };
        self.busts[place] += rolled;
        self.kept[place] += kept;
        self.place = (place + 1) % self.kept.len();
        self.turn = 0;
        format!("player {} keeps {kept}", place + 1)
    }

    fn outcomes(&self) -> Vec<Vec<i32>> {
        let places = 0..self.kept.len();
        let wins = |place| if place == self.place { WIN_UNITS } else { 0 };
        let turn = |place| if place == self.place { self.turn } else { 0 };
        let own = |place: usize| {
            vec![
                wins(place),
                self.kept[place] + turn(place),
                self.busts[place],
            ]
        };
        places.map(own).chain([vec![self.rolls]]).collect()
    }
}

const HOLD: &str = "score = \"if hold > 0 then (if turn >= target then 1 else 0) else 0.5\"\n[params]\ntarget = 20\n";

/// A table of bots that think if they are asked to.
fn table(goal: i32, seats: &[&str]) -> Box<dyn Table> {
    let rules = PIG
        .rules("rules", &format!("goal = {goal}"))
        .expect("rules of Pig");
    let library = Library::pinned(vec![SourceText::new("hold", HOLD)], Vec::new());
    let bots = |seat: &&str| {
        library
            .seats(&PIG, &seat.parse().expect("a bot"))
            .expect("hold")
    };
    let bots: Vec<Seat> = seats.iter().flat_map(bots).collect();
    thinking::table(rules.as_ref(), &bots, Seating::EveryOrder).expect("bots of Pig")
}

/// For two bots that hold at these points of a turn, by the one that decides, what it has, what the
/// other has and the points of the turn: its chance to win.
struct Exact {
    goal: usize,
    chances: Vec<f64>,
}

impl Exact {
    fn new(goal: usize, targets: [usize; 2]) -> Exact {
        let mut exact = Exact {
            goal,
            chances: vec![0.5; 2 * goal.pow(3)],
        };
        let mut change = 1.0;
        while change > 1e-12 {
            change = 0.0f64;
            for at in (0..exact.chances.len()).rev() {
                let (turn, other, own) = (at % goal, at / goal % goal, at / goal / goal % goal);
                let bot = at / goal.pow(3);
                if own + turn < goal {
                    let chance = exact.after(bot, own, other, turn, turn < targets[bot]);
                    change = change.max((chance - exact.chances[at]).abs());
                    exact.chances[at] = chance;
                }
            }
        }
        exact
    }

    fn at(&self, bot: usize, own: usize, other: usize, turn: usize) -> f64 {
        let goal = self.goal;
        if own + turn >= goal {
            return 1.0;
        }
        self.chances[((bot * goal + own) * goal + other) * goal + turn]
    }

    /// The chance once the bot rolls or holds.
    fn after(&self, bot: usize, own: usize, other: usize, turn: usize, rolls: bool) -> f64 {
        if !rolls {
            return 1.0 - self.at(1 - bot, other, own + turn, 0);
        }
        let more: f64 = (2..=6)
            .map(|die| self.at(bot, own, other, turn + die))
            .sum();
        (more + 1.0 - self.at(1 - bot, other, own, 0)) / 6.0
    }
}

const GOAL: usize = 30;
const BOTS: [&str; 2] = ["hold:target=5", "hold:target=12"];

#[test]
fn win_shares_are_those_of_the_exact_solution() {
    let exact = Exact::new(GOAL, [5, 12]);
    let expected = (exact.at(0, 0, 0, 0) + 1.0 - exact.at(1, 0, 0, 0)) / 2.0;
    let table = table(GOAL as i32, &BOTS);
    let tallies = [1, 2].map(|threads| {
        let threads = Threads::start(threads).expect("threads");
        play_games(table.as_ref(), &threads, 7, 40_000).expect("no bot fails")
    });
    assert_eq!(tallies[0], tallies[1]);
    let share = tallies[0].seat(table.layout(), WIN_SHARE, 0);
    assert!(
        (share.value - expected).abs() < 4.0 * share.se,
        "{share:?}, {expected}"
    );
    assert!((expected - 0.5).abs() > 10.0 * share.se, "{expected}");
}

#[test]
fn playouts_from_a_moment_win_as_often_as_the_exact_solution() {
    const PLAYOUTS: usize = 4_000;
    let exact = Exact::new(GOAL, [5, 12]);
    let table = table(GOAL as i32, &BOTS);
    let course = table.course(3, 1, StoryStyle::for_seat(0));
    let mut tried = 0;
    for moment in &course.moments {
        let What::Decision(options) = &moment.what else {
            continue;
        };
        assert_eq!(options.board, None);
        let Some(seen) = options.features.first() else {
            continue;
        };
        let [turn, own, lead] = [1, 2, 3].map(|feature| seen[feature] as i32);
        let [turn, own, other] = [turn, own, own - lead].map(|of| of as usize);
        for option in 0..2 {
            let mut record = Record::new(&table.layout().bare(), PLAYOUTS);
            table.play_on(
                Level::new(),
                (&moment.position, Some(option)),
                (9, 0),
                &mut record,
            );
            let wins: i32 = record.column(WIN).iter().map(|won| won / WIN_UNITS).sum();
            let share = f64::from(wins) / PLAYOUTS as f64;
            let expected = exact.after(0, own, other, turn, option == 1);
            let se = (expected * (1.0 - expected) / PLAYOUTS as f64).sqrt();
            assert!(
                (share - expected).abs() <= 4.0 * se,
                "{}: {share}, {expected}",
                moment.at
            );
            tried += 1;
        }
    }
    assert!(tried >= 10, "{tried}");
}

#[test]
fn a_seat_that_thinks_beats_its_bot() {
    let table = table(GOAL as i32, &["hold:target=2,playouts=24", "hold:target=2"]);
    let threads = Threads::start(0).expect("threads");
    let tally = play_games(table.as_ref(), &threads, 5, 250).expect("no bot fails");
    let share = tally.seat(table.layout(), WIN_SHARE, 0);
    assert!(share.low > 0.55, "{share:?}");
}

#[test]
fn replays_are_the_games_that_were_played() {
    let table = table(GOAL as i32, &["hold:target=5", "hold:target=12", "hold"]);
    let mut record = Record::new(table.layout(), 20);
    table.play(Level::new(), 4, 100, &mut record);
    for game in 0..record.games() {
        let course: Course = table.course(4, 100 + game as u64, StoryStyle::PLAIN);
        let of = |outcome| {
            let of = |seat| record.column(table.layout().seat_column(seat, outcome))[game];
            [0, 1, 2].map(of)
        };
        assert_eq!(
            (&course.wins[..], &course.scores[..]),
            (&of(WIN)[..], &of(SCORE)[..])
        );
        let story = table.replay(4, 100 + game as u64, StoryStyle::PLAIN);
        assert_eq!(story, course.story());
        let decisions = course
            .moments
            .iter()
            .filter(|moment| moment.options().is_some());
        let rolls = record.column(table.layout().table_column(ROLLS))[game];
        let kept = story.matches("keeps").count() as i32;
        let busts: i32 = of(BUSTS).iter().sum();
        assert_eq!(decisions.count() as i32, rolls + kept - busts, "{story}");
        let best = course.scores.iter().max().expect("three players");
        assert!(
            story.ends_with(&format!(" wins with {best} points.\n")),
            "{story}"
        );
    }
}
