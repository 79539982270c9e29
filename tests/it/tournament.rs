//! Tournaments: who meets whom, what bots earn, and what can be trusted of it.

use crate::process::{folder, holds};
use carat_core::library::Library;
use carat_core::simulation::{Threads, alone};
use carat_core::tournament::{LineUps, MetaGame, PlayedField, against};
use carat_studies::study::Study;
use fearless_simd::Level;

#[test]
fn bots_of_every_game_can_meet() {
    for (game, bots, games) in [
        ("diamant", "threshold traps:nerve=2", 3000),
        ("diamond_cave", "prospector saboteur", 60),
        ("diamond_miner", "builder thief", 60),
    ] {
        let here = folder();
        let bots = format!("--players 3 --games {games} --bots {bots}");
        let shown = here.draw(&format!("tournament {game} {bots} --out o"));
        holds(&shown, "all 4 line-ups");
        for chart in ["ratings.png", "matrix.png"] {
            assert!(here.has(&format!("o/{chart}")), "{game}: {chart}");
        }
        // Two bots against three fields of two each.
        assert_eq!(here.table("o/payoffs.csv").rows.len(), 6);
        here.draw("run o/manifest.json --quiet --threads 1 --out again");
        here.same("o", "again");
    }
}

#[test]
fn unseen_results_keep_wide_intervals() {
    let here = folder();
    here.run("tournament diamond_miner --bots random guardian --players 4 --games 40 --out o");
    let matrix = here.table("o/matrix.csv").rows;
    let never = ["random", "guardian", "0.0"];
    let row = matrix.iter().find(|row| row[..3] == never);
    let high = row.expect("no win in 40 games").last().expect("cells");
    assert!(
        (0.02..0.2).contains(&high.parse().expect("a number")),
        "{high}"
    );
}

#[test]
fn a_sample_of_line_ups_says_so_and_what_plays_all() {
    let ran = folder().ends(
        0,
        "tournament diamant --bots threshold traps depth risk chaser veteran --players 5 \
         --line-ups 100 --games 50 --no-charts --out o",
    );
    let [shown, noted] = [ran.stdout, ran.stderr].map(|said| said.replace('\n', " "));
    let sample = "252 line-ups of 5 … 100 … line_ups = 252";
    holds(&shown, sample);
    let remedy = "to play all line-ups, use line_ups = 252, or at most 4 bots";
    holds(&noted, remedy);
}

/// The interval of a mix holds the mix of many more games, and too few games give none.
#[test]
fn a_mix_has_an_interval_or_is_not_known() {
    let here = folder();
    let bots = "tournament diamant --bots threshold traps depth --players 3 --no-charts";
    here.run(&format!("{bots} --games 100000 --seed 5 --out many"));
    here.run(&format!("{bots} --games 200 --out few"));
    let [many, few] = ["many", "few"].map(|out| here.table(&format!("{out}/ratings.csv")));
    let number = |cell: &str| cell.parse::<f64>().expect("a number");
    let mix = few
        .column("mix_low")
        .into_iter()
        .zip(few.column("mix_high"));
    for ((low, high), mix) in mix.zip(many.column("mix")) {
        let (low, high, mix) = (number(low), number(high), number(mix));
        assert!(
            low < mix && mix < high && high - low < 0.2,
            "{low} {mix} {high}"
        );
    }
    // Two bots that decide alike cannot be told apart.
    let alike = "threshold:target=16 threshold:target=17 depth";
    here.run(&format!(
        "tournament diamant --bots {alike} --players 3 --games 20 --out o"
    ));
    let ratings = here.table("o/ratings.csv");
    let ends = ["mix_low", "mix_high", "mix_se"].map(|column| ratings.column(column));
    assert_eq!(ends, [["0.0"; 3], ["1.0"; 3], [""; 3]]);
    assert!(!here.has("o/equilibrium.png"));
}

/// Line-ups of pairs alone rate nobody.
#[test]
fn a_sample_in_which_bots_are_not_met_is_refused() {
    let bots = |number: usize| -> String {
        let bots = (1..=number).map(|target| format!("threshold:target={target}"));
        bots.collect::<Vec<_>>().join(" ")
    };
    let here = folder();
    let field = |number: usize| format!("tournament diamant --players 5 --bots {}", bots(number));
    here.refuses_as("tournament");
    let many = format!("{} --out o", field(142));
    here.refused(&many, "20000: name fewer bots");
    let least = format!("{} --line-ups 533 --games 20", field(20));
    here.run(&format!("{least} --no-charts --out o"));
    let ratings = here.table("o/ratings.csv");
    let errors = ratings.numbers("rating_se");
    assert!(errors.iter().all(|se| *se > 0.0), "{errors:?}");
    let mean = ratings.numbers("rating").iter().sum::<f64>() / 20.0;
    assert!((mean - 0.2).abs() < 0.02, "{mean}");
}

#[test]
fn a_tournament_under_several_rules_plays_the_same_games() {
    let here = folder();
    let field = "tournament diamant --players 3 --bots threshold depth risk";
    let play = |more: &str| here.run(&format!("{field} --games 500 --no-charts {more}"));
    play("--out one");
    let shown = play("--b rounds=5 --c traps.snake=6 --out sides");
    holds(&shown, "c: iello-2016 with traps.snake=6");
    let one = here.table("one/ratings.csv").rows;
    let sides = here.table("sides/ratings.csv").rows;
    for (row, side) in sides.iter().zip(["a", "a", "a", "b", "b", "b", "c"]) {
        assert_eq!(row[0], side);
        let alone = one.iter().find(|alone| alone[0] == row[1]).expect("a bot");
        assert_eq!(alone[1..] == row[2..], side != "c", "{row:?}");
    }
    let shifts = here.table("sides/shifts.csv").rows;
    assert_eq!(shifts.len(), 6);
    for row in &shifts {
        let [first, own, shift, se]: [f64; 4] =
            [2, 3, 4, 5].map(|column| row[column].parse().expect("a number"));
        assert!((own - first - shift).abs() < 1e-12, "{row:?}");
        // The same rules shift nothing, and that is certain.
        assert_eq!(row[0] == "b", shift.abs() < 1e-12 && se < 1e-9, "{row:?}");
    }
    here.run("run sides/manifest.json --quiet --no-charts --out again");
    here.same("sides", "again");
    here.refused(
        &format!("{field} --b seats.1=depth"),
        "may differ only in rules",
    );
}

/// Plays a tournament of Diamant and looks at the result.
fn tournament_of<T>(text: &str, look: impl FnOnce(&PlayedField) -> T) -> T {
    let Ok(Study::Tournament(study)) = Study::from_toml("a.toml", text) else {
        panic!("not a tournament");
    };
    let resolved = study.resolve(&Library::default()).expect("bots exist");
    let threads = Threads::start(1).expect("a thread");
    let played = alone(&threads, Level::new(), |player| resolved.play(player));
    let played = played.expect("nothing stops it");
    look(&played.fields[0])
}

#[test]
fn wins_of_a_line_up_add_up() {
    let text = "study = \"tournament\"\nbots = [\"threshold\", \"traps\", \"depth\", \"risk\"]\n\
                [table]\ngame = \"diamant\"\nplayers = 3\ngames = 4000\n";
    tournament_of(text, |played| {
        let payoffs = &played.payoffs;
        for (at, entry) in payoffs.line_ups.entries.iter().enumerate() {
            let bots = (0..4).filter(|&bot| entry.copies(bot) > 0);
            let won = bots.map(|bot| entry.copies(bot) as f64 * payoffs.payoff(at, bot).value);
            assert!((won.sum::<f64>() - 1.0).abs() < 1e-12);
            assert_eq!(payoffs.games(at), 4000);
        }
        // Among its own copies nobody earns more than the fair share, and that is certain.
        let alone = against(payoffs, 0, 0).expect("met");
        assert!(
            (alone.value - 1.0 / 3.0).abs() < 1e-12 && alone.se < 1e-9,
            "{alone:?}"
        );
        let ratings: Vec<f64> = (0..4).map(|bot| payoffs.rating(bot).value).collect();
        assert!((ratings.iter().sum::<f64>() / 4.0 - 1.0 / 3.0).abs() < 1e-12);

        let meta_game = MetaGame::of(payoffs);
        let mix: Vec<f64> = meta_game
            .standings
            .iter()
            .map(|bot| bot.mix.value)
            .collect();
        assert!((mix.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{mix:?}");
        assert!(
            meta_game.exploitability < 1e-6,
            "{}",
            meta_game.exploitability
        );
        // A bot that earns least when all play it does not last.
        assert!(meta_game.standings.iter().all(|bot| !bot.lasts_alone));
        for standing in &meta_game.standings {
            assert!(
                standing.regret.value > -1e-6,
                "nobody gains by leaving the mix"
            );
            assert!(standing.mix.value == 0.0 || standing.regret.value < 1e-6);
            let size = standing.regret.value.abs();
            assert!(size == 0.0 || size > 1e-9, "{size} is only rounding");
        }
    });
}

#[test]
fn a_sample_agrees_with_all_line_ups() {
    let text = |line_ups: usize| {
        format!(
            "study = \"tournament\"\nline_ups = {line_ups}\n\
             bots = [\"threshold\", \"traps\", \"depth\", \"risk\", \"first-out\", \"chaser\"]\n\
             [table]\ngame = \"diamant\"\nplayers = 5\ngames = 1000\n"
        )
    };
    let all: Vec<_> = tournament_of(&text(2000), |played| {
        assert!(played.payoffs.line_ups.complete);
        (0..6).map(|bot| played.payoffs.rating(bot)).collect()
    });
    tournament_of(&text(200), |played| {
        assert_eq!(played.payoffs.line_ups.entries.len(), 200);
        for (bot, all) in all.iter().enumerate() {
            let sampled = played.payoffs.rating(bot);
            let apart = (sampled.value - all.value) / sampled.se.hypot(all.se);
            assert!(apart.abs() < 4.0, "{bot}: {sampled:?} and {all:?}");
            assert!(sampled.se > all.se);
        }
        let meta_game = MetaGame::of(&played.payoffs);
        assert!(meta_game.exploitability < 1e-6);
    });
    assert_eq!(LineUps::number(6, 5), 252);
}

#[test]
fn ratings_keep_their_coverage() {
    ratings_are_covered(100_000, 150);
}

#[test]
#[ignore = "full set"]
fn ratings_of_many_tournaments_keep_their_coverage() {
    ratings_are_covered(1_000_000, 1500);
}

fn ratings_are_covered(games: u64, runs: u64) {
    let text = |games: u64, seed: u64| {
        format!(
            "study = \"tournament\"\nbots = [\"threshold\", \"traps\", \"depth\"]\n\
             [table]\ngame = \"diamant\"\nplayers = 3\ngames = {games}\nseed = {seed}\n"
        )
    };
    let ratings = |games: u64, seed: u64| {
        tournament_of(&text(games, seed), |played| {
            [0, 1, 2].map(|bot| played.payoffs.rating(bot))
        })
    };
    let truth = ratings(games, 1 << 40).map(|rating| rating.value);
    let mut covered = [0; 3];
    for seed in 0..runs {
        for (bot, rating) in ratings(200, seed).iter().enumerate() {
            covered[bot] += u64::from((rating.low..=rating.high).contains(&truth[bot]));
        }
    }
    for (bot, covered) in covered.iter().enumerate() {
        let coverage = *covered as f64 / runs as f64;
        let error = (0.95 * 0.05 / runs as f64).sqrt();
        assert!(
            (coverage - 0.95).abs() < 4.0 * error,
            "bot {bot}: {coverage}"
        );
    }
}
