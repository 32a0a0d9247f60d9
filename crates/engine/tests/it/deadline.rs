//! Every answer has visited something.

use crate::{cases, knowledge};
use bestmove_engine::game::{LevelNumber, PositionText};
use bestmove_engine::games::any::{Answer, AnyBoard, AnyGame, SearchParameters};
use bestmove_engine::games::{self, all_variants};
use proptest::prelude::*;
use proptest::sample::Index;

/// A position of a random game that goes on.
fn position(game: &dyn AnyGame, choices: &[Index]) -> Box<dyn AnyBoard> {
    let mut board = game.board(None, &[]).expect("the start");
    for choice in choices {
        let moves = board.legal_moves();
        let next = board.after(&moves[choice.index(moves.len())].mv.text, 0).expect("a legal move");
        if next.legal_moves().is_empty() {
            break;
        }
        board = next;
    }
    board
}

/// Every algorithm without other limits, and every level.
fn every_way(game: &dyn AnyGame) -> Vec<SearchParameters> {
    let algorithms = game.algorithms().into_iter().map(|algorithm| SearchParameters {
        algorithm: Some(algorithm.name().to_owned()),
        depth: Some(u64::from(game.info().max_depth)),
        ..SearchParameters::default()
    });
    let levels = LevelNumber::all().map(|level| SearchParameters {
        level: Some(level),
        seed: Some(7),
        ..SearchParameters::default()
    });
    let unlimited = [SearchParameters::default()];
    algorithms.chain(levels).chain(unlimited).collect()
}

fn tops() -> impl Strategy<Value = Option<u64>> {
    prop::sample::select(vec![None, Some(1), Some(3), Some(1000)])
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn every_answer_has_visited_a_position(
        variant: Index,
        choices in prop::collection::vec(any::<Index>(), 0..70),
        top in tops(),
        nodes in 1_u64..3000,
    ) {
        let game = *variant.get(all_variants());
        let board = position(game, &choices);
        for way in every_way(game) {
            let nodes = if way.level.is_none() { Some(nodes) } else { None };
            let search = board.search(&SearchParameters { top, nodes, ..way.clone() }, knowledge());
            let mut fewest = u64::MAX;
            let mut observer = |depth: Answer| {
                fewest = fewest.min(depth.search.nodes);
            };
            let answer =
                search.expect("something to search").run_with_progress(&false.into(), &mut observer);
            prop_assert!(fewest.min(answer.search.nodes) >= 1, "{way:?}: {:?}", answer.search);
        }
    }
}

#[test]
fn the_last_move_of_a_game_counts_as_visited() {
    for (game, position) in [
        ("tic-tac-toe", "XOXXOOO.X"),
        ("connect-four", "X.XXOOO/OXOOXXX/XOXXOOO/OXOOXXX/XOXXOOO/OXOOXXX"),
    ] {
        let position = PositionText::Text(position.to_owned());
        let board = games::find(game).expect(game).board(Some(&position), &[]).expect("a position");
        assert_eq!(board.legal_moves().len(), 1);
        let search = board.search(&SearchParameters::default(), knowledge()).expect("a search");
        assert_eq!(search.run(&false.into()).search.nodes, 1, "{game}");
    }
}
