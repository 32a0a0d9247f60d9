//! The endgames of games, solved backwards: tables of exact values, and random positions for the trainer.

mod checkers;
mod chess;
mod chess_format;
mod format;
mod game;
mod retrograde;
mod solution;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bestmove_engine::game::TableForm;
use bestmove_engine::games;

pub(crate) use self::game::{Endgames, Sampling};

/// The endgames of the game called `name`.
pub(crate) fn endgames(name: &str) -> io::Result<&'static dyn Endgames> {
    static ALL: [&dyn Endgames; 2] = [&checkers::CheckersEndgames, &chess::ChessEndgames];
    let found = ALL.into_iter().find(|endgames| endgames.game() == name);
    found.ok_or_else(|| crate::error::invalid(&format!("no endgames of '{name}'")))
}

/// Writes the table of all positions of a game with up to `pieces` into a folder. Returns the path.
pub(crate) fn write_endgame_table(
    name: &str,
    pieces: u32,
    form: TableForm,
    folder: &Path,
) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let path = folder.join(games::table_name(name, pieces, form));
    let mut file = BufWriter::new(File::create(&path)?);
    endgames(name)?.write_table(pieces, form, &mut file)?;
    file.flush()?;
    Ok(path)
}
