//! A game as its players know it: its variants, names and evaluators. They are asked once a request.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::{
    BoardStyle, Drawing, LEVEL_COUNT, Level, Notation, Piece, ReasonKind, SelectiveHooks, Side,
    SolverHooks,
};
use crate::network::NetworkSize;

/// A game as its players know it: its variants, names and evaluators, with its [notations](Notation) and how it is
/// [drawn](Drawing).
///
/// A value is a variant of the game, such as one size of the board. A position knows to which variant it belongs.
///
/// ```
/// use bestmove_engine::game::{Alert, Drawing, Game, MoveError, Notation, Position, Square};
/// use bestmove_engine::games::chess::Chess;
///
/// let mut position = Chess::Standard.start();
/// for text in ["e4", "e7e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"] {
///     let mv = Chess::read_move(&position, text)?;
///     position = position.play(mv);
/// }
/// assert_eq!(Chess::ending(&position).reason, "checkmate");
/// assert_eq!(Chess::alert(&position), Some(Alert::Check(Square { row: 0, column: 4 })));
/// assert_eq!(Chess::cells(&position)[1][5], "Q");
/// # Ok::<_, MoveError>(())
/// ```
pub trait Game: Notation + Drawing {
    /// Its evaluators: one type that dispatches on the name.
    type Evaluator: SelectiveHooks<Self::Position> + SolverHooks<Self::Position>;

    /// What its evaluators read from knowledge files: books, endgame tables, networks. The default value
    /// stands for none.
    type Knowledge: Default + Send + Sync + 'static;

    /// The variants that have this type, at least one. Where one of them is the standard one, it comes first.
    const VARIANTS: &'static [Self];

    /// What the variant says about itself.
    fn game_info(&self) -> &'static GameInfo;

    /// The position in which a game begins.
    fn start(&self) -> Self::Position;

    /// The evaluator of that name, one of [`GameInfo::evaluators`]; `None` of any other name, and where `knowledge` lacks the
    /// network of the evaluator.
    fn evaluator(name: &str, knowledge: &Arc<Self::Knowledge>) -> Option<Self::Evaluator>;

    /// Reads the knowledge files of the game: those that are part of the program, but for `files`.
    ///
    /// # Errors
    /// Names the file that is damaged.
    fn load_knowledge(files: KnowledgeFiles) -> io::Result<Self::Knowledge> {
        let _ = files;
        Ok(Self::Knowledge::default())
    }
}

/// Files that a game reads beside those that are part of the program. A game is given only what its [`GameInfo`] says that it
/// takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnowledgeFiles<'a> {
    /// A plain endgame table, of at most [`GameInfo::table_pieces`].
    pub table: Option<&'a Path>,
    /// The content of a file of networks, in the place of the embedded ones.
    pub networks: Option<&'a [u8]>,
}

/// What a game says about itself.
///
/// ```
/// use bestmove_engine::game::Game;
/// use bestmove_engine::games::othello::Othello;
/// let [standard, six] = [Othello::Standard, Othello::Six].map(|game| game.game_info());
/// assert_eq!((standard.name, standard.variant, six.variant), ("othello", "standard", "6x6"));
/// assert_eq!((standard.evaluators[0].0, standard.score_unit), ("network", Some("disc")));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// The name in requests, such as `connect-four`.
    pub name: &'static str,
    /// Other names of the game in requests.
    pub other_names: &'static [&'static str],
    /// The name of the variant in requests, such as `7x6`.
    pub variant: &'static str,
    /// Other names of the variant in requests and in the tags of records.
    pub other_variant_names: &'static [&'static str],
    /// What the variant is, in a sentence.
    pub description: &'static str,
    /// The name as people write it, such as `Connect Four`.
    pub title: &'static str,
    /// What people call the side that moves first by convention, and the other one, such as `black`.
    pub sides: [&'static str; 2],
    /// The pieces that a board may show.
    pub pieces: &'static [Piece],
    /// How its empty board looks.
    pub board: BoardStyle,
    /// The position in which a game begins, written out.
    pub start: &'static str,
    /// How positions are written.
    pub positions: Sample,
    /// How moves are written.
    pub moves: Sample,
    /// Whether positions and moves are written as in the Universal Chess Interface (UCI).
    pub uci: bool,
    /// Whether a position may also be given as rows of cells.
    pub rows: bool,
    /// Names and descriptions of the evaluators, the strongest and default one first.
    pub evaluators: &'static [(&'static str, &'static str)],
    /// What 100 points of a score stand for, such as `pawn`; `None` where a score has no such unit.
    pub score_unit: Option<&'static str>,
    /// The depth of a search that was given no limit at all, as long as nobody knows who wins; `None`
    /// where such a search solves.
    pub default_depth: Option<u32>,
    /// The largest depth that may be asked for.
    pub max_depth: u32,
    /// How players of all levels play it, the weakest first.
    pub levels: &'static [Level; LEVEL_COUNT],
    /// The kinds of motifs that the game finds.
    pub motifs: &'static [ReasonKind],
    /// The name of the draw that may be claimed by the move counter of the game, if it has one.
    pub move_count_claim: Option<&'static str>,
    /// The dimensions of the network of the default evaluator, if that has one.
    pub network: Option<NetworkSize>,
    /// The most pieces of an endgame table that the game can open; 0 where it opens none.
    pub table_pieces: u32,
}

impl GameInfo {
    /// Whether the text names the game. Case, blanks and marks do not matter.
    #[must_use]
    pub fn is_game(&self, text: &str) -> bool {
        is_one_of(self.name, self.other_names, text)
    }

    /// Whether the text names the variant. Case, blanks and marks do not matter.
    #[must_use]
    pub fn is_variant(&self, text: &str) -> bool {
        is_one_of(self.variant, self.other_variant_names, text)
    }

    /// The side that the text names: by its name, its initial, or its mark where the game has one kind of piece. Case and
    /// blanks around it do not matter.
    #[must_use]
    pub fn side(&self, text: &str) -> Option<Side> {
        let text = text.trim();
        Side::BOTH.into_iter().find(|&side| {
            let name = self.sides[side as usize];
            let mark = match self.pieces {
                [first, second] => [first, second][side as usize].name,
                _ => name,
            };
            [name, &name[..1], mark].iter().any(|known| known.eq_ignore_ascii_case(text))
        })
    }
}

fn is_one_of(name: &str, others: &[&str], text: &str) -> bool {
    name == text || others.iter().chain([&name]).any(|name| letters(name).eq(letters(text)))
}

/// The letters and digits of a name, in lower case.
fn letters(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// How moves are written.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", schemars(rename = "MoveNotation"))]
pub struct Sample {
    /// The notation in a sentence.
    pub notation: &'static str,
    /// Examples that can be read. Of moves the first one opens a game.
    #[cfg_attr(feature = "serde", schemars(length(min = 1)))]
    pub examples: &'static [&'static str],
}
