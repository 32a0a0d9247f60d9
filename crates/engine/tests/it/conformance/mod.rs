//! One battery over the whole catalogue: what every game must keep to, whatever its rules.

mod rules;

use crate::{cases, knowledge};
use bestmove_engine::game::PositionText;
use bestmove_engine::games::any::{AnyBoard, AnyGame, GameStatus, RequestError, SearchParameters};
use bestmove_engine::games::{all_variants, catalogue};
use proptest::prelude::*;
use proptest::sample::Index;

fn text(position: &str) -> PositionText {
    PositionText::Text(position.to_owned())
}

fn set_up(game: &dyn AnyGame, moves: &[String]) -> Box<dyn AnyBoard> {
    game.board(None, moves).unwrap_or_else(|refusal| panic!("{moves:?}: {refusal:?}"))
}

/// What a caller reads of the legal moves: the list that comes with an illegal one.
fn legal_moves(game: &dyn AnyGame, moves: &[String]) -> Vec<String> {
    let with_nonsense: Vec<_> = moves.iter().cloned().chain(["nonsense".to_owned()]).collect();
    match game.board(None, &with_nonsense) {
        Err(RequestError::Move { index, allowed, .. }) => {
            assert_eq!(index, moves.len());
            allowed
        }
        _ => panic!("{}: nonsense is no move", game.info().name),
    }
}

/// A game of random moves, until it ends or the choices do.
fn random_game(game: &dyn AnyGame, choices: &[Index]) -> Vec<String> {
    let mut moves = Vec::new();
    for choice in choices {
        let legal = legal_moves(game, &moves);
        match legal.len() {
            0 => break,
            count => moves.push(legal[choice.index(count)].clone()),
        }
    }
    moves
}

#[test]
fn every_game_starts_where_it_says() {
    for game in all_variants() {
        let state = set_up(*game, &[]).state();
        assert_eq!(state.position, game.info().start);
        assert_eq!(state.status, GameStatus::Ongoing);
        assert_eq!(state.side_to_move, game.info().sides[0]);
    }
}

#[test]
fn a_refusal_is_a_sentence_and_may_list_what_is_allowed() {
    for game in all_variants() {
        let refusal = game.board(None, &["nonsense".to_owned()]).err().expect("it is no move");
        let (told, allowed) = (refusal.to_string(), refusal.allowed().join(", "));
        assert!(told.starts_with("moves[0] 'nonsense': expected "), "{told}");
        assert_eq!(format!("{refusal:#}"), format!("{told}; allowed: {allowed}"));
    }
}

#[test]
fn an_answer_weighs_as_much_as_its_texts_or_more() {
    for game in all_variants() {
        let board = set_up(*game, &[]);
        for top in [None, Some(100)] {
            let parameters =
                SearchParameters { depth: Some(3), top, ..SearchParameters::default() };
            let search = board.search(&parameters, knowledge()).expect("something to search");
            let answer = search.run(&false.into());
            let json = serde_json::to_string(&answer).expect("an answer is JSON").len();
            let is_honest = (json..json * 5).contains(&answer.weight());
            assert!(is_honest, "{}: {} of {json}", game.info().name, answer.weight());
        }
    }
}

#[test]
fn every_example_position_is_read() {
    for game in all_variants() {
        for example in game.info().positions.examples {
            assert!(game.board(Some(&text(example)), &[]).is_ok(), "{example}");
        }
    }
}

#[test]
fn every_evaluator_and_algorithm_can_be_asked_for() {
    for game in all_variants() {
        let board = set_up(*game, &[]);
        for (evaluator, _) in game.info().evaluators {
            for algorithm in game.algorithms() {
                let parameters = SearchParameters {
                    depth: Some(1),
                    evaluator: Some((*evaluator).to_owned()),
                    algorithm: Some(algorithm),
                    ..SearchParameters::default()
                };
                assert!(
                    board.search(&parameters, knowledge()).is_ok(),
                    "{evaluator} {algorithm:?}"
                );
            }
        }
        let unknown = SearchParameters {
            evaluator: Some("unknown".to_owned()),
            ..SearchParameters::default()
        };
        assert!(matches!(
            board.search(&unknown, knowledge()),
            Err(RequestError::Choice { field: "evaluator", .. })
        ));
    }
}

#[test]
fn a_depth_beyond_the_maximum_is_refused() {
    for game in all_variants() {
        let board = set_up(*game, &[]);
        let most = u64::from(game.info().max_depth);
        let parameters =
            |depth| SearchParameters { depth: Some(depth), ..SearchParameters::default() };
        assert!(board.search(&parameters(most), knowledge()).is_ok());
        for depth in [0, most + 1, u64::MAX] {
            let refused = board.search(&parameters(depth), knowledge());
            assert!(matches!(refused, Err(RequestError::Choice { field: "depth", .. })), "{depth}");
        }
    }
}

/// All games, and one variant, which the choices tell.
fn games(choices: &[Index]) -> impl Iterator<Item = &'static &'static dyn AnyGame> {
    let place = choices.first().map_or(0, |choice| choice.index(all_variants().len()));
    catalogue().iter().chain(&all_variants()[place..=place])
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn positions_and_moves_are_read_back_as_they_are_written(
        choices in prop::collection::vec(any::<Index>(), 0..60),
    ) {
        for game in games(&choices) {
            let moves = random_game(*game, &choices);
            for played in 0..=moves.len() {
                let state = set_up(*game, &moves[..played]).state();
                let again = game.board(Some(&text(&state.position)), &[]);
                let again = again.unwrap_or_else(|refusal| panic!("{}: {refusal:?}", state.position));
                prop_assert_eq!(&again.state().position, &state.position);
                prop_assert_eq!(again.state().side_to_move, state.side_to_move);
            }
        }
    }

    #[test]
    fn a_search_answers_with_a_legal_line(choices in prop::collection::vec(any::<Index>(), 0..40), depth in 1u64..4) {
        for game in games(&choices) {
            let moves = random_game(*game, &choices);
            let board = set_up(*game, &moves);
            let search = match board.search(&SearchParameters { depth: Some(depth), ..SearchParameters::default() }, knowledge()) {
                Ok(search) => search,
                Err(RequestError::GameOver(state)) => {
                    prop_assert_ne!(state.status, GameStatus::Ongoing);
                    continue;
                }
                Err(refusal) => panic!("{moves:?}: {refusal:?}"),
            };
            let answer = search.run(&false.into());
            let line = answer.principal_variation.iter().map(|mv| mv.text.clone());
            let whole: Vec<_> = moves.iter().cloned().chain(line).collect();
            prop_assert!(game.board(None, &whole).is_ok(), "{:?}", whole);
            let best = [moves, vec![answer.best_move.text.clone()]].concat();
            prop_assert_eq!(Some(set_up(*game, &best).state()), answer.after);
        }
    }

    #[test]
    fn arbitrary_texts_are_refused_in_words(position: String, mv: String, choice: Index) {
        for game in games(&[choice]) {
            if let Err(refusal) = game.board(Some(&text(&position)), &[]) {
                let told = matches!(&refusal, RequestError::Position(error) if !error.0.is_empty());
                prop_assert!(told, "{:?}", refusal);
            }
            if let Err(refusal) = game.board(None, std::slice::from_ref(&mv)) {
                let told = match &refusal {
                    RequestError::Move { error, allowed, .. } => !error.0.is_empty() && !allowed.is_empty(),
                    _ => false,
                };
                prop_assert!(told, "{:?}", refusal);
            }
        }
    }
}
