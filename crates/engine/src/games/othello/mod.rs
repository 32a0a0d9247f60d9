//! Othello (Reversi) on eight columns and eight rows, and on smaller boards.
//!
//! Squares are numbered row by row from a1 at the top left; a set of squares is one bit each.

mod board;
mod endgame;
mod evaluation;
mod expansion;
mod likely;
mod motifs;
mod network_input;
mod prover;
mod variants;

use std::io;
use std::sync::Arc;

pub use self::board::{Disc, Discs, OthelloBoard};
use self::evaluation::{NETWORK_SIZE, OthelloEvaluatorKind};
pub use self::evaluation::{OthelloEvaluator, OthelloKnowledge};
use super::grid::{self, Grid};
use crate::game::{
    Alert, Cells, Drawing, Ending, Game, GameInfo, KnowledgeFiles, Motif, MoveDrawing, MoveError,
    MoveText, Notation, Outcome, Position, PositionError, PositionText, Side, Square,
};

/// The notation of a pass.
const PASS: &str = "pass";

/// The game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Othello {
    /// On eight by eight squares.
    Standard,
    /// On six by six squares.
    Six,
    /// On four by four squares.
    Four,
}

impl Game for Othello {
    type Evaluator = OthelloEvaluator;
    type Knowledge = OthelloKnowledge;

    const VARIANTS: &'static [Self] = &[Self::Standard, Self::Six, Self::Four];

    fn game_info(&self) -> &'static GameInfo {
        variants::info(*self)
    }

    fn start(&self) -> OthelloBoard {
        // White holds the falling diagonal of the middle.
        let middle = self.geometry().middle;
        let white = middle & 0x8040_2010_0804_0201;
        OthelloBoard::new(*self, middle & !white, white, Side::First)
    }

    fn evaluator(name: &str, knowledge: &Arc<OthelloKnowledge>) -> Option<OthelloEvaluator> {
        let kind = match name {
            "network" => OthelloEvaluatorKind::Network(Arc::clone(knowledge.network.as_ref()?)),
            "mobility" => OthelloEvaluatorKind::Mobility,
            "discs" => OthelloEvaluatorKind::Discs,
            _ => return None,
        };
        Some(OthelloEvaluator(kind))
    }

    fn load_knowledge(files: KnowledgeFiles) -> io::Result<OthelloKnowledge> {
        let network = knowledge_file!("othello-network.bin").network(NETWORK_SIZE, files)?;
        Ok(OthelloKnowledge { network: Some(network) })
    }
}

impl Notation for Othello {
    type Position = OthelloBoard;

    fn read_position(&self, text: &PositionText) -> Result<OthelloBoard, PositionError> {
        match text.text().and_then(|text| self.read_played(text)) {
            Some(played) => {
                Ok(played?.into_iter().fold(self.start(), |board, disc| board.play(disc)))
            }
            None => self.read_grid(&self.grid(text)?),
        }
    }

    fn read_played(&self, text: &str) -> Option<Result<Vec<Disc>, PositionError>> {
        let text = text.trim();
        let moves = text.as_bytes().chunks(2);
        let discs = moves.map(|mv| self.read_disc(mv)).collect::<Option<Vec<_>>>()?;
        Some(self.play_discs(&discs))
    }

    fn read_diagram(&self, text: &PositionText) -> Option<Result<Cells, PositionError>> {
        let played = text.text().and_then(|text| self.read_played(text)?.err());
        Some(self.grid(text).map(|grid| grid.rows()).map_err(|error| played.unwrap_or(error)))
    }

    fn write_position(board: &OthelloBoard) -> String {
        // Smaller boards are written with separators between rows.
        let between = if board.variant == Self::Standard { "" } else { "/" };
        grid::joined(Self::cells(board), between) + " " + grid::MARKS[board.side as usize]
    }

    fn read_move(board: &OthelloBoard, text: &str) -> Result<Disc, MoveError> {
        // Files of WTHOR number a square by its row and its column: f5 is 56.
        let name = match *text.as_bytes() {
            [row @ b'1'..=b'8', column @ b'1'..=b'8'] => &[column - b'1' + b'a', row],
            _ => text.as_bytes(),
        };
        let Some(disc) = board.variant.read_disc(name) else {
            let last = square_name(63 - board.geometry().corners.leading_zeros() as u8);
            return Err(MoveError(format!("expected a square, a1 to {last}, or pass")));
        };
        if board.legal_moves().any(|legal| legal == disc) {
            return Ok(disc);
        }
        Err(MoveError(why_illegal(board, disc)))
    }

    fn write_move(_: &OthelloBoard, disc: Disc) -> MoveText {
        disc_name(disc).into()
    }
}

impl Drawing for Othello {
    fn cells(board: &OthelloBoard) -> Cells {
        let width = board.geometry().width;
        grid::cells(width, width, |row, column| board.disc(row * 8 + column))
    }

    fn drawn_move(board: &OthelloBoard, disc: Disc) -> MoveDrawing {
        if disc == Disc::PASS {
            return MoveDrawing::default();
        }
        let turned = board::flips(board.own, board.other, disc.0);
        let flips = grid::squares(8, 8, |row, column| turned >> (row * 8 + column) & 1 != 0);
        let square = Square { row: disc.0 / 8, column: disc.0 % 8 };
        MoveDrawing { flips, ..MoveDrawing::placing(square) }
    }

    fn alert(board: &OthelloBoard) -> Option<Alert> {
        board.must_pass().then_some(Alert::MustPass)
    }

    fn motifs(board: &OthelloBoard, disc: Disc) -> Vec<Motif> {
        motifs::motifs(board, disc)
    }

    fn drawing(board: &OthelloBoard) -> String {
        grid::drawn(Self::cells(board), &board.variant.game_info().board)
    }

    fn ending(board: &OthelloBoard) -> Ending {
        let is_drawn = board.outcome() == Some(Outcome::Draw);
        let reason = if is_drawn { "equal discs" } else { "more discs" };
        Ending { reason, line: Vec::new() }
    }
}

fn disc_name(disc: Disc) -> String {
    if disc == Disc::PASS { PASS.to_owned() } else { square_name(disc.0) }
}

fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
}

fn why_illegal(board: &OthelloBoard, disc: Disc) -> String {
    if disc == Disc::PASS {
        return "only a side without another move may pass".to_owned();
    }
    let square = square_name(disc.0);
    if board.must_pass() {
        "there is no square to play on: the move is pass".to_owned()
    } else if board.disc(disc.0).is_some() {
        format!("{square} is taken")
    } else {
        format!("a disc on {square} turns none over")
    }
}

impl Othello {
    /// The cells that a text shows.
    fn grid(self, text: &PositionText) -> Result<Grid, PositionError> {
        let width = usize::from(self.geometry().width);
        Grid::read(text, self.game_info(), width, width)
    }

    /// The move of this name.
    fn read_disc(self, name: &[u8]) -> Option<Disc> {
        match *name.to_ascii_lowercase() {
            [column @ b'a'..=b'h', row @ b'1'..=b'8'] => {
                let (column, row) = (column - b'a', row - b'1');
                (column.max(row) < self.geometry().width).then_some(Disc(row * 8 + column))
            }
            [b'-', b'-'] | [b'p', b'a' | b's'] | [b'p', b'a', b's', b's'] => Some(Disc::PASS),
            _ => None,
        }
    }

    /// The moves of a game in which `discs` were placed, with the passes between them, written or not.
    fn play_discs(self, discs: &[Disc]) -> Result<Vec<Disc>, PositionError> {
        let (mut board, mut moves) = (self.start(), Vec::new());
        for (index, &disc) in discs.iter().enumerate() {
            if board.outcome().is_some() {
                return Err(PositionError(format!(
                    "the game is over after {index} of the discs placed"
                )));
            }
            if board.must_pass() && disc != Disc::PASS {
                board = board.play(Disc::PASS);
                moves.push(Disc::PASS);
            }
            if board.legal_moves().all(|legal| legal != disc) {
                let (name, why) = (disc_name(disc), why_illegal(&board, disc));
                return Err(PositionError(format!("{name}, disc {}: {why}", index + 1)));
            }
            board = board.play(disc);
            moves.push(disc);
        }
        Ok(moves)
    }

    /// Reads a position given cell by cell. A position that obviously no game could reach is refused.
    fn read_grid(self, grid: &Grid) -> Result<OthelloBoard, PositionError> {
        let [first, second] = Side::BOTH.map(|side| grid.squares(side, 8));
        let (all, middle) = (first | second, self.geometry().middle);
        if all & middle != middle {
            let corner = middle.trailing_zeros() as u8;
            let [a, b, c, d] = [0, 1, 8, 9].map(|square| square_name(corner + square));
            return Err(PositionError(format!("{a}, {b}, {c} and {d} hold discs from the start")));
        }
        let apart = all & !board::connected(all, middle);
        if apart != 0 {
            return Err(PositionError(format!(
                "no game places a disc on {}: no line of discs leads there",
                square_name(apart.trailing_zeros() as u8)
            )));
        }
        // Without a pass, Black moves at even numbers of discs. A side without a move has passed.
        let by_count = if all.count_ones() % 2 == 0 { Side::First } else { Side::Second };
        let [black_to_move, white_to_move] = [
            OthelloBoard::new(self, first, second, Side::First),
            OthelloBoard::new(self, second, first, Side::Second),
        ];
        let guessed = if by_count == Side::First { black_to_move } else { white_to_move };
        let has_passed = guessed.must_pass() && guessed.replies() != 0;
        let guessed_side = if has_passed { by_count.other() } else { by_count };
        Ok(match grid.given_side().unwrap_or(guessed_side) {
            Side::First => black_to_move,
            Side::Second => white_to_move,
        })
    }
}
