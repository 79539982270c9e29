//! The table of a study: game, rules, bots, and how they are seated.

use super::error::{StudyError, check_seats, no_such_game, refuse};
#[cfg(feature = "clap")]
use super::options::{Example, one_of, parse_change, parse_measure, parse_number};
use super::paths::rules_numbers;
use super::remark::Remark;
use super::typed::{self, Bots, check_once};
use carat_core::catalog;
use carat_core::diagnostic::counted;
use carat_core::game::{
    Game, Layout, MINUTES, MetricRef, PLAYING_MINUTES, Rules, STARTER_WIN_SHARE, Seating,
    SeatingError, Table,
};
use carat_core::library::{
    ADAPTED, BEST, Library, LibraryError, SourceText, Sources, table_of_stand_in,
};
use carat_core::overrides::{self, apply, at_players, read_rules};
use carat_core::strategy::{MadeFor, Seat, SeatSpec, Strategy, table_labels, with_changes};
use carat_core::thinking;
use indexmap::{IndexMap, IndexSet};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// Most measures of a table: sums are kept for each pair of them.
const MEASURES_MAX: usize = 100;

/// A table as written. The game has defaults for missing values.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct TableSpec {
    /// The game, such as diamant (see `carat list`)
    #[cfg_attr(feature = "clap", arg(value_name = "GAME", add = Example::given("\"diamant\"")))]
    pub game: String,
    /// An edition (see `carat list`) or a rules file [default: the game's first edition]
    #[cfg_attr(feature = "clap", arg(long, alias = "edition", value_name = "NAME or FILE", add = Example::of("\"iello-2016\"")))]
    pub rules: Option<String>,
    /// Change a value of the rules, such as traps.snake=4; repeat for more
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATH=VALUE", value_parser = parse_change, add = Example::of("[\"traps.snake=4\"]")))]
    #[serde(default)]
    pub set: Vec<String>,
    /// Number of players [default: depends on the bots given and on the game]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true, add = Example::of("5")))]
    pub players: Option<usize>,
    /// A bot for the next free seats, `[copies*]BOT[:param=value,…][ as LABEL]`; repeat for more.
    /// `best` is the best included bot. Tables and charts use the label, which may have any
    /// characters except `,;:=*/\`. `BOT:playouts=64` is a bot that tries each option in up to 64
    /// games before it decides
    #[cfg_attr(feature = "clap", arg(long = "seat", value_name = "BOT", add = Example::given("[\"threshold:target=8\", \"2*depth\"]")))]
    #[serde(default)]
    pub seats: Vec<SeatSpec>,
    /// The bot for every seat not given by --seat. Several bots share those seats: separate them by
    /// commas or repeat the option. In every game, `careful`, `people` and `bold` play as people
    /// might: `--seat best --others careful,bold,2*people` seats the best bot with a family of
    /// four. Without --seat, the first two seats go to a simple rule and the best bot [default: people]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BOT", add = Example::of("\"people\"")))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<Bots>,
    /// Names for the seats, in order, separated by commas; leave a name empty for a bot. In playouts
    /// (games played to the end), the seat's bot stands in for the person
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", value_delimiter = ',', add = Example::of("[\"Anna\", \"Ben\"]")))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<String>,
    /// How bots change places from game to game if turn order matters. every-order plays all orders
    /// equally often; neighbours moves all bots on by one place; fixed keeps all places
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOW", default_value = "every-order", value_parser = one_of::<Seating>(&["every-order", "neighbours", "fixed"]), add = Example::of("\"every-order\"")))]
    #[serde(default)]
    pub seating: Seating,
    /// What to do if a program that plays a seat crashes, is late or gives an invalid answer. stop
    /// ends the run; pass takes the first option (in Diamant, staying), counts it in the column
    /// `passes` and restarts the program. A program that never starts always ends the run
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOW", default_value = "stop", value_parser = one_of::<OnFailure>(&["stop", "pass"]), add = Example::of("\"stop\"")))]
    #[serde(default, skip_serializing_if = "OnFailure::is_stop")]
    pub on_failure: OnFailure,
    /// A measure, which is a metric of your own: a formula over the counts of a game (see `carat
    /// show counts`). carat reports the mean of a number, how often a condition is true, or a ratio
    /// of two means, `mean(FORMULA) / mean(FORMULA)`. `playing_minutes` needs no formula: it
    /// follows from [minutes] of the rules. Repeat for more
    #[cfg_attr(feature = "clap", arg(long = "define", value_name = "NAME=FORMULA", value_parser = parse_measure, add = Example::of("{ minutes = \"(12 * cards + 5 * decisions) / 60\" }")))]
    #[serde(default, with = "typed::pairs", skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<(String, String)>,
}

/// The reaction to a program that fails to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnFailure {
    #[default]
    Stop,
    Pass,
}

impl OnFailure {
    pub fn is_stop(&self) -> bool {
        *self == OnFailure::Stop
    }

    /// Sets this reaction for programs among these bots.
    pub fn apply(self, seats: &mut [Seat]) {
        for seat in seats {
            if seat.strategy.program.is_some()
                && let Some(program) = &mut Arc::make_mut(&mut seat.strategy).program
            {
                program.passes = self == OnFailure::Pass;
            }
        }
    }
}

#[derive(Clone)]
pub struct SeatedTable {
    pub spec: TableSpec,
    pub game: &'static Game,
    /// The rules file, before the study's changes.
    pub rules: SourceText,
    pub seats: Vec<Seat>,
    pub table: Arc<dyn Table>,
    pub warnings: Vec<Remark>,
}

/// Longest name of a person, in characters.
pub const NAME_MAX: usize = 30;

/// The default bot of seats that are not given.
pub const PEOPLE: &str = "people";
/// Bots with the temperaments of people, in every game.
pub const TEMPERAMENTS: [&str; 3] = [PEOPLE, "bold", "careful"];

pub fn people() -> SeatSpec {
    SeatSpec::of(PEOPLE)
}

/// Whether a person may have this name in records.
pub fn is_name_of_person(name: &str) -> bool {
    name.chars().count() <= NAME_MAX && !name.contains(char::is_control) && name.trim() == name
}

/// The rules of a study with its changes, and the text of the rules file.
pub fn checked_rules(
    game: &Game,
    spec: &mut TableSpec,
    library: &Library,
) -> Result<(SourceText, Box<dyn Rules>), StudyError> {
    let default = || game.editions[0].name.to_string();
    let name = spec.rules.get_or_insert_with(default).clone();
    let rules = library.rules_source(game, &name)?;
    let played = apply(&name, &rules.text, &spec.set);
    let played = played.map_err(|why| why + &spec.seat_hint(game, library))?;
    match read_rules(game, &with_changes(&name, &spec.set), &played) {
        Ok(checked) => Ok((rules, checked)),
        Err(fault) if spec.set.is_empty() => Err(LibraryError::from(fault).into()),
        Err(fault) => Err(StudyError::Impossible(Box::new(fault))),
    }
}

/// The warning about a number of players outside the printed range.
pub fn unprinted(rules: &SourceText, checked: &dyn Rules, players: usize) -> Option<Remark> {
    let printed = checked.printed_players();
    let (name, least, most) = (&rules.name, *printed.start(), *printed.end());
    let is_printed = printed.contains(&players);
    (!is_printed).then(|| Remark::Unprinted(name.clone(), least, most, players))
}

pub fn sources<'a>(tables: impl IntoIterator<Item = &'a SeatedTable>) -> Sources {
    let mut sources = Sources::default();
    for table in tables {
        sources.add(&table.rules, &table.seats);
    }
    sources
}

/// A warning for bots that were made for other rules or another number of players.
pub fn made_elsewhere(
    game: &Game,
    rules: &SourceText,
    set: &[String],
    seats: &[Seat],
    players: usize,
) -> Result<Option<Remark>, StudyError> {
    let played = rules_of(&rules.name, &rules.text, set)?;
    let mut elsewhere = IndexMap::new();
    for Strategy { name, made_for, .. } in seats.iter().map(|seat| &*seat.strategy) {
        let Some(made_for) = made_for else { continue };
        let mut editions = game.editions.iter();
        let edition = editions.find(|edition| Some(edition.name) == made_for.rules.as_deref());
        // Files are compared by name.
        let same_rules = match (edition, &made_for.rules) {
            (Some(own), _) => rules_of(own.name, own.text, &made_for.set)? == played,
            (None, Some(own)) => Path::new(own).file_name() == Path::new(&rules.name).file_name(),
            (None, None) => true,
        };
        if !same_rules || made_for.players.is_some_and(|own| own != players) {
            elsewhere.insert(name.clone(), made_for.clone());
        }
    }
    let elsewhere = Vec::from_iter(elsewhere);
    Ok((!elsewhere.is_empty()).then_some(Remark::MadeElsewhere(elsewhere)))
}

impl SeatedTable {
    /// Fails if a program has a seat.
    pub fn without_programs(self) -> Result<SeatedTable, StudyError> {
        let programs = self.seats.iter().try_for_each(Seat::formula_only);
        programs.map_err(SeatingError::from)?;
        Ok(self)
    }

    /// The warning about copies of a bot that always decide alike.
    fn copies_warning(&self) -> Option<Remark> {
        let labels: Vec<String> = self.seats.iter().map(Seat::label).collect();
        let mut copied = IndexSet::new();
        for (at, label) in labels.iter().enumerate() {
            let seat = &self.seats[at];
            if labels[..at].contains(label)
                && self.game.copies_act_as_one(seat)
                && table_of_stand_in(&seat.strategy).is_none()
            {
                copied.insert(label.clone());
            }
        }
        (!copied.is_empty()).then(|| Remark::Copies(Vec::from_iter(copied)))
    }

    fn fitted_warning(&self) -> Option<Remark> {
        let names = table_labels(&self.seats).into_iter().zip(&self.seats);
        let fitted = names.filter(|(_, seat)| !seat.draws().is_empty());
        let fitted = Vec::from_iter(fitted.map(|(name, _)| name));
        (!fitted.is_empty()).then_some(Remark::WithoutDoubt(fitted))
    }

    /// Its warnings in words.
    pub fn said(&self) -> Vec<String> {
        self.warnings.iter().map(Remark::to_string).collect()
    }

    /// A headline: game, rules, players and the bot at the remaining seats.
    pub fn headline(&self) -> String {
        headline_of(&[self])
    }
}

/// The headline of one table or of several with these rules, at least one.
pub fn headline_of(tables: &[&SeatedTable]) -> String {
    let SeatedTable { game, spec, .. } = tables[0];
    let players = Vec::from_iter(tables.iter().map(|table| table.seats.len()));
    let line = headline(game, spec, players);
    match &spec.others {
        Some(others) => format!("{line} · others: {others}"),
        None => line,
    }
}

/// The text of changed rules without what changes no game.
fn rules_of(name: &str, text: &str, set: &[String]) -> Result<toml::Table, String> {
    let mut rules: toml::Table = apply(name, text, set)?.parse().unwrap_or_default();
    rules.remove("title");
    rules.remove(MINUTES);
    Ok(rules)
}

/// A headline: game, rules with the changes to them, and the players at each table.
pub fn headline(game: &Game, spec: &TableSpec, mut players: Vec<usize>) -> String {
    let rules = with_changes(spec.rules.as_deref().unwrap_or_default(), &spec.set);
    players.sort_unstable();
    players.dedup();
    let mut sizes = Vec::from_iter(players.iter().map(usize::to_string));
    let most = sizes.split_off(sizes.len() - 1);
    let players = match sizes.as_slice() {
        [] => counted(players[0], "player"),
        fewer => format!("{} and {} players", fewer.join(", "), most[0]),
    };
    format!("{} · {rules} · {players}", game.title)
}

impl TableSpec {
    pub fn of(game: &str) -> Self {
        TableSpec {
            game: game.to_string(),
            ..TableSpec::default()
        }
    }

    /// Adds the measures, which may use the numbers of the rules.
    fn define_measures(
        &self,
        layout: &mut Layout,
        game: &Game,
        rules: &SourceText,
    ) -> Result<(), StudyError> {
        check_once("measures", &self.measures)?;
        if self.measures.len() > MEASURES_MAX {
            refuse!(
                "measures: {}; define at most {MEASURES_MAX}",
                self.measures.len()
            );
        }
        if !self.measures.is_empty() {
            let text = apply(&rules.name, &rules.text, &self.set)?;
            let text = at_players(&rules.name, &text, layout.seats)?;
            layout.add_rules_numbers(rules_numbers(game, &text, &self.measures));
        }
        for (name, formula) in &self.measures {
            layout.define(name, formula)?;
        }
        Ok(())
    }

    /// Defines the game's own measure, unless the study has one of this name.
    pub fn define_minutes(&mut self) -> Result<(), StudyError> {
        let minutes = self.game()?.minutes.to_string();
        let mut own = self.measures.iter_mut();
        match own.find(|(name, _)| name == PLAYING_MINUTES) {
            Some((_, formula)) if formula.is_empty() => *formula = minutes,
            Some(_) => (),
            None => (self.measures).insert(0, (PLAYING_MINUTES.to_string(), minutes)),
        }
        Ok(())
    }

    /// The remark on the seconds that the game's own measure of minutes rests on.
    fn guessed(&self, layout: &Layout, game: &Game) -> Option<Remark> {
        let own = (PLAYING_MINUTES.to_string(), game.minutes.to_string());
        let seconds = layout
            .rules_numbers
            .iter()
            .filter_map(|(_, path, seconds)| {
                let name = path.strip_prefix("minutes.")?.replace('_', "-");
                Some(format!("{name} {seconds}"))
            });
        let seconds = Vec::from_iter(seconds).join(", ");
        self.measures
            .contains(&own)
            .then_some(Remark::Minutes(seconds))
    }

    pub fn resolve(&self, library: &Library) -> Result<SeatedTable, StudyError> {
        let game = self.game()?;
        let mut spec = self.clone();
        let (rules, checked) = checked_rules(game, &mut spec, library)?;
        let given: usize = self.seats.iter().map(|seat| seat.copies).sum();
        let players = spec.fill(game)?;
        spec.name_best(players, library)?;
        let (mut seats, made_for) = (Vec::new(), spec.made_for(Some(players)));
        for seat in &spec.seats {
            seats.extend(library.seats_at(game, seat, &made_for)?);
        }
        spec.on_failure.apply(&mut seats);
        spec.name_people(&mut seats)?;
        let mut warnings = Vec::from_iter(unprinted(&rules, checked.as_ref(), seats.len()));
        warnings.extend(checked.without_effect().map(Remark::WithoutEffect));
        let added = overrides::added(&rules.text, &spec.set).into_iter();
        warnings.extend(added.map(|(path, has)| Remark::New(path, rules.name.clone(), has)));
        let mut tables = loop {
            match thinking::tables(checked.as_ref(), &seats, spec.seating) {
                // A default bot with a feature that these rules hide is replaced.
                Err(SeatingError::Hidden { seat, label, .. })
                    if given == 0 && self.others.is_none() && label != PEOPLE =>
                {
                    let other = people();
                    let mut person = library.seats(game, &other)?.remove(0);
                    person.person = seats[seat - 1].person.take();
                    seats[seat - 1] = person;
                    warnings.push(Remark::Replaced(label, other.to_string()));
                    let at = spec.seats.len() - 1 - (players - seat);
                    spec.seats[at] = other;
                }
                seated => break seated?,
            }
        };
        for table in &mut tables {
            if !spec.on_failure.is_stop() {
                table.layout_mut().count_passes();
            }
            spec.define_measures(table.layout_mut(), game, &rules)?;
        }
        warnings.extend(spec.guessed(tables[0].layout(), game));
        let table = thinking::take_turns(tables);
        let starter = MetricRef::of_table(STARTER_WIN_SHARE);
        if spec.seating == Seating::Fixed && table.layout().metric(starter).is_some() {
            warnings.push(Remark::FixedPlaces);
        }
        let mut seated = SeatedTable {
            spec,
            game,
            rules,
            seats,
            table: table.into(),
            warnings,
        };
        let SeatedTable { rules, seats, .. } = &seated;
        let elsewhere = made_elsewhere(game, rules, &seated.spec.set, seats, players)?;
        let more = [elsewhere, seated.copies_warning(), seated.fitted_warning()];
        seated.warnings.extend(more.into_iter().flatten());
        if (seated.seats.iter()).any(|seat| seat.strategy.program.is_some()) {
            seated.warnings.push(Remark::Program);
        }
        Ok(seated)
    }

    fn name_people(&self, seats: &mut [Seat]) -> Result<(), StudyError> {
        if let Some(name) = self.people.iter().find(|name| !is_name_of_person(name)) {
            let name = name.escape_debug();
            refuse!(
                "people: `{name}` is not a valid name; write at most {NAME_MAX} letters on one line"
            );
        }
        let (names, all) = (self.people.len(), seats.len());
        if names > all {
            refuse!("people: {names} names for {all} seats");
        }
        let named = self.people.iter().zip(seats);
        for (name, seat) in named.filter(|(name, _)| !name.is_empty()) {
            seat.person = Some(name.clone());
        }
        Ok(())
    }

    /// The `made_for` of a bot that a command made at this table.
    pub fn made_by(&self, command: &str) -> MadeFor {
        MadeFor {
            by: Some(command.to_string()),
            ..self.made_for(self.players)
        }
    }

    /// The `made_for` of a bot trained at this table.
    pub fn made_for(&self, players: Option<usize>) -> MadeFor {
        MadeFor {
            rules: self.rules.clone(),
            set: self.set.clone(),
            players,
            by: None,
        }
    }

    /// Adds what the table names to `sources`, for a table with impossible rules.
    pub fn add_sources(&self, library: &Library, sources: &mut Sources) -> Result<(), StudyError> {
        let game = self.game()?;
        let rules = self.rules.as_deref().unwrap_or(game.editions[0].name);
        let rules = library.rules_source(game, rules)?;
        let mut spec = self.with_each_seat()?;
        spec.name_best(spec.seats.len(), library)?;
        let mut seats = Vec::new();
        for seat in spec.seats.iter().filter(|seat| seat.name != ADAPTED) {
            seats.extend(library.seats(game, seat)?);
        }
        sources.add(&rules, &seats);
        Ok(())
    }

    pub fn game(&self) -> Result<&'static Game, StudyError> {
        catalog::find(&self.game).ok_or_else(|| no_such_game(&self.game))
    }

    /// The path of a bot's parameter that has the name of a faulty change of the rules.
    fn seat_hint(&self, game: &Game, library: &Library) -> String {
        let keys = self.set.iter().filter_map(|set| set.split_once('='));
        let filled = self.filled_seats(game).unwrap_or_default();
        for (number, spec) in (1..).zip(filled.iter().flat_map(SeatSpec::each)) {
            let bots = library.seats(game, &spec).unwrap_or_default();
            let mut params = bots.iter().flat_map(Seat::params);
            let is_set = |param: &str| keys.clone().any(|(key, _)| key.trim() == param);
            if let Some((param, _)) = params.find(|(param, _)| is_set(param)) {
                return format!(": here seats.{number}.{param}");
            }
        }
        String::new()
    }

    /// The table with one entry per seat, as many as players.
    pub fn with_each_seat(&self) -> Result<TableSpec, StudyError> {
        let mut filled = self.clone();
        filled.fill(self.game()?)?;
        filled.seats = filled.seats.iter().flat_map(SeatSpec::each).collect();
        Ok(filled)
    }

    /// Names who fills the free seats, and returns the number of players.
    fn fill(&mut self, game: &Game) -> Result<usize, StudyError> {
        let given: usize = self.seats.iter().map(|seat| seat.copies).sum();
        self.seats = self.filled_seats(game)?;
        let players = self.seats.iter().map(|seat| seat.copies).sum();
        if players > given && given > 0 {
            self.others.get_or_insert_with(Bots::people);
        }
        self.players = self.others.as_ref().map(|_| players);
        Ok(players)
    }

    /// Replaces `best` by the best included bot for the rules and this number of players.
    fn name_best(&mut self, players: usize, library: &Library) -> Result<(), StudyError> {
        if self.seats.iter().any(|seat| seat.name == BEST) {
            let best = self.best(players, library)?;
            for seat in self.seats.iter_mut().filter(|seat| seat.name == BEST) {
                seat.name.clone_from(&best.name);
            }
        }
        Ok(())
    }

    /// This table with all its seats.
    pub fn filled(mut self) -> Result<TableSpec, StudyError> {
        self.fill(self.game()?)?;
        Ok(self)
    }

    /// The given seats, filled up with opponents. Without any, a simple rule and the best bot come
    /// first.
    fn filled_seats(&self, game: &Game) -> Result<Vec<SeatSpec>, StudyError> {
        let mut seats = self.seats.clone();
        let others = self.others.clone().unwrap_or_else(Bots::people).each();
        let given = seats.iter().map(|seat| seat.copies).sum();
        let players = match (self.players, given) {
            (Some(players), _) => players,
            (None, 0) if others.len() == 1 => game.players,
            (None, given) if others.len() > 1 => given + others.len(),
            (None, given) if self.others.is_some() => game.players.max(given),
            (None, given) => given,
        };
        check_seats(game, given, players)?;
        if given == 0 && self.others.is_none() {
            let first = [game.family, Some(BEST)].into_iter().flatten();
            seats.extend(first.take(players).map(SeatSpec::of));
        }
        let free = players - seats.iter().map(|seat| seat.copies).sum::<usize>();
        if others.len() > 1 && (1..others.len()).contains(&free) {
            refuse!("others: {} bots for {free} free seats", others.len());
        }
        seats.extend(others.into_iter().cycle().take(free));
        Ok(seats)
    }

    /// The best included bot for the rules and this number of players.
    pub fn best(&self, players: usize, library: &Library) -> Result<SeatSpec, StudyError> {
        let strongest = SeatSpec::of(self.game()?.strongest);
        Ok(self.learnt(players, library)?.unwrap_or(strongest))
    }

    /// This table with the best bot at seat `me` (from 1), unless a bot is named there.
    pub fn with_best_at(&self, me: usize, library: &Library) -> Result<TableSpec, StudyError> {
        if me <= self.seats.iter().map(|seat| seat.copies).sum() {
            return Ok(self.clone());
        }
        let mut spec = self.clone().filled()?;
        spec.seats = spec.seats.iter().flat_map(SeatSpec::each).collect();
        (spec.others, spec.players) = (None, None);
        let best = spec.best(spec.seats.len(), library)?;
        if let Some(seat) = spec.seats.get_mut(me - 1) {
            *seat = best;
        }
        Ok(spec)
    }

    /// The included trained bot for the number of players nearest to this one, if the rules show
    /// all its features.
    pub fn learnt(
        &self,
        players: usize,
        library: &Library,
    ) -> Result<Option<SeatSpec>, StudyError> {
        let names = library.strategy_names(self.game()?);
        let learnt = names.iter().rev();
        let numbers = learnt.filter_map(|name| name.strip_prefix("solved-")?.parse::<usize>().ok());
        let nearest = numbers.min_by_key(|number| number.abs_diff(players));
        let Some(nearest) = nearest.filter(|_| players > 1) else {
            return Ok(None);
        };
        let trained = SeatSpec::of(&format!("solved-{nearest}"));
        let all = TableSpec {
            players: None,
            seats: vec![trained.clone(); players],
            others: None,
            ..self.clone()
        };
        let sits = !matches!(all.resolve(library), Err(StudyError::Seating(_)));
        Ok(sits.then_some(trained))
    }
}
