//! The populations that must exist before a study is played.

use crate::study::{Adapt, Study, StudyError};
use carat_core::library::{Library, SourceText};

/// Adapts the populations for which stand-ins sit at the tables of a study, and adds them to the
/// library. `make` makes one of them beside those so far, by its number from 0 and that of all.
/// Returns whether all were made.
pub fn make_populations<E: From<StudyError>>(
    study: &Study,
    library: &mut Library,
    mut make: impl FnMut(&Adapt, (usize, usize), &Library) -> Result<Option<SourceText>, E>,
) -> Result<bool, E> {
    let planned = study.resolve(&library.clone().with_stand_ins())?.plan;
    for (number, adapt) in planned.iter().enumerate() {
        let Some(made) = make(adapt, (number, planned.len()), library)? else {
            return Ok(false);
        };
        library.strategies.push(made);
    }
    Ok(true)
}
