//! carat as a process: one line runs it in a folder, and tells what came of it.

use crate::fixtures::project;
use crate::times;
use carat_studies::study::Study;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What divides the limits of time of carat, which tests would wait for.
pub const HASTE: &str = "10";

/// A folder in which carat is run.
pub struct Folder {
    path: PathBuf,
    /// Removes a fresh one when the test ends.
    _fresh: Option<tempfile::TempDir>,
}

/// The options for rules of `game` with [short games](crate::fixtures::short).
pub fn short(game: &str) -> String {
    let sets = crate::fixtures::short(game).iter();
    sets.map(|set| format!("--set '{set}' ")).collect()
}

/// The words of a page to print, line by line: its glyphs by the tables of both typefaces.
pub fn printed(file: &[u8]) -> String {
    let text: String = file.iter().map(|byte| char::from(*byte)).collect();
    let mut faces = Vec::new();
    for table in text.split("begincmap").skip(1) {
        let pairs = table.lines().filter_map(|line| {
            let (glyph, letter) = line
                .strip_prefix('<')?
                .strip_suffix('>')?
                .split_once("> <")?;
            let [glyph, letter] = [glyph, letter].map(|code| u32::from_str_radix(code, 16));
            Some((glyph.ok()?, char::from_u32(letter.ok()?)?))
        });
        faces.push(pairs.collect::<BTreeMap<u32, char>>());
    }
    let (mut face, mut words) = (0, String::new());
    for line in text.lines() {
        if line.ends_with(" Tf") {
            face = usize::from(line.contains("Bold"));
        }
        if let Some(glyphs) = line.strip_suffix(" TJ") {
            let shown = glyphs_of(glyphs);
            let pairs = shown.chunks_exact(2);
            let letters = pairs.map(|pair| faces[face][&(256 * pair[0] + pair[1])]);
            words.extend(letters);
            // Only the last line of a paragraph ends without a blank.
            words.extend((!words.ends_with(' ')).then_some('\n'));
        }
    }
    words
}

/// The bytes of the strings of an array of a PDF.
fn glyphs_of(array: &str) -> Vec<u32> {
    let (mut bytes, mut letters) = (Vec::new(), array.chars());
    while let Some(letter) = letters.next() {
        if letter == '<' {
            let hex: String = letters.by_ref().take_while(|c| *c != '>').collect();
            let codes = (0..hex.len()).step_by(2);
            bytes.extend(codes.map(|at| u32::from_str_radix(&hex[at..at + 2], 16).expect("hex")));
        }
        let mut depth = u32::from(letter == '(');
        while depth > 0 {
            let letter = letters.next().expect("an end");
            match letter {
                '\\' => bytes.push(match letters.next().expect("an escape") {
                    'n' => 10,
                    'r' => 13,
                    't' => 9,
                    'b' => 8,
                    'f' => 12,
                    digit if digit.is_ascii_digit() => {
                        let octal =
                            String::from_iter([digit].into_iter().chain(letters.by_ref().take(2)));
                        u32::from_str_radix(&octal, 8).expect("an octal number")
                    }
                    other => u32::from(other),
                }),
                _ => {
                    depth += u32::from(letter == '(');
                    depth -= u32::from(letter == ')');
                    bytes.extend((depth > 0).then_some(u32::from(letter)));
                }
            }
        }
    }
    bytes
}

/// A fresh folder that is gone when the test ends.
pub fn folder() -> Folder {
    let fresh = tempfile::tempdir().expect("a temporary folder");
    let path = fresh.path().to_path_buf();
    let _fresh = Some(fresh);
    Folder { path, _fresh }
}

impl Folder {
    /// A file or folder in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A folder in it, made if it is not there.
    pub fn inner(&self, name: &str) -> Folder {
        let path = self.path(name);
        fs::create_dir_all(&path).expect("a folder");
        Folder { path, _fresh: None }
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).expect(name);
    }

    pub fn read(&self, name: &str) -> String {
        text(&self.bytes(name))
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect(name)
    }

    pub fn remove(&self, name: &str) {
        let path = self.path(name);
        let removed = if path.is_dir() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        };
        removed.expect(name);
    }

    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// The names of all that is in a folder in it, hidden files too; none when it is not there.
    pub fn names(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(name))
            .into_iter()
            .flatten()
            .flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The files of a folder in it with their bytes, but for those that vanish meanwhile.
    pub fn files(&self, name: &str) -> Vec<(String, Vec<u8>)> {
        let inner = self.path(name);
        let read = |file: String| Some((file.clone(), fs::read(inner.join(file)).ok()?));
        self.names(name).into_iter().filter_map(read).collect()
    }

    /// A Parquet file.
    pub fn rows(&self, name: &str) -> polars_core::prelude::DataFrame {
        use polars_io::prelude::{ParquetReader, SerReader};
        let file = fs::File::open(self.path(name)).expect(name);
        ParquetReader::new(file).finish().expect("a table")
    }

    /// A table of results.
    pub fn table(&self, name: &str) -> Csv {
        let text = self.read(name);
        let mut rows = text.lines().map(cells);
        let head = rows.next().expect("a head");
        let rows = rows.collect();
        Csv { head, rows }
    }

    /// Demands that two folders in it hold the same files, to the byte.
    #[track_caller]
    pub fn same(&self, a: &str, b: &str) {
        let [of_a, of_b] = [a, b].map(|name| self.files(name));
        let lacks = |files: &[(String, Vec<u8>)], file| !files.contains(file);
        let differ = (of_a.iter().filter(|file| lacks(&of_b, file)))
            .chain(of_b.iter().filter(|file| lacks(&of_a, file)))
            .map(|(name, _)| name);
        let differ: Vec<&String> = differ.collect();
        assert!(
            differ.is_empty() && !of_a.is_empty(),
            "{a} and {b}: {differ:?}"
        );
    }

    /// carat with the words of a line, as a shell would part them. Studies draw no charts unless the
    /// line has `--svg`: charts take most of the time of a short study.
    pub fn command(&self, line: &str) -> Command {
        let mut command = self.charting(line);
        let kind = line.split(' ').next().unwrap_or_default();
        let draws = Study::KINDS.contains(&kind) || kind == "run" || kind == "merge";
        if draws
            && !["--svg", "--no-charts", "--help", ".pdf"]
                .iter()
                .any(|word| line.contains(word))
        {
            command.arg("--no-charts");
        }
        command
    }

    /// carat with the words of a line, drawing the charts that a user gets.
    pub fn charting(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carat"));
        command.args(words(line)).env("CARAT_HASTE", HASTE);
        command.stdin(Stdio::null());
        command
    }

    /// Runs any command to its end.
    pub fn end(&self, command: &mut Command) -> Ran {
        self.spawn(command).ended()
    }

    /// Runs a line of bash, in which `$0` is carat.
    #[cfg(unix)]
    pub fn shell(&self, script: &str) -> Ran {
        let carat = env!("CARGO_BIN_EXE_carat");
        let mut bash = Command::new("bash");
        bash.args(["-c", script, carat]).env("CARAT_HASTE", HASTE);
        self.end(bash.stdin(Stdio::null()))
    }

    /// Runs carat, and demands this exit code.
    #[track_caller]
    pub fn ends(&self, code: i32, line: &str) -> Ran {
        let ran = self.end(&mut self.command(line));
        assert_eq!(ran.code, Some(code), "carat {line}: {}", ran.stderr);
        ran
    }

    /// Runs carat, and demands success; tells what it printed.
    #[track_caller]
    pub fn run(&self, line: &str) -> String {
        self.ends(0, line).stdout
    }

    /// Runs carat with its charts, and demands success; tells what it printed.
    #[track_caller]
    pub fn draw(&self, line: &str) -> String {
        let ran = self.end(&mut self.charting(line));
        assert_eq!(ran.code, Some(0), "carat {line}: {}", ran.stderr);
        ran.stdout
    }

    /// Runs carat, and reads what it prints.
    #[track_caller]
    pub fn json(&self, line: &str) -> Value {
        let shown = self.run(line);
        serde_json::from_str(&shown).unwrap_or_else(|error| panic!("{line}: {error}: {shown}"))
    }

    /// Demands that carat refuses, says [these parts](holds), and changes nothing.
    #[track_caller]
    pub fn refused(&self, line: &str, said: &str) -> String {
        self.refused_with(2, line, said)
    }

    /// The same with another exit code.
    #[track_caller]
    pub fn refused_with(&self, code: i32, line: &str, said: &str) -> String {
        let before = self.names("");
        let ran = self.end(&mut self.charting(line));
        assert_eq!(ran.code, Some(code), "carat {line}: {}", ran.stderr);
        holds(&ran.stderr, said);
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        assert_eq!(ran.stdout, "", "carat {line}");
        assert_eq!(self.names(""), before, "carat {line}");
        ran.stderr
    }

    /// Demands that carat refuses the lines `$ carat …` of a golden file, with the messages there.
    #[track_caller]
    pub fn refuses_as(&self, golden: &str) {
        let file = project().join(format!("tests/it/golden/refused/{golden}.txt"));
        let file = fs::read_to_string(file).expect("a golden file");
        let lines = file.lines();
        let mut shown = String::new();
        for line in lines.filter_map(|line| line.strip_prefix("$ carat ")) {
            let message = self.refused(line, "");
            let at = message.find("error: ").expect("an error"); // after progress and warnings
            shown += &format!("$ carat {}\n{}\n", line.trim(), &message[at..]);
        }
        assert!(!shown.is_empty(), "{golden}");
        expect_test::expect_file![format!("golden/refused/{golden}.txt")].assert_eq(&shown);
    }

    /// Starts carat.
    pub fn start(&self, line: &str) -> Running {
        self.spawn(&mut self.command(line))
    }

    /// Starts any command.
    pub fn spawn(&self, command: &mut Command) -> Running {
        let [out, err] = [(); 2].map(|()| tempfile::NamedTempFile::new().expect("a file"));
        let [to_out, to_err] = [&out, &err].map(|file| file.reopen().expect("it is there"));
        let command = command.current_dir(&self.path).stdout(to_out);
        let child = command.stderr(to_err).spawn().expect("it starts");
        let began = Instant::now();
        Running {
            child,
            began,
            out,
            err,
        }
    }
}

/// All that a study can write.
pub const ALL: &str = "--format csv,parquet,json --svg";

/// Where the results of a study are, with [`ALL`]. Whoever needs them first makes them, also where
/// tests run as several processes; nobody changes them.
#[track_caller]
pub fn made(line: &str) -> String {
    let changed = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let built = changed(Path::new(env!("CARGO_BIN_EXE_carat"))).expect("the program");
    let mut name = DefaultHasher::new();
    (built, line).hash(&mut name);
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("made");
    fs::create_dir_all(&all).expect("a folder");
    let path = all.join(format!("{:016x}", name.finish()));
    let lock = fs::File::create(path.with_extension("lock")).expect("a file");
    lock.lock().expect("a lock");
    if !path.exists() {
        // Those of earlier programs go.
        for old in fs::read_dir(&all).expect("a folder").flatten() {
            if changed(&old.path()).is_some_and(|made| made < built) {
                let _ = fs::remove_dir_all(old.path()).or_else(|_| fs::remove_file(old.path()));
            }
        }
        let begun = path.with_extension("begun");
        let _ = fs::remove_dir_all(&begun);
        folder().draw(&format!("{line} {ALL} --out '{}'", begun.display()));
        fs::rename(begun, &path).expect("a folder");
    }
    path.display().to_string()
}

/// Runs carat in a fresh folder, and demands success; tells what it printed.
#[track_caller]
pub fn run(line: &str) -> String {
    folder().run(line)
}

/// The words of a line as a shell parts them: at spaces, but for what is in quotes.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (quote, letter) {
            (None, ' ' | '\n') => words.extend(word.take()),
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (Some(open), letter) if open == letter => quote = None,
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// Demands that a text holds all the parts of `said`, which stand between ` … `.
#[track_caller]
pub fn holds(text: &str, said: &str) {
    for part in said.split(" … ") {
        assert!(text.contains(part), "it should say {part:?}: {text}");
    }
}

/// What a process printed, and how it ended.
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Demands that it said [these parts](holds) on standard error.
    #[track_caller]
    pub fn says(&self, said: &str) {
        holds(&self.stderr, said);
    }
}

/// What takes so long on the busiest machine does not end.
const HANGS: Duration = Duration::from_secs(1200);

/// A process under way. It does not outlive its test.
pub struct Running {
    child: Child,
    began: Instant,
    out: tempfile::NamedTempFile,
    err: tempfile::NamedTempFile,
}

impl Running {
    /// What it wrote to standard error so far.
    pub fn said(&self) -> String {
        text(&fs::read(self.err.path()).expect("the file is there"))
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn is_under_way(&mut self) -> bool {
        times::note(&self.child, self.began);
        self.child.try_wait().expect("a child").is_none()
    }

    /// Waits for a state of the world; tells whether it came before the process ended.
    pub fn comes(&mut self, mut state: impl FnMut(&Running) -> bool) -> bool {
        while !state(self) {
            if !self.is_under_way() {
                return state(self);
            }
            let time = self.began.elapsed();
            assert!(time < HANGS, "it hangs: {}", self.said());
            let moment = Duration::from_millis(2);
            std::thread::sleep(moment.max(time / 1000));
        }
        true
    }

    /// Waits until it says [these parts](holds).
    #[track_caller]
    pub fn says(&mut self, said: &str) {
        let came = self.comes(|run| said.split(" … ").all(|part| run.said().contains(part)));
        assert!(came, "it should say {said:?}: {}", self.said());
    }

    /// Waits until games are played that would take very long.
    #[track_caller]
    pub fn plays(&mut self) {
        self.says("this will take about");
    }

    #[cfg(unix)]
    pub fn signal(&self, signal: &str) {
        let mut kill = Command::new("kill");
        let sent = kill.args([signal, &self.id().to_string()]).status();
        // It fails where the process has just ended, which its test then sees.
        sent.expect("kill");
    }

    /// Kills it, if it is still there.
    pub fn kill(mut self) {
        let _ = self.child.kill();
    }

    /// Waits for its end.
    pub fn ended(mut self) -> Ran {
        self.comes(|_| false);
        Ran {
            code: self.child.wait().expect("it ended").code(),
            stdout: text(&fs::read(self.out.path()).expect("the file is there")),
            stderr: self.said(),
        }
    }

    /// Waits for its end, and demands this exit code; tells what it said.
    #[track_caller]
    pub fn ends(self, code: i32) -> String {
        let ran = self.ended();
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        ran.stderr
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        times::note(&self.child, self.began);
        let _ = self.child.wait();
    }
}

/// A table of results.
pub struct Csv {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Csv {
    /// Where a column is.
    #[track_caller]
    pub fn place(&self, column: &str) -> usize {
        let place = self.head.iter().position(|name| name == column);
        place.unwrap_or_else(|| panic!("no {column} in {:?}", self.head))
    }

    #[track_caller]
    pub fn column(&self, name: &str) -> Vec<&str> {
        let place = self.place(name);
        self.rows.iter().map(|row| row[place].as_str()).collect()
    }

    /// Two columns side by side.
    #[track_caller]
    pub fn pairs(&self, first: &str, second: &str) -> Vec<(&str, &str)> {
        let first = self.column(first).into_iter();
        first.zip(self.column(second)).collect()
    }

    #[track_caller]
    pub fn numbers(&self, name: &str) -> Vec<f64> {
        let column = self.column(name).into_iter();
        column.map(|cell| cell.parse().expect(cell)).collect()
    }
}

/// The cells of a line of a table, of which any may be quoted.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            letter => cells.last_mut().expect("there is one").push(letter),
        }
    }
    cells
}

/// What a process printed, as text.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
