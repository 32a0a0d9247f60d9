//! The knowledge files of this run.

use std::io;
use std::sync::OnceLock;

use bestmove_engine::games::{self, Knowledge};

use crate::error::invalid;

static KNOWLEDGE: OnceLock<Knowledge> = OnceLock::new();

/// Sets the knowledge files of this run; before the first search.
pub(crate) fn set_knowledge(knowledge: Knowledge) -> io::Result<()> {
    KNOWLEDGE.set(knowledge).map_err(|_| invalid("the knowledge files are loaded already"))
}

/// The knowledge files of this run; those of the program where nothing else was set.
pub(crate) fn knowledge() -> &'static Knowledge {
    KNOWLEDGE.get_or_init(|| games::load_knowledge(None).unwrap_or_default())
}
