//! A damaged endgame table is refused by its name when the service starts. The whole one is made by
//! `lab tables checkers --pieces 2`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of this test that is empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("room on the disk");
    folder
}

/// What a server says that starts with this content of an endgame table, and must not.
fn start(name: &str, table: &[u8]) -> Output {
    let folder = folder(name);
    fs::write(folder.join("checkers-2.tables"), table).expect("room on the disk");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestmove"));
    // An address of nobody's, so that it ends in any case (RFC 5737).
    command.args(["--host", "203.0.113.1", "--port", "0", "--endgame-tables"]).arg(&folder);
    command.output().expect("a process")
}

#[test]
fn the_start_refuses_an_endgame_table_that_is_damaged() {
    let table = include_bytes!("../data/checkers-2.tables").to_vec();
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
        let expected = format!("checkers-2.tables: {why}");
        assert!(said.contains(&expected), "{name}: {said}");
    }
}
