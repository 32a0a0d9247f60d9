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
    ProblemKind, ReviewRequest, ReviewStep, TreeRequest, answer_line, answer_words, batch_lines,
    read, read_query,
};
use bestmove_engine::games::any::Answer;
use serde::Serialize;

/// The id of a request in problems.
const REQUEST_ID: &str = "local";

const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";
const EVENTS: &str = "text/event-stream";
const SVG: &str = "image/svg+xml";
const TEXT: &str = "text/plain; charset=utf-8";
const PROBLEM: &str = "application/problem+json";

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

/// The media type of an answer, and the last part of its body.
type Last = Result<(&'static str, Vec<u8>), Problem>;
/// Takes the parts before the last one.
type Parts<'a> = &'a mut dyn FnMut(&'static str, &[u8]);
/// Answers a request.
type Handler = fn(Call, &Context, Parts) -> Last;

const GET: &[&str] = &["GET", "HEAD"];
const POST: &[&str] = &["POST"];
const BOTH: &[&str] = &["GET", "HEAD", "POST"];
/// The beginning of the route of a game.
const GAME: &str = "/games/";

/// The routes that need no server, with their methods. The last one is for terminals and no part of the contract.
const ROUTES: [(&str, &[&str], Handler); 15] = [
    ("/best-move", BOTH, searched::<BestMoveRequest>),
    ("/best-move/stream", BOTH, watched::<BestMoveRequest>),
    ("/best-move/batch", POST, batch),
    ("/best-move.txt", GET, |call, context, _| {
        let answer = run(&prepared::<BestMoveRequest>(call, context)?);
        Ok((TEXT, format!("{}\n", answer.best_move.text).into()))
    }),
    ("/analyze", POST, searched::<AnalysisRequest>),
    ("/analyze/stream", POST, watched::<AnalysisRequest>),
    ("/review", POST, review),
    ("/review/stream", POST, review),
    ("/tree", POST, |call, context, _| {
        json(&prepared::<TreeRequest>(call, context)?.run(&AtomicBool::new(false))?)
    }),
    ("/position", POST, |call, context, _| {
        json(&PositionAnswer::from(&*prepared::<PositionRequest>(call, context)?))
    }),
    ("/board.svg", GET, |call, context, _| {
        Ok((SVG, prepared::<BoardSvgRequest>(call, context)?.svg().into()))
    }),
    ("/games", GET, |_, _, _| json(&GameList::of_catalogue())),
    ("/games/{game}", GET, |call, _, _| {
        json(&GameDescription::named(call.path.strip_prefix(GAME))?)
    }),
    ("/health", GET, |_, _, _| json(&Health::new(option_env!("REVISION")))),
    ("/terminal/best-move", GET, |call, context, _| {
        let job = prepared::<BestMoveRequest>(call, context)?;
        Ok((TEXT, answer_words(job.board(), &run(&job)).into()))
    }),
];

/// Answers a request.
pub fn answer(call: Call, context: &Context, tell: Tell) {
    let path = call.path.strip_suffix('/').filter(|path| !path.is_empty()).unwrap_or(call.path);
    let mut has_begun = false;
    let last = routed(Call { path, ..call }, context, &mut |kind, part| {
        has_begun = true;
        tell(200, kind, part);
    });
    match last {
        Ok((kind, _)) if call.method == "HEAD" => tell(200, kind, &[]),
        Ok((kind, part)) => tell(200, kind, &part),
        // `EventSource` cannot read the status of an answer.
        Err(problem) if has_begun || (path.ends_with("/stream") && call.method != "POST") => {
            tell(200, EVENTS, &sent("problem", &problem.body(REQUEST_ID)));
        }
        Err(problem) => tell_problem(&problem, tell),
    }
}

fn tell_problem(problem: &Problem, tell: Tell) {
    tell(problem.kind().row().status, PROBLEM, problem.body(REQUEST_ID).as_bytes());
}

fn routed(call: Call, context: &Context, parts: Parts) -> Last {
    let name = if call.path.starts_with(GAME) { "/games/{game}" } else { call.path };
    let route = ROUTES.iter().find(|(route, ..)| *route == name);
    let (_, methods, handler) = route.ok_or_else(|| Problem::nothing_at(call.path))?;
    if !methods.contains(&call.method) {
        return Err(Problem::method_not_allowed(call.method).naming_methods(methods));
    }
    handler(call, context, parts)
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

fn written(value: &impl Serialize) -> Result<String, Problem> {
    let json = serde_json::to_string(value);
    json.map_err(|error| Problem::new(ProblemKind::Internal, error.to_string()))
}

fn json(value: &impl Serialize) -> Last {
    Ok((JSON, written(value)?.into()))
}

/// A server-sent event.
fn event(name: &str, value: &impl Serialize) -> Result<Vec<u8>, Problem> {
    Ok(sent(name, &written(value)?))
}

fn sent(name: &str, data: &str) -> Vec<u8> {
    let end = if matches!(name, "result" | "problem") { "id: end\n" } else { "" };
    format!("event: {name}\ndata: {data}\n{end}\n").into()
}

fn searched<R: Prepare<Prepared = Job>>(call: Call, context: &Context, _: Parts) -> Last {
    json(&run(&prepared::<R>(call, context)?))
}

fn watched<R: Prepare<Prepared = Job>>(call: Call, context: &Context, parts: Parts) -> Last {
    let job = prepared::<R>(call, context)?;
    let observer = &mut |so_far: Answer| {
        if let Ok(event) = event("progress", &so_far) {
            parts(EVENTS, &event);
        }
    };
    let control = Control { stop: &AtomicBool::new(false), observer: Some(observer) };
    Ok((EVENTS, event("result", &job.run(control))?))
}

/// A review, whose searches run one after the other.
fn review(call: Call, context: &Context, parts: Parts) -> Last {
    let mut review = prepared::<ReviewRequest>(call, context)?;
    let is_stream = call.path.ends_with("/stream");
    loop {
        let tasks = review.tasks();
        if tasks.is_empty() {
            let answer = review.answer();
            return if is_stream { Ok((EVENTS, event("result", &answer)?)) } else { json(&answer) };
        }
        for task in tasks {
            let step = review.take(task.prepare()?.run(&AtomicBool::new(false)));
            if is_stream {
                let is_search = matches!(step, ReviewStep::Search(_));
                parts(EVENTS, &event(if is_search { "search" } else { "progress" }, &step)?);
            }
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it is a handler")]
fn batch(call: Call, context: &Context, parts: Parts) -> Last {
    for line in batch_lines(call.body.as_bytes()) {
        let (id, request) = BatchLine::read(line);
        let job = request.and_then(|request| request.prepare(context));
        let answer = match job.and_then(|job| written(&run(&job))) {
            Ok(json) => answer_line(id.as_ref(), json.as_bytes()),
            Err(problem) => (problem.line_body(REQUEST_ID, id.as_ref()) + "\n").into(),
        };
        parts(LINES, &answer);
    }
    Ok((LINES, Vec::new()))
}
