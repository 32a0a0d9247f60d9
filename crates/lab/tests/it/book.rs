//! Making and checking a small book.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bestmove_engine::game::{Game, Position};
use bestmove_engine::games::book::{Book, Entry, write};
use bestmove_engine::games::tic_tac_toe::TicTacToe;
use bestmove_engine::search::openings;

/// A folder with the book of all tic-tac-toe positions of up to three plies.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("room on the disk");
    let made = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(["book", "tic-tac-toe", "--plies", "3", "--table-bits", "10", "--records"])
        .arg(folder.join("records"))
        .arg("--out")
        .arg(folder.join("book"))
        .output()
        .expect("the program runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    folder
}

/// Checks the book of a folder, going on with its proofs.
fn check(folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(["verify-book", "tic-tac-toe", "--table-bits", "10", "--proofs"])
        .arg(folder.join("proofs"))
        .arg(folder.join("book"))
        .output()
        .expect("the program runs")
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

/// The entries after three plies.
fn entries(folder: &Path) -> Vec<(u64, Entry)> {
    let bytes = fs::read(folder.join("book")).expect("a file");
    let book = Book::read(&bytes, &TicTacToe::start()).expect("a book");
    let positions = openings(&TicTacToe::start(), 3).into_iter();
    positions.map(|it| (it.canonical().0, book.entry(&it).expect("an entry"))).collect()
}

/// The answer to a check, from the start, of a book with these entries.
fn checked_anew(folder: &Path, entries: Vec<(u64, Entry)>) -> Output {
    let _ = fs::remove_file(folder.join("proofs"));
    let mut file = File::create(folder.join("book")).expect("room on the disk");
    write(3, entries, &mut file).expect("room on the disk");
    check(folder)
}

#[test]
fn a_right_book_passes_and_an_interrupted_check_goes_on() {
    let folder = folder("right-book");
    let whole = check(&folder);
    assert!(whole.status.success(), "{}", said(&whole));
    assert!(said(&whole).contains("38 entries are proven"), "{}", said(&whole));
    let path = folder.join("proofs");
    let proofs = fs::read(&path).expect("a file");
    fs::write(&path, &proofs[..proofs.len() / 2]).expect("room on the disk");
    assert!(check(&folder).status.success());
    assert!(fs::read(&path).expect("a file") == proofs);
}

#[test]
fn every_wrong_entry_is_found() {
    let folder = folder("wrong-book");
    let right = entries(&folder);
    for place in 0..right.len() {
        let Entry { value, best_move } = right[place].1;
        // In turn a wrong value and a move that no position after three plies has.
        let other = [(value + 1, best_move), (value - 1, best_move), (value, 6)][place % 3];
        let mut damaged = right.clone();
        damaged[place].1 = Entry { value: other.0, best_move: other.1 };
        let output = checked_anew(&folder, damaged);
        assert!(!output.status.success(), "{:?} as {other:?}", right[place]);
        assert!(said(&output).contains("1 entries are wrong"), "{}", said(&output));
    }
}

#[test]
fn proofs_of_another_book_are_refused() {
    let folder = folder("other-book");
    assert!(check(&folder).status.success());
    let mut entries = entries(&folder);
    for (_, entry) in &mut entries {
        entry.value += 1;
    }
    let mut file = File::create(folder.join("book")).expect("room on the disk");
    write(3, entries, &mut file).expect("room on the disk");
    let output = check(&folder);
    assert!(!output.status.success());
    assert!(said(&output).contains("of another book"), "{}", said(&output));
}
