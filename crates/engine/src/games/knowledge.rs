//! The knowledge files of all games: books, endgame tables, networks.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::path::Path;
use std::sync::Arc;

use bestmove_endgames::{Form, file_name};

use crate::game::Game;

/// What the evaluators of all games read: loaded once, then passed to every search.
///
/// ```
/// use bestmove_engine::games::{Knowledge, connect_four::ConnectFour, othello::Othello};
/// let mut knowledge = Knowledge::default();
/// knowledge.load::<ConnectFour>(None)?;
/// assert!(knowledge.of_mut::<ConnectFour>().is_some());
/// assert!(knowledge.of_mut::<Othello>().is_none(), "not loaded");
/// assert_eq!(knowledge.mark(), 0, "no endgame table was opened");
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Knowledge {
    /// By the type of the game, its [`Game::Knowledge`].
    games: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    /// Tells the endgame tables that were opened from others.
    opened: Option<u64>,
}

impl Knowledge {
    /// Loads the files of a game that are part of the program, and from the folder `tables` its endgame
    /// table with the most pieces, where there is one.
    ///
    /// # Errors
    /// Names the file that is damaged.
    pub fn load<G: Game>(&mut self, tables: Option<&Path>) -> io::Result<()> {
        const MOST_PIECES: u32 = 9;
        let mut knowledge = G::load_knowledge()?;
        let name = |pieces| file_name(G::VARIANTS[0].game_info().name, pieces, Form::Plain);
        let file = tables.and_then(|folder| {
            let mut files = (2..=MOST_PIECES).rev().map(|pieces| folder.join(name(pieces)));
            files.find(|file| file.exists())
        });
        if let Some(file) = file {
            let checksum = G::open_endgame_table(&mut knowledge, &file);
            let checksum = checksum.map_err(|error| named(&file.display(), &error))?;
            self.opened = Some(self.opened.unwrap_or_default().rotate_left(1) ^ checksum);
        }
        self.games.insert(TypeId::of::<G>(), Arc::new(knowledge));
        Ok(())
    }

    /// The knowledge of a game; none where it was not loaded.
    #[must_use]
    pub fn of<G: Game>(&self) -> Arc<G::Knowledge> {
        let loaded = self.games.get(&TypeId::of::<G>()).cloned();
        loaded.and_then(|knowledge| knowledge.downcast().ok()).unwrap_or_default()
    }

    /// The knowledge of a game to change; none where it was not loaded, or is in use.
    #[must_use]
    pub fn of_mut<G: Game>(&mut self) -> Option<&mut G::Knowledge> {
        let loaded = self.games.get_mut(&TypeId::of::<G>()).and_then(Arc::get_mut);
        loaded.and_then(|knowledge| knowledge.downcast_mut())
    }

    /// Whether an endgame table was opened.
    pub(super) fn has_opened(&self) -> bool {
        self.opened.is_some()
    }

    /// A number that tells the tables that were opened from others: the same request to the same build gets
    /// the same answer where this is the same.
    #[must_use]
    pub fn mark(&self) -> u64 {
        self.opened.unwrap_or_default()
    }
}

impl Debug for Knowledge {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Knowledge").field("opened", &self.opened).finish_non_exhaustive()
    }
}

/// A file of `knowledge/` that is part of the program.
#[derive(Clone, Copy)]
pub(crate) struct KnowledgeFile {
    pub name: &'static str,
    pub bytes: &'static [u8],
}

impl KnowledgeFile {
    /// What `read` makes of the file. An error names the file.
    pub(crate) fn read<T>(
        self,
        read: impl FnOnce(&'static [u8]) -> io::Result<T>,
    ) -> io::Result<T> {
        read(self.bytes).map_err(|error| named(&format_args!("knowledge/{}", self.name), &error))
    }
}

/// An error with the name of its file.
fn named(file: &dyn fmt::Display, error: &io::Error) -> io::Error {
    io::Error::other(format!("{file}: {error}"))
}

/// Why a file is refused.
pub(super) fn invalid(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}
