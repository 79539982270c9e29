//! Expectations as JUnit XML, for build servers.

use super::args::PlayArgs;
use super::error::{CliError, usage};
use carat_core::simulation::TargetVerdict;
use carat_studies::report::{Manifest, escaped};
use carat_studies::study::Expectation;
use std::path::Path;

/// How the test suites of carat begin.
const SUITE: &str = "<testsuite name=\"carat ";

/// Refuses a file that carat did not write, or that lies among the results, which go to `folder` unless
/// the arguments name another; removes that of an earlier run.
pub fn prepare(file: &Path, folder: &Path, args: &PlayArgs) -> Result<(), CliError> {
    let shown = file.display();
    let parent = file.parent().unwrap_or(Path::new(""));
    let parent = if parent == "" { Path::new(".") } else { parent };
    if !parent.is_dir() {
        usage!("--junit {shown}: no such folder; name a file in one that is there");
    }
    let out = args.output.target(folder.to_path_buf())?;
    if let (Ok(out), Ok(parent)) = (out.canonicalize(), parent.canonicalize())
        && out == parent
    {
        usage!("--junit {shown}: this is the folder of the results; name a file beside it");
    }
    let Ok(there) = std::fs::symlink_metadata(file) else {
        return Ok(());
    };
    let is_own = || std::fs::read_to_string(file).is_ok_and(|text| text.contains(SUITE));
    if !there.is_file() || !is_own() {
        usage!("--junit {shown}: carat did not write this file; choose another name");
    }
    std::fs::remove_file(file).map_err(CliError::keep(file))
}

/// One test case for each expectation: one that is missed is a failure, one that is undecided an error.
pub fn junit(manifest: &Manifest) -> String {
    let (study, all) = (&manifest.study, &manifest.expectations);
    let suite = escaped(&format!("{} {}", study.kind(), study.table.game));
    let counts = [TargetVerdict::Missed, TargetVerdict::Undecided];
    let [failures, errors] = counts.map(|verdict| Expectation::count(all, verdict));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{SUITE}{suite}\" tests=\"{}\" \
         failures=\"{failures}\" errors=\"{errors}\">\n",
        all.len(),
    );
    for it in all {
        let found = it.found.map(|found| found.to_string());
        let found = escaped(&found.unwrap_or("no value".to_string()));
        let judged = match it.verdict {
            TargetVerdict::Met => format!("<system-out>{found}</system-out>"),
            TargetVerdict::Missed => format!("<failure message=\"{found}\"/>"),
            TargetVerdict::Undecided => format!("<error message=\"undecided: {found}\"/>"),
        };
        let name = escaped(&it.named());
        text += &format!("  <testcase name=\"{name}\">{judged}</testcase>\n");
    }
    text + "</testsuite>\n"
}
