//! Positions in Forsyth-Edwards Notation (FEN).

use cozy_chess::{BoardBuilder, Color, File, Piece, Rank, Square};

use super::draws::FIFTY_MOVES;
use super::names::{name, noun};
use super::position::en_passant;
use super::{Board, legality};
use crate::game::PositionError;

/// The castling rights in the order in which they are written.
const RIGHTS: [(char, Color, File); 4] = [
    ('K', Color::White, File::H),
    ('Q', Color::White, File::A),
    ('k', Color::Black, File::H),
    ('q', Color::Black, File::A),
];

/// Reads a FEN. Runs of spaces count as one, and so does `_`; the counters may be missing, and so
/// may all that their absence leaves in no doubt.
pub(super) fn read(text: &str) -> Result<Board, PositionError> {
    let fields = text.split(|letter: char| letter.is_whitespace() || letter == '_');
    let mut fields = fields.filter(|field| !field.is_empty());
    let mut setup = BoardBuilder::empty();
    read_pieces(&mut setup, fields.next().unwrap_or_default())?;
    legality::check_pieces(&setup)?;
    read_side(&mut setup, fields.next())?;
    read_castling(&mut setup, fields.next())?;
    setup.en_passant = read_en_passant(fields.next().unwrap_or("-"))?;
    let clock = read_number("the halfmove clock", fields.next().unwrap_or("0"))?;
    let number = read_number("the move number", fields.next().unwrap_or("1"))?;
    if let Some(field) = fields.next() {
        return Err(PositionError(format!(
            "a FEN has six fields: leave out '{field}' and what follows it"
        )));
    }
    // The clock of the library stops at 100.
    setup.halfmove_clock = clock.min(u16::from(FIFTY_MOVES)) as u8;
    setup.fullmove_number = number.max(1);
    Ok(Board::new(legality::checked(setup)?).with_clock(clock))
}

fn read_pieces(setup: &mut BoardBuilder, field: &str) -> Result<(), PositionError> {
    let ranks: Vec<&str> = field.split('/').filter(|rank| !rank.is_empty()).collect();
    if ranks.len() != Rank::NUM {
        return Err(PositionError(format!(
            "expected a FEN, which begins with 8 ranks separated by /, but got {} in '{field}'",
            ranks.len()
        )));
    }
    for (&rank, squares) in Rank::ALL.iter().rev().zip(ranks) {
        read_rank(setup, rank, squares)?;
    }
    Ok(())
}

fn read_rank(setup: &mut BoardBuilder, rank: Rank, squares: &str) -> Result<(), PositionError> {
    let mut file = 0;
    for letter in squares.chars() {
        if let Some(empty @ 1..=8) = letter.to_digit(10) {
            file += empty as usize;
            continue;
        }
        let Ok(piece) = Piece::try_from(letter.to_ascii_lowercase()) else {
            return Err(PositionError(format!(
                "rank {rank}: expected KQRBNP for white, kqrbnp for black or the number of empty \
                 squares but got '{letter}'"
            )));
        };
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        if let Some(file) = File::try_index(file) {
            *setup.square_mut(Square::new(file, rank)) = Some((piece, color));
        }
        file += 1;
    }
    if file == File::NUM {
        return Ok(());
    }
    Err(PositionError(format!("rank {rank}: expected 8 squares but got {file} in '{squares}'")))
}

fn read_side(setup: &mut BoardBuilder, field: Option<&str>) -> Result<(), PositionError> {
    setup.side_to_move = match field {
        Some("w" | "W") => Color::White,
        Some("b" | "B") => Color::Black,
        Some(other) => {
            return Err(PositionError(format!(
                "the side to move: expected w or b but got '{other}'"
            )));
        }
        None => {
            return Err(PositionError("the side to move is missing: add w or b".to_owned()));
        }
    };
    Ok(())
}

/// Without the field there are no rights if there can be none; else nobody can tell.
fn read_castling(setup: &mut BoardBuilder, field: Option<&str>) -> Result<(), PositionError> {
    let Some(letters) = field else {
        let possible = |&&(_, color, file): &&(char, Color, File)| {
            legality::missing_for_castling(setup, color, file).is_none()
        };
        let possible: String = RIGHTS.iter().filter(possible).map(|(letter, ..)| letter).collect();
        if possible.is_empty() {
            return Ok(());
        }
        return Err(PositionError(format!(
            "the castling rights are missing: add {possible}, or some of it, or -"
        )));
    };
    letters.chars().filter(|_| letters != "-").try_for_each(|letter| read_right(setup, letter))
}

fn read_right(setup: &mut BoardBuilder, letter: char) -> Result<(), PositionError> {
    let Some(&(_, color, file)) = RIGHTS.iter().find(|&&(known, ..)| known == letter) else {
        return Err(PositionError(format!(
            "the castling rights: expected some of KQkq, or -, but got '{letter}'"
        )));
    };
    if let Some((piece, square)) = legality::missing_for_castling(setup, color, file) {
        let (side, piece) = (name(color), noun(piece));
        return Err(PositionError(format!(
            "the castling rights: {letter} needs the {side} {piece} on {square}; leave out {letter}"
        )));
    }
    let rights = setup.castle_rights_mut(color);
    let right = if file == File::H { &mut rights.short } else { &mut rights.long };
    *right = Some(file);
    Ok(())
}

fn read_en_passant(field: &str) -> Result<Option<Square>, PositionError> {
    if field == "-" {
        return Ok(None);
    }
    let square = field.to_ascii_lowercase().parse();
    square.map(Some).map_err(|_| {
        PositionError(format!(
            "the en passant square: expected a square such as e3, or -, but got '{field}'"
        ))
    })
}

/// A number of any size; what does not fit counts as the largest that does.
fn read_number(what: &str, field: &str) -> Result<u16, PositionError> {
    if !field.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(PositionError(format!("{what}: expected a number but got '{field}'")));
    }
    Ok(field.parse().unwrap_or(u16::MAX))
}

/// Writes a FEN, with an en passant square only where it can be used.
pub(super) fn write(board: &Board) -> String {
    let (fen, square) = (board.inner().to_string(), en_passant(board.inner()));
    let square = square.map_or_else(|| "-".to_owned(), |square| square.to_string());
    let clock = board.clock().to_string();
    let fields = fen.split(' ').enumerate().map(|(place, field)| match place {
        3 => &square,
        4 => &clock,
        _ => field,
    });
    fields.collect::<Vec<_>>().join(" ")
}
