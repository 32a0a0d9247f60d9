//! The contract without a server, for pages and for Node: a request of a route in, the bytes of its answer out, the same as
//! over HTTP.
//!
//! Nothing runs side by side: a call ends with its answer. A host that wants to stop a call ends the worker that runs it.

#[cfg(target_arch = "wasm32")]
mod module;

use std::sync::atomic::AtomicBool;

use bestmove_api::{
    AnalysisRequest, BatchLine, BestMoveRequest, BoardSvgRequest, Context, Control,
    GameDescription, GameList, Health, Job, PositionAnswer, PositionRequest, Prepare, Problem,
    ProblemKind, Review, ReviewRequest, ReviewStep, TreeRequest, answer_line, answer_words,
    batch_lines, read, read_query,
};
use bestmove_engine::games::any::Answer;
use serde::Serialize;

/// The id of a request in problems.
pub const REQUEST_ID: &str = "local";

const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";
const EVENTS: &str = "text/event-stream";
const TEXT: &str = "text/plain; charset=utf-8";
/// The media type of a problem.
pub const PROBLEM: &str = "application/problem+json";

/// A request.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The method, such as `POST`.
    pub method: &'a str,
    /// The path, which begins with a slash.
    pub path: &'a str,
    /// The query, without a question mark.
    pub query: &'a str,
    /// The body, in JSON.
    pub body: &'a str,
}

/// Takes an answer: its status, its media type and its body. The bodies of streams and batches come in parts.
pub type Tell<'a> = &'a mut dyn FnMut(u16, &str, &[u8]);

type Told = Result<(), Problem>;
type Handler = fn(Call, &Context, Tell) -> Told;

const GET: &[&str] = &["GET", "HEAD"];
const POST: &[&str] = &["POST"];
const BOTH: &[&str] = &["GET", "HEAD", "POST"];

/// The routes that need no server, with their methods. The last one is for terminals and no part of the contract.
const ROUTES: [(&str, &[&str], Handler); 15] = [
    ("/best-move", BOTH, searched::<BestMoveRequest>),
    ("/best-move/stream", BOTH, watched::<BestMoveRequest>),
    ("/best-move/batch", POST, |call, context, tell| {
        batch(call, context, tell);
        Ok(())
    }),
    ("/best-move.txt", GET, |call, context, tell| {
        let answer = run(&prepared::<BestMoveRequest>(call, context)?);
        tell(200, TEXT, format!("{}\n", answer.best_move.text).as_bytes());
        Ok(())
    }),
    ("/analyze", POST, searched::<AnalysisRequest>),
    ("/analyze/stream", POST, watched::<AnalysisRequest>),
    ("/review", POST, |call, context, tell| {
        let review = reviewed(prepared::<ReviewRequest>(call, context)?, &mut |_| Ok(()))?;
        tell_json(&review.answer(), tell)
    }),
    ("/review/stream", POST, watched_review),
    ("/tree", POST, |call, context, tell| {
        let tree = prepared::<TreeRequest>(call, context)?;
        tell_json(&tree.run(&AtomicBool::new(false))?, tell)
    }),
    ("/position", POST, |call, context, tell| {
        let board = prepared::<PositionRequest>(call, context)?;
        tell_json(&PositionAnswer::from(&*board), tell)
    }),
    ("/board.svg", GET, |call, context, tell| {
        let picture = prepared::<BoardSvgRequest>(call, context)?;
        tell(200, "image/svg+xml", picture.svg().as_bytes());
        Ok(())
    }),
    ("/games", GET, |_, _, tell| tell_json(&GameList::of_catalogue(), tell)),
    ("/games/{game}", GET, |call, _, tell| {
        tell_json(&GameDescription::named(call.path.strip_prefix(GAME))?, tell)
    }),
    ("/health", GET, |_, _, tell| tell_json(&Health::new(option_env!("REVISION")), tell)),
    ("/terminal/best-move", GET, |call, context, tell| {
        let job = prepared::<BestMoveRequest>(call, context)?;
        tell(200, TEXT, answer_words(job.board(), &run(&job)).as_bytes());
        Ok(())
    }),
];

/// The beginning of the route of a game.
const GAME: &str = "/games/";

/// Answers a request.
pub fn answer(call: Call, context: &Context, tell: Tell) {
    let path = call.path.strip_suffix('/').filter(|path| !path.is_empty()).unwrap_or(call.path);
    let tell: Tell = &mut |status, kind, part: &[u8]| {
        tell(status, kind, if call.method == "HEAD" { &[] } else { part });
    };
    if let Err(problem) = routed(Call { path, ..call }, context, tell) {
        tell(problem.kind().row().status, PROBLEM, problem.body(REQUEST_ID).as_bytes());
    }
}

fn routed(call: Call, context: &Context, tell: Tell) -> Told {
    let name = if call.path.starts_with(GAME) { "/games/{game}" } else { call.path };
    let route = ROUTES.iter().find(|(route, ..)| *route == name);
    let (_, methods, handler) = route.ok_or_else(|| Problem::nothing_at(call.path))?;
    if !methods.contains(&call.method) {
        return Err(Problem::method_not_allowed(call.method).naming_methods(methods));
    }
    handler(call, context, tell)
}

/// What a request asks for, read from its body, or from its query where it has none.
fn prepared<R: Prepare>(call: Call, context: &Context) -> Result<R::Prepared, Problem> {
    let is_post = call.method == "POST";
    let request = if is_post { read::<R>(call.body.as_bytes()) } else { read_query(call.query) };
    request?.prepare(context)
}

fn run(job: &Job) -> Answer {
    job.run(Control::new(&AtomicBool::new(false)))
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, Problem> {
    let json = serde_json::to_vec(value);
    json.map_err(|error| Problem::new(ProblemKind::Internal, error.to_string()))
}

fn tell_json(value: &impl Serialize, tell: Tell) -> Told {
    tell(200, JSON, &json(value)?);
    Ok(())
}

fn searched<R: Prepare<Prepared = Job>>(call: Call, context: &Context, tell: Tell) -> Told {
    tell_json(&run(&prepared::<R>(call, context)?), tell)
}

/// Tells a server-sent event.
fn tell_event(name: &str, data: &[u8], tell: Tell) {
    let end = if matches!(name, "result" | "problem") { "id: end\n\n" } else { "\n" };
    let event = ["event: ", name, "\ndata: ", &String::from_utf8_lossy(data), "\n", end];
    tell(200, EVENTS, event.concat().as_bytes());
}

fn watched<R: Prepare<Prepared = Job>>(call: Call, context: &Context, tell: Tell) -> Told {
    let job = match prepared::<R>(call, context) {
        // `EventSource` cannot read the status of an answer.
        Err(problem) if call.method != "POST" => {
            tell_event("problem", problem.body(REQUEST_ID).as_bytes(), tell);
            return Ok(());
        }
        job => job?,
    };
    let observer = &mut |so_far: Answer| {
        if let Ok(data) = json(&so_far) {
            tell_event("progress", &data, tell);
        }
    };
    let control = Control { stop: &AtomicBool::new(false), observer: Some(observer) };
    let answer = job.run(control);
    tell_event("result", &json(&answer)?, tell);
    Ok(())
}

/// The review after all of its searches, one after the other, each of which is observed.
fn reviewed(
    mut review: Review,
    observer: &mut dyn FnMut(&ReviewStep) -> Told,
) -> Result<Review, Problem> {
    loop {
        let tasks = review.tasks();
        if tasks.is_empty() {
            return Ok(review);
        }
        for task in tasks {
            let result = task.prepare()?.run(&AtomicBool::new(false));
            observer(&review.take(result))?;
        }
    }
}

fn watched_review(call: Call, context: &Context, tell: Tell) -> Told {
    let review = prepared::<ReviewRequest>(call, context)?;
    let watched = reviewed(review, &mut |step| {
        let name = if matches!(step, ReviewStep::Search(_)) { "search" } else { "progress" };
        tell_event(name, &json(step)?, tell);
        Ok(())
    });
    match watched.and_then(|review| json(&review.answer())) {
        Ok(data) => tell_event("result", &data, tell),
        Err(problem) => tell_event("problem", problem.body(REQUEST_ID).as_bytes(), tell),
    }
    Ok(())
}

fn batch(call: Call, context: &Context, tell: Tell) {
    tell(200, LINES, &[]);
    for line in batch_lines(call.body.as_bytes()) {
        let (id, request) = BatchLine::read(line);
        let job = request.and_then(|request| request.prepare(context));
        let answer = match job.and_then(|job| json(&run(&job))) {
            Ok(json) => answer_line(id.as_ref(), &json),
            Err(problem) => (problem.line_body(REQUEST_ID, id.as_ref()) + "\n").into_bytes(),
        };
        tell(200, LINES, &answer);
    }
}
