//! Whether what carat left is whole: tables, pictures, folders.

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
        let (folder, name) = path
            .rsplit_once('/')
            .map_or(("", &**path), |(folder, name)| (folder, name));
        let prefix = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let text = || std::str::from_utf8(bytes).map_err(|_| format!("{path} is not UTF-8"));
        let of = |fault: String| format!("{path}: {fault}");
        let a_table = name.ends_with(".csv") || name.ends_with(".parquet");
        if (a_table || name.ends_with(".png"))
            && !tree.contains_key(&format!("{prefix}manifest.json"))
        {
            return Err(of("a result without a manifest".to_string()));
        }
        if name.ends_with(".csv") {
            csv(text()?).map_err(of)?;
        } else if name.ends_with(".svg") {
            xml(text()?).map_err(of)?;
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

/// Whether a text is well-formed XML, as far as pictures use it.
pub fn xml(text: &str) -> Result<(), String> {
    let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    if let Some(c) = text.chars().find(|c| !allowed(*c)) {
        return Err(format!("the character {c:?}"));
    }
    let (mut open, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find('<') {
        entities(&rest[..at])?;
        rest = &rest[at + 1..];
        let mut quote = None;
        let end = rest.find(|c| match (quote, c) {
            (None, '"' | '\'') => {
                quote = Some(c);
                false
            }
            (Some(open), c) if open == c => {
                quote = None;
                false
            }
            (Some(_), _) => false,
            (None, c) => c == '>',
        });
        let end = end.ok_or("a tag does not end")?;
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if tag.starts_with(['?', '!']) {
            continue;
        }
        entities(tag)?;
        if tag.contains('<') {
            return Err(format!("`<` within <{tag}>"));
        }
        let name = tag
            .trim_start_matches('/')
            .split([' ', '/', '\n'])
            .next()
            .unwrap_or_default();
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) if open.pop() != Some(name) => {
                return Err(format!("</{name}> closes nothing"));
            }
            (false, false) => open.push(name),
            _ => {}
        }
    }
    match open.last() {
        Some(name) => Err(format!("<{name}> is not closed")),
        None => entities(rest),
    }
}

fn entities(text: &str) -> Result<(), String> {
    for (at, _) in text.match_indices('&') {
        let name = text[at + 1..].split(';').next().unwrap_or_default();
        let known = ["amp", "lt", "gt", "quot", "apos"].contains(&name) || name.starts_with('#');
        if !known {
            return Err("a bare `&`".to_string());
        }
    }
    Ok(())
}
