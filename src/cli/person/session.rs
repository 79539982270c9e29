//! A game at the terminal, from the first decision to the last.

use super::Claimed;
use super::asking::{Answer, Choices};
use super::coach::{Coach, find_useful};
use super::paper::{Ink, Paper};
use crate::cli::error::CliError;
use crate::cli::terminal::{hanging, prose};
use carat_core::game::story::StoryStyle;
use carat_core::thinking::Question;
use carat_studies::study::SeatedTable;
use carat_studies::study::advise::Adviser;
use carat_studies::study::kept_game::{KeptGame, Standing};

pub struct Session<'a> {
    pub kept: KeptGame,
    pub table: &'a SeatedTable,
    pub file: Claimed,
    pub adviser: Adviser<'a>,
    /// Whether the coach judges each decision at once.
    pub shows_costs: bool,
    /// The options with which the game continues.
    pub options: String,
    pub style: StoryStyle,
    /// Moments that have been shown.
    pub printed: usize,
}

impl Session<'_> {
    /// How to continue later.
    pub fn kept_words(&self) -> String {
        let (file, options) = (self.file.path.display(), &self.options);
        format!("The game is saved. To continue: carat play --resume {file}{options}")
    }

    /// Plays until the game is over, and returns it; nothing if the player leaves before.
    pub fn play(mut self, is_new: bool) -> Result<Option<KeptGame>, CliError> {
        let mut paper = Paper::default();
        let mut standing = self.stand()?;
        let head = self.head(is_new);
        paper.ink(Ink::Remark, &head).add("\n").print()?;
        loop {
            self.print_story(&standing)?;
            let Some(fork) = standing.fork() else {
                break;
            };
            let options = fork.1;
            let useful = find_useful(&self.adviser, fork);
            let choices = Choices::of(options, useful, true);
            choices.show(&mut paper);
            paper.print()?;
            let option = loop {
                let answer = choices.ask()?;
                if choices.aside(answer, self.table)? {
                    continue;
                }
                match answer {
                    Answer::Option(option) => break Some(option),
                    Answer::Hint => {
                        let advice = self.adviser.weigh(&Question::at(fork));
                        let coach = Coach::new(&self.adviser, fork, advice);
                        coach.list_options(&mut paper, &choices.called, coach.best());
                        paper.print()?;
                    }
                    Answer::Undo if self.kept.take_back(&standing) => break None,
                    Answer::Undo => {
                        let mut moves = self.kept.moves.iter();
                        let why = if moves.any(|own| own.seat + 1 == self.kept.me) {
                            "Your last move cannot be taken back, because you have seen something new since."
                        } else {
                            "You have not made a move to take back yet."
                        };
                        paper.add(&prose(why)).add("\n").print()?;
                    }
                    Answer::Interrupt => return Err(CliError::Left(self.kept_words())),
                    _ => {
                        paper
                            .add(&hanging(&format!("{}\n", self.kept_words())))
                            .print()?;
                        return Ok(None);
                    }
                }
            };
            if let Some(option) = option {
                if self.shows_costs {
                    let advice = self.adviser.weigh(&Question::at(fork));
                    Coach::new(&self.adviser, fork, advice).add_verdict(&mut paper, option);
                    paper.print()?;
                }
                self.kept.take(options, option);
            }
            standing = self.stand()?;
        }
        let file = self.file.path.display();
        let name = self.table.game.name;
        let words =
            format!("The game is saved. To analyse every decision: carat analyse {name} {file}");
        paper.ink(Ink::Remark, &prose(&words)).add("\n").print()?;
        Ok(Some(self.kept))
    }

    /// Saves the game and finds the next decision.
    fn stand(&mut self) -> Result<Standing, CliError> {
        let standing = self.kept.stand(self.table.table.as_ref(), self.style);
        let standing = standing
            .map_err(|why| CliError::Usage(format!("{}: {why}", self.file.path.display())))?;
        self.file.write(&self.kept.to_toml()?)?;
        Ok(standing)
    }

    fn head(&self, is_new: bool) -> String {
        let goes_on = if is_new { "" } else { "The game continues. " };
        let file = self.file.path.display();
        prose(&format!(
            "{goes_on}You sit at seat {}. The game is saved to {file}. h lists the keys.\n",
            self.kept.me
        ))
    }

    /// Prints what happened since the last decision, and how the game ended.
    fn print_story(&mut self, standing: &Standing) -> Result<(), CliError> {
        let story = standing.course.story_between(self.printed, standing.at);
        self.printed = standing.at.map_or(usize::MAX, |at| at + 1);
        Paper::default().picture(&hanging(&story)).print()
    }
}
