//! The map cannot lie: who may know whom, what is in the catalog, what ships.

use crate::fixtures::project;
use carat::catalog::{GAMES, find};
use std::fs;
use std::path::{Path, PathBuf};

/// All files below `folder` with this ending.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)
        .expect("a folder of the project")
        .flatten()
    {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "out") {
            found.extend(files(&path, ending));
        } else if path
            .extension()
            .is_some_and(|extension| extension == ending)
        {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<(String, String)> {
    let src = project().join("src");
    let relative = |path: &PathBuf| {
        let path = path
            .strip_prefix(&src)
            .expect("below src")
            .display()
            .to_string();
        path.replace('\\', "/")
    };
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a source file");
    files(&src, "rs")
        .iter()
        .map(|path| (relative(path), read(path)))
        .collect()
}

/// The lines of a text that are no comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim_start);
    lines.filter(|line| !line.starts_with("//"))
}

/// Whether `text` uses the crate or module `name`, in code rather than in comments.
fn mentions(text: &str, name: &str) -> bool {
    code(text).any(|line| line.contains(&format!("{name}::")))
}

/// Whether `text` imports the module `name` of this crate, or anything of it, in code.
fn knows(text: &str, name: &str) -> bool {
    let path = format!("crate::{name}");
    code(text).any(|line| {
        let mut found = line.match_indices(&path);
        let ends = |at: usize| !line[at..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        found.any(|(at, _)| ends(at + path.len()))
    })
}

#[test]
fn each_library_lives_in_its_room() {
    for (library, rooms) in [
        ("clap", &["cli/"][..]),
        ("indicatif", &["cli/"]),
        ("comfy_table", &["cli/"]),
        ("console", &["cli/"]),
        ("rayon", &["simulation/"]),
        ("polars_core", &["results/"]),
        ("polars_io", &["results/"]),
        ("plotters", &["charts/"]),
        ("ab_glyph", &["charts/"]),
        ("png", &["charts/"]),
        ("minijinja", &["results/page.rs"]),
        ("tempfile", &["results/"]),
        ("crc32fast", &["results/"]),
        ("flate2", &["results/", "strategy/cells.rs"]),
        ("rmp_serde", &["study/", "simulation/"]),
        ("signal_hook", &["cli/"]),
        ("toml_edit", &["study/"]),
        ("include_dir", &["study/"]),
        ("winnow", &["formula/"]),
        ("microlp", &["equilibrium.rs"]),
    ] {
        let mut used = false;
        for (file, text) in sources() {
            let uses = mentions(&text, library);
            let home = rooms.iter().any(|room| file.starts_with(room));
            assert!(
                !uses || home,
                "{file} uses {library}, which lives in {rooms:?}"
            );
            used |= uses;
        }
        assert!(used, "{library} is used nowhere: is it needed?");
    }
}

#[test]
fn games_know_little() {
    let allowed = "diagnostic figure formula game games sheet strategy streams";
    for (file, text) in sources() {
        let inner = file.strip_prefix("games/").unwrap_or_default();
        let Some((own, _)) = inner.split_once('/') else {
            continue;
        };
        let touches = ["std::fs", "std::io"].map(|module| text.contains(module));
        assert_eq!(touches, [false; 2], "{file} touches files");
        for (at, _) in text.match_indices("crate::") {
            let path = &text[at + "crate::".len()..];
            let module = path
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .next();
            let module = module.unwrap_or_default();
            let known = allowed.split(' ').any(|known| known == module);
            assert!(known, "{file} imports crate::{module}");
            let other = module == "games" && !path.starts_with(&format!("games::{own}"));
            assert!(!other, "{file} imports another game");
        }
    }
}

/// The referee is the test of the kernel: neither may lean on the other.
#[test]
fn the_rulebook_and_the_kernel_know_nothing_of_each_other() {
    for (file, text) in sources() {
        let code = text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        let rooms: Vec<&str> = file.split('/').collect();
        match rooms.as_slice() {
            ["games", _, "kernel", ..] => {
                assert!(!mentions(code, "referee"), "{file} knows the referee");
            }
            // Seats bots at a table, which has both.
            ["games", _, "mod.rs"] => {}
            ["games", ..] => {
                assert!(!mentions(code, "kernel"), "{file} knows the kernel");
                assert!(!mentions(code, "fearless_simd"), "{file} knows vectors");
            }
            _ => {}
        }
    }
}

#[test]
fn rooms_below_know_nothing_of_rooms_above() {
    for (room, unknown) in [
        ("formula/", "game games simulation study results charts cli"),
        (
            "charts/",
            "game games simulation study results cli strategy",
        ),
        (
            "simulation/",
            "games study results charts cli catalog tournament",
        ),
        ("thinking/", "games study results charts cli catalog"),
        (
            "learning/",
            "games study results charts cli catalog tournament",
        ),
        ("tournament/", "games study results charts cli catalog"),
        (
            "equilibrium.rs",
            "game simulation tournament study statistics",
        ),
        ("study/", "results charts cli figure"),
        ("results/", "cli games catalog"),
        ("sheet.rs", "game simulation study results"),
        ("numbers.rs", "game statistics charts results"),
    ] {
        for (file, text) in sources().iter().filter(|(file, _)| file.starts_with(room)) {
            for module in unknown.split(' ') {
                assert!(!knows(text, module), "{file} knows {module}");
            }
        }
    }
}

/// Someone who wrote a study file reads the names of its keys, not of options.
#[test]
fn only_the_command_line_names_options() {
    for (file, text) in sources() {
        let names_option = |line: &str| {
            let mut found = line.match_indices("--");
            found.any(|(at, _)| line[at + 2..].starts_with(|c: char| c.is_ascii_lowercase()))
        };
        if !file.starts_with("cli/") {
            for line in code(&text) {
                assert!(!names_option(line), "{file} names an option: {line}");
            }
        }
    }
}

/// What a game's options, units and axes are called is told by the game.
#[test]
fn only_games_speak_their_words() {
    let words = "anvil bust chest expedition explorer relic rubies ruby shovel torch tunnel \"held \
                 leave: \"leave\" \"stay\"";
    let allowed = [
        // Draws a figure that a game declares.
        "charts/leaving.rs",
        // Its options tell of a situation, in the words of its notation.
        "cli/advise.rs",
        // Tests, with words of their own.
        "charts/examples/",
        "formula/agreement.rs",
        "strategy/tables_tests.rs",
    ];
    for (file, text) in sources() {
        if file.starts_with("games/") || allowed.iter().any(|path| file.starts_with(path)) {
            continue;
        }
        let before_tests = text.split("#[cfg(test)]").next().unwrap_or_default();
        for line in code(before_tests).map(str::to_lowercase) {
            let said = words.split(' ').find(|word| line.contains(word));
            assert_eq!(said, None, "{file} speaks of a game: {line}");
        }
    }
}

#[test]
fn every_game_is_in_the_catalog() {
    let games = fs::read_dir(project().join("src/games"))
        .expect("the games")
        .flatten();
    for folder in games.filter(|entry| entry.path().is_dir()) {
        let name = folder.file_name().to_string_lossy().into_owned();
        assert!(find(&name).is_some(), "{name} is not in the catalog");
        assert!(
            project().join("strategies").join(&name).is_dir(),
            "{name} ships no bots"
        );
    }
    for game in GAMES {
        let library = carat::study::library::Library::default();
        let names = library.strategy_names(game);
        for bot in game.field {
            assert!(
                names.iter().any(|name| name == bot),
                "{bot} of the field does not ship"
            );
        }
    }
}

#[test]
fn every_shipped_file_is_sound() {
    let mut shipped = files(&project().join("strategies"), "toml");
    shipped.extend(files(&project().join("reports"), "toml"));
    shipped.extend(files(&project().join("src/games"), "toml"));
    shipped.retain(|file| !file.ends_with("older_rules.toml"));
    assert!(
        shipped.len() >= 9 + 3 + 5,
        "bots, studies and rules ship: {shipped:?}"
    );
    let quoted = shipped.iter().map(|file| format!(" '{}'", file.display()));
    crate::process::run(&format!("check{}", quoted.collect::<String>()));
}

#[test]
fn every_chart_has_a_golden() {
    for (file, text) in sources()
        .iter()
        .filter(|(file, _)| file.starts_with("charts/") && file != "charts/mod.rs")
    {
        if text.lines().any(|line| line.starts_with("impl Chart for")) {
            let name = file.trim_start_matches("charts/").trim_end_matches(".rs");
            let golden = project().join(format!("tests/it/golden/chart-{name}.svg"));
            assert!(
                golden.exists(),
                "{file} has no golden: add one to its tests"
            );
        }
    }
}

#[test]
fn style_is_kept() {
    for (file, text) in sources() {
        let lines = text.lines().count();
        assert!(
            lines <= 600,
            "{file} has {lines} lines: is it still one room?"
        );
        let is_list = file == "lib.rs" || file == "main.rs";
        assert!(
            is_list || text.starts_with("//!"),
            "{file} does not open with what it does"
        );
        for word in [
            "todo!",
            "unimplemented!",
            "dbg!",
            "TODO",
            "FIXME",
            "#[allow(",
            "unsafe ",
        ] {
            let said = code(&text).any(|line| line.contains(word));
            assert!(!said, "{file} has {word}");
        }
    }
}
