//! Tables at which populations take turns, game by game.

use crate::game::moments::{Branch, Course, Guide};
use crate::game::story::StoryStyle;
use crate::game::{Layout, Play, Record, Table, population_of};
use fearless_simd::Level;

/// The same table with each population.
struct Turns(Vec<Box<dyn Table>>);

/// Lets populations take turns at tables that differ in nothing else; a single table is itself.
pub fn take_turns(mut tables: Vec<Box<dyn Table>>) -> Box<dyn Table> {
    if tables.len() < 2 {
        return tables.remove(0);
    }
    tables[0].layout_mut().populations = tables.len();
    Box::new(Turns(tables))
}

impl Turns {
    fn at(&self, game: u64) -> &dyn Table {
        self.0[population_of(game, self.0.len())].as_ref()
    }
}

impl Play for Turns {
    fn layout(&self) -> &Layout {
        self.0[0].layout()
    }

    fn cost(&self) -> u64 {
        self.0[0].cost()
    }

    fn failure(&self) -> Option<String> {
        self.0.iter().find_map(|table| table.failure())
    }

    fn play(&self, level: Level, seed: u64, first: u64, record: &mut Record) {
        self.at(first).play(level, seed, first, record);
    }
}

impl Table for Turns {
    /// The first population plays on.
    fn inner(&self) -> Option<&dyn Table> {
        Some(self.0[0].as_ref())
    }

    fn layout_mut(&mut self) -> &mut Layout {
        self.0[0].layout_mut()
    }

    fn guided(&self, seed: u64, first: u64, guide: &mut dyn Guide, record: &mut Record) {
        self.at(first).guided(seed, first, guide, record);
    }

    fn guided_course(&self, game: (u64, u64, StoryStyle), guide: &mut dyn Guide) -> Course {
        self.at(game.1).guided_course(game, guide)
    }

    fn course(&self, seed: u64, game: u64, style: StoryStyle) -> Course {
        self.at(game).course(seed, game, style)
    }

    fn play_turns(&self, level: Level, from: (Branch, u32), luck: (u64, u64), record: &mut Record) {
        self.0[0].play_turns(level, from, luck, record);
    }

    fn written(&self, seed: u64, game: u64) -> Option<String> {
        self.at(game).written(seed, game)
    }

    fn reference(&self) -> String {
        self.0[0].reference()
    }
}
