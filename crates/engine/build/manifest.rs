//! The manifest of the embedded knowledge files: compares each file with its entry.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use sha2::{Digest, Sha256};

/// The manifest's place below the project's root.
pub(crate) const MANIFEST: &str = "knowledge/MANIFEST.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    file: Vec<ManifestEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ManifestEntry {
    /// Below the project's root.
    path: String,
    bytes: usize,
    /// In hexadecimal digits.
    sha256: String,
    contents: String,
    command: String,
    commit: String,
    seeds: String,
    data: String,
    result: String,
    reproducible: String,
}

impl ManifestEntry {
    /// The fields that say in words where the file comes from.
    fn origin(&self) -> [&String; 7] {
        let Self { contents, command, commit, seeds, data, result, reproducible, .. } = self;
        [contents, command, commit, seeds, data, result, reproducible]
    }
}

/// Compares every file that the manifest lists with its length and its hash.
///
/// # Errors
/// Names the first file that is missing or differs or whose entry has an empty field, or says why the
/// manifest can't be read.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let read = |path: &str| fs::read(root.join(path)).map_err(|error| format!("{path}: {error}"));
    let text =
        String::from_utf8(read(MANIFEST)?).map_err(|error| format!("{MANIFEST}: {error}"))?;
    let manifest: Manifest =
        toml::from_str(&text).map_err(|error| format!("{MANIFEST}: {error}"))?;
    for entry in manifest.file {
        let ManifestEntry { path, bytes, sha256, .. } = &entry;
        if entry.origin().iter().any(|text| text.is_empty()) {
            return Err(format!("{path} has an empty field in {MANIFEST}"));
        }
        let content = read(path)?;
        if content.len() != *bytes {
            let found = content.len();
            return Err(format!("{path} has {found} bytes and not {bytes} as in {MANIFEST}"));
        }
        let digest = Sha256::digest(&content);
        let found = digest.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        if found != *sha256 {
            return Err(format!("{path} has the hash {found} and not {sha256} as in {MANIFEST}"));
        }
    }
    Ok(())
}
