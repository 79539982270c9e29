use super::*;

#[test]
fn decisions_keep_what_they_are_made_of() {
    let most = Decision::at(u32::MAX, 31).answer(7, (1 << 23) - 1, true);
    assert_eq!((most.seat(), most.phase()), (7, 31));
    assert_eq!(most.game(), u32::MAX as usize);
    assert_eq!(most.action(), (1 << 24) - 1);
    let other = Decision::at(5, 0).answer(3, 4, false);
    assert_eq!((other.game(), other.phase()), (5, 0));
    assert_eq!((other.seat(), other.action()), (3, 8));
}
