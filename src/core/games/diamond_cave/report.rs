//! The game's own tables and charts, from the counts of a tally.

use super::outcomes as o;
use super::rules::KIND_NAMES;
use crate::figure::{Bar, Bars, Density, Figure};
use crate::game::{ByPlace, ByUse, Counted};
use crate::sheet::{Rows, Sheet};

/// The parts of a score, in the order of [`o::PARTS`].
const PARTS: [&str; 4] = [
    "gained diamonds",
    "hidden diamonds",
    "torches",
    "standard cards",
];

pub fn sheets(counted: &Counted, names: &[String], size: usize) -> Vec<Sheet> {
    vec![
        parts(counted, names),
        gained_at(counted, size),
        tunnel_length(counted),
        turn_digs(counted),
        by_place(counted, names).sheet(),
        game_turns(counted),
        cards(counted),
    ]
}

pub fn figures(counted: &Counted, names: &[String]) -> Vec<(&'static str, Figure)> {
    vec![
        ("score_parts", Figure::Bars(stack(counted, names))),
        ("turn_digs", Figure::Bars(digs_stack(counted, names))),
        (
            "playing_order",
            Figure::Rows(by_place(counted, names).figure()),
        ),
        ("game_turns", Figure::Density(turns_density(counted))),
    ]
}

fn parts(counted: &Counted, names: &[String]) -> Sheet {
    let points = |seat: usize, part: usize| counted.at(o::PARTS, seat, part);
    let mut sheet = Rows::new("score_parts", "one row per bot", 0..counted.seats());
    sheet.numbered("seat", |&seat| seat);
    sheet.text("bot", "the bot", |&seat| names[seat].clone());
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
            counted.per_game(points(seat, part))
        });
    }
    sheet.sheet()
}

fn gained_at(counted: &Counted, size: usize) -> Sheet {
    let one = "one row per cell of the board";
    let mut sheet = Rows::new("gained_where", one, 0..size * size);
    let meaning = "row of the cell, from 1 in the north";
    sheet.whole("row", meaning, |cell| (cell / size) as u64 + 1);
    let meaning = "column of the cell, from 1 in the west";
    sheet.whole("column", meaning, |cell| (cell % size) as u64 + 1);
    for seat in 0..counted.seats() {
        let gained = |&cell: &usize| counted.at(o::GAINED_AT, cell, seat);
        let seat = seat + 1;
        let meaning = format!("diamonds that seat {seat} gained there");
        sheet.whole(&format!("gained_seat_{seat}"), &meaning, gained);
    }
    sheet.sheet()
}

fn tunnel_length(counted: &Counted) -> Sheet {
    let rows = 0..counted.rows(o::LENGTHS);
    let mut sheet = Rows::new("tunnel_length", "one row per turn of a bot", rows);
    sheet.whole("turn", "number of the bot's turn, from 1", |&row| {
        row as u64 + 1
    });
    for seat in 0..counted.seats() {
        let turns = |&row: &usize| counted.at(o::LENGTHS, row, 2 * seat);
        let cards = |&row: &usize| counted.at(o::LENGTHS, row, 2 * seat + 1);
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

fn turn_digs(counted: &Counted) -> Sheet {
    let one =
        "one row per number n of cards dug up in a turn; the last row also holds longer turns";
    let mut sheet = Rows::new("turn_digs", one, 0..counted.rows(o::TURN_DIGS));
    sheet.whole("digs", "cards dug up in a turn", |&row| row as u64);
    for seat in 0..counted.seats() {
        let turns = |&row: &usize| counted.at(o::TURN_DIGS, row, seat);
        let seat = seat + 1;
        let meaning = format!("turns of seat {seat} with n");
        sheet.whole(&format!("turns_seat_{seat}"), &meaning, turns);
    }
    sheet.sheet()
}

fn by_place<'a>(counted: &'a Counted, names: &'a [String]) -> ByPlace<'a> {
    ByPlace {
        counted,
        table: o::ORDER,
        names,
        name: "playing_order",
        place: "place in the order of play, from 1 for the start player",
    }
}

fn game_turns(counted: &Counted) -> Sheet {
    let end = counted.rows(o::GAME_TURNS);
    let games = |row: usize, what: usize| counted.at(o::GAME_TURNS, row, what);
    let first = (0..end).find(|&row| games(row, 0) > 0).unwrap_or(0);
    let one = "one row per number n of turns in a game; the last row also holds longer games";
    let mut sheet = Rows::new("game_turns", one, first..end);
    sheet.whole("turns", "turns of all players in a game", |&row| row as u64);
    sheet.whole("games", "games with n turns", |&row| games(row, 0));
    let meaning = "games stopped by the cap on turns";
    sheet.whole("capped", meaning, |&row| games(row, 1));
    sheet.sheet()
}

fn cards(counted: &Counted) -> Sheet {
    let one = "one row per kind of card, way it entered a tunnel, and seat";
    let mut sheet = Rows::new("cards", one, counted.by_seat(o::LAID));
    sheet.text("card", "the card", |(row, _)| {
        KIND_NAMES[*row / 2].to_string()
    });
    let meaning = "how it entered the tunnel: dug up or planned";
    sheet.text("how", meaning, |(row, _)| o::WAYS[*row % 2].to_string());
    sheet.numbered("seat", |row| row.1);
    ByUse::add_columns(&mut sheet, counted, o::BY_CARD, "played");
    sheet.sheet()
}

fn turns_density(counted: &Counted) -> Density {
    let games = (0..counted.rows(o::GAME_TURNS)).map(|row| counted.at(o::GAME_TURNS, row, 0));
    Density::of_lengths("turns", "turns of all players in a game", games.collect())
}

fn stack(counted: &Counted, names: &[String]) -> Bars {
    let row = |seat: usize| Bar {
        label: names[seat].clone(),
        parts: (0..PARTS.len())
            .map(|part| counted.per_game(counted.at(o::PARTS, seat, part)))
            .collect(),
    };
    Bars {
        title: "Parts of the mean score".to_string(),
        unit: "mean points per game".to_string(),
        parts: PARTS.map(str::to_string).to_vec(),
        rows: (0..counted.seats()).map(row).collect(),
        ordered: false,
        decimals: 1,
    }
}

fn digs_stack(counted: &Counted, names: &[String]) -> Bars {
    const LAST: usize = 5;
    let row = |seat: usize| {
        let turns = |digs| counted.at(o::TURN_DIGS, digs, seat);
        let all: u64 = (0..o::DIG_ROWS).map(turns).sum();
        let share = |turns: u64| 100.0 * turns as f64 / all.max(1) as f64;
        let mut parts: Vec<f64> = (0..LAST).map(|digs| share(turns(digs))).collect();
        parts.push(share((LAST..o::DIG_ROWS).map(turns).sum()));
        Bar {
            label: names[seat].clone(),
            parts,
        }
    };
    let mut parts: Vec<String> = (0..LAST).map(|digs| digs.to_string()).collect();
    parts.push(format!("{LAST} or more cards"));
    Bars {
        title: "Cards dug up per turn".to_string(),
        unit: "% of the bot's turns, by cards dug up".to_string(),
        parts,
        rows: (0..counted.seats()).map(row).collect(),
        ordered: true,
        decimals: 0,
    }
}
