//! Loads the knowledge files of a run.

use std::fs;
use std::io;
use std::path::Path;

use bestmove_engine::games;

use crate::game::game;
use crate::knowledge::set_knowledge;
use crate::learning::zeros;

/// Loads the knowledge files of all later searches: endgame tables from a folder, and for one game the networks of a file
/// in place of the embedded ones. A file `none` stands for networks of zeros.
pub(crate) fn load_knowledge(
    tables: Option<&Path>,
    networks: Option<(&str, &str)>,
) -> io::Result<()> {
    let mut knowledge = games::load_knowledge(tables)?;
    if let Some((name, file)) = networks {
        let bytes = if file == "none" { zeros(name)? } else { fs::read(file)? };
        game(name)?.load_knowledge(&mut knowledge, tables, Some(&bytes))?;
    }
    set_knowledge(knowledge);
    Ok(())
}
