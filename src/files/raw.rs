//! The games of a simulation as a Parquet file with one row per game or per decision, written in
//! row groups during play. Memory is bounded for any number of games.

use super::decisions::{Decisions, Noted, decision_columns};
use super::encode::{AnyFile, parquet_writer};
use super::store::{io_error, record_of_file};
use carat_core::game::{Layout, Record};
use carat_core::simulation::{EachGame, NotKept};
use carat_studies::report::FileRecord;
use carat_studies::study::Study;
use polars_core::prelude::{
    Column, DataFrame, DataType, PlSmallStr, PolarsError, PolarsResult, Schema,
};
use polars_io::parquet::write::BatchedWriter;
use polars_io::prelude::{ParquetReader, SerReader};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub const GAMES: &str = "games.parquet";
pub const DECISIONS: &str = "decisions.parquet";

/// Rows of a row group; the last may have fewer.
const ROWS: usize = 1 << 18;

pub struct RawGames {
    path: PathBuf,
    /// The recorder, if each row is a decision.
    decisions: Option<Decisions>,
    state: Mutex<State>,
}

/// How the integers of a column are written.
#[derive(Clone, Copy)]
pub enum Form {
    Whole,
    /// Divided by this number.
    Units(f64),
    /// As the bits of a single-precision number.
    Bits,
    /// As the label of a seat (from 0).
    Label,
}

struct State {
    writer: BatchedWriter<AnyFile<'static>>,
    forms: Vec<(PlSmallStr, Form)>,
    labels: Vec<Option<String>>,
    /// Played chunks by their first game: the game after their last, and their rows (none for
    /// decisions).
    played: BTreeMap<u64, (u64, Noted)>,
    next: u64,
    /// The first game that is not final.
    limit: u64,
    /// Rows that wait for a full group, column by column; the first column is the number of the
    /// game.
    numbers: Vec<i64>,
    columns: Vec<Vec<i32>>,
    fault: Option<PolarsError>,
}

/// A folder that goes when it is dropped; `None` where the system has none.
pub fn scratch() -> Option<tempfile::TempDir> {
    tempfile::tempdir().ok()
}

impl RawGames {
    /// Begins a file at `path` for games of this layout, or for decisions. `final_at_once`: every
    /// played game counts, none is dropped later.
    pub fn create(
        path: &Path,
        layout: &Layout,
        decisions: Option<Decisions>,
        study: &Study,
        final_at_once: bool,
    ) -> Result<RawGames, NotKept> {
        let file = File::create(path).map_err(io_error("write", path));
        let file = file.map_err(|error| NotKept(error.into()))?;
        let mut forms: Vec<(PlSmallStr, Form)> = Vec::new();
        if let Some(decisions) = &decisions {
            let columns = decision_columns(decisions.vocabulary).into_iter();
            forms.extend(columns.map(|(name, _, form)| (name.into(), form)));
        } else {
            let columns = layout.column_infos().into_iter();
            forms.extend(columns.map(|column| match column.units {
                1.0 => (column.name.into(), Form::Whole),
                units => (column.name.into(), Form::Units(units)),
            }));
        }
        let mut schema = Schema::default();
        schema.insert("game".into(), DataType::Int64);
        schema.extend(forms.iter().map(|(name, form)| {
            let of_type = match form {
                Form::Whole => DataType::Int32,
                Form::Units(_) => DataType::Float64,
                Form::Bits => DataType::Float32,
                Form::Label => DataType::String,
            };
            (name.clone(), of_type)
        }));
        let file: AnyFile = Box::new(file);
        let writer = parquet_writer(file, &schema, Some(study)).batched(&schema);
        let writer = writer.map_err(|error| NotKept(error.into()))?;
        Ok(RawGames {
            path: path.to_path_buf(),
            state: Mutex::new(State {
                writer,
                columns: vec![Vec::new(); forms.len()],
                forms,
                labels: decisions
                    .as_ref()
                    .map_or(Vec::new(), |of| of.labels.clone()),
                played: BTreeMap::new(),
                next: 0,
                limit: if final_at_once { u64::MAX } else { 0 },
                numbers: Vec::new(),
                fault: None,
            }),
            decisions,
        })
    }

    /// Completes the file, syncs it to the disk, and returns its record.
    pub fn finish(self, name: &str) -> Result<FileRecord, NotKept> {
        let state = self.state.into_inner();
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        let rest = state.numbers.len();
        let written = match state.fault.take() {
            Some(fault) => Err(fault),
            None => state.write(rest),
        };
        let ended = written.and_then(|()| state.writer.finish());
        ended.map_err(|fault| not_kept(&self.path, fault.into()))?;
        synced(&self.path, name)
    }
}

/// Syncs a complete file to the disk.
fn synced(path: &Path, name: &str) -> Result<FileRecord, NotKept> {
    let synced = File::open(path).and_then(|file| file.sync_all());
    let record = synced.and_then(|()| record_of_file(name, path));
    record.map_err(|error| not_kept(path, error.into()))
}

/// Joins the rows of shards, given in the order of their games, to the file of one machine; ends
/// early once `stop` is set.
pub fn join_rows(
    shards: &[PathBuf],
    path: &Path,
    study: &Study,
    stop: &AtomicBool,
) -> Result<FileRecord, NotKept> {
    let file = File::create(path).map_err(io_error("write", path));
    let file = file.map_err(|error| NotKept(error.into()))?;
    let joined = join(shards, Box::new(file), study, stop);
    joined.map_err(|fault| not_kept(path, fault.into()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    synced(path, &name)
}

fn join(
    shards: &[PathBuf],
    file: AnyFile<'static>,
    study: &Study,
    stop: &AtomicBool,
) -> PolarsResult<()> {
    let read = |shard: &Path, rows| {
        let reader = ParquetReader::new(File::open(shard)?);
        reader.with_slice(Some(rows)).finish()
    };
    let mut waiting = read(&shards[0], (0, 0))?;
    let mut writer =
        parquet_writer(file, waiting.schema(), Some(study)).batched(waiting.schema())?;
    for shard in shards {
        let all = ParquetReader::new(File::open(shard)?).num_rows()?;
        for first in (0..all).step_by(ROWS) {
            waiting.vstack_mut_owned(read(shard, (first, ROWS.min(all - first)))?)?;
            write_groups(&mut writer, &mut waiting, ROWS)?;
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
    }
    write_groups(&mut writer, &mut waiting, 1)?;
    writer.finish().map(drop)
}

/// Writes the waiting rows as row groups while there are at least `least`.
fn write_groups(
    writer: &mut BatchedWriter<AnyFile<'static>>,
    waiting: &mut DataFrame,
    least: usize,
) -> PolarsResult<()> {
    while waiting.height() >= least {
        let mut group = waiting.slice(0, ROWS);
        group.rechunk_mut();
        writer.write_batch(&group)?;
        *waiting = waiting.slice(ROWS as i64, ROWS);
    }
    Ok(())
}

impl EachGame for RawGames {
    fn begin(&self, first: u64) {
        lock(&self.state).next = first;
    }

    fn take(&self, first: u64, record: &Record) {
        let mut state = lock(&self.state);
        let end = first + record.games() as u64;
        let mut rows = Noted::default();
        if self.decisions.is_none() {
            let values = |column| record.column(column).to_vec();
            rows.numbers = (first as i64..end as i64).collect();
            rows.columns = (0..state.forms.len()).map(values).collect();
        }
        state.played.insert(first, (end, rows));
        state.write_final(self.decisions.as_ref());
    }

    fn complete(&self, end: u64) -> Result<(), NotKept> {
        let mut state = lock(&self.state);
        state.limit = state.limit.max(end);
        state.write_final(self.decisions.as_ref());
        let failure = self.decisions.as_ref().and_then(|of| of.table.failure());
        match (state.fault.take(), failure) {
            (Some(fault), _) => Err(not_kept(&self.path, fault.into())),
            (None, Some(why)) => Err(NotKept(why.into())),
            (None, None) => Ok(()),
        }
    }
}

impl State {
    /// Moves final games to the waiting rows in order, and writes every full row group.
    fn write_final(&mut self, decisions: Option<&Decisions>) {
        while self.next < self.limit
            && self.fault.is_none()
            && let Some((end, rows)) = self.played.remove(&self.next)
        {
            let first = std::mem::replace(&mut self.next, end);
            self.add(rows);
            let Some(decisions) = decisions else { continue };
            for from in (first..end).step_by(decisions.at_once()) {
                let upto = end.min(from + decisions.at_once() as u64);
                for rows in decisions.play(from, upto) {
                    self.add(rows);
                }
            }
        }
    }

    /// Adds rows to those that wait, and writes every full row group.
    fn add(&mut self, rows: Noted) {
        self.numbers.extend(rows.numbers);
        for (own, more) in self.columns.iter_mut().zip(rows.columns) {
            own.extend(more);
        }
        while self.numbers.len() >= ROWS && self.fault.is_none() {
            self.fault = self.write(ROWS).err();
        }
    }

    /// Writes the first waiting rows as a row group.
    fn write(&mut self, rows: usize) -> PolarsResult<()> {
        if rows == 0 {
            return Ok(());
        }
        let numbers: Vec<i64> = self.numbers.drain(..rows).collect();
        let mut columns = vec![Column::new("game".into(), numbers)];
        for ((name, form), column) in self.forms.iter().zip(&mut self.columns) {
            let (name, values) = (name.clone(), column.drain(..rows));
            columns.push(match form {
                Form::Whole => Column::new(name, values.collect::<Vec<i32>>()),
                Form::Units(units) => {
                    let values = values.map(|value| f64::from(value) / units);
                    Column::new(name, values.collect::<Vec<f64>>())
                }
                Form::Label => {
                    let labels = values.map(|seat| self.labels[seat as usize].as_deref());
                    Column::new(name, labels.collect::<Vec<_>>())
                }
                Form::Bits => {
                    let values = values.map(|bits| f32::from_bits(bits as u32));
                    Column::new(name, values.collect::<Vec<f32>>())
                }
            });
        }
        self.writer.write_batch(&DataFrame::new(rows, columns)?)
    }
}

fn not_kept(path: &Path, source: Box<dyn std::error::Error + Send + Sync>) -> NotKept {
    NotKept(format!("cannot write {}: {source}", path.display()).into())
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
