//! How a person gets to the page: a browser that is opened, or a code for the camera of a phone.

use super::guard::new_token;
use crate::cli::terminal::note;
use qrcodegen::{QrCode, QrCodeEcc};
use std::fs::{OpenOptions, remove_file};
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// How long a browser may take to start.
const STARTS: Duration = Duration::from_secs(60);

/// Opens a link in the browser. The arguments of a process are seen by all users of a machine, so the
/// browser gets a file that only this user can read, which leads to the link.
pub fn open_page(link: &str) {
    let screens = ["DISPLAY", "WAYLAND_DISPLAY"].map(std::env::var_os);
    if cfg!(not(any(windows, target_os = "macos"))) && screens == [None, None] {
        return;
    }
    let link = link.to_string();
    thread::spawn(move || {
        if let Err(error) = open_by_file(&link) {
            note(&format!(
                "cannot open a browser ({error}); open the link above"
            ));
        }
    });
}

fn open_by_file(link: &str) -> io::Result<()> {
    let name = new_token().map_err(|error| io::Error::other(error.to_string()))?;
    let file = std::env::temp_dir().join(format!("carat-{name}.html"));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let page = format!("<!doctype html><meta http-equiv=\"refresh\" content=\"0;url={link}\">\n");
    options.open(&file)?.write_all(page.as_bytes())?;
    let (opener, more): (_, &[&str]) = match std::env::consts::OS {
        "windows" => ("cmd", &["/c", "start"]),
        "macos" => ("open", &[]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(opener);
    command.args(more);
    let quiet = command
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    let opened = quiet.stderr(Stdio::null()).status();
    if opened.is_ok() {
        thread::sleep(STARTS);
    }
    remove_file(&file)?;
    opened.map(|_| ())
}

/// A link as a code of black and white squares, two rows of them a line.
pub fn draw_code(link: &str) -> String {
    let Ok(code) = QrCode::encode_text(link, QrCodeEcc::Low) else {
        return String::new();
    };
    // A code needs a light border; two squares are enough for cameras.
    let (first, end) = (-2, code.size() + 2);
    let mut drawn = String::new();
    for y in (first..end).step_by(2) {
        for x in first..end {
            drawn.push(match (code.get_module(x, y), code.get_module(x, y + 1)) {
                (false, false) => '█',
                (false, true) => '▀',
                (true, false) => '▄',
                (true, true) => ' ',
            });
        }
        drawn.push('\n');
    }
    drawn
}
