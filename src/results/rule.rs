//! The report of a rule for the table: the rule in words, the price of simplicity, and the results
//! of several players with the same rule.

use super::pictures::{alone, of_shares, rows};
use super::report::{Contents, NamedChart};
use super::text::View;
use crate::study::rule::{Friends, Played, Price, Principle};
use carat_core::diagnostic::counted;
use carat_core::figure::Figure;
use carat_core::formula::Kind;
use carat_core::sheet::{Rows, Sheet};

/// The instruction above a rule that scores moves.
const SCORES: &str = "Give each move the points below, and make the move with the most:";

pub fn content(played: &Played) -> Contents {
    let resolved = &played.resolved;
    let table = &resolved.table;
    let company = &resolved.companies[0].0;
    let rule = played.rule();
    let made_for = resolved.study.table.made_for(Some(table.players));
    let headline = format!("{} · {made_for} · against {company}", table.game.title);
    let fitted = rule.rule.as_ref();
    let mut words = fitted.map_or(Vec::new(), |fitted| played.words(fitted));
    if table.game.vocabulary.answer == Kind::Number {
        for (at, words) in words.iter_mut().enumerate() {
            *words = format!("{}. {words}", at + 1);
        }
        words.insert(0, SCORES.to_string());
    }
    let summary = format!(
        "This rule with {} wins {} against {company}; the fair share is {:.1} %.{}",
        counted(fitted.map_or(0, |rule| rule.axes.len()), "number"),
        rule.shares[0],
        100.0 / table.players as f64,
        older_rules(played)
    ) + &doubted(played);
    let sheets = vec![prices(played), ignored(played), friends(&played.friends)];
    let mut views = vec![
        View::text(headline.clone()),
        View::text(words.join("\n")),
        View::text(summary.clone()),
    ];
    views.extend(figures(played));
    let file = played.file(&rule.bot, &words.join(" "));
    let mut files = vec![("rule.toml".to_string(), file)];
    if let (Some(personal), Some(says)) = (&played.personal, played.personal_words()) {
        views.push(View::text(format!("Personal numbers: {says}")));
        let file = played.file(personal, &format!("{} {says}", words.join(" ")));
        files.push(("rule-friends.toml".to_string(), file));
    }
    let principles = played.principles.iter();
    let examples = Vec::from_iter(principles.filter_map(|of| example(played, of)));
    let legend = (table.game.legend)(true);
    if !(examples.is_empty() || legend.is_empty()) {
        views.push(View::Story(legend));
    }
    views.extend(examples);
    Contents {
        charts: charts(&headline, table.players, &sheets[0]),
        summary: format!("{}\n{summary}", words.join("\n")),
        sheets,
        views,
        files,
        ..Contents::default()
    }
}

fn figures(played: &Played) -> Vec<View> {
    let companies = &played.resolved.companies;
    let beside = COMPANIES.iter().zip(companies);
    let beside = beside.map(|(column, (name, _))| format!(" | {column}: {name}"));
    let beside = String::from_iter(beside);
    let friends_columns = match played.personal {
        Some(_) => {
            "users: players with the rule | same: all with the same numbers | personal: each with \
             personal numbers"
        }
        None => "users: players with the rule | same: win share of each",
    };
    let (first, _) = &companies[0];
    let mut views = vec![
        View::text(
            "The price of simplicity: win share of one player with the rule, against different \
             opponents",
        ),
        View::print("rules", &format!("rule{beside} | sloppy: {first}, sloppy")),
    ];
    views.push(View::text(
        "Sloppy: in each game each number is, by the toss of a coin, a fifth too large or too small.",
    ));
    if let [only] = companies[0].1.as_slice() {
        let description = &only.strategy.description;
        views.push(View::text(format!("{first}: {description}")));
    }
    if !played.principles.is_empty() {
        views.push(View::text(
            "Cost of ignoring a part of the rule against different opponents, in percentage \
             points of win share",
        ));
        let columns = format!("principle: ignoring{beside}");
        views.push(View::print("principles", &columns));
    }
    views.push(View::text(format!(
        "Win share of several players with the rule, against {first}"
    )));
    views.push(View::print("friends", friends_columns));
    if let (Some(_), [_, two, ..]) = (&played.personal, played.friends.as_slice())
        && two.same.high < 1.0 / played.resolved.table.players as f64
    {
        views.push(View::text(format!(
            "Two players with the same numbers leave together and share what they find, so each \
             wins {}.",
            two.same
        )));
    }
    views
}

/// What the margins of error include of fitted people.
fn doubted(played: &Played) -> String {
    match played.resolved.fitted() {
        fitted if fitted.is_empty() => String::new(),
        fitted => format!(
            " Margins of error against {} include what their games do not show of them.",
            fitted.join(", ")
        ),
    }
}

/// The losses of the family's shipped numbers and of the larger tables.
fn older_rules(played: &Played) -> String {
    let mut words = String::new();
    for price in &played.prices {
        let name = price.bot.label();
        let called = called(played, price).filter(|called| *called != LEARNT);
        let (Some(called), Some(behind)) = (called, price.behind) else {
            continue;
        };
        words += &if behind.value == 0.0 && behind.high == 0.0 {
            format!(" It is the {called} ({name}).")
        } else if behind.low > 0.0 {
            format!(" The {called} ({name}) wins {behind} less.")
        } else if behind.high < 0.0 {
            format!(" The {called} ({name}) wins {} more.", behind.scaled(-1.0))
        } else {
            format!(" The {called} ({name}) is statistically tied with it.")
        };
    }
    words
}

const LEARNT: &str = "trained bot";

/// A description of a bot from outside the family.
fn called(played: &Played, price: &Price) -> Option<&'static str> {
    match &price.bot.strategy.name {
        own if *own == played.resolved.table.family.name => Some("standard rule"),
        own if own.starts_with("card-") => Some("table of numbers"),
        own if own.starts_with("solved-") => Some(LEARNT),
        _ => None,
    }
}

/// A position in which ignoring a part of the rule leads to another option.
fn example(played: &Played, of: &Principle) -> Option<View> {
    let example = of.example.as_ref()?;
    Some(View::Story(format!(
        "{}: game {}, {}\n\n{}\n\nby the rule:   {}\nignoring this: {}\nPlayed out from here, \
         following the rule wins {} more.",
        principle(played, of),
        example.game,
        example.at,
        example.standing.trim_matches('\n'),
        example.options[0],
        example.options[1],
        example.gain
    )))
}

/// A part of the chosen rule in a few words.
fn principle(played: &Played, of: &Principle) -> String {
    let rule = played.rule().rule.as_ref();
    let words = rule.map_or(String::new(), |rule| played.words_of(rule, of.axis));
    let short = words.split_once(": ").map_or(&*words, |(short, _)| short);
    short.trim_end_matches('.').to_string()
}

fn ignored(played: &Played) -> Sheet {
    let one = "one row per number of the chosen rule that can be ignored";
    let mut sheet = Rows::new("principles", one, &played.principles);
    let axes = &played.resolved.table.axes;
    let meaning = "name of the parameter";
    sheet.text("parameter", meaning, |of| axes[of.axis].0.clone());
    let meaning = "part of the rule that uses the number, in words";
    sheet.text("principle", meaning, |of| principle(played, of));
    for (at, (company, _)) in played.resolved.companies.iter().enumerate() {
        let meaning = format!(
            "loss of win share when it is ignored, with {company} at all other seats, in the same \
             games"
        );
        sheet.estimates(COMPANIES[at], &meaning, move |of| of.costs[at]);
    }
    let meaning = "number of a game with an example";
    sheet.whole("game", meaning, |of| of.example.as_ref().map(|of| of.game));
    let meaning = "gain in win share from following the rule in the example, by playouts";
    sheet.estimates("gain", meaning, |of| of.example.as_ref().map(|of| of.gain));
    sheet.sheet()
}

const COMPANIES: [&str; 4] = ["beside_1", "beside_2", "beside_3", "beside_4"];

fn prices(played: &Played) -> Sheet {
    let table = &played.resolved.table;
    let name = |price: &Price| {
        let label = price.bot.label();
        let Some(rule) = &price.rule else {
            let called = called(played, price);
            return called.map_or(label.clone(), |called| format!("{called} ({label})"));
        };
        let number = |&axis: &usize| table.axes[axis].1[rule.point[axis]].to_string();
        let numbers: Vec<String> = rule.axes.iter().map(number).collect();
        let count = counted(numbers.len(), "number");
        format!("{count}: {}", numbers.join(", "))
    };
    let mut sheet = Rows::new("rules", "one row per rule or bot", played.prices.iter());
    sheet.text("rule", "the rule or the bot", |price| name(price));
    let meaning = "bot that plays by the rule";
    sheet.text("bot", meaning, |price| price.bot.label());
    sheet.text("words", "the rule in words", |price| {
        price.rule.as_ref().map(|rule| played.words(rule).join(" "))
    });
    for (at, (company, _)) in played.resolved.companies.iter().enumerate() {
        let meaning = format!("its win share with {company} at all other seats");
        sheet.estimates(COMPANIES[at], &meaning, move |price| price.shares[at]);
    }
    let meaning = "its win share against the first opponents when in each game each number is, by \
                   the toss of a coin, a fifth too large or too small (within its range)";
    sheet.estimates("sloppy", meaning, |price| price.sloppy);
    let meaning = "win share of the chosen rule minus its own, against the first opponents, in the \
                   same games";
    sheet.estimates("behind", meaning, |price| price.behind);
    sheet.sheet()
}

fn friends(friends: &[Friends]) -> Sheet {
    let one = "one row per number of players who use the rule";
    let mut sheet = Rows::new("friends", one, friends);
    sheet.whole("users", "players who use the rule", |row| row.users as u64);
    let meaning = "win share of each of them with the same numbers";
    sheet.estimates("same", meaning, |row| row.same);
    let meaning = "win share of each of them when each adds a personal number";
    sheet.estimates("personal", meaning, |row| row.personal);
    sheet.sheet()
}

fn charts(subtitle: &str, players: usize, prices: &Sheet) -> Vec<NamedChart> {
    let rows = rows(prices, 0..prices.height(), "rule", "beside_1", alone);
    let (title, axis) = ("The price of simplicity", "win share of one seat");
    let chart = of_shares(title, axis, players, rows);
    vec![NamedChart::new("price", subtitle, Figure::Rows(chart))]
}
