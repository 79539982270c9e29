//! The files of the page, for the server and for a folder of files.

use carat_studies::desk::games::list_games;
use serde_json::Value;

pub const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A file of the page: its name, its kind, and its text.
pub type PageFile = (&'static str, &'static str, &'static str);

pub const INDEX: &str = include_str!("../../assets/page/index.html");

/// What both have, beside the first page.
#[rustfmt::skip] // A table, one file a line.
pub const SHARED: [PageFile; 5] = [
    ("page.css", "text/css; charset=utf-8", include_str!("../../assets/page/page.css")),
    ("page.js", SCRIPT, include_str!("../../assets/page/page.js")),
    ("explore.js", SCRIPT, include_str!("../../assets/page/explore.js")),
    ("advise.js", SCRIPT, include_str!("../../assets/page/advise.js")),
    ("play.js", SCRIPT, include_str!("../../assets/page/play.js")),
];

/// What carries questions and answers.
pub const CARRIER: &str = "carrier.js";
pub const BY_SERVER: &str = include_str!("../../assets/page/server.js");
pub const BY_WORKERS: &str = include_str!("../../assets/page/workers.js");

pub const GAMES: &str = "games.js";

/// The games, and the values that the page opens with, as pairs of texts.
pub fn games_script(opens: &Value) -> String {
    format!(
        "export const GAMES = {};\nexport const OPENS = {opens};\n",
        list_games()
    )
}
