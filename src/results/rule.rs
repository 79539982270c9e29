//! The report of a rule for the table: the rule in words, the price of simplicity, and what happens
//! when friends use it too.

use super::manifest::Manifest;
use super::pictures;
use super::report::Report;
use super::text::View;
use crate::diagnostic::counted;
use crate::sheet::{Rows, Sheet};
use crate::study::Study;
use crate::study::rule::{Friends, Played, Price};

/// The report of a rule for the table.
pub fn report(played: &Played, manifest: Manifest) -> Report {
    let resolved = &played.resolved;
    let table = &resolved.table;
    let company = &resolved.companies[0].0;
    let rule = played.rule();
    let made_for = resolved.study.table.made_for(Some(table.players));
    let headline = format!("{} · {made_for} · beside {company}", table.game.title);
    let words = match &rule.rule {
        Some(fitted) => played.words(fitted),
        None => Vec::new(),
    };
    let sheets = vec![prices(played), friends(&played.friends)];
    let summary = format!(
        "This rule of {} wins {} beside {company}; the fair share is {:.1} %.",
        counted(
            rule.rule.as_ref().map_or(0, |rule| rule.axes.len()),
            "number"
        ),
        rule.shares[0],
        100.0 / table.players as f64
    );
    let mut columns = "rule".to_string();
    for (at, (name, _)) in resolved.companies.iter().enumerate() {
        columns += &format!(" | {}: {name}", COMPANIES[at]);
    }
    columns += " | sloppy: a fifth off";
    let friends_columns = match played.personal {
        Some(_) => "users | same: same numbers, each wins | personal: personal numbers, each wins",
        None => "users | same: each wins",
    };
    let mut views = vec![
        View::text(headline.clone()),
        View::text(words.join("\n")),
        View::text(summary.clone()),
        View::text("The price of simplicity: what one seat wins beside …"),
        View::print("rules", &columns),
        View::text(format!(
            "Friends who use this rule too, each beside {company}"
        )),
        View::print("friends", friends_columns),
    ];
    let mut files = vec![(
        "rule.toml".to_string(),
        played.file(&rule.bot, &words.join(" ")),
    )];
    if let (Some(personal), Some(says)) = (&played.personal, played.personal_words()) {
        views.push(View::text(format!("Personal numbers: {says}")));
        let words = format!("{} {says}", words.join(" "));
        files.push((
            "rule-friends.toml".to_string(),
            played.file(personal, &words),
        ));
    }
    Report {
        charts: pictures::rule(&headline, table.players, &sheets[0]),
        summary: format!("{}\n{summary}", words.join("\n")),
        sheets,
        views,
        files,
        game: table.game,
        manifest: Manifest {
            study: Study::Rule(resolved.study.clone()),
            ..manifest
        },
    }
}

/// The columns of win shares, by company.
const COMPANIES: [&str; 4] = ["beside_1", "beside_2", "beside_3", "beside_4"];

fn prices(played: &Played) -> Sheet {
    let table = &played.resolved.table;
    let name = |price: &Price| {
        let Some(rule) = &price.rule else {
            return price.bot.label();
        };
        let mut numbers = Vec::new();
        for &axis in &rule.axes {
            let (param, values) = &table.axes[axis];
            numbers.push(format!("{param} {}", values[rule.point[axis]]));
        }
        numbers.join(", ")
    };
    let mut sheet = Rows::new("rules", "one row per rule or bot", played.prices.iter());
    sheet.text("rule", "the rule or the bot", |price| name(price));
    sheet.text("bot", "the bot that plays by it", |price| price.bot.label());
    sheet.text("words", "the rule in words", |price| {
        price.rule.as_ref().map(|rule| played.words(rule).join(" "))
    });
    for (at, (company, _)) in played.resolved.companies.iter().enumerate() {
        let meaning = format!("its win share with {company} at all other seats");
        sheet.estimates(COMPANIES[at], &meaning, move |price| price.shares[at]);
    }
    let meaning = "its win share beside the first company where each number is a fifth too large or \
                   too small, the worse of the two";
    sheet.estimates("sloppy", meaning, |price| price.sloppy);
    sheet.sheet()
}

fn friends(friends: &[Friends]) -> Sheet {
    let one = "one row per number of players who use the rule";
    let mut sheet = Rows::new("friends", one, friends);
    sheet.whole("users", "players who use the rule", |row| row.users as u64);
    let meaning = "what each of them wins with the same numbers";
    sheet.estimates("same", meaning, |row| row.same);
    let meaning = "what each of them wins where each adds a personal number";
    sheet.estimates("personal", meaning, |row| row.personal);
    sheet.sheet()
}
