use super::*;

/// The lines of a text: their content, or `None` if damaged.
fn read(text: &[u8]) -> Vec<Option<String>> {
    let mut lines = CheckedLines::new(text);
    let mut found = Vec::new();
    while let Some(line) = lines.next_line().unwrap() {
        let content = line.content.map(|content| content.to_vec());
        found.push(content.map(|content| String::from_utf8(content).unwrap()));
    }
    found
}

#[test]
fn every_changed_byte_is_found_and_no_other_line_is_lost() {
    let lines = ["one", "two", "three"].map(|word| checked_line(&word).unwrap());
    assert_eq!(lines[0], "[\"91c55400\",\"one\"]\n");
    let text = lines.concat();
    let good = |word: &str| Some(format!("\"{word}\""));
    assert_eq!(read(text.as_bytes()), ["one", "two", "three"].map(good));
    let second = lines[0].len()..lines[0].len() + lines[1].len() - 1;
    for at in second {
        for bit in 0..8 {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            let found = read(&bytes);
            assert_eq!(found.first(), Some(&good("one")));
            assert_eq!(found.last(), Some(&good("three")));
            assert!(!found.contains(&good("two")), "byte {at}, bit {bit}");
        }
    }
}

#[test]
fn a_line_without_end_is_refused() {
    let mut lines = CheckedLines::new(io::BufReader::new(io::repeat(0)));
    lines.most = 1 << 20;
    let error = lines.next_line().unwrap_err().to_string();
    assert!(error.contains("longer than 1048576 bytes"), "{error}");
    let line = checked_line(&"x").unwrap();
    let mut lines = CheckedLines::new(line.as_bytes());
    lines.most = line.len() as u64;
    assert!(lines.next_line().unwrap().unwrap().content.is_some());
}

#[test]
fn a_line_that_was_cut_off_counts_for_nothing() {
    let line = checked_line(&[1, 2, 3]).unwrap();
    for length in 1..line.len() {
        assert_eq!(read(&line.as_bytes()[..length]), [None]);
    }
    assert_eq!(read(b"   \n\n"), []);
}
