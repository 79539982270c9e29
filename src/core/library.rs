//! Finds bots and rules by name: in the manifest, in the working directory, and among those
//! included in the binary, in this order.

use super::overrides::completed;
use crate::catalog::GAMES;
use crate::diagnostic::{Diagnostic, nearest};
use crate::game::Game;
use crate::long_bots;
use crate::simulation::lock;
use crate::strategy::{
    BotFile, EXEC, MadeFor, MixFile, Program, Seat, SeatError, SeatSpec, Strategy, ThinkingFile,
    is_of_thinking, quoted,
};
use include_dir::{Dir, include_dir};
use serde::ser::Error;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) static SHIPPED: Dir = include_dir!("$STRATEGIES");

/// Longest readable text, in bytes. Bots with large tables are the longest.
pub const FILE_MAX: u64 = 1 << 22;

/// What a study calls the bot that it adapts to each table; no library knows it.
pub const ADAPTED: &str = "adapted";
/// What a study calls the best included bot for a table; no library knows it.
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
    #[serde(serialize_with = "write_json")]
    pub text: String,
    /// The warning about a rules file of an older version.
    #[serde(skip)]
    pub older: Option<String>,
}

/// A long text as JSON: this crate is optimised in all builds, those that write manifests are not.
#[inline(never)]
fn as_json(text: &str) -> serde_json::Result<Box<RawValue>> {
    to_raw_value(text)
}

fn write_json<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
    as_json(text).map_err(S::Error::custom)?.serialize(to)
}

impl SourceText {
    pub fn new(name: &str, text: impl Into<String>) -> SourceText {
        SourceText {
            name: name.to_string(),
            text: text.into(),
            older: None,
        }
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

/// What plays as `adapted` at a table that has no population of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StandIn {
    /// Nothing: naming it is an error.
    #[default]
    None,
    /// The game's family of bots, while a study is planned or checked.
    Family,
    /// The population of another table, the latest with this number of players if there is one.
    Nearest,
}

/// Where bots and rules are found. [`Library::default`] knows the included ones and reads paths,
/// [`Library::here`] looks into `strategies/`, too, and [`Library::included`] opens no file.
#[derive(Debug, Clone, Default)]
pub struct Library {
    /// Bots that replace files of the same name, and the populations of tables as `adapted`.
    pub strategies: Vec<SourceText>,
    /// Rules that replace files of the same name.
    pub rules: Vec<SourceText>,
    /// Folder with `<game>/<bot>.toml`, which override the included bots.
    pub folder: Option<PathBuf>,
    /// Folder of the study, searched for relative paths before the working directory.
    pub beside: Option<PathBuf>,
    /// Whether to use only `strategies` and `rules`, as for a manifest.
    pub closed: bool,
    /// Whether files and programs are refused, as for questions from outside.
    included_only: bool,
    /// What plays as `adapted` where a table has no population.
    pub stand_in: StandIn,
    /// Whether results that come with carat are found anew.
    pub anew: bool,
    /// Cache of bots by game and name, so that each file is read once.
    known: Arc<Mutex<HashMap<(&'static str, String), Strategy>>>,
}

impl Library {
    /// The library of the working directory: its `strategies/` extend and override included bots.
    pub fn here() -> Self {
        Library {
            folder: Some(PathBuf::from("strategies")),
            ..Library::default()
        }
    }

    /// The library of questions from outside, with included bots and rules only.
    pub fn included() -> Self {
        Library {
            included_only: true,
            ..Library::default()
        }
    }

    /// The same library with the texts of some files, by their names.
    pub fn with_texts(&self, texts: &[SourceText]) -> Self {
        Library {
            strategies: texts.to_vec(),
            rules: texts.to_vec(),
            known: Arc::default(),
            ..self.clone()
        }
    }

    /// The library for a study file: paths are searched beside the study, then in the working
    /// directory.
    pub fn beside(study: &Path) -> Self {
        let folder = study.parent().filter(|_| !is_stdin(study));
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

    /// The library in which stand-ins play as `adapted`, so that a study can be planned and checked
    /// before its populations exist. A manifest has its own populations.
    pub fn with_stand_ins(mut self) -> Self {
        if !self.closed {
            self.stand_in = StandIn::Family;
        }
        self
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
            let file = if self.closed {
                " (in the manifest)"
            } else {
                ""
            };
            return Ok((pinned, format!("{name}{file}")));
        }
        self.check_included(name)?;
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
            let fetched = long_bots::brought(text);
            let text = fetched.unwrap_or_else(|| text.to_string());
            return found(text, format!("strategies/{inner}"));
        }
        let known = self.strategy_names(game);
        let known = known.iter().map(String::as_str);
        Err(unknown("bot", name, game, known.collect()))
    }

    /// Refuses the name of a file or program if only included ones are allowed.
    fn check_included(&self, name: &str) -> Result<(), LibraryError> {
        if !self.included_only || !(is_path(name) || name.starts_with(EXEC)) {
            return Ok(());
        }
        let why = "files and programs cannot be named here; name one that carat includes";
        Err(LibraryError(why.to_string()))
    }

    /// The file at a path: beside the study, else in the working directory.
    fn file(&self, path: &str) -> Result<PathBuf, LibraryError> {
        let here = PathBuf::from(path);
        let Some(folder) = &self.beside else {
            return Ok(here);
        };
        match folder.join(path) {
            beside if beside.exists() => Ok(beside),
            beside if !here.exists() => {
                let shown = here.display();
                let places = if beside == here {
                    format!("{shown} beside the study")
                } else {
                    let beside = beside.display();
                    format!("{beside} (beside the study) or {shown} (in the working directory)")
                };
                Err(LibraryError(format!("cannot find {places}; {SHARING}")))
            }
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
            let LibraryError(why) = unknown(kind, name, game, known.collect());
            return Err(LibraryError(format!("in the manifest: {why}")));
        }
        Ok(pinned.cloned())
    }

    pub fn strategy(&self, game: &Game, name: &str) -> Result<Strategy, LibraryError> {
        self.strategy_in(game, name, &[])
    }

    /// The bot `name`, a part of the mixes in the files `outer`.
    fn strategy_in(
        &self,
        game: &Game,
        name: &str,
        outer: &[&str],
    ) -> Result<Strategy, LibraryError> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (game.name, name.to_string());
        if let Some(known) = known().get(&key) {
            return Ok(known.clone());
        }
        let (source, file) = self.strategy_source(game, name)?;
        let read = |game: &Game| self.read(game, name, &file, &source.text, outer);
        let strategy = read(game).map_err(|error| {
            let (own, mut others) = (game.name, GAMES.iter());
            match others.find(|other| other.name != own && read(other).is_ok()) {
                Some(other) => {
                    LibraryError(format!("{file}: a bot of {}, not of {own}", other.name))
                }
                None => error,
            }
        })?;
        if long_bots::file_of(&strategy.text).is_none() {
            known().insert(key, strategy.clone());
        }
        Ok(strategy)
    }

    /// The bot `name` that the text of `file` describes, a part of the mixes in the files `outer`.
    pub fn read(
        &self,
        game: &Game,
        name: &str,
        file: &str,
        text: &str,
        outer: &[&str],
    ) -> Result<Strategy, LibraryError> {
        let refused = |error| LibraryError::seat(file, error);
        let parsed = BotFile::parse(file, text)?;
        if let Some(mix) = MixFile::read(&parsed)? {
            if outer.contains(&file) {
                return Err(refused(SeatError::Itself(name.to_string())));
            }
            let inner = [outer, &[file]].concat();
            let mut seats = Vec::new();
            for (spec, _) in &mix.parts {
                seats.extend(copies(self.strategy_in(game, &spec.name, &inner)?, spec)?);
            }
            let mix = mix.bot(name, text, seats, game.vocabulary);
            return mix.map_err(refused);
        }
        if let Some(program) = Program::read(name, &parsed, game.vocabulary)? {
            return Ok(program);
        }
        let Some(thinking) = ThinkingFile::read(&parsed)? else {
            return Ok(Strategy::read(name, &parsed, game.vocabulary)?);
        };
        // Checks the file itself first, as it may continue as this bot.
        let base = &thinking.base;
        let (source, base_file) = self.strategy_source(game, &base.name)?;
        if ThinkingFile::read(&BotFile::parse(&base_file, &source.text)?)?.is_some() {
            return Err(refused(SeatError::Thinks(source.name)));
        }
        let mut base = copies(self.strategy_in(game, &base.name, outer)?, base)?;
        thinking.bot(name, text, base.remove(0)).map_err(refused)
    }

    /// The population adapted to this table, or its stand-in.
    fn population(&self, game: &Game, table: &MadeFor) -> Result<Strategy, LibraryError> {
        let read = |text: &str| self.read(game, ADAPTED, "adapted.toml", text, &[]);
        let mut all: Vec<Strategy> = Vec::new();
        for source in (self.strategies.iter()).filter(|source| source.name == ADAPTED) {
            if all.iter().all(|known| *known.text != source.text) {
                all.push(read(&source.text)?);
            }
        }
        let of = |bot: &Strategy| bot.made_for.clone().unwrap_or_default();
        let own = all.iter().find(|bot| of(bot).is_same_table(table));
        let for_as_many = all
            .iter()
            .rev()
            .find(|bot| of(bot).players == table.players);
        let nearest = for_as_many.or(all.first());
        let found = own.or(nearest.filter(|_| self.stand_in == StandIn::Nearest));
        if let Some(table) = found.map(of) {
            let mut own = all.into_iter().filter(|bot| of(bot).is_same_table(&table));
            let first = own.next().expect("it was found");
            let populations = own.collect();
            return Ok(Strategy {
                populations,
                ..first
            });
        }
        match (self.stand_in, game.family) {
            (StandIn::Family, Some(family)) => {
                let (made_for, family) = (table.line(), quoted(family));
                read(&format!("{made_for}\nmix = {{ {family} = 1 }}\n"))
            }
            _ => Err(LibraryError(format!(
                "adapted: no population for {table} exists yet; run `carat adapt {}` for this \
                 table, and name its adapted.toml instead",
                game.name
            ))),
        }
    }

    /// The rules file `name` of `game`: the text of an edition, or of a file. Adds keys that an
    /// older file lacks, with a warning in `older`.
    pub fn rules_source(&self, game: &Game, name: &str) -> Result<SourceText, LibraryError> {
        let mut source = self.rules_found(game, name)?;
        if let Some((text, lacked)) = completed(&source.text, game.older_rules) {
            source.text = text;
            let older = format!("rules {name}: an older file without some keys, so {lacked}");
            source.older = Some(older);
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
        self.check_included(name)?;
        if is_path(name) {
            return Ok(SourceText::new(name, read_text(&self.file(name)?)?));
        }
        let known = game.editions.iter().map(|edition| edition.name);
        Err(unknown("edition", name, game, known.collect()))
    }

    /// The bots that a seat such as `3*threshold:target=8` stands for.
    pub fn seats(&self, game: &Game, spec: &SeatSpec) -> Result<Vec<Seat>, LibraryError> {
        copies(self.strategy(game, &spec.name)?, spec)
    }

    /// The bots of a seat at a table, where its own population plays as `adapted`.
    pub fn seats_at(
        &self,
        game: &Game,
        spec: &SeatSpec,
        table: &MadeFor,
    ) -> Result<Vec<Seat>, LibraryError> {
        match spec.name.as_str() {
            ADAPTED => copies(self.population(game, table)?, spec),
            _ => self.seats(game, spec),
        }
    }
}

/// Copies of a bot with the values of a seat.
fn copies(mut strategy: Strategy, spec: &SeatSpec) -> Result<Vec<Seat>, LibraryError> {
    if let Some(file) = long_bots::file_of(&strategy.text) {
        return Err(LibraryError(long_bots::lack(file)));
    }
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

/// The table that has no population yet, if the bot is its stand-in.
pub fn table_of_stand_in(bot: &Strategy) -> Option<&MadeFor> {
    let made_for = bot.made_for.as_ref();
    made_for.filter(|made_for| bot.name == ADAPTED && made_for.by.is_none())
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
    /// The tables of stand-ins, which have no populations yet.
    pub not_adapted: Vec<MadeFor>,
    /// Warnings about rules files of older versions.
    pub older: BTreeSet<String>,
}

impl Sources {
    pub fn library(&self) -> Library {
        Library::pinned(self.strategies.clone(), self.rules.clone())
    }

    /// Adds a rules file and the bots at its table.
    pub fn add(&mut self, rules: &SourceText, seats: &[Seat]) {
        add_once(&mut self.rules, &rules.name, &rules.text);
        self.older.extend(rules.older.clone());
        for seat @ Seat { strategy, .. } in seats {
            self.program = self.program.take().or(seat.formula_only().err());
            match table_of_stand_in(strategy) {
                Some(table) if self.not_adapted.contains(table) => {}
                Some(table) => self.not_adapted.push(table.clone()),
                None => {
                    for bot in strategy.each_population() {
                        add_once(&mut self.strategies, &bot.name, &bot.text);
                    }
                }
            }
            for (name, text) in strategy.each_population().flat_map(|bot| &bot.made_of) {
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
    if file.is_dir() {
        let why = format!("{name}: a folder; name a file in it");
        return Err(LibraryError(why));
    }
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

/// How to share a study with all files that it names.
pub const SHARING: &str = "to share a study as one file, send the manifest.json of its results, which \
                           contains its rules and bots";

/// Whether a bot or rules file is named by its path.
pub fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || name.ends_with(".toml")
}

fn unknown(kind: &str, name: &str, game: &Game, known: Vec<&str>) -> LibraryError {
    let help = match nearest(name, known.iter().copied()) {
        Some(near) if near == name => "; its file cannot be read".to_string(),
        Some(near) => {
            let (game, near) = (game.name, format!("did you mean `{near}`?"));
            return LibraryError(format!("no {kind} called `{name}` for {game}; {near}"));
        }
        None => String::new(),
    };
    // A damaged manifest may have any text as a name.
    let known = known.into_iter().filter(|name| name.len() < LONG);
    let (game, known) = (game.name, Vec::from_iter(known).join(", "));
    LibraryError(format!(
        "no {kind} called `{name}` for {game}{help}\nthe {kind}s of {game} are {known}"
    ))
}
