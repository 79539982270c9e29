//! Where the tables of a comparison agree on what a side changes, and where they do not.

use super::Comparison;
use indexmap::IndexMap;

const MORE: &str = "more";
const LESS: &str = "less";

impl Comparison<'_> {
    /// The metrics of tables by what a side does to them at each table, the most frequent first;
    /// empty with one table.
    pub fn agreement(&self, side: usize) -> Option<String> {
        let resolved = &self.played.resolved;
        let (tables, each) = (&resolved.tables, resolved.arms_each());
        if tables.len() < 2 {
            return None;
        }
        let mut metrics: IndexMap<String, Vec<&str>> = IndexMap::new();
        for row in self.rows(|arm, of| arm % each == side && of.seat().is_none()) {
            let verdicts = metrics.entry(self.what(row)).or_default();
            let found = self.difference(row);
            verdicts.push(match (found.low > 0.0, found.high < 0.0) {
                (true, _) => MORE,
                (_, true) => LESS,
                _ => "",
            });
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
fn pattern(tables: &[String], verdicts: &[&str]) -> Option<String> {
    let mut parts = Vec::new();
    for change in [MORE, LESS] {
        let changed = tables.iter().zip(verdicts);
        let changed = changed.filter(|(_, verdict)| **verdict == change);
        let names = Vec::from_iter(changed.map(|(table, _)| table.as_str()));
        match names.len() {
            0 => {}
            all if all == tables.len() => parts.push(format!("{change} for all")),
            _ => parts.push(format!("{change} for {}", names.join(", "))),
        }
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}
