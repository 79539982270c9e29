//! Asking for a decision: by a key where there are few options, else by a line.

use super::paper::{Ink, Paper};
use crate::cli::error::CliError;
use crate::cli::terminal::{hanging, next_line, prose};
use crate::game::moments::Options;
use crate::study::SeatedTable;
use console::{Key, Term};
use std::io::IsTerminal;

/// What somebody answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// An option, by its number from 0.
    Option(usize),
    /// What each option is worth.
    Hint,
    /// The options that are not listed at first.
    More,
    /// The last decision is taken back.
    Undo,
    /// How the game stands, once more.
    Board,
    /// What lies in the box and what it is for.
    Reference,
    /// What can be typed.
    Help,
    /// The game is left.
    Quit,
    /// There is nobody any more: the input has ended.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// What can be typed besides options: as a key or a word, and what it does.
const COMMANDS: [(&str, &str, &str, Answer); 7] = [
    (
        "?",
        "hint",
        "what each option is worth, and why",
        Answer::Hint,
    ),
    ("m", "more", "list the other moves", Answer::More),
    (
        "u",
        "undo",
        "take your last move back, while nothing new was seen",
        Answer::Undo,
    ),
    (
        "b",
        "board",
        "show how the game stands again",
        Answer::Board,
    ),
    (
        "r",
        "rules",
        "list the cards and what they are for",
        Answer::Reference,
    ),
    ("h", "help", "list the keys", Answer::Help),
    ("q", "quit", "leave; a game is kept", Answer::Quit),
];

/// Moves that are listed at first.
pub const SHOWN: usize = 12;

/// How options are shown and called.
pub struct Choices<'o> {
    options: &'o Options,
    /// The options as they are listed: those of a group stand together, the useful ones first.
    order: Vec<usize>,
    /// How many are listed at first.
    listed: usize,
    /// By option, what it is called: a letter, or its number in the list.
    pub called: Vec<String>,
    /// Whether a key is enough to name one.
    by_key: bool,
    /// Whether hints are given and decisions can be taken back.
    is_game: bool,
}

impl<'o> Choices<'o> {
    /// The options of a decision in a game or of a question, the useful ones first.
    pub fn of(options: &'o Options, useful: Vec<usize>, is_game: bool) -> Choices<'o> {
        let names = &options.names;
        let mut groups: Vec<&str> = Vec::new();
        for group in &options.groups {
            if !groups.contains(group) {
                groups.push(group);
            }
        }
        let group = |option: usize| {
            let own = options.groups.get(option);
            own.and_then(|own| groups.iter().position(|group| group == own))
        };
        // Rare kinds of moves stand before those that there are many of.
        let copies = |option: usize| {
            let own = options.groups.get(option);
            options
                .groups
                .iter()
                .filter(|group| own == Some(group))
                .count()
        };
        let mut order = useful;
        // The only move of its kind, such as ending a turn, is always listed.
        order.sort_by_key(|&option| copies(option) > 1);
        let mut listed = order.len();
        if listed > SHOWN && groups.len() > 1 {
            listed = SHOWN;
        }
        let (first, rest) = order.split_at_mut(listed);
        for part in [first, rest] {
            part.sort_by_key(|&option| (copies(option), group(option), option));
        }
        let letters: Vec<&str> = names.iter().filter_map(|name| name.get(..1)).collect();
        let is_free = |letter: &&str| {
            let copies = letters.iter().filter(|other| other == &letter).count();
            copies == 1 && COMMANDS.iter().all(|(key, ..)| key != letter)
        };
        let by_key = options.groups.is_empty()
            && letters.len() == names.len()
            && letters.iter().all(is_free);
        let called = (0..names.len()).map(|option| {
            if by_key {
                letters[option].to_string()
            } else {
                let at = order.iter().position(|&other| other == option);
                at.map_or("-".to_string(), |at| (at + 1).to_string())
            }
        });
        Choices {
            options,
            called: called.collect(),
            order,
            listed,
            by_key,
            is_game,
        }
    }

    /// Shows how the game stands, and lists what can be done first.
    pub fn show(&self, paper: &mut Paper) {
        let standing = &self.options.standing;
        paper.picture(&format!("{}\n", hanging(standing)));
        self.list(paper, &self.order[..self.listed]);
        let more = self.order.len() - self.listed;
        if more > 0 {
            paper.ink(Ink::Remark, &format!("    m  {more} more moves\n"));
        }
    }

    /// Lists options by group, where the question does not name them.
    fn list(&self, paper: &mut Paper, options: &[usize]) {
        if self.by_key {
            return;
        }
        let group = |option: &usize| self.options.groups.get(*option).copied();
        for group_of in options.chunk_by(|a, b| group(a) == group(b)) {
            let heading = group(&group_of[0]).unwrap_or_default();
            let alike = self.alike(group_of);
            if group_of.len() > MANY && !alike.is_empty() {
                // One line for all: "begin at A1, B1, …".
                let last = |option: &usize| &self.options.names[*option][alike.len()..];
                let all: Vec<&str> = group_of.iter().map(last).collect();
                let head = format!("  {heading}: write the last word, such as {}\n", all[0]);
                let shown = hanging(&format!("       {alike}{}\n", all.join(", ")));
                paper.ink(Ink::Remark, &hanging(&head)).add(&shown);
                continue;
            }
            if self.options.names.len() > GROUPED && options.len() > group_of.len() {
                paper.ink(Ink::Remark, &format!("  {heading}\n"));
            }
            for &option in group_of {
                let name = &self.options.names[option];
                paper.add(&hanging(&format!("  {:>3}  {name}\n", self.called[option])));
            }
        }
    }

    /// Whether a command means something here.
    fn is_known(&self, answer: Answer) -> bool {
        match answer {
            Answer::Hint => self.is_game,
            // Where all decide at the same time something new is always seen.
            Answer::Undo => self.is_game && !self.by_key,
            Answer::More => self.listed < self.order.len(),
            _ => true,
        }
    }

    /// Prints what was asked for besides a decision; whether it was such.
    pub fn aside(&self, answer: Answer, table: &SeatedTable) -> Result<bool, CliError> {
        let mut paper = Paper::default();
        match answer {
            Answer::Board => self.show(&mut paper),
            Answer::More => self.list(&mut paper, &self.order[self.listed..]),
            Answer::Reference => _ = paper.add(&hanging(&table.table.reference())),
            Answer::Help => {
                if !self.by_key {
                    paper.add(
                        "  A move is called by its number, its first words or its last one.\n",
                    );
                }
                for (option, name) in self.called.iter().zip(&self.options.names) {
                    if self.by_key {
                        paper.add(&format!("  {option}  {name}\n"));
                    }
                }
                for (key, _, does, answer) in COMMANDS {
                    if self.is_known(answer) {
                        paper.add(&hanging(&format!("  {key}  {does}\n")));
                    }
                }
            }
            _ => return Ok(false),
        }
        paper.print()?;
        Ok(true)
    }

    /// The words with which all these options begin, if they differ in the last alone.
    fn alike(&self, options: &[usize]) -> &str {
        let names = options
            .iter()
            .map(|&option| self.options.names[option].as_str());
        let starts = names.map(|name| name.rfind(' ').map_or("", |last| &name[..=last]));
        let starts: Vec<&str> = starts.collect();
        if starts.iter().all(|start| *start == starts[0]) {
            starts[0]
        } else {
            ""
        }
    }

    /// The question, at the end of which is answered.
    fn question(&self) -> String {
        if !self.by_key {
            let last = self.order.len();
            return format!("Your move, 1 to {last} (h for help): ");
        }
        let names = self
            .options
            .names
            .iter()
            .map(|name| format!("[{}]{}", &name[..1], &name[1..]));
        format!("{}? (h for help) ", names.collect::<Vec<_>>().join(" or "))
    }

    /// Asks until something is answered that means something.
    pub fn ask(&self) -> Result<Answer, CliError> {
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let mut paper = Paper::default();
        loop {
            paper.ink(Ink::Question, &self.question()).print()?;
            let answer = if terminal && self.by_key {
                self.key(&Term::stdout())
            } else {
                self.line(!terminal)?
            };
            match answer {
                Ok(answer) => return Ok(answer),
                Err(text) if text.is_empty() => {}
                Err(text) => paper.add(&prose(&format!("{text}\n"))).print()?,
            }
        }
    }

    /// The answer of a key; what it is when it means nothing.
    fn key(&self, term: &Term) -> Result<Answer, String> {
        let typed = match term.read_key_raw() {
            Ok(Key::CtrlC) => return Ok(Answer::Interrupt),
            // Ctrl-D
            Ok(Key::Char('\u{4}')) | Err(_) => return Ok(Answer::End),
            Ok(Key::Char(key)) => key.to_lowercase().to_string(),
            Ok(_) => String::new(),
        };
        let answer = self.meant(&typed);
        let shown = match answer {
            Ok(Answer::Option(option)) => self.options.names[option].clone(),
            _ => typed,
        };
        let told = Paper::default().add(&format!("{shown}\n")).print();
        told.map_or(Ok(Answer::End), |()| answer)
    }

    /// The answer of a line; what it is when it means nothing. Where nobody types, it is shown.
    fn line(&self, shows: bool) -> Result<Result<Answer, String>, CliError> {
        let Some(line) = next_line()? else {
            Paper::default().add("\n").print()?;
            return Ok(Ok(Answer::End));
        };
        if shows {
            Paper::default().add(&format!("{line}\n")).print()?;
        }
        Ok(self.meant(line.trim()))
    }

    /// What somebody means: an option by what it is called, by its words, their beginning or the last of them,
    /// or a command.
    fn meant(&self, typed: &str) -> Result<Answer, String> {
        let typed = typed.to_lowercase();
        let mut commands = COMMANDS.iter();
        let command = commands.find(|(key, word, ..)| typed == *key || typed == *word);
        if let Some((.., answer)) = command.filter(|(.., answer)| self.is_known(*answer)) {
            return Ok(*answer);
        }
        if let Some(option) = self.called.iter().position(|own| *own == typed) {
            return Ok(Answer::Option(option));
        }
        let names = self.options.names.iter().map(|name| name.to_lowercase());
        let begins: Vec<(usize, String)> = names
            .enumerate()
            .filter(|(_, name)| !typed.is_empty() && name.starts_with(&typed))
            .collect();
        let whole = begins.iter().find(|(_, name)| *name == typed);
        let names = self.options.names.iter().map(|name| name.to_lowercase());
        let is_last = |(_, name): &(usize, String)| name.split(' ').next_back() == Some(&typed);
        let ends: Vec<(usize, String)> = names.enumerate().filter(is_last).collect();
        match (whole, begins.as_slice(), ends.as_slice()) {
            (Some((option, _)), ..) | (_, [(option, _)], _) | (_, [], [(option, _)]) => {
                Ok(Answer::Option(*option))
            }
            _ if typed.is_empty() => Err(typed),
            (_, [], []) => Err(format!("`{typed}` means nothing here.")),
            (_, [], some) | (_, some, _) => {
                let called = some.iter().map(|(option, _)| self.called[*option].as_str());
                let called: Vec<&str> = called.collect();
                Err(format!("`{typed}` may be {}: which?", called.join(", ")))
            }
        }
    }
}

/// So few options need no headings.
const GROUPED: usize = 6;
/// More of a kind than these, which all begin alike, stand in one line.
const MANY: usize = 12;
