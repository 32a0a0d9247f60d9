//! The options that a chess program may set.

use std::time::Duration;

use super::go::Go;
use bestmove_engine::game::LevelNumber;
use bestmove_engine::games::any::{AnyGame, SearchParameters};
use bestmove_engine::games::variants;
use bestmove_engine::search::MOST_MEMORY;

/// The greatest known number of legal moves in a position of chess.
const MOST_MOVES: u64 = 218;
/// The variant Fischer random, for which the interface has an option, `UCI_Chess960`.
const FISCHER_RANDOM: &str = "Chess960";
/// The longest overhead, in milliseconds.
const MOST_OVERHEAD: u64 = 5000;

/// The settings of a session.
#[derive(Clone)]
pub(super) struct Options {
    multi_pv: u64,
    limit_strength: bool,
    elo: u64,
    /// The time lost between the two programs with every move.
    pub(super) overhead: Duration,
    /// Varies the choices of a level.
    pub(super) seed: u64,
    /// The game, and its variant [`FISCHER_RANDOM`], if it has one.
    standard: &'static dyn AnyGame,
    pub(super) fischer_random: Option<&'static dyn AnyGame>,
    plays_fischer_random: bool,
    /// The levels with a measured strength in Elo, the weakest first.
    levels: Vec<(u64, LevelNumber)>,
}

impl Options {
    pub(super) fn new(game: &'static dyn AnyGame) -> Self {
        let fischer_random = variants(game.info().name)
            .find(|variant| variant.info().variant.eq_ignore_ascii_case(FISCHER_RANDOM));
        let levels = LevelNumber::all().zip(game.info().levels);
        let rated = levels.filter_map(|(number, level)| Some((level.rating?.elo.into(), number)));
        let levels: Vec<_> = rated.collect();
        Self {
            multi_pv: 1,
            limit_strength: false,
            elo: levels.first().map_or(0, |&(elo, _)| elo),
            overhead: Duration::from_millis(20),
            seed: 0,
            standard: game,
            fischer_random,
            plays_fischer_random: false,
            levels,
        }
    }

    /// The variant in play.
    pub(super) fn game(&self) -> &'static dyn AnyGame {
        self.fischer_random.filter(|_| self.plays_fischer_random).unwrap_or(self.standard)
    }

    /// The declarations of the options, which answer the command `uci`, a line each.
    pub(super) fn declarations(&self) -> Vec<String> {
        let mut options = vec![
            format!("Hash type spin default {} min 1 max 1048576", MOST_MEMORY >> 20),
            "Threads type spin default 1 min 1 max 1".to_owned(),
            "Ponder type check default false".to_owned(),
            format!("MultiPV type spin default 1 min 1 max {MOST_MOVES}"),
            format!("Move Overhead type spin default 20 min 0 max {MOST_OVERHEAD}"),
        ];
        if self.fischer_random.is_some() {
            options.push("UCI_Chess960 type check default false".to_owned());
        }
        if let [(least, _), .., (most, _)] = self.levels[..] {
            options.push("UCI_LimitStrength type check default false".to_owned());
            options.push(format!("UCI_Elo type spin default {least} min {least} max {most}"));
        }
        options
    }

    /// Sets the option that the words after `setoption` name.
    pub(super) fn set(&mut self, words: &[&str]) -> Result<(), String> {
        let value = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let ["name", name @ ..] = &words[..value] else {
            return Err("setoption: expected name".to_owned());
        };
        let name = name.join(" ");
        let value = words[value..].get(1).copied().unwrap_or_default();
        let number = |least, most| {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| format!("{name}: expected a number from {least} to {most}"))
        };
        let flag = || value.parse().map_err(|_| format!("{name}: expected true or false"));
        match name.to_ascii_lowercase().as_str() {
            "hash" => Err(format!(
                "Hash: the table has what the limits of a search need, {} MiB at most",
                MOST_MEMORY >> 20
            )),
            "threads" => number(1, 1).map(|_| ()),
            "multipv" => number(1, MOST_MOVES).map(|number| self.multi_pv = number),
            "move overhead" => {
                number(0, MOST_OVERHEAD).map(|number| self.overhead = Duration::from_millis(number))
            }
            // Pondering needs no setting: a chess program sends `go ponder`.
            "ponder" => flag().map(|_: bool| ()),
            "uci_limitstrength" => flag().map(|flag| self.limit_strength = flag),
            "uci_elo" => number(0, 10_000).map(|number| self.elo = number),
            _ if self.fischer_random.is_some() && name.eq_ignore_ascii_case("UCI_Chess960") => {
                flag().map(|flag| self.plays_fischer_random = flag)
            }
            _ => Err(format!("there is no option '{name}'")),
        }
    }

    /// The search within the limits of `go`, or by a level where strength is limited.
    pub(super) fn parameters(
        &self,
        go: &Go,
        hard_limit: Option<Duration>,
        max_depth: u32,
    ) -> SearchParameters {
        let search_moves = Some(go.search_moves.clone()).filter(|moves| !moves.is_empty());
        if let Some(level) = self.level() {
            let (level, seed) = (Some(level), Some(self.seed));
            return SearchParameters {
                level,
                seed,
                search_moves,
                time_limit: hard_limit,
                ..SearchParameters::default()
            };
        }
        let max_depth = u64::from(max_depth);
        let is_unbounded = go.nodes.is_none() && hard_limit.is_none();
        let depth = go.depth.or(is_unbounded.then_some(max_depth));
        SearchParameters {
            depth: depth.map(|depth| depth.clamp(1, max_depth)),
            nodes: go.nodes.map(|nodes| nodes.max(1)),
            time: hard_limit,
            search_moves,
            top: (self.multi_pv > 1).then_some(self.multi_pv),
            ..SearchParameters::default()
        }
    }

    /// The strongest level within `UCI_Elo`, where strength is limited.
    fn level(&self) -> Option<LevelNumber> {
        let (weakest, rest) = self.levels.split_first().filter(|_| self.limit_strength)?;
        let wanted = rest.iter().take_while(|(elo, _)| *elo <= self.elo).last();
        Some(wanted.unwrap_or(weakest).1)
    }
}
