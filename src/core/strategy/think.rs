//! How a bot thinks before it decides, and the files of bots that think.
//!
//! ```toml
//! description = "Tries each move in 256 games before it makes it."
//! think = { as = "surveyor", playouts = 256 }
//! ```
//!
//! Any bot can: `playouts` and `sigmas` are parameters of all of them.

use super::file::{BotFile, check_file, check_keys, number, string, table_of, text_of};
use super::{Seat, SeatError, SeatSpec, Strategy};
use crate::diagnostic::{Diagnostic, Fault};
use toml::de::DeTable;

/// The parameters of thinking: most playouts of an option (0 for no thinking), and how many
/// standard errors an option must be better to be taken.
const PARAMS: [(&str, f32); 2] = [("playouts", 0.0), ("sigmas", 2.0)];
/// Playouts per option if a file gives no number.
const PLAYOUTS: f32 = 256.0;
const PLAYOUTS_MAX: f32 = 1e6;

/// How a seat thinks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mind {
    /// Most playouts of an option.
    pub playouts: u64,
    /// How many standard errors an option must be better than the one that the bot would take.
    pub sigmas: f64,
}

impl Mind {
    /// How an attacker thinks: it goes where it looks better, for what it gains on the whole.
    pub const ATTACK: Mind = Mind {
        playouts: 256,
        sigmas: 1.0,
    };

    /// The same as parameters of a bot.
    pub fn params(self) -> [(String, f32); 2] {
        let values = [self.playouts as f32, self.sigmas as f32];
        std::array::from_fn(|at| (PARAMS[at].0.to_owned(), values[at]))
    }
}

pub struct ThinkingFile {
    /// The bot that it goes on as.
    pub base: SeatSpec,
    description: Option<String>,
    params: [f32; 2],
}

impl ThinkingFile {
    /// Reads a file, if it is of a bot that thinks.
    pub fn read(file: &BotFile) -> Result<Option<ThinkingFile>, Diagnostic> {
        file.read_if("think", read)
    }

    /// The bot called `name` with this file, where `base` is what it goes on as. Fails when that
    /// thinks itself.
    pub fn bot(self, name: &str, text: &str, base: Seat) -> Result<Strategy, SeatError> {
        base.formula_only()?;
        if base.strategy.thinks {
            return Err(SeatError::Thinks(base.strategy.name.clone()));
        }
        let label = base.label();
        let Seat {
            strategy, values, ..
        } = base;
        let mut bot = Strategy::clone(&strategy).that_thinks();
        let values = values.into_iter().chain(self.params);
        for ((_, default), value) in bot.params.iter_mut().zip(values) {
            *default = value;
        }
        let mut made_of = vec![(strategy.name.clone(), strategy.text.clone())];
        made_of.extend(strategy.made_of.iter().cloned());
        Ok(Strategy {
            name: name.to_owned(),
            description: (self.description).unwrap_or_else(|| format!("Thinks, as {label}.")),
            text: text.into(),
            base: Some(strategy.name.clone()),
            made_of,
            ..bot
        })
    }
}

fn read(document: &DeTable) -> Result<ThinkingFile, Fault> {
    check_file(document, &["description", "think"], "a bot that thinks")?;
    let description = text_of(document, "description")?;
    let think = table_of("think", &document["think"])?;
    check_keys(think, &["as", "playouts", "sigmas"], "`think`")?;
    let (base, place) = string(think, "as")?;
    let base = SeatSpec::one(&base)
        .map_err(|error| Fault::new(place, error.to_string(), "the bot it plays as"))?;
    let value = |param: &str, default: f32| {
        let Some(value) = think.get(param) else {
            return Ok(default);
        };
        let read = number(value, &format!("`{param}`"))?;
        let fault = |why| Err(Fault::new(value.span(), why, "out of range"));
        refusal(param, read).map_or(Ok(read), fault)
    };
    let [(playouts, _), (sigmas, usual)] = PARAMS;
    Ok(ThinkingFile {
        base,
        description,
        params: [value(playouts, PLAYOUTS)?, value(sigmas, usual)?],
    })
}

pub(super) fn refusal(param: &str, value: f32) -> Option<String> {
    match param {
        "playouts" if value.fract() != 0.0 || !(0.0..=PLAYOUTS_MAX).contains(&value) => {
            Some(format!(
                "playouts = {value}: write a whole number from 0 (no thinking) to {PLAYOUTS_MAX}"
            ))
        }
        "sigmas" if value < 0.0 => Some(format!(
            "sigmas = {value}: write a number of standard errors, at least 0"
        )),
        _ => None,
    }
}

pub fn is_of_thinking(param: &str) -> bool {
    PARAMS.iter().any(|(name, _)| *name == param)
}

impl Strategy {
    /// The same bot with the parameters of thinking, which it does not do unless they say so.
    pub fn that_thinks(mut self) -> Strategy {
        let others = self.populations.into_iter();
        self.populations = others.map(Strategy::that_thinks).collect();
        let more = PARAMS.map(|(name, value)| (name.to_owned(), value));
        self.params.extend(more);
        self.thinks = true;
        self
    }
}

impl Seat {
    /// What it goes on as, where it thinks.
    pub fn base(&self) -> SeatSpec {
        let Strategy { name, base, .. } = &*self.strategy;
        let name = base.as_ref().unwrap_or(name);
        let own = self
            .shown_params()
            .filter(|(param, _)| !is_of_thinking(param));
        SeatSpec {
            params: own
                .map(|(param, value)| (param.to_owned(), value))
                .collect(),
            ..SeatSpec::of(name)
        }
    }

    /// How it thinks, if it does.
    pub fn mind(&self) -> Option<Mind> {
        match *self.values.as_slice() {
            [.., playouts, sigmas] if self.strategy.thinks && playouts > 0.0 => Some(Mind {
                playouts: playouts as u64,
                sigmas: f64::from(sigmas),
            }),
            _ => None,
        }
    }
}
