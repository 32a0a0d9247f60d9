//! `POST /review`: what each move of a game was worth.

use std::io::Write;
use std::time::Instant;

use crate::common::{Answer, JSON, Server, Setup, read_chunk, request, sample};
use serde_json::{Value, json};

fn post(server: &Server, path: &str, body: &Value) -> Value {
    let answer = server.post(path, body.to_string());
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    answer.json()
}

fn list<'a>(value: &'a Value, field: &str) -> &'a Vec<Value> {
    value[field].as_array().unwrap_or_else(|| panic!("{field} is no list in {value}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Expected points by the formula of the contract; `value` is `score / (|score| + k)`.
fn expected_points(evaluation: &Value) -> f64 {
    match evaluation["outcome"].as_str() {
        Some("win") => 1.0,
        Some("draw") => 0.5,
        Some("loss") => 0.0,
        _ => {
            let value = number(&evaluation["value"]);
            // |score| / k = |value| / (1 - |value|)
            let in_half_values = value / (1.0 - value.abs());
            1.0 / (1.0 + 3_f64.powf(-in_half_values))
        }
    }
}

fn label(loss: f64, [before, after]: [f64; 2]) -> &'static str {
    let is_decided = before.max(after) <= 0.15 || before.min(after) >= 0.85;
    match loss {
        loss if loss <= 0.0 => "best",
        loss if loss <= 0.02 => "excellent",
        loss if loss <= 0.05 => "good",
        loss if loss <= 0.10 || is_decided => "inaccuracy",
        loss if loss <= 0.20 => "mistake",
        _ => "blunder",
    }
}

const LIMITS: Option<u64> = Some(2_000);

fn games() -> Vec<(&'static str, Value, Value)> {
    vec![
        ("chess", Value::Null, json!(["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7"])),
        ("chess", json!("4k3/P7/8/8/8/8/8/4K2R b K - 0 1"), json!("Kd7 O-O Kc6 a8=Q+ Kb6")),
        ("checkers", Value::Null, json!("1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20")),
        ("connect-four", Value::Null, json!("4455667")),
        ("tic-tac-toe", Value::Null, json!(["0", "1", "4", "8"])),
        ("tic-tac-toe", json!("......... O"), json!("048")),
    ]
}

#[test]
fn the_numbers_of_a_review_add_up() {
    let server = Server::start();
    for (game, start, moves) in games() {
        let body = json!({"game": game, "position": start, "moves": moves, "nodes": LIMITS});
        let review = post(&server, "/review", &body);
        let first =
            post(&server, "/position", &json!({"game": game, "position": start}))["side_to_move"]
                .clone();
        let mut played: Vec<Value> = Vec::new();
        let mut before: Option<Value> = None;
        for (index, of) in list(&review, "moves").iter().enumerate() {
            assert_eq!(of["ply"], json!(index + 1));
            let so_far = json!({"game": game, "position": start, "moves": played});
            let there = post(&server, "/position", &so_far);
            assert_eq!(of["side"], there["side_to_move"]);
            if let Some(before) = before.take() {
                assert_eq!(before, of["best"]["evaluation"], "of the position after the last move");
            }
            check_moves(of, list(&there, "legal_moves"));
            check_loss(of, &first, list(&there, "legal_moves").len());
            before = Some(of["evaluation"].clone());
            played.push(of["move"].clone());
        }
        let end =
            post(&server, "/position", &json!({"game": game, "position": start, "moves": played}));
        for field in ["position", "side_to_move", "state", "winner", "reason", "line"] {
            assert_eq!(review[field], end[field], "{game} {field}");
        }
        check_sides(&review, &first);
    }
}

/// The move and the best one are legal, and shown as `/position` shows them.
fn check_moves(of: &Value, legal: &[Value]) {
    for shown in [&of["played"], &of["best"]] {
        let told = legal.iter().find(|mv| mv["move"] == shown["move"]).expect("the move is legal");
        for part in ["san", "path", "captures", "promotion", "also"] {
            assert_eq!(shown[part], told[part]);
        }
    }
    assert_eq!([&of["move"], &of["san"]], [&of["played"]["move"], &of["played"]["san"]]);
    assert_eq!(of["best"]["move"], of["best"]["principal_variation"][0]);
}

fn check_loss(of: &Value, first: &Value, choices: usize) {
    let [best, after] = [&of["best"]["evaluation"], &of["evaluation"]];
    let own = |points: f64| if of["side"] == *first { points } else { 1.0 - points };
    let shown = [&of["expected"]["before"], &of["expected"]["after"]].map(number);
    for (shown, evaluation) in shown.into_iter().zip([best, after]) {
        let expected = own(expected_points(evaluation));
        assert!((shown - expected).abs() < 6e-5, "{shown} is not {expected}: {of}");
    }
    let loss = number(&of["loss"]);
    let in_decimals = |number: f64| (number * 1e4).round() as i64;
    let fall = in_decimals(shown[0]) - in_decimals(shown[1]);
    assert_eq!(in_decimals(loss), fall.max(0), "{of}");
    for number in [loss, shown[0], shown[1]] {
        assert!((number * 1e4 - (number * 1e4).round()).abs() < 1e-6, "four decimals: {number}");
    }
    let is_best = of["best"]["move"] == of["played"]["move"];
    assert!(in_decimals(loss) == 0 || !is_best, "the best move loses nothing: {of}");
    let expected = if choices == 1 { "forced" } else { label(loss, shown) };
    assert_eq!(of["label"], expected, "{of}");
    let is_proven = [best, after].iter().all(|evaluation| evaluation["outcome"] != "unknown");
    assert_eq!(of["proven"] == true, is_proven, "{of}");
}

#[test]
fn a_lost_game_tells_which_moves_hastened_the_loss() {
    let server = Server::start();
    // The side that moves second has lost Connect Four from the start, and O this game of tic-tac-toe after its first one.
    let games = [("connect-four", "44444221", [8]), ("tic-tac-toe", "0138", [4])];
    for (game, moves, hastened) in games {
        let review = post(&server, "/review", &json!({"game": game, "moves": moves}));
        let told = list(&review, "moves");
        let named = told.iter().filter(|mv| mv["hastened"].is_u64());
        let plies: Vec<_> = named.map(|mv| mv["ply"].as_u64().expect("a number")).collect();
        assert_eq!(plies, hastened, "{review}");
        for mv in told.iter().filter(|mv| mv["hastened"].is_u64()) {
            let plies = |evaluation: &Value| evaluation["plies"].as_u64().expect("a proof");
            let [best, own] = [plies(&mv["best"]["evaluation"]), 1 + plies(&mv["evaluation"])];
            assert_eq!((mv["hastened"].as_u64(), &mv["label"]), (Some(best - own), &json!("best")));
        }
    }
}

#[test]
fn what_best_move_proves_the_review_says_too() {
    let server = Server::start();
    for (game, start, moves) in games() {
        let body = json!({"game": game, "position": start, "moves": moves, "nodes": LIMITS});
        let mut played: Vec<Value> = Vec::new();
        let review = post(&server, "/review", &body);
        let first = &list(&review, "moves")[0]["side"];
        for of in list(&review, "moves") {
            let mut question = json!({"game": game, "position": start, "moves": played});
            question["nodes"] = json!(LIMITS);
            let answer = post(&server, "/best-move", &question);
            let told = match answer["evaluation"]["outcome"].as_str() {
                Some("win") if of["side"] != *first => "loss",
                Some("loss") if of["side"] != *first => "win",
                Some(same) => same,
                None => panic!("{answer}"),
            };
            if told != "unknown" {
                assert_eq!(of["best"]["evaluation"]["outcome"], told, "{game} {of}");
            }
            played.push(of["move"].clone());
        }
    }
}

/// Games that ended by mate, with the side that was mated.
const MATES: [(&str, &str); 5] = [
    (
        "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 \
         10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8#",
        "black",
    ),
    (
        "1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5 6. dxe5 Qa5+ 7. Bd2 Qxe5 8. O-O-O Nxe4 9. Qd8+ Kxd8 10. Bg5+ Kc7 11. Bd8#",
        "black",
    ),
    ("1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5#", "black"),
    ("1. f3 e5 2. g4 Qh4#", "white"),
    (
        "1. e4 b6 2. d4 Bb7 3. Bd3 f5 4. exf5 Bxg2 5. Qh5+ g6 6. fxg6 Nf6 7. gxh7+ Nxh5 8. Bg6#",
        "black",
    ),
];

#[test]
fn who_is_mated_has_made_a_mistake_however_few_nodes_see_it() {
    let server = Server::start();
    for (moves, mated) in MATES.into_iter().take(sample(MATES.len())) {
        for nodes in [300, 3_000] {
            let review =
                post(&server, "/review", &json!({"game": "chess", "moves": moves, "nodes": nodes}));
            let side = list(&review, "sides").iter().find(|side| side["side"] == mated);
            let labels = &side.expect("the side is there")["labels"];
            let faults = ["mistake", "blunder"].iter().filter(|label| labels[**label] != 0).count();
            assert!(faults > 0, "{nodes} nodes: {labels} {moves}");
            for of in list(&review, "moves") {
                check_swing(of);
            }
        }
    }
}

/// No value falls far without a loss.
fn check_swing(of: &Value) {
    let sign = if of["side"] == "white" { 1.0 } else { -1.0 };
    let [before, after] =
        [&of["best"]["evaluation"], &of["evaluation"]].map(|it| sign * number(&it["value"]));
    let is_held = before - after <= 0.3 || number(&of["loss"]) >= 0.02;
    assert!(is_held || of["label"] == "forced", "{of}");
}

#[test]
fn a_loss_that_nothing_could_prevent_is_nobodys_mistake() {
    let server = Server::start();
    // The first side wins by perfect play of both, which few nodes do not prove in the middle of the game.
    let moves = "44444432655555323332267623526661117777711";
    let review = post(&server, "/review", &json!({"game": "connect-four", "moves": moves}));
    for of in list(&review, "moves") {
        assert!(number(&of["loss"]) <= 0.02, "{of}");
    }
}

/// By proofs every move of these lines is the best one. Both games are lost from the first move on, which a search of as
/// many positions as the request asks for does not see.
#[test]
fn the_best_move_of_a_lost_ending_is_no_blunder() {
    let server = Server::start();
    let lost = [
        (
            "...OO.X...O.OXX...OOXOOO.XOXXXOO.OOXXOXO.OOOOOOO...OOOXX...OOOOO X",
            "b3 f1 a6 a5 a4 d2 a7 a2 c1 b1 a1 a3 b2 a8 h1 h2 c7 b7 b8 c8",
        ),
        (
            "O.XXXOOO.OXXXOO.OOOXOOX.OOOOOXXOOOOXXXXXO.OXXX.....O......X.O... X",
            "h3 f7 h2 g6 b6 h6 d8 b8 e7 a7 a2 b1 a8 f8 c7 b7 g8 g7 h7 h8",
        ),
    ];
    for (position, moves) in lost.into_iter().take(sample(lost.len())) {
        let request =
            json!({"game": "othello", "position": position, "moves": moves, "nodes": 20_000});
        for of in list(&post(&server, "/review", &request), "moves") {
            assert!(number(&of["loss"]) <= 0.05, "{of}");
        }
    }
}

fn check_sides(review: &Value, first: &Value) {
    let sides = list(review, "sides");
    assert_eq!((sides.len(), &sides[0]["side"]), (2, first));
    for side in sides {
        let own = list(review, "moves").iter().filter(|of| of["side"] == side["side"]);
        let own: Vec<_> = own.collect();
        let labels = side["labels"].as_object().expect("labels are counted");
        assert_eq!(labels.len(), 7);
        for (label, count) in labels {
            assert_eq!(*count, json!(own.iter().filter(|of| of["label"] == *label).count()));
        }
        let accuracy = |of: &&&Value| {
            (103.1668 * (-4.354 * number(&of["loss"])).exp() - 3.1669).clamp(0.0, 100.0)
        };
        let mean = own.iter().map(|of| accuracy(&of)).sum::<f64>() / f64::from(own.len() as u32);
        assert!((number(&side["accuracy"]) - mean).abs() < 0.006, "{side}: {mean}");
    }
}

#[test]
fn a_lost_game_shows_where_it_was_lost() {
    let server = Server::start();
    let mate = post(
        &server,
        "/review",
        &json!({"game": "chess", "moves": "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#", "nodes": 3000}),
    );
    let moves = list(&mate, "moves");
    assert_eq!(
        (&moves[5]["label"], &moves[5]["evaluation"]["outcome"]),
        (&json!("blunder"), &json!("win"))
    );
    assert_eq!((&moves[6]["label"], &moves[6]["loss"]), (&json!("best"), &json!(0.0)));
    let told = ["state", "winner", "reason"].map(|field| mate[field].clone());
    assert_eq!(told, ["won", "white", "checkmate"].map(Value::from));
    assert_eq!(moves[6]["evaluation"], json!({"outcome": "win", "score": 32000, "value": 1.0}));
    // The reply at the edge loses to a corner.
    let lost = post(&server, "/review", &json!({"game": "tic-tac-toe", "moves": "01"}));
    assert_eq!(list(&lost, "moves")[1]["label"], "blunder");
    assert_eq!(list(&lost, "moves")[1]["loss"], json!(0.5));
    assert_eq!(list(&lost, "moves")[1]["proven"], true);
}

#[test]
fn a_review_is_a_pure_function_of_the_request() {
    let mut setup = Setup::default();
    setup.service.workers = 5;
    let [one, other] = [Server::start(), Server::with(setup)];
    let body =
        json!({"game": "checkers", "moves": "11-15 23-19 8-11 22-17", "nodes": 3000}).to_string();
    let first = one.post("/review", &body);
    assert_eq!(first.body, one.post("/review", &body).body);
    assert_eq!(first.body, other.post("/review", &body).body);
    assert!(first.header("server-timing").is_some());
}

#[test]
fn a_wrong_request_is_told() {
    let server = Server::start();
    for (body, name, field) in [
        (json!({"game": "chess"}), "invalid-request", "/moves"),
        (json!({"game": "chess", "moves": []}), "invalid-request", "/moves"),
        (json!({"game": "chess", "moves": vec!["e4"; 1001]}), "invalid-request", "/moves"),
        (json!({"moves": ["e4"]}), "invalid-request", "/game"),
        (json!({"game": "go", "moves": ["e4"]}), "unknown-game", "/game"),
        (json!({"game": "chess", "moves": ["e4", "e4"]}), "illegal-move", "/moves/1"),
        (json!({"game": "chess", "moves": "e4 e4"}), "illegal-move", "/moves"),
        (
            json!({"game": "tic-tac-toe", "position": "XXXOO....", "moves": "8"}),
            "illegal-move",
            "/moves",
        ),
        (json!({"game": "chess", "moves": ["e4"], "depth": 0}), "invalid-request", "/depth"),
        (json!({"game": "chess", "moves": ["e4"], "depth": 1000}), "invalid-request", "/depth"),
        (json!({"game": "chess", "moves": ["e4"], "level": "master"}), "invalid-request", "/level"),
    ] {
        for path in ["/review", "/review/stream"] {
            let problem = server.post(path, body.to_string()).problem(422, name);
            assert_eq!(problem["field"], field, "{problem}");
        }
    }
}

#[test]
fn the_stream_tells_each_move_and_then_all() {
    let server = Server::start();
    let body = json!({"game": "connect-four", "moves": "44535", "nodes": 2000}).to_string();
    let stream = server.stream("/review/stream", &[JSON], body.as_bytes()).text();
    let whole = server.post("/review", &body);
    let events: Vec<(&str, &str)> = stream
        .split("\n\n")
        .filter_map(|event| event.strip_prefix("event: ")?.split_once("\ndata: "))
        .collect();
    let told = |(_, data): &(&str, &str)| -> Value {
        serde_json::from_str(data.lines().next().expect("data")).expect("JSON")
    };
    let searches: Vec<_> = events.iter().filter(|event| event.0 == "search").map(told).collect();
    assert!(searches.len() >= 6, "each position is searched: {searches:?}");
    for (index, event) in searches.iter().enumerate() {
        assert_eq!(event["searched"], json!(index + 1));
    }
    assert_eq!(searches[searches.len() - 1]["searches"], json!(searches.len()));
    let progress: Vec<_> = events.iter().filter(|event| event.0 == "progress").map(told).collect();
    assert_eq!(
        progress.iter().map(|event| &event["move"]).collect::<Vec<_>>(),
        list(&whole.json(), "moves").iter().collect::<Vec<_>>()
    );
    assert_eq!((&progress[4]["reviewed"], &progress[4]["plies"]), (&json!(5), &json!(5)));
    let (name, data) = events.last().expect("the last event");
    assert_eq!((*name, *data), ("result", &*format!("{}\nid: end", whole.text())));
}

/// A review that does not end in a lifetime, and that no book shortens.
fn endless() -> Vec<u8> {
    let body = json!({"game": "chess", "moves": "e4 e5 Nf3", "algorithm": "minimax", "depth": 40});
    body.to_string().into_bytes()
}

#[test]
fn a_review_stops_when_its_client_leaves() {
    for path in ["/review", "/review/stream"] {
        let server = Server::start();
        let mut client = server.connect();
        client.write_all(&request("POST", path, &[JSON], &endless())).expect("the server reads");
        server.await_metric("bestmove_searches_running", 2.0);
        drop(client);
        server.await_metric("bestmove_searches_running", 0.0);
        server.await_metric("bestmove_searches_waiting", 0.0);
    }
}

#[test]
fn single_requests_go_before_a_review() {
    let mut setup = Setup::default();
    setup.service.workers = 1;
    let server = Server::with(setup);
    let mut client = server.connect();
    let body = json!({"game": "chess", "moves": vec!["Nf3", "Nf6", "Ng1", "Ng8"], "time_ms": 100});
    let start = Instant::now();
    client
        .write_all(&request("POST", "/review", &[JSON], body.to_string().as_bytes()))
        .expect("sent");
    server.await_metric("bestmove_searches_running", 1.0);
    let answer = server.post("/best-move", r#"{"game":"tic-tac-toe"}"#);
    assert_eq!(answer.status, 200);
    // The review takes more than ten times as long as one of its searches; the single one waits for one of them at most.
    let waited = start.elapsed();
    assert_eq!(Answer::read(&mut client).expect("a review").status, 200);
    assert!(waited < start.elapsed() / 2, "{waited:?}");
}

#[test]
fn a_review_that_was_admitted_is_answered_while_the_service_drains() {
    let mut server = Server::start();
    let mut client = server.connect();
    let body = json!({"game": "chess", "moves": "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", "time_ms": 100});
    client
        .write_all(&request("POST", "/review", &[JSON], body.to_string().as_bytes()))
        .expect("sent");
    server.await_metric("bestmove_searches_running", 2.0);
    server.signal();
    server.await_status("/health/ready", 503);
    server.post("/review", body.to_string()).problem(503, "overloaded");
    let answer = Answer::read(&mut client).expect("the review");
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(list(&answer.json(), "moves").len(), 8);
    server.join();
}

#[test]
fn the_stream_begins_before_the_review_ends() {
    let server = Server::start();
    let mut client = server.connect();
    let body = json!({"game": "chess", "moves": "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", "time_ms": 500});
    let start = Instant::now();
    client
        .write_all(&request("POST", "/review/stream", &[JSON], body.to_string().as_bytes()))
        .expect("sent");
    assert_eq!(Answer::read_head(&mut client).expect("a head").status, 200);
    let mut text = String::new();
    while !text.contains("event: search") {
        let chunk = read_chunk(&mut client).expect("a chunk").expect("the stream goes on");
        text.push_str(&String::from_utf8_lossy(&chunk));
    }
    assert!(start.elapsed().as_secs_f64() < 2.0, "{:?}", start.elapsed());
}

#[test]
fn values_of_a_review_are_told_from_the_view_that_is_asked_for() {
    let server = Server::start();
    let game = |view: Value| {
        let position = "4k3/8/8/8/8/8/8/R3K3 b - - 0 1";
        let request = json!({"game": "chess", "position": position, "moves": "Kd7 Ra7", "depth": 3, "view": view});
        post(&server, "/review", &request)
    };
    let values = |review: &Value| -> Vec<f64> {
        let moves = review["moves"].as_array().expect("moves");
        let both = moves.iter().flat_map(|mv| [&mv["evaluation"], &mv["best"]["evaluation"]]);
        both.map(|it| it["value"].as_f64().expect("a value")).collect()
    };
    let (mover, first) = (game(json!("mover")), game(json!("first")));
    assert!(values(&mover).iter().all(|&value| value < 0.0), "Black has nothing but a king");
    assert_eq!(values(&first), values(&mover).iter().map(|value| -value).collect::<Vec<_>>());
    let (lost, seen) = (&mover["moves"][0]["loss"], &first["moves"][0]["loss"]);
    assert_eq!(
        (lost, &mover["sides"]),
        (seen, &first["sides"]),
        "points stay those of the side that moved"
    );
    assert_eq!(game(Value::Null), mover);
    let wrong = json!({"game": "chess", "moves": "e4", "view": "white"}).to_string();
    server.post("/review", wrong).problem(422, "invalid-request");
}
