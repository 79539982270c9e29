use super::*;

#[test]
fn figures_of_populations_have_students_interval() {
    let of_games = Estimate::normal(3.0, 0.1);
    let each = [1.0, 2.0, 3.0, 4.0, 5.0].map(Some);
    let over = of_games.over(&each);
    // The standard error is √(2.5 / 5), and Student's number for four degrees of freedom 2.776.
    assert!(
        (over.half_width() - 2.776_445 * 0.5f64.sqrt()).abs() < 1e-4,
        "{over:?}"
    );
    assert!(over.is_of_populations() && over.value == 3.0);
    assert_eq!(of_games.over(&[]), of_games);
    let alike = of_games.over(&[Some(3.0); 5]);
    assert_eq!((alike.low, alike.high), (of_games.low, of_games.high));
    assert!(!alike.is_of_populations());
    // Wilson's interval of a rare event reaches further up than a symmetric one.
    let rare = Estimate::share(20_000, 2, 1);
    let wide = rare.over(&[0.0, 2.5e-4, 0.0, 2.5e-4, 0.0].map(Some));
    assert!(wide.se > rare.se && wide.low == 0.0 && wide.high >= rare.high);
    let narrow = rare.over(&[5e-5, 1e-4, 1.5e-4, 1e-4, 1e-4].map(Some));
    assert!(narrow.low <= rare.low && narrow.high == rare.high);
    assert!(of_games.over(&[Some(3.0), None]).se.is_infinite());
    assert_eq!(z_over(2.5, 0), 2.5);
    assert!((z_over(Z95, 5) - Z95).abs() < 1e-6);
    assert!(z_over(3.09, 5) > 4.9);
}
