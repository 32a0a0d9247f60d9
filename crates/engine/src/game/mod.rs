//! The traits of a game, and the types that games and searches share.
//!
//! A game answers the questions of Kopec's `Board` (*Classic Computer Science Problems*, chapter 8): the side to
//! move, the legal moves, whether the game is won or drawn, the value of the position; and makes a move. The questions come in
//! traits by subject: [`Position`], the rules, which a search asks millions of times a second; [`Evaluator`], a static
//! evaluation, of which a game may have several, with what is known without a search; [`SelectiveHooks`] and
//! [`SolverHooks`], hints for search and proof; [`Notation`], the text of positions and moves; [`Drawing`], the
//! board as people see it; and [`Game`], names and variants. The last three are asked once a request.
//!
//! # Adding a game
//!
//! The example `nim.rs`, one heap of matches, implements all of them in full:
//!
//! ```
#![doc = include_str!("../../examples/nim.rs")]
//! ```
//!
//! To offer a game over HTTP, put it into a folder of `src/games/`, as `tic_tac_toe` does, and add its line to
//! [`catalogue`](crate::games::catalogue).

mod cells;
mod descriptor;
mod diagram;
mod drawing;
mod evaluator;
mod history;
mod known;
mod level;
pub(crate) mod limits;
mod motif;
mod move_text;
mod notation;
mod position;
pub(crate) mod proof_child;
pub(crate) mod proof_table;
mod prover;
mod record;
mod score;
mod selective_parameters;
mod solver;
mod text;

pub(crate) use cells::expect_count;
pub use cells::read_cells;
pub use descriptor::{Game, GameInfo, KnowledgeFiles, Sample};
pub use diagram::read_diagram;
pub use drawing::{Alert, BoardStyle, Cells, Drawing, Ending, MoveDrawing, Piece, Square, Surface};
pub use evaluator::{Doubt, Evaluator, Scale, SelectiveHooks, SolverHooks};
pub use history::{CLAIMABLE_OCCURRENCE, DRAWING_OCCURRENCE, History, Recurrence};
pub use known::{KnowledgeKind, Known, Question, informed_score, known_value};
pub use level::{Errors, LEVEL_COUNT, Level, LevelNumber, Rating, Skill};
pub use limits::{Budget, Interrupted};
pub use motif::{Claim, Motif, NextCapture, ReasonKind, reason_kinds};
pub use move_text::MoveText;
pub use notation::{MoveError, MoveOf, Notation, PositionError, PositionText};
pub use position::{Move, Outcome, Position, Properties, Side, Symmetry};
pub use proof_table::SolverTable;
pub use prover::Prover;
pub(crate) use record::{GAME_TREES, is_game_tree};
pub use record::{Place, Record, RecordError, VariantTag, read_record};
pub use score::{Score, expected_points};
pub use selective_parameters::SelectiveParameters;
pub(crate) use solver::by_rules;
pub use solver::{
    Expansion, SolverScore, final_value, outcome_and_score, outcome_and_score_of, plies_left,
    solver_score_of, solver_score_range,
};
pub(crate) use text::INVISIBLE;
pub use text::{bare_move, excerpt, plain_text, position_text};
