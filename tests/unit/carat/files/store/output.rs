use super::*;
use carat_studies::study::Study;

/// Writes these files and returns the manifest that lists them.
fn results(folder: &Path, files: &[(&str, &str)]) -> String {
    let text = "study = \"simulate\"\ngame = \"diamant\"\n";
    let study = Study::from_toml("a.toml", text).unwrap();
    let mut manifest = Manifest::new(study, Default::default());
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
        manifest.files.push(FileRecord::of(name, text.as_bytes()));
    }
    manifest.to_json().unwrap()
}

fn texts(folder: &Path) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        texts.push((name, fs::read_to_string(entry.path()).unwrap_or_default()));
    }
    texts.retain(|(name, _)| name != MANIFEST);
    texts.sort();
    texts
}

const OLD: [(&str, &str); 3] = [("a", "old a"), ("b", "old b"), ("c", "old c")];
const NEW: [(&str, &str); 3] = [("b", "new b"), ("c", "old c"), ("d", "new d")];

/// A folder of old results with a ready hidden folder of new ones, left by a dead owner.
fn died(old: bool) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let staging = folder.path().join(".carat-dead");
    fs::create_dir(&staging).unwrap();
    if old {
        fs::write(folder.path().join(MANIFEST), results(folder.path(), &OLD)).unwrap();
        let list = OLD.map(|(name, text)| FileRecord::of(name, text.as_bytes()));
        fs::write(staging.join(REPLACED), serde_json::to_vec(&list).unwrap()).unwrap();
    }
    fs::write(staging.join(ALIVE), "").unwrap();
    fs::write(staging.join(MANIFEST), results(&staging, &NEW)).unwrap();
    (folder, staging)
}

/// Wherever a process dies, the next one ends what it began.
#[test]
fn a_move_that_was_cut_short_is_ended() {
    for old in [true, false] {
        for steps in 0..=6 {
            let (folder, staging) = died(old);
            let at = folder.path();
            let removed: &[&str] = if old { &[MANIFEST, "a"] } else { &[] };
            for name in removed.iter().take(steps) {
                fs::remove_file(at.join(name)).unwrap();
            }
            let moved = NEW.iter().map(|(name, _)| *name).chain([MANIFEST]);
            for name in moved.take(steps.saturating_sub(removed.len())) {
                fs::rename(staging.join(name), at.join(name)).unwrap();
            }
            recover(at, true).unwrap();
            let expected = NEW.map(|(name, text)| (name.to_string(), text.to_string()));
            assert_eq!(texts(at), expected, "{old}, {steps} steps");
            assert!(folder::written(at).unwrap().is_some());
        }
    }
}

/// What is not ready, or may be alive, moves nowhere.
#[test]
fn only_what_is_dead_and_ready_is_moved() {
    let (folder, staging) = died(true);
    let alive = File::open(staging.join(ALIVE)).unwrap();
    alive.lock().unwrap();
    let (before, prepared) = (texts(folder.path()), texts(&staging));
    recover(folder.path(), true).unwrap();
    assert!(texts(folder.path()) == before && texts(&staging) == prepared);
    fs::remove_file(staging.join(MANIFEST)).unwrap();
    drop(alive);
    recover(folder.path(), true).unwrap();
    let expected = OLD.map(|(name, text)| (name.to_string(), text.to_string()));
    assert_eq!(texts(folder.path()), expected);
}

/// A foreign file that appears in the meantime is not replaced, and the results are not lost.
#[test]
fn what_came_in_the_way_is_left_alone() {
    for (name, text) in [("d", "mine"), ("c", "changed"), ("e", "mine")] {
        let (folder, staging) = died(true);
        fs::write(folder.path().join(name), text).unwrap();
        let before = texts(folder.path());
        let error = recover(folder.path(), true).unwrap_err().to_string();
        assert!(error.contains(&format!("`{name}`")), "{error}");
        assert_eq!(texts(folder.path()), before);
        assert!(staging.join(MANIFEST).exists());
    }
}
