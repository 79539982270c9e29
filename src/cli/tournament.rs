//! `carat tournament`: a field of bots that all meet each other.

use super::error::CliError;
use super::parts::Parts;
use super::play::{self, OutputArgs};
use super::simulate::GamesArgs;
use super::summary::plain_table;
use crate::charts::numbers;
use crate::game::Table;
use crate::results::{self, Manifest, Output, pictures};
use crate::statistics::Estimate;
use crate::strategy::Seat;
use crate::study::library::Library;
use crate::study::{ResolvedTournament, Simulate, Study, Tournament};
use crate::tournament::{self, Field, MetaGame, Played};

/// Let bots meet each other in all line-ups, and report who earns most and what would last
///
/// All line-ups are played, bots beside their own copies too, or a random sample where there are
/// very many. The rating of a bot is its share of the wins when every other seat is drawn from the
/// whole field. The equilibrium mix is the one that no bot does better against than it does itself.
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as diamant
    #[arg(value_name = "GAME")]
    game: String,
    /// The bots, `BOT[:param=value,…]` each [default: all that `carat list` shows]
    #[arg(long, value_name = "BOT", num_args = 1..)]
    bots: Vec<String>,
    /// Number of players at a table [default: the game's own]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    players: Option<i64>,
    /// Most line-ups; where there are more, a random sample is played [default: 2000]
    #[arg(long, value_name = "N")]
    line_ups: Option<usize>,
    /// An edition (see `carat list`) or a rules file
    #[arg(long, value_name = "NAME or FILE")]
    rules: Option<String>,
    /// Change a value of the rules, such as traps.snake=4; repeat for more
    #[arg(long = "set", value_name = "PATH=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Plays what the arguments say.
pub fn run(args: &Args) -> Result<(), CliError> {
    let table = Simulate {
        rules: args.rules.clone(),
        set: args.set.clone(),
        players: super::simulate::players(args.players)?,
        ..Simulate::of(&args.game)
    };
    let study = Tournament {
        study: Default::default(),
        table: args.games.of(table),
        bots: (!args.bots.is_empty()).then(|| args.bots.clone()),
        line_ups: args.line_ups,
    };
    let name = format!("{}-tournament", args.game);
    play(&study, &Library::here(), &name, &args.output)
}

/// Plays a tournament; `name` is its default folder below `reports/out`.
pub fn play(
    study: &Tournament,
    library: &Library,
    name: &str,
    args: &OutputArgs,
) -> Result<(), CliError> {
    let resolved = study.resolve(library)?;
    args.warn(&resolved.warnings);
    let mut output = Output::open(&args.target(name))?;
    play::stop_on_ctrl_c(&output);

    let manifest = Manifest::new(
        Study::Tournament(resolved.study.clone()),
        vec![resolved.rules.clone()],
        resolved.strategies.clone(),
        args.level()?.1,
    );
    let tables: Vec<&dyn Table> = resolved.tables.iter().map(|table| table.as_ref()).collect();
    let chunk = resolved.facts.chunk;
    let field = Field {
        line_ups: &resolved.line_ups,
        tables: &tables,
        goal: resolved.goal,
        part: chunk,
    };
    let parts = Parts::open(&output, &manifest, resolved.study.table.seed, chunk, args)?;
    let (played, journal) = parts.play(|part| tournament::play(&field, part))?;

    let names: Vec<String> = resolved.bots.iter().map(Seat::label).collect();
    let kept = (0..names.len()).filter(|&bot| played.in_best_set[bot]);
    let ratings: Vec<Estimate> = kept.map(|bot| played.payoffs.rating(bot)).collect();
    args.warn(&Vec::from_iter(resolved.goal.missed(ratings.iter())));
    let meta_game = MetaGame::of(&played.payoffs);
    let frames = vec![
        ("ratings", results::ratings(&names, &played, &meta_game)?),
        ("payoffs", results::payoffs(&names, &played.payoffs)?),
        ("matrix", results::matrix(&names, &played.payoffs)?),
    ];
    play::write_frames(&mut output, frames, args)?;
    let headline = headline(&resolved, &played);
    if !args.no_charts {
        for (name, chart) in pictures::tournament(&headline, &names, &played.payoffs, &meta_game) {
            play::draw(&mut output, name, chart.as_ref(), args.svg)?;
        }
    }
    let files = output.publish(manifest)?;
    journal.remove();
    if args.quiet {
        return Ok(());
    }
    let text = report(&headline, &names, &resolved, &played, &meta_game);
    play::tell(&text, &files)
}

/// What was played: title, game, rules, players, line-ups and games.
fn headline(resolved: &ResolvedTournament, played: &Played) -> String {
    let table = &resolved.study.table;
    let line_ups = &resolved.line_ups;
    let mut parts: Vec<String> = table.title.clone().into_iter().collect();
    parts.push(resolved.facts.title.to_string());
    let changed = match table.set.as_slice() {
        [] => String::new(),
        sets => format!(" with {}", sets.join(", ")),
    };
    parts.push(format!("{}{changed}", resolved.rules.name));
    parts.push(format!("{} players", line_ups.players));
    parts.push(match line_ups.complete {
        true => format!("all {} line-ups", numbers::count(line_ups.len() as u64)),
        false => format!(
            "a sample of {} line-ups",
            numbers::count(line_ups.len() as u64)
        ),
    });
    let games = played.payoffs.games(0..line_ups.entries.len());
    parts.push(format!("{} games", numbers::count(games)));
    parts.join(" · ")
}

/// The bots from the best to the worst, and what lasts.
fn report(
    headline: &str,
    names: &[String],
    resolved: &ResolvedTournament,
    played: &Played,
    meta_game: &MetaGame,
) -> String {
    let standings = &meta_game.standings;
    let mut ranked: Vec<usize> = (0..names.len()).collect();
    let rating = |bot: usize| standings[bot].rating.value;
    ranked.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
    let rows = ranked.iter().map(|&bot| {
        let standing = &standings[bot];
        let within = |of: &Estimate| numbers::percent_within(of.value, of.half_width());
        vec![
            names[bot].clone(),
            within(&standing.rating),
            match (bot == ranked[0], played.in_best_set[bot]) {
                (true, _) => "best".to_string(),
                (_, true) => "as good".to_string(),
                _ => String::new(),
            },
            match standing.mix {
                0.0 => String::new(),
                mix => numbers::percent(mix, 1),
            },
            within(&standing.regret),
            results::dominator_text(names, standing),
        ]
    });
    let header = ["bot", "rating", "", "mix", "regret", "dominated by"];
    let players = resolved.line_ups.players;
    let game = match resolved.line_ups.complete {
        true => format!(
            "The game that is solved: {players} players each pick a bot; all others' are drawn from the mix."
        ),
        false => format!(
            "The game that is solved: one bot against {} copies of one bot that is drawn from the mix.",
            players - 1
        ),
    };
    let alone = (0..names.len()).filter(|&bot| standings[bot].lasts_alone);
    let alone: Vec<&str> = alone.map(|bot| names[bot].as_str()).collect();
    let alone = match alone.is_empty() {
        true => String::new(),
        false => format!(
            "\nWhere all play the same bot, nobody gains by another: {}.",
            alone.join(", ")
        ),
    };
    let worst = standings
        .iter()
        .map(|bot| -bot.regret.low)
        .fold(0.0, f64::max);
    format!(
        "{headline}\n\n{}\n\n\
         Rating: share of the wins when every other seat is drawn from all bots alike; the fair\n\
         share is {}. With 95 % probability the true best is among those marked.\n\
         Mix: what nobody does better against than by playing it too. Regret: how much less a bot\n\
         earns among the mix than the mix does.\n\
         {game}\n\
         By the measured payoffs the best reply to the mix earns {} more than the mix; their\n\
         intervals allow up to {}.{alone}\n\n",
        plain_table(&header, rows.collect()),
        numbers::percent(1.0 / players as f64, 1),
        numbers::percent(meta_game.exploitability, 4),
        numbers::percent(worst, 2),
    )
}
