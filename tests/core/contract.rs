//! What every game in the catalog must keep, whatever its rules.

use crate::fixtures::{assert_same, both, default_table, diamant, levels, play};
use carat_core::catalog::GAMES;
use carat_core::game::moments::{Guide, Standing};
use carat_core::game::practice::Offer;
use carat_core::game::{Game, Record, SCORE, Seating, Table, WIN, WIN_UNITS};
use carat_core::library::Library;
use carat_core::simulation::Tally;
use carat_core::strategy::SeatSpec;
use fearless_simd::Level;

/// Tables of `game` under every edition, for every number of players, with all shipped bots; of these
/// every `step`-th.
fn tables(game: &'static Game, step: usize) -> Vec<(String, Box<dyn Table>)> {
    let library = Library::default();
    let bots = library.strategy_names(game);
    let seat = |bot: &String| library.seats(game, &SeatSpec::of(bot)).expect("it loads");
    let seats: Vec<_> = bots.iter().map(seat).collect();
    let (mut tables, mut at) = (Vec::new(), 0);
    for edition in game.editions {
        let rules = game.rules("rules", edition.text).expect("editions load");
        for players in 1..=8 {
            for shift in 0..bots.len() {
                at += 1;
                if at % step != 0 {
                    continue;
                }
                let of = |i: usize| (shift + i * 2) % bots.len();
                let own: Vec<_> = (0..players).flat_map(|i| seats[of(i)].clone()).collect();
                if let Ok(table) = rules.table(&own, Seating::EveryOrder) {
                    let names: Vec<&str> = (0..players).map(|i| bots[of(i)].as_str()).collect();
                    tables.push((format!("{} {names:?}", edition.name), table));
                }
            }
        }
    }
    assert!(!tables.is_empty(), "{} can be played", game.name);
    tables
}

/// Games to compare at each of so many tables: a part of what the game plays by default in all, which
/// is 2,000 games of Diamant. One game that differs is enough.
fn games_each(game: &Game, tables: usize) -> usize {
    (game.games as usize / 500).div_ceil(tables)
}

#[test]
fn kernel_plays_the_referees_game() {
    for game in GAMES {
        let tables = tables(game, 3);
        let games = games_each(game, tables.len());
        for (index, (context, table)) in tables.iter().enumerate() {
            let both = both(table.as_ref(), Level::new(), 11, 1000 * index as u64, games);
            assert_same(table.as_ref(), context, &both);
        }
    }
}

/// A decision that somebody else took: the seat, what its bot says of the options, what it
/// sees of them, and the option that was picked, unless that was left to the bot.
type Picked = (usize, Vec<f32>, Vec<f32>, Option<usize>);

/// Takes the same decisions again, and compares what is seen then.
struct Again<'a> {
    context: &'a str,
    games: std::slice::Iter<'a, Vec<Picked>>,
    decisions: std::slice::Iter<'a, Picked>,
}

impl Guide for Again<'_> {
    fn begin(&mut self, _game: u64) {
        assert_eq!(self.decisions.len(), 0, "{}: more decisions", self.context);
        self.decisions = self.games.next().expect("another game").iter();
    }

    fn decide(&mut self, seat: usize, options: usize, chosen: usize, stands: &Standing) -> usize {
        let left = self.decisions.len();
        let decision = self.decisions.next().expect("another decision");
        let (picks, scores, features, picked) = decision;
        let context = format!("{}: {left} decisions before the end", self.context);
        assert_eq!((seat, options), (*picks, scores.len()), "{context}");
        let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        assert_eq!(scores[chosen], best, "{context}");
        for (option, shown) in features.chunks_exact(features.len() / options).enumerate() {
            assert_eq!((stands.features)(option), shown, "{context}: {option}");
        }
        picked.unwrap_or(chosen)
    }
}

#[test]
fn games_of_practice_are_the_referees() {
    const EACH: usize = 2;
    for game in ["diamond_miner", "diamond_cave"].map(crate::fixtures::game) {
        for (context, table) in &tables(game, 11) {
            let mut practised = Record::new(table.layout(), EACH);
            let mut guided = practised.clone();
            let mut games: [Vec<Picked>; EACH] = Default::default();
            let pick = &mut |offer: &Offer| {
                let game = &mut games[offer.game];
                let lot = (offer.game * 64 + offer.seat) << 32 | game.len();
                let lot = (lot as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
                let picked = (offer.seat > 0).then_some(lot as usize % offer.scores.len());
                let [scores, features] = [offer.scores, offer.features].map(<[f32]>::to_vec);
                game.push((offer.seat, scores, features, picked));
                picked
            };
            table.practise(Level::new(), (7, 30), pick, &mut practised);
            let mut again = Again {
                context,
                games: games.iter(),
                decisions: [].iter(),
            };
            table.guided(7, 30, &mut again, &mut guided);
            assert_eq!(again.decisions.len(), 0, "{context}: more decisions");
            assert_same(table.as_ref(), context, &[practised, guided]);
        }
    }
}

#[test]
fn every_level_of_vector_instructions_plays_the_same_games() {
    for game in GAMES {
        let tables = tables(game, 17);
        let games = games_each(game, 7 * tables.len()).min(30);
        for (context, table) in &tables {
            for level in levels() {
                let both = both(table.as_ref(), level, 5, 77, games);
                assert_same(table.as_ref(), &format!("{level:?} {context}"), &both);
            }
        }
    }
}

/// Studies append columns for their measures: all others stay as they are, by kernel and referee.
#[test]
fn measures_change_no_other_column() {
    measures_change_nothing(6);
}

#[test]
#[ignore = "full set"]
fn measures_change_no_other_column_of_many_games() {
    measures_change_nothing(30);
}

fn measures_change_nothing(most: usize) {
    const MEASURES: usize = 9;
    for game in GAMES {
        let mut tables = tables(game, 17);
        let rounds = if game.name == "diamant" {
            &[1, 2, 3, 4, 6, 20][..]
        } else {
            &[]
        };
        for rounds in rounds {
            let rounds = format!("rounds={rounds}");
            let table = diamant("iello-2016", &[&rounds], &["threshold", "depth", "traps"]);
            tables.push((rounds, table));
        }
        let games = games_each(game, 7 * tables.len()).min(most);
        for (context, table) in &mut tables {
            let columns = table.layout().columns();
            let plain = both(table.as_ref(), Level::new(), 3, 40, games);
            for measures in 1..=MEASURES {
                let name = format!("own_{measures}");
                let defined = table.layout_mut().define(&name, "place_1 == 1");
                defined.expect("a measure");
                if measures > 2 && measures < MEASURES {
                    continue;
                }
                let mut measured = both(table.as_ref(), Level::new(), 3, 40, games);
                for (plain, measured) in plain.iter().zip(&measured) {
                    for column in 0..columns {
                        let both = [plain, measured].map(|record| record.column(column));
                        assert_eq!(both[0], both[1], "{context}: {measures}, column {column}");
                    }
                    assert_eq!(plain.counts, measured.counts, "{context}: {measures}");
                }
                for record in &mut measured {
                    table.layout().measure(record);
                }
                assert_same(table.as_ref(), context, &measured);
            }
        }
    }
}

#[test]
fn chunks_do_not_matter() {
    for game in GAMES {
        let table = default_table(game);
        let mut whole = Tally::new(table.layout());
        let mut parts = whole.clone();
        let mut record = Record::new(table.layout(), 1000);
        table.play(Level::new(), 3, 500, &mut record);
        whole.add(Level::new(), table.layout(), 500, &record);
        let mut first = 500;
        for games in [1, 2, 130, 367, 500] {
            let mut shard = Tally::new(table.layout());
            record.clear(games);
            table.play(Level::new(), 3, first, &mut record);
            shard.add(Level::new(), table.layout(), first, &record);
            parts.merge(&shard);
            first += games as u64;
        }
        assert_eq!(whole, parts, "{}", game.name);
    }
}

#[test]
fn every_game_has_exactly_one_win_to_share() {
    for game in GAMES {
        for (context, table) in &tables(game, 11) {
            let mut record = Record::new(table.layout(), 200);
            table.play(Level::new(), 9, 0, &mut record);
            let layout = table.layout();
            for index in 0..200 {
                let of = |seat, outcome| record.column(layout.seat_column(seat, outcome))[index];
                let wins: i32 = (0..layout.seats).map(|seat| of(seat, WIN)).sum();
                assert_eq!(wins, WIN_UNITS, "{context}: game {index}");
                for seat in 0..layout.seats {
                    let score = of(seat, SCORE);
                    assert!(
                        (0..=layout.score_max as i32).contains(&score),
                        "{context}: {score}"
                    );
                }
            }
        }
    }
}

#[test]
fn seeds_and_games_differ() {
    for game in GAMES {
        let table = default_table(game);
        let column = table.layout().seat_column(0, SCORE);
        let scores = |seed, first| {
            let mut record = Record::new(table.layout(), 64);
            table.play(Level::new(), seed, first, &mut record);
            record.column(column).to_vec()
        };
        assert_eq!(scores(1, 0), scores(1, 0));
        assert_ne!(scores(1, 0), scores(2, 0));
        assert_ne!(scores(1, 0), scores(1, 64));
        assert_eq!(scores(1, 0)[32..], scores(1, 32)[..32]);
        // The last game number there is can be played too.
        assert_eq!(scores(u64::MAX, u64::MAX - 10).len(), 64);
    }
}

#[test]
fn rotation_changes_nothing_where_places_do_not_matter() {
    let game = crate::fixtures::game("diamant");
    let library = Library::default();
    let rules = game
        .rules("rules", game.editions[0].text)
        .expect("editions load");
    let seats = |order: &[&str]| {
        let bots = order
            .iter()
            .flat_map(|bot| library.seats(game, &SeatSpec::of(bot)).expect("loads"));
        rules
            .table(&bots.collect::<Vec<_>>(), Seating::Fixed)
            .expect("can play")
    };
    let forth = seats(&["threshold", "depth", "traps"]);
    let back = seats(&["traps", "depth", "threshold"]);
    let (forth_tally, back_tally) = (play(forth.as_ref(), 4, 2000), play(back.as_ref(), 4, 2000));
    for seat in 0..3 {
        assert_eq!(
            forth_tally.scores[seat],
            back_tally.scores[2 - seat],
            "seat {seat}"
        );
    }
}
