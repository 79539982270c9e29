//! Simple rules: what is found is what plays, and all its figures agree.

use crate::fixtures::{edition, game, play};
use carat_core::adaptation::FamilyTable;
use carat_core::game::{Seating, WIN_SHARE};
use carat_core::library::{Library, SourceText};
use carat_core::overrides::apply;
use carat_core::simple_rule::{FoundRule, RuleSearch, Standard};
use carat_core::simulation::{Threads, alone};
use carat_core::statistics::Estimate;
use carat_core::strategy::Seat;
use fearless_simd::Level;

/// Two numbers, and a parameter without a range that does nothing.
const FAMILY: &str = "leave = \"held + leftover >= enough - per_trap * traps_seen + 0 * idle\"
[params]
enough = { value = 19, range = [4, 34], step = 5 }
per_trap = { value = 2, range = [0, 6], step = 2 }
idle = 3
";

fn library(family: &str) -> Library {
    let mut library = Library::default();
    library.strategies.push(SourceText::new("family", family));
    library
}

fn seats(library: &Library, bots: &[&str]) -> Vec<Seat> {
    let each = bots.iter().map(|bot| bot.parse().expect("a bot"));
    let each = each.map(|bot| library.seats(game("diamant"), &bot).expect("a bot"));
    each.flatten().collect()
}

/// The family at a table of three with short games.
fn table(library: &Library, games: u64) -> FamilyTable {
    let sets = ["rounds=2".to_string()];
    let text = apply("rules", &edition("iello-2016"), &sets).expect("a key");
    let game = game("diamant");
    let rules = game.rules("rules", &text).expect("rules");
    let family = library.strategy(game, "family").expect("a family");
    FamilyTable {
        games,
        ..FamilyTable::new(game, rules, family, 3)
    }
}

/// Searches beside two companies, in so many games.
fn search(family: &str, others: [&str; 2], games: u64) -> (RuleSearch, FoundRule) {
    let library = library(family);
    let companies = vec![seats(&library, &others), seats(&library, &["bold"])];
    let own = seats(&library, &["family"]).remove(0);
    let standards = vec![(Standard::Family, own)];
    let mut search = RuleSearch::new(table(&library, games), companies, standards, 1);
    let threads = Threads::start(0).expect("threads");
    let found = alone(&threads, Level::new(), |player| search.play(None, player));
    let found = found.unwrap_or_else(|_| panic!("nothing stops it"));
    (search, found)
}

/// The win share of seat 1 in fresh games.
fn won(table: &FamilyTable, seats: &[Seat]) -> Estimate {
    let seated = table.rules.table(seats, Seating::default());
    let seated = seated.expect("they can play");
    play(seated.as_ref(), 9, 50_000).seat(seated.layout(), WIN_SHARE, 0)
}

#[track_caller]
fn assert_near(found: Estimate, value: f64, se: f64) {
    let within = 4.0 * found.se.hypot(se);
    assert!((found.value - value).abs() < within, "{found:?} {value}");
}

/// Figures of a rule are those of fresh games, and a sloppy player has each number by itself too large
/// or too small.
#[test]
fn figures_of_a_rule_agree() {
    let (search, found) = search(FAMILY, ["people", "people"], 20_000);
    let table = &search.table;
    let people = &search.companies[0];
    // What does nothing is left out.
    let [(idle, values)] = &table.axes[2..] else {
        panic!("{:?}", table.axes);
    };
    assert_eq!((idle.as_str(), &values[..]), ("idle", &[0.0][..]));
    assert!(search.clauses.is_empty());
    for price in &found.prices {
        let share = won(
            table,
            &[std::slice::from_ref(&search.bot(price)), &people[..]].concat(),
        );
        assert_near(price.shares[0], share.value, share.se);
        let Some(rule) = &price.rule else { continue };
        let (mut sum, mut squares) = (0.0, 0.0f64);
        let all = 1 << rule.axes.len();
        for which in 0..all {
            let factor = |place: usize| if which >> place & 1 == 1 { 1.2 } else { 0.8 };
            let off = rule.axes.iter().enumerate();
            let off = Vec::from_iter(off.map(|(place, axis)| (*axis, factor(place))));
            let sloppy = table.seat_off(&rule.point, 0.0, &off);
            let share = won(table, &[&[sloppy], &people[..]].concat());
            sum += share.value;
            squares += share.se.powi(2);
        }
        let parts = f64::from(all);
        let sloppy = price.sloppy.expect("of each rule");
        assert_near(sloppy, sum / parts, squares.sqrt() / parts);
    }
    let best = &found.prices[found.best];
    for price in found.prices.iter().filter(|price| price.rule.is_none()) {
        let behind = price.behind.expect("of each bot of comparison");
        let less = best.shares[0].value - price.shares[0].value;
        assert!((behind.value - less).abs() < 1e-12, "{behind:?} {less}");
    }
    assert_eq!(found.friends[0].same.value, best.shares[0].value);
    let costs = found.principles.iter().map(|part| part.costs[0].value);
    assert!(costs.is_sorted_by(|a, b| a >= b));
}

/// Two with the rule at a table for three meet one of the others: the one as often as the other.
#[test]
fn others_take_turns_beside_several_with_the_rule() {
    // All searches find the same rule.
    let family = "leave = \"held + leftover >= enough\"\n[params]\n\
                  enough = { value = 14, range = [14, 64], step = 50 }\n";
    let people = ["human:bias=-3", "human:bias=-8"];
    let swapped = [people[1], people[0]];
    let [one, two] = [people, swapped].map(|others| {
        let (_, found) = search(family, others, 50_000);
        assert_eq!(found.friends[1].users, 2);
        found.friends[1].same
    });
    assert_near(one, two.value, two.se);
}

/// The rule for other rules than the search's is one more bot for comparison, and leaves the search's
/// own family as it was.
#[test]
fn the_rule_before_is_compared() {
    let library = library(FAMILY);
    let companies = vec![seats(&library, &["people"])];
    let own = || table(&library, 2_000);
    let threads = Threads::start(0).expect("threads");
    let [alone, compared] = [None, Some(own())].map(|unchanged| {
        let mut search = RuleSearch::new(own(), companies.clone(), Vec::new(), 1);
        let found = alone(&threads, Level::new(), |player| {
            search.play(unchanged, player)
        });
        let found = found.unwrap_or_else(|_| panic!("nothing stops it"));
        let standards = search.standards.iter();
        (Vec::from_iter(standards.map(|(of, _)| *of)), found)
    });
    // The rule leaves out what does nothing.
    assert_eq!(alone.0, [Standard::Complete]);
    assert_eq!(compared.0, [Standard::Old, Standard::Complete]);
    // Both searched under the same rules in the same games.
    let mut prices = compared.1.prices.iter();
    let old = prices.find(|price| price.standard == Some(Standard::Old));
    let old = old.expect("the old rule");
    let best = &compared.1.prices[compared.1.best];
    assert_eq!((alone.1.best, &old.values), (compared.1.best, &best.values));
    assert_eq!(old.behind.expect("a difference").value, 0.0);
}
