//! The numbers of the positions of a slice.

use cozy_chess::{Color, Piece, Square};

use super::placement::ChessPlacement;
use super::slice::{ABSENT, ChessSlice, MOST_OTHERS, Man, code};
use crate::Slice;

/// The numbers of the squares on which a pawn stands.
const PAWN_SQUARES: usize = 48;
const FIRST_PAWN_SQUARE: usize = 8;
/// The squares of the king of the side to move: on the files a to d, and without pawns on the ranks 1 to 4.
const KING_SQUARES: [usize; 2] = [16, 32];
/// The ways in which two pawns stand beside each other on one rank, by the file of the own one; two of them do not
/// exist.
const NEIGHBOURS: usize = 16;

impl Slice for ChessSlice {
    type Placement = ChessPlacement;

    fn of_pieces(pieces: u8) -> Vec<Self> {
        let sides = [Color::White, Color::Black];
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
        Self::of(self.men.map(|man| man.map(|(side, piece)| (!side, piece))))
    }

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
    /// The numbers of the squares of the men, the kings fixed.
    pub(super) fn arrangements(self) -> usize {
        let [first, second] = self.men.map(|man| match man {
            None => 1,
            Some((_, Piece::Pawn)) => PAWN_SQUARES,
            Some(_) => Square::NUM,
        });
        if self.is_pair() { first * (first - 1) / 2 } else { first * second }
    }

    /// The numbers of the squares of the kings.
    pub(super) fn king_arrangements(self) -> usize {
        KING_SQUARES[usize::from(self.has_pawns())] * Square::NUM
    }

    /// The number of the squares of the men.
    fn arrangement(self, squares: [Square; MOST_OTHERS]) -> usize {
        let [first, second] = [0, 1].map(|man| match self.men[man] {
            None => 0,
            Some((_, Piece::Pawn)) => squares[man] as usize - FIRST_PAWN_SQUARE,
            Some(_) => squares[man] as usize,
        });
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
        let places = match self.men[1] {
            None => [number, 0],
            Some(_) if self.is_pair() => {
                let high = (1..Square::NUM).rev().find(|high| high * (high - 1) / 2 <= number);
                let high = high.unwrap_or(1);
                [number - high * (high - 1) / 2, high]
            }
            Some((_, Piece::Pawn)) => [number / PAWN_SQUARES, number % PAWN_SQUARES],
            Some(_) => [number / Square::NUM, number % Square::NUM],
        };
        [0, 1].map(|man| match self.men[man] {
            Some((_, Piece::Pawn)) => Square::index(places[man] + FIRST_PAWN_SQUARE),
            _ => Square::index(places[man]),
        })
    }
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
