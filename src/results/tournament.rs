//! The report of a tournament: who earns most among all, who beats whom, and what would last.

use super::manifest::Manifest;
use super::pictures;
use super::report::Report;
use super::tables;
use super::text::View;
use super::tournament_sides;
use super::words::changes_told;
use crate::numbers;
use crate::sheet::Sheet;
use crate::strategy::Seat;
use crate::study::tournament::{LINE_UPS_MAX, Played};
use crate::tournament::{LineUps, MetaGame, PlayedField};

/// The report of a tournament.
pub fn report(played: &Played, manifest: Manifest) -> Report {
    let Played { resolved, fields } = played;
    let names: Vec<String> = resolved.bots.iter().map(Seat::label).collect();
    let of = |field: &PlayedField| MetaGame::of(&field.payoffs);
    let meta_games: Vec<MetaGame> = fields.iter().map(of).collect();
    let headline = headline(played);
    let sheets = fields.iter().zip(&meta_games).map(|(field, meta_game)| {
        [
            tables::ratings(&names, field, meta_game),
            tables::payoffs(&names, &field.payoffs),
            tables::matrix(&names, &field.payoffs),
        ]
    });
    let mut sheets: Vec<[Sheet; 3]> = sheets.collect();
    let (sheets, charts, text) = match sheets.len() {
        1 => (
            Vec::from(sheets.remove(0)),
            pictures::tournament(&headline, &names, &fields[0].payoffs, &meta_games[0]),
            text(&headline, &names, played, &meta_games[0]),
        ),
        _ => (
            side_by_side(sheets, &names, played),
            pictures::tournament_sides(&headline, &names, played, &meta_games),
            tournament_sides::text(&headline, &names, played, &meta_games),
        ),
    };
    Report {
        summary: summary(&names, played, &meta_games),
        sheets,
        charts,
        files: Vec::new(),
        views: text,
        game: resolved.game,
        manifest,
    }
}

/// The sheets of all sides as one each, and how the ratings shift.
fn side_by_side(sheets: Vec<[Sheet; 3]>, names: &[String], played: &Played) -> Vec<Sheet> {
    let sides = played.resolved.sides.iter();
    let sides: Vec<String> = sides.map(|side| side.name.clone()).collect();
    let axes = [("side".to_string(), sides)];
    let mut of_kind: [Vec<Sheet>; 3] = Default::default();
    for of_side in sheets {
        let kinds = of_kind.iter_mut().zip(of_side);
        kinds.for_each(|(kind, sheet)| kind.push(sheet));
    }
    let join = |sheets: Vec<Sheet>| {
        let (name, rows) = (sheets[0].name.clone(), sheets[0].rows.clone());
        let mut sheet = tables::cells(&name, &rows, &axes, sheets);
        sheet.columns[0].meaning =
            "the side whose rules are played; only where there are several".to_string();
        sheet
    };
    let mut sheets: Vec<Sheet> = of_kind.into_iter().map(join).collect();
    sheets.insert(1, tournament_sides::shifts(names, played));
    sheets
}

/// What was played: title, game, rules, players, line-ups and games.
fn headline(played: &Played) -> String {
    let Played { resolved, fields } = played;
    let table = &resolved.study.table;
    let line_ups = &resolved.line_ups;
    let mut parts: Vec<String> = table.title.clone().into_iter().collect();
    parts.push(resolved.game.title.to_string());
    if let [side] = resolved.sides.as_slice() {
        parts.push(tournament_sides::changed(side));
    }
    parts.push(format!("{} players", line_ups.players));
    let number = numbers::count(line_ups.len() as u64);
    parts.push(if line_ups.complete {
        format!("all {number} line-ups")
    } else {
        format!("a sample of {number} line-ups")
    });
    let games = numbers::count(fields[0].payoffs.all_games());
    parts.push(match fields.len() {
        1 => format!("{games} games"),
        _ => format!("{games} games on each side"),
    });
    parts.join(" · ")
}

/// Who earns most, and what lasts, under each of the rules.
fn summary(names: &[String], played: &Played, meta_games: &[MetaGame]) -> String {
    let sides = &played.resolved.sides;
    let fields = played.fields.iter().zip(meta_games).zip(sides);
    let told = fields.map(|((field, meta_game), side)| {
        let ranked = tournament_sides::ranked(meta_game);
        let best = ranked[0];
        let tied = (0..names.len()).filter(|bot| field.in_best_set[*bot] && *bot != best);
        let tied: Vec<&str> = tied.map(|bot| names[bot].as_str()).collect();
        let tied = match tied.as_slice() {
            [] => String::new(),
            tied => format!(", statistically tied with {}", tied.join(", ")),
        };
        let mut mix: Vec<usize> = (0..names.len()).collect();
        mix.retain(|bot| meta_game.standings[*bot].mix > 0.0);
        let part = |bot: &usize| meta_game.standings[*bot].mix;
        mix.sort_by(|a, b| part(b).total_cmp(&part(a)));
        let part_of = |bot: &usize| format!("{} {}", numbers::percent(part(bot), 0), names[*bot]);
        let under = match sides.len() {
            1 => String::new(),
            _ => {
                let rules = match side.set.as_slice() {
                    [] => side.rules.name.clone(),
                    set => changes_told(set),
                };
                format!("Under {rules} (side {}): ", side.name)
            }
        };
        let mix: Vec<String> = match mix.as_slice() {
            [only] => vec![format!("{} alone", names[*only])],
            mix => mix.iter().map(part_of).collect(),
        };
        format!(
            "{under}{} earns most, {} of the wins{tied}. Against {} no bot gains by being \
             another.",
            names[best],
            meta_game.standings[best].rating,
            mix.join(" and "),
        )
    });
    told.collect::<Vec<_>>().join("\n")
}

/// What a sample of line-ups means, and how to have them all.
fn sampled(line_ups: &LineUps) -> String {
    let all = LineUps::number(line_ups.bots, line_ups.players);
    let most = numbers::count(LINE_UPS_MAX as u64);
    let remedy = if all <= LINE_UPS_MAX as u128 {
        format!("line_ups = {all} plays all")
    } else {
        format!("with fewer bots all can be played, up to {most}")
    };
    let shown = u64::try_from(all).map_or("more than 10^19".to_string(), numbers::count);
    format!(
        "Only a sample was played: {} of {shown} line-ups, drawn by lot. That makes the intervals \
         wider; {remedy}.",
        numbers::count(line_ups.len() as u64)
    )
}

/// The bots from the best to the worst, and what lasts.
fn text(headline: &str, names: &[String], played: &Played, meta_game: &MetaGame) -> Vec<View> {
    let standings = &meta_game.standings;
    let in_best_set = &played.fields[0].in_best_set;
    let line_ups = &played.resolved.line_ups;
    let ranked = tournament_sides::ranked(meta_game);
    let rows = ranked.iter().map(|&bot| {
        let standing = &standings[bot];
        vec![
            names[bot].clone(),
            standing.rating.to_string(),
            match (bot == ranked[0], in_best_set[bot]) {
                (true, _) => "best".to_string(),
                (_, true) => "tied".to_string(),
                _ => String::new(),
            },
            match standing.mix {
                0.0 => String::new(),
                mix => numbers::percent(mix, 1),
            },
            standing.regret.to_string(),
            tables::dominator_text(names, standing),
        ]
    });
    let header = ["bot", "rating", "", "mix", "regret", "dominated by"];
    let players = line_ups.players;
    let game = if line_ups.complete {
        format!(
            "The game solved: each of {players} players picks a bot, and the others' are drawn from the mix."
        )
    } else {
        format!(
            "The game solved: one bot against {} copies of one bot drawn from the mix.",
            players - 1
        )
    };
    let alone = names.iter().zip(standings);
    let alone = alone.filter(|(_, bot)| bot.lasts_alone);
    let alone: Vec<&str> = alone.map(|(name, _)| name.as_str()).collect();
    let alone = alone.join(", ");
    let alone = match alone.as_str() {
        "" => String::new(),
        alone => format!("\nAlone an equilibrium, all players with the same bot: {alone}."),
    };
    let regrets = standings.iter().map(|bot| -bot.regret.low);
    let worst = match regrets.fold(0.0, f64::max) {
        worst if worst.is_finite() => format!("allow up to {}", numbers::number(100.0 * worst, 2)),
        _ => "are not known: that takes two games in each line-up".to_string(),
    };
    let spread = played.fields[0].payoffs.spread();
    let explained = format!(
        "Rating: share of the wins when every other seat is drawn from all bots alike, so it depends \
         on which bots take part. The fair share is {}; the best is {} above the worst. With 95 % \
         probability the true best is among those marked.\n\
         Mix: an equilibrium, in which no bot gains by deviating. Regret: how much less a bot earns \
         against the mix than the mix does.\n\
         {game}\n\
         By the measured payoffs the best reply to the mix earns {} points more than the mix; their \
         intervals {worst}.{alone}",
        numbers::percent(1.0 / players as f64, 1),
        spread,
        numbers::number(100.0 * meta_game.exploitability, 4),
    );
    let mut blocks = vec![View::text(headline), View::table(&header, rows.collect())];
    if !line_ups.complete {
        blocks.push(View::text(sampled(line_ups)));
    }
    blocks.push(View::text(explained));
    blocks
}
