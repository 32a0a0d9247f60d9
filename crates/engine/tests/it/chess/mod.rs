//! Chess: its rules, its notations and what the searches make of it.

mod chess960;
mod endings;
mod evaluation;
mod exchange;
mod fen;
mod mates;
mod moves;
mod oracle;
mod perft;
mod plain_retrograde;
mod quiet_mates;
mod rules;
mod search;
mod status;

use bestmove_engine::game::{Game, Notation, Position, PositionText};
use bestmove_engine::games::chess::{Chess, ChessBoard};
use proptest::prelude::*;

type Move = <ChessBoard as Position>::Move;

/// Positions from which random games begin: the start, castling on all sides, pawns about to
/// promote and to pass each other, endgames with few pieces.
const SEEDS: [&str; 9] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 3 40",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/3k4/8/2b5/3B4/1N1K4/8 w - - 20 60",
];

fn read(fen: &str) -> ChessBoard {
    let text = PositionText::Text(fen.to_owned());
    Chess::Standard.read_position(&text).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The same position with the colours exchanged.
fn colours_exchanged(board: &ChessBoard) -> ChessBoard {
    let fen = Chess::write_position(board);
    let fields: Vec<&str> = fen.split(' ').collect();
    let other_case = |letter: char| {
        if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        }
    };
    let ranks: Vec<&str> = fields[0].split('/').rev().collect();
    let pieces: String = ranks.join("/").chars().map(other_case).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let rights: String = fields[2].chars().map(other_case).collect();
    let en_passant = match fields[3].split_at(1) {
        (file, "3") => format!("{file}6"),
        (file, "6") => format!("{file}3"),
        _ => "-".to_owned(),
    };
    read(&format!("{pieces} {side} {rights} {en_passant} {} {}", fields[4], fields[5]))
}

/// Plays one of the moves of an unfinished game, chosen by a number.
fn chosen(board: &ChessBoard, choice: u16) -> Option<Move> {
    let moves: Vec<Move> = board.legal_moves().collect();
    let is_over = board.outcome().is_some() || moves.is_empty();
    (!is_over).then(|| moves[usize::from(choice) % moves.len()])
}

/// The positions of a random game, the last one last.
fn games() -> impl Strategy<Value = Vec<ChessBoard>> {
    let choices = prop::collection::vec(any::<u16>(), 0..120);
    (prop::sample::select(&SEEDS), choices).prop_map(|(fen, choices)| {
        let mut boards = vec![read(fen)];
        for choice in choices {
            let board = &boards[boards.len() - 1];
            let Some(mv) = chosen(board, choice) else { break };
            boards.push(board.play(mv));
        }
        boards
    })
}

/// A position of a random game.
fn positions() -> impl Strategy<Value = ChessBoard> {
    games().prop_map(|mut boards| boards.pop().unwrap_or_else(|| Chess::Standard.start()))
}
