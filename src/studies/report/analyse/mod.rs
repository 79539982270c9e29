//! The report of analysed games: the cost of each decision, and the part of luck.

use super::contents::Contents;
use super::text::View;
use crate::study::analyse::{Judged, Of, Played, Walk};
use carat_core::game::{WIN_SHARE, moments::Options};
use carat_core::numbers;
use carat_core::statistics::{Estimate, standard_error};
use carat_core::strategy::seat_names;
use indexmap::IndexMap;
use std::fmt::{self, Display, Formatter};

mod charts;
pub mod sheets;
mod story;
mod words;

pub use words::ACCURACY;

/// For options that are too close to the best for the playouts to distinguish.
pub const NO_DIFFERENCE: &str = "no difference";

pub fn content(played: &Played) -> Contents {
    let resolved = &played.resolved;
    let of = Analysed::new(played);
    let stories: Vec<String> = (0..played.games.len()).map(|game| of.story(game)).collect();
    let mut text = of.views();
    if resolved.study.details {
        let trimmed = stories.iter().map(|story| story.trim_end().to_string());
        text.extend(trimmed.map(View::Story));
    }
    let headline = format!("{} · {}", resolved.headline(), of.playouts());
    let sheets = sheets::sheets(&of);
    Contents {
        summary: of.summary(),
        charts: charts::charts(&headline, &of),
        sheets,
        files: vec![("transcript.txt".to_string(), stories.join("\n"))],
        views: text,
        ..Contents::default()
    }
}

pub struct Analysed<'a> {
    pub played: &'a Played,
    pub names: Vec<String>,
    /// Whether values are win shares; else they are scores.
    pub wins: bool,
}

/// The grade of a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Doubtful,
    Bad,
    VeryBad,
}

impl Verdict {
    /// The grades, each with the loss that the whole interval is beyond.
    const ALL: [(Verdict, f64); 3] = [
        (Verdict::Doubtful, 0.005),
        (Verdict::Bad, 0.02),
        (Verdict::VeryBad, 0.05),
    ];
}

impl Display for Verdict {
    fn fmt(&self, to: &mut Formatter) -> fmt::Result {
        to.write_str(match self {
            Verdict::Doubtful => "doubtful",
            Verdict::Bad => "bad",
            Verdict::VeryBad => "very bad",
        })
    }
}

/// The mean of one value per game; `alone` is the standard error of a single value.
fn spread(values: &[f64], alone: f64) -> Estimate {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let se = match values.len() {
        1 => alone,
        _ => standard_error(values),
    };
    Estimate::normal(mean, se)
}

impl<'a> Analysed<'a> {
    fn new(played: &'a Played) -> Self {
        Analysed {
            names: seat_names(&played.resolved.played.seats),
            wins: played.resolved.metric() == WIN_SHARE,
            played,
        }
    }

    /// The analysed seats: all, or the one of `--me`.
    pub fn seats(&self) -> impl Iterator<Item = usize> {
        let only = self.played.resolved.study.seat;
        let asked = move |seat: &usize| only.is_none_or(|only| only == seat + 1);
        (0..self.names.len()).filter(asked)
    }

    /// All judged decisions, each with the index of its game.
    pub fn judged(&self) -> impl Iterator<Item = (usize, &'a Judged)> {
        let games = self.played.games.iter().enumerate();
        games.flat_map(|(at, game)| game.judged.iter().map(move |judged| (at, judged)))
    }

    pub fn options(&self, game: usize, judged: &Judged) -> &'a Options {
        let moment = &self.played.games[game].course.moments[judged.moment];
        moment.options().expect("only decisions are judged")
    }

    /// The place of a decision in its game, in words.
    pub fn at(&self, game: usize, judged: &Judged) -> &'a str {
        &self.played.games[game].course.moments[judged.moment].at
    }

    /// The grade of a mistake, if it clearly is one. A lone player's losses are parts of the best
    /// score.
    pub fn verdict(&self, game: usize, judged: &Judged) -> Option<Verdict> {
        let whole = if self.wins {
            1.0
        } else {
            judged.options[judged.best].score_mean.value
        };
        let options = self.options(game, judged);
        let mut verdicts = Verdict::ALL.into_iter().rev();
        let worst = verdicts.find(|(_, above)| judged.loss.low > above * whole);
        let (verdict, _) = worst.filter(|_| judged.best != options.chosen)?;
        Some(verdict)
    }

    /// The number of a seat's decisions of some kind, and their mean loss; its error comes from the
    /// spread between games, or from the playouts of a single game.
    pub fn losses(&self, seat: usize, kind: Option<(&str, &str)>) -> (u64, Option<Estimate>) {
        let mut by_game = vec![0.0; self.played.games.len()];
        // The squared standard error of the sum.
        let (mut decisions, mut squares) = (0, 0.0);
        for (game, judged) in self.judged() {
            let options = self.options(game, judged);
            let is_kind = kind.is_none_or(|(property, value)| {
                let mut kinds = options.kind.iter();
                kinds.any(|(own, is)| *own == property && is == value)
            });
            if options.seat != seat || !is_kind {
                continue;
            }
            decisions += 1;
            by_game[game] += judged.loss.value;
            squares += judged.loss.se * judged.loss.se;
        }
        let a_game = spread(&by_game, f64::sqrt(squares));
        let mean = a_game.scaled(by_game.len() as f64 / decisions as f64);
        (decisions, (decisions > 0).then_some(mean))
    }

    /// The accuracy of a seat, as a mean over games: 1 less the win share that its mistakes cost,
    /// at least 0; `None` for a lone player.
    pub fn accuracy(&self, seat: usize) -> Option<f64> {
        let mut kept = vec![1.0; self.played.games.len()];
        for (game, judged) in self.judged() {
            if self.options(game, judged).seat == seat && judged.is_mistake() {
                kept[game] -= judged.loss.value;
            }
        }
        let sum: f64 = kept.iter().map(|kept| f64::max(*kept, 0.0)).sum();
        self.wins.then_some(sum / kept.len() as f64)
    }

    /// The kinds of decisions: properties, each with its values in order.
    pub fn kinds(&self) -> IndexMap<&'a str, Vec<&'a str>> {
        let mut kinds: IndexMap<&str, Vec<&str>> = IndexMap::new();
        for (game, judged) in self.judged() {
            for (property, value) in &self.options(game, judged).kind {
                let values = kinds.entry(*property).or_default();
                if !values.contains(&value.as_str()) {
                    values.push(value);
                }
            }
        }
        for values in kinds.values_mut() {
            // Numbers sort by value, words by the alphabet.
            values.sort_by_key(|value| (value.parse::<u64>().unwrap_or(u64::MAX), *value));
        }
        kinds
    }

    /// The mean contribution of one cause to a seat's results.
    pub fn given(&self, seat: usize, of: Of) -> Estimate {
        let unit = self.played.unit();
        let values = self.walks(seat).map(|walk| walk.sum(of) as f64 / unit);
        let alone = &self.played.games[0].walks[seat];
        spread(&Vec::from_iter(values), alone.given_se[of as usize])
    }

    /// The means of a seat's expected results before the games, and of its results.
    pub fn ends(&self, seat: usize) -> [f64; 2] {
        let unit = self.played.unit() * self.played.games.len() as f64;
        let start: i128 = self.walks(seat).map(|walk| walk.start).sum();
        let end: i128 = self.walks(seat).map(Walk::here).sum();
        [start, end].map(|sum| sum as f64 / unit)
    }

    fn walks(&self, seat: usize) -> impl Iterator<Item = &'a Walk> {
        self.played.games.iter().map(move |game| &game.walks[seat])
    }

    /// The mistakes, the worst first: decisions with a loss beyond its interval.
    pub fn mistakes(&self) -> Vec<(usize, &'a Judged)> {
        let mut all = Vec::from_iter(self.judged().filter(|(_, judged)| judged.is_mistake()));
        all.sort_by(|(_, a), (_, b)| b.loss.value.total_cmp(&a.loss.value));
        all
    }

    fn playouts(&self) -> String {
        let resolved = &self.played.resolved;
        let on = resolved.going_on.as_ref().unwrap_or(&resolved.played);
        let people = &on.spec.people;
        let mut bots: Vec<String> = Vec::new();
        for (at, seat) in on.seats.iter().enumerate() {
            let bot = match people.get(at) {
                Some(name) if !name.is_empty() => seat.label(),
                _ => seat.called(),
            };
            if !bots.contains(&bot) {
                bots.push(bot);
            }
        }
        let mut judged = String::new();
        if !resolved.study.record.is_empty() {
            let as_people = match resolved.study.as_bot {
                None if bots.iter().all(|bot| bot != "people") => {
                    "; `as people` judges with ordinary players instead"
                }
                _ => "",
            };
            judged = format!(
                "judged as if {} made all later decisions{as_people} · ",
                bots.join(", ")
            );
        }
        let all = resolved.playouts();
        let all = numbers::count(all);
        format!("{judged}up to {all} playouts per option, fewer for clearly worse ones")
    }

    /// A difference with its unit, such as `2.1 points`.
    pub fn said(&self, estimate: &Estimate) -> String {
        self.in_points(*estimate).to_string()
    }

    /// A difference of win shares in percentage points, of scores as it is.
    pub fn in_points(&self, estimate: Estimate) -> Estimate {
        if self.wins {
            estimate.in_points()
        } else {
            estimate
        }
    }

    /// How many decisions of a seat have a verdict.
    fn count(&self, seat: usize, verdict: Verdict) -> u64 {
        let own = self.judged().filter(|(game, judged)| {
            self.options(*game, judged).seat == seat && self.verdict(*game, judged) == Some(verdict)
        });
        own.count() as u64
    }
}
