//! A sum of tables as the file of a bot.

use super::additive::{Additive, Shape, Term};
use crate::format::Format;
use crate::formula::Vocabulary;
use crate::strategy::Strategy;
use std::fmt::Write;

/// What is added to the score for a height of 1: in files heights are whole numbers.
const SCALE: f64 = 100.0;

/// A bot whose score is one of the numbers that tables may look at, and that is added.
pub struct Base {
    /// Its formula up to the score, …
    lets: String,
    score: String,
    params: String,
    /// Lower and higher scores count as these.
    range: [f32; 2],
}

impl Base {
    /// What is called so in formulas.
    pub const NAME: &str = "base";

    /// A bot whose file answers the question by a formula.
    pub fn of(bot: &Strategy, question: &str, range: [f32; 2]) -> Option<Base> {
        let file: toml::Table = bot.text.parse().ok()?;
        let formula = file.get(question)?.as_str()?.trim();
        let (lets, score) = formula.rsplit_once(';').unwrap_or(("", formula));
        let params = bot.params.iter();
        let params = params.map(|(name, value)| format!("{name} = {value}\n"));
        Some(Base {
            lets: match lets {
                "" => String::new(),
                lets => format!("{};\n", lets.trim()),
            },
            score: score.trim().to_string(),
            params: params.collect(),
            range,
        })
    }

    /// What one who learns makes of its score.
    pub fn seen(&self, score: f32) -> f32 {
        let [low, high] = self.range;
        score.min(high).max(low) / self.unit()
    }

    fn unit(&self) -> f32 {
        let [low, high] = self.range;
        (high - low) / 20.0
    }
}

/// The file of the bot that scores options by such a sum, over the features of a vocabulary and the
/// score of another bot.
pub fn text(
    model: &Additive,
    shape: &Shape,
    base: &Base,
    vocabulary: &Vocabulary,
    description: &str,
) -> String {
    let name = |look: usize| match vocabulary.features.get(look) {
        Some(feature) => feature.name,
        None => Base::NAME,
    };
    let mut tables = String::new();
    let mut named = 0;
    let mut summand = |term: &Term| match term.looks.as_slice() {
        [] => number(term.heights[0]),
        looks => {
            named += 1;
            let _ = write!(tables, "\n[tables.t{named}]\n{}", table(term));
            let looks: Vec<&str> = looks.iter().map(|&look| name(look)).collect();
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
                "0".to_string()
            } else {
                summands.join("\n    + ")
            }
        })
        .collect();
    let [low, high] = base.range;
    let uses_base = sums.iter().any(|sum| sum.contains(Base::NAME));
    let mut formula = if uses_base {
        format!(
            "{}let {} = max({low}, min({high}, {})) / {};\n",
            base.lets,
            Base::NAME,
            base.score,
            base.unit()
        )
    } else {
        String::new()
    };
    for (&kind, sum) in shape.kinds.iter().zip(&sums) {
        let _ = writeln!(formula, "if {} > 0 then {sum}\nelse", name(kind));
    }
    let _ = writeln!(formula, "{}", sums[shape.kinds.len()]);
    let description = toml::Value::from(description);
    let question = vocabulary.question;
    let params = match base.params.as_str() {
        params if params.is_empty() || !uses_base => String::new(),
        params => format!("\n[params]\n{params}"),
    };
    let format = Format::line();
    format!(
        "{format}description = {description}\n{question} = \"\"\"\n{formula}\"\"\"\n{params}{tables}"
    )
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

/// A height, as a whole number.
fn number(height: f64) -> String {
    // Minus zero is zero.
    ((height * SCALE).round() + 0.0).to_string()
}
