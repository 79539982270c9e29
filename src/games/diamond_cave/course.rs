//! One game of Diamond Cave, decision by decision, each to be played on from.

use super::moves::Choice;
use super::rules::DiamondCaveRules;
use super::transcript;
use crate::formula::Formula;
use crate::game::moments::{Cause, Course, Moment, Options, Position, What};
use crate::game::story::Telling;
use crate::game::{Places, SCORE, WIN};

/// The course of game `game` of `seed`; `formulas` and `names` are those of the bots by place.
pub fn course(
    rules: &DiamondCaveRules,
    formulas: &[Formula],
    names: &[String],
    places: Places,
    told: (u64, u64, Telling),
) -> Course {
    let mut moments = Vec::new();
    let (end, result) = transcript::tell(
        rules,
        formulas,
        names,
        told,
        Some(&mut |told, position, asked, choices, chosen| {
            let snapshot = position.snapshot(places, asked, choices);
            let at = match told.turn {
                0 => "set-up".to_string(),
                turn => format!("turn {turn}"),
            };
            let mut story = told.story;
            if told.revealed {
                moments.push(Moment {
                    told: std::mem::take(&mut story),
                    at: at.clone(),
                    position: Position::new(snapshot.clone()),
                    what: What::Event(Cause::Chance),
                });
            }
            let option = |choice: &Choice| transcript::choice(position, *choice);
            moments.push(Moment {
                told: story,
                at,
                position: Position::new(snapshot),
                what: What::Decision(Options {
                    seat: places.bot_at(asked.place),
                    names: choices.iter().map(option).collect(),
                    chosen,
                    secret: false,
                    kind: vec![
                        ("question", question(choices).to_string()),
                        ("move", kind(choices[chosen]).to_string()),
                    ],
                }),
            });
        }),
    );
    let of = |outcome: usize| {
        let mut by_bot = vec![0; result.players.len()];
        for (place, played) in result.players.iter().enumerate() {
            by_bot[places.bot_at(place)] = played.outcomes[outcome];
        }
        by_bot
    };
    Course {
        moments,
        end,
        wins: of(WIN),
        scores: of(SCORE),
    }
}

/// What is asked when these can be chosen.
fn question(choices: &[Choice]) -> &'static str {
    match (choices[0], choices[choices.len() - 1]) {
        (Choice::Start { .. }, _) => "where to begin",
        (Choice::Exit { .. }, _) => "which way on",
        (_, Choice::Turn { .. }) => "how to turn a lone card",
        (Choice::Stop, _) => "whether to go on",
        _ => "what to lay or declare",
    }
}

/// What kind of move a choice is.
fn kind(choice: Choice) -> &'static str {
    match choice {
        Choice::Start { .. } => "begins",
        Choice::Plan { .. } => "lays a planned card",
        Choice::Dig { .. } => "digs",
        Choice::Exit { .. } => "chooses a way",
        Choice::Turn { .. } => "turns a lone card",
        Choice::Stop => "ends the turn",
        Choice::GoOn => "goes on",
    }
}
