//! Traces of requests, with the feature `otlp`. Without it there are none, and they cost nothing.

#[cfg(not(feature = "otlp"))]
mod off;
#[cfg(feature = "otlp")]
mod otlp;

#[cfg(not(feature = "otlp"))]
pub(crate) use self::off::{NoTraces as Traces, answered, follow};
#[cfg(feature = "otlp")]
pub(crate) use self::otlp::{Traces, answered, follow};
