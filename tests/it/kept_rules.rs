//! Rules that come with carat are those that a search finds today.

use carat_core::catalog::GAMES;
use carat_core::game::Game;
use carat_core::library::Library;
use carat_core::simulation::{Threads, alone};
use carat_studies::study::Study;
use carat_studies::study::kept_rule::KeptRule;
use fearless_simd::Level;
use std::fs;

/// How to find them anew.
const STALE: &str = "find rules anew: \
    UPDATE_EXPECT=1 cargo test --release --test it -- --ignored kept_rule";

/// A table of people: the game, an edition, a number of players, and the games of the search, of which
/// 0 are as many as the game plays by default.
type Asked = (&'static Game, &'static str, usize, u64);

/// Quick searches by which a test sees whether a search still finds the same; one of Diamond Miner takes
/// a minute.
fn quick() -> Vec<Asked> {
    let quick = GAMES.iter().zip([3, 2]);
    let quick = quick.map(|(game, players)| (*game, game.editions[0].name, players, 1000));
    quick.collect()
}

/// The first edition of each game: of Diamant for each number of players that it is printed for, of the
/// others, whose searches take minutes, for the usual one.
fn usual() -> Vec<Asked> {
    let mut usual = Vec::new();
    for game in &GAMES {
        let edition = &game.editions[0];
        let rules = game.rules(edition.name, edition.text).expect("rules");
        for players in rules.printed_players() {
            if players == game.players || game.name == "diamant" {
                usual.push((*game, edition.name, players, 0));
            }
        }
    }
    usual
}

fn asked() -> Vec<Asked> {
    quick().into_iter().chain(usual()).collect()
}

/// The study as a person asks for it; results that come with carat are not used.
fn resolved(
    (game, rules, players, games): Asked,
    library: &Library,
) -> carat_studies::study::rule::Resolved {
    let mut text = format!(
        "study = \"rule\"\ngame = \"{}\"\nrules = \"{rules}\"\nplayers = {players}\n",
        game.name
    );
    if games > 0 {
        text += &format!("games = {games}\n");
    }
    let Ok(Study::Rule(study)) = Study::from_toml("rule.toml", &text) else {
        panic!("{text}");
    };
    study.resolve(library).expect("a table")
}

fn library() -> Library {
    let mut library = Library::default();
    library.anew = true;
    library
}

fn found(asked: Asked, library: &Library) -> KeptRule {
    let resolved = resolved(asked, library);
    let key = KeptRule::key(&resolved.known()).expect("JSON");
    let threads = Threads::start(0).expect("threads");
    let played = alone(&threads, Level::new(), |player| resolved.play(player));
    let Ok(played) = played else {
        panic!("nothing stops it");
    };
    let (game, rules, players, games) = asked;
    KeptRule {
        key,
        game: game.name.to_string(),
        rules: rules.to_string(),
        players,
        games,
        found: played.found,
    }
}

fn line(rule: &KeptRule) -> String {
    serde_json::to_string(rule).expect("JSON") + "\n"
}

fn kept() -> Vec<String> {
    let kept = KeptRule::all().expect("JSON");
    kept.iter().map(line).collect()
}

/// Each study has the key of today, and quick searches find what they found.
#[test]
fn kept_rules_are_those_of_today() {
    let (kept, library) = (KeptRule::all().expect("JSON"), library());
    let asked = asked();
    assert_eq!(kept.len(), asked.len(), "{STALE}");
    for (kept, asked) in kept.iter().zip(asked) {
        let key = KeptRule::key(&resolved(asked, &library).known()).expect("JSON");
        let what = format!("{} {} {} players", kept.game, kept.rules, kept.players);
        assert_eq!(kept.key, key, "{what}: {STALE}");
        if asked.3 > 0 {
            assert_eq!(line(kept), line(&found(asked, &library)), "{what}: {STALE}");
        }
    }
}

/// One of them, which the number `CARAT_DRAW` draws, is found anew; with `UPDATE_EXPECT` all of those
/// that are not of today are, or all, if a quick search finds something else.
#[test]
#[ignore = "full set"]
fn a_kept_rule_is_found_anew() {
    let (kept, library, asked) = (kept(), library(), asked());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let mut lines = String::new();
        let is_kept = |asked| kept.contains(&line(&found(asked, &library)));
        let are_same = quick().into_iter().all(is_kept);
        for asked in asked {
            let key = KeptRule::key(&resolved(asked, &library).known()).expect("JSON");
            let same = kept.iter().find(|line| line.contains(&key) && are_same);
            eprintln!(
                "{} {} {} {}",
                asked.0.name,
                asked.1,
                asked.2,
                if same.is_some() { "kept" } else { "" }
            );
            lines += &same
                .cloned()
                .unwrap_or_else(|| line(&found(asked, &library)));
            fs::write("assets/rules.jsonl.new", &lines).expect("a file");
        }
        fs::rename("assets/rules.jsonl.new", "assets/rules.jsonl").expect("a file");
        return;
    }
    let draw = std::env::var("CARAT_DRAW").unwrap_or_default();
    let at = draw.parse::<usize>().unwrap_or(3) % asked.len();
    assert_eq!(kept[at], line(&found(asked[at], &library)), "{STALE}");
}
