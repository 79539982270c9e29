//! Figures: the plain data of the charts that a game wants drawn beside the common ones.
//!
//! A game fills them from its counts; `charts` draws them. Nothing here knows a particular game,
//! a tally or a pixel.

use crate::statistics::Estimate;

/// One chart of a game.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// From how much on to say yes.
    Card(Card),
    /// When each bot leaves, and how the risk of staying grows.
    Leaving(Leaving),
    /// What sums are made of, one bar a bot.
    StackedBars(StackedBars),
    /// How something grows, one line a bot.
    Lines(Lines),
    /// How often what occurs.
    Histogram(Histogram),
    /// Shares with their intervals at a few places.
    Shares(Shares),
}

/// A card to take to the table: from how much on to say yes, by row and column.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    pub title: String,
    /// How to read it.
    pub how: Vec<String>,
    /// What the rows and the columns are.
    pub sides: [String; 2],
    /// The rows, from top to bottom.
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    /// Tables with their titles; nothing where no count is enough.
    pub tables: Vec<(String, Vec<Vec<Option<f32>>>)>,
    /// A remark at the foot.
    pub note: String,
}

/// How deep the bots of one line-up go; all shares as parts of one (0..=1).
#[derive(Clone, Debug, PartialEq)]
pub struct Leaving {
    pub title: String,
    /// Numbers of revealed cards, rising: 1, 2, 3, …
    pub depths: Vec<u32>,
    /// One line each in the upper panel.
    pub seats: Vec<SeatLeaving>,
    /// Per depth: the probability that the next card ends the expedition, among those that are
    /// still going after that many cards; none where no expedition went on.
    pub risk: Vec<Option<f64>>,
    /// Per depth: the share of expeditions that are still going after that many cards.
    pub reached: Vec<f64>,
}

/// When one bot leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatLeaving {
    /// The name of the bot, shortened where it is long.
    pub label: String,
    /// Per depth: the share of all expeditions in which it left after that many cards.
    pub left: Vec<f64>,
    /// The share of all expeditions in which a trap caught it.
    pub lost: f64,
}

/// Bars of parts end to end, on one scale.
#[derive(Clone, Debug, PartialEq)]
pub struct StackedBars {
    pub title: String,
    /// What the lengths measure.
    pub unit: String,
    /// The names of the parts, the first at the left.
    pub parts: Vec<String>,
    /// Whether the parts count upwards, and get darker as they do.
    pub ordered: bool,
    /// One bar each, drawn from top to bottom.
    pub rows: Vec<StackedBar>,
    /// Places after the point of printed values.
    pub decimals: usize,
    /// Whether the sum of each bar is printed at its end.
    pub sums: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct StackedBar {
    /// The name of the bot, wrapped or shortened where it is long.
    pub label: String,
    /// The length of each part, none below 0.
    pub parts: Vec<f64>,
}

/// How something grows: panels over one axis, in each a line for every bot.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    pub title: String,
    /// What the horizontal axis counts.
    pub x_title: String,
    /// Places on the horizontal axis, rising.
    pub x: Vec<f64>,
    /// The names of the bots, shortened where they are long.
    pub labels: Vec<String>,
    /// Drawn from top to bottom.
    pub panels: Vec<Panel>,
    /// A remark at the foot; may be empty.
    pub note: String,
}

/// A panel of [`Lines`].
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What its vertical axis counts.
    pub heading: String,
    /// For each bot, a value for each place on the horizontal axis.
    pub lines: Vec<Vec<f64>>,
}

/// How often what occurs: upright bars.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    pub title: String,
    /// What the horizontal axis shows.
    pub x_title: String,
    /// What the bars count.
    pub y_title: String,
    /// What is written below each bar; where there is no room, below some.
    pub labels: Vec<String>,
    /// For each bar its share (0..=1).
    pub shares: Vec<f64>,
    /// The bar that the median is in, and what is written above it.
    pub median: Option<(usize, String)>,
    /// A remark at the foot; may be empty.
    pub note: String,
}

/// Shares with their intervals at a few places, panel by panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Shares {
    pub title: String,
    /// What the places are.
    pub x_title: String,
    /// What the shares are.
    pub y_title: String,
    /// The names of the places, from left to right.
    pub labels: Vec<String>,
    pub panels: Vec<SharesPanel>,
}

/// A panel of [`Shares`].
#[derive(Clone, Debug, PartialEq)]
pub struct SharesPanel {
    /// What it is about, shortened where it is long.
    pub label: String,
    /// Number of the seat (from 0) whose colour and marker it has; none for all together.
    pub seat: Option<usize>,
    /// The share at each place, where it is known.
    pub shares: Vec<Option<Estimate>>,
    /// A level to compare with.
    pub level: f64,
}
