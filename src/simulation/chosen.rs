//! The figure that a study is about, by name: `win_share@1`, `score_mean`, `cards_per_game`.

use super::Tally;
use super::paired::{Figure, common_figures};
use crate::game::{Layout, Metric};
use crate::statistics::Estimate;

/// A figure of one seat, of every seat, or of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// Its name: `win_share`, `score_mean`, or that of a metric.
    pub name: String,
    /// Whose it is.
    pub of: Of,
    /// What it says, in a few words with its unit.
    pub meaning: &'static str,
    /// Whether it lies between 0 and 1.
    pub proportion: bool,
}

/// Whose figure is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// The table's.
    Table,
    /// That of a seat (from 0).
    Seat(usize),
    /// That of every seat.
    EverySeat,
}

/// There is no such figure.
#[derive(Debug, thiserror::Error)]
#[error("--metric {asked}: no such figure; there are {known} (seats 1 to {seats})")]
pub struct NoSuchFigure {
    asked: String,
    known: String,
    seats: usize,
}

impl Chosen {
    /// Looks up `NAME` or `NAME@SEAT` among the figures of a layout. A name without a seat is a
    /// figure of the table, or else that of every seat.
    pub fn find(layout: &Layout, asked: &str) -> Result<Chosen, NoSuchFigure> {
        let figures = common_figures(layout, layout);
        let find = |name: &str, seat: Option<usize>| {
            let fits = |figure: &&Figure| figure.name == name && figure.seat == seat;
            figures.iter().find(fits)
        };
        let found = match asked.split_once('@') {
            Some((name, seat)) => {
                let seat = seat.parse::<usize>().unwrap_or(0).wrapping_sub(1);
                find(name, Some(seat)).map(|figure| (figure, Of::Seat(seat)))
            }
            None => {
                let of_table = find(asked, None).map(|figure| (figure, Of::Table));
                of_table.or_else(|| find(asked, Some(0)).map(|figure| (figure, Of::EverySeat)))
            }
        };
        if let Some((figure, of)) = found {
            return Ok(Chosen {
                name: figure.name.to_string(),
                of,
                meaning: figure.meaning,
                proportion: figure.proportion,
            });
        }
        let mut known: Vec<String> = Vec::new();
        for figure in &figures {
            let name = match figure.seat {
                Some(_) => format!("{}@SEAT", figure.name),
                None => figure.name.to_string(),
            };
            if !known.contains(&name) {
                known.push(name);
            }
        }
        Err(NoSuchFigure {
            asked: asked.to_string(),
            known: known.join(", "),
            seats: layout.seats,
        })
    }

    /// What it says and of whom: `mean score of seat 2`.
    pub fn title(&self) -> String {
        match self.of {
            Of::Seat(seat) => format!("{} of seat {}", self.meaning, seat + 1),
            Of::Table | Of::EverySeat => self.meaning.to_string(),
        }
    }

    /// Whether `figure` is the chosen one, or one of them.
    pub fn is(&self, figure: &Figure) -> bool {
        let whose = match self.of {
            Of::Table => figure.seat.is_none(),
            Of::Seat(seat) => figure.seat == Some(seat),
            Of::EverySeat => figure.seat.is_some(),
        };
        whose && figure.name == self.name
    }

    /// Whether more of it is better for a player.
    pub fn ranks(&self) -> bool {
        ["win_share", "score_mean"].contains(&self.name.as_str())
    }

    /// Its estimates at a table: one, or one a seat; fewer where there was nothing to divide by.
    pub fn estimates(&self, layout: &Layout, tally: &Tally) -> Vec<Estimate> {
        let named = |metric: &&Metric| metric.name == self.name;
        let seats = match self.of {
            Of::Table => {
                let metric = layout.table_metrics.iter().find(named);
                let estimate = metric.and_then(|metric| tally.table_metric(layout, metric));
                return estimate.into_iter().collect();
            }
            Of::Seat(seat) => seat..(seat + 1).min(layout.seats),
            Of::EverySeat => 0..layout.seats,
        };
        let estimate = |seat| match self.name.as_str() {
            "win_share" => Some(tally.win_share(layout, seat)),
            "score_mean" => Some(tally.score(layout, seat)),
            _ => {
                let metric = layout.seat_metrics.iter().find(named)?;
                tally.seat_metric(layout, seat, metric)
            }
        };
        seats.filter_map(estimate).collect()
    }
}
