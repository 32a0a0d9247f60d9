//! The rules once more, plainly: rows and columns, one square at a time.

/// Rows from Black's side: `b` and `w` are men, `B` and `W` kings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Board {
    cells: [[char; 8]; 8],
    black_to_move: bool,
}

/// A row and a column, possibly off the board.
type Place = (i32, i32);

const DIAGONALS: [Place; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

fn place(square: u8) -> Place {
    let index = i32::from(square) - 1;
    let row = index / 4;
    (row, index % 4 * 2 + 1 - row % 2)
}

fn square((row, column): Place) -> u8 {
    (row * 4 + column / 2 + 1) as u8
}

fn step((row, column): Place, (down, right): Place) -> Place {
    (row + down, column + right)
}

impl Board {
    /// The pieces by their squares; men on their king row are kings, pieces beyond a side's twelve
    /// are left out.
    pub(super) fn scattered(squares: &[char], black_to_move: bool) -> Self {
        let mut board = Self { cells: [['.'; 8]; 8], black_to_move };
        let mut counts = [0, 0];
        for (piece, number) in squares.iter().zip(1..) {
            let side = usize::from(piece.eq_ignore_ascii_case(&'w'));
            counts[side] += usize::from(*piece != '.');
            let is_crowned = matches!((piece, number), ('b', 29..) | ('w', ..=4));
            if counts[side] <= 12 {
                let piece = if is_crowned { piece.to_ascii_uppercase() } else { *piece };
                board.put(place(number), piece);
            }
        }
        board
    }

    /// The pieces of a canonical FEN.
    pub(super) fn from_fen(fen: &str) -> Self {
        let fields: Vec<&str> = fen.split(':').collect();
        let mut board = Self { cells: [['.'; 8]; 8], black_to_move: fields[0] == "B" };
        for list in &fields[1..] {
            let man = list[..1].to_lowercase();
            for piece in list[1..].split(',').filter(|piece| !piece.is_empty()) {
                let crowned = piece.strip_prefix('K');
                let letter = if crowned.is_some() { man.to_uppercase() } else { man.clone() };
                let number = crowned.unwrap_or(piece).parse().expect("a square");
                board.put(place(number), letter.chars().next().expect("a letter"));
            }
        }
        board
    }

    pub(super) fn fen(&self) -> String {
        let turn = if self.black_to_move { 'B' } else { 'W' };
        format!("{turn}:W{}:B{}", self.list('w'), self.list('b'))
    }

    fn list(&self, man: char) -> String {
        let name = |number: u8| match self.get(place(number)) {
            piece if piece == man => Some(number.to_string()),
            piece if piece == man.to_ascii_uppercase() => Some(format!("K{number}")),
            _ => None,
        };
        (1..=32).filter_map(name).collect::<Vec<_>>().join(",")
    }

    fn get(&self, (row, column): Place) -> char {
        if (0..8).contains(&row) && (0..8).contains(&column) {
            self.cells[row as usize][column as usize]
        } else {
            '#'
        }
    }

    fn put(&mut self, (row, column): Place, piece: char) {
        self.cells[row as usize][column as usize] = piece;
    }

    fn is_own(&self, piece: char) -> bool {
        piece.eq_ignore_ascii_case(if self.black_to_move { &'b' } else { &'w' })
    }

    fn is_other(&self, piece: char) -> bool {
        piece.eq_ignore_ascii_case(if self.black_to_move { &'w' } else { &'b' })
    }

    /// The board turned by half, with the colours exchanged.
    pub(super) fn turned(&self) -> Self {
        let mut turned = Self { cells: [['.'; 8]; 8], black_to_move: !self.black_to_move };
        for number in 1..=32 {
            let piece = match self.get(place(number)) {
                'b' => 'w',
                'B' => 'W',
                'w' => 'b',
                'W' => 'B',
                empty => empty,
            };
            turned.put(place(33 - number), piece);
        }
        turned
    }

    /// The legal moves, each with its squares and the position after it.
    pub(super) fn moves(&self) -> Vec<(Vec<u8>, String)> {
        let own: Vec<u8> =
            (1..=32).filter(|&number| self.is_own(self.get(place(number)))).collect();
        let mut moves = Vec::new();
        for &number in &own {
            self.captures(&[number], self.get(place(number)), &mut moves);
        }
        if moves.is_empty() {
            for number in own {
                self.steps(number, &mut moves);
            }
        }
        moves.sort();
        moves
    }

    fn goes(piece: char, (down, _): Place) -> bool {
        match piece {
            'b' => down > 0,
            'w' => down < 0,
            _ => true,
        }
    }

    fn steps(&self, from: u8, moves: &mut Vec<(Vec<u8>, String)>) {
        let piece = self.get(place(from));
        for diagonal in DIAGONALS.into_iter().filter(|&diagonal| Self::goes(piece, diagonal)) {
            let to = step(place(from), diagonal);
            if self.get(to) == '.' {
                let mut after = self.clone();
                after.put(place(from), '.');
                moves.push((vec![from, square(to)], after.finished(to, piece)));
            }
        }
    }

    /// Plays on from `route` on a board from which the moving piece and all it took are lifted.
    fn captures(&self, mv: &[u8], piece: char, moves: &mut Vec<(Vec<u8>, String)>) {
        let at = place(mv[mv.len() - 1]);
        let mut lifted = self.clone();
        lifted.put(at, '.');
        let mut goes_on = false;
        for diagonal in DIAGONALS.into_iter().filter(|&diagonal| Self::goes(piece, diagonal)) {
            let over = step(at, diagonal);
            let to = step(over, diagonal);
            if lifted.is_other(lifted.get(over)) && lifted.get(to) == '.' {
                goes_on = true;
                let mut after = lifted.clone();
                after.put(over, '.');
                let longer = [mv, &[square(to)]].concat();
                if Self::is_crowned(to, piece) {
                    moves.push((longer, after.finished(to, piece)));
                } else {
                    after.captures(&longer, piece, moves);
                }
            }
        }
        if !goes_on && mv.len() > 1 {
            moves.push((mv.to_vec(), lifted.finished(at, piece)));
        }
    }

    fn is_crowned((row, _): Place, piece: char) -> bool {
        matches!((piece, row), ('b', 7) | ('w', 0))
    }

    /// The position after a move that ends with `piece` on `to`.
    fn finished(mut self, to: Place, piece: char) -> String {
        let crowned = piece.to_ascii_uppercase();
        self.put(to, if Self::is_crowned(to, piece) { crowned } else { piece });
        self.black_to_move = !self.black_to_move;
        self.fen()
    }
}
