//! The program: reads the command line and runs its command.

use std::io::{self, Write};
use std::process::ExitCode;

use bestmove::config::Cli;

fn main() -> ExitCode {
    match bestmove::commands::run(Cli::read()) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output, such as `head`, has closed it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // There is no place to report that standard error is closed.
            let _ = writeln!(io::stderr(), "bestmove: {error}");
            ExitCode::FAILURE
        }
    }
}
