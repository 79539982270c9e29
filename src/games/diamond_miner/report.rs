//! The game's own tables and charts, from the counts of a tally.

use super::cards::{ANVIL, CART, CLASSES, NAMES, SHOVEL, WORTH_UNITS};
use super::outcomes::{self as o, CARD_COLUMNS, ROUND_COLUMNS};
use super::rules::MinerRules;
use super::transcript;
use crate::figure::{self, Bar, Bars, Density, Figure, Figures, Line, Lines, Panel, Row};
use crate::game::{ByPlace, ByUse, Counted};
use crate::sheet::{Rows, Sheet};
use crate::statistics::{Estimate, Moments};

/// Rounds that fewer games than this share reach are not drawn.
const RARE: f64 = 0.02;

/// What the column `seat` means.
const SEAT: &str = "number of the seat, from 1";

pub struct Report<'a> {
    pub counted: Counted<'a>,
    pub rules: &'a MinerRules,
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
        let is_worth = column == 1 || column == 2;
        let unit = if is_worth { WORTH_UNITS } else { 1 };
        let turns = self.by_round(round, seat, 0).max(1);
        self.by_round(round, seat, column) as f64 / turns as f64 / f64::from(unit)
    }

    /// Rounds (from 0) in which anybody had a turn.
    fn rounds(&self) -> usize {
        self.counted.rows(o::BY_ROUND)
    }

    pub fn sheets(&self) -> Vec<Sheet> {
        vec![
            self.rounds_sheet(),
            self.lengths_sheet(),
            self.cards_sheet(),
            self.recipes_sheet(),
            self.bank_sheet(),
            self.by_place().sheet(),
        ]
    }

    fn rounds_sheet(&self) -> Sheet {
        let seats = 0..self.counted.seats();
        let rounds = 0..self.rounds();
        let rows = rounds.flat_map(|round| seats.clone().map(move |seat| (round, seat)));
        let one = "one row per round and seat, over the games still in progress";
        let mut sheet = Rows::new("rounds", one, rows);
        sheet.whole("round", "number of the round, from 1", |(round, _)| {
            *round as u64 + 1
        });
        sheet.whole("seat", SEAT, |(_, seat)| *seat as u64 + 1);
        let turns = |&(round, seat): &(usize, usize)| self.by_round(round, seat, 0);
        sheet.whole("turns", "turns of the seat in this round", turns);
        for (column, name) in ROUND_COLUMNS.into_iter().enumerate().skip(1) {
            let meaning = match name {
                "produced" => "worth in ore that its stacks produce when the turn begins".into(),
                "production" => "the same worth when the turn ends".into(),
                cards => format!("{cards} on its table when the turn ends"),
            };
            let mean = |&(round, seat): &(usize, usize)| self.mean(round, seat, column);
            sheet.number(name, &meaning, mean);
        }
        sheet.sheet()
    }

    fn lengths_sheet(&self) -> Sheet {
        let mut sheet = Rows::new("lengths", "one row per round", 0..self.rounds());
        sheet.whole("round", "number of the round, from 1", |&round| {
            round as u64 + 1
        });
        let columns = [
            ("won", "won"),
            ("capped", "stopped by the cap"),
            ("first_diamond", "with the first diamond"),
            ("second_diamond", "with the second diamond"),
        ];
        for (column, (name, which)) in columns.into_iter().enumerate() {
            let games = |&round: &usize| self.at(o::LENGTHS, round, column);
            sheet.whole(name, &format!("games {which} in this round"), games);
        }
        sheet.sheet()
    }

    fn cards_sheet(&self) -> Sheet {
        let seats = self.counted.seats();
        let rows = (0..CLASSES).flat_map(|class| (0..seats).map(move |seat| (class, seat)));
        let mut sheet = Rows::new("cards", "one row per card and seat", rows);
        sheet.text("card", "the card", |(class, _)| NAMES[*class].to_string());
        sheet.whole("seat", SEAT, |(_, seat)| *seat as u64 + 1);
        for (index, (name, meaning)) in CARD_COLUMNS.into_iter().enumerate() {
            let mean = |&(class, seat): &(usize, usize)| {
                let column = seat * CARD_COLUMNS.len() + index;
                self.counted.per_game(self.at(o::BY_CARD, class, column))
            };
            sheet.number(&format!("{name}_per_game"), meaning, mean);
        }
        ByUse::add_columns(&mut sheet, &self.counted, o::MOVED, "played");
        sheet.sheet()
    }

    fn recipes_sheet(&self) -> Sheet {
        let (seats, recipes) = (self.counted.seats(), &self.rules.recipes);
        let rows = 0..recipes.len();
        let rows = rows.flat_map(|recipe| (0..seats).map(move |seat| (recipe, seat)));
        let mut sheet = Rows::new("recipes", "one row per recipe and seat", rows);
        sheet.text("card", "top card of the stack", |(recipe, _)| {
            self.rules.card_name(recipes[*recipe].top)
        });
        let meaning = "the recipe; each alternative has its own row";
        sheet.text("recipe", meaning, |(recipe, _)| {
            transcript::recipe(&recipes[*recipe])
        });
        sheet.whole("seat", SEAT, |(_, seat)| *seat as u64 + 1);
        ByUse::add_columns(&mut sheet, &self.counted, o::BY_RECIPE, "used");
        sheet.sheet()
    }

    fn bank_sheet(&self) -> Sheet {
        let mean =
            |class: usize, what: usize| self.counted.per_game(self.at(o::SHORTAGES, class, what));
        let copies = self.rules.copies();
        let mut sheet = Rows::new("bank", "one row per card", 0..CLASSES);
        sheet.text("card", "the card", |&class| NAMES[class].to_string());
        sheet.whole("copies", "copies in the game", |&class| {
            u64::from(copies[class])
        });
        let meaning = "copies per game that were due but missing, because the pile had run out";
        sheet.number("skipped_per_game", meaning, |&class| mean(class, 0));
        let meaning = "share of games in which the card ran out";
        sheet.number("ran_out_rate", meaning, |&class| mean(class, 1));
        sheet.sheet()
    }

    fn by_place(&self) -> ByPlace<'_> {
        ByPlace {
            counted: &self.counted,
            table: o::PLACES,
            names: self.names,
            name: "places",
            place: "place in turn order; place 1 begins",
        }
    }

    pub fn figures(&self, rotate: bool) -> Vec<(&'static str, Figure)> {
        let mut figures = vec![
            ("growth", Figure::Lines(self.growth())),
            ("cards", Figure::Bars(self.cards())),
            ("bank", Figure::Rows(self.bank())),
            ("lengths", Figure::Density(self.lengths())),
        ];
        if rotate {
            figures.push(("places", Figure::Rows(self.by_place().figure())));
        }
        figures
    }

    fn growth(&self) -> Lines {
        let common =
            |round: &usize| self.by_round(*round, 0, 0) as f64 >= RARE * self.counted.games as f64;
        let rounds = (0..self.rounds()).take_while(common).count();
        let panel = |heading: &str, columns: &[usize]| {
            let mut lines = Vec::new();
            for seat in 0..self.counted.seats() {
                let points = (0..rounds).map(|round| {
                    let means = columns.iter().map(|column| self.mean(round, seat, *column));
                    (round as f64 + 1.0, means.sum())
                });
                lines.push(Line::exact(&self.names[seat], seat, points));
            }
            Panel {
                heading: heading.to_string(),
                include: vec![0.0],
                lines,
                ..Panel::default()
            }
        };
        Lines {
            title: "Growth of production and tools".to_string(),
            x_title: "round".to_string(),
            panels: vec![
                panel("Production at the end of a turn, in ore per turn", &[2]),
                panel(
                    "Produced in the next turn, after the others' turns, in ore",
                    &[1],
                ),
                // Column `class + 2` holds the cards of that class.
                panel("Shovels on the table", &[SHOVEL + 2]),
                panel("Carts and anvils on the table", &[CART + 2, ANVIL + 2]),
            ],
            note: format!(
                "Means over a bot's turns in the games still in progress; cards at the end of its \
                 turn. Rounds reached by fewer than {} % of games are not drawn.",
                (100.0 * RARE).round()
            ),
            ..Lines::default()
        }
    }

    fn cards(&self) -> Bars {
        let row = |seat: usize| {
            let column = |what: usize| seat * CARD_COLUMNS.len() + what;
            // Taken, made on own stacks, and made on others'.
            let got = |class: usize| {
                let copies = [0, 1, 2].map(|what| self.at(o::BY_CARD, class, column(what)));
                self.counted.per_game(copies.iter().sum())
            };
            Bar {
                label: self.names[seat].clone(),
                parts: (SHOVEL..CLASSES).map(got).collect(),
            }
        };
        Bars {
            title: "Cards of each bot, by origin".to_string(),
            unit: "cards per game: taken, made and stolen".to_string(),
            parts: NAMES[SHOVEL..]
                .iter()
                .map(|name| name.to_string())
                .collect(),
            ordered: false,
            rows: (0..self.counted.seats()).map(row).collect(),
            decimals: 1,
        }
    }

    fn bank(&self) -> figure::Rows {
        let mut rows = Vec::new();
        let mut never = true;
        for (class, name) in NAMES.iter().enumerate() {
            let games = self.at(o::SHORTAGES, class, 1);
            never &= games == 0;
            let moments = Moments {
                sum: i128::from(games),
                squares: i128::from(games),
            };
            let share = Estimate::proportion(self.counted.games, &moments, 1.0);
            rows.push(Row::of(*name, 0, share));
        }
        figure::Rows {
            title: "Cards that run out".to_string(),
            axis: "share of games in which a card was due but missing".to_string(),
            figures: Figures::Shares,
            rows,
            note: if never {
                "No card ran out in any game.".to_string()
            } else {
                String::new()
            },
            ..figure::Rows::default()
        }
    }

    fn lengths(&self) -> Density {
        let (mut games, mut capped) = (vec![0], 0);
        for round in 0..self.rounds() {
            let [ended, cut] = [0, 1].map(|how| self.at(o::LENGTHS, round, how));
            games.push(ended + cut);
            capped += cut;
        }
        Density {
            note: format!(
                "Stopped by the cap of {} rounds: {:.2} % of games.",
                self.rules.rounds,
                100.0 * self.counted.per_game(capped)
            ),
            ..Density::of_lengths("rounds", "round in which the game ends", games)
        }
    }
}
