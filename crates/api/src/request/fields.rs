//! The fields of requests, and types for the values that JSON writes in several forms.
//!
//! The error of each type says which value was expected. The reader adds the place and the value that came.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Number, Value};

use super::batch::LineId;
use super::position::WrittenPosition;
use crate::Problem;
use bestmove_engine::game::{LEVEL_COUNT, LevelNumber, excerpt};

/// The largest integer on which all readers of JSON agree (RFC 8259, section 6).
pub const MOST: u64 = (1 << 53) - 1;

/// The longest time of a search, in milliseconds.
pub const MOST_TIME_MS: u64 = 3_600_000;

/// The greatest number of nodes of a tree. Its JSON has some megabytes.
pub(super) const MOST_TREE_NODES: u64 = 20_000;

/// The fields of all requests. A kind of request takes some of the fields. `null` stands for an absent field. The contract
/// shows these descriptions.
#[derive(Default, Deserialize, JsonSchema)]
pub struct Fields {
    /// The id of a line of a batch. The answer repeats the id.
    #[schemars(skip)]
    pub id: Option<LineId>,
    /// The game.
    pub(super) game: Option<Text>,
    /// The variant of the game; the standard one where absent.
    pub(super) variant: Option<Text>,
    /// The position; the start of the game where absent.
    pub(super) position: Option<WrittenPosition>,
    /// Moves played from `position`. The positions on the way are the history of the game: repetitions count.
    pub(crate) moves: Option<WrittenMoves>,
    /// Plies to look ahead, at most the game's `max_depth`. Where `depth`, `time_ms` and `nodes` are all absent, the
    /// game's `default_depth` holds; a game without a `default_depth` is solved. A game that must end is also solved where
    /// 200 000 nodes are enough. Where tables tell the winner but not the distance (checkers with five pieces), the default
    /// algorithm and evaluator visit 200 000 nodes instead.
    pub(crate) depth: Option<Integer<MOST>>,
    /// Milliseconds of search; the limit of the server holds where it is lower. The search deepens until the time is up, the
    /// position is solved or `depth` is reached.
    pub(super) time_ms: Option<Integer<MOST_TIME_MS>>,
    /// Positions to visit at most. The limit is exact, but every legal move is visited.
    #[schemars(extend("maximum" = MOST))]
    pub(super) nodes: Option<Integer<MOST>>,
    /// The moves to consider, in a form that `moves` may have; all legal moves where absent.
    pub(super) search_moves: Option<WrittenMoves>,
    /// How to search.
    pub(crate) algorithm: Option<Text>,
    /// The name of a static evaluation; the first one of the game where absent.
    pub(super) evaluator: Option<Text>,
    /// The strength of the player, in place of `depth`, `time_ms`, `nodes`, `algorithm` and `evaluator`. `evaluation` is the
    /// value of the move played, and `search` tells how the move was evaluated. From level 4 on no player misses a win in one
    /// move, or a move that prevents such a win of the opponent. In `/analyze` only the `chances` of `include` are those of
    /// the level.
    pub(super) level: Option<WrittenLevel>,
    /// The seed of the choices of a `level`: equal seeds give equal answers. Every level chooses among moves of about equal
    /// value, strong levels in the first 20 plies of a game alone. Without a seed the choice follows from the position.
    #[schemars(extend("maximum" = MOST))]
    pub(super) seed: Option<Integer<MOST, 0>>,
    /// The number of best moves to list; all where absent.
    pub(super) top: Option<Integer<MOST>>,
    /// Whether every move is searched with an open window. Then no value depends on `top`: at equal `depth` the list for a
    /// smaller `top` is the beginning of the list for a larger one. Values are those of the `algorithm` at its depth;
    /// `selective` still prunes below the moves. Where `nodes` or `time_ms` ends the search, the values are those of the last
    /// completed depth. `false` where absent.
    pub(super) exact: Option<Boolean>,
    /// How many nodes the tree may have, the root and those that are cut off among them; 2000 where absent.
    pub(crate) max_nodes: Option<Integer<MOST_TREE_NODES>>,
    /// What the answer includes beside the result of the search.
    #[schemars(with = "Option<Vec<String>>")]
    pub(super) include: Option<List>,
    /// The side from whose view values are told; `mover` where absent.
    pub(super) view: Option<Text>,
    /// Whether the board is turned.
    #[schemars(skip)]
    pub(crate) flip: Option<Flag>,
    /// The colours of the picture.
    pub(crate) theme: Option<Text>,
    /// Whether the names of rows and columns are shown.
    #[schemars(skip)]
    pub(crate) coordinates: Option<Flag>,
    /// Arrows to draw.
    #[schemars(skip)]
    pub(super) arrows: Option<List>,
    /// Squares to mark.
    #[schemars(skip)]
    pub(super) marks: Option<List>,
    /// The width of the picture in pixels.
    pub(crate) size: Option<Integer<4096, 16>>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(untagged, expecting = "a string")]
pub(crate) enum Text {
    Text(String),
}

impl From<Text> for String {
    fn from(Text::Text(text): Text) -> Self {
        text
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        let Self::Text(text) = self;
        text
    }
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(untagged, expecting = "a boolean")]
pub(crate) enum Boolean {
    Boolean(bool),
}

/// A list with unread elements.
#[derive(Default, Deserialize)]
#[serde(untagged, expecting = "an array")]
pub(crate) enum List {
    #[default]
    Empty,
    List(Vec<Value>),
}

/// An integer from `MIN` to `MAX`. As in JSON Schema, 3.0 is an integer.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Value")]
pub(crate) struct Integer<const MAX: u64, const MIN: u64 = 1>(pub(crate) u64);

impl<const MAX: u64, const MIN: u64> From<Integer<MAX, MIN>> for u64 {
    fn from(integer: Integer<MAX, MIN>) -> Self {
        integer.0
    }
}

impl<const MAX: u64, const MIN: u64> TryFrom<Value> for Integer<MAX, MIN> {
    type Error = String;

    #[expect(clippy::cast_precision_loss, reason = "no bound here is above 2^53")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in range")]
    fn try_from(value: Value) -> Result<Self, String> {
        let float = value.as_f64().filter(|number| number.fract() == 0.0);
        let in_range = float.filter(|number| (MIN as f64..=MAX as f64).contains(number));
        match value.as_u64().or(in_range.map(|number| number as u64)) {
            Some(number) if (MIN..=MAX).contains(&number) => Ok(Self(number)),
            _ if MAX != MOST => Err(format!("an integer from {MIN} to {MAX}")),
            _ if float.is_some_and(|number| number >= MOST as f64) => {
                Err(format!("an integer of at most {MOST}"))
            }
            _ => Err(format!("an integer, {MIN} or more,")),
        }
    }
}

impl<const MAX: u64, const MIN: u64> JsonSchema for Integer<MAX, MIN> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Integer".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({"type": "integer", "minimum": MIN});
        if MAX != MOST {
            schema.insert("maximum".to_owned(), MAX.into());
        }
        schema
    }
}

/// An integer of either sign, as text.
#[derive(Deserialize)]
#[serde(try_from = "Number")]
pub(crate) struct Whole(String);

impl TryFrom<Number> for Whole {
    type Error = &'static str;

    fn try_from(number: Number) -> Result<Self, &'static str> {
        match number.as_f64() {
            _ if !number.is_f64() => Ok(Self(number.to_string())),
            Some(0.0) => Ok(Self("0".to_owned())),
            Some(float) if float.fract() == 0.0 && float.abs() < 1e15 => {
                Ok(Self(format!("{float:.0}")))
            }
            _ => Err("an integer"),
        }
    }
}

/// A move: a text, or an integer in games whose moves are numbers.
#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(untagged, expecting = "a move: a string or an integer")]
pub(super) enum OneMove {
    Text(String),
    Number(#[schemars(with = "i64")] Whole),
}

/// The side to move: a text, or the integer that shows its pieces in cells.
#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(untagged, expecting = "a string")]
pub(super) enum WrittenSide {
    Name(String),
    Number(#[schemars(with = "i64")] Whole),
}

/// The content of a cell.
#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(untagged, expecting = "a cell: a string, an integer or null")]
pub(super) enum WrittenCell {
    Text(String),
    Number(#[schemars(with = "i64")] Whole),
    Empty(()),
}

impl From<OneMove> for String {
    fn from(mv: OneMove) -> Self {
        match mv {
            OneMove::Text(text) | OneMove::Number(Whole(text)) => text,
        }
    }
}

impl From<WrittenSide> for String {
    fn from(side: WrittenSide) -> Self {
        match side {
            WrittenSide::Name(text) | WrittenSide::Number(Whole(text)) => text,
        }
    }
}

/// The text of an empty cell is empty.
impl From<WrittenCell> for String {
    fn from(cell: WrittenCell) -> Self {
        match cell {
            WrittenCell::Text(text) => text,
            WrittenCell::Number(Whole(text)) if text != "0" => text,
            WrittenCell::Number(_) | WrittenCell::Empty(()) => Self::new(),
        }
    }
}

/// An array of moves in the notation of the game; integers where moves are numbers. Or one string: a record such as
/// `1. e4 e5 2. Nf3`, `1. 11-15 23-19` or `44453`, or a list such as `e4, e5` or `["e4", "e5"]`. Numbers, comments,
/// variations, tag pairs, assessments (`!?`, `$14`, `±`, `N`, `e.p.`) and the result of a record are skipped. A tag `FEN`
/// sets the start; `position` may repeat it. A bracket without its counterpart, a second game, a null move, and a text
/// with moves in comments alone are refused.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Moves")]
#[serde(untagged, expecting = "an array of moves or a string")]
pub(crate) enum WrittenMoves {
    List(#[schemars(with = "Vec<OneMove>")] Vec<Value>),
    Text(String),
    Number(#[schemars(with = "i64")] u64),
}

/// The moves of the JSON text of an array with escapes. Other texts stay unchanged: the reader of records reads them.
pub(super) fn unescaped(text: String) -> String {
    if !text.contains('\\') {
        return text;
    }
    let moves = serde_json::from_str::<Vec<OneMove>>(text.trim_start_matches('\u{feff}'));
    moves.map_or(text, |moves| moves.into_iter().map(String::from).collect::<Vec<_>>().join(", "))
}

/// The strength of a player: a number from 1 to 10, or a name. The scale is the same in every game; 1 has just learned the
/// rules.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Level")]
#[serde(untagged, expecting = "an integer from 1 to 10 or the name of a level")]
pub(super) enum WrittenLevel {
    Number(#[schemars(with = "Integer<10>")] Integer<MOST, 0>),
    Name(String),
}

impl WrittenLevel {
    /// The number of the level, or the problem with an unknown one.
    pub(super) fn number(self) -> Result<LevelNumber, Problem> {
        let (number, got) = match self {
            Self::Number(Integer(number)) => (LevelNumber::new(number), number.to_string()),
            Self::Name(name) => (LevelNumber::named(&name), quoted_number(&name)),
        };
        number.ok_or_else(|| {
            let names: Vec<_> = LevelNumber::names().collect();
            let detail = format!(
                "expected an integer from 1 to {LEVEL_COUNT} or one of {} but got {got}",
                names.join(", ")
            );
            // Only names: a text with a number is refused.
            Problem::field("level", detail).allowing(names)
        })
    }
}

/// A text as a message shows it, with advice where it is the number of a level in quotes.
fn quoted_number(text: &str) -> String {
    let level = text.parse().ok().and_then(LevelNumber::new).map(LevelNumber::get);
    let advice = level.map(|level| format!(": write {level} without quotes")).unwrap_or_default();
    format!("the string {:?}{advice}", excerpt(text))
}

/// A flag as forms, scripts and people write it. A flag without a value is set.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Value")]
pub(crate) struct Flag(pub(crate) bool);

impl TryFrom<Value> for Flag {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, &'static str> {
        let text = match value {
            Value::Bool(flag) => return Ok(Self(flag)),
            Value::String(text) => text.to_ascii_lowercase(),
            _ => "no flag".to_owned(),
        };
        match &*text {
            "true" | "1" | "yes" | "on" | "" => Ok(Self(true)),
            "false" | "0" | "no" | "off" => Ok(Self(false)),
            _ => Err("true or false (or 1 or 0, yes or no)"),
        }
    }
}
