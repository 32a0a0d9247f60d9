//! Positions in Forsyth-Edwards Notation (FEN).

use cozy_chess::{BoardBuilder, Color, File, Piece, Rank, Square};

use super::draws::FIFTY_MOVES;
use super::names::{name, noun};
use super::position::en_passant;
use super::{ASK_FOR_960, Chess, ChessBoard, epd, legality};
use crate::game::{PositionError, excerpt};

/// The castling rights in the order in which they are written.
const RIGHTS: [(char, Color, File); 4] = [
    ('K', Color::White, File::H),
    ('Q', Color::White, File::A),
    ('k', Color::Black, File::H),
    ('q', Color::Black, File::A),
];

/// Reads a FEN. Runs of spaces count as one, and so does `_`. The counters may be missing, and so may other fields at the
/// end where only one value is possible. Unknown counters are dashes. The operations of Extended Position
/// Description (EPD) may follow.
pub(super) fn read(text: &str, variant: Chess) -> Result<ChessBoard, PositionError> {
    if text.trim().lines().count() >= Rank::NUM {
        return Err(PositionError(
            "expected a FEN but got a board of several lines: give its rows in an object, with the members board and \
             side_to_move"
                .to_owned(),
        ));
    }
    let fields = text.split(|letter: char| letter.is_whitespace() || letter == '_');
    let mut fields = fields.filter(|field| !field.is_empty()).peekable();
    let mut setup = BoardBuilder::empty();
    read_pieces(&mut setup, fields.next().unwrap_or_default())?;
    legality::check_pieces(&setup)?;
    read_side(&mut setup, fields.next())?;
    let castling = fields.next();
    match variant {
        Chess::Standard => {
            read_castling(&mut setup, castling)
                .map_err(|error| or_chess960(error, &setup, castling))?;
        }
        Chess::Chess960 => read_rook_files(&mut setup, castling)?,
    }
    setup.en_passant = read_en_passant(fields.next().unwrap_or("-"))?;
    let mut counters = [None; 2];
    for counter in &mut counters {
        *counter = fields.next_if(|field| !epd::begins(field));
    }
    let clock = read_number("the halfmove clock", counters[0].unwrap_or("0"))?;
    let number = read_number("the move number", counters[1].unwrap_or("1"))?;
    let operations = epd::read(fields)?;
    let [clock, number] = [operations.clock.unwrap_or(clock), operations.number.unwrap_or(number)];
    // The clock of the library stops at 100.
    setup.halfmove_clock = clock.min(u16::from(FIFTY_MOVES)) as u8;
    setup.fullmove_number = number.max(1);
    Ok(ChessBoard::new(legality::checked(setup)?, variant).with_clock(clock))
}

/// The error of castling rights, with the way out where they are rights of Chess960.
fn or_chess960(error: PositionError, setup: &BoardBuilder, field: Option<&str>) -> PositionError {
    match field.map(|_| read_rook_files(&mut setup.clone(), field)) {
        Some(Ok(())) => {
            PositionError(format!("{error}; or, for a position of Chess960, {ASK_FOR_960}"))
        }
        _ => error,
    }
}

fn read_pieces(setup: &mut BoardBuilder, field: &str) -> Result<(), PositionError> {
    let ranks: Vec<&str> = field.split('/').filter(|rank| !rank.is_empty()).collect();
    if ranks.len() != Rank::NUM {
        return Err(PositionError(format!(
            "expected a FEN, which begins with 8 ranks separated by /, but got {} in '{field}'",
            ranks.len(),
            field = excerpt(field)
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
    Err(PositionError(format!(
        "rank {rank}: expected 8 squares but got {file} in '{squares}'",
        squares = excerpt(squares)
    )))
}

fn read_side(setup: &mut BoardBuilder, field: Option<&str>) -> Result<(), PositionError> {
    setup.side_to_move = match field {
        Some("w" | "W") => Color::White,
        Some("b" | "B") => Color::Black,
        Some(other) => {
            return Err(PositionError(format!(
                "the side to move: expected w or b but got '{other}'",
                other = excerpt(other)
            )));
        }
        None => {
            return Err(PositionError("the side to move is missing: add w or b".to_owned()));
        }
    };
    Ok(())
}

/// Reads the castling rights. A missing field means no rights, and is an error where rights are possible.
fn read_castling(setup: &mut BoardBuilder, field: Option<&str>) -> Result<(), PositionError> {
    let Some(letters) = field else {
        let possible = RIGHTS.iter().filter(|&&(_, color, file)| {
            legality::missing_for_castling(setup, color, file).is_none()
        });
        let possible: String = possible.map(|(letter, ..)| letter).collect();
        if possible.is_empty() {
            return Ok(());
        }
        return Err(PositionError(format!(
            "the castling rights are missing: add {possible}, or some of it, or -"
        )));
    };
    let letters = if letters == "-" { "" } else { letters };
    let mut impossible = Vec::new();
    for letter in letters.chars() {
        let (color, file) = right(letter)?;
        if let Some((piece, square)) = legality::missing_for_castling(setup, color, file) {
            impossible.push((letter, format!("{} {} on {square}", name(color), noun(piece))));
            continue;
        }
        let rights = setup.castle_rights_mut(color);
        let right = if file == File::H { &mut rights.short } else { &mut rights.long };
        *right = Some(file);
    }
    if impossible.is_empty() {
        return Ok(());
    }
    let needs: Vec<String> =
        impossible.iter().map(|(letter, piece)| format!("{letter} needs the {piece}")).collect();
    let letters: String = impossible.iter().map(|(letter, _)| letter).collect();
    Err(PositionError(format!("the castling rights: {}; leave out {letters}", needs.join(", "))))
}

/// The side and the file of the rook of a right: in the form of FEN or of Shredder-FEN, the file of the rook in upper case
/// for White and in lower case for Black.
fn right(letter: char) -> Result<(Color, File), PositionError> {
    let found = RIGHTS.iter().find(|&&(known, color, file)| {
        let file = char::from(file);
        let rook = if color == Color::White { file.to_ascii_uppercase() } else { file };
        letter == known || letter == rook
    });
    found.map(|&(_, color, file)| (color, file)).ok_or_else(|| {
        PositionError(format!(
            "the castling rights: expected some of KQkq, or -, but got '{letter}'"
        ))
    })
}

/// The castling rights of Chess960: the file of the rook, as in Shredder-FEN, or K and Q for the outermost rook on
/// that side of the king, as in X-FEN.
fn read_rook_files(setup: &mut BoardBuilder, field: Option<&str>) -> Result<(), PositionError> {
    let letters = field.ok_or_else(|| {
        PositionError("the castling rights are missing: add the files of rooks, or -".to_owned())
    })?;
    for letter in letters.chars().filter(|&letter| letter != '-') {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = Rank::First.relative_to(color);
        let stands =
            |piece, file: &File| setup.square(Square::new(*file, rank)) == Some((piece, color));
        let king = File::ALL.into_iter().find(|file| stands(Piece::King, file));
        let rook = match letter.to_ascii_lowercase() {
            'k' => File::ALL.into_iter().rev().find(|file| stands(Piece::Rook, file)),
            'q' => File::ALL.into_iter().find(|file| stands(Piece::Rook, file)),
            file => File::try_from(file).ok().filter(|file| stands(Piece::Rook, file)),
        };
        let is_short = letter.eq_ignore_ascii_case(&'k');
        let is_long = letter.eq_ignore_ascii_case(&'q');
        let placed = king
            .zip(rook)
            .filter(|(king, rook)| !(is_short && rook < king || is_long && rook > king));
        let Some((king, rook)) = placed else {
            return Err(PositionError(format!(
                "the castling rights: {letter} needs a king and a rook of {} on rank {rank}; leave out {letter}",
                name(color)
            )));
        };
        let rights = setup.castle_rights_mut(color);
        let right = if rook > king { &mut rights.short } else { &mut rights.long };
        *right = Some(rook);
    }
    Ok(())
}

fn read_en_passant(field: &str) -> Result<Option<Square>, PositionError> {
    if field == "-" {
        return Ok(None);
    }
    let square = field.to_ascii_lowercase().parse();
    square.map(Some).map_err(|_| {
        PositionError(format!(
            "the en passant square: expected a square such as e3, or -, but got '{field}'",
            field = excerpt(field)
        ))
    })
}

/// Reads a number of any size. A number that does not fit counts as the largest that does, and a dash as 0.
fn read_number(what: &str, field: &str) -> Result<u16, PositionError> {
    if matches!(field, "-" | "?") {
        return Ok(0);
    }
    if !field.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(PositionError(format!(
            "{what}: expected a number but got '{field}'",
            field = excerpt(field)
        )));
    }
    Ok(field.parse().unwrap_or(u16::MAX))
}

/// Writes a FEN, with an en passant square only where it can be used.
pub(super) fn write(board: &ChessBoard) -> String {
    let fen = match board.variant {
        Chess::Standard => board.inner.to_string(),
        // Castling rights as in Shredder-FEN.
        Chess::Chess960 => format!("{:#}", board.inner),
    };
    let square = en_passant(&board.inner);
    let square = square.map_or_else(|| "-".to_owned(), |square| square.to_string());
    let clock = board.clock.to_string();
    let fields = fen.split(' ').enumerate().map(|(place, field)| match place {
        3 => &square,
        4 => &clock,
        _ => field,
    });
    fields.collect::<Vec<_>>().join(" ")
}
