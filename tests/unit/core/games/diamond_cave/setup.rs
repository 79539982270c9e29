use super::super::rules::EDITIONS;
use super::*;

#[test]
fn every_card_is_dealt_once_and_luck_is_fair() {
    let rules = DiamondCaveRules::from_toml("r", EDITIONS[0].text).unwrap();
    let mut starts = [0; 3];
    let mut middle = 0;
    for game in 0..6_000 {
        let dealt = Arrangement::deal(&rules, streams::game_key(5, game), 3);
        let mut cards = dealt.cards[..63].to_vec();
        cards.sort_unstable();
        assert!((0..63).eq(cards));
        assert_eq!(dealt.diamonds.count_ones(), 12);
        assert!(dealt.diamonds < 1 << 49);
        starts[usize::from(dealt.starter)] += 1;
        middle += dealt.diamonds >> 24 & 1;
    }
    assert!(
        starts.iter().all(|starts| (1_880..2_120).contains(starts)),
        "{starts:?}"
    );
    assert!((1_350..1_590).contains(&middle), "12 in 49: {middle}");
}
