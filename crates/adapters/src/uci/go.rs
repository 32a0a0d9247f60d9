//! The limits of a search: the words of `go`, and the share of a clock for a move.

use std::time::Duration;

/// The moves for which the clock should last, where `go` names no time control.
const MOVES_LEFT: i64 = 30;

/// The words that may follow `go`.
const WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

/// The limits that the command `go` gives. Times are in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub(super) depth: Option<u64>,
    pub(super) nodes: Option<u64>,
    pub(super) search_moves: Vec<String>,
    /// Moves within which a mate is sought.
    pub(super) mate: Option<u64>,
    move_time: Option<u64>,
    /// The clocks of White and Black.
    clocks: [Option<u64>; 2],
    increments: [u64; 2],
    remaining_moves: Option<u64>,
    pub(super) infinite: bool,
    /// Whether the move is searched while the opponent thinks.
    pub(super) ponder: bool,
}

/// The time that a search may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TimeBudget {
    /// No depth is begun later.
    pub(super) soft_limit: Option<Duration>,
    /// The search stops then.
    pub(super) hard_limit: Option<Duration>,
}

impl Go {
    /// Reads the words after `go`, and returns complaints about those that were left out.
    pub(super) fn parse(words: &[&str]) -> (Self, Vec<String>) {
        let (mut go, mut errors) = (Self::default(), Vec::new());
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|word| !WORDS.contains(word)) {
                        go.search_moves.push(mv.to_owned());
                    }
                }
                _ if !WORDS.contains(&word) => errors.push(format!("go: unknown '{word}'")),
                _ => match words.next_if(|word| !WORDS.contains(word)).map(str::parse::<i64>) {
                    Some(Ok(number)) => go.set(word, number.max(0).unsigned_abs()),
                    _ => errors.push(format!("go {word}: expected a number")),
                },
            }
        }
        (go, errors)
    }

    fn set(&mut self, word: &str, number: u64) {
        match word {
            "wtime" => self.clocks[0] = Some(number),
            "btime" => self.clocks[1] = Some(number),
            "winc" => self.increments[0] = number,
            "binc" => self.increments[1] = number,
            "movestogo" => self.remaining_moves = Some(number),
            "depth" => self.depth = Some(number),
            "nodes" => self.nodes = Some(number),
            "mate" => self.mate = Some(number),
            _ => self.move_time = Some(number),
        }
    }

    /// Whether nothing bounds the search.
    pub(super) fn is_infinite(&self) -> bool {
        let has_clock = self.clocks.iter().any(Option::is_some);
        let is_bounded = self.depth.or(self.nodes).or(self.mate).or(self.move_time).is_some();
        self.infinite || !is_bounded && !has_clock
    }

    /// The time for a move of the side that moves first or second. Each of the next moves gets an equal share of the clock, and
    /// a move up to three shares where a depth takes long. Every later move gains an increment and loses
    /// `overhead`, the time that passes between the two programs. Half of the clock stays as a reserve, a quarter before a
    /// time control. A time for the move alone is no clock: a search takes all of it.
    pub(super) fn budget(
        &self,
        is_first: bool,
        has_choice: bool,
        overhead: Duration,
    ) -> TimeBudget {
        /// Milliseconds, 34 years: more than any clock has, and far from an overflow.
        const MOST: u64 = 1 << 40;
        let number = |time: u64| time.min(MOST).cast_signed();
        let milliseconds = |time: i64| Duration::from_millis(time.max(1).unsigned_abs());
        if self.infinite {
            return TimeBudget::default();
        }
        if let Some(time) = self.move_time {
            let hard_limit = Some(milliseconds(number(time)));
            return TimeBudget { soft_limit: None, hard_limit };
        }
        let side = usize::from(!is_first);
        // A missing clock is assumed to show the time of the other one.
        let Some(clock) = self.clocks[side].or(self.clocks[1 - side]) else {
            return TimeBudget::default();
        };
        let overhead = number(u64::try_from(overhead.as_millis()).unwrap_or(MOST));
        let usable = (number(clock) - overhead).max(0);
        let moves = self.remaining_moves.map_or(MOVES_LEFT, number).clamp(1, MOVES_LEFT);
        let later = (moves - 1) * (number(self.increments[side]) - overhead);
        let share = (usable + later.max(-usable / 2)) / moves;
        let most = if moves == 1 { usable * 3 / 4 } else { usable / 2 };
        // A depth takes longer than all depths before it together.
        let soft = if has_choice { share.min(most) / 2 } else { 0 };
        let soft_limit = Some(Duration::from_millis(soft.unsigned_abs()));
        TimeBudget { soft_limit, hard_limit: Some(milliseconds((3 * share).min(most))) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::option;
    use proptest::prelude::*;

    use super::*;

    fn go(line: &str) -> Go {
        let (go, errors) = Go::parse(&line.split(' ').collect::<Vec<_>>());
        assert!(errors.is_empty(), "{errors:?}");
        go
    }

    #[test]
    fn every_word_is_read_wherever_it_stands() {
        let all = go(
            "wtime 1000 btime 2000 winc 10 binc 20 movestogo 5 depth 6 searchmoves e2e4 d2d4 nodes 7",
        );
        assert_eq!((all.clocks, all.increments), ([Some(1000), Some(2000)], [10, 20]));
        assert_eq!((all.remaining_moves, all.depth, all.nodes), (Some(5), Some(6), Some(7)));
        assert_eq!(all.search_moves, ["e2e4", "d2d4"]);
        assert!(go("infinite").is_infinite() && Go::default().is_infinite() && !all.is_infinite());
    }

    proptest! {
        /// What a search may take, the overhead and a quarter of the rest are never more than the clock has.
        #[test]
        fn a_reserve_stays_on_every_clock(
            clock in prop_oneof![0..100_u64, 0..10_000_u64, any::<u64>()],
            increment in prop_oneof![0..100_u64, any::<u64>()],
            remaining_moves in option::of(prop_oneof![0..50_u64, any::<u64>()]),
            overhead in 0..5000_u64,
            has_choice: bool,
        ) {
            let clocks = [Some(clock), None];
            let go = Go { clocks, remaining_moves, increments: [increment; 2], ..Go::default() };
            let budget = go.budget(true, has_choice, Duration::from_millis(overhead));
            let hard_limit = budget.hard_limit.expect("a clock is a limit");
            let usable = clock.saturating_sub(overhead);
            let most = Duration::from_millis((usable - usable / 4).max(1));
            prop_assert!(hard_limit <= most);
            prop_assert!(budget.soft_limit.is_some_and(|soft_limit| soft_limit <= hard_limit));
        }
    }

    /// Each move costs the clock what the search takes and the overhead: no game on such a clock ends by it.
    #[test]
    fn a_game_of_many_moves_never_runs_out_of_time() {
        for (base, increment) in [(1000, 10), (2000, 20), (1000, 0), (60_000, 0), (60_000, 600)] {
            for remaining_moves in [None, Some(1), Some(40)] {
                let (overhead, mut clock) = (Duration::from_millis(20), base);
                for ply in 0..300 {
                    let (clocks, increments) = ([Some(clock), None], [increment; 2]);
                    let go = Go { clocks, increments, remaining_moves, ..Go::default() };
                    let hard_limit = go.budget(true, true, overhead).hard_limit.expect("a limit");
                    // A process that has to wait for a processor loses some milliseconds.
                    let taken = u64::try_from(hard_limit.as_millis()).expect("a time") + 5;
                    assert!(taken < clock, "{base} + {increment}, move {ply}: {taken} of {clock}");
                    clock = clock - taken + increment;
                    if increment == 0 && clock < 50 {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn a_time_for_the_move_is_used_whole() {
        let budget = go("movetime 100").budget(true, true, Duration::from_millis(20));
        assert_eq!(budget.hard_limit, Some(Duration::from_millis(100)));
    }

    #[test]
    fn one_clock_bounds_both_sides() {
        for is_first in [true, false] {
            let budget = go("btime 1000").budget(is_first, true, Duration::ZERO);
            assert!(budget.hard_limit.is_some_and(|limit| limit <= Duration::from_millis(500)));
        }
    }

    #[test]
    fn without_a_choice_only_one_depth_is_searched() {
        let go = go("wtime 60000 btime 60000");
        let budget = go.budget(true, false, Duration::ZERO);
        assert_eq!(budget.soft_limit, Some(Duration::ZERO));
    }
}
