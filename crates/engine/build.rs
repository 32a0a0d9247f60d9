//! Checks the embedded knowledge files against their manifest.

#[path = "build/manifest.rs"]
mod manifest;

use std::env;
use std::path::Path;

/// Where `knowledge/` lies, seen from this package: in it, as published, or in the workspace. There the package has a
/// link to it, which some systems check out as a text.
const ROOTS: [&str; 2] = [".", "../.."];

fn main() -> Result<(), String> {
    let root = ROOTS.into_iter().find(|root| Path::new(root).join(manifest::MANIFEST).exists());
    let root = root.ok_or("there is no knowledge/MANIFEST.toml")?;
    println!("cargo::rerun-if-changed={root}/knowledge");
    let package = env::var("CARGO_MANIFEST_DIR").map_err(|error| error.to_string())?;
    println!("cargo::rustc-env=KNOWLEDGE={package}/{root}/knowledge");
    manifest::check(Path::new(root))
}
