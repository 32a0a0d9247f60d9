//! The kinds of reasons that every game has, and the sentences that tell them.
//!
//! A sentence is a template filled with the data of its reason alone, so that a front end can say it in another language.

use bestmove_engine::game::{
    BoardStyle, Cells, GameInfo, ReasonKind, Square, Surface, reason_kinds,
};
use bestmove_engine::games::any::{AnyBoard, MoveText, Reason};

/// The kinds that a search finds in every game, the most important first. `{move}` is the move, `{line}` the moves of the
/// reason in their order, `{list}` these moves as alternatives, `{plies}` and `{gain}` are numbers.
pub(super) const KINDS: &[ReasonKind] = reason_kinds! {
    "forced" "There is no other legal move."
        ["{move} is the only legal move."]
    "throws-away" "A move that was there holds a proven win or draw, and the move loses it for certain."
        ["Throws away a win: {line} wins.", "Throws away a draw: {line} draws."]
    "allows" "The move loses by force, and another one might not. The line shows how."
        ["Allows a win within {plies}: {line}.", "Allows a win: {line}."]
    "wins" "The move wins by force."
        ["Wins within {plies}: {line}.", "Wins: {line}.", "{move} wins at once."]
    "misses" "Another move wins by force, and of this one that is not known."
        ["Misses a win within {plies}: {line}.", "Misses a win: {line}."]
    "loses" "The move loses by force, as every other one does."
        ["Loses within {plies}, as every other move does: {line}.", "Loses, as every other move does: {line}."]
    "loses-material" "The move loses material that another move keeps."
        ["Loses material worth {gain}: {line}."]
    "loses-points" "Searches of different depth expect fewer points of the move than of another one. The line is what follows."
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

/// The kind in [`KINDS`] after which the motifs of a game come.
const MOTIFS_FOLLOW: &str = "only-move";

/// The rank of a kind by importance, from 0 for the most important one.
pub(super) fn rank(kind: &str) -> usize {
    let place = [kind, MOTIFS_FOLLOW]
        .into_iter()
        .find_map(|name| KINDS.iter().position(|kind| kind.name == name));
    place.unwrap_or(KINDS.len())
}

/// A proven reason of a kind that every game has. Its text is a template, the sentence of the kind with the number
/// `sentence`, which [`told`] fills.
pub(super) fn draft(kind: &'static str, sentence: usize, moves: &[MoveText]) -> Reason {
    let known = KINDS.iter().find(|known| known.name == kind);
    let sentence = known.and_then(|known| known.sentences.get(sentence));
    draft_of(kind, sentence.copied().unwrap_or_default(), moves)
}

/// A draft about the end of the game within `plies`, or at an unknown time.
pub(super) fn ending(kind: &'static str, plies: Option<u32>, moves: &[MoveText]) -> Reason {
    Reason { plies, ..draft(kind, usize::from(plies.is_none()), moves) }
}

/// A draft with a gain, or loss, of material that searches confirm.
pub(super) fn worth(gain: i32, draft: Reason) -> Reason {
    Reason { gain: Some(gain), proven: false, ..draft }
}

/// A proven reason of any kind, with the template `sentence`.
pub(super) fn draft_of(kind: &'static str, sentence: &str, moves: &[MoveText]) -> Reason {
    /// The greatest number of moves of a line in a reason.
    const MOST_MOVES: usize = 12;
    let moves = moves.iter().take(MOST_MOVES).cloned().collect();
    let (squares, text) = (Vec::new(), sentence.to_owned());
    Reason { kind, squares, moves, gain: None, loss: None, plies: None, proven: true, text }
}

/// The reason of a draft about the move `mv`, with its template filled.
pub(super) fn told(draft: Reason, mv: &MoveText, pieces: &Pieces) -> Reason {
    let Reason { squares, moves, gain, loss, plies, .. } = &draft;
    let mut text = String::new();
    let mut rest = &draft.text[..];
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        let part = match name {
            "move" => words(mv).to_owned(),
            "line" => moves.iter().map(words).collect::<Vec<_>>().join(" "),
            "list" => listed(moves.iter().map(|mv| words(mv).to_owned()).collect()),
            "plies" if *plies == Some(1) => "1 ply".to_owned(),
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
    Reason { text, ..draft }
}

/// A move as people write it.
fn words(mv: &MoveText) -> &str {
    mv.san.as_deref().unwrap_or(&mv.text)
}

/// Joins the parts of a list, with `and` before the last one.
fn listed(mut parts: Vec<String>) -> String {
    match parts.pop() {
        Some(last) if !parts.is_empty() => format!("{} and {last}", parts.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// The pieces that sentences name.
pub(super) struct Pieces {
    game: &'static GameInfo,
    /// The board after the move, then the board before it.
    boards: [Cells; 2],
}

impl Pieces {
    pub(super) fn new(before: &dyn AnyBoard, after: &dyn AnyBoard) -> Self {
        Self { game: before.game(), boards: [after.cells(), before.cells()] }
    }

    /// An amount of material in words: in pawns, or in men in games without a unit of their own.
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

/// The name of a square: `e4`, its number, or row and column from 1 where squares have no names.
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
            let told = KINDS.iter().chain(game.info().motifs);
            let told = told.flat_map(|kind| kind.sentences.iter().map(|it| (kind.name, *it)));
            for (kind, sentence) in told {
                let squares = (0..4).map(|column| Square { row: 0, column }).collect();
                let moves = ["b2", "c3", "d4"].map(mv).to_vec();
                let draft = worth(-300, draft_of(kind, sentence, &moves));
                let draft = Reason { squares, loss: Some(0.31), plies: Some(7), ..draft };
                let reason = super::told(draft, &own, &pieces);
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
            names.extend(game.info().motifs.iter().map(|kind| kind.name));
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{}", game.info().name);
        }
    }
}
