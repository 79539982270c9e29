use super::*;

/// Every value belongs to a card or to none, and every card owns the same number of them.
#[test]
fn tries_are_exactly_uniform() {
    for size in 1..=64 {
        let mut owned = [0; 64];
        for value in 0..VALUES {
            owned[Pointer::new(size).card(value) as usize] += 1;
        }
        let each = VALUES / size as u32;
        assert!(owned[..size].iter().all(|&n| n == each), "size {size}");
    }
}

#[test]
fn the_last_card_of_a_full_box_is_found() {
    let mut rng = streams::phase_rng(1, 0);
    assert_eq!(draw(&mut rng, 1 << 63, 64), 63);
    assert_eq!(draw(&mut rng, 1, 1), 0);
}
