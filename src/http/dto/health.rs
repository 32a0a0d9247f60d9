//! The answer of the health checks.

use serde::Serialize;

/// A server that is well.
#[derive(Serialize)]
pub(in crate::http) struct Health {
    status: &'static str,
    version: &'static str,
}

impl Health {
    /// Well.
    pub(in crate::http) const OK: Self = Self { status: "ok", version: env!("CARGO_PKG_VERSION") };
}
