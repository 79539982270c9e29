//! `carat advise` on a kept game: what each option is worth.

use super::asking::Choices;
use super::coach::{Coach, find_useful};
use super::paper::{Ink, Paper};
use crate::cli::args::{CompanyArgs, playouts};
use crate::cli::error::{CliError, usage};
use crate::cli::terminal::{answer, hanging, print, prose, story_style};
use carat_core::diagnostic::counted;
use carat_core::library::Library;
use carat_core::strategy::SeatSpec;
use carat_core::thinking::Question;
use carat_studies::desk;
use carat_studies::desk::advice::{AdviceReport, worths};
use carat_studies::study::TableSpec;
use carat_studies::study::advise::Adviser;
use carat_studies::study::company::Level;
use carat_studies::study::kept_game::KeptGame;
use serde_json::json;

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
            let moves = counted(moves, "decision");
            usage!("--move {number}: seat {me} has made {moves} so far");
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
    let usual = (!is_named && resolved.is_usual(kept.me - 1)).then_some(kept.me - 1);
    let playouts = playouts(most_playouts, &resolved)?;
    let adviser = Adviser::new(&resolved, &library, playouts, usual);
    let at = &standing.course.moments[at].at;
    if json {
        let report = AdviceReport::of_decision(&adviser, fork);
        let best = report.advice.best;
        let rows = options.names.iter().zip(worths(&report.advice));
        let rows = rows.map(|(name, worth)| {
            let mut row = desk::fields(json!({ "option": name }));
            row.extend(worth);
            row
        });
        let mut fields = report.fields(best);
        fields.extend(desk::fields(json!({
            "situation": options.standing,
            "at": at,
            "seat": options.seat + 1,
            "decision": true,
            "advice": options.names[best],
            "options": Vec::from_iter(rows),
        })));
        return print(&answer("advice", fields)?);
    }
    let mut paper = Paper::default();
    let seat = options.seat + 1;
    let who = format!("{} · {at}, seat {seat} decides", resolved.headline());
    paper.ink(Ink::Remark, &prose(&who)).add("\n");
    paper.picture(&hanging(&options.standing)).add("\n");
    let called = Choices::of(options, find_useful(&adviser, fork), true).called;
    let coach = Coach::new(&adviser, fork, adviser.weigh(&Question::at(fork)));
    coach.list_options(&mut paper, &called, coach.best());
    paper.print()
}
