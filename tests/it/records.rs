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
fn the_tag_fen_of_a_record_sets_the_start() {
    let server = Server::start();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let ending = "8/8/8/8/8/4k3/4p3/4K2R w K - 0 1";
    let short = "8/8/8/8/8/4k3/4p3/4K2R w K";
    let tagged = |fen: &str, moves: &str| {
        format!("[Event \"A [b] c\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{{[FEN \"none\"]}} {moves}")
    };
    let checkers = "W:W18:BK5";
    for (game, record, position, from, moves) in [
        ("chess", tagged(start, "1. e4"), Value::Null, start, json!(["e4"])),
        ("chess", tagged(ending, "1. Rh3+"), Value::Null, ending, json!(["h1h3"])),
        ("chess", tagged(ending, "1. Rh3+"), json!(short), ending, json!(["h1h3"])),
        ("chess", tagged(ending, "*"), Value::Null, ending, json!([])),
        ("checkers", tagged(checkers, "1. 18-15"), Value::Null, checkers, json!(["18-15"])),
        ("checkers", tagged(checkers, "1. 18-15"), json!(checkers), checkers, json!(["18-15"])),
    ] {
        let told = |position: &Value, moves: &Value| {
            let body = json!({"game": game, "position": position, "moves": moves});
            let answer = server.post("/position", body.to_string());
            assert_eq!(answer.status, 200, "{body}: {}", answer.text());
            answer.json()
        };
        assert_eq!(told(&position, &json!(record)), told(&json!(from), &moves), "{record}");
    }
    for (record, position, words) in [
        (tagged(start, "1. e4"), json!(ending), "its tag FEN says that the game begins in 'rnbq"),
        (tagged("nonsense", "1. e4"), Value::Null, "its tag FEN: expected a FEN"),
    ] {
        let body = json!({"game": "chess", "position": position, "moves": record});
        let problem = server.post("/position", body.to_string()).problem(422, "invalid-request");
        assert_eq!(problem["field"], "/moves");
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.starts_with("moves: ") && detail.contains(words), "{detail}");
    }
}

#[test]
fn a_wrong_move_of_a_record_is_named_with_its_place() {
    let server = Server::start();
    for (game, record, words) in [
        ("chess", "1. e4 e5\n2. Ke3 *", "moves[2] 'Ke3' at line 2, column 4: "),
        ("connect-four", "448", "moves[2] '8' at line 1, column 1: "),
        ("chess", "1. e4 e5 2. -- Nf6", "moves[2] '--' at line 1, column 13: a null move"),
        ("chess", "e4 Z0", "moves[1] 'Z0' at line 1, column 4: a null move"),
        ("checkers", "11-15 --", "moves[1] '--' at line 1, column 7: a null move"),
        ("checkers", "11 15", "moves[0] '11' at line 1, column 1: expected two squares"),
    ] {
        let body = json!({"game": game, "moves": record});
        let problem = server.post("/position", body.to_string()).problem(422, "illegal-move");
        assert_eq!(problem["field"], "/moves", "the field is one string");
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.starts_with(words), "{detail}");
        assert!(problem["allowed"].is_array());
    }
}

#[test]
fn no_text_of_a_record_is_swallowed() {
    let server = Server::start();
    for (game, record, words) in [
        ("chess", "1. e4 e5 2. Nf3 {quiet\n\n2... Nc6", "'{' opens at line 1, column 17"),
        ("chess", "1. e4 e5 (1... c5 2. Nf3", "'(' opens at line 1, column 10"),
        ("chess", "1. e4 [e5 2. Nf3", "'[' at line 1, column 7"),
        ("chess", "{1. e4 e5}", "no moves outside of comments"),
        ("chess", "e4; e5; Nf3", "the ';' at line 1, column 3 begins a comment"),
        ("connect-four", "4;4;3", "the ';' at line 1, column 2 begins a comment"),
        ("chess", "1. e4 e5 1-0\n\n[Event \"b\"]\n\n1. d4 d5 0-1", "holds 2 games"),
        ("chess", "1. e4 e5 1-0 2. Nf3", "holds 2 games"),
        ("checkers", "1. 11-15 {solid 23-19 2. 8-11", "'{' opens at line 1, column 10"),
        ("tic-tac-toe", "4 0 (8", "'(' opens at line 1, column 5"),
    ] {
        let body = json!({"game": game, "moves": record, "nodes": 100});
        for path in ["/best-move", "/review"] {
            let problem = server.post(path, body.to_string()).problem(422, "invalid-request");
            assert_eq!(problem["field"], "/moves");
            let detail = problem["detail"].as_str().expect("a detail");
            assert!(detail.contains(words), "{record}: {detail}");
        }
    }
}

#[test]
fn moves_may_be_integers_or_the_text_of_an_array() {
    let server = Server::start();
    for (game, told, moves) in [
        ("connect-four", json!([4, 4, 3]), json!(["4", "4", "3"])),
        ("connect-four", json!([4, "4", 3.0]), json!(["4", "4", "3"])),
        ("connect-four", json!("[4, 4, 3]"), json!(["4", "4", "3"])),
        ("connect-four", json!("4, 4, 3"), json!(["4", "4", "3"])),
        ("connect-four", json!(443), json!(["4", "4", "3"])),
        ("tic-tac-toe", json!([4, 0]), json!(["4", "0"])),
        ("chess", json!("[\"f3\",\"e5\"]"), json!(["f3", "e5"])),
        ("chess", json!("['f3', 'e5']"), json!(["f3", "e5"])),
        ("chess", json!("[f3, e5]"), json!(["f3", "e5"])),
        ("chess", json!("[\"e4\",\"f5\",\"Qh5\\u002B\"]"), json!(["e4", "f5", "Qh5"])),
        ("chess", json!("[]"), json!([])),
        ("checkers", json!("[\"11-15\"]"), json!(["11-15"])),
        ("chess", json!(["1. e4", "e5!", "2.Nf3±"]), json!(["e4", "e5", "Nf3"])),
    ] {
        assert_eq!(position(&server, game, &told), position(&server, game, &moves), "{told}");
    }
    let choose = |choices: Value| {
        let body = json!({"game": "tic-tac-toe", "search_moves": choices});
        let answer = server.post("/best-move", body.to_string());
        assert_eq!(answer.status, 200, "{body}: {}", answer.text());
        answer.text()
    };
    for choices in [json!([1, 2]), json!("1,2"), json!("[1, 2]"), json!("12")] {
        assert_eq!(choose(choices), choose(json!(["1", "2"])));
    }
}

#[test]
fn positions_may_be_the_text_of_an_array_or_an_object() {
    let server = Server::start();
    for (game, text, position) in [
        ("tic-tac-toe", "[[\"X\",null,\"\"],[0,\"O\",\" \"],\"...\"]", "X...O.... X"),
        (
            "tic-tac-toe",
            "{\"board\":[\"x..\",\".o.\",\"...\"],\"side_to_move\":\"x\"}",
            "X...O.... X",
        ),
        ("tic-tac-toe", "[1,0,0,0,2,0,0,0,0]", "X...O.... X"),
        ("tic-tac-toe", "[\"X\",0,0,0,\"O\",0,0,0,0]", "X...O.... X"),
        ("tic-tac-toe", "[\"X\",0,0,0,0,0,0,0,0]", "X........ O"),
        ("chess", "[FEN \"4k3/8/8/8/8/8/8/4K3 w - -\"]", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("chess", "\"4k3/8/8/8/8/8/8/4K3 w – –\"", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("checkers", "[FEN \"W:W18:BK5:H0:F1\"]", "W:W18:BK5"),
        ("checkers", "W:W18:BK5._", "W:W18:BK5"),
    ] {
        let body = json!({"game": game, "position": text});
        let answer = server.post("/position", body.to_string());
        assert_eq!(answer.status, 200, "{body}: {}", answer.text());
        assert_eq!(answer.json()["position"], position);
    }
}

#[test]
fn get_takes_the_moves_that_post_takes() {
    let server = Server::start();
    for (game, query, moves) in [
        ("connect-four", "443", json!(["4", "4", "3"])),
        ("connect-four", "4,4,3", json!(["4", "4", "3"])),
        ("connect-four", "4&moves=4,3", json!(["4", "4", "3"])),
        ("connect-four", "%5B4,4,3%5D", json!(["4", "4", "3"])),
        ("chess", "1.+e4+e5", json!(["e4", "e5"])),
        ("chess", "e4+e5", json!(["e4", "e5"])),
        ("chess", "e4_e5", json!(["e4", "e5"])),
        ("chess", "%5B%22e4%22,%22e5%22%5D", json!(["e4", "e5"])),
        ("checkers", "1.+11-15+23-19+*", json!(["11-15", "23-19"])),
    ] {
        let body = json!({"game": game, "moves": moves, "depth": 2});
        let posted = server.post("/best-move", body.to_string()).json();
        let got = server.get(&format!("/best-move?game={game}&moves={query}&depth=2"));
        assert_eq!(got.json(), posted, "{query}");
        let text = server.get(&format!("/best-move.txt?game={game}&moves={query}&depth=2")).text();
        assert_eq!(text, format!("{}\n", posted["best_move"].as_str().expect("a move")));
        assert_eq!(server.get(&format!("/board.svg?game={game}&moves={query}")).status, 200);
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
