//! The sheets of an analysis: one type per table, and their rows.

use super::words::format_share;
use super::{Analysed, VERDICTS};
use crate::results::tables::LABEL;
use crate::study::analyse::{Judged, Of, VARIANCE_PARTS, Walk};
use carat_core::game::moments::Options;
use carat_core::sheet::{Rows, Sheet};
use carat_core::statistics::{Estimate, Unit};
use carat_core::thinking::Worth;

#[derive(Clone, Copy)]
pub struct Row<'a, T> {
    of: &'a Analysed<'a>,
    /// The index of the game; `None` for a mean over games.
    pub game: usize,
    seat: usize,
    pub is: T,
}

/// The number of a decision, its judgement, and the index of an option.
pub type Choice<'a> = (u64, &'a Judged, usize);
/// A kind of decisions; `None` for all.
type Kind<'a> = Option<(&'a str, &'a str)>;
/// A walk and the number of a step; 0 is its start.
type Step<'a> = (&'a Walk, usize);

impl<'a, T> Row<'a, T> {
    fn number(&self) -> u64 {
        self.of.played.games[self.game].number
    }
}

impl<'a> Row<'a, Choice<'a>> {
    fn options(&self) -> &'a Options {
        self.of.options(self.game, self.is.1)
    }

    fn worth(&self) -> &'a Worth {
        &self.is.1.options[self.is.2]
    }

    pub fn chosen(&self) -> bool {
        self.is.2 == self.options().chosen
    }

    fn kind(&self) -> String {
        let kinds = self.options().kind.iter();
        let kinds = kinds.map(|(property, value)| format!("{property}: {value}"));
        kinds.collect::<Vec<_>>().join("; ")
    }

    fn verdict(&self) -> Option<String> {
        let verdict = self.of.verdict(self.game, self.is.1);
        verdict.filter(|_| self.chosen()).map(str::to_string)
    }
}

impl Row<'_, Step<'_>> {
    /// The moment of a step, its cause, and the value after it.
    fn step(&self) -> (&str, &'static str, Estimate) {
        let (walk, step) = self.is;
        let value =
            |sum: i128, se| Estimate::normal(sum as f64 / self.of.played.unit(), f64::from(se));
        let Some(step) = step.checked_sub(1).map(|step| &walk.steps[step]) else {
            return ("the start", "start", value(walk.start, walk.start_se));
        };
        let moments = &self.of.played.games[self.game].course.moments;
        let at = moments.get(step.moment);
        let at = at.map_or("the end", |moment| &moment.at);
        (at, step.of.name(), value(step.to, step.se))
    }
}

pub fn empty_sheets() -> Vec<Sheet> {
    sheets(None)
}

impl Analysed<'_> {
    fn row<T>(&self, game: usize, seat: usize, is: T) -> Row<'_, T> {
        Row {
            of: self,
            game,
            seat,
            is,
        }
    }

    pub fn choices(&self) -> Vec<Row<'_, Choice<'_>>> {
        let mut rows = Vec::new();
        for (game, played) in self.played.games.iter().enumerate() {
            for (decision, judged) in (1..).zip(&played.judged) {
                let seat = self.options(game, judged).seat;
                let options = 0..judged.options.len();
                rows.extend(options.map(|option| self.row(game, seat, (decision, judged, option))));
            }
        }
        rows
    }

    fn bots(&self) -> Vec<Row<'_, Kind<'_>>> {
        let seats = self.seats();
        seats.map(|seat| self.row(0, seat, None)).collect()
    }

    fn by_kind(&self) -> Vec<Row<'_, Kind<'_>>> {
        let mut rows = Vec::new();
        for seat in self.seats() {
            for (property, values) in self.kinds() {
                let values = values.into_iter();
                rows.extend(values.map(|value| self.row(0, seat, Some((property, value)))));
            }
        }
        rows.retain(|row| self.losses(row.seat, row.is).0 > 0);
        rows
    }

    fn all_walks(&self) -> Vec<Row<'_, &Walk>> {
        let games = self.played.games.iter().enumerate();
        let walks = games.flat_map(|(game, played)| {
            let seats = self.seats();
            seats.map(move |seat| self.row(game, seat, &played.walks[seat]))
        });
        walks.collect()
    }

    fn variance(&self) -> Vec<(&'static str, Estimate)> {
        let Some(shares) = self.played.variance_shares() else {
            return Vec::new();
        };
        let names = ["play", "luck"].into_iter();
        let names = names.chain(VARIANCE_PARTS.map(|(name, _)| name));
        let whole = [shares.play, shares.luck].into_iter();
        names.zip(whole.chain(shares.parts)).collect()
    }

    fn steps<'a>(&'a self) -> Vec<Row<'a, Step<'a>>> {
        let of_walk = |row: Row<'a, &'a Walk>| {
            let steps = 0..=row.is.steps.len();
            steps.map(move |step| self.row(row.game, row.seat, (row.is, step)))
        };
        self.all_walks().into_iter().flat_map(of_walk).collect()
    }
}

pub fn sheets(of: Option<&Analysed>) -> Vec<Sheet> {
    vec![
        decisions(of.map_or(Vec::new(), |of| of.choices())),
        bots(of.map_or(Vec::new(), |of| of.bots())),
        mistakes(of.map_or(Vec::new(), |of| of.by_kind())),
        luck(of.map_or(Vec::new(), |of| of.all_walks())),
        course(of.map_or(Vec::new(), |of| of.steps())),
        variance(of.map_or(Vec::new(), |of| of.variance())),
    ]
}

fn decisions(rows: Vec<Row<Choice>>) -> Sheet {
    let mut sheet = Rows::new("decisions", "one row per option of a decision", rows);
    sheet.whole("game", "number of the game", Row::number);
    let meaning = "number of the decision in the game, from 1";
    sheet.whole("decision", meaning, |row| row.is.0);
    let at = |row: &Row<Choice>| row.of.at(row.game, row.is.1).to_string();
    sheet.text("at", "point in the game", at);
    seats(&mut sheet);
    sheet.text("kind", "kind of decision", Row::kind);
    let name = |row: &Row<Choice>| row.options().names[row.is.2].clone();
    sheet.text("option", "the option", name);
    sheet.truth("chosen", "whether this option was chosen", Row::chosen);
    let meaning = "whether it is the best option found";
    sheet.truth("best", meaning, |row| row.is.2 == row.is.1.best);
    let meaning = "win share of the deciding seat after this option";
    sheet.estimates("win_share", meaning, |row| row.worth().win_share);
    let meaning = "mean score of the deciding seat after this option";
    sheet.estimates("score_mean", meaning, |row| row.worth().score_mean);
    let meaning = "playouts behind the estimates; clearly worse options get fewer";
    sheet.whole("playouts", meaning, |row| row.worth().playouts);
    let meaning = "loss of the chosen option against the best, in the same playouts (in score \
                   units for a single player)";
    sheet.estimates("loss", meaning, |row| {
        row.chosen().then(|| row.of.in_points(row.is.1.loss))
    });
    sheet.label("where", |row| match row.of.played.games.len() {
        1 => at(row),
        _ => format!("game {}, {}", row.number(), at(row)),
    });
    sheet.whole("moment", "", |row| row.is.1.moment as u64 + 1);
    sheet.only_shown();
    sheet.label("better", |row| row.options().names[row.is.1.best].clone());
    let meaning = "doubtful, bad or very bad: the loss is significantly above 0.5, 2 or 5 \
                   percentage points";
    sheet.text("verdict", meaning, Row::verdict);
    sheet.sheet()
}

fn bots(rows: Vec<Row<Kind>>) -> Sheet {
    let mut sheet = Rows::new("bots", "one row per seat", rows);
    seats(&mut sheet);
    losses(&mut sheet);
    for (verdict, _) in VERDICTS {
        let name = verdict.replace(' ', "_");
        let meaning = format!("decisions judged {verdict}");
        sheet.whole(&name, &meaning, |row| row.of.count(row.seat, verdict));
    }
    let meaning = "gain from a strong bot in this seat; only if luck is estimated";
    sheet.estimates("stronger_gain", meaning, |row| {
        let gain = row.of.played.stronger[row.seat];
        gain.map(|gain| row.of.in_points(gain))
    });
    for (name, end) in [("start", 0), ("end", 1)] {
        sheet.number(name, "", |row| row.of.ends(row.seat)[end]);
        sheet.units(|row| {
            if row.of.wins {
                Unit::Share
            } else {
                Unit::Amount
            }
        });
        sheet.only_shown();
    }
    for part in Of::ALL {
        sheet.estimates(part.name(), "", |row| {
            row.of.in_points(row.of.given(row.seat, part))
        });
        sheet.only_shown();
    }
    sheet.sheet()
}

fn mistakes(rows: Vec<Row<Kind>>) -> Sheet {
    let mut sheet = Rows::new("mistakes", "one row per seat and kind of decision", rows);
    seats(&mut sheet);
    let meaning = "property that groups the decisions";
    sheet.text("property", meaning, |row| row.is.map(|it| it.0.to_string()));
    let meaning = "value of the property";
    sheet.text("value", meaning, |row| row.is.map(|it| it.1.to_string()));
    losses(&mut sheet);
    sheet.sheet()
}

fn losses(sheet: &mut Rows<Row<Kind>>) {
    let of = |row: &Row<Kind>| row.of.losses(row.seat, row.is);
    let meaning = "judged decisions";
    sheet.whole("decisions", meaning, |row| of(row).0);
    let meaning = "mean loss against the best option; losses do not add up, because a different \
                   choice leads to a different game";
    let mean = |row: &Row<Kind>| of(row).1.map(|loss| row.of.in_points(loss));
    sheet.estimates("loss_per_decision", meaning, mean);
}

fn luck(rows: Vec<Row<&Walk>>) -> Sheet {
    let meaning = "one row per game and seat; the parts add up to the result";
    let mut sheet = Rows::new("luck", meaning, rows);
    sheet.whole("game", "number of the game", Row::number);
    seats(&mut sheet);
    let mut part = |name: &str, meaning: &str, value: &dyn Fn(&Walk) -> i128| {
        let value = |row: &Row<&Walk>| value(row.is) as f64 / row.of.played.unit();
        sheet.number(name, meaning, value);
    };
    let meaning = "expected win share before the game (score for a single player)";
    part("start", meaning, &|walk| walk.start);
    let meaning = "luck of the draw, 0 on average";
    part("luck_cards", meaning, &|walk| walk.sum(Of::Cards));
    let meaning = "decisions of opponents, compared with those of their playout bots";
    part("luck_others", meaning, &|walk| walk.sum(Of::Others));
    let meaning = "own decisions, compared with those of this seat's playout bot";
    part("own_play", meaning, &|walk| walk.sum(Of::Own));
    let meaning = "result of the game: the sum of the parts";
    part("result", meaning, &Walk::here);
    sheet.sheet()
}

fn course(rows: Vec<Row<Step>>) -> Sheet {
    let mut sheet = Rows::new("course", "one row per game, seat and step", rows);
    sheet.whole("game", "number of the game", Row::number);
    seats(&mut sheet);
    let meaning = "number of the step, from 0 at the start";
    sheet.whole("step", meaning, |row| row.is.1 as u64);
    sheet.text("at", "point in the game", |row| row.step().0.to_string());
    let meaning = "cause of the step: start, cards, others or own play";
    sheet.text("of", meaning, |row| row.step().1.to_string());
    let meaning = "expected win share after the step (score for a single player)";
    sheet.estimates("value", meaning, |row| row.step().2);
    sheet.whole("moment", "", |row| {
        let step = row.is.1.checked_sub(1);
        step.map_or(0, |step| row.is.0.steps[step].moment as u64 + 1)
    });
    sheet.only_shown();
    sheet.sheet()
}

fn variance(rows: Vec<(&'static str, Estimate)>) -> Sheet {
    let one = "one row per source of variance; needs at least ten games of all seats";
    let mut sheet = Rows::new("variance", one, rows);
    let parts = VARIANCE_PARTS.map(|(name, meaning)| format!("{name} ({meaning})"));
    let meaning = format!(
        "play, luck, or one of their parts: {} (the first three are play)",
        parts.join(", ")
    );
    sheet.text("part", &meaning, |row| row.0.to_string());
    let meaning = "share of the variance of the results: the covariance of the part with the \
                   result, divided by the variance of the results; play and luck add up to 1. The \
                   noise of playouts has no covariance with results, so no share includes it";
    sheet.estimates("variance_share", meaning, |row| row.1);
    sheet.label("share", |row| format_share(row.1));
    sheet.units(|_| Unit::Amount);
    sheet.sheet()
}

fn seats<T>(sheet: &mut Rows<Row<T>>) {
    sheet.numbered("seat", |row| row.seat);
    let bot = |row: &Row<T>| row.of.played.resolved.played.seats[row.seat].called();
    sheet.text("bot", "bot or person at the seat", bot);
    let label = |row: &Row<T>| row.of.played.resolved.played.seats[row.seat].person.clone();
    sheet.text("label", LABEL, label);
    sheet.label("name", |row| row.of.names[row.seat].clone());
}
