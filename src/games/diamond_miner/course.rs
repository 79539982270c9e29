//! One game of Diamond Miner, decision by decision, each to be played on from.

use super::referee::Move;
use super::rules::MinerRules;
use super::transcript;
use crate::formula::Formula;
use crate::game::moments::{Cause, Course, Moment, Options, Position, What};
use crate::game::story::Telling;
use crate::game::{Places, WIN_UNITS};

/// The course of game `game` of `seed`; `formulas` and `names` are those of the bots by place.
pub fn course(
    rules: &MinerRules,
    formulas: &[Formula],
    names: &[String],
    places: Places,
    told: (u64, u64, Telling),
) -> Course {
    let mut moments = Vec::new();
    let (end, ending) = transcript::tell(
        rules,
        formulas,
        names,
        told,
        Some(&mut |told, view, moves, chosen, luck| {
            let snapshot = view.snapshot(places, moves, luck);
            let at = format!("round {}, move {}", view.round, view.made + 1);
            let mut story = told.story;
            if told.drawn {
                moments.push(Moment {
                    told: std::mem::take(&mut story),
                    at: at.clone(),
                    position: Position::new(snapshot.clone()),
                    what: What::Event(Cause::Chance),
                });
            }
            let option = |number| transcript::choice(view, names, moves, number);
            let kind = match chosen.checked_sub(1).map(|number| &moves[number]) {
                None => "ends the turn",
                Some(chosen) => kind(chosen, view.seat),
            };
            moments.push(Moment {
                told: story,
                at,
                position: Position::new(snapshot),
                what: What::Decision(Options {
                    seat: places.bot_at(view.seat),
                    names: (0..=moves.len()).map(option).collect(),
                    chosen,
                    secret: false,
                    kind: vec![
                        ("move", kind.to_string()),
                        ("diamonds", view.table.diamonds(view.seat).to_string()),
                    ],
                }),
            });
        }),
    );
    let best = ending.diamonds.iter().max().copied().unwrap_or(0);
    let winners = ending.diamonds.iter().filter(|own| **own == best).count() as i32;
    let mut wins = vec![0; names.len()];
    let mut scores = vec![0; names.len()];
    for (place, &diamonds) in ending.diamonds.iter().enumerate() {
        let bot = places.bot_at(place);
        scores[bot] = diamonds as i32;
        wins[bot] = if diamonds == best {
            WIN_UNITS / winners
        } else {
            0
        };
    }
    Course {
        moments,
        end,
        wins,
        scores,
    }
}

/// What kind of move the miner at `place` makes.
fn kind(chosen: &Move, place: usize) -> &'static str {
    match (chosen.owner == place, chosen.gives.is_some()) {
        (true, true) => "makes something",
        (true, false) => "puts a card under an own stack",
        (false, true) => "steals",
        (false, false) => "puts a card under another's stack",
    }
}
