//! What processes of tests cost: `CARAT_TIMES=FILE` adds a line for each to a file, with the test, CPU
//! seconds, wall seconds and process; `scripts/test-times.sh` prints them by test.

use std::process::Child;
use std::time::Instant;

/// Notes what a process cost, if it ended and nobody has waited for it yet.
#[cfg(target_os = "linux")]
pub fn note(child: &Child, began: Instant) {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    use std::io::Write;

    let Some(file) = std::env::var_os("CARAT_TIMES") else {
        return;
    };
    let id = child.id();
    let pid = Pid::from_raw(id as i32).expect("an id");
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    if !waitid(WaitId::Pid(pid), options).is_ok_and(|ended| ended.is_some()) {
        return;
    }
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("it is not waited for");
    let (_, fields) = stat.rsplit_once(") ").expect("a name");
    // Ticks, of which Linux has 100 a second: own ones, and those of processes it waited for.
    let ticks = fields.split(' ').skip(11).take(4);
    let ticks: f64 = ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    let thread = std::thread::current();
    let (test, cpu) = (thread.name().unwrap_or("?"), ticks / 100.0);
    let wall = began.elapsed().as_secs_f64();
    let file = std::fs::File::options()
        .append(true)
        .create(true)
        .open(file);
    let line = format!("{test},{cpu:.2},{wall:.2},{id}\n");
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.expect("the file of CARAT_TIMES");
}

#[cfg(not(target_os = "linux"))]
pub fn note(_child: &Child, _began: Instant) {}
