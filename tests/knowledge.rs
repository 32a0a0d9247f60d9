//! Damaged knowledge files are refused by their names: embedded ones when the program is built, others
//! when it starts.

#[path = "../build/manifest.rs"]
mod manifest;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bestmove::game::TableForm;
use bestmove::games;

/// A folder of this test that is empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("knowledge")).expect("room on the disk");
    folder
}

#[test]
fn every_embedded_file_is_the_one_that_the_manifest_describes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert_eq!(manifest::check(root), Ok(()));
    let manifest = fs::read_to_string(root.join("knowledge/MANIFEST.toml")).expect("the manifest");
    for entry in fs::read_dir(root.join("knowledge")).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
        let is_data = !["MANIFEST.toml", "README.md"].contains(&name.as_str());
        assert_eq!(manifest.contains(&format!("\"knowledge/{name}\"")), is_data, "{name}");
    }
    games::check_knowledge().expect("the files can be read");
}

#[test]
fn the_build_refuses_an_embedded_file_that_is_damaged_or_missing() {
    let root = folder("manifest");
    // The hash of "abc" is an example of FIPS 180-2.
    let manifest = "[[file]]\npath = \"knowledge/some.book\"\nbytes = 3\nsha256 = \
                    \"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"\n";
    fs::write(root.join("knowledge/MANIFEST.toml"), manifest).expect("room on the disk");
    let file = root.join("knowledge/some.book");
    let check = |content: &str| {
        fs::write(&file, content).expect("room on the disk");
        manifest::check(&root)
    };
    assert_eq!(check("abc"), Ok(()));
    for damaged in ["abd", "ab", "abcd", ""] {
        let error = check(damaged).expect_err(damaged);
        assert!(error.starts_with("knowledge/some.book has"), "{error}");
    }
    fs::remove_file(&file).expect("it is there");
    let error = manifest::check(&root).expect_err("it is missing");
    assert!(error.starts_with("knowledge/some.book: "), "{error}");
}

/// What a server says that starts with this content of an endgame table, and must not.
fn start(name: &str, table: &[u8]) -> Output {
    let folder = folder(name);
    fs::write(folder.join("checkers-3.tables"), table).expect("room on the disk");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestmove"));
    // An address of nobody's, so that it ends in any case (RFC 5737).
    command.args(["--host", "203.0.113.1", "--port", "0", "--endgame-tables"]).arg(&folder);
    command.output().expect("a process")
}

#[test]
fn the_start_refuses_an_endgame_table_that_is_damaged() {
    let mut table = Vec::new();
    let game = games::find("checkers").expect("checkers");
    game.write_endgame_table(3, TableForm::Plain, &mut table).expect("memory takes all");
    let middle = table.len() / 2;
    let flipped = |place: usize| {
        let mut table = table.clone();
        table[place] ^= 1;
        table
    };
    for (name, damaged, why) in [
        ("empty", Vec::new(), "not a table of this version"),
        ("header-only", table[..24].to_vec(), "the file is not complete"),
        ("truncated", table[..table.len() - 1].to_vec(), "the file is not complete"),
        ("flipped-value", flipped(middle), "the checksum is wrong: the file is damaged"),
        ("flipped-checksum", flipped(16), "the checksum is wrong: the file is damaged"),
        ("flipped-mark", flipped(0), "not a table of this version"),
    ] {
        let output = start(name, &damaged);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        let expected = format!("checkers-3.tables: {why}");
        assert!(said.contains(&expected), "{name}: {said}");
    }
}
