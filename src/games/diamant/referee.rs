//! The rulebook in its plainest form: one game of Diamant, step by step.
//!
//! The kernel must play the same game; where the two differ, this one is right until the
//! rulebook says otherwise. It reports what happens as [`Event`]s, from which `carat replay`
//! writes its transcript.

use super::rules::{Card, Chests, DiamantRules, Leavers, Tiebreak, Unclaimed, Worth};
use super::{deck, features};
use crate::formula::{Formula, Value};
use crate::streams;

/// Something that happened at the table. Seats count from 0.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Everyone enters the cave.
    Expedition {
        /// Number of the expedition, from 1.
        round: u32,
        /// Cards in the deck.
        cards: u32,
        /// Relic shuffled in just now, if any.
        joined: Option<u8>,
    },
    /// A treasure was revealed and shared.
    Treasure {
        /// Rubies on the card.
        value: u8,
        /// Explorers who shared it.
        sharers: usize,
        /// Rubies for each.
        share: i32,
        /// Rubies on the path now.
        leftover: i32,
    },
    /// A trap was revealed for the first time in this expedition.
    Trap {
        /// Its kind.
        kind: u8,
    },
    /// A second trap of a kind ended the expedition.
    Bust {
        /// Its kind.
        kind: u8,
        /// Who was inside, with the rubies each lost.
        lost: Vec<(usize, i32)>,
        /// Whether the second trap card leaves the game.
        removed: bool,
    },
    /// A relic was revealed.
    Relic {
        /// Its number.
        relic: u8,
    },
    /// No card is left to reveal: everyone inside leaves together.
    DeckEmpty,
    /// Explorers left the cave together.
    Left {
        /// Who, with the rubies each held.
        leavers: Vec<(usize, i32)>,
        /// Rubies from the path for each.
        share: i32,
        /// Rubies that stay on the path.
        leftover: i32,
        /// Relics taken, which only one who leaves alone may do.
        relics: u32,
        /// What they are worth.
        worth: i32,
    },
    /// The expedition is over.
    ExpeditionEnded {
        /// Cards revealed.
        cards: u32,
        /// Rubies that lay on the path.
        left_behind: i32,
        /// Relics that lay on the path.
        relics: u32,
        /// Everyone's chest.
        chests: Vec<i32>,
    },
}

/// What became of an explorer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Explorer {
    /// Inside the cave.
    inside: bool,
    /// Rubies held, not safe yet.
    held: i32,
    /// Rubies brought home, relics included.
    pub chest: i32,
    /// Relics brought home.
    pub relics: i32,
    /// Expeditions lost to a trap.
    pub busts: i32,
    /// Expeditions left in time.
    pub left: i32,
    /// Of these, as the only one to leave at that moment.
    pub left_alone: i32,
    /// Cards revealed when leaving, summed.
    pub cards_at_leaving: i32,
}

/// How a game ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameResult {
    /// Everyone, by seat.
    pub explorers: Vec<Explorer>,
    /// Seats that share the win.
    pub winners: Vec<usize>,
    /// The best score less the second best.
    pub margin: i32,
    /// Cards revealed.
    pub cards: i32,
    /// Expeditions ended by a trap.
    pub busts: i32,
    /// Rubies on the path when expeditions ended.
    pub left_behind: i32,
    /// Relics taken out.
    pub claimed: i32,
    /// Expeditions after which nobody who led before was still in front.
    pub lead_changes: i32,
    /// Whether no winner was in front before the last expedition.
    pub comeback: bool,
    /// How each expedition went.
    pub expeditions: Vec<Expedition>,
}

/// How an expedition went.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Expedition {
    /// Cards revealed.
    pub cards: usize,
    /// Whether a trap ended it.
    pub busted: bool,
    /// The seats that left, each with the number of cards revealed at that moment.
    pub departures: Vec<(usize, usize)>,
}

/// Plays the game with this key: `formulas` are the bots' bound formulas, by seat.
pub fn play(
    rules: &DiamantRules,
    formulas: &[Formula],
    key: u64,
    observe: &mut dyn FnMut(Event),
) -> GameResult {
    let mut game = Referee {
        rules,
        formulas,
        key,
        box_set: rules.first_deck(),
        round: 0,
        deck: 0,
        path: Vec::new(),
        leftover: 0,
        just_left: 0,
        departures: Vec::new(),
        result: GameResult {
            explorers: vec![Explorer::default(); formulas.len()],
            ..GameResult::default()
        },
    };
    for round in 0..rules.rounds {
        game.round = round;
        let leaders = game.leaders();
        let busted = game.expedition(observe);
        game.close(busted, observe);
        let still_leading = game.leaders().iter().any(|seat| leaders.contains(seat));
        game.result.lead_changes += i32::from(!still_leading);
        if round + 1 == rules.rounds {
            game.finish(&leaders);
        }
    }
    game.result
}

struct Referee<'a> {
    rules: &'a DiamantRules,
    formulas: &'a [Formula],
    key: u64,
    /// Cards that are in the game: those of the deck between expeditions.
    box_set: u64,
    round: u32,
    deck: u64,
    path: Vec<usize>,
    leftover: i32,
    just_left: usize,
    departures: Vec<(usize, usize)>,
    result: GameResult,
}

impl Referee<'_> {
    /// Plays one expedition; tells whether a trap ended it.
    fn expedition(&mut self, observe: &mut dyn FnMut(Event)) -> bool {
        let joining = self.rules.joining(self.round);
        self.box_set |= joining;
        self.deck = self.box_set;
        observe(Event::Expedition {
            round: self.round + 1,
            cards: self.deck.count_ones(),
            joined: (joining != 0).then_some(self.round as u8),
        });
        for explorer in &mut self.result.explorers {
            explorer.inside = true;
            explorer.held = 0;
        }
        let mut rng = streams::phase_rng(self.key, u64::from(self.round));
        // Those who have decided to leave, but not yet collected.
        let mut leavers: Vec<usize> = Vec::new();
        loop {
            let inside = self.inside();
            let going_on: Vec<usize> = inside
                .iter()
                .copied()
                .filter(|seat| !leavers.contains(seat))
                .collect();
            let mut busted = false;
            if !going_on.is_empty() {
                if self.deck == 0 {
                    observe(Event::DeckEmpty);
                    self.leave(&inside, observe);
                    return false;
                }
                let card = deck::draw(&mut rng, self.deck, self.rules.cards.len());
                busted = self.reveal(card, &going_on, observe);
            }
            self.leave(&leavers, observe);
            if busted {
                return true;
            }
            if self.inside().is_empty() {
                return false;
            }
            leavers = self.decide();
            self.just_left = leavers.len();
            if self.rules.leavers == Leavers::BeforeReveal {
                self.leave(&leavers, observe);
                leavers.clear();
                if self.inside().is_empty() {
                    return false;
                }
            }
        }
    }

    /// Reveals a card for those who go on; tells whether it ends the expedition.
    fn reveal(&mut self, card: usize, going_on: &[usize], observe: &mut dyn FnMut(Event)) -> bool {
        self.deck &= !(1 << card);
        self.result.cards += 1;
        let known = self.path.iter().any(|&other| self.same_trap(other, card));
        self.path.push(card);
        match self.rules.cards[card] {
            Card::Treasure(value) => {
                let share = i32::from(value) / going_on.len() as i32;
                self.leftover += i32::from(value) % going_on.len() as i32;
                for &seat in going_on {
                    self.result.explorers[seat].held += share;
                }
                observe(Event::Treasure {
                    value,
                    sharers: going_on.len(),
                    share,
                    leftover: self.leftover,
                });
                false
            }
            Card::Relic(relic) => {
                observe(Event::Relic { relic });
                false
            }
            Card::Trap(kind) if !known => {
                observe(Event::Trap { kind });
                false
            }
            Card::Trap(kind) => {
                let lost = going_on
                    .iter()
                    .map(|&seat| (seat, self.result.explorers[seat].held));
                observe(Event::Bust {
                    kind,
                    lost: lost.collect(),
                    removed: self.rules.remove_trap,
                });
                for &seat in going_on {
                    let explorer = &mut self.result.explorers[seat];
                    explorer.inside = false;
                    explorer.busts += 1;
                }
                if self.rules.remove_trap {
                    self.box_set &= !(1 << card);
                }
                true
            }
        }
    }

    /// The seats that choose to leave, all seeing the same table.
    fn decide(&self) -> Vec<usize> {
        self.inside()
            .into_iter()
            .filter(|&seat| self.wants_to_leave(seat))
            .collect()
    }

    fn wants_to_leave(&self, seat: usize) -> bool {
        match self.formulas[seat].evaluate(|feature| self.feature(feature, seat)) {
            Value::Truth(leave) => leave,
            Value::Number(_) => unreachable!("a bot of Diamant answers with a truth value"),
        }
    }

    /// Explorers leave together: each banks what they hold and a share of the path, and one who
    /// leaves alone takes the relics too.
    fn leave(&mut self, leavers: &[usize], observe: &mut dyn FnMut(Event)) {
        if leavers.is_empty() {
            return;
        }
        let share = self.leftover / leavers.len() as i32;
        self.leftover %= leavers.len() as i32;
        let cards = self.path.len();
        let alone = leavers.len() == 1;
        let (relics, worth) = if alone { self.take_relics() } else { (0, 0) };
        let mut held = Vec::new();
        for &seat in leavers {
            let explorer = &mut self.result.explorers[seat];
            explorer.inside = false;
            explorer.chest += explorer.held + share + worth;
            explorer.relics += relics as i32;
            explorer.left += 1;
            explorer.left_alone += i32::from(alone);
            explorer.cards_at_leaving += cards as i32;
            held.push((seat, explorer.held));
            self.departures.push((seat, cards));
        }
        observe(Event::Left {
            leavers: held,
            share,
            leftover: self.leftover,
            relics,
            worth,
        });
    }

    /// Takes all relics off the path and out of the game: their number and worth.
    fn take_relics(&mut self) -> (u32, i32) {
        let worth = self.relic_worth();
        let relics = self.relics_on_path();
        for &card in &self.path {
            if matches!(self.rules.cards[card], Card::Relic(_)) {
                self.box_set &= !(1 << card);
            }
        }
        self.result.claimed += relics as i32;
        (relics, worth)
    }

    /// Ends the expedition: what lies on the path goes where the rules say.
    fn close(&mut self, busted: bool, observe: &mut dyn FnMut(Event)) {
        let relics = self.relics_on_path();
        if self.rules.unclaimed == Unclaimed::LeaveGame {
            for &card in &self.path {
                if matches!(self.rules.cards[card], Card::Relic(_)) {
                    self.box_set &= !(1 << card);
                }
            }
        }
        observe(Event::ExpeditionEnded {
            cards: self.path.len() as u32,
            left_behind: self.leftover,
            relics,
            chests: self
                .result
                .explorers
                .iter()
                .map(|explorer| explorer.chest)
                .collect(),
        });
        self.result.busts += i32::from(busted);
        self.result.left_behind += self.leftover;
        let departures = std::mem::take(&mut self.departures);
        self.result.expeditions.push(Expedition {
            cards: self.path.len(),
            busted,
            departures,
        });
        self.path.clear();
        self.leftover = 0;
        self.just_left = 0;
    }

    /// Ends the game; `leaders` were in front before the last expedition.
    fn finish(&mut self, leaders: &[usize]) {
        let mut winners = self.leaders();
        let explorers = &self.result.explorers;
        if self.rules.tiebreak == Tiebreak::Relics {
            let most = winners.iter().map(|&seat| explorers[seat].relics).max();
            winners.retain(|&seat| Some(explorers[seat].relics) == most);
        }
        let mut chests: Vec<i32> = explorers.iter().map(|explorer| explorer.chest).collect();
        chests.sort_unstable_by(|a, b| b.cmp(a));
        self.result.margin = chests[0] - chests.get(1).unwrap_or(&chests[0]);
        self.result.comeback = !winners.iter().any(|seat| leaders.contains(seat));
        self.result.winners = winners;
    }

    fn inside(&self) -> Vec<usize> {
        let explorers = self.result.explorers.iter().enumerate();
        explorers
            .filter(|(_, explorer)| explorer.inside)
            .map(|(seat, _)| seat)
            .collect()
    }

    /// The seats with the fullest chest.
    fn leaders(&self) -> Vec<usize> {
        let chests = self.result.explorers.iter().map(|explorer| explorer.chest);
        let best = chests.clone().max();
        chests
            .enumerate()
            .filter(|(_, chest)| Some(*chest) == best)
            .map(|(seat, _)| seat)
            .collect()
    }

    fn same_trap(&self, a: usize, b: usize) -> bool {
        matches!(self.rules.cards[a], Card::Trap(_)) && self.rules.cards[a] == self.rules.cards[b]
    }

    /// Relics on the path that nobody has taken.
    fn relics_lying(&self) -> impl Iterator<Item = u8> + '_ {
        self.path
            .iter()
            .filter_map(|&card| match self.rules.cards[card] {
                Card::Relic(relic) if self.box_set >> card & 1 == 1 => Some(relic),
                _ => None,
            })
    }

    fn relics_on_path(&self) -> u32 {
        self.relics_lying().count() as u32
    }

    /// What one who leaves alone would get for the relics on the path.
    fn relic_worth(&self) -> i32 {
        let value = |relic: usize| i32::from(self.rules.relics[relic]);
        match self.rules.worth {
            Worth::Printed => self
                .relics_lying()
                .map(|relic| value(usize::from(relic)))
                .sum(),
            Worth::ClaimOrder => (0..self.relics_on_path() as usize)
                .map(|next| value(self.result.claimed as usize + next))
                .sum(),
        }
    }

    /// What `seat` sees of `feature` now.
    fn feature(&self, feature: usize, seat: usize) -> f32 {
        let explorers = &self.result.explorers;
        let deck = || {
            let cards = self.rules.cards.iter().enumerate();
            cards
                .filter(|(card, _)| self.deck >> card & 1 == 1)
                .map(|(card, kind)| (card, *kind))
        };
        let others = || {
            let seats = explorers.iter().enumerate();
            seats
                .filter(|(other, _)| *other != seat)
                .map(|(_, explorer)| explorer.chest)
        };
        match feature {
            features::HELD => explorers[seat].held as f32,
            features::LEFTOVER => self.leftover as f32,
            features::RELICS_ON_PATH => self.relics_on_path() as f32,
            features::RELIC_WORTH => self.relic_worth() as f32,
            features::TRAPS_SEEN => {
                let traps = |card: &&usize| matches!(self.rules.cards[**card], Card::Trap(_));
                self.path.iter().filter(traps).count() as f32
            }
            features::BUST_RISK => {
                let deadly = deck().filter(|(card, _)| {
                    self.path.iter().any(|&lying| self.same_trap(lying, *card))
                });
                match self.deck.count_ones() {
                    0 => 0.0,
                    left => deadly.count() as f32 / left as f32,
                }
            }
            features::TREASURE_LEFT => deck()
                .map(|(_, kind)| match kind {
                    Card::Treasure(value) => f32::from(value),
                    Card::Trap(_) | Card::Relic(_) => 0.0,
                })
                .sum(),
            features::CARDS_REVEALED => self.path.len() as f32,
            features::CARDS_LEFT => self.deck.count_ones() as f32,
            features::EXPLORERS => self.inside().len() as f32,
            features::PLAYERS => explorers.len() as f32,
            features::ROUND => (self.round + 1) as f32,
            features::ROUNDS_LEFT => (self.rules.rounds - self.round - 1) as f32,
            features::JUST_LEFT => self.just_left as f32,
            features::CHEST => explorers[seat].chest as f32,
            features::BEST_OTHER_CHEST => others().max().unwrap_or(0) as f32,
            features::RANK => {
                1.0 + others()
                    .filter(|&chest| chest > explorers[seat].chest)
                    .count() as f32
            }
            features::RANDOM => streams::uniform(
                self.key,
                features::random_counter(self.round, self.path.len() as u32, seat),
            ),
            _ => unreachable!("feature {feature} is not in Diamant's vocabulary"),
        }
    }
}

/// The feature that `formula` may not use under these rules, if it uses one.
pub fn hidden_feature(rules: &DiamantRules, formula: &Formula) -> Option<usize> {
    let secret = [features::BEST_OTHER_CHEST, features::RANK];
    match rules.chests {
        Chests::Open => None,
        Chests::Hidden => secret.into_iter().find(|&feature| formula.uses(feature)),
    }
}
