//! The tables of an analysis, and their rows.

use super::words::format_share;
use super::{Analysed, Verdict};
use crate::report::tables::{LABEL, SEAT};
use crate::study::analyse::{Judged, Of, VARIANCE_PARTS, Walk};
use carat_core::columns;
use carat_core::game::moments::Options;
use carat_core::sheet::{Columns, Sheet};
use carat_core::statistics::{Estimate, Unit};
use carat_core::strategy::Seat;
use carat_core::thinking::Worth;

#[derive(Clone, Copy)]
pub struct Row<'a, T> {
    of: &'a Analysed<'a>,
    /// The index of the game; `None` for a mean over games.
    pub game: usize,
    seat: usize,
    pub is: T,
}

/// The number of a decision, its judgement, and the index of an option.
pub type Choice<'a> = (u64, &'a Judged, usize);
/// A kind of decisions; `None` for all.
type Kind<'a> = Option<(&'a str, &'a str)>;
/// A walk and the number of a step; 0 is its start.
type Step<'a> = (&'a Walk, usize);

impl<'a, T> Row<'a, T> {
    fn number(&self) -> u64 {
        self.of.played.games[self.game].number
    }

    fn seat(&self) -> &'a Seat {
        &self.of.played.resolved.played.seats[self.seat]
    }

    fn name_of_seat(&self) -> &'a str {
        &self.of.names[self.seat]
    }
}

impl<'a> Row<'a, Choice<'a>> {
    fn options(&self) -> &'a Options {
        self.of.options(self.game, self.is.1)
    }

    fn worth(&self) -> &'a Worth {
        &self.is.1.options[self.is.2]
    }

    pub fn chosen(&self) -> bool {
        self.is.2 == self.options().chosen
    }

    fn kind(&self) -> String {
        let kinds = self.options().kind.iter();
        let kinds = kinds.map(|(property, value)| format!("{property}: {value}"));
        kinds.collect::<Vec<_>>().join("; ")
    }

    pub fn name(&self) -> &'a str {
        &self.options().names[self.is.2]
    }

    pub fn better(&self) -> &'a str {
        &self.options().names[self.is.1.best]
    }

    pub fn at(&self) -> &'a str {
        self.of.at(self.game, self.is.1)
    }

    /// The place in the game, and which game where there are several.
    fn place(&self) -> String {
        match self.of.played.games.len() {
            1 => self.at().to_string(),
            _ => format!("game {}, {}", self.number(), self.at()),
        }
    }

    pub fn verdict(&self) -> Option<Verdict> {
        let verdict = self.of.verdict(self.game, self.is.1);
        verdict.filter(|_| self.chosen())
    }
}

impl Row<'_, Kind<'_>> {
    fn end(&self, end: usize) -> (f64, Option<Unit>) {
        let unit = if self.of.wins {
            Unit::Share
        } else {
            Unit::Amount
        };
        (self.of.ends(self.seat)[end], Some(unit))
    }

    fn given(&self, part: Of) -> Estimate {
        self.of.in_points(self.of.given(self.seat, part))
    }

    /// The number of its decisions, and their mean loss.
    fn losses(&self) -> (u64, Option<Estimate>) {
        let (decisions, loss) = self.of.losses(self.seat, self.is);
        (decisions, loss.map(|loss| self.of.in_points(loss)))
    }
}

impl Row<'_, &Walk> {
    fn part(&self, sum: i128) -> f64 {
        sum as f64 / self.of.played.unit()
    }
}

impl Row<'_, Step<'_>> {
    /// The moment of a step, its cause, and the value after it.
    fn step(&self) -> (&str, &'static str, Estimate) {
        let (walk, step) = self.is;
        let value = self.of.value(walk, step);
        let Some(step) = step.checked_sub(1).map(|step| &walk.steps[step]) else {
            return ("the start", "start", value);
        };
        let moments = &self.of.played.games[self.game].course.moments;
        let at = moments.get(step.moment);
        let at = at.map_or("the end", |moment| &moment.at);
        (at, step.of.name(), value)
    }
}

impl Analysed<'_> {
    /// The expected result after a step of a walk; 0 is its start.
    pub fn value(&self, walk: &Walk, step: usize) -> Estimate {
        let step = step.checked_sub(1).map(|step| &walk.steps[step]);
        let (sum, se) = step.map_or((walk.start, walk.start_se), |step| (step.to, step.se));
        Estimate::normal(sum as f64 / self.played.unit(), f64::from(se))
    }

    fn row<T>(&self, game: usize, seat: usize, is: T) -> Row<'_, T> {
        Row {
            of: self,
            game,
            seat,
            is,
        }
    }

    pub fn choices(&self) -> Vec<Row<'_, Choice<'_>>> {
        let mut rows = Vec::new();
        for (game, played) in self.played.games.iter().enumerate() {
            for (decision, judged) in (1..).zip(&played.judged) {
                let seat = self.options(game, judged).seat;
                let options = 0..judged.options.len();
                rows.extend(options.map(|option| self.row(game, seat, (decision, judged, option))));
            }
        }
        rows
    }

    fn bots(&self) -> Vec<Row<'_, Kind<'_>>> {
        let seats = self.seats();
        seats.map(|seat| self.row(0, seat, None)).collect()
    }

    pub fn by_kind(&self) -> Vec<Row<'_, Kind<'_>>> {
        let mut rows = Vec::new();
        for seat in self.seats() {
            for (property, values) in self.kinds() {
                let values = values.into_iter();
                rows.extend(values.map(|value| self.row(0, seat, Some((property, value)))));
            }
        }
        rows.retain(|row| self.losses(row.seat, row.is).0 > 0);
        rows
    }

    fn all_walks(&self) -> Vec<Row<'_, &Walk>> {
        let games = self.played.games.iter().enumerate();
        let walks = games.flat_map(|(game, played)| {
            let seats = self.seats();
            seats.map(move |seat| self.row(game, seat, &played.walks[seat]))
        });
        walks.collect()
    }

    fn variance(&self) -> Vec<(&'static str, Estimate)> {
        let Some(shares) = self.played.variance_shares() else {
            return Vec::new();
        };
        let names = ["play", "luck"].into_iter();
        let names = names.chain(VARIANCE_PARTS);
        let whole = [shares.play, shares.luck].into_iter();
        names.zip(whole.chain(shares.parts)).collect()
    }

    fn steps<'a>(&'a self) -> Vec<Row<'a, Step<'a>>> {
        let of_walk = |row: Row<'a, &'a Walk>| {
            let steps = 0..=row.is.steps.len();
            steps.map(move |step| self.row(row.game, row.seat, (row.is, step)))
        };
        self.all_walks().into_iter().flat_map(of_walk).collect()
    }
}

pub fn sheets(of: &Analysed) -> Vec<Sheet> {
    vec![
        Decisions::sheet(&(), of.choices()),
        Bots::sheet(&(), of.bots()),
        Mistakes::sheet(&(), of.by_kind()),
        Luck::sheet(&(), of.all_walks()),
        Course::sheet(&(), of.steps()),
        Variance::sheet(&(), of.variance()),
    ]
}

const BOT: &str = "bot or person at the seat";
const GAME: &str = "number of the game";
const DECISIONS: &str = "judged decisions";
const LOSS: &str = "mean cost of the chosen options; costs do not add up, because a different \
                    choice leads to a different game";

columns! {
    pub Decisions<'a>(of: (), row: Row<'a, Choice<'a>>) "decisions", "one row per option of a decision";
    GAME: whole("game", GAME) => row.number();
    DECISION: whole("decision", "number of the decision in the game, from 1") => row.is.0;
    AT: text("at", "point in the game") => row.at();
    SEAT: numbered("seat", SEAT) => row.seat;
    BOT: text("bot", BOT) => row.seat().called();
    LABEL: maybe("label", LABEL) => row.seat().person.as_ref();
    NAME: label("name", "") => row.name_of_seat();
    KIND: text("kind", "kind of decision") => row.kind();
    OPTION: text("option", "the option") => row.name();
    CHOSEN: truth("chosen", "whether this option was chosen") => row.chosen();
    BEST: truth("best", "whether it is the best option found") => row.is.2 == row.is.1.best;
    WIN_SHARE: estimates("win_share", "win share of the deciding seat after this option")
        => row.worth().win_share;
    SCORE_MEAN: estimates("score_mean", "mean score of the deciding seat after this option")
        => row.worth().score_mean;
    PLAYOUTS: whole("playouts", "playouts behind the estimates; clearly worse options get fewer") => row.worth().playouts;
    LOSS: estimates("loss", "cost of the chosen option: value of the best option minus its own, \
        in the same playouts (in score units for a single player)") => row.chosen().then(|| row.of.in_points(row.is.1.loss));
    PLACE: label("where", "") => row.place();
    BETTER: label("better", "") => row.better();
    VERDICT: maybe("verdict", "doubtful, bad or very bad: the cost is significantly above 0.5, 2 \
        or 5 percentage points") => row.verdict();
}

columns! {
    pub Bots<'a>(of: (), row: Row<'a, Kind<'a>>) "bots", "one row per seat";
    SEAT: numbered("seat", SEAT) => row.seat;
    BOT: text("bot", BOT) => row.seat().called();
    LABEL: maybe("label", LABEL) => row.seat().person.as_ref();
    NAME: label("name", "") => row.name_of_seat();
    DECISIONS: whole("decisions", DECISIONS) => row.losses().0;
    LOSS: estimates("loss_per_decision", LOSS) => row.losses().1;
    ACCURACY: share("accuracy", "1 minus the win share that clearly worse choices cost in a game, at \
        least 0; empty for a single player") => row.of.accuracy(row.seat);
    DOUBTFUL: whole("doubtful", "decisions judged doubtful") => row.of.count(row.seat, Verdict::Doubtful);
    BAD: whole("bad", "decisions judged bad") => row.of.count(row.seat, Verdict::Bad);
    VERY_BAD: whole("very_bad", "decisions judged very bad") => row.of.count(row.seat, Verdict::VeryBad);
    STRONGER: estimates("stronger_gain", "gain from a strong bot in this seat; only if luck is estimated")
        => row.of.in_points(row.of.played.stronger[row.seat]?);
    START: figure("start", "") => row.end(0);
    CARDS: figures("cards", "") => row.given(Of::Cards);
    OTHERS: figures("others", "") => row.given(Of::Others);
    OWN: figures("own play", "") => row.given(Of::Own);
    END: figure("end", "") => row.end(1);
}

columns! {
    pub Mistakes<'a>(of: (), row: Row<'a, Kind<'a>>) "mistakes", "one row per seat and kind of decision";
    SEAT: numbered("seat", SEAT) => row.seat;
    BOT: text("bot", BOT) => row.seat().called();
    LABEL: maybe("label", LABEL) => row.seat().person.as_ref();
    NAME: label("name", "") => row.name_of_seat();
    PROPERTY: maybe("property", "property that groups the decisions") => Some(row.is?.0);
    VALUE: maybe("value", "value of the property") => Some(row.is?.1);
    DECISIONS: whole("decisions", DECISIONS) => row.losses().0;
    LOSS: estimates("loss_per_decision", LOSS) => row.losses().1;
}

columns! {
    pub Luck<'a>(of: (), row: Row<'a, &'a Walk>)
    "luck", "one row per game and seat; the parts add up to the result";
    GAME: whole("game", GAME) => row.number();
    SEAT: numbered("seat", SEAT) => row.seat;
    BOT: text("bot", BOT) => row.seat().called();
    LABEL: maybe("label", LABEL) => row.seat().person.as_ref();
    START: number("start", "expected win share before the game (score for a single player)")
        => row.part(row.is.start);
    CARDS: number("luck_cards", "luck of the draw, 0 on average") => row.part(row.is.sum(Of::Cards));
    OTHERS: number("luck_others", "decisions of opponents, compared with those of their playout \
        bots") => row.part(row.is.sum(Of::Others));
    OWN: number("own_play", "own decisions, compared with those of this seat's playout bot")
        => row.part(row.is.sum(Of::Own));
    RESULT: number("result", "result of the game: the sum of the parts") => row.part(row.is.here());
}

columns! {
    pub Course<'a>(of: (), row: Row<'a, Step<'a>>) "course", "one row per game, seat and step";
    GAME: whole("game", GAME) => row.number();
    SEAT: numbered("seat", SEAT) => row.seat;
    BOT: text("bot", BOT) => row.seat().called();
    LABEL: maybe("label", LABEL) => row.seat().person.as_ref();
    STEP: whole("step", "number of the step, from 0 at the start") => row.is.1 as u64;
    AT: text("at", "point in the game") => row.step().0;
    OF: text("of", "cause of the step: start, cards, others or own play") => row.step().1;
    VALUE: estimates("value", "expected win share after the step (score for a single player)")
        => row.step().2;
}

columns! {
    pub Variance<'a>(of: (), row: (&'static str, Estimate))
    "variance", "one row per source of variance; needs at least ten games of all seats";
    PART: text("part", PARTS) => row.0;
    VARIANCE_SHARE: estimates("variance_share", "share of the variance of the results: the \
        covariance of the part with the result, divided by the variance of the results. Play and \
        luck add up to 1; no share includes the noise of playouts") => row.1;
    SHARE: numeral("share", "") => format_share(row.1);
}

const PARTS: &str = "play or luck, or a part of them. Parts of play: who is in the seat (what each seat \
                     could expect before its game), own play (effect of own decisions), others' play \
                     (effect of the others' decisions). Parts of luck: cards (the draw and the place \
                     at the table), bots' random choices (of bots that are their own playout bots)";
