//! A study as the command that plays it.

use crate::game::Seating;
use crate::results::Manifest;
use crate::study::library::Library;
use crate::study::{Setting, Simulate, Solve, Study};

/// The command that plays the study of a manifest, to be typed into a shell.
pub fn command(manifest: &Manifest) -> String {
    let study = &manifest.study;
    // No option tells the text of a record, nor axes.
    let untold = match study {
        Study::Analyse(study) => study.record.is_some(),
        Study::Solve(study) => !has_usual_axes(study, manifest),
        _ => false,
    };
    match untold {
        true => "carat run manifest.json".to_string(),
        false => typed(study),
    }
}

/// Whether what is learnt looks at what it would look at if no axes were given.
fn has_usual_axes(study: &Solve, manifest: &Manifest) -> bool {
    let mut library = Library::pinned(manifest.strategies.clone(), manifest.rules.clone());
    // The game's own bots are looked up as well.
    library.closed = false;
    let usual = Solve {
        axes: None,
        ..study.clone()
    };
    let usual = usual.resolve(&library);
    usual.is_ok_and(|usual| usual.study.axes == study.axes)
}

/// A study as words for a shell.
fn typed(study: &Study) -> String {
    let kind = study.of_kind();
    let table = kind.table();
    let mut words = Words(vec![
        "carat".to_string(),
        study.kind().to_string(),
        quoted(&table.game),
    ]);
    if let Some(rules) = &table.rules {
        words.option("rules", rules);
    }
    table.set.iter().for_each(|set| words.option("set", set));
    let seat = match study {
        Study::Solve(_) => "against",
        _ => "seat",
    };
    for bot in &table.seats {
        words.option(seat, &bot.to_string());
    }
    if let Some(players) = table.players {
        words.option("players", &players.to_string());
    }
    // Sides have letters on the command line, and may have names in a file.
    let sides = kind.sides().into_iter().flat_map(|sides| sides.values());
    for (letter, changes) in ('a'..='z').zip(sides) {
        let option = letter.to_string();
        changes
            .iter()
            .for_each(|change| words.option(&option, change));
    }
    for Setting { option, typed, .. } in kind.settings() {
        let typed: Vec<String> = typed.iter().map(|word| quoted(word)).collect();
        match (option, typed.as_slice()) {
            (_, []) => {}
            ("each", [paths]) => words.0.push(format!("--each={paths}")),
            _ => words.0.push(format!("--{option} {}", typed.join(" "))),
        }
    }
    words.games(table);
    words.0.join(" ")
}

struct Words(Vec<String>);

impl Words {
    fn option(&mut self, name: &str, value: &str) {
        self.0.push(format!("--{name} {}", quoted(value)));
    }

    fn games(&mut self, table: &Simulate) {
        if let Some(precision) = table.precision {
            self.option("precision", &precision.to_string());
        }
        if let Some(most) = table.max_games {
            self.option("max-games", &most.to_string());
        }
        if let Some(games) = table.games {
            self.option("games", &games.to_string());
        }
        if let Some(metric) = &table.metric {
            self.option("metric", metric);
        }
        self.option("seed", &table.seed.to_string());
        match table.seating {
            Seating::EveryOrder => {}
            Seating::Neighbours => self.option("seating", "neighbours"),
            Seating::Fixed => self.option("seating", "fixed"),
        }
    }
}

/// A word that a shell takes as it is.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,:/@+".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_is_typed_as_it_was() {
        let text = "study = \"sweep\"\ngame = \"diamant\"\nseats = [\"2*depth\"]\n\
                    set = [\"traps.snake=4\"]\nprecision = 0.01\nseed = 7\n\
                    [vary]\n\"seats.1.cards\" = \"3..5\"\nrules = [\"it's.toml\", \"b\"]\n";
        let study = Study::from_toml("a.toml", text).unwrap();
        assert_eq!(
            typed(&study),
            "carat sweep diamant --set traps.snake=4 --seat '2*depth' --vary seats.1.cards=3..5 \
             --vary 'rules=it'\\''s.toml,b' --precision 0.01 --seed 7"
        );
    }
}
