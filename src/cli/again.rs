//! A study as the command that plays it.

use crate::game::Seating;
use crate::results::Manifest;
use crate::study::library::Library;
use crate::study::{Solve, Study};

/// The command that plays the study of a manifest, to be typed into a shell.
pub fn command(manifest: &Manifest) -> String {
    let study = &manifest.study;
    // No option tells the text of a record, nor axes.
    let untold = match study {
        Study::Analyse(study) => !study.record.is_empty(),
        Study::Solve(study) if study.axes.is_some() => !has_usual_axes(study, manifest),
        _ => false,
    };
    if untold {
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

/// A study as words for a shell.
fn typed(study: &Study) -> String {
    let kind = study.of_kind();
    let (_, table, run) = kind.parts();
    let game = quoted(&table.game);
    let mut words = vec!["carat".to_string(), study.kind().to_string(), game];
    let mut option = |name: &str, value: String| {
        // An option whose value may be left out.
        let gap = if name == "each" { '=' } else { ' ' };
        words.push(format!("--{name}{gap}{value}"));
    };
    let rules = table.rules.iter();
    rules.for_each(|rules| option("rules", quoted(rules)));
    table.set.iter().for_each(|set| option("set", quoted(set)));
    let seat = match study {
        Study::Solve(_) => "against",
        _ => "seat",
    };
    let bots = table.seats.iter();
    bots.for_each(|bot| option(seat, quoted(&bot.to_string())));
    let others = table.others.iter();
    others.for_each(|bot| option("others", quoted(&bot.to_string())));
    let players = table.players.iter();
    players.for_each(|players| option("players", players.to_string()));
    // Sides have letters on the command line, and may have names in a file.
    let sides = kind.sides().into_iter().flat_map(|sides| sides.values());
    for (letter, changes) in ('a'..='z').zip(sides) {
        let changes = changes.iter();
        changes.for_each(|change| option(&letter.to_string(), quoted(change)));
    }
    let settings = kind.settings().into_iter();
    for setting in settings.filter(|setting| !setting.typed.is_empty()) {
        let words: Vec<String> = setting.typed.iter().map(|word| quoted(word)).collect();
        option(setting.option, words.join(" "));
    }
    let count = |games: Option<u64>| games.map(|games| games.to_string());
    let seating = match table.seating {
        Seating::EveryOrder => None,
        Seating::Neighbours => Some("neighbours".to_string()),
        Seating::Fixed => Some("fixed".to_string()),
    };
    for (name, value) in [
        ("precision", run.precision.map(|width| width.to_string())),
        ("max-games", count(run.max_games)),
        ("games", count(run.games)),
        ("metric", kind.metric().map(quoted)),
        ("seed", Some(run.seed.to_string())),
        ("seating", seating),
    ] {
        value.into_iter().for_each(|value| option(name, value));
    }
    words.join(" ")
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
            "carat sweep diamant --set traps.snake=4 --seat '2*depth' --vary seats.1.cards=3..5 \
             --vary 'rules=it'\\''s.toml,b' --precision 0.01 --seed 7"
        );
    }
}
