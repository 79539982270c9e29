use super::*;

#[test]
fn differences_are_listed_by_value() {
    let [from, to] = [
        "title = \"a\"\nrounds = 5\ncards = [1, 2, 2, 3]\nvalues = [5, 5]\n[traps]\nsnake = 3\nlava = 3\n",
        "title = \"b\"\nrounds = 5\ncards = [1, 2, 4]\nvalues = [5, 5, 9]\nchests = \"open\"\n[traps]\nsnake = 4\n",
    ]
    .map(|text| values(text).unwrap());
    let expected = [
        "cards: [1, 2, 4] instead of [1, 2, 2, 3]",
        "chests: new: open",
        "traps.lava: left out, was 3",
        "traps.snake: 4 instead of 3",
        "values.9: 1 instead of 0",
    ];
    assert_eq!(differences(&from, &to), expected);
}
