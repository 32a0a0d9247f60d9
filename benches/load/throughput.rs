//! Requests a second over all positions of tic-tac-toe that are not finished, on kept connections.

use std::collections::BTreeSet;
use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::client::{Client, percentile, post, results};
use super::server::Server;
use super::{Outcome, floor};

const CONNECTIONS: usize = 16;
const ROUNDS: usize = 15;
const SLICE: Duration = Duration::from_secs(1);
/// Until every answer is kept, and the kernel has spread the threads of server and clients over the processors.
const WARM_UP: Duration = Duration::from_secs(1);

type Requests = Arc<Vec<Vec<u8>>>;

/// What is measured: a name, a server and its requests.
struct Target {
    name: &'static str,
    program: PathBuf,
    arguments: Vec<&'static str>,
    log: &'static str,
    requests: Requests,
    slices: Vec<Slice>,
}

/// What a slice of time has shown.
struct Slice {
    rate: f64,
    /// Time of the server on processors, in microseconds a request.
    cost: f64,
    /// In microseconds.
    latencies: Vec<u32>,
}

/// Prints rates, costs and latencies, and the ratios to the floor.
pub(crate) async fn measure(program: &Path) -> Outcome {
    let mut targets = targets(program)?;
    for _ in 0..ROUNDS {
        for target in &mut targets {
            target.measure().await?;
        }
    }
    println!("{:<28} {:>9} {:>9} {:>8} {:>8}", "", "req/s", "cpu us", "p50 us", "p99 us");
    targets.iter().for_each(Target::print);
    let [at_once, blocking, known, searched, _] = &targets[..] else { return Ok(()) };
    for (target, floor) in [(known, at_once), (searched, blocking)] {
        let ratio = ratio(&target.slices, &floor.slices);
        println!("{} / {}: {ratio:.2}", target.name, floor.name);
    }
    Ok(())
}

fn targets(program: &Path) -> io::Result<Vec<Target>> {
    let load = env::current_exe()?;
    let target = |name, program: &Path, arguments: &[&'static str], log, path| Target {
        name,
        program: program.to_owned(),
        arguments: arguments.to_vec(),
        log,
        requests: requests(path),
        slices: Vec::new(),
    };
    let floor = |name, path| target(name, &load, &[floor::COMMAND], "info", path);
    let service = |name, log, cache| {
        target(name, program, &["--cache-mb", cache, "--port"], log, "/best-move")
    };
    Ok(vec![
        floor("constant", "/at-once"),
        floor("constant, spawn_blocking", "/blocking"),
        service("known answers", "info", "64"),
        service("searched, --cache-mb 0", "info", "0"),
        service("known, RUST_LOG=warn", "warn", "64"),
    ])
}

/// A request for each position.
fn requests(path: &str) -> Requests {
    let body = |position: &String| {
        format!(r#"{{"game":"tic-tac-toe","position":"{position}","depth":9}}"#)
    };
    Arc::new(positions().iter().map(|position| post(path, &body(position))).collect())
}

impl Target {
    /// Measures a slice, by a process of its own: one process differs from the next by up to a fifth.
    async fn measure(&mut self) -> io::Result<()> {
        let server = Server::start(&self.program, &self.arguments, self.log)?;
        Slice::measure(&server, &self.requests, WARM_UP).await?;
        self.slices.push(Slice::measure(&server, &self.requests, SLICE).await?);
        Ok(())
    }

    fn print(&self) {
        let rate = median(self.slices.iter().map(|slice| slice.rate));
        let cost = median(self.slices.iter().map(|slice| slice.cost));
        let mut latencies: Vec<_> =
            self.slices.iter().flat_map(|slice| slice.latencies.iter().copied()).collect();
        latencies.sort_unstable();
        let (half, most) = (percentile(&latencies, 50), percentile(&latencies, 99));
        println!("{:<28} {rate:>9.0} {cost:>9.1} {half:>8} {most:>8}", self.name);
    }
}

impl Slice {
    async fn measure(server: &Server, requests: &Requests, time: Duration) -> io::Result<Self> {
        let (start, cpu, address) = (Instant::now(), server.cpu(), server.address);
        let end = start + time;
        let mut clients = JoinSet::new();
        for number in 0..CONNECTIONS {
            let requests = Arc::clone(requests);
            clients.spawn(async move {
                let mut client = Client::connect(address).await?;
                let mut latencies = Vec::with_capacity(1 << 14);
                let begin = requests.len() * number / CONNECTIONS;
                for request in requests.iter().cycle().skip(begin) {
                    let start = Instant::now();
                    if start >= end {
                        break;
                    }
                    if client.ask(request).await? != 200 {
                        return Err(io::ErrorKind::InvalidData.into());
                    }
                    latencies.push(start.elapsed().as_micros() as u32);
                }
                Ok(latencies)
            });
        }
        let latencies = results(clients).await?.concat();
        let count = f64::from(latencies.len() as u32);
        let cost = server.cpu().saturating_sub(cpu).as_secs_f64() * 1e6 / count;
        Ok(Self { rate: count / start.elapsed().as_secs_f64(), cost, latencies })
    }
}

/// The median of the rates of one target beside those of another one in the same round.
fn ratio(of: &[Slice], to: &[Slice]) -> f64 {
    median(of.iter().zip(to).map(|(of, to)| of.rate / to.rate))
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Prints the memory of a server when idle and after many requests.
pub(crate) async fn memory(program: &Path) -> Outcome {
    let server = Server::start(program, &["--port"], "warn")?;
    println!(
        "ready after {:.1} ms; idle memory {:.1} MiB",
        server.ready.as_secs_f64() * 1e3,
        server.memory()
    );
    let requests = requests("/best-move");
    let mut asked = 0;
    for goal in [10_000, 1_000_000] {
        while asked < goal {
            asked += Slice::measure(&server, &requests, SLICE / 10).await?.latencies.len();
        }
        println!("memory after {asked} requests {:.1} MiB", server.memory());
    }
    Ok(())
}

/// All positions that can be reached and go on.
pub(crate) fn positions() -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut rest = vec![[b'.'; 9]];
    while let Some(cells) = rest.pop() {
        let empty = (0..9).filter(|&cell| cells[cell] == b'.').count();
        let side = if empty % 2 == 0 { b'O' } else { b'X' };
        if has_line(&cells) || empty == 0 || !seen.insert(cells) {
            continue;
        }
        for cell in (0..9).filter(|&cell| cells[cell] == b'.') {
            let mut next = cells;
            next[cell] = side;
            rest.push(next);
        }
    }
    seen.iter().map(|cells| String::from_utf8_lossy(cells).into_owned()).collect()
}

fn has_line(cells: &[u8; 9]) -> bool {
    const LINES: [[usize; 3]; 8] =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let is_full =
        |[a, b, c]: [usize; 3]| cells[a] != b'.' && cells[a] == cells[b] && cells[b] == cells[c];
    LINES.into_iter().any(is_full)
}
