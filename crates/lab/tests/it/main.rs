//! The laboratory's program, run as its users run it.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

const RECIPE: &str = r#"
game = "checkers"
path = "knowledge/checkers-network.bin"
contents = "The network of a test."
networks = "none"
threads = 2

[[stage]]
run = "self-play"
out = "games.txt"
games = 24
nodes = 200
random-plies = 4
seed = 1

[[stage]]
run = "rescore"
out = "scored.txt"
games = "games.txt"
positions = 3
nodes = 300
seed = 2

[[stage]]
run = "learn"
out = "network.bin"
games = ["games.txt", "scored.txt"]
epochs = 1
seed = 3

[[stage]]
run = "match"
out = "match.txt"
a = "nodes=100,networks=network.bin"
b = "nodes=100,networks=embedded"
games = 8
seed = 4
"#;

/// The files that a run makes.
const FILES: [&str; 5] = ["games.txt", "scored.txt", "network.bin", "match.txt", "manifest.toml"];

/// An empty folder in a folder with the recipe.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).join("work");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("room on the disk");
    fs::write(folder.with_file_name("recipe.toml"), RECIPE).expect("room on the disk");
    folder
}

fn pipeline(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.arg("pipeline").arg(folder.with_file_name("recipe.toml")).arg("--folder").arg(folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path) {
    let output = pipeline(folder).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Kills a run once a file has so many bytes; whether it was killed before it ended by itself.
fn killed(mut run: Child, file: &Path, bytes: u64) -> bool {
    while run.try_wait().expect("a process").is_none() {
        if fs::metadata(file).is_ok_and(|metadata| metadata.len() >= bytes) {
            run.kill().expect("a process that runs");
            run.wait().expect("a process");
            return true;
        }
        thread::sleep(Duration::from_millis(1));
    }
    false
}

#[test]
fn a_killed_pipeline_goes_on_and_makes_the_same_files() {
    let (whole, interrupted) = (folder("whole"), folder("interrupted"));
    run(&whole);
    let killed =
        [("games.txt", 1000), ("scored.txt", 1000), ("match.txt", 4)].map(|(file, bytes)| {
            let partial = interrupted.join(file).with_added_extension("partial");
            let started = pipeline(&interrupted).spawn().expect("the program runs");
            let is_killed = killed(started, &partial, bytes);
            if is_killed && let Ok(mut file) = OpenOptions::new().append(true).open(partial) {
                file.write_all(b"an incomplete line").expect("room on the disk");
            }
            is_killed
        });
    assert!(killed.contains(&true), "no run lasted long enough to be killed");
    run(&interrupted);
    for file in FILES {
        let read = |folder: &Path| fs::read(folder.join(file)).expect(file);
        assert!(read(&whole) == read(&interrupted), "{file}");
    }
    let entry = fs::read_to_string(whole.join("manifest.toml")).expect("an entry");
    for part in ["sha256 = \"", "validation error 0.", "match: +", "self-play 1; rescore 2"] {
        assert!(entry.contains(part), "{part}: {entry}");
    }
}

#[test]
fn a_folder_with_files_of_another_recipe_is_refused() {
    let folder = folder("other");
    fs::write(folder.join("recipe.toml"), "another").expect("room on the disk");
    let output = pipeline(&folder).output().expect("the program runs");
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("another recipe"), "{said}");
}

/// A recipe with every number of games, nodes and epochs made small.
fn with_small_numbers(recipe: &str) -> String {
    let small = |line: &str| match line.split_once(" = ") {
        Some(("games", number)) if number.parse::<u32>().is_ok() => "games = 12".to_owned(),
        Some(("nodes", _)) => "nodes = 100".to_owned(),
        Some(("epochs", _)) => "epochs = 1".to_owned(),
        Some((player @ ("a" | "b"), settings)) => {
            let (_, networks) = settings.split_once(',').expect("nodes, then networks");
            format!("{player} = \"nodes=100,{networks}")
        }
        _ => line.to_owned(),
    };
    recipe.lines().map(|line| small(line) + "\n").collect()
}

#[test]
fn a_recipe_trains_the_network_of_each_game_from_nothing() {
    let recipes = [
        ("checkers", include_str!("../../recipes/checkers.toml")),
        ("chess", include_str!("../../recipes/chess.toml")),
        ("othello", include_str!("../../recipes/othello.toml")),
    ];
    for (game, recipe) in recipes {
        let folder = folder(game);
        fs::write(folder.with_file_name("recipe.toml"), with_small_numbers(recipe))
            .expect("room on the disk");
        run(&folder);
        let entry = fs::read_to_string(folder.join("manifest.toml")).expect("an entry");
        let path = format!("path = \"knowledge/{game}-network.bin\"");
        for part in [path.as_str(), "validation error 0.", "match: +"] {
            assert!(entry.contains(part), "{part}: {entry}");
        }
    }
}
