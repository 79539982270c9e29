//! External programs that decide for seats, as processes: each line of JSON gets one line back.
//!
//! A process serves one thread at a time, and then waits for the next game. It ends with carat: its
//! input is closed, and it is killed if it does not end soon. A shell in its process group kills
//! the group when carat is killed.

use crate::simulation::lock;
use crate::strategy::Program;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Longest answer, in bytes.
const ANSWER_MAX: u64 = 1 << 24;
/// Time that a process has to end after its input is closed.
const GRACE: Duration = Duration::from_millis(500);
/// Interval between checks whether it has ended.
const LOOK: Duration = Duration::from_millis(2);

/// Idle processes, by the key they were started with.
static IDLE: Mutex<BTreeMap<String, Vec<Process>>> = Mutex::new(BTreeMap::new());
static RUNNING: Mutex<Vec<Arc<Mutex<Group>>>> = Mutex::new(Vec::new());
/// Whether carat is ending: no process is waited for, and none started.
static ENDING: AtomicBool = AtomicBool::new(false);

/// A process, and the one that kills it when carat is killed.
struct Group {
    child: Child,
    watch: Option<Child>,
}

pub struct Process {
    group: Arc<Mutex<Group>>,
    /// Lines to send; dropping it closes the input.
    lines: Option<Sender<String>>,
    answers: Receiver<io::Result<String>>,
    /// Time limit of an answer.
    patience: Duration,
    /// Number of the last line that asked for decisions.
    pub id: u64,
    /// Numbers of the features that it reads.
    pub features: Vec<usize>,
}

impl Process {
    pub fn idle(key: &str) -> Option<Process> {
        lock(&IDLE).get_mut(key)?.pop()
    }

    pub fn start(program: &Program) -> Result<Process, String> {
        let mut command = Command::new(&program.words[0]);
        command.args(&program.words[1..]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for carat, which ends its programs itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let failed = |error: io::Error| format!("cannot be started: {error}");
        let mut child = command.spawn().map_err(failed)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let watch = watch(&child);
        let group = Arc::new(Mutex::new(Group { child, watch }));
        lock(&RUNNING).push(group.clone());
        let (lines, to_write) = channel();
        let (to_answer, answers) = channel();
        let process = Process {
            group,
            lines: Some(lines),
            answers,
            patience: Duration::from_secs_f32(program.seconds),
            id: 0,
            features: Vec::new(),
        };
        if is_ending() {
            return Err("was stopped".to_string());
        }
        let (input, output) = pipes.ok_or("has no pipes")?;
        let thread = thread::Builder::new();
        let started = thread.spawn(move || carry(input, output, &to_write, &to_answer));
        started.map_err(failed)?;
        Ok(process)
    }

    pub fn send(&self, line: String) {
        // If the line cannot be written, there is no answer either.
        let _ = self.lines.as_ref().map(|lines| lines.send(line));
    }

    /// Its answer to the last line. After an error the process is unusable.
    pub fn receive(&self) -> Result<String, String> {
        match self.answers.recv_timeout(self.patience) {
            Ok(Ok(line)) if line.ends_with('\n') => Ok(line),
            Ok(Ok(line)) if line.len() as u64 == ANSWER_MAX => Err("answers without end".into()),
            Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Err("answers with bytes that are not UTF-8 text".into())
            }
            Err(RecvTimeoutError::Timeout) => {
                let seconds = self.patience.as_secs_f32();
                Err(format!("gave no answer within {seconds} s"))
            }
            _ => Err(match self.status() {
                Some(status) => format!("ended ({status})"),
                None => "closed its output".to_string(),
            }),
        }
    }

    /// Its exit status, if it ends within a moment.
    fn status(&self) -> Option<String> {
        let began = Instant::now();
        loop {
            match lock(&self.group).child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if began.elapsed() < GRACE => thread::sleep(LOOK),
                _ => return None,
            }
        }
    }

    /// Returns it to the idle processes.
    pub fn rest(self, key: &str) {
        lock(&IDLE).entry(key.to_string()).or_default().push(self);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.lines = None;
        self.status();
        kill(&self.group);
        lock(&RUNNING).retain(|group| !Arc::ptr_eq(group, &self.group));
    }
}

pub fn is_ending() -> bool {
    ENDING.load(Ordering::Relaxed)
}

/// Kills all processes at once, and ends all thinking: the games in progress do not count.
pub fn kill_all() {
    ENDING.store(true, Ordering::Relaxed);
    lock(&RUNNING).iter().for_each(kill);
}

pub fn end_all() {
    let idle = std::mem::take(&mut *lock(&IDLE));
    let mut idle: Vec<Process> = idle.into_values().flatten().collect();
    for process in &mut idle {
        process.lines = None;
    }
    drop(idle);
    let running = std::mem::take(&mut *lock(&RUNNING));
    running.iter().for_each(kill);
}

/// Kills a process, and, on systems with process groups, the processes it started.
fn kill(group: &Arc<Mutex<Group>>) {
    let Group { child, watch } = &mut *lock(group);
    #[cfg(unix)]
    {
        let id = rustix::process::Pid::from_child(child);
        let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
    }
    for process in [Some(child), watch.as_mut()].into_iter().flatten() {
        let _ = process.kill();
        let _ = process.wait();
    }
}

/// Starts a shell that waits in the group of a process until its input closes, as it does when
/// carat ends in whatever way, and then kills the group.
#[cfg(unix)]
fn watch(child: &Child) -> Option<Child> {
    let mut command = Command::new("/bin/sh");
    std::os::unix::process::CommandExt::process_group(&mut command, child.id() as i32);
    let command = command.args(["-c", "read line; kill -KILL 0"]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::null());
    command.stderr(Stdio::null()).spawn().ok()
}

#[cfg(not(unix))]
fn watch(_: &Child) -> Option<Child> {
    None
}

/// Writes each line and reads its answer, until either side ends.
fn carry(
    mut input: ChildStdin,
    output: ChildStdout,
    lines: &Receiver<String>,
    answers: &Sender<io::Result<String>>,
) {
    let mut output = BufReader::new(output);
    for line in lines {
        let mut answer = String::new();
        let read = input
            .write_all(line.as_bytes())
            .and_then(|()| (&mut output).take(ANSWER_MAX).read_line(&mut answer));
        let is_over = !answer.ends_with('\n');
        if answers.send(read.map(|_| answer)).is_err() || is_over {
            break;
        }
    }
}
