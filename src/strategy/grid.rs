//! Axes as data: which cell a decision is in, as formulas; and the bot that a policy over cells is.

use super::cells::packed;
use crate::formula::{
    AXES_MAX, CELLS_MAX, Cell, Cells, EDGES_MAX, Fault, Formula, Kind, Table, Vocabulary, WHOLE_MAX,
};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// What an axis measures, and where its cells meet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// A formula, such as `chest - best_inside`.
    pub of: String,
    /// The edges, rising.
    pub edges: Vec<f32>,
}

impl Axis {
    /// An axis with these edges.
    pub fn new(of: &str, edges: &[f32]) -> Axis {
        let (of, edges) = (of.to_string(), edges.to_vec());
        Axis { of, edges }
    }

    /// How many cells it has.
    pub fn cells(&self) -> usize {
        self.edges.len() + 1
    }
}

/// Axes that hold under a condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// The name of its table in the bot.
    pub name: String,
    /// When it holds, if no section before it does; left out of the last section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// Its axes.
    pub axes: Vec<Axis>,
}

/// A section of no more cells is not made coarser.
const COARSEST: usize = 40;

impl Section {
    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.axes.iter().map(Axis::cells).product()
    }

    /// What is wrong with its axes, as it follows the name of the section.
    fn check(&self) -> Result<(), String> {
        let given = self.axes.len();
        if !(1..=AXES_MAX).contains(&given) {
            let possible = format!("1 to {AXES_MAX} axes are possible");
            return Err(format!(": {possible}, {given} given"));
        }
        let mut cells = 1usize;
        for Axis { of, edges } in &self.axes {
            let wrong = |what: String| Err(format!(", axis `{of}`: {what}"));
            let rise = edges.windows(2).all(|pair| pair[0] < pair[1]);
            if !rise || !edges.iter().all(|edge| edge.is_finite()) {
                return wrong("edges must be finite and rise".to_string());
            }
            let given = edges.len();
            if !(1..=EDGES_MAX).contains(&given) {
                let possible = format!("1 to {EDGES_MAX} edges are possible");
                return wrong(format!("{possible}, {given} given"));
            }
            cells = cells.saturating_mul(given + 1);
        }
        match cells > CELLS_MAX {
            true => Err(format!(": {cells} cells, at most {CELLS_MAX} are possible")),
            false => Ok(()),
        }
    }
}

/// All cells: those of the first section come first, the last axis changing fastest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Grid {
    /// The sections.
    pub sections: Vec<Section>,
}

impl Grid {
    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.sections.iter().map(Section::cells).sum()
    }

    /// Whether a bot can look all this up: what is wrong otherwise.
    ///
    /// # Errors
    ///
    /// A message that names the section or axis.
    pub fn check(&self) -> Result<(), String> {
        let Some((last, earlier)) = self.sections.split_last() else {
            return Err("no section is given".to_string());
        };
        let of = |section: &str, what: &str| Err(format!("section `{section}`{what}"));
        if let Some(always) = earlier.iter().find(|section| section.when.is_none()) {
            return of(
                &always.name,
                ": `when` is missing; only the last section has none",
            );
        }
        if last.when.is_some() {
            return of(&last.name, ": the last section has no `when`");
        }
        for section in &self.sections {
            section.check().or_else(|what| of(&section.name, &what))?;
        }
        Ok(())
    }

    /// The same with axes more in every section, or with more edges where it has such an axis, as
    /// far as there is room: as many cells, axes and edges as a table may have.
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

    /// Ever coarser grids, until few cells are left: by level, in which cell of the next one each
    /// cell lies.
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

    /// The same with every other edge of one axis: in each section, of that with the most.
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

    /// The formula that gives the number of the cell.
    pub fn formula(&self, vocabulary: &Vocabulary) -> Result<Formula, Fault> {
        let mut tables = Vec::new();
        let mut text = String::new();
        let mut first = 0;
        for section in &self.sections {
            // What is added on the last axes are small whole numbers: half the work of floats.
            let (mut large, mut small) = (vec![first.to_string()], Vec::new());
            let mut stride = section.cells();
            for axis in &section.axes {
                let sum = match stride > WHOLE_MAX as usize {
                    true => &mut large,
                    false => &mut small,
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

    /// The file of a bot that says yes with a chance of so many parts of 255 as `policy` has in the
    /// cell.
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
            write!(tables, "\n[tables.{}]\naxes = [\n", section.name).expect("a text takes all");
            for axis in &section.axes {
                writeln!(tables, "    {:?}, # {}", axis.edges, axis.of).expect("a text takes all");
            }
            tables += "]\nvalues.scale = [0, 1]\n";
            writeln!(tables, "values.packed = \"{}\"", packed(cells)).expect("a text takes all");
        }
        format!("description = {description:?}\n{question} = \"random < ({leave})\"\n{tables}")
    }

    /// For each cell of this grid the cell of a coarser one: where axes measure the same, the one
    /// that holds its lower end; what only this grid distinguishes is one there.
    pub fn parents(&self, coarse: &Grid) -> Vec<u32> {
        let mut parents = Vec::with_capacity(self.cells());
        let mut first = 0;
        for (section, of) in self.sections.iter().zip(&coarse.sections) {
            let mut stride = of.cells();
            // By axis of this grid and index on it, what is added to the cell of the other.
            let axes = section.axes.iter();
            let mut parts: Vec<Vec<usize>> = axes.map(|axis| vec![0; axis.cells()]).collect();
            for axis in &of.axes {
                stride /= axis.cells();
                let Some(own) = section.axes.iter().position(|other| other.of == axis.of) else {
                    continue;
                };
                for (index, part) in parts[own].iter_mut().enumerate() {
                    let lower = match index {
                        0 => f32::NEG_INFINITY,
                        _ => section.axes[own].edges[index - 1],
                    };
                    *part = stride * axis.edges.iter().filter(|edge| **edge <= lower).count();
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
            first += of.cells();
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

/// `value` where the section holds, or else what follows.
fn choice(section: &Section, value: &str) -> String {
    match &section.when {
        Some(when) => format!("if {when} then {value} else "),
        None => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::{TEST_VOCABULARY, Value};
    use crate::strategy::{Seat, Strategy};

    fn grid() -> Grid {
        let section = |name: &str, when: Option<&str>, axes: Vec<Axis>| Section {
            name: name.to_string(),
            when: when.map(str::to_string),
            axes,
        };
        let held = Axis::new("held - 1", &[2.0, 4.0]);
        let traps = Axis::new("traps_seen", &[1.0]);
        Grid {
            sections: vec![
                section("early", Some("chest < 5"), vec![held.clone(), traps]),
                section("late", None, vec![held]),
            ],
        }
    }

    #[test]
    fn the_formula_and_the_bot_find_the_same_cell() {
        let grid = grid();
        assert_eq!((grid.cells(), grid.check()), (9, Ok(())));
        let cell = grid.formula(&TEST_VOCABULARY).unwrap();
        for (held, chest, traps, expected) in [
            (2.0, 0.0, 0.0, 0.0),
            (3.0, 4.0, 1.0, 3.0),
            (9.0, 0.0, 1.0, 5.0),
            (0.0, 5.0, 1.0, 6.0),
            (9.0, 5.0, 0.0, 8.0),
        ] {
            let features = |feature: usize| [held, chest, traps, 0.5][feature];
            assert_eq!(cell.evaluate(features), Value::Number(expected));
            // A bot that leaves in this cell alone.
            let mut policy = vec![0; grid.cells()];
            policy[expected as usize] = 255;
            let text = grid.bot("leave", "One cell.", &policy);
            let bot = Strategy::from_toml("one", "one.toml", &text, &TEST_VOCABULARY).unwrap();
            let formula = Seat::new(bot, &[]).unwrap().formula();
            assert_eq!(formula.evaluate(features), Value::Truth(true), "{text}");
        }
    }

    #[test]
    fn finer_cells_know_their_parents() {
        let coarse = grid();
        let finer = coarse.finer(&[Axis::new("random", &[0.5]), Axis::new("traps_seen", &[9.0])]);
        assert_eq!(finer.cells(), 2 * 9 + 2 * 2 * 3);
        let parents = finer.parents(&coarse);
        assert_eq!(parents[..9], [0, 1, 1, 2, 3, 3, 4, 5, 5]);
        assert_eq!(parents[..9], parents[9..18]);
        assert_eq!(parents[18..], [6, 7, 8, 6, 7, 8, 6, 7, 8, 6, 7, 8]);
    }
}
