//! The report of a tournament: ratings, win rates by opponent, and the equilibrium mix.

use super::pictures::{self, all, alone, cell, estimate, of_shares, rows};
use super::report::{Contents, NamedChart};
use super::tables;
use super::text::View;
use super::words::{describe_changes, more_or_less};
use crate::study::tournament::{Played, sampled};
use carat_core::figure::{Figure, Grid, GridLayer, Row, RowLine, Rows};
use carat_core::numbers::{self, percent};
use carat_core::sheet::Sheet;
use carat_core::strategy::{Seat, with_changes};
use carat_core::tournament::{LineUps, MetaGame, Payoffs, PlayedField};

pub fn content(played: &Played) -> Contents {
    let Played { resolved, fields } = played;
    let names: Vec<String> = resolved.bots.iter().map(Seat::called).collect();
    let of = |field: &PlayedField| MetaGame::of(&field.payoffs);
    let meta_games: Vec<MetaGame> = fields.iter().map(of).collect();
    let headline = headline(played);
    let mut of_sides = Vec::new();
    for (field, meta_game) in fields.iter().zip(&meta_games) {
        of_sides.push([
            tables::ratings(&names, field, meta_game),
            tables::payoffs(&names, &field.payoffs),
            tables::matrix(&names, &field.payoffs),
        ]);
    }
    let ranked = ranked(&meta_games[0]);
    let summary = summary(&names, played, &meta_games);
    let (sheets, charts, views);
    if let [meta_game] = meta_games.as_slice() {
        sheets = of_sides.concat();
        charts = charts_of_one(&headline, &sheets, &resolved.line_ups, meta_game, &ranked);
        views = views_of_one(&headline, &summary, played, meta_game, ranked);
    } else {
        sheets = side_by_side(of_sides, &names, played);
        charts = charts_of_sides(&headline, &sheets, played, &ranked);
        views = views_of_sides(&headline, &summary, played, ranked);
    }
    Contents {
        summary,
        sheets,
        charts,
        views,
        ..Contents::default()
    }
}

fn ranked(meta_game: &MetaGame) -> Vec<usize> {
    let rating = |bot: usize| meta_game.standings[bot].rating.value;
    let mut ranked: Vec<usize> = (0..meta_game.standings.len()).collect();
    ranked.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
    ranked
}

/// The sheets of all sides joined by name, and the shifts of ratings.
fn side_by_side(sheets: Vec<[Sheet; 3]>, names: &[String], played: &Played) -> Vec<Sheet> {
    let sides = played.resolved.sides.iter();
    let sides: Vec<String> = sides.map(|side| side.name.clone()).collect();
    let axes = [("side".to_string(), sides)];
    let mut joined = vec![tables::shifts(names, played)];
    for kind in 0..3 {
        let own: Vec<Sheet> = sheets.iter().map(|of_side| of_side[kind].clone()).collect();
        let (name, rows) = (own[0].name.clone(), own[0].rows.clone());
        let mut sheet = tables::cells(&name, &rows, &axes, own);
        sheet.columns[0].meaning = "name of the side, if there are several".to_string();
        joined.push(sheet);
    }
    joined.swap(0, 1);
    joined
}

/// The headline: title, game, rules, players, line-ups and games.
fn headline(played: &Played) -> String {
    let Played { resolved, fields } = played;
    let line_ups = &resolved.line_ups;
    let mut parts: Vec<String> = resolved.study.head.title.clone().into_iter().collect();
    parts.push(resolved.game.title.to_string());
    if let [side] = resolved.sides.as_slice() {
        parts.push(with_changes(&side.rules.name, &side.table.set));
    }
    parts.push(format!("{} players", line_ups.players));
    let number = numbers::count(line_ups.entries.len() as u64);
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

/// The bot with the highest rating and those tied with it, under each of the rules; and the
/// equilibrium mix of a single set of rules.
fn summary(names: &[String], played: &Played, meta_games: &[MetaGame]) -> String {
    let sides = &played.resolved.sides;
    let mut lines = Vec::new();
    for ((field, meta_game), side) in played.fields.iter().zip(meta_games).zip(sides) {
        let ranked = ranked(meta_game);
        let best = ranked[0];
        let tied = ranked[1..].iter().filter(|bot| field.in_best_set[**bot]);
        let tied: Vec<&str> = tied.map(|bot| names[*bot].as_str()).collect();
        let tied = match tied.as_slice() {
            [] => String::new(),
            tied => format!(", statistically tied with {}", tied.join(", ")),
        };
        let under = match sides.len() {
            1 => String::new(),
            _ => format!("On side {}: ", side.name),
        };
        lines.push(format!(
            "{under}{} has the highest rating, {}{tied}; the lowest rating is {} below it.",
            names[best],
            meta_game.standings[best].rating,
            field.payoffs.spread()
        ));
    }
    if let [meta_game] = meta_games {
        lines.push(equilibrium_mix(names, meta_game, &played.fields[0].payoffs));
    }
    lines.join("\n")
}

/// The equilibrium mix, or the number of games needed to estimate it.
fn equilibrium_mix(names: &[String], meta_game: &MetaGame, payoffs: &Payoffs) -> String {
    if !meta_game.mix_is_known() {
        let games = payoffs.all_games() as f64 / payoffs.line_ups.entries.len() as f64;
        let needed = (games * meta_game.games_factor).ceil();
        let mut remedy = String::new();
        if needed < 1e12 {
            let needed = numbers::count(needed as u64);
            remedy = format!("; use at least {needed} games per line-up");
        }
        return format!(
            "Equilibrium mix: unknown, because some bots in it are statistically tied with bots outside it{remedy}."
        );
    }
    let parts = meta_game.standings.iter().map(|bot| bot.mix).zip(names);
    let mut mix = Vec::from_iter(parts.filter(|(part, _)| part.value > 0.0));
    mix.sort_by(|(a, _), (b, _)| b.value.total_cmp(&a.value));
    let shares = mix.iter().map(|(part, name)| format!("{part} {name}"));
    format!("Equilibrium mix: {}.", Vec::from_iter(shares).join(", "))
}

/// The ratings from the best bot to the worst, and the equilibrium mix.
fn views_of_one(
    headline: &str,
    summary: &str,
    played: &Played,
    meta_game: &MetaGame,
    ranked: Vec<usize>,
) -> Vec<View> {
    let line_ups = &played.resolved.line_ups;
    let (mut mix, mut about_mix) = ("", String::new());
    if meta_game.mix_is_known() {
        (mix, about_mix) = ("mix | regret | ", mix_explained(line_ups, meta_game));
    }
    let columns = format!(
        "bot | rating | mark:  | {mix}lasts_alone: stable by itself | dominated_by: dominated by"
    );
    let mut views = vec![View::text(headline)];
    views.extend(View::print_rows("ratings", &columns, ranked));
    views.push(View::text(summary));
    views.extend(sampled(line_ups).map(View::text));
    views.push(View::text(format!(
        "{} With 95 % probability, the true best is among the marked bots.{about_mix}",
        rating_explained(played)
    )));
    views
}

fn mix_explained(line_ups: &LineUps, meta_game: &MetaGame) -> String {
    let game = if line_ups.complete {
        "while all others draw their bots from the mix, no player gains by picking a bot"
            .to_string()
    } else {
        let others = line_ups.players - 1;
        format!("against {others} copies of one bot drawn from the mix, no bot gains by deviating")
    };
    let regrets = meta_game.standings.iter().map(|bot| -bot.regret.low);
    format!(
        "\nMix: a Nash equilibrium: {game}. Regret: win share of the mix minus that of the bot, \
         against the mix. The best response to the mix gains {} points by the measured payoffs, and \
         at most {} within their intervals.",
        numbers::number(100.0 * meta_game.exploitability, 2),
        numbers::number(100.0 * regrets.fold(0.0, f64::max), 2),
    )
}

/// The ratings under each of the rules, and how they shift.
fn views_of_sides(headline: &str, summary: &str, played: &Played, ranked: Vec<usize>) -> Vec<View> {
    let sides = &played.resolved.sides;
    let mut head = headline.to_string();
    for side in sides {
        let rules = with_changes(&side.rules.name, &side.table.set);
        head += &format!("\n  {}: {rules}", side.name);
    }
    let first = &sides[0].name;
    let columns = format!("bot | side | rating_a: {first} | rating: this side | shift");
    let rows = pictures::by_side(&ranked, sides.len() - 1);
    let mut views = vec![View::text(head)];
    views.extend(View::print_rows("shifts", &columns, rows));
    views.push(View::text(summary));
    views.push(View::text(format!(
        "{} All sides play the same games, so shifts are more precise than ratings. Each interval \
         has 95 % coverage on its own, not jointly.",
        rating_explained(played)
    )));
    views
}

fn rating_explained(played: &Played) -> String {
    format!(
        "Rating: win share when every other seat is drawn uniformly from all bots, so it depends \
         on which bots take part. The fair share is {}.",
        numbers::percent(1.0 / played.resolved.line_ups.players as f64, 1)
    )
}

const POINTS: &str = "win share, percentage points";

/// The charts of a tournament with these sheets; `ranked` are the bots, the best first.
fn charts_of_one(
    subtitle: &str,
    sheets: &[Sheet],
    line_ups: &LineUps,
    meta_game: &MetaGame,
    ranked: &[usize],
) -> Vec<NamedChart> {
    let (ratings, matrix) = (&sheets[0], &sheets[2]);
    let fair = 1.0 / line_ups.players as f64;
    let order = || ranked.iter().copied();
    let rated = rows(ratings, order(), "bot", "rating", |row, rating| {
        alone(row, rating.minus(fair).scaled(100.0))
    });
    let mut lasting = Vec::new();
    for at in order() {
        lasting.extend(estimate(ratings, "regret", at).map(|regret| Row {
            detail: format!("{} of the mix", ratings.shown("mix", at)),
            ..Row::of(ratings.shown("bot", at), 0, regret.scaled(-1.0))
        }));
    }
    let value = |row: &Row| row.lines[0].estimate.value;
    lasting.sort_by(|a, b| value(b).total_cmp(&value(a)));
    let fair_share = format!("the fair share of {}", percent(fair, 1));
    let mix = "the mix, when all other seats are drawn from it";
    let rated = Rows::differences("Ratings", more_or_less(POINTS, &fair_share), rated);
    let lasting = Rows::differences(
        "Each bot against the equilibrium mix",
        more_or_less(POINTS, mix),
        lasting,
    );
    let bots: Vec<String> = order().map(|bot| ratings.shown("bot", bot)).collect();
    let mut figures = vec![
        ("ratings", Figure::Rows(rated)),
        ("matrix", Figure::Grid(of_pairs(matrix, bots, line_ups))),
    ];
    if meta_game.mix_is_known() {
        figures.push(("equilibrium", Figure::Rows(lasting)));
    }
    all(subtitle, figures)
}

/// The win rate of each bot by opponent.
fn of_pairs(matrix: &Sheet, bots: Vec<String>, line_ups: &LineUps) -> Grid {
    let place = |column: &str, row: usize| {
        let name = matrix.shown(column, row);
        bots.iter().position(|bot| *bot == name)
    };
    let mut cells = vec![None; bots.len() * bots.len()];
    for row in 0..matrix.height() {
        if let (Some(bot), Some(other)) = (place("bot", row), place("against", row)) {
            cells[bot * bots.len() + other] = cell(matrix, "win_share", "", row);
        }
    }
    let players = line_ups.players;
    let (against, diagonal) = match (players, line_ups.complete) {
        (2, _) => ("against".to_string(), "plays against a copy of itself"),
        (_, true) => (
            "with this bot at one seat, all others drawn at random".to_string(),
            "plays against a copy of itself, which also wins a share",
        ),
        (_, false) => (
            format!("against {} copies of", players - 1),
            "plays against copies of itself, so each wins the fair share",
        ),
    };
    Grid {
        title: "Win share by opponent".to_string(),
        row_axis: "win share of".to_string(),
        column_axis: against,
        rows: bots.clone(),
        columns: bots,
        unit: "win share".to_string(),
        share: true,
        layers: vec![GridLayer {
            cells,
            ..GridLayer::default()
        }],
        middle: Some(1.0 / players as f64),
        note: format!("On the diagonal a bot {diagonal}."),
        ..Grid::default()
    }
}

/// The charts of ratings and shifts, which are the first two sheets.
fn charts_of_sides(
    subtitle: &str,
    sheets: &[Sheet],
    played: &Played,
    ranked: &[usize],
) -> Vec<NamedChart> {
    let sides = &played.resolved.sides;
    let mut labels = Vec::new();
    for side in sides {
        labels.push(match side.table.set.as_slice() {
            [] => format!("{}: {}", side.name, side.rules.name),
            set => format!("{}: {}", side.name, describe_changes(set)),
        });
    }
    let bots = ranked.len();
    let by_side = |row: usize, estimate| RowLine::of(row / bots, estimate);
    let of_bots = |sides: usize, sheet: &Sheet, value: &str| {
        let order = pictures::by_side(ranked, sides);
        rows(sheet, order, "bot", value, by_side)
    };
    let rated = of_bots(sides.len(), &sheets[0], "rating");
    let players = played.resolved.line_ups.players;
    let mut ratings = of_shares("Ratings by rules", "win share", players, rated);
    ratings.key = labels.clone();
    // With several sides, colours show sides.
    let key = labels.split_off(if labels.len() == 2 { 2 } else { 1 });
    let axis = more_or_less(POINTS, &format!("under {}", sides[0].name));
    let rows = of_bots(sides.len() - 1, &sheets[1], "shift");
    let title = "Rating shifts by rules";
    let shifts = Rows {
        key,
        ..Rows::differences(title, axis, rows)
    };
    let below = format!("{subtitle} · {}", labels.join(" · "));
    vec![
        NamedChart::new("ratings", subtitle, Figure::Rows(ratings)),
        NamedChart::new("shifts", &below, Figure::Rows(shifts)),
    ]
}
