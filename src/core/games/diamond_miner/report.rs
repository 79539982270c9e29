//! The game's own tables and charts, from the counts of a tally.

use super::cards::{ANVIL, CART, CLASSES, NAMES, SHOVEL, WORTH_UNITS};
use super::outcomes::{self as o, CARD_COLUMNS, ROUND_COLUMNS};
use super::rules::MinerRules;
use super::transcript;
use crate::figure::{self, Bar, Bars, Density, Figure, Figures, Line, Lines, Panel, Row};
use crate::game::{ByPlace, ByUse, Counted, Seated, Seating};
use crate::sheet::{Rows, Sheet};
use crate::statistics::Estimate;

/// Rounds that fewer games than this share reach are not drawn.
const RARE: f64 = 0.02;

fn by_round(counted: &Counted, round: usize, seat: usize, column: usize) -> u64 {
    counted.at(o::BY_ROUND, round, seat * ROUND_COLUMNS.len() + column)
}

/// The mean over the turns of `seat` in round `round` (from 0).
fn mean(counted: &Counted, round: usize, seat: usize, column: usize) -> f64 {
    let is_worth = column == 1 || column == 2;
    let unit = if is_worth { WORTH_UNITS } else { 1 };
    let turns = by_round(counted, round, seat, 0).max(1);
    by_round(counted, round, seat, column) as f64 / turns as f64 / f64::from(unit)
}

pub fn sheets(counted: &Counted, names: &[String], rules: &MinerRules) -> Vec<Sheet> {
    vec![
        rounds_sheet(counted),
        lengths_sheet(counted),
        cards_sheet(counted),
        recipes_sheet(counted, rules),
        bank_sheet(counted, rules),
        by_place(counted, names).sheet(),
    ]
}

fn rounds_sheet(counted: &Counted) -> Sheet {
    let rows = counted.by_seat(counted.rows(o::BY_ROUND));
    let one = "one row per round and seat, over the games still in progress";
    let mut sheet = Rows::new("rounds", one, rows);
    sheet.numbered("round", |row| row.0);
    sheet.numbered("seat", |row| row.1);
    let turns = |&(round, seat): &(usize, usize)| by_round(counted, round, seat, 0);
    sheet.whole("turns", "turns of the seat in this round", turns);
    for (column, name) in ROUND_COLUMNS.into_iter().enumerate().skip(1) {
        let meaning = match name {
            "produced" => "worth in ore that its stacks produce when the turn begins".into(),
            "production" => "the same worth when the turn ends".into(),
            cards => format!("{cards} on its table when the turn ends"),
        };
        let mean = |&(round, seat): &(usize, usize)| mean(counted, round, seat, column);
        sheet.number(name, &meaning, mean);
    }
    sheet.sheet()
}

fn lengths_sheet(counted: &Counted) -> Sheet {
    let mut sheet = Rows::new("lengths", "one row per round", 0..counted.rows(o::BY_ROUND));
    sheet.numbered("round", |&round| round);
    let columns = [
        ("won", "won"),
        ("capped", "stopped by the cap"),
        ("first_diamond", "with the first diamond"),
        ("second_diamond", "with the second diamond"),
    ];
    for (column, (name, which)) in columns.into_iter().enumerate() {
        let games = |&round: &usize| counted.at(o::LENGTHS, round, column);
        sheet.whole(name, &format!("games {which} in this round"), games);
    }
    sheet.sheet()
}

fn cards_sheet(counted: &Counted) -> Sheet {
    let rows = counted.by_seat(CLASSES);
    let mut sheet = Rows::new("cards", "one row per card and seat", rows);
    sheet.text("card", "the card", |(class, _)| NAMES[*class].to_string());
    sheet.numbered("seat", |row| row.1);
    for (index, (name, meaning)) in CARD_COLUMNS.into_iter().enumerate() {
        let mean = |&(class, seat): &(usize, usize)| {
            let column = seat * CARD_COLUMNS.len() + index;
            counted.per_game(counted.at(o::BY_CARD, class, column))
        };
        sheet.number(&format!("{name}_per_game"), meaning, mean);
    }
    ByUse::add_columns(&mut sheet, counted, o::MOVED, "played");
    sheet.sheet()
}

fn recipes_sheet(counted: &Counted, rules: &MinerRules) -> Sheet {
    let recipes = &rules.recipes;
    let rows = counted.by_seat(recipes.len());
    let mut sheet = Rows::new("recipes", "one row per recipe and seat", rows);
    sheet.text("card", "top card of the stack", |(recipe, _)| {
        rules.card_name(recipes[*recipe].top)
    });
    let meaning = "the recipe; each alternative has its own row";
    sheet.text("recipe", meaning, |(recipe, _)| {
        transcript::recipe(&recipes[*recipe])
    });
    sheet.numbered("seat", |row| row.1);
    ByUse::add_columns(&mut sheet, counted, o::BY_RECIPE, "used");
    sheet.sheet()
}

fn bank_sheet(counted: &Counted, rules: &MinerRules) -> Sheet {
    let mean = |class: usize, what: usize| counted.per_game(counted.at(o::SHORTAGES, class, what));
    let copies = rules.copies();
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

fn by_place<'a>(counted: &'a Counted, names: &'a [String]) -> ByPlace<'a> {
    ByPlace {
        counted,
        table: o::PLACES,
        names,
        name: "places",
        place: "place in turn order; place 1 begins",
    }
}

pub fn figures(
    counted: &Counted,
    seated: &Seated,
    rules: &MinerRules,
) -> Vec<(&'static str, Figure)> {
    let names = &seated.names;
    let mut figures = vec![
        ("growth", Figure::Lines(growth(counted, names))),
        ("cards", Figure::Bars(cards(counted, names))),
        ("bank", Figure::Rows(bank(counted))),
        ("lengths", Figure::Density(lengths(counted, rules))),
    ];
    if seated.seating != Seating::Fixed {
        figures.push(("places", Figure::Rows(by_place(counted, names).figure())));
    }
    figures
}

fn growth(counted: &Counted, names: &[String]) -> Lines {
    let common =
        |round: &usize| by_round(counted, *round, 0, 0) as f64 >= RARE * counted.games as f64;
    let rounds = (0..counted.rows(o::BY_ROUND)).take_while(common).count();
    let panel = |heading: &str, columns: &[usize]| {
        let mut lines = Vec::new();
        for seat in 0..counted.seats() {
            let points = (0..rounds).map(|round| {
                let means = columns
                    .iter()
                    .map(|column| mean(counted, round, seat, *column));
                (round as f64 + 1.0, means.sum())
            });
            lines.push(Line::exact(&names[seat], seat, points));
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

fn cards(counted: &Counted, names: &[String]) -> Bars {
    let row = |seat: usize| {
        let column = |what: usize| seat * CARD_COLUMNS.len() + what;
        // Taken, made on own stacks, and made on others'.
        let got = |class: usize| {
            let copies = [0, 1, 2].map(|what| counted.at(o::BY_CARD, class, column(what)));
            counted.per_game(copies.iter().sum())
        };
        Bar {
            label: names[seat].clone(),
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
        rows: (0..counted.seats()).map(row).collect(),
        decimals: 1,
    }
}

fn bank(counted: &Counted) -> figure::Rows {
    let games = |class| counted.at(o::SHORTAGES, class, 1);
    let share = |class| Estimate::share(counted.games, games(class), 1);
    let row = |class: usize| Row::of(NAMES[class], 0, share(class));
    figure::Rows {
        title: "Cards that run out".to_string(),
        axis: "share of games in which a card was due but missing".to_string(),
        figures: Figures::Shares,
        rows: (0..CLASSES).map(row).collect(),
        note: if (0..CLASSES).all(|class| games(class) == 0) {
            "No card ran out in any game.".to_string()
        } else {
            String::new()
        },
        ..figure::Rows::default()
    }
}

fn lengths(counted: &Counted, rules: &MinerRules) -> Density {
    let (mut games, mut capped) = (vec![0], 0);
    for round in 0..counted.rows(o::BY_ROUND) {
        let [ended, cut] = [0, 1].map(|how| counted.at(o::LENGTHS, round, how));
        games.push(ended + cut);
        capped += cut;
    }
    Density {
        note: format!(
            "Stopped by the cap of {} rounds: {:.2} % of games.",
            rules.rounds,
            100.0 * counted.per_game(capped)
        ),
        ..Density::of_lengths("rounds", "round in which the game ends", games)
    }
}
