use super::*;

#[test]
fn paths_become_words() {
    let path = |text: &str| text.parse::<Path>().unwrap();
    let [target, other] = [path("seats.1.target"), path("seats.2.target")];
    assert_eq!(axis_name(&target, &[&target]), "target");
    assert_eq!(axis_name(&other, &[&target, &other]), "target (seat 2)");
    assert_eq!(valued(&target, "-5", &[&target]), "target −5");
    let of_two = valued(&target, "5", &[&target, &other]);
    assert_eq!(of_two, "target 5 (seat 1)");
    assert_eq!(valued(&path("players"), "4", &[&target]), "4 players");
    let bots = path("seats.1");
    assert_eq!(valued(&bots, "depth", &[&bots]), "depth");
    let snake = path("rules.traps.snake");
    assert_eq!(valued(&snake, "4", &[&bots]), "traps.snake 4");
    assert_eq!(shown("-a"), "-a");
    assert_eq!(shown("[]"), "none");
    assert_eq!(shown("[\"ore -> shovel\", 'ore']"), "ore -> shovel, ore");
    let recipe = "ore.c.recipes=[\"ore -> shovel\"]".to_string();
    let others = ["traps.snake=4", "players=6", "seats.1.target=9"].map(String::from);
    assert_eq!(
        describe_changes(&[&others[..], &[recipe]].concat()),
        "traps.snake 4, 6 players, target 9 (seat 1), ore.c.recipes: ore -> shovel"
    );
    assert_eq!(describe_changes(&[]), "unchanged");
}
