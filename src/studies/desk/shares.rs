//! A question that several desks answer together: each plays a shard of the games of a step, and
//! one adds up the sums of all. The step has the answer of a single desk to the last byte.

use super::{Fault, Fields, fault, fields, misread, stopped, take};
use crate::report::checksum;
use carat_core::simulation::{FinishedParts, NotKept, Shard, Sharing, Sums};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Plays of a step: of the table, of the pinned one, and of both in the same games.
const PLAYS: usize = 3;

/// A shard of a step; its sums are the answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    step: usize,
    shard: String,
    state: Option<String>,
}

/// All shards of a step, in their order.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Merge {
    step: usize,
    parts: Vec<String>,
    state: Option<String>,
}

/// What a play is handed, and what it leaves.
#[derive(Default)]
pub struct Earlier {
    pub sharing: Option<Sharing>,
    /// The sums of the step before, to which games are added.
    pub state: Option<Vec<u8>>,
    /// The sums of shards.
    parts: HashMap<String, Sums>,
}

impl FinishedParts for Earlier {
    fn recall(&mut self, part: &str) -> Option<Sums> {
        self.parts.remove(part)
    }

    fn keep(&mut self, part: &str, sums: &Sums) -> Result<(), NotKept> {
        if self.sharing.is_some() {
            self.parts.insert(part.to_string(), sums.clone());
        }
        Ok(())
    }

    fn recall_state(&mut self, _of: &str) -> Option<Vec<u8>> {
        self.state.take()
    }
}

/// The steps of a question, or the one that is shared.
#[derive(Default)]
pub struct Shares {
    pub step: Option<usize>,
    sharing: Option<Sharing>,
    pub plays: [Earlier; PLAYS],
    /// The checksums of the questions that the sums are of, and of this one.
    theirs: Vec<String>,
    own: String,
}

impl Shares {
    pub fn read(question: &mut Fields) -> Result<Shares, Fault> {
        let (part, merge) = (take(question, "part")?, take(question, "merge")?);
        let mut shares = Shares::default();
        let state = match (part, merge) {
            (None, None) => return Ok(shares),
            (Some(_), Some(_)) => return Err(fault("merge", "not allowed beside `part`")),
            (Some(Part { step, shard, state }), None) => {
                let shard: Shard = shard.parse().map_err(|why: String| fault("part", why))?;
                (shares.step, shares.sharing) = (Some(step), Some(Sharing::Play(shard)));
                state
            }
            (None, Some(Merge { step, parts, state })) => {
                let last = format!("{0}/{0}", parts.len()).parse();
                let Shard { of, .. } = last.map_err(|why: String| fault("merge", why))?;
                (shares.step, shares.sharing) = (Some(step), Some(Sharing::Merge(of)));
                for part in &parts {
                    let (of, sums): (String, [HashMap<String, Sums>; PLAYS]) = read("merge", part)?;
                    shares.theirs.push(of);
                    for (play, sums) in shares.plays.iter_mut().zip(sums) {
                        play.parts.extend(sums);
                    }
                }
                state
            }
        };
        let field = shares.field();
        if let Some(state) = state {
            let states: [Option<Vec<u8>>; PLAYS] = read(field, &state)?;
            for (play, state) in shares.plays.iter_mut().zip(states) {
                play.state = state;
            }
        }
        for play in &mut shares.plays {
            play.sharing = shares.sharing;
        }
        Ok(shares)
    }

    /// Refuses sums of another question, which is all that decides about games.
    pub fn check(&mut self, question: &str) -> Result<(), Fault> {
        self.own = checksum(format!("{:?} {question}", self.step).as_bytes());
        if self.theirs.iter().any(|of| *of != self.own) {
            return Err(fault("merge", "these sums are of another question or step"));
        }
        Ok(())
    }

    pub fn is_merge(&self) -> bool {
        matches!(self.sharing, Some(Sharing::Merge(_)))
    }

    fn field(&self) -> &'static str {
        if self.is_merge() { "merge" } else { "part" }
    }

    pub fn no_step(&self) -> Fault {
        fault(self.field(), "there are fewer steps")
    }

    /// The sums of the shard, which has no results.
    pub fn sums(&self, stop: &AtomicBool) -> Result<Fields, Fault> {
        let is_stopped = stop.load(Ordering::Relaxed);
        match self.sharing {
            Some(Sharing::Play(_)) if !is_stopped => {
                let plays = self.plays.each_ref().map(|play| &play.parts);
                Ok(fields(json!({ "sums": text(&(&self.own, plays))? })))
            }
            Some(Sharing::Merge(_)) if !is_stopped => {
                Err(fault("merge", "sums of some shards are missing"))
            }
            _ => Err(stopped()),
        }
    }

    /// What the next step goes on from.
    pub fn state(&self) -> Result<Fields, Fault> {
        let states = self.plays.each_ref().map(|play| &play.state);
        Ok(fields(json!({ "state": text(&states)? })))
    }
}

fn read<T: for<'a> Deserialize<'a>>(field: &str, text: &str) -> Result<T, Fault> {
    serde_json::from_str(text).map_err(|error| misread(field, error))
}

/// As a text, as numbers of any size come through JSON in it unchanged.
fn text(of: &impl Serialize) -> Result<String, Fault> {
    serde_json::to_string(of).map_err(|error| fault("part", error))
}
