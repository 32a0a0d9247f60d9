//! Answers that are kept, here and by caches on the way.

use std::io::{Read, Write};
use std::time::Duration;

use crate::common::{Answer, Server, Setup};
use axum::http::HeaderValue;
use flate2::read::GzDecoder;

const GET: &str = "/best-move?game=tic-tac-toe&position=X...O....";
const BODY: &str = r#"{"game":"tic-tac-toe","position":"X...O...."}"#;
/// A search that ends by itself, but not soon.
const SLOW: &str =
    r#"{"game":"connect-four","position":"444544121","algorithm":"minimax","nodes":8000000}"#;
/// A search that depends on nothing but the request, and does not end in a lifetime.
const ENDLESS: &str =
    r#"{"game":"connect-four","position":"444544121","algorithm":"minimax","depth":42}"#;

fn ask_again(server: &Server, target: &str, tags: &str) -> Answer {
    server.send("GET", target, &[("if-none-match", tags)], b"")
}

fn caching_headers(answer: &Answer) -> [Option<&str>; 2] {
    ["etag", "cache-control"].map(|name| answer.header(name))
}

fn tag_of(answer: &Answer) -> String {
    answer.header("etag").expect("the answer has a tag").to_owned()
}

/// One worker, and so many places in the queue before it.
fn patient(queue: usize) -> Setup {
    let mut setup = Setup::default();
    (setup.service.workers, setup.service.queue) = (1, queue);
    setup
}

#[test]
fn an_answer_that_follows_from_the_request_may_be_kept() {
    let server = Server::start();
    let answer = server.get(GET);
    let tag = tag_of(&answer);
    assert!(tag.len() == 18 && tag.starts_with('"') && tag.ends_with('"'), "{tag}");
    assert_eq!(answer.header("cache-control"), Some("public, max-age=3600"));
    assert_eq!(tag_of(&Server::start().get(GET)), tag, "on any server");
    for other in [
        "/best-move?game=tic-tac-toe",
        "/best-move?game=tic-tac-toe&depth=9",
        "/best-move?game=tic-tac-toe&moves=4",
        "/best-move?game=connect-four&depth=3",
    ] {
        assert_ne!(tag_of(&server.get(other)), tag, "{other}");
    }
    assert_eq!(server.post("/best-move", BODY).header("etag"), None);
}

#[test]
fn a_client_that_holds_the_answer_is_told_so() {
    let server = Server::start();
    let answer = server.get(GET);
    let tag = tag_of(&answer);
    let weak = format!("W/{tag}");
    let list = format!("\"other\", {weak} ,\"third\"");
    for held in [tag.as_str(), &weak, &list, "*"] {
        let head = format!("GET {GET} HTTP/1.1\r\nhost: a\r\nif-none-match: {held}\r\n\r\n");
        let mut client = server.connect();
        client.write_all(head.as_bytes()).expect("the server reads");
        let unchanged = Answer::read_head(&mut client).expect("the server answers");
        assert_eq!(unchanged.status, 304, "{held}");
        assert_eq!(caching_headers(&unchanged), caching_headers(&answer));
        assert_eq!(unchanged.header("vary"), answer.header("vary"));
    }
    for other in ["", "\"other\"", tag.trim_matches('"')] {
        let again = ask_again(&server, GET, other);
        assert_eq!((again.status, &again.body), (200, &answer.body), "{other}");
    }
}

#[test]
fn what_the_client_holds_is_told_before_any_search() {
    let server = Server::with(patient(0));
    let tag = tag_of(&server.get(GET));
    let other = Server::with(patient(0));
    let _searching = other.asking(ENDLESS);
    other.await_metric("bestmove_searches_running", 1.0);
    let head = format!("GET {GET} HTTP/1.1\r\nhost: a\r\nif-none-match: {tag}\r\n\r\n");
    let mut client = other.connect();
    client.write_all(head.as_bytes()).expect("the server reads");
    assert_eq!(Answer::read_head(&mut client).expect("the server answers").status, 304);
}

#[test]
fn a_wrong_request_is_told_so_whatever_the_client_holds() {
    let server = Server::start();
    for (query, name) in [
        ("game=tic-tac-toe&position=XXX......", "invalid-position"),
        ("game=tic-tac-toe&position=XXXOO....", "game-over"),
        ("game=go", "unknown-game"),
        ("game=tic-tac-toe&depth=0", "invalid-request"),
    ] {
        ask_again(&server, &format!("/best-move?{query}"), "*").problem(422, name);
    }
}

#[test]
fn an_answer_that_depends_on_the_machine_is_not_kept() {
    let mut setup = Setup::default();
    setup.service.max_time = Duration::from_millis(50);
    let server = Server::with(setup);
    for query in [
        "game=tic-tac-toe&time_ms=1000",
        "game=connect-four&position=444544121&algorithm=minimax&depth=42",
    ] {
        for _ in 0..2 {
            let answer = server.get(&format!("/best-move?{query}"));
            assert_eq!((answer.status, caching_headers(&answer)), (200, [None, Some("no-store")]));
        }
    }
    assert_eq!(server.metric("bestmove_cache_hits_total").to_string(), "0");
}

#[test]
fn what_varies_with_the_origin_says_so() {
    let origins = vec![HeaderValue::from_static("https://a.example")];
    let server = Server::with(Setup { origins, ..Setup::default() });
    for (origin, allowed) in
        [("https://a.example", Some("https://a.example")), ("https://b.example", None)]
    {
        let answer = server.send("GET", GET, &[("origin", origin)], b"");
        assert_eq!(answer.header("access-control-allow-origin"), allowed);
        assert_eq!(answer.header("vary"), Some("origin"));
    }
    assert_eq!(server.get(GET).header("vary"), Some("origin"));
    assert_eq!(Server::start().get(GET).header("vary"), None);
}

fn decoded(answer: &Answer) -> Vec<u8> {
    let mut text = Vec::new();
    match answer.header("content-encoding") {
        Some(_) => GzDecoder::new(&answer.body[..]).read_to_end(&mut text).map(drop),
        None => answer.body.as_slice().read_to_end(&mut text).map(drop),
    }
    .expect("it is compressed as it says");
    text
}

#[test]
fn only_large_texts_are_compressed() {
    let server = Server::start();
    let ask = |target: &str, codings: &str| {
        server.send("GET", target, &[("accept-encoding", codings)], b"")
    };
    let plain = server.get("/openapi.yaml");
    for (codings, coding) in [
        ("br, gzip;q=0.5", Some("gzip")),
        ("*", Some("gzip")),
        ("gzip;q=0", None),
        ("br", None),
        ("identity;q=0", None),
        ("*;q=0", None),
        ("gzip;q=0, identity;q=0", None),
    ] {
        let answer = ask("/openapi.yaml", codings);
        assert_eq!((answer.status, answer.header("content-encoding")), (200, coding), "{codings}");
        assert_eq!(answer.header("vary"), Some("accept-encoding"));
        assert!(coding.is_none() || answer.body.len() * 3 < plain.body.len());
        assert_eq!(decoded(&answer), plain.body);
        // What is written for the request is treated alike.
        let games = ask("/games", codings);
        assert_eq!((games.status, games.header("content-encoding")), (200, coding), "{codings}");
        assert_eq!(decoded(&games), server.get("/games").body);
        assert_eq!(ask(GET, codings).status, 200);
    }
    let held = ask_again(&server, "/openapi.yaml", &tag_of(&plain));
    assert_eq!((held.status, held.header("vary")), (304, Some("accept-encoding")));
    assert_eq!(ask(GET, "gzip").header("content-encoding"), None);
}

#[test]
fn an_answer_of_megabytes_is_compressed_whole() {
    let server = Server::start();
    let request = br#"{"game":"connect-four","depth":5,"max_nodes":20000}"#;
    let ask = |coding| {
        let headers = [("content-type", "application/json"), ("accept-encoding", coding)];
        server.send("POST", "/tree", &headers, request)
    };
    let (plain, compressed) = (ask("identity"), ask("gzip"));
    assert_eq!(compressed.header("content-encoding"), Some("gzip"));
    assert!(plain.body.len() > 1 << 20 && compressed.body.len() < plain.body.len() / 3);
    assert_eq!(decoded(&compressed), plain.body);
}

#[test]
fn the_same_question_is_searched_once() {
    let server = Server::start();
    let first = server.post("/best-move", BODY);
    let spelt = r#"{"moves":[],"position":"X...O....","depth":null,"game":"tic-tac-toe"}"#;
    for again in
        [server.post("/best-move", BODY), server.post("/best-move", spelt), server.get(GET)]
    {
        assert_eq!((again.status, &again.body), (200, &first.body));
    }
    let metric = |name: &str| server.metric(&format!("bestmove_cache_{name}_total")) as u64;
    assert_eq!(["misses", "hits", "shared"].map(metric), [1, 3, 0]);
}

#[test]
fn nothing_is_kept_where_there_is_no_room() {
    let mut setup = Setup::default();
    setup.service.cache = 0;
    let server = Server::with(setup);
    let first = server.post("/best-move", BODY);
    assert_eq!(server.post("/best-move", BODY).body, first.body);
    server.await_metric("bestmove_cache_misses_total", 2.0);
}

#[test]
fn what_is_known_is_answered_while_the_queue_is_full_and_while_draining() {
    let mut server = Server::with(patient(0));
    let known = server.post("/best-move", BODY);
    let searching = server.asking(ENDLESS);
    server.await_metric("bestmove_searches_running", 1.0);
    server.post("/best-move", r#"{"game":"tic-tac-toe"}"#).problem(503, "overloaded");
    assert_eq!(server.post("/best-move", BODY).body, known.body);
    server.signal();
    server.await_status("/health/ready", 503);
    server.post("/best-move", r#"{"game":"tic-tac-toe"}"#).problem(503, "overloaded");
    assert_eq!(server.post("/best-move", BODY).body, known.body);
    drop(searching);
    server.join();
}

#[test]
fn a_search_goes_on_for_the_second_client_when_the_first_one_leaves() {
    let server = Server::with(patient(0));
    let first = server.asking(SLOW);
    server.await_metric("bestmove_searches_running", 1.0);
    let mut second = server.asking(SLOW);
    server.await_metric("bestmove_cache_shared_total", 1.0);
    drop(first);
    let answer = Answer::read(&mut second).expect("the server answers");
    assert_eq!((answer.status, &answer.json()["search"]["nodes"]), (200, &8_000_000.into()));
    assert_eq!(server.metric("bestmove_searches_abandoned_total").to_string(), "0");
    server.await_metric("bestmove_cache_misses_total", 1.0);
    assert_eq!(server.post("/best-move", SLOW).body, answer.body);
}

#[test]
fn a_search_stops_when_the_last_of_its_clients_leaves() {
    let server = Server::with(patient(0));
    let first = server.asking(ENDLESS);
    server.await_metric("bestmove_searches_running", 1.0);
    let second = server.asking(ENDLESS);
    server.await_metric("bestmove_cache_shared_total", 1.0);
    drop(first);
    drop(second);
    server.await_metric("bestmove_searches_running", 0.0);
    server.await_metric("bestmove_searches_abandoned_total", 1.0);
    let third = server.asking(ENDLESS);
    server.await_metric("bestmove_searches_running", 1.0);
    server.await_metric("bestmove_cache_shared_total", 1.0);
    drop(third);
}

#[test]
fn clients_who_wait_for_the_same_take_one_place_in_the_queue() {
    let server = Server::with(patient(1));
    let searching = server.asking(ENDLESS);
    server.await_metric("bestmove_searches_running", 1.0);
    let mut waiting = [BODY; 3].map(|body| server.asking(body));
    server.await_metric("bestmove_cache_shared_total", 2.0);
    server.await_metric("bestmove_searches_waiting", 1.0);
    server.post("/best-move", r#"{"game":"tic-tac-toe"}"#).problem(503, "overloaded");
    drop(searching);
    let answers = waiting.each_mut().map(|client| Answer::read(client).expect("an answer"));
    assert!(answers.iter().all(|answer| answer.status == 200 && answer.body == answers[0].body));
}

#[test]
fn a_known_line_of_a_batch_is_a_hit() {
    let server = Server::start();
    let line = r#"{"game":"tic-tac-toe"}"#;
    server.post("/best-move", line);
    let kind = ("content-type", "application/x-ndjson");
    let answer = server.stream("/best-move/batch", &[kind], format!("{line}\n").as_bytes()).text();
    assert!(answer.contains("\"best_move\""), "{answer}");
    assert_eq!(server.metric("bestmove_cache_hits_total").to_string(), "1");
}
