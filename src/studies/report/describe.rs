//! The report of what a game is like: a few sentences, its metrics by number of players, and what
//! strong and adapted players, or other rules, change.

use super::contents::{Contents, NamedChart};
use super::pictures::{all, drawn, rows_of};
use super::tables::{MetricRow, meanings, metric_rows, told};
use super::text::View;
use super::words::equal_share;
use crate::study::Remark;
use crate::study::describe::{Place, Played, Who};
use carat_charts::labels::capitalized;
use carat_core::figure::{Figure, Figures, Line, LineShape, Lines, Panel, Row, RowLine, Rows};
use carat_core::game::{
    CAPPED_RATE, Layout, Metric, MetricRef, PLAYING_MINUTES, SHARED_WIN_RATE, WIN_SHARE,
    WIN_SHARE_SPREAD,
};
use carat_core::numbers;
use carat_core::sheet::{Columns, format_measure};
use carat_core::statistics::{Estimate, Unit};
use carat_core::{columns, heads};

/// Panels of the chart by number of players.
const PANELS: usize = 6;
/// Metrics that are told by number of players.
const TOLD: usize = 3;

pub fn content(played: &Played) -> Contents {
    let resolved = &played.resolved;
    let games = numbers::games(played.tallies[0].games);
    let rules = resolved.sides().join(" and ");
    let game = resolved.first().game.title;
    let headline = format!("{game} · {rules} · {games} at each table");
    let mut rows = Vec::new();
    for (at, tally) in played.tallies.iter().enumerate() {
        let arm = &resolved.arms[at];
        let metrics = metric_rows(arm.layout(), tally).into_iter();
        rows.extend(metrics.map(|row| (at, row)));
        let wins = (WIN_SHARE, played.wins(at), "");
        let is_alone = resolved.places[at].who.of_all().is_none();
        rows.extend(is_alone.then_some((at, wins)));
    }
    let mut views = vec![View::text(headline.clone()), View::Summary(Vec::new())];
    for (side, name) in resolved.sides().into_iter().enumerate() {
        let found = &played.flaws[side];
        views.extend((!found.is_empty()).then(|| {
            let of = Remark::Broken(found.clone());
            View::Remark(if side > 0 { of.of(name) } else { of })
        }));
    }
    let large = views.len();
    let shown = shown(played);
    let mut columns = heads![Overview: METRIC ""];
    let tables = tables(played).into_iter();
    columns.extend(tables.map(|(_, name, _)| Overview::AT.head_of(name.clone(), name)));
    views.push(View::print(columns));
    views.extend(meanings(shown.iter().copied()));
    let printed = Some(views.len());
    Contents {
        charts: charts(&headline, played, &shown),
        summary: summary(played, &shown),
        sheets: vec![
            Described::sheet(played, rows),
            Overview::sheet(played, overview(played, &shown)),
        ],
        views,
        printed,
        large,
        ..Contents::default()
    }
}

impl Played {
    fn layout(&self, at: usize) -> &Layout {
        self.resolved.arms[at].layout()
    }

    fn estimate(&self, at: usize, metric: &str) -> Option<Estimate> {
        let layout = self.layout(at);
        let known = layout.table_metrics.iter();
        let known = known.map(|own| own.name).find(|own| *own == metric)?;
        let of = MetricRef::of_table(known);
        self.tallies[at].estimate(layout, of)
    }

    /// What the first seat wins.
    fn wins(&self, at: usize) -> Option<Estimate> {
        let of = MetricRef::of_seat(WIN_SHARE, 0);
        self.tallies[at].estimate(self.layout(at), of)
    }

    fn first_bot(&self, at: usize) -> &str {
        &self.resolved.arms[at].seated.seats[0].strategy.name
    }

    fn usual(&self, side: usize, who: Who) -> Option<usize> {
        self.resolved.at(side, self.resolved.usual, who)
    }

    /// A metric under the second rules less that under the first, in the same games.
    fn difference(&self, at: usize, metric: &str) -> Option<Estimate> {
        let mut all = self.differences.iter();
        let found = all.find(|(arm, own, _)| {
            *arm == at && own.name == metric && *own == MetricRef::of_table(own.name)
        });
        found.map(|(_, _, change)| *change)
    }
}

columns! {
    pub Described<'a>(of: Played, row: (usize, MetricRow<'a>)) "described", "one row per table and metric";
    RULES: text("rules", "the rules") => of.resolved.sides()[of.resolved.places[row.0].side];
    PLAYERS: whole("players", "number of players") => of.resolved.places[row.0].players as u64;
    BOT: text("bot", "the bot of the first seat; the others are people, or adapted if it is")
        => of.first_bot(row.0);
    METRIC: text("metric", "the metric; win_share is that of the first seat") => row.1.0;
    VALUE: estimates("value", "estimate of the metric") => row.1.1;
    DIFFERENCE: estimates("difference", "difference from the first rules, in the same games"),
        if of.resolved.study.b.is_some() => of.difference(row.0, row.1.0);
}

columns! {
    /// Only shown: metrics by table.
    pub Overview<'a>(of: Played, row: (String, Vec<String>)) "overview", "one row per metric";
    METRIC: label("metric", "") => row.0;
    AT: numeral("AT", ""), for at in named(of) => row.1[at];
}

fn named(played: &Played) -> impl Iterator<Item = (usize, String, String)> {
    let tables = tables(played).into_iter().enumerate();
    tables.map(|(at, (_, name, _))| (at, name, String::new()))
}

/// The tables that are shown beside each other, with their names, and the table from which the
/// difference is shown instead of the value. With two rules, those of the usual number of players.
fn tables(played: &Played) -> Vec<(usize, String, Option<usize>)> {
    let resolved = &played.resolved;
    let mut shown = Vec::new();
    if resolved.study.b.is_none() {
        for (at, Place { players, who, .. }) in resolved.places.iter().enumerate() {
            let name = who.of_all().map(|who| format!("{players} {who}"));
            shown.extend(name.map(|name| (at, name, None)));
        }
        return shown;
    }
    for who in [Who::People, Who::Adapted] {
        let [a, b] = [0, 1].map(|side| played.usual(side, who));
        let (Some(a), Some(b)) = (a, b) else { continue };
        let sides = resolved.sides();
        if who == Who::People {
            shown.push((a, sides[0].to_string(), None));
            shown.push((b, sides[1].to_string(), None));
        }
        let what = who.of_all().unwrap_or_default();
        shown.push((b, format!("change, {what}"), Some(a)));
    }
    shown
}

/// The metrics that are shown, those that describe a game best first: no series of alike ones.
fn shown(played: &Played) -> Vec<&Metric> {
    let first = played.usual(0, Who::People).unwrap_or_default();
    let mut metrics = Vec::from_iter(&played.layout(first).table_metrics);
    metrics.retain(|metric| {
        let is_series = metric.name.contains(|c: char| c.is_ascii_digit());
        metric.is_key || !is_series && metric.name != WIN_SHARE_SPREAD
    });
    metrics.sort_by_key(|metric| (metric.name != PLAYING_MINUTES, !metric.is_key));
    metrics
}

fn value(estimate: Option<Estimate>) -> String {
    estimate.map_or("–".to_string(), |of| {
        format_measure(of.value, Some(&of.unit))
    })
}

fn overview(played: &Played, shown: &[&Metric]) -> Vec<(String, Vec<String>)> {
    let tables = tables(played);
    let mut rows = Vec::new();
    for metric in shown {
        let cells = tables.iter().map(|(at, _, from)| match from {
            None => value(played.estimate(*at, metric.name)),
            Some(_) => match played.difference(*at, metric.name) {
                Some(change) => change.to_string(),
                None => "–".to_string(),
            },
        });
        rows.push((metric.short().to_string(), cells.collect()));
    }
    let resolved = &played.resolved;
    let simple = played.usual(0, Who::Simple);
    let simple = simple.map_or("simple rule", |at| played.first_bot(at));
    for (who, name) in [
        (Who::Strong, "strong bot wins".to_string()),
        (Who::Simple, format!("{simple} wins")),
    ] {
        let cells = tables.iter().map(|(at, _, from)| {
            let Place {
                side,
                players,
                who: shown,
            } = resolved.places[*at];
            let beside = resolved
                .at(side, players, who)
                .filter(|_| shown == Who::People);
            match (beside, from) {
                (Some(at), None) => value(played.wins(at)),
                _ => String::new(),
            }
        });
        rows.push((name, cells.collect()));
    }
    rows
}

/// Sentences: among people, by number of players, skill, those who know the rules, other rules.
fn summary(played: &Played, shown: &[&Metric]) -> String {
    let usual = played.resolved.usual;
    let mut key = shown.to_vec();
    key.retain(|metric| metric.is_key && ![CAPPED_RATE, SHARED_WIN_RATE].contains(&metric.name));
    let told_at = |at: usize| told(played.layout(at), &played.tallies[at], key.iter().copied());
    let mut lines = Vec::new();
    if let Some(at) = played.usual(0, Who::People) {
        lines.push(format!("Among {usual} people: {}.", told_at(at)));
    }
    lines.extend(from_fewest_to_most(played, &key));
    lines.extend(skill_in_words(played));
    if let Some(at) = played.usual(0, Who::Adapted) {
        let told = told_at(at);
        lines.push(format!(
            "Among {usual} players adapted to these rules: {told}."
        ));
    }
    lines.extend(changes_in_words(played, shown));
    if played.flaws.iter().all(Vec::is_empty) {
        lines.push("No signs of a broken game.".to_string());
    }
    lines.join("\n")
}

/// The first metrics among the fewest and the most people.
fn from_fewest_to_most(played: &Played, key: &[&Metric]) -> Option<String> {
    let places = played.resolved.places.iter().enumerate();
    let mut people = places.filter(|(_, place)| place.side == 0 && place.who == Who::People);
    let (first, last) = (people.next()?, people.next_back()?);
    let (fewest, most) = (first.1.players, last.1.players);
    let ends = key.iter().take(TOLD).filter_map(|metric| {
        let [low, high] = [first.0, last.0].map(|at| played.estimate(at, metric.name));
        let (low, high) = (value(Some(low?)), value(Some(high?)));
        Some(format!(
            "{} {low} with {fewest}, {high} with {most}",
            metric.short()
        ))
    });
    let ends = Vec::from_iter(ends).join("; ");
    Some(format!("By number of players: {ends}."))
}

/// What a strong bot and a simple rule win beside people.
fn skill_in_words(played: &Played) -> Option<String> {
    let (strong, simple) = (played.usual(0, Who::Strong)?, played.usual(0, Who::Simple)?);
    let [strong, simple] = [strong, simple]
        .map(|at| format!("{} wins {}", played.first_bot(at), value(played.wins(at))));
    let (others, fair) = (
        played.resolved.usual - 1,
        equal_share(played.resolved.usual).1,
    );
    Some(format!(
        "Skill: against {others} people, {strong}, and {simple} ({fair})."
    ))
}

/// What the second rules change among people.
fn changes_in_words(played: &Played, shown: &[&Metric]) -> Option<String> {
    let at = played.usual(1, Who::People)?;
    let sides = played.resolved.sides();
    let changed = shown.iter().filter_map(|metric| {
        let change = played.difference(at, metric.name)?;
        let is_clear = metric.is_key && (change.low > 0.0 || change.high < 0.0);
        is_clear.then(|| format!("{} {change}", metric.short()))
    });
    let changed = match Vec::from_iter(changed).join("; ") {
        none if none.is_empty() => "no clear difference".to_string(),
        changed => changed,
    };
    Some(format!("{} minus {}: {changed}.", sides[1], sides[0]))
}

fn charts(subtitle: &str, played: &Played, shown: &[&Metric]) -> Vec<NamedChart> {
    let mut figures = Vec::new();
    let places = &played.resolved.places;
    // One number of players makes no curve.
    if places
        .iter()
        .any(|place| place.players != places[0].players)
    {
        figures.push(("players", Figure::Lines(by_players(played, shown))));
    }
    let skill = skill(played);
    figures.extend((!skill.rows.is_empty()).then_some(("skill", Figure::Rows(skill))));
    figures.extend(changes(played, shown).map(|chart| ("change", Figure::Rows(chart))));
    all(subtitle, figures)
}

/// Metrics by number of players: lines of people, dots of adapted players.
fn by_players(played: &Played, shown: &[&Metric]) -> Lines {
    let resolved = &played.resolved;
    let sides = resolved.sides();
    let mut panels = Vec::new();
    for metric in shown.iter().filter(|metric| metric.is_key).take(PANELS) {
        let mut lines = Vec::new();
        for (side, name) in sides.iter().enumerate() {
            for who in [Who::People, Who::Adapted] {
                let what = who.of_all().unwrap_or_default();
                let label = match sides.len() {
                    1 => what.to_string(),
                    _ => format!("{name}: {what}"),
                };
                let seat = 2 * side + usize::from(who == Who::Adapted);
                let places = resolved.places.iter().enumerate();
                let own = places.filter(|(_, place)| place.side == side && place.who == who);
                let points = own.filter_map(|(at, place)| {
                    let estimate = drawn(played.estimate(at, metric.name))?;
                    Some((place.players as f64, estimate))
                });
                let points = Vec::from_iter(points);
                let mut line = Line::dots(&label, seat);
                if who == Who::People && points.len() > 1 {
                    line.shape = LineShape::Straight;
                }
                lines.push(Line { points, ..line });
            }
        }
        panels.push(Panel {
            heading: format!("{}, with 95 % interval", capitalized(metric.short())),
            share: metric.proportion,
            lines,
            ..Panel::default()
        });
    }
    Lines {
        title: format!("{} by number of players", resolved.first().game.title),
        x_title: "number of players".to_string(),
        panels,
        ..Lines::default()
    }
}

/// What a strong bot and a simple rule win beside people.
fn skill(played: &Played) -> Rows {
    let mut rows = Vec::new();
    for (at, place) in played.resolved.places.iter().enumerate() {
        if place.who.of_all().is_some() || place.side > 0 {
            continue;
        }
        let is_first = place.who == Who::Strong;
        let group = is_first.then(|| {
            format!(
                "{} players, {}",
                place.players,
                equal_share(place.players).1
            )
        });
        let line = drawn(played.wins(at)).map(|of| RowLine::of(usize::from(!is_first), of));
        rows.extend(line.map(|line| Row {
            group: group.unwrap_or_default(),
            label: played.first_bot(at).to_string(),
            lines: vec![line],
            ..Row::default()
        }));
    }
    Rows {
        figures: Figures::Shares,
        table: Described::NAME.to_string(),
        ..Rows::differences("Skill: one bot against people", "share of games won", rows)
    }
}

/// What other rules change, or else players who know the rules.
fn changes(played: &Played, shown: &[&Metric]) -> Option<Rows> {
    let people = played.usual(0, Who::People)?;
    let sides = played.resolved.sides();
    let (title, than, other) = match played.usual(1, Who::People) {
        Some(other) => (format!("What {} changes", sides[1]), sides[0], other),
        None => {
            let other = played.usual(0, Who::Adapted)?;
            let title = "What changes among players adapted to these rules".to_string();
            (title, "among people", other)
        }
    };
    let rows = rows_of(shown.iter().filter_map(|metric| {
        let base = played.estimate(people, metric.name)?;
        let change = match played.difference(other, metric.name) {
            Some(change) => change,
            None => {
                let other = played.estimate(other, metric.name)?;
                Estimate::normal(other.value - base.value, other.se.hypot(base.se))
            }
        };
        let change = Estimate {
            unit: Unit::Amount,
            ..change
        };
        (base.value.abs() > 0.0).then(|| {
            (
                metric.short().to_string(),
                change.scaled(100.0 / base.value.abs()),
            )
        })
    }));
    (!rows.is_empty()).then(|| Rows {
        figures: Figures::Percents,
        table: Described::NAME.to_string(),
        ..Rows::differences(
            title,
            format!("percent more (right) or less (left) than {than}, with 95 % interval"),
            rows,
        )
    })
}
