//! The laboratory: data files that the games embed, computed offline, and matches that measure a change of
//! strength.

mod arena;
mod book;
mod book_check;
mod data_set;
mod game;
mod in_order;
mod levels;
mod perturbation;
mod pipeline;
mod play;
mod proofs;
mod record;
mod rescoring;
mod self_play;
mod trainer;
mod tuner;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub use self::arena::{Match, MatchResult, serve};
pub use self::book::Book;
pub use self::book_check::{BookCheck, BookVerdict};
use self::game::{endgames, for_game, game};
pub use self::levels::Levels;
pub use self::pipeline::{Pipeline, Stage};
pub use self::proofs::prove;
pub use self::rescoring::Rescoring;
pub use self::self_play::SelfPlay;
pub use self::trainer::Training;
pub use self::tuner::Tuning;
use bestmove_engine::game::{Game, TableForm};
use bestmove_engine::games::any::RequestError;
use bestmove_engine::games::{self, Knowledge};
use fastrand::Rng;

/// Writes the endgame table of a game's positions with up to so many pieces into a folder. Returns its path.
///
/// # Errors
/// Where there is no such game or it has no tables, or the file can't be written.
pub fn write_endgame_table(
    name: &str,
    pieces: u32,
    form: TableForm,
    folder: &Path,
) -> io::Result<PathBuf> {
    let game = game(name)?;
    fs::create_dir_all(folder)?;
    let path = folder.join(games::table_name(name, pieces, form));
    let mut file = BufWriter::new(File::create(&path)?);
    endgames(game)?.write_table(pieces, form, &mut file)?;
    file.flush()?;
    Ok(path)
}

/// The knowledge files of this run.
static KNOWLEDGE: OnceLock<Knowledge> = OnceLock::new();

/// Loads the knowledge files of this run: with endgame tables from a folder, and with the networks of files in
/// place of the embedded ones of games; a file `none` stands for networks of zeros. To be called once, before
/// the first search.
///
/// # Errors
/// Where a file can't be read or holds something else, there is no such game, or it was called before.
pub fn load_knowledge(tables: Option<&Path>, networks: &[(String, String)]) -> io::Result<()> {
    let mut knowledge = games::load_knowledge(tables)?;
    for (name, file) in networks {
        let game = game(name)?;
        let bytes = if file == "none" { trainer::zeros(game)? } else { fs::read(file)? };
        for_game!(name.as_str(), G => {
            knowledge.change::<G>(|knowledge| G::replace_networks(knowledge, &bytes))
        })?;
    }
    KNOWLEDGE.set(knowledge).map_err(|_| invalid("the knowledge files are loaded already"))
}

/// The knowledge files of this run; those of the program where nothing else was loaded.
fn knowledge() -> &'static Knowledge {
    KNOWLEDGE.get_or_init(|| games::load_knowledge(None).unwrap_or_default())
}

/// The random numbers of item `index` of a run with this seed. The index is mixed first: `fastrand` gives
/// similar numbers for seeds that differ in few bits.
fn stream(seed: u64, index: u64) -> Rng {
    Rng::with_seed(seed ^ Rng::with_seed(index).u64(..))
}

fn refused(error: &RequestError) -> io::Error {
    invalid(&format!("{error:#}"))
}

/// An error of the input.
fn invalid(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason)
}
