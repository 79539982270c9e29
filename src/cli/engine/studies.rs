//! Answers about tables: what can be changed there, what comes of many games, step by step, also
//! against another table, and the files of a study.

use super::desk::{Desk, Fault, Fields, Say, fault, file_of, take};
use crate::cli::advise::parts;
use crate::cli::list;
use crate::cli::show::metrics;
use crate::results::{Format, Report, encode, manifest, svg};
use crate::study::compare::Resolved;
use crate::study::kept_game::KeptGame;
use crate::study::{Analyse, Played, RunSpec, SeatedTable, Simulate, Spec, Study, TableSpec};
use carat_charts::theme::Paper;
use carat_core::format;
use carat_core::game::{Allowed, Game, RulesKey};
use carat_core::library::{ADAPTED, SourceText};
use carat_core::overrides::apply;
use carat_core::simulation::{Discard, FinishedParts, Listener, Player, Precision, lock};
use carat_core::strategy::SeatSpec;
use fearless_simd::Level;
use serde_json::{Map, Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The steps of a simulation in parts of the games that a study has by default: 20 thousand, 100
/// thousand, 500 thousand and 2 million games of Diamant.
const STEPS: [f64; 4] = [0.02, 0.1, 0.5, 2.0];
/// Standard errors of a difference from which a verdict is said: 5 % for all steps together.
const CLEAR: f64 = 2.498;
/// Between two reports of progress.
const OFTEN: Duration = Duration::from_millis(100);
/// Widths of charts in pixels.
const WIDTHS: std::ops::RangeInclusive<f64> = 240.0..=2000.0;
/// The chart, and the tables, that only a whole run needs.
const CONVERGENCE: &str = "convergence";
const LONG: [&str; 2] = ["scores", CONVERGENCE];

/// A question about a table.
pub struct Asked<'a> {
    pub table: TableSpec,
    seed: u64,
    games: Option<u64>,
    pin: Option<TableSpec>,
    width: Option<f64>,
    stop: &'a AtomicBool,
    say: Say<'a>,
}

/// The sums of the step before, to which games are added.
struct Earlier(Option<Vec<u8>>);

impl FinishedParts for Earlier {
    fn recall_state(&mut self, _of: &str) -> Option<Vec<u8>> {
        self.0.take()
    }
}

/// Says how far a population is.
struct Adapting<'a, 'b> {
    say: &'a mut Say<'b>,
    played: &'a AtomicU64,
    planned: u64,
    last: Instant,
}

impl Listener for Adapting<'_, '_> {
    fn planned(&mut self, games: u64) {
        self.planned = games;
    }

    fn checkpoint(&mut self, _precision: Option<Precision>) {
        if self.last.elapsed() < OFTEN {
            return;
        }
        self.last = Instant::now();
        let played = self.played.load(Ordering::Relaxed);
        let share = played as f64 / self.planned.max(played).max(1) as f64;
        (self.say)(Map::from_iter([("adapting".to_string(), json!(share))]));
    }
}

impl<'a> Asked<'a> {
    pub fn read(
        question: &mut Fields,
        table: TableSpec,
        to: (&'a AtomicBool, Say<'a>),
    ) -> Result<Asked<'a>, Fault> {
        let run = json!({ "seed": question.remove("seed").unwrap_or(json!(1)) });
        let run: RunSpec = serde_json::from_value(run).map_err(|error| fault("seed", error))?;
        let asked = Asked {
            table,
            seed: run.seed,
            games: take(question, "games")?,
            pin: take(question, "pin")?,
            width: take(question, "width")?,
            stop: to.0,
            say: to.1,
        };
        if asked.width.is_some_and(|width| !WIDTHS.contains(&width)) {
            let (least, most) = (WIDTHS.start(), WIDTHS.end());
            return Err(fault("width", format!("write a number from {least} to {most}")));
        }
        match question.keys().next() {
            Some(field) => Err(fault(field, "not allowed in a question about a table")),
            None => Ok(asked),
        }
    }

    fn run(&self, games: u64) -> RunSpec {
        RunSpec {
            games: Some(games),
            seed: self.seed,
            ..RunSpec::default()
        }
    }

    fn study(&self, table: &TableSpec, games: u64) -> Study {
        let spec = Spec {
            run: self.run(games),
            ..Spec::of(table.clone())
        };
        Study::Simulate(Simulate { spec, metric: None })
    }
}

/// Why a study that was stopped has no answer.
fn stopped() -> Fault {
    fault("ask", "was stopped")
}

impl Desk {
    /// Makes the populations of all threads known here.
    pub fn share_populations(&mut self) {
        let known = lock(&self.shared.populations);
        if known.len() > self.library.strategies.len() {
            self.library.strategies.clone_from(&known);
        }
    }

    /// The threads of all desks, until the flag is set.
    fn player<'a>(
        &'a self,
        until: (&'a AtomicBool, &'a AtomicU64),
        listener: &'a mut dyn Listener,
        finished: &'a mut dyn FinishedParts,
    ) -> Player<'a> {
        Player {
            threads: &self.shared.threads,
            level: Level::new(),
            stop: until.0,
            played: until.1,
            listener,
            finished,
            sharing: None,
            each: None,
        }
    }

    /// Plays a study; `None` if it was stopped.
    fn play(
        &self,
        study: &Study,
        earlier: Option<Vec<u8>>,
        stop: &AtomicBool,
    ) -> Result<Option<Report>, Fault> {
        let ready = study.resolve(&self.library);
        let ready = ready.map_err(|error| fault("table", error))?;
        let manifest = manifest(&ready);
        let (mut earlier, played, mut discard) = (Earlier(earlier), AtomicU64::new(0), Discard);
        let mut player = self.player((stop, &played), &mut discard, &mut earlier);
        let played = ready.play(&mut player);
        let played = played.map_err(|error| fault("table", error))?;
        Ok(played.map(|played| Report::of(&played, manifest)))
    }

    /// Makes the populations that a table needs, and saves them for all threads.
    fn adapt(&mut self, asked: &mut Asked, table: &TableSpec) -> Result<(), Fault> {
        self.share_populations();
        let is_adapted = |seat: &SeatSpec| seat.name == ADAPTED;
        let others = table.others.iter().flat_map(|others| others.each());
        if !table.seats.iter().cloned().chain(others).any(|seat| is_adapted(&seat)) {
            return Ok(());
        }
        let library = self.library.clone().with_stand_ins();
        let planned = asked.study(table, 1).resolve(&library);
        for adapt in planned.map_err(|error| fault("table", error))?.plan {
            let ready = Study::Adapt(adapt).resolve(&self.library);
            let ready = ready.map_err(|error| fault("table", error))?;
            let played = AtomicU64::new(0);
            let mut listener = Adapting {
                say: &mut asked.say,
                played: &played,
                planned: 0,
                last: Instant::now(),
            };
            let mut discard = Discard;
            let mut player = self.player((asked.stop, &played), &mut listener, &mut discard);
            let made = ready.play(&mut player);
            let Some(Played::Adapt(made)) = made.map_err(|error| fault("table", error))? else {
                return Err(stopped());
            };
            lock(&self.shared.populations).push(SourceText::new(ADAPTED, made.file()));
            self.share_populations();
        }
        Ok(())
    }

    /// A table without programs, whose populations exist.
    fn seated(&mut self, asked: &mut Asked, table: &TableSpec) -> Result<SeatedTable, Fault> {
        self.adapt(asked, table)?;
        let seated = table.resolve(&self.library);
        let seated = seated.and_then(SeatedTable::without_programs);
        seated.map_err(|error| fault("table", error))
    }

    /// The games of a question, which the table may ask for.
    fn games(&self, asked: &Asked, seated: &SeatedTable, default: u64) -> Result<u64, Fault> {
        let games = asked.games.unwrap_or(default);
        let (most, cost) = (self.shared.limits.games, seated.table.cost());
        self.shared.check("games", games, most, cost)?;
        Ok(games)
    }

    /// Plays a table in steps, each with all results so far, and compares it with the pinned one.
    pub fn simulate(&mut self, asked: &mut Asked) -> Result<Fields, Fault> {
        let table = asked.table.clone();
        let seated = self.seated(asked, &table)?;
        let pin = asked.pin.clone();
        if let Some(pin) = &pin {
            self.seated(asked, pin)?;
        }
        let steps = STEPS.map(|part| (part * seated.game.games as f64) as u64);
        let games = self.games(asked, &seated, steps[0])?;
        let mut ends = Vec::from_iter(steps.into_iter().filter(|step| *step < games));
        ends.push(games);
        let (mut state, mut sums) = (None, None);
        for end in ends {
            let Some(report) = self.play(&asked.study(&table, end), state, asked.stop)? else {
                return Err(stopped());
            };
            let mut answer = results(&report, asked.width);
            if let Some(pin) = &pin {
                let (compared, all) = self.compare(asked, pin, end, sums)?;
                answer.insert("differences".to_string(), compared);
                sums = Some(all);
            }
            if report.manifest.partial || asked.stop.load(Ordering::Relaxed) {
                return Err(stopped());
            }
            answer.insert("games".to_string(), json!(end));
            answer.insert("done".to_string(), json!(end == games));
            answer.insert("warnings".to_string(), json!(seated.warnings));
            if end == games {
                return Ok(answer);
            }
            (asked.say)(answer);
            state = Some(report.content.state);
        }
        Err(stopped())
    }

    /// The differences to the pinned table in the same games, and all sums.
    fn compare(
        &self,
        asked: &Asked,
        pin: &TableSpec,
        games: u64,
        sums: Option<Vec<u8>>,
    ) -> Result<(Value, Vec<u8>), Fault> {
        let tables = [("pinned", pin), ("now", &asked.table)];
        let resolved = Resolved::of_tables(tables, asked.run(games), &self.library);
        let resolved = resolved.map_err(|error| fault("pin", error))?;
        let (mut earlier, played, mut discard) = (Earlier(sums), AtomicU64::new(0), Discard);
        let mut player = self.player((asked.stop, &played), &mut discard, &mut earlier);
        let compared = resolved.play(&mut player);
        let compared = compared.map_err(|_| stopped())?;
        let rows = compared.differences.iter().map(|of| {
            let found = of.difference.difference;
            let verdict = match found.value {
                _ if found.value.abs() <= CLEAR * found.se => None,
                0.0.. => Some("higher"),
                _ => Some("lower"),
            };
            let mut row = Map::from_iter([
                ("metric".to_string(), json!(of.metric.to_string())),
                ("pinned".to_string(), json!(of.difference.a)),
                ("now".to_string(), json!(of.difference.b)),
            ]);
            row.extend(parts("difference", found));
            row.insert("verdict".to_string(), json!(verdict));
            Value::Object(row)
        });
        Ok((rows.collect(), compared.state.clone()))
    }

    /// The files of a study: its tables, itself, and its rules.
    pub fn files(&mut self, asked: &mut Asked) -> Result<Fields, Fault> {
        let table = asked.table.clone();
        let seated = self.seated(asked, &table)?;
        let games = self.games(asked, &seated, seated.game.games)?;
        let report = self.play(&asked.study(&table, games), None, asked.stop)?;
        let report = report.filter(|report| !report.manifest.partial);
        let report = report.ok_or_else(stopped)?;
        let study = toml::to_string(&report.manifest.study);
        let study = study.map_err(|error| fault("table", error))?;
        let mut files = Map::new();
        files.insert("study.toml".to_string(), json!(study));
        files.insert("rules.toml".to_string(), json!(rules_text(&seated)?));
        for sheet in &report.sheets {
            let csv = encode(sheet, Format::Csv).map_err(|error| fault("table", error))?;
            let csv = String::from_utf8_lossy(&csv).into_owned();
            files.insert(format!("{}.csv", sheet.name), json!(csv));
        }
        Ok(Map::from_iter([("files".to_string(), files.into())]))
    }

    /// What there is to change at a table, and what is measured there.
    pub fn about(&mut self, table: &TableSpec) -> Result<Fields, Fault> {
        let library = self.library.clone().with_stand_ins();
        let seated = table.resolve(&library);
        let seated = seated.and_then(SeatedTable::without_programs);
        let seated = seated.map_err(|error| fault("table", error))?;
        let text = rules_text(&seated)?;
        let rules: toml::Table = text.parse().unwrap_or_default();
        let seats = seated.spec.seats.iter().flat_map(SeatSpec::each);
        let seats = Vec::from_iter(seats.map(|seat| seat.to_string()));
        Ok(Map::from_iter([
            ("game".to_string(), about_game(seated.game, &self.library)),
            ("keys".to_string(), seated.game.rules_keys.iter().map(key).collect()),
            ("rules".to_string(), json!(rules)),
            ("seats".to_string(), json!(seats)),
            ("metrics".to_string(), metrics(&seated).records),
            ("warnings".to_string(), json!(seated.warnings)),
        ]))
    }

    /// The analysis of the decisions of a game that is over.
    pub fn review(
        &self,
        kept: &KeptGame,
        playouts: u64,
        stop: &AtomicBool,
    ) -> Result<Fields, Fault> {
        let study = Study::Analyse(Analyse {
            record: vec![SourceText::new("", file_of(kept)?)],
            seat: Some(kept.me),
            playouts: Some(playouts),
            ..Analyse::of(TableSpec::of(&kept.table.game))
        });
        let report = self.play(&study, None, stop)?.ok_or_else(stopped)?;
        let tables = report.to_json().map_err(|error| fault("moves", error))?;
        Ok(Map::from_iter([
            ("summary".to_string(), json!(report.summary)),
            ("tables".to_string(), tables["tables"].clone()),
        ]))
    }
}

fn about_game(game: &Game, library: &carat_core::library::Library) -> Value {
    let mut about = list::record(game, library);
    about["unit"] = json!(game.score_unit);
    about["steps"] = json!(STEPS.map(|part| (part * game.games as f64) as u64));
    about
}

/// A key of rules files: what it may be, and what it means.
fn key(key: &RulesKey) -> Value {
    let (kind, words) = match key.allowed {
        Allowed::Number(..) => ("number", [].as_slice()),
        Allowed::Numbers(..) => ("numbers", [].as_slice()),
        Allowed::Counts(..) => ("counts", [].as_slice()),
        Allowed::Named(..) => ("named", [].as_slice()),
        Allowed::Words(words) => ("words", words),
        Allowed::Switch => ("switch", [].as_slice()),
        Allowed::Table => ("table", [].as_slice()),
    };
    let (least, most) = (*key.range().start(), *key.range().end());
    json!({
        "path": key.path, "kind": kind, "least": least, "most": most, "words": words,
        "meaning": key.meaning,
    })
}

/// The rules of a table as a file.
fn rules_text(seated: &SeatedTable) -> Result<String, Fault> {
    let text = apply(&seated.rules.name, &seated.rules.text, &seated.spec.set);
    let text = text.map_err(|error| fault("table", error))?;
    Ok(format::Format::with_line(&text))
}

/// The results of a table so far, with its charts in this width.
fn results(report: &Report, width: Option<f64>) -> Fields {
    let mut answer = Fields::new();
    answer.insert("summary".to_string(), json!(report.summary));
    let mut tables = report.to_json().unwrap_or_default()["tables"].take();
    if let Some(tables) = tables.as_object_mut() {
        tables.retain(|name, _| !LONG.contains(&name.as_str()));
    }
    answer.insert("tables".to_string(), tables);
    let Some(width) = width else {
        return answer;
    };
    let mut charts = Fields::new();
    for chart in report.charts.iter().filter(|chart| chart.name != CONVERGENCE) {
        // A chart that cannot be drawn is left out; its table is there.
        if let Ok(Some(svg)) = svg(chart, Paper { width }) {
            charts.insert(chart.name.clone(), json!(svg));
        }
    }
    answer.insert("charts".to_string(), charts.into());
    answer
}
