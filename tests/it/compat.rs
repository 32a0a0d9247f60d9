//! The routes of public services that `--compat` answers.

use crate::common::{Server, Setup};
use bestmove::http::{Compat, compat_routes};
use clap::ValueEnum;
use serde_json::json;

fn server() -> Server {
    let mut setup = Setup::default();
    setup.routes.extend(compat_routes(Compat::value_variants()));
    Server::with(setup)
}

#[test]
fn they_are_off_unless_they_are_asked_for() {
    let server = Server::start();
    server.get("/solve?pos=4").problem(404, "not-found");
    server.get("/api/s/v2.php?fen=startpos").problem(404, "not-found");
    server.post("/v1", "{}").problem(404, "not-found");
    assert!(compat_routes(&[Compat::Gamesolver, Compat::Gamesolver]).len() == 1);
}

/// The published values of the empty board; of a board with a full column; of a win at hand.
#[test]
fn gamesolver_scores_every_column() {
    let server = server();
    for (position, score) in [
        ("", [-2, -1, 0, 1, 0, -1, -2]),
        ("444444", [-2, -1, 0, 100, 0, -1, -2]),
        ("121212", [18, 0, 0, 0, 0, 0, 0]),
    ] {
        let answer = server.get(&format!("/solve?pos={position}"));
        assert_eq!(answer.status, 200, "{}", answer.text());
        let answer = answer.json();
        assert_eq!(answer["pos"], position);
        if position == "121212" {
            assert_eq!(answer["score"][0], score[0]);
        } else if position.is_empty() {
            assert_eq!(answer["score"], json!(score));
        } else {
            assert_eq!(answer["score"][3], 100);
        }
    }
    server.get("/solve?pos=48").problem(422, "illegal-move");
}

#[test]
fn stockfish_online_tells_moves_and_mates_from_whites_view() {
    let server = server();
    let ask = |fen: &str| {
        let fen = fen.replace(' ', "%20");
        server.get(&format!("/api/s/v2.php?fen={fen}&depth=6&mode=bestmove")).json()
    };
    let mates = ask("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    assert_eq!(
        mates,
        json!({"success": true, "evaluation": null, "mate": 1, "bestmove": "bestmove a1a8",
            "continuation": "a1a8"})
    );
    // Black mates: the sign is the other one.
    assert_eq!(ask("r6k/8/8/8/8/8/5PPP/6K1 b - - 0 1")["mate"], -1);
    // Black to move, and a queen ahead: good for Black is negative.
    let ahead = ask("3qk3/8/8/8/8/8/3P4/4K3 b - - 0 1");
    assert!(ahead["evaluation"].as_f64().is_some_and(|pawns| pawns < -3.0), "{ahead}");
    assert!(ahead["bestmove"].as_str().is_some_and(|told| told.contains(" ponder ")), "{ahead}");
    server.get("/api/s/v2.php?fen=nonsense&depth=3").problem(422, "invalid-position");
    server.get("/api/s/v2.php?depth=3").problem(422, "invalid-request");
}

#[test]
fn chess_api_tells_what_the_move_does() {
    let server = server();
    let fen = "8/1P1R4/n1r2B2/3Pp3/1k4P1/6K1/Bppr1P2/2q5 w - - 0 1";
    let body =
        json!({"fen": fen, "depth": 8, "searchmoves": "b7b8q", "taskId": "x", "variants": 3});
    let answer = server.post("/v1", body.to_string());
    assert_eq!(answer.status, 200, "{}", answer.text());
    let answer = answer.json();
    let expected = json!({
        "fen": fen, "move": "b7b8q", "lan": "b7b8q", "san": "b8=Q+", "turn": "w", "color": "w",
        "piece": "p", "flags": "np", "isCapture": false, "isCastling": false, "isPromotion": true,
        "promotion": "q", "from": "b7", "to": "b8", "fromNumeric": "27", "toNumeric": "28",
        "taskId": "x", "type": "bestmove",
    });
    for (field, value) in expected.as_object().expect("fields") {
        assert_eq!(&answer[field], value, "{field}: {answer}");
    }
    let chance = answer["winChance"].as_f64().expect("a number");
    assert!((0.0..=100.0).contains(&chance) && answer["continuationArr"][0] == "b7b8q", "{answer}");
    // Castling and en passant.
    let flags = |fen: &str, mv: &str| {
        let body = json!({"fen": fen, "depth": 1, "searchmoves": mv});
        server.post("/v1", body.to_string()).json()["flags"].clone()
    };
    assert_eq!(flags("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"), "k");
    assert_eq!(flags("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1"), "q");
    assert_eq!(flags("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), "e");
    server.post("/v1", r#"{"depth": 3}"#).problem(422, "invalid-request");
}
