//! The game's own tables and charts, from the counts of a tally.

use super::cards::{ANVIL, CART, CLASSES, NAMES, SHOVEL, WORTH_UNITS};
use super::outcomes::{self as o, CARD_COLUMNS, ROUND_COLUMNS};
use super::rules::MinerRules;
use crate::figure::{Figure, Histogram, Lines, Panel, StackedBar, StackedBars};
use crate::game::{ByPlace, Counted, Lengths};
use crate::sheet::Sheet;

/// Rounds that fewer games than this share reach are not drawn.
const RARE: f64 = 0.02;
/// Most bars in the chart of game lengths; above, rounds share bars.
const BARS: usize = 40;

/// What tables and charts are made of.
pub struct Report<'a> {
    /// Exact counts of all games of a table.
    pub counted: Counted<'a>,
    /// What is played.
    pub rules: &'a MinerRules,
    /// The bots, by seat.
    pub names: &'a [String],
}

impl Report<'_> {
    fn at(&self, table: usize, row: usize, column: usize) -> u64 {
        self.counted.at(table, row, column)
    }

    fn by_round(&self, round: usize, seat: usize, column: usize) -> u64 {
        self.at(o::BY_ROUND, round, seat * ROUND_COLUMNS.len() + column)
    }

    /// The mean over the turns of `seat` in round `round` (from 0).
    fn mean(&self, round: usize, seat: usize, column: usize) -> f64 {
        let unit = if column == 1 || column == 2 {
            f64::from(WORTH_UNITS)
        } else {
            1.0
        };
        let turns = self.by_round(round, seat, 0).max(1);
        self.by_round(round, seat, column) as f64 / turns as f64 / unit
    }

    /// Rounds (from 0) in which anybody had a turn.
    fn rounds(&self) -> usize {
        let played = |round: &usize| {
            (0..self.counted.seats()).any(|seat| self.by_round(*round, seat, 0) > 0)
        };
        (0..self.rules.rounds as usize).take_while(played).count()
    }

    /// All tables.
    pub fn sheets(&self) -> Vec<Sheet> {
        vec![
            self.rounds_sheet(),
            self.lengths_sheet(),
            self.cards_sheet(),
            self.bank_sheet(),
            self.by_place().sheet(),
        ]
    }

    /// `rounds`: what each bot produces and has, by round.
    fn rounds_sheet(&self) -> Sheet {
        let seats = 0..self.counted.seats();
        let rows: Vec<(usize, usize)> = (0..self.rounds())
            .flat_map(|round| seats.clone().map(move |seat| (round, seat)))
            .collect();
        let rows = || rows.iter().copied();
        let mut sheet = Sheet::new(
            "rounds",
            "one row per round and seat, over games still going",
        );
        let round = rows().map(|(round, _)| round as u64 + 1);
        sheet.whole("round", "the round, from 1", round);
        let seat = rows().map(|(_, seat)| seat as u64 + 1);
        sheet.whole("seat", "number of the seat, from 1", seat);
        let turns = rows().map(|(round, seat)| self.by_round(round, seat, 0));
        sheet.whole("turns", "turns of the seat in this round", turns);
        for (column, name) in ROUND_COLUMNS.into_iter().enumerate().skip(1) {
            let meaning = match name {
                "produced" => "worth in ore of what its stacks produce when the turn begins".into(),
                "production" => "the same worth when the turn ends".into(),
                cards => format!("{cards} on its table when the turn ends"),
            };
            let means = rows().map(|(round, seat)| self.mean(round, seat, column));
            sheet.number(name, meaning, means);
        }
        sheet
    }

    /// `lengths`: in which round games end, and diamonds are made.
    fn lengths_sheet(&self) -> Sheet {
        let rounds = || 0..self.rounds();
        let mut sheet = Sheet::new("lengths", "one row per round");
        sheet.whole(
            "round",
            "the round, from 1",
            rounds().map(|round| round as u64 + 1),
        );
        let columns = [
            ("won", "games that were won there"),
            ("capped", "games that the cap on rounds ended there"),
            ("first_diamond", "games with their first diamond there"),
            ("second_diamond", "games with their second diamond there"),
        ];
        for (column, (name, meaning)) in columns.into_iter().enumerate() {
            let games = rounds().map(|round| self.at(o::LENGTHS, round, column));
            sheet.whole(name, meaning, games);
        }
        sheet
    }

    /// `cards`: how each bot comes by its cards, a game.
    fn cards_sheet(&self) -> Sheet {
        let seats = self.counted.seats();
        let rows = || (0..CLASSES).flat_map(move |class| (0..seats).map(move |seat| (class, seat)));
        let mut sheet = Sheet::new("cards", "one row per card and seat");
        sheet.text(
            "card",
            "the card",
            rows().map(|(class, _)| NAMES[class].to_string()),
        );
        let seat = rows().map(|(_, seat)| seat as u64 + 1);
        sheet.whole("seat", "number of the seat, from 1", seat);
        for (index, (name, meaning)) in CARD_COLUMNS.into_iter().enumerate() {
            let column = |seat| seat * CARD_COLUMNS.len() + index;
            let sums = rows().map(|(class, seat)| self.at(o::BY_CARD, class, column(seat)));
            let means = sums.map(|sum| self.per_game(sum));
            sheet.number(format!("{name}_per_game"), meaning, means);
        }
        sheet
    }

    /// `bank`: how often what ran out.
    fn bank_sheet(&self) -> Sheet {
        let column = |index| {
            let sums = (0..CLASSES).map(move |class| self.at(o::SHORTAGES, class, index));
            sums.map(|sum| self.per_game(sum))
        };
        let mut sheet = Sheet::new("bank", "one row per card");
        sheet.text("card", "the card", NAMES.map(str::to_string));
        let copies = self.rules.copies().map(u64::from);
        sheet.whole("copies", "copies in the game", copies);
        let skipped = "copies a game that were due but had run out";
        sheet.number("skipped_per_game", skipped, column(0));
        sheet.number(
            "ran_out_rate",
            "share of games in which it ran out",
            column(1),
        );
        sheet
    }

    /// What it is worth to begin.
    fn by_place(&self) -> ByPlace<'_> {
        ByPlace {
            counted: &self.counted,
            table: o::PLACES,
            names: self.names,
            name: "places",
            place: "place in turn order; 1 begins",
        }
    }

    fn per_game(&self, sum: u64) -> f64 {
        self.counted.per_game(sum)
    }

    /// All charts.
    pub fn figures(&self, rotate: bool) -> Vec<(&'static str, Figure)> {
        let mut figures = vec![
            ("growth", Figure::Lines(self.growth())),
            ("cards", Figure::StackedBars(self.cards())),
            ("bank", Figure::Histogram(self.bank())),
            ("lengths", Figure::Histogram(self.lengths())),
        ];
        if rotate {
            figures.push(("places", Figure::Shares(self.by_place().figure())));
        }
        figures
    }

    /// How production and tools grow.
    fn growth(&self) -> Lines {
        let seats = 0..self.counted.seats();
        let common =
            |round: &usize| self.by_round(*round, 0, 0) as f64 >= RARE * self.counted.games as f64;
        let rounds = (0..self.rounds()).take_while(common).count();
        let panel = |heading: &str, of: &dyn Fn(usize, usize) -> f64| Panel {
            heading: heading.to_string(),
            lines: seats
                .clone()
                .map(|seat| (0..rounds).map(|round| of(round, seat)).collect())
                .collect(),
        };
        // Column `class + 2` of the counts by round holds the cards of that class.
        let cards = |class: usize| class + 2;
        Lines {
            title: "How production and tools grow".to_string(),
            subtitle: String::new(),
            x_title: "round".to_string(),
            x: (1..=rounds).map(|round| round as f64).collect(),
            labels: self.names.to_vec(),
            panels: vec![
                panel(
                    "Production built by the end of a turn, in ore a turn",
                    &|round, seat| self.mean(round, seat, 2),
                ),
                panel(
                    "What the others left of it: produced in the next turn, in ore",
                    &|round, seat| self.mean(round, seat, 1),
                ),
                panel("Shovels on the table", &|round, seat| {
                    self.mean(round, seat, cards(SHOVEL))
                }),
                panel("Carts and anvils on the table", &|round, seat| {
                    self.mean(round, seat, cards(CART)) + self.mean(round, seat, cards(ANVIL))
                }),
            ],
            note: format!(
                "Means over a bot's turns in the games still going, cards as its turn ends; rounds that fewer than {} % of games reach are not drawn.",
                (100.0 * RARE).round()
            ),
        }
    }

    /// Which tools and diamonds each bot gets in a game.
    fn cards(&self) -> StackedBars {
        let classes = SHOVEL..CLASSES;
        let row = |seat: usize| {
            let column = |what: usize| seat * CARD_COLUMNS.len() + what;
            // Taken, made on own stacks, and made on others'.
            let got = |class: usize| {
                (0..3)
                    .map(|what| self.at(o::BY_CARD, class, column(what)))
                    .sum()
            };
            StackedBar {
                label: self.names[seat].clone(),
                parts: classes
                    .clone()
                    .map(|class| self.per_game(got(class)))
                    .collect(),
            }
        };
        StackedBars {
            title: "Which cards each bot gets".to_string(),
            subtitle: String::new(),
            unit: "cards in a game, taken, made and stolen".to_string(),
            parts: NAMES[classes.clone()]
                .iter()
                .map(|name| name.to_string())
                .collect(),
            ordered: false,
            rows: (0..self.counted.seats()).map(row).collect(),
            decimals: 1,
            sums: true,
        }
    }

    /// How often the bank runs out.
    fn bank(&self) -> Histogram {
        let short = |class: usize| self.per_game(self.at(o::SHORTAGES, class, 1));
        let shares: Vec<f64> = (0..CLASSES).map(short).collect();
        let never = shares.iter().all(|share| *share == 0.0);
        Histogram {
            title: "Which cards run out".to_string(),
            subtitle: String::new(),
            x_title: "card of the bank".to_string(),
            y_title: "Share of games in which some were due, but none were left".to_string(),
            labels: NAMES.iter().map(|name| name.to_string()).collect(),
            shares,
            median: None,
            note: match never {
                true => "No card ran out in any game.".to_string(),
                false => String::new(),
            },
        }
    }

    /// How long games last.
    fn lengths(&self) -> Histogram {
        let rounds = 0..self.rounds();
        let ends = |round| [0, 1].map(|how| self.at(o::LENGTHS, round, how));
        let ended: Vec<u64> = rounds
            .clone()
            .map(|round| ends(round).iter().sum())
            .collect();
        let lengths = Lengths {
            ended: &ended,
            first: 1,
            games: self.counted.games,
            drawn: 0.999,
            bars: BARS,
            last_holds_all: false,
        };
        let (figure, later) = lengths.histogram("round in which the game ends");
        let share = |games| format!("{:.2} %", 100.0 * self.per_game(games));
        let mut note = format!(
            "Ended by the cap of {} rounds: {} of games.",
            self.rules.rounds,
            share(rounds.map(|round| ends(round)[1]).sum())
        );
        if later > 0 {
            note += &format!(" {} of games last longer than is drawn.", share(later));
        }
        Histogram { note, ..figure }
    }
}
