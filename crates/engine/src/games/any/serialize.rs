//! How answers are serialised where the form is not the derived one.

use serde::{Serialize, Serializer};

use crate::game::Outcome;
use crate::search::{Algorithm, Bound, Source, StoppedBy};

/// Serialises types by their names.
macro_rules! by_name {
    ($($named:ty),+) => {$(
        impl Serialize for $named {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    )+};
}

by_name!(Algorithm, Bound, Source, StoppedBy);

/// An outcome, or `unknown`.
#[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
pub(super) fn outcome<S: Serializer>(
    outcome: &Option<Outcome>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match outcome {
        Some(Outcome::Win) => "win",
        Some(Outcome::Draw) => "draw",
        Some(Outcome::Loss) => "loss",
        None => "unknown",
    })
}
