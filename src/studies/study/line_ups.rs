//! The tables of one study: named line-ups of bots for the seats that the study leaves open.

use super::error::{StudyError, check_seats, refuse};
use super::table::TableSpec;
use carat_core::as_text;
use carat_core::strategy::{SeatSpec, join_bots};
use indexmap::IndexMap;
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Line-ups by name, in the order given.
pub type LineUps = Vec<(String, LineUp)>;

/// The bots of the open seats.
#[derive(Debug, Clone, PartialEq)]
pub struct LineUp {
    bots: Vec<SeatSpec>,
    copies: Copies,
}

#[derive(Debug, Clone, PartialEq)]
enum Copies {
    /// The number of copies that the bot gives.
    Said,
    /// A lone bot takes all open seats.
    Filling,
    /// One table for each of these numbers of copies of the bot with this index.
    Each(usize, RangeInclusive<usize>),
}

impl FromStr for LineUp {
    type Err = String;

    /// Bots with commas in between, with semicolons where bots have commas of their own.
    fn from_str(text: &str) -> Result<LineUp, String> {
        let parts = if text.contains(';') {
            text.split(';').map(str::to_string).collect()
        } else {
            join_bots(text.split(','))
        };
        let mut copies = Copies::Said;
        let mut bots: Vec<SeatSpec> = Vec::new();
        for bot in &parts {
            let mut bot = bot.trim();
            if let Some((range, own)) = bot.split_once('*')
                && let Some((low, high)) = range.split_once("..")
            {
                let ends = [low, high].map(|end| end.trim().parse::<usize>());
                let [Ok(low @ 1..), Ok(high)] = ends else {
                    let why = "write 3..6*BOT for tables of 3 to 6 copies";
                    return Err(format!("`{bot}`: {why}"));
                };
                if copies != Copies::Said || high < low {
                    let why = "only one bot may have a range, and it must rise";
                    return Err(format!("`{bot}`: {why}"));
                }
                copies = Copies::Each(bots.len(), low..=high);
                bot = own;
            }
            bots.push(SeatSpec::parse(bot).map_err(|error| error.to_string())?);
        }
        if let ([only], Copies::Said) = (bots.as_slice(), &copies)
            && !text.trim_start().starts_with(&format!("{}*", only.copies))
        {
            copies = Copies::Filling;
        }
        Ok(LineUp { bots, copies })
    }
}

as_text!(LineUp);

impl fmt::Display for LineUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bots: Vec<String> = self.bots.iter().map(SeatSpec::to_string).collect();
        match &self.copies {
            Copies::Each(bot, range) => {
                bots[*bot] = format!("{}..{}*{}", range.start(), range.end(), bots[*bot]);
            }
            Copies::Said if bots.len() == 1 && self.bots[0].copies == 1 => {
                bots[0] = format!("1*{}", bots[0]);
            }
            _ => {}
        }
        let has_comma = bots.iter().any(|bot| bot.contains(','));
        f.write_str(&bots.join(if has_comma { "; " } else { ", " }))
    }
}

/// `NAME=BOT,…`, or bots that also serve as the name.
pub fn parse_line_up(text: &str) -> Result<(String, LineUp), String> {
    let is_of_name = |c: char| c.is_alphanumeric() || "-_ ".contains(c);
    let is_name = |text: &str| text.chars().all(is_of_name);
    match text.split_once('=') {
        Some((name, bots)) if is_name(name) => Ok((name.trim().to_string(), bots.parse()?)),
        _ => {
            let line_up: LineUp = text.parse()?;
            Ok((line_up.to_string(), line_up))
        }
    }
}

/// Line-ups by name, or as a list in files of older versions.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<LineUps, D::Error> {
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "a table is a name and a line-up, such as family = \"4*people, random\""
    )]
    enum Written {
        ByName(IndexMap<String, LineUp>),
        List(Vec<Vec<SeatSpec>>),
    }
    let named = |bots| {
        let copies = Copies::Said;
        let line_up = LineUp { bots, copies };
        (line_up.to_string(), line_up)
    };
    Ok(match Written::deserialize(from)? {
        Written::ByName(tables) => tables.into_iter().collect(),
        Written::List(older) => older.into_iter().map(named).collect(),
    })
}

pub use super::typed::pairs::serialize;

impl TableSpec {
    /// This table with each of these line-ups at its open seats, or only the table itself without
    /// line-ups. Fails if a line-up is empty or has more bots than open seats.
    pub fn at_tables(&self, tables: &LineUps) -> Result<Vec<(String, TableSpec)>, StudyError> {
        if tables.is_empty() {
            return Ok(vec![(String::new(), self.clone())]);
        }
        let game = self.game()?;
        let own: usize = self.seats.iter().map(|seat| seat.copies).sum();
        let mut all = Vec::new();
        for (name, LineUp { bots, copies }) in tables {
            let Some(first) = bots.first() else {
                refuse!("tables: `{name}` has no bots; name at least one");
            };
            let (bot, range) = match copies {
                Copies::Each(bot, range) => (*bot, range.clone()),
                _ => (0, first.copies..=first.copies),
            };
            for copies_of_bot in range {
                let mut bots = bots.clone();
                bots[bot].copies = copies_of_bot;
                let bots: Vec<SeatSpec> = bots.iter().flat_map(SeatSpec::each).collect();
                let given = own + bots.len();
                let players = match copies {
                    Copies::Each(..) => given,
                    Copies::Filling => self.players.unwrap_or(game.players.max(given)),
                    Copies::Said => self.players.unwrap_or(given),
                };
                check_seats(game, given, players)?;
                let mut table = self.clone();
                table.players = None;
                (table.seats).extend(bots.into_iter().cycle().take(players - own));
                let name = match copies {
                    Copies::Each(..) => format!("{name}, {players} players"),
                    _ => name.clone(),
                };
                all.push((name, table));
            }
        }
        Ok(all)
    }
}
