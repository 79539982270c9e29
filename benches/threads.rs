//! What many threads on few cores cost: the same sweep on as many threads as there are processors,
//! and on many more, as a large server would start them. Prints the time of each as a ratio to the
//! first: `cargo bench --bench threads`.

#[path = "common/time.rs"]
mod time;

use carat_core::library::Library;
use carat_core::simulation::{Threads, alone};
use carat_studies::study::Study;
use fearless_simd::Level;

const SWEEP: &str = "study = \"sweep\"\n[table]\ngame = \"diamant\"\nseats = [\"threshold\"]\n\
                     players = 5\nprecision = 0.002\n[vary]\n\"seats.1.target\" = \"4..30\"\n";

/// Seconds of the sweep on `threads` threads, the best of three runs.
fn seconds(threads: usize) -> f64 {
    let study = Study::from_toml("sweep", SWEEP).expect("a study");
    let once = || {
        let resolved = study.resolve(&Library::default()).expect("bots that ship");
        let threads = Threads::start(threads).expect("threads start");
        let played = alone(&threads, Level::new(), |player| resolved.play(player));
        assert!(played.is_ok_and(|played| played.is_some()));
    };
    time::seconds(3, once)
}

fn main() {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let base = seconds(processors);
    println!("a sweep of 27 cells on {processors} processors\n");
    println!("threads   seconds   times {processors} threads");
    for threads in [processors, 32, 256] {
        let found = seconds(threads);
        println!("{threads:7}   {found:7.2}   {:.2}", found / base);
    }
}
