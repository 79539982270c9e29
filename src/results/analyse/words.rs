//! What the terminal tells of games that were taken apart.

use super::{Analysed, Verdict};
use crate::numbers;
use crate::results::Block;
use crate::statistics::Estimate;
use crate::study::analyse::{Judged, Of, Walk};

/// Mistakes of a bot that are told.
const WORST: usize = 3;

impl Analysed<'_> {
    /// All that is told, but the story.
    pub fn words(&self) -> Vec<Block> {
        let resolved = &self.played.resolved;
        let mut head = resolved.headline();
        if let Some(bot) = &resolved.study.as_bot {
            head += &format!(" · all go on as {bot}");
        }
        head += &format!("\n{}", self.playouts());
        let mut blocks = vec![Block::text(head), self.losses_of_bots()];
        blocks.extend(self.worst());
        blocks.extend(self.profile());
        blocks.push(self.luck());
        let meaning = format!(
            "At first is {} that could be hoped for if all play as foreseen; the parts add up from there \
             to the end, exactly. Cards: the luck of the game. Others: what they decided otherwise than \
             was foreseen. Chances: what the best option of each own decision offered above what was \
             foreseen. Own decisions: what the chosen options were worth less the best ones.",
            if self.wins {
                "the win share"
            } else {
                "the score"
            }
        );
        blocks.push(Block::text(meaning));
        blocks
    }

    /// Who loses most by own decisions, and who least.
    pub fn summary(&self) -> String {
        let only = self.played.resolved.study.seat;
        let judged = |seat: &usize| only.is_none_or(|only| only == seat + 1);
        let seats = (0..self.names.len()).filter(judged);
        let mut losses: Vec<_> = seats
            .map(|seat| (seat, self.losses(seat, None).a_game()))
            .collect();
        losses.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
        let told = |(seat, loss): &(usize, Estimate)| {
            format!("{} loses {} a game", self.names[*seat], self.said(loss))
        };
        match losses.as_slice() {
            [] => String::new(),
            [only] => format!("By its own decisions {}.", told(only)),
            [most, .., least] => format!(
                "By their own decisions {}, the most; {}, the least.",
                told(most),
                told(least)
            ),
        }
    }

    fn losses_of_bots(&self) -> Block {
        let row = |seat: usize| {
            let losses = self.losses(seat, None);
            let a_decision = losses.a_decision().map(|loss| self.said(&loss));
            let mut row = vec![
                self.names[seat].clone(),
                numbers::count(losses.decisions),
                a_decision.unwrap_or_default(),
                self.said(&losses.a_game()),
            ];
            row.extend(self.verdicts(seat).map(numbers::count));
            row
        };
        let mut header = vec!["bot", "decisions", "loss a decision", "loss a game"];
        header.extend(Verdict::ALL.iter().rev().map(|(verdict, _)| verdict.name()));
        let only = self.played.resolved.study.seat;
        let judged = |seat: &usize| only.is_none_or(|only| only == seat + 1);
        let rows = (0..self.names.len()).filter(judged).map(row);
        Block::table(&header, rows.collect())
    }

    /// The worst decisions of each bot.
    fn worst(&self) -> Option<Block> {
        let mut rows = Vec::new();
        for seat in 0..self.names.len() {
            let is_mistake = |(game, judged): &(usize, &Judged)| {
                self.options(*game, judged).seat == seat && judged.loss.low > 0.0
            };
            let mut own: Vec<(usize, &Judged)> = self.judged().filter(is_mistake).collect();
            own.sort_by(|(_, a), (_, b)| b.loss.value.total_cmp(&a.loss.value));
            rows.extend(own.into_iter().take(WORST).map(|(game, judged)| {
                let options = self.options(game, judged);
                let number = self.played.games[game].number;
                vec![
                    self.names[seat].clone(),
                    format!("game {number}, {}", self.at(game, judged)),
                    self.said(&judged.loss),
                    options.names[options.chosen].clone(),
                    options.names[judged.best].clone(),
                ]
            }));
        }
        let header = ["bot", "the worst decisions", "loss", "chosen", "best"];
        (!rows.is_empty()).then(|| Block::table(&header, rows))
    }

    /// Where bots lose, over several games.
    fn profile(&self) -> Option<Block> {
        if self.played.games.len() < 2 {
            return None;
        }
        let mut rows = Vec::new();
        for seat in 0..self.names.len() {
            for (property, values) in self.kinds() {
                for value in values {
                    let losses = self.losses(seat, Some((property, value)));
                    rows.extend(losses.a_decision().map(|a_decision| {
                        vec![
                            self.names[seat].clone(),
                            format!("{property}: {value}"),
                            numbers::count(losses.decisions),
                            self.said(&a_decision),
                            self.said(&losses.a_game()),
                        ]
                    }));
                }
            }
        }
        let header = [
            "bot",
            "kind of decision",
            "decisions",
            "loss a decision",
            "loss a game",
        ];
        Some(Block::table(&header, rows))
    }

    /// Luck and skill: means over the games.
    fn luck(&self) -> Block {
        let games = &self.played.games;
        let mean = |seat: usize, of: &dyn Fn(&Walk) -> i128| {
            let sum: i128 = games.iter().map(|game| of(&game.walks[seat])).sum();
            let mean = sum as f64 / self.played.unit() / games.len() as f64;
            match self.wins {
                true => numbers::percent(mean, 1),
                false => numbers::number(mean, 2),
            }
        };
        let rows = (0..self.names.len()).map(|seat| {
            vec![
                self.names[seat].clone(),
                mean(seat, &|walk| walk.start),
                mean(seat, &|walk| walk.sum(Of::Cards)),
                mean(seat, &|walk| walk.sum(Of::Others)),
                mean(seat, &|walk| walk.sum(Of::Chance)),
                mean(seat, &|walk| walk.sum(Of::Skill)),
                mean(seat, &Walk::here),
            ]
        });
        let header = [
            "bot",
            "at first",
            "cards",
            "others",
            "chances",
            "own decisions",
            "in the end",
        ];
        Block::table(&header, rows.collect())
    }
}
