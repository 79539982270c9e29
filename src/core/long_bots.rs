//! Included bots with long texts. In a browser these are files beside the program, each fetched when
//! the bot is first seated; of the rest of it, only what is said of the bot is compiled in.

use crate::library::SHIPPED;
use crate::simulation::lock;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// How the text of a bot begins that is beside the program; see `build.rs`. The rest of the line
/// names its file.
const BESIDE: &str = "# beside: ";

/// The texts that are there, by the names of their files.
static BROUGHT: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
/// The file of a bot that was seated and is not there yet.
static LACKING: Mutex<Option<String>> = Mutex::new(None);

/// Names of files, and texts.
pub fn long_bots() -> impl Iterator<Item = (String, &'static str)> {
    let long = env!("LONG_BOT").parse().unwrap_or(usize::MAX);
    let bots = SHIPPED.dirs().flat_map(|game| game.files());
    let texts = bots.filter_map(|bot| Some((bot.path(), bot.contents_utf8()?)));
    texts
        .filter(move |(_, text)| text.len() > long)
        .map(|(path, text)| (path.display().to_string().replace(['/', '\\'], "."), text))
}

/// Takes the text of a file.
pub fn bring(file: &str, text: &str) {
    *lock(&LACKING) = None;
    lock(&BROUGHT).insert(file.to_string(), text.to_string());
}

/// The file of a bot that was seated and is not there yet, if there is one.
pub fn lacking() -> Option<String> {
    lock(&LACKING).clone()
}

/// Notes that the bot of a file is needed, and says so.
pub(crate) fn lack(file: &str) -> String {
    *lock(&LACKING) = Some(file.to_string());
    format!("{file} is not there yet")
}

/// The whole of a bot that is beside the program, once it is there.
pub(crate) fn brought(text: &str) -> Option<String> {
    lock(&BROUGHT).get(file_of(text)?).cloned()
}

/// The file that holds the rest of a bot.
pub(crate) fn file_of(text: &str) -> Option<&str> {
    let file = text.strip_prefix(BESIDE)?.lines().next();
    file.filter(|_| cfg!(target_arch = "wasm32"))
}
