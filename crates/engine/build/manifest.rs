//! The manifest of the knowledge files that the program embeds: whether they are what they were.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use sha2::{Digest, Sha256};

/// The manifest's place below the project's root.
const MANIFEST: &str = "knowledge/MANIFEST.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    file: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Below the project's root.
    path: String,
    bytes: usize,
    /// In hexadecimal digits.
    sha256: String,
}

/// Compares every file that the manifest lists with its length and its hash.
///
/// # Errors
/// Names the first file that is missing or differs, or says why the manifest can't be read.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let read = |path: &str| fs::read(root.join(path)).map_err(|error| format!("{path}: {error}"));
    let text =
        String::from_utf8(read(MANIFEST)?).map_err(|error| format!("{MANIFEST}: {error}"))?;
    let manifest: Manifest =
        toml::from_str(&text).map_err(|error| format!("{MANIFEST}: {error}"))?;
    for Entry { path, bytes, sha256 } in manifest.file {
        let content = read(&path)?;
        if content.len() != bytes {
            let found = content.len();
            return Err(format!("{path} has {found} bytes and not {bytes} as in {MANIFEST}"));
        }
        let digest = Sha256::digest(&content);
        let found = digest.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        if found != sha256 {
            return Err(format!("{path} has the hash {found} and not {sha256} as in {MANIFEST}"));
        }
    }
    Ok(())
}
