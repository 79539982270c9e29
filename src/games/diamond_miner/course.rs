//! One game of Diamond Miner, decision by decision, with positions to play on from.

use super::cards::ORE;
use super::features::VOCABULARY;
use super::referee::{self, Event, Move, Position, View, Watch};
use super::rules::MinerRules;
use super::transcript::{self, Narrator};
use crate::game::moments::{self, Chronicle, Course, Guide, Options, Standing};
use crate::game::story::StoryStyle;
use crate::game::{Places, Sitting, WIN_UNITS};
use crate::streams;
use rand_xoshiro::Xoshiro128PlusPlus;

pub fn course(
    rules: &MinerRules,
    sitting: &Sitting,
    (seed, game, style): (u64, u64, StoryStyle),
    guide: &mut dyn Guide,
) -> Course {
    guide.begin(game);
    let names = &sitting.names;
    let mut chronicle = Chronicle::default();
    chronicle.line(&format!("{}, game {game} of seed {seed}", rules.title));
    chronicle.push(&transcript::head(names));
    let mut chronicler = Chronicler {
        narrator: Narrator::new(rules, names),
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
    let ending = referee::play(rules, sitting, key, &mut watch);
    let mut chronicle = chronicler.chronicle;
    chronicle.push(&transcript::end(&ending, names));
    let best = ending.diamonds.iter().max();
    let winners = ending.diamonds.iter().filter(|own| Some(*own) == best);
    let won = WIN_UNITS / winners.count() as i32;
    let win = |own: &u32| if Some(own) == best { won } else { 0 };
    chronicle.course(
        sitting.by_seat(ending.diamonds.iter().map(win)),
        sitting.by_seat(ending.diamonds.iter().map(|&own| own as i32)),
    )
}

/// Lets a guide change decisions, then passes them to another watch.
pub struct Guided<'a> {
    pub guide: &'a mut dyn Guide,
    pub places: Places,
    pub watch: &'a mut dyn Watch,
}

impl Watch for Guided<'_> {
    fn event(&mut self, event: &Event, table: &Position) {
        self.watch.event(event, table);
    }

    fn decided(
        &mut self,
        view: &View,
        moves: &[Move],
        chosen: &mut usize,
        luck: [&Xoshiro128PlusPlus; 2],
    ) {
        let seat = self.places.bot_at(view.seat);
        let stands = Standing {
            position: &|| moments::Position::new(view.snapshot(self.places, moves, luck)),
            features: &|option| view.features(option, moves),
        };
        *chosen = (self.guide).decide(seat, moves.len() + 1, *chosen, &stands);
        self.watch.decided(view, moves, chosen, luck);
    }
}

struct Chronicler<'a> {
    narrator: Narrator<'a>,
    sitting: &'a Sitting,
    style: StoryStyle,
    chronicle: Chronicle,
}

impl Watch for Chronicler<'_> {
    fn event(&mut self, event: &Event, table: &Position) {
        self.chronicle.push(&self.narrator.describe(event, table));
        if let Event::Took { cards, .. } | Event::Moved { taken: cards, .. } = event {
            self.chronicle.drawn |= cards.iter().any(|card| card.class() == ORE);
        }
    }

    fn decided(
        &mut self,
        view: &View,
        moves: &[Move],
        chosen: &mut usize,
        luck: [&Xoshiro128PlusPlus; 2],
    ) {
        let chosen = *chosen;
        let Sitting {
            places,
            formulas,
            names,
        } = self.sitting;
        let of_moves = moves.iter().map(|each| kind(each, view.seat));
        let groups: Vec<&str> = std::iter::once("ends the turn").chain(of_moves).collect();
        let seat = places.bot_at(view.seat);
        let mut options = Options {
            seat,
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
        if self.style.seat == Some(seat) {
            options.standing = self.narrator.stands(view.table);
            let features = |row| view.features(row, moves);
            options.features = (0..=moves.len()).map(features).collect();
        }
        let at = format!("round {}, move {}", view.round, view.made + 1);
        let snapshot = view.snapshot(*places, moves, luck);
        self.chronicle.decision(at, snapshot, options);
        if self.style.why {
            let why = view.why(&formulas[view.seat], moves, chosen);
            let why = why.text(&VOCABULARY);
            self.chronicle
                .line(&format!("    ? {}: {why}", names[view.seat]));
        }
    }
}

/// The kind of a move of the miner at `place`.
fn kind(chosen: &Move, place: usize) -> &'static str {
    match (chosen.owner == place, chosen.gives.is_some()) {
        (true, true) => "makes something",
        (true, false) => "puts a card under an own stack",
        (false, true) => "steals",
        (false, false) => "puts a card under another's stack",
    }
}
