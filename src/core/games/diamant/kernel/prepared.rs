//! The table of a kernel: rules and bots in the form that it reads.

use super::lanes::PLANES;
use crate::formula::program::{Draw, Program};
use crate::game::Layout;
use crate::games::diamant::bonus;
use crate::games::diamant::deck::Pointer;
use crate::games::diamant::features::*;
use crate::games::diamant::rules::{Card, DiamantRules, Leavers, Leftovers, TakenBy, Unclaimed};
use crate::strategy::SEATS_MAX;

/// Stands for a number of seats in the kernel's const parameter.
pub const HOUSE: usize = SEATS_MAX + 1;

fn is_house(rules: &DiamantRules) -> bool {
    rules.leftovers == Leftovers::PerCard
        || rules.decides_at_entrance()
        || rules.counts_lost_relics()
        || rules.shuffles_relics()
        || rules.traps_to_end != 2
        || rules.traps_end_from > 1
        || rules.taken_by == TakenBy::LastInside
        || rules.pays_bonus()
}

/// Rules and bots in the form that the kernel reads.
pub struct Kernel {
    pub rules: DiamantRules,
    pub layout: Layout,
    /// Bytes needed for a set of the box's cards.
    pub planes: usize,
    /// The cards of the first expedition, as a byte set.
    pub first_deck: [u8; PLANES],
    /// Cards that join before an expedition, by byte of the set and by expedition.
    pub joining: [[u8; 64]; PLANES],
    pub joins: bool,
    pub relic_set: [u8; PLANES],
    /// Cards that stay in the game when they lie on the path at the end of an expedition.
    pub staying: [u8; PLANES],
    pub treasure: u16,
    pub copies: [u8; 8],
    /// Whether a score can take more than 15 bits.
    pub wide: bool,
    pub sees_chests: bool,
    pub sees_deck: bool,
    /// By card: rubies of a treasure, the bit of a trap's kind, the printed value of a relic.
    pub faces: [u8; 64],
    /// The first card that is a trap or a relic, and the first that is a relic.
    pub first_trap: u8,
    pub first_relic: u8,
    pub program: Program,
    /// The bonus for leaving, if there is one.
    pub bonus: Option<Program>,
    /// By seat, what its program looks up by `temper`.
    pub draws: Vec<Vec<Draw>>,
    /// Number of learners, at the first seats.
    pub learners: usize,
    /// Whether leavers collect after the next card.
    pub after: bool,
    pub pointer: Pointer,
    /// Whether a deck can run out before a second trap of a kind ends the expedition.
    pub runs_out: bool,
    /// The worth of a relic by the number taken out before it. Up to 16 values are repeated in
    /// every 16 bytes, since looking a byte up among 16 is faster than among 64.
    pub by_claim: [u8; 64],
    pub few_relics: bool,
    pub is_house: bool,
    /// By kind of trap, its cards as a byte set.
    pub kinds: [[u8; PLANES]; 8],
}

impl Kernel {
    /// Prepares a table; `program` answers for the bots, by seat.
    ///
    /// The first seats may be `learners`: their program gives a cell number instead.
    pub fn new(
        rules: &DiamantRules,
        layout: Layout,
        mut program: Program,
        learners: usize,
    ) -> Self {
        let tempers = (0..SEATS_MAX).map(|seat| VOCABULARY.register(TEMPER, seat));
        let relics = rules.set_of(|card| matches!(card, Card::Relic(_)));
        let mut kernel = Kernel {
            rules: rules.clone(),
            layout,
            planes: rules.cards.len().div_ceil(8),
            first_deck: rules.first_deck().to_le_bytes(),
            joining: [[0; 64]; PLANES],
            joins: false,
            relic_set: relics.to_le_bytes(),
            staying: [u8::MAX; PLANES],
            treasure: rules.rubies() as u16,
            copies: [0; 8],
            wide: rules.chests_are_wide(),
            sees_chests: [CHEST, BEST_OTHER_CHEST, BEST_INSIDE, BEST_OUTSIDE, RANK]
                .iter()
                .any(|&feature| program.uses(feature)),
            sees_deck: program.uses(BUST_RISK) || program.uses(CARDS_LEFT),
            faces: [0; 64],
            first_trap: 0,
            first_relic: 0,
            draws: tempers.map(|temper| program.take_draws(temper)).collect(),
            program,
            bonus: rules.pays_bonus().then(|| {
                let formulas = std::slice::from_ref(&rules.leave_bonus);
                Program::compile(&bonus::VOCABULARY, formulas, &[]).expect("one formula fits")
            }),
            learners,
            after: rules.leavers == Leavers::AfterReveal,
            pointer: Pointer::new(rules.cards.len()),
            runs_out: false,
            by_claim: [0; 64],
            few_relics: rules.relics.len() <= 16,
            is_house: is_house(rules),
            kinds: [[0; PLANES]; 8],
        };
        for (kind, cards) in (0u8..).zip(&mut kernel.kinds) {
            *cards = rules.set_of(|card| card == Card::Trap(kind)).to_le_bytes();
        }
        for round in 0..rules.rounds {
            let joining = rules.joining(round);
            kernel.joins |= joining != 0;
            for (plane, byte) in kernel.joining.iter_mut().zip(joining.to_le_bytes()) {
                plane[round as usize] = byte;
            }
        }
        if rules.unclaimed == Unclaimed::LeaveGame {
            kernel.staying = (!relics).to_le_bytes();
        }
        let block = if kernel.few_relics { 16 } else { 64 };
        for block in kernel.by_claim.chunks_exact_mut(block) {
            block[..rules.relics.len()].copy_from_slice(&rules.relics);
        }
        kernel.number_cards();
        kernel
    }

    /// Sets what is known of a card by its number.
    fn number_cards(&mut self) {
        let rules = &self.rules;
        // Treasures come first, then traps, then relics.
        for (card, face) in rules.cards.iter().zip(&mut self.faces) {
            match *card {
                Card::Treasure(value) => {
                    *face = value;
                    self.first_trap += 1;
                    self.first_relic += 1;
                }
                Card::Trap(kind) => {
                    *face = 1 << kind;
                    self.copies[usize::from(kind)] += 1;
                    self.first_relic += 1;
                }
                Card::Relic(relic) => *face = rules.relics[usize::from(relic)],
            }
        }
        // Each removal takes one of the traps that can end an expedition.
        self.runs_out = rules.traps_end_from > 1;
        self.runs_out |= (0..rules.rounds).any(|round| {
            let joined = self.copies.iter().zip(&rules.traps_from);
            let deadly: u32 = joined
                .filter(|(_, from)| **from <= round)
                .map(|(&copies, _)| u32::from((copies + 1).saturating_sub(rules.traps_to_end)))
                .sum();
            deadly <= if rules.remove_trap { round } else { 0 }
        });
    }

    /// The seats at the table: `SEATS` of them, or all.
    #[inline(always)]
    pub fn seats<const SEATS: usize>(&self) -> std::ops::Range<usize> {
        if SEATS == 0 || SEATS == HOUSE {
            0..self.layout.seats.min(SEATS_MAX)
        } else {
            0..SEATS
        }
    }
}
