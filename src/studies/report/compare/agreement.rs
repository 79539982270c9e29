//! Where the tables of a comparison agree on what a side changes, and where they do not.

use super::Comparison;
use carat_core::simulation::verdict::Verdict;
use indexmap::IndexMap;

impl Comparison<'_> {
    /// The metrics of tables by what a side does to them at each table, the most frequent first;
    /// empty with one table.
    pub fn agreement(&self, side: usize) -> Option<String> {
        let resolved = &self.played.resolved;
        let (tables, each) = (&resolved.tables, resolved.arms_each());
        if tables.len() < 2 {
            return None;
        }
        let mut metrics: IndexMap<String, Vec<Option<Verdict>>> = IndexMap::new();
        for row in self.rows(|arm, of| arm % each == side && of.seat().is_none()) {
            let verdicts = metrics.entry(self.what(row)).or_default();
            verdicts.push(Verdict::of(&self.difference(row), None));
        }
        let all = metrics.len();
        let mut patterns: IndexMap<String, Vec<String>> = IndexMap::new();
        for (what, verdicts) in metrics {
            if let Some(pattern) = pattern(tables, &verdicts) {
                patterns.entry(pattern).or_default().push(what);
            }
        }
        patterns.sort_by(|_, a, _, b| b.len().cmp(&a.len()));
        let mut lines = vec![format!(
            "What {} changes at each table, of {all} metrics:",
            resolved.arms[side].name
        )];
        for (pattern, what) in patterns {
            lines.push(format!("{pattern} ({}): {}", what.len(), what.join("; ")));
        }
        Some(lines.join("\n"))
    }
}

/// Where a metric changes: `less for all`, `more for people, less for experts`; `None` if nowhere.
fn pattern(tables: &[String], verdicts: &[Option<Verdict>]) -> Option<String> {
    let mut parts = Vec::new();
    for change in [Verdict::More, Verdict::Less] {
        let changed = tables.iter().zip(verdicts);
        let changed = changed.filter(|(_, verdict)| **verdict == Some(change));
        let names = Vec::from_iter(changed.map(|(table, _)| table.as_str()));
        let change = change.name();
        match names.len() {
            0 => {}
            all if all == tables.len() => parts.push(format!("{change} for all")),
            _ => parts.push(format!("{change} for {}", names.join(", "))),
        }
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}
