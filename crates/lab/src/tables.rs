//! Endgame tables.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bestmove_engine::game::TableForm;
use bestmove_engine::games;

/// Makes the table of a game's positions with up to so many pieces, in a file of its folder that it
/// returns.
///
/// # Errors
/// Where there is no such game or it has no tables, or the file can't be written.
pub fn write_endgame_table(
    name: &str,
    pieces: u32,
    form: TableForm,
    folder: &Path,
) -> io::Result<PathBuf> {
    let game = super::game(name)?;
    fs::create_dir_all(folder)?;
    let path = folder.join(games::table_name(name, pieces, form));
    let mut file = BufWriter::new(File::create(&path)?);
    game.write_endgame_table(pieces, form, &mut file)?;
    file.flush()?;
    Ok(path)
}
