//! Finds bots and rules by name: in the manifest, in the working directory, and among those
//! included in the binary, in this order.

use super::overrides::completed;
use crate::diagnostic::{Diagnostic, nearest};
use crate::game::Game;
use crate::simulation::lock;
use crate::strategy::{
    EXEC, MadeFor, MixFile, Program, Seat, SeatError, SeatSpec, Strategy, ThinkingFile,
    is_of_thinking,
};
use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

static SHIPPED: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../strategies");

/// Longest readable text, in bytes. Bots with large tables are the longest.
pub const FILE_MAX: u64 = 1 << 22;

/// The name of the bot that a study adapts to each table.
pub const ADAPTED: &str = "adapted";
/// The name of the best included bot for a table.
pub const BEST: &str = "best";

/// The texts read so far, by path: a pipe is empty the second time, and a file may change during a
/// run.
static TEXTS: Mutex<BTreeMap<PathBuf, String>> = Mutex::new(BTreeMap::new());

/// Longest name in a suggestion.
const LONG: usize = 100;

/// A played file, saved in the manifest so that the study can be repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceText {
    /// The name in the study.
    pub name: String,
    pub text: String,
}

impl SourceText {
    pub fn new(name: &str, text: impl Into<String>) -> SourceText {
        let (name, text) = (name.to_string(), text.into());
        SourceText { name, text }
    }
}

/// Why a bot or a rules file could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct LibraryError(String);

impl LibraryError {
    pub fn file(file: &Path, why: std::io::Error) -> LibraryError {
        LibraryError(format!("cannot read {}: {why}", file.display()))
    }

    /// A bot has no such parameter, or cannot take its value.
    pub fn seat(bot: impl Display, error: SeatError) -> LibraryError {
        LibraryError(format!("{bot}: {error}"))
    }
}

impl From<Diagnostic> for LibraryError {
    fn from(diagnostic: Diagnostic) -> Self {
        LibraryError(diagnostic.to_string())
    }
}

#[derive(Debug, Default)]
pub struct Library {
    /// Bots that replace files of the same name.
    pub strategies: Vec<SourceText>,
    /// Rules that replace files of the same name.
    pub rules: Vec<SourceText>,
    /// Folder with `<game>/<bot>.toml`, which override the included bots.
    pub folder: Option<PathBuf>,
    /// Folder of the study, searched for relative paths before the working directory.
    pub beside: Option<PathBuf>,
    /// Whether to use only `strategies` and `rules`, as for a manifest.
    pub closed: bool,
    /// Cache of bots by game and name, so that each file is read once.
    known: RefCell<HashMap<(&'static str, String), Strategy>>,
    /// Adapted populations, by the table they were made for.
    pub adapted: RefCell<BTreeMap<String, String>>,
    /// Populations for tables without an adapted one of their own, by number of players.
    pub neighbours: RefCell<BTreeMap<usize, String>>,
    /// The files of nested mixes being read, the outermost first.
    reading: RefCell<Vec<String>>,
    /// Warnings about rules files of older versions.
    pub completed: RefCell<BTreeSet<String>>,
}

impl Library {
    /// The library of the working directory: its `strategies/` extend and override included bots.
    pub fn here() -> Self {
        Library {
            folder: Some(PathBuf::from("strategies")),
            ..Library::default()
        }
    }

    /// The library for a study file: paths are searched beside the study, then in the working
    /// directory.
    pub fn beside(study: &Path) -> Self {
        let folder = study.parent().filter(|_| !is_stdin(study));
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        Library {
            beside: folder.map(Path::to_path_buf),
            ..Library::here()
        }
    }

    /// The library of a manifest, with its texts only.
    pub fn pinned(strategies: Vec<SourceText>, rules: Vec<SourceText>) -> Self {
        Library {
            strategies,
            rules,
            closed: true,
            ..Library::default()
        }
    }

    /// Names of all bots of `game` that need no path, sorted.
    pub fn strategy_names(&self, game: &Game) -> Vec<String> {
        let mut names = BTreeSet::new();
        let stem = |path: &Path| {
            let is_toml = path.extension() == Some("toml".as_ref());
            let stem = path.file_stem().filter(|_| is_toml);
            stem.map(|stem| stem.to_string_lossy().into_owned())
        };
        if let Some(shipped) = SHIPPED.get_dir(game.name) {
            names.extend(shipped.files().filter_map(|file| stem(file.path())));
        }
        if let Some(folder) = &self.folder
            && let Ok(entries) = std::fs::read_dir(folder.join(game.name))
        {
            names.extend(entries.flatten().filter_map(|entry| stem(&entry.path())));
        }
        names.into_iter().collect()
    }

    /// The text of the bot `name`, and the file name that its errors show.
    pub fn strategy_source(
        &self,
        game: &Game,
        name: &str,
    ) -> Result<(SourceText, String), LibraryError> {
        let found = |text: String, file: String| Ok((SourceText::new(name, text), file));
        let read = |file: &Path| found(read_text(file)?, file.display().to_string());
        if let Some(pinned) = self.pinned_of(&self.strategies, "bot", game, name)? {
            return Ok((pinned, format!("{name} (in the manifest)")));
        }
        if let Some(command) = name.strip_prefix(EXEC) {
            return found(Program::file(command), name.to_string());
        }
        if is_path(name) {
            return read(&self.file(name)?);
        }
        let inner = format!("{}/{name}.toml", game.name);
        let own = self.folder.as_ref().map(|folder| folder.join(&inner));
        if let Some(file) = own.filter(|file| file.exists()) {
            return read(&file);
        }
        let shipped = SHIPPED.get_file(&inner);
        if let Some(text) = shipped.and_then(|file| file.contents_utf8()) {
            return found(text.to_string(), format!("strategies/{inner}"));
        }
        let known = self.strategy_names(game);
        let known = known.iter().map(String::as_str);
        Err(unknown("bot", name, game, known.collect()))
    }

    /// The file at a path: beside the study, else in the working directory.
    fn file(&self, path: &str) -> Result<PathBuf, LibraryError> {
        let here = PathBuf::from(path);
        let Some(folder) = &self.beside else {
            return Ok(here);
        };
        match folder.join(path) {
            beside if beside.exists() => Ok(beside),
            beside if !here.exists() => Err(LibraryError(format!(
                "cannot find {} (beside the study) or {} (in the working directory)",
                beside.display(),
                here.display()
            ))),
            _ => Ok(here),
        }
    }

    /// The text of this name in the manifest; an error if a manifest's library lacks it.
    fn pinned_of(
        &self,
        sources: &[SourceText],
        kind: &str,
        game: &Game,
        name: &str,
    ) -> Result<Option<SourceText>, LibraryError> {
        let pinned = sources.iter().find(|source| source.name == name);
        if pinned.is_none() && self.closed {
            let known = sources.iter().map(|source| source.name.as_str());
            let kind = format!("{kind} in the manifest");
            return Err(unknown(&kind, name, game, known.collect()));
        }
        Ok(pinned.cloned())
    }

    pub fn strategy(&self, game: &Game, name: &str) -> Result<Strategy, LibraryError> {
        let key = (game.name, name.to_string());
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(known.clone());
        }
        let (source, file) = self.strategy_source(game, name)?;
        let strategy = self.read(game, name, &file, &source.text)?;
        self.known.borrow_mut().insert(key, strategy.clone());
        Ok(strategy)
    }

    /// The bot `name` that the text of `file` describes.
    pub fn read(
        &self,
        game: &Game,
        name: &str,
        file: &str,
        text: &str,
    ) -> Result<Strategy, LibraryError> {
        let refused = |error| LibraryError::seat(file, error);
        if let Some(mix) = MixFile::read(file, text)? {
            if self.reading.borrow().iter().any(|outer| outer == file) {
                return Err(refused(SeatError::Itself(name.to_string())));
            }
            self.reading.borrow_mut().push(file.to_string());
            let specs = mix.parts.iter().map(|(spec, _)| spec);
            let seats: Result<Vec<_>, _> = specs.map(|spec| self.seats(game, spec)).collect();
            self.reading.borrow_mut().pop();
            let seats = seats?.into_iter().flatten().collect();
            let mix = mix.bot(name, text, seats, game.vocabulary);
            return mix.map_err(refused);
        }
        if let Some(program) = Program::read(name, file, text, game.vocabulary)? {
            return Ok(program);
        }
        let Some(thinking) = ThinkingFile::read(file, text)? else {
            return Ok(Strategy::from_toml(name, file, text, game.vocabulary)?);
        };
        // Checks the file itself first, as it may continue as this bot.
        let (source, base_file) = self.strategy_source(game, &thinking.base.name)?;
        if ThinkingFile::read(&base_file, &source.text)?.is_some() {
            return Err(refused(SeatError::Thinks(source.name)));
        }
        let mut base = self.seats(game, &thinking.base)?;
        thinking.bot(name, text, base.remove(0)).map_err(refused)
    }

    /// The population adapted to this table, if this run or a manifest has one.
    pub fn population(
        &self,
        game: &Game,
        table: &MadeFor,
    ) -> Result<Option<Strategy>, LibraryError> {
        let made = self.adapted.borrow().get(&table.to_string()).cloned();
        let read = |text: &str| self.read(game, ADAPTED, "adapted.toml", text);
        if let Some(text) = made {
            return read(&text).map(Some);
        }
        let pinned = self.strategies.iter();
        for pinned in pinned.filter(|pinned| pinned.name == ADAPTED) {
            let strategy = read(&pinned.text)?;
            let own = strategy.made_for.as_ref();
            if own.is_some_and(|own| own.is_same_table(table)) {
                return Ok(Some(strategy));
            }
        }
        let players = table.players.unwrap_or(0);
        let neighbours = self.neighbours.borrow();
        let neighbour = neighbours.get(&players).or(neighbours.values().next());
        neighbour.map(|text| read(text)).transpose()
    }

    /// The rules file `name` of `game`: the text of an edition, or of a file. Adds keys that an
    /// older file lacks, with a warning.
    pub fn rules_source(&self, game: &Game, name: &str) -> Result<SourceText, LibraryError> {
        let mut source = self.rules_found(game, name)?;
        if let Some((text, lacked)) = completed(&source.text, game.older_rules) {
            source.text = text;
            let note = format!("rules {name}: an older file without some keys, so {lacked}");
            self.completed.borrow_mut().insert(note);
        }
        Ok(source)
    }

    fn rules_found(&self, game: &Game, name: &str) -> Result<SourceText, LibraryError> {
        if let Some(pinned) = self.pinned_of(&self.rules, "rules file", game, name)? {
            return Ok(pinned);
        }
        if let Some(edition) = game.editions.iter().find(|edition| edition.name == name) {
            return Ok(SourceText::new(name, edition.text));
        }
        if is_path(name) {
            return Ok(SourceText::new(name, read_text(&self.file(name)?)?));
        }
        let known = game.editions.iter().map(|edition| edition.name);
        Err(unknown("rules file", name, game, known.collect()))
    }

    /// The bots that a seat such as `3*threshold:target=8` stands for.
    pub fn seats(&self, game: &Game, spec: &SeatSpec) -> Result<Vec<Seat>, LibraryError> {
        let mut strategy = self.strategy(game, &spec.name)?;
        let known = |name: &String| strategy.params.iter().any(|(own, _)| own == name);
        let mut params = spec.params.iter().map(|(name, _)| name);
        let thinks = params.any(|name| is_of_thinking(name) && !known(name));
        if thinks && strategy.program.is_none() {
            strategy = strategy.that_thinks();
        }
        let refused = |error| LibraryError::seat(spec, error);
        let mut one = Seat::new(strategy, &spec.params).map_err(refused)?;
        one.person.clone_from(&spec.label);
        Ok(vec![one; spec.copies])
    }
}

/// The texts that a study names, each once, so that it can be repeated.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sources {
    /// Rules files, before the study's changes.
    pub rules: Vec<SourceText>,
    /// Bots, in the order of the seats.
    pub strategies: Vec<SourceText>,
    /// The error of bots that need more than formulas, if there are any.
    pub program: Option<SeatError>,
}

impl Sources {
    pub fn library(&self) -> Library {
        Library::pinned(self.strategies.clone(), self.rules.clone())
    }

    /// Adds a rules file and the bots at its table.
    pub fn add(&mut self, rules: &SourceText, seats: &[Seat]) {
        add_once(&mut self.rules, &rules.name, &rules.text);
        for seat @ Seat { strategy, .. } in seats {
            self.program = self.program.take().or(seat.formula_only().err());
            add_once(&mut self.strategies, &strategy.name, &strategy.text);
            for (name, text) in &strategy.made_of {
                add_once(&mut self.strategies, name, text);
            }
        }
    }
}

fn add_once(sources: &mut Vec<SourceText>, name: &str, text: &str) {
    let is_it = |source: &SourceText| source.name == name && source.text == text;
    if !sources.iter().any(is_it) {
        sources.push(SourceText::new(name, text));
    }
}

/// Reads a text file: a bot, rules, a study or a record. A process reads each file once.
pub fn read_text(file: &Path) -> Result<String, LibraryError> {
    read_up_to(file, FILE_MAX)
}

/// Reads a manifest, of any length.
pub fn read_manifest(file: &Path) -> Result<String, LibraryError> {
    let size = std::fs::metadata(file).map_or(0, |found| found.len());
    read_up_to(file, size.max(FILE_MAX))
}

/// Whether a file is standard input, written `-`.
pub fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn read_up_to(file: &Path, most: u64) -> Result<String, LibraryError> {
    use std::io::Read;
    let mut texts = lock(&TEXTS);
    if let Some(text) = texts.get(file) {
        return Ok(text.clone());
    }
    let name = file.display();
    let mut bytes = Vec::new();
    let read = if is_stdin(file) {
        std::io::stdin().take(most + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|open| open.take(most + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| LibraryError::file(file, error))?;
    if bytes.len() as u64 > most {
        let why = format!("{name}: longer than {FILE_MAX} bytes; write a shorter file");
        return Err(LibraryError(why));
    }
    // A byte order mark is no text.
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let why = format!("{name}: not UTF-8 text (first invalid byte at offset {offset})");
        LibraryError(why)
    })?;
    texts.insert(file.to_path_buf(), text.clone());
    Ok(text)
}

fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || name.ends_with(".toml")
}

fn unknown(kind: &str, name: &str, game: &Game, known: Vec<&str>) -> LibraryError {
    let help = match nearest(name, known.iter().copied()) {
        Some(near) if near == name => "; its file cannot be read".to_string(),
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    };
    // A damaged manifest may have any text as a name.
    let known = known.into_iter().filter(|name| name.len() < LONG);
    let (game, known) = (game.name, Vec::from_iter(known).join(", "));
    LibraryError(format!(
        "no {kind} called `{name}` for {game}{help}\nthe {kind}s of {game} are {known}"
    ))
}
