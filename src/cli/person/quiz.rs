//! `carat quiz`: questions about positions from games.

use super::asking::{Answer, Choices};
use super::coach::{Coach, find_useful};
use super::new_seed;
use super::paper::{Ink, Paper};
use super::progress::{self, cell, mean, right};
use crate::cli::args::{CompanyArgs, playouts};
use crate::cli::error::{CliError, usage};
use crate::cli::terminal::{
    hanging, is_attended, next_line, print, prose, story_style, table, warn,
};
use crate::files::Row;
use carat_core::game::WIN_SHARE;
use carat_core::game::moments::{Course, Fork};
use carat_core::library::Library;
use carat_core::strategy::SEATS_MAX;
use carat_core::streams;
use carat_core::thinking::{Advice, Question};
use carat_studies::desk::advice::format_cost;
use carat_studies::report::Cells;
use carat_studies::study::advise::Adviser;
use carat_studies::study::kept_game::KeptGame;
use carat_studies::study::options::parse_seed;
use carat_studies::study::{TableSpec, parse_count};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn parse_questions(text: &str) -> Result<u32, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (1..=1000).contains(number));
    number.ok_or_else(|| "write a whole number from 1 to 1000".to_string())
}

/// Practise decisions in positions from games
///
/// carat asks only about positions in which the options clearly differ, and explains each answer.
/// At the end it prints your results by kind of position. --remember saves your answers.
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as diamant
    #[arg(value_name = "GAME")]
    game: String,
    /// Number of questions, up to 1000
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = parse_questions)]
    questions: u32,
    #[command(flatten)]
    company: CompanyArgs,
    /// Seed of the games; with the same options, it asks the same questions [default: random]
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Ask only about positions in which the simple rule of the game is wrong, or in which the best
    /// option depends on the temperament of the opponents
    #[arg(long)]
    hard: bool,
    /// Maximum number of playouts per option, at least 64 [default: that of `carat play`]
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true)]
    playouts: Option<u64>,
    /// Append each answer to this CSV file, with its cost; `carat progress FILE` shows whether you
    /// get better
    #[arg(long, value_name = "FILE")]
    remember: Option<PathBuf>,
    /// Ask again the positions of the file that you last missed, in quizzes or games, those that
    /// cost most first
    #[arg(long, requires = "remember", conflicts_with_all = ["players", "me", "others", "level", "later", "rules", "set", "seed", "hard"])]
    missed: bool,
}

/// Lead of the best option in a clear position: a share of the wins.
const CLEAR: f64 = 0.01;
/// The same for a lone player: a share of the best score.
const CLEAR_ALONE: f64 = 0.03;
/// Positions to search for a question with the wanted answer; after that any clear one will do.
const LOOKED_AT: u64 = 60;
const LOOKED_AT_HARD: u64 = 10 * LOOKED_AT;
/// The part of the playouts that a first look at a position takes.
const FIRST_LOOK: u64 = 8;
const FIRST_LOOK_MIN: u64 = 128;

/// A position in which one option is clearly best.
struct Asked {
    game: u64,
    course: Course,
    moment: usize,
    advice: Advice,
    hard: &'static str,
}

impl Asked {
    fn fork(&self) -> Fork<'_> {
        let fork = self.course.moments[self.moment].fork();
        fork.expect("decisions are asked")
    }
}

pub fn run(args: &Args) -> Result<(), CliError> {
    let remembered = args.remember.as_deref();
    let remembered = remembered.map_or(Ok(Vec::new()), progress::read)?;
    if args.missed {
        return ask_missed(args, &progress::missed(&remembered, &args.game));
    }
    let seed = args.seed.unwrap_or_else(new_seed);
    let mut company = args.company.company(&args.game);
    company.table.people = vec![String::new(); company.me.clamp(1, SEATS_MAX) - 1];
    company.table.people.push("you".to_string());
    let library = Library::here();
    let resolved = company.sit_down(&library)?;
    warn(&resolved.warnings);
    let playouts = playouts(args.playouts, &resolved)?;
    let usual = company.is_usual().then_some(company.me - 1);
    let table = TableSpec {
        players: None,
        ..resolved.spec.clone()
    };
    let quiz = Quiz {
        args,
        kept: KeptGame {
            table,
            seed,
            number: 0,
            me: company.me,
            moves: Vec::new(),
        },
        adviser: Adviser::new(&resolved, &library, playouts, usual),
    };
    quiz.ask_all()
}

/// Asks these saved games, each at its next decision.
fn ask_missed(args: &Args, missed: &[String]) -> Result<(), CliError> {
    let file = args.remember.as_deref().unwrap_or(Path::new(""));
    let file = file.display().to_string();
    if missed.is_empty() {
        usage!("{file}: no missed position of {} is left", args.game);
    }
    let (library, mut paper, mut answers) = (Library::here(), Paper::default(), Vec::new());
    let all = missed.len().min(args.questions as usize);
    for (number, text) in missed[..all].iter().enumerate() {
        let mut kept = KeptGame::from_toml(&file, text)?;
        let resolved = kept.resolve(&library)?;
        let standing = kept.stand(resolved.table.as_ref(), story_style(kept.me));
        let standing = standing.map_err(|why| CliError::Usage(format!("{file}: {why}")))?;
        let Some((fork, moment)) = standing.fork().zip(standing.at) else {
            continue;
        };
        let playouts = playouts(args.playouts, &resolved)?;
        let usual = resolved.is_usual(kept.me - 1).then_some(kept.me - 1);
        let adviser = Adviser::new(&resolved, &library, playouts, usual);
        let question = Asked {
            game: kept.number,
            advice: adviser.weigh(&Question::at(fork)),
            moment,
            hard: "",
            course: standing.course,
        };
        let quiz = Quiz {
            args,
            kept,
            adviser,
        };
        match quiz.ask_next(number, all, &question, &mut paper)? {
            Some(answered) => answers.push(answered),
            None => break,
        }
    }
    score(&Vec::from_iter(&answers), &mut paper)
}

struct Quiz<'a> {
    args: &'a Args,
    /// The table, the seed of the games and the player's seat.
    kept: KeptGame,
    adviser: Adviser<'a>,
}

impl Quiz<'_> {
    fn ask_all(&self) -> Result<(), CliError> {
        let mut paper = Paper::default();
        let head = format!(
            "{}. You sit at seat {}. To repeat these questions, add --seed {} to the same options.",
            self.adviser.table.headline(),
            self.kept.me,
            self.kept.seed
        );
        paper.ink(Ink::Remark, &prose(&head)).add("\n").print()?;
        let mut answers = Vec::new();
        let mut game = 0;
        for number in 0..self.args.questions as usize {
            let Some(question) = self.question(number as u64, &mut game) else {
                let words = "There are no more positions in which the options clearly differ.\n";
                paper.add(words).print()?;
                break;
            };
            match self.ask_next(number, self.args.questions as usize, &question, &mut paper)? {
                Some(answered) => answers.push(answered),
                None => break,
            }
        }
        score(&Vec::from_iter(&answers), &mut paper)
    }

    /// Asks the question of this number, from 0, of so many.
    fn ask_next(
        &self,
        number: usize,
        all: usize,
        question: &Asked,
        paper: &mut Paper,
    ) -> Result<Option<Row>, CliError> {
        if is_attended() && number > 0 {
            print("\nEnter for the next question ")?;
            next_line()?;
        }
        let head = format!("\nQuestion {} of {all}\n", number + 1);
        paper.ink(Ink::Question, &head);
        self.ask(question, paper)
    }

    /// The next question, from game `game` on. Of two options, each is equally often the best.
    fn question(&self, number: u64, game: &mut u64) -> Option<Asked> {
        let mut spare = None;
        let looked_at = if self.args.hard {
            LOOKED_AT_HARD
        } else {
            LOOKED_AT
        };
        for _ in 0..looked_at {
            let own = *game;
            *game += 1;
            let Some(question) = self.position(own) else {
                continue;
            };
            // Each pair of questions has both answers, in random order.
            let turn = (streams::output(self.kept.seed, number / 2) + number) as usize % 2;
            if question.fork().1.names.len() > 2 || question.advice.best == turn {
                return Some(question);
            }
            spare = spare.or(Some(question));
        }
        spare
    }

    /// A decision of a game in which the options clearly differ.
    fn position(&self, game: u64) -> Option<Asked> {
        let style = story_style(self.kept.me);
        let course = self.adviser.table.table.course(self.kept.seed, game, style);
        let own = |at: &usize| {
            let options = course.moments[*at].options();
            options.is_some_and(|options| options.seat + 1 == self.kept.me)
        };
        let decisions: Vec<usize> = (0..course.moments.len()).filter(own).collect();
        let key = streams::game_key(self.kept.seed, game);
        let any = streams::output(key, streams::UNIFORM_BASE);
        let moment = *decisions.get(any as usize % decisions.len().max(1))?;
        let fork = course.moments[moment].fork()?;
        let question = Question::at(fork);
        let few = (self.adviser.judge.playouts / FIRST_LOOK).max(FIRST_LOOK_MIN);
        let first_look = self.adviser.weigh_in(few, &question);
        self.is_clear(&first_look).then_some(())?;
        let advice = self.adviser.weigh(&question);
        self.is_clear(&advice).then_some(())?;
        let mut hard = "";
        if self.args.hard {
            hard = self.why_hard(fork, &advice)?;
        }
        Some(Asked {
            game,
            moment,
            advice,
            course,
            hard,
        })
    }

    /// Why a position is hard, if it is.
    fn why_hard(&self, fork: Fork, advice: &Advice) -> Option<&'static str> {
        let is_wrong = |option: usize| advice.cost(option).low > 0.0;
        if self.adviser.rule_takes(fork.1).is_some_and(is_wrong) {
            return Some("the simple rule is wrong");
        }
        let against = self.adviser.weigh_against(&Question::at(fork), advice.best);
        let mut answers = against.iter().filter_map(|of| of.best);
        let depends = answers.any(|answer| answer != advice.best);
        depends.then_some("it depends on the opponents")
    }

    /// Whether the best option is clearly better than each other.
    fn is_clear(&self, advice: &Advice) -> bool {
        let least = if self.adviser.compares_wins() {
            CLEAR
        } else {
            CLEAR_ALONE * advice.value(advice.best).value
        };
        let mut others = (0..advice.options.len()).filter(|option| *option != advice.best);
        others.all(|other| {
            let cost = advice.cost(other);
            cost.low > 0.0 && cost.value > least
        })
    }

    /// Asks a question; nothing when the player leaves the quiz.
    fn ask(&self, question: &Asked, paper: &mut Paper) -> Result<Option<Row>, CliError> {
        let fork = question.fork();
        let options = fork.1;
        let story = question.course.story_between(0, Some(question.moment));
        // The position shows what earlier events led to.
        let last = story.trim_end().rsplit("\n\n").next().unwrap_or_default();
        let choices = Choices::of(options, find_useful(&self.adviser, fork), false);
        paper.picture(&hanging(last)).add("\n");
        choices.show(paper);
        paper.print()?;
        let option = loop {
            match choices.ask()? {
                Answer::Option(option) => break option,
                Answer::Interrupt => return Err(CliError::Left("you left the quiz".to_string())),
                answer if choices.aside(answer, self.adviser.table)? => {}
                _ => return Ok(None),
            }
        };
        let advice = &question.advice;
        let is_right = option == advice.best || advice.cost(option).low <= 0.0;
        if is_right {
            paper.ink(Ink::Good, "Right.\n")
        } else {
            let cost = format_cost(&self.adviser, &advice.cost(option));
            let best = &options.names[advice.best];
            let words = format!("Not the best. Better by {cost}: {best}.");
            paper.ink(Ink::Bad, &prose(&words)).add("\n")
        };
        Coach::new(&self.adviser, fork, advice.clone()).list_options(
            paper,
            &choices.called,
            option,
        );
        paper.print()?;
        let game = KeptGame {
            number: question.game,
            ..self.kept.clone()
        };
        let task = if self.args.missed { "missed" } else { "quiz" };
        let cost = [advice.cost(option).value, 0.0][usize::from(is_right)];
        let (table, course) = (self.adviser.table, &question.course);
        let options = [option, advice.best];
        let row = progress::row(table, task, &game, course, question.moment, options, cost);
        let Some(mut row) = row else {
            return Ok(None);
        };
        if self.args.hard {
            row["kind"] += &format!("; hard because: {}", question.hard);
        }
        if let Some(file) = &self.args.remember {
            progress::add(file, &[row.clone()])?;
        }
        Ok(Some(row))
    }
}

/// Prints the results of answers by kind of position.
pub fn score(answers: &[&Row], paper: &mut Paper) -> Result<(), CliError> {
    let Some(first) = answers.first() else {
        return Ok(());
    };
    let (scale, unit) = match cell(first, "unit") {
        WIN_SHARE => (100.0, "percentage points of win share"),
        unit => (1.0, unit),
    };
    let shown = |cost: f64, digits| carat_core::numbers::number(scale * cost, digits);
    let line = |name: &str, of: &[&Row]| {
        let right = format!("{} of {}", right(of), of.len());
        vec![name.to_string(), right, shown(mean(of), 2)]
    };
    let mut kinds: BTreeMap<(usize, u64, &str), Vec<&Row>> = BTreeMap::new();
    for row in answers {
        for (at, kind) in cell(row, "kind").split("; ").enumerate() {
            let value = kind.rsplit(' ').next().unwrap_or_default();
            let number = value.parse().unwrap_or(u64::MAX);
            kinds.entry((at, number, kind)).or_default().push(row);
        }
    }
    let mut worst = (0.0, "");
    let mut rows = vec![line("all", answers)];
    for ((.., kind), own) in &kinds {
        if (2..answers.len()).contains(&own.len()) && mean(own) > worst.0 {
            worst = (mean(own), kind);
        }
        rows.push(line(kind, own));
    }
    let mut said = format!("The cost is in {unit}.");
    if worst.0 > 0.0 {
        let (lost, kind) = (shown(worst.0, 1), worst.1);
        said += &format!(
            " Among positions met more than once, you misjudge these most: {kind} (mean cost {lost})."
        );
    }
    let head = ["position", "right", "mean cost"];
    let shown = table(&Cells::new(&head, rows).right_from(1));
    paper
        .add(&format!("\n{shown}\n\n{}\n", prose(&said)))
        .print()
}
