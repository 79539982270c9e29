//! One case: a folder, luck, and carat run in it under watch.

use super::dice::Dice;
use super::inspect;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Most work of all processors that a small run may be, the longest that it may take on a busy
/// machine, and most memory that it may have. Machines differ by a factor of 3.
const SLOW: Duration = Duration::from_secs(80);
const HANGS: Duration = Duration::from_secs(240);
const MEMORY_KB: u64 = 2_000_000;
/// Longest message that somebody reads.
pub const MESSAGE_MAX: usize = 20_000;

/// What a check says when it fails.
pub type Outcome = Result<(), String>;

pub struct Case {
    pub dice: Dice,
    pub folder: PathBuf,
    /// What was run, and what it said.
    pub log: String,
    /// Texts that the library was given.
    pub texts: u64,
    /// Runs of carat so far.
    pub runs: u64,
    /// Those that ended well.
    pub played: u64,
    /// Processes that were killed or sent a signal.
    pub kills: u64,
    /// Whether this system does not let it be tried.
    pub skipped: bool,
}

/// A process that ended.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Whether there are results: a precision that was not reached has some, too.
    pub fn is_well(&self) -> bool {
        matches!(self.code, 0 | 3)
    }

    /// Whether it kept this file of new results that could not be moved, and named their folder.
    pub fn kept(&self, path: &str) -> bool {
        let is_named = |part: &str| part.starts_with("carat-") && self.stderr.contains(part);
        path.split('/').any(is_named)
    }
}

/// A process under way. It does not outlive its case.
pub struct Running {
    child: Child,
    what: String,
    began: Instant,
    /// Where what it prints goes.
    said: [PathBuf; 2],
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        for file in &self.said {
            let _ = fs::remove_file(file);
        }
    }
}

/// When signals are sent to a run: after so long, which.
pub type Signals<'a> = &'a [(Duration, &'a str)];

impl Case {
    pub fn new(seed: u64, folder: PathBuf) -> Case {
        Case {
            dice: Dice::new(seed),
            folder,
            log: String::new(),
            texts: 0,
            runs: 0,
            played: 0,
            kills: 0,
            skipped: false,
        }
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.folder.join(name), bytes).expect("the disk has room for a case");
    }

    pub fn remove(&self, name: &str) {
        let path = self.folder.join(name);
        let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
    }

    pub fn files(&self, folder: &str) -> std::collections::BTreeMap<String, Vec<u8>> {
        inspect::tree(&self.folder.join(folder))
    }

    /// Runs carat to its end, and demands what holds of every run.
    pub fn carat<S: AsRef<str>>(&mut self, args: &[S]) -> Result<Ran, String> {
        self.interrupted(args, &[])
    }

    /// The same of a line, at whose spaces the words part.
    pub fn line(&mut self, line: &str) -> Result<Ran, String> {
        self.carat(&line.split(' ').collect::<Vec<_>>())
    }

    /// The same with signals on its way.
    pub fn interrupted<S: AsRef<str>>(
        &mut self,
        args: &[S],
        signals: Signals,
    ) -> Result<Ran, String> {
        let before = self.files("");
        let run = self.start(args);
        let ran = self.end(run, signals)?;
        self.sane(&ran)?;
        let after = self.files("");
        // What a killed run left may be put in order at any time.
        let mut differ = after
            .iter()
            .filter(|(path, bytes)| !path.contains(".carat-") && before.get(*path) != Some(bytes));
        if let (2, Some((path, _))) = (ran.code, differ.next()) {
            return Err(format!("a refusal left or changed {path}"));
        }
        // What an earlier run that was killed left is not this one's fault.
        if inspect::results(&before).is_ok() {
            inspect::results(&after)?;
        }
        let mut new = after.keys().filter(|path| !before.contains_key(*path));
        self.played += u64::from(ran.code == 0);
        let json = args.iter().any(|arg| arg.as_ref() == "--json");
        if json && ran.code == 0 && serde_json::from_str::<serde_json::Value>(&ran.stdout).is_err()
        {
            return Err("what is printed as JSON is none".to_string());
        }
        match new.find(|path| path.contains("carat-") && !ran.kept(path)) {
            Some(left) => Err(format!("{left} is left over")),
            None => Ok(ran),
        }
    }

    /// What holds of every run that was not killed, whatever was asked of it.
    pub fn sane(&self, ran: &Ran) -> Outcome {
        let shown = |text: &str| {
            let lines = text.replace("\r\n", "\n");
            lines
                .chars()
                .find(|c| c.is_control() && !"\n\t".contains(*c))
        };
        if !matches!(ran.code, 0..=7 | 129 | 130 | 138 | 143) {
            return Err(format!("exit code {}", ran.code));
        }
        if ran.stderr.contains("panicked") || ran.stderr.contains("please report") {
            return Err("a panic".to_string());
        }
        if ran.code != 0 && ran.stderr.trim().is_empty() {
            return Err(format!("exit code {} without a word", ran.code));
        }
        if ran.code == 2 && !ran.stdout.is_empty() && !ran.stdout.contains(", valid") {
            return Err("a refusal with output".to_string());
        }
        if ran.stderr.len() > MESSAGE_MAX {
            return Err(format!("a message of {} bytes", ran.stderr.len()));
        }
        match shown(&ran.stderr).or(shown(&ran.stdout)) {
            Some(c) => Err(format!("the control character {c:?} reaches the terminal")),
            None => Ok(()),
        }
    }

    pub fn start<S: AsRef<str>>(&mut self, args: &[S]) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carat"));
        // No argument holds a null byte; the system would not take it.
        let args: Vec<String> = args
            .iter()
            .map(|arg| arg.as_ref().replace('\0', ""))
            .collect();
        command.args(&args);
        let shown: Vec<String> = args.iter().map(|arg| format!("{arg:?}")).collect();
        self.spawn(command, format!("carat {}", shown.join(" ")))
    }

    /// Starts any command in the case's folder; what it prints goes to files beside it.
    pub fn spawn(&mut self, mut command: Command, what: String) -> Running {
        self.runs += 1;
        let name = self.folder.file_name().unwrap_or_default();
        let name = format!("{}-{}", name.to_string_lossy(), self.runs);
        let said = ["out", "err"].map(|end| self.folder.with_file_name(format!("{name}.{end}")));
        let [out, err] = [0, 1].map(|at| File::create(&said[at]).expect("a file for what is said"));
        command.current_dir(&self.folder).stdin(Stdio::null());
        command.stdout(out).stderr(err);
        let child = command.spawn().expect("the command starts");
        Running {
            child,
            what,
            began: Instant::now(),
            said,
        }
    }

    /// Waits for a process, sends its signals, and watches its time and memory.
    pub fn end(&mut self, mut run: Running, signals: Signals) -> Result<Ran, String> {
        let mut signals = signals.iter().peekable();
        let mut fault = None;
        let status = loop {
            if let Some(status) = run.child.try_wait().expect("a child") {
                break status;
            }
            let time = run.began.elapsed();
            if let Some((_, signal)) = signals.next_if(|(wait, _)| time >= *wait) {
                self.kills += 1;
                send(signal, run.child.id());
            }
            if fault.is_none() && memory(run.child.id()) > MEMORY_KB {
                fault = Some(format!("memory: more than {MEMORY_KB} kB"));
            }
            // A busy machine may let it wait, but does not make it work.
            let worked = processor_time(run.child.id());
            if worked > SLOW || time > HANGS {
                fault = Some(format!("slow: not done after {time:?}, {worked:?} of work"));
            }
            if fault.is_some() {
                let _ = run.child.kill();
            }
            let next = signals
                .peek()
                .map_or(HANGS, |(wait, _)| wait.saturating_sub(time));
            std::thread::sleep(next.min(Duration::from_millis(if time.as_millis() < 100 {
                2
            } else {
                10
            })));
        };
        let read = |path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
        let [stdout, stderr] = run.said.each_ref().map(read);
        let code = status
            .code()
            .unwrap_or(128 + status.signal().unwrap_or_default());
        let time = run.began.elapsed().as_millis();
        self.log += &format!("$ {}\n[{code}, {time} ms] {stdout}\n{stderr}\n", run.what);
        match fault {
            Some(fault) => Err(fault),
            None => Ok(Ran {
                code,
                stdout,
                stderr,
            }),
        }
    }

    /// Kills a process with no warning once a state has come, unless it ends before.
    pub fn kill_once(&mut self, mut run: Running, mut state: impl FnMut() -> bool) {
        while run.child.try_wait().expect("a child").is_none() && !state() {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.kills += 1;
        self.log += &format!("$ {}\n[killed]\n", run.what);
    }

    /// Kills a process with no warning after a while; tells whether it was still there.
    pub fn kill(&mut self, mut run: Running, after: Duration) -> bool {
        std::thread::sleep(after);
        let alive = run.child.try_wait().expect("a child").is_none();
        self.kills += u64::from(alive);
        self.log += &format!("$ {}\n[killed after {after:?}: {alive}]\n", run.what);
        alive
    }
}

pub fn send(signal: &str, process: u32) {
    let _ = Command::new("kill")
        .args([signal, &process.to_string()])
        .stderr(Stdio::null())
        .status();
}

/// How long processors have worked for a process so far; nothing where the system does not tell.
fn processor_time(process: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Fields 14 and 15, counted from what follows the name, which may hold spaces.
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks: u64 = fields
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum();
    Duration::from_millis(10 * ticks)
}

/// Most memory that a process has had, in kilobytes.
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or_default()
}
