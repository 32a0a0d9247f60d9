//! The files that the service shows: the contract, its page, and the playground. The pages ask no other host.

use include_dir::{Dir, include_dir};

/// The files that the build has gathered, each beside its gzip form.
static FILES: Dir = include_dir!("$OUT_DIR/assets");

/// A file that is part of the program.
pub(super) struct Asset {
    pub(super) content: &'static [u8],
    /// The content as gzip has it.
    pub(super) compressed: &'static [u8],
}

impl Asset {
    /// The file at a path such as `/openapi.json`.
    pub(super) fn find(path: &str) -> Option<Self> {
        let name = path.strip_prefix('/')?;
        let content = FILES.get_file(name)?.contents();
        let compressed = FILES.get_file(format!("{name}.gz"))?.contents();
        Some(Self { content, compressed })
    }
}

/// The text at a path.
pub(super) fn text(path: &str) -> Option<&'static str> {
    str::from_utf8(Asset::find(path)?.content).ok()
}

/// The contract in JSON.
pub(super) fn contract() -> &'static str {
    text("/openapi.json").unwrap_or_default()
}
