//! `carat advise` on a kept game: what each option is worth.

use super::asking::Choices;
use super::coach::{Coach, find_useful};
use super::paper::{Ink, Paper};
use super::{playouts, story_style};
use crate::cli::advise::{against_json, parts, worth_of};
use crate::cli::args::CompanyArgs;
use crate::cli::error::{CliError, usage};
use crate::cli::terminal::{answer, hanging, print, prose};
use carat_core::game::moments::Options;
use carat_core::library::Library;
use carat_core::strategy::SeatSpec;
use carat_core::thinking::{Advice, Question};
use carat_studies::study::TableSpec;
use carat_studies::study::advise::Adviser;
use carat_studies::study::company::Level;
use carat_studies::study::kept_game::KeptGame;
use serde_json::{Map, Value, json};

/// Prints the worth of each option at a decision of the player: that of a `number` from 1, or the
/// next. The bots that play on are by default those of the game.
pub fn advise(
    mut kept: KeptGame,
    number: Option<usize>,
    asked: &CompanyArgs,
    most_playouts: Option<u64>,
    json: bool,
) -> Result<(), CliError> {
    kept.me = asked.me.unwrap_or(kept.me);
    if let Some(number) = number {
        let own = |at: &usize| kept.moves[*at].seat + 1 == kept.me;
        let own: Vec<usize> = (0..kept.moves.len()).filter(own).collect();
        let Some(&at) = number.checked_sub(1).and_then(|at| own.get(at)) else {
            let (me, moves) = (kept.me, own.len());
            usage!("--move {number}: seat {me} has decisions 1 to {moves}");
        };
        kept.moves.truncate(at);
    }
    let library = Library::here();
    let mut company = asked.company(&kept.table.game);
    let is_named = !company.others.is_empty() || company.level != Level::People;
    if is_named || company.later.is_some() {
        let seats: Vec<SeatSpec> = kept.table.seats.iter().flat_map(SeatSpec::each).collect();
        company.me = kept.me;
        company.table = TableSpec {
            players: Some(seats.len()),
            seats: Vec::new(),
            ..kept.table.clone()
        };
        if !is_named {
            let own = (kept.me - 1).min(seats.len() - 1);
            company.others = seats;
            company.others.remove(own);
        }
        kept.table.seats = company.sit_down(&library)?.spec.seats;
    }
    let resolved = kept.resolve(&library)?;
    let standing = kept.stand(resolved.table.as_ref(), story_style(kept.me));
    let standing = standing.map_err(CliError::Usage)?;
    let (Some(fork), Some(at)) = (standing.fork(), standing.at) else {
        usage!("the game is over; use --move N to see the best move at your decision N");
    };
    let options = fork.1;
    let mut adviser = Adviser::new(&resolved, &library, playouts(most_playouts, &resolved)?);
    if !is_named && resolved.is_usual(kept.me - 1) {
        adviser.kinds = resolved.kinds(kept.me - 1, &library);
    }
    let advice = adviser.weigh(&Question::at(fork));
    let at = &standing.course.moments[at].at;
    if json {
        let against = adviser.weigh_against(&Question::at(fork), advice.best);
        let mut answered = as_json(at, options, &advice);
        answered["against"] = against_json(&against);
        let cases = adviser.cases(&Question::at(fork));
        answered["why"] = json!(adviser.why(fork, &cases, &advice, advice.best));
        return print(&answer("advice", answered)?);
    }
    let mut paper = Paper::default();
    let seat = options.seat + 1;
    let who = format!("{} · {at}, seat {seat} decides", resolved.headline());
    paper.ink(Ink::Remark, &prose(&who)).add("\n");
    paper.picture(&hanging(&options.standing)).add("\n");
    let called = Choices::of(options, find_useful(&adviser, fork), true).called;
    Coach::new(&adviser, fork, &advice).list_options(&mut paper, &called, advice.best);
    paper.print()
}

/// What each option is worth.
pub fn worths(advice: &Advice) -> impl Iterator<Item = Map<String, Value>> {
    advice.options.iter().enumerate().map(|(option, of)| {
        let mut worth = worth_of(of);
        worth.extend(parts("behind", advice.cost(option)));
        worth.insert("playouts".to_string(), json!(of.playouts));
        worth
    })
}

fn as_json(at: &str, options: &Options, advice: &Advice) -> Value {
    let rows = options.names.iter().zip(worths(advice));
    let rows = rows.map(|(name, worth)| {
        let mut fields = Map::from_iter([("option".to_string(), json!(name))]);
        fields.extend(worth);
        Value::Object(fields)
    });
    json!({
        "situation": options.standing,
        "at": at,
        "seat": options.seat + 1,
        "decision": true,
        "advice": options.names[advice.best],
        "options": rows.collect::<Vec<_>>(),
    })
}
