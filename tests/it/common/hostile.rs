//! Legal positions that are as hard on a search as can be.

use fastrand::Rng;

/// The game and a position drawn at random: in chess up to sixteen pieces a side, as many of them queens
/// as the pawns allow; in checkers up to twelve kings a side; in the grid games any. Not all are legal.
pub fn draw(rng: &mut Rng) -> (&'static str, String) {
    match rng.u32(..4) {
        0 => ("chess", chess(rng)),
        1 => ("checkers", checkers(rng)),
        2 => ("connect-four", connect_four(rng)),
        _ => ("tic-tac-toe", tic_tac_toe(rng)),
    }
}

/// Nine queens, two rooks, bishops and knights and the king come from the pieces and eight pawns.
pub fn chess(rng: &mut Rng) -> String {
    let mut squares: Vec<usize> = (0..64).collect();
    rng.shuffle(&mut squares);
    let mut cells = [' '; 64];
    let mut free = squares.into_iter();
    for is_white in [true, false] {
        let queens = rng.usize(1..=9);
        let others = rng.usize(..=15 - queens);
        let pieces = ["K", &"Q".repeat(queens), &"RRBBNN"[..others.min(6)]].concat();
        for piece in pieces.chars() {
            let piece = if is_white { piece } else { piece.to_ascii_lowercase() };
            if let Some(square) = free.next() {
                cells[square] = piece;
            }
        }
    }
    let rows: Vec<String> = cells.chunks(8).map(fen_row).collect();
    format!("{} {} - - 0 1", rows.join("/"), if rng.bool() { 'w' } else { 'b' })
}

fn fen_row(cells: &[char]) -> String {
    let mut row = String::new();
    let mut empty = 0;
    for &cell in cells.iter().chain([&'|']) {
        if cell == ' ' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            row += &empty.to_string();
            empty = 0;
        }
        if cell != '|' {
            row.push(cell);
        }
    }
    row
}

/// Kings alone.
pub fn checkers(rng: &mut Rng) -> String {
    let mut squares: Vec<String> = (1..=32).map(|square| format!("K{square}")).collect();
    rng.shuffle(&mut squares);
    let (white, black) = (rng.usize(1..=12), rng.usize(1..=12));
    let side = if rng.bool() { 'W' } else { 'B' };
    let (white, rest) = squares.split_at(white);
    format!("{side}:W{}:B{}", white.join(","), rest[..black].join(","))
}

fn connect_four(rng: &mut Rng) -> String {
    let plies = rng.usize(..30);
    (0..plies).map(|_| char::from(b'1' + rng.u8(..7))).collect()
}

fn tic_tac_toe(rng: &mut Rng) -> String {
    let mut cells = [b'.'; 9];
    let mut order: Vec<usize> = (0..9).collect();
    rng.shuffle(&mut order);
    for (ply, &cell) in order.iter().take(rng.usize(..9)).enumerate() {
        cells[cell] = if ply % 2 == 0 { b'X' } else { b'O' };
    }
    String::from_utf8_lossy(&cells).into_owned()
}
