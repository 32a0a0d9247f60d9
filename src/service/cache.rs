//! The cache of answers.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use bestmove_engine::games::any::{Answer, SearchKey};

/// The cached answers. Those least used are evicted.
pub(super) struct AnswerCache(Option<Cache<Arc<SearchKey>, Arc<Answer>, Bytewise>>);

impl AnswerCache {
    /// Holds answers of this many `bytes`; none where that is 0.
    pub(super) fn new(bytes: u64) -> Self {
        /// The bytes of a usual answer with its key.
        const USUAL: u64 = 2048;
        let cache = || Cache::with_weighter((bytes / USUAL) as usize, bytes, Bytewise);
        Self((bytes > 0).then(cache))
    }

    /// The answer of this key, if it is kept.
    pub(super) fn get(&self, key: &SearchKey) -> Option<Arc<Answer>> {
        self.0.as_ref()?.get(key)
    }

    /// Keeps an answer.
    pub(super) fn insert(&self, key: Arc<SearchKey>, answer: Arc<Answer>) {
        if let Some(cache) = &self.0 {
            cache.insert(key, answer);
        }
    }

    /// How many answers are kept, and the bytes that they occupy.
    pub(super) fn size(&self) -> (u64, u64) {
        self.0.as_ref().map_or((0, 0), |cache| (cache.len() as u64, cache.weight()))
    }
}

/// Weighs answers by the bytes that they occupy with their keys.
#[derive(Clone)]
struct Bytewise;

impl Weighter<Arc<SearchKey>, Arc<Answer>> for Bytewise {
    fn weight(&self, key: &Arc<SearchKey>, answer: &Arc<Answer>) -> u64 {
        /// What the cache itself needs for an entry, about.
        const ENTRY: usize = 100;
        (key.weight() + answer.weight() + ENTRY) as u64
    }
}
