//! Retrograde analysis: exact values of all positions of an endgame, found backwards from its ends
//! (Ströhlein, *Untersuchungen über kombinatorische Spiele*, 1970; Thompson, *Retrograde Analysis
//! of Certain Endgames*, 1986). It serves every game whose endgames can be numbered.

use bestmove_endgames::{DRAW, Plies, is_loss};

/// A set of positions, numbered from 0. Their moves stay inside, or lead outside to positions with known values.
pub(super) trait Endgame {
    /// The number of positions, impossible ones among them.
    fn positions(&self) -> usize;

    /// A summary of the moves of a position; `None` for an impossible position.
    fn summary(&self, position: usize) -> Option<MoveSummary>;

    /// Calls `each` with the positions inside from which a move leads to `position`, once for each such move.
    fn predecessors(&self, position: usize, each: impl FnMut(usize));
}

/// The results of the moves of a position, as far as they lead outside.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MoveSummary {
    /// The moves that stay inside.
    inside: u8,
    /// Whether a move outside does not lose.
    has_safe_move: bool,
    /// The plies of the quickest win by a move outside.
    win: Option<Plies>,
    /// The plies that the moves outside hold out, where all of them lose.
    loss: Plies,
}

impl MoveSummary {
    /// Counts a move that stays inside.
    pub(super) fn add_inside(&mut self) {
        self.inside += 1;
    }

    /// Counts a move to a position outside. `value` is that of its side to move.
    pub(super) fn add_outside(&mut self, value: Plies) {
        match value {
            DRAW => self.has_safe_move = true,
            plies if is_loss(plies) => {
                self.has_safe_move = true;
                self.win = Some(self.win.map_or(plies + 1, |win| win.min(plies + 1)));
            }
            plies => self.loss = self.loss.max(plies + 1),
        }
    }
}

/// The values of all positions; impossible ones count as drawn.
///
/// # Panics
/// Where a win takes more plies than [`Plies`] can count.
pub(super) fn solve_endgame(endgame: &impl Endgame) -> Vec<Plies> {
    let mut analysis = Analysis::new(endgame);
    let mut plies = 0;
    while usize::from(plies) < analysis.due.len() {
        assert!(plies < DRAW, "a win takes too many plies");
        for position in std::mem::take(&mut analysis.due[usize::from(plies)]) {
            analysis.settle(position as usize, plies);
        }
        plies += 1;
    }
    analysis.values
}

/// The state of the analysis: all values below the present number of plies are settled.
struct Analysis<'a, E> {
    endgame: &'a E,
    values: Vec<Plies>,
    /// The moves of each undecided position that are not yet known to lose.
    open_moves: Vec<u8>,
    /// The plies that the moves outside of each position hold out.
    losses: Vec<Plies>,
    /// The positions to settle at each number of plies, unless they have a value by then.
    due: Vec<Vec<u32>>,
}

impl<'a, E: Endgame> Analysis<'a, E> {
    fn new(endgame: &'a E) -> Self {
        let count = endgame.positions();
        let (values, open_moves, losses) = (vec![DRAW; count], vec![0; count], vec![0; count]);
        let mut analysis = Self { endgame, values, open_moves, losses, due: Vec::new() };
        for position in 0..count {
            let Some(summary) = endgame.summary(position) else { continue };
            analysis.open_moves[position] = summary.inside + u8::from(summary.has_safe_move);
            analysis.losses[position] = summary.loss;
            if let Some(plies) = summary.win {
                analysis.schedule(position, plies);
            } else if analysis.open_moves[position] == 0 {
                analysis.schedule(position, summary.loss);
            }
        }
        analysis
    }

    /// Schedules `position` to get the value `plies`, unless it gets a smaller one before.
    fn schedule(&mut self, position: usize, plies: Plies) {
        let due = usize::from(plies);
        if self.due.len() <= due {
            self.due.resize_with(due + 1, Vec::new);
        }
        self.due[due].push(position as u32);
    }

    /// Gives a position its value, and updates its predecessors.
    fn settle(&mut self, position: usize, plies: Plies) {
        if self.values[position] != DRAW {
            return;
        }
        self.values[position] = plies;
        let endgame = self.endgame;
        endgame.predecessors(position, |earlier| {
            if self.values[earlier] != DRAW {
                return;
            }
            if is_loss(plies) {
                self.schedule(earlier, plies + 1);
            } else {
                self.open_moves[earlier] -= 1;
                if self.open_moves[earlier] == 0 {
                    self.schedule(earlier, self.losses[earlier].max(plies + 1));
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;

    /// What a move leads to: a position inside, or one outside of that value.
    #[derive(Clone, Copy, Debug)]
    enum Target {
        Inside(usize),
        Outside(Plies),
    }

    /// A game drawn as a graph; a position without moves is lost.
    #[derive(Debug)]
    struct Graph(Vec<Vec<Target>>);

    impl Endgame for Graph {
        fn positions(&self) -> usize {
            self.0.len()
        }

        fn summary(&self, position: usize) -> Option<MoveSummary> {
            let mut summary = MoveSummary::default();
            for target in &self.0[position] {
                match *target {
                    Target::Inside(_) => summary.add_inside(),
                    Target::Outside(value) => summary.add_outside(value),
                }
            }
            Some(summary)
        }

        fn predecessors(&self, position: usize, mut each: impl FnMut(usize)) {
            for (earlier, targets) in self.0.iter().enumerate() {
                let leads =
                    |target: &&Target| matches!(target, Target::Inside(to) if *to == position);
                targets.iter().filter(leads).for_each(|_| each(earlier));
            }
        }
    }

    /// The value of a position by the values of the positions after its moves.
    fn best(values: impl Iterator<Item = Plies>) -> Plies {
        let rank = |&value: &Plies| match value {
            DRAW => 1000,
            plies if is_loss(plies) => 2000 - i32::from(plies),
            plies => i32::from(plies),
        };
        values.max_by_key(rank).map_or(0, |value| if value == DRAW { DRAW } else { value + 1 })
    }

    /// Value iteration: what holds within more and more plies, until nothing changes any more.
    fn iterated(graph: &Graph) -> Vec<Plies> {
        let mut values = vec![DRAW; graph.0.len()];
        loop {
            let value = |target: &Target| match *target {
                Target::Inside(position) => values[position],
                Target::Outside(value) => value,
            };
            let next: Vec<_> =
                graph.0.iter().map(|targets| best(targets.iter().map(value))).collect();
            if next == values {
                return values;
            }
            values = next;
        }
    }

    fn graphs() -> impl Strategy<Value = Graph> {
        let target = prop_oneof![
            8 => any::<Index>().prop_map(Ok),
            1 => prop_oneof![Just(DRAW), 0..20u8].prop_map(Err),
        ];
        prop::collection::vec(prop::collection::vec(target, 0..4), 1..40).prop_map(|graph| {
            let count = graph.len();
            let target = |target: &Result<Index, Plies>| match *target {
                Ok(index) => Target::Inside(index.index(count)),
                Err(value) => Target::Outside(value),
            };
            Graph(graph.iter().map(|targets| targets.iter().map(target).collect()).collect())
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(5000) })]

        #[test]
        fn backwards_and_forwards_the_values_are_the_same(graph in graphs()) {
            prop_assert_eq!(solve_endgame(&graph), iterated(&graph), "{:?}", graph);
        }
    }
}
