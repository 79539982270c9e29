//! Answers about positions: the options, what a bot does, what each option is worth, the next
//! position after one of them, the game as a file, and a finished game looked back on.

use super::advice::{AdviceReport, find_different, worths};
use super::tables::{draw_board, read_width};
use super::{
    Asker, Desk, Fault, Fields, Say, check_empty, fault, fields, file_of, misread, stopped, take,
};
use crate::study::advise::{Adviser, find_notation};
use crate::study::kept_game::{KeptGame, Standing, Taken};
use crate::study::{SeatedTable, TableSpec, run};
use carat_core::game::WIN_UNITS;
use carat_core::game::moments::{Fork, Options};
use carat_core::game::story::StoryStyle;
use carat_core::statistics::best_set_z;
use carat_core::thinking::{Advice, Question};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};

/// Playouts of each option by default.
const PLAYOUTS: u64 = 1000;
/// Playouts of each option after which advice in steps says what they are worth so far; the first
/// are too few to end it.
const STEPS: [u64; 5] = [16, 64, 256, 1000, 4000];

impl Desk {
    pub fn answer_position(
        &mut self,
        ask: &str,
        mut question: Fields,
        mut table: TableSpec,
        asker: Asker,
    ) -> Result<Fields, Fault> {
        let Asker { stop, say } = asker;
        let me = take(&mut question, "me")?.unwrap_or(1);
        let is_open = table.seats.is_empty() && table.others.is_none();
        if ask == "advise" {
            table = table.with_best_at(me, &self.library)?;
        }
        let playouts = take(&mut question, "playouts")?.unwrap_or(PLAYOUTS);
        self.share_populations();
        let at = self.table(&table)?;
        let seated = &self.tables[at].1;
        let (most, cost) = (self.shared.limits.playouts, seated.table.cost());
        self.shared.check("playouts", playouts, most, cost)?;
        if !(1..=seated.seats.len()).contains(&me) {
            let why = format!("the table has seats 1 to {}", seated.seats.len());
            return Err(fault("me", why));
        }
        if let Some(situation) = take::<String>(&mut question, "situation")? {
            if ask != "advise" {
                return Err(fault("ask", "only `advise` takes a situation"));
            }
            check_empty(&question, "with a situation")?;
            let mut answer = fields(json!({ "seat": me }));
            let usual = (is_open || seated.is_usual(me - 1)).then_some(me - 1);
            let adviser = self.adviser(at, usual, playouts, stop);
            answer.extend(advise_situation(&adviser, me - 1, &situation)?);
            return unless_stopped(stop, answer);
        }
        let width = read_width(&mut question)?;
        let choice = take_choice(ask, &mut question)?;
        let steps = take(&mut question, "steps")?.unwrap_or(false);
        if steps && ask != "advise" {
            return Err(fault("steps", "only `advise` answers in steps"));
        }
        let mut kept = kept_game(&mut question, table, me)?;
        check_empty(&question, &format!("with `{ask}`"))?;
        let mut standing = stand(&mut kept, seated)?;
        let option = choice
            .map(|choice| chosen(&choice, &standing))
            .transpose()?;
        if let (Some(option), "play") = (option, ask) {
            kept.take(standing.options().expect("it was chosen"), option);
            standing = stand(&mut kept, seated)?;
        }
        let mut answer = described(&kept, &standing, width);
        match ask {
            "keep" => _ = answer.insert("file".to_string(), json!(file_of(&kept)?)),
            "review" if standing.at.is_some() => {
                return Err(fault("moves", "the game is not over"));
            }
            "review" => answer.extend(self.review(&kept, playouts, stop)?),
            _ => {}
        }
        let Some(fork) = standing.fork() else {
            return Ok(answer);
        };
        let options = fork.1;
        match ask {
            "decide" => _ = answer.insert("choice".to_string(), json!(options.chosen)),
            "features" => _ = answer.insert("features".to_string(), features(seated, options)),
            "advise" => {
                let cost = cost.saturating_mul(options.names.len() as u64);
                self.shared.check("playouts", playouts, most, cost)?;
                let usual = (!steps && (is_open || seated.is_usual(me - 1))).then_some(me - 1);
                let adviser = self.adviser(at, usual, playouts, stop);
                answer.extend(advise(adviser, fork, option, steps.then_some(say)));
            }
            _ => {}
        }
        unless_stopped(stop, answer)
    }

    /// The adviser of the table at this index of the cache; to a seat of `usual` opponents also
    /// against each kind of them.
    fn adviser<'a>(
        &'a self,
        at: usize,
        usual: Option<usize>,
        playouts: u64,
        stop: &'a AtomicBool,
    ) -> Adviser<'a> {
        let seated = &self.tables[at].1;
        let mut adviser = Adviser::new(seated, &self.library, playouts, usual);
        adviser.judge.stop = stop;
        adviser
    }
}

/// The option that is chosen or compared, where the question takes one.
fn take_choice(ask: &str, question: &mut Fields) -> Result<Option<Value>, Fault> {
    let choice: Option<Value> = take(question, "choice")?;
    match (ask, &choice) {
        ("play", None) => Err(fault("choice", "`play` needs `choice`")),
        ("play" | "advise", _) | (_, None) => Ok(choice),
        _ => Err(fault("choice", "only `play` and `advise` take `choice`")),
    }
}

fn kept_game(question: &mut Fields, table: TableSpec, me: usize) -> Result<KeptGame, Fault> {
    let mut moves = Vec::new();
    for text in take::<Vec<String>>(question, "moves")?.unwrap_or_default() {
        let why = || format!("{text:?} is not a move: write \"@SEAT CHOICE/CHOICES words\"");
        moves.push(Taken::read(&text).ok_or_else(|| fault("moves", why()))?);
    }
    let seed = question.remove("seed").filter(|seed| !seed.is_null());
    let seed = seed.map_or(Ok(1), |seed| {
        run::seed(seed).map_err(|error| misread("seed", error))
    })?;
    Ok(KeptGame {
        table,
        seed,
        number: take(question, "number")?.unwrap_or(0),
        me,
        moves,
    })
}

/// The option that a choice gives by number or by name.
fn chosen(choice: &Value, standing: &Standing) -> Result<usize, Fault> {
    let options = standing.options();
    let options = options.ok_or_else(|| fault("moves", "the game is over"))?;
    let option = match choice {
        Value::String(name) => options.names.iter().position(|known| known == name),
        number => number.as_u64().map(|number| number as usize),
    };
    let count = options.names.len();
    let why = || format!("is not a number from 0 to {}", count - 1);
    let option = option.filter(|&option| option < count);
    option.ok_or_else(|| fault("choice", why()))
}

/// The answer, if it is whole.
fn unless_stopped<T>(stop: &AtomicBool, answer: T) -> Result<T, Fault> {
    if stop.load(Ordering::Relaxed) {
        return Err(stopped());
    }
    Ok(answer)
}

fn features(seated: &SeatedTable, options: &Options) -> Value {
    let of_option = |features: &Vec<f32>| -> Value {
        let all = seated.game.vocabulary.features.iter().zip(features);
        all.map(|(feature, value)| (feature.name.to_string(), json!(value)))
            .collect()
    };
    options.features.iter().map(of_option).collect()
}

/// What the options of a decision are worth; with `say` in steps.
fn advise(mut adviser: Adviser, fork: Fork, option: Option<usize>, say: Option<Say>) -> Fields {
    let mut answer = Fields::new();
    let advice = match say {
        Some(say) => {
            answer.insert("done".to_string(), json!(true));
            weigh_in_steps(&mut adviser, fork, option, say)
        }
        None => adviser.weigh(&Question::at(fork)),
    };
    let report = AdviceReport::of_weighed(&adviser, fork, advice);
    answer.extend(report.fields(option.unwrap_or(report.advice.best)));
    answer
}

/// Weighs a decision in more and more playouts until it is clear what the chosen option, or else
/// the best, is worth beside the others; says after each step what they are worth so far.
fn weigh_in_steps(adviser: &mut Adviser, fork: Fork, chosen: Option<usize>, say: Say) -> Advice {
    let most = adviser.judge.playouts;
    let ends = STEPS.into_iter().filter(|end| *end < most).chain([most]);
    let mut ends = Vec::from_iter(ends).into_iter();
    let different = find_different(fork.1);
    let clear = best_set_z(different.len(), ends.len());
    loop {
        let end = ends.next().unwrap_or(most);
        adviser.judge.playouts = end;
        let advice = adviser.weigh(&Question::at(fork));
        let is_worse = |option: usize| {
            let cost = advice.cost(option);
            cost.value > clear * cost.se
        };
        let is_settled = match chosen.filter(|chosen| *chosen != advice.best) {
            Some(chosen) => is_worse(chosen),
            None => (different.iter()).all(|option| *option == advice.best || is_worse(*option)),
        };
        say(fields(json!({
            "done": false, "best": advice.best, "worth": Vec::from_iter(worths(&advice)),
        })));
        let is_stopped = adviser.judge.stop.load(Ordering::Relaxed);
        if (is_settled && end > STEPS[0]) || is_stopped || end == most {
            return advice;
        }
    }
}

fn advise_situation(adviser: &Adviser, me: usize, text: &str) -> Result<Fields, Fault> {
    let (notation, words) =
        find_notation(adviser.table).map_err(|error| fault("situation", error))?;
    let situation = notation.situation(me, text);
    let situation = situation.map_err(|found| fault("situation", found.message))?;
    let mut answer = fields(json!({ "situation": situation.text }));
    if let Some(report) = AdviceReport::of_situation(adviser, me, &situation, words) {
        answer.extend(report.fields(report.advice.best));
        answer.insert("options".to_string(), json!(words.options));
    }
    Ok(answer)
}

fn stand(kept: &mut KeptGame, seated: &SeatedTable) -> Result<Standing, Fault> {
    let standing = kept.stand(seated.table.as_ref(), StoryStyle::for_seat(kept.me - 1));
    standing.map_err(|why| fault("moves", why))
}

/// The fields of every answer about a position: the moves so far, and the options or the result.
fn described(kept: &KeptGame, standing: &Standing, width: Option<f64>) -> Fields {
    let course = &standing.course;
    let moves: Vec<String> = kept.moves.iter().map(Taken::written).collect();
    let mut answer = fields(json!({ "moves": moves, "over": standing.at.is_none() }));
    if let (Some(options), Some(at)) = (standing.options(), standing.at) {
        answer.extend(fields(json!({
            "seat": options.seat + 1,
            "at": course.moments[at].at,
            "situation": options.standing,
            "options": options.names,
            "board": options.board,
        })));
        let svg = draw_board(options, &course.moments[at].at, width);
        answer.extend(svg.map(|svg| ("svg".to_string(), json!(svg))));
    } else {
        let share = |win: &i32| f64::from(*win) / f64::from(WIN_UNITS);
        let wins: Vec<f64> = course.wins.iter().map(share).collect();
        answer.extend(fields(json!({ "wins": wins, "scores": course.scores })));
    }
    let story = course.story_between(0, standing.at);
    answer.insert("story".to_string(), json!(story));
    answer
}
