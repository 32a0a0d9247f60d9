//! The program: reads its settings and serves.

use std::io;
use std::process::{ExitCode, exit};
use std::sync::Arc;

use bestmove::config::{Address, Cli, Command, Settings};
use bestmove::http::{self, App, Edge};
use bestmove::telemetry;
use clap::Parser;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        None => serve(&cli.settings),
        Some(Command::Serve(settings)) => serve(&settings),
        Some(Command::Healthcheck(Address { host, port })) => http::healthcheck(&host, port),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bestmove: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(settings: &Settings) -> io::Result<()> {
    telemetry::start(settings.log_format);
    let app = App::new(&settings.service(), settings.http());
    let edge = Arc::new(Edge::new(http::routes(), app, settings.origins()));
    let runtime = Runtime::new()?;
    runtime.block_on(async {
        let Address { host, port } = &settings.address;
        let listener = TcpListener::bind((host.as_str(), *port)).await?;
        let signals = Signals::new()?;
        tracing::info!(address = %listener.local_addr()?, "listening");
        http::serve(listener, edge, signals.first()).await;
        tracing::info!("stopped");
        Ok::<_, io::Error>(())
    })?;
    // Searches whose callers have left may still be on their way out.
    runtime.shutdown_background();
    Ok(())
}

/// The signals that end the program: the first one drains, the second one exits at once.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn first(mut self) {
        self.next().await;
        tokio::spawn(async move {
            self.next().await;
            exit(1);
        });
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
