//! One game of Diamond Cave, decision by decision, with positions to play on from.

use super::features::VOCABULARY;
use super::moves::{Asked, Choice};
use super::referee::{self, Event, Position, Watch};
use super::rules::DiamondCaveRules;
use super::transcript::{self, Narrator};
use crate::game::moments::{self, Chronicle, Course, Guide, Options, Standing};
use crate::game::story::StoryStyle;
use crate::game::{Places, SCORE, Sitting, WIN};
use crate::streams;

pub fn course(
    rules: &DiamondCaveRules,
    sitting: &Sitting,
    (seed, game, style): (u64, u64, StoryStyle),
    guide: &mut dyn Guide,
) -> Course {
    guide.begin(game);
    let mut chronicle = Chronicle::default();
    chronicle.line(&format!("{}, game {game} of seed {seed}", rules.title));
    let narrator = Narrator::new(&sitting.names, style);
    chronicle.push(&narrator.head());
    let mut chronicler = Chronicler {
        narrator,
        sitting,
        style,
        chronicle,
    };
    let key = streams::game_key(seed, game);
    let mut watch = Guided {
        guide,
        places: sitting.places,
        watch: &mut chronicler,
    };
    let result = referee::play(rules, sitting, key, &mut watch);
    let Chronicler { mut chronicle, .. } = chronicler;
    chronicle.push(&transcript::end(&result, &sitting.names));
    let of = |outcome: usize| {
        let players = result.players.iter();
        sitting.by_seat(players.map(|played| played.outcomes[outcome]))
    };
    chronicle.course(of(WIN), of(SCORE))
}

/// Lets a guide change decisions, then passes them to another watch.
pub struct Guided<'a> {
    pub guide: &'a mut dyn Guide,
    pub places: Places,
    pub watch: &'a mut dyn Watch,
}

impl Watch for Guided<'_> {
    fn event(&mut self, place: usize, event: Event, position: &Position) {
        self.watch.event(place, event, position);
    }

    fn decided(
        &mut self,
        position: &Position,
        asked: Asked,
        choices: &[Choice],
        chosen: &mut usize,
    ) {
        let seat = self.places.bot_at(asked.place);
        let stands = Standing {
            position: &|| moments::Position::new(position.snapshot(self.places, asked, choices)),
            features: &|option| features(position, &asked, option, choices[option]),
        };
        *chosen = self.guide.decide(seat, choices.len(), *chosen, &stands);
        self.watch.decided(position, asked, choices, chosen);
    }
}

struct Chronicler<'a> {
    narrator: Narrator<'a>,
    sitting: &'a Sitting,
    style: StoryStyle,
    chronicle: Chronicle,
}

impl Watch for Chronicler<'_> {
    fn event(&mut self, place: usize, event: Event, position: &Position) {
        self.chronicle.drawn |= matches!(
            event,
            Event::Started { .. } | Event::Dug { .. } | Event::Planned { .. }
        );
        self.chronicle
            .push(&self.narrator.describe(place, event, position));
    }

    fn decided(
        &mut self,
        position: &Position,
        asked: Asked,
        choices: &[Choice],
        chosen: &mut usize,
    ) {
        let chosen = *chosen;
        let place = asked.place;
        let at = match self.narrator.turn {
            0 => "set-up".to_string(),
            turn => format!("turn {turn}"),
        };
        let seat = self.sitting.places.bot_at(place);
        let mut options = Options {
            seat,
            names: (choices.iter())
                .map(|choice| transcript::choice(position, *choice))
                .collect(),
            chosen,
            groups: choices.iter().map(|&choice| kind(choice)).collect(),
            copies: copies(position, choices).into(),
            kind: vec![
                ("question", question(choices).to_string()),
                ("move", kind(choices[chosen]).to_string()),
            ],
            ..Options::default()
        };
        if self.style.seat == Some(seat) {
            options.standing = self.narrator.stands(position);
            let features = |(at, &choice)| features(position, &asked, at, choice);
            options.features = choices.iter().enumerate().map(features).collect();
        }
        let snapshot = position.snapshot(self.sitting.places, asked, choices);
        self.chronicle.decision(at, snapshot, options);
        if self.style.why {
            let formula = &self.sitting.formulas[place];
            let why = referee::why(position, &asked, choices, chosen, formula).text(&VOCABULARY);
            let name = &self.sitting.names[place];
            self.chronicle.line(&format!("    ? {name}: {why}"));
        }
    }
}

/// All features of the choice with this number.
fn features(position: &Position, asked: &Asked, number: usize, choice: Choice) -> Vec<f32> {
    let feature = |at| referee::feature(position, asked, number, choice, at);
    (0..VOCABULARY.features.len()).map(feature).collect()
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

fn kind(choice: Choice) -> &'static str {
    match choice {
        Choice::Start { .. } => "begins",
        Choice::Plan { .. } => "lays a planned card",
        Choice::Dig { .. } => "digs",
        Choice::Exit { .. } => "chooses a way",
        Choice::Turn { .. } => "turns a lone card",
        Choice::Stop => "ends the turn",
        Choice::GoOn => "goes on",
    }
}
