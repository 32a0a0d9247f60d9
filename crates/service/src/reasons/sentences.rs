//! The kinds of reasons that every game has, and the sentences that tell them.
//!
//! A sentence is a template filled with the data of its reason and nothing else, so that a front end can say the same
//! in another language.

use bestmove_engine::game::{BoardStyle, Cells, GameInfo, MotifKind, Square, Surface};
use bestmove_engine::games::any::{AnyBoard, MoveText, Reason};

/// A kind of reason: its name and description, and its sentences.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) sentences: &'static [&'static str],
}

macro_rules! kinds {
    ($($name:literal $description:literal [$($sentence:literal),+])+) => {
        &[$(Kind { name: $name, description: $description, sentences: &[$($sentence),+] }),+]
    };
}

/// The kinds that a search finds in every game, the most important first. `{move}` is the move, `{line}` the moves in
/// their order, `{list}` the same as alternatives, `{plies}` and `{gain}` are numbers.
pub(super) const KINDS: &[Kind] = kinds! {
    "forced" "There is no other legal move."
        ["{move} is the only legal move."]
    "throws-away" "A move that was there holds a proven win or draw, and the move loses it for certain."
        ["Throws away a win: {line} wins.", "Throws away a draw: {line} draws."]
    "allows" "The move loses by force, and another one might not. The line shows how."
        ["Allows a win within {plies}: {line}.", "Allows a win: {line}."]
    "wins" "The move wins by force."
        ["{move} wins at once.", "Wins within {plies}: {line}.", "Wins: {line}."]
    "misses" "Another move wins by force, and of this one that is not known."
        ["Misses a win within {plies}: {line}.", "Misses a win: {line}."]
    "loses" "The move loses by force, as every other one does."
        ["Loses within {plies}, as every other move does: {line}.", "Loses, as every other move does: {line}."]
    "loses-material" "The move loses material that another move keeps."
        ["Loses material worth {gain}: {line}."]
    "loses-points" "Three searches, of different depth, expect fewer points of the move than of another one. The line is what follows."
        ["Costs {loss} expected points: {line}."]
    "only-move" "Every other move loses, or no other move wins."
        ["Every other move loses within {plies}, at best by {line}.", "Every other move loses, at best by {line}.",
         "Only {move} wins."]
    "double-threat" "After the move two or more moves would win at once if the other side passed."
        ["Threatens {list}: each wins at once."]
    "prevents" "If the side passed, the other one would win by the line. After the move it can not within as many plies."
        ["Prevents {line}, which would win within {plies}."]
    "sacrifices" "The move gives up material, and what follows is worth more."
        ["Gives up material worth {gain}: {line}."]
    "wins-material" "The move wins material, whatever the other side plays."
        ["Wins material worth {gain}: {line}."]
    "threatens" "After the move one move would win at once if the other side passed."
        ["Threatens {line}, which wins at once."]
    "trades" "Pieces of about equal worth leave the board."
        ["Takes back: {line}.", "Trades: {line}.", "Offers a trade: {line}."]
    "draws" "With best play the game is drawn."
        ["Draws: {line}."]
    "threat" "What the other side would do if it were its turn; the moves begin with its own."
        ["Threatens to win within {plies}: {line}.", "Threatens to win material worth {gain}: {line}."]
};

/// The place in [`KINDS`] after which the motifs of a game come.
const MOTIFS_FOLLOW: &str = "only-move";

/// How important a kind is; less is more.
pub(super) fn rank(kind: &str) -> usize {
    let place = |name: &str| KINDS.iter().position(|kind| kind.name == name);
    place(kind).or_else(|| place(MOTIFS_FOLLOW)).unwrap_or(KINDS.len())
}

/// A reason before it is put in words.
#[derive(Clone)]
pub(super) struct Draft {
    pub(super) kind: &'static str,
    /// One of the sentences of the kind.
    pub(super) sentence: &'static str,
    pub(super) squares: Vec<Square>,
    pub(super) moves: Vec<MoveText>,
    pub(super) gain: Option<i32>,
    pub(super) loss: Option<f64>,
    pub(super) plies: Option<u32>,
    pub(super) is_proven: bool,
}

impl Draft {
    /// A proven reason of a kind that every game has, told by one of its sentences.
    pub(super) fn new(kind: &'static str, sentence: usize, moves: &[MoveText]) -> Self {
        /// The moves of a line that are told.
        const MOST_MOVES: usize = 12;
        let sentences = KINDS.iter().find(|known| known.name == kind).map(|kind| kind.sentences);
        let sentence = sentences.and_then(|sentences| sentences.get(sentence).copied());
        let moves = moves.iter().take(MOST_MOVES).cloned().collect();
        Self {
            kind,
            sentence: sentence.unwrap_or_default(),
            squares: Vec::new(),
            moves,
            gain: None,
            loss: None,
            plies: None,
            is_proven: true,
        }
    }

    /// A motif, told by the sentence of its kind.
    pub(super) fn motif(kind: &MotifKind, squares: Vec<Square>, moves: &[MoveText]) -> Self {
        let sentence = kind.sentence;
        Self { kind: kind.name, sentence, squares, is_proven: false, ..Self::new("", 0, moves) }
    }

    pub(super) fn within(self, plies: Option<u32>) -> Self {
        Self { plies, ..self }
    }

    /// Not proven, but confirmed by search.
    pub(super) fn worth(self, gain: i32) -> Self {
        Self { gain: Some(gain), is_proven: false, ..self }
    }

    /// Costs so many expected points.
    pub(super) fn costing(self, loss: f64) -> Self {
        Self { loss: Some((loss * 100.0).round() / 100.0), is_proven: false, ..self }
    }

    /// The reason in words, said of the move `mv`.
    pub(super) fn told(self, mv: &MoveText, pieces: &Pieces) -> Reason {
        let Self { kind, sentence, squares, moves, gain, loss, plies, is_proven } = self;
        let mut text = String::new();
        let mut rest = sentence;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            text.push_str(before);
            let part = match name {
                "move" => words(mv).to_owned(),
                "line" => moves.iter().map(words).collect::<Vec<_>>().join(" "),
                "list" => listed(moves.iter().map(|mv| words(mv).to_owned()).collect()),
                "plies" if plies == Some(1) => "1 ply".to_owned(),
                "plies" => format!("{} plies", plies.unwrap_or_default()),
                "gain" => pieces.material(gain.unwrap_or_default()),
                "loss" => loss.unwrap_or_default().to_string(),
                "rest" => listed(squares.iter().skip(1).map(|&it| pieces.words(it)).collect()),
                place => {
                    let square = place.parse().ok().and_then(|place: usize| squares.get(place));
                    square.map(|&square| pieces.words(square)).unwrap_or_default()
                }
            };
            text.push_str(&part);
            rest = after;
        }
        text.push_str(rest);
        if let Some(piece) = text.strip_prefix("the ") {
            text = format!("The {piece}");
        }
        Reason { kind, squares, moves, gain, loss, plies, proven: is_proven, text }
    }
}

/// A move as people write it.
fn words(mv: &MoveText) -> &str {
    mv.san.as_deref().unwrap_or(&mv.text)
}

/// The parts of a list, with `and` before the last one.
fn listed(mut parts: Vec<String>) -> String {
    match parts.pop() {
        Some(last) if !parts.is_empty() => format!("{} and {last}", parts.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// The pieces of which sentences speak.
pub(super) struct Pieces {
    game: &'static GameInfo,
    /// The board after the move, then the one before it.
    boards: [Cells; 2],
}

impl Pieces {
    pub(super) fn new(before: &dyn AnyBoard, after: &dyn AnyBoard) -> Self {
        Self { game: before.game(), boards: [after.cells(), before.cells()] }
    }

    /// So much material in words: in pawns, or in men in games without a unit of their own.
    fn material(&self, gain: i32) -> String {
        let count = f64::from(gain.abs()) / 100.0;
        let is_one = gain.abs() == 100;
        match self.game.score_unit {
            Some(unit) => format!("{count} {unit}{}", if is_one { "" } else { "s" }),
            None => format!("{count} {}", if is_one { "man" } else { "men" }),
        }
    }

    /// The piece on a square with its square, or the square alone where it is empty.
    pub(super) fn words(&self, square: Square) -> String {
        let cells = self.boards.iter().filter_map(|cells| cell(cells, square));
        let name = cells.into_iter().find(|name| !name.is_empty());
        let piece = name.and_then(|name| self.game.pieces.iter().find(|piece| piece.name == name));
        let columns = self.boards[0].first().map_or(0, Vec::len);
        let square = square_name(&self.game.board, square, columns);
        piece.map_or_else(|| square.clone(), |piece| format!("the {} on {square}", piece.label))
    }
}

fn cell(cells: &Cells, square: Square) -> Option<&'static str> {
    cells.get(usize::from(square.row))?.get(usize::from(square.column)).copied()
}

/// A square as players call it: `e4`, its number, or row and column from 1 where squares have no names.
fn square_name(style: &BoardStyle, square: Square, columns: usize) -> String {
    let (row, column) = (usize::from(square.row), usize::from(square.column));
    if let Some(first) = style.first_number {
        let before = row * columns + column;
        let number = if style.surface == Surface::Checkered { before / 2 } else { before };
        return (usize::from(first) + number).to_string();
    }
    match (style.columns.get(column), style.rows.get(row)) {
        (Some(column), Some(row)) => format!("{column}{row}"),
        _ => format!("row {}, column {}", row + 1, column + 1),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use bestmove_engine::games::CATALOGUE;

    /// The parts of a sentence that a template leaves open.
    fn parsed<'a>(template: &'a str, text: &'a str) -> Option<BTreeMap<&'a str, &'a str>> {
        let mut parts = BTreeMap::new();
        let (start, mut template) = template.split_once('{').unwrap_or((template, ""));
        let mut text = text.strip_prefix(start)?;
        while let Some((name, rest)) = template.split_once('}') {
            let (fixed, next) = rest.split_once('{').unwrap_or((rest, ""));
            let end = if next.is_empty() {
                text.len().checked_sub(fixed.len())?
            } else {
                text.find(fixed)?
            };
            let known = parts.insert(name, &text[..end]);
            assert!(known.is_none_or(|known| known == &text[..end]), "{name} has one value");
            text = text[end..].strip_prefix(fixed)?;
            template = next;
        }
        text.is_empty().then_some(parts)
    }

    fn mv(text: &str) -> MoveText {
        MoveText { text: text.to_owned(), san: Some(text.to_uppercase()) }
    }

    #[test]
    fn every_sentence_parses_back_to_its_data() {
        let own = mv("a1");
        for game in CATALOGUE {
            let board = game.board(None, &[]).expect("a start");
            let pieces = Pieces::new(&*board, &*board);
            let shared =
                KINDS.iter().flat_map(|kind| kind.sentences.iter().map(|it| (kind.name, *it)));
            let motifs = game.motifs().iter().map(|kind| (kind.name, kind.sentence));
            for (kind, sentence) in shared.chain(motifs) {
                let squares = (0..4).map(|column| Square { row: 0, column }).collect();
                let moves = ["b2", "c3", "d4"].map(mv).to_vec();
                let (gain, loss, plies) = (Some(-300), Some(0.31), Some(7));
                let draft =
                    Draft { kind, sentence, squares, moves, gain, loss, plies, is_proven: false };
                let reason = draft.told(&own, &pieces);
                let text = reason.text.replacen("The ", "the ", 1);
                let parts = parsed(sentence, &text);
                let parts = parts.unwrap_or_else(|| panic!("{kind}: {}", reason.text));
                for (name, value) in parts {
                    let place = |place: usize| pieces.words(reason.squares[place]);
                    let expected = match name {
                        "move" => "A1".to_owned(),
                        "line" => "B2 C3 D4".to_owned(),
                        "list" => "B2, C3 and D4".to_owned(),
                        "plies" => "7 plies".to_owned(),
                        "gain" => pieces.material(300),
                        "loss" => "0.31".to_owned(),
                        "rest" => format!("{}, {} and {}", place(1), place(2), place(3)),
                        other => place(other.parse().expect("a place")),
                    };
                    assert_eq!(value, expected, "{kind}: {}", reason.text);
                }
            }
        }
    }

    #[test]
    fn squares_are_called_as_players_call_them() {
        let name = |game: &str, row, column| {
            let game = bestmove_engine::games::find(game).expect("a game");
            let board = game.board(None, &[]).expect("a start");
            square_name(&game.info().board, Square { row, column }, board.cells()[0].len())
        };
        assert_eq!(name("chess", 7, 4), "e1");
        assert_eq!(
            (name("checkers", 0, 1), name("checkers", 7, 6)),
            ("1".to_owned(), "32".to_owned())
        );
        assert_eq!(name("tic-tac-toe", 1, 1), "4");
    }

    #[test]
    fn every_kind_has_its_own_name() {
        for game in CATALOGUE {
            let mut names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
            names.extend(game.motifs().iter().map(|kind| kind.name));
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{}", game.info().name);
        }
    }
}
