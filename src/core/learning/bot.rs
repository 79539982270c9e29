//! A sum of tables as a bot's file.

use super::additive::{Additive, BINS, Shape, Term};
use crate::format::Format;
use crate::formula::Vocabulary;
use crate::strategy::Strategy;
use std::collections::HashMap;
use std::fmt::Write;

/// Score per height of 1: in files heights are whole numbers.
const SCALE: f64 = 100.0;

/// A bot with a score that becomes a feature of tables, and is added to their sum.
pub struct Base {
    vocabulary: &'static Vocabulary,
    /// Its formula up to the score, …
    lets: String,
    score: String,
    params: String,
    /// The score is clamped to this range.
    range: [f32; 2],
}

impl Base {
    /// Its name in formulas.
    pub const NAME: &str = "base";

    /// A bot from a file that answers the question by a formula.
    pub fn of(bot: &Strategy, vocabulary: &'static Vocabulary, range: [f32; 2]) -> Option<Base> {
        let file: toml::Table = bot.text.parse().ok()?;
        let formula = file.get(vocabulary.question)?.as_str()?.trim();
        let (lets, score) = formula.rsplit_once(';').unwrap_or(("", formula));
        let params = bot.params.iter();
        let params = params.map(|(name, value)| format!("{name} = {value}\n"));
        Some(Base {
            vocabulary,
            lets: match lets {
                "" => String::new(),
                lets => format!("{};\n", lets.trim()),
            },
            score: score.trim().to_string(),
            params: params.collect(),
            range,
        })
    }

    /// The name of a feature, or of the score, which comes after all features.
    pub fn name(&self, look: usize) -> &'static str {
        let feature = self.vocabulary.features.get(look);
        feature.map_or(Base::NAME, |feature| feature.name)
    }

    /// The clamped score, as learners see it.
    pub fn seen(&self, score: f32) -> f32 {
        let [low, high] = self.range;
        score.min(high).max(low) / self.unit()
    }

    /// The clamped score as a formula.
    fn written(&self) -> String {
        let [low, high] = self.range;
        format!(
            "{}let {} = max({low}, min({high}, {})) / {};\n",
            self.lets,
            Base::NAME,
            self.score,
            self.unit()
        )
    }

    fn unit(&self) -> f32 {
        let [low, high] = self.range;
        (high - low) / 20.0
    }
}

/// The file of the bot that scores options by such a sum, over the features of a vocabulary and
/// another bot's score.
pub fn text(model: &Additive, shape: &Shape, base: &Base, description: &str) -> String {
    let mut tables = String::new();
    let mut named = 0;
    let mut summand = |term: &Term| match term.looks.as_slice() {
        [] => number(term.heights[0]),
        looks => {
            named += 1;
            let _ = write!(tables, "\n[tables.t{named}]\n{}", table(term));
            let looks: Vec<&str> = looks.iter().map(|&look| base.name(look)).collect();
            format!("t{named}[{}]", looks.join(", "))
        }
    };
    let kinds = 0..=shape.kinds.len();
    let sums: Vec<String> = kinds
        .map(|kind| {
            let own = model.terms.iter().filter(|term| term.kind == kind);
            let mut summands: Vec<String> = own.map(&mut summand).collect();
            let weight = model.weights[kind];
            if weight != 0.0 {
                summands.push(format!("{:.3} * {}", weight * SCALE, Base::NAME));
            }
            if summands.is_empty() {
                summands.push("0".to_string());
            }
            summands.join("\n    + ")
        })
        .collect();
    let uses_base = sums.iter().any(|sum| sum.contains(Base::NAME));
    let mut formula = if uses_base {
        base.written()
    } else {
        String::new()
    };
    for (&kind, sum) in shape.kinds.iter().zip(&sums) {
        let _ = writeln!(formula, "if {} > 0 then {sum}\nelse", base.name(kind));
    }
    let _ = writeln!(formula, "{}", sums[shape.kinds.len()]);
    let description = toml::Value::from(description);
    let question = base.vocabulary.question;
    let params = match base.params.as_str() {
        params if params.is_empty() || !uses_base => String::new(),
        params => format!("\n[params]\n{params}"),
    };
    let format = Format::line();
    format!(
        "{format}description = {description}\n{question} = \"\"\"\n{formula}\"\"\"\n{params}{tables}"
    )
}

/// The sum of a bot that [`text`] wrote; `None` if the bot is another, or has another base.
pub fn read(bot: &str, shape: &Shape, base: &Base) -> Option<Additive> {
    let file: toml::Table = bot.parse().ok()?;
    let formula = file.get(base.vocabulary.question)?.as_str()?;
    let sums = formula.trim().strip_prefix(&base.written())?;
    let mut model = Additive {
        terms: Vec::new(),
        weights: vec![0.0; shape.kinds.len() + 1],
    };
    let branches: Vec<&str> = sums.split("\nelse\n").collect();
    if branches.len() != model.weights.len() {
        return None;
    }
    for (kind, branch) in branches.into_iter().enumerate() {
        let sum = match shape.kinds.get(kind) {
            Some(&own) => {
                let (condition, sum) = branch.split_once(" > 0 then ")?;
                let name = condition.strip_prefix("if ")?;
                (base.vocabulary.find(name) == Some(own)).then_some(sum)?
            }
            None => branch,
        };
        for summand in sum.split("\n    + ") {
            match summand.split_once(" * ") {
                Some((weight, _)) => model.weights[kind] = finite(weight)? / SCALE,
                None => model.terms.push(term(summand, kind, &file, shape, base)?),
            }
        }
    }
    // A feature has the same edges in all tables.
    let mut steps: HashMap<usize, &[f32]> = HashMap::new();
    for term in &model.terms {
        for (look, edges) in term.looks.iter().zip(&term.edges) {
            if *steps.entry(*look).or_insert(edges) != edges.as_slice() {
                return None;
            }
        }
    }
    Some(model)
}

/// A summand: a table, or a number.
fn term(
    summand: &str,
    kind: usize,
    file: &toml::Table,
    shape: &Shape,
    base: &Base,
) -> Option<Term> {
    let (mut looks, mut edges) = (Vec::new(), Vec::<Vec<f32>>::new());
    let numbers: Vec<f64>;
    match summand.split_once('[') {
        None => numbers = vec![finite(summand)?],
        Some((name, names)) => {
            for name in names.trim().strip_suffix(']')?.split(", ") {
                looks.push(match name {
                    Base::NAME => shape.base,
                    _ => base.vocabulary.find(name)?,
                });
            }
            let table = file.get("tables")?.get(name)?;
            edges = table.get("axes")?.clone().try_into().ok()?;
            let values = table.get("values")?.clone();
            numbers = match looks.len() {
                1 => values.try_into().ok()?,
                _ => values.try_into::<Vec<Vec<f64>>>().ok()?.concat(),
            };
        }
    }
    let is_known = |look: &usize| shape.looks.contains(look) && !shape.kinds.contains(look);
    let is_small = |edges: &Vec<f32>| (1..BINS).contains(&edges.len());
    let cells: usize = edges.iter().map(|edges| edges.len() + 1).product();
    let is_sound = looks.len() <= 2
        && looks.len() == edges.len()
        && numbers.len() == cells
        && looks.iter().all(is_known)
        && edges.iter().all(is_small);
    is_sound.then(|| Term {
        kind,
        looks,
        edges,
        used: vec![1.0; cells],
        heights: numbers.iter().map(|number| number / SCALE).collect(),
    })
}

fn finite(number: &str) -> Option<f64> {
    let number: f64 = number.trim().parse().ok()?;
    number.is_finite().then_some(number)
}

/// The axes and the values of a table.
fn table(term: &Term) -> String {
    let list = |numbers: Vec<String>| format!("[{}]", numbers.join(", "));
    let axes = term.edges.iter();
    let axes = axes.map(|edges| list(edges.iter().map(f32::to_string).collect()));
    let numbers: Vec<String> = term.heights.iter().map(|&height| number(height)).collect();
    let values = match term.edges.as_slice() {
        [_, second] => {
            let rows = numbers.chunks(second.len() + 1);
            let rows = rows.map(|row| format!("\n  {},", list(row.to_vec())));
            format!("[{}\n]", rows.collect::<String>())
        }
        _ => list(numbers),
    };
    format!("axes = {}\nvalues = {values}\n", list(axes.collect()))
}

fn number(height: f64) -> String {
    // Minus zero is zero.
    ((height * SCALE).round() + 0.0).to_string()
}
