//! `carat advise`: what to do in one situation, for each line of a pipe, or card by card.

use super::args::{CompanyArgs, playouts};
use super::error::{CliError, usage};
use super::person::position;
use super::terminal::{
    asked, hanging, indented, is_attended, next_line, note, print, prose, reply, warn,
};
use crate::files::write_whole;
use carat_charts::labels::capitalized;
use carat_core::catalog::find;
use carat_core::diagnostic::Diagnostic;
use carat_core::game::notation::{
    AdviceWords, Notation, Situation, named_players, players as players_of,
};
use carat_core::library::{Library, read_text};
use carat_studies::desk::advice::{AdviceReport, worth_fields};
use carat_studies::desk::fields;
use carat_studies::study::advise::{Adviser, find_notation};
use carat_studies::study::kept_game::KeptGame;
use carat_studies::study::options::parse_number;
use carat_studies::study::parse_count;
use carat_studies::study::remark::Remark;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Advise on staying or leaving in a real game, or on the next move of a saved one
///
/// carat prints the value of each move in a game saved by `carat play`. In Diamant, it also advises
/// on a real game, from a description of the situation.
///
/// A situation is one line: the cards of this expedition in order (treasures as numbers, traps and
/// relics by name), and the players who left in between. `@3 leaves` names the player at seat 3; `2
/// leave` is any two of the others. Without a situation, carat reads lines as you type and answers
/// after each card. From a pipe, each line is a separate situation and gets a one-line answer.
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as diamant
    #[arg(value_name = "GAME")]
    game: String,
    /// A file saved by `carat play` (any game), or in Diamant a situation, such as "5 7 snake 11 /
    /// @3 leaves / 9". It may begin with any of these, each followed by a slash: `chests 12 0 30 5
    /// 8` (before this expedition), `gone snake relic`, `relics 1 0 0 0 0` (taken out, by seat),
    /// and `4:` (the number of the expedition)
    #[arg(value_name = "SITUATION", allow_hyphen_values = true)]
    situation: Option<String>,
    /// In a saved game, advise on decision N (from 1) of seat --me [default: the next one]
    #[arg(long = "move", id = "move", value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    number: Option<usize>,
    /// Rubies in the chests before this expedition, seat by seat, such as 12,0,30,5,8; carat adds
    /// what players who have left since took home
    #[arg(long, value_name = "RUBIES")]
    chests: Option<String>,
    /// Number of this expedition, from 1
    #[arg(long, value_name = "N")]
    round: Option<String>,
    /// Traps and relics that have left the game, including relics taken out, such as "snake relic"
    #[arg(long, value_name = "CARDS")]
    gone: Option<String>,
    /// Number of relics taken out, seat by seat, such as 1,0,0,0,0; --gone need not repeat them
    #[arg(long, value_name = "RELICS")]
    relics: Option<String>,
    #[command(flatten)]
    company: CompanyArgs,
    /// Playouts (games played to the end) of each option, at least 64; four times as many halve the
    /// intervals [default: 100000; in a saved game, that of `carat play`]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true)]
    playouts: Option<u64>,
    /// Save the lines you type as a record for `carat analyse`; refer to leaving players by seat
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// The format of answers: text (from a pipe, one line per situation), or one JSON object per
    /// line
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    format: String,
    /// The same as --format json (see `carat show json`)
    #[arg(long)]
    json: bool,
}

const PLAYOUTS: u64 = 100_000;

/// Refuses what a saved game contains.
fn check_alone(args: &Args) -> Result<(), CliError> {
    let contained = [
        ("--chests", args.chests.is_some()),
        ("--round", args.round.is_some()),
        ("--gone", args.gone.is_some()),
        ("--relics", args.relics.is_some()),
        ("--record", args.record.is_some()),
        ("--players, --rules or --set", args.company.names_table()),
    ];
    if let Some((option, _)) = contained.iter().find(|(_, is_given)| *is_given) {
        usage!("{option}: not allowed beside a saved game, which contains its table");
    }
    Ok(())
}

pub fn run(args: &Args) -> Result<(), CliError> {
    let json = args.json || args.format == "json";
    let mut situation = args.situation.clone();
    let file = situation.as_deref().map(Path::new);
    if let Some(file) = file.filter(|file| file.is_file() || is_file_name(file)) {
        let text = read_text(file)?;
        if KeptGame::is(&text) {
            let kept = KeptGame::from_toml(&file.display().to_string(), &text)?;
            if kept.table.game != args.game {
                let (own, asked) = (&kept.table.game, &args.game);
                usage!("the file is a game of {own}, not of {asked}");
            }
            check_alone(args)?;
            return position::advise(kept, args.number, &args.company, args.playouts, json);
        }
        situation = Some(text);
    }
    if args.number.is_some() {
        usage!("--move needs a game saved by `carat play`; name its file");
    }
    let coach = situation.is_none() && is_attended();
    let mut company = args.company.company(&args.game);
    let people = named_players(situation.as_deref().unwrap_or_default());
    if !people.is_empty() {
        company.seat_people(&people, args.company.me);
    }
    let players = &mut company.table.players;
    let in_record = situation.as_deref().and_then(players_of);
    *players = players
        .or(in_record)
        .or_else(|| args.chest_count(situation.as_deref()));
    if coach {
        if players.is_none() && company.others.len() < 2 {
            *players = Some(asked_players(&args.game)?);
        }
        if args.company.me.is_none() {
            company.me = asked("Which seat is yours?", 1)?;
        }
    }
    let library = Library::here();
    let seated = company.sit_down(&library)?;
    let (notation, words) = find_notation(&seated)?;
    let warnings = seated.warnings.iter();
    warn(warnings.filter(|remark| !matches!(remark, Remark::WithoutDoubt(_))));
    warn(&seated.rules.older);
    let playouts = playouts(args.playouts.or(Some(PLAYOUTS)), &seated)?;
    let usual = company.is_usual().then_some(company.me - 1);
    let mut table = Asking {
        adviser: Adviser::new(&seated, &library, playouts, usual),
        notation,
        words,
        me: company.me - 1,
        head: args.head(),
        json,
        record: args.record.as_deref(),
    };
    if people.is_empty() {
        table.head = table.named_seats() + &table.head;
    }
    if args.record.is_some() && !coach {
        usage!("--record saves only lines typed at a terminal; omit it here");
    }
    if let Some(file) = args.record.as_ref().filter(|file| file.exists()) {
        usage!(
            "--record {}: this file exists; name another",
            file.display()
        );
    }
    match situation {
        Some(situation) => table.answer(&situation),
        None if coach => table.coach(),
        None => table.lines(),
    }
}

impl Args {
    /// The options that describe the situation, in its notation.
    fn head(&self) -> String {
        let options = [
            ("round", &self.round),
            ("chests", &self.chests),
            ("relics", &self.relics),
            ("gone", &self.gone),
        ];
        let options = options.iter().filter_map(|(word, value)| {
            let value = value.as_ref()?;
            Some(format!("{word} {value} / "))
        });
        options.collect()
    }

    fn chest_count(&self, situation: Option<&str>) -> Option<usize> {
        let mut parts = situation.unwrap_or_default().split(['/', '\n']);
        let written = parts.find_map(|part| part.trim().strip_prefix("chests "));
        let chests = self.chests.as_deref().or(written)?;
        let numbers = chests.split([',', ' ']).filter(|number| !number.is_empty());
        Some(numbers.count())
    }
}

fn is_file_name(word: &Path) -> bool {
    let ending = word.extension().and_then(|ending| ending.to_str());
    let has_blank = word.to_string_lossy().contains(char::is_whitespace);
    !has_blank && matches!(ending, Some("toml" | "txt"))
}

/// Asks for the number of players; 1 for games without advice, which fail later.
fn asked_players(game: &str) -> Result<usize, CliError> {
    let known = find(game).and_then(|game| Some((game.advice?.players, game.players)));
    known.map_or(Ok(1), |(question, default)| asked(question, default))
}

struct Asking<'a> {
    adviser: Adviser<'a>,
    notation: &'a dyn Notation,
    words: &'static AdviceWords,
    /// The player's seat, from 0.
    me: usize,
    head: String,
    json: bool,
    record: Option<&'a Path>,
}

/// What is said to a situation.
struct Answer {
    value: Value,
    words: String,
    line: String,
}

impl Asking<'_> {
    /// Reads a situation; fails at the place that cannot be read or breaks the rules.
    fn read(&self, text: &str) -> Result<Situation, Box<Diagnostic>> {
        let situation = self.notation.situation(self.me, text);
        situation.map_err(|mut fault| {
            // The line of names is not the player's.
            let own = self.head.find('\n').map_or(0, |end| end + 1);
            let own = if fault.span.start < own { 0 } else { own };
            fault.span = fault.span.start - own..fault.span.end - own;
            Box::new(fault.in_file("situation", &text[own..]))
        })
    }

    /// The line of a record that names the opponents by their labels or files; empty if these are
    /// not valid names.
    fn named_seats(&self) -> String {
        let mut names = carat_core::strategy::table_labels(&self.adviser.table.seats);
        names[self.me] = "you".to_string();
        // Those who share a name have their seat's number after it.
        let all = names.clone();
        for (seat, name) in (1..).zip(&mut names) {
            if all.iter().filter(|other| *other == name).count() > 1 {
                *name += &format!("{seat}");
            }
        }
        let line = format!("players {}\n", names.join(" "));
        match self.read(&line) {
            Ok(_) => line,
            Err(_) => String::new(),
        }
    }

    fn answer(&self, text: &str) -> Result<(), CliError> {
        let Answer { value, words, .. } = self.advise(&format!("{}{text}", self.head))?;
        let text = format!("{}\n\n{words}", self.describe_table());
        reply(self.json, "advice", value, &text)
    }

    fn advise(&self, text: &str) -> Result<Answer, Box<Diagnostic>> {
        let situation = self.read(text)?;
        let (text, words) = (&situation.text, prose(&situation.text));
        let report = AdviceReport::of_situation(&self.adviser, self.me, &situation, self.words);
        let Some(report) = report else {
            return Ok(Answer {
                value: json!({ "situation": text, "decision": false }),
                words: format!("{words}\n"),
                line: text.clone(),
            });
        };
        let advice = &report.advice;
        let (mut sentence, unit) = (report.sentence(), self.adviser.table.game.score_unit);
        let [no, yes] = [0, 1].map(|option| {
            let (name, worth) = (report.names[option], &advice.options[option]);
            format!("{name} {}, {} {unit}", worth.win_share, worth.score_mean)
        });
        let mut line = format!("{sentence} Wins: {no}; {yes}.");
        let mut words = format!("{words}\n\n");
        if !report.holds.is_empty() {
            let holds = capitalized(&report.holds);
            sentence = report.sentence_of_mixed();
            line = format!("{holds} {sentence} Wins: {no}; {yes}.");
            words += &prose(&format!("{holds}\n"));
            words += &indented(report.list_against(), 2);
            words += "\n";
        }
        words += &prose(&format!("{sentence}\n"));
        let why = report.say_when_which().or_else(|| report.why(advice.best));
        if let Some(why) = why.filter(|_| report.cases.len() > 1) {
            words += &prose(&format!("{why}.\n"));
        }
        words += &indented(report.list_cases(), 2);
        let value = self.as_json(text, &report);
        Ok(Answer { value, words, line })
    }

    fn as_json(&self, situation: &str, report: &AdviceReport) -> Value {
        let ([no, yes], advice) = (self.words.options, &report.advice);
        let mut lead = advice.behind[1 - advice.best];
        if advice.best == 0 {
            lead.win_share = lead.win_share.scaled(-1.0);
            lead.score_mean = lead.score_mean.scaled(-1.0);
        }
        let name = advice.is_clear().then_some(report.names[advice.best]);
        let mut fields = fields(json!({
            "situation": situation,
            "decision": true,
            "advice": name.unwrap_or("either"),
            yes: worth_fields(&advice.options[1]),
            no: worth_fields(&advice.options[0]),
            (format!("{yes}_minus_{no}")): worth_fields(&lead),
        }));
        fields.extend(report.fields(advice.best));
        Value::Object(fields)
    }

    /// Answers each line of standard input by a line; fails at the end if lines were faulty.
    fn lines(&self) -> Result<(), CliError> {
        let (mut lines, mut faulty) = (0, 0);
        while let Some(line) = next_line()? {
            if line.trim().is_empty() {
                continue;
            }
            lines += 1;
            match self.advise(&format!("{}{line}", self.head)) {
                Ok(answer) => reply(self.json, "advice", answer.value, &(answer.line + "\n"))?,
                Err(found) => {
                    faulty += 1;
                    let message = &found.fault.message;
                    let (value, text) =
                        (json!({ "error": message }), format!("error: {message}\n"));
                    reply(self.json, "advice", value, &text)?;
                    note(&found.to_string());
                }
            }
        }
        match faulty {
            0 => Ok(()),
            _ => usage!("{faulty} of {lines} lines are invalid"),
        }
    }

    /// Follows a game line by line.
    fn coach(&self) -> Result<(), CliError> {
        print(&format!("{}\n{}\n", self.describe_table(), self.help()))?;
        let mut lines: Vec<String> = Vec::new();
        loop {
            print("> ")?;
            let Some(line) = next_line()? else {
                return print("\n");
            };
            match line.trim() {
                "" => continue,
                "quit" | "exit" | "q" => return Ok(()),
                "help" | "?" => {
                    print(&self.help())?;
                    continue;
                }
                "undo" => {
                    lines.pop();
                }
                line => lines.push(line.to_string()),
            }
            let text = format!("{}{}", self.head, lines.join("\n"));
            match self.advise(&text) {
                Ok(answer) => {
                    self.keep(&text)?;
                    print(&answer.words)?;
                }
                Err(fault) => {
                    print(&hanging(&format!("{fault}\n")))?;
                    lines.pop();
                }
            }
        }
    }

    /// Writes what was typed as a record, with seats instead of "me".
    fn keep(&self, text: &str) -> Result<(), CliError> {
        let Some(file) = self.record else {
            return Ok(());
        };
        let me = format!("@{}", self.me + 1);
        let word = |word: &str| match word.to_lowercase().as_str() {
            "me" | "i" => me.clone(),
            _ => word.to_string(),
        };
        let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
        let lines = text.lines().map(line).collect::<Vec<_>>().join("\n");
        let mut record = format!("{lines}\n");
        if !text.starts_with("players ") {
            record = format!("players {}\n{record}", self.adviser.table.seats.len());
        }
        write_whole(file, record.as_bytes()).map_err(CliError::keep(file))
    }

    fn help(&self) -> String {
        prose(&format!(
            "{}undo removes the last line; quit ends.\n",
            self.words.help
        ))
    }

    fn describe_table(&self) -> String {
        let labels = carat_core::strategy::table_labels(&self.adviser.table.seats);
        let seats = labels.iter().enumerate().map(|(seat, label)| {
            if seat == self.me {
                format!("you are @{} (bot in playouts: {label})", seat + 1)
            } else {
                format!("@{} {label}", seat + 1)
            }
        });
        let seats: Vec<String> = seats.collect();
        prose(&format!(
            "{}: {}",
            self.adviser.table.headline(),
            seats.join(", ")
        ))
    }
}
