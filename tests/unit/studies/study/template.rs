use super::*;
use carat_core::library::Library;

/// Each template is valid and names every key of its kind; keys in comments are valid too.
#[test]
fn templates_are_whole_and_sound() {
    for kind in Study::KINDS {
        let text = Study::template(kind);
        let study = Study::from_toml(kind, &text).unwrap();
        let resolved = study.resolve(&Library::default().with_stand_ins());
        assert!(resolved.is_ok(), "{kind}");
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(_) = line.strip_prefix("# ").and_then(|l| l.split_once(" = ")) else {
                continue;
            };
            let mut given = lines.clone();
            given[at] = &line[2..];

            let given = given.join("\n");
            let read = Study::from_toml(kind, &given);
            assert!(read.is_ok(), "{kind}: {}", read.unwrap_err());
        }
        for key in Study::keys(kind) {
            let named = [
                format!("\n{key} = "),
                format!("\n# {key} = "),
                format!("[{key}]"),
            ];
            let is_named = named.iter().any(|named| text.contains(named));
            assert!(is_named, "{kind}: {key}");
        }
    }
}
