//! The knowledge files with which this process searches.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use bestmove_engine::game::Game;
use bestmove_engine::games::{self, Knowledge};

use crate::game::for_game;
use crate::{learning, trainer};

static KNOWLEDGE: RwLock<Option<Arc<Knowledge>>> = RwLock::new(None);

/// Loads the knowledge files of the searches from now on: with endgame tables from a folder, and for one game with the
/// networks of a file in place of the embedded ones; a file `none` stands for networks of zeros.
pub(crate) fn load(tables: Option<&Path>, networks: Option<(&str, &str)>) -> io::Result<()> {
    let mut knowledge = games::load_knowledge(tables)?;
    if let Some((name, file)) = networks {
        let bytes = if file == "none" { zeros(name)? } else { fs::read(file)? };
        for_game!(name, G => {
            let in_use = || io::Error::other("the knowledge of the game is in use");
            G::replace_networks(knowledge.of_mut::<G>().ok_or_else(in_use)?, &bytes)
        })?;
    }
    *KNOWLEDGE.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(knowledge));
    Ok(())
}

/// Networks of zeros.
fn zeros(game: &str) -> io::Result<Vec<u8>> {
    learning::zeros(game).or_else(|_| trainer::zeros(game))
}

/// The knowledge files that were loaded last; those of the program where none were.
pub(crate) fn knowledge() -> Arc<Knowledge> {
    static EMBEDDED: LazyLock<Arc<Knowledge>> =
        LazyLock::new(|| Arc::new(games::load_knowledge(None).unwrap_or_default()));
    let loaded = KNOWLEDGE.read().unwrap_or_else(PoisonError::into_inner);
    loaded.clone().unwrap_or_else(|| Arc::clone(&EMBEDDED))
}
