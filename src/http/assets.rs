//! The files that the service shows: the contract, its page, and the playground. The pages ask no other host.

use std::collections::HashMap;
use std::io;
use std::sync::LazyLock;

use flate2::read::GzDecoder;

/// The archive: path and text of each file, each with a zero byte after it. The program holds it compressed.
static ARCHIVE: LazyLock<String> = LazyLock::new(|| {
    let archive = include_bytes!(concat!(env!("OUT_DIR"), "/assets.gz"));
    // The build wrote these bytes, so they can be read; tests ask for every file.
    io::read_to_string(GzDecoder::new(&archive[..])).unwrap_or_default()
});

/// The texts by path.
static ASSETS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let parts: Vec<_> = ARCHIVE.split_terminator('\0').collect();
    parts.as_chunks().0.iter().map(|&[path, text]| (path, text)).collect()
});

/// The text at a path: `/openapi.json`.
pub(super) fn text(path: &str) -> Option<&'static str> {
    ASSETS.get(path).copied()
}

/// The contract in JSON.
pub(super) fn contract() -> &'static str {
    text("/openapi.json").unwrap_or_default()
}
