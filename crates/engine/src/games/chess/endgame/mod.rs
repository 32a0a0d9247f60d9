//! Perfect play with up to four men: outcome and distance to mate of every position without castling rights.
//!
//! The tables are made by retrograde analysis in the laboratory, and unpacked block by block as they are asked for.
//! Draws by repetition and by the count of moves are left out of all values.

mod memo;
mod moves;
mod numbering;
mod packing;
mod placement;
mod probe;
mod slice;
mod tables;

use std::io;

use cozy_chess::{BoardBuilder, Color, Piece, Square};

pub use self::packing::{Bucket, NODES, blocks, bucket, code_block};
pub use self::placement::{ChessPlacement, attacked};
pub use self::slice::{ChessSlice, MOST_MEN, Man};
use self::tables::BucketTables;
use super::super::endgame::{DRAW, is_loss};
use super::position::{ChessBoard, en_passant};
use crate::game::{Score, Side};

/// The tables that can be asked.
#[derive(Debug, Default)]
pub(super) struct EndgameTables(Option<BucketTables>);

impl EndgameTables {
    /// The tables that are part of the program. Their content is checked when the program is built.
    pub(super) fn read() -> io::Result<Self> {
        Ok(Self(Some(knowledge_file!("chess-4.tables").read(BucketTables::new)?)))
    }

    /// The exact value of an unfinished position with few men and without castling rights.
    #[inline]
    pub(super) fn value(&self, board: &ChessBoard) -> Option<Score> {
        let men = board.inner().occupied().len() as usize;
        if men > MOST_MEN { None } else { self.value_of_few(board) }
    }

    /// A bound of that value which tells whether it reaches `beta`, where that is found sooner than the value: none where
    /// it is not.
    #[inline]
    pub(super) fn bound(&self, board: &ChessBoard, beta: Score) -> Option<Score> {
        let men = board.inner().occupied().len() as usize;
        if men > MOST_MEN {
            None
        } else {
            self.0.as_ref()?.bound(&ChessPlacement::of(board)?, beta)
        }
    }

    fn value_of_few(&self, board: &ChessBoard) -> Option<Score> {
        let tables = self.0.as_ref()?;
        Some(match tables.value(&ChessPlacement::of(board)?)? {
            DRAW => Score::DRAWN,
            plies if is_loss(plies) => Score::lost_in(u32::from(plies)),
            plies => Score::won_in(u32::from(plies)),
        })
    }
}

impl ChessPlacement {
    /// The placement of the men of a board; none where there are more of them, or castling rights.
    #[must_use]
    pub fn of(board: &ChessBoard) -> Option<Self> {
        let board = board.inner();
        let mover = board.side_to_move();
        let may_castle = Color::ALL.into_iter().any(|side| {
            let rights = board.castle_rights(side);
            rights.short.is_some() || rights.long.is_some()
        });
        if may_castle || board.occupied().len() as usize > MOST_MEN {
            return None;
        }
        let kings = [mover, !mover].map(|side| board.king(side).relative_to(mover));
        let mut men = [None; MOST_MEN - 2];
        let squares = board.occupied() - board.pieces(Piece::King);
        for (place, square) in men.iter_mut().zip(squares) {
            let side = if board.colors(mover).has(square) { Side::First } else { Side::Second };
            *place = Some(((side, board.piece_on(square)?), square.relative_to(mover)));
        }
        let placement = Self::new(kings, men);
        match en_passant(board) {
            None => Some(placement),
            Some(_) => placement.with_en_passant(),
        }
    }

    /// The board on which White is to move; none of a position that no game can reach.
    #[must_use]
    pub fn board(&self) -> Option<ChessBoard> {
        let mut setup = BoardBuilder::empty();
        let color = |side: Side| if side == Side::First { Color::White } else { Color::Black };
        let kings = [Side::First, Side::Second].into_iter().zip(self.kings());
        let kings = kings.map(|(side, square)| ((side, Piece::King), square));
        for ((side, piece), square) in kings.chain(self.men()) {
            *setup.square_mut(square) = Some((piece, color(side)));
            if self.en_passant() && (side, piece) == (Side::Second, Piece::Pawn) {
                setup.en_passant = Some(Square::offset(square, 0, 1));
            }
        }
        setup.build().ok().map(|inner| ChessBoard::new(inner, super::Chess::Standard))
    }
}

#[cfg(test)]
mod tests;
