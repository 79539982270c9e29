//! The command line: parse, run, print the error, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    carat::cli::main()
}
