//! Othello (Reversi) on eight columns and eight rows.
//!
//! Squares are numbered row by row from a1 at the top left; a set of squares is one bit each.

mod board;
mod endgame;
mod evaluation;
mod expansion;
mod motifs;
mod network_input;

use std::io;
use std::sync::Arc;

use self::board::mobility;
pub use self::board::{Disc, Discs, OthelloBoard};
use self::evaluation::OthelloEvaluatorKind;
pub use self::evaluation::{OthelloEvaluator, OthelloKnowledge};
use super::grid::{self, Grid};
use super::levels;
use crate::game::{
    Alert, BoardStyle, Cells, Ending, Game, GameInfo, Motif, MotifKind, MoveDrawing, MoveError,
    Outcome, Piece, Position, PositionError, PositionText, Sample, Side, Square, Surface,
};

const PIECES: [Piece; 2] = grid::pieces([("⚫", "black disc"), ("⚪", "white disc")]);

/// The squares in the middle, which are never empty.
const MIDDLE: u64 = 0x0000_0018_1800_0000;

/// How a pass is written.
const PASS: &str = "pass";

static INFO: GameInfo = GameInfo {
    name: "othello",
    variant: "standard",
    description: "eight by eight squares; the side with more discs at the end wins",
    title: "Othello",
    sides: grid::SIDES,
    pieces: &PIECES,
    board: BoardStyle {
        surface: Surface::Felt,
        columns: &["a", "b", "c", "d", "e", "f", "g", "h"],
        rows: &["1", "2", "3", "4", "5", "6", "7", "8"],
        first_number: None,
    },
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
    evaluators: &[
        ("network", "a network that has learned from games of the engine against itself"),
        (
            "mobility",
            "corners, squares beside empty corners, moves, and discs beside empty squares, each \
             less theirs, in hundredths of a disc",
        ),
        ("discs", "own discs less theirs, 100 each"),
    ],
    score_unit: Some("disc"),
    default_depth: Some(8),
    max_depth: 120,
    levels: &levels::OTHELLO,
};

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Othello;

impl Game for Othello {
    type Position = OthelloBoard;
    type Evaluator = OthelloEvaluator;
    type Knowledge = OthelloKnowledge;

    const VARIANTS: &'static [Self] = &[Self];

    fn game_info(&self) -> &'static GameInfo {
        &INFO
    }

    fn start(&self) -> OthelloBoard {
        let at = |squares: [u8; 2]| 1u64 << squares[0] | 1 << squares[1];
        OthelloBoard::new(at([28, 35]), at([27, 36]), Side::First)
    }

    fn read_position(&self, text: &PositionText) -> Result<OthelloBoard, PositionError> {
        let played = match text {
            PositionText::Text(text) => self.read_played(text),
            _ => None,
        };
        match played {
            Some(played) => {
                Ok(played?.into_iter().fold(self.start(), |board, disc| board.play(disc)))
            }
            None => read_grid(&Grid::read(text, &PIECES, 8, 8)?),
        }
    }

    fn read_played(&self, text: &str) -> Option<Result<Vec<Disc>, PositionError>> {
        let text = text.trim();
        let discs = text.as_bytes().chunks(2).map(read_disc).collect::<Option<Vec<_>>>()?;
        Some(play_discs(&discs))
    }

    fn read_diagram(&self, text: &PositionText) -> Option<Result<Cells, PositionError>> {
        let played = match text {
            PositionText::Text(text) => self.read_played(text).and_then(Result::err),
            _ => None,
        };
        let grid = Grid::read(text, &PIECES, 8, 8);
        Some(grid.map(|grid| grid.rows()).map_err(|error| played.unwrap_or(error)))
    }

    fn write_position(board: &OthelloBoard) -> String {
        let mut text = String::with_capacity(66);
        text.extend((0..64).map(|square| grid::letter(board.disc(square))));
        text + " " + grid::SIDES[board.side as usize]
    }

    fn read_move(board: &OthelloBoard, text: &str) -> Result<Disc, MoveError> {
        let Some(disc) = read_disc(text.as_bytes()) else {
            return Err(MoveError("expected a square, a1 to h8, or pass".to_owned()));
        };
        if board.legal_moves().any(|legal| legal == disc) {
            return Ok(disc);
        }
        Err(MoveError(why_illegal(board, disc)))
    }

    fn write_move(_: &OthelloBoard, disc: Disc) -> String {
        if disc == Disc::PASS { PASS.to_owned() } else { square_name(disc.0) }
    }

    fn evaluator(name: &str, knowledge: &Arc<OthelloKnowledge>) -> Option<OthelloEvaluator> {
        let kind = match name {
            "network" => OthelloEvaluatorKind::Network,
            "mobility" => OthelloEvaluatorKind::Mobility,
            "discs" => OthelloEvaluatorKind::Discs,
            _ => return None,
        };
        Some(OthelloEvaluator { kind, knowledge: Arc::clone(knowledge) })
    }

    fn replace_networks(knowledge: &mut OthelloKnowledge, bytes: &[u8]) -> io::Result<()> {
        knowledge.replace_network(bytes)
    }

    fn load_knowledge() -> io::Result<OthelloKnowledge> {
        OthelloKnowledge::read()
    }

    fn cells(board: &OthelloBoard) -> Cells {
        let cell = |row: u8, column: u8| grid::cell_name(board.disc(row * 8 + column));
        (0..8).map(|row| (0..8).map(|column| cell(row, column)).collect()).collect()
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

    const MOTIFS: &'static [MotifKind] = motifs::KINDS;

    fn motifs(board: &OthelloBoard, disc: Disc) -> Vec<Motif> {
        motifs::motifs(board, disc)
    }

    fn drawing(board: &OthelloBoard) -> String {
        let row = |row: u8| {
            let cells = (0..8).map(|column| grid::letter(board.disc(row * 8 + column)));
            format!("{} {}\n", row + 1, cells.map(String::from).collect::<Vec<_>>().join(" "))
        };
        (0..8).map(row).collect::<String>() + "  a b c d e f g h\n"
    }

    fn ending(board: &OthelloBoard) -> Ending {
        let is_drawn = board.outcome() == Some(Outcome::Draw);
        let reason = if is_drawn { "equal discs" } else { "more discs" };
        Ending { reason, line: Vec::new() }
    }
}

/// The move of this name.
fn read_disc(name: &[u8]) -> Option<Disc> {
    match *name.to_ascii_lowercase() {
        [column @ b'a'..=b'h', row @ b'1'..=b'8'] => Some(Disc((row - b'1') * 8 + column - b'a')),
        [b'-', b'-'] | [b'p', b'a' | b's'] | [b'p', b'a', b's', b's'] => Some(Disc::PASS),
        _ => None,
    }
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

/// The moves of a game in which these discs were placed, with the passes between them, written or not.
fn play_discs(discs: &[Disc]) -> Result<Vec<Disc>, PositionError> {
    let (mut board, mut moves) = (Othello.start(), Vec::new());
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
            let (name, why) = (Othello::write_move(&board, disc), why_illegal(&board, disc));
            return Err(PositionError(format!("{name}, disc {}: {why}", index + 1)));
        }
        board = board.play(disc);
        moves.push(disc);
    }
    Ok(moves)
}

/// A position given cell by cell, as far as it can be seen that no game could reach it.
fn read_grid(grid: &Grid) -> Result<OthelloBoard, PositionError> {
    let discs =
        |side| grid.cells(side).fold(0, |discs, (row, column)| discs | 1u64 << (row * 8 + column));
    let [first, second] = [discs(Side::First), discs(Side::Second)];
    let all = first | second;
    if all & MIDDLE != MIDDLE {
        return Err(PositionError("d4, e4, d5 and e5 hold discs from the start".to_owned()));
    }
    if let Some(square) = (0..64).find(|square| (all & !connected(all)) >> square & 1 != 0) {
        return Err(PositionError(format!(
            "no game places a disc on {}: no line of discs leads there",
            square_name(square)
        )));
    }
    // Without a pass, X moves at even numbers of discs; and whoever has no move has passed.
    let by_count = if all.count_ones() % 2 == 0 { Side::First } else { Side::Second };
    let board = |side: Side| match side {
        Side::First => OthelloBoard::new(first, second, side),
        Side::Second => OthelloBoard::new(second, first, side),
    };
    let guessed = board(by_count);
    let has_passed = guessed.must_pass() && mobility(guessed.other, guessed.own) != 0;
    Ok(match grid.given_side() {
        Some(side) => board(side),
        None if has_passed => board(by_count.other()),
        None => guessed,
    })
}

/// The discs that touch, in a row or a diagonal and over others, those in the middle.
fn connected(discs: u64) -> u64 {
    /// All files but the one at the right end, and all but the one at the left end.
    const NOT: [u64; 2] = [0x7F7F_7F7F_7F7F_7F7F, 0xFEFE_FEFE_FEFE_FEFE];
    let mut reached = MIDDLE;
    loop {
        let wide = reached | (reached & NOT[0]) << 1 | (reached & NOT[1]) >> 1;
        let next = (wide | wide << 8 | wide >> 8) & discs;
        if next == reached {
            return reached;
        }
        reached = next;
    }
}
