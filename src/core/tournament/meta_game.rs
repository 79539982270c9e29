//! The meta-game: every player picks a bot, and earns what that bot earns among the others'.
//!
//! If all line-ups were played, the game is solved exactly: one bot against a field with every seat
//! drawn from the mix. Of a sample it is the game of one bot against copies of one bot that is
//! drawn from the mix. Solving a game between bots by the payoffs that simulation measures is
//! called empirical game-theoretic analysis (Wellman 2006).

use super::Payoffs;
use super::payoffs::{Weights, arrangements, scaled};
use crate::equilibrium::{SymmetricGame, Term, dominator, sensitivity, solve};
use crate::statistics::{Estimate, Unit, Z95};
use std::collections::BTreeMap;

pub struct MetaGame {
    pub standings: Vec<BotStanding>,
    /// The gain of the best response over the mix itself, by the measured payoffs.
    pub exploitability: f64,
    /// The mix is known when no bot outside it is statistically tied with it, and no bot inside
    /// could be left out unnoticed. Reaching that takes at least this multiple of the games of each
    /// line-up: at most 1 when it is known, infinite when a difference is 0 or lost in what
    /// populations differ by.
    pub games_factor: f64,
}

pub struct BotStanding {
    /// Its win rate when the other seats are drawn uniformly from all bots.
    pub rating: Estimate,
    /// Its share of the equilibrium mix; from 0 to 1 if the mix is not known.
    pub mix: Estimate,
    /// How much less than the mix it earns among the mix; the interval holds for this mix.
    pub regret: Estimate,
    /// Whether it is an equilibrium by itself: every other bot earns significantly less than the
    /// fair share among its copies.
    pub lasts_alone: bool,
    /// A mix of other bots that earns more against every field, with 95 % confidence against each.
    pub dominated_by: Option<Vec<(usize, f64)>>,
}

/// What a bot earned in a field that it met, and the entry it was met in.
struct Met {
    term: Term,
    entry: usize,
}

impl MetaGame {
    pub fn of(payoffs: &Payoffs) -> MetaGame {
        let bots = payoffs.line_ups.bots;
        let met: Vec<Vec<Met>> = (0..bots).map(|bot| fields(payoffs, bot)).collect();
        let terms = |met: &Vec<Met>| met.iter().map(|met| met.term.clone()).collect();
        let game = SymmetricGame {
            payoffs: met.iter().map(terms).collect(),
        };
        let equilibrium = solve(&game);
        let mix = &equilibrium.mix;

        let earned = all_among(payoffs, &met, mix);
        let changes = sensitivity(&game, mix);
        let mut games_factor: f64 = match changes {
            Some(_) => 0.0,
            None => f64::INFINITY,
        };
        for bot in (0..bots).filter(|&bot| mix[bot] <= 1.0 - 1e-9) {
            let difference = if mix[bot] > 0.0 {
                let mut without: Vec<f64> = mix.iter().map(|of| of / (1.0 - mix[bot])).collect();
                without[bot] = 0.0;
                regret(payoffs, &all_among(payoffs, &met, &without), &without, bot)
            } else {
                regret(payoffs, &earned, mix, bot)
            };
            let difference = without_rounding(difference);
            let factor = (Z95 * difference.se / difference.value).powi(2);
            games_factor = games_factor.max(factor);
            if difference.is_of_populations() && factor > 1.0 {
                games_factor = f64::INFINITY;
            }
        }
        let part = |bot: usize| {
            let mut weights = Weights::new();
            for (other, earned) in earned.iter().enumerate().filter(|(of, _)| mix[*of] > 0.0) {
                let change = changes.as_ref().map_or(0.0, |changes| changes[bot][other]);
                weights.extend(scaled(earned, change));
            }
            let se = if games_factor <= 1.0 {
                payoffs.estimate(&weights).se
            } else {
                f64::INFINITY
            };
            let part = Estimate::normal(mix[bot], se);
            let part = part.within(part.low.max(0.0), part.high.min(1.0));
            let unit = Unit::Share;
            Estimate { unit, ..part }
        };
        let standing = |bot: usize| BotStanding {
            rating: payoffs.rating(bot),
            mix: part(bot),
            regret: without_rounding(regret(payoffs, &earned, mix, bot).in_points()),
            lasts_alone: lasts_alone(payoffs, bot),
            dominated_by: dominated_by(payoffs, &met, bot),
        };
        MetaGame {
            standings: (0..bots).map(standing).collect(),
            exploitability: equilibrium.exploitability,
            games_factor,
        }
    }

    pub fn mix_is_known(&self) -> bool {
        self.games_factor <= 1.0
    }
}

/// How much less `bot` earns than the mix; `earned` is each bot's payoff among the mix.
fn regret(payoffs: &Payoffs, earned: &[Weights], mix: &[f64], bot: usize) -> Estimate {
    let mut weights: Weights = scaled(&earned[bot], -1.0).collect();
    for (earned, &part) in earned.iter().zip(mix).filter(|(_, part)| **part > 0.0) {
        weights.extend(scaled(earned, part));
    }
    payoffs.estimate(&weights)
}

/// The payoff of each bot when all others draw from the mix, as weights of seats.
fn all_among(payoffs: &Payoffs, met: &[Vec<Met>], mix: &[f64]) -> Vec<Weights> {
    let mut all = vec![Weights::new(); met.len()];
    for (bot, weights) in all.iter_mut().enumerate() {
        for Met { term, entry } in &met[bot] {
            let copies = term.field.iter();
            let copies = copies.map(|&(other, n)| mix[other].powi(n as i32));
            let likely = term.weight * copies.product::<f64>();
            if likely > 0.0 {
                weights.extend(payoffs.weights(*entry, bot, likely));
            }
        }
    }
    all
}

/// A difference within rounding, or within the tolerance of the mix, is set to 0.
fn without_rounding(difference: Estimate) -> Estimate {
    if difference.value.abs() < 1e-9 {
        difference.minus(difference.value)
    } else {
        difference
    }
}

/// The payoff of one `bot` against a field of copies of `other`.
pub fn against(payoffs: &Payoffs, bot: usize, other: usize) -> Option<Estimate> {
    let copies = vec![other; payoffs.line_ups.players - 1];
    let mut entries = payoffs.line_ups.entries.iter();
    let entry = entries
        .position(|entry| !entry.drawn && entry.copies(bot) > 0 && entry.field(bot) == copies)?;
    Some(payoffs.payoff(entry, bot))
}

/// The payoff of one `bot` when one other seat has `other`, and further seats are drawn uniformly
/// from all bots; in a sample, against a field of copies of `other`.
pub fn beside(payoffs: &Payoffs, bot: usize, other: usize) -> Option<Estimate> {
    let line_ups = &payoffs.line_ups;
    if !line_ups.complete {
        return against(payoffs, bot, other);
    }
    let drawn = (line_ups.bots as f64).powi(line_ups.players as i32 - 2);
    let (mut weights, mut games) = (Weights::new(), 0);
    for (at, entry) in line_ups.entries.iter().enumerate() {
        if entry.copies(bot) == 0 {
            continue;
        }
        let mut field = entry.field(bot);
        if let Some(met) = field.iter().position(|&met| met == other) {
            field.remove(met);
            games += payoffs.games(at);
            weights.extend(payoffs.weights(at, bot, arrangements(&field) / drawn));
        }
    }
    Some(payoffs.share(&weights, games))
}

fn lasts_alone(payoffs: &Payoffs, bot: usize) -> bool {
    let fair = 1.0 / payoffs.line_ups.players as f64;
    let mut others = (0..payoffs.line_ups.bots).filter(|&other| other != bot);
    others.all(|other| against(payoffs, other, bot).is_some_and(|earned| earned.high < fair))
}

/// The fields that `bot` met in the meta-game, sorted; the same for every bot.
fn fields(payoffs: &Payoffs, bot: usize) -> Vec<Met> {
    let mut fields = BTreeMap::new();
    for (at, entry) in payoffs.line_ups.entries.iter().enumerate() {
        if entry.drawn || entry.copies(bot) == 0 {
            continue;
        }
        let field = entry.field(bot);
        let alike = field.chunk_by(|a, b| a == b);
        let (bots, weight) = match payoffs.line_ups.complete {
            true => {
                let bots = alike.map(|bots| (bots[0], bots.len() as u32));
                (bots.collect(), arrangements(&field))
            }
            // The first pairing of this bot against copies of another.
            false if entry.seats[0] == bot && alike.count() == 1 => (vec![(field[0], 1)], 1.0),
            false => continue,
        };
        let term = Term {
            field: bots,
            weight,
            payoff: payoffs.payoff(at, bot).value,
        };
        fields.entry(field).or_insert(Met { term, entry: at });
    }
    fields.into_values().collect()
}

/// A single bot that earns significantly more than `bot` against every field, or else a mix of bots
/// that does.
fn dominated_by(payoffs: &Payoffs, met: &[Vec<Met>], bot: usize) -> Option<Vec<(usize, f64)>> {
    let bots = met.len();
    let others = (0..bots).filter(|&other| other != bot);
    let mut singles = others.map(|other| vec![(other, 1.0)]);
    let single = singles.find(|single| earns_more(payoffs, met, single, bot));
    if single.is_some() {
        return single;
    }
    let earned = |met: &Vec<Met>| met.iter().map(|met| met.term.payoff).collect();
    let table: Vec<Vec<f64>> = met.iter().map(earned).collect();
    let (mix, _) = dominator(&table, bot)?;
    let parts = mix.into_iter().enumerate().filter(|(_, part)| *part > 0.0);
    Some(parts.collect()).filter(|mix: &Vec<_>| earns_more(payoffs, met, mix, bot))
}

/// Whether a mix earns significantly more than `bot` against every field.
fn earns_more(payoffs: &Payoffs, met: &[Vec<Met>], mix: &[(usize, f64)], bot: usize) -> bool {
    (0..met[bot].len()).all(|field| {
        let entry = |bot: usize| met[bot][field].entry;
        let mut more = payoffs.weights(entry(bot), bot, -1.0);
        for &(other, part) in mix {
            more.extend(payoffs.weights(entry(other), other, part));
        }
        let more = payoffs.estimate(&more);
        more.value > Z95 * more.se
    })
}
