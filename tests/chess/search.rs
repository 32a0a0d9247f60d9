//! What the searches make of chess: the same, whatever they prune.

use bestmove::game::{Game, History, Outcome, Position};
use bestmove::games::chess::{Board, Chess, Opinion};
use bestmove::search::{self, Algorithm, Limits, Report, Task};
use proptest::prelude::*;

use crate::{Move, cases, chosen, read};

/// Positions with few moves, each with the depth that the textbook's search can look ahead, and of
/// every kind: with checks, promotion, castling, dead material near.
const ENDGAMES: [(&str, u32); 8] = [
    ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", 5),
    ("8/P7/8/8/8/2k5/7p/2K5 w - - 0 1", 4),
    ("8/8/8/8/5k2/8/1R6/4K3 w - - 0 1", 4),
    ("k7/8/1K6/8/8/8/8/5Q2 w - - 0 1", 4),
    ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", 5),
    ("8/8/8/2k5/4n3/8/3B4/2K5 w - - 0 1", 4),
    ("4k2r/8/8/8/8/8/6p1/4K2R w Kk - 0 1", 3),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2),
];

/// A game whose history may matter: the position, and what led to it.
#[derive(Clone, Debug)]
struct Played {
    board: Board,
    history: History,
    depth: u32,
}

impl Played {
    fn play(&mut self, mv: Move) {
        self.history.played(self.board.key());
        self.board = self.board.play(mv);
    }

    /// Two moves to and fro by both sides, where they are legal and take nothing.
    fn shuffle(&mut self, choices: [u16; 2]) {
        let before = self.clone();
        let mut way = Vec::new();
        for choice in choices {
            let Some(mv) = chosen(&self.board, choice) else { break };
            way.push(mv);
            self.play(mv);
        }
        for there in way {
            let back = Move { from: there.to, to: there.from, promotion: None };
            if self.board.outcome().is_none() && self.board.legal_moves().any(|mv| mv == back) {
                self.play(back);
            }
        }
        if self.board.key() != before.board.key() {
            *self = before;
        }
    }

    /// Whether there is something to search.
    fn is_ongoing(&self) -> bool {
        let (key, reversible) = (self.board.key(), self.board.reversible_plies());
        self.board.outcome().is_none()
            && self.board.plies_to_draw() != Some(0)
            && self.history.occurrences(key, reversible) < 2
    }

    fn searched(&self, algorithm: Algorithm) -> Report<Move> {
        let task = Task {
            position: self.board.clone(),
            history: self.history.clone(),
            moves: Vec::new(),
            algorithm,
            limits: Limits::depth(self.depth),
            top: 1,
        };
        search::run(&task, &Opinion::Material)
    }
}

/// Games in which positions have come back and the fifty moves may soon be full.
fn played() -> impl Strategy<Value = Played> {
    let steps = prop::collection::vec((any::<u16>(), any::<[u16; 2]>(), 0..3_u8), 0..8);
    let clock = prop_oneof![Just(0_u8), 80..100_u8];
    (prop::sample::select(&ENDGAMES), clock, steps).prop_map(|((fen, depth), clock, steps)| {
        let board = read(&fen.replace(" 0 1", &format!(" {clock} 70")));
        let mut played = Played { board, history: History::default(), depth };
        for (choice, to_and_fro, times) in steps {
            (0..times).for_each(|_| played.shuffle(to_and_fro));
            if let Some(mv) = chosen(&played.board, choice) {
                let mut next = played.clone();
                next.play(mv);
                if next.is_ongoing() {
                    played = next;
                }
            }
        }
        played
    })
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn alpha_beta_finds_what_the_textbook_finds(played in played()) {
        if played.is_ongoing() {
            let textbook = played.searched(Algorithm::Minimax);
            let pruned = played.searched(Algorithm::AlphaBeta);
            prop_assert_eq!(pruned.score(), textbook.score());
            prop_assert_eq!(pruned.outcome, textbook.outcome);
            prop_assert_eq!(pruned.best_move(), textbook.best_move());
            prop_assert_eq!(pruned.depth, textbook.depth);
        }
    }
}

fn best(fen: &str, depth: u32) -> (String, Option<Outcome>, Option<u32>) {
    let board = read(fen);
    let task = Task::new(board.clone(), Limits::depth(depth), Algorithm::AlphaBeta);
    let report = search::run(&task, &Opinion::Material);
    (Chess::write_move(&board, report.best_move()), report.outcome, report.score().plies())
}

#[test]
fn a_mate_is_found_and_proven() {
    let back_rank = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1";
    assert_eq!(best(back_rank, 3), ("e1e8".to_owned(), Some(Outcome::Win), Some(1)));
    let two_rooks = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
    assert_eq!(best(two_rooks, 5), ("b1g1".to_owned(), Some(Outcome::Win), Some(3)));
}

#[test]
fn a_mate_on_the_hundredth_ply_comes_before_the_draw() {
    let (uci, outcome, plies) = best("6k1/5ppp/8/8/8/8/8/K3R3 w - - 99 90", 3);
    assert_eq!((uci.as_str(), outcome, plies), ("e1e8", Some(Outcome::Win), Some(1)));
}

#[test]
fn a_draw_by_dead_material_is_proven_and_one_by_the_counter_is_not() {
    let forced_capture = "7k/8/8/8/8/8/6q1/7K w - - 0 1";
    assert_eq!(best(forced_capture, 3), ("h1g2".to_owned(), Some(Outcome::Draw), None));
    let last_ply = "7k/8/8/8/8/8/8/K5R1 w - - 99 90";
    assert_eq!(best(last_ply, 3).1, None);
}
