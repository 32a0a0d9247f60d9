//! The nodes of a fixed set of searches: a change that means to change no search changes none of
//! them, and one that does explains the new numbers.

use crate::knowledge;
use bestmove_engine::game::PositionText;
use bestmove_engine::games;
use bestmove_engine::games::any::SearchParameters;
use bestmove_engine::search::Algorithm;

/// Kiwipete, a position of many captures for tests of move generators.
const MIDDLE_GAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

const ROOK_ENDING: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

const MINOR_PIECES: &str = "8/5pk1/3b2p1/3P4/4KN2/6P1/8/8 w - - 0 1";

/// The first problem of the Fédération Française d'Othello.
const LAST_SQUARES: &str =
    "..XXXXX./.OOOXX.O/.OOOXXOX/.OXOXOXX/OXXXOXXX/..XOXOXX/.XXXOOO./.OOOOO.. X";

/// Game, moves from the start or a position in its notation, depth and algorithm, and the positions visited.
const SEARCHES: &[(&str, &str, u64, &str, u64)] = &[
    ("tic-tac-toe", "", 9, "minimax", 1_290_105),
    ("tic-tac-toe", "", 9, "alpha-beta", 2_160),
    ("tic-tac-toe", "", 9, "solve", 2_405),
    ("connect-four", "", 6, "minimax", 160_125),
    ("connect-four", "", 12, "alpha-beta", 220_133),
    ("connect-four", "4 4 4 4 4 2", 12, "alpha-beta", 203_538),
    ("connect-four", "4 4 4 4 4 2 2 2 2 2 6 6 6 6 6", 42, "solve", 3_699),
    ("checkers", "", 5, "minimax", 11_436),
    ("checkers", "", 9, "alpha-beta", 19_714),
    ("checkers", "11-15 23-19 8-11 22-17", 9, "alpha-beta", 22_795),
    ("checkers", "", 11, "selective", 9_294),
    ("checkers", "11-15 23-19 8-11 22-17", 13, "selective", 27_297),
    ("checkers", "9-14 22-18 5-9 25-22", 13, "selective", 15_940),
    ("chess", "", 8, "selective", 6_215),
    ("chess", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", 10, "selective", 37_075),
    ("chess", "d4 Nf6 c4 e6 Nc3 Bb4", 10, "selective", 40_497),
    ("chess", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", 9, "selective", 18_425),
    ("chess", MIDDLE_GAME, 8, "selective", 9_207),
    ("chess", ROOK_ENDING, 12, "selective", 74_761),
    ("chess", MINOR_PIECES, 14, "selective", 85_790),
    ("othello", "", 5, "minimax", 2_120),
    ("othello", "", 7, "alpha-beta", 4_015),
    ("othello", "", 8, "selective", 1_017),
    ("othello", "f5 d6 c3 d3 c4 f4 f6 f3", 10, "selective", 6_947),
    ("othello", LAST_SQUARES, 28, "solve", 56_620),
];

#[test]
fn the_searches_visit_as_many_positions_as_before() {
    let visited = |&(game, moves, depth, algorithm, nodes): &(_, &str, u64, &'static str, u64)| {
        let position = moves.contains('/').then(|| PositionText::Text(moves.to_owned()));
        let moves: Vec<_> = match position {
            None => moves.split_whitespace().map(String::from).collect(),
            Some(_) => Vec::new(),
        };
        let board = games::find(game).expect(game).board(position.as_ref(), &moves);
        let board = board.expect("a position and legal moves");
        let parameters = SearchParameters {
            depth: Some(depth),
            algorithm: Algorithm::named(algorithm),
            ..SearchParameters::default()
        };
        let answer = board.search(&parameters, knowledge()).expect("a search").run(&false.into());
        (game, depth, algorithm, answer.search.nodes, nodes)
    };
    let changed: Vec<_> =
        SEARCHES.iter().map(visited).filter(|&(.., nodes, before)| nodes != before).collect();
    assert!(changed.is_empty(), "game, depth, algorithm, nodes now and before: {changed:#?}");
}
