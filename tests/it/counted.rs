//! Counts of cards, recipes and playouts in tables.

use crate::process::{folder, holds, run};

#[test]
fn uses_of_cards_and_recipes_add_up() {
    let here = folder();
    here.run("simulate diamond_miner --players 3 --games 300 --no-charts -q --out miner");
    let sum = |table: &str, column: &str, of: &[(&str, &str)]| -> f64 {
        let table = here.table(table);
        let numbers = table.numbers(column).into_iter().enumerate();
        let is_of = |row: &usize| {
            let mut of = of.iter();
            of.all(|(column, value)| table.column(column)[*row] == *value)
        };
        numbers
            .filter(|(row, _)| is_of(row))
            .map(|(_, number)| number)
            .sum()
    };
    let same = |one: f64, other: f64| assert!((one - other).abs() < 1e-9, "{one} {other}");
    let figure = |table: &str, metric: &str| sum(table, "value", &[("metric", metric)]);
    let moves = figure("miner/table.csv", "moves_per_game");
    same(sum("miner/cards.csv", "played_per_game", &[]), moves);
    assert!(figure("miner/table.csv", "decisions_per_game") > moves);
    let recipes = here.table("miner/recipes.csv");
    assert_eq!(recipes.rows.len(), 3 * 11);
    let of = [
        ("card", "cart"),
        ("recipe", "cart + shovel + anvil -> diamond"),
    ];
    let diamonds = sum("miner/recipes.csv", "used_per_game", &of);
    same(diamonds, sum("miner/seats.csv", "score_mean", &[]));
    // Nobody wins who makes no diamond, so those who make one win all.
    let won = recipes.numbers("win_share").into_iter();
    let games = recipes.numbers("games_used").into_iter();
    let made = recipes.column("recipe").into_iter();
    let won = won
        .zip(games)
        .zip(made)
        .filter(|(_, made)| *made == of[1].1);
    same(won.map(|((share, games), _)| share * games).sum(), 300.0);
    for line in ["win_share_low", "used_per_game"] {
        holds(&run("show columns diamond_miner"), line);
    }

    here.run("simulate diamond_cave --players 2 --games 300 --no-charts -q --out cave");
    assert_eq!(here.table("cave/cards.csv").rows.len(), 6 * 2);
}

/// Budgets of thinking are paths like others, and a curve over them names where it flattens out.
#[test]
fn playouts_are_swept_to_where_they_gain_nothing() {
    let here = folder();
    let paths = here.run("show paths diamant --seat threshold --seat threshold:playouts=64");
    holds(&paths, "seats.1.playouts … 0 … seats.2.playouts … 64");
    let seats = "--seat depth --seat 3*threshold --games 3000 --no-charts";
    let each = here.run(&format!("sweep diamant {seats} --each=seats.1 --out each"));
    assert!(!each.contains("playouts"), "{each}");
    let sweep = |values: &str, out: &str| {
        here.run(&format!(
            "sweep diamant {seats} --vary seats.1.cards={values} --out {out}"
        ))
    };
    holds(&sweep("2,7,40", "peak"), "No value above cards 7");
    holds(&sweep("1,3,6", "rise"), "before cards 6");
    assert!(!sweep("7,2,40", "mixed").contains("beyond"));
}
