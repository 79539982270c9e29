//! Advice that holds: tables with opponents of each kind, and with each draw of fitted people.

use super::table::{SeatedTable, TEMPERAMENTS, TableSpec};
use carat_core::game::Table;
use carat_core::game::story::list;
use carat_core::library::Library;
use carat_core::overrides::{apply, read_rules};
use carat_core::strategy::{Seat, SeatSpec};
use carat_core::thinking::{self, Advice, Judge, Question};

/// A table at which all opponents are of one kind.
pub struct Kind {
    /// `bold`, `experts (solved-5)`.
    pub name: String,
    table: SeatedTable,
}

impl SeatedTable {
    /// The table with opponents of seat `me` that are careful, people, bold and experts; kinds that
    /// cannot play by these rules are left out.
    pub(super) fn kinds(&self, me: usize, library: &Library) -> Vec<Kind> {
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
        let mut pairs = names.iter().zip(TEMPERAMENTS.iter().cycle());
        pairs.all(|(name, usual)| name == usual)
    }

    /// The table with each draw of fitted people; empty without such people.
    pub(super) fn by_draw(&self) -> Vec<Box<dyn Table>> {
        let drawn = Seat::each_draw(&self.seats);
        if drawn.is_empty() {
            return Vec::new();
        }
        let text = apply(&self.rules.name, &self.rules.text, &self.spec.set).ok();
        let rules = text.and_then(|text| read_rules(self.game, &self.rules.name, &text).ok());
        let Some(rules) = rules else {
            return Vec::new();
        };
        let table = |seats| thinking::table(rules.as_ref(), seats, self.spec.seating).ok();
        drawn.iter().filter_map(|seats| table(seats)).collect()
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

impl Kind {
    /// Weighs a decision with this best option at the table of a judge against this kind.
    pub(super) fn weigh(&self, question: &Question, judge: &Judge, best: usize) -> Against<'_> {
        let table = self.table.table.as_ref();
        let (best, advice) = judge.weigh_against(table, question, best);
        let kind = &self.name;
        Against { kind, best, advice }
    }
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
            format!("{best} is best or tied for best against all kinds of opponents.")
        }
        [Some(option)] => format!("{}, against all kinds of opponents.", names[option]),
        [None] => "either: no clear difference against any kind of opponent.".to_string(),
        [_, None] => format!("{parts}."),
        _ => format!("it depends on the opponents: {parts}."),
    }
}
