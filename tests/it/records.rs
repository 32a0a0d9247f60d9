//! Games as people write them down, and answers as scripts read them.

use crate::common::Server;
use serde_json::{Value, json};

fn position(server: &Server, game: &str, moves: &Value) -> Value {
    let body = json!({"game": game, "moves": moves});
    let answer = server.post("/position", body.to_string());
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    answer.json()
}

#[test]
fn a_record_means_its_moves() {
    let server = Server::start();
    let opera = json!(["e4", "e5", "Nf3", "d6", "d4", "Bg4", "dxe5", "Bxf3"]);
    let pgn = "[Event \"Paris\"]\n[Result \"1-0\"]\n\n1. e4 {best by test} e5 2.Nf3 d6 3. d4 Bg4?! $6 \
               (3... exd4 {old} (3... f5)) ; a line\n4. dxe5 4... Bxf3!? 1-0";
    let checkers = json!(["11-15", "23-19", "8-11", "22-17"]);
    for (game, record, moves) in [
        ("chess", "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3", &opera),
        ("chess", pgn, &opera),
        ("chess", "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 *", &opera),
        ("checkers", "1. 11-15 23-19 2. 8-11 22-17 1/2-1/2", &checkers),
        ("checkers", "1.11-15 23-19 2.8-11! 22-17 0-1", &checkers),
        ("connect-four", "44453", &json!(["4", "4", "4", "5", "3"])),
        ("connect-four", "1. 4 4 2. 45 3.3", &json!(["4", "4", "4", "5", "3"])),
        ("tic-tac-toe", "4 0 8", &json!(["4", "0", "8"])),
        ("tic-tac-toe", "408", &json!(["4", "0", "8"])),
        ("chess", "", &json!([])),
    ] {
        let (told, expected) =
            (position(&server, game, &json!(record)), position(&server, game, moves));
        assert_eq!(told, expected, "{record}");
    }
}

#[test]
fn a_record_that_begins_elsewhere_is_refused_unless_position_says_so_too() {
    let server = Server::start();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let ending = "8/8/8/8/8/4k3/4p3/4K2R w K - 0 1";
    let short = "8/8/8/8/8/4k3/4p3/4K2R w K";
    let tagged = |fen: &str, moves: &str| {
        format!("[Event \"A [b] c\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{{[FEN \"none\"]}} {moves}")
    };
    let checkers = "W:W18:BK5";
    for (game, record, position, moves) in [
        ("chess", tagged(start, "1. e4"), Value::Null, json!(["e4"])),
        ("chess", tagged(ending, "1. Rh3+"), json!(short), json!(["h1h3"])),
        ("checkers", tagged(checkers, "1. 18-15"), json!(checkers), json!(["18-15"])),
    ] {
        let told = |moves: &Value| {
            let body = json!({"game": game, "position": position, "moves": moves});
            let answer = server.post("/position", body.to_string());
            assert_eq!(answer.status, 200, "{body}: {}", answer.text());
            answer.json()
        };
        assert_eq!(told(&json!(record)), told(&moves), "{record}");
    }
    for (record, position) in [
        (tagged(ending, "1. Rh3+"), Value::Null),
        (tagged(start, "1. e4"), json!(ending)),
        (tagged("nonsense", "1. e4"), Value::Null),
    ] {
        let body = json!({"game": "chess", "position": position, "moves": record});
        let problem = server.post("/position", body.to_string()).problem(422, "invalid-request");
        assert_eq!(problem["field"], "/moves");
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(
            detail.starts_with("moves: its tag FEN says that the game begins in '"),
            "{detail}"
        );
    }
}

#[test]
fn a_wrong_move_of_a_record_is_named() {
    let server = Server::start();
    for (game, record, index, text) in [
        ("chess", "1. e4 e5 2. Ke3 *", 2, "Ke3"),
        ("chess", "1. e4 e5 1-0 2. Nf3", 2, "1-0"),
        ("connect-four", "448", 2, "8"),
        ("checkers", "1. 11-15 {unfinished", 0, ""),
    ] {
        let body = json!({"game": game, "moves": record});
        if text.is_empty() {
            assert_eq!(server.post("/position", body.to_string()).status, 200);
            continue;
        }
        let problem = server.post("/position", body.to_string()).problem(422, "illegal-move");
        assert_eq!(problem["field"], "/moves", "the field is one string");
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.starts_with(&format!("moves[{index}] '{text}'")), "{detail}");
        assert!(problem["allowed"].is_array());
    }
}

#[test]
fn every_route_with_moves_takes_a_record() {
    let server = Server::start();
    for path in ["/best-move", "/analyze", "/tree", "/position"] {
        let mut list = json!({"game": "tic-tac-toe", "moves": ["4", "0", "8"]});
        let mut record = json!({"game": "tic-tac-toe", "moves": "4 0 8"});
        if path == "/tree" {
            (list["depth"], record["depth"]) = (json!(2), json!(2));
        }
        let answers = [list, record].map(|body| server.post(path, body.to_string()).text());
        assert_eq!(answers[0], answers[1], "{path}");
        assert!(answers[0].contains("XO") || answers[0].contains("O..."), "{}", answers[0]);
    }
}

#[test]
fn a_script_gets_the_move_alone() {
    let server = Server::start();
    for query in ["game=chess&moves=e4,e5&depth=4", "game=checkers&depth=5", "game=tic-tac-toe"] {
        let answer = server.get(&format!("/best-move.txt?{query}"));
        let json = server.get(&format!("/best-move?{query}")).json();
        let best = json["best_move"].as_str().expect("a move");
        assert_eq!((answer.status, answer.text()), (200, format!("{best}\n")));
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
        assert_eq!(answer.header("cache-control"), Some("public, max-age=3600"));
        let tag = answer.header("etag").expect("a tag");
        let head = format!(
            "HEAD /best-move.txt?{query} HTTP/1.1\r\nhost: a\r\nif-none-match: {tag}\r\n\r\n"
        );
        assert_eq!(server.exchange(head.as_bytes()).status, 304);
    }
    server.get("/best-move.txt?game=go").problem(422, "unknown-game");
    server.get("/best-move.txt?game=tic-tac-toe&position=XXXOO....").problem(422, "game-over");
}
