use super::*;

/// The sum for an option of the first kind with two features in these cells.
fn sum(model: &Additive, cells: [usize; 2]) -> f64 {
    let terms = model.terms.iter();
    let heights = terms.map(|term| match term.looks[..] {
        [0, 1] => term.heights[cells[0] * 3 + cells[1]],
        [look] => term.heights[cells[look]],
        _ => term.heights[0],
    });
    heights.sum()
}

fn term(looks: &[usize], heights: &[f64]) -> Term {
    let edges = [vec![1.0], vec![1.0, 2.0]];
    Term {
        kind: 0,
        looks: looks.to_vec(),
        edges: looks.iter().map(|&look| edges[look].clone()).collect(),
        heights: heights.to_vec(),
        used: vec![1.0; heights.len()],
    }
}

fn model() -> Additive {
    let both = term(&[0, 1], &[1.0, 2.0, 3.0, 40.0, 50.0, 60.0]);
    let single = [term(&[0], &[0.1, 0.2]), term(&[1], &[5.0, 6.0, 7.0])];
    Additive {
        terms: single.into_iter().chain([both]).collect(),
        weights: vec![1.0],
    }
}

#[test]
fn merged_tables_add_the_same() {
    let merged = model().merged(1);
    assert_eq!(merged.terms.len(), 2);
    for cells in [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]] {
        assert!((sum(&merged, cells) - sum(&model(), cells)).abs() < 1e-9);
    }
}

#[test]
fn what_is_left_out_is_added_on_average() {
    let flat = term(&[0], &[7.0, 7.0]);
    let both = Additive {
        terms: vec![term(&[1], &[0.0, 3.0, 6.0]), flat],
        weights: vec![1.0],
    };
    let merged = both.clone().merged(8);
    assert_eq!(merged.terms.len(), 2);
    assert_eq!(sum(&merged, [0, 1]), 10.0);
    assert_eq!(sum(&both.merged(0), [1, 0]), 10.0);
}

#[test]
fn without_a_number_its_cells_are_alike() {
    let blind = model().without(0).expect("it looks at it");
    assert_eq!(blind.terms[2].heights, [20.5, 26.0, 31.5]);
    assert!(blind.without(0).is_none());
}

#[test]
fn what_comes_up_often_has_a_cell_of_its_own() {
    assert_eq!(edges(vec![2.0, 0.0, 1.0, 0.0]), [1.0, 2.0]);
    let many: Vec<f32> = (0..100).map(|value| value as f32 / 8.0).collect();
    assert_eq!(edges(many).len() + 1, BINS);
}
