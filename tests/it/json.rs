//! What `--json` prints is as its schema says.

use crate::process::folder;
use serde_json::Value;

/// What is wrong with a value, by the words of JSON Schema that carat's schema uses.
fn faults(schema: &Value, of: &Value, value: &Value, at: &str) -> Vec<String> {
    let of = match of["$ref"].as_str() {
        Some(place) => schema.pointer(&place[1..]).expect(place),
        None => of,
    };
    let mut found = Vec::new();
    let mut demand = |holds: bool, what: &Value| {
        if !holds {
            found.push(format!("{at}: {what}"));
        }
    };
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        _ => value.is_null(),
    };
    match &of["type"] {
        Value::String(kind) => demand(is(kind), &of["type"]),
        Value::Array(kinds) => demand(kinds.iter().filter_map(Value::as_str).any(is), &of["type"]),
        _ => {}
    }
    demand(of["const"].is_null() || of["const"] == *value, &of["const"]);
    for key in of["required"].as_array().into_iter().flatten() {
        demand(value.get(key.as_str().expect("a key")).is_some(), key);
    }
    if let Some(ways) = of["oneOf"].as_array() {
        let right = ways
            .iter()
            .filter(|way| faults(schema, way, value, at).is_empty());
        demand(right.count() == 1, &"one of the ways".into());
    }
    for (key, value) in value.as_object().into_iter().flatten() {
        let inner = match &of["properties"][key] {
            Value::Null => &of["additionalProperties"],
            known => known,
        };
        found.extend(faults(schema, inner, value, &format!("{at}.{key}")));
    }
    for item in value.as_array().into_iter().flatten() {
        found.extend(faults(schema, &of["items"], item, &format!("{at}[]")));
    }
    found
}

#[test]
fn json_output_matches_the_schema_and_writes_no_file() {
    let here = folder();
    let schema = here.json("show json");
    for line in [
        "simulate diamant --games 20 -q",
        "simulate diamant --games 20 --format json",
        "simulate diamant --games 20 --dry-run",
        "show study tune",
        "compare diamant --b rounds=4 --games 20",
        "sweep diamant --vary seats.1.enough=6..7 --games 20",
        "tournament diamant --bots depth traps --players 3 --games 20",
        "tune diamant --vary seats.1.enough=18..20 --maximize win_share@1 --max-games 20k",
        "analyse diamant --playouts 64",
        "list",
        "show rules diamant",
        "show strategy diamond_cave hoarder",
        "show features diamant",
        "show columns diamant",
        "show metrics diamant",
        "show counts diamant",
        "show paths diamant",
        "replay diamant",
        "replay diamant --record",
        "advise diamant --playouts 200 '5 7 snake'",
    ] {
        let printed = here.json(&format!("{line} --json"));
        let found = faults(&schema, &schema, &printed, "");
        assert!(found.is_empty(), "{line}: {found:?}");
        assert!(here.names("").is_empty(), "{line}: something is written");
    }
    here.write("kept.toml", "game = 'diamond_miner'\nmoves = []\n");
    let whole =
        "1: 5 / all leave\n2: 5 / all leave\n3: 5 / all leave\n4: 5 / all leave\n5: 5 / all leave";
    here.write("game.txt", format!("players Anna Ben Cleo\n{whole}\n"));
    for line in [
        "advise diamond_miner kept.toml --playouts 100",
        "fit diamant game.txt",
        "replay diamant game.txt",
    ] {
        let printed = here.json(&format!("{line} --json"));
        let found = faults(&schema, &schema, &printed, "");
        assert!(found.is_empty(), "{line}: {found:?}");
    }
    here.write("good.toml", "leave = 'held > 3'\n");
    here.write("bad.toml", "leave = 'hold > 3'\n");
    let ran = here.ends(2, "check good.toml bad.toml --json");
    let printed = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(faults(&schema, &schema, &printed, ""), [""; 0]);
    assert_eq!(printed["files"][1]["sound"], false);
    for how in ["--raw", "--resume", "--restart"] {
        here.refused(
            &format!("simulate diamant --json {how}"),
            "name it with --out",
        );
    }
    let mut broken = here.json("list --json");
    broken["games"][0]["bots"][0]["params"]["x"] = "1".into();
    assert!(!faults(&schema, &schema, &broken, "").is_empty());
}
