use super::*;

fn made(bot: &str, players: usize) -> (String, MadeFor) {
    let made_for = MadeFor {
        rules: Some("iello-2016".to_string()),
        players: Some(players),
        ..MadeFor::default()
    };
    (bot.to_string(), made_for)
}

fn elsewhere(bots: &[(&str, usize)]) -> Remark {
    let bots = bots.iter().map(|(bot, players)| made(bot, *players));
    Remark::MadeElsewhere(bots.collect())
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

const SAMPLED: &str = "Ratings are less precise, and the equilibrium mix uses only games of one bot \
                       against copies of another";
const ELSEWHERE: &str = "bots made for other rules or numbers of players may play worse here: ";
const AT_THE_CAP: &str = "The players ahead at the cap were counted as winners.";

#[test]
fn each_remark_has_its_words() {
    let text = |text: &str| text.to_string();
    let length = Length {
        mean: 20.04,
        median: 19,
        unit: text("rounds"),
    };
    let two = elsewhere(&[("solved-3", 3), ("card-5", 5)]);
    let two_words =
        format!("{ELSEWHERE}solved-3 for iello-2016, 3 players; card-5 for iello-2016, 5 players");
    for (remark, words) in [
        (
            Remark::Unprinted(text("iello-2016"), 3, 8, 2),
            text("iello-2016 is printed for 3 to 8 players; playing with 2 anyway"),
        ),
        (Remark::WithoutEffect(text("no use")), text("no use")),
        (Remark::OlderRules(text("an old file")), text("an old file")),
        (
            Remark::Replaced(text("counter"), text("people")),
            text("counter uses a feature that these rules hide; people plays instead"),
        ),
        (
            Remark::FixedPlaces,
            text(
                "seating = \"fixed\" keeps the places, but each game draws its first player; the \
                 metric starter_win_share shows the first-player advantage",
            ),
        ),
        (two.clone(), two_words.clone()),
        (two.of("side b"), format!("side b: {two_words}")),
        (
            Remark::Copies(names(&["card", "depth"])),
            text(
                "copies of card, depth always decide alike, which distorts win shares; for a table \
                 of people, use `people` or a bot with `temper` in its formula",
            ),
        ),
        (
            Remark::WithoutDoubt(names(&["Anna", "Ben"])),
            text(
                "margins of error are those of the games played here, without what is not known of \
                 Anna, Ben; `carat rule` and `carat advise` include both",
            ),
        ),
        (
            Remark::Program,
            text("a bot is a program: results are only as reproducible as that program"),
        ),
        (
            Remark::Thinking(12_000),
            text("some bots think: a game takes about 12,000 times as long as without"),
        ),
        (
            Remark::UnusedMetric,
            text("metric has no effect without precision"),
        ),
        (
            Remark::OneValue(text("rules.goal")),
            text("rules.goal: only one value, so it is fixed"),
        ),
        (
            Remark::TakesNoPart(text("mine"), text("seat 1: why")),
            text("mine does not take part: seat 1: why"),
        ),
        (
            Remark::ImpossibleSteps(names(&["a −1", "b −1"])),
            text("steps skipped because their rules are impossible: a −1, b −1"),
        ),
        (
            Remark::Impossible(text("1 of 4 cells: goal=0 (why); help")),
            text("left out because they cannot be played: 1 of 4 cells: goal=0 (why); help"),
        ),
        (
            Remark::OnePopulation,
            text(
                "one population plays as adapted: margins of error leave out what populations \
                 differ by",
            ),
        ),
        (
            Remark::NotSettled(made("", 4).1),
            text("adapted: the population for iello-2016, 4 players has not settled"),
        ),
        (
            Remark::Sampled(4, 3, 12, 20),
            format!(
                "4 bots make 20 line-ups of 3; playing a sample of 12. {SAMPLED}; to play all \
                 line-ups, use line_ups = 20, or at most 3 bots"
            ),
        ),
        (
            Remark::Sampled(4, 3, 3, 10),
            format!("4 bots make 20 line-ups of 3; playing a sample of 3. {SAMPLED}"),
        ),
        (
            Remark::Capped(0.125, None, None),
            format!("Warning: a cap in the rules stopped 12.5 % of the games. {AT_THE_CAP}"),
        ),
        (
            Remark::Capped(0.125, Some((text("builder"), 0.25)), Some(length)),
            format!(
                "Warning: a cap in the rules stopped 12.5 % of the games (most at builder: 25.0 %). \
                 {AT_THE_CAP} Games at these tables last 20.0 rounds on average; the median is 19."
            ),
        ),
        (
            Remark::SpreadByChance {
                players: 2,
                games: 10_000,
            },
            text(
                "By chance alone, the win_share_spread of 2 equal players averages 0.80 points in \
                 10,000 games.",
            ),
        ),
    ] {
        assert_eq!(remark.to_string(), words);
        // Reports are kept with their remarks.
        let kept = serde_json::to_string(&remark).expect("plain data");
        assert_eq!(
            serde_json::from_str::<Remark>(&kept).expect("it was kept"),
            remark
        );
    }
}

#[test]
fn bots_made_elsewhere_are_said_once_with_the_parts_where_they_play() {
    let (two, one) = (
        elsewhere(&[("solved-3", 3), ("card-5", 5)]),
        elsewhere(&[("card-5", 5)]),
    );
    let warnings = vec![
        two.of("side a"),
        Remark::UnusedMetric,
        one.of("side b"),
        Remark::Program.of("side b"),
        two.of("side a"),
        one.clone(),
    ];
    let (three, five) = (
        "solved-3 for iello-2016, 3 players",
        "card-5 for iello-2016, 5 players",
    );
    let words = format!("{three}; {five} (side a); {five} (side b); {five}");
    assert_eq!(bots_of(&warnings), words);
    let note = Remark::Elsewhere(warnings);
    assert_eq!(note.to_string(), format!("Note: {ELSEWHERE}{words}."));
    assert_eq!(bots_of(&[Remark::Program.of("side a")]), "");
    assert_eq!(two.made_for("card-5"), Some(&made("", 5).1));
    assert_eq!(one.made_for("solved-3"), None);
    assert_eq!(one.of("side b").made_for("card-5"), None);
}
