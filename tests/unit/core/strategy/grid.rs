use super::*;
use crate::formula::Value;
use crate::strategy::{Seat, Strategy};
use crate::testing::TEST_VOCABULARY;

fn grid() -> Grid {
    let section = |name: &str, when: Option<&str>, axes: Vec<Axis>| GridSection {
        name: name.to_string(),
        when: when.map(str::to_string),
        axes,
    };
    let held = Axis::new("held - 1", &[2.0, 4.0]);
    let traps = Axis::new("traps_seen", &[1.0]);
    Grid {
        sections: vec![
            section("early", Some("chest < 5"), vec![held.clone(), traps]),
            section("late", None, vec![held]),
        ],
    }
}

#[test]
fn the_formula_and_the_bot_find_the_same_cell() {
    let grid = grid();
    assert_eq!(grid.cells(), 9);
    assert_eq!(grid.check(&TEST_VOCABULARY), Ok(()));
    let cell = grid.formula(&TEST_VOCABULARY).unwrap();
    for (held, chest, traps, expected) in [
        (2.0, 0.0, 0.0, 0.0),
        (3.0, 4.0, 1.0, 3.0),
        (9.0, 0.0, 1.0, 5.0),
        (0.0, 5.0, 1.0, 6.0),
        (9.0, 5.0, 0.0, 8.0),
    ] {
        let features = |feature: usize| [held, chest, traps, 0.5][feature];
        assert_eq!(cell.evaluate(features), Value::Number(expected));
        // A bot that leaves only in this cell.
        let mut policy = vec![0; grid.cells()];
        policy[expected as usize] = 255;
        let text = grid.bot("leave", "One cell.", &policy);
        let bot = Strategy::from_toml("one", "one.toml", &text, &TEST_VOCABULARY).unwrap();
        let formula = Seat::new(bot, &[]).unwrap().formula();
        assert_eq!(formula.evaluate(features), Value::Truth(true), "{text}");
    }
}

#[test]
fn texts_of_a_bot_are_written_as_toml() {
    let mut grid = grid();
    grid.sections[0].when = Some("chest\n< \t5".to_string());
    grid.sections[0].axes[0].of = "held\n- 1".to_string();
    assert_eq!(grid.check(&TEST_VOCABULARY), Ok(()));
    let said = "a\u{a0}b \"e\u{301}\" '\u{1f9d1}\u{200d}\u{1f33e}' \\ \u{1b}\u{7f}\n";
    let text = grid.bot("leave", said, &[0; 9]);
    let bot = Strategy::from_toml("one", "one.toml", &text, &TEST_VOCABULARY).unwrap();
    assert_eq!(bot.description, said);
}

#[test]
fn faults_of_axes_name_their_place() {
    let refused = |change: &dyn Fn(&mut Grid)| {
        let mut grid = grid();
        change(&mut grid);
        let fault = grid.check(&TEST_VOCABULARY).unwrap_err();
        format!("{} {}: {}", fault.file, fault.text, fault.fault.message)
    };
    let name = |name: &'static str| refused(&move |grid| grid.sections[1].name = name.into());
    assert_eq!(name("max"), "axes.2.name max: `max` cannot name a section");
    let twice = "axes.2.name early: two sections are called `early`";
    assert_eq!(name("early"), twice);
    let of = |of: &'static str| refused(&move |grid| grid.sections[0].axes[1].of = of.into());
    let comment = "axes.1.axes.2.of held # x: an axis cannot contain a comment";
    assert_eq!(of("held # x"), comment);
    let when = refused(&|grid| grid.sections[0].when = Some("chest <".into()));
    assert!(when.starts_with("axes.1.when chest <: "), "{when}");
    let edges = refused(&|grid| grid.sections[1].axes[0].edges.reverse());
    let rise = "axes.2.axes.1.edges [4.0, 2.0]: edges must be finite and rise";
    assert_eq!(edges, rise);
}

#[test]
fn finer_cells_know_their_parents() {
    let coarse = grid();
    let finer = coarse.finer(&[Axis::new("random", &[0.5]), Axis::new("traps_seen", &[9.0])]);
    assert_eq!(finer.cells(), 2 * 9 + 2 * 2 * 3);
    let parents = finer.parents(&coarse);
    assert_eq!(parents[..9], [0, 1, 1, 2, 3, 3, 4, 5, 5]);
    assert_eq!(parents[..9], parents[9..18]);
    assert_eq!(parents[18..], [6, 7, 8, 6, 7, 8, 6, 7, 8, 6, 7, 8]);
}
