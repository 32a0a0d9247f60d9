//! The commands of the program, run on the present thread until they end.
//!
//! They stand in the library, since what a function here makes of the generic parts of the server is then compiled once.

use std::io::{self, BufReader, Write};
use std::sync::Arc;
use std::time::Duration;

use bestmove_adapters::mcp;
use bestmove_api::Context;
use bestmove_engine::games::{self, Knowledge};
use bestmove_service::Service;
use clap::CommandFactory;
use clap_complete::Shell;
use prometheus_client::registry::Registry;
use tokio::runtime::Runtime;

use crate::config::{Cli, Command, Settings};
use crate::http::{self, App};
use crate::signals::Signals;
use crate::{resources, telemetry};

/// The time that threads may take to end.
const STOP_GRACE: Duration = Duration::from_millis(100);

/// Runs the command that `cli` names; without a name, serves.
///
/// # Errors
/// Where the command fails: what its message says is for the user.
pub fn run(cli: Cli) -> io::Result<()> {
    match cli.command {
        None => serve(&cli.settings),
        Some(Command::Serve(settings)) => serve(&settings),
        Some(Command::Healthcheck(address)) => http::healthcheck(address.socket_address()),
        Some(Command::BestMove(best_move)) => {
            context().and_then(|context| best_move.run(&mut io::stdout(), &context))
        }
        Some(Command::Play(play)) => {
            context().and_then(|context| play.run(io::stdin().lock(), io::stdout(), &context))
        }
        Some(Command::Review(review)) => {
            context().and_then(|context| review.run(&mut io::stdout(), &context))
        }
        Some(Command::Uci(uci)) => games::load_knowledge(None)
            .and_then(|knowledge| uci.run(BufReader::new(io::stdin()), io::stdout(), &knowledge)),
        Some(Command::Mcp(settings)) => serve_assistant(&settings),
        Some(Command::Completions { shell }) => write_completions(shell),
        Some(Command::Man) => write_manual(),
    }
}

fn write_completions(shell: Shell) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "bestmove", &mut script);
    io::stdout().write_all(&script)
}

fn write_manual() -> io::Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    io::stdout().write_all(&page)
}

/// The knowledge and limits that jobs of the command line are prepared with.
fn context() -> io::Result<Context> {
    Ok(Context { knowledge: games::load_knowledge(None)?, max_time: None })
}

/// The embedded knowledge, and the endgame tables that the settings name.
fn knowledge(settings: &Settings) -> io::Result<Knowledge> {
    games::load_knowledge(settings.endgame_tables.as_deref())
}

/// Speaks the Model Context Protocol with the assistant that has started the program.
fn serve_assistant(settings: &Settings) -> io::Result<()> {
    resources::check(settings.workers)?;
    let _log = telemetry::start(settings.log_format)?;
    let knowledge = knowledge(settings)?;
    let service = Service::new(&settings.service(), knowledge, &mut Registry::default());
    let runtime = Runtime::new()?;
    let served = runtime.block_on(mcp::serve_stdio(Arc::new(service)));
    runtime.shutdown_background();
    served
}

fn serve(settings: &Settings) -> io::Result<()> {
    resources::check(settings.workers)?;
    let _log = telemetry::start(settings.log_format)?;
    let app = App::new(&settings.service(), settings.http(), knowledge(settings)?);
    let mut routes = http::routes();
    routes.retain(|&(path, _)| settings.mcp || path != http::MCP);
    let stack = http::stack(&app, routes, &settings.cors_origin);
    let runtime = Runtime::new()?;
    runtime.block_on(async {
        let listener = http::listen(settings.address.socket_address())?;
        let signals = Signals::new()?;
        settings.log(listener.local_addr()?);
        http::serve(listener, app, stack, signals.first()).await;
        tracing::info!("stopped");
        Ok::<_, io::Error>(())
    })?;
    // Searches whose callers have left may still be on their way out.
    runtime.shutdown_timeout(STOP_GRACE);
    Ok(())
}
