//! The knowledge files with which this process searches.

use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use bestmove_engine::games::{self, Knowledge};

static KNOWLEDGE: RwLock<Option<Arc<Knowledge>>> = RwLock::new(None);

/// Sets the knowledge files of the searches from now on.
pub(crate) fn set_knowledge(knowledge: Knowledge) {
    *KNOWLEDGE.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(knowledge));
}

/// The knowledge files that were set last; those of the program where none were.
///
/// # Errors
/// Names the file that is damaged.
pub(crate) fn knowledge() -> io::Result<Arc<Knowledge>> {
    let loaded = KNOWLEDGE.read().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(knowledge) = loaded {
        return Ok(knowledge);
    }
    set_knowledge(games::load_knowledge(None)?);
    knowledge()
}
