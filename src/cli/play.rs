//! The steps of every study: resolve its names, play it, make its report, deliver the report.

use super::args::{PlayArgs, Raw, reports_out};
use super::deliver::Delivery;
use super::dry_run::dry_run;
use super::error::{CliError, usage};
use super::junit;
use super::machine::{Machine, only_table};
use super::shard::{check_shards, play_shard};
use crate::files::{DECISIONS, GAMES, JOURNAL, Journal, Output, RawGames, recall};
use carat_core::diagnostic::counted;
use carat_core::library::{Library, StandIn};
use carat_core::numbers;
use carat_core::simulation::{Discard, FinishedParts};
use carat_studies::populations::make_populations;
use carat_studies::report::{self, FileRecord, Manifest, Report};
use carat_studies::study::{Compare, Played, Ready, Remark, Study};
use std::path::PathBuf;

// A study as typed: its keys, and how to play it. A doc comment here would become help text.
#[derive(clap::Args)]
pub struct Typed<K: clap::Args> {
    #[command(flatten)]
    study: K,
    #[command(flatten)]
    play: PlayArgs,
}

impl<K: clap::Args + Clone + Into<Study>> Typed<K> {
    /// Plays the study; its results go to a folder named after its game and kind.
    pub fn run(&self) -> Result<(), CliError> {
        let study = self.study.clone().into();
        if let Study::Compare(Compare { sides, each, .. }) = &study
            && sides.0.is_empty()
            && each.is_none()
        {
            usage!(
                "a comparison needs at least two sides: add one, such as --b \
                 rules.traps.snake=4 or --b seats.1=depth; or use --each to change each number of \
                 the rules by one step"
            );
        }
        let name = match &study {
            Study::Simulate(study) => study.table.game.clone(),
            _ => format!("{}-{}", study.table.game, study.kind()),
        };
        play(&study, Library::here(), reports_out(&name), &self.play)
    }
}

/// Plays a study, or one shard of it; its results go to `folder` unless the arguments name another.
pub fn play(
    study: &Study,
    mut library: Library,
    folder: PathBuf,
    args: &PlayArgs,
) -> Result<(), CliError> {
    library.anew = args.restart;
    if let Some(file) = args.output.page() {
        let shown = file.display();
        if !study.is_to_print() {
            usage!(
                "--out {shown}: only `carat rule` and `carat describe` write a page to print; name a folder"
            );
        }
        if std::fs::read(file).is_ok_and(|there| !there.starts_with(b"%PDF")) {
            usage!("--out {shown}: carat did not write this file; choose another name");
        }
    }
    if (args.output.gate || args.output.junit.is_some()) && !study.is_judged() {
        usage!("--gate and --junit: nothing is expected; add --expect METRIC=LOW..HIGH");
    }
    if let Some(file) = &args.output.junit {
        junit::prepare(file, &folder, args)?;
    }
    if args.shard.is_some() {
        check_shards(study)?;
    }
    let resolved = resolve(study, library.clone(), args)?;
    args.output.warn(&resolved.warnings);
    if args.dry_run {
        return dry_run(resolved, &library, folder, args);
    }
    match args.shard {
        Some(shard) => play_shard(resolved, shard, folder, args),
        None => play_all(resolved, folder, args),
    }
}

/// Resolves a study. Its populations are made first, except for a dry run.
fn resolve(study: &Study, mut library: Library, args: &PlayArgs) -> Result<Ready, CliError> {
    let planned = study.resolve(&library.clone().with_stand_ins())?;
    if planned.plan.is_empty() || args.dry_run {
        return Ok(planned);
    }
    let machine = Machine::of(&args.output)?;
    library.stand_in = StandIn::None;
    let populations = planned.study.run.populations;
    let made = make_populations(study, &mut library, |adapt, (number, _), library| {
        let several = match populations {
            Some(each @ 2..) => format!(" ({} of {each})", number % each + 1),
            _ => String::new(),
        };
        let made_for = adapt.table.made_for(adapt.table.players);
        let words = format!("adapting a population: {made_for}{several}");
        args.output.note(&words);
        let ready = Study::Adapt(adapt.clone()).resolve(library)?;
        let played = machine.play(ready, &mut Discard, None, None)?;
        let Some(Played::Adapt(played)) = played else {
            return Ok(None);
        };
        if !played.is_settled() {
            args.output.warn(&[Remark::NotSettled(made_for)]);
        }
        Ok::<_, CliError>(Some(played.first()))
    })?;
    if !made {
        return Err(CliError::Interrupted { resume: false });
    }
    Ok(study.resolve(&library)?)
}

fn play_all(ready: Ready, folder: PathBuf, args: &PlayArgs) -> Result<(), CliError> {
    let starts_over = args.restart && !ready.study.is_to_print();
    if args.output.only_prints() && (args.raw.is_some() || args.resume || starts_over) {
        usage!("--raw, --resume and --restart need an output folder; name it with --out");
    }
    let table = args.raw.map(|_| only_table(&ready, args)).transpose()?;
    let machine = Machine::of(&args.output)?;
    let manifest = report::manifest(&ready);
    let folder = args.output.folder(folder)?;
    let mut delivery = Delivery::open(folder, &args.output)?;
    let mut raw_games = None;
    if let Some(output) = &mut delivery.output {
        let mut journal = Journal::open(&output.folder, JOURNAL, &manifest, args.before())?;
        let starts = args.resume && journal.done() == 0;
        if starts && let Some(there) = output.complete(&manifest) {
            delivery.wanted.add(&there.files);
            match kept_report(output, there, args) {
                Some(report) => return delivery.deliver(report),
                None => args.output.warn(&[PLAYED_AGAIN]),
            }
        } else if starts && let Some(there) = output.fewer_games(&manifest)? {
            delivery.wanted.add(&there.files);
            add_games(&mut journal, output, &there, args)?;
        } else {
            report_start(&journal, args);
        }
        if journal.damaged > 0 {
            let parts = counted(journal.damaged, "damaged part");
            args.output.warn(&[format!("carat plays {parts} again")]);
        }
        report_replaced(output, &manifest, args);
        if let (Some(rows), Some((layout, decisions))) = (args.raw, table)
            && let Some(path) = output.prepared(rows.file())
        {
            let games = RawGames::create(&path, &layout, decisions, &manifest.study, false)?;
            raw_games = Some((games, rows.file()));
        }
        delivery.journal = Some(journal);
    }
    let mut discard = Discard;
    let parts: &mut dyn FinishedParts = match &mut delivery.journal {
        Some(journal) => journal,
        None => &mut discard,
    };
    let each = raw_games.as_ref().map(|(games, _)| games);
    let played = machine.play(ready, parts, None, each)?;
    if let (Some((games, name)), Some(output)) = (raw_games, &mut delivery.output) {
        output.files.push(games.finish(name)?);
    }
    let Some(played) = played else {
        let resume = delivery.journal.as_ref().is_some_and(Journal::holds_parts);
        return Err(CliError::Interrupted { resume });
    };
    delivery.deliver(Report::of(&played, manifest))
}

const PLAYED_AGAIN: &str = "this study is complete; carat plays it again for the missing files, and \
                            changes no other file";

/// The saved report of complete results, if nothing remains to be played. Their files of games and
/// decisions stay.
fn kept_report(output: &mut Output, there: Manifest, args: &PlayArgs) -> Option<Report> {
    let is_raw = |file: &&FileRecord| [GAMES, DECISIONS].contains(&file.name.as_str());
    let rows: Vec<FileRecord> = there.files.iter().filter(is_raw).cloned().collect();
    let holds = |raw: Raw| rows.iter().any(|file| file.name == raw.file());
    let content = recall(&output.folder).filter(|_| args.raw.is_none_or(holds));
    if args.raw.is_none() || content.is_some() {
        output.files.extend(rows);
    }
    content.map(|content| Report {
        content,
        manifest: there,
        interrupted: None,
    })
}

/// Starts a study from the sums of results with fewer games. Fails if the folder has rows of these
/// games and the study would not write them again.
fn add_games(
    journal: &mut Journal,
    output: &Output,
    there: &Manifest,
    args: &PlayArgs,
) -> Result<(), CliError> {
    for (rows, flag) in [(Raw::Games, "--raw"), (Raw::Decisions, "--raw decisions")] {
        let has_rows = there.files.iter().any(|file| file.name == rows.file());
        if has_rows && args.raw != Some(rows) {
            usage!(
                "{}: this file has rows of fewer games; add {flag} to write all rows again, or omit \
                 --resume to drop the file",
                output.named.join(rows.file()).display()
            );
        }
    }
    let state = recall(&output.folder).map_or(Vec::new(), |content| content.state);
    let done = numbers::games(there.study.run.games.unwrap_or_default());
    let words = match args.raw {
        Some(_) => format!("--raw: carat plays {done} again to write their rows"),
        None if state.is_empty() => format!(
            "only simulations and comparisons can add games later; carat plays {done} again"
        ),
        None => {
            journal.start = state;
            format!("resuming: {done} are finished")
        }
    };
    args.output.note(&words);
    Ok(())
}

/// Prints how many games of a study are finished.
fn report_start(journal: &Journal, args: &PlayArgs) {
    let output = &args.output;
    match journal.done() {
        0 if args.resume => output.note("nothing to resume; starting from the beginning"),
        0 => {}
        1 => output.note("resuming: 1 part is finished"),
        parts => output.note(&format!("resuming: {parts} parts are finished")),
    }
    if journal.done() > 0 && args.raw.is_some() {
        output.warn(&["--raw: carat plays finished games again to write their rows"]);
    }
}

/// Warns before results with other options are replaced.
fn report_replaced(output: &Output, manifest: &Manifest, args: &PlayArgs) {
    let replaced = output.replaced(manifest);
    if !replaced.is_empty() {
        args.output.note(&format!(
            "replacing the earlier results in {} (now different: {})",
            output.named.display(),
            replaced.join("; ")
        ));
    }
}
