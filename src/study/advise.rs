//! Advice at the table: the value of each option in a situation, by the decisions of the others.

use super::error::{StudyError, refuse};
use super::table::SeatedTable;
use carat_core::catalog::those;
use carat_core::diagnostic::Diagnostic;
use carat_core::game::moments::Position;
use carat_core::game::notation::{AdviceWords, Notation, Situation};
use carat_core::game::{Record, SCORE, WIN, WIN_UNITS};
use carat_core::numbers::within;
use carat_core::statistics::{Estimate, Moments};
use fearless_simd::Level;

const SEED: u64 = 1;
const CHUNK: usize = 4096;
/// Extra playouts of a case that was rare among the others.
const CASE_PLAYOUTS: usize = 4096;

/// A player at a table that advice is for.
pub struct Adviser<'a> {
    /// The table, with the bot that plays on for this player.
    pub table: &'a SeatedTable,
    pub words: &'static AdviceWords,
    /// The player's seat, from 0.
    pub me: usize,
    playouts: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    /// Win shares of both options.
    pub win: Estimate,
    pub score: Estimate,
}

impl Worth {
    /// Whether both options won the same in every playout, so that only the score decides.
    fn wins_alike(&self) -> bool {
        self.win.low == 0.0 && self.win.high == 0.0
    }
}

/// The values of both options, given the number of others who say yes.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    pub others: usize,
    pub likely: Estimate,
    pub worth: [Worth; 2],
}

#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// By option: no, then yes.
    pub worth: [Worth; 2],
    /// The value of yes less that of no, in the same playouts.
    pub gain: Worth,
    /// By number of others who say yes.
    pub cases: Vec<Case>,
    /// The significantly better option, if there is one.
    pub best: Option<usize>,
}

/// Sums over playouts, of one option or of a difference.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    playouts: u64,
    win: Moments,
    score: Moments,
}

impl Sums {
    fn add(&mut self, win: i32, score: i32) {
        self.playouts += 1;
        for (moments, value) in [(&mut self.win, win), (&mut self.score, score)] {
            moments.sum += i128::from(value);
            moments.squares += i128::from(value) * i128::from(value);
        }
    }

    /// The values, with wins as a proportion or a mean.
    fn worth(&self, of_wins: fn(u64, &Moments, f64) -> Estimate) -> Worth {
        Worth {
            win: of_wins(self.playouts, &self.win, f64::from(WIN_UNITS)),
            score: Estimate::mean(self.playouts, &self.score, 1.0),
        }
    }
}

/// Results of both options with the same luck.
#[derive(Default)]
struct Asked {
    by_option: [Sums; 2],
    gain: Sums,
    /// These sums by the number of others who said yes.
    by_others: Vec<[Sums; 2]>,
}

impl<'a> Adviser<'a> {
    /// Each option gets `playouts`.
    pub fn of(
        table: &'a SeatedTable,
        me: usize,
        playouts: usize,
    ) -> Result<Adviser<'a>, StudyError> {
        let Some(words) = table.game.advice else {
            let game = table.game.name;
            let known = those(|game| game.advice.is_some(), |game| game.name);
            refuse!(
                "{game} has no notation for situations (only {known} has); name a file saved by \
                 `carat play`"
            );
        };
        Ok(Adviser {
            words,
            table,
            me,
            playouts,
        })
    }

    pub fn notation(&self) -> &'a dyn Notation {
        let notation = self.table.table.notation();
        notation.expect("a game with words of advice has a notation")
    }

    /// Reads a situation; fails at the place that cannot be read or breaks the rules.
    pub fn read(&self, text: &str) -> Result<Situation, Box<Diagnostic>> {
        let situation = self.notation().situation(self.me, text);
        situation.map_err(|fault| Box::new(fault.in_file("situation", text)))
    }

    /// The advice for equally likely positions in which `others` decide at the same time; `None`
    /// without positions.
    pub fn advise(&self, positions: &[Position], others: usize) -> Option<Advice> {
        if positions.is_empty() {
            return None;
        }
        let notation = self.notation();
        let asked = self.ask(positions, others, self.playouts);
        let of_option = |sums: Sums| sums.worth(Estimate::proportion);
        let worth = asked.by_option.map(of_option);
        let gain = asked.gain.worth(Estimate::mean);
        let cases = (0..=others).map(|count| {
            let met = asked.by_others[count];
            let mut worth = met;
            if (met[0].playouts as usize) < CASE_PLAYOUTS / 2 {
                let with = |position| notation.others(self.me, position, count);
                let positions: Vec<Position> = positions.iter().flat_map(with).collect();
                let asked = self.ask(&positions, others, CASE_PLAYOUTS);
                worth = asked.by_option;
            }
            Case {
                others: count,
                likely: Estimate::share(asked.gain.playouts, met[0].playouts, 1),
                worth: worth.map(of_option),
            }
        });
        let figure = if self.table.seats.len() == 1 || gain.wins_alike() {
            gain.score
        } else {
            gain.win
        };
        Some(Advice {
            worth,
            gain,
            cases: cases.collect(),
            best: match (figure.low > 0.0, figure.high < 0.0) {
                (true, _) => Some(1),
                (_, true) => Some(0),
                _ => None,
            },
        })
    }

    /// Plays both options on from equally likely positions.
    fn ask(&self, positions: &[Position], others: usize, playouts: usize) -> Asked {
        let mut asked = Asked {
            by_others: vec![[Sums::default(); 2]; others + 1],
            ..Asked::default()
        };
        let layout = self.table.table.layout().bare();
        let mut records = [0, 1].map(|_| Record::new(&layout, CHUNK));
        let [win, score] = [WIN, SCORE].map(|outcome| layout.seat_column(self.me, outcome));
        let each = playouts.div_ceil(positions.len());
        let mut first = 0;
        for position in positions {
            for from in (0..each).step_by(CHUNK) {
                let games = CHUNK.min(each - from);
                let mut said = Vec::new();
                for (option, record) in records.iter_mut().enumerate() {
                    record.clear(games);
                    let luck = (SEED, first);
                    said = (self.notation()).ask(Level::new(), position, option, luck, record);
                }
                let [no, yes] = &records;
                for (game, &said) in said.iter().enumerate() {
                    let at = |record: &Record, column| record.column(column)[game];
                    for (option, record) in records.iter().enumerate() {
                        let (win, score) = (at(record, win), at(record, score));
                        asked.by_option[option].add(win, score);
                        asked.by_others[usize::from(said)][option].add(win, score);
                    }
                    let gain = |column| at(yes, column) - at(no, column);
                    asked.gain.add(gain(win), gain(score));
                }
                first += games as u64;
            }
        }
        asked
    }
}

impl Advice {
    pub fn sentence(&self, adviser: &Adviser) -> String {
        let points = |estimate: Estimate, factor: f64| {
            let estimate = estimate.scaled(factor);
            within(estimate.value.abs(), estimate.half_width())
        };
        let unit = adviser.table.game.score_unit;
        let score = || format!("{} {unit}", points(self.gain.score, 1.0));
        let (by, remark) = match adviser.table.seats.len() {
            // A lone player has won anyway, so the score decides.
            1 => (score(), ""),
            _ if self.gain.wins_alike() => (score(), " The win shares are equal."),
            _ => {
                let gain = points(self.gain.win, 100.0);
                (format!("{gain} percentage points of win share"), "")
            }
        };
        match self.best {
            Some(option) => {
                let (first, rest) = adviser.words.options[option].split_at(1);
                format!("{}{rest}: {by} better.{remark}", first.to_uppercase())
            }
            None => format!("Either: no clear difference ({by}).{remark}"),
        }
    }
}
