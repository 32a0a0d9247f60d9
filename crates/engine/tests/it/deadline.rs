//! Every stage of every answer heeds its deadline, from the first node, and every answer has visited something.

use std::time::{Duration, Instant};

use crate::{cases, knowledge};
use bestmove_engine::game::{LevelNumber, PositionText};
use bestmove_engine::games::any::{Answer, AnyBoard, AnyGame, SearchParameters};
use bestmove_engine::games::{self, all_variants};
use bestmove_engine::search::{SearchTables, StoppedBy};
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
        algorithm: Some(algorithm),
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
    fn past_the_deadline_no_stage_looks_beyond_the_first_ply(
        variant: Index,
        choices in prop::collection::vec(any::<Index>(), 0..60),
        top in tops(),
    ) {
        let game = *variant.get(all_variants());
        let board = position(game, &choices);
        let moves = board.legal_moves().len() as u64;
        for way in every_way(game) {
            let parameters =
                SearchParameters { top, time_limit: Some(Duration::ZERO), ..way.clone() };
            let search = board.search(&parameters, knowledge()).expect("something to search");
            let answer = search.run(&false.into());
            // Some proofs need no look at any position.
            let is_told = matches!(answer.search.stopped_by, StoppedBy::Time | StoppedBy::Solved);
            prop_assert!(is_told, "{way:?}: {:?}", answer.search);
            // A level visits the moves that it chooses from, and then its choice.
            prop_assert!((1..=moves + 1).contains(&answer.search.nodes), "{way:?}: {:?}", answer.search);
        }
    }

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
            // A level has nodes of its own, which may be millions.
            let (nodes, time_limit) = match way.level {
                Some(_) => (None, Some(Duration::from_millis(20))),
                None => (Some(nodes), None),
            };
            let parameters = SearchParameters { top, nodes, time_limit, ..way.clone() };
            let search = board.search(&parameters, knowledge());
            let mut fewest = u64::MAX;
            let mut observer = |depth: Answer| {
                fewest = fewest.min(depth.search.nodes);
            };
            let search = search.expect("something to search");
            let tables = &mut SearchTables::default();
            let answer = search.run_with(&false.into(), tables, Some(&mut observer));
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

/// Tables that nobody has asked before are unpacked by the search, of which a single probe takes up to a tenth of a
/// second.
#[test]
fn unpacking_tables_is_bounded_by_the_deadline() {
    const LIMIT: Duration = Duration::from_millis(50);
    let endings = [
        ("chess", "8/8/4P3/8/8/1nk3K1/8/8 b - - 5 102"),
        ("chess", "8/8/n7/8/8/1K3Q2/3k4/8 w - - 5 103"),
        ("chess", "2Q5/5b2/8/8/3k4/5K2/8/8 b - - 0 100"),
        ("chess", "4B3/4k3/8/6P1/7K/8/8/8 w - - 3 127"),
        ("checkers", "W:WK2,29:B4,5,13,K20"),
        ("checkers", "B:WK7,K14,K19,25:B2,K18,K20"),
    ];
    let mut late = Duration::ZERO;
    for (game, position) in endings {
        let game = games::find(game).expect(game);
        let board = game.board(Some(&PositionText::Text(position.to_owned())), &[]);
        let board = board.expect("a legal position");
        let cold = games::load_knowledge(None).expect("whole files");
        let parameters = SearchParameters {
            top: Some(1000),
            time_limit: Some(LIMIT),
            ..SearchParameters::default()
        };
        let search = board.search(&parameters, &cold).expect("a search");
        let start = Instant::now();
        search.run(&false.into());
        late += start.elapsed().saturating_sub(LIMIT);
    }
    // Without a deadline they take more than three seconds on a free machine.
    assert!(late < Duration::from_millis(1200), "{late:?} late");
}
