use super::*;
use crate::files::JOURNAL;
use carat_studies::study::Study;

fn try_open(folder: &Path, games: u64, before: Before) -> Result<Journal, StoreError> {
    let text = format!("study = \"simulate\"\ngame = \"diamant\"\ngames = {games}\n");
    let study = Study::from_toml("a.toml", &text).unwrap();
    let manifest = Manifest::new(study, Default::default());
    Journal::open(folder, JOURNAL, &manifest, before)
}

fn open(folder: &Path, games: u64, before: Before) -> Journal {
    try_open(folder, games, before).unwrap()
}

#[track_caller]
fn refused(folder: &Path, games: u64, before: Before, said: &str) {
    let error = try_open(folder, games, before).err().map(|e| e.to_string());
    let error = error.unwrap_or_default();
    assert!(error.contains(said), "it should say {said}: {error}");
}

fn sums(n: i128) -> Sums {
    Sums {
        tables: vec![],
        products: vec![n],
    }
}

/// A journal of two parts, one and two, and its bytes.
fn begun(folder: &Path) -> Vec<u8> {
    let mut journal = open(folder, 9, Before::Ask);
    assert!(!folder.join(JOURNAL).exists(), "no part is done");
    journal.keep("one", &sums(1 << 100)).unwrap();
    journal.keep("two", &sums(-2)).unwrap();
    fs::read(folder.join(JOURNAL)).unwrap()
}

#[test]
fn parts_are_kept_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(JOURNAL);
    begun(folder.path());
    // A crash in the middle of a line.
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"[\"12345678\",{\"part\":\"three\",\"su")
        .unwrap();
    drop(file);

    let mut journal = open(folder.path(), 9, Before::GoOn);
    refused(folder.path(), 9, Before::GoOn, "another carat is using");
    assert_eq!((journal.done(), journal.damaged), (2, 1));
    assert_eq!(journal.recall("three"), None);
    journal.keep("three", &sums(3)).unwrap();
    assert_eq!(journal.recall("one"), Some(sums(1 << 100)));
    journal.keep("four", &sums(4)).unwrap();
    drop(journal);
    let mut journal = open(folder.path(), 9, Before::GoOn);
    assert_eq!((journal.done(), journal.damaged), (4, 0));
    for (part, n) in [("three", 3), ("two", -2), ("four", 4)] {
        assert_eq!(journal.recall(part), Some(sums(n)));
    }
    journal.remove();
    assert!(!path.exists());
}

/// A journal that another process created in the meantime is not written to.
#[test]
fn one_process_keeps_the_parts_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let [mut one, mut other] = [1, 2].map(|games| open(folder.path(), games, Before::Ask));
    one.keep("one", &sums(1)).unwrap();
    let error = other.keep("one", &sums(2)).unwrap_err().to_string();
    assert!(error.contains("another carat is using"), "{error}");
    other.remove();
    drop(one);
    assert_eq!(open(folder.path(), 1, Before::GoOn).done(), 1);
    // An empty file is not a journal.
    fs::write(folder.path().join(JOURNAL), "").unwrap();
    assert_eq!(open(folder.path(), 2, Before::Ask).done(), 0);
    assert!(!folder.path().join(JOURNAL).exists());
}

#[test]
fn a_journal_of_which_nothing_is_known_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(JOURNAL);
    let bytes = begun(folder.path());
    let header = bytes.iter().position(|byte| *byte == b'\n');
    for at in 0..header.unwrap() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        fs::write(&path, &damaged).unwrap();
        for before in [Before::Ask, Before::GoOn, Before::Remove] {
            refused(folder.path(), 9, before, "first line is damaged");
        }
        assert_eq!(fs::read(&path).unwrap(), damaged);
    }
}

#[test]
fn what_replaces_removed_parts_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    begun(folder.path());
    let mut journal = open(folder.path(), 10, Before::Remove);
    assert_eq!(journal.done(), 0);
    assert!(!folder.path().join(JOURNAL).exists());
    journal.keep("one", &sums(7)).unwrap();
    drop(journal);
    let mut journal = open(folder.path(), 10, Before::GoOn);
    assert_eq!((journal.done(), journal.damaged), (1, 0));
    assert_eq!(journal.recall("one"), Some(sums(7)));
}

#[test]
fn how_far_a_part_has_come_is_kept_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("unfinished-the-learner.carat");
    let open = |before| open(folder.path(), 9, before);
    let mut journal = open(Before::Ask);
    assert_eq!(journal.recall_state("the learner"), None);
    journal.keep_state("the learner", b"half").unwrap();
    journal.keep_state("the learner", b"most").unwrap();
    drop(journal);
    let mut journal = open(Before::GoOn);
    assert_eq!(journal.recall_state("the learner"), Some(b"most".to_vec()));
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, bytes).unwrap();
    assert_eq!(journal.recall_state("the learner"), None, "it is damaged");
    drop(journal);
    drop(open(Before::Remove));
    assert!(!file.exists());
    fs::write(&file, "left behind").unwrap();
    let mut journal = open(Before::GoOn);
    assert_eq!(journal.recall_state("the learner"), None);
    journal.keep("one", &sums(1)).unwrap();
    assert!(!file.exists(), "a state without a journal");
    journal.keep_state("the learner", b"half").unwrap();
    journal.remove();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(JOURNAL);
    fs::write(&file, "my notes\n").unwrap();
    for before in [Before::Ask, Before::GoOn, Before::Remove] {
        refused(folder.path(), 9, before, "carat did not write this file");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "my notes\n");
}
