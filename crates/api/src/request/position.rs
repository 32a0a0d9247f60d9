//! The position and the moves of a request, and the board that they lead to.
//!
//! The position is a string, rows of cells, or a board with its side to move; moves are a list or a record.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use serde_json::{Map, Value};

use super::fields::{List, WrittenCell, WrittenSide};
use super::read::{elements, members, problem, wrong};
use crate::{Problem, Refusal};
use bestmove_engine::game::{Place, PositionText, Record, VariantTag, excerpt};
use bestmove_engine::games;
use bestmove_engine::games::any::{AnyBoard, AnyGame, AnyLine, RequestError};

/// The fields of a request that describe a position, as texts.
#[derive(Clone, Debug)]
pub struct BoardRequest {
    /// The name of the game.
    pub game: String,
    /// The variant of the game; the standard one where absent.
    pub variant: Option<String>,
    /// The position; the start of the game where absent.
    pub position: Option<PositionText>,
    /// The moves played from it.
    pub moves: Vec<String>,
    /// The place of each move in the string, where the moves came as one.
    pub places: Option<Vec<Place>>,
    /// The place of each move of `search_moves` in the string, where these moves came as one.
    pub choice_places: Option<Vec<Place>>,
}

impl BoardRequest {
    /// The game.
    ///
    /// # Errors
    /// Where there is no such game or variant.
    pub fn game(&self) -> Result<&'static dyn AnyGame, Refusal> {
        game(&self.game, self.variant.as_deref())
    }

    /// The board after the moves.
    ///
    /// # Errors
    /// Where there is no such game, or the position or a move can't be read.
    pub fn board(&self) -> Result<Box<dyn AnyBoard>, Refusal> {
        self.read(|game| game.board(self.position.as_ref(), &self.moves))
    }

    /// The position and the moves as a line, for reviews.
    ///
    /// # Errors
    /// As [`board`](Self::board).
    pub fn line(&self) -> Result<Box<dyn AnyLine>, Refusal> {
        self.read(|game| game.line(self.position.as_ref(), &self.moves))
    }

    fn read<T>(
        &self,
        read: impl FnOnce(&dyn AnyGame) -> Result<T, RequestError>,
    ) -> Result<T, Refusal> {
        Ok(read(self.game()?).map_err(|error| self.placed(error))?)
    }

    /// The error, with the place of its move where the moves came as one string.
    pub(crate) fn placed(&self, error: RequestError) -> RequestError {
        match error {
            RequestError::Move { list, index, text, error, allowed, .. } => {
                let places = if list == "moves" { &self.places } else { &self.choice_places };
                let place = places.as_ref().map(|places| {
                    places.get(index).copied().unwrap_or(Place { line: 1, column: 1 })
                });
                RequestError::Move { list, index, place, text, error, allowed }
            }
            other => other,
        }
    }
}

/// A variant of a game; the standard one where `variant` is absent.
pub(super) fn game(name: &str, variant: Option<&str>) -> Result<&'static dyn AnyGame, Refusal> {
    let standard = games::find(name).ok_or_else(|| Refusal::UnknownGame(name.to_owned()))?;
    let Some(variant) = variant else { return Ok(standard) };
    let found = games::variants(name).find(|game| game.info().is_variant(variant));
    found.ok_or_else(|| {
        let (title, variant) = (standard.info().title, excerpt(variant));
        let detail = format!("{title} has no variant '{variant}'");
        let allowed = games::variants(name).map(|game| game.info().variant.to_owned()).collect();
        RequestError::Choice { field: "variant", detail, allowed }.into()
    })
}

/// The fields of a record. The game begins in `position`, or in the position of the tag `FEN`.
///
/// # Errors
/// Where the record is unreadable, or its tag `FEN` names another position than `position`.
pub(super) fn read_record(
    game: String,
    variant: Option<String>,
    position: Option<PositionText>,
    text: &str,
) -> Result<BoardRequest, Refusal> {
    let mut known = self::game(&game, variant.as_deref())?;
    let read =
        |game: &dyn AnyGame| game.read_record(text).map_err(|error| refused("moves", error.0));
    let mut record = read(known)?;
    let mut variant = variant;
    if let Some(tagged) = tagged_variant(&game, variant.as_deref(), &record)? {
        (known, variant) = (tagged, Some(tagged.info().variant.to_owned()));
        record = read(known)?;
    }
    let Record { start, moves, places, last_comment, .. } = record;
    let position = match start {
        Some(start) => Some(tagged_start(known, position, start)?),
        None => position,
    };
    let places = Some(places);
    let request = BoardRequest { game, variant, position, moves, places, choice_places: None };
    if let Some((words, place)) = last_comment.filter(|(words, _)| !words.is_empty()) {
        let moves = [&request.moves[..], &words].concat();
        if known.board(request.position.as_ref(), &moves).is_ok() {
            let detail = format!(
                "the ';' at {place} begins a comment, but moves of the game follow it: write commas between \
                 moves, and braces around comments"
            );
            return Err(refused("moves", detail));
        }
    }
    Ok(request)
}

/// The variant that a tag of the record names. `None` where the request names a variant, or no tag does.
///
/// # Errors
/// Where the tag names rules that are not played here.
fn tagged_variant(
    game: &str,
    asked: Option<&str>,
    record: &Record,
) -> Result<Option<&'static dyn AnyGame>, Refusal> {
    let Some(VariantTag { tag, variant }) = &record.variant else { return Ok(None) };
    let tagged = games::variants(game)
        .find(|game| game.info().is_variant(variant) || game.info().is_game(variant));
    let Some(tagged) = tagged else {
        let variant = excerpt(variant);
        let detail = format!("its tag {tag} names '{variant}', whose rules are not played here");
        return Err(refused("moves", detail));
    };
    Ok(Some(tagged).filter(|_| asked.is_none()))
}

/// The position of the tag `FEN` of a record. `position` may repeat it.
///
/// # Errors
/// Where the tag is unreadable, or `position` is another one.
fn tagged_start(
    game: &dyn AnyGame,
    position: Option<PositionText>,
    start: String,
) -> Result<PositionText, Refusal> {
    let tagged = PositionText::Text(start);
    let start = notation(game, &tagged).map_err(|error| match error {
        RequestError::Position(error) => refused("moves", format!("its tag FEN: {error}")),
        other => other.into(),
    })?;
    if let Some(position) = position {
        let given = notation(game, &position)?;
        if given != start {
            let detail = format!(
                "its tag FEN says that the game begins in '{start}', but position is '{given}': leave one of \
                 them out"
            );
            return Err(refused("moves", detail));
        }
    }
    Ok(tagged)
}

pub(super) fn refused(field: &'static str, detail: String) -> Refusal {
    RequestError::choice(field, detail).into()
}

/// A text in the notation of the game, which `GET /games` describes with examples, or a board with its side to move. Games
/// on a grid also take rows of cells from the top, each a string or an array, or all cells as one flat array; the side to
/// move follows from the counts. A cell is `X`, `x` or 1 for the side that moves first, `O`, `o` or 2 for the other one, and
/// `""`, `" "`, `.`, `-`, `_`, `null` or 0 where it is empty; numbers and letters do not mix. The JSON text of an array or
/// object stands for the array or object. Chess also takes operations of EPD after the position, the rights of Shredder-FEN,
/// and dashes for unknown counters; checkers takes the counters `:H0:F1`. A tag pair `[FEN "…"]` stands for its value.
/// Positions that no game could reach are refused. The check is exact in tic-tac-toe. Connect Four looks for an order of
/// taking the discs back to the empty board, and accepts boards on which such an order is hard to find. Checkers and chess
/// check the counts of pieces and their squares, chess also the checks.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Position")]
#[schemars(example = "X...O....", example = json!([["X", null, ""], [".", "O", "."], "..."]))]
#[serde(untagged, expecting = "a string, an array of rows or an object")]
pub(super) enum WrittenPosition {
    Text(String),
    #[schemars(skip)]
    Number(u64),
    Rows(#[schemars(with = "Vec<WrittenRow>")] Vec<Value>),
    Board(#[schemars(with = "WrittenBoard")] Map<String, Value>),
}

/// A board and its side to move, as answers show them. In chess such a position has no castling or en passant rights.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "BoardPosition", deny_unknown_fields)]
struct WrittenBoard {
    /// The rows from the top, each of cells; an empty cell is `""`, `.` or `null`.
    #[schemars(with = "Vec<WrittenRow>")]
    board: Option<List>,
    /// The side to move.
    #[schemars(with = "String")]
    side_to_move: Option<WrittenSide>,
}

/// A row, or a cell of a board that is one flat list.
#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(
    untagged,
    expecting = "a row: a string or an array of cells; or a cell: a string, an integer or null"
)]
enum WrittenRow {
    #[schemars(skip)]
    Text(String),
    Cells(#[schemars(with = "Vec<WrittenCell>")] Vec<Value>),
    Cell(WrittenCell),
}

impl WrittenPosition {
    /// The position, whose JSON Pointer is `place`.
    pub(super) fn read(self, place: &str) -> Result<PositionText, Problem> {
        match self {
            Self::Text(text) => match written(&text) {
                // Some clients send an array or object as its JSON text.
                Some(position) => position.read(place).map_err(|problem| problem.at(place)),
                None => Ok(PositionText::Text(text)),
            },
            Self::Number(number) => Ok(PositionText::Text(number.to_string())),
            Self::Rows(values) => Ok(PositionText::Rows(rows(place, &values)?)),
            Self::Board(mut values) => {
                // Observations of Kaggle have `mark` for the side to move.
                if !values.contains_key("side_to_move")
                    && let Some(mark) = values.remove("mark")
                {
                    values.insert("side_to_move".to_owned(), mark);
                }
                let WrittenBoard { board, side_to_move } =
                    members(place, &values, &["board", "side_to_move"])?;
                let missing =
                    |name| problem(place, &format!("expected the member {name} but it is missing"));
                let Some(List::List(board)) = board else { return Err(missing("board")) };
                let side_to_move = side_to_move.ok_or_else(|| missing("side_to_move"))?.into();
                let rows = rows(&format!("{place}/board"), &board)?;
                Ok(PositionText::Board { rows, side_to_move })
            }
        }
    }
}

/// The position of a JSON text; `None` of other texts.
fn written(text: &str) -> Option<WrittenPosition> {
    let json = text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
    let is_json = json.starts_with(['[', '{']);
    let value: Value = is_json.then(|| serde_json::from_str(json).ok()).flatten()?;
    WrittenPosition::deserialize(value).ok()
}

/// A position in the canonical notation of the game.
fn notation(game: &dyn AnyGame, position: &PositionText) -> Result<String, RequestError> {
    game.board(Some(position), &[]).map(|board| board.state().position)
}

/// The cells of rows, whose JSON Pointer is `place`.
fn rows(place: &str, values: &[Value]) -> Result<Vec<Vec<String>>, Problem> {
    let rows = values.iter().enumerate().map(|(index, value)| {
        let place = format!("{place}/{index}");
        match WrittenRow::deserialize(value) {
            Ok(WrittenRow::Text(text)) => Ok(text.chars().map(String::from).collect()),
            Ok(WrittenRow::Cells(cells)) => elements::<WrittenCell>(&place, &cells),
            Ok(WrittenRow::Cell(cell)) => Ok(vec![cell.into()]),
            Err(expected) => Err(wrong(&place, expected, value)),
        }
    });
    rows.collect()
}
