//! Tables as a workbook and as Markdown.

use crate::process::{Folder, folder, made};
use crate::report::EACH;
use calamine::{Data, Reader, Xlsx};
use pulldown_cmark::{Event, Options, Parser, Tag};
use std::io::Cursor;
use std::time::{Duration, Instant};

const STUDY: &str = "sweep diamant --vary seats.1.enough=4,5 --games 500 --title 'a|b *c*' --quiet";

/// The cells of a sheet of a workbook.
fn sheet(book: Vec<u8>, name: &str) -> Vec<Vec<Data>> {
    let mut book = Xlsx::new(Cursor::new(book)).expect("a workbook");
    let range = book.worksheet_range(name).expect("a sheet");
    range.rows().map(<[Data]>::to_vec).collect()
}

fn tables(here: &Folder, folder: &str) -> Vec<String> {
    let names = here.names(folder).into_iter();
    let csv = names.filter_map(|name| Some(name.strip_suffix(".csv")?.to_string()));
    csv.collect()
}

#[test]
fn a_workbook_holds_the_numbers_of_the_csv() {
    let here = folder();
    let studies = [STUDY, "simulate diamant --seat people --games 500 --quiet"];
    for (study, out) in studies.into_iter().zip(["a", "b"]) {
        here.run(&format!("{study} --format xlsx,csv --out {out}"));
        let names = tables(&here, out);
        assert!(!names.is_empty(), "{study}");
        for name in names {
            let csv = here.table(&format!("{out}/{name}.csv"));
            let cells = sheet(here.bytes(&format!("{out}/tables.xlsx")), &name);
            let head = cells[0].iter().map(ToString::to_string);
            assert_eq!(Vec::from_iter(head), csv.head, "{name}");
            assert_eq!(cells.len(), csv.rows.len() + 1, "{name}");
            for (row, written) in cells[1..].iter().zip(&csv.rows) {
                for (cell, text) in row.iter().zip(written) {
                    match (cell, text.parse::<f64>()) {
                        (Data::Float(number), Ok(same)) => assert_eq!(*number, same, "{name}"),
                        (Data::Bool(truth), _) => assert_eq!(truth.to_string(), *text),
                        (Data::Empty, _) => assert_eq!(text, "", "{name}"),
                        (Data::String(cell), Err(_)) => {
                            let unguarded = text.strip_prefix('\'').unwrap_or(text);
                            assert_eq!(cell, unguarded, "{name}");
                        }
                        other => panic!("{name}: {other:?}"),
                    }
                }
            }
        }
    }
}

#[test]
fn documents_have_the_same_bytes_at_any_time() {
    let here = folder();
    let began = Instant::now();
    for (out, threads) in [("a", 1), ("b", 2)] {
        here.run(&format!(
            "{STUDY} --format md,xlsx --out {out} --threads {threads}"
        ));
    }
    here.same("a", "b");
    assert!(!here.has("a/cells.csv"));
    // The creation date of a workbook would have whole seconds.
    std::thread::sleep(Duration::from_secs(1).saturating_sub(began.elapsed()));
    // A complete study writes a missing format.
    here.run(&format!("{STUDY} --format csv --out c"));
    here.run(&format!("{STUDY} --format md,xlsx --out c --resume"));
    for file in ["tables.md", "tables.xlsx"] {
        assert_eq!(
            here.bytes(&format!("a/{file}")),
            here.bytes(&format!("c/{file}"))
        );
    }
}

#[test]
fn markdown_tables_are_read_as_tables() {
    let here = folder();
    here.write("x|y.toml", "description = ''\nleave = 'held > 9'\n");
    let study =
        "simulate diamant --seat './x|y.toml' --seat '2*people' --title 'a|b *c*' --games 500";
    here.run(&format!("{study} --quiet --format md --out o"));
    let text = here.read("o/tables.md");
    assert!(text.starts_with("a\\|b \\*c\\*"), "{text}");
    let (mut tables, mut words): (Vec<(usize, usize)>, _) = (Vec::new(), String::new());
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Table(columns)) => tables.push((columns.len(), 0)),
            Event::Start(Tag::TableCell) => tables.last_mut().expect("a table").1 += 1,
            Event::Text(text) => words += &text,
            _ => {}
        }
    }
    assert!(
        words.contains("x|y") && words.contains("a|b *c*"),
        "{words}"
    );
    let (columns, cells) = tables[0];
    assert!(columns > 3 && cells == 3 * columns, "{text}");
    assert!(tables[1].0 == 2 && tables[1].1 > 20, "{text}");
    // All lines of a table have the same length, for a block of code.
    let lines = text.lines().filter(|line| line.starts_with('|'));
    let mut lengths: Vec<usize> = lines.map(|line| line.chars().count()).collect();
    lengths.dedup();
    assert_eq!(lengths.len(), tables.len());
}

/// Every table of every kind has the same columns in all formats, with the types that
/// `carat show columns` declares.
#[test]
fn csv_parquet_and_json_hold_one_schema() {
    let here = folder();
    let declared = here.json("show columns diamant --json");
    let declared = declared["columns"].as_array().expect("columns");
    let mut checked = 0;
    for line in EACH {
        let (kind, out) = (line.split(' ').next().expect("a kind"), made(line));
        for name in tables(&here, &out) {
            let file = format!("{out}/{name}");
            let rows = here.rows(&format!("{file}.parquet"));
            let text = here.table(&format!("{file}.csv"));
            let names: Vec<&str> = rows.columns().iter().map(|of| of.name().as_str()).collect();
            assert_eq!(text.head, names, "{file}");
            assert_eq!(text.rows.len(), rows.height(), "{file}");
            let records: serde_json::Value =
                serde_json::from_str(&here.read(&format!("{file}.json"))).expect("JSON");
            for record in records.as_array().expect("records") {
                let keys: Vec<&String> = record.as_object().expect("fields").keys().collect();
                assert_eq!(keys, names, "{file}");
            }
            for column in rows.columns() {
                let own = declared.iter().find(|of| {
                    of["study"] == kind
                        && of["table"] == name
                        && of["column"] == column.name().as_str()
                });
                let Some(own) = own else { continue };
                let of_type = match own["type"].as_str().expect("a type") {
                    "whole number" => "i64",
                    "number" => "f64",
                    // Values of a path are numbers where all are.
                    "text" if kind == "tune" => continue,
                    "text" => "str",
                    _ => "bool",
                };
                checked += 1;
                assert_eq!(
                    column.dtype().to_string(),
                    of_type,
                    "{file} {}",
                    column.name()
                );
            }
        }
    }
    assert!(checked > 100, "{checked}");
}
