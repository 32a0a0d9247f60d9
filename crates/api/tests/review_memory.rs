//! A review holds no more memory than is reserved for it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bestmove_api::{Context, ReviewRequest, read};
use bestmove_engine::game::PositionText;
use bestmove_engine::games;
use bestmove_engine::games::any::{AnyBoard, GameStatus};
use serde_json::{Value, json};

/// The system's allocator, which counts what is in use.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
static USED: AtomicUsize = AtomicUsize::new(0);

/// The bytes that glibc takes for an allocation.
const fn taken(layout: Layout) -> usize {
    (layout.size() + 8).next_multiple_of(16)
}

#[expect(unsafe_code, reason = "an allocator is unsafe; the calls are handed on as they come")]
// SAFETY: all memory comes from the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        USED.fetch_add(taken(layout), Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        USED.fetch_sub(taken(layout), Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// A chess game in which rooks go round, and a pawn moves now and then.
fn rooks() -> Value {
    let square = |rank: usize, files: usize, index: usize| {
        format!("{}{rank}", char::from(b'a' + (index % files) as u8))
    };
    let step = |rank, files, index| square(rank, files, index) + &square(rank, files, index + 1);
    let moves: Vec<_> = (0..74).flat_map(|index| [step(1, 7, index), step(8, 6, index)]).collect();
    let start = "r6k/pppppppp/8/8/8/8/PPPPPPPP/R6K w - - 0 1";
    json!({"game": "chess", "position": start, "moves": moves, "nodes": 1})
}

/// A chess game in which Black has one move each time, so that lines of many moves are proven.
fn forced() -> Value {
    let start = "k7/7R/8/8/8/7B/PPP5/K7 w - - 0 1";
    let chess = games::find("chess").expect("a game");
    let board = chess.board(Some(&PositionText::Text(start.to_owned())), &[]);
    let (mut board, mut moves) = (board.expect("a position"), Vec::new());
    let mut rng = fastrand::Rng::with_seed(7);
    let after = |board: &dyn AnyBoard, mv: &str| board.after(mv, 0).expect("a legal move");
    while moves.len() < 400 {
        let is_quiet = moves.len() % 90 != 88;
        let mut legal = board.legal_moves();
        rng.shuffle(&mut legal);
        let rows = board.state().position;
        let is_suitable = |mv: &String| {
            let row = rows.split(['/', ' ']).nth(usize::from(b'8' - mv.as_bytes()[1]));
            let is_king = row.is_some_and(|row| row.contains('K'));
            !["h3", "h7"].iter().any(|piece| mv.starts_with(piece)) && (is_king || !is_quiet)
        };
        let choices = legal.into_iter().map(|mv| mv.mv.text).filter(is_suitable);
        let choice = choices.into_iter().find_map(|mv| {
            let next = after(&*board, &mv);
            let [reply] = &next.legal_moves()[..] else { return None };
            let end = after(&*next, &reply.mv.text);
            let goes_on = end.state().status == GameStatus::Ongoing;
            goes_on.then(|| (mv, reply.mv.text.clone(), end))
        });
        let Some((mv, reply, end)) = choice else { break };
        moves.extend([mv, reply]);
        board = end;
    }
    json!({"game": "chess", "position": start, "moves": moves, "nodes": 1})
}

/// The most that a review holds between two of its tasks, and what is reserved for it.
fn held(body: &Value, context: &Context) -> (usize, usize) {
    let (body, stop, before) =
        (body.to_string(), AtomicBool::new(false), USED.load(Ordering::Relaxed));
    let now = || USED.load(Ordering::Relaxed).saturating_sub(before);
    let request = read::<ReviewRequest>(body.as_bytes()).expect("a request");
    let mut review = request.prepare(context).expect("a review");
    let (reserved, mut most) = (review.memory(), now());
    loop {
        let tasks = review.tasks();
        if tasks.is_empty() {
            break;
        }
        for task in tasks {
            let task = task.prepare().expect("a legal position");
            review.take(task.run(&stop));
            most = most.max(now());
        }
    }
    let answer = review.answer();
    let json = serde_json::to_vec(&answer).expect("an answer");
    (most.max(now() + json.capacity() - json.len()), reserved)
}

#[test]
fn a_review_holds_no_more_than_is_reserved_for_it() {
    let knowledge = games::load_knowledge(None).expect("the knowledge is whole");
    let context = Context { knowledge, max_time: None };
    let explained = |mut body: Value| {
        body["include"] = json!(["reasons", "exercises"]);
        body
    };
    let short = [
        json!({"game": "tic-tac-toe", "moves": ["0", "1", "4", "8", "3", "5"]}),
        json!({"game": "connect-four", "moves": "44535", "nodes": 300}),
        json!({"game": "checkers", "moves": "11-15 23-19 8-11 22-17", "nodes": 300}),
        json!({"game": "chess", "moves": "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#", "nodes": 300}),
    ];
    let all = [rooks(), forced()].into_iter().chain(short.clone()).chain(short.map(explained));
    for body in all {
        // What games build once is there at the second time.
        held(&body, &context);
        let (most, reserved) = held(&body, &context);
        assert!(most <= reserved, "{most} of {reserved} bytes: {body}");
        assert!(most >= reserved / 20, "too much is reserved: {most} of {reserved} bytes: {body}");
    }
}
