//! Study files to begin with: every key of a kind, commented, ready to be played.

use super::Study;

/// The keys that mean the same in all kinds.
const SHARED: &str = r##"
# title = "What the charts are headed with"
# description = "What the study is for"
game = "diamant"                # `carat list` names games, editions and bots
# rules = "iello-2016"          # an edition, or a rules file: "mine.toml"
# set = ["traps.snake=4"]       # changes of the rules; `carat show rules diamant` lists all values
# players = 5                   # others take the seats that are not given:
# others = "people"             # this bot at each of them, instead of carat's own
# seating = "every-order"       # or "neighbours", "fixed": how bots change places
# people = ["Anna", "Ben"]      # names of who sits where, in texts and tables
# seed = 1                      # of all luck
"##;

/// How many games, and how sure.
const GOAL: &str = r##"
games = "100k"                  # at each table
# precision = 0.001             # instead of games: until the widest interval is ±0.001
# max_games = "1G"              # most games with a precision
# metric = "win_share"          # what the precision is of, and what is ranked; see `carat show metrics`
"##;

/// A table of bots.
const SEATS: &str = r##"
seats = ["threshold:target=8", "2*depth"]   # [copies*]BOT[:param=value,…], or a bot's file
"##;

/// What each kind has besides.
const OWN: [(&str, &[&str]); 8] = [
    (
        "adapt",
        &[r##"
# family = "simple"             # the bot whose parameters are adapted
"##],
    ),
    ("simulate", &[SEATS, GOAL]),
    (
        "compare",
        &[
            SEATS,
            GOAL,
            r##"
# each = "traps, treasures"     # instead of sides: each number below these paths, a step down and up

[sides]                         # all play the same games; the first is what the others differ from
a = []
b = ["rules.traps.snake=4"]     # PATH=VALUE each; `carat show paths diamant` lists the paths
more = ["players=6", "seats.1=risk"]
"##,
        ],
    ),
    (
        "sweep",
        &[
            SEATS,
            GOAL,
            r##"
[vary]                          # every value of one with every value of the others
"seats.1.target" = "6..10"      # or "0..1 step 0.05", [3, 5, 8], ["depth", "risk"]
"rules.traps.snake" = [3, 4]    # `carat show paths diamant` lists the paths
"##,
        ],
    ),
    (
        "tournament",
        &[
            r##"
bots = ["threshold", "depth", "traps"]      # when this is left out: all that have a name
# line_ups = 500                # most line-ups; of more a random sample is played
# sides = { now = [], harder = ["rules.traps.snake=4"] }    # rules to be played side by side
"##,
            GOAL,
        ],
    ),
    (
        "tune",
        &[
            SEATS,
            r##"
maximize = "win_share@1"        # a metric of seat 1; see `carat show metrics`
# minimize = "win_share_spread" # instead: a metric that should be low
# targets = { cards_per_game = "31..32" }   # ranges for other metrics
# fields = [["4*depth"], ["2*traps", "2*risk"]]     # others at the table; the mean over all counts
max_games = "1M"                # of all tables together
# precision = 0.002             # smaller differences do not matter

[vary]                          # where to search
"seats.1.target" = "4..20"      # or "0..1 step 0.05", [3, 5, 8]
"##,
        ],
    ),
    (
        "solve",
        &[r##"
# seats = ["4*depth"]           # bots that do not learn; otherwise all learn against each other
games = "200k"                  # to learn from
# minutes = 5                   # instead of games
# until = 0.01                  # until nobody is found who gains more than that
# objective = "win_share"       # or "score_mean"
# axes = [{ name = "policy", axes = [{ of = "traps_seen", edges = [1, 2] }] }]   # what is looked at
"##],
    ),
    (
        "analyse",
        &[
            SEATS,
            r##"
games = 1                       # that are taken apart
# first = 0                     # number of the first
# playouts = 2000               # most of each option
# seat = 1                      # whose decisions are judged; otherwise all are
# as = "threshold"              # the bot as which all play on
# record = "…"                  # instead: the text of a game that people played
"##,
        ],
    ),
];

impl Study {
    /// A file of a study of this kind; none when there is no such kind.
    pub fn template(kind: &str) -> Option<String> {
        let (kind, own) = OWN.iter().find(|(own, _)| *own == kind)?;
        let own: Vec<&str> = own.iter().map(|part| part.trim_start()).collect();
        let keys = Study::keys(kind);
        let is_known = |line: &&str| {
            let key = line.trim_start_matches("# ").split(" = ").next();
            key.is_some_and(|key| keys.contains(&key))
        };
        let shared = SHARED.split_inclusive('\n').filter(is_known);
        Some(format!(
            "# Save this as mine.toml, edit it, and play it by `carat run mine.toml`.\n\
             # What stands behind a # is not given: take the # away to give it.\n\n\
             study = \"{kind}\"\n{}\n{}",
            shared.collect::<String>(),
            own.concat()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::library::Library;

    /// Each template is sound, names every key of its kind, and so is each key that is only shown.
    #[test]
    fn templates_are_whole_and_sound() {
        for kind in Study::KINDS {
            let text = Study::template(kind).expect(kind);
            let study = Study::from_toml(kind, &text).unwrap();
            assert!(study.resolve(&Library::default()).is_ok(), "{kind}");
            let lines: Vec<&str> = text.lines().collect();
            for (at, line) in lines.iter().enumerate() {
                let Some((key, _)) = line.strip_prefix("# ").and_then(|l| l.split_once(" = "))
                else {
                    continue;
                };
                let mut given = lines.clone();
                given[at] = &line[2..];
                given.retain(|line| *line != "games = 1" || key != "record");
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
                let told = named.iter().any(|named| text.contains(named));
                assert!(told, "{kind}: {key}");
            }
        }
    }
}
