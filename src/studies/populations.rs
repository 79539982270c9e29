//! The populations that must exist before a study is played.

use crate::study::{Adapt, Played, Ready, Study, StudyError};
use carat_core::library::Library;

/// Adapts the populations for which stand-ins sit at the tables of a study, and adds them to the
/// library. `play` plays one of them, by its number from 0 among all. Returns whether all were played.
pub fn make_populations<E: From<StudyError>>(
    study: &Study,
    library: &mut Library,
    mut play: impl FnMut(&Adapt, usize, Ready) -> Result<Option<Played>, E>,
) -> Result<bool, E> {
    let planned = study.resolve(&library.clone().with_stand_ins())?.plan;
    for (number, adapt) in planned.iter().enumerate() {
        let ready = Study::Adapt(adapt.clone()).resolve(library)?;
        let Some(Played::Adapt(played)) = play(adapt, number, ready)? else {
            return Ok(false);
        };
        library.strategies.push(played.first());
    }
    Ok(true)
}
