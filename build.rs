//! Translates `openapi.yaml` into JSON, compressed, and marks the build by what it is made of.

use std::error::Error;
use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

/// What the answers of the program follow from, as far as it is there.
const SOURCES: [&str; 4] = ["src", "crates/engine/src", "knowledge", "Cargo.lock"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=openapi.yaml");
    let yaml = fs::read_to_string("openapi.yaml")?;
    let document: serde_json::Value = serde_saphyr::from_str(&yaml)?;
    let file = fs::File::create(Path::new(&env::var("OUT_DIR")?).join("openapi.json.gz"))?;
    let mut json = GzEncoder::new(file, Compression::best());
    json.write_all(document.to_string().as_bytes())?;
    json.finish()?;

    let mut hasher = DefaultHasher::new();
    for source in SOURCES.into_iter().filter(|source| Path::new(source).exists()) {
        println!("cargo::rerun-if-changed={source}");
        for file in files(Path::new(source))? {
            hasher.write(file.to_string_lossy().as_bytes());
            hasher.write(&fs::read(file)?);
        }
    }
    println!("cargo::rustc-env=SOURCES={:016x}", hasher.finish());
    Ok(())
}

/// The file at `path`, or all files below it, always in the same order.
fn files(path: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        files.append(&mut self::files(&entry?.path())?);
    }
    files.sort();
    Ok(files)
}
