//! Results are not lost: carat writes only inside the folder that is named, and removes only what
//! it verifiably wrote.

use crate::fixtures::{carat, contents, folder, ok, text};
use carat::results::{FileRecord, MANIFEST};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A short simulation that draws nothing.
const SHORT: [&str; 6] = [
    "simulate",
    "diamant",
    "--games",
    "500",
    "--no-charts",
    "--quiet",
];
/// One that is never played to its end: what is refused is refused before.
const ENDLESS: [&str; 5] = ["simulate", "diamant", "--games", "10^12", "--no-charts"];
/// What is in a folder after [`SHORT`].
pub const FILES: [&str; 7] = [
    "depth.csv",
    "manifest.json",
    "report.carat",
    "report.html",
    "scores.csv",
    "seats.csv",
    "table.csv",
];

/// The names of all that is in a folder, hidden files too.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn short(here: &Path, out: &str, more: &[&str]) -> String {
    ok(here, &[&SHORT[..], &["--out", out], more].concat())
}

/// Demands that results cannot go to `out`, before a game is played and with nothing changed.
#[track_caller]
fn refused(here: &Path, out: &str, said: &[&str]) {
    let output = carat(here, &[&ENDLESS[..], &["--out", out]].concat());
    let message = text(&output.stderr);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{message}");
    for words in said {
        assert!(message.contains(words), "it should say {words}: {message}");
    }
}

pub fn start(here: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carat"));
    let piped = command.args(args).current_dir(here).stderr(Stdio::piped());
    piped.stdout(Stdio::null()).spawn().expect("carat starts")
}

#[test]
fn every_name_of_a_folder_works_from_inside_it_too() {
    let here = folder();
    let res = here.path().join("res");
    short(here.path(), "res", &[]);
    let first = contents(&res);
    for out in ["../res", ".", "../res/../res", "./", "../res/."] {
        let args = ["run", "manifest.json", "--no-charts", "--quiet"];
        ok(&res, &[&args[..], &["--out", out]].concat());
        assert_eq!(contents(&res), first, "--out {out}");
        assert_eq!(names(here.path()), ["res"], "--out {out}");
    }
    short(here.path(), "new/../res", &["--seed", "2"]);
    assert_ne!(contents(&res), first);
    assert_eq!(names(here.path()), ["res"]);
    let empty = here.path().join("empty");
    fs::create_dir(&empty).expect("a folder");
    short(&empty, ".", &[]);
    assert_eq!(contents(&empty), first);
}

#[cfg(unix)]
#[test]
fn links_are_followed_unless_they_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let here = folder();
    fs::create_dir(here.path().join("real")).expect("a folder");
    symlink("real", here.path().join("link")).expect("a link");
    short(here.path(), "link/inner", &[]);
    short(here.path(), "link/inner/", &[]);
    assert_eq!(names(&here.path().join("real/inner")), FILES);
    symlink("gone/away", here.path().join("dangling")).expect("a link");
    for out in ["dangling", "dangling/inner"] {
        refused(here.path(), out, &["dangling: this link", "gone/away"]);
    }
    symlink("loop", here.path().join("loop")).expect("a link");
    refused(here.path(), "loop", &["loop"]);
    assert_eq!(names(here.path()), ["dangling", "link", "loop", "real"]);
}

#[test]
fn targets_that_cannot_work_are_refused_before_a_game_is_played() {
    let here = folder();
    let long = "x".repeat(300);
    refused(here.path(), &long, &["cannot find the folder"]);
    refused(here.path(), &format!("a/b/{long}"), &["cannot"]);
    fs::write(here.path().join("file"), "mine").expect("written");
    for out in ["file", "file/deep", "file/../res"] {
        refused(here.path(), out, &["file: this is a file"]);
    }
    assert_eq!(names(here.path()), ["file"], "no folder is left behind");
    #[cfg(target_os = "linux")]
    refused(here.path(), "/sys", &["/sys"]);
}

/// A folder that was made for results goes again when there are none.
#[test]
fn folders_made_for_nothing_are_removed() {
    let here = folder();
    fs::create_dir_all(here.path().join("there")).expect("a folder");
    let faulty = ["simulate", "diamant", "--seat", "nobody", "--out", "a/b/c"];
    assert_eq!(carat(here.path(), &faulty).status.code(), Some(2));
    assert_eq!(names(here.path()), ["there"]);
}

#[test]
fn runs_into_one_folder_at_once_all_succeed() {
    let here = folder();
    for round in 0..4 {
        let seeds: Vec<String> = (0..8).map(|run| (8 * round + run).to_string()).collect();
        let runs: Vec<Child> = seeds
            .iter()
            .map(|seed| {
                let games = ["--games", "300", "--seed", seed, "--out", "new/res"];
                start(here.path(), &[&SHORT[..2], &SHORT[4..], &games].concat())
            })
            .collect();
        for run in runs {
            let output = run.wait_with_output().expect("carat ends");
            assert!(output.status.success(), "{}", text(&output.stderr));
        }
        assert_eq!(names(&here.path().join("new/res")), FILES);
    }
    // What is there is one result, not a mixture.
    let args = ["run", "new/res/manifest.json", "--no-charts", "--quiet"];
    ok(here.path(), &[&args[..], &["--out", "again"]].concat());
    let of = |name: &str| contents(&here.path().join(name));
    assert_eq!(of("new/res"), of("again"));
}

/// Demands that a change to results is found, and that nothing of them is touched.
#[track_caller]
fn left_alone(change: impl FnOnce(&Path), said: &[&str]) {
    let here = folder();
    let res = here.path().join("res");
    short(here.path(), "res", &[]);
    change(&res);
    let before = names(&res);
    let read = |name: &&str| fs::read(res.join(name)).ok();
    let bytes: Vec<_> = FILES.iter().map(&read).collect();
    refused(here.path(), "res", said);
    assert_eq!(names(&res), before);
    let after: Vec<_> = FILES.iter().map(&read).collect();
    assert_eq!(bytes, after);
}

#[test]
fn only_what_carat_wrote_is_replaced() {
    let write = |name: &'static str, text: &'static str| {
        move |res: &Path| fs::write(res.join(name), text).expect("written")
    };
    left_alone(write("note.txt", "mine"), &["holds `note.txt`"]);
    left_alone(write("seats.csv", "mine"), &["`seats.csv` is not as carat"]);
    let directory = |res: &Path| {
        fs::remove_file(res.join("seats.csv")).expect("removed");
        fs::create_dir(res.join("seats.csv")).expect("a folder");
        fs::write(res.join("seats.csv/mine"), "mine").expect("written");
    };
    left_alone(directory, &["`seats.csv` is not as carat"]);
    let one_byte = |res: &Path| {
        let mut bytes = fs::read(res.join("table.csv")).expect("a table");
        bytes[20] ^= 1;
        fs::write(res.join("table.csv"), bytes).expect("written");
    };
    left_alone(one_byte, &["`table.csv` is not as carat"]);
    let manifest = |from: &'static str, to: &'static str| {
        move |res: &Path| {
            let text = fs::read_to_string(res.join(MANIFEST)).expect("a manifest");
            assert!(text.contains(from), "{text}");
            fs::write(res.join(MANIFEST), text.replacen(from, to, 1)).expect("written");
        }
    };
    left_alone(manifest("\"seed\": 1", "\"seed\": 2"), &["was changed"]);
    left_alone(manifest("seats.csv", "../seats.csv"), &["manifest.json"]);
    left_alone(manifest("crc32:", "crc33:"), &["not as carat"]);
}

#[test]
fn manifests_of_others_make_no_folder_carats() {
    let here = folder();
    let mine = here.path().join("mine");
    fs::create_dir(&mine).expect("a folder");
    fs::write(mine.join("data.csv"), "precious").expect("written");
    for manifest in [
        "{\"partial\": false, \"files\": [\"data.csv\"]}",
        "{\"carat\": \"0.2.0\", \"partial\": false, \"files\": [\"data.csv\"]}",
        "{\"partial\": false, \"files\": []}",
        "not even JSON",
    ] {
        fs::write(mine.join(MANIFEST), manifest).expect("written");
        refused(here.path(), "mine", &["another program", "older carat"]);
        assert_eq!(names(&mine), ["data.csv", MANIFEST]);
    }
}

/// What another version wrote, with other keys and files, is carat's as well.
#[test]
fn results_of_other_versions_are_replaced_too() {
    let here = folder();
    short(here.path(), "o", &[]);
    let (res, before) = (here.path().join("o"), contents(&here.path().join("o")));
    let text = fs::read_to_string(res.join(MANIFEST)).expect("a manifest");
    let other = text.replace("\"carat\":", "\"key of another version\": 1, \"carat\":");
    let head = |text: &str| {
        let end = text.find("\n  \"files\": [").expect("a list of files");
        FileRecord::of(MANIFEST, &text.as_bytes()[..end])
    };
    let (old, new) = (head(&text), head(&other));
    let listed = other.replace(&old.checksum, &new.checksum);
    let listed = listed.replace(
        &format!("\"bytes\": {},", old.bytes),
        &format!("\"bytes\": {},", new.bytes),
    );
    let extra = FileRecord::of("old.csv", b"old");
    let extra = serde_json_text(&extra);
    let listed = listed.replace("\"files\": [", &format!("\"files\": [\n    {extra},"));
    fs::write(res.join(MANIFEST), &listed).expect("written");
    fs::write(res.join("old.csv"), "old").expect("written");
    fs::write(res.join(".DS_Store"), "a file manager was here").expect("written");
    short(here.path(), "o", &[]);
    assert!(!res.join("old.csv").exists());
    fs::remove_file(res.join(".DS_Store")).expect("it was left alone");
    assert_eq!(contents(&res), before);
}

fn serde_json_text(file: &FileRecord) -> String {
    format!(
        "{{\"name\": \"{}\", \"bytes\": {}, \"checksum\": \"{}\"}}",
        file.name, file.bytes, file.checksum
    )
}

#[test]
fn results_that_are_replaced_leave_no_old_file() {
    let here = folder();
    short(here.path(), "o", &["--format", "csv,parquet", "--svg"]);
    assert_eq!(names(&here.path().join("o")).len(), 11);
    short(here.path(), "o", &[]);
    assert_eq!(names(&here.path().join("o")), FILES);
}

/// What was played for hours is not thrown away because somebody put a note there meanwhile.
#[cfg(unix)]
#[test]
fn results_that_cannot_be_moved_in_are_kept() {
    let here = folder();
    short(here.path(), "o", &[]);
    let old = contents(&here.path().join("o"));
    let mut run = start(here.path(), &[&ENDLESS[..], &["--out", "o"]].concat());
    std::thread::sleep(std::time::Duration::from_millis(1500));
    fs::write(here.path().join("o/note.txt"), "mine").expect("written");
    fs::write(here.path().join("o/partial"), "mine").expect("written");
    signal("-INT", &run);
    assert_eq!(run.wait().expect("carat ends").code(), Some(1));
    let output = run.wait_with_output().expect("it ended");
    let said = text(&output.stderr);
    assert!(said.contains("the new results are kept in"), "{said}");
    let names = names(&here.path().join("o"));
    let kept: Vec<&String> = names.iter().filter(|n| n.starts_with("carat-")).collect();
    assert_eq!(kept.len(), 1, "{names:?}");
    let kept = here.path().join("o").join(kept[0]);
    assert_eq!(self::names(&kept), FILES);
    for (name, bytes) in old {
        assert_eq!(fs::read(here.path().join("o").join(name)).ok(), Some(bytes));
    }
}

#[cfg(unix)]
pub fn signal(signal: &str, to: &Child) {
    let pid = to.id().to_string();
    let sent = Command::new("kill").args([signal, &pid]).status();
    assert!(sent.expect("kill").success());
}

/// What carat writes it reads, however long it is.
#[test]
fn manifests_of_any_length_are_played_again() {
    let here = folder();
    for name in ["a", "b"] {
        let comment = "# \"quoted\" \\ to the end of the line\n".repeat(60_000);
        let bot = "description = \"long\"\nleave = \"held > 5\"\n".to_string() + &comment;
        fs::write(here.path().join(format!("{name}.toml")), bot).expect("written");
    }
    short(
        here.path(),
        "o",
        &["--seat", "a.toml", "--seat", "b.toml", "--players", "2"],
    );
    let size = fs::metadata(here.path().join("o/manifest.json")).expect("a manifest");
    assert!(size.len() > 1 << 22, "{}", size.len());
    ok(here.path(), &["check", "o/manifest.json"]);
    let args = ["run", "o/manifest.json", "--no-charts", "--quiet"];
    ok(here.path(), &args);
    let of = |name: &str| contents(&here.path().join(name));
    assert_eq!(of("o"), of("o-again"));
}

/// By default a manifest is played again beside its folder, wherever one stands.
#[test]
fn playing_again_inside_a_folder_leaves_it_carats() {
    let here = folder();
    let res = here.path().join("res");
    short(here.path(), "res", &[]);
    for (at, file) in [(&*res, "manifest.json"), (here.path(), "res/manifest.json")] {
        ok(at, &["run", file, "--no-charts", "--quiet"]);
        assert_eq!(names(here.path()), ["res", "res-again"]);
        assert_eq!(contents(&res), contents(&here.path().join("res-again")));
    }
    short(here.path(), "res", &["--seed", "2"]);
    // Of partial results inside, too.
    let inner = res.join("partial");
    fs::create_dir(&inner).expect("a folder");
    short(&inner, ".", &[]);
    fs::remove_dir_all(here.path().join("res-again")).expect("removed");
    ok(&inner, &["run", "manifest.json", "--no-charts", "--quiet"]);
    assert_eq!(names(here.path()), ["res", "res-again"]);
}
