//! Loads the knowledge files of a run.

use std::fs;
use std::io;
use std::path::Path;

use bestmove_engine::game::Game;
use bestmove_engine::games;

use crate::game::for_game;
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
        for_game!(name, G => {
            let in_use = || io::Error::other("the knowledge of the game is in use");
            G::replace_networks(knowledge.of_mut::<G>().ok_or_else(in_use)?, &bytes)
        })?;
    }
    set_knowledge(knowledge);
    Ok(())
}
