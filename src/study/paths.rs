//! Paths into a study: what `compare` and `sweep` change from one side or cell to the next.
//!
//! `rules` · `rules.KEY` (any value of the rules file) · `players` · `seats.N` (the bot at seat N) ·
//! `seats.N.PARAM` · `all.BOT.PARAM` (every seat that BOT takes).

use super::simulate::{self, Resolved};
use super::{Simulate, StudyError, apply};
use crate::strategy::{SeatError, SeatSpec};

/// Why a path cannot be followed.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// No such path.
    #[error("`{0}`: paths are rules, rules.KEY, players, seats.N, seats.N.PARAM and all.BOT.PARAM")]
    Unknown(String),
    /// No such seat.
    #[error("`{path}`: there is no seat {seat}; there are {seats} seats, counted from 1")]
    Seat {
        /// The path.
        path: String,
        /// The seat asked for.
        seat: String,
        /// How many there are.
        seats: usize,
    },
    /// Nobody plays that bot.
    #[error("`{path}`: no seat plays `{bot}`; the seats are {seats}")]
    Nobody {
        /// The path.
        path: String,
        /// The bot.
        bot: String,
        /// The bots there are.
        seats: String,
    },
    /// Two paths lead to the same value.
    #[error("{0} change the same value: leave one of them out")]
    Overlap(String),
    /// Not a bot where one is needed.
    #[error("{path}={value}: {source}")]
    Bot {
        /// The path.
        path: String,
        /// The value.
        value: String,
        /// Why not.
        source: SeatError,
    },
    /// Several bots for one seat.
    #[error("{path}={value}: one seat takes one bot; vary players for more of them")]
    Copies {
        /// The path.
        path: String,
        /// The value.
        value: String,
    },
    /// Not a number where one is needed.
    #[error("{path}={value}: {wanted}")]
    Value {
        /// The path.
        path: String,
        /// The value.
        value: String,
        /// What is needed.
        wanted: &'static str,
    },
}

/// Every path of a table with its value, as it is without a change.
pub fn paths(resolved: &simulate::Resolved) -> Result<Vec<(String, String)>, StudyError> {
    let Resolved {
        study,
        rules,
        seats,
        ..
    } = resolved;
    let mut paths = vec![
        ("rules".to_string(), rules.name.clone()),
        ("players".to_string(), seats.len().to_string()),
    ];
    let text = apply(&rules.name, &rules.text, &study.set)?;
    let file: toml::Table = toml::from_str(&text).unwrap_or_default();
    add_keys("rules", &file, &mut paths);
    for (number, seat) in (1..).zip(seats) {
        paths.push((format!("seats.{number}"), seat.strategy.name.clone()));
        for (param, value) in seat.params() {
            paths.push((format!("seats.{number}.{param}"), value.to_string()));
        }
    }
    let mut bots: Vec<&str> = Vec::new();
    for seat in seats {
        let name = seat.strategy.name.as_str();
        // What `all` reaches must not be split by a dot in the name.
        if bots.contains(&name) || name.contains('.') {
            continue;
        }
        bots.push(name);
        for (param, value) in seat.params() {
            paths.push((format!("all.{name}.{param}"), value.to_string()));
        }
    }
    Ok(paths)
}

/// Adds all values of a rules file, those of inner tables too.
fn add_keys(at: &str, table: &toml::Table, paths: &mut Vec<(String, String)>) {
    for (key, value) in table {
        let path = format!("{at}.{key}");
        match value {
            toml::Value::Table(inner) => add_keys(&path, inner, paths),
            // Which game it is cannot be changed.
            _ if path == "rules.game" => {}
            value => paths.push((path, value.to_string())),
        }
    }
}

/// A study with changes made to it: for each path its value. Players are seated first, then rules
/// and bots are named, then their values set; the order in which changes are given does not matter.
pub fn changed(study: &Simulate, changes: &[(&str, &str)]) -> Result<Simulate, StudyError> {
    let rank = |path: &str| match path.split('.').collect::<Vec<_>>().as_slice() {
        ["players"] => 0,
        ["rules"] | ["seats", _] => 1,
        _ => 2,
    };
    let mut study = study.with_each_seat()?;
    for rank_now in 0..3 {
        let of_rank = changes.iter().filter(|(path, _)| rank(path) == rank_now);
        let before = study.clone();
        for (path, value) in of_rank.clone() {
            set_path(&mut study, path, value)?;
        }
        let mut backwards = before;
        for (path, value) in of_rank.clone().rev() {
            set_path(&mut backwards, path, value)?;
        }
        // Rules that were changed in another order are the same rules.
        let mut forwards = study.clone();
        forwards.set.sort();
        backwards.set.sort();
        if backwards != forwards {
            let paths = of_rank.map(|(path, _)| format!("`{path}`"));
            return Err(PathError::Overlap(paths.collect::<Vec<_>>().join(" and ")).into());
        }
        study = study.with_each_seat()?;
    }
    Ok(study)
}

/// Changes `study`, whose seats are written out one by one, at `path` to `value`.
fn set_path(study: &mut Simulate, path: &str, value: &str) -> Result<(), PathError> {
    let value = value.trim();
    let parts: Vec<&str> = path.split('.').collect();
    match parts.as_slice() {
        ["rules"] => {
            study.rules = Some(value.to_string());
            Ok(())
        }
        ["rules", key @ ..] => {
            let key = key.join(".");
            let prefix = format!("{key}=");
            study.set.retain(|set| !set.starts_with(&prefix));
            study.set.push(format!("{key}={value}"));
            Ok(())
        }
        ["players"] => {
            let wrong = || PathError::Value {
                path: path.to_string(),
                value: value.to_string(),
                wanted: "a number of players is needed",
            };
            study.players = Some(value.parse().map_err(|_| wrong())?);
            study.seats.truncate(study.players.unwrap_or(0));
            Ok(())
        }
        ["seats", seat] => {
            let index = seat_index(study, path, seat)?;
            study.seats[index] = one_bot(path, value)?;
            Ok(())
        }
        ["seats", seat, param] => {
            let index = seat_index(study, path, seat)?;
            study.seats[index].set(param, number(path, value)?);
            Ok(())
        }
        ["all", bot, param] => {
            let plays = |seat: &SeatSpec| seat.name == *bot;
            if !study.seats.iter().any(plays) {
                let seats: Vec<String> = study.seats.iter().map(SeatSpec::to_string).collect();
                return Err(PathError::Nobody {
                    path: path.to_string(),
                    bot: (*bot).to_string(),
                    seats: seats.join(", "),
                });
            }
            for seat in study.seats.iter_mut().filter(|seat| plays(seat)) {
                seat.set(param, number(path, value)?);
            }
            Ok(())
        }
        _ => Err(PathError::Unknown(path.to_string())),
    }
}

fn seat_index(study: &Simulate, path: &str, seat: &str) -> Result<usize, PathError> {
    match seat.parse::<usize>() {
        Ok(number) if (1..=study.seats.len()).contains(&number) => Ok(number - 1),
        _ => Err(PathError::Seat {
            path: path.to_string(),
            seat: seat.to_string(),
            seats: study.seats.len(),
        }),
    }
}

/// The bot that a seat takes.
fn one_bot(path: &str, value: &str) -> Result<SeatSpec, PathError> {
    let (path, value) = (path.to_string(), value.to_string());
    match SeatSpec::parse(&value) {
        Ok(bot) if bot.copies == 1 => Ok(bot),
        Ok(_) => Err(PathError::Copies { path, value }),
        Err(source) => Err(PathError::Bot {
            path,
            value,
            source,
        }),
    }
}

/// The value of a parameter.
fn number(path: &str, value: &str) -> Result<f32, PathError> {
    match value.parse::<f32>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(PathError::Value {
            path: path.to_string(),
            value: value.to_string(),
            wanted: "a number is needed",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study() -> Simulate {
        toml::from_str(
            "game = \"diamant\"\nseats = [\"threshold\", \"depth:cards=4\", \"threshold\"]\n\
             set = [\"traps.snake=4\"]\n",
        )
        .unwrap()
    }

    fn after(path: &str, value: &str) -> Simulate {
        let mut changed = study();
        set_path(&mut changed, path, value).unwrap_or_else(|error| panic!("{error}"));
        changed
    }

    fn seats(study: &Simulate) -> Vec<String> {
        study.seats.iter().map(SeatSpec::to_string).collect()
    }

    #[test]
    fn paths_reach_rules_bots_and_players() {
        assert_eq!(
            after("rules", "mix.toml").rules.as_deref(),
            Some("mix.toml")
        );
        assert_eq!(after("rules.traps.snake", "2").set, ["traps.snake=2"]);
        assert_eq!(
            after("rules.rounds", "3").set,
            ["traps.snake=4", "rounds=3"]
        );
        assert_eq!(after("players", "2").seats.len(), 2);
        assert_eq!(seats(&after("seats.2", "last-out"))[1], "last-out");
        assert_eq!(seats(&after("seats.2.cards", "7"))[1], "depth:cards=7");
        assert_eq!(
            seats(&after("all.threshold.target", "9")),
            ["threshold:target=9", "depth:cards=4", "threshold:target=9"]
        );
    }

    #[test]
    fn changes_do_not_depend_on_their_order() {
        let mut changes = vec![
            ("seats.6.target", "9"),
            ("rules.rounds", "3"),
            ("seats.6", "threshold"),
            ("players", "7"),
        ];
        let there = super::changed(&study(), &changes).unwrap();
        changes.reverse();
        assert_eq!(there, super::changed(&study(), &changes).unwrap());
        assert_eq!(there.seats.len(), 7);
        assert_eq!(seats(&there)[5], "threshold:target=9");
        for overlapping in [
            [("seats.1.target", "4"), ("all.threshold.target", "10")],
            [("players", "3"), ("players", "4")],
            [("rules.rounds", "3"), ("rules.rounds", "4")],
        ] {
            let error = super::changed(&study(), &overlapping)
                .unwrap_err()
                .to_string();
            assert!(error.contains("the same value"), "{error}");
        }
    }

    #[test]
    fn wrong_paths_say_what_there_is() {
        for (path, value, said) in [
            ("seat.1", "depth", "paths are"),
            ("seats.4", "depth", "there are 3 seats"),
            ("seats.0.target", "3", "counted from 1"),
            ("seats.1.target", "many", "a number is needed"),
            ("seats.1.target", "inf", "a number is needed"),
            ("seats.1", "2*depth", "one seat takes one bot"),
            ("seats.1", "depth:cards=six", "`six` is not a finite number"),
            ("all.traps.nerve", "3", "no seat plays `traps`"),
            ("players", "few", "a number of players"),
        ] {
            let error = set_path(&mut study(), path, value).unwrap_err().to_string();
            assert!(error.contains(said), "{path}: {error}");
        }
    }
}
