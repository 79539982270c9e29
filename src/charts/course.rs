//! What each seat could hope for in the course of a game: steps with their intervals, the sections of the
//! game, and moments that are told of below.
//!
//! Knows values by moment, not what happened.

use super::axes::{self, Plane, Scale};
use super::canvas::{Anchor, Canvas, Spot};
use super::labels::spread;
use super::theme::{self, DETAIL, GRID, LABEL, LEADING, PANEL, RULE, SeatLabel, TICK, WHITE};
use super::{Chart, ChartError, Paper, check_column, check_estimates, check_length};
use crate::numbers::number;
use crate::statistics::Estimate;
use std::ops::RangeInclusive;

/// What seats could hope for.
#[derive(Clone, Debug, PartialEq)]
pub struct Hopes {
    pub title: String,
    /// What the values are, with their unit.
    pub unit: String,
    /// What the sections are.
    pub x_title: String,
    /// The moment at which each section begins, rising, and its name.
    pub sections: Vec<(usize, String)>,
    pub seats: Vec<SeatHopes>,
    /// Moments that are told of, by letters; there is room for a dozen.
    pub marks: Vec<MarkedMoment>,
    /// A remark at the foot; may be empty.
    pub note: String,
}

/// What one seat could hope for.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatHopes {
    /// Number (from 0) whose colour and marker it has.
    pub seat: usize,
    /// Its name, shortened where it is long.
    pub label: String,
    /// What is said below it.
    pub detail: String,
    /// The value before the first moment and after each.
    pub values: Vec<Estimate>,
}

/// A moment that is told of.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkedMoment {
    pub line: usize,
    /// Which of its values it led to.
    pub at: usize,
    /// What is told of it.
    pub text: String,
}

/// Height of the panel.
const HEIGHT: f64 = 300.0;
/// Radius of the letters above the panel, and how far their middles are apart at least.
const LETTER: f64 = 9.0;
const APART: f64 = 22.0;
const LETTERS: f64 = 34.0;
/// What moments are called: seats have numbers.
const LETTERED: RangeInclusive<char> = 'A'..='Z';
/// So many values of a line are told at most.
const TOLD: usize = 8;

impl Chart for Hopes {
    fn canvas(&self, played: &str, paper: Paper) -> Result<Option<Canvas>, ChartError> {
        self.check()?;
        let moments = self.seats.first().map_or(0, |seat| seat.values.len());
        if moments < 2 {
            return Ok(None);
        }
        let (mut canvas, top) = theme::page(&self.title, played, paper);
        let top = theme::paragraph(&mut canvas, top + 12.0, &self.unit, PANEL) - 6.0;
        let top = if self.marks.is_empty() {
            top
        } else {
            top + LETTERS
        };
        let values = self.seats.iter().flat_map(|seat| &seat.values);
        let (low, high) = axes::bounds(values.flat_map(|value| [value.low, value.high, 0.0]));
        let high = if high > low { high } else { low + 1.0 };
        let plane = Plane {
            x: Scale::linear((0.0, moments as f64 - 1.0), theme::labelled_panel(paper)),
            y: Scale::linear((low, high), (top + HEIGHT, top)),
        };
        axes::y_axis(&mut canvas, &plane.y, &plane.y.ticks(false), plane.x.places);
        let below = self.draw_sections(&mut canvas, &plane);
        for seat in &self.seats {
            draw_interval(&mut canvas, &plane, seat);
        }
        for seat in &self.seats {
            self.draw_line(&mut canvas, &plane, seat);
        }
        self.draw_marks(&mut canvas, &plane);
        let labels = self.seats.iter().map(|of| {
            let last = of.values.last().map_or(0.0, |last| last.value);
            let (x, y) = plane.place(moments as f64 - 1.0, last);
            let label = SeatLabel {
                seat: of.seat,
                name: &of.label,
                detail: (of.detail.clone(), theme::GREY),
            };
            (label, (x + 6.0, y))
        });
        let labels: Vec<(SeatLabel, Spot)> = labels.collect();
        let room = (top + 10.0, top + HEIGHT + 6.0);
        let below = below + if paper.is_narrow() { 12.0 } else { 0.0 };
        theme::seat_labels(&mut canvas, &labels, (room, 22.0), below);
        let below = below + theme::labels_below(paper, labels.len());
        let below = self.draw_list(&mut canvas, below + 10.0);
        theme::end(&mut canvas, below, &[&self.note]);
        Ok(Some(canvas))
    }
}

impl Hopes {
    fn check(&self) -> Result<(), ChartError> {
        let moments = self.seats.first().map_or(0, |seat| seat.values.len());
        for SeatHopes { label, values, .. } in &self.seats {
            let name = format!("values of `{label}`");
            check_length(&name, values.len(), moments)?;
            check_estimates(&name, values)?;
        }
        let places: Vec<f64> = (self.sections.iter())
            .map(|(at, _)| *at as f64)
            .filter(|at| *at < moments.max(1) as f64)
            .collect();
        check_column("sections", &places, self.sections.len())?;
        let marks = self.marks.iter();
        let known = marks.filter(|mark| mark.line < self.seats.len() && mark.at < moments);
        check_length("marks", known.count(), self.marks.len())
    }

    /// A line where a section begins, and its name below, where there is room for that; tells where
    /// that ends.
    fn draw_sections(&self, canvas: &mut Canvas, plane: &Plane) -> f64 {
        let (top, bottom) = plane.span();
        let (left, right) = plane.x.places;
        let ends = self.sections.iter().skip(1).map(|(at, _)| *at as f64);
        let last = plane.x.values.1;
        let mut free = left - 20.0;
        for ((at, name), end) in self.sections.iter().zip(ends.chain([last])) {
            let [from, to] = [*at as f64, end].map(|at| plane.x.place(at));
            let half = TICK.width(name) / 2.0;
            let middle = ((from + to) / 2.0).clamp(left, (right - half).max(left));
            // Where there are very many, only some are shown.
            if middle - half >= free {
                canvas.stroke(&[(from, top), (from, bottom)], 1.0, GRID);
                canvas.text(name, (middle, bottom + 17.0), TICK.held_at(Anchor::Middle));
                free = middle + half + 8.0;
            }
        }
        canvas.level((left, right), bottom, RULE);
        canvas.text(&self.x_title, (left, bottom + 36.0), TICK);
        bottom + 42.0
    }

    fn draw_line(&self, canvas: &mut Canvas, plane: &Plane, of: &SeatHopes) {
        let values = of.values.iter().map(|value| value.value);
        canvas.stroke(&steps(plane, values), 2.0, theme::seat_ink(of.seat));
        let every = of.values.len().div_ceil(TOLD);
        for (at, value) in of.values.iter().enumerate().step_by(every) {
            let section = self.sections.iter().rev().find(|(from, _)| *from <= at);
            let section = section.map_or("", |(_, name)| name);
            let value = (value.value, number(value.value, 1));
            let told = format!("{}, {} {section}: {}", of.label, self.x_title, value.1);
            canvas.tell_at(plane.place(at as f64, value.0), told);
        }
    }

    /// The marker of each moment on its line, and its letter above the panel.
    fn draw_marks(&self, canvas: &mut Canvas, plane: &Plane) {
        let (top, _) = plane.span();
        let spots = self.marks.iter().map(|mark| {
            let value = self.seats[mark.line].values[mark.at].value;
            plane.place(mark.at as f64, value)
        });
        let spots: Vec<Spot> = spots.collect();
        let wanted: Vec<f64> = spots.iter().map(|spot| spot.0).collect();
        let (left, right) = plane.x.places;
        let places = spread(&wanted, APART, left, right);
        let level = top - LETTERS + LETTER + 4.0;
        for (place, (x, y)) in places.iter().zip(&spots) {
            let bent = [
                (*place, level),
                (*place, level + LETTER + 4.0),
                (*x, top),
                (*x, *y),
            ];
            canvas.stroke(&bent, 1.0, RULE);
        }
        for ((letter, mark), (place, spot)) in
            LETTERED.zip(&self.marks).zip(places.iter().zip(&spots))
        {
            let seat = self.seats[mark.line].seat;
            theme::marker(canvas, seat, *spot, 5.0);
            draw_letter(canvas, letter, seat, (*place, level));
        }
    }

    /// What is told of the moments; tells where that ends.
    fn draw_list(&self, canvas: &mut Canvas, mut y: f64) -> f64 {
        let left = canvas.paper().margin();
        for (letter, mark) in LETTERED.zip(&self.marks) {
            draw_letter(
                canvas,
                letter,
                self.seats[mark.line].seat,
                (left + LETTER, y + 8.0),
            );
            let at = (left + 2.0 * LETTER + 8.0, y + 13.0);
            y = theme::paragraph_at(canvas, at, &mark.text, LABEL) - LEADING + 8.0;
        }
        y
    }
}

fn draw_letter(canvas: &mut Canvas, letter: char, seat: usize, at: Spot) {
    canvas.disc(at, LETTER, theme::seat_ink(seat));
    let style = DETAIL.bold().in_ink(WHITE).held_at(Anchor::Middle);
    canvas.text_mid(&letter.to_string(), at, style);
}

/// What the true values are likely to be in, as a band behind the line.
fn draw_interval(canvas: &mut Canvas, plane: &Plane, of: &SeatHopes) {
    if of.values.iter().all(|value| value.high <= value.low) {
        return;
    }
    let mut band = steps(plane, of.values.iter().map(|value| value.high));
    let below = steps(plane, of.values.iter().map(|value| value.low));
    band.extend(below.into_iter().rev());
    canvas.area(band, theme::seat_ink(of.seat).faded(0.18));
}

/// What holds until the next moment stays level until then.
fn steps(plane: &Plane, values: impl Iterator<Item = f64>) -> Vec<Spot> {
    let mut steps: Vec<Spot> = Vec::new();
    for (at, value) in values.enumerate() {
        let spot = plane.place(at as f64, value);
        match steps.last().copied() {
            Some((_, before)) if before == spot.1 => {}
            Some((_, before)) => steps.extend([(spot.0, before), spot]),
            None => steps.push(spot),
        }
    }
    let last = steps.last().map(|(_, y)| (plane.x.places.1, *y));
    steps.extend(last);
    steps
}
