//! Imports go one way: main → cli → http → service → games/any → search → game, and games/* → game.

use std::fs;
use std::path::{Path, PathBuf};

/// A room of the house, the prefixes of the modules it may name besides its own, and why.
const ROOMS: &[(&str, &[&str])] = &[
    ("src/game/", &["game"]),
    ("src/search/", &["search", "game"]),
    ("src/games/any/", &["games", "search", "game"]),
    ("src/games/mod.rs", &["games", "game"]),
    ("src/games/", &["game"]),
    ("src/service/", &["service", "games", "search", "game"]),
    ("src/lab/", &["lab", "games", "search", "game"]),
    ("src/cli/", &["cli", "http", "service", "games", "game"]),
    ("src/http/", &["http", "service", "games", "search", "game"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources");
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The paths from the crate's root of all rust sources, each with its text without test modules.
fn house() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let relative = |path: &Path| {
        path.strip_prefix(root).expect("inside the crate").to_string_lossy().replace('\\', "/")
    };
    let shipped = |text: String| {
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let read = |path: &PathBuf| (relative(path), shipped(fs::read_to_string(path).expect("text")));
    sources(&root.join("src")).iter().map(read).collect()
}

/// The crate's own modules that a text names: what follows `crate::`.
fn named_modules(text: &str) -> Vec<&str> {
    let ends = |c: char| !c.is_alphanumeric() && c != '_';
    text.split("crate::").skip(1).filter_map(|rest| rest.split(ends).next()).collect()
}

#[test]
fn imports_go_one_way() {
    for (path, text) in house() {
        let Some((_, allowed)) = ROOMS.iter().find(|(room, _)| path.starts_with(room)) else {
            continue;
        };
        for module in named_modules(&text) {
            assert!(allowed.contains(&module), "{path} names crate::{module}");
        }
    }
}

#[test]
fn a_game_knows_no_other_game() {
    for (path, text) in house() {
        let Some(inside) = path.strip_prefix("src/games/") else { continue };
        let Some((folder, _)) = inside.split_once(['/', '.']) else { continue };
        if ["any", "mod", "grid"].contains(&folder) {
            continue;
        }
        let others =
            bestmove::games::CATALOGUE.iter().map(|game| game.about().name.replace('-', "_"));
        for other in others.filter(|other| other != folder) {
            let as_module = [format!("{other}::"), format!("::{other}")];
            let names = |path: &String| text.contains(path);
            assert!(!as_module.iter().any(names), "{path} names {other}");
        }
    }
}

#[test]
fn nothing_outside_its_folder_names_a_game() {
    let names: Vec<_> = bestmove::games::CATALOGUE
        .iter()
        .flat_map(|game| {
            let name = game.about().name;
            [name.to_owned(), name.replace('-', "_")]
        })
        .collect();
    for (path, text) in house() {
        if path.starts_with("src/games/") && !path.starts_with("src/games/any/") {
            continue;
        }
        for name in &names {
            assert!(!text.contains(name.as_str()), "{path} names {name}");
        }
    }
}

#[test]
fn only_the_data_transfer_objects_know_their_format() {
    for (path, text) in house() {
        if !["src/http/dto", "src/http/problem"].iter().any(|dto| path.starts_with(dto)) {
            assert!(!text.contains("serde"), "{path} names serde");
        }
    }
}

#[test]
fn files_stay_small() {
    for (path, text) in house() {
        let lines = text.lines().count();
        assert!(lines <= 400, "{path} has {lines} lines");
    }
}
