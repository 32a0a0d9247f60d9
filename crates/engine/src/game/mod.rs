//! The vocabulary in which games and searches meet.
//!
//! A game answers the questions that Kopec's `Board` asks (*Classic Computer Science Problems*,
//! chapter 8): whose turn is it, which moves are there, is it won, is it drawn, how good is it;
//! and it makes a move. Here they come in three parts: [`Position`], the rules, which the search
//! asks millions of times a second; [`Evaluator`], an opinion about a position, of which a game may
//! have several; and [`Game`], the names and notations, asked once a request.
//!
//! # Adding a game
//!
//! Take *Nim* with one heap: two players take one, two or three matches in turn, and whoever takes
//! the last one wins. A move is a small number, a position is a heap and the side to move:
//!
//! ```
//! use bestmove_engine::game::{Evaluator, Move, Outcome, Position, SelectiveHooks, Side, SolverHooks};
//! use bestmove_engine::search::{self, Algorithm, Limits, Task};
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Eq)]
//! struct Take(u8);
//!
//! impl Move for Take {
//!     const INDICES: u16 = 4;
//!
//!     fn move_index(self) -> u16 {
//!         u16::from(self.0)
//!     }
//! }
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Eq)]
//! struct Nim {
//!     matches: u8,
//!     side: Side,
//! }
//!
//! impl Position for Nim {
//!     type Move = Take;
//!     type Moves = std::iter::Map<std::ops::RangeInclusive<u8>, fn(u8) -> Take>;
//!
//!     fn side_to_move(&self) -> Side {
//!         self.side
//!     }
//!
//!     // Always from the view of the side to move: facing an empty heap, it has lost.
//!     fn outcome(&self) -> Option<Outcome> {
//!         (self.matches == 0).then_some(Outcome::Loss)
//!     }
//!
//!     fn legal_moves(&self) -> Self::Moves {
//!         (1..=self.matches.min(3)).map(Take)
//!     }
//!
//!     fn play(&self, take: Take) -> Self {
//!         Nim { matches: self.matches - take.0, side: self.side.other() }
//!     }
//!
//!     fn key(&self) -> u64 {
//!         u64::from(self.matches) << 1 | self.side as u64
//!     }
//! }
//! ```
//!
//! An evaluator may know nothing at all; then only finished games count:
//!
//! ```
//! # use bestmove_engine::game::{Evaluator, Move, Outcome, Position, SelectiveHooks, Side, SolverHooks};
//! # use bestmove_engine::search::{self, Algorithm, Limits, Task};
//! # #[derive(Clone, Copy, Debug, PartialEq, Eq)]
//! # struct Take(u8);
//! # impl Move for Take { const INDICES: u16 = 4; fn move_index(self) -> u16 { u16::from(self.0) } }
//! # #[derive(Clone, Copy, Debug, PartialEq, Eq)]
//! # struct Nim { matches: u8, side: Side }
//! # impl Position for Nim {
//! #     type Move = Take;
//! #     type Moves = std::iter::Map<std::ops::RangeInclusive<u8>, fn(u8) -> Take>;
//! #     fn side_to_move(&self) -> Side { self.side }
//! #     fn outcome(&self) -> Option<Outcome> { (self.matches == 0).then_some(Outcome::Loss) }
//! #     fn legal_moves(&self) -> Self::Moves { (1..=self.matches.min(3)).map(Take) }
//! #     fn play(&self, take: Take) -> Self {
//! #         Nim { matches: self.matches - take.0, side: self.side.other() }
//! #     }
//! #     fn key(&self) -> u64 { u64::from(self.matches) << 1 | self.side as u64 }
//! # }
//! struct Finished;
//!
//! impl Evaluator<Nim> for Finished {
//!     fn score(&self, _: &Nim) -> i32 {
//!         0
//!     }
//! }
//!
//! // Nothing is known beyond the rules.
//! impl SelectiveHooks<Nim> for Finished {}
//! impl SolverHooks<Nim> for Finished {}
//!
//! let heap = Nim { matches: 21, side: Side::First };
//! let task = Task::new(heap, Limits::depth(21), Algorithm::AlphaBeta);
//! let report = search::run(&task, &Finished);
//! assert_eq!(report.best_move(), Take(1), "leave a multiple of four");
//! assert_eq!(report.outcome, Some(Outcome::Win));
//! ```
//!
//! That is a game that the search can play. To offer it over HTTP, implement [`Game`] in a folder
//! of `src/games/`, as `tic_tac_toe.rs` does on two screens, and add its line to
//! [`CATALOGUE`](crate::games::CATALOGUE).

mod cells;
mod descriptor;
mod drawing;
mod evaluator;
mod history;
mod level;
pub mod linear;
mod position;
mod record;
mod score;
mod solver;
#[cfg(feature = "train")]
mod training;

pub use cells::read_cells;
pub use descriptor::{Ending, Game, GameInfo, MoveError, PositionError, PositionText, Sample};
pub use drawing::{Alert, BoardStyle, Cells, MoveDrawing, Piece, Square, Surface};
pub use evaluator::{
    Evaluator, KnowledgeKind, SelectiveHooks, SelectiveParameters, SolverHooks, TableForm,
};
pub use history::{History, Recurrence};
pub use level::{Errors, LEVEL_COUNT, Level, LevelNumber, NoSuchLevel, Rating, Skill};
pub use position::{Move, Outcome, Position, Side, Symmetry};
pub use record::{read_record, record_start};
pub use score::{Score, expected_points};
pub use solver::{
    Expansion, SolverScore, final_value, outcome_and_score, plies_left, solver_score_of,
};
#[cfg(feature = "train")]
pub use training::{SamplingSpec, Trainable};
