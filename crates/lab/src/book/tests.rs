use std::path::Path;

use super::*;
use bestmove_engine::games::tic_tac_toe::TicTacToe;

/// The plies of the book of these tests.
const PLIES: u8 = 3;

/// A folder with the book of all positions of up to [`PLIES`] plies.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("bestmove-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("room on the disk");
    assert_eq!(make(&folder).expect("a book"), 38);
    folder
}

/// Makes the book of a folder, going on with its records.
fn make(folder: &Path) -> io::Result<usize> {
    let making = Making {
        game: TicTacToe::STANDARD.game_info().name.to_owned(),
        plies: PLIES,
        records: folder.join("records"),
        out: folder.join("book"),
        table_bits: 10,
    };
    making.run()
}

/// Checks the book of a folder, going on with its proofs.
fn check(folder: &Path) -> io::Result<Verdict> {
    let check = Check {
        game: TicTacToe::STANDARD.game_info().name.to_owned(),
        book: folder.join("book"),
        proofs: folder.join("proofs"),
        table_bits: 10,
    };
    check.run()
}

/// The entries after the last ply.
fn entries(folder: &Path) -> Vec<(u64, Entry)> {
    let bytes = fs::read(folder.join("book")).expect("a file");
    let book = Book::read(&bytes, &TicTacToe::STANDARD.start()).expect("a book");
    let positions = openings(&TicTacToe::STANDARD.start(), u32::from(PLIES)).into_iter();
    positions.map(|it| (it.canonical().0, book.entry(&it).expect("an entry"))).collect()
}

/// Replaces the book in the folder by a book with these entries.
fn replace(folder: &Path, entries: Vec<(u64, Entry)>) {
    let mut file = File::create(folder.join("book")).expect("room on the disk");
    write(PLIES, entries, &mut file).expect("room on the disk");
}

#[test]
fn a_book_that_is_read_holds_what_was_written_and_what_follows_from_it() {
    let folder = folder("whole-book");
    let bytes = fs::read(folder.join("book")).expect("a file");
    let book = Book::read(&bytes, &TicTacToe::STANDARD.start()).expect("a book");
    assert_eq!(book.entries().len(), 38 + 12 + 3 + 1);
    assert!(book.entries().is_sorted_by_key(|&(key, _)| key));
    assert_eq!(book.value(&TicTacToe::STANDARD.start()), Some(0));
    for length in 0..bytes.len() {
        assert!(Book::read(&bytes[..length], &TicTacToe::STANDARD.start()).is_err(), "{length}");
    }
}

#[test]
fn an_interrupted_book_goes_on_and_is_the_same() {
    let folder = folder("records");
    let whole = ["records", "book"].map(|file| fs::read(folder.join(file)).expect("a file"));
    fs::write(folder.join("records"), &whole[0][..whole[0].len() / 2]).expect("room on the disk");
    make(&folder).expect("a book");
    assert!(whole == ["records", "book"].map(|file| fs::read(folder.join(file)).expect("a file")));
}

#[test]
fn a_right_book_passes_and_an_interrupted_check_goes_on() {
    let folder = folder("right-book");
    let right = Verdict { proven: 38, wrong: Vec::new() };
    assert_eq!(check(&folder).expect("a check"), right);
    let path = folder.join("proofs");
    let proofs = fs::read(&path).expect("a file");
    fs::write(&path, &proofs[..proofs.len() / 2]).expect("room on the disk");
    assert_eq!(check(&folder).expect("a check"), right);
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
        replace(&folder, damaged);
        let _ = fs::remove_file(folder.join("proofs"));
        let verdict = check(&folder).expect("a check");
        assert_eq!(verdict.wrong.len(), 1, "{:?} as {other:?}: {verdict:?}", right[place]);
    }
}

#[test]
fn proofs_of_another_book_are_refused() {
    let folder = folder("other-book");
    check(&folder).expect("a check");
    let mut entries = entries(&folder);
    for (_, entry) in &mut entries {
        entry.value += 1;
    }
    replace(&folder, entries);
    let error = check(&folder).expect_err("other proofs");
    assert!(error.to_string().contains("of another book"), "{error}");
}
