//! Games without their types: the only place where a game meets the search.
//!
//! A request names its game, so somewhere the types must be forgotten. That happens here and once a
//! request: [`AnyGame`] reads a position into an [`AnyBoard`], that one reads what is asked about it
//! into an [`AnySearch`] or an [`AnyTree`], and running it calls the search compiled for the game.
//! Each step refuses what it can't read, so that whatever exists can be run.
//!
//! ```
//! use bestmove_engine::game::PositionText;
//! use bestmove_engine::games::any::{GameStatus, SearchParameters, TreeParameters};
//! use bestmove_engine::games::{self, Knowledge};
//!
//! let game = games::find("tic-tac-toe").ok_or("no such game")?;
//! let board = game.board(Some(&PositionText::Text("XX.OO.... X".to_owned())), &[])?;
//! let search = board.search(&SearchParameters::default(), &Knowledge::default())?;
//! let answer = search.run(&false.into());
//! assert_eq!((answer.best_move.text.as_str(), answer.evaluation.plies), ("2", Some(1)));
//!
//! let board = board.after(&answer.best_move.text, 0)?;
//! assert!(matches!(board.state().status, GameStatus::Won { winner: "X", .. }));
//! assert!(board.legal_moves().is_empty());
//!
//! let parameters = TreeParameters {
//!     search: SearchParameters { depth: Some(1), ..SearchParameters::default() },
//!     max_nodes: 10,
//!     is_first_view: false,
//! };
//! let tree = game.board(None, &[])?.tree(&parameters, &Knowledge::default())?;
//! assert_eq!(tree.build_tree(&false.into()).map(|tree| tree.root.children.len()), Ok(9));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod board;
mod level;
mod plan;
mod search;
#[cfg(feature = "serde")]
mod serialize;
mod tree;
mod weight;

use std::io;
use std::path::Path;

pub use self::answer::{
    Answer, BoardView, Chance, Evaluation, GameStatus, LegalMove, Reason, SearchSummary, ShownMove,
    State, Variation,
};
use self::board::{Board, folds, plain_position, shown_move};
pub use self::plan::{RequestError, SearchParameters, TreeParameters};
pub use self::search::{AnySearch, SearchKey};
pub use self::tree::{AnyTree, Cut, Node, Tree, Window};
use super::knowledge::Knowledge;
pub use crate::game::MoveText;
use crate::game::{
    Cells, Evaluator, Game, GameInfo, Motif, MoveOf, Position, PositionText, Record, RecordError,
    read_diagram, read_record,
};
use crate::search::Algorithm;
pub use crate::search::{Bound, TreeError};

/// A game of the catalogue.
pub trait AnyGame: Sync {
    /// What the game says about itself.
    fn info(&self) -> &'static GameInfo;

    /// The algorithms that can search it.
    fn algorithms(&self) -> Vec<Algorithm>;

    /// The algorithm called `name`.
    ///
    /// # Errors
    /// Where it is none of those `offered`.
    fn algorithm(&self, name: &str, offered: &[Algorithm]) -> Result<Algorithm, RequestError>;

    /// All variants that have the type of this one.
    fn variants(&self) -> Vec<&'static dyn AnyGame>;

    /// As [`Knowledge::load`].
    ///
    /// # Errors
    /// Names the file that is damaged.
    fn load_knowledge(
        &self,
        knowledge: &mut Knowledge,
        tables: Option<&Path>,
        networks: Option<&[u8]>,
    ) -> io::Result<()>;

    /// As [`read_record`].
    ///
    /// # Errors
    /// As [`read_record`].
    fn read_record(&self, text: &str) -> Result<Record, RecordError>;

    /// Sets up `position`, or the start, and plays `moves` from it.
    ///
    /// # Errors
    /// Where the position is unreadable or impossible, or a move is.
    fn board(
        &self,
        position: Option<&PositionText>,
        moves: &[String],
    ) -> Result<Box<dyn AnyBoard>, RequestError>;

    /// The cells that `position` shows, for a picture: no side need be to move, and no game need reach them.
    ///
    /// # Errors
    /// Where it is unreadable.
    fn diagram(&self, position: &PositionText) -> Result<Cells, RequestError>;

    /// As [`board`](Self::board), but every position on the way can be asked for.
    ///
    /// # Errors
    /// As [`board`](Self::board).
    fn line(
        &self,
        position: Option<&PositionText>,
        moves: &[String],
    ) -> Result<Box<dyn AnyLine>, RequestError>;
}

/// A start and the moves played from it.
pub trait AnyLine: Send + Sync {
    /// How many moves there are, with the passes that are not written.
    fn plies(&self) -> usize;

    /// The board after the first `plies` moves, with its history. It is made anew by playing them.
    fn board(&self, plies: usize) -> Box<dyn AnyBoard>;
}

/// A position of some game with the history that led to it.
pub trait AnyBoard: Send {
    /// What the game says about itself.
    fn game(&self) -> &'static GameInfo;

    /// Where the game stands.
    fn state(&self) -> State;

    /// The move that was played last, if one was.
    fn last_move(&self) -> Option<ShownMove>;

    /// The board before the last move, without its history.
    fn before(&self) -> Option<Box<dyn AnyBoard>>;

    /// The plies of the game before this position, where the position tells them.
    fn plies_played(&self) -> Option<u32>;

    /// The legal moves in the game's own order; empty where the game is over.
    fn legal_moves(&self) -> Vec<LegalMove>;

    /// The rows of the board from the top.
    fn cells(&self) -> Cells;

    /// The board drawn in characters, on several lines.
    fn drawing(&self) -> String;

    /// The board after a move, which is called by its `index` in a list of moves where it is refused.
    ///
    /// # Errors
    /// Where the move is unreadable or illegal.
    fn after(&self, mv: &str, index: usize) -> Result<Box<dyn AnyBoard>, RequestError>;

    /// The same position with the other side to move, where that makes sense: see [`Drawing::passed`](crate::game::Drawing::passed).
    fn passed(&self) -> Option<Box<dyn AnyBoard>>;

    /// The static score of this position by the evaluator of that name, where the game has it.
    fn static_score(&self, evaluator: &str, knowledge: &Knowledge) -> Option<i32>;

    /// The motifs of a legal move; none where the move is not legal.
    fn motifs(&self, mv: &str) -> Vec<Motif>;

    /// A search of this position, with what is known of its game.
    ///
    /// # Errors
    /// Where the game is over or does not offer what `parameters` ask for.
    fn search(
        &self,
        parameters: &SearchParameters,
        knowledge: &Knowledge,
    ) -> Result<Box<dyn AnySearch>, RequestError>;

    /// The decision tree below this position.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    fn tree(
        &self,
        parameters: &TreeParameters,
        knowledge: &Knowledge,
    ) -> Result<Box<dyn AnyTree>, RequestError>;
}

impl dyn AnyBoard + '_ {
    /// Whether there is more than one legal move.
    pub fn has_choice(&self) -> bool {
        self.legal_moves().len() > 1
    }

    /// The legal moves but `mv`, as requests write moves.
    pub fn other_moves(&self, mv: &MoveText) -> Vec<String> {
        let moves = self.legal_moves().into_iter().map(|other| other.mv.text);
        moves.filter(|other| *other != mv.text).collect()
    }
}

impl<G: Game> AnyGame for G {
    fn info(&self) -> &'static GameInfo {
        self.game_info()
    }

    fn algorithms(&self) -> Vec<Algorithm> {
        plan::algorithms(self)
    }

    fn algorithm(&self, name: &str, offered: &[Algorithm]) -> Result<Algorithm, RequestError> {
        plan::named_algorithm(self, name, offered)
    }

    fn variants(&self) -> Vec<&'static dyn AnyGame> {
        G::VARIANTS.iter().map(|game| game as &dyn AnyGame).collect()
    }

    fn load_knowledge(
        &self,
        knowledge: &mut Knowledge,
        tables: Option<&Path>,
        networks: Option<&[u8]>,
    ) -> io::Result<()> {
        knowledge.load::<G>(tables, networks)
    }

    fn read_record(&self, text: &str) -> Result<Record, RecordError> {
        read_record(self, text)
    }

    fn board(
        &self,
        position: Option<&PositionText>,
        moves: &[String],
    ) -> Result<Box<dyn AnyBoard>, RequestError> {
        let mut board = Board::read(*self, position)?;
        board.play_all(moves)?;
        Ok(Box::new(board))
    }

    fn diagram(&self, position: &PositionText) -> Result<Cells, RequestError> {
        let position = plain_position(position);
        let read = self.read_diagram(&position);
        read.unwrap_or_else(|| read_diagram(self, &position)).map_err(RequestError::Position)
    }

    fn line(
        &self,
        position: Option<&PositionText>,
        moves: &[String],
    ) -> Result<Box<dyn AnyLine>, RequestError> {
        let start = Board::read(*self, position)?;
        let moves = start.clone().play_all(moves)?;
        Ok(Box::new(PlayedLine { start, moves }))
    }
}

/// A start and the moves played from it.
struct PlayedLine<G: Game> {
    start: Board<G>,
    moves: Vec<MoveOf<G>>,
}

impl<G: Game> AnyLine for PlayedLine<G> {
    fn plies(&self) -> usize {
        self.moves.len()
    }

    fn board(&self, plies: usize) -> Box<dyn AnyBoard> {
        let mut board = self.start.clone();
        self.moves.iter().take(plies).for_each(|&mv| board.play(mv));
        Box::new(board)
    }
}

impl<G: Game> AnyBoard for Board<G> {
    fn game(&self) -> &'static GameInfo {
        self.game.game_info()
    }

    fn state(&self) -> State {
        self.state()
    }

    fn last_move(&self) -> Option<ShownMove> {
        self.last.as_ref().map(|(before, mv)| shown_move::<G>(before, *mv))
    }

    fn before(&self) -> Option<Box<dyn AnyBoard>> {
        let (before, _) = self.last.as_ref()?;
        Some(Box::new(Board::new(self.game, before.clone())))
    }

    fn plies_played(&self) -> Option<u32> {
        self.position.plies_played()
    }

    fn legal_moves(&self) -> Vec<LegalMove> {
        let moves = self.moves();
        let symmetric = if folds(&self.game) { self.symmetric_moves(&moves) } else { Vec::new() };
        let mut symmetric = symmetric.into_iter().map(|mv| G::write_move(&self.position, mv).text);
        let shown = moves.into_iter().map(|mv| {
            let State { position, status, claim, alert, .. } = Board::after(self, mv).state();
            LegalMove {
                mv: G::write_move(&self.position, mv),
                drawing: G::drawn_move(&self.position, mv),
                symmetric_to: symmetric.next(),
                position,
                status,
                claim,
                alert,
            }
        });
        shown.collect()
    }

    fn cells(&self) -> Cells {
        G::cells(&self.position)
    }

    fn drawing(&self) -> String {
        G::drawing(&self.position)
    }

    fn after(&self, mv: &str, index: usize) -> Result<Box<dyn AnyBoard>, RequestError> {
        let mv = self.read_move("moves", index, mv)?;
        Ok(Box::new(Board::after(self, mv)))
    }

    fn passed(&self) -> Option<Box<dyn AnyBoard>> {
        let passed = G::passed(&self.position).filter(|_| self.status() == GameStatus::Ongoing)?;
        Some(Box::new(Board::new(self.game, passed)))
    }

    fn static_score(&self, evaluator: &str, knowledge: &Knowledge) -> Option<i32> {
        let (_, evaluator) = plan::evaluator(&self.game, Some(evaluator), knowledge).ok()?;
        Some(evaluator.score(&self.position))
    }

    fn motifs(&self, mv: &str) -> Vec<Motif> {
        let mv = self.read_move("moves", 0, mv);
        mv.map_or_else(|_| Vec::new(), |mv| G::motifs(&self.position, mv))
    }

    fn search(
        &self,
        parameters: &SearchParameters,
        knowledge: &Knowledge,
    ) -> Result<Box<dyn AnySearch>, RequestError> {
        Ok(Box::new(search::Search::new(self.clone(), parameters, knowledge)?))
    }

    fn tree(
        &self,
        parameters: &TreeParameters,
        knowledge: &Knowledge,
    ) -> Result<Box<dyn AnyTree>, RequestError> {
        Ok(Box::new(tree::PreparedTree::new(self.clone(), parameters, knowledge)?))
    }
}
