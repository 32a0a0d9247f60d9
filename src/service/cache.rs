//! Finished answers, and the cache that keeps them.

use std::sync::Arc;

use bytes::Bytes;
use moka::sync::Cache;

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
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        self.summary.stopped_by == StoppedBy::Time
    }
}

/// The answers that are kept; those asked for least make room for others.
pub(super) struct AnswerCache(Option<Cache<Arc<SearchKey>, Arc<Finished>>>);

impl AnswerCache {
    /// Room for this many `bytes`; none where that is 0.
    pub(super) fn new(bytes: u64) -> Self {
        let cache = || Cache::builder().weigher(weight).max_capacity(bytes).build();
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
        let Some(cache) = &self.0 else { return (0, 0) };
        // The cache counts what was inserted only when it does its maintenance.
        cache.run_pending_tasks();
        (cache.entry_count(), cache.weighted_size())
    }
}

fn weight(key: &Arc<SearchKey>, answer: &Arc<Finished>) -> u32 {
    /// What the cache itself needs for an entry, about.
    const ENTRY: usize = 200;
    /// A move in both notations, about.
    const MOVE: usize = size_of::<MoveText>() + 32;
    let moves = (1 + answer.best.principal_variation.len()) * MOVE;
    let bytes = key.weight() + size_of::<Finished>() + answer.body.len() + moves + ENTRY;
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
