//! The numbers of the positions with few men.
//!
//! A [`ChessSlice`] has the positions with the same men, each with a number.

use cozy_chess::{
    BitBoard, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use super::super::super::endgame::Slice;
use crate::game::Side;

/// The most men that can be numbered, kings among them.
pub const MOST_MEN: usize = 4;

/// The men beside the kings.
const MOST_OTHERS: usize = MOST_MEN - 2;

/// A man beside the kings; [`Side::First`] is the side to move.
pub type Man = (Side, Piece);

/// The positions with the same men, seen by the side to move, whose pawns go up the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChessSlice {
    /// The men beside the kings: those of the side to move first, then by their kinds. A slice with fewer men has
    /// the absent ones at the end.
    men: [Option<Man>; MOST_OTHERS],
}

/// Where the men stand, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChessPlacement {
    slice: ChessSlice,
    kings: [Square; 2],
    /// The squares of the men of the slice.
    squares: [Square; MOST_OTHERS],
    /// Whether the opponent's pawn has just passed a square that a pawn of the side to move attacks.
    en_passant: bool,
}

/// The numbers of the squares on which a pawn stands.
const PAWN_SQUARES: usize = 48;
const FIRST_PAWN_SQUARE: usize = 8;
/// The squares of the king of the side to move: on the files a to d, and without pawns on the ranks 1 to 4.
const KING_SQUARES: [usize; 2] = [16, 32];
/// The ways in which two pawns stand beside each other on one rank, by the file of the own one; two of them do not
/// exist.
const NEIGHBOURS: usize = 16;

impl ChessSlice {
    /// The slice of these men.
    fn of(mut men: [Option<Man>; MOST_OTHERS]) -> Self {
        men.sort_by_key(|man| man.map_or(ABSENT, code));
        Self { men }
    }

    /// The men beside the kings.
    pub fn men(&self) -> impl Iterator<Item = Man> {
        self.men.into_iter().flatten()
    }

    /// Whether there is a pawn, so that the board has only one symmetry.
    #[must_use]
    pub fn has_pawns(&self) -> bool {
        self.men().any(|(_, piece)| piece == Piece::Pawn)
    }

    /// Whether the two men are alike, so that exchanging them changes nothing.
    fn is_pair(self) -> bool {
        self.men[1].is_some() && self.men[0] == self.men[1]
    }

    /// Whether a pawn may capture another one en passant.
    fn has_en_passant(self) -> bool {
        self.men == [Side::First, Side::Second].map(|side| Some((side, Piece::Pawn)))
    }

    /// The numbers of the squares of the men, the kings fixed.
    pub(super) fn arrangements(self) -> usize {
        let squares = |man: Option<Man>| match man {
            None => 1,
            Some((_, Piece::Pawn)) => PAWN_SQUARES,
            Some(_) => Square::NUM,
        };
        let [first, second] = self.men.map(squares);
        if self.is_pair() { first * (first - 1) / 2 } else { first * second }
    }

    /// The numbers of the squares of the kings.
    pub(super) fn king_arrangements(self) -> usize {
        self.own_king_squares() * Square::NUM
    }

    /// The numbers of the squares of the king of the side to move.
    fn own_king_squares(self) -> usize {
        KING_SQUARES[usize::from(self.has_pawns())]
    }

    /// The squares of the opponent's king in the legal positions that stand for themselves, for each square of the own
    /// king: all positions of the men on the squares of this number.
    pub(super) fn kings(self, arrangement: usize) -> impl Iterator<Item = BitBoard> {
        let squares = self.squares(arrangement);
        (0..self.own_king_squares()).map(move |own| {
            // Where the opponent's king stands changes no attack on its square.
            let own = king_square(own);
            let placement =
                ChessPlacement { slice: self, kings: [own; 2], squares, en_passant: false };
            let occupied = placement.occupied();
            if occupied.len() as usize != 1 + self.men().count() {
                return BitBoard::EMPTY;
            }
            let free = !(occupied | get_king_moves(own) | placement.attacked(Side::First));
            let is_canonical =
                |&other: &Square| self.has_pawns() || is_below_diagonal([own, other]);
            free.into_iter().filter(is_canonical).collect()
        })
    }
}

/// The number of a man: those of the side to move come first.
fn code((side, piece): Man) -> usize {
    piece as usize + if side == Side::First { 0 } else { KINDS }
}

/// The kinds of men beside the kings.
const KINDS: usize = Piece::NUM - 1;

/// The number of a man that is not there.
const ABSENT: usize = 2 * KINDS;

impl Slice for ChessSlice {
    type Placement = ChessPlacement;

    fn of_pieces(pieces: u8) -> Vec<Self> {
        let sides = [Side::First, Side::Second];
        let kinds = Piece::ALL.into_iter().filter(|&piece| piece != Piece::King);
        let men: Vec<Man> = kinds.flat_map(|piece| sides.map(|side| (side, piece))).collect();
        let mut slices = match pieces {
            2 => vec![Self::of([None, None])],
            3 => men.iter().map(|&man| Self::of([Some(man), None])).collect(),
            4 => {
                let pairs = men.iter().enumerate().flat_map(|(place, &first)| {
                    men[place..].iter().map(move |&second| [Some(first), Some(second)])
                });
                pairs.map(Self::of).collect()
            }
            _ => Vec::new(),
        };
        slices.sort_by_key(|slice| slice.men().filter(|&(_, piece)| piece == Piece::Pawn).count());
        slices
    }

    fn reversed(self) -> Self {
        Self::of(self.men.map(|man| man.map(|(side, piece)| (side.other(), piece))))
    }

    const INDICES: usize = (ABSENT + 1) * (ABSENT + 1);

    fn index(self) -> usize {
        let [first, second] = self.men.map(|man| man.map_or(ABSENT, code));
        first * (ABSENT + 1) + second
    }

    fn positions(self) -> usize {
        let en_passant =
            if self.has_en_passant() { KING_SQUARES[1] * Square::NUM * NEIGHBOURS } else { 0 };
        self.king_arrangements() * self.arrangements() + en_passant
    }

    fn placement(self, number: usize) -> Option<ChessPlacement> {
        let first_en_passant = self.king_arrangements() * self.arrangements();
        let (kings, squares) = match number.checked_sub(first_en_passant) {
            None => (number / self.arrangements(), self.squares(number % self.arrangements())),
            Some(number) => (number / NEIGHBOURS, neighbours(number % NEIGHBOURS)?),
        };
        let (own, other) = (kings / Square::NUM, kings % Square::NUM);
        let kings = [king_square(own), Square::index(other)];
        let en_passant = number >= first_en_passant;
        let placement = ChessPlacement { slice: self, kings, squares, en_passant };
        placement.is_legal().then_some(placement)
    }

    fn place(placement: &ChessPlacement) -> (Self, usize) {
        let (slice, placement) = (placement.slice, placement.folded());
        let [own, other] = placement.kings;
        let own = own.rank() as usize * 4 + own.file() as usize;
        let kings = own * Square::NUM + other as usize;
        let number = if placement.en_passant {
            let [own, other] = placement.squares.map(|square| square.file() as usize);
            let beside = 2 * own + usize::from(other > own);
            slice.king_arrangements() * slice.arrangements() + kings * NEIGHBOURS + beside
        } else {
            kings * slice.arrangements() + slice.arrangement(placement.squares)
        };
        (slice, number)
    }
}

impl ChessSlice {
    /// The number of the squares of the men.
    fn arrangement(self, squares: [Square; MOST_OTHERS]) -> usize {
        let place = |man: Option<Man>, square: Square| match man {
            None => 0,
            Some((_, Piece::Pawn)) => square as usize - FIRST_PAWN_SQUARE,
            Some(_) => square as usize,
        };
        let [first, second] = [0, 1].map(|man| place(self.men[man], squares[man]));
        match self.men[1] {
            None => first,
            Some(_) if self.is_pair() => {
                let (low, high) = (first.min(second), first.max(second));
                high * (high - 1) / 2 + low
            }
            Some((_, Piece::Pawn)) => first * PAWN_SQUARES + second,
            Some(_) => first * Square::NUM + second,
        }
    }

    /// The squares of the men by their number.
    fn squares(self, number: usize) -> [Square; MOST_OTHERS] {
        let square = |man: Option<Man>, place: usize| match man {
            Some((_, Piece::Pawn)) => Square::index(place + FIRST_PAWN_SQUARE),
            _ => Square::index(place),
        };
        let [first, second] = match self.men[1] {
            None => [number, 0],
            Some(_) if self.is_pair() => {
                let high = (1..Square::NUM).rev().find(|high| high * (high - 1) / 2 <= number);
                let high = high.unwrap_or(1);
                [number - high * (high - 1) / 2, high]
            }
            Some((_, Piece::Pawn)) => [number / PAWN_SQUARES, number % PAWN_SQUARES],
            Some(_) => [number / Square::NUM, number % Square::NUM],
        };
        [square(self.men[0], first), square(self.men[1], second)]
    }
}

/// Whether the first of the kings that does not stand on the diagonal from a1 to h8, if any, stands below it.
fn is_below_diagonal(kings: [Square; 2]) -> bool {
    let [own, other] = kings.map(|king| king.rank() as i32 - king.file() as i32);
    own < 0 || own == 0 && other <= 0
}

/// The square of the king of the side to move by its number.
fn king_square(number: usize) -> Square {
    Square::index(number / 4 * 8 + number % 4)
}

/// The squares of two pawns that stand beside each other after a double step of the second one.
fn neighbours(number: usize) -> Option<[Square; MOST_OTHERS]> {
    const FIFTH: usize = 4 * 8;
    let own = number / 2;
    let other = if number.is_multiple_of(2) { own.checked_sub(1)? } else { own + 1 };
    (other < 8).then(|| [own, other].map(|file| Square::index(FIFTH + file)))
}

impl ChessPlacement {
    /// The placement of these kings and men.
    #[must_use]
    pub fn new(kings: [Square; 2], mut men: [Option<(Man, Square)>; MOST_OTHERS]) -> Self {
        men.sort_by_key(|man| man.map_or(ABSENT, |(man, _)| code(man)));
        let slice = ChessSlice { men: men.map(|man| man.map(|(man, _)| man)) };
        let squares = men.map(|man| man.map_or(Square::A1, |(_, square)| square));
        Self { slice, kings, squares, en_passant: false }
    }

    /// The squares of the kings, that of the side to move first.
    #[must_use]
    pub fn kings(&self) -> [Square; 2] {
        self.kings
    }

    /// The men beside the kings, each with its square.
    #[must_use]
    pub fn places(&self) -> [Option<(Man, Square)>; MOST_OTHERS] {
        [0, 1].map(|place| Some((self.slice.men[place]?, self.squares[place])))
    }

    /// The men beside the kings that there are, each with its square.
    pub fn men(&self) -> impl Iterator<Item = (Man, Square)> {
        self.places().into_iter().flatten()
    }

    /// The men beside the kings.
    #[must_use]
    pub fn slice(&self) -> ChessSlice {
        self.slice
    }

    /// Whether the opponent's pawn may be captured en passant, as far as no king stands in the way.
    #[must_use]
    pub fn en_passant(&self) -> bool {
        self.en_passant
    }

    /// The squares with men.
    #[must_use]
    pub fn occupied(&self) -> BitBoard {
        let men = self.men().map(|(_, square)| square);
        men.chain(self.kings).collect()
    }

    /// Whether a man of this side, kings left out, attacks a square.
    #[must_use]
    pub fn attacks(&self, side: Side, target: Square) -> bool {
        self.attacked(side).has(target)
    }

    /// The squares that the men of this side attack, kings left out.
    fn attacked(&self, side: Side) -> BitBoard {
        let occupied = self.occupied();
        let men = self.men().filter(|&((owner, _), _)| owner == side);
        let attacked = men.map(|((_, piece), square)| attacked(side, piece, square, occupied));
        attacked.fold(BitBoard::EMPTY, |all, some| all | some)
    }

    /// Whether every man has a square for itself, no pawn stands on the last ranks, and the king that is not to move
    /// is not attacked.
    #[must_use]
    pub fn is_legal(&self) -> bool {
        let men = 2 + self.men().count();
        let is_free = self.occupied().len() as usize == men;
        let [own, other] = self.kings;
        is_free
            && !get_king_moves(own).has(other)
            && !self.attacks(Side::First, other)
            && (!self.en_passant || self.has_passed())
    }

    /// Whether the two squares behind the opponent's pawn are empty.
    fn has_passed(&self) -> bool {
        let pawn = self.squares[1] as usize;
        let behind = [pawn + 8, pawn + 16].map(Square::index);
        !behind.into_iter().any(|square| self.occupied().has(square))
    }

    /// The same position with the king of the side to move on the squares of [`KING_SQUARES`].
    fn folded(&self) -> Self {
        let [king, _] = self.kings;
        let files = if king.file() as usize >= 4 { 7 } else { 0 };
        let is_high = king.rank() as usize >= 4 && !self.slice.has_pawns();
        self.turned(files | if is_high { 56 } else { 0 })
    }

    /// Whether this folded position stands for its mirror image in the diagonal, which it has where there are no
    /// pawns.
    pub(super) fn is_canonical(&self) -> bool {
        self.slice.has_pawns() || is_below_diagonal(self.kings)
    }

    /// The position that stands for this one: folded, and the mirror image if that is the one.
    pub(super) fn canonical(&self) -> Self {
        let folded = self.folded();
        if folded.is_canonical() { folded } else { folded.mirrored() }
    }

    /// The mirror image in the diagonal from a1 to h8.
    fn mirrored(&self) -> Self {
        let mirrored =
            |square: Square| Square::index(square as usize % 8 * 8 + square as usize / 8);
        Self { kings: self.kings.map(mirrored), squares: self.squares.map(mirrored), ..*self }
    }

    /// The same position seen by the opponent, who is to move.
    #[must_use]
    pub fn reversed(&self) -> Self {
        const RANKS: usize = 56;
        let turned = self.turned(RANKS);
        let [own, other] = turned.kings;
        let exchanged = |((side, piece), square): (Man, Square)| ((side.other(), piece), square);
        Self::new([other, own], turned.places().map(|man| man.map(exchanged)))
    }

    /// The same position after a double step of the opponent's pawn, where that allows a capture en passant.
    #[must_use]
    pub fn with_en_passant(self) -> Option<Self> {
        let [own, other] = self.squares;
        let is_beside = self.slice.has_en_passant()
            && [own, other].iter().all(|pawn| pawn.rank() == Rank::Fifth)
            && (own.file() as usize).abs_diff(other.file() as usize) == 1;
        (is_beside && self.has_passed()).then_some(Self { en_passant: true, ..self })
    }

    fn turned(&self, bits: usize) -> Self {
        let turned = |square: Square| Square::index(square as usize ^ bits);
        Self { kings: self.kings.map(turned), squares: self.squares.map(turned), ..*self }
    }
}

/// The squares that a man attacks.
#[must_use]
pub fn attacked(side: Side, piece: Piece, square: Square, occupied: BitBoard) -> BitBoard {
    let color = if side == Side::First { Color::White } else { Color::Black };
    match piece {
        Piece::Pawn => get_pawn_attacks(square, color),
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied),
        Piece::Rook => get_rook_moves(square, occupied),
        Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
        Piece::King => get_king_moves(square),
    }
}
