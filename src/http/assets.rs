//! The files that the service shows: the contract, its page, and the playground. The pages ask no other host.

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::GzDecoder;

// `FILES`: the files, as the build has compressed them.
include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// A file that is part of the program.
pub(super) struct Asset {
    path: &'static str,
    /// The content as gzip has it.
    pub(super) compressed: &'static [u8],
    plain: OnceLock<Vec<u8>>,
}

impl Asset {
    const fn new(path: &'static str, compressed: &'static [u8]) -> Self {
        Self { path, compressed, plain: OnceLock::new() }
    }

    /// The file at a path such as `/openapi.json`.
    pub(super) fn find(path: &str) -> Option<&'static Self> {
        FILES.iter().find(|asset| asset.path == path)
    }

    /// The content. The first call takes some milliseconds.
    pub(super) fn plain(&self) -> &[u8] {
        self.plain.get_or_init(|| {
            let mut content = Vec::new();
            let read = GzDecoder::new(self.compressed).read_to_end(&mut content);
            read.map(|_| content).unwrap_or_default()
        })
    }
}

/// The text at a path.
pub(super) fn text(path: &str) -> Option<&'static str> {
    str::from_utf8(Asset::find(path)?.plain()).ok()
}

/// The contract in JSON.
pub(super) fn contract() -> &'static str {
    text("/openapi.json").unwrap_or_default()
}
