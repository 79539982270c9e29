//! The map cannot lie: who may know whom, what is in the catalog, what ships.

use crate::fixtures::project;
use crate::imports::{Modules, spelled};
use carat_core::catalog::{GAMES, find};
use expect_test::expect_file;
use std::collections::BTreeSet;
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

/// All source files with their texts. Those of `carat-core` and `carat-studies` are named from their own
/// folders.
fn sources() -> Vec<(String, String)> {
    let src = project().join("src");
    let relative = |path: &PathBuf| {
        let path = path
            .strip_prefix(&src)
            .expect("below src")
            .display()
            .to_string();
        path.replace('\\', "/")
            .trim_start_matches("core/")
            .trim_start_matches("studies/")
            .to_string()
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

/// Whether `text` imports the module `name` of its crate or of one below, or anything of it, in code.
fn knows(text: &str, name: &str) -> bool {
    ["crate::", "carat_core::", "carat_studies::"]
        .iter()
        .any(|of| {
            let path = format!("{of}{name}");
            code(text).any(|line| {
                let mut found = line.match_indices(&path);
                let is_whole =
                    |at: usize| !line[at..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
                found.any(|(at, _)| is_whole(at + path.len()))
            })
        })
}

#[test]
fn each_library_lives_in_its_room() {
    for (library, rooms) in [
        ("clap", &["cli/", "study/"][..]),
        ("indicatif", &["cli/"]),
        ("hyper", &["cli/serve/"]),
        ("tokio", &["cli/serve/"]),
        ("comfy_table", &["cli/"]),
        ("console", &["cli/"]),
        ("rayon", &["simulation/"]),
        ("polars_core", &["files/"]),
        ("polars_io", &["files/"]),
        ("polars_parquet", &["files/encode.rs"]),
        ("rust_xlsxwriter", &["files/workbook.rs"]),
        ("plotters", &["charts/"]),
        ("ab_glyph", &["charts/"]),
        ("png", &["charts/"]),
        ("minijinja", &["report/page.rs"]),
        ("tempfile", &["files/"]),
        ("crc32fast", &["report/manifest.rs", "study/kept_rule.rs"]),
        ("flate2", &["files/", "report/pdf/", "strategy/cells.rs"]),
        ("rmp_serde", &["simulation/"]),
        ("signal_hook", &["cli/"]),
        (
            "toml_edit",
            &["game/rules_keys.rs", "overrides.rs", "study/"],
        ),
        ("include_dir", &["library.rs"]),
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
    let allowed = "diagnostic figure formula game games numbers sheet statistics strategy streams";
    for (file, text) in sources() {
        let inner = file.strip_prefix("games/").unwrap_or_default();
        let Some((own, _)) = inner.split_once('/') else {
            continue;
        };
        let text = spelled(&text);
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
        ("formula/", "game games simulation study report charts cli"),
        ("charts/", "game games simulation study report cli strategy"),
        (
            "simulation/",
            "games study report charts cli catalog tournament",
        ),
        ("thinking/", "games study report charts cli catalog"),
        (
            "learning/",
            "games study report charts cli catalog tournament",
        ),
        ("tournament/", "games study report charts cli catalog"),
        (
            "equilibrium.rs",
            "game simulation tournament study statistics",
        ),
        ("study/", "report desk files charts cli figure"),
        ("populations.rs", "report desk files charts cli"),
        ("report/", "desk files cli games catalog"),
        ("desk/", "files cli games"),
        ("files/", "cli games catalog desk"),
        ("sheet.rs", "game simulation study report"),
        ("numbers.rs", "game statistics charts report"),
    ] {
        for (file, text) in sources().iter().filter(|(file, _)| file.starts_with(room)) {
            let text = spelled(text);
            for module in unknown.split(' ') {
                assert!(!knows(&text, module), "{file} knows {module}");
            }
        }
    }
}

/// The map of core lists its rooms in the order of dependence, the lowest first.
#[test]
fn rooms_of_core_know_only_rooms_above_them_in_the_map() {
    let map = fs::read_to_string(project().join("src/ARCHITECTURE.md")).expect("a map");
    let (_, table) = map.split_once("the crate `carat-core`").expect("a table");
    let (table, _) = table.split_once("\n\n").expect("an end");
    let rows: Vec<Vec<&str>> = table.lines().skip(2).map(rooms_of).collect();
    let mut seen = 0;
    for (row, rooms) in rows.iter().enumerate() {
        for (file, text) in sources() {
            if !rooms.contains(&file.split(['/', '.']).next().expect("a room")) {
                continue;
            }
            seen += 1;
            let text = spelled(&text);
            for later in rows[row + 1..].iter().flatten() {
                assert!(
                    !knows(&text, later),
                    "{file} knows {later}, which stands below it"
                );
            }
        }
    }
    assert!(seen > 100 && rows.len() > 10, "{seen} files in {rows:?}");
}

/// The rooms of a row of the map: `games/<game>` is `games`.
fn rooms_of(row: &str) -> Vec<&str> {
    let (rooms, _) = row
        .trim_start_matches("| ")
        .split_once('|')
        .expect("columns");
    let names = rooms.split('`').skip(1).step_by(2);
    names
        .map(|name| name.split('/').next().expect("a room"))
        .collect()
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
        // Its options tell of a situation, in the words of its notation.
        "cli/advise.rs",
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

/// Tables are declared with `columns!`, and their columns are named by what that declares.
#[test]
fn no_text_names_a_column() {
    for (file, text) in sources() {
        for way in [".column(\"", ".sheets[", "&sheets[", ".head_of(\""] {
            let named = code(&text).any(|line| line.contains(way));
            assert!(!named, "{file} has {way}: use the handle of the column");
        }
    }
}

/// What a remark says stands in one file, so that no other can look for its words.
#[test]
fn only_one_file_has_the_words_of_remarks() {
    let of_remarks = "study/remark.rs";
    let sources = sources();
    let (_, remarks) = sources
        .iter()
        .find(|(file, _)| file == of_remarks)
        .expect("it is there");
    let texts = code(remarks).flat_map(|line| line.split('"').skip(1).step_by(2));
    let texts = texts.map(|text| text.trim_end_matches('\\'));
    let sentences = Vec::from_iter(texts.filter(|text| text.split(' ').count() > 4));
    assert!(sentences.len() > 10, "{sentences:?}");
    for (file, text) in sources.iter().filter(|(file, _)| file != of_remarks) {
        let said = sentences.iter().find(|words| text.contains(**words));
        assert_eq!(said, None, "{file} has the words of a remark");
    }
}

#[test]
fn every_game_is_in_the_catalog() {
    let games = fs::read_dir(project().join("src/core/games"))
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
        let library = carat_core::library::Library::default();
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
    shipped.extend(files(&project().join("src/core/games"), "toml"));
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
        .filter(|(file, _)| file.starts_with("charts/") && file != "charts/lib.rs")
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
            // What a browser calls is named for it.
            let may = file == "web/lib.rs" && word == "unsafe ";
            assert!(may || !said, "{file} has {word}");
        }
    }
}

/// A function: its name, its signature in one line, and its lines from that to the last.
struct Function<'a> {
    name: &'a str,
    signature: String,
    body: &'a [&'a str],
    indent: usize,
    lines: usize,
}

/// The functions in the lines of a formatted file.
fn functions<'a>(lines: &'a [&'a str]) -> Vec<Function<'a>> {
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some((before, rest)) = line.trim_start().split_once("fn ") else {
            continue;
        };
        let is_item = |word: &str| word.starts_with("pub") || word == "const";
        if !before
            .split(' ')
            .all(|word| word.is_empty() || is_item(word))
        {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let signature_end = lines[start..]
            .iter()
            .position(|line| line.ends_with(['{', ';', '}']));
        let open = start + signature_end.expect("an end");
        let close = format!("{}}}", " ".repeat(indent));
        if !lines[open].ends_with('{') {
            continue;
        }
        let length = lines[open..].iter().position(|line| *line == close);
        let end = open + length.expect("a closing brace");
        let signature: Vec<&str> = lines[start..=open].iter().map(|line| line.trim()).collect();
        found.push(Function {
            name: rest.split(['(', '<']).next().unwrap_or_default(),
            signature: signature.join(" "),
            body: &lines[open + 1..end],
            indent,
            lines: end - start + 1,
        });
    }
    found
}

impl Function<'_> {
    /// Whether nothing is in it but one `match`.
    fn is_one_match(&self) -> bool {
        let statements = self.body.iter().filter(|line| {
            let text = line.trim_start();
            line.len() - text.len() == self.indent + 4 && !text.starts_with("//")
        });
        let statements: Vec<&str> = statements.map(|line| line.trim()).collect();
        let first = statements.first().copied().unwrap_or_default();
        statements.len() == 2 && first.contains("match ") && first.ends_with('{')
    }

    /// How many closures it gives a name.
    fn closures(&self) -> usize {
        let is_closure = |(at, line): (usize, &&str)| {
            let next = self.body.get(at + 1).map_or("", |line| line.trim());
            let value = match line.trim().strip_prefix("let ") {
                Some(binding) if binding.ends_with(" =") => next,
                Some(binding) => binding.split_once(" = ").map_or("", |(_, value)| value),
                None => "",
            };
            let value = value.trim_start_matches('&').trim_start_matches("mut ");
            value.trim_start_matches("move ").starts_with('|')
        };
        let lines = self.body.iter().enumerate();
        lines.filter(|&line| is_closure(line)).count()
    }

    /// Whether it takes a tuple apart in its signature.
    fn has_tuple(&self) -> bool {
        let mut ends = self.signature.match_indices("): ");
        ends.any(|(at, _)| {
            let before = &self.signature[..at];
            let start = before.rfind('(').unwrap_or_default();
            before[..start].trim_end().ends_with(['(', ','])
        })
    }
}

/// Most lines of a function that is not one `match`.
const LINES: usize = 80;
/// Most closures with a name in a function.
const CLOSURES: usize = 3;
/// Most files of a room that import each other in a circle.
const CIRCLE: usize = 4;

/// What is not yet as it should be stands in a list, which is exact: what is mended leaves it.
#[test]
fn habits_are_kept_golden() {
    let sources = sources();
    let mut faults = BTreeSet::new();
    for (file, text) in &sources {
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or("");
        let lines: Vec<&str> = code.lines().collect();
        for function in functions(&lines) {
            let name = function.name;
            if function.lines > LINES && !function.is_one_match() {
                faults.insert(format!("long {file}:{name}"));
            }
            if function.closures() > CLOSURES {
                faults.insert(format!("closures {file}:{name}"));
            }
            if function.has_tuple() {
                faults.insert(format!("tuple {file}:{name}"));
            }
        }
    }
    for file in Modules::of(&sources).in_circles(CIRCLE) {
        faults.insert(format!("circle {file}"));
    }
    let list: Vec<String> = faults.into_iter().map(|fault| fault + "\n").collect();
    expect_file!["golden/habits.txt"].assert_eq(&list.concat());
}

/// What is compiled for a browser, too: what each of its crates may depend on, without features.
#[test]
fn a_browser_has_all_that_its_crates_depend_on() {
    for (crate_name, allowed) in [
        (
            "core",
            "annotate-snippets base64 fearless_simd flate2 include_dir indexmap microlp rand rand_xoshiro \
             rayon rmp-serde serde serde_json statrs strsim thiserror toml toml_edit web-time winnow",
        ),
        ("charts", "carat-core ab_glyph plotters thiserror"),
        (
            "studies",
            "carat-core carat-charts crc32fast fearless_simd flate2 indexmap minijinja pdf-writer \
             pulldown-cmark serde serde_json thiserror toml toml_edit web-time",
        ),
    ] {
        let file = project().join(format!("src/{crate_name}/Cargo.toml"));
        let text = fs::read_to_string(file).expect("a crate");
        let keys: toml::Table = text.parse().expect("TOML");
        let all = keys["dependencies"].as_table().expect("a table");
        let is_optional = |of: &toml::Value| of.get("optional").is_some();
        let needed = all.iter().filter(|(_, of)| !is_optional(of));
        let needed = BTreeSet::from_iter(needed.map(|(name, _)| name.as_str()));
        assert_eq!(needed, allowed.split_whitespace().collect(), "{crate_name}");
    }
}

#[test]
fn studies_touch_no_machine() {
    for (file, text) in sources() {
        let room = file.split('/').next().unwrap_or_default();
        // Options of the command line name files.
        if !["study", "report", "desk"].contains(&room) || file == "study/options.rs" {
            continue;
        }
        let text = spelled(&text);
        for way in [
            "std::fs",
            "std::env",
            "std::net",
            "std::process",
            "std::thread",
            "std::time::Instant",
            "Library::here",
            "read_text",
            "stdin()",
            "stdout()",
        ] {
            let touches = code(&text).any(|line| line.contains(way));
            assert!(!touches, "{file} touches the machine by {way}");
        }
    }
}
