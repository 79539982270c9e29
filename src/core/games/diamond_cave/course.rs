//! One game of Diamond Cave, decision by decision, with positions to play on from.

use super::board::touched;
use super::features::VOCABULARY;
use super::moves::Choice;
use super::referee::{self, Decision, Event, Position, Watch};
use super::rules::DiamondCaveRules;
use super::transcript::{self, Narrator};
use crate::game::moments::{Course, Guide, Options, Scored, Standing};
use crate::game::story::StoryStyle;
use crate::game::{SCORE, Sitting, WIN};

pub fn course(
    rules: &DiamondCaveRules,
    sitting: &Sitting,
    game: (u64, u64, StoryStyle),
    guide: &mut dyn Guide,
) -> Course {
    guide.begin(game.1);
    let mut scored = Scored::new(&rules.title, sitting, game, &VOCABULARY);
    let narrator = Narrator::new(sitting, game.2);
    scored.chronicle.push(&narrator.head());
    let mut chronicler = Chronicler { narrator, scored };
    let result = referee::play(rules, sitting, guide, &mut chronicler);
    let end = transcript::end(&result, &sitting.names);
    let of = |outcome: usize| result.players.iter().map(move |own| own.outcomes[outcome]);
    chronicler.scored.end(&end, of(WIN), of(SCORE))
}

struct Chronicler<'a> {
    narrator: Narrator<'a>,
    scored: Scored<'a>,
}

impl Watch for Chronicler<'_> {
    fn event(&mut self, place: usize, event: Event, position: &Position) {
        self.scored.chronicle.drawn |= matches!(
            event,
            Event::Started { .. } | Event::Dug { .. } | Event::Planned { .. }
        );
        let text = self.narrator.describe(place, event, position);
        self.scored.chronicle.push(&text);
    }

    fn decided(&mut self, decision: &Decision, chosen: usize, stands: &Standing) {
        let (position, choices) = (decision.position, decision.choices);
        let asked = decision.asked;
        let at = match self.narrator.turn {
            0 => "set-up".to_string(),
            turn => format!("turn {turn}"),
        };
        let mut options = Options {
            seat: asked.seat,
            names: (choices.iter())
                .map(|choice| transcript::choice(position, *choice))
                .collect(),
            chosen,
            groups: choices.iter().map(|choice| KINDS[choice.kind()]).collect(),
            copies: copies(position, choices).into(),
            kind: vec![
                ("question", question(choices).to_string()),
                ("move", KINDS[choices[chosen].kind()].to_string()),
            ],
            ..Options::default()
        };
        if self.scored.shows(asked.seat) {
            let touched = |choice: &Choice| touched(position, asked.place, *choice);
            let mut board = self.narrator.board(position);
            board.options = choices.iter().map(touched).collect();
            options.standing = self.narrator.stands(&board);
            options.board = Some(board);
        }
        self.scored.decision(asked.place, at, options, stands);
    }
}

/// Choices that lay a planned card equal to that of an earlier choice, each paired with that.
fn copies(position: &Position, choices: &[Choice]) -> Vec<(usize, usize)> {
    let laid = |choice: &Choice| match *choice {
        Choice::Plan { slot, exit } => {
            Some((position.card(position.planned[usize::from(slot)]), exit))
        }
        _ => None,
    };
    let mut copies = Vec::new();
    for (at, choice) in choices.iter().enumerate() {
        let own = laid(choice);
        let earlier = choices[..at].iter().position(|other| laid(other) == own);
        copies.extend(own.and(earlier).map(|earlier| (at, earlier)));
    }
    copies
}

fn question(choices: &[Choice]) -> &'static str {
    match (choices[0], choices[choices.len() - 1]) {
        (Choice::Start { .. }, _) => "where to begin",
        (Choice::Exit { .. }, _) => "which way on",
        (_, Choice::Turn { .. }) => "how to turn a lone card",
        (Choice::Stop, _) => "whether to go on",
        _ => "what to lay or declare",
    }
}

/// The kinds of choices in words, by number.
const KINDS: [&str; 7] = [
    "begins",
    "lays a planned card",
    "digs",
    "chooses a way",
    "turns a lone card",
    "goes on",
    "ends the turn",
];
