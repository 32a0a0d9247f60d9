//! What a board size says about the game on it.

use std::sync::LazyLock;

use super::super::{grid, levels};
use super::size::{BoardSize, OtherSize, StandardSize};
use super::{ConnectFour, ConnectFourOn, SizedConnectFour, motifs};
use crate::game::{BoardStyle, GameInfo, Piece, Sample, Surface};

/// A board size with a game on it.
pub trait Variant: BoardSize {
    /// The variants of all sizes of this type.
    const VARIANTS: &'static [ConnectFourOn<Self>];

    /// What the variant says about itself.
    fn info(self) -> &'static GameInfo;
}

pub(super) const PIECES: [Piece; 2] = grid::pieces([("🔴", "red disc"), ("🟡", "yellow disc")]);

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
    sides: grid::SIDES,
    pieces: &PIECES,
    board: BoardStyle {
        surface: Surface::Holes,
        columns: COLUMNS.split_at(7).0,
        rows: &[],
        first_number: None,
    },
    start: "......./......./......./......./......./....... X",
    positions: Sample {
        notation: "six rows from the top, separated by /, of X, O or . (also - or _), then \
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

impl Variant for StandardSize {
    const VARIANTS: &'static [ConnectFour] = &[ConnectFour::STANDARD];

    fn info(self) -> &'static GameInfo {
        &STANDARD
    }
}

impl Variant for OtherSize {
    const VARIANTS: &'static [SizedConnectFour] = &{
        let mut variants = [ConnectFourOn(OtherSize::ALL[0]); OtherSize::ALL.len()];
        let mut place = 0;
        while place < variants.len() {
            variants[place] = ConnectFourOn(OtherSize::ALL[place]);
            place += 1;
        }
        variants
    };

    fn info(self) -> &'static GameInfo {
        static ALL: LazyLock<Vec<GameInfo>> =
            LazyLock::new(|| OtherSize::ALL.map(described).into_iter().collect());
        &ALL[self.place()]
    }
}

/// What the game on a board of this size says about itself. The texts are made once and kept.
fn described(size: OtherSize) -> GameInfo {
    /// The cells up to which a game without a limit is solved in about a second.
    const QUICKLY_SOLVED: u32 = 25;
    let (columns, rows) = (size.columns(), size.rows());
    let text = |text: String| -> &'static str { text.leak() };
    let empty = vec![".".repeat(columns as usize); rows as usize].join("/");
    let first_move = format!(
        "{}X{}",
        ".".repeat(columns as usize / 2),
        ".".repeat(columns as usize - columns as usize / 2 - 1)
    );
    let played = format!("{}{first_move} O", &empty[..empty.len() - columns as usize]);
    let digits = format!(
        "{rows} rows from the top, separated by /, of X, O or . (also - or _), then optionally a space and \
         the side to move; or the columns played so far as digits, the empty string being the start"
    );
    // Threats that last are told by rows of even number.
    let evaluators = if rows.is_multiple_of(2) { EVALUATORS } else { &EVALUATORS[1..] };
    GameInfo {
        variant: text(format!("{columns}x{rows}")),
        other_variant_names: &[],
        description: text(format!("{columns} columns and {rows} rows")),
        board: BoardStyle { columns: &COLUMNS[..columns as usize], ..STANDARD.board },
        start: text(format!("{empty} X")),
        positions: Sample {
            notation: text(digits),
            examples: vec![text(played), "3321", ""].leak(),
        },
        moves: Sample {
            notation: text(format!("the column, 1 to {columns} from the left")),
            examples: &["3", "1"],
        },
        evaluators,
        default_depth: (columns * rows > QUICKLY_SOLVED).then_some(10),
        max_depth: columns * rows,
        ..STANDARD
    }
}
