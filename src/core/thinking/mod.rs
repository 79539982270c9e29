//! Seats that think: before such a seat decides, it tries its options in playouts, and departs from
//! its bot only if another option is clearly better.
//!
//! In playouts all seats follow their bots, which see only what they may see; hidden information is
//! drawn anew each time. So thinking uses nothing that its seat may not see.
//!
//! Seats of external programs are played by the same means.

mod against;
mod judge;
mod process;
mod program;
mod race;
mod turns;

pub use judge::{Judge, Question};
pub use process::kill_all as kill_programs;
pub use program::end_programs;
pub use race::{Advice, Trial, Tries, Worth, play_here};
pub use turns::take_turns;

use crate::game::moments::{Branch, Course, Guide, Moment, Standing};
use crate::game::story;
use crate::game::{Layout, Play, Record, Rules, Seating, SeatingError, Table};
use crate::simulation::{Games, NEVER};
use crate::strategy::{Mind, Seat};
use crate::streams;
use fearless_simd::Level;
use program::{Crew, Programs};
use race::PlayOn;
use std::slice;
use std::sync::{Arc, OnceLock};

/// Divisors of the playouts after which a race looks at its options.
const LOOKS: [u64; 4] = [8, 4, 2, 1];
/// Most options listed for a decision.
const OPTIONS_SHOWN: usize = 4;
/// Playouts at a time: few enough that the records of all options stay in the cache.
const CHUNK: u64 = 1024;

/// Seats bots at a table for each of their populations.
pub fn tables(
    rules: &dyn Rules,
    seats: &[Seat],
    seating: Seating,
) -> Result<Vec<Box<dyn Table>>, SeatingError> {
    let others = |seat: &Seat| seat.strategy.populations.len();
    let populations = 1 + seats.iter().map(others).max().unwrap_or(0);
    let of = |number: usize| {
        let seats = seats.iter().map(|seat| Seat {
            strategy: match seat.strategy.each_population().nth(number) {
                Some(population) => Arc::new(population.clone()),
                None => Arc::clone(&seat.strategy),
            },
            ..seat.clone()
        });
        table(rules, &Vec::from_iter(seats), seating)
    };
    (0..populations).map(of).collect()
}

/// Seats bots at a table; some may think, and external programs may decide for others.
pub fn table(
    rules: &dyn Rules,
    seats: &[Seat],
    seating: Seating,
) -> Result<Box<dyn Table>, SeatingError> {
    let bots = rules.table(seats, seating)?;
    let minds: Vec<Option<Mind>> = seats.iter().map(Seat::mind).collect();
    let programs = Programs::new(rules, seats, seating)?;
    if minds.iter().all(Option::is_none) && programs.is_empty() {
        return Ok(bots);
    }
    Ok(Box::new(Thinking {
        bare: bots.layout().bare(),
        bots,
        minds,
        programs,
        cost: OnceLock::new(),
    }))
}

struct Thinking {
    /// The same table without thinking or programs.
    bots: Box<dyn Table>,
    bare: Layout,
    /// The settings of each thinking seat.
    minds: Vec<Option<Mind>>,
    programs: Programs,
    cost: OnceLock<u64>,
}

/// The playouts before a decision of a seat.
struct Thought {
    seat: usize,
    tried: Advice,
    /// Number of the option that its bot would take.
    bots: usize,
}

impl Thought {
    /// Adds it to the story after its decision: the next of its seat from moment `from` on.
    fn insert_into(&self, course: &mut Course, from: &mut usize) {
        let later = course.moments.iter().enumerate().skip(*from);
        let mut decisions = later.filter_map(|(at, moment)| Some((at, moment.options()?)));
        let Some((at, options)) = decisions.find(|(_, options)| options.seat == self.seat) else {
            return;
        };
        let ranked = (0..options.names.len()).collect();
        let ranked = self.tried.rank(ranked, options.chosen);
        let each = ranked.into_iter().take(OPTIONS_SHOWN).map(|option| {
            let name = &options.names[option];
            let (value, worth) = (self.tried.value(option), &self.tried.options[option]);
            format!("{name}: {value} in {} playouts", worth.playouts)
        });
        let each = each.collect::<Vec<_>>().join("; ");
        let bot = if self.bots == options.chosen {
            String::new()
        } else {
            format!(" Its bot would: {}.", options.names[self.bots])
        };
        let line = format!("    ? thinks: {each}.{bot}\n");
        *from = at + 1;
        match course.moments.get_mut(at + 1) {
            Some(next) => next.text.insert_str(0, &line),
            None => course.end.insert_str(0, &line),
        }
    }
}

struct Thinker<'a> {
    table: &'a Thinking,
    level: Level,
    seed: u64,
    game: u64,
    /// Decisions of the game so far: those thought about or, with programs, all of them.
    asked: u64,
    crew: Crew<'a>,
    /// The thoughts, if they are to be recorded.
    thoughts: Option<Vec<Thought>>,
    /// May change the decision afterwards.
    guide: &'a mut dyn Guide,
}

impl Thinker<'_> {
    /// Seeks the best option on this thread.
    fn search(&self, mind: Mind, trial: &Trial) -> Advice {
        let bots = self.table.bots.as_ref();
        let least = bots.batch().min(mind.playouts);
        let mut looks = Vec::from(LOOKS.map(|part| mind.playouts.div_ceil(part).max(least)));
        looks.dedup();
        let tries = Tries {
            table: bots,
            layout: &self.table.bare,
            stage: "race",
            looks: &looks,
            sigmas: Some(mind.sigmas),
        };
        let games = Games {
            seed: self.seed,
            chunk: CHUNK,
        };
        let race = |play: &mut PlayOn| tries.race(slice::from_ref(trial), games, play);
        match play_here(self.level, &NEVER, race) {
            Ok(mut advice) => advice.remove(0),
            Err(_) => unreachable!("no interrupt and no store"),
        }
    }

    fn think(&mut self, seat: usize, options: usize, chosen: usize, stands: &Standing) -> usize {
        let programs = &self.table.programs;
        if !programs.is_empty() {
            let place = (0, self.game, self.asked);
            self.asked += 1;
            return match programs.question(place, seat, options, stands) {
                Some(question) => self.crew.decide(self.seed, &[question])[0].unwrap_or(0),
                None => chosen,
            };
        }
        let Some(mind) = self.table.minds[seat].filter(|_| !programs.has_failed()) else {
            return chosen;
        };
        let key = streams::game_key(self.seed, self.game);
        let position = (stands.position)();
        let trial = Trial {
            positions: slice::from_ref(&position),
            options,
            chosen,
            seat,
            // Playouts are numbered from here: far from the end of the range.
            first: streams::output(key, 2 * streams::UNIFORM_BASE + self.asked) >> 1,
            raced: None,
        };
        self.asked += 1;
        let tried = self.search(mind, &trial);
        let gain = tried.cost(chosen);
        let is_clear = gain.value > 0.0 && gain.value >= mind.sigmas * gain.se;
        let taken = if is_clear { tried.best } else { chosen };
        if let Some(thoughts) = &mut self.thoughts {
            thoughts.push(Thought {
                seat,
                tried,
                bots: chosen,
            });
        }
        taken
    }
}

impl Guide for Thinker<'_> {
    fn begin(&mut self, game: u64) {
        (self.game, self.asked) = (game, 0);
        self.guide.begin(game);
    }

    /// Thinks, unless the guide knows the decision already.
    fn decide(&mut self, seat: usize, options: usize, chosen: usize, stands: &Standing) -> usize {
        let thought = if self.guide.knows(seat) {
            chosen
        } else {
            self.think(seat, options, chosen, stands)
        };
        self.guide.decide(seat, options, thought, stands)
    }
}

impl Thinking {
    fn thinker<'a>(&'a self, level: Level, seed: u64, guide: &'a mut dyn Guide) -> Thinker<'a> {
        Thinker {
            table: self,
            level,
            seed,
            game: 0,
            asked: 0,
            crew: self.programs.crew(),
            thoughts: None,
            guide,
        }
    }
}

impl Play for Thinking {
    fn layout(&self) -> &Layout {
        self.bots.layout()
    }

    fn failure(&self) -> Option<String> {
        let failure = self.programs.failure();
        failure.or_else(|| self.layout().unfit_measure())
    }

    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        if !self.programs.is_empty() {
            return self.programs.play(self.bots.as_ref(), seed, first, record);
        }
        self.bots
            .guided(seed, first, &mut self.thinker(level, seed, &mut ()), record);
    }

    /// Estimated from a game without thinking: the playouts that its decisions would take. A
    /// playout is half a game, and a race plays about a third of its playouts.
    fn cost(&self) -> u64 {
        if !self.programs.is_empty() {
            return self.programs.cost();
        }
        *self.cost.get_or_init(|| {
            let course = self.bots.course(0, 0, story::StoryStyle::PLAIN);
            let playouts = |moment: &Moment| {
                let options = moment.options()?;
                Some(self.minds[options.seat]?.playouts * options.names.len() as u64)
            };
            let playouts: u64 = course.moments.iter().filter_map(playouts).sum();
            (playouts / 6).max(1)
        })
    }
}

impl Table for Thinking {
    fn inner(&self) -> Option<&dyn Table> {
        Some(self.bots.as_ref())
    }

    fn layout_mut(&mut self) -> &mut Layout {
        self.bots.layout_mut()
    }

    fn guided_course(&self, game: (u64, u64, story::StoryStyle), guide: &mut dyn Guide) -> Course {
        let mut thinker = self.thinker(Level::new(), game.0, guide);
        self.bots.guided_course(game, &mut thinker)
    }

    /// Adds the thoughts to the story if it shows reasons.
    fn course(&self, seed: u64, game: u64, style: story::StoryStyle) -> Course {
        let nobody = &mut ();
        let mut thinker = self.thinker(Level::new(), seed, nobody);
        thinker.thoughts = style.why.then(Vec::new);
        let mut course = (self.bots).guided_course((seed, game, style), &mut thinker);
        let mut seen = vec![0; self.minds.len()];
        for thought in thinker.thoughts.into_iter().flatten() {
            thought.insert_into(&mut course, &mut seen[thought.seat]);
        }
        course
    }

    fn play_turns(&self, level: Level, from: (Branch, u32), luck: (u64, u64), record: &mut Record) {
        self.bots.play_turns(level, from, luck, record);
    }

    fn guided(&self, seed: u64, first: u64, guide: &mut dyn Guide, record: &mut Record) {
        let mut thinker = self.thinker(Level::new(), seed, guide);
        self.bots.guided(seed, first, &mut thinker, record);
    }

    fn reference(&self) -> String {
        self.bots.reference()
    }

    fn written(&self, seed: u64, game: u64) -> Option<String> {
        let nobody = &mut ();
        let mut thinker = self.thinker(Level::new(), seed, nobody);
        Some(self.notation()?.write(seed, game, &mut thinker))
    }
}
