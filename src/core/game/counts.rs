//! Tables of exact counts that a game records beside its outcomes, and how to read them.

/// What comes up in games of a table, as its referee plays them.
#[derive(Debug, Clone, Default)]
pub struct Census {
    /// Each kind of card, with the number of games in which it is seen.
    pub seen: Vec<(String, u64)>,
    /// Games in which a deck runs out.
    pub ran_out: u64,
}

/// The shape of a table of exact counts of events: `rows × columns`, one row after the other.
#[derive(Debug, Clone)]
pub struct CountTable {
    pub rows: usize,
    pub columns: usize,
}

impl CountTable {
    /// Tables of (position, rows, columns); each position must be the index in the list.
    pub fn list<const TABLES: usize>(shapes: [(usize, usize, usize); TABLES]) -> Vec<CountTable> {
        let mut tables = Vec::with_capacity(TABLES);
        for (position, rows, columns) in shapes {
            assert_eq!(position, tables.len(), "tables are listed in their order");
            tables.push(CountTable { rows, columns });
        }
        tables
    }

    pub fn size(&self) -> usize {
        self.rows * self.columns
    }
}

/// The table of counts with the lengths of games, one row per length.
#[derive(Debug, Clone)]
pub struct LengthTable {
    pub table: usize,
    /// Length that row 0 stands for.
    pub first: usize,
    /// The columns that add up to the number of games of that length.
    pub columns: usize,
    /// The metric of the mean length, and the unit of a length.
    pub mean: &'static str,
    pub unit: &'static str,
}
