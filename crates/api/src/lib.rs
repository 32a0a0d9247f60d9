//! The contract without a protocol: requests, the jobs that they stand for, and their answers, as plain types and
//! functions.
//!
//! A request is read from bytes ([`read`], [`read_query`]) and [prepared](Prepare): it becomes a [`Job`], a
//! [`TreeJob`], a [`Review`], a board or a [`Picture`]. A job runs on the present thread under a [`Control`] and works
//! out all that its answer holds. A [`Problem`] says what is wrong with a request.
//!
//! This package knows no threads, no HTTP, no metrics and no logs.

// What a caller can influence never panics; tests may.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]
#![warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

mod board_svg;
mod games;
mod health;
mod job;
mod problem;
mod reasons;
mod request;
mod review;
mod tree;
mod words;

pub use self::board_svg::{BoardSvgRequest, Picture};
pub use self::games::{GameDescription, GameList, PositionAnswer, PositionRequest, game_names};
pub use self::health::Health;
pub use self::job::{
    AnalysisRequest, BestMoveRequest, Context, Control, DEFAULT_MAX_TIME_MS, Described, Include,
    Job, JobKey,
};
pub use self::problem::{PROBLEMS, Problem, ProblemBody, ProblemKind, ProblemRow, Refusal};
pub use self::reasons::Wanted;
pub use self::request::{
    BYTE_ORDER_MARK, BatchLine, BoardRequest, Fields, INCLUDED, LineId, MOST, MOST_TIME_MS,
    Prepare, Request, answer_line, batch_lines, read, read_object, read_query, read_value,
};
pub use self::review::{
    Exercise, ExpectedPoints, ExplanationJob, Label, NoExercises, PreparedTask, Review,
    ReviewAnswer, ReviewInclude, ReviewRequest, ReviewResult, ReviewStep, ReviewTask, ReviewedMove,
    SearchCount, SearchedPly, SideReview,
};
pub use self::tree::{TreeJob, TreeRequest};
pub use self::words::{answer_words, move_words, value_words};
