//! Attacks by rules and bots: the kernel plays what the referee plays, and no text makes reading
//! panic.

use super::case::{Case, MESSAGE_MAX, Outcome};
use super::reading::demand;
use super::studies::study;
use super::words;
use carat_core::catalog::GAMES;
use carat_core::game::{Record, Seating};
use carat_core::library::Library;
use carat_core::strategy::{Seat, Strategy};
use carat_studies::study::Study;
use fearless_simd::Level;

/// Rules and bots of files: what is sound is played, and by the kernel as by the referee.
pub fn tables(case: &mut Case) -> Outcome {
    let game = words::game(&mut case.dice);
    let dice = &mut case.dice;
    let rules = words::rules(dice, game);
    let bots: Vec<String> = (0..1 + dice.below(2))
        .map(|_| words::bot(dice, game))
        .collect();
    case.write("rules.toml", &rules);
    let mut sound = true;
    for (index, bot) in bots.iter().enumerate() {
        let file = format!("bot{index}.toml");
        case.write(&file, bot);
        sound &= case.carat(&["check", &file, "--game", game.name])?.code == 0;
    }
    let rules_sound = case.carat(&["check", "rules.toml"])?.code == 0;
    let count = 2 + case.dice.below(4);
    let table = format!("--rules rules.toml --players {count} --seat bot0.toml");
    let games = "--games 10 --no-charts --out o";
    let ran = case.line(&format!("simulate {} {table} {games}", game.name))?;
    demand(
        ran.code != 0 || (rules_sound && sound | (bots.len() > 1)),
        "played, though check refuses",
    )?;
    let replayed = case.line(&format!("replay {} --game 3 {table}", game.name))?;
    demand(replayed.code == ran.code, "simulate and replay disagree")?;
    let bots = bots.iter().enumerate().flat_map(|(index, bot)| {
        Strategy::from_toml(&format!("b{index}"), "b", bot, game.vocabulary)
    });
    let seats: Vec<Seat> = bots.flat_map(|bot| Seat::new(bot, &[])).collect();
    let seats = Vec::from_iter(seats.iter().cycle().take(count).cloned());
    let Ok(rules) = game.rules("rules.toml", &rules) else {
        return Ok(());
    };
    let Ok(table) = rules.table(&seats, Seating::EveryOrder) else {
        return Ok(());
    };
    let (seed, first) = (case.dice.next(), case.dice.next() >> 8);
    let mut kernel = Record::new(table.layout(), 20);
    let mut referee = kernel.clone();
    table.play(Level::new(), seed, first, &mut kernel);
    table.guided(seed, first, &mut (), &mut referee);
    let same =
        (0..table.layout().columns()).all(|column| kernel.column(column) == referee.column(column));
    demand(
        same && kernel.counts == referee.counts,
        format!("kernel and referee differ: seed {seed}, game {first}"),
    )
}

/// Texts that the library reads: an answer or an error, and no panic.
pub fn texts(case: &mut Case) -> Outcome {
    for _ in 0..200 {
        case.texts += 1;
        let game = words::game(&mut case.dice);
        let dice = &mut case.dice;
        let mut study = study(dice, game);
        dice.damage(&mut study);
        let texts = [
            words::bot(dice, game),
            words::rules(dice, game),
            toml::to_string(&study).unwrap_or_default(),
        ];
        let text = dice.one(&texts);
        let text = words::damaged(dice, text, 60);
        let nasty = dice.nasty();
        case.write("text.toml", &text);
        for game in GAMES {
            let bot = Strategy::from_toml("any", "any", &text, game.vocabulary).err();
            let rules = game.rules("any", &text).err();
            let shown = [bot.map(|e| e.to_string()), rules.map(|e| e.to_string())];
            let long = shown.iter().flatten().find(|text| text.len() > MESSAGE_MAX);
            demand(long.is_none(), "a message that nobody reads")?;
        }
        if let Ok(study) = Study::from_toml("any", &text) {
            let _ = study
                .resolve(&Library::default())
                .map(|resolved| resolved.warnings.clone())
                .map_err(|e| e.to_string());
        }
        let _ =
            carat_core::overrides::apply("any", &text, &[nasty.clone(), format!("rounds={nasty}")])
                .map_err(|e| e.to_string());
        let _ = carat_core::strategy::SeatSpec::parse(&nasty).map(|spec| spec.to_string());
        let _ = carat_studies::study::parse_count(&nasty);
        let _ = Study::from_json(study).map_err(|error| error.to_string());
    }
    Ok(())
}
