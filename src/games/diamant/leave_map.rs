//! When each bot leaves, by what it holds, the traps on the path and who is inside: a chart of the
//! decisions in some games, seen by the referee one by one.

use super::DiamantTable;
use super::referee::{self, Event, Hands, Referee, Watch};
use crate::figure::{MapGroup, Maps, ShareMap};
use crate::streams;

/// So many games are looked at; each bot decides in them some ten thousand times.
const GAMES: u64 = 1000;
/// What is seen less often is no firm figure.
const FEW: u32 = 20;
/// Rubies held that part the columns.
const HELD: [i32; 11] = [1, 3, 5, 7, 9, 12, 15, 20, 25, 30, 40];
const COLUMNS: usize = HELD.len() + 1;
/// Rows: from no trap to this many kinds, or more.
const TRAPS: usize = 4;
const ROWS: usize = TRAPS + 1;
/// Maps: from one explorer inside to this many, or more.
const INSIDE: usize = 4;
/// Cells of all maps of a bot.
const CELLS: usize = INSIDE * ROWS * COLUMNS;

/// How often a bot was asked in each cell, and left.
#[derive(Clone)]
struct Seen([[u32; 2]; CELLS]);

/// The cell of a situation.
fn cell(held: i32, traps: usize, inside: usize) -> usize {
    let column = HELD.iter().filter(|edge| **edge <= held).count();
    let (row, map) = (traps.min(TRAPS), inside.clamp(1, INSIDE) - 1);
    (map * ROWS + row) * COLUMNS + column
}

/// The chart of the first games of `seed`, of which `games` were played.
pub fn figure(table: &DiamantTable, seed: u64, games: u64) -> Maps {
    let looked = games.min(GAMES);
    // Copies of a bot share a place.
    let mut bots: Vec<&str> = Vec::new();
    let own: Vec<usize> = (table.labels.iter())
        .map(|label| match bots.iter().position(|bot| bot == label) {
            Some(bot) => bot,
            None => {
                bots.push(label);
                bots.len() - 1
            }
        })
        .collect();
    let mut seen = vec![Seen([[0; 2]; CELLS]); bots.len()];
    let mut watcher = Watcher {
        own: &own,
        seen: &mut seen,
    };
    for game in 0..looked {
        let hands = Hands::Bots(&table.formulas, streams::game_key(seed, game));
        referee::play(&table.rules, hands, &mut watcher);
    }
    // Nobody held more than what is drawn.
    let columns = seen.iter().map(Seen::columns).max().unwrap_or(1);
    let group = |(bot, seen): (&&str, &Seen)| MapGroup {
        label: bot.to_string(),
        maps: (0..INSIDE.min(own.len()))
            .map(|map| seen.map(map, columns, own.len()))
            .collect(),
    };
    let row = |traps: usize| match traps {
        TRAPS => format!("{TRAPS} or more"),
        traps => traps.to_string(),
    };
    Maps {
        title: "When each bot leaves: by rubies held, traps seen and explorers inside".to_string(),
        x_title: "rubies held".to_string(),
        y_title: "traps".to_string(),
        columns: HELD[..columns - 1].iter().map(i32::to_string).collect(),
        rows: (0..ROWS).map(row).collect(),
        unit: format!(
            "how often it leaves there, in the first {looked} games; small where it was asked fewer than \
             {FEW} times, a line where it never was"
        ),
        line: String::new(),
        across: INSIDE,
        most: None,
        groups: bots.iter().zip(&seen).map(group).collect(),
    }
}

impl Seen {
    /// How many columns hold anything.
    fn columns(&self) -> usize {
        let cells = self.0.iter().enumerate();
        let known = cells.filter(|(_, [asked, _])| *asked > 0);
        known.map(|(cell, _)| cell % COLUMNS + 1).max().unwrap_or(1)
    }

    /// The first so many columns of one map, at a table of so many explorers.
    fn map(&self, map: usize, columns: usize, explorers: usize) -> ShareMap {
        let rows = self.0[map * ROWS * COLUMNS..][..ROWS * COLUMNS].chunks(COLUMNS);
        let cells: Vec<&[u32; 2]> = rows.flat_map(|row| &row[..columns]).collect();
        let share =
            |[asked, left]: &&[u32; 2]| (*asked > 0).then(|| f64::from(*left) / f64::from(*asked));
        ShareMap {
            label: match map + 1 {
                1 => "alone inside".to_string(),
                INSIDE if explorers > INSIDE => format!("{INSIDE} or more inside"),
                inside => format!("{inside} inside"),
            },
            few: cells.iter().map(|[asked, _]| *asked < FEW).collect(),
            shares: cells.iter().map(share).collect(),
            line: Vec::new(),
        }
    }
}

/// Watches games: each seat has its place among those that were seen.
struct Watcher<'a> {
    own: &'a [usize],
    seen: &'a mut [Seen],
}

impl Watch for Watcher<'_> {
    fn event(&mut self, _event: Event) {}

    fn decided(&mut self, game: &Referee, leavers: &mut Vec<usize>) {
        let position = game.position();
        let inside: Vec<usize> = position.inside().collect();
        let cell = cell(position.held, game.traps_seen(), inside.len());
        for seat in inside {
            let [asked, left] = &mut self.seen[self.own[seat]].0[cell];
            *asked += 1;
            *left += u32::from(leavers.contains(&seat));
        }
    }
}
