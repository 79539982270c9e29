//! What each seat scores: all distributions as rows over one shared axis.
//!
//! Every row uses the same bins and the same vertical scale, so areas can be compared. Knows
//! exact histograms of whole scores, not where they come from.

use super::axes::{self, Scale};
use super::canvas::{Anchor, Canvas};
use super::labels::wrap;
use super::score_bins::{Bins, DRAWN, Distribution, ceiling};
use super::theme::{
    self, BLACK, DETAIL, LABEL, LABEL_WIDTH, LEADING, MARGIN, RULE, TICK, WHITE, WIDTH,
};
use super::{Chart, ChartError, check_column};
use crate::numbers::{decimals_for, number, percent};

/// The score distributions of all seats of one line-up.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    /// The headline.
    pub title: String,
    /// What was played: game, edition, players, number of games.
    pub subtitle: String,
    /// What a score counts, in the plural: "rubies".
    pub unit: String,
    /// One row each, drawn from top to bottom.
    pub seats: Vec<SeatScores>,
}

/// The scores of one seat.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatScores {
    /// The name of the bot, wrapped or shortened where it is long.
    pub label: String,
    /// The number of games that ended with each score, from 0 up.
    pub histogram: Vec<u64>,
    /// The mean score.
    pub mean: f64,
}

impl Chart for Scores {
    fn canvas(&self) -> Result<Canvas, ChartError> {
        for seat in &self.seats {
            check_column(&format!("mean of `{}`", seat.label), &[seat.mean], 1)?;
        }
        let rows = self.seats.len();
        let row = (400.0 / rows.max(1) as f64).clamp(66.0, 130.0);
        let height = row * rows.max(1) as f64 + 4.0 + 100.0;
        let (mut canvas, top) = theme::page(&self.title, &self.subtitle, height);
        let played: Vec<_> = (self.seats.iter())
            .map(|seat| Distribution::of(&seat.histogram))
            .collect();
        let Some(bins) = Bins::for_all(&played) else {
            theme::placeholder(&mut canvas, top, "no games to show");
            return Ok(canvas);
        };
        let scale = self.scale(&bins);
        let span = (top + 4.0, top + 4.0 + row * rows as f64);
        self.draw_axis(&mut canvas, &scale, span);
        let heights: Vec<_> = (played.iter())
            .map(|seat| bins.shares(seat.as_ref()))
            .collect();
        let ceiling = ceiling(&heights);
        for (i, seat) in played.iter().enumerate() {
            let base = span.0 + (i + 1) as f64 * row - STRIP;
            let ridge = Ridge {
                bins: &bins,
                scale: &scale,
                base,
                rise: (row - STRIP - 8.0) / ceiling,
                ceiling,
            };
            ridge.draw(&mut canvas, i, &heights[i]);
            let mean = self.seats[i].mean;
            if let Some(seat) = seat {
                draw_strip(&mut canvas, &scale, i, (seat, mean), base);
            }
            self.draw_texts(&mut canvas, &scale, i, seat.as_ref(), base);
        }
        theme::notes(&mut canvas, &self.remarks(&bins, &played));
        Ok(canvas)
    }
}

/// Room below each shape for the percentile marks.
const STRIP: f64 = 20.0;
/// Room for the printed values at the right of a row.
const VALUE_WIDTH: f64 = 104.0;
/// Widest bin.
const WIDEST: f64 = 220.0;
/// Bins at least so wide have their share written in them.
const ROOMY: f64 = 52.0;

impl Scores {
    fn scale(&self, bins: &Bins) -> Scale {
        let widest = axes::row_labels_width(self.seats.iter().map(|seat| &seat.label));
        let left = MARGIN + widest + 24.0;
        let right = WIDTH - MARGIN - VALUE_WIDTH - 18.0;
        let places = (left, right.min(left + WIDEST * bins.count as f64));
        let end = bins.low + bins.width * bins.count;
        // A bin of scores a..=b is drawn from a - 1/2 to b + 1/2.
        Scale::linear((bins.low as f64 - 0.5, end as f64 - 0.5), places)
    }

    fn draw_axis(&self, canvas: &mut Canvas, scale: &Scale, span: (f64, f64)) {
        let (from, to) = scale.values;
        let (mut steps, mut step) = axes::round_steps(from, to, 8);
        if step < 1.0 {
            step = 1.0;
            steps = (from.ceil() as i64..=to.floor() as i64)
                .map(|s| s as f64)
                .collect();
        }
        let ticks: Vec<_> = (steps.into_iter())
            .map(|score| (score, number(score, decimals_for(step))))
            .collect();
        axes::x_axis(canvas, scale, &ticks, span, "");
        // The axis may be shorter than its title.
        let title = format!("{} at the end of a game", self.unit);
        canvas.text(&title, (scale.places.0, span.1 + 36.0), TICK);
    }

    fn draw_texts(
        &self,
        canvas: &mut Canvas,
        scale: &Scale,
        index: usize,
        seat: Option<&Distribution>,
        base: f64,
    ) {
        let style = LABEL.in_ink(theme::seat_ink(index)).bold();
        let lines = wrap(&self.seats[index].label, &style, LABEL_WIDTH, 2);
        for (i, line) in lines.iter().rev().enumerate() {
            let at = (scale.places.0 - 14.0, base - LEADING * i as f64);
            canvas.text(line, at, style.held_at(Anchor::End));
        }
        let right = WIDTH - MARGIN;
        let detail = match seat {
            None => "no games".to_string(),
            Some(seat) => {
                let mean = format!("mean {}", number(self.seats[index].mean, 1));
                let style = LABEL.bold().held_at(Anchor::End);
                canvas.text(&mean, (right, base - LEADING), style);
                format!("median {}", number(seat.quantile(0.5) as f64, 0))
            }
        };
        canvas.text(&detail, (right, base), DETAIL.held_at(Anchor::End));
    }

    fn remarks(&self, bins: &Bins, played: &[Option<Distribution>]) -> Vec<String> {
        let key = "Below each shape: thin line 5 to 95 % of games, thick line 25 to 75 %, \
                   gap the median, open dot the mean.";
        let mut shapes = match bins.width {
            1 => "Height: share of games with each score, on one scale for all rows.".to_string(),
            width => format!(
                "Height: share of games in steps of {width} {}, on one scale for all rows.",
                self.unit
            ),
        };
        let last = bins.low + bins.width * bins.count - 1;
        if played.iter().flatten().any(|seat| seat.ends.1 > last) {
            let limit = number(last as f64, 0);
            shapes.push_str(&format!(
                " Scores above {limit} (at most {} of games) are not drawn.",
                percent(1.0 - DRAWN, 1)
            ));
        }
        vec![key.to_string(), shapes]
    }
}

/// The place and size of one shape.
struct Ridge<'a> {
    bins: &'a Bins,
    scale: &'a Scale,
    base: f64,
    /// Logical pixels per share of one.
    rise: f64,
    ceiling: f64,
}

impl Ridge<'_> {
    fn draw(&self, canvas: &mut Canvas, seat: usize, shares: &[f64]) {
        let ink = theme::seat_ink(seat);
        let edge = |bin: usize| {
            let score = self.bins.low + self.bins.width * bin as i64;
            self.scale.place(score as f64 - 0.5)
        };
        let mut outline = vec![(edge(0), self.base)];
        for (bin, &share) in shares.iter().enumerate() {
            let y = self.base - self.rise * share.min(self.ceiling);
            outline.extend([(edge(bin), y), (edge(bin + 1), y)]);
        }
        outline.push((edge(shares.len()), self.base));
        for (bin, &share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let y = self.base - self.rise * share.min(self.ceiling);
            canvas.block((edge(bin), y), (edge(bin + 1), self.base), ink.pale(0.35));
        }
        canvas.stroke(&outline, 1.5, ink);
        canvas.stroke(
            &[
                (self.scale.places.0, self.base),
                (self.scale.places.1, self.base),
            ],
            1.0,
            RULE,
        );
        let wide = edge(1) - edge(0);
        if wide >= ROOMY {
            for (bin, &share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                let high = self.rise * share.min(self.ceiling);
                let lift = if high > 24.0 { high - 15.0 } else { high + 5.0 };
                let at = ((edge(bin) + edge(bin + 1)) / 2.0, self.base - lift);
                let style = DETAIL.in_ink(BLACK).held_at(Anchor::Middle);
                canvas.text(&percent(share, 1), at, style);
            }
        }
        let cut = (0..shares.len()).find(|&bin| shares[bin] > 1.001 * self.ceiling);
        if let Some(bin) = cut {
            let (from, to) = (edge(bin), edge(bin + 1));
            let y = self.base - self.rise * self.ceiling;
            // A gap near the top shows that the bar goes on.
            canvas.stroke(&[(from - 3.0, y + 11.0), (to + 3.0, y + 6.0)], 3.0, WHITE);
            if wide >= ROOMY {
                return;
            }
            let score = self.bins.low + self.bins.width * bin as i64;
            let scores = match self.bins.width {
                1 => format!("at {}", number(score as f64, 0)),
                width => {
                    let last = number((score + width - 1) as f64, 0);
                    format!("at {} to {last}", number(score as f64, 0))
                }
            };
            let text = format!("{} {scores}", percent(shares[bin], 0));
            // Beside the bar, or farther on, where no other bar is in the way.
            let room = DETAIL.width(&text) + 8.0;
            let free = |start: &usize| {
                let below = (*start..shares.len()).take_while(|at| edge(*at) < edge(*start) + room);
                below
                    .map(|at| self.rise * shares[at])
                    .all(|high| high < self.base - y - 14.0)
            };
            let start = (bin + 1..shares.len()).find(free).unwrap_or(bin + 1);
            canvas.text(&text, (edge(start) + 6.0, y + 9.0), DETAIL);
        }
    }
}

/// Draws the percentiles and the mean of a row below its base line.
fn draw_strip(
    canvas: &mut Canvas,
    scale: &Scale,
    index: usize,
    (seat, mean): (&Distribution, f64),
    base: f64,
) {
    let (ink, y) = (theme::seat_ink(index), base + 8.0);
    let place = |score: f64| scale.place(score).clamp(scale.places.0, scale.places.1);
    let marks = [0.05, 0.25, 0.5, 0.75, 0.95];
    let [p5, p25, p50, p75, p95] = marks.map(|part| place(seat.quantile(part) as f64));
    canvas.block((p5 - 1.0, y - 1.0), (p95 + 1.0, y + 1.0), ink);
    canvas.block((p25 - 2.0, y - 4.0), (p75 + 2.0, y + 4.0), ink);
    canvas.block((p50 - 1.25, y - 4.0), (p50 + 1.25, y + 4.0), WHITE);
    canvas.disc((place(mean), y), 4.75, ink);
    canvas.disc((place(mean), y), 3.25, WHITE);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::tests::{BOTS, SUBTITLE, TITLE, assert_golden, assert_sound, label};

    fn chart(histograms: Vec<Vec<u64>>) -> Scores {
        let seats = (histograms.into_iter().enumerate())
            .map(|(i, histogram)| {
                let games: u64 = histogram.iter().sum();
                let sum: u64 = (0..).zip(&histogram).map(|(score, n)| score * n).sum();
                SeatScores {
                    label: label(i),
                    histogram,
                    mean: sum as f64 / games.max(1) as f64,
                }
            })
            .collect();
        Scores {
            title: "How many rubies each bot takes home".into(),
            subtitle: "Diamant · iello-2016 · 1,000,000 games".into(),
            unit: "rubies".into(),
            seats,
        }
    }

    fn bell(mean: f64, width: f64, zeros: u64) -> Vec<u64> {
        let games = |score: u32| {
            let z = (f64::from(score) - mean) / width;
            (40_000.0 * (-0.5 * z * z).exp()) as u64
        };
        let mut histogram: Vec<_> = (0..160).map(games).collect();
        histogram[0] += zeros;
        histogram
    }

    /// All games ended with one of a few scores.
    fn only(scores: &[usize]) -> Vec<u64> {
        let games = |score| u64::from(scores.contains(&score));
        (0..1000).map(games).collect()
    }

    #[test]
    fn any_histogram_is_drawn() {
        assert_sound(&chart(vec![]));
        assert_sound(&chart(vec![vec![]]));
        assert_sound(&chart(vec![only(&[7])]));
        assert_sound(&chart(vec![only(&[0, 900]), bell(40.0, 12.0, 0)]));
        assert_sound(&chart(vec![only(&[5]), vec![]]));
        assert_sound(&chart(
            (0..5)
                .map(|i| bell(30.0 + 5.0 * f64::from(i), 10.0, 9_000))
                .collect(),
        ));
        assert_sound(&chart(
            (0..8)
                .map(|i| bell(20.0, 4.0 + f64::from(i), 100_000))
                .collect(),
        ));
    }

    #[test]
    fn scores_look_as_their_golden() {
        let seats = BOTS.map(|label| SeatScores {
            label: label.into(),
            histogram: (1..=40).rev().collect(),
            mean: 13.0,
        });
        let chart = Scores {
            title: TITLE.into(),
            subtitle: SUBTITLE.into(),
            unit: "rubies".into(),
            seats: seats.to_vec(),
        };
        assert_golden("scores", &chart);
    }
}
