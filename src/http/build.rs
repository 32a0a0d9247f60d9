//! Version and origin of the build.

/// The version of the program, the contract and the image.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version, and in brackets the commit where it is known.
pub const LONG_VERSION: &str = env!("BESTMOVE_LONG_VERSION");

/// A mark of the build. Builds with different marks may answer differently.
pub const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("SOURCES"));

/// The commit that the program was built from, where the variable `REVISION` named it.
pub const REVISION: Option<&str> = option_env!("BESTMOVE_REVISION");
