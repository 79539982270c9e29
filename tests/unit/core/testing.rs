//! What several unit tests of core share.

use crate::diagnostic::{Diagnostic, Fault};
use crate::formula::{Feature, Kind, Vocabulary};

/// A vocabulary for tests.
pub const TEST_VOCABULARY: Vocabulary = {
    Vocabulary {
        question: "leave",
        answer: Kind::Truth,
        features: &[
            Feature::shared("held", "rubies", "0..", "for tests"),
            Feature::own("chest", "rubies", "0..", "for tests"),
            Feature::shared("traps_seen", "cards", "0..", "for tests"),
            Feature::own("random", "share", "0..1", "for tests"),
        ],
    }
};

/// Checks that the text before each ` => ` is refused with the place and message behind it, then
/// with the label and help, if given.
pub fn assert_refused(cases: &[&str], refused: impl Fn(&str) -> Fault) {
    for case in cases {
        let (text, expected) = case.split_once(" => ").expect(case);
        let fault = refused(text);
        let place = format!("{:?} {fault}", fault.span);
        let found = [place, fault.label, fault.help.unwrap_or_default()];
        for (found, expected) in found.iter().zip(expected.split(" | ")) {
            assert_eq!(found, expected, "{case}");
        }
    }
}

/// Checks that a changed rules file is refused. Each line of `faults` has a part of `text`, its
/// replacement, and parts of the expected error message, separated by ` | `.
pub fn assert_rules_refused<Rules>(
    text: &str,
    read: fn(&str, &str) -> Result<Rules, Diagnostic>,
    faults: &str,
) {
    for line in faults.trim().lines() {
        let line = line.trim_start().replace("\\n", "\n");
        let parts: Vec<&str> = line.split(" | ").collect();
        let changed = text.replace(parts[0], parts[1]);
        assert_ne!(changed, text, "{line}: nothing is changed");
        let error = read("mix.toml", &changed).err();
        let error = error.unwrap_or_else(|| panic!("{line}: it is allowed"));
        for part in parts[2..].iter().chain(&["mix.toml"]) {
            let error = error.to_string();
            assert!(error.contains(part), "{part} is not in:\n{error}");
        }
    }
}
