//! The game's own tables and charts, from the counts of a tally.

use super::outcomes as o;
use super::rules::KIND_NAMES;
use crate::figure::{Bar, Bars, Density, Figure};
use crate::game::{ByPlace, ByUse, Counted};
use crate::sheet::{Rows, Sheet};

pub struct Report<'a> {
    pub counted: Counted<'a>,
    pub names: &'a [String],
    /// Cards along a side of the board.
    pub size: usize,
}

/// The parts of a score, in the order of [`o::PARTS`].
const PARTS: [&str; 4] = [
    "gained diamonds",
    "hidden diamonds",
    "torches",
    "standard cards",
];

impl Report<'_> {
    pub fn sheets(&self) -> Vec<Sheet> {
        vec![
            self.parts(),
            self.gained_at(),
            self.tunnel_length(),
            self.turn_digs(),
            self.by_place().sheet(),
            self.game_turns(),
            self.cards(),
        ]
    }

    pub fn figures(&self) -> Vec<(&'static str, Figure)> {
        vec![
            ("score_parts", Figure::Bars(self.stack())),
            ("turn_digs", Figure::Bars(self.digs_stack())),
            ("playing_order", Figure::Rows(self.by_place().figure())),
            ("game_turns", Figure::Density(self.turns_density())),
        ]
    }

    fn count(&self, table: usize, row: usize, column: usize) -> u64 {
        self.counted.at(table, row, column)
    }

    fn parts(&self) -> Sheet {
        let points = |seat: usize, part: usize| self.count(o::PARTS, seat, part);
        let mut sheet = Rows::new("score_parts", "one row per bot", 0..self.counted.seats());
        sheet.whole("seat", "number of the seat, from 1", |&seat| {
            seat as u64 + 1
        });
        sheet.text("bot", "the bot", |&seat| self.names[seat].clone());
        let named = || PARTS.iter().map(|words| (words.replace(' ', "_"), words));
        for (part, (name, words)) in named().enumerate() {
            let meaning = format!("points for {words}, summed over all games");
            sheet.whole(&format!("{name}_points"), &meaning, |&seat| {
                points(seat, part)
            });
        }
        for (part, (name, words)) in named().enumerate() {
            let meaning = format!("mean points for {words} per game");
            sheet.number(&format!("{name}_mean"), &meaning, |&seat| {
                self.counted.per_game(points(seat, part))
            });
        }
        sheet.sheet()
    }

    fn gained_at(&self) -> Sheet {
        let size = self.size;
        let one = "one row per cell of the board";
        let mut sheet = Rows::new("gained_where", one, 0..size * size);
        let meaning = "row of the cell, from 1 in the north";
        sheet.whole("row", meaning, |cell| (cell / size) as u64 + 1);
        let meaning = "column of the cell, from 1 in the west";
        sheet.whole("column", meaning, |cell| (cell % size) as u64 + 1);
        for seat in 0..self.counted.seats() {
            let gained = |&cell: &usize| self.count(o::GAINED_AT, cell, seat);
            let seat = seat + 1;
            let meaning = format!("diamonds that seat {seat} gained there");
            sheet.whole(&format!("gained_seat_{seat}"), &meaning, gained);
        }
        sheet.sheet()
    }

    fn tunnel_length(&self) -> Sheet {
        let rows = 0..self.counted.rows(o::LENGTHS);
        let mut sheet = Rows::new("tunnel_length", "one row per turn of a bot", rows);
        sheet.whole("turn", "number of the bot's turn, from 1", |&row| {
            row as u64 + 1
        });
        for seat in 0..self.counted.seats() {
            let turns = |&row: &usize| self.count(o::LENGTHS, row, 2 * seat);
            let cards = |&row: &usize| self.count(o::LENGTHS, row, 2 * seat + 1);
            let mean = |row: &usize| cards(row) as f64 / turns(row).max(1) as f64;
            let seat = seat + 1;
            let meaning = format!("games in which seat {seat} had this turn");
            sheet.whole(&format!("turns_seat_{seat}"), &meaning, turns);
            let meaning =
                format!("cards in the tunnel of seat {seat} after the turn, summed over games");
            sheet.whole(&format!("cards_seat_{seat}"), &meaning, cards);
            let meaning = format!("mean cards in the tunnel of seat {seat} after the turn");
            sheet.number(&format!("length_mean_seat_{seat}"), &meaning, mean);
        }
        sheet.sheet()
    }

    fn turn_digs(&self) -> Sheet {
        let one =
            "one row per number n of cards dug up in a turn; the last row also holds longer turns";
        let mut sheet = Rows::new("turn_digs", one, 0..self.counted.rows(o::TURN_DIGS));
        sheet.whole("digs", "cards dug up in a turn", |&row| row as u64);
        for seat in 0..self.counted.seats() {
            let turns = |&row: &usize| self.count(o::TURN_DIGS, row, seat);
            let seat = seat + 1;
            let meaning = format!("turns of seat {seat} with n");
            sheet.whole(&format!("turns_seat_{seat}"), &meaning, turns);
        }
        sheet.sheet()
    }

    fn by_place(&self) -> ByPlace<'_> {
        ByPlace {
            counted: &self.counted,
            table: o::ORDER,
            names: self.names,
            name: "playing_order",
            place: "place in the order of play, from 1 for the start player",
        }
    }

    fn game_turns(&self) -> Sheet {
        let end = self.counted.rows(o::GAME_TURNS);
        let games = |row: usize, what: usize| self.count(o::GAME_TURNS, row, what);
        let first = (0..end).find(|&row| games(row, 0) > 0).unwrap_or(0);
        let one = "one row per number n of turns in a game; the last row also holds longer games";
        let mut sheet = Rows::new("game_turns", one, first..end);
        sheet.whole("turns", "turns of all players in a game", |&row| row as u64);
        sheet.whole("games", "games with n turns", |&row| games(row, 0));
        let meaning = "games stopped by the cap on turns";
        sheet.whole("capped", meaning, |&row| games(row, 1));
        sheet.sheet()
    }

    fn cards(&self) -> Sheet {
        let seats = self.counted.seats();
        let rows = (0..o::LAID).flat_map(|row| (0..seats).map(move |seat| (row, seat)));
        let one = "one row per kind of card, way it entered a tunnel, and seat";
        let mut sheet = Rows::new("cards", one, rows);
        sheet.text("card", "the card", |(row, _)| {
            KIND_NAMES[*row / 2].to_string()
        });
        let meaning = "how it entered the tunnel: dug up or planned";
        sheet.text("how", meaning, |(row, _)| o::WAYS[*row % 2].to_string());
        let meaning = "number of the seat, from 1";
        sheet.whole("seat", meaning, |(_, seat)| *seat as u64 + 1);
        ByUse::add_columns(&mut sheet, &self.counted, o::BY_CARD, "played");
        sheet.sheet()
    }

    fn turns_density(&self) -> Density {
        let games =
            (0..self.counted.rows(o::GAME_TURNS)).map(|row| self.count(o::GAME_TURNS, row, 0));
        Density::of_lengths("turns", "turns of all players in a game", games.collect())
    }

    fn stack(&self) -> Bars {
        let row = |seat: usize| Bar {
            label: self.names[seat].clone(),
            parts: (0..PARTS.len())
                .map(|part| self.counted.per_game(self.count(o::PARTS, seat, part)))
                .collect(),
        };
        Bars {
            title: "Parts of the mean score".to_string(),
            unit: "mean points per game".to_string(),
            parts: PARTS.map(str::to_string).to_vec(),
            rows: (0..self.counted.seats()).map(row).collect(),
            ordered: false,
            decimals: 1,
        }
    }

    fn digs_stack(&self) -> Bars {
        const LAST: usize = 5;
        let row = |seat: usize| {
            let turns = |digs| self.count(o::TURN_DIGS, digs, seat);
            let all: u64 = (0..o::DIG_ROWS).map(turns).sum();
            let share = |turns: u64| 100.0 * turns as f64 / all.max(1) as f64;
            let mut parts: Vec<f64> = (0..LAST).map(|digs| share(turns(digs))).collect();
            parts.push(share((LAST..o::DIG_ROWS).map(turns).sum()));
            Bar {
                label: self.names[seat].clone(),
                parts,
            }
        };
        let mut parts: Vec<String> = (0..LAST).map(|digs| digs.to_string()).collect();
        parts.push(format!("{LAST} or more cards"));
        Bars {
            title: "Cards dug up per turn".to_string(),
            unit: "% of the bot's turns, by cards dug up".to_string(),
            parts,
            rows: (0..self.counted.seats()).map(row).collect(),
            ordered: true,
            decimals: 0,
        }
    }
}
