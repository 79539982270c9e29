//! Games as courses of moments, and playouts from them.

use crate::fixtures::{default_table, game, levels, short_table};
use carat_core::catalog::GAMES;
use carat_core::game::moments::{Course, What};
use carat_core::game::story::StoryStyle;
use carat_core::game::{Record, SCORE, Table, WIN, WIN_UNITS};
use fearless_simd::Level;
use std::collections::BTreeSet;

/// The mean of numbers, and its variance.
fn mean<T: Copy + Into<f64>>(values: &[T]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().map(|&x| x.into()).sum::<f64>() / n;
    let square = values.iter().map(|&x| x.into().powi(2)).sum::<f64>();
    (mean, (square - n * mean * mean) / (n - 1.0) / n)
}

const SHORT: StoryStyle = StoryStyle {
    short: true,
    ..StoryStyle::PLAIN
};

fn course(table: &dyn Table, seed: u64, number: u64) -> Course {
    table.course(seed, number, SHORT)
}

/// The names of all games.
fn games() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|game| game.name)
}

#[test]
fn moments_join_to_the_story() {
    for name in games() {
        let table = default_table(game(name));
        for number in 0..3 {
            let course = course(table.as_ref(), 5, number);
            let mut record = Record::new(table.layout(), 1);
            table.guided(5, number, &mut (), &mut record);
            for seat in 0..course.wins.len() {
                let of = |outcome| record.column(table.layout().seat_column(seat, outcome))[0];
                assert_eq!(
                    [of(WIN), of(SCORE)],
                    [course.wins[seat], course.scores[seat]]
                );
            }
            for moment in &course.moments {
                if let What::Decision(options) = &moment.what {
                    let mut names = options.names.clone();
                    assert!(names.len() > 1 && options.chosen < names.len(), "{names:?}");
                    names.sort();
                    names.dedup();
                    assert_eq!(names.len(), options.names.len(), "{names:?}");
                }
            }
            assert!(course.moments.len() > 10, "{name}");
            assert_eq!(course.story(), table.replay(5, number, SHORT), "{name}");
        }
    }
}

/// On a board no two cells have the same name, an option touches cells that there are, and it names
/// them where its words name cells at all; two options differ in their names or cells.
#[test]
fn options_touch_the_cells_that_they_name() {
    for name in games() {
        let table = default_table(game(name));
        let (mut boards, mut named) = (0, 0);
        for number in 0..3 {
            let course = table.course(6, number, StoryStyle::for_seat(0));
            for options in course.moments.iter().filter_map(|moment| moment.options()) {
                assert_eq!(options.board.is_some(), options.seat == 0, "{name}");
                let Some(board) = &options.board else {
                    continue;
                };
                boards += 1;
                let cells: Vec<&str> = board.cells().map(|cell| cell.name.as_str()).collect();
                let names: BTreeSet<&str> = cells.iter().copied().collect();
                assert_eq!(names.len(), cells.len(), "{cells:?}");
                assert_eq!(board.options.len(), options.names.len(), "{name}");
                let all = options.names.iter().zip(&board.options);
                let distinct: BTreeSet<_> = all.clone().collect();
                assert_eq!(distinct.len(), options.names.len(), "{name}");
                for (option, touched) in all {
                    assert!(touched.iter().all(|cell| *cell < cells.len()), "{option}");
                    let place = option.rsplit(' ').next().expect("a word");
                    if let Some(cell) = cells.iter().position(|cell| *cell == place) {
                        assert_eq!(touched[..], [cell], "{option}");
                        named += 1;
                    }
                    for stack in touched
                        .iter()
                        .filter_map(|cell| cells[*cell].split_once(": "))
                    {
                        if stack.0.starts_with("player ") {
                            assert!(option.contains(stack.1), "{option} does not name {stack:?}");
                            named += 1;
                        }
                    }
                }
            }
        }
        assert!(boards > 5, "{name}");
        assert!(
            named > 20 || name == games().next().expect("a game"),
            "{name}: {named}"
        );
    }
}

/// A playout is the same whatever chunk, level and option before it: only then do options share
/// their luck.
#[test]
fn playouts_are_the_same_in_any_chunk() {
    for name in games() {
        let table = default_table(game(name));
        let course = course(table.as_ref(), 2, 1);
        let bare = table.layout().bare();
        for moment in course.moments.iter().step_by(course.moments.len() / 5) {
            let play = |first, games, level| {
                let mut record = Record::new(&bare, games);
                table.play_on(level, (&moment.position, None), (9, first), &mut record);
                record
            };
            let whole = play(40, 200, Level::new());
            for (first, games) in [(0, 1), (3, 60), (63, 137), (150, 50)] {
                for level in levels() {
                    let part = play(40 + first as u64, games, level);
                    for column in 0..bare.columns() {
                        let expected = &whole.column(column)[first..][..games];
                        assert_eq!(part.column(column), expected, "{name}, {}", moment.at);
                    }
                }
            }
        }
    }
}

/// From the first moment of many games, which nothing came before but the set-up, bots win as they
/// do in whole games.
#[test]
fn playouts_from_the_start_are_games() {
    for name in games() {
        let table = short_table(game(name));
        let layout = table.layout();
        let bare = layout.bare();
        // The referee takes longer for a game of Diamond Miner than for any other.
        let starts = if name == "diamond_miner" { 60 } else { 150 };
        let mut record = Record::new(&bare, 8);
        let mut games = Record::new(layout, 8 * starts);
        table.play(Level::new(), 4, 0, &mut games);
        // By seat and outcome, the mean of each start.
        let mut means = vec![[Vec::new(), Vec::new()]; layout.seats];
        for number in 0..starts as u64 {
            let course = course(table.as_ref(), 4, number);
            let position = &course.moments[0].position;
            table.play_on(Level::new(), (position, None), (7, 8 * number), &mut record);
            for (seat, means) in means.iter_mut().enumerate() {
                for outcome in [WIN, SCORE] {
                    let column = record.column(bare.seat_column(seat, outcome));
                    means[outcome].push(mean(column).0);
                }
            }
        }
        for (seat, means) in means.iter().enumerate() {
            for outcome in [WIN, SCORE] {
                let whole = mean(games.column(layout.seat_column(seat, outcome)));
                let started = mean(&means[outcome]);
                let apart = (started.0 - whole.0) / (started.1 + whole.1).sqrt();
                assert!(apart.abs() < 4.5, "{name}, seat {seat}, {outcome}: {apart}");
            }
        }
    }
}

/// Of 300 intervals of 64 playouts each, 95 % hold what very many playouts say.
#[test]
fn intervals_of_playouts_hold() {
    for name in games() {
        let table = default_table(game(name));
        let bare = table.layout().bare();
        let course = course(table.as_ref(), 6, 0);
        let decision = course.moments.iter().skip(course.moments.len() / 2);
        let moment = decision
            .into_iter()
            .find(|moment| matches!(moment.what, What::Decision(_)));
        let moment = moment.expect("a decision in the second half");
        const SAMPLES: usize = 300;
        const EACH: usize = 64;
        let mut record = Record::new(&bare, EACH);
        let mut values = vec![Vec::new(); bare.columns()];
        for sample in 0..SAMPLES as u64 {
            let first = sample * EACH as u64;
            table.play_on(
                Level::new(),
                (&moment.position, Some(0)),
                (1, first),
                &mut record,
            );
            for (column, values) in values.iter_mut().enumerate() {
                values.push(mean(record.column(column)));
            }
        }
        let (mut held, mut all) = (0, 0);
        for values in &values {
            let truth = values.iter().map(|(mean, _)| mean).sum::<f64>() / SAMPLES as f64;
            let varies = values
                .iter()
                .filter(|(_, variance)| *variance > 0.0)
                .count();
            // Where nearly all playouts end alike, a normal interval of so few means little.
            if varies < SAMPLES {
                continue;
            }
            all += SAMPLES;
            held += (values.iter())
                .filter(|(mean, variance)| (mean - truth).abs() <= 1.96 * variance.sqrt())
                .count();
        }
        let share = held as f64 / all as f64;
        assert!(all >= SAMPLES, "{name}: nothing varies");
        assert!((0.92..0.98).contains(&share), "{name}: {share} of {all}");
    }
}

/// The move that wins is worth a win, exactly: nothing can happen any more.
#[test]
fn certain_values_are_exact() {
    let table = default_table(game("diamond_miner"));
    let bare = table.layout().bare();
    let mut record = Record::new(&bare, 32);
    for number in 0..10 {
        let course = course(table.as_ref(), 1, number);
        let Some(What::Decision(options)) = course.moments.last().map(|moment| &moment.what) else {
            panic!("the last moment of a game that is won is a decision");
        };
        if course.wins[options.seat] != WIN_UNITS || course.scores[options.seat] < 2 {
            continue;
        }
        let position = &course.moments[course.moments.len() - 1].position;
        table.play_on(
            Level::new(),
            (position, Some(options.chosen)),
            (3, 0),
            &mut record,
        );
        for seat in 0..bare.seats {
            let wins = record.column(bare.seat_column(seat, WIN));
            assert!(
                wins.iter().all(|won| *won == course.wins[seat]),
                "game {number}"
            );
        }
    }
}
