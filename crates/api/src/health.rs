//! The answer about the program itself.

use serde::Serialize;

/// A program that is well.
#[derive(Serialize)]
pub struct Health {
    status: &'static str,
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<&'static str>,
}

impl Health {
    /// The health of a program that was built from the commit `revision`, where that is known.
    pub fn new(revision: Option<&'static str>) -> Self {
        Self { status: "ok", version: env!("CARGO_PKG_VERSION"), revision }
    }
}
