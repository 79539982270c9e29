//! The report of games that were taken apart: what each decision was worth, and what was luck.

use super::manifest::Manifest;
use super::pictures;
use super::report::Report;
use super::text::Block;
use crate::game::{WIN_SHARE, moments::What};
use crate::numbers;
use crate::statistics::Estimate;
use crate::strategy::seat_names;
use crate::study::Study;
use crate::study::analyse::{Judged, Of, Played};

mod sheets;
mod story;

pub use sheets::empty_sheets;

/// Mistakes of a bot that are told.
const WORST: usize = 3;

/// The report of games that were taken apart.
pub fn report(played: &Played, simd: &str) -> Report {
    let resolved = &played.resolved;
    let of = Analysed::new(played);
    let stories: Vec<String> = (0..played.games.len()).map(|game| of.story(game)).collect();
    let mut text = Vec::new();
    if let [story] = stories.as_slice() {
        text.push(Block::Story(story.trim_end().to_string()));
    }
    text.extend(of.words());
    let headline = format!("{} · {}", resolved.headline(), of.playouts());
    Report {
        sheets: of.sheets(),
        charts: pictures::analyse(&headline, &of),
        files: vec![("transcript.txt".to_string(), stories.join("\n"))],
        game: resolved.game(),
        text,
        manifest: Manifest::new(
            Study::Analyse(resolved.study.clone()),
            resolved.sources(),
            simd,
        ),
    }
}

/// What all parts of the report are made from.
pub struct Analysed<'a> {
    /// What was played.
    pub played: &'a Played,
    /// The bots, by seat.
    pub names: Vec<String>,
    /// Whether values are win shares; else they are scores.
    pub wins: bool,
}

/// What is made of the losses of some decisions.
#[derive(Default, Clone)]
pub struct Losses {
    /// Their number.
    pub decisions: u64,
    /// The losses of each game.
    by_game: Vec<f64>,
    /// The squared standard errors of all of them.
    squares: f64,
}

/// How bad a decision was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Clearly more than half a percentage point.
    Doubtful,
    /// Clearly more than two.
    Bad,
    /// Clearly more than five.
    VeryBad,
}

impl Verdict {
    /// All of them with what a loss must be clearly above, the worst first.
    pub const ALL: [(Verdict, f64); 3] = [
        (Verdict::VeryBad, 0.05),
        (Verdict::Bad, 0.02),
        (Verdict::Doubtful, 0.005),
    ];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Doubtful => "doubtful",
            Verdict::Bad => "bad",
            Verdict::VeryBad => "very bad",
        }
    }
}

impl Losses {
    fn new(games: usize) -> Losses {
        Losses {
            by_game: vec![0.0; games],
            ..Losses::default()
        }
    }

    fn add(&mut self, game: usize, loss: &Estimate) {
        self.decisions += 1;
        self.by_game[game] += loss.value;
        self.squares += loss.se * loss.se;
    }

    /// The loss a game: its error comes from how games differ, or of a single game from its
    /// playouts.
    pub fn a_game(&self) -> Estimate {
        spread(&self.by_game, self.squares.sqrt())
    }

    /// The loss a decision.
    pub fn a_decision(&self) -> Option<Estimate> {
        let games = self.by_game.len() as f64;
        (self.decisions > 0).then(|| self.a_game().scaled(games / self.decisions as f64))
    }
}

/// The mean of one value a game; `alone` is the standard error of a single one.
pub fn spread(values: &[f64], alone: f64) -> Estimate {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let se = match values.len() {
        1 => alone,
        _ => (squares / (n - 1.0) / n).sqrt(),
    };
    Estimate::normal(mean, se)
}

impl<'a> Analysed<'a> {
    fn new(played: &'a Played) -> Self {
        let resolved = &played.resolved;
        Analysed {
            names: seat_names(&resolved.played.seats),
            wins: resolved.metric() == WIN_SHARE,
            played,
        }
    }

    /// All decisions that were judged: the index of the game, and the decision.
    pub fn judged(&self) -> impl Iterator<Item = (usize, &'a Judged)> {
        let games = self.played.games.iter().enumerate();
        games.flat_map(|(at, game)| game.judged.iter().map(move |judged| (at, judged)))
    }

    /// What was to be decided.
    pub fn options(&self, game: usize, judged: &Judged) -> &'a crate::game::moments::Options {
        match &self.played.games[game].course.moments[judged.moment].what {
            What::Decision(options) => options,
            What::Event(_) => unreachable!("only decisions are judged"),
        }
    }

    /// Where in its game a decision was taken.
    pub fn at(&self, game: usize, judged: &Judged) -> &'a str {
        &self.played.games[game].course.moments[judged.moment].at
    }

    /// How bad a decision was, if it clearly was. Where one plays alone, losses are parts of the
    /// best score.
    pub fn verdict(&self, game: usize, judged: &Judged) -> Option<Verdict> {
        let whole = match self.wins {
            true => 1.0,
            false => judged.options[judged.best].score_mean.value,
        };
        let options = self.options(game, judged);
        let clearly = |above: f64| judged.best != options.chosen && judged.loss.low > above * whole;
        let mut verdicts = Verdict::ALL.into_iter();
        verdicts
            .find(|(_, above)| clearly(*above))
            .map(|(verdict, _)| verdict)
    }

    /// The losses of a seat in decisions of some kind.
    pub fn losses(&self, seat: usize, kind: Option<(&str, &str)>) -> Losses {
        let mut losses = Losses::new(self.played.games.len());
        for (game, judged) in self.judged() {
            let options = self.options(game, judged);
            let is_kind = kind.is_none_or(|(property, value)| {
                let mut kinds = options.kind.iter();
                kinds.any(|(own, is)| *own == property && is == value)
            });
            if options.seat == seat && is_kind {
                losses.add(game, &judged.loss);
            }
        }
        losses
    }

    /// The kinds of decisions: properties, each with its values in order.
    pub fn kinds(&self) -> Vec<(&'a str, Vec<&'a str>)> {
        let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
        for (game, judged) in self.judged() {
            for (property, value) in &self.options(game, judged).kind {
                let at = kinds.iter().position(|(known, _)| known == property);
                let at = at.unwrap_or_else(|| {
                    kinds.push((property, Vec::new()));
                    kinds.len() - 1
                });
                if !kinds[at].1.contains(&value.as_str()) {
                    kinds[at].1.push(value);
                }
            }
        }
        for (_, values) in &mut kinds {
            // Numbers by their value, words by the alphabet.
            values.sort_by_key(|value| (value.parse::<u64>().unwrap_or(u64::MAX), *value));
        }
        kinds
    }

    /// The mean over games of what a seat's walks are given by one of these.
    pub fn given(&self, seat: usize, of: Of) -> Estimate {
        let unit = self.played.unit();
        let games = self.played.games.iter();
        let values: Vec<f64> = games
            .map(|game| game.walks[seat].sum(of) as f64 / unit)
            .collect();
        spread(&values, 0.0)
    }

    /// How many playouts there were.
    fn playouts(&self) -> String {
        let playouts = numbers::count(self.played.resolved.playouts());
        format!("{playouts} playouts of the best options")
    }

    /// A difference of values with its unit.
    fn said(&self, estimate: &Estimate) -> String {
        match self.wins {
            true => numbers::percent_within(estimate.value, estimate.half_width()),
            false => numbers::within(estimate.value, estimate.half_width()),
        }
    }

    fn words(&self) -> Vec<Block> {
        let resolved = &self.played.resolved;
        let mut head = resolved.headline();
        if let Some(bot) = &resolved.study.as_bot {
            head += &format!(" · all go on as {bot}");
        }
        head += &format!("\n{}", self.playouts());
        let mut blocks = vec![Block::text(head)];
        let seats = || 0..self.names.len();
        let row = |seat: usize| {
            let losses = self.losses(seat, None);
            let own = self
                .judged()
                .filter(|(game, judged)| self.options(*game, judged).seat == seat);
            let verdicts: Vec<_> = own
                .filter_map(|(game, judged)| self.verdict(game, judged))
                .collect();
            let count = |wanted| {
                verdicts
                    .iter()
                    .filter(|verdict| **verdict == wanted)
                    .count()
            };
            let a_decision = losses.a_decision().map(|loss| self.said(&loss));
            let mut row = vec![
                self.names[seat].clone(),
                numbers::count(losses.decisions),
                a_decision.unwrap_or_default(),
                self.said(&losses.a_game()),
            ];
            let counts = Verdict::ALL
                .iter()
                .rev()
                .map(|(verdict, _)| count(*verdict).to_string());
            row.extend(counts);
            row
        };
        let header = [
            "bot",
            "decisions",
            "loss a decision",
            "loss a game",
            "doubtful",
            "bad",
            "very bad",
        ];
        let judged = |seat: &usize| resolved.study.seat.is_none_or(|only| only == seat + 1);
        let rows = seats().filter(judged).map(row).collect();
        blocks.push(Block::table(&header, rows));
        blocks.extend(self.worst());
        blocks.extend(self.profile());
        let share = |value: f64| match self.wins {
            true => numbers::percent(value, 1),
            false => numbers::number(value, 2),
        };
        let games = self.played.games.iter();
        let mean = |seat: usize, of: &dyn Fn(&crate::study::analyse::Walk) -> i128| {
            let sum: i128 = games.clone().map(|game| of(&game.walks[seat])).sum();
            share(sum as f64 / self.played.unit() / self.played.games.len() as f64)
        };
        let rows = seats().map(|seat| {
            vec![
                self.names[seat].clone(),
                mean(seat, &|walk| walk.start),
                mean(seat, &|walk| walk.sum(Of::Cards)),
                mean(seat, &|walk| walk.sum(Of::Others)),
                mean(seat, &|walk| walk.sum(Of::Skill)),
                mean(seat, &|walk| walk.here()),
            ]
        });
        let header = [
            "bot",
            "at first",
            "cards",
            "others",
            "own decisions",
            "in the end",
        ];
        blocks.push(Block::table(&header, rows.collect()));
        blocks.push(Block::text(
            "At first is what a seat could hope for; cards, others and own decisions add up from there to \
             what it got, exactly. Own decisions give what the chosen option is worth less the best one: \
             never above 0 but for noise. Cards are all luck of the game; as what is hoped for supposes that the bot goes on with \
             its own mistakes, they also hold the chance to do better. Others are what they decided otherwise \
             than was foreseen.",
        ));
        blocks
    }

    /// The worst decisions of each bot.
    fn worst(&self) -> Option<Block> {
        let mut rows = Vec::new();
        for seat in 0..self.names.len() {
            let mut own: Vec<(usize, &Judged)> = self
                .judged()
                .filter(|(game, judged)| {
                    let options = self.options(*game, judged);
                    options.seat == seat && judged.loss.low > 0.0 && options.chosen != judged.best
                })
                .collect();
            own.sort_by(|(_, a), (_, b)| b.loss.value.total_cmp(&a.loss.value));
            rows.extend(own.into_iter().take(WORST).map(|(game, judged)| {
                let options = self.options(game, judged);
                let number = self.played.games[game].number;
                vec![
                    self.names[seat].clone(),
                    format!("game {number}, {}", self.at(game, judged)),
                    options.names[options.chosen].clone(),
                    options.names[judged.best].clone(),
                    self.said(&judged.loss),
                ]
            }));
        }
        let header = ["bot", "the worst decisions", "chosen", "best", "loss"];
        (!rows.is_empty()).then(|| Block::table(&header, rows))
    }

    /// Where bots lose most, over several games.
    fn profile(&self) -> Option<Block> {
        if self.played.games.len() < 2 {
            return None;
        }
        let mut rows = Vec::new();
        for seat in 0..self.names.len() {
            for (property, values) in self.kinds() {
                for value in values {
                    let losses = self.losses(seat, Some((property, value)));
                    let Some(a_decision) = losses.a_decision() else {
                        continue;
                    };
                    rows.push(vec![
                        self.names[seat].clone(),
                        format!("{property}: {value}"),
                        numbers::count(losses.decisions),
                        self.said(&a_decision),
                        self.said(&losses.a_game()),
                    ]);
                }
            }
        }
        let header = [
            "bot",
            "kind of decision",
            "decisions",
            "loss a decision",
            "loss a game",
        ];
        Some(Block::table(&header, rows))
    }
}
