//! The descriptions of the variants.

use std::sync::LazyLock;

use super::super::{grid, levels};
use super::size::BoardSize;
use super::{ConnectFourOn, SizedConnectFour, motifs};
use crate::game::{BoardStyle, Game, GameInfo, Piece, Sample, Surface};

const PIECES: [Piece; 2] = grid::pieces([("🔴", "red disc"), ("🟡", "yellow disc")]);

/// The names of columns.
const COLUMNS: &[&str] = &["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

/// The evaluators, of which all but the first serve every board.
const EVALUATORS: &[(&str, &str)] = &[
    (
        "threats",
        "empty cells that would complete a four count 20, and 40 more in the rows that \
         the end of the game gives to their owner; segments with two own stones and no \
         other 10; less theirs",
    ),
    (
        "segments",
        "segments of four cells with three own stones and no other count 100, with two \
         1; less theirs",
    ),
    ("outcome", "only finished games count"),
];

static STANDARD: GameInfo = GameInfo {
    name: "connect-four",
    other_names: &["connect 4", "four in a row", "4 in a row"],
    variant: "7x6",
    other_variant_names: &["standard"],
    description: "seven columns and six rows",
    title: "Connect Four",
    sides: ["red", "yellow"],
    pieces: &PIECES,
    board: BoardStyle {
        surface: Surface::Holes,
        columns: COLUMNS.split_at(7).0,
        rows: &[],
        first_number: None,
    },
    start: "......./......./......./......./......./....... X",
    positions: Sample {
        notation: "six rows from the top, separated by /, of X (red), O (yellow) or . (also - or _), then \
                   optionally a space and the side to move; or the columns played so far as \
                   digits, the empty string being the start",
        examples: &["......./......./......./......./...O.../...X... X", "44453", ""],
    },
    moves: Sample { notation: "the column, 1 to 7 from the left", examples: &["4", "1"] },
    uci: false,
    rows: true,
    evaluators: EVALUATORS,
    score_unit: None,
    default_depth: None,
    max_depth: 42,
    levels: &levels::CONNECT_FOUR,
    motifs: motifs::KINDS,
    move_count_claim: None,
    network: None,
    table_pieces: 0,
};

/// The description of a variant.
pub(super) fn info<S: BoardSize>(game: &ConnectFourOn<S>) -> &'static GameInfo {
    static OTHERS: LazyLock<Vec<GameInfo>> =
        LazyLock::new(|| SizedConnectFour::VARIANTS.iter().map(described).collect());
    let size = (game.columns(), game.rows());
    let place = SizedConnectFour::VARIANTS.iter().position(|it| (it.columns(), it.rows()) == size);
    place.map_or(&STANDARD, |place| &OTHERS[place])
}

/// The description of a variant other than the standard one. The texts are made once and kept.
fn described(game: &SizedConnectFour) -> GameInfo {
    /// The cells up to which a game without a limit is solved in about a second.
    const QUICKLY_SOLVED: usize = 25;
    let (columns, rows) = (game.columns(), game.rows());
    let empty = vec![".".repeat(columns); rows].join("/");
    let mut played = empty.clone() + " O";
    let centre = empty.len() - columns + columns / 2;
    played.replace_range(centre..=centre, "X");
    // Threats that last are told by rows of even number.
    let evaluators = if rows.is_multiple_of(2) { EVALUATORS } else { &EVALUATORS[1..] };
    GameInfo {
        variant: format!("{columns}x{rows}").leak(),
        other_variant_names: &[],
        description: format!("{columns} columns and {rows} rows").leak(),
        board: BoardStyle { columns: &COLUMNS[..columns], ..STANDARD.board },
        start: format!("{empty} X").leak(),
        positions: Sample {
            notation: format!(
                "{rows} rows from the top, separated by /, of X (red), O (yellow) or . (also - or _), then optionally a \
                 space and the side to move; or the columns played so far as digits, the empty string being the start"
            )
            .leak(),
            examples: vec![played.leak(), "3321", ""].leak(),
        },
        moves: Sample {
            notation: format!("the column, 1 to {columns} from the left").leak(),
            examples: &["3", "1"],
        },
        evaluators,
        default_depth: (columns * rows > QUICKLY_SOLVED).then_some(10),
        max_depth: (columns * rows) as u32,
        ..STANDARD
    }
}
