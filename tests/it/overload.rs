//! More clients than the service can bear, over real connections to the real program.

use std::net::TcpStream;
use std::thread;
use std::time::Instant;

use crate::common::program::Program;
use crate::common::{Answer, LONG, Server, Setup};
use bestmove_engine::search::MOST_MEMORY;

const PLACES: usize = 2 + 8;
/// Longer than it takes to send all requests, even on a busy machine.
const SEARCH: &str =
    r#"{"game":"connect-four","position":"444544121","algorithm":"minimax","time_ms":1500}"#;

/// A server of two workers and eight places in the queue, whose searches last until they are left.
fn server() -> Server {
    let mut setup = Setup::default();
    (setup.service.workers, setup.service.queue) = (2, 8);
    Server::with(setup)
}

fn fill(server: &Server) -> Vec<TcpStream> {
    let clients = (0..PLACES).map(|_| server.asking(LONG)).collect();
    server.await_metric("bestmove_searches_running", 2.0);
    server.await_metric("bestmove_searches_waiting", 8.0);
    clients
}

#[test]
fn all_but_those_who_find_a_place_are_refused_at_once() {
    let program = Program::start(&["--queue", "8"]);
    let ask = || {
        let mut client = program.asking(SEARCH);
        let start = Instant::now();
        (Answer::read(&mut client).expect("everybody is answered"), start.elapsed())
    };
    let answers: Vec<_> = thread::scope(|scope| {
        let clients: Vec<_> = (0..120).map(|_| scope.spawn(ask)).collect();
        for _ in 0..20 {
            assert_eq!(program.get("/health").status, 200);
        }
        clients.into_iter().map(|client| client.join().expect("no client panics")).collect()
    });
    let (answered, refused): (Vec<_>, Vec<_>) =
        answers.iter().partition(|(answer, _)| answer.status == 200);
    // Whoever comes after a search has ended may find a place.
    assert!((PLACES..PLACES * 2).contains(&answered.len()), "{} are answered", answered.len());
    for (answer, _) in &refused {
        answer.problem(503, "overloaded");
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    let last_refusal = refused.iter().map(|(_, time)| time).max();
    let last_answer = answered.iter().map(|(_, time)| time).max();
    assert!(last_refusal < last_answer, "nobody who is refused waits for a search");
    assert_eq!(program.metric("bestmove_searches_refused_total") as usize, refused.len());
    assert_eq!(program.metric("bestmove_searches_running").to_string(), "0");
}

#[test]
fn whoever_leaves_frees_a_place_whether_waiting_or_running() {
    let server = server();
    let mut clients = fill(&server);
    server.post("/best-move", LONG).problem(503, "overloaded");
    clients.remove(5);
    server.await_metric("bestmove_searches_waiting", 7.0);
    clients.push(server.asking(LONG));
    server.await_metric("bestmove_searches_waiting", 8.0);
    // The first two run: whoever has waited longest takes their place.
    clients.remove(0);
    server.await_metric("bestmove_searches_waiting", 7.0);
    server.await_metric("bestmove_searches_running", 2.0);
    clients.clear();
    server.await_metric("bestmove_searches_waiting", 0.0);
    server.await_metric("bestmove_searches_running", 0.0);
    server.await_metric("bestmove_searches_abandoned_total", 11.0);
    assert_eq!(server.post("/best-move", r#"{"game":"tic-tac-toe"}"#).status, 200);
}

#[test]
fn a_full_service_answers_all_that_needs_no_search() {
    let server = server();
    let _clients = fill(&server);
    for path in ["/health", "/health/ready", "/games", "/metrics", "/openapi.yaml"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    server.get("/best-move?game=go").problem(422, "unknown-game");
}

#[test]
fn a_search_waits_until_there_is_memory_for_its_whole_table() {
    let mut setup = Setup::default();
    (setup.service.workers, setup.service.memory) = (3, MOST_MEMORY);
    let server = Server::with(setup);
    let search = r#"{"game":"connect-four","position":"444544121","algorithm":""#;
    let first = server.asking(&format!(r#"{search}alpha-beta","time_ms":3600000}}"#));
    server.await_metric("bestmove_searches_running", 1.0);
    assert!(
        server.metric("bestmove_search_memory_bytes")
            > f64::from(u32::try_from(MOST_MEMORY / 10).expect("some MiB"))
    );
    let mut second = server.asking(&format!(r#"{search}solve"}}"#));
    server.await_metric("bestmove_searches_waiting", 1.0);
    assert_eq!(server.metric("bestmove_searches_running").to_string(), "1", "a worker is free");
    // A search that needs less passes.
    assert_eq!(server.post("/best-move", r#"{"game":"tic-tac-toe"}"#).status, 200);
    server.await_metric("bestmove_searches_waiting", 1.0);
    drop(first);
    assert_eq!(Answer::read(&mut second).expect("it is answered").status, 200);
    server.await_metric("bestmove_search_memory_bytes", 0.0);
}
