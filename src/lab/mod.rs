//! The laboratory: long computations whose results the games carry along.

mod book;

pub use self::book::prove;
