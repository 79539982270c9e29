//! The tournament: bots in all line-ups, their ratings and an equilibrium mix.

use super::Sides;
use super::error::{StudyError, refuse};
use super::kind::{Capped, Outcome, Ready};
use super::library::{Library, SourceText, Sources};
use super::path::Path;
use super::paths::changed;
use super::run::Spec;
use super::table::{TableSpec, checked_rules};
use super::typed::{self, Bots, Example, parse_number};
use crate::diagnostic::counted;
use crate::game::{Game, Rules, Seating, Table};
use crate::simulation::{Games, Goal, Missed, Player, Stopped};
use crate::statistics::Estimate;
use crate::strategy::{Seat, SeatSpec};
use crate::thinking;
use crate::tournament::{self, Entry, Field, LineUps, PlayedField};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Most line-ups when no number is given.
const LINE_UPS: usize = 6500;
/// Default games of each line-up with bots that think.
const GAMES_OF_THINKERS: u64 = 10;
const LINE_UPS_MAX: usize = 20_000;

/// Play all line-ups of bots, and report ratings and an equilibrium mix
///
/// A line-up may hold copies of a bot. carat plays all line-ups or, if there are very many, a
/// random sample. The rating of a bot is its win share when every other seat is drawn from all
/// bots. The equilibrium mix gives each bot a probability such that no player gains by switching to
/// another bot. With sides, such as --b rules.traps.snake=4, the same line-ups play the same games
/// under several rules, and carat reports how the ratings change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
#[command(mut_args(typed::without("tournament")))]
pub struct Tournament {
    #[command(flatten)]
    #[serde(skip)]
    pub spec: Spec,
    /// The bots, `BOT[:param=value,…]` each, separated by spaces, or by commas if no bot has
    /// parameters [default: all in `carat list`, except bots that think and bots made for other
    /// numbers of players]
    #[arg(long, value_name = "BOT", num_args = 1.., add = Example::given("[\"threshold\", \"depth\", \"traps\"]"))]
    pub bots: Option<Vec<Bots>>,
    /// Maximum number of line-ups; if there are more, play a random sample [default: 6500]
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true, add = Example::of("500"))]
    pub line_ups: Option<usize>,
    #[command(flatten)]
    #[serde(default)]
    pub sides: Sides,
}

pub struct Resolved {
    pub study: Tournament,
    pub game: &'static Game,
    /// The rules of all sides; usually one.
    pub sides: Vec<Side>,
    pub bots: Vec<Seat>,
    pub line_ups: LineUps,
    /// The tables of each of `line_ups.entries`, one per side.
    pub tables: Vec<Box<dyn Table>>,
    pub goal: Goal,
    pub warnings: Vec<String>,
}

pub struct Side {
    /// The name of the side; empty if it is the only one.
    pub name: String,
    /// The rules file, before changes.
    pub rules: SourceText,
    pub set: Vec<String>,
}

pub struct Played {
    pub resolved: Resolved,
    pub fields: Vec<PlayedField>,
}

impl Tournament {
    pub fn look_up(&self, library: &Library) -> Result<Ready, StudyError> {
        let resolved = self.resolve(library)?;
        Ok(Ready {
            study: resolved.study.clone().into(),
            game: resolved.game,
            sources: resolved.sources(),
            warnings: resolved.warnings(),
            goal: Some(resolved.goal),
            only_table: None,
            play: Box::new(|player| Ok(resolved.play(player)?.into())),
        })
    }

    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let game = self.table.game()?;
        let mut study = self.clone();
        let table = &mut study.table;
        let players = *table.players.get_or_insert(game.players);
        game.check_players(players)?;
        if players < 2 {
            refuse!("players = {players}: a tournament needs at least 2 players at a table");
        }
        let mut sides = Vec::new();
        let mut rules = Vec::new();
        for (name, mut own) in named_sides(table, &self.sides)? {
            let (source, checked) = checked_rules(game, &mut own, library)?;
            sides.push(Side {
                name,
                rules: source,
                set: own.set,
            });
            rules.push(checked);
        }
        if self.sides.is_empty() {
            table.rules = Some(sides[0].rules.name.clone());
        }

        let mut warnings = Vec::new();
        let mut bots = match &self.bots {
            Some(bots) => {
                let bots: Vec<SeatSpec> = bots.iter().flat_map(|bots| bots.0.clone()).collect();
                named(&bots, game, library)?
            }
            None => every(game, library, &rules, players, &mut warnings)?,
        };
        self.table.on_failure.apply(&mut bots);
        if bots.len() < 2 {
            refuse!(
                "{}: a tournament needs at least 2",
                counted(bots.len(), "bot")
            );
        }
        let run = &mut study.run;
        if run.precision.is_none() && run.games.is_none() {
            let games = default_games(game, bots.len(), players, self.line_ups);
            let slow = |bot: &Seat| bot.mind().is_some() || bot.strategy.program.is_some();
            let thinks = bots.iter().any(slow);
            run.games = Some(if thinks { GAMES_OF_THINKERS } else { games });
        }
        let goal = run.fill_goal(game)?;
        if goal.most() > Entry::GAMES_MAX {
            refuse!(
                "games = {}: a tournament plays at most {} in each line-up",
                goal.most(),
                Entry::GAMES_MAX
            );
        }
        study.bots = Some(bots.iter().map(|bot| Bots(vec![bot.spec()])).collect());
        let line_ups = line_ups(self.line_ups, bots.len(), players, study.run.seed, goal)?;
        let mut tables = Vec::new();
        for entry in &line_ups.entries {
            let seats: Vec<Seat> = entry.seats.iter().map(|&bot| bots[bot].clone()).collect();
            for rules in &rules {
                tables.push(thinking::table(
                    rules.as_ref(),
                    &seats,
                    Seating::EveryOrder,
                )?);
            }
        }
        Ok(Resolved {
            tables,
            study,
            game,
            sides,
            bots,
            line_ups,
            goal,
            warnings,
        })
    }
}

impl Resolved {
    pub fn play(self, player: &mut Player) -> Result<Played, Stopped> {
        let tables = self.tables.iter().map(|table| table.as_ref() as _);
        let chunk = self.game.chunk;
        let field = Field {
            line_ups: &self.line_ups,
            tables: &tables.collect::<Vec<_>>(),
            goal: self.goal,
            games: Games {
                seed: self.study.run.seed,
                chunk,
            },
            part: chunk,
        };
        Ok(Played {
            fields: tournament::play(&field, player)?,
            resolved: self,
        })
    }

    fn sources(&self) -> Sources {
        let mut sources = Sources::default();
        for side in &self.sides {
            sources.add(&side.rules, &self.bots);
        }
        sources
    }

    fn warnings(&self) -> Vec<String> {
        let sampled = sampled(&self.line_ups);
        self.warnings.iter().cloned().chain(sampled).collect()
    }
}

/// The warning that line-ups are sampled, with its effects and how to play them all.
pub fn sampled(line_ups: &LineUps) -> Option<String> {
    let LineUps { bots, players, .. } = *line_ups;
    let all = LineUps::number(bots, players);
    if line_ups.complete {
        return None;
    }
    let played = line_ups.entries.len();
    let fit = |bots: &usize| LineUps::number(*bots, players) <= played as u128;
    let fewer = (2..bots).rev().find(fit);
    let mut remedies = Vec::new();
    if all <= LINE_UPS_MAX as u128 {
        remedies.push(format!("line_ups = {all}"));
    }
    remedies.extend(fewer.map(|fewer| format!("at most {fewer} bots")));
    let remedies = if remedies.is_empty() {
        String::new()
    } else {
        format!("; to play all line-ups, use {}", remedies.join(", or "))
    };
    Some(format!(
        "{bots} bots make {all} line-ups of {players}; playing a sample of {played}. Ratings are \
         less precise, and the equilibrium mix uses only games of one bot against copies of \
         another{remedies}"
    ))
}

impl Outcome for Played {
    // Of the bots that may be the best.
    fn missed(&self) -> Option<Missed> {
        let mut ratings: Vec<Estimate> = Vec::new();
        for field in &self.fields {
            let kept = (0..self.resolved.bots.len()).filter(|&bot| field.in_best_set[bot]);
            ratings.extend(kept.map(|bot| field.payoffs.rating(bot)));
        }
        self.resolved.goal.missed(&ratings)
    }

    fn capped(&self) -> Vec<Capped> {
        let of_side = |(side, field): (&Side, &PlayedField)| {
            let payoffs = &field.payoffs;
            let line_ups = payoffs.line_ups.entries.iter().enumerate();
            let line_ups = line_ups.filter_map(|(at, entry)| {
                let bots = entry.seats.iter();
                let bots = bots.map(|&bot| self.resolved.bots[bot].label());
                let bots = bots.collect::<Vec<_>>().join(" + ");
                Some(Capped {
                    name: match side.name.as_str() {
                        "" => bots,
                        side => format!("{bots} on side {side}"),
                    },
                    games: payoffs.games(at),
                    share: payoffs.capped(at)?,
                    length: None,
                })
            });
            line_ups.collect::<Vec<_>>()
        };
        let sides = self.resolved.sides.iter().zip(&self.fields);
        sides.flat_map(of_side).collect()
    }
}

fn named_sides(
    table: &TableSpec,
    sides: &IndexMap<String, Vec<String>>,
) -> Result<Vec<(String, TableSpec)>, StudyError> {
    if sides.is_empty() {
        return Ok(vec![(String::new(), table.clone())]);
    }
    let mut named = Vec::new();
    for (name, changes) in sides {
        let changes = super::compare::changes(changes)?;
        let rules_alone = |path: &Path| matches!(path, Path::Rules | Path::RulesKey(_));
        if let Some((path, _)) = changes.iter().find(|(path, _)| !rules_alone(path)) {
            refuse!(
                "sides: `{path}`: the sides of a tournament may differ only in rules; write \
                 rules=EDITION or rules.KEY=VALUE"
            );
        }
        let TableSpec { rules, set, .. } = changed(table, &changes)?;
        let own = TableSpec {
            rules,
            set,
            ..table.clone()
        };
        named.push((name.clone(), own));
    }
    Ok(named)
}

/// The given bots, each once.
fn named(bots: &[SeatSpec], game: &Game, library: &Library) -> Result<Vec<Seat>, StudyError> {
    let mut seats: Vec<Seat> = Vec::new();
    for bot in bots {
        let mut copies = library.seats(game, bot)?;
        if copies.len() > 1 {
            refuse!("bots: `{bot}`: name the bot once; line-ups include copies");
        }
        if seats.contains(&copies[0]) {
            refuse!("bots: `{bot}` is named twice");
        }
        seats.append(&mut copies);
    }
    Ok(seats)
}

/// All bots known by name that can play under all these rules.
fn every(
    game: &Game,
    library: &Library,
    rules: &[Box<dyn Rules>],
    players: usize,
    warnings: &mut Vec<String>,
) -> Result<Vec<Seat>, StudyError> {
    let names = library.strategy_names(game);
    let all: Vec<SeatSpec> = names.iter().map(|name| SeatSpec::of(name)).collect();
    let mut bots = named(&all, game, library)?;
    bots.retain(|bot| {
        let made_for = made_for(&bot.strategy.name);
        bot.mind().is_none() && made_for.is_none_or(|number| number == players)
    });
    bots.retain(|bot| {
        let copies = vec![bot.clone(); players];
        let mut alone = rules
            .iter()
            .map(|rules| rules.table(&copies, Seating::EveryOrder));
        let wrong = alone.find_map(Result::err);
        if let Some(error) = &wrong {
            warnings.push(format!("{} does not take part: {error}", bot.label()));
        }
        wrong.is_none()
    });
    Ok(bots)
}

/// The number of players that a bot was made for, such as 5 for `solved-5`.
fn made_for(name: &str) -> Option<usize> {
    name.rsplit_once('-')?.1.parse().ok()
}

/// Default games of each line-up, so that all together take a little longer than a simulation.
fn default_games(game: &Game, bots: usize, players: usize, line_ups: Option<usize>) -> u64 {
    let most = line_ups.unwrap_or(LINE_UPS) as u128;
    let line_ups = LineUps::number(bots, players).min(most).max(1) as u64;
    (20 * game.games / line_ups).clamp(100, game.games)
}

/// All line-ups if they are few enough, else a sample.
fn line_ups(
    asked: Option<usize>,
    bots: usize,
    players: usize,
    seed: u64,
    goal: Goal,
) -> Result<LineUps, StudyError> {
    let needed = LineUps::least(bots, players);
    let most = asked.unwrap_or(LINE_UPS.max(needed.min(LINE_UPS_MAX as u128) as usize));
    if !(1..=LINE_UPS_MAX).contains(&most) {
        refuse!("line_ups = {most}: write a number from 1 to {LINE_UPS_MAX}");
    }
    let all = LineUps::number(bots, players);
    if all <= most as u128 {
        return Ok(LineUps::all(bots, players));
    }
    if matches!(goal, Goal::Precision { .. }) {
        let remedy = if all > LINE_UPS_MAX as u128 {
            format!("name fewer bots (line_ups may be at most {LINE_UPS_MAX})")
        } else {
            format!("set line_ups = {all}, or name fewer bots")
        };
        refuse!("precision requires all {all} line-ups, but line_ups = {most}; {remedy}");
    }
    if needed > most as u128 {
        let remedy = if needed > LINE_UPS_MAX as u128 {
            format!("The maximum is {LINE_UPS_MAX}: name fewer bots")
        } else {
            format!("Set line_ups = {needed}, or name fewer bots")
        };
        refuse!(
            "line_ups = {most}: too few to rate {bots} bots. {needed} are needed to include every \
             pair and to rate each bot. {remedy}"
        );
    }
    Ok(LineUps::sample(bots, players, most, seed))
}
