//! The game's own tables and charts, from the counts of a tally.

use super::cards::{ANVIL, CART, CLASSES, NAMES, SHOVEL, WORTH_UNITS};
use super::outcomes::{self as o, CARD_COLUMNS, ROUND_COLUMNS};
use super::rules::MinerRules;
use crate::figure::{self, Bar, Bars, Density, Figure, Figures, Line, Lines, Panel, Row};
use crate::game::{ByPlace, ByUse, Copies, Counted, Seated, Seating};
use crate::sheet::columns;
use crate::sheet::{Columns, SEAT, Sheet};
use crate::statistics::Estimate;

/// Rounds that fewer games than this share reach are not drawn.
const RARE: f64 = 0.02;

fn by_round(counted: &Counted, round: usize, seat: usize, column: usize) -> u64 {
    counted.at(o::BY_ROUND, round, seat * ROUND_COLUMNS.len() + column)
}

/// The mean over the turns of these seats in round `round` (from 0).
fn mean(counted: &Counted, round: usize, seats: &[usize], column: usize) -> f64 {
    let is_worth = column == 1 || column == 2;
    let unit = if is_worth { WORTH_UNITS } else { 1 };
    let sum = |column| -> u64 {
        let of = |seat: &usize| by_round(counted, round, *seat, column);
        seats.iter().map(of).sum()
    };
    sum(column) as f64 / sum(0).max(1) as f64 / f64::from(unit)
}

pub fn sheets(counted: &Counted, names: &[String], rules: &MinerRules) -> Vec<Sheet> {
    let rounds = counted.rows(o::BY_ROUND);
    let of = (*counted, rules);
    vec![
        Rounds::sheet(counted, counted.by_seat(rounds)),
        Lengths::sheet(counted, 0..rounds),
        Cards::sheet(counted, counted.by_seat(CLASSES)),
        Recipes::sheet(&of, counted.by_seat(rules.recipes.len())),
        Bank::sheet(&of, 0..CLASSES),
        by_place(counted, names).sheet(),
    ]
}

columns! {
    Rounds<'a>(of: Counted<'a>, row: (usize, usize))
    "rounds", "one row per round and seat, over the games still in progress";
    ROUND: numbered("round", "number of the round, from 1") => row.0;
    SEAT: numbered(SEAT, "number of the seat, from 1") => row.1;
    TURNS: whole("turns", "turns of the seat in this round") => by_round(of, row.0, row.1, 0);
    MEANS: number("CARDS", "cards of a kind on the seat's table when the turn ends"),
        for column in round_columns() => mean(of, row.0, &[row.1], column);
}

fn round_columns() -> impl Iterator<Item = (usize, String, String)> {
    let columns = ROUND_COLUMNS.into_iter().enumerate().skip(1);
    columns.map(|(column, name)| {
        let meaning = match name {
            "produced" => "worth in ore that the seat's stacks produce when the turn begins".into(),
            "production" => "worth in ore that they produce when the turn ends".into(),
            cards => format!("{cards} on the seat's table when the turn ends"),
        };
        (column, name.to_string(), meaning)
    })
}

columns! {
    Lengths<'a>(of: Counted<'a>, round: usize) "lengths", "one row per round";
    ROUND: numbered("round", "number of the round, from 1") => *round;
    WON: whole("won", "games won in this round") => of.at(o::LENGTHS, *round, 0);
    CAPPED: whole("capped", "games stopped by the cap in this round") => of.at(o::LENGTHS, *round, 1);
    FIRST: whole("first_diamond", "games with the first diamond in this round")
        => of.at(o::LENGTHS, *round, 2);
    SECOND: whole("second_diamond", "games with the second diamond in this round")
        => of.at(o::LENGTHS, *round, 3);
}

columns! {
    Cards<'a>(of: Counted<'a>, row: (usize, usize)) "cards", "one row per card and seat";
    CARD: text("card", "the card") => NAMES[row.0];
    SEAT: numbered(SEAT, "number of the seat, from 1") => row.1;
    MEANS: number("WAY_per_game", "mean number per game of cards that come this way"),
        for index in card_columns()
        => of.per_game(of.at(o::BY_CARD, row.0, row.1 * CARD_COLUMNS.len() + index));
    PLAYED: number("played_per_game", "mean number of times per game that the seat played it")
        => ByUse::per_game(of, o::MOVED, *row);
    GAMES: whole("games_played", "games in which the seat played it") => ByUse::games(of, o::MOVED, *row);
    WIN_SHARE: estimates("win_share", "the seat's win share in these games; the interval is that of the games alone")
        => ByUse::win_share(of, o::MOVED, *row);
}

fn card_columns() -> impl Iterator<Item = (usize, String, String)> {
    let columns = CARD_COLUMNS.into_iter().enumerate();
    columns.map(|(index, (name, meaning))| (index, format!("{name}_per_game"), meaning.to_string()))
}

columns! {
    Recipes<'a>(of: (Counted<'a>, &'a MinerRules), row: (usize, usize))
    "recipes", "one row per recipe and seat";
    CARD: text("card", "top card of the stack") => of.1.card_name(of.1.recipes[row.0].top);
    RECIPE: text("recipe", "the recipe; each alternative has its own row")
        => of.1.written[row.0].text;
    SEAT: numbered(SEAT, "number of the seat, from 1") => row.1;
    USED: number("used_per_game", "mean number of times per game that the seat used it")
        => ByUse::per_game(&of.0, o::BY_RECIPE, *row);
    GAMES: whole("games_used", "games in which the seat used it")
        => ByUse::games(&of.0, o::BY_RECIPE, *row);
    WIN_SHARE: estimates("win_share", "the seat's win share in these games; the interval is that of the games alone")
        => ByUse::win_share(&of.0, o::BY_RECIPE, *row);
}

columns! {
    Bank<'a>(of: (Counted<'a>, &'a MinerRules), class: usize) "bank", "one row per card";
    CARD: text("card", "the card") => NAMES[*class];
    COPIES: whole("copies", "copies in the game") => u64::from(of.1.copies()[*class]);
    SKIPPED: number("skipped_per_game", "copies per game that were due but missing, because the pile had run out")
        => of.0.per_game(of.0.at(o::SHORTAGES, *class, 0));
    RAN_OUT: number("ran_out_rate", "share of games in which the card ran out")
        => of.0.per_game(of.0.at(o::SHORTAGES, *class, 1));
}

fn by_place<'a>(counted: &'a Counted, names: &'a [String]) -> ByPlace<'a> {
    ByPlace {
        counted,
        table: o::PLACES,
        names,
        name: "places",
    }
}

pub fn figures(
    counted: &Counted,
    seated: &Seated,
    rules: &MinerRules,
) -> Vec<(&'static str, Figure)> {
    let (names, copies) = (&seated.names, &seated.copies);
    let title = "Use and win share of each card under a stack";
    let card_uses = ByUse::figure(counted, o::MOVED, title, NAMES.map(str::to_string).to_vec());
    let mut figures = vec![
        ("growth", Figure::Lines(growth(counted, copies))),
        ("cards", Figure::Bars(cards(counted, copies))),
        ("bank", Figure::Rows(bank(counted))),
        ("lengths", Figure::Density(lengths(counted, rules))),
        ("recipe_uses", Figure::Rows(recipe_uses(counted, rules))),
        ("card_uses", Figure::Rows(card_uses)),
    ];
    if seated.seating != Seating::Fixed {
        figures.push((
            "places",
            Figure::Rows(by_place(counted, names).figure(copies)),
        ));
    }
    figures
}

fn recipe_uses(counted: &Counted, rules: &MinerRules) -> figure::Rows {
    let mut things = Vec::new();
    for (recipe, as_written) in rules.recipes.iter().zip(&rules.written) {
        let text = as_written.text.replace("+>", "produces").replace("->", "→");
        things.push(format!("{}: {text}", rules.card_name(recipe.top)));
    }
    let title = "Use and win share of each recipe, by the top card of its stack";
    ByUse::figure(counted, o::BY_RECIPE, title, things)
}

fn growth(counted: &Counted, copies: &[Copies]) -> Lines {
    let common =
        |round: &usize| by_round(counted, *round, 0, 0) as f64 >= RARE * counted.games as f64;
    let rounds = (0..counted.rows(o::BY_ROUND)).take_while(common).count();
    let panel = |heading: &str, columns: &[usize]| {
        let mut lines = Vec::new();
        for of in copies {
            let points = (0..rounds).map(|round| {
                let means = columns.iter();
                let means = means.map(|column| mean(counted, round, &of.seats, *column));
                (round as f64 + 1.0, means.sum())
            });
            lines.push(Line::exact(&of.name, of.seats[0], points));
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

fn cards(counted: &Counted, copies: &[Copies]) -> Bars {
    let mut rows = Vec::new();
    for of in copies {
        // Taken, made on own stacks, and made on others'.
        let mut parts = Vec::new();
        for class in SHOVEL..CLASSES {
            let columns = of.seats.iter().map(|seat| seat * CARD_COLUMNS.len());
            let got = columns.flat_map(|first| [0, 1, 2].map(|what| first + what));
            let got = got
                .map(|column| counted.at(o::BY_CARD, class, column))
                .sum();
            parts.push(counted.per_game(got) / of.seats.len() as f64);
        }
        rows.push(Bar {
            label: of.name.clone(),
            parts,
        });
    }
    Bars {
        title: "Cards that each bot gets in a game, by kind".to_string(),
        unit: "cards per game, taken from the bank, made or stolen".to_string(),
        parts: NAMES[SHOVEL..]
            .iter()
            .map(|name| name.to_string())
            .collect(),
        ordered: false,
        rows,
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
