//! What all kinds of study have in common, once their names are looked up.

use super::library::Sources;
use super::{Played, Study};
use crate::game::{CAPPED_RATE, Counted, Game, Layout, MetricRef, Table};
use crate::simulation::{Goal, Missed, NotKept, Player, Stopped, Tally};
use std::sync::Arc;

pub trait Outcome {
    /// By what more games can be added later; nothing where they cannot.
    fn state(&self) -> &[u8] {
        &[]
    }

    /// How far it came, if it was told to stop before its end.
    fn interrupted(&self) -> Option<Interrupted> {
        None
    }

    /// What is missing of the precision that was asked for, unless it was told to stop.
    fn missed(&self) -> Option<Missed> {
        None
    }

    /// The tables where a cap of the rules may end games, unless these are learnt or taken apart.
    fn capped(&self) -> Vec<Capped> {
        Vec::new()
    }
}

/// A study that was told to stop, and has results of the games until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted {
    pub games: u64,
    /// Games that it would have played at most.
    pub most: u64,
}

/// A table, or several that played the same bots.
pub struct Capped {
    pub name: String,
    pub games: u64,
    pub share: f64,
    /// How long its games last, where that is known.
    pub length: Option<Length>,
}

/// Mean and median length of games, and what they are counted in.
pub struct Length {
    pub mean: f64,
    pub median: usize,
    pub unit: &'static str,
}

impl Capped {
    /// A table with these games; none where the game has no cap.
    pub fn of(name: String, layout: &Layout, tally: &Tally) -> Option<Capped> {
        let share = tally
            .estimate(layout, MetricRef::of_table(CAPPED_RATE))?
            .value;
        let games = tally.games;
        let counted = Counted {
            layout,
            counts: &tally.counts,
            games,
        };
        let length = layout.lengths.as_ref().and_then(|lengths| {
            let mean = tally.estimate(layout, MetricRef::of_table(lengths.mean))?;
            Some(Length {
                mean: mean.value,
                median: counted.median_length(lengths),
                unit: lengths.unit,
            })
        });
        Some(Capped {
            name,
            games,
            share,
            length,
        })
    }
}

type Playing = Box<dyn FnOnce(&mut Player) -> Result<Played, Stopped>>;

/// A study whose names have been looked up, ready to be played.
pub struct Ready {
    /// The study, with every default filled in.
    pub study: Study,
    pub game: &'static Game,
    pub sources: Sources,
    pub warnings: Vec<String>,
    /// How many games it plays, where it can be shared out among shards. What searches or learns
    /// cannot: it looks at its games too often.
    pub goal: Option<Goal>,
    /// Its table, where there is only one.
    pub only_table: Option<Arc<dyn Table>>,
    pub(super) play: Playing,
}

impl Ready {
    /// Plays the study; `None` when it was interrupted before there was a result.
    pub fn play(self, player: &mut Player) -> Result<Option<Played>, NotKept> {
        match (self.play)(player) {
            Ok(played) => Ok(Some(played)),
            Err(Stopped::Told) => Ok(None),
            Err(Stopped::NotKept(error)) => Err(error),
        }
    }
}
