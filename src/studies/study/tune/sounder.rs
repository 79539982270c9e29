//! Of values that meet targets equally well, those whose game shows fewer signs that it is broken.

use super::Resolved;
use crate::study::flaws::find_flaws;
use carat_core::analysis::flaws::FoundFlaw;
use carat_core::library::Library;
use carat_core::simulation::{Player, Stopped};
use carat_core::tuning::{Deviation, Found, Problem};

impl Resolved {
    /// Signs that a point's rules are broken; none where nothing of the rules varies.
    pub(super) fn flaws(&self, point: &[usize], library: &Library) -> Vec<FoundFlaw> {
        if !self.axes.iter().any(|axis| axis.path.is_of_rules()) {
            return Vec::new();
        }
        let mut tables = Vec::new();
        for at in 0..self.tables.len() {
            let seated = self.table_at(at, point, library).ok();
            tables.extend(seated.map(|seated| (self.name_of(at), seated)));
        }
        let tables = tables.iter().map(|(name, seated)| (name.clone(), seated));
        find_flaws(tables, &[], self.study.run.seed)
    }

    /// Replaces the best point with the rival that shows the fewest signs of a broken game, if it
    /// shows fewer and is as good in new games. Returns whether it replaced it. Does nothing unless
    /// the study has targets.
    pub(super) fn take_sounder(
        &self,
        found: &mut Found,
        problem: &Problem,
        library: &Library,
        player: &mut Player,
    ) -> Result<bool, Stopped> {
        if self.aim.targets.is_empty() {
            return Ok(false);
        }
        let mut fewest = self.flaws(&found.best, library).len();
        let mut sounder = None;
        for rival in &found.rivals {
            if fewest == 0 {
                break;
            }
            let signs = self.flaws(rival, library).len();
            if signs < fewest {
                (fewest, sounder) = (signs, Some(rival.clone()));
            }
        }
        let Some(rival) = sounder else {
            return Ok(false);
        };
        let aim = found.aim.clone();
        let problem = Problem {
            aim: &aim,
            name: "sounder ",
            first_game: found.next_game,
            ..*problem
        };
        let both = self.judged(&problem, library, [&rival, &found.best], player)?;
        found.next_game = both.next_game;
        let is_better = both.deviations.iter().any(Deviation::is_better);
        let is_as_good = both.is_as_good_as(&found.best) && !is_better;
        if is_as_good {
            found.change_best(rival, problem.space);
        }
        Ok(is_as_good)
    }
}
