//! `GET /games` and `GET /games/{game}`.

use crate::common::Server;
use serde_json::{Value, json};

fn games(server: &Server) -> Vec<Value> {
    let list = server.get("/games").json();
    list["games"].as_array().expect("games are listed").clone()
}

#[test]
fn each_game_of_the_list_is_found_by_its_name() {
    let server = Server::start();
    for game in games(&server) {
        let name = game["name"].as_str().expect("a game has a name");
        assert_eq!(server.get(&format!("/games/{name}")).json(), game);
    }
}

#[test]
fn every_example_of_a_notation_is_accepted() {
    let server = Server::start();
    for game in games(&server) {
        let ask = |field: &str, value: &Value| {
            let body = json!({"game": game["name"], "depth": 1, field: value});
            let answer = server.post("/best-move", body.to_string());
            assert_eq!(answer.status, 200, "{body}: {}", answer.text());
        };
        ask("position", &game["start"]);
        let examples = |of: &str| game[of]["examples"].as_array().cloned().unwrap_or_default();
        for position in examples("positions") {
            ask("position", &position);
        }
        // The first of them opens a game; the others show what else a move may look like.
        ask("search_moves", &json!([examples("moves")[0]]));
    }
}

#[test]
fn what_a_game_offers_can_be_asked_for() {
    let server = Server::start();
    for game in games(&server) {
        let names = |of: &str| game[of].as_array().cloned().unwrap_or_default();
        for algorithm in names("algorithms") {
            let body = json!({"game": game["name"], "depth": 1, "algorithm": algorithm});
            assert_eq!(server.post("/best-move", body.to_string()).status, 200, "{body}");
        }
        for evaluator in names("evaluators") {
            let name = &evaluator["name"];
            let body = json!({"game": game["name"], "depth": 1, "evaluator": name});
            let answer = server.post("/best-move", body.to_string()).json();
            assert_eq!(&answer["search"]["evaluator"], name, "{body}");
        }
        let beyond = game["max_depth"].as_u64().expect("there is a limit") + 1;
        let body = json!({"game": game["name"], "depth": beyond});
        server.post("/best-move", body.to_string()).problem(422, "invalid-request");
    }
}

#[test]
fn a_game_that_does_not_exist_is_not_found() {
    let server = Server::start();
    for path in ["/games/go", "/games/%ff", "/games/%2F", "/games//"] {
        server.get(path).problem(404, "not-found");
    }
}
