//! The tournament: bots in all line-ups, their ratings and an equilibrium mix.

use super::Sides;
use super::error::{StudyError, refuse};
use super::kind::{Capped, Known, Outcome};
#[cfg(feature = "clap")]
use super::options::{self, Example, parse_number};
use super::paths::changed;
use super::remark::Remark;
use super::run::{RunSpec, Spec};
use super::table::{PEOPLE, TEMPERAMENTS, checked_rules, made_elsewhere};
use super::typed::Bots;
use carat_core::diagnostic::counted;
use carat_core::game::{Game, MetricRef, Rules, Scope, Seating, Table, WIN_SHARE};
use carat_core::library::{Library, SourceText, Sources};
use carat_core::simulation::{Design, Goal, Player, Stopped};
use carat_core::strategy::{MadeFor, Seat, SeatSpec};
use carat_core::thinking;
use carat_core::tournament::{self, Entry, LineUps, PlayedField};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Shared keys that this kind does not use.
pub const UNUSED: &str = "seats others people seating expect";

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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", command(mut_args(options::without(UNUSED))))]
pub struct Tournament {
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub spec: Spec,
    /// The bots, `BOT[:param=value,…]` each, separated by spaces, or by commas if no bot has
    /// parameters [default: all in `carat list`, except bots that think and bots made for other
    /// numbers of players]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BOT", num_args = 1.., add = Example::given("[\"threshold\", \"depth\", \"traps\"]")))]
    pub bots: Option<Vec<Bots>>,
    /// Maximum number of line-ups, up to 20000; if there are more, play a random sample [default:
    /// 6500]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true, add = Example::of("500")))]
    pub line_ups: Option<usize>,
    #[cfg_attr(feature = "clap", command(flatten))]
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
    /// Each line-up is a group, with an arm for each side.
    pub design: Design,
    pub warnings: Vec<Remark>,
}

pub struct Side {
    /// The name of the side; empty if it is the only one.
    pub name: String,
    /// The rules file, before changes.
    pub rules: SourceText,
    /// The rules by name, the changes to them, and the number of players.
    pub table: MadeFor,
    /// The bots, where `adapted` is the population of this table.
    bots: Vec<Seat>,
    checked: Box<dyn Rules>,
}

pub struct Played {
    pub resolved: Resolved,
    pub fields: Vec<PlayedField>,
}

impl Tournament {
    pub fn resolve(&self, library: &Library) -> Result<Resolved, StudyError> {
        let game = self.table.game()?;
        let mut study = self.clone();
        let players = *study.table.players.get_or_insert(game.players);
        game.check_players(players)?;
        if players < 2 {
            refuse!("players = {players}: a tournament needs at least 2 players at a table");
        }
        let mut sides = study.resolve_sides(game, library)?;
        if self.sides.0.is_empty() {
            study.table.rules = Some(sides[0].rules.name.clone());
        }
        let mut warnings = Vec::new();
        let named = match &self.bots {
            Some(bots) => bots.iter().flat_map(|bots| bots.0.clone()).collect(),
            None => study.every(library, &sides, &mut warnings)?,
        };
        for side in &mut sides {
            side.bots = seats_of(&named, game, &side.table, library)?;
            self.table.on_failure.apply(&mut side.bots);
        }
        let bots = sides[0].bots.clone();
        if bots.len() < 2 {
            let bots = counted(bots.len(), "bot");
            refuse!("{bots}: a tournament needs at least 2");
        }
        let goal = self.fill_goal(game, &bots, players, &mut study.run)?;
        let spec = |bot: &Seat| SeatSpec {
            label: bot.person.clone(),
            ..bot.spec()
        };
        study.bots = Some(bots.iter().map(|bot| Bots(vec![spec(bot)])).collect());
        let line_ups = self.laid_out(bots.len(), players, goal)?;
        warnings.extend(sampled(&line_ups));
        for side in &sides {
            let elsewhere =
                made_elsewhere(game, &side.rules, &side.table.set, &side.bots, players)?;
            warnings.extend(elsewhere);
        }
        let mut arms = Vec::new();
        for entry in &line_ups.entries {
            for side in &sides {
                arms.push(self.seat(entry, side)?);
            }
        }
        let populations = arms.iter().map(|arm| arm.layout().populations).max();
        for arm in &mut arms {
            arm.layout_mut().populations = populations.unwrap_or(0);
        }
        let arms: Vec<Arc<dyn Table>> = arms.into_iter().map(Arc::from).collect();
        Ok(Resolved {
            design: Design {
                groups: (0..arms.len()).map(|arm| arm / sides.len()).collect(),
                arms,
                metric: MetricRef {
                    name: WIN_SHARE,
                    scope: Scope::EverySeat,
                },
                goal,
                games: study.run.dealt(game.chunk),
                seeds: Vec::new(),
                gates: Vec::new(),
            },
            study,
            game,
            sides,
            bots,
            line_ups,
            warnings,
        })
    }

    /// The sides with their rules, without bots. A tournament without sides has one.
    fn resolve_sides(&self, game: &Game, library: &Library) -> Result<Vec<Side>, StudyError> {
        let mut named = self.sides.changes()?;
        if named.is_empty() {
            named.push(("", Vec::new()));
        }
        let mut sides = Vec::new();
        for (name, changes) in named {
            if let Some((path, _)) = changes.iter().find(|(path, _)| !path.is_of_rules()) {
                refuse!(
                    "sides: `{path}`: the sides of a tournament may differ only in rules; write \
                     rules=EDITION or rules.KEY=VALUE"
                );
            }
            let of_side = |error: StudyError| error.of_side(name, &changes);
            let mut table = changed(&self.table, &changes).map_err(of_side)?;
            let checked = checked_rules(game, &mut table, library);
            let (rules, checked) = checked.map_err(of_side)?;
            sides.push(Side {
                name: name.to_string(),
                rules,
                table: table.made_for(table.players),
                bots: Vec::new(),
                checked,
            });
        }
        Ok(sides)
    }

    /// The goal of each line-up; fills in the number of games.
    fn fill_goal(
        &self,
        game: &Game,
        bots: &[Seat],
        players: usize,
        run: &mut RunSpec,
    ) -> Result<Goal, StudyError> {
        let most = self.line_ups.unwrap_or(LINE_UPS) as u128;
        let line_ups = LineUps::number(bots.len(), players).min(most).max(1) as u64;
        let slow = |bot: &Seat| bot.mind().is_some() || bot.strategy.program.is_some();
        let goal = run.fill_goal(if bots.iter().any(slow) {
            GAMES_OF_THINKERS
        } else {
            // All together take a little longer than a simulation.
            (20 * game.games / line_ups).clamp(100, game.games)
        })?;
        let (games, most) = (goal.most(), Entry::GAMES_MAX);
        if games > most {
            refuse!("games = {games}: a tournament plays at most {most} in each line-up");
        }
        Ok(goal)
    }

    /// The table of a line-up on a side.
    fn seat(&self, entry: &Entry, side: &Side) -> Result<Box<dyn Table>, StudyError> {
        let seats = entry.seats.iter().map(|&bot| side.bots[bot].clone());
        let seats: Vec<Seat> = seats.collect();
        let mut tables = thinking::tables(&*side.checked, &seats, Seating::EveryOrder)?;
        if !self.table.on_failure.is_stop() {
            for table in &mut tables {
                table.layout_mut().count_passes();
            }
        }
        Ok(thinking::take_turns(tables))
    }

    /// All bots known by name that can play under all these rules. Of the temperaments `people` is
    /// one for all.
    fn every(
        &self,
        library: &Library,
        sides: &[Side],
        warnings: &mut Vec<Remark>,
    ) -> Result<Vec<SeatSpec>, StudyError> {
        let game = self.table.game()?;
        let players = self.table.players.unwrap_or(game.players);
        let mut all = Vec::new();
        for name in library.strategy_names(game) {
            // `solved-5` was made for 5 players.
            let number = name.rsplit_once('-').map(|(_, number)| number);
            let made_for = number.and_then(|number| number.parse::<usize>().ok());
            let spec = SeatSpec::of(&name);
            let bot = library.seats(game, &spec)?.remove(0);
            let is_one_of_people = name != PEOPLE && TEMPERAMENTS.contains(&name.as_str());
            let is_for_others = made_for.is_some_and(|number| number != players);
            if bot.mind().is_some() || is_for_others || is_one_of_people {
                continue;
            }
            let copies = vec![bot; players];
            let tables = sides.iter();
            let mut tables = tables.map(|side| side.checked.table(&copies, Seating::EveryOrder));
            match tables.find_map(Result::err) {
                Some(error) => warnings.push(Remark::TakesNoPart(name, error.to_string())),
                None => all.push(spec),
            }
        }
        Ok(all)
    }

    /// All line-ups if they are few enough, else a sample.
    fn laid_out(&self, bots: usize, players: usize, goal: Goal) -> Result<LineUps, StudyError> {
        let needed = LineUps::least(bots, players);
        let usual = LINE_UPS.max(needed.min(LINE_UPS_MAX as u128) as usize);
        let most = self.line_ups.unwrap_or(usual);
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
                "line_ups = {most}: too few to rate {bots} bots. {needed} are needed to include \
                 every pair and to rate each bot. {remedy}"
            );
        }
        Ok(LineUps::sample(bots, players, most, self.run.seed))
    }
}

impl Resolved {
    pub fn play(self, player: &mut Player) -> Result<Played, Stopped> {
        Ok(Played {
            fields: tournament::play(&self.line_ups, &self.design, player)?,
            resolved: self,
        })
    }

    pub fn known(&self) -> Known<Tournament> {
        let mut sources = Sources::default();
        for side in &self.sides {
            sources.add(&side.rules, &side.bots);
        }
        Known::of(&self.study, self.game, sources, self.warnings.clone())
    }
}

/// The warning that line-ups are sampled.
pub fn sampled(line_ups: &LineUps) -> Option<Remark> {
    let LineUps { bots, players, .. } = *line_ups;
    let played = line_ups.entries.len();
    (!line_ups.complete).then_some(Remark::Sampled(bots, players, played, LINE_UPS_MAX))
}

impl Played {
    pub fn outcome(&self) -> Outcome {
        let (mut ratings, mut capped) = (Vec::new(), Vec::new());
        for (side, field) in self.resolved.sides.iter().zip(&self.fields) {
            let payoffs = &field.payoffs;
            // Of the bots that may be the best.
            let kept = (0..self.resolved.bots.len()).filter(|&bot| field.in_best_set[bot]);
            ratings.extend(kept.map(|bot| payoffs.rating(bot)));
            for (at, entry) in payoffs.line_ups.entries.iter().enumerate() {
                let Some(share) = payoffs.capped(at) else {
                    continue;
                };
                let bots = entry.seats.iter().map(|&bot| &self.resolved.bots[bot]);
                let bots = Vec::from_iter(bots.map(Seat::label)).join(" + ");
                capped.push(Capped {
                    name: match side.name.as_str() {
                        "" => bots,
                        side => format!("{bots} on side {side}"),
                    },
                    games: payoffs.games(at),
                    share,
                    length: None,
                });
            }
        }
        Outcome {
            missed: self.resolved.design.goal.missed(&ratings),
            passes: self.fields[0].payoffs.passes,
            capped,
            ..Outcome::default()
        }
    }
}

/// The given bots, each once, at this table.
fn seats_of(
    bots: &[SeatSpec],
    game: &Game,
    table: &MadeFor,
    library: &Library,
) -> Result<Vec<Seat>, StudyError> {
    let mut seats: Vec<Seat> = Vec::new();
    for bot in bots {
        let mut copies = library.seats_at(game, bot, table)?;
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
