//! The study of a rule for the table: the value of each number of a simple rule, and the simplest
//! rule that plays nearly as well as the best.

pub use carat_core::simple_rule::{Fitted, Friends, Price, Principle, Standard};

use super::adapt::{self, Found};
use super::error::{StudyError, refuse};
use super::kept_rule::KeptRule;
use super::kind::Known;
#[cfg(feature = "clap")]
use super::options::{self, Example, SEARCH_GAMES_HELP};
use super::remark::Remark;
use super::run::Spec;
use super::table::{TEMPERAMENTS, TableSpec, made_elsewhere, unprinted};
use super::typed::Bots;
use carat_core::adaptation::SPREAD;
use carat_core::library::{Library, SourceText, Sources};
use carat_core::simple_rule::{FoundRule, RuleSearch};
use carat_core::simulation::{Player, Stopped};
use carat_core::strategy::{Seat, SeatSpec, quoted, table_labels};
use serde::{Deserialize, Serialize};

/// Shared keys that this kind does not use.
pub const UNUSED: &str =
    "seats people seating precision max_games metric populations measures expect";

/// Find a simple rule for play at the table, and what its simplicity costs
///
/// From a family of bots, carat fits a rule with one number, then two, and so on, each time adding
/// the number that helps most. It prints the simplest that wins nearly as much as the best of
/// these, and compares it with the table of numbers (card-N) and the trained bot. With --others,
/// carat fits the rule against these opponents. It writes rule.toml, a bot that any study can use,
/// and rule.pdf, a page to print. The rules of usual tables of people come with carat and are
/// printed at once; --anew searches again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", command(mut_args(options::without(UNUSED))))]
#[cfg_attr(feature = "clap", command(mut_arg("games", |arg| arg.help(SEARCH_GAMES_HELP))))]
pub struct Rule {
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub spec: Spec,
    /// The family of rules: a bot with ranges for its parameters [default: depends on the game]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BOT", add = Example::of("\"simple\"")))]
    pub family: Option<String>,
}

pub struct Resolved {
    pub study: Rule,
    pub search: RuleSearch,
    /// The names of the search's companies.
    pub companies: Vec<String>,
    /// The rules file, before the study's changes.
    rules: SourceText,
    warnings: Vec<Remark>,
    /// The family at a table without the study's changes of rules, if there are any.
    unchanged: Option<Found>,
    /// The result, if it comes with carat.
    kept: Option<FoundRule>,
}

pub struct Played {
    pub resolved: Resolved,
    pub found: FoundRule,
}

impl Rule {
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let mut study = self.clone();
        let others = study.table.others.get_or_insert_with(Bots::people).clone();
        let count = others.each().len();
        if count > 1 {
            study.table.players.get_or_insert(count + 1);
        }
        let family = self.family.as_deref().or(study.table.game()?.rule);
        let (mut table, rules) = adapt::find(&mut study.table, family, library)?;
        study.family = Some(table.family.name.clone());
        table.games = study.run.search_games(table.game)?;
        let game = table.game;
        let (mut first, made_for) = (Vec::new(), study.table.made_for(Some(table.players)));
        for other in &others.0 {
            first.extend(library.seats_at(game, other, &made_for)?);
        }
        let (opponents, players) = (first.len(), table.players);
        if opponents >= players {
            refuse!("others: {opponents} opponents for {players} players are too many");
        }
        let mut companies = vec![(table_labels(&first).join(", "), first)];
        let names = library.strategy_names(game);
        for name in [TEMPERAMENTS[2], TEMPERAMENTS[1]] {
            // Manifests of earlier versions have no such bot.
            let found = library.seats(game, &SeatSpec::of(name));
            if found.is_ok() || !library.closed {
                companies.push((name.to_string(), found?));
            }
        }
        let family = library.seats(game, &SeatSpec::of(&table.family.name))?;
        let mut standards = vec![(Standard::Family, family[0].clone())];
        for (standard, name) in [
            (Standard::TableOfNumbers, format!("card-{players}")),
            (Standard::Trained, format!("solved-{players}")),
        ] {
            if names.contains(&name) {
                let seat = library.seats(game, &SeatSpec::of(&name))?.remove(0);
                if table.seated(&vec![seat.clone(); players]).is_ok() {
                    if standard == Standard::Trained {
                        companies.push((format!("experts ({name})"), vec![seat.clone()]));
                    }
                    standards.push((standard, seat));
                }
            }
        }
        let (names, companies): (_, Vec<Vec<Seat>>) = companies.into_iter().unzip();
        let others = companies.iter().flatten();
        let bots = others.chain(standards.iter().map(|(_, seat)| seat));
        let bots: Vec<Seat> = bots.cloned().collect();
        let set = &study.table.set;
        let mut warnings = Vec::from_iter(unprinted(&rules, table.rules.as_ref(), players));
        warnings.extend(made_elsewhere(game, &rules, set, &bots, players)?);
        let mut resolved = Resolved {
            unchanged: study.unchanged(&study.table, library),
            kept: None,
            search: RuleSearch::new(table, companies, standards, study.run.seed),
            companies: names,
            study,
            rules,
            warnings,
        };
        if !library.anew {
            resolved.kept = KeptRule::of(&resolved.known()).map(|kept| kept.found);
        }
        Ok(resolved)
    }

    /// The family at the same table without `set`, or under the game's rules instead of those of a
    /// file; `None` if that changes nothing, or if the family cannot play there.
    fn unchanged(&self, changed: &TableSpec, library: &Library) -> Option<Found> {
        let mut spec = changed.clone();
        let editions = &changed.game().ok()?.editions;
        let named = |name: &String| editions.iter().any(|edition| edition.name == *name);
        if changed.set.is_empty() {
            spec.rules = spec.rules.filter(named);
        }
        spec.set.clear();
        if (&spec.rules, &spec.set) == (&changed.rules, &changed.set) {
            return None;
        }
        adapt::find(&mut spec, self.family.as_deref(), library).ok()
    }
}

impl Resolved {
    pub fn known(&self) -> Known<Rule> {
        let search = &self.search;
        let standards = search.standards.iter();
        let standards = Vec::from_iter(standards.map(|(_, bot)| bot.clone()));
        let mut sources = Sources::default();
        sources.add(&self.rules, &standards);
        if let Some((_, rules)) = &self.unchanged {
            sources.add(rules, &[]);
        }
        for company in &search.companies {
            sources.add(&self.rules, company);
        }
        Known::of(
            &self.study,
            search.table.game,
            sources,
            self.warnings.clone(),
        )
    }

    pub fn play(mut self, player: &mut Player) -> Result<Played, Stopped> {
        if let Some(found) = self.kept.take() {
            self.search.recall(&found);
            return Ok(Played {
                found,
                resolved: self,
            });
        }
        let unchanged = self.unchanged.take().map(|(table, _)| table);
        Ok(Played {
            found: self.search.play(unchanged, player)?,
            resolved: self,
        })
    }

    /// The names of opponents whom `carat fit` knows.
    pub fn fitted(&self) -> Vec<String> {
        let company = &self.search.companies[0];
        let named = table_labels(company).into_iter().zip(company);
        let fitted = named.filter(|(_, seat)| !seat.draws().is_empty());
        fitted.map(|(name, _)| name).collect()
    }
}

impl Played {
    pub fn rule(&self) -> &Price {
        &self.found.prices[self.found.best]
    }

    /// A rule in sentences, and what is true of all moves.
    pub fn words(&self, rule: &Fitted) -> Vec<String> {
        let more = self.resolved.search.table.family.says.clone();
        self.sentences(rule).into_iter().chain(more).collect()
    }

    /// The sentences of a rule's numbers and clauses.
    pub fn sentences(&self, rule: &Fitted) -> Vec<String> {
        let search = &self.resolved.search;
        let mut axes = [&rule.axes[..], &search.clauses].concat();
        axes.retain(|&axis| search.value(rule, axis) != 0.0);
        self.order(&mut axes);
        let words = axes.into_iter().map(|axis| self.words_of(rule, axis));
        words.collect()
    }

    /// Puts numbers into the order of the rule's sentences: those that every rule needs come before
    /// all others.
    fn order(&self, axes: &mut [usize]) {
        axes.sort_by_key(|axis| {
            self.found
                .principles
                .iter()
                .position(|part| part.axis == *axis)
        });
    }

    /// The numbers of a rule in the order of its sentences.
    pub fn numbers(&self, rule: &Fitted) -> Vec<String> {
        let mut axes = rule.axes.clone();
        self.order(&mut axes);
        let value = |axis| self.resolved.search.value(rule, axis).to_string();
        axes.into_iter().map(value).collect()
    }

    pub fn words_of(&self, rule: &Fitted, axis: usize) -> String {
        let (param, value) = (
            &self.resolved.search.table.axes[axis].0,
            self.resolved.search.value(rule, axis),
        );
        match self.resolved.search.table.says(param) {
            Some(says) => says.replace("{}", &value.to_string()),
            None => format!("{param} {value}"),
        }
    }

    /// What players call a parameter.
    pub fn called(&self, param: &str) -> String {
        let family = &self.resolved.search.table.family;
        let called = family.ranges.iter().find(|(name, _)| name == param);
        match (
            called.and_then(|(_, range)| range.called.clone()),
            self.resolved.search.table.says(param),
        ) {
            (Some(called), _) => called,
            (_, Some(says)) => format!("the number of \"{}\"", head_of(says)),
            _ => format!("`{param}`"),
        }
    }

    pub fn bot(&self, price: &Price) -> Seat {
        self.resolved.search.bot(price)
    }

    /// The rule's bot with a personal number.
    pub fn personal(&self) -> Option<Seat> {
        let values = self.found.personal.as_ref()?;
        Some(self.resolved.search.bot_of(values))
    }

    /// The personal number in words, if a rule of friends has one.
    pub fn personal_words(&self) -> Option<String> {
        let personal = self.personal()?;
        let mut params = personal.params();
        let (_, spread) = params.find(|(name, _)| *name == SPREAD)?;
        let says = self.resolved.search.table.says(SPREAD)?;
        Some(says.replace("{}", &spread.to_string()))
    }

    /// The file of the family's bot with a rule's numbers.
    pub fn file(&self, bot: &Seat, words: &str) -> String {
        let mix = format!("{} = 1", quoted(&bot.label()));
        adapt::mix_file(words, &self.resolved.study.table, "rule", &mix)
    }
}

/// The part of a sentence before its number, which names it.
pub fn head_of(words: &str) -> &str {
    let head = words.split_once(": ").map_or(words, |(head, _)| head);
    head.trim_end_matches('.')
}
