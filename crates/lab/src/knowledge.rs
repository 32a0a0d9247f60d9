//! The knowledge files with which this process searches.

use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use bestmove_engine::games::{self, Knowledge};

static KNOWLEDGE: RwLock<Option<Arc<Knowledge>>> = RwLock::new(None);

/// Sets the knowledge files of the searches from now on.
pub(crate) fn set_knowledge(knowledge: Knowledge) {
    *KNOWLEDGE.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(knowledge));
}

/// The knowledge files that were set last; those of the program where none were.
pub(crate) fn knowledge() -> Arc<Knowledge> {
    static EMBEDDED: LazyLock<Arc<Knowledge>> =
        LazyLock::new(|| Arc::new(games::load_knowledge(None).unwrap_or_default()));
    let loaded = KNOWLEDGE.read().unwrap_or_else(PoisonError::into_inner);
    loaded.clone().unwrap_or_else(|| Arc::clone(&EMBEDDED))
}
