use super::super::Value;
use super::super::tests::{numbers, parsed, table};
use super::*;

const TEMPER: usize = 3;

fn lot(text: &str, height: f32, target: f32) -> Lot {
    let card = table("card", &[&[2.0]], numbers(&[height, 20.0]));
    Lot {
        formula: parsed(text, &[card]),
        values: vec![target],
    }
}

#[test]
fn each_part_answers_in_its_share() {
    let [bold, shy] = [9.0, 5.0].map(|height| lot("held > card[traps_seen]", height, 0.0));
    let moody = lot("random < 0.5", 0.0, 0.0);
    let parts = [(0.25, &bold), (0.5, &shy), (1.0, &moody)];
    let mixed = Formula::mixed(&parts, TEMPER);
    for (temper, expected) in [
        (0.2, false),
        (0.25, true),
        (0.5, true),
        (0.7, true),
        (0.75, false),
    ] {
        let answer = mixed.evaluate(|feature| [7.0, 0.0, 1.0, temper][feature]);
        assert_eq!(answer, Value::Truth(expected), "{temper}");
    }
    let alone = Formula::mixed(&[(1.0, &bold)], TEMPER);
    assert_eq!(alone.nodes, bold.formula.bind(&[0.0]).nodes);
}

/// The lots of one formula are a single program, and answer as they do apart, to the bit.
#[test]
fn parameters_are_looked_up_where_the_formula_is_the_same() {
    let text = "held * (if target > 2.5 then target else target - random) + target / 3 > random";
    let lots: Vec<Lot> = (0..40).map(|n| lot(text, 0.0, n as f32 * 0.3)).collect();
    let high = |n: usize| (n + 1) as f32 * 0.024;
    let mut parts: Vec<(f32, &Lot)> = lots
        .iter()
        .enumerate()
        .map(|(n, lot)| (high(n), lot))
        .collect();
    let other = lot("held > chest * target", 0.0, 1.5);
    parts.push((1.0, &other));
    let mixed = Formula::mixed(&parts, TEMPER);
    let nodes = |formula: &Formula| formula.nodes.len();
    assert!(nodes(&mixed) < 2 * nodes(&lots[0].formula) + 20);
    for step in 0..1000 {
        let temper = step as f32 / 1000.0;
        let at = parts.partition_point(|(high, _)| *high <= temper);
        let low = if at == 0 { 0.0 } else { parts[at - 1].0 };
        let within = (temper - low) * (1.0 / (parts[at].0 - low));
        let row = [0.3, 0.1, 1.0, temper];
        let alone = parts[at].1.formula.bind(&parts[at].1.values);
        let expected = alone.evaluate(|feature| match feature {
            TEMPER => within,
            _ => row[feature],
        });
        assert_eq!(mixed.evaluate(|feature| row[feature]), expected, "{temper}");
    }
}
