//! `GET /metrics`.

mod common;

use common::Server;

#[test]
fn requests_and_searches_are_counted() {
    let server = Server::start();
    server.post("/best-move", r#"{"game":"tic-tac-toe"}"#);
    server.post("/best-move", r#"{"game":"tic-tac-toe","depth":2}"#);
    server.post("/best-move", "{");
    server.get("/games/tic-tac-toe");
    server.get("/no/such/path");
    let answer = server.get("/metrics");
    let kind = answer.header("content-type").expect("it has a type");
    assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
    let text = answer.text();
    for line in [
        r#"bestmove_http_request_duration_seconds_count{route="/best-move",method="POST",status="200"} 2"#,
        r#"bestmove_http_request_duration_seconds_count{route="/best-move",method="POST",status="400"} 1"#,
        r#"bestmove_http_request_duration_seconds_count{route="/games/{game}",method="GET",status="200"} 1"#,
        r#"bestmove_http_request_duration_seconds_count{route="none",method="GET",status="404"} 1"#,
        r#"bestmove_search_duration_seconds_count{game="tic-tac-toe",algorithm="solve",stopped_by="solved"} 1"#,
        r#"bestmove_search_nodes_count{game="tic-tac-toe",algorithm="alpha-beta",stopped_by="depth"} 1"#,
        r#"bestmove_search_depth_sum{game="tic-tac-toe",algorithm="alpha-beta",stopped_by="depth"} 2.0"#,
        "bestmove_searches_running 0",
        "bestmove_searches_waiting 0",
        "bestmove_searches_refused_total 0",
        "bestmove_searches_abandoned_total 0",
        "# EOF",
    ] {
        assert!(text.lines().any(|known| known == line), "no {line} in\n{text}");
    }
    assert!(text.contains("bestmove_build_info{version="), "{text}");
}
