//! Chess. The third occurrence of a position and fifty moves without a capture or a pawn move are draws
//! that the side to move may claim; the fifth occurrence and seventy-five moves end the game (FIDE 9.2,
//! 9.3, 9.6).

mod drawing;
mod draws;
mod epd;
mod evaluation;
mod fen;
mod legality;
mod motif_kinds;
mod motifs;
mod moves;
mod names;
mod notation;
mod position;
mod spelling;
mod tactics;

use std::io;
use std::sync::Arc;

use bestmove_endgames::chess::ChessTables;
use cozy_chess::Move;

pub use self::evaluation::{ChessEvaluator, ChessKnowledge};
use self::evaluation::{ChessEvaluatorKind, NETWORK_SIZE};
pub use self::moves::ChessMoves;
pub use self::position::ChessBoard;
use super::{grid, levels};
use crate::game::{
    Alert, Cells, Drawing, Ending, Game, GameInfo, KnowledgeFiles, Motif, MoveDrawing, MoveError,
    MoveText, Notation, PositionError, PositionText, Sample, read_cells,
};

/// The description of the standard game.
const INFO: GameInfo = GameInfo {
    name: "chess",
    other_names: &[],
    variant: "standard",
    other_variant_names: &["chess", "normal", "orthodox", "regular", "classical", "From Position"],
    description: "the start of the FIDE rules",
    title: "Chess",
    sides: names::SIDES,
    pieces: &drawing::PIECES,
    board: drawing::BOARD,
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    positions: Sample {
        notation: "FEN: the pieces, rank by rank from the eighth, the side to move (w or b), the \
                   castling rights, the en passant square, the halfmove clock and the move \
                   number; the last three may be left out, operations of EPD may follow, and _ \
                   stands for a space",
        examples: &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/8/8/8/8/8/4P3/4K3 w -",
        ],
    },
    moves: Sample {
        notation: "UCI: the square a piece leaves and the one it goes to, then q, r, b or n for \
                   a promotion (e2e4, e7e8q; castling e1g1); or SAN (Nf3, exd5, e8=Q, O-O)",
        examples: &["e2e4", "Nf3", "e7e8q", "O-O"],
    },
    uci: true,
    rows: false,
    evaluators: &[
        ("full", "centipawns: a network that was trained on games of the engine against itself"),
        (
            "piece-square",
            "centipawns: every piece by its square and by the phase of the game; less theirs",
        ),
        (
            "material",
            "centipawns: pawns 100, knights and bishops 300, rooks 500, queens 900; less theirs",
        ),
    ],
    score_unit: Some("pawn"),
    default_depth: Some(8),
    max_depth: 64,
    levels: &levels::CHESS,
    motifs: motif_kinds::KINDS,
    move_count_claim: Some("fifty-moves"),
    network: Some(NETWORK_SIZE),
    table_pieces: 0,
};

static STANDARD: GameInfo = INFO;

/// The description of Chess960. Its example of a start is the one in the FIDE rules.
static CHESS960: GameInfo = GameInfo {
    variant: "chess960",
    other_variant_names: &[
        "960",
        "Fischer Random",
        "fischerandom",
        "Fischer Random Chess",
        "FRC",
        "Freestyle",
        "Freestyle Chess",
        "Chess9LX",
        "wild/fr",
    ],
    description: "Chess960 (Fischer random chess): one of 960 starts, by its number in `position`, such as \
                  chess960:518; castling is the king's move to the square of its rook",
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
    positions: Sample {
        notation: "FEN with castling rights as in Shredder-FEN, the files of the rooks, or as in X-FEN, KQkq for the \
                   outermost rooks; or chess960: and the number of a start, 0 to 959",
        examples: &[
            "chess960:518",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ],
    },
    moves: Sample {
        notation: "UCI: the square a piece leaves and the one it goes to, then q, r, b or n for a promotion (e2e4, \
                   e7e8q; castling takes the king to the square of its rook, e1h1); or SAN (Nf3, exd5, e8=Q, O-O)",
        examples: &["e2e4", "Nf3", "e7e8q", "O-O"],
    },
    ..INFO
};

/// What to do with a position of Chess960 where the standard game was asked for.
const ASK_FOR_960: &str = "set variant to chess960";

/// The game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chess {
    /// From the start of the FIDE rules.
    Standard,
    /// Chess960 (Fischer random chess): from one of 960 starts.
    Chess960,
}

impl Game for Chess {
    type Evaluator = ChessEvaluator;
    type Knowledge = ChessKnowledge;

    const VARIANTS: &'static [Self] = &[Self::Standard, Self::Chess960];

    fn game_info(&self) -> &'static GameInfo {
        match self {
            Self::Standard => &STANDARD,
            Self::Chess960 => &CHESS960,
        }
    }

    fn start(&self) -> ChessBoard {
        ChessBoard::new(cozy_chess::Board::startpos(), *self)
    }

    fn evaluator(name: &str, knowledge: &Arc<ChessKnowledge>) -> Option<ChessEvaluator> {
        let kind = match name {
            "full" => ChessEvaluatorKind::Full(Arc::clone(knowledge.network.as_ref()?)),
            "piece-square" => ChessEvaluatorKind::PieceSquare,
            "material" => ChessEvaluatorKind::Material,
            _ => return None,
        };
        Some(ChessEvaluator { kind, knowledge: Arc::clone(knowledge) })
    }

    fn load_knowledge(files: KnowledgeFiles) -> io::Result<ChessKnowledge> {
        let network = knowledge_file!("chess-network.bin").network(NETWORK_SIZE, files)?;
        let tables = carried_table!("chess-4.tables", ChessTables::open)?;
        Ok(ChessKnowledge { network: Some(network), tables })
    }
}

impl Notation for Chess {
    type Position = ChessBoard;

    fn read_position(&self, text: &PositionText) -> Result<ChessBoard, PositionError> {
        match text {
            PositionText::Text(text) => match self.read_start(text) {
                Some(start) => start,
                None => fen::read(text, *self),
            },
            PositionText::Board { rows, side_to_move } => {
                let (cells, side) = read_cells(self, rows, side_to_move)?;
                drawing::read(&cells, side, *self)
            }
            PositionText::Rows(_) => {
                Err(PositionError("expected a FEN as a string but got rows of cells".to_owned()))
            }
        }
    }

    fn write_position(board: &ChessBoard) -> String {
        fen::write(board)
    }

    fn read_move(board: &ChessBoard, text: &str) -> Result<Move, MoveError> {
        notation::read(board, text)
    }

    fn write_move(board: &ChessBoard, mv: Move) -> MoveText {
        MoveText { text: notation::uci(board, mv), san: Some(notation::san(&board.inner, mv)) }
    }
}

impl Drawing for Chess {
    fn cells(board: &ChessBoard) -> Cells {
        drawing::cells(&board.inner)
    }

    fn drawn_move(board: &ChessBoard, mv: Move) -> MoveDrawing {
        drawing::drawn_move(&board.inner, mv)
    }

    fn alert(board: &ChessBoard) -> Option<Alert> {
        let board = &board.inner;
        let king = board.king(board.side_to_move());
        (!board.checkers().is_empty()).then(|| Alert::Check(drawing::square(king)))
    }

    fn passed(board: &ChessBoard) -> Option<ChessBoard> {
        let passed = board.inner.null_move()?;
        Some(ChessBoard::new(passed, board.variant))
    }

    fn motifs(board: &ChessBoard, mv: Move) -> Vec<Motif> {
        motifs::motifs(&board.inner, mv)
    }

    fn drawing(board: &ChessBoard) -> String {
        grid::drawn(Self::cells(board), &drawing::BOARD)
    }

    fn ending(board: &ChessBoard) -> Ending {
        Ending { reason: draws::reason(&board.inner), line: Vec::new() }
    }
}

impl Chess {
    /// The start of Chess960 that a text numbers, by Scharnagl's numbers; `None` for any other text.
    fn read_start(self, text: &str) -> Option<Result<ChessBoard, PositionError>> {
        const STARTS: u32 = 960;
        let text = text.trim();
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let bare = Some(text).filter(|_| is_number && self == Self::Chess960);
        let number = bare.or_else(|| {
            let (name, number) = text.split_once(':')?;
            CHESS960.is_variant(name).then(|| number.trim())
        })?;
        if self == Self::Standard {
            return Some(Err(PositionError(format!(
                "{text} is a start of Chess960: {ASK_FOR_960}"
            ))));
        }
        let number = number.parse().ok().filter(|&number| number < STARTS);
        Some(match number {
            Some(number) => Ok(ChessBoard::new(cozy_chess::Board::chess960_startpos(number), self)),
            None => Err(PositionError(
                "expected chess960: and the number of a start, 0 to 959".to_owned(),
            )),
        })
    }
}
