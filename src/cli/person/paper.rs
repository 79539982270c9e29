//! Text with ink: what is printed for a person, in colour where the terminal shows it.

use crate::cli::error::CliError;
use crate::cli::terminal::{print_as_it_is, visible};
use console::Style;

/// The meaning of a piece of text, which sets its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    Question,
    Remark,
    Good,
    Bad,
    Treasure,
    Pawn,
}

impl Ink {
    fn style(self) -> Style {
        let style = Style::new();
        match self {
            Ink::Question => style.bold(),
            Ink::Remark => style.dim(),
            Ink::Good => style.green(),
            Ink::Bad => style.red(),
            Ink::Treasure => style.cyan().bold(),
            Ink::Pawn => style.yellow().bold(),
        }
    }
}

/// Text to print. Its colours are the only control codes in it.
#[derive(Default)]
pub struct Paper(String);

impl Paper {
    pub fn add(&mut self, text: &str) -> &mut Paper {
        self.0 += &visible(text);
        self
    }

    pub fn ink(&mut self, ink: Ink, text: &str) -> &mut Paper {
        self.0 += &ink.style().apply_to(visible(text)).to_string();
        self
    }

    /// Appends text with a board; its symbols have their own colours.
    pub fn picture(&mut self, text: &str) -> &mut Paper {
        for sign in text.chars() {
            let text = sign.to_string();
            match sign {
                '◆' | '◇' => self.ink(Ink::Treasure, &text),
                '▲' | '►' | '▼' | '◄' => self.ink(Ink::Pawn, &text),
                _ => self.add(&text),
            };
        }
        self
    }

    pub fn print(&mut self) -> Result<(), CliError> {
        print_as_it_is(&std::mem::take(&mut self.0))
    }
}
