//! Asking for a decision: by a key where there are few options, else by a line.

use super::paper::{Ink, Paper};
use crate::cli::error::CliError;
use crate::cli::terminal::{hanging, is_attended, next_line, prose};
use carat_core::diagnostic::counted;
use carat_core::game::moments::Options;
use carat_studies::study::SeatedTable;
use console::{Key, Term};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// An option, by its number from 0.
    Option(usize),
    Hint,
    More,
    Undo,
    Board,
    Reference,
    Help,
    /// Also at the end of the input.
    Quit,
    /// Ctrl-C.
    Interrupt,
}

/// Commands besides options: key, word, what it does.
const COMMANDS: [(&str, &str, &str, Answer); 7] = [
    (
        "?",
        "hint",
        "print the value of each option and the reason; the coach knows how these bots decide",
        Answer::Hint,
    ),
    ("m", "more", "list the other moves", Answer::More),
    (
        "u",
        "undo",
        "take back your last move, unless you have seen something new since",
        Answer::Undo,
    ),
    ("b", "board", "print the position again", Answer::Board),
    (
        "r",
        "rules",
        "explain the rules and list the cards",
        Answer::Reference,
    ),
    ("h", "help", "list the keys", Answer::Help),
    (
        "q",
        "quit",
        "leave the game; `carat play --resume` continues it",
        Answer::Quit,
    ),
];

/// Moves that are listed at first.
pub const SHOWN: usize = 12;

/// The options of a decision, as they are listed and named.
pub struct Choices<'o> {
    options: &'o Options,
    /// The options in the order of the list: by group, useful ones first.
    order: Vec<usize>,
    /// How many are listed at first.
    listed: usize,
    /// By option, its letter or its number in the list.
    pub called: Vec<String>,
    /// Whether a single key answers.
    by_key: bool,
    /// Whether hints and undo are available.
    is_game: bool,
}

impl<'o> Choices<'o> {
    /// `useful` are the options to list, the most useful first.
    pub fn of(options: &'o Options, useful: Vec<usize>, is_game: bool) -> Choices<'o> {
        let (names, groups) = (&options.names, options.groups.iter());
        // The size of an option's group, and where the group begins.
        let group = |option: usize| {
            let own = options.groups.get(option);
            let size = groups.clone().filter(|group| own == Some(group)).count();
            (size, groups.clone().position(|group| own == Some(group)))
        };
        let mut order = useful;
        // The only move of its kind, such as ending a turn, is always listed.
        order.sort_by_key(|&option| group(option).0 > 1);
        let mut listed = order.len();
        if listed > SHOWN && group(0).0 < names.len() {
            listed = SHOWN;
        }
        let (first, rest) = order.split_at_mut(listed);
        for part in [first, rest] {
            part.sort_by_key(|&option| (group(option), option));
        }
        let letters: Vec<&str> = names.iter().filter_map(|name| name.get(..1)).collect();
        let is_free = |letter: &&str| {
            let copies = letters.iter().filter(|other| other == &letter).count();
            copies == 1 && COMMANDS.iter().all(|(key, ..)| key != letter)
        };
        let by_key = options.groups.is_empty()
            && letters.len() == names.len()
            && letters.iter().all(is_free);
        let number = |option: usize| {
            let at = order.iter().position(|&other| other == option);
            at.map_or("-".to_string(), |at| (at + 1).to_string())
        };
        Choices {
            options,
            called: if by_key {
                letters.into_iter().map(str::to_string).collect()
            } else {
                (0..names.len()).map(number).collect()
            },
            order,
            listed,
            by_key,
            is_game,
        }
    }

    /// Shows the position and the options that are listed at first.
    pub fn show(&self, paper: &mut Paper) {
        paper.picture(&format!("{}\n", hanging(&self.options.standing)));
        self.list(paper, &self.order[..self.listed]);
        let more = self.order.len() - self.listed;
        if more > 0 {
            let more = counted(more, "more move");
            paper.ink(Ink::Remark, &format!("    m  {more}\n"));
        }
    }

    /// Lists options by group, unless the prompt names them.
    fn list(&self, paper: &mut Paper, options: &[usize]) {
        if self.by_key {
            return;
        }
        let group = |option: &usize| self.options.groups.get(*option).copied();
        for group_of in options.chunk_by(|a, b| group(a) == group(b)) {
            let heading = group(&group_of[0]).unwrap_or_default();
            if let Some(all) = self.on_one_line(group_of) {
                // "begin at A1, B1, …"
                let name = &self.options.names[group_of[0]];
                let alike = &name[..name.len() - all[0].len()];
                let head = format!("  {heading}: type the last word, such as {}\n", all[0]);
                let shown = hanging(&format!("       {alike}{}\n", all.join(", ")));
                paper.ink(Ink::Remark, &hanging(&head)).add(&shown);
                continue;
            }
            if self.options.names.len() > GROUPED && group_of.len() > 1 {
                paper.ink(Ink::Remark, &format!("  {heading}\n"));
            }
            for &option in group_of {
                let name = &self.options.names[option];
                paper.add(&hanging(&format!("  {:>3}  {name}\n", self.called[option])));
            }
        }
    }

    /// Whether a command is available here.
    fn is_known(&self, answer: Answer) -> bool {
        match answer {
            Answer::Hint => self.is_game,
            // After simultaneous decisions there is always something new to see.
            Answer::Undo => self.is_game && !self.by_key,
            Answer::More => self.listed < self.order.len(),
            _ => true,
        }
    }

    /// Prints what a command asks for; returns whether it did.
    pub fn aside(&self, answer: Answer, table: &SeatedTable) -> Result<bool, CliError> {
        let mut paper = Paper::default();
        match answer {
            Answer::Board => self.show(&mut paper),
            Answer::More => self.list(&mut paper, &self.order[self.listed..]),
            Answer::Reference => _ = paper.add(&hanging(&table.table.reference())),
            Answer::Help => {
                if !self.by_key {
                    paper.add("  Type the number of a move, its first words or its last word.\n");
                }
                let keys = self.called.iter().filter(|_| self.by_key);
                for (key, name) in keys.zip(&self.options.names) {
                    paper.add(&format!("  {key}  {name}\n"));
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

    /// The last words of many options that share all others, and one line.
    fn on_one_line(&self, options: &[usize]) -> Option<Vec<&str>> {
        let split = |&option: &usize| self.options.names[option].rsplit_once(' ');
        let split: Option<Vec<(&str, &str)>> = options.iter().map(split).collect();
        let split = split.filter(|split| split.len() > MANY)?;
        let is_alike = split.iter().all(|(start, _)| *start == split[0].0);
        is_alike.then(|| split.iter().map(|(_, last)| *last).collect())
    }

    /// The prompt, with the keys or numbers that it accepts.
    fn question(&self) -> String {
        if !self.by_key {
            let last = self.order.len();
            let accepted = match self.on_one_line(&self.order) {
                Some(words) => format!("such as {}", words[0]),
                None => format!("1 to {last}"),
            };
            return format!("Your move, {accepted} (h for help): ");
        }
        let names = self.options.names.iter();
        let names = names.map(|name| format!("[{}]{}", &name[..1], &name[1..]));
        format!("{}? (h for help) ", names.collect::<Vec<_>>().join(" or "))
    }

    pub fn ask(&self) -> Result<Answer, CliError> {
        let terminal = is_attended();
        let mut paper = Paper::default();
        loop {
            paper.ink(Ink::Question, &prose(&self.question())).print()?;
            let answer = if terminal && self.by_key {
                self.key(&Term::stdout())
            } else {
                self.line(!terminal)?
            };
            match answer {
                Ok(answer) => return Ok(answer),
                Err(text) => paper.add(&prose(&format!("{text}\n"))).print()?,
            }
        }
    }

    /// The answer of a key, or why it is none.
    fn key(&self, term: &Term) -> Result<Answer, String> {
        let (answer, typed) = match term.read_key_raw() {
            Ok(Key::CtrlC) => (Ok(Answer::Interrupt), String::new()),
            // Ctrl-D
            Ok(Key::Char('\u{4}')) | Err(_) => (Ok(Answer::Quit), String::new()),
            Ok(Key::Char(key)) => {
                let typed = key.to_lowercase().to_string();
                (self.meant(&typed), typed)
            }
            Ok(_) => (self.meant(""), String::new()),
        };
        let shown = match answer {
            Ok(Answer::Option(option)) => self.options.names[option].clone(),
            _ => typed,
        };
        let printed = Paper::default().add(&format!("{shown}\n")).print();
        printed.map_or(Ok(Answer::Quit), |()| answer)
    }

    /// The answer of a line, or why it is none. `shows` echoes input that does not come from a
    /// terminal.
    fn line(&self, shows: bool) -> Result<Result<Answer, String>, CliError> {
        let Some(line) = next_line()? else {
            Paper::default().add("\n").print()?;
            return Ok(Ok(Answer::Quit));
        };
        if shows {
            Paper::default().add(&format!("{line}\n")).print()?;
        }
        Ok(self.meant(line.trim()))
    }

    /// The command or option that was typed: an option by its letter or number, its words, their
    /// beginning, or the last of them.
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
        let names: Vec<String> = names.collect();
        let numbers = 0..names.len();
        let begins = |at: &usize| !typed.is_empty() && names[*at].starts_with(&typed);
        let ends = |at: &usize| names[*at].split(' ').next_back() == Some(&typed);
        let mut found: Vec<usize> = numbers.clone().filter(begins).collect();
        if found.is_empty() {
            found = numbers.filter(ends).collect();
        }
        match (names.iter().position(|name| *name == typed), &found[..]) {
            (Some(option), _) | (None, &[option]) => Ok(Answer::Option(option)),
            _ if typed.is_empty() => Err("Type an answer; h lists the keys.".to_string()),
            (None, []) => Err(format!(
                "`{typed}` is not a valid answer; h lists the keys."
            )),
            (None, some) => {
                let called = some.iter().map(|&option| self.called[option].as_str());
                let called = called.collect::<Vec<_>>().join(", ");
                Err(format!(
                    "`{typed}` matches several moves: {called}. Which one?"
                ))
            }
        }
    }
}

/// Lists of at most this many options have no headings.
const GROUPED: usize = 8;
/// A group of more options than this shares one line if only their last words differ.
const MANY: usize = 12;
