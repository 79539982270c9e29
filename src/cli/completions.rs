//! `carat completions` and `carat man`: what shells and manuals need, from the arguments themselves.

use super::Cli;
use super::error::CliError;
use super::terminal::print;
use clap::CommandFactory;
use clap_complete::Shell;
use std::path::PathBuf;

/// Print completions for a shell
#[derive(clap::Args)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the completions.
pub fn run(args: &Args) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "carat", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Write manual pages, one for each command, into an existing folder
#[derive(clap::Args)]
pub struct ManArgs {
    /// The folder, such as ~/.local/share/man/man1
    folder: PathBuf,
}

/// Writes the pages.
pub fn write_pages(args: &ManArgs) -> Result<(), CliError> {
    let written = clap_mangen::generate_to(Cli::command(), &args.folder);
    written.map_err(|source| CliError::Man {
        folder: args.folder.clone(),
        source,
    })
}
