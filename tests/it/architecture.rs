//! What Cargo does not enforce. It keeps the packages apart: program → adapters → service → engine. Inside the engine
//! imports go one way too, games/any → search → game → network and games/* → game, and a game is named in its folder alone.
//! Modules of a package do not import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use bestmove_engine::games::CATALOGUE;
use regex::Regex;

/// The folders of sources of all crates.
const CRATES: [&str; 6] = [
    "src",
    "crates/adapters/src",
    "crates/engine/src",
    "crates/lab/src",
    "crates/service/src",
    "crates/wasm/src",
];

/// The folder of the games.
const GAMES: &str = "crates/engine/src/games/";

/// The folder of the generators of endgame tables.
const ENDGAMES: &str = "crates/lab/src/endgames/";

/// A folder of the engine, and the modules of the engine that it may name.
const LAYERS: &[(&str, &[&str])] = &[
    ("crates/engine/src/network/", &["network"]),
    ("crates/engine/src/game/", &["game", "network"]),
    ("crates/engine/src/search/", &["search", "game"]),
    ("crates/engine/src/games/any/", &["games", "search", "game", "network"]),
    ("crates/engine/src/games/mod.rs", &["games", "game"]),
    ("crates/engine/src/games/", &["game", "network"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources");
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("an entry").path();
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        if path.is_dir() {
            files.extend(sources(&path));
        } else if is_source && !path.ends_with("tests.rs") {
            files.push(path);
        }
    }
    files
}

/// The paths of all sources below the root of the workspace, each with its text without test modules.
fn all_sources() -> Vec<(String, String)> {
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
    CRATES.iter().flat_map(|folder| sources(&root.join(folder))).map(|path| read(&path)).collect()
}

/// The crate's own modules that a text names: what follows `crate::`.
fn named_modules(text: &str) -> Vec<&str> {
    let ends = |c: char| !c.is_alphanumeric() && c != '_';
    text.split("crate::").skip(1).filter_map(|rest| rest.split(ends).next()).collect()
}

#[test]
fn every_package_is_held_to_the_rules() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    for entry in fs::read_dir(crates).expect("the packages") {
        let name = entry.expect("an entry").file_name();
        let folder = format!("crates/{}/src", name.display());
        assert!(CRATES.contains(&folder.as_str()), "{folder} is missing from CRATES");
    }
}

#[test]
fn imports_inside_the_engine_go_one_way() {
    for (path, text) in all_sources() {
        let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| path.starts_with(layer)) else {
            continue;
        };
        for module in named_modules(&text) {
            assert!(allowed.contains(&module), "{path} names crate::{module}");
        }
    }
}

/// The modules that a module names by a path, but for those around it, from which it has what they re-export.
fn imports(module: &str, text: &str, modules: &BTreeMap<String, String>) -> BTreeSet<String> {
    let path = Regex::new(r"\b(crate|(?:super::)*super|self)((?:::[a-z_]+)*)(?:::\{([^{}]*)\})?");
    let mut imports = BTreeSet::new();
    for path in path.expect("a pattern").captures_iter(text) {
        let base = match &path[1] {
            "crate" => "",
            "self" => module,
            above => (0..above.split("::").count())
                .fold(module, |module, _| module.rsplit_once("::").map_or("", |it| it.0)),
        };
        for name in path.get(3).map_or("", |list| list.as_str()).split(',') {
            let name = [base, &path[2], "::", name.trim()].concat();
            let mut name = name.trim_matches(':');
            while !name.is_empty() && !modules.contains_key(name) {
                name = name.rsplit_once("::").map_or("", |it| it.0);
            }
            if !format!("{module}::").starts_with(&format!("{name}::")) && !name.is_empty() {
                imports.insert(name.to_owned());
            }
        }
    }
    imports
}

#[test]
fn no_modules_import_each_other() {
    for folder in CRATES {
        let named = all_sources().into_iter().filter_map(|(path, text)| {
            let file = path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".rs")?;
            Some((file.strip_suffix("/mod").unwrap_or(file).replace('/', "::"), text))
        });
        let modules: BTreeMap<_, _> = named.collect();
        let read =
            |(module, text): (&String, &String)| (module.clone(), imports(module, text, &modules));
        let mut open: BTreeMap<_, _> = modules.iter().map(read).collect();
        let has_imports = open.values().any(|imports| !imports.is_empty());
        assert!(has_imports || open.len() == 1, "{folder}");
        // Modules that import none of those left are no part of a circle.
        while let Some(lowest) = open
            .iter()
            .find(|(_, imports)| !imports.iter().any(|import| open.contains_key(import)))
            .map(|(module, _)| module.clone())
        {
            open.remove(&lowest);
        }
        assert_eq!(open, BTreeMap::new(), "{folder}");
    }
}

#[test]
fn a_game_knows_no_other_game() {
    for (path, text) in all_sources() {
        let Some(inside) = path.strip_prefix(GAMES) else { continue };
        let Some((folder, _)) = inside.split_once(['/', '.']) else { continue };
        if ["any", "mod", "grid"].contains(&folder) {
            continue;
        }
        let others = CATALOGUE.iter().map(|game| game.info().name.replace('-', "_"));
        for other in others.filter(|other| other != folder) {
            let as_module = [format!("{other}::"), format!("::{other}")];
            let names = |path: &String| text.contains(path);
            assert!(!as_module.iter().any(names), "{path} names {other}");
        }
    }
}

/// Stands for public services, each of which knows one game.
const SERVICES_OF_ONE_GAME: &str = "src/http/compat.rs";

#[test]
fn nothing_outside_its_folder_names_a_game() {
    let names: Vec<_> = CATALOGUE
        .iter()
        .flat_map(|game| {
            let name = game.info().name;
            [name.to_owned(), name.replace('-', "_")]
        })
        .collect();
    for (path, text) in all_sources() {
        let is_inside = path.starts_with(GAMES) && !path[GAMES.len()..].starts_with("any/");
        if is_inside || path.starts_with(ENDGAMES) || path == SERVICES_OF_ONE_GAME {
            continue;
        }
        for name in &names {
            assert!(!text.contains(name.as_str()), "{path} names {name}");
        }
    }
}

#[test]
fn files_stay_small() {
    for (path, text) in all_sources() {
        let lines = text.lines().count();
        assert!(lines <= 400, "{path} has {lines} lines");
    }
}

/// Words of earlier versions for which the field has a standard term.
const REPLACED: &str = "promise judgement Opinion Experience Recollection recall touched doubt hopeless resist \
    LastStand siege sight camp Turns Flights boarded Aloft Landed Desk Clerk Wish Busy studies Terms Refusal \
    Standing About patience PATIENCE FAREWELL converse straying School Lot draw_endings Course lesson lessons \
    Question Flight flights sight refusal stunted Stunted opinion OPINIONS";

#[test]
fn names_are_the_standard_terms_of_the_field() {
    for (path, text) in all_sources() {
        let code: String = text.split('"').step_by(2).collect();
        let names: BTreeSet<_> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let replaced = REPLACED.split_whitespace().filter(|word| names.contains(word));
        assert_eq!(replaced.collect::<Vec<_>>(), Vec::<&str>::new(), "{path}");
    }
}
