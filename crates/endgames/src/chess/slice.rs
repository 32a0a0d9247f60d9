//! Slices: the positions with the same men.

use cozy_chess::{Color, Piece};

/// The most men that can be numbered, kings among them.
pub const MOST_MEN: usize = 4;

/// The men beside the kings.
pub(super) const MOST_OTHERS: usize = MOST_MEN - 2;

/// A man beside the kings; White is the side to move.
pub type Man = (Color, Piece);

/// The positions with the same men, seen by the side to move, whose pawns go up the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChessSlice {
    /// The men beside the kings: those of the side to move first, then by their kinds. A slice with fewer men has
    /// the absent ones at the end.
    pub(super) men: [Option<Man>; MOST_OTHERS],
}

impl ChessSlice {
    /// The slice of these men.
    pub(super) fn of(mut men: [Option<Man>; MOST_OTHERS]) -> Self {
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

    /// Whether the values of this slice stand in a file, not those of its reverse: of both the one that packs better, as was
    /// found by trial.
    pub(super) fn stands(self) -> bool {
        /// The ranks of the pieces from pawn to queen.
        const RANKS: [u8; 5] = [0, 2, 3, 1, 4];
        let [Some((side, first)), second] = self.men else { return false };
        match second {
            Some((other, second)) if other != side => {
                RANKS[first as usize] >= RANKS[second as usize]
            }
            Some((_, second)) => {
                (side == Color::White) == (second as usize >= Piece::Rook as usize)
            }
            None => (side == Color::White) == (first != Piece::Pawn),
        }
    }

    /// Whether the two men are alike, so that exchanging them changes nothing.
    pub(super) fn is_pair(self) -> bool {
        self.men[1].is_some() && self.men[0] == self.men[1]
    }

    /// Whether a pawn may capture another one en passant.
    pub(super) fn has_en_passant(self) -> bool {
        self.men == [Color::White, Color::Black].map(|side| Some((side, Piece::Pawn)))
    }
}

/// The number of a man: those of the side to move come first.
pub(super) fn code((side, piece): Man) -> usize {
    piece as usize + if side == Color::White { 0 } else { KINDS }
}

/// The kinds of men beside the kings.
const KINDS: usize = Piece::NUM - 1;

/// The number of a man that is not there.
pub(super) const ABSENT: usize = 2 * KINDS;
