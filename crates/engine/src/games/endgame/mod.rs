//! Endgame tables: exact values of all positions with few pieces, for every game whose endgames can be numbered.

mod arithmetic;
mod blocks;
mod header;
mod slice;

pub use self::arithmetic::{BinaryCoder, ContextHasher, Decoder, Levels, Model, split};
pub use self::blocks::BLOCK;
pub(super) use self::blocks::Blocks;
pub use self::header::Header;
pub use self::slice::{Slice, SliceLayout};

/// The plies to the end of the game when the winner hurries and the loser delays. The side to move
/// wins in an odd number of plies and loses in an even one, so that the number says which.
pub type Plies = u8;

/// In place of [`Plies`]: neither side can win.
pub const DRAW: Plies = Plies::MAX;

/// Whether the side to move loses in so many plies.
pub const fn is_loss(plies: Plies) -> bool {
    plies.is_multiple_of(2)
}
