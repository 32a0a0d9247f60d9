//! The endgames of games, solved backwards: tables of exact values, and random positions for the trainer.

mod checkers;
mod chess;
mod retrograde;
mod solution;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bestmove_endgames::{Form, file_name};

pub(crate) use self::checkers::{Sampling, sample};
use crate::error::invalid;

/// Writes the endgame table of a game's positions with up to `pieces` pieces into a folder. Returns its path.
pub(crate) fn write_endgame_table(
    game: &str,
    pieces: u32,
    form: Form,
    folder: &Path,
) -> io::Result<PathBuf> {
    let write = match (game, form) {
        ("checkers", _) => checkers::write_table,
        ("chess", Form::Packed) => chess::write_table,
        ("chess", _) => return Err(invalid("tables of chess are written with --packed")),
        _ => return Err(invalid(&format!("no endgames of '{game}'"))),
    };
    fs::create_dir_all(folder)?;
    let path = folder.join(file_name(game, pieces, form));
    let mut file = BufWriter::new(File::create(&path)?);
    write(pieces, form, &mut file)?;
    file.flush()?;
    Ok(path)
}
