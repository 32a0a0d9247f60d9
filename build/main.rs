//! Gathers the files that the service shows, each beside its gzip form, and marks the build by what it is made of.

use std::error::Error;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

/// The files that the service shows, and the paths at which it does: the contract, its page, and the playground.
const ASSETS: [(&str, &str); 3] =
    [("openapi.yaml", "openapi.yaml"), ("src/http/handlers/page", "docs"), ("web", "web")];

/// The kinds of files that the service shows.
const EXTENSIONS: [&str; 5] = ["css", "html", "js", "svg", "yaml"];

/// What the answers of the program follow from, as far as it is there.
const SOURCES: [&str; 4] = ["src", "crates/engine/src", "knowledge", "Cargo.lock"];

fn main() -> Result<(), Box<dyn Error>> {
    gather_assets(&Path::new(&env::var("OUT_DIR")?).join("assets"))?;
    println!("cargo::rustc-env=ASSETS={}", mark(ASSETS.map(|(source, _)| source))?);
    println!("cargo::rustc-env=SOURCES={}", mark(SOURCES)?);
    Ok(())
}

/// A number that names the files below these paths and their contents.
fn mark<const N: usize>(sources: [&str; N]) -> io::Result<String> {
    let mut hasher = DefaultHasher::new();
    for source in sources.into_iter().filter(|source| Path::new(source).exists()) {
        println!("cargo::rerun-if-changed={source}");
        for file in files(Path::new(source))? {
            hasher.write(file.to_string_lossy().as_bytes());
            hasher.write(&fs::read(file)?);
        }
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// Copies the files that the service shows into `folder`, and adds the contract in JSON.
fn gather_assets(folder: &Path) -> Result<(), Box<dyn Error>> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    for (source, path) in ASSETS {
        for file in files(Path::new(source))? {
            let extension = file.extension().and_then(|extension| extension.to_str());
            if extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
                let shown = file.to_string_lossy().replacen(source, path, 1);
                write_asset(&folder.join(shown), &fs::read(file)?)?;
            }
        }
    }
    let contract: serde_json::Value = serde_saphyr::from_str(&fs::read_to_string("openapi.yaml")?)?;
    write_asset(&folder.join("openapi.json"), contract.to_string().as_bytes())?;
    Ok(())
}

/// Writes a file, and its gzip form with a further extension.
fn write_asset(path: &Path, content: &[u8]) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, content)?;
    let compressed = fs::File::create(path.with_added_extension("gz"))?;
    let mut encoder = GzEncoder::new(compressed, Compression::best());
    encoder.write_all(content)?;
    encoder.finish()?;
    Ok(())
}

/// The file at `path`, or all files below it, always in the same order.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
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
