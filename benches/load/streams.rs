//! Batches and event streams.

use std::path::Path;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::Outcome;
use super::client::{Client, percentile, post, results};
use super::server::Server;

/// A line that takes 200 ms.
const SLOW: &str =
    r#"{"game":"connect-four","position":"444544121","algorithm":"minimax","time_ms":200}"#;
/// A line that takes microseconds.
const SMALL: &str = r#"{"game":"tic-tac-toe"}
"#;

pub(crate) async fn all(program: &Path) -> Outcome {
    for workers in ["2", "32"] {
        let server = Server::start(program, &["--workers", workers, "--port"], "warn")?;
        let start = Instant::now();
        let lines = batch(&server, &format!("{SMALL}\n"), 5000).await?;
        println!("{workers} workers: {lines} of 5000 batch lines in {:.1?}", start.elapsed());
    }
    competing(&Server::start(program, &["--workers", "2", "--port"], "warn")?).await?;
    single(&Server::start(program, &["--workers", "2", "--port"], "warn")?).await?;
    event_streams(&Server::start(program, &["--queue", "2000", "--port"], "warn")?).await?;
    for (name, cache) in [("known", "64"), ("searched", "0")] {
        let server = Server::start(program, &["--cache-mb", cache, "--port"], "warn")?;
        million(&server, name).await?;
    }
    Ok(())
}

/// Sends `lines` this many times in one batch, and reads while it writes. Gives the number of
/// answers.
async fn batch(server: &Server, lines: &str, count: usize) -> std::io::Result<usize> {
    let (mut reader, mut writer) = TcpStream::connect(server.address).await?.into_split();
    let lines = lines.to_owned();
    let length = lines.len() * count;
    let head = format!(
        "POST /best-move/batch HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         content-type: application/x-ndjson\r\ncontent-length: {length}\r\n\r\n"
    );
    let writing = tokio::spawn(async move {
        writer.write_all(head.as_bytes()).await?;
        for _ in 0..count {
            writer.write_all(lines.as_bytes()).await?;
        }
        Ok::<_, std::io::Error>(writer)
    });
    let (mut buffer, mut answers, mut last) = (vec![0; 1 << 16], 0, 0);
    loop {
        let length = reader.read(&mut buffer).await?;
        if length == 0 {
            break;
        }
        // The frames of the transfer end with a line feed too, but not after a brace.
        for &byte in &buffer[..length] {
            answers += usize::from(last == b'}' && byte == b'\n');
            last = byte;
        }
    }
    writing.await??;
    Ok(answers)
}

/// A short batch beside a long one.
async fn competing(server: &Server) -> Outcome {
    let (slow, small) = (format!("{SLOW}\n"), format!("{SMALL}\n"));
    let start = Instant::now();
    let (long, short) = tokio::join!(batch(server, &slow, 100), async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let start = Instant::now();
        batch(server, &small, 1).await.map(|_| start.elapsed())
    });
    let (long, short) = (long?, short?);
    println!(
        "two batches: {long} lines of 200 ms took {:.1?}, the other one's line {short:.1?}",
        start.elapsed()
    );
    Ok(())
}

/// Single requests beside eight batches, whose lines take 200 ms each.
async fn single(server: &Server) -> Outcome {
    let address = server.address;
    let slow = format!("{SLOW}\n");
    let asking = async {
        let (mut client, mut times) = (Client::connect(address).await?, Vec::new());
        for depth in 1..=9 {
            tokio::time::sleep(Duration::from_millis(330)).await;
            let start = Instant::now();
            client
                .ask(&post("/best-move", &format!(r#"{{"game":"checkers","depth":{depth}}}"#)))
                .await?;
            times.push(start.elapsed());
        }
        Ok::<_, std::io::Error>(times)
    };
    let batches = futures_util::future::try_join_all((0..8).map(|_| batch(server, &slow, 10)));
    let (batches, times) = tokio::join!(batches, asking);
    let (lines, mut times) = (batches?.into_iter().sum::<usize>(), times?);
    times.sort_unstable();
    let (half, most) = (percentile(&times, 50), percentile(&times, 100));
    println!(
        "single requests beside {lines} lines of 8 batches: median {half:.1?}, most {most:.1?}"
    );
    Ok(())
}

/// 1000 clients with an event stream each.
async fn event_streams(server: &Server) -> Outcome {
    let (address, start) = (server.address, Instant::now());
    let mut clients = JoinSet::new();
    for number in 0..1000 {
        clients.spawn(async move {
            let mut stream = TcpStream::connect(address).await?;
            let path = format!("/best-move/stream?game=checkers&nodes={}", 20_000 + number);
            let head =
                format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).await?;
            let mut text = String::new();
            stream.read_to_string(&mut text).await?;
            Ok(text.contains("event: result"))
        });
    }
    let complete = results(clients).await?.into_iter().filter(|&is_complete| is_complete).count();
    let (time, memory) = (start.elapsed(), server.memory());
    println!("event streams: {complete} of 1000 complete after {time:.1?}, {memory:.0} MiB");
    Ok(())
}

/// A million lines in one batch.
async fn million(server: &Server, name: &str) -> Outcome {
    let before = server.memory();
    let start = Instant::now();
    let positions = super::throughput::positions();
    let line = |position: &String| {
        format!("{{\"game\":\"tic-tac-toe\",\"position\":\"{position}\",\"depth\":9}}\n")
    };
    let lines: String = positions.iter().map(line).collect();
    let lines = batch(server, &lines, 1_000_000_usize.div_ceil(positions.len())).await?;
    let rate = f64::from(lines as u32) / start.elapsed().as_secs_f64();
    let after = server.memory();
    println!(
        "a batch of {lines} lines, {name}: {rate:.0} lines/s, memory {before:.0} to {after:.0} MiB"
    );
    Ok(())
}
