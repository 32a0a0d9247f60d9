//! The requests: their fields, and the jobs that they ask for.
//!
//! [`Fields`] has the fields of all requests. A kind of request names its fields, and [`Prepare`] makes a job of them.
//! [`read`] reads a request from JSON, [`read_query`] from the query of a URL.

mod batch;
mod fields;
mod position;
mod read;

use std::marker::PhantomData;
use std::time::Duration;

pub use self::batch::{BYTE_ORDER_MARK, BatchLine, LineId, answer_line, batch_lines};
use self::fields::{Boolean, List, OneMove, Text, WrittenLevel, WrittenMoves, unescaped};
pub use self::fields::{Fields, MOST, MOST_TIME_MS};
pub use self::position::BoardRequest;
use self::position::{game, read_record, refused};
use self::read::elements;
pub use self::read::{read, read_object, read_query, read_value};
use crate::{Context, Problem, ProblemKind, Refusal};
use bestmove_engine::game::{Place, excerpt};
use bestmove_engine::games::any::{AnyGame, SearchParameters};
use bestmove_engine::search::Algorithm;

/// The fields that describe a position.
pub(crate) const BOARD: &[&str] = &["game", "variant", "position", "moves"];
/// The fields that limit a search.
pub(crate) const LIMITS: &[&str] = &["depth", "time_ms", "nodes"];
/// The field that restricts a search to some moves.
pub(crate) const CHOICES: &[&str] = &["search_moves"];
/// The fields that say how to search.
pub(crate) const SEARCH: &[&str] = &["algorithm", "evaluator"];
/// The fields that select the parts of an answer.
pub(crate) const TOLD: &[&str] = &["include", "view"];

/// The optional parts of the answer to a search.
pub const INCLUDED: [&str; 5] = ["legal_moves", "board", "reasons", "threat", "chances"];

/// A kind of request: its fields, and the value that it is prepared to, such as a job.
pub trait Prepare: Send + 'static {
    /// The names of the fields, in groups.
    const FIELDS: &'static [&'static [&'static str]];

    /// The names of the required fields.
    const REQUIRED: &'static [&'static str] = &["game"];

    /// The checked value of the request.
    type Prepared: Send + 'static;

    /// Checks the fields together, such as the moves by the position.
    ///
    /// # Errors
    /// Where a field is wrong.
    fn prepare(fields: Fields, context: &Context) -> Result<Self::Prepared, Problem>;
}

/// A request of this kind whose fields have been read.
pub struct Request<R> {
    /// The fields of the request.
    pub fields: Fields,
    kind: PhantomData<fn() -> R>,
}

impl<R: Prepare> Request<R> {
    fn of(fields: Fields) -> Self {
        Self { fields, kind: PhantomData }
    }

    /// The checked value of the request.
    ///
    /// # Errors
    /// Where a field is missing, or does not fit another field.
    pub fn prepare(self, context: &Context) -> Result<R::Prepared, Problem> {
        R::prepare(self.fields, context)
    }
}

impl Fields {
    /// The board and the parameters of the search.
    ///
    /// # Errors
    /// Where a field is missing or unreadable.
    pub fn split(mut self) -> Result<(BoardRequest, SearchParameters), Problem> {
        let choices = self.choices()?;
        let parameters = SearchParameters {
            search_moves: choices.moves,
            depth: self.depth.map(u64::from),
            time: self.time_ms.map(|time| Duration::from_millis(time.0)),
            nodes: self.nodes.map(u64::from),
            algorithm: self.algorithm(None)?,
            evaluator: self.evaluator.take().map(String::from),
            level: self.level.take().map(WrittenLevel::number).transpose()?,
            seed: self.seed.map(u64::from),
            top: self.top.map(u64::from),
            exact: matches!(self.exact, Some(Boolean::Boolean(true))),
            ..SearchParameters::default()
        };
        Ok((BoardRequest { choice_places: choices.places, ..self.board()? }, parameters))
    }

    /// The position and the moves.
    ///
    /// # Errors
    /// Where a field is missing or unreadable.
    pub(crate) fn board(self) -> Result<BoardRequest, Problem> {
        let position = self.position.map(|position| position.read("/position")).transpose()?;
        let moves = self.moves.map(|moves| moves.read("/moves")).transpose()?;
        let game = required(self.game, "game", "the name of a game")?.into();
        let variant = self.variant.map(String::from);
        let moves = match moves {
            None => Vec::new(),
            Some(ReadMoves::List(moves)) => moves,
            Some(ReadMoves::Text(text)) => return Ok(read_record(game, variant, position, &text)?),
        };
        Ok(BoardRequest { game, variant, position, moves, places: None, choice_places: None })
    }

    /// The algorithm. `None` for `offered` stands for all algorithms that can search the game.
    ///
    /// # Errors
    /// Where the algorithm is not offered.
    pub(crate) fn algorithm(
        &self,
        offered: Option<&[Algorithm]>,
    ) -> Result<Option<Algorithm>, Problem> {
        let Some(name) = &self.algorithm else { return Ok(None) };
        let Some(game) = self.named_game()? else { return Ok(None) };
        let all = game.algorithms();
        Ok(Some(game.algorithm(name.as_ref(), offered.unwrap_or(&all))?))
    }

    /// The game and its variant; `None` for a missing game, which the reader of the board reports.
    fn named_game(&self) -> Result<Option<&'static dyn AnyGame>, Refusal> {
        let variant = self.variant.as_ref().map(Text::as_ref);
        self.game.as_ref().map(|name| game(name.as_ref(), variant)).transpose()
    }

    /// The moves to choose from.
    fn choices(&mut self) -> Result<Choices, Problem> {
        let Some(moves) = self.search_moves.take() else { return Ok(Choices::default()) };
        let (moves, places) = match moves.read("/search_moves")? {
            ReadMoves::List(moves) => (moves, None),
            ReadMoves::Text(text) => {
                let Some(game) = self.named_game()? else { return Ok(Choices::default()) };
                let record = game.read_record(&text);
                let record = record.map_err(|error| refused("search_moves", error.0))?;
                (record.moves, Some(record.places))
            }
        };
        if moves.is_empty() {
            let detail =
                "expected one move or more but got none; leave it out to consider all moves";
            return Err(Problem::field("search_moves", detail));
        }
        Ok(Choices { moves: Some(moves), places })
    }

    /// The parts to include in the answer.
    ///
    /// # Errors
    /// Where a part is not `allowed`.
    pub(crate) fn included(
        &mut self,
        allowed: &[&'static str],
    ) -> Result<Vec<&'static str>, Problem> {
        let names = self.include.take().unwrap_or_default().texts("/include")?;
        let known = names.iter().enumerate().map(|(index, name)| {
            let known = allowed.iter().find(|allowed| *allowed == name);
            known.copied().ok_or_else(|| {
                let name = excerpt(name);
                let detail = format!("include[{index}]: there is nothing called '{name}'");
                Problem::new(ProblemKind::InvalidRequest, detail)
                    .at(format!("/include/{index}"))
                    .allowing(allowed.to_vec())
            })
        });
        known.collect()
    }

    /// Whether values are told from the view of the first side of the game, else of the side to move.
    ///
    /// # Errors
    /// Where there is no such view.
    pub(crate) fn is_first_view(&self) -> Result<bool, Problem> {
        match self.view.as_ref().map(Text::as_ref) {
            None | Some("mover") => Ok(false),
            Some("first") => Ok(true),
            Some(other) => {
                let detail = format!("expected mover or first but got '{}'", excerpt(other));
                Err(Problem::field("view", detail).allowing(["mover", "first"]))
            }
        }
    }

    /// The arrows and the marks of a picture.
    ///
    /// # Errors
    /// Where an arrow or a mark is no text.
    pub(crate) fn annotations(&mut self) -> Result<[Vec<String>; 2], Problem> {
        let (arrows, marks) = (self.arrows.take(), self.marks.take());
        let arrows = arrows.unwrap_or_default().texts("/arrows")?;
        Ok([arrows, marks.unwrap_or_default().texts("/marks")?])
    }
}

impl List {
    /// The elements of the list, whose JSON Pointer is `place`.
    fn texts(self, place: &str) -> Result<Vec<String>, Problem> {
        match self {
            Self::Empty => Ok(Vec::new()),
            Self::List(values) => elements::<Text>(place, &values),
        }
    }
}

/// The moves to choose from.
#[derive(Default)]
struct Choices {
    /// One move or more; `None` for all legal moves.
    moves: Option<Vec<String>>,
    /// The place of each move in the string, where the moves came as one.
    places: Option<Vec<Place>>,
}

/// Moves in the form in which they came.
enum ReadMoves {
    List(Vec<String>),
    Text(String),
}

impl WrittenMoves {
    /// The moves, whose JSON Pointer is `place`.
    fn read(self, place: &str) -> Result<ReadMoves, Problem> {
        Ok(match self {
            Self::List(values) => ReadMoves::List(elements::<OneMove>(place, &values)?),
            Self::Text(text) => ReadMoves::Text(unescaped(text)),
            Self::Number(number) => ReadMoves::Text(number.to_string()),
        })
    }
}

/// The value of a required field.
pub(crate) fn required<T>(value: Option<T>, field: &str, expected: &str) -> Result<T, Problem> {
    value
        .ok_or_else(|| Problem::field(field, format_args!("expected {expected} but it is missing")))
}
