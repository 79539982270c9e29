//! Whether what carat left is whole: tables, pictures, folders.

use roxmltree::{Document, ParsingOptions};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// All files and folders below a folder, with their bytes.
pub fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let inner = tree(&entry.path());
            found.extend(
                inner
                    .into_iter()
                    .map(|(path, bytes)| (format!("{name}/{path}"), bytes)),
            );
            found.insert(name + "/", vec![]);
        } else {
            found.insert(name, fs::read(entry.path()).unwrap_or_default());
        }
    }
    found
}

/// Results are complete or absent, and each of them can be read.
pub fn results(tree: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    // What an attack damaged is not carat's fault.
    for (path, bytes) in tree.iter().filter(|(path, _)| !path.starts_with("damaged")) {
        let (prefix, name) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
        let text = || std::str::from_utf8(bytes).map_err(|_| format!("{path} is not UTF-8"));
        let of = |fault: String| format!("{path}: {fault}");
        // The games of a shard lie beside it.
        let stem = name.split('.').next().unwrap_or_default();
        let of_a_shard = ["jsonl", "unfinished"]
            .iter()
            .any(|end| tree.contains_key(&format!("{prefix}{stem}.{end}")));
        let a_table = name.ends_with(".csv") || (name.ends_with(".parquet") && !of_a_shard);
        if (a_table || name.ends_with(".png"))
            && !tree.contains_key(&format!("{prefix}manifest.json"))
        {
            return Err(of("a result without a manifest".to_string()));
        }
        if name.ends_with(".csv") {
            csv(text()?).map_err(of)?;
        } else if name.ends_with(".svg") {
            let options = ParsingOptions {
                allow_dtd: true,
                ..ParsingOptions::default()
            };
            let picture = Document::parse_with_options(text()?, options);
            picture.map_err(|error| of(error.to_string()))?;
        } else if name.ends_with(".png") && !bytes.ends_with(b"IEND\xaeB`\x82") {
            return Err(of("the picture is cut off".to_string()));
        } else if name == "manifest.json" {
            let manifest: serde_json::Value =
                serde_json::from_slice(bytes).map_err(|e| of(e.to_string()))?;
            for file in manifest["files"].as_array().into_iter().flatten() {
                let file_name = file["name"].as_str().unwrap_or_default();
                let there = tree.get(&format!("{prefix}{file_name}"));
                let size = there.map(Vec::len).unwrap_or_default() as u64;
                if there.is_none() || (file_name != name && file["bytes"] != size) {
                    return Err(of(format!("{file_name} is not there as it is listed")));
                }
            }
        }
    }
    Ok(())
}

/// A table as RFC 4180 has it: as many cells in each row, quotes where they must be.
pub fn csv(text: &str) -> Result<Vec<Vec<String>>, String> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut closed) = (false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quoted, c) {
            (true, '"') if chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            (true, '"') => (quoted, closed) = (false, true),
            (true, c) => cell.push(c),
            (false, ',') => {
                row.push(std::mem::take(&mut cell));
                closed = false;
            }
            (false, '\n') => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
                closed = false;
            }
            (false, '"') if cell.is_empty() && !closed => quoted = true,
            (false, '"' | '\r') => return Err(format!("a stray {c:?} in row {}", rows.len())),
            (false, _) if closed => return Err(format!("text after quotes in row {}", rows.len())),
            (false, c) => cell.push(c),
        }
    }
    if quoted || !cell.is_empty() || !row.is_empty() {
        return Err("the last row does not end".to_string());
    }
    let head: &Vec<String> = rows.first().ok_or("no head")?;
    let other = rows.iter().position(|row| row.len() != head.len());
    match other {
        Some(at) => Err(format!(
            "row {at} has {} cells, not {}",
            rows[at].len(),
            head.len()
        )),
        None => Ok(rows),
    }
}
