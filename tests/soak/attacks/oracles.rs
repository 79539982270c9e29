//! Attacks on answers: what is found one way is found another way, too.

use super::case::{Case, Outcome};
use super::dice::Dice;
use super::dying::{same, sharded, undisturbed, with};
use super::inspect::csv;
use super::reading::demand;
use super::words;
use base64::{Engine, engine::general_purpose::STANDARD};
use carat_core::catalog::GAMES;
use carat_core::game::Game;
use flate2::{Compression, read::ZlibDecoder, read::ZlibEncoder};
use std::collections::HashMap;
use std::io::Read;
use std::time::Duration;

type Row = HashMap<String, String>;

/// A table of results, row by row.
fn rows(case: &Case, file: &str) -> Result<Vec<Row>, String> {
    let text = std::fs::read_to_string(case.folder.join(file)).map_err(|_| format!("no {file}"))?;
    let mut rows = csv(&text)?.into_iter();
    let head = rows.next().unwrap_or_default();
    let named = rows.map(|row| head.iter().cloned().zip(row).collect());
    Ok(named.collect())
}

/// What a library says is wrong, in words.
fn said<T, E: ToString>(found: Result<T, E>) -> Result<T, String> {
    found.map_err(|error| error.to_string())
}

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap_or(f64::NAN)
}

/// A figure with the half-width of its interval.
fn figure(row: &Row, name: &str) -> [f64; 2] {
    let end = |end: &str| number(row, &format!("{name}_{end}"));
    [number(row, name), (end("high") - end("low")) / 2.0]
}

/// Two intervals of 95 % hold one value: both are off by less than six standard errors.
fn hold(what: &str, a: [f64; 2], b: [f64; 2]) -> Outcome {
    let near = (a[0] - b[0]).abs() <= 2.2 * (a[1] + b[1]) + 1e-9;
    demand(near, format!("{what}: {a:?}, but {b:?}"))
}

/// Runs a line, and demands success.
fn well(case: &mut Case, line: &str) -> Result<String, String> {
    let ran = case.line(line)?;
    demand(ran.is_well(), format!("it is refused: {line}")).map(|()| ran.stdout)
}

/// The cells of a table as nested lists, or as a chain of `if`.
fn laid(axes: &[(String, Vec<f64>)], cells: &mut dyn Iterator<Item = f64>, ifs: bool) -> String {
    let Some(((of, edges), inner)) = axes.split_first() else {
        return cells.next().unwrap_or_default().to_string();
    };
    let mut parts: Vec<String> = (0..=edges.len()).map(|_| laid(inner, cells, ifs)).collect();
    if !ifs {
        return format!("[{}]", parts.join(", "));
    }
    let last = parts.pop().unwrap_or_default();
    let below = edges.iter().zip(parts).rev();
    below.fold(last, |rest, (edge, part)| {
        format!("(if {of} < {edge} then {part} else {rest})")
    })
}

/// Edges of an axis.
fn edges(dice: &mut Dice) -> Vec<f64> {
    let mut edges: Vec<usize> = (0..1 + dice.below(4)).map(|_| dice.below(25)).collect();
    edges.sort_unstable();
    edges.dedup();
    edges.into_iter().map(|edge| edge as f64).collect()
}

/// A table plays alike packed, compressed, written out, and as a chain of `if`.
fn plays_alike(case: &mut Case, game: &Game, axes: &[(String, Vec<f64>)], bytes: &[u8]) -> Outcome {
    let mut small = Vec::new();
    let mut encoder = ZlibEncoder::new(bytes, Compression::best());
    said(encoder.read_to_end(&mut small))?;
    let cells = || bytes.iter().map(|byte| f64::from(*byte) / 255.0);
    let [packed, zlib] = [bytes, &small].map(|bytes| STANDARD.encode(bytes));
    let of: Vec<&str> = axes.iter().map(|(of, _)| of.as_str()).collect();
    let edges: Vec<&Vec<f64>> = axes.iter().map(|(_, edges)| edges).collect();
    let values = [
        format!("{{ packed = \"{packed}\", scale = [0, 1] }}"),
        format!("{{ zlib = \"{zlib}\", scale = [0, 1] }}"),
        laid(axes, &mut cells(), false),
        String::new(),
    ];
    let formula = match game.name {
        "diamant" => "leave = \"random < TABLE\"\n",
        _ => "score = \"noise + TABLE\"\n",
    };
    let (game, seed) = (game.name, case.dice.next());
    let mut first = None;
    for values in values {
        let (look, table) = if values.is_empty() {
            (laid(axes, &mut cells(), true), String::new())
        } else {
            (
                format!("t[{}]", of.join(", ")),
                format!("[tables.t]\naxes = {edges:?}\nvalues = {values}\n"),
            )
        };
        case.write("bot.toml", formula.replace("TABLE", &look) + &table);
        let games = format!("--games 40 --seed {seed} --no-charts --restart --out o");
        let seats = "--seat 2*bot.toml --players 3";
        well(case, &format!("simulate {game} {seats} {games}"))?;
        let mut files = case.files("o");
        // Of a table that is written out the numbers are parameters, which are listed.
        files.retain(|file, _| file.ends_with(".csv") && file != "seats.csv");
        let seats = rows(case, "o/seats.csv")?.into_iter();
        let seats: Vec<_> = seats.map(|mut row| (row.remove("params"), row).1).collect();
        let played = (files, seats);
        let before = first.get_or_insert_with(|| played.clone());
        demand(
            *before == played,
            format!("a table plays otherwise: {look}"),
        )?;
    }
    Ok(())
}

pub fn packed(case: &mut Case) -> Outcome {
    let game = words::game(&mut case.dice);
    let dice = &mut case.dice;
    let features = game.vocabulary.features;
    let axes = 1 + dice.below(2);
    let axis = |_| {
        let of = features[dice.below(features.len())].name.to_string();
        (of, edges(dice))
    };
    let axes: Vec<(String, Vec<f64>)> = (0..axes).map(axis).collect();
    let count = axes.iter().map(|(_, edges)| edges.len() + 1).product();
    let bytes: Vec<u8> = (0..count).map(|_| dice.below(256) as u8).collect();
    plays_alike(case, game, &axes, &bytes)
}

/// What is learnt gets what is told of it, however its table is written.
pub fn solves(case: &mut Case) -> Outcome {
    let dice = &mut case.dice;
    let against = dice.word("threshold:target=8 depth traps random");
    let of = dice.word("held traps_seen explorers leftover bust_risk*30");
    let (edges, seed) = (edges(dice), dice.below(1000));
    let axes = format!("[{{ name = 't', axes = [{{ of = '{of}', edges = {edges:?} }}] }}]");
    let study = format!("study = 'solve'\ngame = 'diamant'\ngames = 100000\nseed = {seed}\n");
    case.write(
        "s.toml",
        format!("{study}seats = ['{against}']\naxes = {axes}\n"),
    );
    well(case, "run s.toml --no-charts --out s")?;
    let games = "--games 60k --seed 5 --no-charts --out p";
    let seats = format!("--seat s/solved.toml --seat {against}");
    well(case, &format!("simulate diamant {seats} {games}"))?;
    let [claimed, played] = ["s", "p"].map(|out| rows(case, &format!("{out}/seats.csv")));
    let [claimed, played] = [&claimed?[0], &played?[0]].map(|row| figure(row, "win_share"));
    hold("win share of the trained bot", claimed, played)?;
    let text = said(std::fs::read_to_string(case.folder.join("s/solved.toml")))?;
    let bot: toml::Table = said(toml::from_str(&text))?;
    let values = &bot["tables"]["t"]["values"]["zlib"];
    let small = said(STANDARD.decode(values.as_str().unwrap_or_default()))?;
    let mut bytes = Vec::new();
    said(ZlibDecoder::new(&small[..]).read_to_end(&mut bytes))?;
    let axes = [(of.to_string(), edges)];
    plays_alike(case, GAMES[0], &axes, &bytes)
}

/// What tunings vary: the game, a bot with its values, and values of the rules.
const TUNINGS: &[[&str; 4]] = &[
    ["diamant", "threshold", "target=6..20", "rounds=2..5"],
    ["diamant", "depth", "cards=3..9", "traps.snake=1..5"],
    ["diamond_cave", "hoarder", "fear=10..20", "diamonds=8..12"],
    ["diamond_miner", "builder", "horizon=2..9", "goal=1..2"],
];

/// What was found gets what is told of it.
pub fn tunes(case: &mut Case) -> Outcome {
    let dice = &mut case.dice;
    let [game, bot, own, rules] = TUNINGS[dice.below(TUNINGS.len())];
    let metric = dice.pick(&["win_share", "score_mean"]);
    let (aim, seed) = (dice.pick(&["maximize", "minimize"]), dice.below(1000));
    let vary = format!("--vary seats.1.{own} --vary rules.{rules} --{aim} {metric}@1");
    let tail = "--players 3 --no-charts --out";
    let line = format!("tune {game} --seat {bot} {vary} --max-games 30k --seed {seed} {tail} t");
    well(case, &line)?;
    let line = format!("simulate {game} --seat t/best.toml --rules t/best-rules.toml --seed 77");
    well(case, &format!("{line} --games 4k {tail} p"))?;
    let claimed = figure(&rows(case, "t/tables.csv")?[0], "best");
    let played = figure(&rows(case, "p/seats.csv")?[0], metric);
    hold("what was found gets", claimed, played)
}

/// Shards that are killed and played again merge to what one machine finds; damaged ones are refused.
pub fn shards(case: &mut Case) -> Outcome {
    let study = sharded(&mut case.dice);
    let whole = undisturbed(case, &study)?;
    let of = 1 + case.dice.below(4);
    for number in 1..=of {
        let (shard, threads) = (format!("{number}/{of}"), (1 + number % 3).to_string());
        let how = ["--shard", &shard, "--threads", &threads, "--out", "damaged"];
        // A shard has no charts to leave out.
        let args = with(&study[..study.len() - 1], &how);
        if case.dice.chance(40) {
            let wait = whole.mul_f64(case.dice.below(1000) as f64 / 1000.0 / of as f64);
            let run = case.start(&args);
            case.kill(run, wait);
        }
        let ran = case.carat(&args)?;
        demand(ran.is_well(), format!("shard {shard} fails"))?;
    }
    let merge = ["merge", "damaged", "--no-charts", "--out", "o"];
    if case.dice.chance(50) {
        damaged(case, &merge)?;
    }
    let ran = case.carat(&merge)?;
    demand(ran.is_well(), "the shards do not merge")?;
    same(case, "o")
}

/// A shard is damaged and mended: merging refuses it, or nothing was lost.
fn damaged(case: &mut Case, merge: &[&str]) -> Outcome {
    let files = case.files("damaged").into_iter();
    let files: Vec<_> = files.filter(|(name, _)| name.ends_with(".jsonl")).collect();
    let (name, bytes) = &files[case.dice.below(files.len())];
    let mut other = bytes.clone();
    case.dice.damage_bytes(&mut other, 0);
    case.write(&format!("damaged/{name}"), &other);
    let ran = case.carat(merge)?;
    if ran.is_well() {
        same(case, "o")?;
        case.remove("o");
    }
    let status = case.carat(&["merge", "damaged", "--status"])?;
    demand(status.code == ran.code, "merge and its status differ")?;
    case.write(&format!("damaged/{name}"), bytes);
    Ok(())
}

/// A record that is written is read as the same game; `advise` says what `analyse` says of it.
pub fn records(case: &mut Case) -> Outcome {
    let dice = &mut case.dice;
    let diamant = GAMES[0];
    let rules = diamant.editions[dice.below(diamant.editions.len())].name;
    let (players, game) = (2 + dice.below(4), dice.below(1000).to_string());
    let bots = "threshold depth traps random risk";
    let seats = (0..players).map(|_| format!("--seat {}", dice.word(bots)));
    let table = format!("--rules {rules} {}", Vec::from_iter(seats).join(" "));
    let record = well(
        case,
        &format!("replay diamant --record --game {game} {table}"),
    )?;
    case.write("r.txt", &record);
    let how = "--as threshold --playouts 600 --no-charts --out";
    let own = format!("analyse diamant --game {game} {table} {how} a");
    let read = format!("analyse diamant r.txt --rules {rules} --seat {players}*depth {how} b");
    well(case, &own)?;
    well(case, &read)?;
    let [own, read] = ["a", "b"].map(|out| rows(case, &format!("{out}/decisions.csv")));
    let (own, read) = (own?, read?);
    let key = |row: &Row| ["at", "seat", "option", "chosen"].map(|column| row[column].clone());
    let same = own.len() == read.len() && own.iter().zip(&read).all(|(a, b)| key(a) == key(b));
    demand(same, "the record is another game")?;
    for (a, b) in own.iter().zip(&read) {
        let [a, b] = [a, b].map(|row| figure(row, "win_share"));
        hold("worths of a record", a, b)?;
    }
    if read.is_empty() {
        return Ok(());
    }
    let row = &read[case.dice.below(read.len())];
    let me = &row["seat"];
    let table = format!("--rules {rules} --players {players} --me {me} --format json");
    let line = format!("advise diamant {table} --as threshold --playouts 600 --others=threshold");
    let situation = until(&record, &row["at"]);
    let ran = case.carat(
        &line
            .split(' ')
            .chain([situation.as_str()])
            .collect::<Vec<_>>(),
    )?;
    demand(ran.code == 0, "a record's situation is refused")?;
    let advice: serde_json::Value = said(serde_json::from_str(&ran.stdout))?;
    let worth = &advice["advice"][row["option"].as_str()];
    let [value, low, high] =
        ["", "_low", "_high"].map(|end| worth[format!("win_share{end}")].as_f64().unwrap_or(0.0));
    let advised = [value, (high - low) / 2.0];
    hold("advised", advised, figure(row, "win_share"))
}

/// A record up to the card that is told as `expedition 3, card 5`.
fn until(record: &str, at: &str) -> String {
    let digits = at.split(|c: char| !c.is_ascii_digit());
    let at: Vec<usize> = digits.filter_map(|number| number.parse().ok()).collect();
    let (now, mut cards) = (format!("{}: ", at[0]), at[1]);
    let mut text = String::new();
    for line in record.lines().filter(|line| !line.starts_with(['#', 'p'])) {
        let Some(parts) = line.strip_prefix(&now) else {
            text = text + line + "\n";
            continue;
        };
        let parts = parts
            .split(" / ")
            .map_while(|part| match (cards, part.contains("leave")) {
                (0, _) => None,
                (_, true) => Some(part.to_string()),
                (_, false) => {
                    let here = Vec::from_iter(part.split(' ').take(cards));
                    cards -= here.len();
                    Some(here.join(" "))
                }
            });
        return text + &now + &Vec::from_iter(parts).join(" / ");
    }
    text
}

/// The games one by one add up to what is told of all, on any number of threads, killed or not.
pub fn raw(case: &mut Case) -> Outcome {
    use polars_core::prelude::{DataFrame, DataType};
    use polars_io::prelude::{ParquetReader, SerReader};
    let game = words::game(&mut case.dice);
    let most = if game.name == "diamant" { 60_000 } else { 2000 };
    let (games, seed) = (1 + case.dice.below(most), case.dice.next());
    let line = format!("simulate {} --games {games} --seed {seed}", game.name);
    let line = format!("{line} --raw --no-charts --players 3 --out o --threads");
    if case.dice.chance(50) {
        let line = format!("{line} 2");
        let run = case.start(&line.split(' ').collect::<Vec<_>>());
        let wait = case.dice.below(400) as u64;
        case.kill(run, Duration::from_millis(wait));
    }
    well(case, &format!("{line} 1 --resume"))?;
    let one = case.files("o");
    well(case, &format!("{line} 3 --restart"))?;
    demand(case.files("o") == one, "threads change games")?;
    let file = said(std::fs::File::open(case.folder.join("o/games.parquet")))?;
    let raw: DataFrame = said(ParquetReader::new(file).finish())?;
    demand(raw.height() == games, "games are missing")?;
    for (seat, row) in (1..).zip(rows(case, "o/seats.csv")?) {
        for metric in ["win_share", "score_mean"] {
            let column = said(raw.column(&format!("{metric}@{seat}")))?;
            let column = said(column.cast(&DataType::Float64))?;
            let column = said(column.f64())?.into_no_null_iter();
            let mean = column.sum::<f64>() / games as f64;
            hold(metric, [mean, 0.0], [number(&row, metric), 0.0])?;
        }
    }
    Ok(())
}
