//! The limits of a search: what `go` says, and how much of a clock a move may use.

use std::time::Duration;

/// The moves for which the rest of the clock should last, where nobody says how many there are.
const MOVES_LEFT: u64 = 30;

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
}

/// The time that a search may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Budget {
    /// After this no further depth is begun.
    pub(super) soft_limit: Option<Duration>,
    /// At this the search stops.
    pub(super) hard_limit: Option<Duration>,
}

impl Go {
    /// Reads the words after `go`, and says which were left out.
    pub(super) fn parse(words: &[&str]) -> (Self, Vec<String>) {
        let (mut go, mut errors) = (Self::default(), Vec::new());
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => {}
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

    /// The time for a move of the side that moves first or second: of the clock an equal share for each
    /// of the next moves, with the increment, and up to three times as much where a depth takes
    /// long. `overhead` is lost between the two programs.
    pub(super) fn budget(&self, is_first: bool, has_choice: bool, overhead: Duration) -> Budget {
        let milliseconds = |time: u64| Duration::from_millis(time.max(1));
        let overhead = overhead.as_millis() as u64;
        if self.infinite {
            return Budget::default();
        }
        if let Some(time) = self.move_time {
            let hard_limit = Some(milliseconds(time.saturating_sub(overhead)));
            return Budget { soft_limit: None, hard_limit };
        }
        let side = usize::from(!is_first);
        let Some(clock) = self.clocks[side] else { return Budget::default() };
        let available = clock.saturating_sub(overhead);
        let moves = self.remaining_moves.unwrap_or(MOVES_LEFT).clamp(1, MOVES_LEFT);
        let share = available / moves + self.increments[side] * 3 / 4;
        let most = if moves == 1 { available * 9 / 10 } else { available / 2 };
        // A depth takes longer than all before it together.
        let soft = if has_choice { share.min(most) / 2 } else { 0 };
        let soft_limit = Some(Duration::from_millis(soft));
        Budget { soft_limit, hard_limit: Some(milliseconds((3 * share).min(most))) }
    }
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn a_clock_is_never_used_up() {
        let overhead = Duration::from_millis(10);
        for clock in [0, 1, 5, 20, 100, 2000, 60_000] {
            for moves in [None, Some(1), Some(2), Some(40)] {
                let clocks = [Some(clock), None];
                let go =
                    Go { clocks, remaining_moves: moves, increments: [20; 2], ..Go::default() };
                let limit = go.budget(true, true, overhead).hard_limit.expect("a limit");
                let most = Duration::from_millis(clock.saturating_sub(10).max(1));
                assert!(limit <= most, "{clock} ms for {moves:?}: {limit:?}");
            }
        }
    }

    #[test]
    fn without_a_choice_only_one_depth_is_searched() {
        let go = go("wtime 60000 btime 60000");
        let budget = go.budget(true, false, Duration::ZERO);
        assert_eq!(budget.soft_limit, Some(Duration::ZERO));
    }
}
