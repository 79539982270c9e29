//! What a study asks, with the names of what it is about: the headline of its page where nobody gave
//! one.

use super::words::{axis_name, changes_told};
use crate::game::story;
use crate::study::{Path, Simulate, Study};

/// Letters of a question that is still read at a glance.
const LONGEST: usize = 110;

/// The question of a study; that of its kind where names would make it too long.
pub fn question(study: &Study) -> String {
    let own = match study {
        Study::Simulate(study) => of_bots(study),
        Study::Compare(study) if study.each.is_none() => {
            let sides: Vec<&[String]> = study.sides.values().map(Vec::as_slice).collect();
            of_sides(&sides)
        }
        Study::Sweep(study) => of_values(&study.table, study.vary.keys(), None),
        Study::Tune(study) => {
            let targets = !study.targets.is_empty();
            of_values(&study.table, study.vary.keys(), Some(targets))
        }
        _ => None,
    };
    let brief = own.filter(|question| question.chars().count() <= LONGEST);
    brief.unwrap_or_else(|| study.of_kind().question().to_string())
}

/// `Who wins: depth, risk or veteran?`
fn of_bots(table: &Simulate) -> Option<String> {
    let seats = table.seats.iter().map(ToString::to_string);
    match Vec::from_iter(seats).as_slice() {
        [] | [_] => None,
        [others @ .., last] => Some(format!("Who wins: {} or {last}?", others.join(", "))),
    }
}

/// `What changes with traps.snake 4?`
fn of_sides(sides: &[&[String]]) -> Option<String> {
    let (first, others) = sides.split_first()?;
    let others: Vec<String> = others.iter().map(|changes| changes_told(changes)).collect();
    let others = others.join(", or with ");
    Some(match first {
        [] => format!("What changes with {others}?"),
        first => format!(
            "What changes with {others}, against {}?",
            changes_told(first)
        ),
    })
}

/// `Which target of threshold (seat 1) is best, by traps.snake?`; of a tuning, whether it has targets.
fn of_values<'a>(
    table: &Simulate,
    paths: impl Iterator<Item = &'a String>,
    targets: Option<bool>,
) -> Option<String> {
    let bot = |seat: usize| {
        let all = table.seats.iter();
        let mut names = all.flat_map(|spec| std::iter::repeat_n(&spec.name, spec.copies));
        names.nth(seat.checked_sub(1)?).cloned()
    };
    let paths: Vec<Path> = paths.filter_map(|path| path.parse().ok()).collect();
    let is_choice = |path: &&Path| {
        targets.is_some()
            || matches!(
                path,
                Path::Seat(_) | Path::SeatParam(..) | Path::AllParam(..)
            )
    };
    let names = |paths: Vec<&Path>| {
        let name = |path: &Path| match path {
            Path::Players => "the number of players".to_string(),
            path => axis_name(path, bot),
        };
        let names: Vec<String> = paths.into_iter().map(name).collect();
        story::list(&names.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let (chosen, given): (Vec<&Path>, Vec<&Path>) = paths.iter().partition(is_choice);
    let many = chosen.len() > 1;
    // A rule is no value, as a target of a bot is.
    let of_rules = chosen.iter().any(|path| matches!(path, Path::RulesKey(_)));
    let of = match (of_rules, many) {
        (false, _) => "",
        (true, false) => "value of ",
        (true, true) => "values of ",
    };
    let (chosen, given) = (names(chosen), names(given));
    let chosen = if chosen.is_empty() {
        chosen
    } else {
        format!("{of}{chosen}")
    };
    Some(match (targets, chosen.as_str(), given.as_str()) {
        (_, "", "") => return None,
        (Some(true), ..) if many => format!("Which {chosen} meet the targets?"),
        (Some(true), ..) => format!("Which {chosen} meets the targets?"),
        (_, "", given) => format!("What changes with {given}?"),
        (_, chosen, "") if many => format!("Which {chosen} are best?"),
        (_, chosen, "") => format!("Which {chosen} is best?"),
        (_, chosen, given) if many => format!("Which {chosen} are best, by {given}?"),
        (_, chosen, given) => format!("Which {chosen} is best, by {given}?"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_name_what_they_are_about() {
        let of = |text: &str| question(&Study::from_toml("s.toml", text).expect("a study"));
        let table = "game = 'diamant'\nseats = ['threshold', '2*depth']\n";
        let cases = [
            ("simulate", "", "Who wins: threshold or 2*depth?"),
            (
                "compare",
                "[sides]\na = []\nb = ['traps.snake=4']\nc = ['players=6']",
                "What changes with traps.snake 4, or with 6 players?",
            ),
            (
                "sweep",
                "[vary]\n'seats.1.target' = '4..9'\n'rules.rounds' = '3..6'",
                "Which target of threshold (seat 1) is best, by rounds?",
            ),
            (
                "sweep",
                "[vary]\nplayers = '3..8'",
                "What changes with the number of players?",
            ),
            (
                "tune",
                "targets = { cards_per_game = '31..32' }\n[vary]\n'rules.rounds' = '3..6'",
                "Which value of rounds meets the targets?",
            ),
        ];
        for (kind, rest, expected) in cases {
            assert_eq!(of(&format!("study = '{kind}'\n{table}{rest}")), expected);
        }
        let long = format!("seats = ['{}', 'depth']", "x".repeat(LONGEST));
        let study = of(&format!("study = 'simulate'\ngame = 'diamant'\n{long}"));
        assert!(study.starts_with("Who wins at this table"), "{study}");
    }
}
