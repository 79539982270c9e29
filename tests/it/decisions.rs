//! Decisions that are written one by one.

use crate::process::{Folder, folder, short};
use polars_core::prelude::DataFrame;
use polars_io::prelude::{ParquetReader, SerReader};
use std::fs;

pub fn read(here: &Folder, file: &str) -> DataFrame {
    let file = fs::File::open(here.path(file)).expect("a file");
    ParquetReader::new(file).finish().expect("a table")
}

/// A column, whatever its type.
pub fn numbers(table: &DataFrame, name: &str) -> Vec<f64> {
    let column = table.column(name).expect("a column");
    let column = column.cast(&polars_core::prelude::DataType::Float64);
    let column = column.expect("numbers");
    let numbers = column.f64().expect("numbers");
    numbers.into_no_null_iter().collect()
}

/// They are those of the games that count: who wins them in the end is what the games say.
#[test]
fn decisions_are_those_of_the_games() {
    for (study, games) in [
        ("diamant --players 3", 300),
        ("diamant --seat traps:playouts=16 --seat depth", 8),
        ("diamond_cave --players 3", 15),
        ("diamond_miner --players 2", 6),
    ] {
        let here = folder();
        let sets = short(study.split(' ').next().expect("a game"));
        let study = format!("simulate {study} {sets} --games {games} --no-charts --seed 3");
        here.run(&format!("{study} --raw decisions --threads 1 --out one"));
        here.run(&format!("{study} --raw=decisions --threads 3 --out three"));
        here.run(&format!("{study} --raw --out games"));
        here.same("one", "three");
        let (rows, ends) = (
            read(&here, "one/decisions.parquet"),
            read(&here, "games/games.parquet"),
        );
        let (game, seat) = (numbers(&rows, "game"), numbers(&rows, "seat"));
        let (share, score) = (numbers(&rows, "win_share"), numbers(&rows, "final_score"));
        let seats = (1..=6).map_while(|seat| {
            let name = format!("win_share@{seat}");
            ends.column(&name).ok()?;
            let score = numbers(&ends, &format!("score_mean@{seat}"));
            Some((numbers(&ends, &name), score))
        });
        let seats: Vec<(Vec<f64>, Vec<f64>)> = seats.collect();
        for row in 0..game.len() {
            let (shares, scores) = &seats[seat[row] as usize - 1];
            let at = game[row] as usize;
            assert_eq!(
                (share[row], score[row]),
                (shares[at], scores[at]),
                "{study}"
            );
        }
        assert!(game.is_sorted() && game[game.len() - 1] == f64::from(games - 1));
        let chosen = numbers(&rows, "chosen").into_iter();
        let mut both = chosen.zip(numbers(&rows, "options"));
        assert!(both.all(|(chosen, options)| chosen < options));
    }
}

/// A bot's formula, asked about the features that were noted, answers what was chosen.
#[test]
fn choices_follow_from_features() {
    let here = folder();
    let study = "simulate diamant --seat threshold:target=9 --others depth --players 4 --games 500";
    here.run(&format!("{study} --raw decisions --no-charts --out o"));
    let rows = read(&here, "o/decisions.parquet");
    let [seat, chosen, held] = ["seat", "chosen", "held"].map(|name| numbers(&rows, name));
    let (mut left, mut stayed) = (0, 0);
    for row in (0..seat.len()).filter(|&row| seat[row] == 1.0) {
        assert_eq!(chosen[row] == 1.0, held[row] >= 9.0, "row {row}");
        *if chosen[row] == 1.0 {
            &mut left
        } else {
            &mut stayed
        } += 1;
    }
    assert!(left > 100 && stayed > 100);
    assert!(seat == numbers(&rows, "place"));
}

#[test]
fn decisions_of_shards_read_as_one_table() {
    let here = folder();
    let cave = format!("simulate diamond_cave {} --games 40", short("diamond_cave"));
    let study = format!("{cave} --raw decisions");
    here.run(&format!("{study} --no-charts --out one"));
    let mut of_shards: Option<DataFrame> = None;
    for number in 1..=2 {
        here.run(&format!("{study} --shard {number}/2 --out shards"));
        let name = format!("shards/shard-{number}-of-2.decisions.parquet");
        let more = read(&here, &name);
        match &mut of_shards {
            Some(rows) => {
                rows.vstack_mut(&more).expect("the same columns");
            }
            None => of_shards = Some(more),
        }
    }
    assert!(
        of_shards.is_some_and(|rows| rows.equals_missing(&read(&here, "one/decisions.parquet")))
    );
    here.run("merge shards --no-charts --out merged");
    assert!(here.bytes("merged/seats.csv") == here.bytes("one/seats.csv"));
    // What is complete keeps its decisions, and is played again for its games.
    here.run(&format!("{study} --no-charts --out one --resume"));
    assert!(here.has("one/decisions.parquet"));
    here.run(&format!(
        "{cave} --raw games --no-charts --out one --resume"
    ));
    assert!(here.has("one/games.parquet"));
    let sweep = "sweep diamant --vary seats.1.target=5,9 --seat threshold --raw decisions";
    here.refused(sweep, "`sweep` plays several tables");
    here.refused("simulate diamant --raw decision", "decisions");
}
