use super::*;

fn path(text: &str) -> Path {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn paths_are_read_and_written_back() {
    for text in "players rules rules.rounds rules.traps.snake seats.3 seats.3.target \
         all.threshold.target all../my.bot.toml.target all.C:\\bots\\b.toml.x seats.3.nerve.2 \
         seats.3.nerve.2.13 all.card.nerve.2 all../v2.1.toml.nerve.2.3"
        .split(' ')
    {
        assert_eq!(path(text).to_string(), text);
    }
    for (text, bot, param) in [
        ("all../my.bot.toml.nerve", "./my.bot.toml", "nerve"),
        ("all../v2.1.toml.nerve.2.3", "./v2.1.toml", "nerve.2.3"),
    ] {
        let meant = Path::AllParam(bot.to_string(), param.to_string());
        assert_eq!(path(text), meant);
    }
    for (spelt, plain) in [
        (" players ", "players"),
        ("rounds", "rules.rounds"),
        ("traps . snake", "rules.traps.snake"),
        ("rules . traps. snake", "rules.traps.snake"),
        ("seats.01 . target", "seats.1.target"),
        ("seats.1. nerve . 2", "seats.1.nerve.2"),
        ("all.card. nerve . 2", "all.card.nerve.2"),
        (" all. threshold .target", "all.threshold.target"),
    ] {
        assert_eq!(path(spelt), path(plain), "{spelt}");
    }
}

#[test]
fn what_is_no_path_is_refused() {
    for text in "|.|players.1|rules.|rules..x|seats.|seats.x|seats.+1|seats.-1|seats.1.|\
         seats.1.a.b|seats.1.a b|all|all.x|all..x|all.x.|all.x.1y|all.x.1|all..1.2|seats.1.2|\
         seats.1.nerve.|seats.1.nerve.2.x|seats.1.nerve.-2|all.x.nerve.|traps.|trap=s|\
         seats.99999999999999999999999"
        .split('|')
    {
        let error = text.parse::<Path>().expect_err(text).to_string();
        assert!(error.contains("paths are"), "{text}: {error}");
    }
}
