//! What is trained, and from which bot: a policy over axes, or a sum that is added to a bot's
//! score.

use super::{Method, NOTHING, Solve, check_alone};
use crate::study::error::{StudyError, refuse};
use carat_core::diagnostic::{Diagnostic, Fault};
use carat_core::game::{ByOptions, Game};
use carat_core::learning::attack::inherited;
use carat_core::learning::policy::Policy;
use carat_core::learning::scored::Scored;
use carat_core::learning::training::Training;
use carat_core::library::Library;
use carat_core::overrides::{apply, read_rules};
use carat_core::strategy::{Grid, Seat, SeatSpec, Strategy};

impl Solve {
    /// Resolves the axes and the starting bot.
    pub(super) fn method(
        &mut self,
        game: &Game,
        training: &mut Training,
        library: &Library,
    ) -> Result<Method, StudyError> {
        Ok(match game.training {
            Some(how) => Method::Scored(self.scored(game, how, training, library)?),
            None => Method::Policy(self.policy(game, training, library)?),
        })
    }

    fn policy(
        &mut self,
        game: &Game,
        training: &mut Training,
        library: &Library,
    ) -> Result<Policy, StudyError> {
        let school = training.rules.school(training.players());
        let school = school.expect("games without settings of training have one");
        let (players, learners, wins) = (training.players(), training.learners, training.wins());
        let own = || school.grid(players, wins, learners == 1);
        let grid = self.axes.clone().unwrap_or_else(own);
        let extra = school.finer(players, wins);
        // A lone learner uses all axes.
        let grid = match (learners, &self.axes) {
            (1, None) => grid.finer(&extra),
            _ => grid,
        };
        let finer = grid.finer(&extra);
        for grid in [&grid, &finer] {
            let faulty = |fault: Diagnostic| StudyError::Refused(fault.to_string());
            grid.check(game.vocabulary).map_err(faulty)?;
            // Each axis is valid, but all together may be too long.
            let whole = |fault: Fault| {
                let fault = Fault::new(0..0, fault.message, "all axes together");
                faulty(fault.in_file("axes", ""))
            };
            let cell = grid.formula(game.vocabulary).map_err(whole)?;
            school.lesson(&cell, learners, &training.others)?;
            let text = grid.bot(game.vocabulary.question, "", &vec![0; grid.cells()]);
            let bot = Strategy::from_toml("solved", "solved", &text, game.vocabulary);
            let bot = bot.map_err(|fault| whole(fault.fault))?;
            let bot = Seat::new(bot, &[]);
            let bot = bot.map_err(|error| whole(Fault::new(0..0, error.to_string(), "")))?;
            check_alone(training, &bot)?;
        }
        self.axes = Some(grid.clone());
        let from = self.starting_policy(game, training, &grid, library)?;
        let (from, start) = from.unzip();
        training.from = from;
        Ok(Policy { grid, finer, start })
    }

    /// The bot that learning starts from, and what it plays in each cell.
    fn starting_policy(
        &self,
        game: &Game,
        training: &Training,
        grid: &Grid,
        library: &Library,
    ) -> Result<Option<(Seat, Vec<u8>)>, StudyError> {
        let Some(name) = self.starting_name(game, training, library) else {
            return Ok(None);
        };
        let bot = match library.seats(game, &SeatSpec::of(&name)) {
            Ok(mut bots) => bots.remove(0),
            // Manifests of older versions lack it: learning started from scratch.
            Err(_) if self.from.is_none() => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let seated = check_alone(training, &bot);
        if seated.is_err() && self.from.is_none() {
            return Ok(None);
        }
        seated?;
        let policy = policy_of(&bot, game, training, grid);
        if policy.is_none() && self.from.is_some() {
            refuse!(
                "from = {name:?}: training cannot start from this bot, which has other features; \
                 name a bot that `carat solve` wrote for this game and number of players, or \
                 `{NOTHING}`"
            );
        }
        Ok(policy.map(|policy| (bot, policy)))
    }

    fn scored(
        &self,
        game: &Game,
        how: &'static ByOptions,
        training: &mut Training,
        library: &Library,
    ) -> Result<Scored, StudyError> {
        let name = how.first;
        let first = library.seats(game, &SeatSpec::of(name))?.remove(0);
        training
            .rules
            .table(&training.seats(&first), Default::default())?;
        let mut scored = match Scored::new(game, how, first) {
            Ok(scored) => scored,
            Err(why) => refuse!(
                "training starts from `{name}`, but your own file of that name {why}; rename it"
            ),
        };
        if let Some(name) = self.starting_name(game, training, library) {
            let bot = library.seats(game, &SeatSpec::of(&name))?.remove(0);
            scored.start = scored.sum_of(&bot);
            if scored.start.is_none() && self.from.is_some() {
                refuse!(
                    "from = {name:?}: training cannot start from this bot; name a bot that \
                     `carat solve` wrote for this game, or `{NOTHING}`"
                );
            }
            training.from = scored.start.is_some().then_some(bot);
        }
        Ok(scored)
    }

    /// The name of the bot that learning starts from: the requested one, else the included trained
    /// one in self-play for wins.
    fn starting_name(&self, game: &Game, training: &Training, library: &Library) -> Option<String> {
        let own = format!("solved-{}", training.players());
        match self.from.as_deref() {
            Some(NOTHING) => None,
            Some(name) => Some(name.to_string()),
            None if training.learners == 1 || !training.wins() => None,
            None => (library.strategy_names(game).contains(&own)).then_some(own),
        }
    }
}

/// The play of a learnt bot in each cell of a grid, if its axes fit.
fn policy_of(bot: &Seat, game: &Game, training: &Training, grid: &Grid) -> Option<Vec<u8>> {
    let own_rules = bot.strategy.made_for.as_ref().and_then(|made_for| {
        let mut editions = game.editions.iter();
        let edition = editions.find(|edition| Some(edition.name) == made_for.rules.as_deref())?;
        let rules = apply(edition.name, edition.text, &made_for.set).ok()?;
        read_rules(game, edition.name, &rules).ok()
    });
    let school = own_rules.as_ref().unwrap_or(&training.rules);
    let school = school.school(training.players())?;
    let own_grid = school.grid(training.players(), training.wins(), training.learners == 1);
    let policy = own_grid.policy(&bot.strategy.text)?;
    let inherited = inherited(grid, &own_grid, &policy);
    (inherited.len() == grid.cells()).then_some(inherited)
}
