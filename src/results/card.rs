//! The card that people take to the table: as a picture and as a text.

use super::text::{Cells, View};
use crate::charts::canvas::Canvas;
use crate::charts::theme::Paper;
use crate::charts::{Chart, ChartError};
use crate::figure::Card;
use crate::formula::Vocabulary;
use crate::game::CardShape;
use crate::strategy::{Axis, Grid, GridSection, MadeFor, NEVER, Strategy};

/// The card that a bot plays by, at the table that it is for; nothing where it plays by other tables
/// or another formula.
pub fn card(
    shape: CardShape,
    bot: &Strategy,
    table: &MadeFor,
    vocabulary: &Vocabulary,
) -> Option<Card> {
    let mut sections = Vec::from_iter(shape.grid.sections.into_iter().zip(shape.titles));
    let (section, _) = sections.iter().find(|of| has_table(of))?;
    let [rows, columns] = [0, 1].map(|axis| section.axes[axis].clone());
    let (mut bounds, mut tables) = (Vec::new(), Vec::new());
    for (section, title) in sections.iter().filter(|of| has_table(of)) {
        let mut shown = Vec::new();
        for row in 1..=rows.cells() {
            let first = bounds.len();
            for column in 1..=columns.cells() {
                let name = format!("{}.{row}.{column}", section.name);
                let mut params = bot.params.iter();
                bounds.push(params.find(|(param, _)| *param == name)?.1);
            }
            let row = bounds[first..].iter().map(|bound: &f32| Some(*bound));
            shown.push(Vec::from_iter(
                row.map(|bound| bound.filter(|bound| *bound < NEVER)),
            ));
        }
        tables.push((title.to_string(), shown));
    }
    if !plays(bot, vocabulary, &sections, &bounds) {
        // A card of an older version has tables alone.
        sections.retain(has_table);
        plays(bot, vocabulary, &sections, &bounds).then_some(())?;
    }
    let mut how = shape.how.map(str::to_string).to_vec();
    let never = sections.iter().filter(|of| !has_table(of));
    how.extend(never.map(|(_, what)| what.to_string()));
    let [(down, row), (across, column)] = shape.sides;
    Some(Card {
        title: format!("When to {}: a card for {table}", shape.yes),
        how,
        sides: [down, across].map(str::to_string),
        rows: labels(&rows, row),
        columns: labels(&columns, column),
        tables,
        note: match table.players {
            Some(players) => format!(
                "{} The fair share is {:.1} %.",
                bot.description,
                100.0 / players as f64
            ),
            None => bot.description.clone(),
        },
    })
}

fn has_table(of: &(GridSection, &str)) -> bool {
    of.0.axes.len() == 3
}

/// Whether a bot plays by these sections and bounds.
fn plays(
    bot: &Strategy,
    vocabulary: &Vocabulary,
    sections: &[(GridSection, &str)],
    bounds: &[f32],
) -> bool {
    let sections = sections.iter().map(|(section, _)| section.clone());
    let grid = Grid {
        sections: sections.collect(),
    };
    let text = grid.bot_of_bounds(vocabulary.question, "", bounds);
    let read = Strategy::from_toml("card", "card", &text, vocabulary);
    read.is_ok_and(|read| read.formula == bot.formula)
}

fn labels(axis: &Axis, name: fn(f32) -> String) -> Vec<String> {
    let edges = std::iter::once(f32::NEG_INFINITY).chain(axis.edges.iter().copied());
    edges.map(name).collect()
}

impl Card {
    /// The card in words and tables.
    pub fn views(&self) -> Vec<View> {
        let [down, across] = &self.sides;
        let corner = format!("{down} / {across}");
        let columns = self.columns.iter().map(String::as_str);
        let header: Vec<&str> = std::iter::once(corner.as_str()).chain(columns).collect();
        let mut blocks = vec![View::text(&self.title), View::text(self.how.join("\n"))];
        for (title, rows) in &self.tables {
            let rows = self.rows.iter().zip(rows).map(|(name, bounds)| {
                let bounds = bounds.iter().map(|bound| Card::write_bound(*bound));
                std::iter::once(name.clone()).chain(bounds).collect()
            });
            blocks.push(View::text(format!("{title}:")));
            blocks.push(View::Table(
                Cells::new(&header, rows.collect()).right_from(1),
            ));
        }
        blocks.push(View::text(&self.note));
        blocks
    }

    /// The card alone on a wide page.
    ///
    /// # Errors
    ///
    /// [`ChartError`] when the card cannot be drawn.
    pub fn drawn(&self) -> Result<Canvas, ChartError> {
        let canvas = self.canvas("", Paper::WIDE)?;
        canvas.ok_or_else(|| ChartError::Draw("it is empty".to_string()))
    }
}
