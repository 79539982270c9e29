//! The search for the best rule with each number of parameters.

use super::{Fitted, LEFT_OUT, NUMBERS_MAX, OF_CHOICE, RuleSearch, SENTENCES_MAX, own_share};
use crate::game::Play;
use crate::simulation::{Experiment, Player, Stopped};
use crate::statistics::Estimate;
use crate::strategy::Seat;
use crate::tuning::{Aim, Point, Problem, search};

/// Games of each long search, of each short one where several numbers may be the next, and of each
/// choice, as parts of the number of games.
const LONG_PART: f64 = 0.6;
const SHORT_PART: f64 = 0.1;
pub(super) const CHOICE_PART: f64 = 0.2;
/// Divisors of the games of a race after which it looks at what is left …
const LOOKS: [u64; 4] = [8, 4, 2, 1];
/// … and drops what is behind by as many standard errors.
pub(super) const CLEARLY: f64 = 3.0;
/// Most candidates searched for the next number.
const SEARCHED: usize = 2;
/// A rule is nearly as good as the best if it wins at most this share less.
const NEARLY: f64 = 0.005;
/// The smallest number of a rounded rule is one of these.
const SMALLEST: [f32; 3] = [1.0, 2.0, 3.0];
/// Number of the first race of rounded rules, after those of clauses.
const OF_ROUNDED: u64 = 40;
/// The number of races before those of clauses.
pub(super) const RACES: u64 = 3 * NUMBERS_MAX as u64;

impl RuleSearch {
    /// The games of the search for so many rules, at most.
    pub(super) fn fit_games(&self, rules: usize) -> u64 {
        let races = rules * (self.numbers + 3 * SEARCHED + 1);
        let short = SEARCHED as u64 * self.table.search_games(SHORT_PART);
        let searches = rules as u64 * (short + self.table.search_games(LONG_PART));
        races as u64 * self.games(CHOICE_PART) + searches
    }

    /// The best rule with each number of parameters, from one on.
    pub(super) fn fit(&self, player: &mut Player) -> Result<Vec<Fitted>, Stopped> {
        let count = self.numbers;
        let most = count
            .min(NUMBERS_MAX)
            .min(SENTENCES_MAX - self.clauses.len());
        let mut rules: Vec<Fitted> = Vec::new();
        let mut next_game = 0;
        for place in 0..most {
            let before = rules.last().cloned().unwrap_or(Fitted {
                axes: Vec::new(),
                point: vec![0; self.table.axes.len()],
            });
            // The shipped values of the family may be better than the search's.
            let mut found = Vec::new();
            for axis in (0..count).filter(|axis| !before.axes.contains(axis)) {
                let axes = [before.axes.as_slice(), &[axis]].concat();
                let mut point = vec![0; self.table.axes.len()];
                for &axis in &axes {
                    point[axis] = self.table.space.start[axis];
                }
                found.push(Fitted { axes, point });
            }
            let choice = 3 * place as u64;
            if found.len() > SEARCHED {
                found = self.best_of(found, SEARCHED, choice, player)?;
            }
            let name = |kind: &str, rule: &Fitted| {
                format!("{kind} {} with {} ", place + 1, rule.axes[place])
            };
            let mut starts = Vec::new();
            for Fitted { axes, point } in &found {
                let mut start = before.point.clone();
                start[axes[place]] = point[axes[place]];
                starts.push(Fitted {
                    axes: axes.clone(),
                    point: start,
                });
            }
            // Of two numbers, a short search of each finds which one deserves a long one.
            if starts.len() > 1 {
                for start in &mut starts {
                    let name = name("short search", start);
                    start.point = self.search(start, SHORT_PART, &name, &mut next_game, player)?;
                }
                found.extend(starts.iter().cloned());
                starts = self.best_of(starts, 1, choice + 1, player)?;
            }
            for start in &starts {
                let (axes, name) = (start.axes.clone(), name("long search", start));
                let point = self.search(start, LONG_PART, &name, &mut next_game, player)?;
                found.push(Fitted { axes, point });
            }
            rules.extend(self.best_of(found, 1, choice + 2, player)?);
        }
        Ok(rules)
    }

    /// The index of the first rule that is nearly as good as the best.
    pub(super) fn simplest(&self, rules: &[Fitted], player: &mut Player) -> Result<usize, Stopped> {
        let ranked = self.ranked(rules, 1, NEARLY, RACES, player)?;
        let least = ranked[0].1 - NEARLY;
        let near = ranked.iter().filter(|(_, share)| *share >= least);
        // The first has one number.
        Ok(near.map(|(rule, _)| *rule).min().unwrap_or(0))
    }

    /// Divides the numbers of a rule by one factor, which changes no decision of a sum of scores,
    /// and rounds them to the smallest whole numbers that cost little, or else those that cost
    /// least. Returns what it costs in fresh games; nothing if the numbers stay, or if a clause has
    /// a number of its own.
    pub(super) fn round(
        &self,
        rule: &mut Fitted,
        player: &mut Player,
    ) -> Result<Option<Estimate>, Stopped> {
        let has_number = |axis: &usize| {
            let says = self.table.says(&self.table.axes[*axis].0);
            says.is_none_or(|says| says.contains("{}"))
        };
        let values = Vec::from_iter(rule.axes.iter().map(|&axis| self.value(rule, axis)));
        let smallest = values.iter().copied().filter(|value| *value > 0.0);
        let smallest = smallest.fold(f32::INFINITY, f32::min);
        if !self.is_scored() || self.clauses.iter().any(has_number) {
            return Ok(None);
        }
        let mut cheapest: Option<(Estimate, Point)> = None;
        for (at, wanted) in (0..).zip(SMALLEST) {
            let scaled = values
                .iter()
                .map(|value| (value * wanted / smallest).round());
            let scaled = Vec::from_iter(scaled);
            if scaled == values {
                break;
            }
            let mut point = rule.point.clone();
            let known = rule.axes.iter().zip(&scaled).all(|(&axis, value)| {
                let found = self.table.axes[axis].1.iter().position(|own| own == value);
                point[axis] = found.unwrap_or(0);
                found.is_some()
            });
            if !known {
                continue;
            }
            let bots = [&rule.point, &point].map(|point| self.table.seat(point, 0.0));
            let look = OF_ROUNDED + SMALLEST.len() as u64 * self.pass + at;
            let cost = self.costs(&bots, CHOICE_PART, look, &|_| false, player)?[0];
            let least = cheapest.as_ref().map(|(least, _)| least.value);
            if least.is_none_or(|least| cost.value < least) {
                cheapest = Some((cost, point));
            }
            if cost.value <= LEFT_OUT {
                break;
            }
        }
        Ok(cheapest.map(|(cost, point)| {
            rule.point = point;
            cost
        }))
    }

    /// The best rules, in order.
    fn best_of(
        &self,
        rules: Vec<Fitted>,
        wanted: usize,
        choice: u64,
        player: &mut Player,
    ) -> Result<Vec<Fitted>, Stopped> {
        let ranked = self.ranked(&rules, wanted, 0.0, choice, player)?;
        let best = ranked.into_iter().take(wanted);
        Ok(best.map(|(rule, _)| rules[rule].clone()).collect())
    }

    /// Rules by their win share beside the first company in fresh games, the best first. Those that
    /// are clearly behind as many as are wanted, by more than `tolerance`, are dropped meanwhile.
    fn ranked(
        &self,
        rules: &[Fitted],
        wanted: usize,
        tolerance: f64,
        choice: u64,
        player: &mut Player,
    ) -> Result<Vec<(usize, f64)>, Stopped> {
        let bots = Vec::from_iter(rules.iter().map(|rule| self.table.seat(&rule.point, 0.0)));
        let mut ranked = Vec::from_iter((0..rules.len()).map(|rule| (rule, 0.0)));
        if rules.len() <= wanted {
            return Ok(ranked);
        }
        let mut look = |race: &mut Experiment| {
            for (rule, share) in &mut ranked {
                *share = race
                    .estimate(*rule, own_share())
                    .map_or(0.0, |share| share.value);
            }
            ranked.sort_by(|(_, a), (_, b)| b.total_cmp(a));
            let last = ranked[wanted.min(ranked.len()) - 1].0;
            ranked.retain(|(rule, _)| {
                let behind = race.difference(own_share(), last, *rule);
                behind.is_none_or(|behind| behind.value - tolerance <= CLEARLY * behind.se)
            });
            race.keep(&|rule| ranked.iter().any(|(own, _)| *own == rule));
            ranked.len() > wanted
        };
        self.race(&bots, choice, CHOICE_PART, &mut look, player)?;
        Ok(ranked)
    }

    /// Plays a part of the games with bots beside the first company, all the same games, and looks
    /// after some of them whether to go on.
    pub(super) fn race(
        &self,
        bots: &[Seat],
        choice: u64,
        part: f64,
        look: &mut dyn FnMut(&mut Experiment) -> bool,
        player: &mut Player,
    ) -> Result<(), Stopped> {
        let mut tables = Vec::new();
        for bot in bots {
            tables.push(self.beside_first(bot.clone())?);
        }
        let cells = tables.iter().map(|table| table.as_ref() as &dyn Play);
        let arms = (0..bots.len()).collect();
        let dealt = self.table.dealt(self.seed);
        let mut race = Experiment::new(cells.collect(), dealt, [(arms, 0)], &|_, _| {
            vec![own_share()]
        });
        let name = format!("{}race {choice} ", self.table.parts);
        let first = OF_CHOICE + choice * self.table.games;
        let mut played = 0;
        for divisor in LOOKS {
            let next = self.games(part) / divisor;
            let games = first + played..first + next;
            race.play_all(&name, "comparing in the same games", games, player)?;
            played = next;
            if !look(&mut race) {
                break;
            }
        }
        Ok(())
    }

    /// The best values of a rule's numbers beside the first company, all others at the low end.
    fn search(
        &self,
        from: &Fitted,
        part: f64,
        name: &str,
        next_game: &mut u64,
        player: &mut Player,
    ) -> Result<Point, Stopped> {
        let mut space = self.table.space.clone();
        for (axis, shape) in space.axes.iter_mut().enumerate() {
            if !from.axes.contains(&axis) {
                shape.count = 1;
            } else if from.point[axis] > 0 {
                space.start[axis] = from.point[axis];
            }
            space.start[axis] = space.start[axis].min(shape.count - 1);
        }
        let aim = Aim::highest(own_share());
        let problem = Problem {
            space: &space,
            aim: &aim,
            tables: &|point| {
                let table = self.beside_first(self.table.seat(point, 0.0));
                Some(vec![table.ok()?.into()])
            },
            first: &[],
            words: &|_| "searching for a rule".to_string(),
            line_ups: &[],
            name: &format!("{}{name}", self.table.parts),
            tolerance: None,
            budget: self.table.search_games(part),
            first_game: *next_game,
            games: self.table.dealt(self.seed),
        };
        let found = search(&problem, player)?;
        *next_game = found.next_game;
        Ok(found.best)
    }
}
