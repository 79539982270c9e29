//! The game's own tables and charts, from the counts of a tally.

use super::outcomes as o;
use super::rules::KIND_NAMES;
use crate::figure::{Bar, Bars, Density, Figure, Rows};
use crate::game::{ByPlace, ByUse, Copies, Counted, Seated};
use crate::sheet::columns;
use crate::sheet::{BOT, Columns, SEAT, Sheet};

/// The parts of a score, in the order of [`o::PARTS`].
const PARTS: [&str; 4] = [
    "gained diamonds",
    "hidden diamonds",
    "torches",
    "standard cards",
];

pub fn sheets(counted: &Counted, names: &[String], size: usize) -> Vec<Sheet> {
    let end = counted.rows(o::GAME_TURNS);
    let mut turns = 0..end;
    let first = turns.find(|&row| counted.at(o::GAME_TURNS, row, 0) > 0);
    vec![
        ScoreParts::sheet(&(*counted, names), 0..counted.seats()),
        GainedWhere::sheet(&(*counted, size), 0..size * size),
        tunnel_length(counted),
        TurnDigs::sheet(counted, 0..counted.rows(o::TURN_DIGS)),
        by_place(counted, names).sheet(),
        GameTurns::sheet(counted, first.unwrap_or(0)..end),
        Cards::sheet(counted, counted.by_seat(o::LAID)),
    ]
}

pub fn figures(counted: &Counted, seated: &Seated) -> Vec<(&'static str, Figure)> {
    let (names, copies) = (&seated.names, &seated.copies);
    vec![
        ("score_parts", Figure::Bars(stack(counted, copies))),
        ("turn_digs", Figure::Bars(digs_stack(counted, copies))),
        (
            "playing_order",
            Figure::Rows(by_place(counted, names).figure(copies)),
        ),
        ("game_turns", Figure::Density(turns_density(counted))),
        ("card_uses", Figure::Rows(card_uses(counted))),
    ]
}

columns! {
    ScoreParts<'a>(of: (Counted<'a>, &'a [String]), seat: usize) "score_parts", "one row per bot";
    SEAT: numbered(SEAT, "number of the seat, from 1") => *seat;
    BOT: text(BOT, "the bot") => of.1[*seat];
    POINTS: whole("PART_points", "points for a part of the score, summed over all games"),
        for part in part_columns("points", "points for {}, summed over all games")
        => of.0.at(o::PARTS, *seat, part);
    MEAN: number("PART_mean", "mean points for a part of the score per game"),
        for part in part_columns("mean", "mean points for {} per game")
        => of.0.per_game(of.0.at(o::PARTS, *seat, part));
}

fn part_columns(what: &str, meaning: &str) -> Vec<(usize, String, String)> {
    let mut columns = Vec::new();
    for (part, words) in PARTS.iter().enumerate() {
        let name = format!("{}_{what}", words.replace(' ', "_"));
        columns.push((part, name, meaning.replace("{}", words)));
    }
    columns
}

columns! {
    GainedWhere<'a>(of: (Counted<'a>, usize), cell: usize)
    "gained_where", "one row per cell of the board";
    ROW: whole("row", "row of the cell, from 1 in the north") => (cell / of.1) as u64 + 1;
    COLUMN: whole("column", "column of the cell, from 1 in the west") => (cell % of.1) as u64 + 1;
    GAINED: whole("gained_SEAT", "diamonds that a seat gained there"),
        for seat in of.0.seat_columns("gained", "diamonds that {} gained there")
        => of.0.at(o::GAINED_AT, *cell, seat);
}

columns! {
    TunnelLength<'a>(of: Counted<'a>, turn: usize) "tunnel_length", "one row per turn of a bot";
    TURN: numbered("turn", "number of the bot's turn, from 1") => *turn;
    TURNS: whole("turns_SEAT", "games in which a seat had this turn"),
        for seat in of.seat_columns("turns", "games in which {} had this turn")
        => of.at(o::LENGTHS, *turn, 2 * seat);
    CARDS: whole("cards_SEAT", "cards in the tunnel of a seat after the turn, summed over games"),
        for seat in of.seat_columns("cards", "cards in the tunnel of {} after the turn, summed over games")
        => of.at(o::LENGTHS, *turn, 2 * seat + 1);
    LENGTH: number("length_mean_SEAT", "mean cards in the tunnel of a seat after the turn"),
        for seat in of.seat_columns("length_mean", "mean cards in the tunnel of {} after the turn")
        => of.at(o::LENGTHS, *turn, 2 * seat + 1) as f64 / of.at(o::LENGTHS, *turn, 2 * seat).max(1) as f64;
}

/// The columns seat by seat.
fn tunnel_length(counted: &Counted) -> Sheet {
    let mut sheet = TunnelLength::sheet(counted, 0..counted.rows(o::LENGTHS));
    let of_seats = sheet.columns.split_off(1);
    for seat in 0..counted.seats() {
        let own = of_seats.iter().skip(seat).step_by(counted.seats());
        sheet.columns.extend(own.cloned());
    }
    sheet
}

columns! {
    TurnDigs<'a>(of: Counted<'a>, digs: usize)
    "turn_digs", "one row per number n of cards dug up in a turn; the last row also holds longer turns";
    DIGS: whole("digs", "cards dug up in a turn") => *digs as u64;
    TURNS: whole("turns_SEAT", "turns of a seat with n"),
        for seat in of.seat_columns("turns", "turns of {} with n")
        => of.at(o::TURN_DIGS, *digs, seat);
}

columns! {
    GameTurns<'a>(of: Counted<'a>, turns: usize)
    "game_turns", "one row per number n of turns in a game; the last row also holds longer games";
    TURNS: whole("turns", "turns of all players in a game") => *turns as u64;
    GAMES: whole("games", "games with n turns") => of.at(o::GAME_TURNS, *turns, 0);
    CAPPED: whole("capped", "games stopped by the cap on turns") => of.at(o::GAME_TURNS, *turns, 1);
}

columns! {
    Cards<'a>(of: Counted<'a>, row: (usize, usize))
    "cards", "one row per kind of card, way it entered a tunnel, and seat";
    CARD: text("card", "the card") => KIND_NAMES[row.0 / 2];
    HOW: text("how", "how it entered the tunnel: dug up or planned") => o::WAYS[row.0 % 2];
    SEAT: numbered(SEAT, "number of the seat, from 1") => row.1;
    PLAYED: number("played_per_game", "mean number of times per game that the seat played it")
        => ByUse::per_game(of, o::BY_CARD, *row);
    GAMES: whole("games_played", "games in which the seat played it")
        => ByUse::games(of, o::BY_CARD, *row);
    WIN_SHARE: estimates("win_share", "the seat's win share in these games; the interval is that of the games alone")
        => ByUse::win_share(of, o::BY_CARD, *row);
}

fn by_place<'a>(counted: &'a Counted, names: &'a [String]) -> ByPlace<'a> {
    ByPlace {
        counted,
        table: o::ORDER,
        names,
        name: "playing_order",
    }
}

fn turns_density(counted: &Counted) -> Density {
    let games = (0..counted.rows(o::GAME_TURNS)).map(|row| counted.at(o::GAME_TURNS, row, 0));
    Density::of_lengths("turns", "turns of all players in a game", games.collect())
}

fn card_uses(counted: &Counted) -> Rows {
    let name = |row: usize| format!("{} card, {}", KIND_NAMES[row / 2], o::WAYS[row % 2]);
    let things = (0..o::LAID).map(name).collect();
    let title = "Use and win share of each kind of card";
    ByUse::figure(counted, o::BY_CARD, title, things)
}

fn stack(counted: &Counted, copies: &[Copies]) -> Bars {
    let row = |of: &Copies| {
        let sum = |part| of.sum(|seat| counted.at(o::PARTS, seat, part));
        let mean = |part| counted.per_game(sum(part)) / of.seats.len() as f64;
        Bar {
            label: of.name.clone(),
            parts: (0..PARTS.len()).map(mean).collect(),
        }
    };
    Bars {
        title: "Parts of the mean score".to_string(),
        unit: "mean points per game".to_string(),
        parts: PARTS.map(str::to_string).to_vec(),
        rows: copies.iter().map(row).collect(),
        ordered: false,
        decimals: 1,
    }
}

fn digs_stack(counted: &Counted, copies: &[Copies]) -> Bars {
    const LAST: usize = 5;
    let row = |of: &Copies| {
        let turns = |digs| of.sum(|seat| counted.at(o::TURN_DIGS, digs, seat));
        let all: u64 = (0..o::DIG_ROWS).map(turns).sum();
        let share = |turns: u64| 100.0 * turns as f64 / all.max(1) as f64;
        let mut parts: Vec<f64> = (0..LAST).map(|digs| share(turns(digs))).collect();
        parts.push(share((LAST..o::DIG_ROWS).map(turns).sum()));
        Bar {
            label: of.name.clone(),
            parts,
        }
    };
    let mut parts: Vec<String> = (0..LAST).map(|digs| digs.to_string()).collect();
    parts.push(format!("{LAST} or more cards"));
    Bars {
        title: "Cards dug up per turn".to_string(),
        unit: "% of the bot's turns, by cards dug up".to_string(),
        parts,
        rows: copies.iter().map(row).collect(),
        ordered: true,
        decimals: 0,
    }
}
