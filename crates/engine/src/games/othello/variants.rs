//! What the variants say about themselves.

use std::sync::LazyLock;

use super::super::{grid, levels};
use super::evaluation::NETWORK_SIZE;
use super::{Othello, motifs};
use crate::game::{BoardStyle, Game, GameInfo, Notation, Piece, Sample, Surface};

const PIECES: [Piece; 2] = grid::pieces([("⚫", "black disc"), ("⚪", "white disc")]);

/// The names of columns and of rows.
const COLUMNS: &[&str] = &["a", "b", "c", "d", "e", "f", "g", "h"];
const ROWS: &[&str] = &["1", "2", "3", "4", "5", "6", "7", "8"];

/// The evaluators, of which all but the first serve every board.
const EVALUATORS: &[(&str, &str)] = &[
    ("network", "a network that has learned from games of the engine against itself"),
    (
        "mobility",
        "corners, squares beside empty corners, moves, and discs beside empty squares, each \
         less theirs, in hundredths of a disc",
    ),
    ("discs", "own discs less theirs, 100 each"),
];

static STANDARD: GameInfo = GameInfo {
    name: "othello",
    other_names: &["reversi"],
    variant: "standard",
    other_variant_names: &["8x8"],
    description: "eight by eight squares; the side with more discs at the end wins",
    title: "Othello",
    sides: ["black", "white"],
    pieces: &PIECES,
    board: BoardStyle { surface: Surface::Felt, columns: COLUMNS, rows: ROWS, first_number: None },
    start: "...........................OX......XO........................... X",
    positions: Sample {
        notation: "64 cells, row by row from a1, X (black), O (white), - or . (also _, and / between \
                   rows), then optionally a space and the side to move; or the moves played so far, such \
                   as f5d6c3",
        examples: &[
            "...........................OX......XO........................... X",
            "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X",
            "f5d6c3",
        ],
    },
    moves: Sample {
        notation: "the square, a1 to h8, a1 at the top left; or pass, which may be left out in a list of \
                   moves",
        examples: &["f5", "pass"],
    },
    uci: false,
    rows: true,
    evaluators: EVALUATORS,
    score_unit: Some("disc"),
    default_depth: Some(8),
    max_depth: 120,
    levels: &levels::OTHELLO,
    motifs: motifs::KINDS,
    move_count_claim: None,
    network: Some(NETWORK_SIZE),
    table_pieces: 0,
};

/// What a variant says about itself.
pub(super) fn info(variant: Othello) -> &'static GameInfo {
    static SIX: LazyLock<GameInfo> =
        LazyLock::new(|| described(Othello::Six, "six by six", &["d5", "pass"], "d5e5", Some(10)));
    static FOUR: LazyLock<GameInfo> =
        LazyLock::new(|| described(Othello::Four, "four by four", &["d3", "pass"], "d3d2", None));
    match variant {
        Othello::Standard => &STANDARD,
        Othello::Six => &SIX,
        Othello::Four => &FOUR,
    }
}

/// The description of a smaller board, with examples of moves and of a game. The texts are made once and kept.
fn described(
    variant: Othello,
    size: &str,
    moves: &'static [&'static str],
    played: &'static str,
    default_depth: Option<u32>,
) -> GameInfo {
    let width = usize::from(variant.geometry().width);
    let start: &str = Othello::write_position(&variant.start()).leak();
    let last = format!("{}{width}", COLUMNS[width - 1]);
    GameInfo {
        variant: format!("{width}x{width}").leak(),
        other_variant_names: &[],
        description: format!("{size} squares; the side with more discs at the end wins").leak(),
        board: BoardStyle { columns: &COLUMNS[..width], rows: &ROWS[..width], ..STANDARD.board },
        start,
        positions: Sample {
            notation: format!(
                "{width} rows from the top, separated by /, of X (black), O (white), - or . (also _), then optionally a \
                 space and the side to move; or the moves played so far, such as {played}"
            )
            .leak(),
            examples: vec![start, played].leak(),
        },
        moves: Sample {
            notation: format!(
                "the square, a1 to {last}, a1 at the top left; or pass, which may be left out in a list of moves"
            )
            .leak(),
            examples: moves,
        },
        evaluators: &EVALUATORS[1..],
        network: None,
        default_depth,
        max_depth: 2 * (variant.geometry().count() - 4),
        ..STANDARD
    }
}
