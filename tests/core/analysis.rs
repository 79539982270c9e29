//! What decisions and luck are worth in games of bots: sums that are exact, and intervals that hold.

use crate::fixtures::{diamant, game, play, short_table};
use crate::lone::{Expedition, TREASURES};
use carat_core::analysis::{
    AnalysedGame, Analysis, Of, Progress, VarianceShares, Walk, measure_gains, result_unit,
    variance_shares,
};
use carat_core::catalog::GAMES;
use carat_core::game::story::StoryStyle;
use carat_core::game::{Play, Table, WIN_SHARE};
use carat_core::simulation::{Games, Player, Threads, alone};
use carat_core::thinking::Judge;
use fearless_simd::Level;

const SHORT: StoryStyle = StoryStyle {
    short: true,
    ..StoryStyle::PLAIN
};
const SEED: u64 = 3;

fn run<T>(play: impl FnOnce(&mut Player) -> T) -> T {
    alone(&Threads::start(0).expect("threads"), Level::new(), play)
}

/// Analyses the first games at a table, with playouts at another of the same rules.
fn analyse(played: &dyn Table, on: &dyn Table, count: u64, playouts: u64) -> Vec<AnalysedGame> {
    analyse_of(SEED, played, on, count, playouts)
}

/// The same with this seed. Equal positions have the same playouts, whichever game they are of.
fn analyse_of(
    seed: u64,
    played: &dyn Table,
    on: &dyn Table,
    count: u64,
    playouts: u64,
) -> Vec<AnalysedGame> {
    let judge = Judge::new(on, seed, playouts);
    let mut progress = Progress {
        count,
        ..Progress::default()
    };
    run(|player| {
        let mut games = Vec::new();
        for number in 0..count {
            let analysis = Analysis {
                judge: &judge,
                games: Games { seed, chunk: 4096 },
                number,
                course: played.course(seed, number, SHORT),
                only: None,
            };
            let game = analysis.play(&mut progress, player);
            games.push(game.unwrap_or_else(|_| panic!("nothing stops it")));
        }
        games
    })
}

/// The contribution of own play in each game, by seat, in units of results.
fn own_play(games: &[AnalysedGame], playouts: u64) -> Vec<Vec<f64>> {
    let unit = playouts as f64 * result_unit(games[0].walks.len());
    let own = |walk: &Walk| walk.sum(Of::Own) as f64 / unit;
    let of = |game: &AnalysedGame| game.walks.iter().map(own).collect();
    games.iter().map(of).collect()
}

#[test]
fn luck_and_skill_add_up_to_every_result() {
    for own in GAMES {
        let table = short_table(own);
        let playouts = 16;
        let [one, first] = [1, 2].map(|count| {
            let mut games = analyse(table.as_ref(), table.as_ref(), count, playouts);
            games.swap_remove(0)
        });
        assert_eq!(one.judged.len(), first.judged.len());
        for (seat, walk) in one.walks.iter().enumerate() {
            let parts: i128 = Of::ALL.iter().map(|of| walk.sum(*of)).sum();
            let result = i128::from(one.course.wins[seat]) * i128::from(playouts);
            assert_eq!(walk.start + parts, result, "{}", own.name);
            assert_eq!(walk.here(), result, "{}", own.name);
            // Batches only give errors.
            assert!(walk.given_se[Of::Cards as usize] > 0.0, "{walk:?}");
            let without = Walk {
                given_se: [0.0; 3],
                ..walk.clone()
            };
            assert_eq!(first.walks[seat], without, "{}", own.name);
        }
    }
}

/// Five bots that leave nothing to chance.
const WITHOUT_LOTS: [&str; 5] = ["threshold", "traps", "depth", "risk", "veteran"];

/// A seat whose bot goes on leaves nothing to its own play but chance; another bot's play is what
/// its options are worth less than what that bot would have got.
#[test]
fn own_play_is_compared_with_the_playout_bot() {
    let table = |seats: &[&str]| diamant("iello-2016", &[], seats);
    let same = table(&WITHOUT_LOTS);
    let games = analyse(same.as_ref(), same.as_ref(), 3, 256);
    let foreseen = own_play(&games, 256).concat();
    assert!(foreseen.iter().all(|own| *own == 0.0), "{foreseen:?}");
    // A bot that stays whatever comes gives away what the careful one would have taken.
    let bold = table(&["depth:cards=30", "4*depth:cards=5"]);
    let careful = table(&["5*depth:cards=5"]);
    let games = analyse(bold.as_ref(), careful.as_ref(), 12, 256);
    let own = own_play(&games, 256);
    assert!(own.iter().map(|seats| seats[0]).sum::<f64>() < -0.1);
    assert!(own.iter().all(|seats| seats[1..] == [0.0; 4]), "{own:?}");
}

/// The share of play and luck in the results of some games; decisions are play if other bots play on.
fn shares(seats: &[&str], on: &[&str], sets: &[&str], count: u64) -> Option<VarianceShares> {
    let [played, going_on] = [seats, on].map(|seats| diamant("iello-2016", sets, seats));
    let games = analyse(played.as_ref(), going_on.as_ref(), count, 64);
    let shares = variance_shares(&games, 64.0 * result_unit(5), &[seats != on; 5]);
    if let Some(VarianceShares { play, luck, parts }) = &shares {
        assert!((play.value + luck.value - 1.0).abs() < 1e-9, "{shares:?}");
        let sum: f64 = parts[..3].iter().map(|part| part.value).sum();
        assert!((sum - play.value).abs() < 1e-9, "{shares:?}");
    }
    shares
}

#[test]
fn share_of_play_matches_known_tables() {
    shares_match_known_tables(&["rounds=1"], 48);
}

#[test]
#[ignore = "full set"]
fn share_of_play_matches_known_tables_in_whole_games() {
    shares_match_known_tables(&[], 16);
}

/// Among equal bots all is luck, also where they leave much to chance and playouts are few and noisy;
/// beside them one who plays at random makes play count, which a single expedition hardly shows.
fn shares_match_known_tables(sets: &[&str], games: u64) {
    for equal in ["5*random", "5*solved-5"] {
        let play = shares(&[equal], &[equal], sets, 16)
            .expect("results differ")
            .play;
        assert!(play.value.abs() < 0.01, "{equal}: {play}");
        assert!(
            !sets.is_empty() || (play.low <= 0.0 && play.high >= 0.0),
            "{equal}"
        );
    }
    let strong = ["5*solved-5"];
    if sets.is_empty() {
        let found = shares(&["random", "4*solved-5"], &strong, sets, 16);
        let play = found.expect("results differ").play;
        assert!(play.value > 0.02 && play.low > 0.01, "{play}");
    }
    // All five play otherwise than the learnt bot that goes on.
    let play = shares(&WITHOUT_LOTS, &strong, sets, games)
        .expect("results differ")
        .play;
    assert!(play.value > 0.1 && play.low > 0.0, "{play}");
    // Too few games tell nothing of it.
    assert_eq!(shares(&WITHOUT_LOTS, &WITHOUT_LOTS, sets, 9), None);
}

/// What a strong bot would gain in a seat is what its wins are more there in other games.
#[test]
fn the_gain_of_a_strong_bot_agrees_with_a_comparison() {
    for (sets, least) in [(&["rounds=1"][..], 0.02), (&[], 0.1)] {
        let seats = [&["random", "4*solved-5"][..], &["5*solved-5"]];
        let tables = seats.map(|seats| diamant("iello-2016", sets, seats));
        let [table, strong] = tables.each_ref().map(|table| table.as_ref() as &dyn Play);
        let others = [Some(strong), None, None, None, None];
        let dealt = Games {
            seed: SEED,
            chunk: 4096,
        };
        let gains = run(|player| measure_gains(table, &others, 20_000, dealt, player));
        let gains = gains.unwrap_or_else(|_| panic!("nothing stops it"));
        assert_eq!(gains[1..], [None; 4]);
        let gain = gains[0].expect("a gain");
        let [before, after] =
            [table, strong].map(|table| play(table, 9, 100_000).seat(table.layout(), WIN_SHARE, 0));
        let difference = after.value - before.value;
        assert!(gain.value > least, "{gain}");
        let within = 4.0 * gain.se.hypot(before.se).hypot(after.se);
        assert!(
            (gain.value - difference).abs() < within,
            "{gain} {difference}"
        );
    }
}

/// What a lone explorer who leaves after so many cards still expects, when its first card was a
/// treasure of this value, or a trap when that is 0.
fn after_first_card(cards: u32, treasure: u32) -> f64 {
    let mut expedition = Expedition {
        leave: &|seen, _, _| Some(seen >= cards),
        known: vec![None; 6 << 15],
    };
    match TREASURES.iter().position(|value| *value == treasure) {
        Some(card) => expedition.go_on(1 << card, 0),
        None => expedition.go_on(0, 1),
    }
}

/// A lone explorer in one expedition: what staying is worth after the first card is known exactly, and
/// 95 % of the intervals hold it. Leaving is certain.
#[test]
fn intervals_of_options_hold_exact_values() {
    let table = diamant("schmidt-2005", &["rounds=1"], &["depth:cards=6"]);
    let all = 300;
    let mut held = 0;
    for seed in 0..all {
        let game = &analyse_of(seed, table.as_ref(), table.as_ref(), 1, 256)[0];
        let first = &game.judged[0];
        assert_eq!(game.course.moments[first.moment].at, "expedition 1, card 1");
        let [stay, leave] = first.options[..] else {
            panic!("two options: {:?}", first.options);
        };
        assert_eq!(leave.score_mean.se, 0.0, "{leave:?}");
        assert!(stay.playouts >= 128, "half are new at least");
        let exact = after_first_card(6, leave.score_mean.value as u32);
        let interval = stay.score_mean.low..=stay.score_mean.high;
        held += u64::from(interval.contains(&exact));
    }
    assert!((273..=297).contains(&held), "{held} of {all}");
}

/// Seats of another order are the same seats.
#[test]
fn seats_are_numbered_anew() {
    let table = short_table(game("diamond_cave"));
    let course = || {
        let mut games = analyse(table.as_ref(), table.as_ref(), 1, 64);
        games.swap_remove(0)
    };
    let (before, seats) = (course(), [2, 0, 3, 1]);
    let after = course().reseated(&seats);
    for (seat, &new) in seats.iter().enumerate() {
        assert_eq!(after.course.wins[new], before.course.wins[seat]);
        assert_eq!(after.walks[new].steps, before.walks[seat].steps);
        for (rival, &other) in seats.iter().enumerate() {
            assert_eq!(after.walks[new].by[other], before.walks[seat].by[rival]);
        }
    }
    for (after, before) in after.judged.iter().zip(&before.judged) {
        assert_eq!(after.moment, before.moment);
    }
    let seats_of = |game: &AnalysedGame| {
        let options = game
            .course
            .moments
            .iter()
            .filter_map(|moment| moment.options());
        Vec::from_iter(options.map(|options| options.seat))
    };
    let renamed = seats_of(&before).into_iter().map(|seat| seats[seat]);
    assert_eq!(seats_of(&after), Vec::from_iter(renamed));
}
