//! Boards, paths and captures: a client that knows them needs no rules and no notation.

use std::collections::HashSet;

use crate::common::{Server, sample};
use bestmove_engine::games::catalogue;
use insta::assert_snapshot;
use serde_json::{Value, json};

fn ask(server: &Server, body: &Value) -> Value {
    let answer = server.post("/position", body.to_string());
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    answer.json()
}

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().map_or(&[], Vec::as_slice)
}

fn game_names() -> impl Iterator<Item = &'static str> {
    catalogue().iter().map(|game| game.info().name)
}

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}

/// A board as a client keeps it: cells, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cells(Value);

impl Cells {
    fn at(&mut self, square: &Value) -> &mut Value {
        let index = |axis: usize| square[axis].as_u64().expect("squares are numbers") as usize;
        let (row, column) = (index(0), index(1));
        &mut self.0[row][column]
    }

    /// Makes a move from its description alone. `own` is the first piece of the side to move.
    fn make(&mut self, mv: &Value, own: &Value) {
        let path = list(mv, "path");
        if path.is_empty() {
            assert_eq!(mv["move"], "pass", "{mv}");
            return;
        }
        let (first, last) = (&path[0], &path[path.len() - 1]);
        let piece = match path.len() {
            1 => own.clone(),
            _ => self.at(first).take(),
        };
        if path.len() > 1 {
            *self.at(first) = json!("");
        }
        for square in list(mv, "captures") {
            assert_ne!(*self.at(square), json!(""), "a piece vanishes: {mv}");
            *self.at(square) = json!("");
        }
        assert_eq!(*self.at(last), json!(""), "the last square is free: {mv}");
        *self.at(last) = mv.get("promotion").cloned().unwrap_or(piece);
        for square in list(mv, "flips") {
            assert!(*self.at(square) != json!("") && self.at(square) != own, "{mv}");
            *self.at(square) = own.clone();
        }
        if let [from, to] = list(mv, "also") {
            let second = self.at(from).take();
            *self.at(from) = json!("");
            *self.at(to) = second;
        }
    }
}

/// Plays a random game; the board of every move is made by hand and compared with the service's.
fn replay(server: &Server, game: &str, start: Option<&str>, seed: u64) -> usize {
    let mut random = Random(seed);
    let mut moves: Vec<Value> = Vec::new();
    let about = server.get(&format!("/games/{game}")).json();
    let mut there = ask(server, &json!({"game": game, "position": start}));
    while there["state"] == "ongoing" && moves.len() < 120 {
        let legal = list(&there, "legal_moves");
        let chosen = &legal[random.below(legal.len())];
        let mut cells = Cells(there["board"].clone());
        let mut pieces = list(&about, "pieces").iter();
        let own = pieces.find(|piece| piece["side"] == there["side_to_move"]).expect("a piece");
        cells.make(chosen, &own["name"]);
        moves.push(chosen["move"].clone());
        let next = ask(server, &json!({"game": game, "position": start, "moves": moves}));
        assert_eq!(cells.0, next["board"], "{game} {chosen} in {}", there["position"]);
        assert_eq!(next["last_move"]["path"], chosen["path"]);
        assert_eq!(next["last_move"]["captures"], chosen["captures"]);
        for field in [
            "position",
            "state",
            "winner",
            "reason",
            "line",
            "margin",
            "check",
            "must_capture",
            "must_pass",
        ] {
            assert_eq!(next[field], chosen[field], "{field} after {chosen}");
        }
        there = next;
    }
    moves.len()
}

#[test]
fn random_games_of_every_game_can_be_followed_by_coordinates_alone() {
    let server = Server::start();
    for game in game_names() {
        for seed in (1..).take(sample(12)) {
            assert!(replay(&server, game, None, seed) > 4, "{game}");
        }
    }
}

#[test]
fn promotions_castling_en_passant_and_long_captures_can_be_followed_too() {
    let server = Server::start();
    for (game, position) in [
        ("chess", "r3k2r/pPpp1ppp/8/8/4p3/8/PPPP1PpP/R3K2R w KQkq - 0 1"),
        ("chess", "4k3/8/8/2pPp3/8/8/8/4K3 w - e6 0 1"),
        ("chess", "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R b KQkq - 0 1"),
        ("checkers", "B:W10,11,18,19,26,27,K32:B1,2,3,K6,7"),
        ("checkers", "W:WK10,9,5:B14,15,22,23,24,K31"),
    ] {
        for seed in (1..).take(sample(12)) {
            replay(&server, game, Some(position), seed);
        }
    }
}

fn legal(server: &Server, game: &str, position: &str, mv: &str) -> Value {
    let there = ask(server, &json!({"game": game, "position": position}));
    let found = list(&there, "legal_moves").iter().find(|legal| legal["move"] == mv);
    found.unwrap_or_else(|| panic!("no {mv} in {there}")).clone()
}

#[test]
fn the_parts_of_a_move_are_where_they_are_drawn() {
    let server = Server::start();
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let moves = [
        ("chess", castling, "e1g1"),
        ("chess", castling, "e1c1"),
        ("chess", "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", "d5e6"),
        ("chess", "3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n"),
        // A capture in two jumps that crowns a man.
        ("checkers", "B:W18,26:B15", "15x31"),
        ("connect-four", "44", "4"),
    ];
    let told = moves.map(|(game, position, mv)| legal(&server, game, position, mv).to_string());
    assert_snapshot!(told.join("\n"));
}

#[test]
fn what_a_side_must_heed_is_told() {
    let server = Server::start();
    let told = |game: &str, position: &str| {
        let there = ask(&server, &json!({"game": game, "position": position}));
        ["state", "check", "must_capture"].map(|field| there[field].clone())
    };
    let (yes, no) = (json!(true), Value::Null);
    let [ongoing, won] = ["ongoing", "won"].map(Value::from);
    assert_eq!(
        told("chess", "4k3/8/8/8/8/8/4R3/4K3 b - -"),
        [ongoing.clone(), yes.clone(), no.clone()]
    );
    assert_eq!(told("chess", "R3k3/8/4K3/8/8/8/8/8 b - -"), [won, yes.clone(), no.clone()]);
    assert_eq!(told("checkers", "B:W18:B15,1"), [ongoing.clone(), no.clone(), yes]);
    assert_eq!(told("checkers", "B:W21-32:B1-12"), [ongoing, no.clone(), no]);
}

#[test]
fn a_board_that_was_shown_can_be_sent_back_with_its_side() {
    let server = Server::start();
    for game in game_names() {
        let mut random = Random(5);
        let mut moves: Vec<Value> = Vec::new();
        for _ in 0..12 {
            let there = ask(&server, &json!({"game": game, "moves": moves}));
            let board = json!({"board": there["board"], "side_to_move": there["side_to_move"]});
            let again = ask(&server, &json!({"game": game, "position": board}));
            assert_eq!(again["board"], there["board"], "{game}");
            assert_eq!(again["side_to_move"], there["side_to_move"], "{game}");
            if there["state"] != "ongoing" {
                break;
            }
            let legal = list(&there, "legal_moves");
            moves.push(legal[random.below(legal.len())]["move"].clone());
        }
    }
}

#[test]
fn a_wrong_board_is_told_where() {
    let server = Server::start();
    let ask = |game: &str, position: Value| {
        server.post("/position", json!({"game": game, "position": position}).to_string())
    };
    let empty = || json!([["", "", ""], ["", null, "."], "..."]);
    let details = [
        ("tic-tac-toe", json!({"board": empty(), "side_to_move": "white"})),
        ("chess", json!({"board": empty(), "side_to_move": "white"})),
        ("chess", json!({"board": vec!["........"; 8], "side_to_move": "white"})),
        ("chess", json!({"board": vec!["...z...."; 8], "side_to_move": "white"})),
        ("chess", json!({"board": vec!["........"; 8], "side_to_move": "X"})),
        ("checkers", json!({"board": vec!["b......."; 8], "side_to_move": "black"})),
    ]
    .map(|(game, position)| {
        let problem = ask(game, position).problem(422, "invalid-position");
        format!("{game} {}: {}", problem["field"], problem["detail"])
    });
    assert_snapshot!(details.join("\n"));
    for (position, field) in [
        (json!({"board": empty()}), "/position"),
        (json!({"board": [["", true]], "side_to_move": "X"}), "/position/board/0/1"),
        (json!({"board": empty(), "side_to_move": true}), "/position/side_to_move"),
        (json!({"board": empty(), "side": "X", "side_to_move": "X"}), "/position/side"),
    ] {
        let problem = ask("tic-tac-toe", position).problem(422, "invalid-request");
        assert_eq!(problem["field"], field, "{problem}");
    }
}

#[test]
fn the_last_move_is_told_where_the_position_is_the_columns_played() {
    let server = Server::start();
    let there = ask(&server, &json!({"game": "connect-four", "position": "4453"}));
    assert_eq!(there["last_move"], json!({"move": "3", "path": [[5, 2]]}));
    let start = ask(&server, &json!({"game": "connect-four", "position": ""}));
    assert!(start.get("last_move").is_none());
}

#[test]
fn every_piece_that_a_board_shows_is_listed() {
    let server = Server::start();
    for game in game_names() {
        let about = server.get(&format!("/games/{game}")).json();
        let names: Vec<_> = list(&about, "pieces").iter().map(|piece| &piece["name"]).collect();
        for piece in list(&about, "pieces") {
            assert!(list(&about, "sides").contains(&piece["side"]), "{piece}");
            assert_eq!(piece["symbol"].as_str().map(|symbol| symbol.chars().count()), Some(1));
        }
        let labels: HashSet<_> = list(&about, "pieces")
            .iter()
            .map(|piece| (piece["side"].as_str(), piece["label"].as_str().expect("a label")))
            .collect();
        assert_eq!(labels.len(), names.len(), "{game} has two pieces of one side and label");
        let start = ask(&server, &json!({"game": game}));
        let cells = list(&start, "board").iter().flat_map(|row| row.as_array().expect("a row"));
        for cell in cells.filter(|cell| **cell != json!("")) {
            assert!(names.contains(&cell), "{game} shows {cell}");
        }
    }
}
