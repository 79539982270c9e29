//! The figures of a rule: what bots win beside each company. All come from the same games, and each
//! is played once.

use super::{Fitted, OF_FIGURES, Price, RuleSearch, own_share};
use crate::game::Play;
use crate::simulation::{Experiment, Player, Stopped};
use crate::statistics::{Estimate, predictive_error};
use crate::strategy::Seat;
use std::slice;

/// Games of a bot's figures beside the first company, of several players' figures there, and of
/// figures beside others, as parts of the number of games.
const BOT_PART: f64 = 0.2;
const USERS_PART: f64 = 0.1;
const OTHERS_PART: f64 = 0.05;
/// Games between the first ones of figures that are played once more.
const PASS: u64 = 1 << 38;
/// Games of each draw of fitted people together, likewise.
const DRAWS_PART: f64 = 0.2;

/// A table of figures: bots at the first seats, and a company at all others.
struct Asked {
    first: Vec<Seat>,
    company: usize,
    /// From which of its bots on the company begins.
    turn: usize,
    part: f64,
    share: Estimate,
    /// The standard error of the share that comes from what is not known of the company.
    doubt: f64,
    /// How much less the bot wins than the rule, beside the same company in the same games.
    less: Estimate,
}

/// Win shares beside companies; the first table of each company and turn has the rule alone.
pub(super) struct Figures {
    asked: Vec<Asked>,
}

impl Figures {
    fn ask(&mut self, first: Vec<Seat>, company: usize, turn: usize, part: f64) {
        if self.at(&first, company, turn).is_none() {
            self.asked.push(Asked {
                first,
                company,
                turn,
                part,
                share: Estimate::UNKNOWN,
                doubt: 0.0,
                less: Estimate::UNKNOWN,
            });
        }
    }

    fn at(&self, first: &[Seat], company: usize, turn: usize) -> Option<&Asked> {
        let is_it = |of: &&Asked| (of.company, of.turn) == (company, turn) && of.first == first;
        self.asked.iter().find(is_it)
    }

    fn alone(&self, bot: &Seat, company: usize) -> &Asked {
        let found = self.at(slice::from_ref(bot), company, 0);
        found.expect("it was played")
    }

    /// The win share of a bot beside a company.
    pub fn share(&self, bot: &Seat, company: usize) -> Estimate {
        let of = self.alone(bot, company);
        with_doubt(of.share, of.doubt)
    }

    /// How much less a bot wins than the rule.
    pub fn less(&self, bot: &Seat, company: usize) -> Estimate {
        self.alone(bot, company).less
    }

    /// The win share of each of several players with a bot, beside the first company in all turns.
    pub fn share_of_users(&self, users: &[Seat]) -> Estimate {
        let turns = (self.asked.iter()).filter(|of| of.company == 0 && of.first == users);
        let turns = Vec::from_iter(turns);
        let share = Estimate::mean_of(&Vec::from_iter(turns.iter().map(|of| of.share)));
        // In each turn the same is not known.
        with_doubt(share, turns[0].doubt)
    }
}

impl RuleSearch {
    /// The games of all figures, at most.
    pub(super) fn figure_games(&self, rules: usize) -> u64 {
        let bots = rules + self.standards.len() + 2 + rules + self.clauses.len();
        let users = 2 * self.turns() * 4 + rules;
        let others = bots * (self.companies.len() - 1);
        let mut games = bots as u64 * self.games(BOT_PART)
            + users as u64 * self.games(USERS_PART)
            + others as u64 * self.games(OTHERS_PART)
            + self.spread_games();
        if self.companies[0].iter().any(|bot| !bot.draws().is_empty()) {
            games += (bots + users) as u64 * self.games(DRAWS_PART);
        }
        games
    }

    /// Plays all figures of rules, of which one is chosen, and of all that it is compared with.
    pub(super) fn figures(
        &self,
        rules: &[Fitted],
        best: usize,
        personal: Option<&Seat>,
        player: &mut Player,
    ) -> Result<Figures, Stopped> {
        let own = self.table.seat(&rules[best].point, 0.0);
        let mut bots = vec![own.clone()];
        bots.extend(rules.iter().map(|rule| self.table.seat(&rule.point, 0.0)));
        bots.extend(self.standards.iter().map(|(_, bot)| bot.clone()));
        bots.extend(self.parts(&rules[best]).into_iter().map(|(_, bot)| bot));
        let mut figures = Figures { asked: Vec::new() };
        for company in 0..self.companies.len() {
            let part = if company == 0 { BOT_PART } else { OTHERS_PART };
            for bot in &bots {
                figures.ask(vec![bot.clone()], company, 0, part);
            }
        }
        for rule in rules {
            figures.ask(vec![self.sloppy(rule)], 0, 0, USERS_PART);
        }
        for bot in [&own].into_iter().chain(personal) {
            for users in self.users() {
                for turn in 0..self.turns_of(users) {
                    figures.ask(vec![bot.clone(); users], 0, turn, USERS_PART);
                }
            }
        }
        self.play_figures(&mut figures.asked, player)?;
        self.add_doubt(&mut figures.asked, player)?;
        Ok(figures)
    }

    /// The number of the first game of figures.
    fn of_figures(&self) -> u64 {
        OF_FIGURES + self.pass * PASS
    }

    fn name_of(&self, name: &str) -> String {
        match self.pass {
            0 => name.to_string(),
            pass => format!("{name}{pass} "),
        }
    }

    fn play_figures(&self, asked: &mut [Asked], player: &mut Player) -> Result<(), Stopped> {
        let mut tables = Vec::new();
        for of in asked.iter() {
            let mut company = self.companies[of.company].clone();
            company.rotate_left(of.turn);
            tables.push(self.beside(&of.first, &company)?);
        }
        // Turns are played in games of their own.
        let mut groups: Vec<(Vec<usize>, u64)> = Vec::new();
        for (at, of) in asked.iter().enumerate() {
            let offset = of.turn as u64 * self.games(BOT_PART);
            match groups.iter_mut().find(|(arms, _)| {
                let known = &asked[arms[0]];
                (known.company, known.turn) == (of.company, of.turn)
            }) {
                Some((arms, _)) => arms.push(at),
                None => groups.push((vec![at], offset)),
            }
        }
        let firsts = Vec::from_iter(groups.iter().map(|(arms, _)| arms[0]));
        let with_first = |a: usize, _| Vec::from_iter(firsts.contains(&a).then_some(own_share()));
        let cells = tables.iter().map(|table| table.as_ref() as &dyn Play);
        let dealt = self.table.dealt(self.seed);
        let mut experiment =
            Experiment::new(cells.collect(), dealt, groups.iter().cloned(), &with_first);
        let mut played = 0;
        for part in [OTHERS_PART, USERS_PART, BOT_PART] {
            let next = self.games(part);
            let games = self.of_figures() + played..self.of_figures() + next;
            experiment.play_all(
                &self.name_of("figures "),
                "playing fresh games",
                games,
                player,
            )?;
            played = next;
            for (arms, _) in &groups {
                for &at in arms {
                    if asked[at].part == part {
                        let share = experiment.estimate(at, own_share());
                        let less = experiment.difference(own_share(), arms[0], at);
                        asked[at].share = share.unwrap_or(Estimate::UNKNOWN);
                        asked[at].less = less.unwrap_or(Estimate::UNKNOWN).in_points();
                    }
                }
            }
            experiment.keep(&|at| asked[at].part > part);
        }
        Ok(())
    }

    /// The win shares of rules, and then of the bots that they are compared with.
    pub(super) fn prices(&self, rules: &[Fitted], figures: &Figures) -> Vec<Price> {
        let price = |bot: Seat| Price {
            rule: None,
            standard: None,
            shares: (0..self.companies.len())
                .map(|company| figures.share(&bot, company))
                .collect(),
            sloppy: None,
            behind: None,
            values: bot.values,
        };
        let mut prices = Vec::new();
        for rule in rules {
            prices.push(Price {
                rule: Some(rule.clone()),
                sloppy: Some(figures.share(&self.sloppy(rule), 0)),
                ..price(self.table.seat(&rule.point, 0.0))
            });
        }
        for (standard, bot) in &self.standards {
            prices.push(Price {
                standard: Some(*standard),
                behind: Some(figures.less(bot, 0)),
                ..price(bot.clone())
            });
        }
        prices
    }

    /// Adds to figures beside the first company the error of what is not known of it: each is
    /// played at several tables at which a fitted person is one of its draws.
    fn add_doubt(&self, asked: &mut [Asked], player: &mut Player) -> Result<(), Stopped> {
        let draws = Seat::each_draw(&self.companies[0]);
        let count = draws.len();
        if count == 0 {
            return Ok(());
        }
        let is_first = |of: &&mut Asked| (of.company, of.turn) == (0, 0);
        let mut firsts = Vec::from_iter(asked.iter_mut().filter(is_first));
        let mut tables = Vec::new();
        for of in &firsts {
            for company in &draws {
                tables.push(self.beside(&of.first, company)?);
            }
        }
        let each = self.games(DRAWS_PART) / count as u64;
        let games = self.of_figures()..self.of_figures() + each;
        let found = self.shares(&tables, &self.name_of("draws "), games, player)?;
        let found = Vec::from_iter(found.into_iter().map(|found| found.value));
        let (own, _) = found.split_at(count);
        for (of, values) in firsts.iter_mut().zip(found.chunks(count)) {
            let less = own.iter().zip(values).map(|(own, value)| own - value);
            of.doubt = predictive_error(values);
            of.less = of.less.with_error(predictive_error(&Vec::from_iter(less)));
        }
        Ok(())
    }
}

/// A figure beside people who are known exactly stays as it is.
fn with_doubt(figure: Estimate, doubt: f64) -> Estimate {
    if doubt == 0.0 {
        return figure;
    }
    figure.with_error(doubt)
}
