//! `carat play`: a person plays against bots at the terminal.

mod asking;
pub mod coach;
mod looking_back;
mod paper;
pub mod position;
pub mod progress;
pub mod quiz;
mod session;

use super::args::{CompanyArgs, playouts};
use super::error::{CliError, usage};
use super::interrupt::end_with;
use super::terminal::{asked, hanging, is_attended, print, story_style, warn};
use crate::files::write_whole;
use carat_core::catalog::GAMES;
use carat_core::library::{Library, LibraryError, read_text};
use carat_studies::study::advise::Adviser;
use carat_studies::study::company::{Company, no_such_seat};
use carat_studies::study::kept_game::KeptGame;
use carat_studies::study::options::parse_seed;
use carat_studies::study::{TableSpec, parse_count};
use session::Session;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Play a game against bots at the terminal
///
/// In Diamant you press one key per decision; in the other games you type the number of a move. `?`
/// prints the value of each option and the reason; `h` lists all keys. carat saves the game at
/// every decision: --resume continues it, and `carat analyse` and `carat replay` read it.
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as diamant
    #[arg(value_name = "GAME")]
    game: Option<String>,
    /// Your name, for the story and the saved game
    #[arg(long, value_name = "NAME", default_value = "guest")]
    name: String,
    #[command(flatten)]
    company: CompanyArgs,
    /// Seed of the cards, to play the same game again [default: random]
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Continue a saved game
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["players", "me", "others", "level", "later", "rules", "set", "seed", "out"]
    )]
    resume: Option<PathBuf>,
    /// The file to save the game to [default: games/GAME-1.toml, or the next free number]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// After each of your decisions, print its cost and the reason
    #[arg(long)]
    coach: bool,
    /// Skip the review of your decisions at the end
    #[arg(long)]
    no_review: bool,
    /// After the review, append each of your decisions with its cost to this CSV file, as `carat
    /// quiz` does its answers; `carat progress FILE` shows whether you play better
    #[arg(long, value_name = "FILE", conflicts_with = "no_review")]
    remember: Option<PathBuf>,
    /// Maximum number of playouts per option, at least 64 [default: 20000 in Diamant, 2000 in
    /// Diamond Cave, 1000 in Diamond Miner]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true)]
    playouts: Option<u64>,
}

pub fn run(args: &Args) -> Result<(), CliError> {
    if let Some(file) = &args.remember {
        progress::read(file)?;
    }
    let library = Library::here();
    let (mut kept, claimed) = match &args.resume {
        Some(_) if args.game.is_some() => {
            usage!("--resume takes the game from the saved file; omit the game's name");
        }
        Some(file) => {
            let claimed = claim(file, OpenOptions::new().read(true));
            let claimed = claimed.map_err(|source| LibraryError::file(file, source))?;
            let kept = KeptGame::from_toml(&file.display().to_string(), &read_text(file)?)?;
            (kept, Some(claimed))
        }
        None => {
            let game = args.game.clone().map_or_else(asked_game, Ok)?;
            (args.begun(&game, &library)?, None)
        }
    };
    let resolved = kept.resolve(&library)?;
    warn(&resolved.warnings);
    let seats = resolved.seats.len();
    if !(1..=seats).contains(&kept.me) {
        return Err(no_such_seat(kept.me, seats).into());
    }
    kept.table.seats.clone_from(&resolved.spec.seats);
    let playouts = playouts(args.playouts, &resolved)?;
    let claimed = claimed.map_or_else(|| args.new_file(&kept.table.game), Ok)?;
    let usual = (resolved.is_usual(kept.me - 1)).then_some(kept.me - 1);
    let session = Session {
        style: story_style(kept.me),
        adviser: Adviser::new(&resolved, &library, playouts, usual),
        kept,
        table: &resolved,
        file: claimed,
        shows_costs: args.coach,
        options: args.again(),
        printed: 0,
    };
    end_with(session.kept_words());
    let before = session.kept.moves.len();
    let over = session.play(args.resume.is_none())?;
    if let Some(kept) = over.filter(|_| !args.no_review) {
        let adviser = Adviser::new(&resolved, &library, playouts, None);
        // A game that was over is not remembered twice.
        let is_new = kept.moves.len() > before;
        let remember = args.remember.as_deref().filter(|_| is_new);
        looking_back::look_back(&kept, &adviser, remember)?;
    }
    Ok(())
}

fn asked_game() -> Result<String, CliError> {
    let names = GAMES.map(|game| game.name).join(", ");
    let why = || CliError::Usage(format!("name a game: {names}"));
    if !is_attended() {
        return Err(why());
    }
    for (at, game) in (1..).zip(GAMES) {
        let line = format!("  {at}  {}: {}\n", game.title, game.summary);
        print(&hanging(&line))?;
    }
    let number = asked("Which game?", 1)?;
    let game = number.checked_sub(1).and_then(|at| GAMES.get(at));
    Ok(game.ok_or_else(why)?.name.to_string())
}

/// The file of a game, which no other session may write while it is held.
pub struct Claimed {
    path: PathBuf,
    _held: File,
}

/// Opens and locks a file.
fn claim(path: &Path, how: &OpenOptions) -> io::Result<Claimed> {
    let held = how.open(path)?;
    match held.try_lock() {
        // Some file systems know no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Claimed {
            path: path.to_path_buf(),
            _held: held,
        }),
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::other("another session is playing this game"))
        }
    }
}

impl Claimed {
    /// Replaces the file and locks the new one.
    fn write(&mut self, text: &str) -> Result<(), CliError> {
        let claimed = write_whole(&self.path, text.as_bytes())
            .and_then(|()| claim(&self.path, OpenOptions::new().read(true)));
        *self = claimed.map_err(CliError::keep(&self.path))?;
        Ok(())
    }
}

/// An unpredictable seed, short enough to read aloud.
pub fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |time| (time.as_micros() % 1_000_000_007) as u64)
}

impl Args {
    /// The options that are given again to continue the game, each after a space.
    fn again(&self) -> String {
        let flags = [(self.coach, " --coach"), (self.no_review, " --no-review")];
        let flags = flags.iter().filter(|(is_given, _)| *is_given);
        let playouts = self
            .playouts
            .map(|playouts| format!(" --playouts {playouts}"));
        let file = self.remember.as_ref();
        let remember = file.map(|file| format!(" --remember {}", file.display()));
        let given = playouts.into_iter().chain(remember);
        flags
            .map(|(_, flag)| flag.to_string())
            .chain(given)
            .collect()
    }

    /// A game before its first decision.
    fn begun(&self, game: &str, library: &Library) -> Result<KeptGame, CliError> {
        let seed = self.seed.unwrap_or_else(new_seed);
        let company = self.company.company(game);
        if self.name.is_empty() {
            usage!("--name: write a name");
        }
        let seats = company.sit_down(library)?.spec.seats;
        let players = seats.iter().map(|seat| seat.copies as u64).sum();
        let Company { table, me, .. } = company;
        let mut people = vec![String::new(); me - 1];
        people.push(self.name.clone());
        Ok(KeptGame {
            table: TableSpec {
                players: None,
                seats,
                people,
                ..table
            },
            seed,
            // The number sets the order of the seats, which then differs from seed to seed.
            number: seed % (1..=players).product::<u64>(),
            me,
            moves: Vec::new(),
        })
    }

    fn new_file(&self, game: &str) -> Result<Claimed, CliError> {
        let mut number = 1;
        loop {
            let numbered = || Path::new("games").join(format!("{game}-{number}.toml"));
            let file = self.out.clone().unwrap_or_else(numbered);
            let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
            let new =
                folder.and_then(|()| claim(&file, OpenOptions::new().write(true).create_new(true)));
            match new {
                Ok(claimed) => return Ok(claimed),
                Err(source) if source.kind() != ErrorKind::AlreadyExists => {
                    return Err(CliError::Keep { file, source });
                }
                Err(_) if self.out.is_some() => usage!(
                    "--out {0}: this file exists; name another, or continue its game with --resume {0}",
                    file.display()
                ),
                Err(_) => number += 1,
            }
        }
    }
}
