//! One game of Diamond Miner, decision by decision, with positions to play on from.

use super::board::board;
use super::cards::ORE;
use super::features::VOCABULARY;
use super::referee::{self, Event, Move, Position, View, Watch};
use super::rules::MinerRules;
use super::transcript::{self, Narrator};
use crate::game::Sitting;
use crate::game::moments::{Course, Guide, Options, Scored, Standing};
use crate::game::story::StoryStyle;

pub fn course(
    rules: &MinerRules,
    sitting: &Sitting,
    game: (u64, u64, StoryStyle),
    guide: &mut dyn Guide,
) -> Course {
    guide.begin(game.1);
    let names = &sitting.names;
    let mut scored = Scored::new(&rules.title, sitting, game, &VOCABULARY);
    scored.chronicle.push(&transcript::head(names));
    let narrator = Narrator::new(rules, names);
    let mut chronicler = Chronicler { narrator, scored };
    let ending = referee::play(rules, sitting, guide, &mut chronicler);
    let end = transcript::end(&ending, names);
    let scores = ending.diamonds.iter().map(|&own| own as i32);
    chronicler.scored.end(&end, ending.wins, scores)
}

struct Chronicler<'a> {
    narrator: Narrator<'a>,
    scored: Scored<'a>,
}

impl Watch for Chronicler<'_> {
    fn event(&mut self, event: &Event, table: &Position) {
        let text = self.narrator.describe(event, table);
        self.scored.chronicle.push(&text);
        if let Event::Took { cards, .. } | Event::Moved { taken: cards, .. } = event {
            self.scored.chronicle.drawn |= cards.iter().any(|card| card.class() == ORE);
        }
    }

    fn decided(&mut self, view: &View, chosen: usize, stands: &Standing) {
        let moves = view.moves;
        let of_moves = moves.iter().map(|each| kind(each, view.seat));
        let groups: Vec<&str> = std::iter::once("ends the turn").chain(of_moves).collect();
        let mut options = Options {
            seat: view.bot,
            names: (0..=moves.len())
                .map(|number| self.narrator.choice(moves, number))
                .collect(),
            chosen,
            kind: vec![
                ("move", groups[chosen].to_string()),
                ("diamonds", view.table.diamonds(view.seat).to_string()),
            ],
            groups,
            ..Options::default()
        };
        if self.scored.shows(view.bot) {
            let sitting = &self.scored.sitting;
            let players = (sitting.places, &sitting.names[..]);
            let board = board(view.table, players, view.seat, moves);
            options.standing = transcript::stands(&board);
            options.board = Some(board);
        }
        let at = format!("round {}, move {}", view.round, view.made + 1);
        self.scored.decision(view.seat, at, options, stands);
    }
}

fn kind(chosen: &Move, place: usize) -> &'static str {
    match (chosen.owner == place, chosen.gives.is_some()) {
        (true, true) => "makes something",
        (true, false) => "puts a card under an own stack",
        (false, true) => "steals",
        (false, false) => "puts a card under another's stack",
    }
}
