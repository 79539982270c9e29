//! Tables of games that are a [`State`] and nothing else: it says what may be done, and the rest
//! follows. Such games are simulated, replayed and thought about, without the speed of a kernel.

use super::moments::{Branch, Course, Guide, Options, Position, Scored, Standing};
use super::story::{StoryStyle, list, win};
use super::{Game, Layout, Places, Play, Record, SCORE, Seated, Sitting, Table, WIN};
use crate::figure::board::Board;
use crate::streams::{self, below};
use fearless_simd::Level;
use std::fmt::Debug;

pub use rand_xoshiro::Xoshiro128PlusPlus as Luck;

/// A game before a decision or at its end. Places count from 0.
pub trait State: Clone + Debug + Send + Sync + 'static {
    /// The place that decides, and its options in words: at least two, all distinct. `None` at the
    /// end.
    fn options(&self) -> Option<(usize, Vec<String>)>;

    /// Every feature of the game's vocabulary for an option.
    fn features(&self, option: usize) -> Vec<f32>;

    /// The board, as the player who decides may know it; `None` in games without one.
    fn board(&self) -> Option<Board> {
        None
    }

    /// Takes an option, up to the next decision; returns what happened, in words.
    fn apply(&mut self, option: usize, luck: &mut Luck) -> String;

    /// Shuffles what is hidden from all players, before the game and before each playout.
    fn redeal(&mut self, _luck: &mut Luck) {}

    /// At the end, the outcomes of each place; the last row is the table's.
    fn outcomes(&self) -> Vec<Vec<i32>>;
}

/// Bots at a game that begins at `start`.
pub struct PlainTable<S> {
    pub game: &'static Game,
    pub start: S,
    pub seated: Seated,
    pub layout: Layout,
}

/// Takes the first decision so, if there is an option.
struct First(Option<usize>);

impl Guide for First {
    fn decide(&mut self, _seat: usize, _options: usize, own: usize, _stands: &Standing) -> usize {
        self.0.take().unwrap_or(own)
    }
}

impl<S: State> PlainTable<S> {
    /// Plays on from `state` to the end.
    fn finish(
        &self,
        mut state: S,
        sitting: &Sitting,
        guide: &mut dyn Guide,
        mut story: Option<&mut Scored>,
    ) -> S {
        let [mut luck, mut ties] = [0, 1].map(|phase| streams::phase_rng(sitting.key, phase));
        state.redeal(&mut luck);
        let mut decisions = 0;
        while let Some((place, names)) = state.options() {
            decisions += 1;
            let features: Vec<_> = (0..names.len()).map(|of| state.features(of)).collect();
            let score = |seen: &Vec<f32>| {
                let answer = sitting.formulas[place].evaluate(|feature| seen[feature]);
                answer.number().expect("bots of plain games score options")
            };
            let own = highest(features.iter().map(score), &mut ties);
            let (seat, places) = (sitting.places.bot_at(place), sitting.places);
            let stands = Standing {
                position: &|| Position::new((state.clone(), places)),
                features: &|option| features[option].clone(),
            };
            let chosen = guide.decide(seat, names.len(), own, &stands);
            if let Some(story) = &mut story {
                let options = Options {
                    seat,
                    names,
                    chosen,
                    board: story.shows(seat).then(|| state.board()).flatten(),
                    ..Options::default()
                };
                story.decision(place, format!("decision {decisions}"), options, &stands);
            }
            let before = luck.clone();
            let text = state.apply(chosen, &mut luck);
            if let Some(story) = &mut story {
                story.chronicle.line(&text);
                story.chronicle.drawn |= luck != before;
            }
        }
        state
    }

    fn record(&self, end: &S, places: Places, index: usize, record: &mut Record) {
        let seats = self.layout.seats;
        for (place, outcomes) in end.outcomes().iter().enumerate() {
            let first = if place < seats {
                self.layout.seat_column(places.bot_at(place), 0)
            } else {
                self.layout.table_column(0)
            };
            record.set_all(first, index, outcomes);
        }
    }
}

/// The option with the highest score; NaN counts as the lowest, and `ties` chooses among equals.
pub fn highest(scores: impl Iterator<Item = f32>, ties: &mut Luck) -> usize {
    let scores: Vec<f32> = scores.map(|score| score.max(f32::NEG_INFINITY)).collect();
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let equal: Vec<usize> = (0..scores.len()).filter(|&at| scores[at] == best).collect();
    match equal[..] {
        [only] => only,
        _ => equal[below(ties, equal.len())],
    }
}

impl<S: State> Play for PlainTable<S> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn play(&self, _level: Level, seed: u64, first: u64, record: &mut Record) {
        self.guided(seed, first, &mut (), record);
    }
}

impl<S: State> Table for PlainTable<S> {
    fn layout_mut(&mut self) -> &mut Layout {
        &mut self.layout
    }

    fn guided(&self, seed: u64, first: u64, guide: &mut dyn Guide, record: &mut Record) {
        for index in 0..record.games() {
            let number = first.wrapping_add(index as u64);
            let sitting = self.seated.in_game(seed, number);
            guide.begin(number);
            let end = self.finish(self.start.clone(), &sitting, guide, None);
            self.record(&end, sitting.places, index, record);
        }
    }

    fn guided_course(&self, game: (u64, u64, StoryStyle), guide: &mut dyn Guide) -> Course {
        let sitting = self.seated.in_game(game.0, game.1);
        guide.begin(game.1);
        let mut story = Scored::new(self.game.title, &sitting, game, self.game.vocabulary);
        story
            .chronicle
            .push(&format!("  {}\n", sitting.names.join(", ")));
        let end = self.finish(self.start.clone(), &sitting, guide, Some(&mut story));
        let outcomes = end.outcomes();
        let players = &outcomes[..self.layout.seats];
        let of = |outcome: usize| players.iter().map(move |own| own[outcome]);
        let best = of(SCORE).max().unwrap_or(0);
        let won = of(WIN).zip(&sitting.names).filter(|(won, _)| *won > 0);
        let won: Vec<&str> = won.map(|(_, name)| name.as_str()).collect();
        let (names, verb, unit) = (list(&won), win(won.len()), self.game.score_unit);
        let text = format!("{names} {verb} with {best} {unit}.\n");
        story.end(&text, of(WIN), of(SCORE))
    }

    fn play_turns(&self, _: Level, from: (Branch, u32), luck: (u64, u64), record: &mut Record) {
        let ((position, option), _) = from;
        let (state, places): &(S, Places) = position.of();
        let mut played = Record::new(&self.layout, record.games());
        for index in 0..record.games() {
            let key = streams::game_key(luck.0, luck.1.wrapping_add(index as u64));
            let sitting = self.seated.at(*places, key);
            let end = self.finish(state.clone(), &sitting, &mut First(option), None);
            self.record(&end, *places, index, &mut played);
        }
        record.ends_of(&self.layout, &played);
    }

    fn reference(&self) -> String {
        format!("  {}\n", self.game.summary)
    }
}
