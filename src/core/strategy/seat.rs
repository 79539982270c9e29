//! A bot at a table: a strategy with its parameters, and what a user types to seat one.

use super::Strategy;
use super::mix::{MEMBERS_MAX, PARTS_MAX};
use super::think::refusal;
use crate::diagnostic::nearest;
use crate::formula::{FORMULAS_MAX, Formula, is_name};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Most seats at a table, in any game: one program answers for all of them.
pub const SEATS_MAX: usize = FORMULAS_MAX;

/// Prefix of a program's command in place of a bot.
pub const EXEC: &str = "exec:";

/// Characters between the parts of a seat or between seats.
const NOT_IN_LABELS: &str = ",;:=*/\\";

/// A bot at a table: a strategy and the values of its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Seat {
    pub strategy: Arc<Strategy>,
    /// One value for each of the strategy's parameters, in the same order.
    pub values: Vec<f32>,
    /// Its display name: a person replaced by the strategy, or a label.
    pub person: Option<String>,
}

impl Seat {
    /// Seats `strategy` with its default parameters, except for `overrides`. Fails where a
    /// parameter is unknown, or a budget of thinking impossible.
    pub fn new(
        strategy: impl Into<Arc<Strategy>>,
        overrides: &[(String, f32)],
    ) -> Result<Seat, SeatError> {
        let strategy = strategy.into();
        let mut values: Vec<f32> = strategy.params.iter().map(|(_, value)| *value).collect();
        for (name, value) in overrides {
            let mut known = strategy.params.iter();
            let Some(param) = known.position(|(known, _)| known == name) else {
                return Err(SeatError::Param(unknown_param(&strategy, name)));
            };
            if let Some(why) = refusal(name, *value).filter(|_| strategy.thinks) {
                return Err(SeatError::Param(why));
            }
            values[param] = *value;
        }
        Ok(Seat {
            strategy,
            values,
            person: None,
        })
    }

    /// The text to seat this bot: its name and non-default parameters.
    pub fn spec(&self) -> SeatSpec {
        let own = self.strategy.params.iter().zip(&self.values);
        let changed = own.filter(|((_, default), value)| default != *value);
        let params = changed.map(|((name, _), value)| (name.clone(), *value));
        SeatSpec {
            params: params.collect(),
            ..SeatSpec::of(&self.strategy.name)
        }
    }

    /// The seat as text, such as `threshold:target=8`.
    pub fn label(&self) -> String {
        self.spec().to_string()
    }

    /// Its display name: the label or name, otherwise the bot as text.
    pub fn called(&self) -> String {
        self.person.clone().unwrap_or_else(|| self.label())
    }

    /// These parameters as text, such as `target=12,nerve=4`; empty when there are none.
    pub fn params_text(&self) -> String {
        let setting = |(name, value): (&str, f32)| format!("{name}={value}");
        Vec::from_iter(self.shown_params().map(setting)).join(",")
    }

    /// Each parameter with its value, but of the numbers in tables only those that differ from the
    /// file.
    pub(super) fn shown_params(&self) -> impl Iterator<Item = (&str, f32)> {
        let params = self.params().zip(&self.strategy.params);
        let shown =
            params.filter(|((name, value), (_, default))| !name.contains('.') || value != default);
        shown.map(|(param, _)| param)
    }

    /// The strategy's formula with this seat's parameters bound.
    pub fn formula(&self) -> Formula {
        self.strategy.formula.bind(&self.values)
    }

    /// Refuses a program where a bot must be a formula.
    pub fn formula_only(&self) -> Result<(), SeatError> {
        match self.strategy.program {
            Some(_) => Err(SeatError::Program(self.label())),
            None => Ok(()),
        }
    }

    pub fn params(&self) -> impl Iterator<Item = (&str, f32)> {
        let names = self.strategy.params.iter().map(|(name, _)| name.as_str());
        names.zip(self.values.iter().copied())
    }
}

/// The display name of a bot: for a file, without folders and ending.
fn short_name(name: &str) -> &str {
    let Some(path) = name.strip_suffix(".toml") else {
        return name;
    };
    match path.rsplit(['/', '\\']).next() {
        Some(stem) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// The display names of the bots at a table: with non-default parameters, and those that differ
/// between seats of a strategy. Names of people and labels come first. Files go by their short
/// names where these are distinct.
pub fn table_labels(seats: &[Seat]) -> Vec<String> {
    let label = |seat: &Seat| {
        if let Some(person) = &seat.person {
            return person.clone();
        }
        let name = &seat.strategy.name;
        let copies = seats.iter().filter(|other| other.strategy.name == *name);
        let is_shown = |&(place, (_, default)): &(usize, &(String, f32))| {
            let own = Some(&seat.values[place]);
            own != Some(default) || copies.clone().any(|other| other.values.get(place) != own)
        };
        let params = seat.strategy.params.iter().enumerate().filter(is_shown);
        let params = params.map(|(place, (param, _))| (param.clone(), seat.values[place]));
        let short = short_name(name);
        let mut others = seats.iter().map(|other| &other.strategy.name);
        let is_taken = others.any(|other| other != name && short_name(other) == short);
        SeatSpec {
            params: params.collect(),
            ..SeatSpec::of(if is_taken { name } else { short })
        }
        .to_string()
    };
    seats.iter().map(label).collect()
}

/// Names that distinguish all players at a table: `player 1 (threshold)`, `2 Ben` for a person, …
pub fn seat_names(seats: &[Seat]) -> Vec<String> {
    let named = (1..).zip(seats).zip(table_labels(seats));
    let names = named.map(|((number, seat), label)| match seat.person {
        Some(_) => format!("{number} {label}"),
        None => format!("player {number} ({label})"),
    });
    names.collect()
}

/// The bots of a table with their seats, for sentences: `threshold (seat 1)`, …
pub fn bots_with_seats(seats: &[Seat]) -> Vec<String> {
    let labels = (1..).zip(table_labels(seats));
    let names = labels.map(|(number, label)| format!("{label} (seat {number})"));
    names.collect()
}

/// Whether `text` can name a parameter: a name, which the place of a number in a table may follow,
/// such as `nerve.2` or `nerve.2.3`.
pub fn is_param(text: &str) -> bool {
    let mut parts = text.split('.');
    let is_place = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.next().is_some_and(is_name) && parts.all(is_place)
}

/// What a user types for one or more seats: `[copies*]name[:param=value,…][ as label]`.
///
/// After [`EXEC`] all of the text is the command of a program. The name may be a path. Parameters
/// start after the last `:` if what follows it has a `=`, so that `C:\bots\mine.toml` is a name as
/// a whole. `Display` writes what [`SeatSpec::parse`] reads.
#[derive(Debug, Clone, PartialEq)]
pub struct SeatSpec {
    /// How many seats, from 1 to [`SEATS_MAX`].
    pub copies: usize,
    /// The name or path of the strategy; not empty.
    pub name: String,
    /// The parameters that differ from the defaults, all finite and each at most once.
    pub params: Vec<(String, f32)>,
    /// Its name in charts, tables and stories.
    pub label: Option<String>,
}

impl SeatSpec {
    /// One seat of the bot `name`, with its default parameters.
    pub fn of(name: &str) -> SeatSpec {
        SeatSpec {
            copies: 1,
            name: name.to_owned(),
            params: Vec::new(),
            label: None,
        }
    }

    /// Reads a bot that takes one seat.
    pub fn one(text: &str) -> Result<SeatSpec, SeatError> {
        match SeatSpec::parse(text)? {
            spec if spec.copies == 1 => Ok(spec),
            spec => Err(SeatError::Unnamed(spec.to_string())),
        }
    }

    /// Its label or the name of its file, else its name.
    pub fn short_name(&self) -> &str {
        let label = self.label.as_deref();
        label.unwrap_or_else(|| short_name(&self.name))
    }

    /// The same bot at each of its seats.
    pub fn each(&self) -> impl Iterator<Item = SeatSpec> {
        let mut one = self.clone();
        one.copies = 1;
        std::iter::repeat_n(one, self.copies)
    }

    /// Sets a parameter. Seating the bot checks whether it exists.
    pub fn set(&mut self, param: &str, value: f32) {
        self.params.retain(|(name, _)| name != param);
        self.params.push((param.to_owned(), value));
    }

    /// Reads what the user typed; blanks around names and values are ignored.
    ///
    /// ```
    /// let spec = carat_core::strategy::SeatSpec::parse("3*threshold:target=8").unwrap();
    /// assert_eq!((spec.copies, spec.name.as_str(), spec.params[0].1), (3, "threshold", 8.0));
    /// ```
    ///
    /// Unknown parameters are found when the bot is seated.
    pub fn parse(text: &str) -> Result<SeatSpec, SeatError> {
        let (copies, rest) = match text.split_once('*') {
            Some((copies, rest)) if !copies.contains(EXEC) && !copies.contains(" as ") => {
                match copies.trim().parse() {
                    Ok(copies) if (1..=SEATS_MAX).contains(&copies) => (copies, rest),
                    _ => return Err(SeatError::Copies(copies.trim().to_owned())),
                }
            }
            _ => (1, text),
        };
        if let Some(command) = rest.trim().strip_prefix(EXEC) {
            return match command.trim() {
                "" => Err(SeatError::Unnamed(text.to_owned())),
                command => Ok(SeatSpec {
                    copies,
                    ..SeatSpec::of(&format!("{EXEC}{command}"))
                }),
            };
        }
        let (rest, label) = match rest.rsplit_once(" as ") {
            // The name of a file may have ` as ` in it.
            Some((_, end)) if end.contains(".toml") => (rest, None),
            Some((_, label)) if !is_label(label) => {
                return Err(SeatError::Label(label.trim().to_owned()));
            }
            Some((rest, label)) => (rest, Some(label.trim().to_owned())),
            None => (rest, None),
        };
        let (name, settings) = match rest.rsplit_once(':') {
            Some((name, settings)) if settings.contains('=') => (name, Some(settings)),
            _ => (rest, None),
        };
        let name = name.trim();
        if name.is_empty() || name.ends_with(':') || name.contains('*') {
            return Err(SeatError::Unnamed(text.to_owned()));
        }
        let mut params: Vec<(String, f32)> = Vec::new();
        let settings = settings.into_iter();
        for setting in settings.flat_map(|settings| settings.split(',')) {
            let (param, value) = setting_of(setting)?;
            if params.iter().any(|(earlier, _)| *earlier == param) {
                return Err(SeatError::RepeatedParam(param));
            }
            params.push((param, value));
        }
        Ok(SeatSpec {
            copies,
            name: name.to_owned(),
            params,
            label,
        })
    }
}

/// Joins the parts of a text between commas to bots: in `a:x=1,y=2,b`, the second part is another
/// value of the first bot.
pub fn join_bots<'a>(parts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut bots: Vec<String> = Vec::new();
    for part in parts {
        let name = part.split_once('=').map_or("", |(name, _)| name.trim());
        match bots.last_mut() {
            Some(bot) if is_param(name) => *bot += &format!(",{part}"),
            _ => bots.push(part.trim().to_owned()),
        }
    }
    bots
}

impl FromStr for SeatSpec {
    type Err = SeatError;

    fn from_str(text: &str) -> Result<SeatSpec, SeatError> {
        SeatSpec::parse(text)
    }
}

/// Implements parsing and serialization of a type as text.
#[macro_export]
macro_rules! as_text {
    ($Type:ty) => {
        impl serde::Serialize for $Type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $Type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<$Type, D::Error> {
                let text: String = serde::Deserialize::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

as_text!(SeatSpec);

impl fmt::Display for SeatSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.copies > 1 {
            write!(f, "{}*", self.copies)?;
        }
        write!(f, "{}", self.name)?;
        for (position, (param, value)) in self.params.iter().enumerate() {
            let separator = if position == 0 { ':' } else { ',' };
            write!(f, "{separator}{param}={value}")?;
        }
        if let Some(label) = &self.label {
            write!(f, " as {label}")?;
        }
        Ok(())
    }
}

/// Why a seat is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeatError {
    #[error("`{0}` is not a number of copies: write 1 to {SEATS_MAX} before the `*`")]
    Copies(String),
    #[error("`{0}` does not name a bot: write `name` or `name:param=value`")]
    Unnamed(String),
    #[error(
        "`{0}` cannot be a label: a label comes last, on one line, without `,` `;` `:` `=` `*` `/` `\\`"
    )]
    Label(String),
    #[error("`{0}` is not a parameter: write `param=value`, separated by commas")]
    NotASetting(String),
    /// A parameter that the bot does not have, or a value that it may not have.
    #[error("{0}")]
    Param(String),
    #[error("`{0}` thinks already: name a bot that does not think")]
    Thinks(String),
    #[error("`{0}` thinks: name only bots that do not think in a mix")]
    Mixes(String),
    #[error(
        "`{0}` is a program: programs cannot think, be part of a mix, or play in searches, playouts \
         and training"
    )]
    Program(String),
    #[error(
        "a mix of {0} bots: at most {PARTS_MAX} are allowed, including those of mixes in it; \
         neighbours that differ only in parameters count as one, up to {MEMBERS_MAX}"
    )]
    Parts(usize),
    #[error("`{0}` refers to itself")]
    Itself(String),
    #[error("parameter `{0}`: `{1}` is not a finite number")]
    NotFinite(String, String),
    #[error("parameter `{0}` is given twice")]
    RepeatedParam(String),
}

fn unknown_param(strategy: &Strategy, param: &str) -> String {
    let params = strategy.params.iter();
    let known: Vec<&str> = params.map(|(name, _)| name.as_str()).collect();
    let has = match known.as_slice() {
        [] => "it has none".to_owned(),
        known => format!("it has {}", listed(known)),
    };
    let hint = nearest(param, known).map(|near| format!("did you mean `{near}`? ({has})"));
    let hint = hint.unwrap_or(has);
    format!("bot `{}` has no parameter `{param}`; {hint}", strategy.name)
}

/// The names in quotes; for each table the first and the last number.
fn listed(known: &[&str]) -> String {
    let table = |name: &str| name.split_once('.').map(|(table, _)| table.to_owned());
    let mut listed: Vec<String> = Vec::new();
    for run in known.chunk_by(|a, b| table(a).is_some() && table(a) == table(b)) {
        listed.push(match run {
            [first, .., last] => format!("`{first}` … `{last}`"),
            _ => format!("`{}`", run[0]),
        });
    }
    listed.join(", ")
}

fn is_label(text: &str) -> bool {
    let is_allowed = |c: char| !c.is_control() && !NOT_IN_LABELS.contains(c);
    !text.trim().is_empty() && text.chars().all(is_allowed)
}

fn setting_of(text: &str) -> Result<(String, f32), SeatError> {
    let not_a_setting = || SeatError::NotASetting(text.trim().to_owned());
    let (param, value) = text.split_once('=').ok_or_else(not_a_setting)?;
    let (param, value) = (param.trim(), value.trim());
    if !is_param(param) {
        return Err(not_a_setting());
    }
    match value.parse::<f32>() {
        Ok(number) if number.is_finite() => Ok((param.to_owned(), number)),
        _ => Err(SeatError::NotFinite(param.to_owned(), value.to_owned())),
    }
}
