//! The terminal's report of analysed games.

use super::sheets::{Bots, Decisions, Mistakes, Variance};
use super::{Analysed, NO_DIFFERENCE};
use crate::report::View;
use crate::study::analyse::{Of, VARIANCE_GAMES, VarianceShares};
use carat_core::heads;
use carat_core::statistics::{Estimate, Unit};
use carat_core::strategy::bots_with_seats;

const WORST: usize = 10;
/// The scale of accuracy.
pub const ACCURACY: &str = "Accuracy: 100 % minus the win share lost to mistakes in a game. 100 % gives nothing away; 0 % gives away a whole win or more.";

impl Analysed<'_> {
    /// The report without the story.
    pub fn views(&self) -> Vec<View> {
        let resolved = &self.played.resolved;
        let mut head = resolved.headline();
        if let Some(bot) = &resolved.study.as_bot {
            head += &format!(" · {bot} plays on in every seat");
        }
        head += &format!("\n{}", self.playouts());
        let mut people = resolved.played.spec.people.iter();
        let has_people = people.any(|name| !name.is_empty());
        let who = if has_people { "player" } else { "bot" };
        let luck = heads![Bots: NAME who, START "expected", CARDS, OTHERS, OWN, END "result"];
        let mut bots = heads![Bots: NAME who, DECISIONS, LOSS "mean cost", ACCURACY, DOUBTFUL, BAD,
            VERY_BAD "very bad"];
        if !self.wins {
            bots.remove(3);
        }
        let mut views = vec![View::text(head)];
        views.extend(self.people());
        views.push(View::print(luck));
        views.push(View::text(self.parts_explained()));
        views.extend(self.variance_views());
        views.push(View::print(bots));
        let mut worst = heads![Decisions: NAME who, PLACE "worst decisions", LOSS "cost",
            OPTION "chosen", BETTER "best"];
        if resolved.study.seat.is_some() {
            worst.remove(0);
        }
        views.extend(View::print_rows(worst, self.worst()));
        if self.played.games.len() > 1 {
            views.push(View::print(
                heads![Mistakes: NAME who, PROPERTY "kind of decision", VALUE
                "", DECISIONS, LOSS "mean cost"],
            ));
        }
        let mut loss =
            "Cost: value of the best option minus that of the chosen one. The best option is found \
             by other playouts than those that value it, so after few playouts another option may \
             show a higher value. Costs do not add up, because a different choice leads to a \
             different game."
                .to_string();
        let of = if self.wins {
            "points"
        } else {
            "% of the best score"
        };
        loss +=
            &format!(" Doubtful, bad and very bad: the cost is clearly above 0.5, 2 and 5 {of}.");
        if self.wins {
            loss += &format!("\n{ACCURACY}");
        }
        if resolved.study.details {
            loss += &format!(" \"{NO_DIFFERENCE}\": too close for the playouts to distinguish.");
        }
        views.push(View::text(loss));
        views
    }

    /// The summary: the shares of play and luck, and the mean loss per decision of each player.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        if let Some(VarianceShares { play, luck, .. }) = self.played.variance_shares() {
            let [play, luck] = [play, luck].map(format_share);
            parts.push(format!(
                "With these bots at this table, {play} of the variance of the results comes from play \
                 and {luck} from luck."
            ));
            parts.extend(self.stronger());
        }
        let bots = bots_with_seats(&self.played.resolved.played.seats);
        let losses = self.seats().filter_map(|seat| {
            let (_, loss) = self.losses(seat, None);
            Some(format!("{} {}", bots[seat], self.said(&loss?)))
        });
        let losses = Vec::from_iter(losses);
        if !losses.is_empty() {
            parts.push(format!("Mean cost per decision: {}.", losses.join(", ")));
        }
        parts.join(" ")
    }

    /// The summary of each person in recorded games: decisions, losses and luck.
    fn people(&self) -> Option<View> {
        let resolved = &self.played.resolved;
        let habit = resolved.played.game.habit;
        let habit = habit.filter(|_| !resolved.study.record.is_empty())?;
        let mut lines = Vec::new();
        let bots = bots_with_seats(&resolved.played.seats);
        let per = match self.played.games.len() {
            1 => "The",
            _ => "Per game, the",
        };
        for seat in self.seats() {
            // Decisions and their losses, by answer: no, yes.
            let (mut counts, mut losses) = ([0, 0], [0.0, 0.0]);
            for (game, judged) in self.judged() {
                let options = self.options(game, judged);
                if options.seat == seat {
                    let choice = usize::from(options.chosen == habit.yes);
                    counts[choice] += 1;
                    losses[choice] += judged.loss.value.max(0.0);
                }
            }
            let Some(mean) = self.losses(seat, None).1 else {
                continue;
            };
            let known = &resolved.played.seats[seat];
            let name = known.person.as_ref().unwrap_or(&bots[seat]);
            let mut share = String::new();
            if mean.low > 0.0 {
                let worse = usize::from(losses[1] > losses[0]);
                let part = 100.0 * losses[worse] / (losses[0] + losses[1]);
                share = format!(", {part:.0} % of it from {}", habit.faults[worse]);
            }
            let [cards, others] =
                [Of::Cards, Of::Others].map(|of| self.said(&self.given(seat, of)));
            let games = self.played.games.iter();
            let scores = games.map(|game| game.course.scores.get(seat).unwrap_or(&0));
            let score: i32 = scores.sum();
            let [no, yes] = counts;
            let why = match (yes, score) {
                (0, 0) => format!(
                    " {name} scored 0. Each decision is judged as if a strong bot then played on and \
                     stopped in time, so costs and own play do not show that never stopping lost \
                     the games."
                ),
                _ => String::new(),
            };
            let (said, all, mean) = (habit.said, no + yes, self.said(&mean));
            lines.push(format!(
                "{name} {said} {yes} of {all} decisions. The mean cost per decision is \
                 {mean}{share}.{why} {per} cards added {cards} and the opponents {others}."
            ));
        }
        Some(View::text(lines.join("\n")))
    }

    /// The gain of a strong bot in place of each other bot.
    fn stronger(&self) -> Option<String> {
        let (strong, _) = self.played.resolved.stronger.as_ref()?;
        let bots = bots_with_seats(&self.played.resolved.played.seats);
        let mut gains = Vec::new();
        for (gain, name) in self.played.stronger.iter().zip(bots) {
            gains.extend(gain.map(|gain| format!("{} for {name}", self.said(&gain))));
        }
        let all = gains.join(", ");
        (!gains.is_empty()).then(|| format!("Gain from replacing a bot with {strong}: {all}."))
    }

    fn parts_explained(&self) -> String {
        let (hope, unit) = if self.wins {
            ("the win share", ", in percentage points")
        } else {
            ("the score", "")
        };
        let mut games = self.played.games.iter();
        let mut open = "";
        if games.any(|game| game.course.wins.is_empty()) {
            open = " An unfinished game is valued at its last position.";
        }
        format!(
            "Expected: {hope} expected before the game. The parts add up to the result{unit}. \
             Cards: luck of the draw. Others: the opponents' decisions, compared with those of their \
             playout bots. Own play: the chosen options, compared with those of this seat's playout \
             bot.{open}"
        )
    }

    /// The share of luck in the games of this table.
    fn variance_views(&self) -> Vec<View> {
        let Some(shares) = self.played.variance_shares() else {
            let few = (2..VARIANCE_GAMES).contains(&self.played.games.len());
            let words =
                format!("Estimating the share of luck takes {VARIANCE_GAMES} games or more.");
            let is_asked = few && self.played.resolved.study.seat.is_none();
            return is_asked.then(|| View::text(words)).into_iter().collect();
        };
        // Play and its three parts, then luck and its two, without those that the table cannot
        // have.
        let mut rows: Vec<usize> = vec![0, 2, 3, 4, 1, 5, 6];
        rows.retain(|row| {
            let part = row.checked_sub(2).map(|part| shares.parts[part]);
            part.is_none_or(|part| part.high > part.low)
        });
        let columns = heads![Variance: PART "source", SHARE "share of the variance"];
        let meaning = "Results differ from seat to seat and from game to game. The share of a \
                       part is its covariance with the result, divided by the variance of the \
                       results. Play is what each seat could expect before the game, plus the \
                       effect of decisions that differ from those of the seat's playout bot. \
                       Luck is the cards, the set-up, the place at the table, and random \
                       choices of bots. The shares describe these bots at this table, not the \
                       game: among equal bots, everything is luck. They exclude the noise of \
                       playouts.";
        let mut views = Vec::from_iter(View::print_rows(columns, rows));
        views.push(View::text(meaning));
        views.extend(self.stronger().map(View::text));
        views
    }

    /// The rows of the worst decisions.
    fn worst(&self) -> Vec<usize> {
        let choices = self.choices();
        let worst = self.mistakes().into_iter().take(WORST);
        let rows = worst.filter_map(|(_, judged)| {
            let mut choices = choices.iter();
            choices.position(|row| std::ptr::eq(row.is.1, judged) && row.chosen())
        });
        rows.collect()
    }
}

pub fn format_share(share: Estimate) -> String {
    let points = Estimate {
        unit: Unit::Amount,
        ..share.scaled(100.0)
    };
    format!("{points} %")
}
