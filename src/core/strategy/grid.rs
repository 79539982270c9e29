//! Axes as data: formulas for the cell of a decision, and the bot of a policy over cells.

use super::cells::{compressed, unpacked};
use super::made_for::quoted;
use super::tables::{TABLES_MAX, unfit};
use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::formula::{
    AXES_MAX, CELLS_MAX, Cell, Cells, EDGES_MAX, Fault, Formula, Kind, Table, Vocabulary, WHOLE_MAX,
};
use serde::{Deserialize, Serialize};

/// What an axis measures, and its edges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// A formula, such as `chest - best_inside`.
    pub of: String,
    pub edges: Vec<f32>,
}

impl Axis {
    pub fn new(of: &str, edges: &[f32]) -> Axis {
        let (of, edges) = (of.to_string(), edges.to_vec());
        Axis { of, edges }
    }

    pub fn cells(&self) -> usize {
        self.edges.len() + 1
    }
}

/// Axes that apply under a condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GridSection {
    /// The name of its table in the bot.
    pub name: String,
    /// When it applies, if no section before it does; absent in the last section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    pub axes: Vec<Axis>,
}

/// Sections of at most this many cells are not coarsened.
const COARSEST: usize = 40;

impl GridSection {
    pub fn cells(&self) -> usize {
        self.axes.iter().map(Axis::cells).product()
    }

    /// Checks its name and axes; `place` is the place of the section.
    fn check(&self, place: &str, vocabulary: &Vocabulary) -> Result<(), Diagnostic> {
        let wrong = |at: &str, text: &str, message: &str, label: &str| {
            let fault = Fault::new(0..text.len(), message, label);
            Err(fault.in_file(&format!("{place}.{at}"), text))
        };
        if let Some(label) = unfit(&self.name, vocabulary) {
            let message = format!("`{}` cannot name a section", self.name);
            return wrong("name", &self.name, &message, label);
        }
        let formula = |at: &str, text: &str, answer: Kind| {
            // It becomes part of a longer line.
            if text.contains('#') {
                return wrong(at, text, "an axis cannot contain a comment", "remove it");
            }
            let vocabulary = Vocabulary {
                answer,
                ..*vocabulary
            };
            let parsed = Formula::parse(text, &[], &vocabulary).map(drop);
            parsed.map_err(|fault| fault.in_file(&format!("{place}.{at}"), text))
        };
        if let Some(when) = &self.when {
            formula("when", when, Kind::Truth)?;
        }
        let given = self.axes.len();
        let measured: Vec<&str> = self.axes.iter().map(|axis| axis.of.as_str()).collect();
        let measured = measured.join(", ");
        if !(1..=AXES_MAX).contains(&given) {
            let message = format!("1 to {AXES_MAX} axes are possible, {given} given");
            return wrong("axes", &measured, &message, "");
        }
        let mut cells = 1usize;
        for (number, Axis { of, edges }) in self.axes.iter().enumerate() {
            formula(&format!("axes.{}.of", number + 1), of, Kind::Number)?;
            let (at, text) = (format!("axes.{}.edges", number + 1), format!("{edges:?}"));
            let rise = edges.windows(2).all(|pair| pair[0] < pair[1]);
            if !rise || !edges.iter().all(|edge| edge.is_finite()) {
                return wrong(&at, &text, "edges must be finite and rise", "");
            }
            let given = edges.len();
            if !(1..=EDGES_MAX).contains(&given) {
                let message = format!("1 to {EDGES_MAX} edges are possible, {given} given");
                return wrong(&at, &text, &message, "");
            }
            cells = cells.saturating_mul(given + 1);
        }
        if cells > CELLS_MAX {
            let message = format!("{cells} cells, at most {CELLS_MAX} are possible");
            return wrong("axes", &measured, &message, "too many edges");
        }
        Ok(())
    }
}

/// All cells: those of the first section come first; the last axis changes fastest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Grid {
    pub sections: Vec<GridSection>,
}

impl Grid {
    pub fn cells(&self) -> usize {
        self.sections.iter().map(GridSection::cells).sum()
    }

    /// Checks that a bot can look all this up. The error names the key, with sections and axes
    /// counted from 1.
    pub fn check(&self, vocabulary: &Vocabulary) -> Result<(), Diagnostic> {
        let wrong = |place: &str, text: &str, message: &str| {
            Err(Fault::new(0..text.len(), message, "").in_file(place, text))
        };
        let count = self.sections.len();
        if count == 0 {
            return wrong("axes", "[]", "no section is given");
        }
        if count > TABLES_MAX {
            let message = format!("{count} sections, at most {TABLES_MAX} are possible");
            return wrong("axes", "", &message);
        }
        for (index, section) in self.sections.iter().enumerate() {
            let (place, name) = (format!("axes.{}", index + 1), &section.name);
            section.check(&place, vocabulary)?;
            let mut before = self.sections[..index].iter();
            if before.any(|other| other.name == *name) {
                let message = format!("two sections are called `{name}`");
                return wrong(&format!("{place}.name"), name, &message);
            }
            let head = format!("section `{name}`: ");
            match &section.when {
                None if index + 1 < count => {
                    let message = head + "`when` is missing; only the last section has none";
                    return wrong(&place, name, &message);
                }
                Some(when) if index + 1 == count => {
                    let message = head + "the last section has no `when`";
                    return wrong(&format!("{place}.when"), when, &message);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The grid with additional axes in every section, or with their edges added to such axes,
    /// within the limits on cells, axes and edges of a table.
    pub fn finer(&self, extra: &[Axis]) -> Grid {
        let mut finer = self.clone();
        for section in &mut finer.sections {
            for axis in extra {
                let mut changed = section.clone();
                match changed.axes.iter_mut().find(|own| own.of == axis.of) {
                    Some(own) => own.edges = joined(&own.edges, &axis.edges),
                    None => changed.axes.insert(0, axis.clone()),
                }
                let edges = changed.axes.iter().map(|axis| axis.edges.len()).max();
                let room = changed.axes.len() <= AXES_MAX
                    && changed.cells() <= CELLS_MAX
                    && edges <= Some(EDGES_MAX);
                if room {
                    *section = changed;
                }
            }
        }
        finer
    }

    /// Coarser and coarser grids, until few cells are left: for each level, the cell of the next
    /// level that each cell lies in.
    pub fn levels(&self) -> Vec<Vec<u32>> {
        let mut levels = Vec::new();
        let mut grid = self.clone();
        while grid.cells() > COARSEST * grid.sections.len() {
            let coarser = grid.coarser();
            levels.push(grid.parents(&coarser));
            grid = coarser;
        }
        levels
    }

    /// Removes every other edge of one axis in each section: the axis with the most edges.
    fn coarser(&self) -> Grid {
        let mut coarser = self.clone();
        for section in &mut coarser.sections {
            let longest = section.axes.iter_mut().max_by_key(|axis| axis.edges.len());
            if let Some(axis) = longest {
                axis.edges = axis.edges.iter().skip(1).step_by(2).copied().collect();
            }
            section.axes.retain(|axis| !axis.edges.is_empty());
        }
        coarser
    }

    /// The formula for the number of the cell.
    pub fn formula(&self, vocabulary: &Vocabulary) -> Result<Formula, Fault> {
        let mut tables = Vec::new();
        let mut text = String::new();
        let mut first = 0;
        for section in &self.sections {
            // Offsets on the last axes are small whole numbers: half the work of floats.
            let (mut large, mut small) = (vec![first.to_string()], Vec::new());
            let mut stride = section.cells();
            for axis in &section.axes {
                let sum = if stride > WHOLE_MAX as usize {
                    &mut large
                } else {
                    &mut small
                };
                sum.push(format!("at{}[{}]", tables.len(), axis.of));
                stride /= axis.cells();
                let heights = (0..axis.cells()).map(|index| Cell::Number((index * stride) as f32));
                tables.push(Table {
                    name: format!("at{}", tables.len()),
                    axes: vec![axis.edges.clone()],
                    cells: Cells::written(heights.collect()),
                });
            }
            let sum = format!("{} + ({})", large.join(" + "), small.join(" + "));
            text += &choice(section, &sum);
            first += section.cells();
        }
        let numbers = Vocabulary {
            answer: Kind::Number,
            ..*vocabulary
        };
        Formula::parse_with_tables(&text, &[], &tables, &numbers).map(|formula| formula.bind(&[]))
    }

    /// The file of a bot that says yes with probability `policy[cell] / 255`.
    pub fn bot(&self, question: &str, description: &str, policy: &[u8]) -> String {
        let mut leave = String::new();
        let mut tables = String::new();
        let mut first = 0;
        for section in &self.sections {
            let indices: Vec<&str> = section.axes.iter().map(|axis| axis.of.as_str()).collect();
            let cell = format!("{}[{}]", section.name, indices.join(", "));
            leave += &choice(section, &cell);
            let cells = &policy[first..first + section.cells()];
            first += section.cells();
            tables += &format!("\n[tables.{}]\naxes = [\n", section.name);
            for axis in &section.axes {
                // A comment ends with its line.
                let of: Vec<&str> = axis.of.split_whitespace().collect();
                let of = of.join(" ");
                tables += &format!("    {:?}, # {of}\n", axis.edges);
            }
            let cells = compressed(cells);
            tables += &format!("]\nvalues.scale = [0, 1]\nvalues.zlib = \"{cells}\"\n");
        }
        let head = Format::line();
        let [description, formula] = [description, &format!("random < ({leave})")].map(quoted);
        format!("{head}description = {description}\n{question} = {formula}\n{tables}")
    }

    /// The policy of a bot that [`Grid::bot`] wrote for these axes; `None` for any other bot.
    pub fn policy(&self, bot: &str) -> Option<Vec<u8>> {
        let file: toml::Table = bot.parse().ok()?;
        let tables = file.get("tables")?.as_table()?;
        let mut policy = Vec::new();
        for section in &self.sections {
            let table = tables.get(&section.name)?;
            let edges: Vec<Vec<f32>> = table.get("axes")?.clone().try_into().ok()?;
            if !section.axes.iter().map(|axis| &axis.edges).eq(&edges) {
                return None;
            }
            policy.extend(unpacked(table.get("values")?.get("zlib")?.as_str()?)?);
        }
        (policy.len() == self.cells()).then_some(policy)
    }

    /// For each cell of this grid the cell of another one, in the section of the same name: where
    /// axes measure the same, the cell with its lower end, or, with as many edges, the one of the
    /// same index; on an axis of the other grid only, the cell with 0. Sections missing in the
    /// other grid are left out.
    pub fn parents(&self, other: &Grid) -> Vec<u32> {
        let mut parents = Vec::with_capacity(self.cells());
        for section in &self.sections {
            let mut others = other.sections.iter();
            let Some(at) = others.position(|other| other.name == section.name) else {
                continue;
            };
            let of = &other.sections[at];
            let mut first: usize = other.sections[..at].iter().map(GridSection::cells).sum();
            let mut stride = of.cells();
            // By axis of this grid and index on it, the offset in the other grid's cell.
            let axes = section.axes.iter();
            let mut parts: Vec<Vec<usize>> = axes.map(|axis| vec![0; axis.cells()]).collect();
            for axis in &of.axes {
                stride /= axis.cells();
                let below = |value: f32| axis.edges.iter().filter(|edge| **edge <= value).count();
                let Some(own) = section.axes.iter().position(|other| other.of == axis.of) else {
                    first += stride * below(0.0);
                    continue;
                };
                let edges = &section.axes[own].edges;
                for (index, part) in parts[own].iter_mut().enumerate() {
                    *part = stride
                        * match index {
                            _ if edges.len() == axis.edges.len() => index,
                            0 => 0,
                            _ => below(edges[index - 1]),
                        };
                }
            }
            for cell in 0..section.cells() {
                let mut rest = cell;
                let mut parent = first;
                for (axis, parts) in section.axes.iter().zip(&parts).rev() {
                    parent += parts[rest % axis.cells()];
                    rest /= axis.cells();
                }
                parents.push(parent as u32);
            }
        }
        parents
    }
}

/// All edges of both.
fn joined(some: &[f32], more: &[f32]) -> Vec<f32> {
    let mut edges = [some, more].concat();
    edges.sort_by(f32::total_cmp);
    edges.dedup();
    edges
}

/// `value` where the section applies, otherwise the rest.
fn choice(section: &GridSection, value: &str) -> String {
    match &section.when {
        Some(when) => format!("if {when} then {value} else "),
        None => value.to_string(),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/core/strategy/grid.rs"]
mod tests;
