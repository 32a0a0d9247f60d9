//! Packs the files that the service shows into one archive, and marks the build by what it is made of.

mod bundle;

use std::collections::BTreeMap;
use std::error::Error;
use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

/// The files that the service shows, and the paths at which it does: the contract, its page, and the playground's.
const ASSETS: [(&str, &str); 5] = [
    ("openapi.yaml", "/openapi.yaml"),
    ("src/http/handlers/page", "/docs"),
    ("web/icon.svg", "/web/icon.svg"),
    ("web/index.html", "/web/index.html"),
    ("web/pieces.svg", "/web/pieces.svg"),
];

/// The playground's style sheets, in the order in which they apply.
const STYLES: [&str; 3] = ["web/base.css", "web/board.css", "web/panels.css"];

/// What the answers of the program follow from, as far as it is there.
const SOURCES: [&str; 4] = ["src", "crates/engine/src", "knowledge", "Cargo.lock"];

fn main() -> Result<(), Box<dyn Error>> {
    let file = fs::File::create(Path::new(&env::var("OUT_DIR")?).join("assets.gz"))?;
    let mut archive = GzEncoder::new(file, Compression::best());
    for (path, text) in assets()? {
        write!(archive, "{path}\0{text}\0")?;
    }
    archive.finish()?;

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

/// The texts that the service shows by path: those of files, the playground's script and style sheet, and the
/// contract in JSON.
fn assets() -> Result<BTreeMap<String, String>, Box<dyn Error>> {
    let mut assets = BTreeMap::new();
    for (source, path) in ASSETS {
        println!("cargo::rerun-if-changed={source}");
        for file in files(Path::new(source))? {
            let shown = file.to_string_lossy().replacen(source, path, 1);
            assets.insert(shown, fs::read_to_string(file)?);
        }
    }
    println!("cargo::rerun-if-changed=web");
    assets.insert("/web/app.js".to_owned(), bundle::script(Path::new("web"), "app.js")?);
    let styles: Result<Vec<_>, _> = STYLES.iter().map(fs::read_to_string).collect();
    assets.insert("/web/style.css".to_owned(), styles?.concat());
    let contract: serde_json::Value = serde_saphyr::from_str(&assets["/openapi.yaml"])?;
    assets.insert("/openapi.json".to_owned(), contract.to_string());
    Ok(assets)
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
