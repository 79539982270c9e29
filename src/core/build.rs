//! Finds the bots that are compiled in: `strategies/` of the repository, or of the package. Cargo
//! rebuilds carat when one of them changes.

use std::fs;
use std::path::{Path, PathBuf};

/// Bytes of a bot that a browser fetches when it is seated.
const LONG: usize = 100_000;

fn main() {
    let package = std::env::var("CARGO_MANIFEST_DIR").expect("cargo names its folder");
    let mut folders = ["../../strategies", "strategies"].map(|name| Path::new(&package).join(name));
    folders.sort_by_key(|folder| !folder.is_dir());
    let mut folder = folders[0].clone();
    println!("cargo::rerun-if-changed={}", folder.display());
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|target| target == "wasm32") {
        folder = without_long(&folder).expect("bots can be read, and their copies written");
    }
    println!("cargo::rustc-env=STRATEGIES={}", folder.display());
    println!("cargo::rustc-env=LONG_BOT={LONG}");
}

/// The bots, the long ones only with what is said of them. The first line of these names the file
/// that holds the rest.
fn without_long(folder: &Path) -> std::io::Result<PathBuf> {
    let to = PathBuf::from(std::env::var("OUT_DIR").expect("cargo names it")).join("strategies");
    for game in fs::read_dir(folder)? {
        let game = game?;
        let to = to.join(game.file_name());
        fs::create_dir_all(&to)?;
        for bot in fs::read_dir(game.path())? {
            let bot = bot?;
            let mut text = fs::read_to_string(bot.path())?;
            if text.len() > LONG {
                let [game, bot] = [&game, &bot].map(|named| named.file_name());
                let said = text
                    .lines()
                    .take_while(|line| !line.starts_with("leave = "));
                let said = said.collect::<Vec<_>>().join("\n");
                let file = format!("{}.{}", game.display(), bot.display());
                text = format!("# beside: {file}\n{said}\nleave = 'held < 0'\n");
            }
            fs::write(to.join(bot.file_name()), text)?;
        }
    }
    Ok(to)
}
