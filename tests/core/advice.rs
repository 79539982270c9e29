//! Advice that holds: other opponents, and margins for what is not known of them.

use crate::fixtures::diamant;
use carat_core::game::story::StoryStyle;
use carat_core::game::{Table, WIN_SHARE};
use carat_core::thinking::{Advice, Judge, Question};

const PLAYOUTS: u64 = 4000;

fn beside(others: &str) -> Box<dyn Table> {
    diamant("iello-2016", &["rounds=1"], &["traps", others])
}

/// Weighs the third decision of seat 1 in a game.
fn weigh<T>(table: &dyn Table, ask: impl Fn(&Judge, &Question) -> T) -> T {
    let course = table.course(1, 0, StoryStyle::PLAIN);
    let own = course.moments.iter().filter_map(|moment| moment.fork());
    let fork = own.filter(|(_, options)| options.seat == 0).nth(2);
    let judge = Judge::new(table, 1, PLAYOUTS);
    ask(&judge, &Question::at(fork.expect("a decision")))
}

#[test]
fn other_opponents_are_weighed_in_a_part_of_the_playouts() {
    let [bold, careful] = ["depth:cards=30", "depth:cards=2"].map(beside);
    weigh(bold.as_ref(), |judge, question| {
        let advice = judge.weigh(question);
        let (same, again) = judge.weigh_against(bold.as_ref(), question, advice.best);
        assert_eq!(again.options[0].playouts, PLAYOUTS / 4);
        assert_eq!((advice.is_clear(), same), (true, Some(advice.best)));
        // The worth is that of the judge of the other table.
        let other = judge.at(careful.as_ref(), PLAYOUTS / 4).weigh(question);
        for best in 0..2 {
            let (answer, against) = judge.weigh_against(careful.as_ref(), question, best);
            assert_eq!(against.options, other.options);
            let is_worse = other.cost(best).low > 0.0;
            let expected = if is_worse { other.best } else { best };
            assert_eq!(answer, (is_worse || other.is_clear()).then_some(expected));
        }
    });
}

/// Opponents who may be either bold or careful add what they differ by to the margins; those who are
/// the same in each draw add nothing but noise of playouts, which is taken off.
#[test]
fn margins_have_what_is_not_known_of_opponents() {
    let errors = |advice: &Advice| {
        let options = advice.options.iter().chain(&advice.behind);
        Vec::from_iter(options.map(|of| of.win_share.se))
    };
    let bold = beside("depth:cards=30");
    let add = |draws: &[&str]| {
        let draws = Vec::from_iter(draws.iter().map(|others| beside(others)));
        weigh(bold.as_ref(), |judge, question| {
            let mut advice = judge.weigh(question);
            let known = errors(&advice);
            judge.add_doubt(&mut advice, &draws, question);
            (advice.best, known, errors(&advice))
        })
    };
    let (_, known, alone) = add(&["depth:cards=2"]);
    assert_eq!(known, alone, "{WIN_SHARE}: one draw tells nothing");
    let (_, known, same) = add(&["depth:cards=30"; 4]);
    assert_eq!(known, same);
    let (best, known, wide) = add(&["depth:cards=30", "depth:cards=2"].repeat(4));
    for option in 0..4 {
        let grows = wide[option] > 2.0 * known[option];
        assert_eq!(grows, option != 2 + best, "{option}: {known:?} {wide:?}");
    }
}
