//! Health checks beside many clients who send the requests that are dearest to read and to write, four at a time.

use std::path::Path;
use std::time::{Duration, Instant};

use bestmove_engine::games::any::AnyGame;
use bestmove_engine::games::catalogue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::Outcome;
use super::client::{LARGE_TREE, health_checks, percentile, post, results};
use super::server::Server;

const READY: &[u8] = b"GET /health/ready HTTP/1.1\r\nhost: localhost\r\n\r\n";
/// No game leads to it, and that is hard to find out.
const HARD: &str =
    r#""game":"connect-four","position":"OXOOOXO/XOXXXOX/XXXOXXX/XOXXXOX/OXOOOXO/OOOXOOO""#;
/// Two hundred moves.
const QUEENS: &str = "qQ2n1Nk/Q3QBq1/1Qb4N/q2rB3/qq1Qnq1Q/1Q6/RQQ1r2q/KqR1bq2 w - - 0 1";
const KINGS: &str =
    "W:WK1,K2,K3,K5,K6,K7,K9,K10,K11,K13,K14,K15:BK18,K19,K20,K22,K23,K24,K26,K27,K28,K30,K31,K32";
const CLIENTS: usize = 32;

pub(crate) async fn all(program: &Path) -> Outcome {
    let server = Server::start(program, &["--port"], "warn")?;
    for (name, request) in requests() {
        beside(&server, name, request.repeat(4)).await?;
    }
    Ok(())
}

fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").into_bytes()
}

fn assistant(arguments: &str) -> Vec<u8> {
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"get_position","arguments":{{{arguments}}}}}}}"#
    );
    post("/mcp", &message)
}

fn requests() -> Vec<(&'static str, Vec<u8>)> {
    let queens = format!(r#""game":"chess","position":"{QUEENS}""#);
    let numbers = format!(r#""game":"chess","position":[{}0]"#, "0,".repeat(30_000));
    let moves = format!(r#""game":"chess","moves":["{}"]"#, long_game().join("\",\""));
    let record = format!(r#""game":"chess","moves":"{}""#, long_game().join(" "));
    let search_moves = vec![r#""e2e4""#; 8000].join(",");
    let picture = format!("/board.svg?game=chess&position={}", QUEENS.replace(' ', "%20"));
    let object = |fields: &str| format!("{{{fields}}}");
    vec![
        ("nothing else", READY.to_vec()),
        ("/position, a hard board", post("/position", &object(HARD))),
        ("/best-move, a hard board", post("/best-move", &object(&format!("{HARD},\"nodes\":1")))),
        ("/position, 200 moves", post("/position", &object(&queens))),
        (
            "/position, 24 kings",
            post("/position", &format!(r#"{{"game":"checkers","position":"{KINGS}"}}"#)),
        ),
        (
            "/best-move, 200 moves included",
            post("/best-move", &format!(r#"{{{queens},"nodes":1,"include":["legal_moves"]}}"#)),
        ),
        ("/analyze, 200 moves", post("/analyze", &format!(r#"{{{queens},"nodes":1}}"#))),
        ("/board.svg", get(&picture)),
        ("/position, a long list of moves", post("/position", &object(&moves))),
        ("/position, a long record", post("/position", &object(&record))),
        ("/review", post("/review", &format!(r#"{{{moves},"nodes":1}}"#))),
        ("/position, 60 KB of numbers", post("/position", &object(&numbers))),
        (
            "/best-move, 8000 search_moves",
            post(
                "/best-move",
                &format!(r#"{{"game":"chess","search_moves":[{search_moves}],"nodes":1}}"#),
            ),
        ),
        ("/tree", post("/tree", r#"{"game":"connect-four","depth":3}"#)),
        ("/mcp, 60 KB of numbers", assistant(&numbers)),
        ("/mcp, 200 moves", assistant(&queens)),
        ("/games", get("/games")),
        ("/metrics", get("/metrics")),
        ("/openapi.json", get("/openapi.json")),
        ("/games, compressed", compressed(get("/games"))),
        ("/tree of a megabyte, compressed", compressed(post("/tree", LARGE_TREE))),
    ]
}

/// The same request from a client that takes gzip.
fn compressed(mut request: Vec<u8>) -> Vec<u8> {
    const HOST: &[u8] = b"host: localhost\r\n";
    let at = request.windows(HOST.len()).position(|line| line == HOST).unwrap_or_default();
    request.splice(at..at, *b"accept-encoding: gzip\r\n");
    request
}

/// A game of chess of two hundred moves at most: the last legal move each time.
fn long_game() -> Vec<String> {
    let chess = catalogue().iter().find(|game| game.info().name == "chess");
    let mut moves = Vec::new();
    while moves.len() < 400
        && let Some(next) = chess.and_then(|game| last_move(*game, &moves))
    {
        moves.push(next);
    }
    moves
}

fn last_move(game: &dyn AnyGame, moves: &[String]) -> Option<String> {
    let board = game.board(None, moves).ok()?;
    board.legal_moves().pop().map(|last| last.mv.text)
}

/// Health checks for two seconds, beside 32 clients that send these bytes again and again.
async fn beside(server: &Server, name: &str, requests: Vec<u8>) -> Outcome {
    let (address, end) = (server.address, Instant::now() + Duration::from_secs(2));
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        let requests = requests.clone();
        clients.spawn(async move {
            let (mut reader, mut writer) = TcpStream::connect(address).await?.into_split();
            let writing =
                tokio::spawn(async move { while writer.write_all(&requests).await.is_ok() {} });
            let (mut buffer, mut answers) = (vec![0; 1 << 16], 0);
            while Instant::now() < end {
                let length = reader.read(&mut buffer).await?;
                answers += buffer[..length].windows(9).filter(|it| it == b"HTTP/1.1 ").count();
            }
            writing.abort();
            Ok(answers)
        });
    }
    let times = health_checks(address, READY, end).await?;
    let answers = results(clients).await?.into_iter().sum::<usize>();
    let (half, most) = (percentile(&times, 50), percentile(&times, 99));
    println!("ready beside {name}: median {half:.1?}, p99 {most:.1?} ({answers} answers)");
    Ok(())
}
