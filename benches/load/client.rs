//! A client that costs little: one connection, requests written beforehand.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::sleep;

/// A health check.
pub(crate) const HEALTH: &[u8] = b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n";

/// The body of a request for a tree of a megabyte and more.
pub(crate) const LARGE_TREE: &str = r#"{"game":"connect-four","depth":5,"max_nodes":20000}"#;

pub(crate) struct Client {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, received: Vec::with_capacity(4096) })
    }

    pub(crate) async fn send(&mut self, request: &[u8]) -> io::Result<()> {
        self.stream.write_all(request).await
    }

    /// The status of the next answer, all of which has come.
    pub(crate) async fn receive(&mut self) -> io::Result<u16> {
        self.received.clear();
        loop {
            if self.stream.read_buf(&mut self.received).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if let Some(head) = head_length(&self.received)
                && self.received.len() >= head + body_length(&self.received[..head])
            {
                return status(&self.received).ok_or_else(|| io::ErrorKind::InvalidData.into());
            }
        }
    }

    pub(crate) async fn ask(&mut self, request: &[u8]) -> io::Result<u16> {
        self.send(request).await?;
        self.receive().await
    }

    /// Whether the answer that was received last has this header.
    pub(crate) fn has_header(&self, name: &str) -> bool {
        String::from_utf8_lossy(&self.received).contains(&format!("\r\n{name}: "))
    }
}

fn head_length(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|end| end == b"\r\n\r\n").map(|end| end + 4)
}

fn body_length(head: &[u8]) -> usize {
    const NAME: &[u8] = b"content-length: ";
    let start = head.windows(NAME.len()).position(|name| name == NAME).map(|at| at + NAME.len());
    let digits = start.map_or(&[][..], |start| &head[start..]);
    let digits = digits.iter().take_while(|digit| digit.is_ascii_digit());
    digits.fold(0, |length, digit| length * 10 + usize::from(digit - b'0'))
}

fn status(answer: &[u8]) -> Option<u16> {
    std::str::from_utf8(answer.get(9..12)?).ok()?.parse().ok()
}

/// A request with a body in JSON.
pub(crate) fn post(path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// What all of these clients return.
pub(crate) async fn results<T: 'static>(clients: JoinSet<io::Result<T>>) -> io::Result<Vec<T>> {
    clients.join_all().await.into_iter().collect()
}

/// The value below which so many per cent of the sorted ones lie.
pub(crate) fn percentile<T: Copy>(sorted: &[T], percent: usize) -> T {
    sorted[(sorted.len() - 1) * percent / 100]
}

/// The sorted times that this health check takes until `end`, from a thread of its own: the runtime of the other
/// clients is busy.
pub(crate) async fn health_checks(
    address: SocketAddr,
    check: &'static [u8],
    end: Instant,
) -> io::Result<Vec<Duration>> {
    let checks = move || {
        Builder::new_current_thread().enable_all().build()?.block_on(async {
            let (mut client, mut times) = (Client::connect(address).await?, Vec::new());
            while Instant::now() < end {
                let start = Instant::now();
                client.ask(check).await?;
                times.push(start.elapsed());
                sleep(Duration::from_millis(2)).await;
            }
            times.sort_unstable();
            Ok(times)
        })
    };
    spawn_blocking(checks).await?
}
