//! The endgames of games, solved backwards: tables of exact values, and random positions for the trainer.

mod checkers;
mod format;
mod retrograde;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bestmove_engine::game::TableForm;
use bestmove_engine::games;
use bestmove_engine::nn::Features;

/// The endgames of a game.
pub(crate) trait Endgames: Sync {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// Writes the table of all positions with up to `pieces` pieces. Fails where that is too few or too many.
    fn write_table(&self, pieces: u32, form: TableForm, sink: &mut dyn Write) -> io::Result<()>;

    /// Draws random decided positions. `sink` gets the input of the distance network and the plies to the end.
    /// Returns the number of features of that network. Fails where there are too few or too many pieces.
    fn sample(&self, sampling: Sampling, sink: &mut dyn FnMut(Features, u32)) -> io::Result<usize>;
}

/// Which endgames to sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sampling {
    /// The pieces of each position.
    pub pieces: u32,
    /// The number of positions.
    pub count: usize,
    /// The seed of the draw.
    pub seed: u64,
}

/// The endgames of the game of that name.
pub(crate) fn endgames(name: &str) -> io::Result<&'static dyn Endgames> {
    static ALL: [&dyn Endgames; 1] = [&checkers::CheckersEndgames];
    let found = ALL.into_iter().find(|endgames| endgames.game() == name);
    found.ok_or_else(|| crate::error::invalid(&format!("no endgames of '{name}'")))
}

/// Writes the endgame table of a game's positions with up to so many pieces into a folder. Returns its path.
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
