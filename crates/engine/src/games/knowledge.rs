//! The knowledge files of all games: books, endgame tables, networks.

use std::any::Any;
use std::fmt::{self, Debug, Formatter};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use bestmove_endgames::{Form, file_name};
use flate2::Crc;

use crate::game::{Game, KnowledgeFiles};
use crate::network::{Network, NetworkSize};

/// What the evaluators of all games read: loaded once, then passed to every search.
///
/// ```
/// use bestmove_engine::games::{Knowledge, connect_four::ConnectFour};
/// let mut knowledge = Knowledge::default();
/// assert!(knowledge.of::<ConnectFour>().entries().is_empty(), "not loaded");
/// knowledge.load::<ConnectFour>(None, None)?;
/// assert!(!knowledge.of::<ConnectFour>().entries().is_empty());
/// assert_eq!(knowledge.mark(), 0, "no endgame table was opened");
/// assert!(knowledge.load::<ConnectFour>(None, Some(&[])).is_err(), "the game has no network");
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Knowledge {
    games: Vec<Loaded>,
}

/// The knowledge of a game.
#[derive(Clone)]
struct Loaded {
    /// Its [`Game::Knowledge`].
    knowledge: Arc<dyn Any + Send + Sync>,
    /// Tells the endgame table that was opened, if one was, from others.
    table: Option<u32>,
}

impl Knowledge {
    /// Loads the files of a game that are part of the program, with `networks`, the content of a file, in the place of the
    /// embedded ones where they are given; and from the folder `tables` its endgame table with the most pieces, where there is
    /// one.
    ///
    /// # Errors
    /// Names the file that is damaged. Where there are networks and the game has none.
    pub fn load<G: Game>(
        &mut self,
        tables: Option<&Path>,
        networks: Option<&[u8]>,
    ) -> io::Result<()> {
        let info = G::VARIANTS[0].game_info();
        if networks.is_some() && info.network.is_none() {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let file = tables.and_then(|folder| {
            let names = (2..=info.table_pieces)
                .rev()
                .map(|pieces| folder.join(file_name(info.name, pieces, Form::Plain)));
            names.into_iter().find(|file| file.exists())
        });
        let table = file.as_deref().map(mark_of).transpose()?;
        let files = KnowledgeFiles { table: file.as_deref(), networks };
        let knowledge = G::load_knowledge(files).map_err(|error| match &file {
            Some(file) => named(&file.display(), &error),
            None => error,
        })?;
        self.games.retain(|loaded| !loaded.knowledge.is::<G::Knowledge>());
        self.games.push(Loaded { knowledge: Arc::new(knowledge), table });
        Ok(())
    }

    /// The knowledge of a game; that of nothing where it was not loaded, with which no evaluator by a network can be had.
    #[must_use]
    pub fn of<G: Game>(&self) -> Arc<G::Knowledge> {
        let loaded = self.games.iter().map(|loaded| Arc::clone(&loaded.knowledge));
        loaded.into_iter().find_map(|knowledge| knowledge.downcast().ok()).unwrap_or_default()
    }

    /// Whether an endgame table was opened.
    pub(super) fn has_opened(&self) -> bool {
        self.games.iter().any(|loaded| loaded.table.is_some())
    }

    /// A number that tells the tables that were opened from others: the same request to the same build gets
    /// the same answer where this is the same.
    #[must_use]
    pub fn mark(&self) -> u64 {
        let tables = self.games.iter().filter_map(|loaded| loaded.table);
        tables.fold(0, |mark, table| mark.rotate_left(1) ^ u64::from(table))
    }
}

/// A number that tells an endgame table from others, by its header, which holds the checksum of the rest.
fn mark_of(file: &Path) -> io::Result<u32> {
    const HEADER: u64 = 64;
    let (mut header, mut crc) = (Vec::new(), Crc::new());
    let read = File::open(file).and_then(|file| file.take(HEADER).read_to_end(&mut header));
    read.map_err(|error| named(&file.display(), &error))?;
    crc.update(&header);
    Ok(crc.sum())
}

impl Debug for Knowledge {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Knowledge").field("mark", &self.mark()).finish_non_exhaustive()
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

    /// The network of this size in the file, or in that which stands in its place.
    pub(crate) fn network(
        self,
        size: NetworkSize,
        files: KnowledgeFiles,
    ) -> io::Result<Arc<Network>> {
        let network = match files.networks {
            Some(bytes) => Network::read(bytes, size),
            None => self.read(|bytes| Network::read(bytes, size)),
        };
        network.map(Arc::new)
    }
}

/// An endgame table that the program carries, or that its host has and opens when the table is first asked.
pub(crate) struct CarriedTable<T> {
    table: OnceLock<T>,
    of_host: fn() -> Option<T>,
}

impl<T> Default for CarriedTable<T> {
    fn default() -> Self {
        Self { table: OnceLock::new(), of_host: || None }
    }
}

impl<T> CarriedTable<T> {
    /// A table that is open.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn open(table: T) -> Self {
        Self { table: table.into(), ..Self::default() }
    }

    /// A table that the host has.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn of_host(of_host: fn() -> Option<T>) -> Self {
        Self { of_host, ..Self::default() }
    }

    /// The table; `None` where no knowledge was loaded, or there is no host.
    #[inline]
    pub(crate) fn get(&self) -> Option<&T> {
        self.table.get().or_else(|| {
            let table = (self.of_host)()?;
            Some(self.table.get_or_init(|| table))
        })
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
