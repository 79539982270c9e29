use super::*;
use crate::theme;

#[test]
fn texts_hold_nothing_that_cannot_be_drawn() {
    let mut canvas = Canvas::new(100.0, 100.0);
    let hostile = "a\u{1b}[31m\u{0}\n\u{9b}\u{ffff}\u{202e}é";
    canvas.text(hostile, (1.0, 9.0), theme::LABEL);
    canvas.text_upward("b\tc", (1.0, 9.0), theme::LABEL);
    let texts: Vec<&str> = canvas.texts().map(|text| text.text.as_str()).collect();
    assert_eq!(texts, ["a [31m     é", "b c"]);
}

#[test]
fn overlapping_texts_are_noticed() {
    let mut canvas = Canvas::new(100.0, 100.0);
    canvas.text("one", (20.0, 50.0), theme::LABEL);
    canvas.text("two", (25.0, 52.0), theme::LABEL);
    assert!(canvas.faults()[0].starts_with("overlap"));
}

impl Canvas {
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        self.shapes.iter().filter_map(|shape| match shape {
            PageShape::Text(text) => Some(text),
            _ => None,
        })
    }

    /// Texts that leave the page, run into another text, or are too small to read.
    pub fn faults(&self) -> Vec<String> {
        let boxes: Vec<_> = (self.texts())
            .map(|text| {
                let em = text.style.size;
                let ((x, y), start) = (text.at, text.left() - text.at.0);
                let end = start + text.style.width(&text.text);
                if !text.upward {
                    (x + start, x + end, y - 0.74 * em, y + 0.2 * em)
                } else {
                    (x - 0.74 * em, x + 0.2 * em, y - end, y - start)
                }
            })
            .collect();
        let texts: Vec<_> = self.texts().collect();
        let mut faults = Vec::new();
        for (i, a) in boxes.iter().enumerate() {
            let text = &texts[i].text;
            if texts[i].style.size < 11.0 {
                faults.push(format!("too small: {text}"));
            }
            if !(a.0 >= 0.0 && a.1 <= self.width && a.2 >= 0.0 && a.3 <= self.height) {
                faults.push(format!("cut off: {text} at {:?}", texts[i].at));
            }
            for (j, b) in boxes.iter().enumerate().skip(i + 1) {
                if !(a.1 <= b.0 || b.1 <= a.0 || a.3 <= b.2 || b.3 <= a.2) {
                    let other = &texts[j].text;
                    faults.push(format!("overlap: {text} and {other} at {:?}", texts[i].at));
                }
            }
        }
        faults
    }
}
