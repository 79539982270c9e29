//! The sheets of games that were taken apart.

use super::{Analysed, Losses, Verdict};
use crate::sheet::Sheet;
use crate::statistics::Estimate;
use crate::study::analyse::Of;

/// A row of `decisions`: an option.
#[derive(Default)]
struct Row {
    game: u64,
    decision: u64,
    at: String,
    seat: usize,
    bot: String,
    kind: String,
    option: String,
    chosen: bool,
    best: bool,
    win_share: Option<Estimate>,
    score_mean: Option<Estimate>,
    playouts: u64,
    loss: Option<Estimate>,
    verdict: Option<Verdict>,
}

/// A row of `bots` or `mistakes`.
struct Profile {
    seat: usize,
    bot: String,
    kind: (String, String),
    losses: Losses,
    verdicts: [u64; 3],
}

/// A row of `luck`.
struct Part {
    game: u64,
    seat: usize,
    bot: String,
    values: [f64; 6],
}

/// A row of `course`.
struct Stand {
    game: u64,
    step: u64,
    at: String,
    seat: usize,
    bot: String,
    of: &'static str,
    value: f64,
}

/// The sheets of an analysis, without rows.
pub fn empty_sheets() -> Vec<Sheet> {
    vec![
        decisions(&[]),
        bots(&[]),
        mistakes(&[]),
        luck(&[]),
        course(&[]),
    ]
}

impl Analysed<'_> {
    /// All sheets.
    pub fn sheets(&self) -> Vec<Sheet> {
        vec![
            decisions(&self.rows()),
            bots(&self.bots()),
            mistakes(&self.mistakes()),
            luck(&self.parts()),
            course(&self.stands()),
        ]
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (index, game) in self.played.games.iter().enumerate() {
            for (decision, judged) in (1..).zip(&game.judged) {
                let options = self.options(index, judged);
                let kinds = options.kind.iter();
                let kinds = kinds.map(|(property, value)| format!("{property}: {value}"));
                let kind = kinds.collect::<Vec<_>>().join("; ");
                for (option, worth) in judged.options.iter().enumerate() {
                    let chosen = option == options.chosen;
                    rows.push(Row {
                        game: game.number,
                        decision,
                        at: self.at(index, judged).to_string(),
                        seat: options.seat,
                        bot: self.label(options.seat),
                        kind: kind.clone(),
                        option: options.names[option].clone(),
                        chosen,
                        best: option == judged.best,
                        win_share: Some(worth.win_share),
                        score_mean: Some(worth.score_mean),
                        playouts: worth.playouts,
                        loss: chosen.then_some(judged.loss),
                        verdict: self.verdict(index, judged).filter(|_| chosen),
                    });
                }
            }
        }
        rows
    }

    fn bots(&self) -> Vec<Profile> {
        let seats = 0..self.names.len();
        seats.map(|seat| self.profile_of(seat, None)).collect()
    }

    fn mistakes(&self) -> Vec<Profile> {
        let mut profiles = Vec::new();
        for seat in 0..self.names.len() {
            for (property, values) in self.kinds() {
                let of = |value| self.profile_of(seat, Some((property, value)));
                profiles.extend(values.into_iter().map(of));
            }
        }
        profiles.retain(|profile| profile.losses.decisions > 0);
        profiles
    }

    fn profile_of(&self, seat: usize, kind: Option<(&str, &str)>) -> Profile {
        let (property, value) = kind.unwrap_or_default();
        Profile {
            seat,
            bot: self.label(seat),
            kind: (property.to_string(), value.to_string()),
            losses: self.losses(seat, kind),
            verdicts: self.verdicts(seat),
        }
    }

    fn parts(&self) -> Vec<Part> {
        let unit = self.played.unit();
        let mut parts = Vec::new();
        for game in &self.played.games {
            for (seat, walk) in game.walks.iter().enumerate() {
                let parts_of = [Of::Cards, Of::Others, Of::Chance, Of::Skill];
                let [cards, others, chance, skill] = parts_of.map(|of| walk.sum(of));
                let values = [walk.start, cards, others, chance, skill, walk.here()];
                parts.push(Part {
                    game: game.number,
                    seat,
                    bot: self.label(seat),
                    values: values.map(|value| value as f64 / unit),
                });
            }
        }
        parts
    }

    fn stands(&self) -> Vec<Stand> {
        let unit = self.played.unit();
        let mut stands = Vec::new();
        for game in &self.played.games {
            for (seat, walk) in game.walks.iter().enumerate() {
                let mut stand = |step: usize, at: &str, of, value: i128| {
                    stands.push(Stand {
                        game: game.number,
                        step: step as u64,
                        at: at.to_string(),
                        seat,
                        bot: self.label(seat),
                        of,
                        value: value as f64 / unit,
                    });
                };
                stand(0, "the start", "start", walk.start);
                for (number, step) in (1..).zip(&walk.steps) {
                    let moment = game.course.moments.get(step.moment);
                    let at = moment.map_or("the end", |moment| &moment.at);
                    let of = match step.of {
                        Of::Cards => "cards",
                        Of::Others => "others",
                        Of::Chance => "chance",
                        Of::Skill => "own decision",
                    };
                    stand(number, at, of, step.to);
                }
            }
        }
        stands
    }

    fn label(&self, seat: usize) -> String {
        self.played.resolved.played.seats[seat].label()
    }
}

const BEYOND: &str = "clearly, beyond its interval";

fn decisions(rows: &[Row]) -> Sheet {
    let mut sheet = Sheet::new("decisions", "one row per option of a decision");
    sheet.whole(
        "game",
        "number of the game",
        rows.iter().map(|row| row.game),
    );
    let numbers = rows.iter().map(|row| row.decision);
    sheet.whole(
        "decision",
        "number of the decision in the game, from 1",
        numbers,
    );
    sheet.text(
        "at",
        "where in the game",
        rows.iter().map(|row| row.at.clone()),
    );
    seats(&mut sheet, rows.iter().map(|row| (row.seat, &row.bot)));
    sheet.text(
        "kind",
        "what kind of decision it is",
        rows.iter().map(|row| row.kind.clone()),
    );
    sheet.text(
        "option",
        "what could be done",
        rows.iter().map(|row| row.option.clone()),
    );
    sheet.truth(
        "chosen",
        "whether it was done",
        rows.iter().map(|row| row.chosen),
    );
    let best = rows.iter().map(|row| row.best);
    sheet.truth(
        "best",
        "whether a race of the options found it the best",
        best,
    );
    let all = |of: fn(&Row) -> Option<Estimate>| -> Vec<_> { rows.iter().map(of).collect() };
    let meaning = "share of the wins of the seat that decides, when it is done and all go on";
    sheet.estimates("win_share", meaning, &all(|row| row.win_share));
    sheet.estimates(
        "score_mean",
        "mean score of that seat, likewise",
        &all(|row| row.score_mean),
    );
    let playouts = rows.iter().map(|row| row.playouts);
    let meaning = "playouts that tell it: of the chosen and the best option fresh ones, of the \
                   others those of the race";
    sheet.whole("playouts", meaning, playouts);
    let meaning = "of the chosen option, what it costs against the best in the same playouts; score \
                   where one plays alone";
    sheet.estimates("loss", meaning, &all(|row| row.loss));
    let verdicts = rows
        .iter()
        .map(|row| row.verdict.map(|verdict| verdict.name().to_string()));
    let meaning = format!(
        "doubtful, bad or very bad: it costs {BEYOND}, more than 0.5, 2 or 5 percentage points"
    );
    sheet.text("verdict", meaning, verdicts);
    sheet
}

fn bots(rows: &[Profile]) -> Sheet {
    let mut sheet = Sheet::new("bots", "one row per seat");
    seats(&mut sheet, rows.iter().map(|row| (row.seat, &row.bot)));
    losses(&mut sheet, rows);
    for verdict in [Verdict::Doubtful, Verdict::Bad, Verdict::VeryBad] {
        let counts = rows.iter().map(|row| row.verdicts[verdict as usize]);
        let meaning = format!("decisions that are {} and no worse", verdict.name());
        sheet.whole(verdict.name().replace(' ', "_"), meaning, counts);
    }
    sheet
}

fn mistakes(rows: &[Profile]) -> Sheet {
    let mut sheet = Sheet::new("mistakes", "one row per seat and kind of decision");
    seats(&mut sheet, rows.iter().map(|row| (row.seat, &row.bot)));
    let properties = rows.iter().map(|row| row.kind.0.clone());
    sheet.text("property", "by what decisions are told apart", properties);
    sheet.text(
        "value",
        "what it is here",
        rows.iter().map(|row| row.kind.1.clone()),
    );
    losses(&mut sheet, rows);
    sheet
}

fn losses(sheet: &mut Sheet, rows: &[Profile]) {
    let decisions = rows.iter().map(|row| row.losses.decisions);
    sheet.whole("decisions", "decisions that were judged", decisions);
    let each: Vec<_> = rows.iter().map(|row| row.losses.a_decision()).collect();
    sheet.estimates(
        "loss_per_decision",
        "mean loss against the best option",
        &each,
    );
    let each: Vec<_> = rows.iter().map(|row| Some(row.losses.a_game())).collect();
    sheet.estimates("loss_per_game", "sum of these losses in a game", &each);
}

fn luck(rows: &[Part]) -> Sheet {
    let mut sheet = Sheet::new(
        "luck",
        "one row per game and seat; the parts add up to the result",
    );
    sheet.whole(
        "game",
        "number of the game",
        rows.iter().map(|row| row.game),
    );
    seats(&mut sheet, rows.iter().map(|row| (row.seat, &row.bot)));
    for (part, (name, meaning)) in [
        (
            "start",
            "win share, or score of one who plays alone, that could be hoped for at first",
        ),
        ("luck_cards", "what cards gave or took: it evens out"),
        (
            "luck_others",
            "what others gave or took by deciding otherwise than was foreseen",
        ),
        (
            "chances",
            "what the best options of own decisions offered above what the bot was foreseen to do",
        ),
        (
            "skill",
            "what the chosen options were worth less the best ones",
        ),
        ("result", "what the game gave: the sum of the parts before"),
    ]
    .into_iter()
    .enumerate()
    {
        sheet.number(name, meaning, rows.iter().map(|row| row.values[part]));
    }
    sheet
}

fn course(rows: &[Stand]) -> Sheet {
    let mut sheet = Sheet::new("course", "one row per game, seat and step");
    sheet.whole(
        "game",
        "number of the game",
        rows.iter().map(|row| row.game),
    );
    seats(&mut sheet, rows.iter().map(|row| (row.seat, &row.bot)));
    sheet.whole(
        "step",
        "number of the step, from 0 at the start",
        rows.iter().map(|row| row.step),
    );
    sheet.text(
        "at",
        "where in the game",
        rows.iter().map(|row| row.at.clone()),
    );
    let of = rows.iter().map(|row| row.of.to_string());
    sheet.text(
        "of",
        "what the step is given to: cards, others, a chance (the best option) or an own decision",
        of,
    );
    let meaning = "win share, or score of one who plays alone, that can be hoped for after it";
    sheet.number("value", meaning, rows.iter().map(|row| row.value));
    sheet
}

fn seats<'r>(sheet: &mut Sheet, rows: impl Iterator<Item = (usize, &'r String)> + Clone) {
    let numbers = rows.clone().map(|(seat, _)| seat as u64 + 1);
    sheet.whole("seat", "number of the seat, from 1", numbers);
    sheet.text("strategy", "the bot", rows.map(|(_, bot)| bot.clone()));
}
