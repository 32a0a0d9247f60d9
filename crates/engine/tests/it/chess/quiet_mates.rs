//! Mates that begin with a quiet move or rest on zugzwang: the selective search finds them too.

use super::{Move, colours_exchanged, read};
use crate::{evaluator, knowledge, stride, untyped};

use bestmove_engine::game::{Notation, Outcome, Position, PositionText};
use bestmove_engine::games::any::{Answer, SearchParameters};
use bestmove_engine::games::chess::{Chess, ChessBoard};
use bestmove_engine::search::{self, Algorithm, Report, SearchLimits, Task};

/// Positions in which one move mates in so many plies, and the depth at which the selective search has to know.
const MATES: [(&str, u32, u32); 4] = [
    // Black's one piece has to leave the diagonal.
    ("8/4N3/8/8/8/2b1p3/p1K1P3/k7 w - - 0 1", 5, 14),
    ("8/3N4/8/8/8/3p1b2/3P1K1p/7k w - - 0 1", 5, 14),
    ("8/5R2/2K1P3/4k3/8/b1PPpp1B/5p2/8 w - - 0 1", 3, 8),
    ("8/2R5/3P1K2/3k4/8/B1ppPP1b/2p5/8 w - - 0 1", 3, 8),
];

fn searched(board: &ChessBoard, depth: u32, algorithm: Algorithm) -> Report<Move> {
    let task = Task::new(board.clone(), SearchLimits::depth(depth), algorithm);
    search::run(&task, &evaluator::<Chess>("full"))
}

#[test]
fn a_quiet_mate_that_the_textbook_proves_is_found() {
    for (fen, plies, depth) in MATES {
        for board in [read(fen), colours_exchanged(&read(fen))] {
            let proven = searched(&board, plies, Algorithm::AlphaBeta);
            assert_eq!((proven.outcome, proven.score().plies()), (Some(Outcome::Win), Some(plies)));
            let found = searched(&board, depth, Algorithm::Selective);
            let text = |report: &Report<_>| Chess::write_move(&board, report.best_move()).text;
            assert_eq!(found.outcome, Some(Outcome::Win), "{fen}");
            assert_eq!(text(&found), text(&proven), "{fen}");
        }
    }
}

/// The answer to a request without limits.
fn answer(board: &ChessBoard, top: Option<u64>) -> Answer {
    let text = PositionText::Text(Chess::write_position(board));
    let board = untyped(Chess::Standard).board(Some(&text), &[]).expect("a position");
    let parameters = SearchParameters { top, ..SearchParameters::default() };
    board.search(&parameters, knowledge()).expect("a search").run(&false.into())
}

#[test]
fn a_search_without_limits_tells_a_near_mate() {
    for (fen, plies, _) in MATES {
        for board in [read(fen), colours_exchanged(&read(fen))] {
            let [one, all] = [None, Some(100)].map(|top| answer(&board, top));
            for told in [&one, &all] {
                assert_eq!(told.evaluation.outcome, Some(Outcome::Win), "{fen}");
                assert_eq!(told.evaluation.plies, Some(plies), "{fen}");
            }
            let moves = all.variations;
            assert_eq!(moves.len(), board.legal_moves().count(), "{fen}");
            assert_eq!(moves[0].evaluation.plies, Some(plies), "{fen}");
        }
    }
}

/// Random positions of few pieces, and pawns that are often blocked.
fn few_men(random: &mut fastrand::Rng) -> Option<ChessBoard> {
    let mut cells = ['1'; 64];
    let mut men = vec!['K', 'k'];
    for _ in 0..random.usize(3..=7) {
        men.push(char::from(*random.choice(b"PPPpppNnBbRr")?));
    }
    for man in men {
        cells[random.usize(..64)] = man;
    }
    let ranks: Vec<String> = cells.chunks(8).map(|rank| rank.iter().collect()).collect();
    let text = PositionText::Text(format!("{} w - - 0 1", ranks.join("/")));
    let board = Chess::Standard.read_position(&text).ok()?;
    board.outcome().is_none().then_some(board)
}

#[test]
fn a_search_without_limits_tells_what_alpha_beta_tells() {
    const PLIES: u32 = 5;
    let random = &mut fastrand::Rng::with_seed(75);
    let mut decided = 0;
    for _ in 0..4000 / stride() {
        let Some(board) = few_men(random) else { continue };
        let proven = searched(&board, PLIES, Algorithm::AlphaBeta);
        if proven.outcome.is_none() || proven.score().plies().is_none_or(|plies| plies < 3) {
            continue;
        }
        decided += 1;
        let told = answer(&board, None).evaluation.outcome;
        assert_eq!(told, proven.outcome, "{}", Chess::write_position(&board));
    }
    assert!(decided > 20 / stride(), "{decided} are decided");
}
