use super::*;
use crate::formula::Value;
use crate::testing::TEST_VOCABULARY;

const THRESHOLD: &str = "\
leave = \"held >= target or traps_seen >= nerve\"
[params]
target = 12
nerve = 4.5
";

pub fn strategy(text: &str) -> Result<Strategy, Diagnostic> {
    Strategy::from_toml("threshold", "bots/threshold.toml", text, &TEST_VOCABULARY)
}

/// The faulty part of the text, and the message.
#[track_caller]
pub fn fault(text: &str) -> (String, String) {
    let found = strategy(text).unwrap_err();
    (
        found.text[found.fault.span.clone()].to_owned(),
        found.fault.message,
    )
}

pub fn named(names: &[(&str, f32)]) -> Vec<(String, f32)> {
    let owned = |(name, value): &(&str, f32)| ((*name).to_owned(), *value);
    names.iter().map(owned).collect()
}

fn seat(overrides: &[(&str, f32)]) -> Seat {
    Seat::new(strategy(THRESHOLD).unwrap(), &named(overrides)).unwrap()
}

#[test]
fn a_parameter_may_have_a_range_and_a_file_say_what_its_bot_was_made_for() {
    let text = THRESHOLD.replace("12", "{ value = 12, range = [4, 40], step = 0.5 }");
    let made_for = "{ rules = \"house\", set = [\"rounds=3\"], players = 5, by = \"hand\" }";
    let strategy = strategy(&format!("made_for = {made_for}\n{text}")).unwrap();
    let range = ParamRange {
        low: 4.0,
        high: 40.0,
        step: 0.5,
        players: 1,
        called: None,
    };
    assert_eq!(strategy.params, named(&[("target", 12.0), ("nerve", 4.5)]));
    assert_eq!(strategy.ranges, [("target".to_owned(), range)]);
    let made_for = strategy.made_for.unwrap().to_string();
    assert_eq!(made_for, "house with rounds=3, 5 players");
}

#[test]
fn faults_of_the_formula_are_shown_in_the_file() {
    let texts = [
        "leave = \"held > 1 and helt > 2\"",
        "leave = 'held > 1 and helt > 2'",
        "leave = \"\"\"\nheld > 1\n  and helt > 2\"\"\"",
        "leave = '''\r\nheld > 1\r\n  and helt > 2'''",
    ];
    for text in texts {
        let text = format!("description = \"é helt\"\n{text}\n");
        let fault = strategy(&text).unwrap_err();
        assert_eq!(
            fault.fault.span.start,
            text.rfind("helt").unwrap(),
            "{text}"
        );
        assert_eq!(&text[fault.fault.span.clone()], "helt");
    }
    let escaped = "description = ''\nleave = \"held > 1\\n and helt > 2\"\n";
    assert_eq!(fault(escaped).0, "\"held > 1\\n and helt > 2\"");
    assert_eq!(fault("description = ''\nleave = ''").0, "''");
}

#[test]
fn faults_of_the_file_are_shown_at_their_place() {
    let misspelt = THRESHOLD.replace("leave", "leav");
    let unknown = strategy(&misspelt).unwrap_err();
    assert_eq!(unknown.fault.help.as_deref(), Some("did you mean `leave`?"));
    let (place, message) = fault(&misspelt);
    assert_eq!((&*place, &*message), ("leav", "unknown key `leav`"));
    for text in ["description = ''", ""] {
        assert_eq!(fault(text).1, "`leave` is missing");
    }
    assert_eq!(fault("description = 3").0, "3");
    assert_eq!(fault("description = ").0, "");
    for case in [
        "spare = 1 => spare: parameter `spare` is never used",
        "held = 1 => held: `held` cannot name a parameter",
        "and = 1 => and: `and` cannot name a parameter",
        "\"a b\" = 1 => \"a b\": `a b` cannot name a parameter",
        "spare = inf => inf: parameter `spare` must be a finite number",
        "spare = 1e39 => 1e39: parameter `spare` must be a finite number",
        "spare = true => true: parameter `spare` must be a number",
        "spare = { value = 1 } => { value = 1 }: parameter `spare` must be a number or \
         `{ value = 19, range = [4, 40], step = 1 }`",
        "spare = { value = 3, range = [4, 5], step = 1 } \
         => { value = 3, range = [4, 5], step = 1 }: \
         parameter `spare` must lie in its range, which needs a step above 0",
    ] {
        let (line, expected) = case.split_once(" => ").unwrap();
        let (place, message) = fault(&format!("{THRESHOLD}{line}\n"));
        assert_eq!(format!("{place}: {message}"), expected);
    }
}

#[test]
fn seats_say_what_differs_from_the_defaults() {
    let usual = seat(&[]);
    assert_eq!(usual.label(), "threshold");
    assert_eq!(usual.params_text(), "target=12,nerve=4.5");
    let bold = seat(&[("nerve", 5.0), ("target", 12.0)]);
    assert_eq!(bold.label(), "threshold:nerve=5");
    assert_eq!(bold.formula().evaluate(|_| 4.75), Value::Truth(false));
    assert_eq!(usual.formula().evaluate(|_| 4.75), Value::Truth(true));
}

#[test]
fn what_is_typed_for_a_seat_round_trips() {
    let texts = "threshold 3*threshold:target=8,nerve=3.5 ./bots/mine.toml \
                 C:\\bots\\mine.toml 8*C:\\bots\\mine.toml:target=-0.1";
    for text in texts.split(' ') {
        assert_eq!(SeatSpec::parse(text).unwrap().to_string(), text);
    }
    let spaced = SeatSpec::parse(" 1 * threshold : target = 8 ").unwrap();
    assert_eq!(spaced.to_string(), "threshold:target=8");
    assert_eq!(spaced.copies, 1);
}

#[test]
fn what_cannot_be_seated_is_refused() {
    for case in [
        " => `` does not name a bot: write `name` or `name:param=value`",
        ":a=1 => `:a=1` does not name a bot: write `name` or `name:param=value`",
        "2**x => `2**x` does not name a bot: write `name` or `name:param=value`",
        "bot: => `bot:` does not name a bot: write `name` or `name:param=value`",
        "x:a=1,b => `b` is not a parameter: write `param=value`, separated by commas",
        "x:a=1, => `` is not a parameter: write `param=value`, separated by commas",
        "x:a=1,a=2 => parameter `a` is given twice",
    ] {
        let (text, expected) = case.split_once(" => ").unwrap();
        assert_eq!(SeatSpec::parse(text).unwrap_err().to_string(), expected);
    }
}
