//! The report of a rule for the table: the rule in words, the price of simplicity, and the results
//! of several players with the same rule.

use super::contents::{Contents, NamedChart};
use super::pictures::{of_shares, rows_of};
use super::tables::limits;
use super::text::View;
use super::words::split_sentence;
use crate::study::rule::{Fitted, Friends, Played, Price, Principle, Standard, head_of};
use carat_charts::labels::{before, capitalized};
use carat_core::diagnostic::counted;
use carat_core::figure::Figure;
use carat_core::sheet::{Columns, Handle, Head};
use carat_core::statistics::{Estimate, Unit};
use carat_core::{columns, heads};
use std::slice;

/// The instruction above a rule that scores moves.
const NOT_ADVISED: &str = " That is less: this rule is not recommended.";
const SCORES: &str = "Add up what each move scores below, and make the move with the highest sum:";

pub fn content(played: &Played) -> Contents {
    let resolved = &played.resolved;
    let table = &resolved.search.table;
    let company = &resolved.companies[0];
    let rule = played.rule();
    let made_for = resolved.study.table.made_for(Some(table.players));
    let headline = format!("{} · {made_for} · against {company}", table.game.title);
    let (fitted, bot) = (rule.rule.as_ref(), played.bot(rule));
    let mut words = fitted.map_or(Vec::new(), |fitted| played.words(fitted));
    if resolved.search.is_scored() {
        // What is true of all moves comes first.
        let of_all = usize::from(table.family.says.is_some());
        words.rotate_right(of_all);
        for (at, words) in words[of_all..].iter_mut().enumerate() {
            *words = format!("{}. {words}", at + 1);
        }
        words.insert(of_all, SCORES.to_string());
    }
    let fair = 1.0 / table.players as f64;
    let summary = format!(
        "This rule with {} wins {} against {company}; the fair share is {:.1} %.{}{}",
        fitted.map_or(String::new(), |rule| length(played, rule)),
        rule.shares[0],
        100.0 * fair,
        if rule.shares[0].value < fair {
            NOT_ADVISED
        } else {
            ""
        },
        strongest(played, fair) + &older_rules(played)
    ) + &doubted(played);
    let changes = changes(played);
    let mut sheets = vec![
        Rules::sheet(played, prices(played)),
        Principles::sheet(played, &played.found.principles),
        UsersOf::sheet(&(), &played.found.friends),
    ];
    let mut views = vec![View::text(headline.clone())];
    views.extend(changes.clone().map(View::text));
    views.push(View::text(words.join("\n")));
    let file = played.file(&bot, &words.join(" "));
    let mut files = vec![("rule.toml".to_string(), file)];
    if let (Some(personal), Some(says)) = (played.personal(), played.personal_words()) {
        let lower = says[..1].to_lowercase() + &says[1..];
        views.push(View::text(format!(
            "If others know this rule, too, do this: {lower}"
        )));
        let file = played.file(&personal, &format!("{} {says}", words.join(" ")));
        files.push(("rule-friends.toml".to_string(), file));
    }
    let large = views.len();
    views.extend(terms(played));
    views.push(View::text(summary.clone()));
    if let Some((limits, shown)) = limits(table, slice::from_ref(&bot)) {
        sheets.push(limits);
        views.extend(shown);
    }
    let mut legend = (table.game.legend)(true);
    for of in &played.found.principles {
        // Above the first example.
        views.extend(example(played, of, &mut legend));
    }
    let printed = Some(views.len());
    views.extend(figures(played));
    Contents {
        charts: charts(&headline, played),
        answer: split_sentence(&summary)
            .0
            .replacen("This rule", "The rule below", 1),
        summary: Vec::from_iter(changes.into_iter().chain(words).chain([summary])).join("\n"),
        sheets,
        views,
        printed,
        large,
        files,
        ..Contents::default()
    }
}

/// What the words of the game's own rule mean.
fn terms(played: &Played) -> Option<View> {
    let table = &played.resolved.search.table;
    let terms = table.rules.terms(table.players);
    let is_own = table.game.rule == Some(table.family.name.as_str());
    (is_own && !terms.is_empty()).then(|| View::text(terms))
}

fn figures(played: &Played) -> Vec<View> {
    let resolved = &played.resolved;
    let friends = match played.found.personal {
        Some(_) => heads![UsersOf: USERS "players with the rule", SAME "all with the same numbers",
            PERSONAL "each with personal numbers"],
        None => heads![UsersOf: USERS "players with the rule", SAME "win share of each"],
    };
    let mut shares = heads![Rules: RULE];
    shares.extend(beside_heads(played, || Rules::SHARES));
    let first = &resolved.companies[0];
    shares.extend(heads![Rules: SLOPPY format!("{first}, sloppy")]);
    let mut views = vec![
        View::text(
            "The price of simplicity: win share of one player with the rule, against different \
             opponents",
        ),
        View::print(shares),
    ];
    views.push(View::text(
        "Sloppy: in each game, each of these numbers is a fifth too large or too small, at random.",
    ));
    if let [only] = resolved.search.companies[0].as_slice() {
        let description = &only.strategy.description;
        views.push(View::text(format!("{first}: {description}")));
    }
    if !played.found.principles.is_empty() {
        views.push(View::text(
            "Cost of ignoring a part of the rule against different opponents, in percentage \
             points of win share",
        ));
        let mut costs = heads![Principles: PRINCIPLE "ignoring"];
        costs.extend(beside_heads(played, || Principles::COSTS));
        views.push(View::print(costs));
    }
    views.push(View::text(format!(
        "Win share of several players with the rule, against {first}"
    )));
    views.push(View::print(friends));
    if let (Some(_), [_, two, ..]) = (&played.found.personal, played.found.friends.as_slice())
        && two.same.high < 1.0 / played.resolved.search.table.players as f64
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

/// What the study's changes of rules change in the rule, and what ignoring that costs.
fn changes(played: &Played) -> Option<String> {
    let is_old = |price: &&Price| price.standard == Some(Standard::Old);
    let old = played.found.prices.iter().find(is_old)?;
    let mut changes = Vec::new();
    let [was, now] = [old, played.rule()].map(|price| played.bot(price));
    for ((param, was), (_, now)) in was.params().zip(now.params()) {
        if was != now {
            let way = if now > was { "rises" } else { "falls" };
            let called = played.called(param);
            changes.push(format!("{called} {way} from {was} to {now}"));
        }
    }
    let cost = old.behind.filter(|_| !changes.is_empty());
    Some(match cost {
        Some(cost) if cost.low > 0.0 => format!(
            "{}; playing the old rule costs {}.",
            capitalized(&changes.join(", ")),
            of_shares_in_words(cost)
        ),
        Some(cost) => format!(
            "The standard rule may stay as it is: playing the old rule costs {}.",
            of_shares_in_words(cost)
        ),
        None => "The standard rule stays as it is.".to_string(),
    })
}

/// A difference of win shares, told from the points of a game.
fn of_shares_in_words(difference: Estimate) -> String {
    let unit = Unit::Amount;
    let difference = Estimate {
        unit,
        ..difference.scaled(100.0)
    };
    format!("{difference} percentage points")
}

/// What the trained bot wins at the same table, what small numbers cost, and whether slips lose all
/// that the rule gains.
fn strongest(played: &Played, fair: f64) -> String {
    let mut words = String::new();
    let is_trained = |price: &&Price| price.standard == Some(Standard::Trained);
    if let Some(trained) = played.found.prices.iter().find(is_trained) {
        let (name, share) = (played.bot(trained).label(), trained.shares[0]);
        words += &format!(" The trained bot ({name}) wins {share} there.");
    }
    if let Some(cost) = played.found.rounding {
        words += &format!(" Rounding its numbers cost {}.", of_shares_in_words(cost));
    }
    let rule = played.rule();
    if let Some(sloppy) = rule
        .sloppy
        .filter(|of| of.low <= fair && rule.shares[0].low > fair)
    {
        words += &format!(
            " Play it exactly: with each number a fifth off it wins {sloppy}, not clearly more than a fair \
             share."
        );
    }
    words
}

/// The losses of the family's shipped numbers and of the larger tables.
fn older_rules(played: &Played) -> String {
    let mut words = String::new();
    for price in &played.found.prices {
        let name = played.bot(price).label();
        let others = [Standard::Trained, Standard::Old];
        let standard = price.standard.filter(|of| !others.contains(of));
        let (Some(called), Some(behind)) = (standard.map(called), price.behind) else {
            continue;
        };
        words += &if behind.value == 0.0 && behind.high == 0.0 {
            format!(" It is the {called} ({name}).")
        } else if behind.low > 0.0 {
            let less = of_shares_in_words(behind);
            format!(" The {called} ({name}) wins {less} less.")
        } else if behind.high < 0.0 {
            let more = of_shares_in_words(behind.scaled(-1.0));
            format!(" The {called} ({name}) wins {more} more.")
        } else {
            format!(" The {called} ({name}) is statistically tied with it.")
        };
    }
    words
}

fn called(standard: Standard) -> &'static str {
    match standard {
        Standard::Family => "standard rule",
        Standard::TableOfNumbers => "table of numbers",
        Standard::Trained => "trained bot",
        Standard::Complete => "complete rule",
        Standard::Old => "old rule",
    }
}

/// A position in which ignoring a part of the rule leads to another option, below a legend that is
/// taken.
fn example(played: &Played, of: &Principle, legend: &mut String) -> Option<View> {
    let example = of.example.as_ref()?;
    let heading = principle(played, of);
    let [own, without] = &example.options;
    let gain = of_shares_in_words(example.gain);
    let standing = example.standing.trim_matches('\n');
    let story = format!(
        "{}{heading}: game {}, {}\n\n{standing}\n\nby the rule:   {own}\nignoring this: {without}\nPlayed out from \
         here, following the rule wins {gain} more.",
        before(&std::mem::take(legend), "\n"),
        example.game,
        example.at,
    );
    Some(match example.board.clone() {
        None => View::Story(story),
        Some(board) => View::Example {
            words: format!(
                "You are player 1. Following the rule: {own}. Ignoring this part: {without}. \
                 Following it wins {gain} more."
            ),
            standing: standing.to_string(),
            heading,
            board,
            story,
        },
    })
}

/// A part of the chosen rule in a few words.
fn principle(played: &Played, of: &Principle) -> String {
    let rule = played.rule().rule.as_ref();
    let words = rule.map_or(String::new(), |rule| played.words_of(rule, of.axis));
    head_of(&words).to_string()
}

columns! {
    pub Principles<'a>(of: Played, row: &'a Principle)
    "principles", "one row per number of the chosen rule that can be ignored";
    PARAMETER: text("parameter", "name of the parameter") => of.resolved.search.table.axes[row.axis].0;
    PRINCIPLE: text("principle", "part of the rule that uses the number, in words") => principle(of, row);
    COSTS: estimates("beside_N", COST), for at in beside(of, COST) => row.costs[at];
    GAME: whole("game", "number of a game with an example") => row.example.as_ref()?.game;
    GAIN: estimates("gain", "gain in win share from following the rule in the example, by playouts")
        => row.example.as_ref()?.gain;
}

const COST: &str =
    "loss of win share when it is ignored, with BOTS at all other seats, in the same games";
const SHARE: &str = "its win share with BOTS at all other seats";

/// The columns of figures beside each company.
fn beside(played: &Played, meaning: &str) -> Vec<(usize, String, String)> {
    let mut columns = Vec::new();
    for (at, company) in played.resolved.companies.iter().enumerate() {
        let meaning = meaning.replace("BOTS", company);
        columns.push((at, format!("beside_{}", at + 1), meaning));
    }
    columns
}

fn beside_heads<T: Columns>(played: &Played, column: fn() -> Handle<T>) -> Vec<Head<T>> {
    let columns = beside(played, "BOTS").into_iter();
    let heads = columns.map(|(_, name, company)| column().head_of(name, company));
    heads.collect()
}

columns! {
    pub Rules<'a>(of: Played, price: &'a Price) "rules", "one row per rule or bot";
    RULE: text("rule", "the rule or the bot") => name(of, price);
    BOT: text("bot", "bot that plays by the rule") => of.bot(price).label();
    WORDS: maybe("words", "the rule in words") => price.rule.as_ref().map(|rule| of.words(rule).join(" "));
    SHARES: estimates("beside_N", SHARE), for at in beside(of, SHARE) => price.shares[at];
    SLOPPY: estimates("sloppy", "its win share against the first opponents when in each \
        game each number is a fifth too large or too small, at random (within its range)") => price.sloppy;
    BEHIND: estimates("behind", "win share of the chosen rule minus that of this one, against the first \
        opponents, in the same games") => price.behind;
}

/// The rules, each bot once.
fn prices(played: &Played) -> Vec<&Price> {
    let mut all: Vec<&Price> = Vec::new();
    for price in &played.found.prices {
        let bot = played.bot(price);
        let is_known = |other: &&Price| other.standard.is_some() && played.bot(other) == bot;
        if price.standard.is_none() || !all.iter().any(is_known) {
            all.push(price);
        }
    }
    all
}

/// A rule by its numbers, or a bot.
fn name(played: &Played, price: &Price) -> String {
    let label = played.bot(price).label();
    let Some(rule) = &price.rule else {
        let same = played
            .found
            .prices
            .iter()
            .filter(|other| played.bot(other) == played.bot(price));
        let called = Vec::from_iter(same.filter_map(|of| of.standard).map(called));
        return format!(
            "{} ({label})",
            if called.is_empty() {
                "bot".to_string()
            } else {
                called.join(" and ")
            }
        );
    };
    let numbers = played.numbers(rule);
    format!("{}: {}", length(played, rule), numbers.join(", "))
}

/// How long a rule is: the sentences that are printed below each other, or its numbers.
fn length(played: &Played, rule: &Fitted) -> String {
    if played.resolved.search.is_scored() {
        counted(played.sentences(rule).len(), "sentence")
    } else {
        counted(rule.axes.len(), "number")
    }
}

columns! {
    pub UsersOf<'a>(of: (), row: &'a Friends) "friends", "one row per number of players who use the rule";
    USERS: whole("users", "players who use the rule") => row.users as u64;
    SAME: estimates("same", "win share of each of them with the same numbers") => row.same;
    PERSONAL: estimates("personal", "win share of each of them when each adds a personal number")
        => row.personal;
}

fn charts(subtitle: &str, played: &Played) -> Vec<NamedChart> {
    let shares = prices(played).into_iter();
    let rows = rows_of(shares.map(|price| (name(played, price), price.shares[0])));
    let title = if played.resolved.search.is_scored() {
        "Win share by the number of sentences"
    } else {
        "The price of simplicity"
    };
    let axis = "win share of one seat";
    let chart = of_shares(title, axis, played.resolved.search.table.players, rows);
    vec![NamedChart::new("price", subtitle, Figure::Rows(chart))]
}
