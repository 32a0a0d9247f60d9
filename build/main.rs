//! Compresses the files that the service shows, and marks the build by what it is made of.

mod guide;

use std::error::Error;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

/// The files that the service shows, and the paths at which it does: the contract, its page, and the playground.
const ASSETS: [(&str, &str); 4] = [
    ("openapi.yaml", "/openapi.yaml"),
    ("src/http/page", "/docs"),
    ("vendor/swagger-ui", "/docs"),
    ("web", "/web"),
];

/// The page about games and notations, which is a part of `/llms.txt`.
const GAMES_PAGE: &str = "docs/games.md";

/// The kinds of files that the service shows.
const EXTENSIONS: [&str; 6] = ["css", "html", "js", "svg", "txt", "yaml"];

/// What the answers of the program follow from, as far as it is there.
const SOURCES: [&str; 8] = [
    "src",
    "crates/adapters/src",
    "crates/api/src",
    "crates/endgames/src",
    "crates/engine/src",
    "crates/service/src",
    "knowledge",
    "Cargo.lock",
];

fn main() -> Result<(), Box<dyn Error>> {
    gather_assets(Path::new(&env::var("OUT_DIR")?))?;
    let [contract, page, vendor, web] = ASSETS.map(|(source, _)| source);
    let sources = [contract, page, vendor, web, GAMES_PAGE, "build"];
    println!("cargo::rustc-env=ASSETS={}", mark(sources)?);
    println!("cargo::rustc-env=SOURCES={}", mark(SOURCES)?);
    name_revision()
}

/// Hands the version on, and the commit: that of the variable `REVISION`, else of the checkout where the build is optimised.
fn name_revision() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=REVISION");
    let version = env::var("CARGO_PKG_VERSION")?;
    let given = env::var("REVISION").ok().filter(|revision| !revision.is_empty());
    match given.or_else(checked_out) {
        Some(revision) => {
            println!("cargo::rustc-env=BESTMOVE_REVISION={revision}");
            println!("cargo::rustc-env=BESTMOVE_LONG_VERSION={version} ({revision})");
        }
        None => println!("cargo::rustc-env=BESTMOVE_LONG_VERSION={version}"),
    }
    Ok(())
}

/// The commit of the checkout. Builds for tests go without, since each commit would have them built anew.
fn checked_out() -> Option<String> {
    if env::var("PROFILE").is_ok_and(|profile| profile != "release") || !Path::new(".git").exists()
    {
        return None;
    }
    println!("cargo::rerun-if-changed=.git/logs/HEAD");
    let output = Command::new("git").args(["rev-parse", "HEAD"]).output().ok()?;
    let commit = String::from_utf8(output.stdout).ok()?;
    Some(commit.trim().to_owned()).filter(|commit| output.status.success() && !commit.is_empty())
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

/// A module or style sheet without the lines of its comments, a tenth of the page, for which browsers have no use.
fn without_comments(text: &str) -> String {
    let mut is_inside = false;
    let is_code = |line: &&str| {
        let line = line.trim();
        let begins = line.starts_with("/*") && (line.ends_with("*/") || !line.contains("*/"));
        let is_block = is_inside || begins;
        is_inside = is_block && !line.ends_with("*/");
        !is_block && !line.starts_with("//")
    };
    text.lines().filter(is_code).flat_map(|line| [line, "\n"]).collect()
}

/// Writes the gzip form of each file that the service shows, and of the contract in JSON, into `folder`; beside them
/// `assets.rs`, which lists the paths at which the files are shown and their compressed contents.
fn gather_assets(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut assets = Vec::new();
    for (source, shown) in ASSETS {
        for file in files(Path::new(source))? {
            let extension = file.extension().and_then(|extension| extension.to_str());
            if extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
                let path = file.to_string_lossy().replacen(source, shown, 1);
                let content = match extension {
                    Some("js" | "css") if source == "web" => {
                        without_comments(&fs::read_to_string(file)?).into_bytes()
                    }
                    _ => fs::read(file)?,
                };
                assets.push(asset(folder, &path, &content)?);
            }
        }
    }
    let contract: serde_json::Value = serde_saphyr::from_str(&fs::read_to_string("openapi.yaml")?)?;
    assets.push(asset(folder, "/openapi.json", contract.to_string().as_bytes())?);
    let guide = guide::guide(&contract, &fs::read_to_string(GAMES_PAGE)?);
    assets.push(asset(folder, "/llms.txt", guide.as_bytes())?);
    let list = format!("static FILES: [Asset; {}] = [{}];", assets.len(), assets.join(",\n"));
    fs::write(folder.join("assets.rs"), list)?;
    Ok(())
}

/// Compresses a file that is shown at `path`. Returns the entry of the list.
fn asset(folder: &Path, path: &str, content: &[u8]) -> io::Result<String> {
    let name = path.replace('/', "_");
    let mut encoder = GzEncoder::new(fs::File::create(folder.join(&name))?, Compression::best());
    encoder.write_all(content)?;
    encoder.finish()?;
    Ok(format!("Asset::new({path:?}, include_bytes!({name:?}))"))
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
