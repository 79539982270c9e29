//! The choices of several decisions as rows of a bot's registers, and the bot's picks.
//!
//! [`features`](super::features) fills the rows.

use super::features::{AHEAD, View};
use super::game::Game;
use super::questions::Question;
use super::shown::{FEATURES, Shown};
use crate::formula::program::{BLOCK, LANES, Program, RegisterFile};
use crate::game::practice::{Offer, Pick};
use crate::games::diamond_cave::features as f;
use crate::games::diamond_cave::moves::{self, CHOICES_MAX, Choice};
use fearless_simd::{Select, Simd, SimdBase, SimdMask, f32x16, mask32x16};
use std::ops::Range;

/// Rows that are filled at a time: from each of them a whole block can be read and written.
const ROWS: usize = LANES - BLOCK;
const _: () = assert!(CHOICES_MAX <= ROWS);

/// A bot's program for one question, with its registers: one row for each choice.
pub struct Rows<'p> {
    program: &'p Program,
    file: RegisterFile,
    /// The words of the choices; see [`Shown`].
    words: [i32; LANES],
    /// One bit for each feature that the program reads.
    reads: u64,
    /// If all features are shown, the constant ones.
    certain: Vec<(usize, f32)>,
}

impl<'p> Rows<'p> {
    /// With `shown_to` players, the caller picks and all features are computed.
    pub fn new(program: &'p Program, question: Question, shown_to: Option<usize>) -> Self {
        let is_read = |feature: &usize| shown_to.is_some() || program.uses(*feature);
        let reads = (0..FEATURES).filter(is_read);
        let certain = shown_to.map(|players| question.certain(players));
        Rows {
            program,
            file: program.register_file(),
            words: [0; LANES],
            reads: reads.fold(0, |reads, feature| reads | 1 << feature),
            certain: certain.unwrap_or_default(),
        }
    }

    /// What the program reads, from row `first`.
    #[inline(always)]
    fn shown(&mut self, first: usize) -> Shown<'_> {
        let columns = self.file.numbers.first_chunk_mut();
        Shown {
            reads: self.reads,
            words: &mut self.words,
            columns: columns.expect("a register for each feature"),
            first,
        }
    }

    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S, rows: usize) {
        if self.reads != 0 {
            let blocks = rows.div_ceil(BLOCK);
            self.shown(0).unpack(simd, blocks);
            self.program.run(simd, &mut self.file, blocks);
        }
    }

    #[inline(always)]
    fn scores(&self) -> &[f32; LANES] {
        &self.file.numbers[self.program.output(0)].0
    }
}

/// The programs of a bot, one for each question.
pub type Bot<'p> = Vec<Rows<'p>>;

/// A caller who picks for the bots, with the buffers of an offer.
pub struct Picker<'p> {
    pub pick: Pick<'p>,
    scores: Vec<f32>,
    features: Vec<f32>,
}

impl<'p> Picker<'p> {
    pub fn new(pick: Pick<'p>) -> Self {
        Picker {
            pick,
            scores: Vec::with_capacity(CHOICES_MAX),
            features: Vec::with_capacity(CHOICES_MAX * FEATURES),
        }
    }

    /// The picked row of `game`, if any; `rows` holds its choices, each set from a first row on.
    fn picks(&mut self, game: &Game, rows: [(&Rows, Range<usize>); 2]) -> Option<usize> {
        self.scores.clear();
        self.features.clear();
        for (rows, own) in rows {
            for row in own {
                self.scores.push(rows.scores()[row]);
                let first = self.features.len();
                let columns = rows.file.numbers[..FEATURES].iter();
                self.features.extend(columns.map(|column| column.0[row]));
                for (feature, value) in &rows.certain {
                    self.features[first + feature] = *value;
                }
            }
        }
        (self.pick)(&Offer {
            game: game.index,
            seat: game.bot(),
            scores: &self.scores,
            features: &self.features,
        })
    }
}

pub struct Choices {
    pub list: [Choice; CHOICES_MAX],
    pub count: usize,
}

impl Choices {
    pub fn new() -> Self {
        Choices {
            list: [Choice::Stop; CHOICES_MAX],
            count: 0,
        }
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    #[inline(always)]
    pub fn push(&mut self, choice: Choice) {
        self.list[self.count] = choice;
        self.count += 1;
    }

    /// Adds the first `count` of `choices`.
    #[inline(always)]
    pub fn push_some(&mut self, choices: [Choice; 2], count: usize) {
        // Both are written: this avoids a branch that is hard to predict.
        self.list[self.count..self.count + 2].copy_from_slice(&choices);
        self.count += count;
    }

    /// Whether the first choice ends the turn, and the others, which answer one question.
    #[inline(always)]
    fn apart(&self) -> (bool, &[Choice]) {
        let stops = self.list[0] == Choice::Stop;
        (stops, &self.list[usize::from(stops)..self.count])
    }
}

/// Lets `bot` pick in games that wait for its answer to `question`: in the first of `waiting`, as
/// many as there is room for, and at least one. Returns their number.
#[inline(always)]
pub fn answer<S: Simd>(
    simd: S,
    bot: &mut Bot,
    question: Question,
    games: &mut [Game],
    waiting: &[u8],
    picker: &mut Option<Picker>,
) -> usize {
    let both = [Question::Stop as usize, question as usize];
    let both = bot.get_disjoint_mut(both);
    let [stop, others] = both.expect("two questions");
    let reads_nearest = (stop.reads | others.reads) & 1 << f::DIAMOND_DISTANCE != 0;
    let (mut stops, mut rows, mut answered) = (0, 0, 0);
    for &lane in waiting {
        let game = &mut games[usize::from(lane)];
        let ground = &game.kernel.ground;
        if reads_nearest {
            game.cave.find_nearest(simd, ground);
        }
        let (stops_too, choices) = game.choices.apart();
        if rows + choices.len() > ROWS {
            break;
        }
        let (asked, first) = (game.asked(), usize::from(stops_too));
        let masks = match (stop.reads | others.reads) & AHEAD {
            0 => [0; 2],
            _ => game.cave.masks(simd),
        };
        let view = View::new(ground, &game.cave, &asked, masks, &game.known);
        if stops_too && stop.reads != 0 {
            view.fill(&mut stop.shown(stops), Question::Stop, &[Choice::Stop], 0);
        }
        if others.reads != 0 {
            view.fill(&mut others.shown(rows), question, choices, first);
        }
        (stops, rows, answered) = (stops + first, rows + choices.len(), answered + 1);
    }
    stop.run(simd, stops);
    others.run(simd, rows);
    let (to_stop, scores) = (stop.scores(), others.scores());
    (stops, rows) = (0, 0);
    for &lane in &waiting[..answered] {
        let game = &mut games[usize::from(lane)];
        let (stops_too, choices) = game.choices.apart();
        let (last_stop, last_row) = (stops + usize::from(stops_too), rows + choices.len());
        let picked = picker.as_mut().and_then(|picker| {
            let both = [(&*stop, stops..last_stop), (&*others, rows..last_row)];
            picker.picks(game, both)
        });
        // Not a closure: vector code that is not inlined here is slow.
        let row = match picked {
            Some(row) => row,
            None => {
                let to_stop = stops_too.then(|| to_stop[stops]);
                let equals = best(simd, to_stop, &scores[rows..], choices.len());
                moves::pick_equal(equals, game.key, game.decision)
            }
        };
        (stops, rows) = (last_stop, last_row);
        game.decision += 1;
        game.chosen = game.choices.list[row];
    }
    answered
}

/// The rows with the highest score, as [`moves::pick`] finds them: that of ending the turn, where
/// there is one, and the first `count` of `scores`.
#[inline(always)]
fn best<S: Simd>(simd: S, to_stop: Option<f32>, scores: &[f32], count: usize) -> u128 {
    let to_stop = to_stop.map(lowest_if_nan);
    let two = match to_stop {
        Some(score) if count == 1 => Some([score, lowest_if_nan(scores[0])]),
        None if count == 2 => Some([scores[0], scores[1]].map(lowest_if_nan)),
        _ => None,
    };
    if let Some([first, second]) = two {
        return u128::from(first >= second) | u128::from(second >= first) << 1;
    }
    let lowest = f32x16::splat(simd, f32::NEG_INFINITY);
    let blocks = count.div_ceil(BLOCK);
    let mut highest = lowest;
    for block in 0..blocks {
        let numbers = numbers(simd, scores, count, block);
        highest = numbers.simd_gt(highest).select(numbers, highest);
    }
    let highest = f32::max(highest.reduce_max(), to_stop.unwrap_or(f32::NEG_INFINITY));
    let all = f32x16::splat(simd, highest);
    let mut equals = 0;
    for block in 0..blocks {
        let numbers = numbers(simd, scores, count, block);
        equals |= u128::from(numbers.simd_eq(all).to_bitmask()) << (BLOCK * block);
    }
    // Rows after the last choice have the lowest score, and may equal it.
    equals &= (1 << count) - 1;
    match to_stop {
        Some(score) => equals << 1 | u128::from(score == highest),
        None => equals,
    }
}

/// The score; NaN counts as the lowest.
#[inline(always)]
fn lowest_if_nan(score: f32) -> f32 {
    score.max(f32::NEG_INFINITY)
}

/// A block of scores; NaN and rows from `count` on are lowest.
#[inline(always)]
fn numbers<S: Simd>(simd: S, scores: &[f32], count: usize, block: usize) -> f32x16<S> {
    let rest = &scores[BLOCK * block..];
    let scores = rest.first_chunk().expect("a block behind every row");
    let scores = f32x16::load_array_ref(simd, scores);
    let rows = u64::MAX >> (64 - (count - BLOCK * block).min(BLOCK));
    let counts = scores.simd_eq(scores) & mask32x16::from_bitmask(simd, rows);
    counts.select(scores, f32x16::splat(simd, f32::NEG_INFINITY))
}
