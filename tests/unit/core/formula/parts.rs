use super::super::tests::bound;

#[test]
fn the_largest_parts_are_found() {
    let one = "(if held > 6 then chest else random) > held + traps_seen";
    let nine = 9f32.to_bits();
    for (text, held, traps_seen, expected) in [
        (one, 7.0, 2.0, &[nine, 1][..]),
        (one, 5.0, 4.0, &[nine, 0]),
        ("held + traps_seen > 3", 2.0, 2.0, &[1]),
        (
            "let a = held * 2; a > chest and a > 3",
            2.0,
            0.0,
            &[4f32.to_bits(), 1],
        ),
        ("chest > 1 or random < 0.5", 1.0, 1.0, &[]),
    ] {
        // What it makes of `held` and `traps_seen`.
        let given = |feature| feature == 0 || feature == 2;
        let parts = bound(text, &[]).parts(given);
        let mut room = parts.room();
        let features = [held, f32::NAN, traps_seen, f32::NAN];
        let values = parts.values(&mut room, |feature| features[feature]);
        assert_eq!(values.collect::<Vec<_>>(), expected, "{text}");
    }
}
