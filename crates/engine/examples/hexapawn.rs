//! Hexapawn on four files: pawns step forward and capture diagonally. Who reaches the other end, or leaves the opponent
//! without a move, wins. The rules and an evaluation are all that a search needs.

use bestmove_engine::game::{
    Evaluator, Move, Outcome, Position, SelectiveHooks, Side, SolverHooks,
};
use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};

const SIZE: i32 = 4;

/// From one square to another, both 0 to 15, row by row from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    from: u8,
    to: u8,
}

impl Move for Step {
    const INDICES: u16 = 256;

    fn move_index(self) -> u16 {
        u16::from(self.from) * 16 + u16::from(self.to)
    }
}

/// The pawns of each side, a bit for each square. The first side moves down.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hexapawn {
    pawns: [u16; 2],
    side: Side,
}

impl Hexapawn {
    fn start() -> Self {
        Self { pawns: [0x000f, 0xf000], side: Side::First }
    }

    fn has(&self, side: Side, square: i32) -> bool {
        self.pawns[side as usize] >> square & 1 == 1
    }

    /// The square so many rows ahead of `square` and columns beside it.
    fn ahead(side: Side, square: i32, beside: i32) -> Option<i32> {
        let row = square / SIZE + if side == Side::First { 1 } else { -1 };
        let column = square % SIZE + beside;
        let is_on_board = (0..SIZE).contains(&row) && (0..SIZE).contains(&column);
        is_on_board.then_some(row * SIZE + column)
    }
}

impl Position for Hexapawn {
    type Move = Step;
    type Moves = Vec<Step>;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        let ends = [0xf000, 0x000f];
        let has_arrived = |side: Side| self.pawns[side as usize] & ends[side as usize] != 0;
        let is_lost = has_arrived(self.side.other()) || self.legal_moves().is_empty();
        is_lost.then_some(Outcome::Loss)
    }

    fn legal_moves(&self) -> Vec<Step> {
        let own = (0..SIZE * SIZE).filter(|&square| self.has(self.side, square));
        let steps = own.flat_map(|from| {
            [0, -1, 1].into_iter().filter_map(move |beside| {
                let to = Self::ahead(self.side, from, beside)?;
                let is_taken = self.has(self.side.other(), to);
                let is_legal =
                    if beside == 0 { !is_taken && !self.has(self.side, to) } else { is_taken };
                is_legal.then_some(Step { from: from as u8, to: to as u8 })
            })
        });
        steps.collect()
    }

    fn play(&self, step: Step) -> Self {
        let mut pawns = self.pawns;
        pawns[self.side as usize] ^= 1 << step.from | 1 << step.to;
        pawns[self.side.other() as usize] &= !(1 << step.to);
        Self { pawns, side: self.side.other() }
    }

    fn key(&self) -> u64 {
        u64::from(self.pawns[0]) << 17 | u64::from(self.pawns[1]) << 1 | self.side as u64
    }
}

/// Counts pawns.
struct Pawns;

impl Evaluator<Hexapawn> for Pawns {
    type Accumulator = ();

    fn score(&self, position: &Hexapawn) -> i32 {
        let count = |side: Side| position.pawns[side as usize].count_ones() as i32;
        100 * (count(position.side) - count(position.side.other()))
    }
}

// The defaults of the selective search and of the solver will do.
impl SelectiveHooks<Hexapawn> for Pawns {}
impl SolverHooks<Hexapawn> for Pawns {}

fn main() {
    let mut position = Hexapawn::start();
    while position.outcome().is_none() {
        let task = Task::new(position.clone(), SearchLimits::depth(16), Algorithm::AlphaBeta);
        let report = search::run(&task, &Pawns);
        let Step { from, to } = report.best_move();
        println!("{:?} {from}-{to}, {:?}", position.side, report.outcome);
        assert!(report.outcome.is_some(), "sixteen plies are the whole game");
        position = position.play(report.best_move());
    }
    println!("{:?} has lost", position.side);
}
