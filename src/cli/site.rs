//! `carat site`: the page as a folder of files, in which carat runs in the browser.

use super::error::{CliError, usage};
use super::page::{BY_WORKERS, CARRIER, GAMES, INDEX, SHARED, games_script};
use super::terminal::print;
use crate::files::write_whole;
use carat_core::diagnostic::Diagnostic;
use carat_core::library::{Library, read_text};
use carat_core::long_bots::long_bots;
use carat_studies::report::checksum;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Write the page as a folder of files for any web host
///
/// The pages Explore, Leave or stay? and Play work as with `carat serve`, but carat itself runs in
/// the visitor's browser. Visitors install nothing, and no data leaves their machine. If the host
/// uses HTTPS, the page also works offline after the first visit.
#[derive(clap::Args)]
pub struct Args {
    /// The folder to write; it must be new, empty or written by `carat site`
    folder: PathBuf,
    /// A rules file of your own that the page opens with
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// The title of the page
    #[arg(long, value_name = "TEXT", default_value = "carat")]
    title: String,
    /// carat compiled for browsers [default: carat.wasm beside this program]
    #[arg(long, value_name = "FILE")]
    code: Option<PathBuf>,
}

/// carat compiled for browsers.
const CODE: &str = "carat.wasm";
/// The script that keeps the page for use without a connection.
const KEEPER: &str = "sw.js";
/// Most characters of a rules file in a link.
const RULES_MAX: usize = 30_000;
/// What a browser may do with the page. A host adds who may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
                      style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; \
                      manifest-src 'self'; base-uri 'none'; form-action 'none'";
const TITLE: &str = "<title>carat</title>";

pub fn run(args: &Args) -> Result<(), CliError> {
    let code = code(args.code.as_deref())?;
    let opens = match &args.rules {
        Some(file) => opening(file)?,
        None => json!([]),
    };
    check_folder(&args.folder)?;
    let title = escaped(&args.title);
    let head = format!(
        "<title>{title}</title>\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"manifest\" href=\"app.webmanifest\">"
    );
    let app = json!({
        "name": args.title, "short_name": args.title, "start_url": ".", "display": "standalone",
        "icons": [{ "src": "icon.svg", "sizes": "any", "type": "image/svg+xml" }],
    });
    let mut files: Vec<(&str, Vec<u8>)> = SHARED
        .iter()
        .map(|(name, _, text)| (*name, text.as_bytes().to_vec()))
        .collect();
    files.extend([
        (CODE, code),
        (CARRIER, BY_WORKERS.into()),
        (
            "worker.js",
            include_bytes!("../../assets/page/worker.js").to_vec(),
        ),
        (
            "icon.svg",
            include_bytes!("../../assets/page/icon.svg").to_vec(),
        ),
        ("app.webmanifest", app.to_string().into_bytes()),
        (GAMES, games_script(&opens).into_bytes()),
    ]);
    // What the page begins with. Trained bots follow when they are seated.
    let first = files.len();
    let bots = Vec::from_iter(long_bots());
    files.extend((bots.iter()).map(|(name, text)| (name.as_str(), text.as_bytes().to_vec())));
    // The first page comes last: it opens with whole files beside it.
    let index = INDEX.replace(TITLE, &head);
    let all = Vec::from_iter(files.iter().flat_map(|(_, bytes)| bytes.iter().copied()));
    let names = Vec::from_iter(files.iter().map(|(name, _)| *name));
    let keeper = format!(
        "const VERSION = '{}{}';\nconst FILES = {};\nconst LATER = {};\n{}",
        checksum(&all),
        checksum(index.as_bytes()),
        json!([&["./", "index.html"], &names[..first]].concat()),
        json!(names[first..]),
        include_str!("../../assets/page/sw.js")
    );
    files.extend([
        (KEEPER, keeper.into_bytes()),
        ("index.html", index.into_bytes()),
    ]);
    for (name, bytes) in &files {
        let file = args.folder.join(name);
        write_whole(&file, bytes).map_err(CliError::keep(&file))?;
    }
    print(&format!(
        "{}: {} files; put them on a web host, or try `python3 -m http.server -d {0}`\n",
        args.folder.display(),
        files.len()
    ))
}

/// carat compiled for browsers.
fn code(file: Option<&Path>) -> Result<Vec<u8>, CliError> {
    let beside = std::env::current_exe().map(|program| program.with_file_name(CODE));
    let file = file
        .map(Path::to_path_buf)
        .or(beside.ok())
        .unwrap_or_else(|| CODE.into());
    let code = fs::read(&file).unwrap_or_default();
    if !code.starts_with(b"\0asm") {
        usage!(
            "cannot find {} (carat compiled for browsers): build it with `scripts/site.sh`, take it \
             from a release archive, or pass its path with --code",
            file.display()
        );
    }
    Ok(code)
}

/// The values of the link by which the page opens with a rules file, which is checked.
fn opening(file: &Path) -> Result<Value, CliError> {
    let name = file.display().to_string();
    let text = read_text(file)?;
    let table: toml::Table = toml::from_str(&text)
        .map_err(|error| Box::new(Diagnostic::from_toml(&name, &text, &error)))?;
    let Some(game) = table.get("game").and_then(toml::Value::as_str) else {
        usage!("--rules {name}: not a rules file: `game` is missing");
    };
    let game = super::show::find(game)?;
    let source = Library::here().rules_source(game, &name)?;
    game.rules(&name, &source.text).map_err(Box::new)?;
    if source.text.chars().count() > RULES_MAX {
        usage!("--rules {name}: longer than {RULES_MAX} characters");
    }
    let own = file.file_name().unwrap_or_default().to_string_lossy();
    if own.contains('=') {
        usage!("--rules {name}: the name has a `=`; rename the file");
    }
    Ok(json!([
        ["game", game.name],
        ["rules", own],
        ["file", format!("{own}={}", source.text)]
    ]))
}

/// Refuses a folder with files that are not of a page.
fn check_folder(folder: &Path) -> Result<(), CliError> {
    let there = fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some());
    if there && !folder.join(CODE).is_file() {
        usage!("{}: holds other files; name a new folder", folder.display());
    }
    Ok(())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}
