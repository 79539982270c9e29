use super::*;

#[test]
fn what_was_done_before_counts_and_was_not_played_here() {
    let played = AtomicU64::new(0);
    let mut progress = Progress::new(true, &played);
    progress.remaining(100, None, "");
    progress.recalled(40);
    played.store(20, Ordering::Relaxed);
    progress.remaining(40, None, "");
    progress.bar.set_position(progress.done());
    let line = line(&progress.bar, 20, Duration::from_secs(10), &mut 0.0);
    assert_eq!(line, "60 %: 60 of 100 games, about 20 seconds left");
}
