//! A person at a terminal, which `script` of Linux opens.
#![cfg(target_os = "linux")]

use crate::play::answered;
use crate::process::{Folder, folder, holds, short};
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// carat at a terminal of 60 columns.
struct Terminal {
    script: Child,
    keys: Option<ChildStdin>,
    shown: Arc<Mutex<Vec<u8>>>,
    reader: Option<std::thread::JoinHandle<()>>,
}

impl Terminal {
    fn open(here: &Folder, line: &str) -> Terminal {
        let carat = env!("CARGO_BIN_EXE_carat");
        let mut script = Command::new("script");
        script.args(["-qefc", &format!("exec {carat} {line}"), "/dev/null"]);
        script
            .env("TERM", "xterm")
            .env("COLUMNS", "60")
            .env_remove("NO_COLOR");
        script
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut script = script.current_dir(here.path("")).spawn().expect("script");
        let keys = script.stdin.take();
        let mut screen = script.stdout.take().expect("a screen");
        let shown = Arc::new(Mutex::new(Vec::new()));
        let writes = shown.clone();
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = screen.read(&mut bytes) {
                writes
                    .lock()
                    .expect("sound")
                    .extend_from_slice(&bytes[..read]);
            }
        });
        Terminal {
            script,
            keys,
            shown,
            reader: Some(reader),
        }
    }

    fn types(&mut self, keys: &[u8]) {
        let to = self.keys.as_mut().expect("a keyboard");
        to.write_all(keys).and_then(|()| to.flush()).expect("typed");
    }

    fn shown(&self) -> String {
        String::from_utf8_lossy(&self.shown.lock().expect("sound")).into_owned()
    }

    fn is_open(&mut self) -> bool {
        self.script.try_wait().expect("a child").is_none()
    }

    /// Waits until so many questions were asked; tells whether they were before the end.
    fn asks(&mut self, questions: usize) -> bool {
        let began = Instant::now();
        while self.shown().matches("(h for help)").count() < questions {
            if !self.is_open() {
                return false;
            }
            assert!(
                began.elapsed() < Duration::from_secs(300),
                "{}",
                self.shown()
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// Waits for the end; tells the exit code.
    fn ended(mut self) -> (Option<i32>, String) {
        let began = Instant::now();
        while self.is_open() {
            assert!(
                began.elapsed() < Duration::from_secs(300),
                "{}",
                self.shown()
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        let code = self.script.wait().expect("a child").code();
        // What was shown last is read by the other thread.
        self.keys = None;
        let reader = self.reader.take().expect("a reader");
        reader.join().expect("all is read");
        (code, self.shown())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.script.kill();
        let _ = self.script.wait();
    }
}

/// The width of what is shown, without colours.
fn width(line: &str) -> usize {
    console::strip_ansi_codes(line).trim_end().chars().count()
}

#[test]
fn whole_games_are_played_at_a_terminal() {
    for (game, keys) in [
        ("diamant --players 4", ["s", "s", "l"]),
        ("diamond_cave --players 2", ["2\n", "3\n", "1\n"]),
        (
            "diamond_miner --players 2 --others thief",
            ["2\n", "1\n", "1\n"],
        ),
    ] {
        let here = folder();
        let name = game.split(' ').next().expect("a name");
        let sets = short(name);
        let play = format!("play {game} {sets} --seed 6 --playouts 64 --coach --out a.toml");
        let mut terminal = Terminal::open(&here, &play);
        let mut asked = 1;
        while terminal.asks(asked) {
            let key = match asked {
                2 if game.starts_with("diamant") => "?",
                2 => "?\n",
                _ => keys[asked % keys.len()],
            };
            terminal.types(key.as_bytes());
            asked += 1;
        }
        let (code, shown) = terminal.ended();
        assert_eq!(code, Some(0), "{shown}");
        holds(&shown, "\u{1b}[ … coach:  … The game is saved … Reviewing");
        // The bar of the last computation is as wide as the terminal says, which knows no columns here.
        for line in shown.lines().filter(|line| !line.contains(" games, ")) {
            assert!(width(line) <= 60, "{}: {line}", width(line));
        }
        holds(&here.run(&format!("replay {name} a.toml")), "win");
    }
}

#[test]
fn ctrl_c_and_closed_terminals_keep_the_game() {
    for (game, key) in [("diamant", "s"), ("diamond_cave", "1\n")] {
        // Ctrl-C, where a key is asked for and where a line is; and a terminal that is closed.
        for closes in [false, true] {
            let here = folder();
            let mut terminal = Terminal::open(&here, &format!("play {game} --seed 2 --out a.toml"));
            assert!(terminal.asks(1));
            terminal.types(key.as_bytes());
            assert!(terminal.asks(2));
            if closes {
                drop(terminal)
            } else {
                terminal.types(&[3]);
                let (code, shown) = terminal.ended();
                assert_eq!(code, Some(130), "{game}: {shown}");
                holds(&shown, "carat play --resume a.toml");
            }
            assert!(
                here.read("a.toml").contains("\"@1 "),
                "{}",
                here.read("a.toml")
            );
            // A session whose terminal is gone takes a moment to end.
            let resumed = || answered(&here, "play --resume a.toml", "q\n");
            let mut tries = (0..100).map(|_| resumed());
            let ran = tries.find(|ran| !ran.stderr.contains("another session"));
            holds(&ran.expect("it is free").stdout, "The game continues.");
        }
    }
}
