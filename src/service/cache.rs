//! Finished answers, and the cache that keeps them.

use std::sync::Arc;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use bestmove_engine::games::any::{Answer, MoveText, SearchKey, Variation};
use bestmove_engine::search::StoppedBy;

/// Serialises an answer.
pub type Writer = fn(&Answer) -> Bytes;

/// An answer as it is sent, to the first caller and to all later ones.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The serialised answer.
    pub body: Bytes,
    /// How it was found.
    pub summary: Summary,
    /// The best move, its value and the line that is expected.
    pub best: Variation,
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The name of the game.
    pub game: &'static str,
    /// The name of the algorithm that it comes from.
    pub algorithm: &'static str,
    /// The last depth completed.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

impl From<&Answer> for Summary {
    fn from(answer: &Answer) -> Self {
        Self {
            game: answer.before.game,
            algorithm: answer.algorithm.name(),
            depth: answer.depth,
            nodes: answer.nodes,
            stopped_by: answer.stopped_by,
        }
    }
}

impl Finished {
    /// Serialises an answer.
    pub(super) fn new(answer: Answer, write: Writer) -> Self {
        let (body, summary) = (write(&answer), Summary::from(&answer));
        let Answer { best_move: mv, evaluation, principal_variation, .. } = answer;
        Self { body, summary, best: Variation { mv, evaluation, principal_variation } }
    }

    /// Whether time cut the search short, so that another one may find something else.
    pub fn is_cut_short(&self) -> bool {
        self.summary.stopped_by == StoppedBy::Time
    }
}

/// The cached answers. Those least used are evicted.
pub(super) struct AnswerCache(Option<Cache<Arc<SearchKey>, Arc<Finished>, Bytewise>>);

impl AnswerCache {
    /// Holds answers of this many `bytes`; none where that is 0.
    pub(super) fn new(bytes: u64) -> Self {
        /// The bytes of a usual answer with its key.
        const USUAL: u64 = 2048;
        let cache = || Cache::with_weighter((bytes / USUAL) as usize, bytes, Bytewise);
        Self((bytes > 0).then(cache))
    }

    /// The answer of this key, if it is kept.
    pub(super) fn get(&self, key: &SearchKey) -> Option<Arc<Finished>> {
        self.0.as_ref()?.get(key)
    }

    /// Keeps an answer.
    pub(super) fn insert(&self, key: Arc<SearchKey>, answer: Arc<Finished>) {
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

impl Weighter<Arc<SearchKey>, Arc<Finished>> for Bytewise {
    fn weight(&self, key: &Arc<SearchKey>, answer: &Arc<Finished>) -> u64 {
        /// What the cache itself needs for an entry, about.
        const ENTRY: usize = 100;
        /// A move in both notations, about.
        const MOVE: usize = size_of::<MoveText>() + 32;
        let moves = (1 + answer.best.principal_variation.len()) * MOVE;
        (key.weight() + size_of::<Finished>() + answer.body.len() + moves + ENTRY) as u64
    }
}
