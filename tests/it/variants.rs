//! The field `variant`, by every way in which the service is asked.

use crate::common::{Answer, JSON, Server};
use bestmove_engine::games::any::AnyGame;
use bestmove_engine::games::{catalogue, variants};
use serde_json::{Value, json};

/// All variants that are not the standard ones.
fn others() -> impl Iterator<Item = &'static dyn AnyGame> {
    catalogue().iter().flat_map(|game| variants(game.info().name).skip(1))
}

/// The body of a request of a variant, with these other members.
fn body(game: &dyn AnyGame, members: &Value) -> Value {
    let mut body = members.clone();
    body["game"] = game.info().name.into();
    body["variant"] = game.info().variant.into();
    body
}

#[track_caller]
fn answered(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[test]
fn every_route_answers_every_variant() {
    let server = Server::start();
    for game in others() {
        let (name, variant) = (game.info().name, game.info().variant);
        let first = game.info().moves.examples[0];
        let ask = |path: &str, members: Value| {
            let answer = answered(&server.post(path, body(game, &members).to_string()));
            assert_eq!((&answer["game"], &answer["variant"]), (&name.into(), &variant.into()));
            answer
        };
        let position = ask("/position", json!({}));
        assert_eq!(position["position"], game.info().start, "{variant}");
        ask("/position", json!({"position": game.info().start, "moves": [first]}));
        ask("/best-move", json!({"depth": 1}));
        ask("/best-move", json!({"level": 3, "seed": 1, "include": ["board", "legal_moves"]}));
        ask("/analyze", json!({"depth": 1, "search_moves": first}));
        ask("/tree", json!({"depth": 1}));
        ask("/review", json!({"moves": first, "nodes": 100}));
        let query = format!("game={name}&variant={variant}&depth=1");
        let by_query = answered(&server.get(&format!("/best-move?{query}")));
        assert_eq!(by_query["variant"], variant);
        let move_alone = server.get(&format!("/best-move.txt?{query}")).text();
        assert_eq!(move_alone.trim_end(), by_query["best_move"]);
        let picture = server.get(&format!("/board.svg?game={name}&variant={variant}"));
        assert_eq!(picture.status, 200, "{}", picture.text());
        let line = body(game, &json!({"depth": 1})).to_string();
        let batch = server.send(
            "POST",
            "/best-move/batch",
            &[("content-type", "application/x-ndjson")],
            line.as_bytes(),
        );
        assert_eq!(batch.json(), by_query);
        let stream = server.stream("/best-move/stream", &[JSON], line.as_bytes()).text();
        assert!(stream.contains(&format!(r#""variant":"{variant}""#)), "{stream}");
    }
}

#[test]
fn the_standard_variant_is_the_one_that_may_be_left_out() {
    let server = Server::start();
    for game in catalogue() {
        let name = game.info().name;
        let query = format!("/best-move?game={name}&depth=2");
        let [implied, named] = [&query, &format!("{query}&variant={}", game.info().variant)]
            .map(|target| server.get(target));
        assert_eq!(answered(&implied).get("variant"), None);
        assert_eq!(implied.body, named.body);
        assert_eq!(implied.header("etag"), named.header("etag"));
    }
}

#[test]
fn variants_are_listed_with_what_tells_them_apart() {
    let server = Server::start();
    for game in catalogue() {
        let described = server.get(&format!("/games/{}", game.info().name)).json();
        let listed = described["variants"].as_array().expect("variants are listed");
        let names: Vec<_> = variants(game.info().name).map(|it| it.info().variant).collect();
        let listed_names: Vec<_> = listed.iter().map(|variant| &variant["name"]).collect();
        assert_eq!(listed_names, names);
        for member in ["start", "board", "algorithms", "max_depth"] {
            assert_eq!(listed[0][member], described[member], "{member} of the standard variant");
        }
        for variant in listed {
            let evaluators = variant["evaluators"].as_array().expect("it has evaluators");
            let are_described = evaluators.iter().all(|name| {
                let all = described["evaluators"].as_array().into_iter().flatten();
                all.into_iter().any(|evaluator| evaluator["name"] == *name)
            });
            assert!(are_described, "{variant}");
        }
    }
}

#[test]
fn an_unknown_variant_is_a_problem_with_the_names_that_there_are() {
    let server = Server::start();
    let body = json!({"game": "connect-four", "variant": "3x3", "moves": "1", "depth": 1});
    let routes = ["/best-move", "/best-move/stream", "/analyze", "/analyze/stream", "/tree"];
    for path in routes {
        let problem = server.post(path, body.to_string()).problem(422, "invalid-request");
        assert_eq!(problem["field"], "/variant", "{path}");
        let names: Vec<_> = variants("connect-four").map(|game| game.info().variant).collect();
        assert_eq!(problem["allowed"], json!(names), "{path}");
    }
    for path in ["/best-move", "/best-move.txt", "/board.svg"] {
        let target = format!("{path}?game=connect-four&variant=3x3");
        let problem = server.get(&target).problem(422, "invalid-request");
        assert_eq!(problem["field"], "/variant", "{path}");
    }
}

#[test]
fn answers_of_variants_are_kept_and_counted_apart() {
    let server = Server::start();
    let of = |variant: &str| {
        let target = format!("/best-move?game=connect-four&variant={variant}&depth=2");
        server.get(&target)
    };
    assert_ne!(of("8x7").header("etag"), of("7x7").header("etag"));
    let metrics = server.get("/metrics").text();
    for variant in ["8x7", "7x7"] {
        let label = format!(r#"{{game="connect-four",variant="{variant}","#);
        assert!(metrics.contains(&label), "{variant}: {metrics}");
    }
}

#[test]
fn the_tag_of_a_record_names_the_variant() {
    let server = Server::start();
    let record = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/R4K1R w HA - 0 1\"]\n\n1. O-O *";
    let body = json!({"game": "chess", "moves": record});
    let answer = answered(&server.post("/position", body.to_string()));
    assert_eq!(answer["variant"], "chess960");
    assert_eq!(answer["position"], "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
    assert_eq!(answer["last_move"]["move"], "f1h1");
    let start = json!({"game": "chess", "variant": "chess960", "position": "chess960:0"});
    let answer = answered(&server.post("/position", start.to_string()));
    assert_eq!(answer["position"], "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1");
}
