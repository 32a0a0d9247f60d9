//! Moves in words.

/// A move in the notations of its game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", schemars(rename = "PlayedMove"))]
pub struct MoveText {
    /// The move, as requests take it.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub text: String,
    /// The move in standard algebraic notation, in games that have it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub san: Option<String>,
}

impl From<String> for MoveText {
    fn from(text: String) -> Self {
        Self { text, san: None }
    }
}
