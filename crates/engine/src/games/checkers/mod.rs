//! Checkers: English draughts on eight by eight squares, by the rules of the World Checkers
//! Draughts Federation. The third occurrence of a position and forty moves of each side without a capture
//! or a man's move are draws that the side to move may claim. The fifth occurrence and 150 plies end the
//! game, as in chess, so that every game ends.

mod board;
mod drawing;
mod endgame;
mod evaluation;
mod fen;
mod motifs;
mod moves;
mod notation;
mod position;

use std::io;
use std::sync::Arc;

pub use self::board::CheckersBoard;
pub use self::evaluation::{CheckersEvaluator, distance};
use self::evaluation::{CheckersEvaluatorKind, CheckersKnowledge};
pub use self::moves::{CheckersMove, CheckersMoves};
use self::position::DRAWING_PLIES;
use super::levels;
use crate::game::{
    Alert, Cells, Drawing, Ending, Game, GameInfo, KnowledgeFiles, Motif, MoveDrawing, MoveError,
    MoveText, Notation, Position, PositionError, PositionText, Sample, Side, read_cells,
};

/// The description of the game.
static INFO: GameInfo = GameInfo {
    name: "checkers",
    other_names: &["draughts", "English draughts", "American checkers"],
    variant: "standard",
    other_variant_names: &["English", "American", "21"],
    description: "English draughts on eight by eight squares",
    title: "Checkers",
    sides: ["black", "white"],
    pieces: &drawing::PIECES,
    board: drawing::BOARD,
    start: "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    positions: Sample {
        notation: "English draughts in PDN FEN: the side to move, White's pieces and Black's \
                   (in either order), each a square from 1 to 32 or a range of squares, K \
                   before a king; Black begins on 1 to 12 and moves first",
        examples: &["B:W21-32:B1-12", "B:W18,24,K27:B5,6"],
    },
    moves: Sample {
        notation: "PDN: the squares where a piece begins and ends, with - for a step and x for \
                   a capture, and every square between on which it lands where other captures \
                   have the same two ends",
        examples: &["11-15", "22x15", "22x15x8"],
    },
    uci: false,
    rows: false,
    evaluators: &[
        (
            "full",
            "hundredths of a man: a network that was trained on games of the engine against itself",
        ),
        ("material", "a man counts 100, a king 140; less theirs"),
    ],
    score_unit: None,
    default_depth: Some(14),
    max_depth: 64,
    levels: &levels::CHECKERS,
    motifs: motifs::KINDS,
    move_count_claim: Some("forty-moves"),
    network: Some(evaluation::NETWORK_SIZE),
    table_pieces: bestmove_endgames::checkers::MOST_PIECES as u32,
};

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Checkers;

impl Game for Checkers {
    type Evaluator = CheckersEvaluator;
    type Knowledge = CheckersKnowledge;

    const VARIANTS: &'static [Self] = &[Self];

    fn game_info(&self) -> &'static GameInfo {
        &INFO
    }

    fn start(&self) -> CheckersBoard {
        const BLACK: u64 = 0xff | 0xf << 9;
        const WHITE: u64 = 0xff << 27 | 0xf << 22;
        CheckersBoard::new([BLACK, WHITE], 0, Side::First)
    }

    fn evaluator(name: &str, knowledge: &Arc<CheckersKnowledge>) -> Option<CheckersEvaluator> {
        let kind = match name {
            "material" => CheckersEvaluatorKind::Material,
            "full" => CheckersEvaluatorKind::Full(knowledge.networks.clone()?),
            _ => return None,
        };
        Some(CheckersEvaluator { kind, knowledge: Arc::clone(knowledge) })
    }

    fn load_knowledge(files: KnowledgeFiles) -> io::Result<CheckersKnowledge> {
        CheckersKnowledge::read(files)
    }
}

impl Notation for Checkers {
    type Position = CheckersBoard;

    fn read_position(&self, text: &PositionText) -> Result<CheckersBoard, PositionError> {
        match text {
            PositionText::Text(text) => fen::read(text),
            PositionText::Board { rows, side_to_move } => {
                let (cells, side) = read_cells(self, rows, side_to_move)?;
                drawing::read(&cells, side)
            }
            PositionText::Rows(_) => Err(PositionError(
                "expected a text in PDN FEN, as in B:W18,24:B5,6, but got rows".to_owned(),
            )),
        }
    }

    fn read_diagram(&self, text: &PositionText) -> Option<Result<Cells, PositionError>> {
        match text {
            PositionText::Text(text) if fen::is_list(text) => {
                Some(fen::read_pieces(text).map(|board| Self::cells(&board)))
            }
            _ => None,
        }
    }

    fn write_position(board: &CheckersBoard) -> String {
        fen::write(board)
    }

    fn read_move(board: &CheckersBoard, text: &str) -> Result<CheckersMove, MoveError> {
        notation::read(board, text)
    }

    fn write_move(board: &CheckersBoard, mv: CheckersMove) -> MoveText {
        notation::write(board, mv).into()
    }
}

impl Drawing for Checkers {
    fn cells(board: &CheckersBoard) -> Cells {
        drawing::cells(board)
    }

    fn drawn_move(board: &CheckersBoard, mv: CheckersMove) -> MoveDrawing {
        drawing::drawn_move(board, mv)
    }

    fn alert(board: &CheckersBoard) -> Option<Alert> {
        (board.jumpers() != 0).then_some(Alert::MustCapture)
    }

    fn passed(board: &CheckersBoard) -> Option<CheckersBoard> {
        Some(board.passed())
    }

    fn motifs(board: &CheckersBoard, mv: CheckersMove) -> Vec<Motif> {
        motifs::motifs(board, mv)
    }

    fn drawing(board: &CheckersBoard) -> String {
        (0..8).map(|row| drawn_row(board, row)).collect()
    }

    fn ending(board: &CheckersBoard) -> Ending {
        let reason = match board.outcome() {
            Some(_) if board.own == 0 => "no pieces left",
            Some(_) => "no legal move",
            None => "150 plies without capture or man move",
        };
        Ending { reason, line: Vec::new() }
    }
}

const _: () = assert!(DRAWING_PLIES == 150, "the reason of a draw names the number");

/// A row of the board, from Black's side, with the number of its first square before it: `b` and
/// `w` are men, `B` and `W` kings, dots other dark squares.
fn drawn_row(board: &CheckersBoard, row: u8) -> String {
    let first = 4 * row + 1;
    let squares = [0, 1, 2, 3].map(|place| match drawing::name(board, first + place) {
        "" => ".",
        name => name,
    });
    let indent = if row.is_multiple_of(2) { "   " } else { " " };
    format!("{first:>2}{indent}{}\n", squares.join("   "))
}
