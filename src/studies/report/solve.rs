//! The report of `solve` in Diamant: the trained bot, and the gain of attacks on it.

use super::contents::{Contents, NamedChart};
use super::manifest::Manifest;
use super::pictures::{all, of_shares, rows_of, run, running};
use super::tables::{Seats, mean_of, seat_rows};
use super::text::View;
use crate::study::Study;
use crate::study::solve::{Learnt, Played, Resolved};
use carat_core::figure::Figure;
use carat_core::game::{Seating, WIN_SHARE, copies};
use carat_core::learning::Objective;
use carat_core::learning::attack::{Attack, Start};
use carat_core::learning::policy::{LearntPolicy, Milestone};
use carat_core::learning::trainer::BesideLearnt;
use carat_core::numbers;
use carat_core::sheet::Columns;
use carat_core::statistics::Estimate;
use carat_core::{columns, heads};

pub fn content(played: &Played, manifest: &mut Manifest) -> Contents {
    let resolved = &played.resolved;
    match &played.learnt {
        Learnt::Policy(learnt) => of_policy(resolved, learnt, manifest),
        Learnt::Scored(learnt) => super::scored::content(resolved, learnt, manifest),
    }
}

fn of_policy(resolved: &Resolved, played: &LearntPolicy, manifest: &mut Manifest) -> Contents {
    let mut sheets = vec![Learning::sheet(&is_gain(resolved), &played.milestones)];
    if let Some((tally, table)) = &played.own {
        let (layout, seats) = (table.layout(), resolved.seats(&played.bot));
        sheets.push(Seats::sheet(
            &layout,
            seat_rows(layout, &seats, tally, Seating::Fixed),
        ));
    }
    if resolved.learners > 1 {
        sheets.push(Gain::sheet(&resolved.fair(), &played.attacks));
        sheets.push(Standings::sheet(&(), &played.standings));
    }
    let solved = resolved.bot_file(&played.bot.strategy.text);
    let files = vec![("solved.toml".to_string(), solved)];
    manifest.study = Study::Solve(resolved.study.clone());
    let headline = headline(resolved);
    let summary = summary(resolved, played);
    let mut views = vec![View::text(headline.as_str()), View::Summary(Vec::new())];
    views.push(stands(&played.standings).unwrap_or_else(|| {
        View::print(heads![Seats: SEAT, NAME "bot", WIN_SHARE "wins", SCORE_MEAN "mean score"])
    }));
    Contents {
        summary,
        charts: charts(&headline, resolved, played),
        sheets,
        files,
        views,
        ..Contents::default()
    }
}

pub(super) fn headline(resolved: &Resolved) -> String {
    let games = numbers::games(resolved.study.run.games.unwrap_or(0));
    format!("{} · trained on {games}", resolved.headline)
}

/// Whether the result is a difference of shares.
fn is_gain(resolved: &Resolved) -> bool {
    resolved.learners > 1 && resolved.objective == Objective::WinShare
}

fn found(at: &Milestone, is_gain: bool) -> Estimate {
    if is_gain {
        at.estimate.in_points()
    } else {
        at.estimate
    }
}

columns! {
    pub Learning<'a>(is_gain: bool, at: &'a Milestone)
    "learning", "one row per milestone of the training";
    GAMES: whole("games", "training games") => at.games;
    FOUND: estimates("found", "in self-play, gain of a quickly trained attack, in percentage \
        points; against other bots, win share or mean score of the trained bot") => found(at, *is_gain);
}

columns! {
    pub Gain<'a>(fair: f64, attack: &'a Attack) "gain", "one row per attack on the trained bot";
    START: text("start", "starting point of the attack") => attack.start.name();
    GAMES: whole("games", "training games of the attack") => attack.games;
    CHOICE: estimates("choice", "its win share against copies of the trained bot, in the games \
        that chose the strongest attack") => (attack.start != Start::Thinking).then_some(attack.share);
    GAIN: estimates("gain", "its win share minus the fair share, in separate games: a lower \
        bound; only for the strongest attack and for a player with playouts") => attack.fresh?.minus(*fair);
}

columns! {
    pub Standings<'a>(of: (), row: &'a BesideLearnt)
    "standings", "one row per bot compared with the trained bot";
    BOT: text("bot", "the bot") => row.bot.label();
    BESIDE_LEARNT: estimates("beside_learnt", "win share or mean score of this bot against copies \
        of the trained bot") => row.beside_learnt;
    LEARNT_BESIDE: estimates("learnt_beside", "win share or mean score of the trained bot against \
        copies of this bot") => row.learnt_beside;
}

/// The table of shipped bots, if they were played.
pub(super) fn stands(standings: &[BesideLearnt]) -> Option<View> {
    let columns = heads![Standings: BOT, BESIDE_LEARNT "against the trained bot", LEARNT_BESIDE
        "trained bot against it"];
    (!standings.is_empty()).then(|| View::print(columns))
}

/// The summary: the results of the trained bot, and the gain of attacks on it.
fn summary(resolved: &Resolved, played: &LearntPolicy) -> String {
    let mut lines = Vec::new();
    let result = |found: Estimate| match resolved.objective {
        Objective::WinShare => format!("wins {found}"),
        Objective::ScoreMean => format!("gets {found} {} per game", resolved.game.score_unit),
    };
    if let (Some((own, before)), Some(start)) = (played.beside_start, &resolved.from) {
        let start = start.label();
        let beside = |bot: &str| match resolved.learners {
            1 => "the bots of the table".to_string(),
            _ => format!("{} of {bot}", resolved.copies()),
        };
        let before = before.map(|before| format!("; {start} in its place {}", result(before)));
        let result = result(own) + &before.unwrap_or_default();
        lines.push(if played.is_new {
            let beside = beside(&format!("its starting bot {start}"));
            format!("Against {beside}, the trained bot {result}.")
        } else {
            format!(
                "Training found nothing better than its starting bot {start}: against {}, the new \
                 bot {result}. Therefore solved.toml is a copy of {start}.",
                beside(&start)
            )
        });
    }
    if let Some((tally, table)) = &played.own {
        let found = tally.seat(table.layout(), resolved.metric(), 0);
        lines.push(format!(
            "The best response found {}, in {} outside the training.",
            result(found),
            numbers::games(tally.games)
        ));
    }
    for Attack {
        start, bot, fresh, ..
    } in &played.attacks
    {
        let Some(share) = fresh else { continue };
        let gain = share.minus(resolved.fair());
        lines.push(match bot.mind() {
            Some(mind) => thinking_gains(mind.playouts, gain),
            None => format!(
                "Against {} of solved.toml, the strongest attack found (started from {}) wins \
                 {share}: {:+} relative to the fair share. Other attacks may gain more.",
                resolved.copies(),
                start.name(),
                gain.in_points()
            ),
        });
    }
    lines.join("\n")
}

/// The gain of a thinking player beside copies of the trained bot.
pub(super) fn thinking_gains(playouts: u64, gain: Estimate) -> String {
    format!(
        "A player with up to {playouts} playouts per option gains {:+} against copies of the \
         trained bot.",
        gain.in_points()
    )
}

pub(super) const GAMES: &str = "training games";
pub(super) const LEARNING: &str = "Learning curve";

fn charts(subtitle: &str, resolved: &Resolved, played: &LearntPolicy) -> Vec<NamedChart> {
    let wins = resolved.objective == Objective::WinShare;
    let (title, what, label, share) = match (resolved.learners > 1, wins) {
        (true, true) => (
            "Gain of attacks during training",
            "Gain of a quickly trained attack, in percentage points",
            "attack",
            false,
        ),
        (_, true) => (LEARNING, "Win share", "trained bot", true),
        _ => (LEARNING, "Mean score", "trained bot", false),
    };
    let mut figures = beside(
        if wins { &played.standings } else { &[] },
        resolved.learners,
    );
    if let Some((tally, table)) = played.own.as_ref().filter(|_| wins && figures.is_empty()) {
        let seats = resolved.seats(&played.bot);
        let shares = tally.seats(table.layout(), WIN_SHARE);
        let of_bots = copies(&seats, Seating::EveryOrder).into_iter();
        let rows = rows_of(of_bots.filter_map(|of| {
            let share = mean_of(of.seats.iter().map(|seat| shares[*seat]))?;
            Some((of.name, share))
        }));
        let chart = of_shares("Win share by bot", "share of games won", seats.len(), rows);
        figures.push(("win_shares", Figure::Rows(chart)));
    }
    if played.milestones.len() < 2 && !figures.is_empty() {
        return all(subtitle, figures);
    }
    let is_gain = is_gain(resolved);
    let found = played
        .milestones
        .iter()
        .map(|at| (at.games, found(at, is_gain)));
    let lines = vec![run(label, 0, found)];
    let mut chart = running(title, what, GAMES, share, lines);
    if resolved.learners > 1 {
        chart.note = "Each attack was trained on a quarter of the games so far.".to_string();
    }
    figures.push(("learning", Figure::Lines(chart)));
    all(subtitle, figures)
}

/// The win share of the trained bot against copies of each other bot, if they were played.
pub(super) fn beside(standings: &[BesideLearnt], players: usize) -> Vec<(&'static str, Figure)> {
    let shares = standings.iter();
    let shares = shares.map(|row| (row.bot.label(), row.learnt_beside));
    let title = "The trained bot against copies of each bot";
    let chart = of_shares(
        title,
        "win share of the trained bot",
        players,
        rows_of(shares),
    );
    match standings {
        [] => Vec::new(),
        _ => vec![("standings", Figure::Rows(chart))],
    }
}
