use super::*;
use carat_core::columns;
use carat_core::sheet::Columns;
use serde_json::json;

#[test]
fn a_spreadsheet_runs_no_cell() {
    let cells = [
        "=1+1", "+x", "@sum", "\t=1", "-x.toml", "-1.5", "+2", "plain", "a=b", "", "'x",
    ];
    columns! {
        Texts<'a>(of: (), row: (usize, &'a str)) "t", "one row a cell";
        TEXT: text("text", "a text") => row.1;
        NUMBER: number("number", "a number") => -(row.0 as f64);
    }
    let sheet = Texts::sheet(&(), cells.into_iter().enumerate());
    let csv = String::from_utf8(encode(&sheet, Format::Csv, None).unwrap()).unwrap();
    let found = csv.lines().skip(1);
    let found: Vec<&str> = found.map(|line| line.split(',').next().unwrap()).collect();
    let guarded = [
        "'=1+1", "'+x", "'@sum", "'\t=1", "'-x.toml", "-1.5", "+2", "plain", "a=b", "\"\"", "'x",
    ];
    assert_eq!(found, guarded);
    assert!(csv.contains("plain,-7.0"), "{csv}");
}

#[test]
fn records_keep_their_types() {
    columns! {
        Types<'a>(of: (), row: usize) "t", "one row a thing";
        COUNT: whole("n", "a count") => [Some(3), None][*row];
        NUMBER: number("x", "a number") => [0.5, f64::INFINITY][*row];
        TEXT: text("s", "a text") => ["=1", "é\""][*row];
        TRUTH: truth("t", "a truth") => *row == 0;
    }
    let bytes = encode(&Types::sheet(&(), [0, 1]), Format::Json, None).unwrap();
    let read: Value = serde_json::from_slice(&bytes).unwrap();
    let expected = json!([
        { "n": 3, "x": 0.5, "s": "=1", "t": true },
        { "n": null, "x": null, "s": "é\"", "t": false },
    ]);
    assert_eq!(read, expected);
}
