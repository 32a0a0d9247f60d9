//! Nim with one heap: two players take one, two or three matches in turn; who takes the last one wins.

use std::sync::Arc;

use bestmove_engine::game::{
    BoardStyle, Cells, Drawing, Ending, Evaluator, Game, GameInfo, LEVEL_COUNT, Level, Move,
    MoveDrawing, MoveError, MoveText, Notation, Outcome, Piece, Position, PositionError,
    PositionText, Sample, SelectiveHooks, Side, Skill, SolverHooks, Square, Surface,
};
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::any::{AnyGame, SearchParameters};
use bestmove_engine::search::Algorithm;

/// How many matches to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Take(u8);

impl Move for Take {
    const INDICES: u16 = 4;

    fn move_index(self) -> u16 {
        u16::from(self.0)
    }
}

/// The matches that are left, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Heap {
    matches: u8,
    side: Side,
}

// The first trait: the rules.
impl Position for Heap {
    type Move = Take;
    type Moves = std::iter::Map<std::ops::RangeInclusive<u8>, fn(u8) -> Take>;

    fn side_to_move(&self) -> Side {
        self.side
    }

    // From the view of the side to move: facing an empty heap, it has lost.
    fn outcome(&self) -> Option<Outcome> {
        (self.matches == 0).then_some(Outcome::Loss)
    }

    fn legal_moves(&self) -> Self::Moves {
        (1..=self.matches.min(3)).map(Take)
    }

    fn play(&self, take: Take) -> Self {
        Self { matches: self.matches - take.0, side: self.side.other() }
    }

    fn key(&self) -> u64 {
        u64::from(self.matches) << 1 | self.side as u64
    }
}

/// Knows nothing: only finished games count.
struct Finished;

// The second trait: the evaluation.
impl Evaluator<Heap> for Finished {
    type Accumulator = ();

    fn score(&self, _: &Heap) -> i32 {
        0
    }
}

// The defaults of the selective search and of the solver will do.
impl SelectiveHooks<Heap> for Finished {}
impl SolverHooks<Heap> for Finished {}

#[derive(Clone, Copy)]
struct Nim;

/// Every level plays so.
const PERFECT: Level = Level {
    description: "plays perfectly",
    skill: Skill::Search { depth: Some(21), nodes: None, algorithm: None, lapses: 0 },
    rating: None,
};

/// What the game says about itself.
static INFO: GameInfo = GameInfo {
    name: "nim",
    other_names: &[],
    variant: "21",
    other_variant_names: &[],
    description: "a heap of 21 matches",
    title: "Nim",
    sides: ["first", "second"],
    pieces: &[Piece { name: "match", side: Side::First, symbol: "❘", label: "match" }],
    board: BoardStyle { surface: Surface::Lines, columns: &[], rows: &[], first_number: None },
    start: "21 first",
    positions: Sample { notation: "the matches and the side to move", examples: &["21 first"] },
    moves: Sample { notation: "how many matches to take, 1 to 3", examples: &["1", "3"] },
    uci: false,
    rows: false,
    evaluators: &[("finished", "only finished games count")],
    score_unit: None,
    default_depth: Some(21),
    max_depth: 32,
    levels: &[PERFECT; LEVEL_COUNT],
    motifs: &[],
    move_count_claim: None,
    network: None,
    table_pieces: 0,
};

// The third trait: names and notation.
impl Game for Nim {
    type Evaluator = Finished;
    type Knowledge = ();

    const VARIANTS: &'static [Self] = &[Self];

    fn game_info(&self) -> &'static GameInfo {
        &INFO
    }

    fn start(&self) -> Heap {
        Heap { matches: 21, side: Side::First }
    }

    fn evaluator(name: &str, _: &Arc<()>) -> Option<Finished> {
        (name == "finished").then_some(Finished)
    }
}

impl Notation for Nim {
    type Position = Heap;

    fn read_position(&self, text: &PositionText) -> Result<Heap, PositionError> {
        let read = |text: &str| {
            let (matches, side) = text.split_once(' ')?;
            let side = if side == INFO.sides[0] { Side::First } else { Side::Second };
            Some(Heap { matches: matches.parse().ok().filter(|&matches| matches <= 21)?, side })
        };
        let heap = if let PositionText::Text(text) = text { read(text) } else { None };
        heap.ok_or_else(|| PositionError("expected a text such as '21 first'".to_owned()))
    }

    fn write_position(heap: &Heap) -> String {
        format!("{} {}", heap.matches, INFO.sides[heap.side as usize])
    }

    fn read_move(heap: &Heap, text: &str) -> Result<Take, MoveError> {
        let take = heap.legal_moves().find(|take| take.0.to_string() == text);
        take.ok_or_else(|| MoveError("expected 1 to 3, and no more than there are".to_owned()))
    }

    fn write_move(_: &Heap, take: Take) -> MoveText {
        take.0.to_string().into()
    }
}

impl Drawing for Nim {
    fn cells(heap: &Heap) -> Cells {
        vec![(0..21).map(|cell| if cell < heap.matches { "match" } else { "" }).collect()]
    }

    fn drawn_move(heap: &Heap, take: Take) -> MoveDrawing {
        let squares = (heap.matches - take.0..heap.matches).map(|column| Square { row: 0, column });
        MoveDrawing { captures: squares.collect(), ..MoveDrawing::default() }
    }

    fn drawing(heap: &Heap) -> String {
        "|".repeat(usize::from(heap.matches)) + "\n"
    }

    fn ending(_: &Heap) -> Ending {
        Ending { reason: "no matches left", line: Vec::new() }
    }
}

fn main() {
    let board = Nim.board(None, &[]).expect("the start");
    let parameters =
        SearchParameters { algorithm: Some(Algorithm::AlphaBeta), ..SearchParameters::default() };
    let search = board.search(&parameters, &Knowledge::default());
    let answer = search.expect("the game goes on").run(&false.into());
    assert_eq!(answer.best_move.text, "1", "leave a multiple of four");
    assert_eq!(answer.evaluation.outcome, Some(Outcome::Win));
}
