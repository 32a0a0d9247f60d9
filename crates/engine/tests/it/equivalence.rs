//! Pruning changes no answer: alpha-beta has the value and the move of minimax, and the prover has
//! the value of both.

use crate::{cases, evaluator};
use bestmove_engine::game::{Game, Outcome, Position, SelectiveHooks, SolverHooks};
use bestmove_engine::games::connect_four::ConnectFour;
use bestmove_engine::games::othello::Othello;
use bestmove_engine::games::tic_tac_toe::{self, TicTacToe};
use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};
use proptest::prelude::*;
use proptest::sample::Index;

/// The unfinished position after the choices, none of which ends the game while others don't.
fn wander<G: Game>(choices: &[Index]) -> G::Position {
    let mut position = G::VARIANTS[0].start();
    for choice in choices {
        let children = position.legal_moves().into_iter().map(|mv| position.play(mv));
        let ongoing: Vec<_> = children.filter(|child| child.outcome().is_none()).collect();
        match ongoing.len() {
            0 => break,
            count => position = ongoing[choice.index(count)].clone(),
        }
    }
    position
}

fn choices(plies: usize) -> impl Strategy<Value = Vec<Index>> {
    prop::collection::vec(any::<Index>(), 0..plies)
}

/// Both algorithms give the same value, outcome and move.
fn assert_equal<P: Position, E: SelectiveHooks<P> + SolverHooks<P>>(
    position: &P,
    depth: u32,
    evaluator: &E,
) {
    let run = |algorithm| {
        search::run(&Task::new(position.clone(), SearchLimits::depth(depth), algorithm), evaluator)
    };
    let (minimax, alpha_beta) = (run(Algorithm::Minimax), run(Algorithm::AlphaBeta));
    let answer = |report: &search::Report<P::Move>| {
        (report.score(), report.outcome, report.best_move(), report.depth, report.stopped_by)
    };
    assert_eq!(answer(&alpha_beta), answer(&minimax), "{position:?}");
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn tic_tac_toe_is_pruned_exactly(choices in choices(8), depth in 1u32..=6, kind in 0usize..3) {
        use tic_tac_toe::TicTacToeEvaluator;
        let kind = [TicTacToeEvaluator::Lines, TicTacToeEvaluator::OpenLines, TicTacToeEvaluator::Outcome][kind];
        assert_equal(&wander::<TicTacToe>(&choices), depth, &kind);
    }

    #[test]
    fn othello_is_pruned_exactly(choices in choices(30), depth in 1u32..=4, kind in 0usize..3) {
        let kind = evaluator::<Othello>(["network", "mobility", "discs"][kind]);
        assert_equal(&wander::<Othello>(&choices), depth, &kind);
    }

    #[test]
    fn connect_four_is_pruned_exactly(choices in choices(42), depth in 1u32..=6, kind in 0usize..3) {
        let kind = evaluator::<ConnectFour>(["threats", "segments", "outcome"][kind]);
        assert_equal(&wander::<ConnectFour>(&choices), depth, &kind);
    }

    #[test]
    fn every_move_gets_its_exact_value(choices in choices(42), depth in 1u32..=5, top in 1usize..=7) {
        let position = wander::<ConnectFour>(&choices);
        let run = |algorithm| {
            let task = Task { top, ..Task::new(position, SearchLimits::depth(depth), algorithm) };
            search::run(&task, &evaluator::<ConnectFour>("threats"))
        };
        let (minimax, alpha_beta) = (run(Algorithm::Minimax), run(Algorithm::AlphaBeta));
        let values = |report: &search::Report<_>| {
            let moves = report.variations.iter();
            moves.map(|known| (known.mv, known.score, known.outcome)).collect::<Vec<_>>()
        };
        prop_assert_eq!(values(&alpha_beta), values(&minimax));
    }

    #[test]
    fn late_positions_of_connect_four_are_proven_alike(choices in prop::collection::vec(any::<Index>(), 30..42)) {
        let position = wander::<ConnectFour>(&choices);
        prop_assume!(position.plies_left() <= Some(12));
        let run = |algorithm| {
            let task = Task::new(position, SearchLimits::depth(42), algorithm);
            search::run(&task, &evaluator::<ConnectFour>("outcome"))
        };
        let (alpha_beta, solved) = (run(Algorithm::AlphaBeta), run(Algorithm::Solve));
        prop_assert_eq!(solved.score(), alpha_beta.score());
        prop_assert_eq!(solved.outcome, alpha_beta.outcome);
        prop_assert_eq!(solved.depth, alpha_beta.depth);
        let end = solved.principal_variation().iter().fold(position, |position, &mv| position.play(mv));
        let outcome = end.outcome().expect("a proven line runs to the end of the game");
        prop_assert_eq!(outcome == Outcome::Draw, solved.outcome == Some(Outcome::Draw));
    }

    #[test]
    fn a_node_budget_is_exact_and_repeatable(choices in choices(30), nodes in 8u64..5000) {
        let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::depth(42) };
        for algorithm in [Algorithm::Minimax, Algorithm::AlphaBeta, Algorithm::Solve] {
            let task = Task::new(wander::<ConnectFour>(&choices), limits, algorithm);
            let report = search::run(&task, &evaluator::<ConnectFour>("threats"));
            if report.stopped_by == search::StoppedBy::Nodes {
                prop_assert_eq!(report.nodes, nodes);
            } else {
                prop_assert!(report.nodes <= nodes);
            }
            prop_assert_eq!(search::run(&task, &evaluator::<ConnectFour>("threats")), report);
        }
    }
}
