//! A study as the command that plays it.

use crate::results::Manifest;
use crate::study::library::Library;
use crate::study::{Solve, Study};
use clap::Arg;
use serde_json::{Map, Value};

/// The command that plays the study of a manifest, to be typed into a shell.
pub fn command(manifest: &Manifest) -> String {
    let study = &manifest.study;
    // A record is the text of a file whose name is not known.
    let untyped = match study {
        Study::Analyse(study) => !study.record.is_empty(),
        Study::Solve(study) if study.axes.is_some() => !has_usual_axes(study, manifest),
        _ => false,
    };
    if untyped {
        "carat run manifest.json".to_string()
    } else {
        typed(study)
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

/// A study as words for a shell: each key as the option that it is declared to be.
fn typed(study: &Study) -> String {
    let keys = match serde_json::to_value(study) {
        Ok(Value::Object(keys)) => keys,
        _ => Map::new(),
    };
    let game = quoted(&study.table.game);
    let mut words = vec!["carat".to_string(), study.kind().to_string(), game];
    // Sides have letters on the command line, and may have names in a file.
    let sides = study.sides().into_iter().flat_map(|sides| sides.values());
    for (letter, changes) in ('a'..='z').zip(sides) {
        words.extend(
            changes
                .iter()
                .map(|change| format!("--{letter} {}", quoted(change))),
        );
    }
    let command = Study::command(study.kind());
    for arg in command.get_arguments() {
        let key = arg.get_id().as_str();
        let (Some(option), Some(value)) = (arg.get_long(), keys.get(key)) else {
            continue;
        };
        let is_default = arg
            .get_default_values()
            .iter()
            .any(|own| *own == *word(value));
        if ["sides", "axes"].contains(&key) || is_default && key != "seed" {
            continue;
        }
        words.extend(options(arg, option, value));
    }
    words.join(" ")
}

/// An option, as often as its value needs it.
fn options(arg: &Arg, option: &str, value: &Value) -> Vec<String> {
    let several = arg
        .get_num_args()
        .is_some_and(|range| range.max_values() > 1);
    // An option whose value may be left out.
    let gap = if arg.is_require_equals_set() {
        '='
    } else {
        ' '
    };
    let given = |word: String| format!("--{option}{gap}{word}");
    match value {
        Value::Array(values) => {
            let values = values.iter().map(|value| quoted(&word(value)));
            if let Some(comma) = arg.get_value_delimiter() {
                vec![given(values.collect::<Vec<_>>().join(&comma.to_string()))]
            } else if several {
                vec![given(values.collect::<Vec<_>>().join(" "))]
            } else {
                values.map(given).collect()
            }
        }
        Value::Object(named) => {
            let named = named.iter();
            let named = named.map(|(name, value)| format!("{name}={}", word(value)));
            named.map(|word| given(quoted(&word))).collect()
        }
        value => vec![given(quoted(&word(value)))],
    }
}

/// A value as it is typed; those of a list with commas in between, or semicolons where they have some.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(word).collect();
            let comma = values.iter().any(|value| value.contains(','));
            values.join(if comma { ";" } else { "," })
        }
        value => value.to_string(),
    }
}

/// A word that a shell takes as it is.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,:/@+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
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
            "carat sweep diamant --set traps.snake=4 --seat '2*depth' --precision 0.01 --seed 7 \
             --vary seats.1.cards=3..5 --vary 'rules=it'\\''s.toml,b'"
        );
    }
}
