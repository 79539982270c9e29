//! Games, their bots and their metrics, as data for lists.

use crate::study::SeatedTable;
use carat_core::catalog::GAMES;
use carat_core::game::Game;
use carat_core::library::Library;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

#[derive(Default, Serialize)]
pub struct Bot {
    pub name: String,
    pub description: String,
    /// The rules and number of players that it was made for.
    pub made_for: Option<String>,
    /// Its parameters with their values, without the numbers of tables.
    #[serde(serialize_with = "as_decimals")]
    pub params: Vec<(String, f32)>,
}

/// A map to the shortest decimals: 0.3, not the nearest number of double precision.
fn as_decimals<S: Serializer>(params: &[(String, f32)], to: S) -> Result<S::Ok, S::Error> {
    let number = |value: f32| value.to_string().parse().unwrap_or(f64::from(value));
    to.collect_map(params.iter().map(|(param, value)| (param, number(*value))))
}

pub fn list_bots(game: &Game, library: &Library) -> Vec<Bot> {
    let bot = |name: String| match library.strategy(game, &name) {
        Ok(mut strategy) => {
            strategy.params.retain(|(param, _)| !param.contains('.'));
            Bot {
                name,
                description: strategy.description,
                made_for: (strategy.made_for.map(|made_for| made_for.to_string()))
                    .filter(|made_for| !made_for.is_empty()),
                params: strategy.params,
            }
        }
        Err(_) => Bot {
            name,
            description: "(faulty: see `carat check`)".to_string(),
            ..Bot::default()
        },
    };
    library.strategy_names(game).into_iter().map(bot).collect()
}

/// The games by name, the first the default of the page, and whether carat reads their records.
pub fn list_games() -> Value {
    let games = GAMES.iter().map(
        |game| json!({ "name": game.name, "title": game.title, "advises": game.advice.is_some() }),
    );
    games.collect()
}

/// A game with its rules and bots, as JSON.
pub fn describe_game(game: &Game, library: &Library) -> Value {
    let rules: Vec<&str> = game.editions.iter().map(|edition| edition.name).collect();
    json!({
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "players": { "min": game.seats.start(), "max": game.seats.end(), "default": game.players },
        "rules": rules,
        "bots": list_bots(game, library),
    })
}

/// The names and meanings of the metrics of a table: those of a seat, then those of the table.
pub fn metric_rows(seated: &SeatedTable) -> Vec<Vec<String>> {
    let layout = seated.table.layout();
    let of_seats = layout.seat_metrics.iter().map(|metric| (metric, "@SEAT"));
    let of_table = layout.table_metrics.iter().map(|metric| (metric, ""));
    let rows = of_seats.chain(of_table).map(|(metric, scope)| {
        let name = format!("{}{scope}", metric.name);
        vec![name, metric.meaning.to_string()]
    });
    rows.collect()
}

/// The metrics of a table as records.
pub fn list_metrics(seated: &SeatedTable) -> Value {
    let record = |row: Vec<String>| json!({ "metric": row[0], "meaning": row[1] });
    metric_rows(seated).into_iter().map(record).collect()
}
