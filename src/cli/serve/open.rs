//! How a person gets to the page: a browser that is opened, or a code for the camera of a phone.

use crate::cli::terminal::note;
use console::Style;
use qrcodegen::{QrCode, QrCodeEcc};
use std::process::{Command, Stdio};
use std::thread;

/// Opens an address in the browser. The arguments of a process are seen by all users of a machine,
/// so the address has no key, and leads to the page once.
pub fn open_page(start: String) {
    let screens = ["DISPLAY", "WAYLAND_DISPLAY"].map(std::env::var_os);
    if cfg!(not(any(windows, target_os = "macos"))) && screens == [None, None] {
        return;
    }
    thread::spawn(move || {
        let (opener, more): (_, &[&str]) = match std::env::consts::OS {
            "windows" => ("cmd", &["/c", "start"]),
            "macos" => ("open", &[]),
            _ => ("xdg-open", &[]),
        };
        let mut command = Command::new(opener);
        command.args(more).arg(start).stdin(Stdio::null());
        let why = match command.stdout(Stdio::null()).stderr(Stdio::null()).status() {
            Ok(status) if status.success() => return,
            Ok(status) => format!("{opener}: {status}"),
            Err(error) => format!("{opener}: {error}"),
        };
        note(&format!(
            "cannot open a browser ({why}); open the link above"
        ));
    });
}

/// A link as a code of black and white squares, two rows of them a line; on a terminal it sets both
/// colours, whatever those of the terminal are.
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
    let style = Style::new().white().on_black();
    let lines = drawn.lines();
    let lines = lines.map(|line| format!("{}\n", style.apply_to(line)));
    lines.collect()
}
