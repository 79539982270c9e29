//! For whom targets hold: a result is judged at tables of other players, too, and sought there if
//! it misses a target.

use super::adapting::PROOF;
use super::{Resolved, Tune, TunedAxis, bots_at, space};
use crate::study::error::{StudyError, refuse};
use crate::study::plan::adapt_to;
use crate::study::table::{PEOPLE, TEMPERAMENTS};
use crate::study::typed::Bots;
use carat_core::analysis::flaws::FoundFlaw;
use carat_core::library::{ADAPTED, Library, StandIn};
use carat_core::simulation::{Games, Player, Stopped, TargetVerdict};
use carat_core::strategy::SeatSpec;
use carat_core::tuning::{Aim, Found, Point, Problem, SEARCHES, Space, Tried, Validation, judge};
use std::slice;

/// The word for no other players.
const NONE: &str = "none";
/// Those who must meet a target that names nobody.
const MUST: [&str; 2] = [PEOPLE, ADAPTED];
/// The populations of each table, and the games of each as a part of those of the study.
const POPULATIONS: usize = 5;
const POPULATION_PART: u64 = 1000;
const POPULATION_LEAST: u64 = 1000;
/// The search among others has this part of the study's games, and so has each judgement.
const SEARCHED_PART: u64 = 10;
const JUDGED_PART: u64 = 20;
/// The numbers of the adaptations that judge candidates, and of those that prove the result.
const LOOK: usize = PROOF + 1;
pub const LAST: usize = PROOF + 3;

/// A result among others.
pub struct Judged {
    pub validation: Validation,
    /// What was tried at the tables where targets must hold.
    pub tried: Vec<Tried>,
}

/// The study's tables and those of other players.
pub struct Others {
    /// Those at which targets must hold.
    pub needed: Resolved,
    pub all: Resolved,
}

impl Tune {
    /// The other players that judge, by name.
    pub fn who(&self) -> Vec<SeatSpec> {
        let [people, bold, careful] = TEMPERAMENTS;
        let named = self.who.as_ref().map(|Bots(bots)| bots.clone());
        let mut who = named.unwrap_or([careful, people, bold, ADAPTED].map(SeatSpec::of).into());
        who.retain(|bot| bot.name != NONE);
        who.dedup();
        who
    }

    /// Whether a target may name these players.
    pub fn is_judged_by(&self, name: &str) -> bool {
        self.who().iter().any(|bot| bot.to_string() == name)
    }

    /// The tables of other players, where values of rules are sought that meet targets.
    pub fn others(&self, own: &Resolved, library: &Library) -> Result<Option<Others>, StudyError> {
        let of_rules = |axis: &TunedAxis| axis.path.is_of_rules();
        if self.targets.is_empty() || !own.axes.iter().all(of_rules) || self.who().is_empty() {
            return match self.who().as_slice() {
                [first, ..] if self.who.is_some() => refuse!(
                    "who = {first}: others judge rules that must meet targets; vary rules alone, \
                     and give a target"
                ),
                _ => Ok(None),
            };
        }
        let named = |bot: &SeatSpec| {
            let end = format!(" at {bot}");
            self.targets
                .iter()
                .any(|(target, _)| target.ends_with(&end))
        };
        let mut needed = self.who();
        needed.retain(|bot| MUST.contains(&bot.name.as_str()) || named(bot));
        let all = match self.beside(own, &self.who(), &[], POPULATIONS, library) {
            // A manifest of an earlier version may not have them.
            Err(_) if self.who.is_none() => return Ok(None),
            all => all?,
        };
        let needed = self.beside(own, &needed, &MUST, 1, library)?;
        Ok(Some(Others { needed, all }))
    }

    /// The study's own tables, and one of each of these bots. Targets that name nobody hold at the
    /// former and at those of `among`, or at all if these are none.
    fn beside(
        &self,
        own: &Resolved,
        bots: &[SeatSpec],
        among: &[&str],
        populations: usize,
        library: &Library,
    ) -> Result<Resolved, StudyError> {
        let mut sources = own.sources.clone();
        let mut library = library.clone();
        library.stand_in = StandIn::Family;
        let (mut tables, mut names) = (own.tables.clone(), own.names.clone());
        if let [only] = own.tables.as_slice() {
            names = vec![bots_at(only)];
        }
        let mut must = Vec::from_iter(0..tables.len());
        for bot in bots {
            let (mut base, players) = (own.first().spec.clone(), own.first().seats.len());
            (base.seats, base.people) = (vec![many(bot, players)], Vec::new());
            (base.others, base.players) = (None, None);
            let seated = base.with_each_seat()?.resolve(&library)?;
            if own.tables.len() == 1 && names[0] == bots_at(&seated) {
                names[0] = bot.to_string();
                continue;
            }
            let waiting = sources.not_adapted.len();
            sources.add(&seated.rules, &seated.seats);
            for table in sources.not_adapted.split_off(waiting) {
                let adapt = adapt_to(own.first().game, &table, &self.run);
                adapt.resolve(&library)?.add_sources(&mut sources);
            }
            if among.is_empty() || among.contains(&bot.name.as_str()) {
                must.push(tables.len());
            }
            // A table of the study may be called so.
            let is_taken = names.contains(&bot.to_string());
            names.push(if is_taken {
                bots_at(&seated)
            } else {
                bot.to_string()
            });
            tables.push(seated);
        }
        let mut study = self.clone();
        if !own.adapts() {
            let games = (own.budget / POPULATION_PART).max(POPULATION_LEAST);
            study.run.population_games.get_or_insert(games);
        }
        study.run.populations.get_or_insert(populations);
        let mut aim = self.aim(&tables, &names, own.tables.len(), &must)?;
        aim.objective = None;
        Ok(Resolved {
            study,
            tables,
            names,
            axes: own.axes.clone(),
            aim,
            sources,
            budget: own.budget,
            part: "others ",
            others: None,
        })
    }
}

fn many(bot: &SeatSpec, copies: usize) -> SeatSpec {
    SeatSpec {
        copies,
        ..bot.clone()
    }
}

impl Others {
    /// Makes the point the best that misses the fewest targets at the tables where they must hold:
    /// that of the search at the study's own tables, or else of one at all of these. Returns what
    /// the latter tried. What follows begins at new games.
    pub fn choose(
        &self,
        found: &mut Found,
        space: &Space,
        games: Games,
        player: &mut Player,
    ) -> Result<Vec<Tried>, Stopped> {
        let own = &self.needed;
        let aim = own.aim_of(found);
        let mut library = own.library();
        for (number, point) in [(LOOK, &space.start), (LOOK + 1, &found.best)] {
            own.adapt(number, point, &mut library, player)?;
        }
        let first = [slice::from_ref(&found.best), found.rivals.as_slice()].concat();
        let mut problem = own.problem(space, &aim, games, found.next_game);
        problem.first = &first;
        problem.budget /= SEARCHED_PART;
        let alone = own.judged(&problem, &library, [&found.best], player)?;
        found.next_game = alone.next_game;
        if alone.best.verdict() == TargetVerdict::Met {
            return Ok(Vec::new());
        }
        problem.first_game = alone.next_game;
        let (there, _) = own.search_adapted(&problem, &mut library, player)?;
        (problem.first_game, problem.name) = (there.next_game, "others again ");
        let both = [&found.best, &there.best];
        let both = own.judged(&problem, &library, both, player)?;
        found.next_game = both.next_game;
        // What else is sought is given up only for what is clearly closer to the targets.
        let stays = |other: &Point| found.aim.objective.is_some() && both.is_as_good_as(other);
        if let Some(better) = both.better(&problem).filter(|other| !stays(other)) {
            found.change_best(better, space);
        }
        Ok(there.tried)
    }

    /// Judges the best among populations of its own, in games from this one on, and looks for signs
    /// that its game is broken.
    pub fn judge(
        &self,
        found: &Found,
        games: Games,
        first_game: u64,
        player: &mut Player,
    ) -> Result<(Validation, Vec<FoundFlaw>), Stopped> {
        let all = &self.all;
        let (space, aim) = (space(&all.axes), all.aim_of(found));
        let mut library = all.library();
        for (number, point) in [(LAST, &space.start), (LAST + 1, &found.best)] {
            all.adapt(number, point, &mut library, player)?;
        }
        let mut problem = all.problem(&space, &aim, games, first_game);
        problem.name = "others last ";
        let validation = all.judged(&problem, &library, [&found.best], player)?;
        Ok((validation, all.flaws(&found.best, &library)))
    }

    /// Most games that are played beside those of the study.
    pub fn most_games(&self) -> u64 {
        let [all, needed] = [&self.all, &self.needed].map(Resolved::games_to_adapt);
        let parts = self.all.budget / SEARCHED_PART + 3 * self.all.budget / JUDGED_PART;
        parts + 2 * all + (SEARCHES as u64 + 2) * needed
    }
}

impl Resolved {
    /// The aim at these tables, with the units of a search.
    pub fn aim_of(&self, found: &Found) -> Aim {
        let mut aim = self.aim.clone();
        for target in &mut aim.targets {
            let mut known = found.aim.targets.iter();
            let known = known.find(|known| known.metric == target.metric);
            target.unit = known.map_or(target.width().unwrap_or(1.0), |known| known.unit);
        }
        aim
    }

    /// Judges points at these tables, the first as the best.
    pub(super) fn judged<const POINTS: usize>(
        &self,
        problem: &Problem,
        library: &Library,
        points: [&Point; POINTS],
        player: &mut Player,
    ) -> Result<Validation, Stopped> {
        let problem = Problem {
            tables: &|point: &[usize]| self.seated(point, library),
            budget: self.budget / JUDGED_PART,
            ..*problem
        };
        let others = Vec::from_iter(points[1..].iter().map(|point| (*point).clone()));
        judge(&problem, points[0], &others, player)
    }

    fn problem<'a>(
        &'a self,
        space: &'a Space,
        aim: &'a Aim,
        games: Games,
        first_game: u64,
    ) -> Problem<'a> {
        Problem {
            space,
            aim,
            tables: &|_: &[usize]| None,
            first: &[],
            words: &|_: &[usize]| String::new(),
            line_ups: &self.names,
            name: self.part,
            tolerance: None,
            budget: self.budget,
            first_game,
            games,
        }
    }
}
