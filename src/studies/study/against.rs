//! Advice that holds: a decision against opponents of each kind, and margins that include what a fit
//! leaves open.

use super::rule::doubt;
use super::table::{SeatedTable, TEMPERAMENTS, TableSpec};
use carat_core::game::Table;
use carat_core::game::story::list;
use carat_core::library::Library;
use carat_core::overrides::apply;
use carat_core::statistics::Estimate;
use carat_core::strategy::{Seat, SeatSpec};
use carat_core::thinking::{self, Advice, Judge, Question, Worth};

/// The part of the playouts that a decision gets against each kind.
const PART: u64 = 4;

/// A table at which all opponents are of one kind.
pub struct Kind {
    /// `bold`, `experts (solved-5)`.
    pub name: String,
    table: SeatedTable,
}

impl SeatedTable {
    /// The table with opponents of seat `me` that are careful, people, bold and experts; kinds that
    /// cannot play by these rules are left out.
    pub fn kinds(&self, me: usize, library: &Library) -> Vec<Kind> {
        let own: Vec<SeatSpec> = self.spec.seats.iter().flat_map(SeatSpec::each).collect();
        let best = self.spec.best(own.len(), library);
        let [people, bold, careful] = TEMPERAMENTS.map(SeatSpec::of);
        let mut kinds = Vec::new();
        for bot in [careful, people, bold].into_iter().chain(best) {
            let mut seats = vec![bot.clone(); own.len()];
            seats[me].clone_from(&own[me]);
            let spec = TableSpec {
                players: None,
                others: None,
                seats,
                ..self.spec.clone()
            };
            let Ok(table) = spec.resolve(library) else {
                continue;
            };
            let mut name = bot.name.clone();
            if !TEMPERAMENTS.contains(&bot.name.as_str()) {
                let made = table.warnings.iter().find_map(|of| of.made_for(&name));
                let made = made.map_or(String::new(), |made| format!(" for {made}"));
                name = format!("experts ({name}{made})");
            }
            kinds.push(Kind { name, table });
        }
        if own.len() > 1 { kinds } else { Vec::new() }
    }

    /// Whether the opponents of seat `me` are the usual ones: people of each temperament in turn.
    pub fn is_usual(&self, me: usize) -> bool {
        let own = self.spec.seats.iter().flat_map(SeatSpec::each);
        let mut names: Vec<String> = own.map(|bot| bot.name).collect();
        names.remove(me);
        names
            .iter()
            .zip(TEMPERAMENTS.iter().cycle())
            .all(|(name, usual)| name == usual)
    }

    /// The table with each draw of fitted people; empty without such people.
    pub(super) fn by_draw(&self) -> Vec<Box<dyn Table>> {
        let draws = Vec::from_iter(self.seats.iter().map(Seat::draws));
        let count = draws.iter().map(Vec::len).max().unwrap_or(0);
        if count < 2 {
            return Vec::new();
        }
        let text = apply(&self.rules.name, &self.rules.text, &self.spec.set).ok();
        let rules = text.and_then(|text| self.game.rules(&self.rules.name, &text).ok());
        let Some(rules) = rules else {
            return Vec::new();
        };
        let table = |at: usize| {
            let drawn = self.seats.iter().zip(&draws).map(|(seat, draws)| {
                let draw = draws.get(at % draws.len().max(1));
                draw.unwrap_or(seat).clone()
            });
            thinking::table(rules.as_ref(), &Vec::from_iter(drawn), self.spec.seating).ok()
        };
        (0..count).filter_map(table).collect()
    }
}

/// Adds the error of fits to that of advice, by the draws of fitted people.
pub(super) fn add_doubt(
    advice: &mut Advice,
    draws: &[Box<dyn Table>],
    question: &Question,
    judge: &Judge,
) {
    let each = (judge.playouts / draws.len().max(1) as u64).max(1);
    let found = draws.iter().map(|table| judge.at(table.as_ref(), each));
    let found = Vec::from_iter(found.map(|judge| judge.weigh(question)));
    if found.len() < 2 {
        return;
    }
    let best = advice.best;
    // By how much values differ beyond the error of the playouts.
    let error = |value: &dyn Fn(&Advice) -> [Estimate; 2]| {
        let values = Vec::from_iter(found.iter().map(value));
        let wide = doubt(&Vec::from_iter(
            values.iter().map(|[of, less]| of.value - less.value),
        ));
        let squares = values
            .iter()
            .map(|[of, less]| of.se.powi(2) + less.se.powi(2));
        let own = squares.sum::<f64>() / values.len() as f64;
        (wide.powi(2) - own).max(0.0).sqrt()
    };
    let none = Estimate::normal(0.0, 0.0);
    let figures: [fn(&mut Worth) -> &mut Estimate; 2] =
        [|worth| &mut worth.win_share, |worth| &mut worth.score_mean];
    for figure in figures {
        let of = |worth: &Worth| *figure(&mut worth.clone());
        for option in 0..advice.options.len() {
            let wide = error(&|found| [of(&found.options[option]), none]);
            let own = figure(&mut advice.options[option]);
            *own = own.with_error(wide);
            if option != best {
                let wide = error(&|found| [of(&found.behind[option]), of(&found.behind[best])]);
                let own = figure(&mut advice.behind[option]);
                *own = own.with_error(wide);
            }
        }
    }
}

/// A decision against one kind of opponents.
pub struct Against<'a> {
    /// The kind's name.
    pub kind: &'a str,
    /// The best option; `None` if none is clearly better than the best option at the table.
    pub best: Option<usize>,
    pub advice: Advice,
}

pub fn weigh_against<'a>(
    kinds: &'a [Kind],
    question: &Question,
    judge: &Judge<'a>,
    best: usize,
) -> Vec<Against<'a>> {
    let weigh = |kind: &'a Kind| {
        let playouts = (judge.playouts / PART).max(1);
        let judge = judge.at(kind.table.table.as_ref(), playouts);
        let advice = judge.weigh(question);
        let is_other = advice.cost(best).low > 0.0;
        let is_clear = advice.is_clear() || question.options > 2;
        let answer = if is_other { advice.best } else { best };
        Against {
            kind: &kind.name,
            best: (is_other || is_clear).then_some(answer),
            advice,
        }
    };
    kinds.iter().map(weigh).collect()
}

/// Whether the best option is the same against all kinds, or on which it depends; empty without
/// kinds.
pub fn say_whether_it_holds(against: &[Against], names: &[&str]) -> String {
    let mut answers: Vec<Option<usize>> = Vec::new();
    for of in against {
        if !answers.contains(&of.best) {
            answers.push(of.best);
        }
    }
    answers.sort_by_key(|answer| answer.is_none());
    let part = |answer: &Option<usize>| {
        let own = against.iter().filter(|of| of.best == *answer);
        let kinds = list(&Vec::from_iter(own.map(|of| of.kind)));
        let said = answer.map_or("no clear difference", |option| names[option]);
        format!("{said} against {kinds}")
    };
    let parts = Vec::from_iter(answers.iter().map(part)).join("; ");
    match answers[..] {
        [] => String::new(),
        [Some(option)] if against.iter().any(|of| !of.advice.is_clear()) => {
            let best = names[option];
            format!("no option is clearly better than {best}, whoever sits there.")
        }
        [Some(option)] => format!("{}, whoever sits there.", names[option]),
        [None] => "either, whoever sits there: no clear difference.".to_string(),
        [_, None] => format!("{parts}."),
        _ => format!("it depends on who sits there: {parts}."),
    }
}
