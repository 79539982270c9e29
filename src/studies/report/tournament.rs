//! The report of a tournament: ratings, win rates by opponent, and the equilibrium mix.

use super::contents::{Contents, NamedChart};
use super::pictures::{self, all, cell, drawn, of_shares, rows};
use super::tables::{BOT, IN_BEST_SET};
use super::text::View;
use super::words::{describe_changes, more_or_less};
use crate::study::tournament::{Played, sampled};
use carat_core::figure::{Figure, Grid, GridLayer, Mark, Row, RowLine, Rows};
use carat_core::game::{CAPPED_RATE, SCORE_MEAN, WIN_SHARE};
use carat_core::numbers::{self, percent};
use carat_core::sheet::Columns;
use carat_core::statistics::Estimate;
use carat_core::strategy::{Seat, with_changes};
use carat_core::tournament::{BotStanding, LineUps, MetaGame, PlayedField, beside};
use carat_core::{columns, heads};
use std::ops::Range;

pub fn content(played: &Played) -> Contents {
    let Played { resolved, fields } = played;
    let names = resolved.bots.iter().map(Seat::called).collect();
    let of = |field: &PlayedField| MetaGame::of(&field.payoffs);
    let of = Ranked {
        played,
        names,
        meta_games: fields.iter().map(of).collect(),
    };
    let headline = headline(played);
    let ranked = ranked(&of.meta_games[0]);
    let summary = summary(&of);
    let (charts, views);
    if let [meta_game] = of.meta_games.as_slice() {
        charts = charts_of_one(&headline, &of, &resolved.line_ups, &ranked);
        views = views_of_one(&headline, played, meta_game, ranked);
    } else {
        charts = charts_of_sides(&headline, &of, &ranked);
        views = views_of_sides(&headline, played, ranked);
    }
    let mut sheets = vec![
        Ratings::sheet(&of, of.bots(0..fields.len())),
        PayoffsOf::sheet(&of, of.payoffs()),
        Matrix::sheet(&of, of.matrix()),
    ];
    if fields.len() > 1 {
        sheets.insert(1, Shifts::sheet(&of, of.bots(1..fields.len())));
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

/// A played tournament, side by side.
pub struct Ranked<'a> {
    played: &'a Played,
    names: Vec<String>,
    meta_games: Vec<MetaGame>,
}

type BotRow = (usize, usize);

const SIDE: &str = "name of the side, if there are several";

columns! {
    pub Ratings<'a>(of: Ranked<'a>, row: BotRow) "ratings", "one row per bot";
    SIDE: text("side", SIDE), if of.has_sides() => of.side(row.0);
    BOT: text("bot", BOT) => of.names[row.1];
    GAMES: whole("games", "games in which the bot took part") => of.games(row.0, row.1);
    RATING: estimates("rating", "win share when every other seat is drawn uniformly from all bots")
        => of.standing(*row).rating;
    IN_BEST_SET: truth("in_best_set", IN_BEST_SET) => of.field(row.0).in_best_set[row.1];
    MIX: estimates("mix", "weight of the bot in the equilibrium mix") => of.standing(*row).mix;
    REGRET: estimates("regret", "win share of the mix minus that of the bot, with opponents from the mix")
        => of.standing(*row).regret;
    LASTS_ALONE: truth("lasts_alone", "whether no player gains by switching to another bot when \
        all use this one") => of.standing(*row).lasts_alone;
    DOMINATED_BY: maybe("dominated_by", "bot or mix of bots with a higher win share against all \
        opponents, if any") => dominator_text(&of.names, of.standing(*row));
    MARK: label("mark", "") => of.mark(*row);
}

/// The mix that dominates a bot, such as `risk` or `0.60 risk + 0.40 depth`.
fn dominator_text(names: &[String], standing: &BotStanding) -> Option<String> {
    let mix = standing.dominated_by.as_deref()?;
    if let [(bot, _)] = mix {
        return Some(names[*bot].clone());
    }
    let parts = mix.iter();
    let parts = parts.map(|(bot, part)| format!("{part:.2} {}", names[*bot]));
    Some(Vec::from_iter(parts).join(" + "))
}

columns! {
    /// The difference of each rating to that under the first rules.
    pub Shifts<'a>(of: Ranked<'a>, row: BotRow) "shifts", "one row per side (except the first) and bot";
    SIDE: text("side", "name of the side") => of.side(row.0);
    BOT: text("bot", BOT) => of.names[row.1];
    RATING_A: share("rating_a", "its rating on the first side") => of.field(0).payoffs.rating(row.1).value;
    RATING: share("rating", "its rating on this side") => of.field(row.0).payoffs.rating(row.1).value;
    SHIFT: estimates("shift", "rating minus rating_a, from the same games") => of.shift(*row);
}

columns! {
    /// A row has the side, the entry and the bot.
    pub PayoffsOf<'a>(of: Ranked<'a>, row: (usize, usize, usize)) "payoffs", "one row per bot and set of opponents";
    SIDE: text("side", SIDE), if of.has_sides() => of.side(row.0);
    BOT: text("bot", BOT) => of.names[row.2];
    FIELD: text("field", "bots at the other seats") => of.opponents(row.1, row.2);
    GAMES: whole("games", "games played") => of.field(row.0).payoffs.games(row.1);
    WIN_SHARE: estimates(WIN_SHARE, "win share of one seat of the bot")
        => of.field(row.0).payoffs.payoff(row.1, row.2);
    SCORE_MEAN: number(SCORE_MEAN, "mean score of one seat of the bot")
        => of.field(row.0).payoffs.score(row.1, row.2);
    CAPPED: number(CAPPED_RATE, "share of games stopped by a cap"), if of.is_capped()
        => of.field(row.0).payoffs.capped(row.1);
}

columns! {
    /// The win rate of each bot by opponent.
    pub Matrix<'a>(of: Ranked<'a>, row: (BotRow, usize, Estimate))
    "matrix", "one row per bot and opponent; in a sample of line-ups, copies of the opponent hold all other seats";
    SIDE: text("side", SIDE), if of.has_sides() => of.side(row.0.0);
    BOT: text("bot", BOT) => of.names[row.0.1];
    AGAINST: text("against", "bot at another seat; any further seats are drawn from all bots")
        => of.names[row.1];
    WIN_SHARE: estimates(WIN_SHARE, "win share of the bot") => row.2;
}

impl Ranked<'_> {
    fn has_sides(&self) -> bool {
        self.meta_games.len() > 1
    }

    fn side(&self, side: usize) -> &str {
        &self.played.resolved.sides[side].name
    }

    fn field(&self, side: usize) -> &PlayedField {
        &self.played.fields[side]
    }

    fn standing(&self, row: BotRow) -> &BotStanding {
        &self.meta_games[row.0].standings[row.1]
    }

    fn bots(&self, sides: Range<usize>) -> Vec<BotRow> {
        let bots = 0..self.names.len();
        let rows = sides.flat_map(|side| bots.clone().map(move |bot| (side, bot)));
        rows.collect()
    }

    fn games(&self, side: usize, bot: usize) -> u64 {
        let payoffs = &self.field(side).payoffs;
        let entries = payoffs.line_ups.entries.iter().enumerate();
        let met = entries.filter(|(_, entry)| entry.copies(bot) > 0);
        met.map(|(at, _)| payoffs.games(at)).sum()
    }

    fn mark(&self, row: BotRow) -> Mark {
        let standings = self.meta_games[row.0].standings.iter();
        let most = standings.map(|bot| bot.rating.value).fold(0.0, f64::max);
        let is_best = self.standing(row).rating.value >= most;
        Mark::of(is_best, self.field(row.0).in_best_set[row.1])
    }

    fn shift(&self, row: BotRow) -> Estimate {
        self.field(row.0).payoffs.shift(row.1, 0)
    }

    /// The sides, entries and bots that played in them.
    fn payoffs(&self) -> Vec<(usize, usize, usize)> {
        let mut rows = Vec::new();
        for (side, field) in self.played.fields.iter().enumerate() {
            for (at, entry) in field.payoffs.line_ups.entries.iter().enumerate() {
                let bots = (0..self.names.len()).filter(|&bot| entry.copies(bot) > 0);
                rows.extend(bots.map(|bot| (side, at, bot)));
            }
        }
        rows
    }

    fn opponents(&self, entry: usize, bot: usize) -> String {
        let field = self.field(0).payoffs.line_ups.entries[entry].field(bot);
        let names = field.iter().map(|&other| self.names[other].as_str());
        Vec::from_iter(names).join(" + ")
    }

    fn is_capped(&self) -> bool {
        let payoffs = &self.field(0).payoffs;
        let mut entries = 0..payoffs.line_ups.entries.len();
        entries.all(|at| payoffs.capped(at).is_some())
    }

    fn matrix(&self) -> Vec<(BotRow, usize, Estimate)> {
        let mut rows = Vec::new();
        for (side, bot) in self.bots(0..self.meta_games.len()) {
            let payoffs = &self.field(side).payoffs;
            let others = 0..self.names.len();
            rows.extend(
                others.filter_map(|other| Some(((side, bot), other, beside(payoffs, bot, other)?))),
            );
        }
        rows
    }
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
fn summary(of: &Ranked) -> String {
    let Ranked {
        played,
        names,
        meta_games,
    } = of;
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
    if let [meta_game] = meta_games.as_slice() {
        lines.push(equilibrium_mix(names, meta_game));
    }
    lines.join("\n")
}

/// The equilibrium mix, if it is known.
fn equilibrium_mix(names: &[String], meta_game: &MetaGame) -> String {
    if !meta_game.mix_is_known() {
        return "Equilibrium mix: unknown, because some bots in it are statistically tied with bots outside it.".to_string();
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
    played: &Played,
    meta_game: &MetaGame,
    ranked: Vec<usize>,
) -> Vec<View> {
    let line_ups = &played.resolved.line_ups;
    let mut columns = heads![Ratings: BOT, RATING, MARK ""];
    let mut about_mix = String::new();
    if meta_game.mix_is_known() {
        columns.extend(heads![Ratings: MIX, REGRET]);
        about_mix = mix_explained(line_ups, meta_game);
    }
    columns.push(Ratings::LASTS_ALONE.head("stable by itself"));
    columns.push(Ratings::DOMINATED_BY.head("dominated by"));
    let mut views = vec![View::text(headline)];
    views.extend(View::print_rows(columns, ranked));
    views.push(View::Summary(Vec::new()));
    views.extend(sampled(line_ups).map(View::Remark));
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
fn views_of_sides(headline: &str, played: &Played, ranked: Vec<usize>) -> Vec<View> {
    let sides = &played.resolved.sides;
    let mut head = headline.to_string();
    for side in sides {
        let rules = with_changes(&side.rules.name, &side.table.set);
        head += &format!("\n  {}: {rules}", side.name);
    }
    let first = &sides[0].name;
    let columns = heads![Shifts: BOT, SIDE, RATING_A first, RATING "this side", SHIFT];
    let rows = pictures::by_side(&ranked, sides.len() - 1);
    let mut views = vec![View::text(head)];
    views.extend(View::print_rows(columns, rows));
    views.push(View::Summary(Vec::new()));
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

/// The charts of a tournament; `ranked` are the bots, the best first.
fn charts_of_one(
    subtitle: &str,
    of: &Ranked,
    line_ups: &LineUps,
    ranked: &[usize],
) -> Vec<NamedChart> {
    let name = |bot: usize| of.names[bot].clone();
    let fair = 1.0 / line_ups.players as f64;
    let rated = rows(ranked.iter().filter_map(|&bot| {
        let rating = drawn(of.standing((0, bot)).rating)?;
        let above = rating.minus(fair).scaled(100.0);
        Some((name(bot), RowLine::of(0, above)))
    }));
    let mut lasting = Vec::new();
    for &bot in ranked {
        let standing = of.standing((0, bot));
        lasting.extend(drawn(standing.regret).map(|regret| Row {
            detail: format!("{} of the mix", standing.mix),
            ..Row::of(name(bot), 0, regret.scaled(-1.0))
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
    let mut figures = vec![
        ("ratings", Figure::Rows(rated)),
        ("matrix", Figure::Grid(of_pairs(of, line_ups, ranked))),
    ];
    if of.meta_games[0].mix_is_known() {
        figures.push(("equilibrium", Figure::Rows(lasting)));
    }
    all(subtitle, figures)
}

/// The win rate of each bot by opponent.
fn of_pairs(of: &Ranked, line_ups: &LineUps, ranked: &[usize]) -> Grid {
    let bots: Vec<String> = ranked.iter().map(|&bot| of.names[bot].clone()).collect();
    let payoffs = &of.field(0).payoffs;
    let pairs = ranked.iter();
    let pairs = pairs.flat_map(|bot| ranked.iter().map(move |other| (*bot, *other)));
    let cells = pairs.map(|(bot, other)| cell(beside(payoffs, bot, other), Mark::None));
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
            cells: cells.collect(),
            ..GridLayer::default()
        }],
        middle: Some(1.0 / players as f64),
        note: format!("On the diagonal a bot {diagonal}."),
        ..Grid::default()
    }
}

/// The charts of ratings and shifts.
fn charts_of_sides(subtitle: &str, of: &Ranked, ranked: &[usize]) -> Vec<NamedChart> {
    let sides = &of.played.resolved.sides;
    let mut labels = Vec::new();
    for side in sides {
        labels.push(match side.table.set.as_slice() {
            [] => format!("{}: {}", side.name, side.rules.name),
            set => format!("{}: {}", side.name, describe_changes(set)),
        });
    }
    let (mut rated, mut shifted) = (Vec::new(), Vec::new());
    for &bot in ranked {
        for side in 0..sides.len() {
            let name = || of.names[bot].clone();
            let rating = drawn(of.standing((side, bot)).rating);
            rated.extend(rating.map(|rating| (name(), RowLine::of(side, rating))));
            if side > 0 {
                let shift = drawn(of.shift((side, bot)));
                shifted.extend(shift.map(|shift| (name(), RowLine::of(side - 1, shift))));
            }
        }
    }
    let players = of.played.resolved.line_ups.players;
    let mut ratings = of_shares("Ratings by rules", "win share", players, rows(rated));
    ratings.key = labels.clone();
    // With several sides, colours show sides.
    let key = labels.split_off(if labels.len() == 2 { 2 } else { 1 });
    let axis = more_or_less(POINTS, &format!("under {}", sides[0].name));
    let title = "Rating shifts by rules";
    let shifts = Rows {
        key,
        ..Rows::differences(title, axis, rows(shifted))
    };
    let below = format!("{subtitle} · {}", labels.join(" · "));
    vec![
        NamedChart::new("ratings", subtitle, Figure::Rows(ratings)),
        NamedChart::new("shifts", &below, Figure::Rows(shifts)),
    ]
}
