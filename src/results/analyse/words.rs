//! What the terminal tells of games that were taken apart.

use super::{Analysed, NO_DIFFERENCE, Verdict};
use crate::numbers;
use crate::results::View;
use crate::statistics::{Estimate, Unit};
use crate::study::analyse::{Of, VARIANCE_GAMES, VARIANCE_PARTS, VarianceShares};

/// Mistakes that are told.
const WORST: usize = 10;

impl Analysed<'_> {
    /// All that is told, but the story.
    pub fn words(&self) -> Vec<View> {
        let resolved = &self.played.resolved;
        let mut head = resolved.headline();
        if let Some(bot) = &resolved.study.as_bot {
            head += &format!(" · all go on as {bot}");
        }
        head += &format!("\n{}", self.playouts());
        let mut blocks = vec![View::text(head)];
        blocks.extend(self.luck());
        blocks.extend(self.variance_words());
        blocks.push(self.losses_of_bots());
        blocks.extend(self.worst());
        blocks.extend(self.profile());
        blocks.push(View::text(format!(
            "Loss: what the best option would have been worth more than the chosen one. Losses do not \
             add up: after another choice the game would have been another. \
             \"{NO_DIFFERENCE}\": none that the playouts can tell."
        )));
        blocks
    }

    /// What play explains, who loses most by a decision, and who least.
    pub fn summary(&self) -> String {
        let mut losses: Vec<(usize, Estimate)> = self
            .seats()
            .filter_map(|seat| Some((seat, self.losses(seat, None).mean()?)))
            .collect();
        losses.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
        let told = |(seat, loss): &(usize, Estimate)| {
            format!("{} {} on average", self.names[*seat], self.said(loss))
        };
        let losses = match losses.as_slice() {
            [] => String::new(),
            [only] => format!("A decision costs {}.", told(only)),
            [most, .., least] => format!(
                "A decision costs {}, the most; {}, the least.",
                told(most),
                told(least)
            ),
        };
        let share = self.played.variance_shares().map(|shares| {
            let VarianceShares { play, luck, .. } = shares;
            let [play, luck] = [play, luck].map(share_told);
            format!("Of the variance of the results {play} comes from play, {luck} from luck.")
        });
        let parts = [share.unwrap_or_default(), losses];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(" ")
    }

    /// A part of a walk, with the sign of what is above 0: percentage points, where wins are told.
    fn part(&self, estimate: Estimate) -> String {
        let scale = if self.wins { 100.0 } else { 1.0 };
        format!("{:+}", estimate.scaled(scale))
    }

    /// Luck and play: means over the games.
    fn luck(&self) -> [View; 2] {
        let end = |value: f64| {
            if self.wins {
                numbers::percent(value, 1)
            } else {
                numbers::number(value, 2)
            }
        };
        let rows = self.seats().map(|seat| {
            let [first, last] = self.ends(seat).map(end);
            let mut row = vec![self.names[seat].clone(), first];
            row.extend(Of::ALL.map(|of| self.part(self.given(seat, of))));
            row.push(last);
            row
        });
        let header = [
            "bot",
            "at first",
            "cards",
            "others",
            "own play",
            "in the end",
        ];
        let table = View::table(&header, rows.collect());
        let (hope, unit) = if self.wins {
            ("the win share", ", in percentage points")
        } else {
            ("the score", "")
        };
        let meaning = format!(
            "At first: {hope} that could be hoped for if all play as foreseen. From there the parts add up \
             to the end{unit}. Cards: luck. Others: what they decided otherwise than was foreseen. \
             Own play: what the chosen options were worth less what the bot that goes on would have got \
             there on average; a bot that goes on as itself does what is foreseen, but for what it \
             leaves to chance."
        );
        [table, View::text(meaning)]
    }

    /// How much luck is in the games of this table.
    fn variance_words(&self) -> Vec<View> {
        let resolved = &self.played.resolved;
        let Some(shares) = self.played.variance_shares() else {
            let few = (2..VARIANCE_GAMES).contains(&self.played.games.len());
            let words =
                format!("How much luck there is, is told of {VARIANCE_GAMES} games and more.");
            let asked = few && resolved.study.seat.is_none();
            return asked.then(|| View::text(words)).into_iter().collect();
        };
        let VarianceShares { play, luck, parts } = shares;
        let header = ["how much luck?", "of the variance of the results"];
        let row = |name: &str, share| vec![name.to_string(), share_told(share)];
        let (of_play, of_luck) = parts.split_at(3);
        let mut rows = Vec::new();
        let mut named = VARIANCE_PARTS.iter();
        for (name, share, parts) in [("play", play, of_play), ("luck", luck, of_luck)] {
            rows.push(row(name, share));
            let parts = parts.iter().zip(named.by_ref());
            // What cannot be has no share at all.
            let parts = parts.filter(|(share, _)| share.high > share.low);
            rows.extend(parts.map(|(share, (name, _))| row(&format!("– {name}"), *share)));
        }
        let meaning = "Results differ from seat to seat and from game to game. The share of a part is how \
                       far they go along with it: its covariance with the result, divided by the \
                       variance of the results. Play is who sits there (what each seat could expect before \
                       its game), and what it and the others decided otherwise than the bot that goes \
                       on would. Luck is cards, the set-up, the place at the table, and what bots that \
                       go on as themselves leave to chance. So among equal bots all is luck. The noise \
                       of playouts is in none of it.";
        vec![View::table(&header, rows), View::text(meaning)]
    }

    fn losses_of_bots(&self) -> View {
        let row = |seat: usize| {
            let losses = self.losses(seat, None);
            let mean = losses.mean().map(|loss| self.said(&loss));
            let mut row = vec![
                self.names[seat].clone(),
                numbers::count(losses.decisions),
                mean.unwrap_or_default(),
            ];
            row.extend(self.verdicts(seat).map(numbers::count));
            row
        };
        let mut header = vec!["bot", "decisions", "mean loss"];
        header.extend(Verdict::ALL.iter().rev().map(|(verdict, _)| verdict.name()));
        View::table(&header, self.seats().map(row).collect())
    }

    /// The worst decisions of all.
    fn worst(&self) -> Option<View> {
        let row = |(game, judged)| {
            let options = self.options(game, judged);
            let at = match self.played.games.as_slice() {
                [_] => self.at(game, judged).to_string(),
                games => format!("game {}, {}", games[game].number, self.at(game, judged)),
            };
            vec![
                self.names[options.seat].clone(),
                at,
                self.said(&judged.loss),
                options.names[options.chosen].clone(),
                options.names[judged.best].clone(),
            ]
        };
        let rows: Vec<_> = self.mistakes().into_iter().take(WORST).map(row).collect();
        let header = ["bot", "the worst decisions", "loss", "chosen", "best"];
        (!rows.is_empty()).then(|| View::table(&header, rows))
    }

    /// Where bots lose, over several games.
    fn profile(&self) -> Option<View> {
        if self.played.games.len() < 2 {
            return None;
        }
        let mut rows = Vec::new();
        for seat in self.seats() {
            for (property, values) in self.kinds() {
                for value in values {
                    let losses = self.losses(seat, Some((property, value)));
                    rows.extend(losses.mean().map(|mean| {
                        vec![
                            self.names[seat].clone(),
                            format!("{property}: {value}"),
                            numbers::count(losses.decisions),
                            self.said(&mean),
                        ]
                    }));
                }
            }
        }
        let header = ["bot", "kind of decision", "decisions", "mean loss"];
        Some(View::table(&header, rows))
    }
}

/// A share of the variance.
fn share_told(share: Estimate) -> String {
    let points = Estimate {
        unit: Unit::Amount,
        ..share.scaled(100.0)
    };
    format!("{points} %")
}
