//! The attack as a program: `scripts/soak.sh MINUTES [SEED [CATEGORY[:CASE]]]`.
//!
//! `cargo test` runs it too: then it checks how its arguments are read, and attacks nothing.

#[cfg(unix)]
mod attacks;

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    let text = |name: &str| std::env::var(format!("CARAT_SOAK_{name}"));
    let [minutes, seed, only] = ["MINUTES", "SEED", "CASE"].map(text);
    let Ok(minutes) = minutes else {
        check_arguments();
        return std::process::ExitCode::SUCCESS;
    };
    let [seed, only] = [seed, only].map(Result::unwrap_or_default);
    match attacks::asked(&minutes, &seed, &only) {
        Ok(asked) => soak::soak(asked),
        Err(fault) => {
            eprintln!("soak: {fault}");
            std::process::ExitCode::FAILURE
        }
    }
}

/// Arguments that cannot be played are refused.
#[cfg(unix)]
fn check_arguments() {
    use attacks::asked;
    assert!(asked("0.5", "", "").is_ok_and(|it| it.2.is_none()));
    assert!(asked("1", "0", "lines:123").is_ok_and(|it| it.3 == Some(123)));
    for wrong in ["5m||", "0||", "nan||", "5|x|", "5||linse", "5||lines:x"] {
        let parts: Vec<&str> = wrong.split('|').collect();
        assert!(asked(parts[0], parts[1], parts[2]).is_err(), "{wrong}");
    }
}

#[cfg(unix)]
mod soak {
    use crate::attacks::{ATTACKS, Asked, Attack, attack, case::Case};
    use std::collections::BTreeMap;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::path::{Path, PathBuf};
    use std::process::ExitCode;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::{Duration, Instant};

    /// A case that takes so long hangs within the test's own process: each of its programs ends after
    /// four minutes, and a slow case is played twice.
    const HANGS: Duration = Duration::from_secs(1200);

    /// Cases, those skipped, texts that the library read, runs, kills, runs that ended well, cases
    /// that failed; and their time.
    type Counts = ([u64; 7], Duration);

    /// Attacks for so many minutes.
    pub fn soak((minutes, seed, only, case): Asked) -> ExitCode {
        let clock = std::time::SystemTime::UNIX_EPOCH
            .elapsed()
            .unwrap_or_default();
        let seed = seed.unwrap_or(clock.as_secs() % 1_000_000);
        let saved = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("soak-{seed}"));
        println!(
            "soak: {minutes} minutes, seed {seed}; failing cases go to {}",
            saved.display()
        );
        let (began, last) = (Instant::now(), Duration::from_secs_f64(minutes * 60.0));
        let mut counts: BTreeMap<&str, Counts> = BTreeMap::new();
        let mut failed = Vec::new();
        let mut number = 0;
        static NOW: AtomicU64 = AtomicU64::new(0);
        watch(&NOW);
        while began.elapsed() < last {
            number += 1;
            let next = seed.wrapping_mul(1_000_003).wrapping_add(number);
            let seed = case.unwrap_or(next);
            let chosen = only.unwrap_or_else(|| choose(seed));
            NOW.store(number, Ordering::Relaxed);
            let start = Instant::now();
            let (tried, mut fault) = play(chosen, seed, &saved);
            if fault
                .as_ref()
                .is_some_and(|fault| fault.starts_with("slow"))
            {
                // The machine may have been busy.
                fault = play(chosen, seed, &saved).1;
            }
            let mut found = [1, 0, 0, 0, 0, 0, u64::from(fault.is_some())];
            if let Some(tried) = tried {
                let skipped = u64::from(tried.skipped);
                let [texts, runs, kills] = [tried.texts, tried.runs, tried.kills];
                found = [
                    1 - skipped,
                    skipped,
                    texts,
                    runs,
                    kills,
                    tried.played,
                    found[6],
                ];
                if case.is_some() {
                    println!("{}", tried.log);
                }
            }
            add(
                counts.entry(chosen.0).or_default(),
                &(found, start.elapsed()),
            );
            if let Some(fault) = fault {
                println!("FAILED {}:{seed}: {fault}", chosen.0);
                failed.push(saved.join(format!("{}-{seed}", chosen.0)));
            }
            if case.is_some() {
                break;
            }
        }
        report(&counts, &failed)
    }

    fn choose(seed: u64) -> &'static Attack {
        let all: usize = ATTACKS.iter().map(|attack| attack.1).sum();
        let mut lot = (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as usize % all;
        let drawn = ATTACKS.iter().find(|attack| {
            let hit = lot < attack.1;
            lot = lot.saturating_sub(attack.1);
            hit
        });
        drawn.unwrap_or(&ATTACKS[0])
    }

    /// One case, and what is wrong.
    fn play(chosen: &Attack, seed: u64, saved: &Path) -> (Option<Case>, Option<String>) {
        match catch_unwind(AssertUnwindSafe(|| attack(chosen, seed, saved))) {
            Ok((case, outcome)) => (Some(case), outcome.err()),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                (
                    None,
                    Some(format!(
                        "a panic in the library: {}",
                        text.unwrap_or_default()
                    )),
                )
            }
        }
    }

    /// Ends the process when one case goes on for ever.
    fn watch(now: &'static AtomicU64) {
        std::thread::spawn(move || {
            loop {
                let before = now.load(Ordering::Relaxed);
                std::thread::sleep(HANGS);
                if now.load(Ordering::Relaxed) == before {
                    println!(
                        "FAILED: case {before} hangs; its folder is the only one without what-failed.txt"
                    );
                    std::process::exit(1);
                }
            }
        });
    }

    fn add(to: &mut Counts, more: &Counts) {
        (0..7).for_each(|at| to.0[at] += more.0[at]);
        to.1 += more.1;
    }

    fn report(counts: &BTreeMap<&str, Counts>, failed: &[PathBuf]) -> ExitCode {
        println!("category       cases skipped   texts    runs   kills    well  failed  seconds");
        let row = |name: &str, (of, time): &Counts| {
            let of = of.map(|count| format!("{count:>7}")).join(" ");
            println!("{name:<12} {of} {:>8.0}", time.as_secs_f64());
        };
        let mut all = Counts::default();
        for (name, count) in counts {
            add(&mut all, count);
            row(name, count);
        }
        row("all", &all);
        for folder in failed {
            println!("{}", folder.display());
        }
        if failed.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}
