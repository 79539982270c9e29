use super::*;
use fearless_simd::{Level, dispatch};

#[inline(always)]
fn shares<S: Simd>(simd: S, number: u16, among: u8) -> (u16, u16) {
    let numbers = [u16x32::splat(simd, number); 2];
    let (quotients, rests) = divide(simd, numbers, u8x64::splat(simd, among));
    (quotients[1][31], rests[1][31])
}

#[test]
fn division_is_exact() {
    for number in 0..=8190 {
        for among in 1..=8 {
            let got = dispatch!(Level::new(), simd => shares(simd, number, among));
            let n = u16::from(among);
            assert_eq!(got, (number / n, number % n), "{number} / {among}");
        }
        let (_, rest) = dispatch!(Level::new(), simd => shares(simd, number, 0));
        assert_eq!(rest, number);
    }
}
