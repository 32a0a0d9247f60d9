//! Checks the embedded knowledge files against their manifest.

#[path = "build/manifest.rs"]
mod manifest;

use std::path::Path;

/// The workspace, seen from this package.
const ROOT: &str = "../..";

fn main() -> Result<(), String> {
    println!("cargo::rerun-if-changed={ROOT}/knowledge");
    manifest::check(Path::new(ROOT))
}
