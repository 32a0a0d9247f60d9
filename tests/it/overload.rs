//! More clients than the service can bear, over real connections to the real program.

use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::program::Program;
use crate::common::{Answer, JSON, LONG, Server, Setup, request};
use bestmove_engine::search::MOST_MEMORY;
use tokio::net::TcpSocket;
use tokio::runtime::Runtime;

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
    /// Two run and two wait.
    const PLACES: usize = 4;
    let program = Program::start(&["--queue", "2"]);
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

/// A client that has sent a request to a path and reads nothing yet.
fn sending(client: &crate::common::Client, path: &str, body: &str) -> TcpStream {
    let mut stream = client.connect();
    stream.write_all(&request("POST", path, &[JSON], body.as_bytes())).expect("the server reads");
    stream
}

/// A client whose socket takes next to nothing that it does not read.
fn small_client(server: &Server) -> TcpStream {
    let runtime = Runtime::new().expect("a runtime starts");
    let stream = runtime.block_on(async {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(4096)?;
        socket.connect(server.address).await?.into_std()
    });
    let stream = stream.expect("the server accepts connections");
    stream.set_nonblocking(false).expect("it blocks");
    stream
}

#[test]
fn answers_that_nobody_reads_are_bounded_by_the_memory() {
    let mut setup = Setup::default();
    setup.service.memory = MOST_MEMORY;
    let server = Server::with(setup);
    let tree = r#"{"game":"connect-four","depth":5,"max_nodes":20000}"#;
    let asked = request("POST", "/tree", &[JSON], tree.as_bytes());
    let clients = (0..14).map(|_| {
        let mut client = small_client(&server);
        client.write_all(&asked).expect("the server reads");
        client
    });
    let mut clients: Vec<_> = clients.collect();
    let statuses = clients
        .iter_mut()
        .map(|client| Answer::read_head(client).expect("everybody is answered").status);
    let refused = statuses.filter(|&status| status == 503).count();
    assert!((4..14).contains(&refused), "{refused} of 14 answers of 3.6 MB are refused");
    let reserved = server.metric("bestmove_search_memory_bytes");
    assert!(reserved > 3e6, "what is not read is counted: {reserved}");
    assert!(reserved < f64::from(u32::try_from(MOST_MEMORY).expect("some MiB")), "{reserved}");
    // The searches have memory of their own.
    let largest = r#"{"game":"connect-four","position":"444544121","algorithm":"solve"}"#;
    assert_eq!(server.post("/best-move", largest).status, 200);
    drop(clients);
    server.await_metric("bestmove_search_memory_bytes", 0.0);
    assert_eq!(server.post("/tree", tree).status, 200);
}

/// A board that no game leads to, which was once found out after 100 000 steps.
const HARD_BOARD: &str =
    r#"{"game":"connect-four","position":"OXOOOXO/XOXXXOX/XXXOXXX/XOXXXOX/OXOOOXO/OOOXOOO"}"#;

#[test]
fn nobody_waits_for_others_whose_requests_are_hard_to_read() {
    let program = Program::start(&[]);
    let requests = request("POST", "/position", &[JSON], HARD_BOARD.as_bytes()).repeat(4);
    let end = Instant::now() + Duration::from_secs(2);
    let ask = || {
        let mut client = program.connect();
        while Instant::now() < end {
            client.write_all(&requests).expect("the server reads");
            for _ in 0..4 {
                assert_eq!(Answer::read(&mut client).expect("it answers").status, 200);
            }
        }
    };
    let mut times = Vec::new();
    thread::scope(|scope| {
        (0..32).for_each(|_| _ = scope.spawn(ask));
        while Instant::now() < end {
            let start = Instant::now();
            assert_eq!(program.get("/health/ready").status, 200);
            times.push(start.elapsed());
            thread::sleep(Duration::from_millis(10));
        }
    });
    times.sort_unstable();
    // The machine may be busy, and the program is built with checks.
    let median = times[times.len() / 2];
    assert!(median < Duration::from_millis(200), "{median:?}");
}

#[test]
fn more_large_requests_than_can_be_read_are_refused() {
    let program = Program::start(&[]);
    let body = format!(r#"{{"game":"chess","position":[{}0]}}"#, "0,".repeat(8_000));
    let clients: Vec<_> = (0..350).map(|_| sending(&program, "/position", &body)).collect();
    let statuses: Vec<_> = clients
        .into_iter()
        .map(|mut client| Answer::read(&mut client).expect("everybody is answered").status)
        .collect();
    let count = |status| statuses.iter().filter(|&&it| it == status).count();
    assert_eq!(count(422) + count(503), 350, "{statuses:?}");
    assert!(count(422) >= 256 && count(503) > 0, "{} are read", count(422));
}
