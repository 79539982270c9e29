//! The game's own tables and charts, from the counts of a tally.

use super::outcomes as o;
use crate::figure::{Figure, HeatMap, HeatPanel, Histogram, Lines, Panel, Stack, StackRow};
use crate::game::{Counted, Lengths, Sheet, SheetColumn, WIN_UNITS};

/// What tables and charts are made of.
pub struct Report<'a> {
    /// Exact counts of all games of a table.
    pub counted: Counted<'a>,
    /// The bots, by seat.
    pub names: &'a [String],
    /// Cards along a side of the board.
    pub size: usize,
}

/// What a score is made of, in the order of [`o::PARTS`], as columns and as words.
const PARTS: [(&str, &str); 4] = [
    ("gained_diamonds", "gained diamonds"),
    ("hidden_diamonds", "hidden diamonds"),
    ("torches", "torches"),
    ("standard_cards", "standard cards"),
];

/// Turns that a smaller share of games reaches are not drawn.
const LASTING: f64 = 0.05;
/// Most bars in the chart of game lengths.
const BARS: usize = 30;

impl Report<'_> {
    /// The game's own tables.
    pub fn sheets(&self) -> Vec<Sheet> {
        vec![
            self.parts(),
            self.gained_at(),
            self.tunnel_length(),
            self.turn_digs(),
            self.order(),
            self.game_turns(),
        ]
    }

    /// The game's own charts, by file name.
    pub fn figures(&self) -> Vec<(&'static str, Figure)> {
        vec![
            ("score_parts", Figure::Stack(self.stack())),
            ("gained_where", Figure::HeatMap(self.heat())),
            ("turn_digs", Figure::Stack(self.digs_stack())),
            ("tunnel_length", Figure::Lines(self.length_lines())),
            ("game_turns", Figure::Histogram(self.turns_histogram())),
        ]
    }

    fn count(&self, table: usize, row: usize, column: usize) -> u64 {
        self.counted.at(table, row, column)
    }

    /// The rows of a table up to the last that holds anything.
    fn rows(&self, table: usize) -> usize {
        self.counted.rows(table)
    }

    fn per_game(&self, sum: u64) -> f64 {
        self.counted.per_game(sum)
    }

    fn seats(&self) -> std::ops::Range<usize> {
        0..self.counted.seats()
    }

    /// One row a bot: what its score is made of.
    fn parts(&self) -> Sheet {
        let seats = || self.seats();
        let mut columns = vec![
            (
                "seat".to_string(),
                whole(seats().map(|seat| seat as u64 + 1)),
            ),
            ("bot".to_string(), SheetColumn::Text(self.names.to_vec())),
        ];
        for (part, (name, _)) in PARTS.iter().enumerate() {
            let points = seats().map(|seat| self.count(o::PARTS, seat, part));
            columns.push((format!("{name}_points"), whole(points)));
        }
        for (part, (name, _)) in PARTS.iter().enumerate() {
            let points = seats().map(|seat| self.count(o::PARTS, seat, part));
            let means = points.map(|points| self.per_game(points)).collect();
            columns.push((format!("{name}_mean"), SheetColumn::Number(means)));
        }
        Sheet {
            name: "score_parts",
            columns,
        }
    }

    /// One row a cell: the diamonds gained there.
    fn gained_at(&self) -> Sheet {
        let cells = || 0..self.size * self.size;
        let mut columns = vec![
            (
                "row".to_string(),
                whole(cells().map(|cell| (cell / self.size) as u64 + 1)),
            ),
            (
                "column".to_string(),
                whole(cells().map(|cell| (cell % self.size) as u64 + 1)),
            ),
        ];
        for seat in self.seats() {
            let gained = cells().map(|cell| self.count(o::GAINED_AT, cell, seat));
            columns.push((format!("gained_seat_{}", seat + 1), whole(gained)));
        }
        Sheet {
            name: "gained_where",
            columns,
        }
    }

    /// One row a turn: how long the tunnels are after it.
    fn tunnel_length(&self) -> Sheet {
        let rows = self.rows(o::LENGTHS);
        let mut columns = vec![(
            "turn".to_string(),
            whole((0..rows).map(|row| row as u64 + 1)),
        )];
        for seat in self.seats() {
            let turns = |row| self.count(o::LENGTHS, row, 2 * seat);
            let cards = |row| self.count(o::LENGTHS, row, 2 * seat + 1);
            let mean = |row| cards(row) as f64 / turns(row).max(1) as f64;
            columns.push((
                format!("turns_seat_{}", seat + 1),
                whole((0..rows).map(turns)),
            ));
            columns.push((
                format!("cards_seat_{}", seat + 1),
                whole((0..rows).map(cards)),
            ));
            let means = SheetColumn::Number((0..rows).map(mean).collect());
            columns.push((format!("length_mean_seat_{}", seat + 1), means));
        }
        Sheet {
            name: "tunnel_length",
            columns,
        }
    }

    /// One row for each number of cards dug up in a turn; the last holds longer turns, too.
    fn turn_digs(&self) -> Sheet {
        let rows = self.rows(o::TURN_DIGS);
        let mut columns = vec![("digs".to_string(), whole((0..rows).map(|row| row as u64)))];
        for seat in self.seats() {
            let turns = (0..rows).map(|row| self.count(o::TURN_DIGS, row, seat));
            columns.push((format!("turns_seat_{}", seat + 1), whole(turns)));
        }
        Sheet {
            name: "turn_digs",
            columns,
        }
    }

    /// One row for each bot and order of play: what it is worth to be first.
    fn order(&self) -> Sheet {
        let seats = self.counted.seats();
        let rows = || (0..seats).flat_map(|order| (0..seats).map(move |seat| (order, seat)));
        let count = |(order, seat), what| self.count(o::ORDER, order, 3 * seat + what);
        let mean = |row, what, unit: f64| {
            let games = count(row, 0).max(1) as f64;
            count(row, what) as f64 / unit / games
        };
        let wins = rows().map(|row| mean(row, 1, f64::from(WIN_UNITS)));
        let scores = rows().map(|row| mean(row, 2, 1.0));
        let bots = rows().map(|(_, seat)| self.names[seat].clone());
        Sheet {
            name: "playing_order",
            columns: vec![
                (
                    "order".to_string(),
                    whole(rows().map(|(order, _)| order as u64 + 1)),
                ),
                ("bot".to_string(), SheetColumn::Text(bots.collect())),
                ("games".to_string(), whole(rows().map(|row| count(row, 0)))),
                ("win_share".to_string(), SheetColumn::Number(wins.collect())),
                (
                    "score_mean".to_string(),
                    SheetColumn::Number(scores.collect()),
                ),
            ],
        }
    }

    /// One row for each number of turns; the last holds longer games, too.
    fn game_turns(&self) -> Sheet {
        let first =
            (0..self.rows(o::GAME_TURNS)).find(|&row| self.count(o::GAME_TURNS, row, 0) > 0);
        let rows = || first.unwrap_or(0)..self.rows(o::GAME_TURNS);
        let count = |what| whole(rows().map(|row| self.count(o::GAME_TURNS, row, what)));
        Sheet {
            name: "game_turns",
            columns: vec![
                ("turns".to_string(), whole(rows().map(|row| row as u64))),
                ("games".to_string(), count(0)),
                ("capped".to_string(), count(1)),
            ],
        }
    }

    /// How long the tunnels are, turn by turn, as far as a good part of the games lasts.
    fn length_lines(&self) -> Lines {
        let lasting = |row: &usize| {
            let fewest = self
                .seats()
                .map(|seat| self.count(o::LENGTHS, *row, 2 * seat))
                .min();
            fewest.unwrap_or(0) as f64 >= LASTING * self.counted.games as f64
        };
        let rows = (0..self.rows(o::LENGTHS)).take_while(lasting).count();
        let mean = |seat: usize, row: usize| {
            let turns = self.count(o::LENGTHS, row, 2 * seat).max(1);
            self.count(o::LENGTHS, row, 2 * seat + 1) as f64 / turns as f64
        };
        let line = |seat| (0..rows).map(|row| mean(seat, row)).collect();
        Lines {
            title: "How long the tunnels are".to_string(),
            subtitle: String::new(),
            x_title: "own turn of a bot".to_string(),
            x: (0..rows).map(|row| row as f64 + 1.0).collect(),
            labels: self.names.to_vec(),
            panels: vec![Panel {
                heading: "cards in the tunnel after the turn, mean".to_string(),
                lines: self.seats().map(line).collect(),
            }],
            note: "Turns that fewer than 5 % of games reach are not drawn.".to_string(),
        }
    }

    /// How many turns games last.
    fn turns_histogram(&self) -> Histogram {
        let rows = 0..self.rows(o::GAME_TURNS);
        let ended: Vec<u64> = rows.map(|row| self.count(o::GAME_TURNS, row, 0)).collect();
        let lengths = Lengths {
            ended: &ended,
            first: 0,
            games: self.counted.games,
            drawn: 0.99,
            bars: BARS,
            last_holds_all: true,
        };
        Histogram {
            note: "The last bar holds all longer games.".to_string(),
            ..lengths.histogram("turns of all players").0
        }
    }

    fn stack(&self) -> Stack {
        let row = |seat: usize| StackRow {
            label: self.names[seat].clone(),
            parts: (0..PARTS.len())
                .map(|part| self.per_game(self.count(o::PARTS, seat, part)))
                .collect(),
        };
        Stack {
            title: "What each score is made of".to_string(),
            subtitle: String::new(),
            unit: "points in a game, on average".to_string(),
            parts: PARTS.iter().map(|(_, words)| words.to_string()).collect(),
            rows: self.seats().map(row).collect(),
            decimals: 1,
            sums: true,
        }
    }

    /// How many cards are dug up in a turn.
    fn digs_stack(&self) -> Stack {
        const LAST: usize = 5;
        let row = |seat: usize| {
            let turns = |digs| self.count(o::TURN_DIGS, digs, seat);
            let all: u64 = (0..o::DIGS_TOLD).map(turns).sum();
            let share = |turns: u64| 100.0 * turns as f64 / all.max(1) as f64;
            let mut parts: Vec<f64> = (0..LAST).map(|digs| share(turns(digs))).collect();
            parts.push(share((LAST..o::DIGS_TOLD).map(turns).sum()));
            StackRow {
                label: self.names[seat].clone(),
                parts,
            }
        };
        let mut parts: Vec<String> = (0..LAST).map(|digs| digs.to_string()).collect();
        parts.push(format!("{LAST} or more cards"));
        Stack {
            title: "How much each bot digs in a turn".to_string(),
            subtitle: String::new(),
            unit: "% of its turns, by cards dug up".to_string(),
            parts,
            rows: self.seats().map(row).collect(),
            decimals: 0,
            sums: false,
        }
    }

    fn heat(&self) -> HeatMap {
        let panel = |seat: usize| {
            let gained = |cell| 100.0 * self.per_game(self.count(o::GAINED_AT, cell, seat));
            HeatPanel {
                label: self.names[seat].clone(),
                values: (0..self.size * self.size).map(gained).collect(),
            }
        };
        HeatMap {
            title: "Where on the board diamonds are gained".to_string(),
            subtitle: String::new(),
            unit: "diamonds gained on a cell in 100 games".to_string(),
            columns: self.size,
            panels: self.seats().map(panel).collect(),
        }
    }
}

fn whole(numbers: impl Iterator<Item = u64>) -> SheetColumn {
    SheetColumn::Whole(numbers.collect())
}
