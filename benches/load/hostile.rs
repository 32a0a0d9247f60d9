//! Clients that mean harm: hostile positions, answers that nobody reads, bodies in single bytes.

use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::Outcome;
use super::client::{Client, HEALTH, LARGE_TREE, health_checks, percentile, post, results};
use super::server::Server;

/// Legal positions whose quiescence search does not end by itself.
const HOSTILE: [&str; 4] = [
    "qQ2n1Nk/Q3QBq1/1Qb4N/q2rB3/qq1Qnq1Q/1Q6/RQQ1r2q/KqR1bq2 w - - 0 1",
    "Q5q1/QqQ1Q3/1q3QQQ/3nq3/1q3QqQ/q5q1/4NqK1/k7 w - - 0 1",
    "q3q1QK/q4Q2/3Q2qk/Q1q2q1q/QQ1Nq2Q/4q2Q/4Q3/5n2 w - - 0 1",
    "1q4n1/2q3q1/Q1q2Q2/1qkqQ1Q1/2NqQ1Q1/7K/Q2Q4/Q3qq2 w - - 0 1",
];

pub(crate) async fn all(program: &Path) -> Outcome {
    let limited = ["--workers", "2", "--queue", "8", "--max-time-ms", "50", "--port"];
    hostile_positions(&Server::start(program, &limited, "warn")?).await?;
    let impatient = ["--idle-timeout", "3", "--port"];
    unread(&Server::start(program, &impatient, "warn")?, 200, Duration::from_secs(12)).await?;
    // At most MEMORY_MB + CACHE_MB + 64.
    let small = ["--memory-mb", "128", "--cache-mb", "1", "--port"];
    unread(&Server::start(program, &small, "warn")?, 1000, Duration::from_secs(5)).await?;
    single_bytes(&Server::start(program, &["--port"], "warn")?).await?;
    trees(&Server::start(program, &["--port"], "warn")?).await
}

/// Twice as many hostile positions at once as there are workers, for three seconds.
async fn hostile_positions(server: &Server) -> Outcome {
    let (address, end) = (server.address, Instant::now() + Duration::from_secs(3));
    let mut clients = JoinSet::new();
    for position in HOSTILE {
        clients.spawn(async move {
            let mut times = Vec::new();
            let body = format!(
                r#"{{"game":"chess","position":"{position}","depth":1,"nodes":1,"time_ms":1}}"#
            );
            while Instant::now() < end {
                let start = Instant::now();
                let request = post("/best-move", &body);
                let mut client = Client::connect(address).await?;
                let asked = client.ask(&request);
                // A server without limits holds the client for minutes.
                let Ok(status) = timeout(Duration::from_secs(5), asked).await else { break };
                if status? != 200 {
                    return Err(ErrorKind::InvalidData.into());
                }
                times.push(start.elapsed());
            }
            Ok(times)
        });
    }
    let mut times = results(clients).await?.concat();
    times.sort_unstable();
    let (count, slowest) = (times.len(), times.last().copied().unwrap_or_default());
    println!("hostile positions: {count} answered in 3 s, the slowest after {slowest:.1?}");
    Ok(())
}

/// So many clients with small buffers, one every ten milliseconds, who ask for large trees and read nothing.
async fn unread(server: &Server, count: usize, time: Duration) -> Outcome {
    let (mut clients, mut most) = (Vec::new(), 0.0_f64);
    for _ in 0..count {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(4096)?;
        let mut stream = socket.connect(server.address).await?;
        stream.write_all(&post("/tree", LARGE_TREE)).await?;
        clients.push(stream);
        sleep(Duration::from_millis(10)).await;
        most = most.max(server.memory());
    }
    let start = Instant::now();
    while start.elapsed() < time {
        sleep(Duration::from_millis(100)).await;
        most = most.max(server.memory());
    }
    let (mut refused, after) = (0, server.memory());
    for stream in &clients {
        let mut head = [0; 12];
        let peeked = timeout(Duration::from_millis(1), stream.peek(&mut head)).await;
        refused += usize::from(matches!(peeked, Ok(Ok(12))) && head.ends_with(b"503"));
    }
    println!(
        "{count} clients that never read: {most:.0} MiB at most, {after:.0} MiB at the end, {refused} refused"
    );
    Ok(())
}

/// A batch of 60 000 bytes, each a chunk of its own.
async fn single_bytes(server: &Server) -> Outcome {
    let mut stream = TcpStream::connect(server.address).await?;
    let head = "POST /best-move/batch HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
                content-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n";
    let line = format!("{{\"game\":\"tic-tac-toe\"{}}}\n", " ".repeat(59_000));
    let chunks: String =
        line.chars().flat_map(|byte| ['1', '\r', '\n', byte, '\r', '\n']).collect();
    let cpu = server.cpu();
    stream.write_all(format!("{head}{chunks}0\r\n\r\n").as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let is_right = answer.contains("\"best_move\"");
    let cost = server.cpu().saturating_sub(cpu);
    println!("a line in chunks of one byte: answered {is_right}, {cost:.0?} of a processor");
    Ok(())
}

/// Health checks beside eight clients who ask for trees.
async fn trees(server: &Server) -> Outcome {
    let (address, end) = (server.address, Instant::now() + Duration::from_secs(5));
    let mut clients = JoinSet::new();
    for _ in 0..8 {
        clients.spawn(async move {
            let mut client = Client::connect(address).await?;
            let mut count = 0;
            while Instant::now() < end {
                if client.ask(&post("/tree", LARGE_TREE)).await? != 200 {
                    return Err(ErrorKind::InvalidData.into());
                }
                count += 1;
            }
            Ok(count)
        });
    }
    let times = health_checks(address, HEALTH, end).await?;
    let count = results(clients).await?.into_iter().sum::<u32>();
    let (half, most) = (percentile(&times, 50), percentile(&times, 99));
    println!("health beside {count} trees of 8 clients: median {half:.1?}, p99 {most:.1?}");
    Ok(())
}
