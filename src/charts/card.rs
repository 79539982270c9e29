//! A card to take to the table: small tables of one number a cell, two beside each other.
//!
//! Knows words and numbers, not what they bound.

use super::canvas::{Anchor, Canvas, Spot};
use super::labels::{shorten, wrap};
use super::theme::{self, LABEL, PANEL, Paper, RULE, TICK, WHITE};
use super::{Chart, ChartError, check_length};
use crate::figure::Card;

/// Height of a row, and of what stands above the first.
const ROW: f64 = 34.0;
const HEAD: f64 = 72.0;
/// Room between two tables, and for the labels of rows.
const GAP: f64 = 36.0;
const LABELS: f64 = 62.0;
/// The darkest cell is a part of the darkest shade, so that numbers can be read in print.
const DARKEST: f64 = 0.30;

impl Chart for Card {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        for (_, rows) in &self.tables {
            check_length("rows of a card", rows.len(), self.rows.len())?;
            for row in rows {
                check_length("a row of a card", row.len(), self.columns.len())?;
            }
        }
        let across = if paper.is_narrow() { 1 } else { 2 };
        let inner = paper.inner();
        let width = (inner - GAP * (across - 1) as f64) / across as f64;
        let (mut canvas, top) = theme::page(&self.title, played, paper);
        let how = self
            .how
            .iter()
            .flat_map(|line| wrap(line, &LABEL, inner, 6));
        let mut first = top + 8.0;
        for line in how {
            canvas.text(&line, (paper.margin(), first), LABEL);
            first += 20.0;
        }
        let block = HEAD + ROW * self.rows.len() as f64 + GAP / 2.0;
        for (index, (title, rows)) in self.tables.iter().enumerate() {
            let left = paper.margin() + (index % across) as f64 * (width + GAP);
            let corner = (left, first + block * (index / across) as f64);
            self.table(&mut canvas, title, rows, corner, width);
        }
        let bottom = first + block * self.tables.len().div_ceil(across) as f64;
        theme::end(&mut canvas, bottom, &[&self.note]);
        Ok(Some(canvas))
    }
}

impl Card {
    fn table(
        &self,
        canvas: &mut Canvas,
        title: &str,
        rows: &[Vec<Option<f32>>],
        corner: Spot,
        width: f64,
    ) {
        let (left, top) = corner;
        for (index, line) in wrap(title, &PANEL, width, 2).iter().enumerate() {
            canvas.text(line, (left, top + 12.0 + 17.0 * index as f64), PANEL);
        }
        let (first, step) = (left + LABELS, (width - LABELS) / self.columns.len() as f64);
        let heads = top + HEAD - 8.0;
        let [down, across] = &self.sides;
        canvas.text(&shorten(down, &TICK, LABELS - 6.0), (left, heads), TICK);
        // What all columns count stands over all of them.
        let (over, right) = (heads - 17.0, left + width);
        let middle = ((first + right) / 2.0, over - 4.0);
        canvas.text(across, middle, TICK.held_at(Anchor::Middle));
        canvas.level((first + 6.0, right), over, RULE);
        for (index, name) in self.columns.iter().enumerate() {
            let right = (first + step * (index as f64 + 1.0) - 6.0, heads);
            let name = shorten(name, &TICK, step - 2.0);
            canvas.text(&name, right, TICK.held_at(Anchor::End));
        }
        let known = rows.iter().flatten().flatten();
        let highest = known.fold(1.0f32, |highest, bound| highest.max(*bound));
        for (row, (name, bounds)) in self.rows.iter().zip(rows).enumerate() {
            let y = top + HEAD + ROW * row as f64;
            canvas.text_mid(name, (left, y + ROW / 2.0), LABEL);
            for (column, bound) in bounds.iter().enumerate() {
                let x = first + step * column as f64;
                let ink = match bound {
                    // The less is enough, the darker.
                    Some(bound) => theme::shade(DARKEST * f64::from(1.0 - bound / highest)),
                    None => WHITE,
                };
                canvas.inset(((x, y), (x + step, y + ROW)), 1.0, ink);
                let text = Card::write_bound(*bound);
                let right = (x + step - 8.0, y + ROW / 2.0);
                canvas.text_mid(&text, right, LABEL.bold().held_at(Anchor::End));
                let told = format!(
                    "{title}: {down} {name}, {} {across}: {text}",
                    self.columns[column]
                );
                canvas.tell((x, y), (x + step, y + ROW), told);
            }
        }
        let bottom = top + HEAD + ROW * self.rows.len() as f64 + 1.0;
        canvas.level((left, left + width), bottom, RULE);
        canvas.level((left, left + width), top + HEAD - 1.0, RULE);
    }
}
