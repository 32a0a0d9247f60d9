//! Traces of requests, with the feature `otlp`. Without the feature nothing is traced, at no cost.

#[cfg(not(feature = "otlp"))]
mod off;
#[cfg(feature = "otlp")]
mod otlp;

#[cfg(not(feature = "otlp"))]
pub(crate) use self::off::{NoTraces as Traces, answered, follow};
#[cfg(feature = "otlp")]
pub(crate) use self::otlp::{Traces, answered, follow};
