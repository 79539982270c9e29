use super::*;

#[test]
fn bounds_hold_all_results_and_are_reached() {
    use Operation::*;
    let ([a, b], none) = ([(-3, 5), (-7, 2)], Lookups::default());
    for operation in [
        Negate, Absolute, Floor, Add, Subtract, Multiply, Minimum, Maximum,
    ] {
        let count = operation.operands().len();
        let pairs = (a.0..=a.1).flat_map(|x| (b.0..=b.1).map(move |y| [x, y]));
        let result = |pair: [i32; 2]| {
            let values = pair.map(|number| super::super::Value::Number(number as f32));
            operation.apply(&values[..count], &none).number().unwrap() as i32
        };
        let results: Vec<i32> = pairs.map(result).collect();
        let found = (results.iter().min().copied()).zip(results.iter().max().copied());
        let stated = bounds(operation, &[Some(a), Some(b)][..count], &none);
        assert_eq!(stated, found, "{operation:?}");
    }
}

#[test]
fn what_is_large_or_broken_has_no_bounds() {
    assert_eq!(constant(-0.0), Some((0, 0)));
    assert_eq!(constant(32_767.0), Some((32_767, 32_767)));
    for number in [0.5, 32_768.0, f32::INFINITY, f32::NAN] {
        assert_eq!(constant(number), None);
    }
    let (large, none) = (Some((0, 200)), Lookups::default());
    assert_eq!(bounds(Operation::Multiply, &[large, large], &none), None);
    assert_eq!(bounds(Operation::Divide, &[large, large], &none), None);
    assert_eq!(bounds(Operation::Add, &[large, None], &none), None);
}
