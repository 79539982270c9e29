//! Answers about tables: what can be changed there, what comes of many games, step by step, also
//! against another table, and the files of a study.

use super::advice::estimate_fields;
use super::games::{describe_game, list_metrics};
use super::shares::{Earlier, Shares};
use super::{
    Asker, Desk, Fault, Fields, Say, check_empty, fault, fields, file_of, in_table, misread,
    resolve, stopped, take,
};
use crate::report::{Report, add_baseline, csv, manifest, svg_of};
use crate::study::advise::default_playouts;
use crate::study::compare::Resolved;
use crate::study::kept_game::KeptGame;
use crate::study::{Analyse, RunSpec, SeatedTable, Simulate, Spec, Study, Sweep, TableSpec, names};
use carat_charts::Chart;
use carat_charts::theme::{Paper, Reach};
use carat_core::format;
use carat_core::game::moments::Options;
use carat_core::game::{Allowed, PLAYING_MINUTES, RulesKey};
use carat_core::library::{ADAPTED, SourceText};
use carat_core::overrides::apply;
use carat_core::simulation::{Discard, FinishedParts, Listener, Player};
use carat_core::strategy::SeatSpec;
use fearless_simd::Level;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::iter;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// The steps of a simulation in parts of the games that a study has by default: 20 thousand, 100
/// thousand, 500 thousand and 2 million games of Diamant.
pub const STEPS: [f64; 4] = [0.02, 0.1, 0.5, 2.0];
/// A sweep is shown after this part of its games, too.
const FIRST_OF_SWEEP: u64 = 10;
/// Standard errors of a difference from which a verdict is said: 5 % for all steps together.
const CLEAR: f64 = 2.498;
/// Widths of charts in pixels.
const WIDTHS: std::ops::RangeInclusive<f64> = 240.0..=2000.0;
/// The largest end of an axis.
const REACH_MAX: f64 = 1e9;
/// The chart, and the tables, that only a whole run needs.
const CONVERGENCE: &str = "convergence";
const LONG: [&str; 2] = ["scores", CONVERGENCE];

/// The ends of the axes of charts, by name.
type Ends = BTreeMap<String, Reach>;

/// A question about a table.
pub struct Asked<'a> {
    pub table: TableSpec,
    seed: u64,
    pub games: Option<u64>,
    pin: Option<TableSpec>,
    /// The keys of a sweep.
    vary: Option<Value>,
    metric: Option<Value>,
    pub width: Option<f64>,
    pub reach: Ends,
    /// Whether results are shown as they come.
    pub is_shown: bool,
    shares: Shares,
    pub stop: &'a AtomicBool,
    pub say: Say<'a>,
}

impl<'a> Asked<'a> {
    pub fn read(
        question: &mut Fields,
        mut table: TableSpec,
        asker: Asker<'a>,
    ) -> Result<Asked<'a>, Fault> {
        let run = json!({ "seed": question.remove("seed").unwrap_or(json!(1)) });
        let run: RunSpec = serde_json::from_value(run).map_err(|error| misread("seed", error))?;
        let mut pin: Option<TableSpec> = take(question, "pin")?;
        if names(&(&table, &pin, question.get("metric")), PLAYING_MINUTES).map_err(in_table)? {
            for table in iter::once(&mut table).chain(&mut pin) {
                table.define_minutes().map_err(in_table)?;
            }
        }
        if let Some(pin) = pin.as_ref().filter(|pin| pin.game != table.game) {
            let why = format!("a table of {}, not of {}", pin.game, table.game);
            return Err(fault("pin", why));
        }
        let asked = Asked {
            table,
            seed: run.seed,
            games: take(question, "games")?,
            pin,
            vary: question.remove("vary"),
            metric: question.remove("metric"),
            width: read_width(question)?,
            reach: take(question, "reach")?.unwrap_or_default(),
            is_shown: false,
            shares: Shares::read(question)?,
            stop: asker.stop,
            say: asker.say,
        };
        let ends = asked.reach.values().flatten().flatten();
        if ends
            .flat_map(|(from, to)| [from, to])
            .any(|end| end.abs() > REACH_MAX)
        {
            let why = format!("write ends from -{REACH_MAX} to {REACH_MAX}");
            return Err(fault("reach", why));
        }
        check_empty(question, "in a question about a table")?;
        Ok(asked)
    }

    fn run(&self, games: u64) -> RunSpec {
        let mut run = RunSpec {
            seed: self.seed,
            ..RunSpec::default()
        };
        run.fix_games(games);
        run
    }

    pub fn study(&self, table: &TableSpec, games: u64) -> Study {
        let mut spec = Spec::of(table.clone());
        spec.run = self.run(games);
        Study::Simulate(Simulate { spec, metric: None })
    }
}

impl Desk {
    /// The threads of all desks, until the flag is set.
    pub fn player<'a>(
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

    /// Plays a study to its end.
    pub fn play(&self, study: &Study, stop: &AtomicBool) -> Result<Report, Fault> {
        let report = self.play_on(study, &mut Earlier::default(), stop)?;
        report.ok_or_else(stopped)
    }

    /// Plays a study from the sums of an earlier one; `None` if it was stopped, or is a shard.
    fn play_on(
        &self,
        study: &Study,
        earlier: &mut Earlier,
        stop: &AtomicBool,
    ) -> Result<Option<Report>, Fault> {
        let ready = study.resolve(&self.library).map_err(in_table)?;
        let manifest = manifest(&ready);
        let (sharing, played, mut discard) = (earlier.sharing, AtomicU64::new(0), Discard);
        let mut player = self.player((stop, &played), &mut discard, earlier);
        player.sharing = sharing;
        let played = ready.play(&mut player).map_err(in_table)?;
        let report = played.map(|played| Report::of(&played, manifest));
        let mut report = report.filter(|report| !report.manifest.partial);
        if let Some(report) = &mut report {
            earlier.state = Some(std::mem::take(&mut report.content.state));
        }
        Ok(report)
    }

    /// Resolves a table without programs, after adapting its populations, and checks the number of
    /// games.
    fn seated(
        &mut self,
        asked: &mut Asked,
        table: &TableSpec,
    ) -> Result<(SeatedTable, u64), Fault> {
        self.adapt(asked, table, &asked.study(table, 1))?;
        let seated = resolve(table, &self.library)?;
        let games = asked.games.unwrap_or_else(|| step(&seated, STEPS[0]));
        let (most, cost) = (self.shared.limits.games, seated.table.cost());
        self.shared.check("games", games, most, cost)?;
        Ok((seated, games))
    }

    /// Plays a table in steps, each with all results so far, and compares it with the pinned one.
    pub fn simulate(&mut self, asked: &mut Asked) -> Result<Fields, Fault> {
        let (table, pin) = (asked.table.clone(), asked.pin.clone());
        asked.is_shown = true;
        let (seated, games) = self.seated(asked, &table)?;
        asked.is_shown = false;
        if let Some(pin) = &pin {
            self.seated(asked, pin)?;
        }
        let ends = STEPS.map(|part| step(&seated, part)).into_iter();
        let ends = ends.filter(|end| *end < games).chain([games]);
        let mut shares = std::mem::take(&mut asked.shares);
        shares.check(&self.plays_of(asked))?;
        for (step, end) in ends.enumerate() {
            if shares.step.is_some_and(|own| own != step) {
                continue;
            }
            let [own, pinned, both] = &mut shares.plays;
            let report = self.play_on(&asked.study(&table, end), own, asked.stop)?;
            let (mut baseline, mut compared) = (None, None);
            if let Some(pin) = &pin {
                if asked.width.is_some() {
                    baseline = self.play_on(&asked.study(pin, end), pinned, asked.stop)?;
                }
                compared = self.compare(asked, pin, end, both)?;
            }
            let (Some(mut report), true) = (report, compared.is_some() == pin.is_some()) else {
                return shares.sums(asked.stop);
            };
            if let Some(baseline) = &baseline {
                add_baseline(&mut report.content.charts, &baseline.content.charts);
            }
            let mut answer = results(&report, asked.width, &asked.reach);
            answer.insert("games".to_string(), json!(end));
            answer.insert("done".to_string(), json!(end == games));
            answer.insert("warnings".to_string(), json!(seated.said()));
            if let Some(compared) = compared {
                answer.insert("differences".to_string(), compared);
            }
            if end < games && shares.is_merge() {
                (asked.say)(shares.state()?);
            }
            if end == games || shares.is_merge() {
                return Ok(answer);
            }
            (asked.say)(answer);
        }
        Err(shares.no_step())
    }

    /// Plays a table with each of several values, and says how metrics go with them, after a part
    /// of the games and in the end.
    pub fn sweep(&mut self, asked: &mut Asked) -> Result<Fields, Fault> {
        let table = asked.table.clone();
        let mut own = Fields::new();
        for (name, value) in [("vary", asked.vary.take()), ("metric", asked.metric.take())] {
            own.extend(value.map(|value| (name.to_string(), value)));
        }
        let sweep: Sweep =
            serde_json::from_value(Value::Object(own)).map_err(|error| misread("vary", error))?;
        let mut study = Sweep {
            spec: Spec::of(table.clone()),
            ..sweep
        };
        self.adapt(asked, &table, &study.clone().into())?;
        let (seated, games) = self.seated(asked, &table)?;
        let resolved = study.resolve(&self.library).map_err(in_table)?;
        let cells = resolved.arms.len() as u64;
        let (most, cost) = (self.shared.limits.games, seated.table.cost());
        self.shared
            .check("games", games * cells, most * cells, cost)?;
        let mut shares = std::mem::take(&mut asked.shares);
        shares.check(&format!("{:?} {}", study.vary, self.plays_of(asked)))?;
        for (step, end) in [games / FIRST_OF_SWEEP, games].into_iter().enumerate() {
            if shares.step.is_some_and(|own| own != step) {
                continue;
            }
            study.run = asked.run(end.max(1));
            let [own, ..] = &mut shares.plays;
            let Some(report) = self.play_on(&study.clone().into(), own, asked.stop)? else {
                return shares.sums(asked.stop);
            };
            let mut answer = results(&report, asked.width, &asked.reach);
            answer.insert("games".to_string(), json!(end));
            answer.insert("done".to_string(), json!(end == games));
            if end == games || shares.is_merge() {
                return Ok(answer);
            }
            (asked.say)(answer);
        }
        Err(shares.no_step())
    }

    /// All that decides about the games of a question.
    fn plays_of(&self, asked: &Asked) -> String {
        let texts = self.library.strategies.iter().chain(&self.library.rules);
        let texts = Vec::from_iter(texts.filter(|text| text.name != ADAPTED));
        format!(
            "{:?}",
            (&asked.table, asked.seed, asked.games, &asked.pin, texts)
        )
    }

    /// The differences to the pinned table in the same games; `None` if it was stopped, or is a
    /// shard.
    fn compare(
        &self,
        asked: &Asked,
        pin: &TableSpec,
        games: u64,
        earlier: &mut Earlier,
    ) -> Result<Option<Value>, Fault> {
        let tables = [("pinned", pin), ("now", &asked.table)];
        let resolved = Resolved::of_tables(tables, asked.run(games), &self.library);
        let (sharing, played, mut discard) = (earlier.sharing, AtomicU64::new(0), Discard);
        let mut player = self.player((asked.stop, &played), &mut discard, earlier);
        player.sharing = sharing;
        let compared = resolved.map_err(in_table)?.play(&mut player).ok();
        let Some(compared) = compared.filter(|all| all.games == games) else {
            return Ok(None);
        };
        let rows = compared.differences.iter().map(|of| {
            let (found, both) = (of.difference.difference, &of.difference);
            let verdict = match found.value {
                value if value.abs() <= CLEAR * found.se => None,
                0.0.. => Some("higher"),
                _ => Some("lower"),
            };
            let mut row = estimate_fields("difference", found);
            row.insert("metric".to_string(), json!(of.metric.to_string()));
            row.extend(fields(
                json!({ "pinned": both.a, "now": both.b, "verdict": verdict }),
            ));
            Value::Object(row)
        });
        let rows = rows.collect();
        earlier.state = Some(compared.state);
        Ok(Some(rows))
    }

    /// The files of a study: its tables, itself, and its rules.
    pub fn files(&mut self, asked: &mut Asked) -> Result<Fields, Fault> {
        let table = asked.table.clone();
        let (seated, games) = self.seated(asked, &table)?;
        let report = self.play(&asked.study(&table, games), asked.stop)?;
        let study = toml::to_string(&report.manifest.study).map_err(in_table)?;
        let mut files = fields(json!({ "study.toml": study, "rules.toml": rules_text(&seated)? }));
        for sheet in report.tables() {
            files.insert(format!("{}.csv", sheet.name), json!(csv(sheet)));
        }
        Ok(fields(json!({ "files": files })))
    }

    /// What there is to change at a table, and what is measured there.
    pub fn about(&mut self, table: &TableSpec) -> Result<Fields, Fault> {
        let library = self.library.clone().with_stand_ins();
        let seated = resolve(table, &library)?;
        let rules: toml::Table = rules_text(&seated)?.parse().unwrap_or_default();
        let mut game = describe_game(seated.game, &self.library);
        game["unit"] = json!(seated.game.score_unit);
        game["reference"] = json!(seated.table.reference());
        game["playouts"] = json!(default_playouts(seated.game));
        game["steps"] = json!(STEPS.map(|part| step(&seated, part)));
        let seats = seated.spec.seats.iter().flat_map(SeatSpec::each);
        Ok(fields(json!({
            "game": game,
            "keys": seated.game.rules_keys.iter().map(key).collect::<Value>(),
            "rules": rules,
            "seats": Vec::from_iter(seats.map(|seat| seat.to_string())),
            "metrics": list_metrics(&seated),
            "warnings": seated.said(),
        })))
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
        let report = self.play(&study, stop)?;
        let tables = report.to_json().map_err(in_table)?["tables"].take();
        let summary = &report.summary;
        Ok(fields(json!({ "summary": summary, "tables": tables })))
    }
}

/// The width of pictures.
pub fn read_width(question: &mut Fields) -> Result<Option<f64>, Fault> {
    let width = take(question, "width")?;
    if width.is_some_and(|width| !WIDTHS.contains(&width)) {
        let (least, most) = (WIDTHS.start(), WIDTHS.end());
        let why = format!("write a number from {least} to {most}");
        return Err(fault("width", why));
    }
    Ok(width)
}

/// The board before a decision as SVG, this wide.
pub fn draw_board(options: &Options, at: &str, width: Option<f64>) -> Option<String> {
    let paper = Paper::of(width?, Paper::NARROW.height);
    let canvas = options.board.as_ref()?.canvas(at, paper).ok()??;
    canvas.svg().ok()
}

/// The games of a step at a table.
pub fn step(seated: &SeatedTable, part: f64) -> u64 {
    (part * seated.game.games as f64) as u64
}

/// A key of rules files: what it may be, and what it means.
fn key(key: &RulesKey) -> Value {
    let (kind, words) = match key.allowed {
        Allowed::Number(..) => ("number", [].as_slice()),
        Allowed::Formula(..) => ("formula", [].as_slice()),
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

fn rules_text(seated: &SeatedTable) -> Result<String, Fault> {
    let text = apply(&seated.rules.name, &seated.rules.text, &seated.spec.set);
    Ok(format::Format::with_line(&text.map_err(in_table)?))
}

/// The results so far, with charts of this width. Their axes span at least `ends`.
pub fn results(report: &Report, width: Option<f64>, ends: &Ends) -> Fields {
    let mut tables = report.to_json().unwrap_or_default()["tables"].take();
    if let Some(tables) = tables.as_object_mut() {
        tables.retain(|name, _| !LONG.contains(&name.as_str()));
    }
    let (mut charts, mut reach) = (Fields::new(), Fields::new());
    for chart in report.charts.iter().filter(|of| of.name != CONVERGENCE) {
        let Some(width) = width else { continue };
        let reached = ends.get(&chart.name).copied();
        let paper = Paper {
            reach: reached.unwrap_or_default(),
            ..Paper::of(width, Paper::NARROW.height)
        };
        // A chart that cannot be drawn is left out; its table is there.
        if let Ok(Some(canvas)) = chart.figure.canvas(&chart.played, paper)
            && let Ok(svg) = svg_of(&canvas)
        {
            charts.insert(chart.name.clone(), json!(svg));
            reach.insert(chart.name.clone(), json!(canvas.reach));
        }
    }
    fields(json!({
        "summary": report.summary, "tables": tables, "charts": charts, "reach": reach,
    }))
}
