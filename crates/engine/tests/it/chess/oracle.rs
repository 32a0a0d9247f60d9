//! The rules once more, as slow and as plain as possible: on a board of letters, trying every move
//! from every square to every square.

/// A board of letters as FEN has them, squares counted from a1, and what else a move depends on.
#[derive(Clone)]
pub(crate) struct Letters {
    cells: [char; 64],
    white_moves: bool,
    castling: String,
    en_passant: Option<usize>,
}

impl Letters {
    /// Reads a complete FEN.
    pub(crate) fn read(fen: &str) -> Self {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut cells = ['.'; 64];
        for (row, pieces) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in pieces.chars() {
                if let Some(empty) = letter.to_digit(10) {
                    file += empty as usize;
                } else {
                    cells[(7 - row) * 8 + file] = letter;
                    file += 1;
                }
            }
        }
        let en_passant = (fields[3] != "-").then(|| square(fields[3]));
        Self { cells, white_moves: fields[1] == "w", castling: fields[2].to_owned(), en_passant }
    }

    /// The same position after a pawn's double step that passed `en_passant`.
    pub(crate) fn after_double_step(self, en_passant: &str) -> Self {
        Self { en_passant: Some(square(en_passant)), ..self }
    }

    /// All legal moves in UCI, sorted as text.
    pub(crate) fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for from in (0..64).filter(|&from| self.is_own(from)) {
            for to in (0..64).filter(|&to| self.is_legal(from, to)) {
                let text = format!("{}{}", name(from), name(to));
                if self.cells[from].eq_ignore_ascii_case(&'p') && matches!(to, ..8 | 56..) {
                    moves.extend(["q", "r", "b", "n"].map(|piece| format!("{text}{piece}")));
                } else {
                    moves.push(text);
                }
            }
        }
        moves.sort();
        moves
    }

    fn is_own(&self, at: usize) -> bool {
        self.cells[at] != '.' && self.cells[at].is_ascii_uppercase() == self.white_moves
    }

    fn is_legal(&self, from: usize, to: usize) -> bool {
        if self.is_own(to) {
            return false;
        }
        if self.is_castling(from, to) {
            return true;
        }
        self.goes(from, to) && !self.moved(from, to).can_take_king()
    }

    /// The pieces after a move, seen by the side that moved not: what matters is who attacks whom.
    fn moved(&self, from: usize, to: usize) -> Self {
        let mut after = self.clone();
        if self.cells[from].eq_ignore_ascii_case(&'p') && Some(to) == self.en_passant {
            after.cells[from / 8 * 8 + to % 8] = '.';
        }
        after.cells[to] = std::mem::replace(&mut after.cells[from], '.');
        after.white_moves = !self.white_moves;
        after.en_passant = None;
        after
    }

    fn can_take_king(&self) -> bool {
        let king = if self.white_moves { 'k' } else { 'K' };
        (0..64).any(|to| {
            self.cells[to] == king && (0..64).any(|from| self.is_own(from) && self.goes(from, to))
        })
    }

    /// Whether the man on `from` moves like that, whatever becomes of its king.
    fn goes(&self, from: usize, to: usize) -> bool {
        let (files, ranks) = (to as i32 % 8 - from as i32 % 8, to as i32 / 8 - from as i32 / 8);
        let straight = files == 0 || ranks == 0;
        let diagonal = files.abs() == ranks.abs();
        match self.cells[from].to_ascii_lowercase() {
            _ if from == to => false,
            'n' => files.abs() * ranks.abs() == 2,
            'k' => files.abs() <= 1 && ranks.abs() <= 1,
            'b' => diagonal && self.is_clear(from, to),
            'r' => straight && self.is_clear(from, to),
            'q' => (straight || diagonal) && self.is_clear(from, to),
            _ => self.pawn_goes(from, to, files, ranks),
        }
    }

    fn pawn_goes(&self, from: usize, to: usize, files: i32, ranks: i32) -> bool {
        let (ahead, home) = if self.white_moves { (1, 1) } else { (-1, 6) };
        let is_empty = self.cells[to] == '.';
        match files.abs() {
            0 if ranks == ahead => is_empty,
            0 if ranks == 2 * ahead => from / 8 == home && is_empty && self.is_clear(from, to),
            1 if ranks == ahead => !is_empty || Some(to) == self.en_passant,
            _ => false,
        }
    }

    /// Whether the squares between two squares of one line are empty.
    fn is_clear(&self, from: usize, to: usize) -> bool {
        let step = |a: usize, b: usize| (b as i32 - a as i32).signum();
        let step = step(from % 8, to % 8) + 8 * step(from / 8, to / 8);
        let mut at = from as i32 + step;
        while at != to as i32 {
            if self.cells[at as usize] != '.' {
                return false;
            }
            at += step;
        }
        true
    }

    fn is_castling(&self, from: usize, to: usize) -> bool {
        let home = if self.white_moves { 4 } else { 60 };
        let (letter, rook) = match to as i32 - from as i32 {
            2 => ('k', home + 3),
            -2 => ('q', home - 4),
            _ => return false,
        };
        let letter = if self.white_moves { letter.to_ascii_uppercase() } else { letter };
        let safe = |at: usize| !self.moved(home, at).can_take_king();
        from == home
            && self.castling.contains(letter)
            && self.is_clear(home, rook)
            && safe_to_stay(self)
            && safe(usize::midpoint(from, to))
            && safe(to)
    }
}

/// Whether the side to move is not in check.
fn safe_to_stay(letters: &Letters) -> bool {
    let mut passed = letters.clone();
    passed.white_moves = !letters.white_moves;
    !passed.can_take_king()
}

fn square(name: &str) -> usize {
    let bytes = name.as_bytes();
    usize::from(bytes[0] - b'a') + 8 * usize::from(bytes[1] - b'1')
}

fn name(square: usize) -> String {
    format!("{}{}", char::from(b'a' + (square % 8) as u8), square / 8 + 1)
}
