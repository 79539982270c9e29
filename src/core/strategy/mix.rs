//! Bots that are lotteries over other bots, drawn for each game and seat, and their files.
//!
//! ```toml
//! description = "Two in three play by a simple rule, one in three plays like an expert."
//! mix = { "simple:enough=19" = 2, "solved-5" = 1 }
//! ```

use super::file::{BotFile, check_file, number, table_of, text_of};
use super::made_for::{FIT, MadeFor};
use super::{Seat, SeatError, SeatSpec, Strategy};
use crate::diagnostic::{Diagnostic, Fault};
use crate::formula::{Formula, Lot, Vocabulary};
use crate::streams;
use toml::de::DeTable;

/// Most bots of a mix, counting the parts of nested mixes; neighbours that differ in their
/// parameters alone count as one, …
pub const PARTS_MAX: usize = 32;
/// … up to this many bots.
pub const MEMBERS_MAX: usize = 256;

/// A bot that a mix plays in some games.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub spec: SeatSpec,
    /// Its probability.
    pub share: f64,
    lot: Lot,
}

pub struct MixFile {
    /// The bots with their weights, all above 0, in the order of the file.
    pub parts: Vec<(SeatSpec, f64)>,
    description: Option<String>,
    made_for: Option<MadeFor>,
}

impl MixFile {
    /// Parses a file, if it is a mix.
    pub fn read(file: &BotFile) -> Result<Option<MixFile>, Diagnostic> {
        file.read_if("mix", read)
    }

    /// The mix called `name` from this file, with the bots that its parts name.
    pub fn bot(
        self,
        name: &str,
        text: &str,
        seats: Vec<Seat>,
        vocabulary: &Vocabulary,
    ) -> Result<Strategy, SeatError> {
        let weights = self.parts.iter().map(|(_, weight)| *weight);
        let parts: Vec<(Seat, f64)> = seats.into_iter().zip(weights).collect();
        let mix = Strategy::mix(name, text, &parts, vocabulary)?;
        Ok(Strategy {
            description: self.description.unwrap_or(mix.description),
            made_for: self.made_for,
            ..mix
        })
    }
}

fn read(document: &DeTable) -> Result<MixFile, Fault> {
    check_file(document, &["description", "mix", "made_for"], "a mix")?;
    let mix = &document["mix"];
    let mut parts = Vec::new();
    for (key, value) in table_of("mix", mix)? {
        let name = key.get_ref();
        let spec = SeatSpec::one(name)
            .map_err(|error| Fault::new(key.span(), error.to_string(), "a bot of this mix"))?;
        let weight = number(value, &format!("the weight of `{name}`"))?;
        if weight <= 0.0 {
            let message = format!("the weight of `{name}` must be above 0");
            return Err(Fault::new(value.span(), message, "out of range"));
        }
        parts.push((spec, f64::from(weight)));
    }
    if parts.is_empty() {
        let fault = Fault::new(mix.span(), "the mix is empty", "no bot is named");
        let help = "write `mix = { \"BOT\" = 2, \"BOT:PARAM=VALUE\" = 1 }`";
        return Err(fault.with_help(help.to_owned()));
    }
    Ok(MixFile {
        parts,
        description: text_of(document, "description")?,
        made_for: MadeFor::of(document)?,
    })
}

impl Strategy {
    /// The lottery over `parts`, each a bot with its weight, as a bot called `name` with the file
    /// `text`. Nested mixes are flattened. Fails with [`SeatError::Mixes`] for bots that think, and
    /// [`SeatError::Parts`] for more than `PARTS_MAX` or `MEMBERS_MAX`. Panics if `parts` is empty.
    pub fn mix(
        name: &str,
        text: &str,
        parts: &[(Seat, f64)],
        vocabulary: &Vocabulary,
    ) -> Result<Strategy, SeatError> {
        let total: f64 = parts.iter().map(|(_, weight)| weight).sum();
        let mut flat: Vec<Part> = Vec::new();
        let mut made_of = Vec::new();
        for (seat, weight) in parts {
            let strategy = &seat.strategy;
            seat.formula_only()?;
            if strategy.thinks {
                return Err(SeatError::Mixes(seat.label()));
            }
            made_of.push((strategy.name.clone(), strategy.text.clone()));
            made_of.extend(strategy.made_of.iter().cloned());
            let share = weight / total;
            if strategy.parts.is_empty() {
                flat.push(Part {
                    spec: seat.spec(),
                    share,
                    lot: strategy.formula.lot(&seat.values),
                });
            }
            flat.extend(strategy.parts.iter().map(|part| Part {
                share: share * part.share,
                ..part.clone()
            }));
        }
        let alike = flat.chunk_by(|a, b| a.lot.formula == b.lot.formula);
        if alike.count() > PARTS_MAX || flat.len() > MEMBERS_MAX {
            return Err(SeatError::Parts(flat.len()));
        }
        let temper = vocabulary.find("temper").expect("every game has it");
        let lots = flat.iter().map(|part| &part.lot);
        let lots: Vec<(f32, &Lot)> = bounds(&flat).zip(lots).collect();
        let formula = Formula::mixed(&lots, temper);
        let shares = (flat.iter())
            .map(|part| format!("{:.0} % {}", 100.0 * part.share, part.spec))
            .collect::<Vec<_>>();
        Ok(Strategy {
            description: format!("In each game one of {}.", shares.join(", ")),
            made_of,
            parts: flat,
            ..Strategy::of_formula(name, text, formula)
        })
    }
}

/// The upper bound of `temper` for each part.
fn bounds(parts: &[Part]) -> impl Iterator<Item = f32> {
    parts.iter().scan(0.0, |sum, part| {
        *sum += part.share;
        Some(*sum as f32)
    })
}

impl Seat {
    /// The bots of the mix of a person whom `carat fit` knows from a few games, each a person who
    /// may have decided so; empty for other bots.
    pub fn draws(&self) -> Vec<Seat> {
        let made_for = self.strategy.made_for.as_ref();
        if made_for.and_then(|made_for| made_for.by.as_deref()) != Some(FIT) {
            return Vec::new();
        }
        let draw = |Part { lot, .. }: &Part| {
            let formula = lot.formula.bind(&lot.values);
            Seat {
                strategy: Strategy::of_formula(&self.strategy.name, "", formula).into(),
                values: Vec::new(),
                person: self.person.clone(),
            }
        };
        self.strategy.parts.iter().map(draw).collect()
    }

    /// These seats, each with one of its [draws](Seat::draws), as often as the seat with most has
    /// any; empty if no seat has several.
    pub fn each_draw(seats: &[Seat]) -> Vec<Vec<Seat>> {
        let draws = Vec::from_iter(seats.iter().map(Seat::draws));
        let count = draws.iter().map(Vec::len).max().unwrap_or(0);
        let count = if count < 2 { 0 } else { count };
        let drawn = |at: usize| {
            let seats = seats.iter().zip(&draws).map(|(seat, draws)| {
                let draw = draws.get(at % draws.len().max(1));
                draw.unwrap_or(seat).clone()
            });
            seats.collect()
        };
        (0..count).map(drawn).collect()
    }

    /// The bot that a mix plays at seat `seat`, from 0, in the game with this key.
    pub fn drawn(&self, key: u64, seat: usize) -> Option<&SeatSpec> {
        let parts = &self.strategy.parts;
        if parts.len() < 2 {
            return None;
        }
        let temper = streams::temper(key, seat);
        let drawn = bounds(parts).position(|bound| temper < bound);
        let part = drawn.or_else(|| parts.len().checked_sub(1))?;
        Some(&parts[part].spec)
    }
}
