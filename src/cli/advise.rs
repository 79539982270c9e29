//! `carat advise`: what to do in one situation, for each line of a pipe, or card by card.

use super::args::CompanyArgs;
use super::error::{CliError, usage};
use super::person::position;
use super::terminal::{hanging, is_attended, next_line, note, print, prose, reply, warn};
use crate::results::write_whole;
use crate::study::advise::{Advice, Adviser, Case, Worth};
use crate::study::kept_game::KeptGame;
use crate::study::typed::parse_number;
use carat_core::catalog::find;
use carat_core::game::notation::{AdviceWords, Situation, named_players, players as players_of};
use carat_core::game::{SCORE_MEAN, WIN_SHARE};
use carat_core::library::{Library, read_text};
use carat_core::statistics::Estimate;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Advise on staying or leaving in a real game, or on the next move of a saved one
///
/// Prints the value of each move in a game saved by `carat play`. In Diamant, carat also advises on
/// a real game, from a description of the situation.
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
    /// 8` (before this expedition), `gone snake relic`, `relics 1 0 0 0 0` (taken out, by seat), and `4:` (the number of the
    /// expedition)
    #[arg(value_name = "SITUATION", allow_hyphen_values = true)]
    situation: Option<String>,
    /// In a saved game, advise on decision N (from 1) of seat --me [default: the next one]
    #[arg(long = "move", id = "move", value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    number: Option<usize>,
    /// Rubies in the chests before this expedition, seat by seat, such as 12,0,30,5,8; what players
    /// who have left since took is added
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
    /// Playouts (games played to the end) of each option; four times as many halve the intervals
    /// [default: 100000; in a saved game as for `carat play`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(100..=100_000_000))]
    playouts: Option<u32>,
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

const PLAYOUTS: u32 = 100_000;

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
            let playouts = args.playouts.map(u64::from);
            return position::advise(kept, args.number, &args.company, playouts, json);
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
    *players = players.or(in_record).or_else(|| args.chest_count());
    if coach {
        if players.is_none() && company.others.len() < 2 {
            *players = Some(asked_players(&args.game)?);
        }
        if args.company.me.is_none() {
            company.me = asked("Which seat is yours?", 1)?;
        }
    }
    let playouts = args.playouts.unwrap_or(PLAYOUTS) as usize;
    let seated = company.sit_down(&Library::here())?;
    let adviser = Adviser::of(&seated, company.me - 1, playouts)?;
    warn(seated.warnings.iter().chain(&seated.rules.older));
    let mut head = args.head();
    if people.is_empty() {
        head = named_seats(&adviser) + &head;
    }
    let table = Asking {
        adviser: &adviser,
        head,
        json,
        record: args.record.as_deref(),
    };
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

    fn chest_count(&self) -> Option<usize> {
        let chests = self.chests.as_ref()?;
        let numbers = chests.split([',', ' ']).filter(|number| !number.is_empty());
        Some(numbers.count())
    }
}

/// The line of a record that names the opponents by their labels or files; empty if these are not
/// valid names.
fn named_seats(adviser: &Adviser) -> String {
    let mut names = carat_core::strategy::table_labels(&adviser.table.seats);
    names[adviser.me] = "you".to_string();
    let line = format!("players {}\n", names.join(" "));
    match adviser.read(&line) {
        Ok(_) => line,
        Err(_) => String::new(),
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

/// Asks for a number; an empty line means the default.
pub fn asked(question: &str, default: usize) -> Result<usize, CliError> {
    loop {
        print(&format!("{question} [{default}] "))?;
        let Some(line) = next_line()? else {
            usage!("no situation on standard input");
        };
        match (line.trim(), line.trim().parse()) {
            ("", _) => return Ok(default),
            (_, Ok(number)) => return Ok(number),
            _ => print("Write a whole number.\n")?,
        }
    }
}

struct Asking<'a> {
    adviser: &'a Adviser<'a>,
    head: String,
    json: bool,
    record: Option<&'a Path>,
}

impl Asking<'_> {
    fn answer(&self, text: &str) -> Result<(), CliError> {
        let situation = self.adviser.read(&format!("{}{text}", self.head))?;
        let advice = self.advice(&situation);
        let value = self.as_json(&situation, advice.as_ref());
        let words = self.in_words(&situation, advice.as_ref());
        let text = format!("{}\n\n{words}", self.describe_table());
        reply(self.json, "advice", value, &text)
    }

    fn advice(&self, situation: &Situation) -> Option<Advice> {
        (self.adviser).advise(&situation.positions, situation.others)
    }

    /// Answers each line of standard input by a line; fails at the end if lines were faulty.
    fn lines(&self) -> Result<(), CliError> {
        let (mut lines, mut faulty) = (0, 0);
        while let Some(line) = next_line()? {
            if line.trim().is_empty() {
                continue;
            }
            lines += 1;
            match self.adviser.read(&format!("{}{line}", self.head)) {
                Ok(situation) => {
                    let advice = self.advice(&situation);
                    let value = self.as_json(&situation, advice.as_ref());
                    let text = self.in_a_line(&situation, advice.as_ref()) + "\n";
                    reply(self.json, "advice", value, &text)?;
                }
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
            match self.adviser.read(&text) {
                Ok(situation) => {
                    self.keep(&text)?;
                    let advice = self.advice(&situation);
                    print(&self.in_words(&situation, advice.as_ref()))?;
                }
                Err(fault) => {
                    print(&format!("{fault}\n"))?;
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
        let me = format!("@{}", self.adviser.me + 1);
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
        format!(
            "{}undo removes the last line; quit ends.\n",
            self.adviser.words.help
        )
    }

    fn describe_table(&self) -> String {
        let labels = carat_core::strategy::table_labels(&self.adviser.table.seats);
        let seats = labels.iter().enumerate().map(|(seat, label)| {
            if seat == self.adviser.me {
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

    fn in_words(&self, situation: &Situation, advice: Option<&Advice>) -> String {
        let mut text = format!("{}\n", prose(&situation.text));
        let Some(advice) = advice else {
            return text;
        };
        text += &format!("\n{}\n", prose(&self.in_a_line(situation, Some(advice))));
        if situation.others > 0 {
            for line in in_cases(advice, self.adviser.words) {
                text += &hanging(&format!("  {line}\n"));
            }
        }
        text
    }

    fn in_a_line(&self, situation: &Situation, advice: Option<&Advice>) -> String {
        let Some(advice) = advice else {
            return situation.text.clone();
        };
        let unit = self.adviser.table.game.score_unit;
        let line =
            |name: &str, worth: &Worth| format!("{name} {}, {} {unit}", worth.win, worth.score);
        let [no, yes] = self.adviser.words.options;
        format!(
            "{} Wins: {}; {}.",
            advice.sentence(self.adviser),
            line(no, &advice.worth[0]),
            line(yes, &advice.worth[1])
        )
    }

    fn as_json(&self, situation: &Situation, advice: Option<&Advice>) -> Value {
        let Some(advice) = advice else {
            return json!({ "situation": situation.text, "decision": false });
        };
        let worth = |worth: &Worth| Value::Object(worth_of(worth.win, worth.score));
        let words = self.adviser.words;
        let [no, yes] = words.options;
        let cases = advice.cases.iter().map(|case| {
            let mut fields = parts("likely", case.likely);
            fields.insert(words.others.to_string(), case.others.into());
            fields.insert(yes.to_string(), worth(&case.worth[1]));
            fields.insert(no.to_string(), worth(&case.worth[0]));
            Value::Object(fields)
        });
        json!({
            "situation": situation.text,
            "decision": true,
            "advice": advice.best.map_or("either", |best| words.options[best]),
            "words": advice.sentence(self.adviser),
            yes: worth(&advice.worth[1]),
            no: worth(&advice.worth[0]),
            (format!("{yes}_minus_{no}")): worth(&advice.gain),
            "cases": cases.collect::<Vec<_>>(),
        })
    }
}

/// For each number of others that say yes now, how likely that is and what the options are worth
/// then. Numbers that never occurred are left out.
pub fn in_cases(advice: &Advice, words: &AdviceWords) -> Vec<String> {
    let [no, yes] = words.options;
    let line = |case: &Case| {
        let [worth_no, worth_yes] = case.worth.map(|worth| worth.win);
        let others = match case.others {
            1 => format!("1 other {yes}s"),
            others => format!("{others} others {yes}"),
        };
        let likely = likelihood(case);
        format!("if {others} ({likely}): {no} {worth_no}, {yes} {worth_yes}")
    };
    let cases = advice.cases.iter().filter(|case| case.likely.value > 0.0);
    cases.map(line).collect()
}

/// The likelihood of a case, in percent.
pub fn likelihood(case: &Case) -> String {
    match case.likely.value {
        ..0.001 => "< 0.1 %".to_string(),
        value => carat_core::numbers::percent(value, 1),
    }
}

/// An estimate with the column names of tables.
pub fn parts(name: &str, of: Estimate) -> Map<String, Value> {
    let parts = [
        ("", of.value),
        ("_se", of.se),
        ("_low", of.low),
        ("_high", of.high),
    ];
    let named = parts.map(|(end, value)| (format!("{name}{end}"), json!(value)));
    named.into_iter().collect()
}

pub fn worth_of(win: Estimate, score: Estimate) -> Map<String, Value> {
    let mut worth = parts(WIN_SHARE, win);
    worth.extend(parts(SCORE_MEAN, score));
    worth
}
