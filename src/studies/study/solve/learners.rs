//! The learners and their table, for all studies of learning.

use super::session::{BesideLearnt, Session};
use super::{NOTHING, Solve};
use crate::study::error::{StudyError, refuse};
use crate::study::kind::Known;
use crate::study::remark::Remark;
use crate::study::run::Spec;
use crate::study::table::{checked_rules, headline, unprinted};
use carat_core::diagnostic::counted;
use carat_core::format::Format;
use carat_core::game::{Game, Rules, SCORE_MEAN, Seating, Table, WIN_SHARE};
use carat_core::learning::Objective;
use carat_core::library::{ADAPTED, Library, SourceText, Sources};
use carat_core::numbers;
use carat_core::simulation::Stopped;
use carat_core::statistics::Estimate;
use carat_core::strategy::{Mind, Seat, SeatSpec, Strategy};
use carat_core::thinking;

/// Fewest games for a comparison with an adapted population.
const LONG: u64 = 10_000_000;

/// A table with learning seats, with its names resolved.
pub struct LearnersTable {
    pub study: Solve,
    pub game: &'static Game,
    /// The rules file, before the study's changes.
    pub rules: SourceText,
    pub others: Vec<Seat>,
    pub learners: usize,
    /// The bots to compare with the trained one, after [`LearnersTable::seat_standing`].
    pub standing: Vec<Seat>,
    pub warnings: Vec<Remark>,
    pub(super) checked: Box<dyn Rules>,
}

impl Solve {
    /// Resolves the learners and their table; `usual` and `least` are the default and fewest games.
    pub(super) fn learners_table(
        &self,
        game: &'static Game,
        (usual, least): (u64, u64),
        library: &Library,
    ) -> Result<LearnersTable, StudyError> {
        let mut study = self.clone();
        match (study.run.games, study.minutes) {
            (Some(_), Some(_)) => refuse!("games and minutes: give only one of them"),
            (Some(games), _) if games < least => {
                refuse!("games = {games}: write a number of at least {least}");
            }
            (None, Some(minutes)) if !(minutes > 0.0 && minutes < 1e6) => {
                refuse!("minutes = {minutes}: write a number above 0");
            }
            (None, None) => study.run.games = Some(usual),
            _ => {}
        }
        let table = &mut study.table;
        let (rules, checked) = checked_rules(game, table, library)?;
        let bots = table.seats.iter().map(|seat| seat.copies).sum();
        let players = players(game, table.players, bots)?;
        let (mut others, made_for) = (Vec::new(), table.made_for(Some(players)));
        for seat in &table.seats {
            others.extend(library.seats_at(game, seat, &made_for)?);
        }
        if let Some(bot) = others.iter().find(|bot| bot.mind().is_some()) {
            let bot = bot.label();
            refuse!("{bot}: training takes millions of games; name a bot that does not think");
        }
        let learners = players - others.len();
        table.players = Some(players);
        let objective = *study.objective.get_or_insert_default();
        let wins = objective == Objective::WinShare;
        if players == 1 && wins {
            refuse!("players = 1: a lone player always wins; use objective = \"score_mean\"");
        }
        if let Some(until) = study.until {
            if !(until > 0.0 && until < 1.0) {
                refuse!(
                    "until = {until}: write a gain above 0, such as 0.01 for one percentage point"
                );
            }
            if !wins || learners == 1 {
                refuse!("until: only self-play for win_share measures a gain; remove until");
            }
        }
        let warnings = Vec::from_iter(unprinted(&rules, checked.as_ref(), players));
        Ok(LearnersTable {
            study,
            game,
            rules,
            checked,
            others,
            learners,
            warnings,
            standing: Vec::new(),
        })
    }
}

/// The number of players at a table where all beside these bots learn.
fn players(game: &Game, asked: Option<usize>, bots: usize) -> Result<usize, StudyError> {
    let usual = if bots == 0 { game.players } else { bots + 1 };
    let players = asked.unwrap_or(usual);
    game.check_players(players)?;
    if players <= bots {
        let (bots, players) = (counted(bots, "bot"), counted(players, "player"));
        refuse!("{bots} for {players}: no seat is left to train; name fewer bots");
    }
    let learners = players - bots;
    if bots > 0 && learners > 1 {
        refuse!(
            "{learners} seats would train against bots, but only one can: name one bot fewer than \
             there are players, or none"
        );
    }
    Ok(players)
}

impl LearnersTable {
    /// Seats the bots to compare with the trained one: the included trained bot, people, an adapted
    /// population and the game's own bots, if they can play at the table.
    pub(super) fn seat_standing(&mut self, library: &Library) -> Result<(), StudyError> {
        let (game, players, table) = (self.game, self.players(), &self.study.table);
        let known = library.strategy_names(game);
        let mut standing = Vec::new();
        for name in [&format!("solved-{players}"), "people"] {
            if known.iter().any(|known| known == name) && !game.field.contains(&name) {
                // Skips a mix of the user's own bots that does not fit.
                standing.extend(library.seats(game, &SeatSpec::of(name)).unwrap_or_default());
            }
        }
        let is_long = self.study.run.games.is_none_or(|games| games >= LONG);
        if self.checked.school().is_some() && game.family.is_some() && players > 1 && is_long {
            let made_for = table.made_for(Some(players));
            let adapted = library.seats_at(game, &SeatSpec::of(ADAPTED), &made_for);
            // Manifests of older versions have none.
            if adapted.is_ok() || !library.closed {
                standing.extend(adapted?);
            }
        }
        for name in game.field {
            standing.extend(library.seats(game, &SeatSpec::of(name))?);
        }
        standing.retain(|bot| {
            let alone = vec![bot.clone(); players];
            self.checked.table(&alone, Seating::default()).is_ok()
        });
        self.standing = standing;
        Ok(())
    }

    /// The file of a learnt bot with its `made_for`; the unchanged file of the starting bot if that
    /// is kept.
    pub fn bot_file(&self, text: &str) -> String {
        if text.lines().any(|line| line.starts_with("made_for")) {
            return text.to_string();
        }
        let (head, made_for) = (
            Format::line(),
            self.study.table.made_by("carat solve").line(),
        );
        let text = text.strip_prefix(&head).unwrap_or(text);
        format!("{head}{made_for}\n{text}")
    }

    pub fn objective(&self) -> Objective {
        self.study.objective.unwrap_or_default()
    }

    pub(super) fn wins(&self) -> bool {
        self.objective() == Objective::WinShare
    }

    /// The name of the bot that learning starts from: the requested one, else the included trained
    /// one in self-play for wins.
    pub(super) fn start(&self, asked: Option<&str>, library: &Library) -> Option<String> {
        let own = format!("solved-{}", self.players());
        match asked {
            Some(NOTHING) => None,
            Some(name) => Some(name.to_string()),
            None if self.learners == 1 || !self.wins() => None,
            None => (library.strategy_names(self.game).contains(&own)).then_some(own),
        }
    }

    pub fn metric(&self) -> &'static str {
        if self.wins() { WIN_SHARE } else { SCORE_MEAN }
    }

    pub fn players(&self) -> usize {
        self.learners + self.others.len()
    }

    pub fn fair(&self) -> f64 {
        1.0 / self.players() as f64
    }

    /// The description of a bot trained in this number of games, up to its last words.
    pub(super) fn trained(&self, games: u64, last: &str) -> String {
        let against = match self.others.as_slice() {
            [] => "itself".to_string(),
            others => Vec::from_iter(others.iter().map(Seat::label)).join(", "),
        };
        let (games, headline) = (numbers::games(games), self.headline());
        format!("Trained against {against} in {games}: {headline}{last}.")
    }

    /// The copies of a bot at all other seats, in words.
    pub fn copies(&self) -> String {
        match self.players() {
            2 => "a copy".to_string(),
            players => format!("{} copies", players - 1),
        }
    }

    pub fn headline(&self) -> String {
        let Spec { head, table, .. } = &self.study.spec;
        head.over(headline(self.game, table, vec![self.players()]))
    }

    /// The study as played, with this number of games.
    pub(super) fn learnt_from(&mut self, games: u64) {
        self.study.run.games = Some(games);
        self.study.minutes = None;
        self.study.until = None;
    }

    /// What is known of a training that plays `more` bots.
    pub(super) fn known(&self, more: &[Seat]) -> Known<Solve> {
        let mut sources = Sources::default();
        for bots in [&self.others, more, &self.standing] {
            sources.add(&self.rules, bots);
        }
        Known::of(&self.study, self.game, sources, self.warnings.clone())
    }

    /// The learnt bot with this file, seated at the table.
    pub(super) fn read(&self, name: &str, text: &str) -> Seat {
        let strategy = Strategy::from_toml(name, name, text, self.game.vocabulary);
        let strategy = strategy.unwrap_or_else(|fault| unreachable!("a learnt bot: {fault}"));
        Seat::new(strategy, &[]).expect("parameters of its own")
    }

    pub(super) fn seated(&self, seats: &[Seat]) -> Box<dyn Table> {
        let table = thinking::table(self.checked.as_ref(), seats, Seating::default());
        table.unwrap_or_else(|error| unreachable!("bots that were seated before: {error}"))
    }

    pub(super) fn own_table(&self, bot: &Seat) -> Box<dyn Table> {
        let mut seats = vec![bot.clone(); self.learners];
        seats.extend(self.others.iter().cloned());
        self.seated(&seats)
    }

    /// The result of the first seat of a table.
    pub(super) fn gets(
        &self,
        session: &mut Session,
        name: &str,
        table: &dyn Table,
        games: (u64, u64),
    ) -> Result<Estimate, Stopped> {
        let tally = session.play(name, table, games)?;
        Ok(tally.seat(table.layout(), self.metric(), 0))
    }

    /// The result of `one` beside copies of the other.
    pub(super) fn measure(
        &self,
        session: &mut Session,
        name: &str,
        one: &Seat,
        others: &Seat,
        games: (u64, u64),
    ) -> Result<Estimate, Stopped> {
        let mut seats = vec![others.clone(); self.players()];
        seats[0] = one.clone();
        self.gets(session, name, self.seated(&seats).as_ref(), games)
    }

    /// The bot that tries each option in this many playouts before it decides, and its result beside
    /// copies of the bot itself.
    pub(super) fn thinker(
        &self,
        session: &mut Session,
        name: &str,
        bot: &Seat,
        playouts: u64,
        games: u64,
    ) -> Result<(Seat, Estimate), Stopped> {
        let mind = Mind {
            playouts,
            ..Mind::ATTACK
        };
        let seat = Seat::new(Strategy::clone(&bot.strategy).that_thinks(), &mind.params());
        let seat = seat.expect("parameters of thinking");
        let share = self.measure(session, name, &seat, bot, (0, games))?;
        Ok((seat, share))
    }

    /// The results of the game's own bots beside the learnt one.
    pub(super) fn standings(
        &self,
        session: &mut Session,
        learnt: &Seat,
        games: u64,
    ) -> Result<Vec<BesideLearnt>, Stopped> {
        session.status = "playing other bots".to_string();
        let mut standings = Vec::new();
        for bot in &self.standing {
            let (label, games) = (bot.label(), (0, games));
            let [name, other] =
                ["beside learnt", "learnt beside"].map(|of| format!("{of} {label}"));
            standings.push(BesideLearnt {
                bot: bot.clone(),
                beside_learnt: self.measure(session, &name, bot, learnt, games)?,
                learnt_beside: self.measure(session, &other, learnt, bot, games)?,
            });
        }
        Ok(standings)
    }
}
