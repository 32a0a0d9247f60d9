//! The tests of jobs and their answers.

mod million;
mod truth;

use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use bestmove_api::{Context, Control, Include, Job, Wanted};
use bestmove_engine::game::PositionText;
use bestmove_engine::games::any::{Answer, AnyBoard, SearchParameters};
use bestmove_engine::games::{self, Knowledge};

static KNOWLEDGE: LazyLock<Knowledge> =
    LazyLock::new(|| games::load_knowledge(None).expect("the knowledge is whole"));

fn board(game: &str, position: Option<&str>) -> Box<dyn AnyBoard> {
    let game = games::find(game).expect("there is such a game");
    let position = position.map(|text| PositionText::Text(text.to_owned()));
    game.board(position.as_ref(), &[]).expect("the position is legal")
}

fn answer(board: &dyn AnyBoard, parameters: &SearchParameters) -> Answer {
    let search = board.search(parameters, &KNOWLEDGE).expect("the search is offered");
    search.run(&AtomicBool::new(false))
}

/// An answer with its reasons.
fn explained(board: Box<dyn AnyBoard>, parameters: &SearchParameters) -> Answer {
    let context = Context { knowledge: KNOWLEDGE.clone(), max_time: None };
    let wanted = Wanted { reasons: true, threat: true };
    let include = Include { wanted, ..Include::default() };
    let job = Job::of_board(board, parameters, include, &context).expect("the search is offered");
    job.run(Control::new(&AtomicBool::new(false)))
}

/// Random numbers that are the same in every run (Knuth's linear congruential generator).
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}
