//! The constants of the selective search that differ from game to game, in one place.

use crate::game::SelectiveParameters;

/// Checkers. Exchanges are compulsory, so extending forced positions uses up nodes that other lines
/// need: without it +24 ± 22 Elo in 400 games at 4000 nodes a move, with the reductions +33 ± 23 in 400
/// games at 10 000.
pub(super) const CHECKERS: SelectiveParameters =
    SelectiveParameters { extends_forced: false, reduction: [1000, 3600] };
