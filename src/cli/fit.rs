//! `carat fit`: bots that decide as people did in recorded games.

use super::error::CliError;
use super::terminal::{answer, hanging, print};
use crate::study::TableSpec;
use crate::study::fit::Fit;
use crate::study::library::{Library, SourceText};
use crate::study::typed::parse_file;
use serde_json::json;

/// Fit a bot to each of the people whose games were recorded
///
/// How each person decides becomes a rule with a few weights, told with how sure they are. With few
/// decisions they stay near those of people in general. The bot sits down by what is printed last.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableSpec,
    /// Files with records of games: what `carat play` keeps, or what `carat replay --record` prints
    #[arg(value_name = "RECORD", required = true, value_parser = parse_file)]
    records: Vec<SourceText>,
    /// Print it as JSON (see `carat show json`)
    #[arg(long)]
    json: bool,
}

/// Fits.
pub fn run(args: &Args) -> Result<(), CliError> {
    let fit = Fit {
        table: args.table.clone(),
        records: args.records.clone(),
    };
    let (habit, fitted) = fit.fit(&Library::here())?;
    if args.json {
        let told = fitted.iter().map(|person| {
            let weights = habit.params.iter().zip(&person.weights);
            let weights = weights.map(|(param, weight)| {
                let parts = json!({
                    "value": weight.value, "se": weight.se, "low": weight.low, "high": weight.high,
                });
                (param.to_string(), parts)
            });
            json!({
                "name": person.name,
                "decisions": person.decisions,
                "yes": person.yes,
                "weights": serde_json::Map::from_iter(weights),
                "bot": person.bot.to_string(),
            })
        });
        return print(&answer("people", told.collect::<Vec<_>>())?);
    }
    let mut text = String::new();
    for person in &fitted {
        let weights = habit.params.iter().zip(&person.weights);
        let weights: Vec<String> = weights
            .map(|(param, weight)| format!("{param} {weight}"))
            .collect();
        let values: Vec<f64> = person.weights.iter().map(|weight| weight.value).collect();
        text += &format!(
            "{}: {} decisions, {} {}\n  {}\n  {}\n  --others \"{}\"\n\n",
            person.name,
            person.decisions,
            habit.said,
            person.yes,
            weights.join(", "),
            (habit.told)(&values),
            person.bot
        );
    }
    print(&hanging(&text))
}
