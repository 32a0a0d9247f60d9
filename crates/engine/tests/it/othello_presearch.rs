//! Endings of Othello that are too long for a proof within the limits: a presearch to the end of the game answers.

use bestmove_engine::games;
use bestmove_engine::games::any::{Answer, AnyBoard, SearchParameters};
use bestmove_engine::search::{Algorithm, StoppedBy};

use crate::knowledge;

/// Enough for a presearch with 18 empty squares, and too little for most proofs.
const NODES: u64 = 1_500_000;

const OPENINGS: [&str; 6] =
    ["f5 d6 c3", "f5 d6 c4", "f5 d6 c5", "f5 f6 e6 f4", "f5 f6 e6 d6", "f5 d6 c3 d3 c4 f4 f6 f3"];

fn search(board: &dyn AnyBoard, parameters: &SearchParameters) -> Answer {
    board.search(parameters, knowledge()).expect("a search").run(&false.into())
}

fn within(nodes: u64) -> SearchParameters {
    SearchParameters { nodes: Some(nodes), ..SearchParameters::default() }
}

/// The position with so many empty squares of the game that short searches play after an opening.
fn late(opening: &str, empty: usize) -> Box<dyn AnyBoard> {
    let othello = games::find("othello").expect("the game");
    let moves: Vec<_> = opening.split(' ').map(str::to_owned).collect();
    let mut board = othello.board(None, &moves).expect("an opening");
    while board.cells().into_iter().flatten().filter(|cell| cell.is_empty()).count() > empty {
        let answer = search(&*board, &within(2000));
        board = board.after(&answer.best_move.text, 0).expect("a legal move");
    }
    board
}

/// The proven margin of the side to move.
fn proven_margin(board: &dyn AnyBoard) -> i32 {
    let parameters =
        SearchParameters { algorithm: Some(Algorithm::Solve), ..SearchParameters::default() };
    search(board, &parameters).evaluation.margin.expect("a proof")
}

fn after(board: &dyn AnyBoard, line: &[String]) -> Box<dyn AnyBoard> {
    let first = board.after(&line[0], 0).expect("a legal move");
    line[1..].iter().fold(first, |board, mv| board.after(mv, 0).expect("a legal move"))
}

fn line(answer: &Answer) -> Vec<String> {
    answer.principal_variation.iter().map(|mv| mv.text.clone()).collect()
}

#[test]
fn an_ending_too_long_for_a_proof_is_answered_to_its_end_with_the_likely_margin() {
    let (mut lost, mut error) = (0, 0);
    for opening in OPENINGS {
        let board = late(opening, 18);
        let answer = search(&*board, &within(NODES));
        let (line, margin) = (line(&answer), proven_margin(&*board));
        if answer.evaluation.margin.is_none() {
            assert_eq!(answer.search.stopped_by, StoppedBy::Nodes, "{opening}");
            assert!(answer.search.nodes <= NODES, "{opening}");
            assert_eq!(answer.evaluation.half_value, 194, "{opening}");
            error += (answer.evaluation.score - 100 * margin).abs();
        }
        assert!(!after(&*board, &line).has_choice(), "{opening}: {line:?} is not whole");
        assert_eq!(answer.search.depth as usize, line.len(), "{opening}");
        lost += margin + proven_margin(&*after(&*board, &line[..1]));
    }
    assert!(lost <= 6, "{lost} discs lost in six positions");
    assert!(error <= 6 * 200, "{error} hundredths of a disc in six positions");
}

/// A proof of each move would take ten times as long as that of the best one.
#[test]
fn several_moves_without_limits_are_searched_to_the_default_depth_where_their_proofs_are_long() {
    let board = late(OPENINGS[4], 17);
    let several = SearchParameters { top: Some(40), ..SearchParameters::default() };
    let [best, all] = [SearchParameters::default(), several].map(|it| search(&*board, &it));
    assert_eq!(best.search.stopped_by, StoppedBy::Solved);
    assert_eq!(all.search.stopped_by, StoppedBy::Depth);
}

#[test]
fn each_of_several_moves_has_its_own_likely_margin() {
    let board = late(OPENINGS[4], 16);
    let margin = |mv: &str| -proven_margin(&*board.after(mv, 0).expect("a legal move"));
    let all = search(&*board, &SearchParameters { top: Some(40), ..within(1_200_000) });
    assert_eq!((all.evaluation.margin, all.search.stopped_by), (None, StoppedBy::Nodes));
    assert_eq!(all.variations.len(), board.legal_moves().len());
    let mut error = 0;
    for found in &all.variations {
        let mv = &found.mv.text;
        let margin = margin(mv);
        let alone = SearchParameters { search_moves: Some(vec![mv.clone()]), ..within(200_000) };
        let alone = search(&*board, &alone);
        assert_eq!(&alone.best_move.text, mv);
        let likely = alone.evaluation.margin.map_or(alone.evaluation.score, |margin| 100 * margin);
        error += (found.evaluation.score - 100 * margin).abs() + (likely - 100 * margin).abs();
    }
    let count = 2 * all.variations.len() as i32;
    assert!(error <= 200 * count, "{error} hundredths of a disc in {count} evaluations");
}
