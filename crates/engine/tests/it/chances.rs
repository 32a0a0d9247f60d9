//! The probabilities of moves are the frequencies with which a level plays them.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use bestmove_engine::game::LevelNumber;
use bestmove_engine::games;
use bestmove_engine::games::any::{AnyBoard, AnyGame, SearchParameters};

use super::{knowledge, stride};

/// The seeds with which a frequency is counted.
const SEEDS: u32 = 300;

/// The board after random moves; `None` where the game has ended.
fn random_board(
    game: &dyn AnyGame,
    plies: usize,
    random: &mut fastrand::Rng,
) -> Option<Box<dyn AnyBoard>> {
    let mut board = game.board(None, &[]).expect("the start");
    for _ in 0..plies {
        let moves = board.legal_moves();
        let mv = random.choice(&moves)?;
        board = board.after(&mv.mv.text, 0).expect("a legal move");
    }
    (!board.legal_moves().is_empty()).then_some(board)
}

/// How many of the [`SEEDS`] make the level play each move.
fn counts(board: &dyn AnyBoard, parameters: &SearchParameters) -> HashMap<String, u32> {
    let mut counts = HashMap::new();
    for seed in 0..SEEDS {
        let parameters = SearchParameters { seed: Some(seed.into()), ..parameters.clone() };
        let search = board.search(&parameters, knowledge()).expect("an unfinished game");
        *counts.entry(search.run(&AtomicBool::new(false)).best_move.text).or_insert(0) += 1;
    }
    counts
}

/// Levels that search are averages over two hundred careless turns at least, weak ones over 1000.
#[test]
fn chances_are_the_frequencies_of_moves() {
    let mut random = fastrand::Rng::with_seed(20);
    let games = games::all_variants();
    for case in (0..500).step_by(5 * stride()) {
        let game = games[case * 7 % games.len()];
        let Some(board) = random_board(game, random.usize(..24), &mut random) else { continue };
        let level = LevelNumber::new(1 + case as u64 / 5 % 8);
        let parameters = SearchParameters { level, ..SearchParameters::default() };
        let search = board.search(&parameters, knowledge()).expect("an unfinished game");
        let chances = search.chances(None, &AtomicBool::new(false)).expect("no time limit");
        assert_eq!(chances.len(), board.legal_moves().len());
        assert!((chances.iter().map(|it| it.probability).sum::<f64>() - 1.0).abs() < 1e-9);
        let turns = if level < LevelNumber::new(4) { 1000.0 } else { 200.0 };
        let counts = counts(&*board, &parameters);
        for chance in chances {
            let count = counts.get(&chance.mv.text).copied().unwrap_or(0);
            let (played, told) = (f64::from(count) / f64::from(SEEDS), chance.probability);
            let variance = told.max(played) * (1.0 - told.min(played));
            let error = (variance * (1.0 / f64::from(SEEDS) + 1.0 / turns)).sqrt();
            let text = (game.info().name, &board.state().position, level, &chance.mv.text);
            assert!((played - told).abs() <= 4.5 * error, "{text:?}: {played} and {told}");
        }
    }
}

#[test]
fn a_stopped_average_is_not_told() {
    let board = games::find("chess").expect("a game").board(None, &[]).expect("the start");
    let level = LevelNumber::new(3);
    let parameters = SearchParameters { level, ..SearchParameters::default() };
    let search = board.search(&parameters, knowledge()).expect("an unfinished game");
    assert_eq!(search.chances(None, &AtomicBool::new(true)), None);
}
