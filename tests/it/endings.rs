//! Won checkers endings are won, move by move over HTTP, against the best defence there is.

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;
use std::{env, fs};

use crate::common::program::Program;
use crate::common::{Client, Server, sample};
use bestmove_engine::game::{Game, Notation, Position, PositionText, Score, known_value};
use bestmove_engine::games::checkers::{Checkers, CheckersBoard};
use bestmove_engine::games::{self, Knowledge};
use serde_json::json;

fn board(text: &str) -> CheckersBoard {
    Checkers.read_position(&PositionText::Text(text.to_owned())).expect(text)
}

/// A folder with a table of five pieces, where there is one.
fn tables() -> Option<PathBuf> {
    env::var_os("ENDGAME_TABLES").map(PathBuf::from)
}

fn known(board: &CheckersBoard) -> Option<Score> {
    static KNOWLEDGE: LazyLock<Knowledge> =
        LazyLock::new(|| games::load_knowledge(tables().as_deref()).expect("whole files"));
    known_value(&Checkers::evaluator("material", &KNOWLEDGE.of::<Checkers>())?, board)
}

/// Numbers that look random, always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    /// A position of so many pieces that is won for the side to move, and not on the spot.
    fn won(&mut self, pieces: usize) -> String {
        loop {
            let text = self.scattered(pieces);
            let position = Checkers.read_position(&PositionText::Text(text.clone()));
            let ongoing = position.ok().filter(|position| position.outcome().is_none());
            if ongoing
                .and_then(|position| known(&position))
                .is_some_and(|score| score.is_won() && score.plies() > Some(1))
            {
                return text;
            }
        }
    }

    /// Pieces anywhere, half of them kings.
    fn scattered(&mut self, pieces: usize) -> String {
        let mut squares: Vec<usize> = (1..=32).collect();
        let mut lists = [Vec::new(), Vec::new()];
        let own = 1 + self.below(pieces - 1);
        for piece in 0..pieces {
            let square = squares.swap_remove(self.below(squares.len()));
            let king = if self.below(2) == 0 { "K" } else { "" };
            lists[usize::from(piece >= own)].push(format!("{king}{square}"));
        }
        let side = if self.below(2) == 0 { 'W' } else { 'B' };
        format!("{side}:W{}:B{}", lists[0].join(","), lists[1].join(","))
    }
}

/// The reply that puts off the end for longest.
fn best_defence(board: &CheckersBoard) -> String {
    let delay = |&mv: &_| {
        let next = board.play(mv);
        let ended = next.outcome().map(|outcome| Score::ended(outcome, 0));
        std::cmp::Reverse(ended.or_else(|| known(&next)).expect("few pieces"))
    };
    let mv = board.legal_moves().max_by_key(delay).expect("the game goes on");
    Checkers::write_move(board, mv).text
}

/// More than twice what any win with so few pieces takes: who needs longer turns in circles.
const MOST_PLIES: u32 = 400;

/// Plays a won position out, and says in how many plies it was won. With the moves of the game sent
/// along, or with each position as if the game began there.
fn plies_to_win(client: &Client, start: &str, with_moves: bool) -> u32 {
    let (mut position, mut moves, mut plies) = (start.to_owned(), Vec::new(), 0);
    loop {
        let body = json!({"game": "checkers", "position": position, "moves": moves});
        let answer = client.post("/best-move", body.to_string()).json();
        let after = &answer["after"];
        plies += 1;
        if after["state"] == "won" {
            return plies;
        }
        assert_eq!(after["state"], "ongoing", "{start} after {plies} plies: {answer}");
        assert!(plies < MOST_PLIES, "{start}: the win comes no nearer");
        let text = after["position"].as_str().expect("a position");
        let reply = best_defence(&board(text));
        plies += 1;
        if with_moves {
            moves.extend([answer["best_move"].as_str().expect("a move").to_owned(), reply]);
        } else {
            (position, moves) = (text.to_owned(), vec![reply]);
        }
    }
}

#[test]
fn won_positions_of_four_pieces_are_won_as_fast_as_can_be() {
    let server = Server::start();
    let mut dice = Dice(4);
    for _ in 0..50 {
        let start = dice.won(4);
        let fastest = known(&board(&start)).and_then(Score::plies).expect("a win");
        for with_moves in [true, false] {
            assert_eq!(plies_to_win(&server, &start, with_moves), fastest, "{start}");
        }
    }
}

/// Needs a table of five pieces for the defence; the server has none.
#[test]
#[ignore = "ENDGAME_TABLES must name a folder with a table of five pieces"]
fn won_positions_of_five_pieces_are_won() {
    let server = Program::start(&[]);
    let mut dice = Dice(5);
    let (mut fastest, mut taken) = (0, 0);
    for _ in 0..50 {
        let start = dice.won(5);
        fastest += known(&board(&start)).and_then(Score::plies).expect("a win");
        for with_moves in [true, false] {
            taken += plies_to_win(&server, &start, with_moves);
        }
    }
    println!("{} plies a win, {} at best", taken / 100, fastest / 50);
}

#[test]
fn a_won_ending_of_five_pieces_comes_to_its_end_without_a_memory() {
    let server = Server::start();
    for start in ["B:W8,K31:BK25,K13,K22", "W:WK2,K28,11:BK22,K26"].into_iter().take(sample(2)) {
        let mut state = json!({"position": start, "state": "ongoing"});
        let mut plies = 0;
        while state["state"] == "ongoing" {
            assert!(plies < MOST_PLIES, "{start}: the win comes no nearer");
            let body = json!({"game": "checkers", "position": state["position"]});
            state = server.post("/best-move", body.to_string()).json()["after"].take();
            plies += 1;
        }
        assert_eq!((&state["state"], plies % 2), (&json!("won"), 1), "{start} after {plies}");
    }
}

/// Values as the table of five pieces has them; the server has none.
#[test]
fn a_win_in_sight_is_played_as_fast_as_it_can_be() {
    let server = Server::start();
    let won = [
        ("B:WK1:B12,K14,K17,24", 11),
        ("B:WK1:B12,K13,K14,20", 11),
        ("B:WK5:BK9,12,K13,20", 13),
        ("B:WK1:B12,K14,K21,20", 15),
    ];
    for (position, plies) in won {
        let body = json!({"game": "checkers", "position": position});
        let answer = server.post("/best-move", body.to_string()).json();
        assert_eq!(answer["evaluation"]["plies"], plies, "{answer}");
    }
}

#[test]
fn who_wins_with_five_pieces_counts_only_where_the_caller_sets_no_depth() {
    let server = Server::start();
    let ask = |position: &str, depth: Option<u32>| {
        let body = json!({"game": "checkers", "position": position, "depth": depth});
        server.post("/best-move", body.to_string()).json()
    };
    // "Grey's draw, a piece down" (Boland, *Famous Positions in the Game of Checkers*).
    let (won, drawn) = ("W:W12,6,25:BK2,K31", "B:W16,20,K2:BK25,K10");
    let score =
        |answer: &serde_json::Value| answer["evaluation"]["score"].as_i64().expect("a score");
    assert!(score(&ask(won, None)) > 900);
    assert!(score(&ask(won, Some(2))).abs() < 900);
    assert!(score(&ask(drawn, None)).abs() < 10);
    assert!(score(&ask(drawn, Some(2))).abs() > 10);
    assert_eq!(ask(drawn, None)["search"]["stopped_by"], "depth");
    assert_eq!(ask(won, None)["search"]["stopped_by"], "nodes", "looks on for the end");
}

/// A folder of its own for a test.
fn empty_folder(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("bestmove-{name}-{}", std::process::id()));
    // It may be left from before.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).expect("an empty folder");
    folder
}

#[test]
fn answers_with_other_tables_carry_another_tag() {
    let folder = empty_folder("tables");
    let table = include_bytes!("../data/checkers-2.tables");
    fs::write(folder.join("checkers-2.tables"), table).expect("room on the disk");
    let target = "/best-move?game=checkers&position=W:WK6,K9:BK15";
    let ask = |arguments: &[&str]| {
        let program = Program::start(arguments);
        let answer = program.get(target);
        (answer.header("etag").map(String::from), answer.json())
    };
    let (carried, opened) = (ask(&[]), ask(&["--endgame-tables", folder.to_str().expect("UTF-8")]));
    assert_ne!(carried.0, opened.0);
    assert_eq!(carried.1, opened.1, "two pieces are embedded too");
    assert_eq!(opened.1["evaluation"]["plies"], 27);
    assert_eq!(opened.1["search"]["source"], "tables");
    fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn a_folder_without_tables_is_refused_at_the_start() {
    let folder = empty_folder("nothing");
    let refused = || {
        let mut program = Command::new(env!("CARGO_BIN_EXE_bestmove"));
        let output = program.args(["--port", "0", "--endgame-tables"]).arg(&folder).output();
        let output = output.expect("the program runs");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(refused().contains("no endgame table in"), "{}", refused());
    fs::write(folder.join("checkers-5.tables"), "something else").expect("a file");
    assert!(refused().contains("checkers-5.tables: not a table"), "{}", refused());
    fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn every_move_of_an_ending_gets_its_exact_value() {
    let server = Server::start();
    let body = json!({"game": "checkers", "position": "W:WK6,K9:BK15"});
    let answer = server.post("/analyze", body.to_string()).json();
    let position = board("W:WK6,K9:BK15");
    let moves = answer["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), position.legal_moves().count());
    for told in moves {
        let mv = Checkers::read_move(&position, told["move"].as_str().expect("a move"));
        let after = position.play(mv.expect("a legal one"));
        let plies = known(&after).expect("three pieces").plies().map(|plies| plies + 1);
        assert_eq!(told["evaluation"]["plies"].as_u64(), plies.map(u64::from), "{told}");
        let length = told["principal_variation"].as_array().map(Vec::len);
        assert!(plies.is_none() || length == plies.map(|plies| plies as usize), "{told}");
    }
    assert_eq!(answer["search"]["source"], "tables");
}
