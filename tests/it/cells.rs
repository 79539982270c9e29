//! Cells of tables as parameters.

use crate::process::{folder, holds};

const NERVE: &str = "\
leave = \"held >= nerve[traps_seen] + extra[explorers, traps_seen]\"
[params]
calm = 14
[tables.nerve]
axes = [[1, 2, 3, 4]]
values = [30, 20, \"calm\", 9, 5]
[tables.extra]
axes = [[3], [2]]
values = [[0, 1], [2, 3]]
";

#[test]
fn cells_are_parameters_on_the_command_line() {
    let here = folder();
    here.write("nerve.toml", NERVE);
    let expected = "a bot of diamant, with tables nerve of 5 cells and extra of 4 cells, valid";
    holds(&here.run("check nerve.toml"), expected);

    let play = |seat: &str, out: &str| {
        let seats = format!("--seat={seat} --seat=3*depth --games=2000");
        here.run(&format!(
            "simulate diamant {seats} --no-charts --quiet --out {out}"
        ));
        here.table(&format!("{out}/seats.csv")).rows.swap_remove(0)
    };
    let changed = play("nerve.toml:nerve.2=9,extra.2.1=4", "typed");
    holds(&changed[3], "nerve.2=9");
    let file = NERVE
        .replace("[30, 20,", "[30, 9,")
        .replace("[2, 3]", "[4, 3]");
    here.write("changed.toml", file);
    let written = play("changed.toml", "written");
    // All columns but those of names.
    assert_eq!(changed[4..], written[4..]);
    assert_ne!(changed[4..], play("nerve.toml", "plain")[4..]);
    // It can be played again.
    here.run("run typed/manifest.json --no-charts --quiet");
    here.same("typed", "typed-again");

    let paths = here.run("show paths diamant --seat=nerve.toml --players=2");
    let said = "seats.1.nerve.2  … all.nerve.toml.extra.2.1  … seats.1.calm ";
    holds(&paths, said);
    here.run(
        "sweep diamant --seat=nerve.toml --seat=depth --games=500 --quiet --no-charts \
         --vary=seats.1.nerve.2=8..10 --vary=all.nerve.toml.extra.1.2=0,1 --out swept",
    );
}

#[test]
fn unknown_cells_are_refused_with_those_there_are() {
    let here = folder();
    here.write("nerve.toml", NERVE);
    here.refuses_as("tables");
}
