use super::super::WHOLE_MAX;
use super::*;

#[test]
fn bytes_reach_both_ends_of_their_scale() {
    for (low, high) in [(0.0, 1.0), (-3.5, 0.1), (-3e38, 3e38), (1e-40, 1e30)] {
        let cells = Cells::packed(vec![0, 255, 51], low, high);
        assert_eq!((cells.at(0), cells.at(1)), (low, high));
    }
    assert_eq!(Cells::packed(vec![51], 0.0, 1.0).at(0), 0.2);
}

#[test]
fn the_index_is_the_number_of_edges_that_are_not_above() {
    let heights = Cells::written([7.0, 8.0, 9.5].map(Cell::Number).to_vec());
    let function = StepFunction::new([-0.0, 2.5].as_slice().into(), heights);
    let expected = [(-1.0, 7.0), (0.0, 8.0), (-0.0, 8.0), (2.4, 8.0), (2.5, 9.5)];
    for (value, height) in expected {
        assert_eq!(function.at(value), height, "{value}");
    }
    assert_eq!(function.at(f32::INFINITY), 9.5);
    assert_eq!(function.at(f32::NAN), 7.0);
    assert!(function.whole.is_none());
}

#[test]
fn whole_numbers_reach_edges_where_floats_do() {
    let edges = [-1e9, -32_768.0, -2.5, 3.0, 32_767.0, 32_768.0, 1e9];
    let heights = (0..8).map(|height| Cell::Number(height as f32)).collect();
    let function = StepFunction::new(edges.as_slice().into(), Cells::written(heights));
    let whole = function.whole.as_ref().unwrap();
    for value in [-WHOLE_MAX, -3, -2, 0, 2, 3, 4, 32_766, WHOLE_MAX] {
        let rises = whole.rises.iter();
        let above = rises.filter(|[above, _]| value > i32::from(*above));
        let height = whole.heights().nth(above.count()).map(f32::from);
        assert_eq!(height, Some(function.at(value as f32)), "{value}");
    }
}
