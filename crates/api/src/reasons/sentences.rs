//! The kinds of reasons that every game has, and the sentences that tell them.
//!
//! A sentence is a template filled with the data of its reason alone, so that a front end can say it in another language.

use crate::move_words;
use bestmove_engine::game::{
    BoardStyle, Cells, GameInfo, ReasonKind, Square, Surface, reason_kinds,
};
use bestmove_engine::games::any::{AnyBoard, Evaluation, MoveText, Reason};

/// The kinds that a search finds in every game, the most important first. `{move}` is the move, `{line}` the moves of the
/// reason in their order, `{list}` these moves as alternatives, `{win}` a win or a mate, `{in}` in how many moves, `{gain}`
/// material or discs, `{at}` the first square. An [`ending`] has a sentence for a near end, for any, and for a margin.
pub(super) const KINDS: &[ReasonKind] = reason_kinds! {
    "forced" "There is no other legal move."
        ["{move} is the only legal move."]
    "throws-away" "A move that was there holds a proven win or draw, and the move loses it for certain."
        ["Throws away a win: {line} wins.", "Throws away a draw: {line} draws."]
    "allows" "The move loses by force, and another one might not. The line shows how."
        ["Allows {win} {in}: {line}.", "Loses by force: {line}.", "Loses by {gain}: {line}."]
    "wins" "The move wins by force."
        ["Forces {win} {in}: {line}.", "Wins by force: {line}.", "Wins by {gain}: {line}.", "{move} {wins}."]
    "misses" "Another move wins by force, and of this one that is not known."
        ["Misses {win} {in}: {line}.", "Misses a win: {line}.", "Misses a win by {gain}: {line}."]
    "loses" "The move loses by force, as every other one does."
        ["Allows {win} {in}, as every other move does: {line}.", "Loses, as every other move does: {line}.",
         "Loses by {gain}; every other move loses, too: {line}."]
    "loses-material" "The move loses material that another move keeps."
        ["Loses material worth {gain}: {line}."]
    "loses-points" "Searches of different depth expect fewer points of the move than of another one. The line is what follows."
        ["Costs {loss} expected points: {line}."]
    "only-move" "Every other move loses, or no other move wins."
        ["Every other move allows {win} {in}, at best by {line}.", "Every other move loses, at best by {line}.",
         "Every other move loses, at best by {gain}: {line}.", "Only {move} wins."]
    "double-threat" "After the move two or more moves would win at once if the other side passed."
        ["Threatens {win} by {list}."]
    "prevents" "If the side passed, the other one would win by the line. After the move it can not within as many plies."
        ["Stops {win} on {at}.", "Stops {win} {in}: {line}."]
    "sacrifices" "The move gives up material, and what follows is worth more."
        ["Gives up material worth {gain} for {win}: {line}.", "Gives up material worth {gain} for more: {line}."]
    "wins-material" "The move wins material, whatever the other side plays."
        ["Wins material worth {gain}: {line}."]
    "threatens" "After the move one move would win at once if the other side passed."
        ["Threatens {win} by {list}."]
    "trades" "Pieces of about equal worth leave the board."
        ["{move} recaptures.", "Trades: {line}.", "Offers a trade: {line}."]
    "draws" "With best play the game is drawn."
        ["Draws: {line}."]
    "threat" "What the other side would do if it were its turn; the moves begin with its own."
        ["Threatens {win} {in}: {line}.", "Threatens to win: {line}.", "Threatens to win by {gain}: {line}.",
         "Threatens to win material worth {gain}: {line}."]
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

/// The greatest number of moves of a line in a reason.
const MOST_MOVES: usize = 12;

/// A draft about a proven end of the game.
pub(super) fn ending(kind: &'static str, proof: Evaluation, moves: &[MoveText]) -> Reason {
    let is_near = proof.plies.is_some_and(|plies| plies as usize <= MOST_MOVES);
    let sentence = if proof.margin.is_some() { 2 } else { usize::from(!is_near) };
    let gain = proof.margin.map(|margin| 100 * margin);
    Reason { plies: proof.plies, gain, ..draft(kind, sentence, moves) }
}

/// A draft with a gain, or loss, of material that searches confirm.
pub(super) fn worth(gain: i32, draft: Reason) -> Reason {
    Reason { gain: Some(gain), proven: false, ..draft }
}

/// A proven reason of any kind, with the template `sentence`.
pub(super) fn draft_of(kind: &'static str, sentence: &str, moves: &[MoveText]) -> Reason {
    let moves = moves.iter().take(MOST_MOVES).cloned().collect();
    let (squares, text) = (Vec::new(), sentence.to_owned());
    Reason { kind, squares, moves, gain: None, loss: None, plies: None, proven: true, text }
}

/// The reason of a draft about the move `mv`, with its template filled.
pub(super) fn told(draft: Reason, mv: &MoveText, pieces: &Pieces) -> Reason {
    let Reason { squares, moves, gain, loss, plies, .. } = &draft;
    let is_mate = moves.iter().any(|mv| move_words(mv).ends_with('#'));
    let mut text = String::new();
    let mut rest = &draft.text[..];
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        let part = match name {
            "move" => move_words(mv).to_owned(),
            "line" => pieces.line(moves, AFTER_A_PASS.contains(&draft.kind)),
            "list" => listed(moves.iter().map(|mv| move_words(mv).to_owned()).collect()),
            "win" => if is_mate { "mate" } else { "a win" }.to_owned(),
            "wins" => if is_mate { "is mate" } else { "wins at once" }.to_owned(),
            "in" => match plies.unwrap_or_default().div_ceil(2) {
                1 => "in one move".to_owned(),
                count => format!("within {count} moves"),
            },
            "at" => squares.first().map(|&at| pieces.square(at)).unwrap_or_default(),
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

/// The kinds whose lines begin after a pass.
const AFTER_A_PASS: [&str; 2] = ["prevents", "threat"];

/// Joins the parts of a list, with `and` before the last one.
fn listed(mut parts: Vec<String>) -> String {
    match parts.pop() {
        Some(last) if !parts.is_empty() => format!("{} and {last}", parts.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// The pieces, squares and lines that sentences name.
pub(super) struct Pieces {
    game: &'static GameInfo,
    /// The plies played before the move, where the position tells them.
    plies: Option<u32>,
    /// The board after the move, then the board before it.
    boards: [Cells; 2],
}

impl Pieces {
    pub(super) fn new(before: &dyn AnyBoard, after: &dyn AnyBoard) -> Self {
        let boards = [after.cells(), before.cells()];
        Self { game: before.game(), plies: before.plies_played(), boards }
    }

    /// The moves of a line, numbered in a game whose players number them so.
    fn line(&self, moves: &[MoveText], is_after_pass: bool) -> String {
        let first = self.plies.map(|plies| plies as usize + usize::from(is_after_pass));
        let numbered = moves.iter().enumerate().map(|(index, mv)| {
            let ply = first.filter(|_| mv.san.is_some()).map(|first| first + index);
            match ply {
                Some(ply) if ply.is_multiple_of(2) => {
                    format!("{}. {}", ply / 2 + 1, move_words(mv))
                }
                Some(ply) if index == 0 => format!("{}...{}", ply / 2 + 1, move_words(mv)),
                _ => move_words(mv).to_owned(),
            }
        });
        numbered.collect::<Vec<_>>().join(" ")
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
        let square = self.square(square);
        piece.map_or_else(|| square.clone(), |piece| format!("the {} on {square}", piece.label))
    }

    fn square(&self, square: Square) -> String {
        square_name(&self.game.board, square, self.boards[0].first().map_or(0, Vec::len))
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
    use super::*;
    use bestmove_engine::games::catalogue;

    fn mv(text: &str) -> MoveText {
        MoveText { text: text.to_owned(), san: Some(text.to_uppercase()) }
    }

    #[test]
    fn every_sentence_is_filled_with_its_data() {
        let own = mv("a1");
        for game in catalogue() {
            let board = game.board(None, &[]).expect("a start");
            let pieces = Pieces::new(&*board, &*board);
            let told = KINDS.iter().chain(game.info().motifs);
            let told = told.flat_map(|kind| kind.sentences.iter().map(|it| (kind.name, *it)));
            for (kind, sentence) in told {
                let squares: Vec<_> = (0..4).map(|column| Square { row: 0, column }).collect();
                let moves = ["b2", "c3", "d4"].map(mv).to_vec();
                let place = |place: usize| pieces.words(squares[place]);
                let draft = worth(-300, draft_of(kind, sentence, &moves));
                let draft =
                    Reason { squares: squares.clone(), loss: Some(0.31), plies: Some(7), ..draft };
                let reason = super::told(draft, &own, &pieces);
                let line = match board.plies_played() {
                    None => "B2 C3 D4",
                    Some(_) if AFTER_A_PASS.contains(&kind) => "1...B2 2. C3 D4",
                    Some(_) => "1. B2 C3 2. D4",
                };
                let expected = sentence
                    .replace("{move}", "A1")
                    .replace("{line}", line)
                    .replace("{list}", "B2, C3 and D4")
                    .replace("{win}", "a win")
                    .replace("{wins}", "wins at once")
                    .replace("{in}", "within 4 moves")
                    .replace("{gain}", &pieces.material(300))
                    .replace("{loss}", "0.31")
                    .replace("{at}", &pieces.square(squares[0]))
                    .replace("{rest}", &format!("{}, {} and {}", place(1), place(2), place(3)))
                    .replace("{0}", &place(0))
                    .replace("{1}", &place(1))
                    .replace("{2}", &place(2));
                assert_eq!(reason.text.replacen("The ", "the ", 1), expected, "{kind}");
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
        for game in catalogue() {
            let mut names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
            names.extend(game.info().motifs.iter().map(|kind| kind.name));
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{}", game.info().name);
        }
    }
}
