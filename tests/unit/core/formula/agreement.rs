//! Random formulas over random tables, interpreted row by row and run over columns at every
//! instruction level: the answers must be identical to the bit. Tests only.

use fearless_simd::{Level, Simd, dispatch};

use super::program::{BLOCK, BLOCKS, Bounds, LANES, Program, RegisterFile};
use super::{Cell, Cells, Formula, Kind, Table, Value, Vocabulary};
use crate::testing::TEST_VOCABULARY;

/// Every instruction level of this machine.
fn levels() -> Vec<Level> {
    let mut levels = vec![Level::new(), Level::baseline()];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        levels.extend(levels[0].as_avx2().map(Simd::level));
    }
    levels
}

/// Formulas at random, reproducibly.
struct Author(u64);

impl Author {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len() as u64) as usize]
    }

    fn number(&mut self, depth: u64) -> String {
        if depth == 0 {
            const LEAVES: &str = "held chest traps_seen random 0 1 2.5 3e38";
            return self.pick(&LEAVES.split(' ').collect::<Vec<_>>()).to_owned();
        }
        let (a, b) = (self.number(depth - 1), self.number(depth - 1));
        match self.below(13) {
            0 => format!("(-{a})"),
            1 => format!("abs({a})"),
            2 => format!("floor({a} / {b})"),
            3 => format!("min({a}, {b})"),
            4 => format!("max({a}, {b})"),
            5 => format!("(if {} then {a} else {b})", self.truth(depth - 1)),
            10 => format!("flight[{a}]"),
            11 => format!("grid[{a}, {b}]"),
            12 => format!("cube[{a}, {b}, {a}]"),
            6 => format!("(let x{depth} = {}; x{depth} * x{depth})", self.number(0)),
            _ => format!("({a} {} {b})", self.pick(&["+", "-", "*", "/"])),
        }
    }

    fn tables(&mut self) -> Vec<Table> {
        let tables = [("flight", 1), ("grid", 2), ("cube", 3)];
        tables.map(|(name, axes)| self.table(name, axes)).to_vec()
    }

    /// Edges are often values of features, and some numbers are too large for whole ones.
    fn table(&mut self, name: &str, axes: u64) -> Table {
        const EDGES: [f32; 12] = [
            -4e4, -300.0, -3.0, -2.5, 0.0, 0.25, 1.0, 2.0, 7.0, 180.5, 4e4, 1e30,
        ];
        let mut axis = || {
            let first = self.below(EDGES.len() as u64) as usize;
            let count = 1 + self.below((EDGES.len() - first) as u64) as usize;
            EDGES[first..first + count].to_vec()
        };
        let axes: Vec<Vec<f32>> = (0..axes).map(|_| axis()).collect();
        let count = axes.iter().map(|edges| edges.len() + 1).product();
        let form = self.below(3);
        let cells = match form {
            0 => {
                let bytes = (0..count).map(|_| self.below(256) as u8).collect();
                Cells::packed(bytes, -1.5, 40.0)
            }
            _ => {
                let divisor = if form == 1 { 1.0 } else { 8.0 };
                let mut number = || (self.below(400) as f32 - 100.0) / divisor;
                Cells::written((0..count).map(|_| Cell::Number(number())).collect())
            }
        };
        let name = name.to_owned();
        Table { name, axes, cells }
    }

    fn truth(&mut self, depth: u64) -> String {
        if depth == 0 {
            let comparison = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
            return format!("{} {comparison} {}", self.number(0), self.number(0));
        }
        let a = self.truth(depth - 1);
        let b = self.truth(depth - 1);
        match self.below(5) {
            0 => format!("not ({a})"),
            1 => format!("(if {a} then {b} else {})", self.truth(0)),
            2 => format!("{} < {}", self.number(depth), self.number(depth)),
            _ => format!("(({a}) {} ({b}))", self.pick(&["and", "or"])),
        }
    }
}

/// Values in the number registers; and values within the bounds in the whole registers where
/// features are whole: what is in their number registers then must not matter.
fn random_file(program: &Program, bounds: &[Bounds], author: &mut Author) -> RegisterFile {
    const VALUES: [f32; 13] = [
        0.0, -0.0, 1.0, 2.0, 7.0, -3.0, 0.25, -2.5, 1e-40, 1e30, -1e30, 3e38, 16777217.0,
    ];
    let mut file = program.register_file();
    for register in 0..TEST_VOCABULARY.registers() {
        for row in 0..LANES {
            let value = VALUES[author.below(VALUES.len() as u64) as usize];
            file.numbers[register].0[row] = value;
        }
    }
    for (feature, bounds) in bounds.iter().enumerate() {
        let Some((low, high)) = *bounds else { continue };
        for seat in 0..super::FORMULAS_MAX {
            let register = TEST_VOCABULARY.register(feature, seat);
            for row in 0..LANES {
                let whole = low + author.below((high - low + 1) as u64) as i32;
                file.wholes[register].0[row] = whole as i16;
            }
        }
    }
    file
}

fn same(a: Value, b: Value) -> bool {
    match (a, b) {
        // Which NaN it is, the processor decides.
        (Value::Number(a), Value::Number(b)) => {
            a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
        }
        _ => a == b,
    }
}

fn agree_at_all_levels(
    vocabulary: &Vocabulary,
    bounds: &[Bounds],
    write: fn(&mut Author) -> String,
) {
    let mut author = Author(1);
    for case in 0..300 {
        let texts: Vec<String> = (0..3).map(|_| write(&mut author)).collect();
        let formulas = texts.iter().map(|text| {
            let tables = author.tables();
            let formula = Formula::parse_with_tables(text, &[], &tables, vocabulary);
            formula.unwrap().bind(&[])
        });
        let formulas: Vec<Formula> = formulas.collect();
        let program = Program::compile(vocabulary, &formulas, bounds).unwrap();
        let filled = random_file(&program, bounds, &mut author);
        let blocks = 1 + case % BLOCKS;
        for level in levels() {
            let mut file = filled.clone();
            dispatch!(level, simd => program.run(simd, &mut file, blocks));
            for (seat, formula) in formulas.iter().enumerate() {
                for row in 0..BLOCK * blocks {
                    let plain = formula.evaluate(|feature| {
                        let register = vocabulary.register(feature, seat);
                        match bounds.get(feature) {
                            Some(Some(_)) => f32::from(filled.wholes[register].0[row]),
                            _ => filled.numbers[register].0[row],
                        }
                    });
                    let output = program.output(seat);
                    let batch = match vocabulary.answer {
                        Kind::Number => Value::Number(file.numbers[output].0[row]),
                        Kind::Truth => {
                            Value::Truth(file.truths[row / 64][output] & (1 << (row % 64)) != 0)
                        }
                    };
                    let text = &texts[seat];
                    assert!(same(plain, batch), "{level:?}: {plain:?} {batch:?} {text}");
                }
            }
        }
    }
}

#[test]
fn numbers_agree_with_the_interpreter_to_the_bit() {
    let scores = Vocabulary {
        question: "score",
        answer: Kind::Number,
        ..TEST_VOCABULARY
    };
    agree_at_all_levels(&scores, &[], |author| author.number(4));
}

#[test]
fn truths_agree_with_the_interpreter() {
    agree_at_all_levels(&TEST_VOCABULARY, &[], |author| author.truth(3));
}

/// Some numbers stay whole, some outgrow their registers, and `random` never is: the truths that
/// follow are those of floats.
#[test]
fn whole_numbers_agree_with_floats() {
    for largest in [5, 181, 20_000] {
        let [held, chest] = [(0, largest), (-largest, largest)];
        let bounds = [Some(held), Some(chest), Some((0, 8)), None];
        agree_at_all_levels(&TEST_VOCABULARY, &bounds, |author| author.truth(3));
    }
}
