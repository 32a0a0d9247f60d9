//! Requests in-process, one after the other: generated, some of them changed as clients get them wrong. Each gets an answer or a
//! problem that keeps the contract.
//!
//! The test takes some seconds. `REQUESTS=1000000 cargo test --release -p bestmove-api --test it million -- --nocapture`
//! makes a million requests; `SECONDS=600` in place of `REQUESTS` makes as many as that takes. A request follows from
//! its number alone: `FIRST=123 REQUESTS=1` makes that one again.

mod contract;
mod found;
mod generate;
mod mutate;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::env;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use bestmove_api::{
    AnalysisRequest, BatchLine, BestMoveRequest, BoardSvgRequest, Context, Control, Job, LineId,
    PositionAnswer, PositionRequest, Prepare, Problem, Review, ReviewRequest, TreeRequest, read,
    read_query,
};
use fastrand::Rng;
use serde_json::Value;

use self::contract::Contract;
use self::generate::Games;
use super::KNOWLEDGE;

/// A route of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Route {
    BestMove,
    BestMoveText,
    Analyze,
    Review,
    Tree,
    Position,
    BoardSvg,
    Batch,
}

/// The routes, each as often as it is asked.
const ROUTES: [Route; 16] = [
    Route::BestMove,
    Route::BestMove,
    Route::BestMove,
    Route::BestMove,
    Route::BestMoveText,
    Route::Analyze,
    Route::Analyze,
    Route::Review,
    Route::Tree,
    Route::Position,
    Route::Position,
    Route::Position,
    Route::BoardSvg,
    Route::BoardSvg,
    Route::Batch,
    Route::Batch,
];

/// How many requests share their random games.
const REQUESTS_OF_GAMES: u64 = 200;

/// The limit of the time of a job.
const MAX_TIME: Duration = Duration::from_millis(20);

/// The time that a request takes at most, but for a review: it has many jobs.
const LONGEST: Duration = Duration::from_millis(220);

/// How often a request is made that took longer, as the machine may have other work.
const ATTEMPTS: usize = 4;

/// The failures of different kinds that end a run.
const MOST_FAILURES: usize = 20;

/// The texts that are tried to make a failure smaller.
const MOST_ATTEMPTS: usize = 2000;

/// What is sent.
#[derive(Clone)]
struct Request {
    route: Route,
    is_query: bool,
    text: Vec<u8>,
}

/// What came back.
enum Reply {
    Answer,
    Problem,
}

impl Request {
    /// The request of this number.
    fn numbered(number: u64, games: &Games) -> Self {
        let mut rng = Rng::with_seed(number);
        let route = ROUTES[rng.usize(..ROUTES.len())];
        let is_query = match route {
            Route::BestMoveText | Route::BoardSvg => true,
            Route::BestMove => rng.usize(..3) == 0,
            _ => false,
        };
        let mut request = generate::request(&mut rng, games, route);
        let changes = [0, 0, 1, 1, 1, 2, 3][rng.usize(..7)];
        for _ in 0..changes {
            mutate::value(&mut rng, &mut request);
        }
        let is_mutated = changes > 0;
        let text = if is_query {
            mutate::query(&mut rng, &request, is_mutated).into_bytes()
        } else {
            mutate::body(&mut rng, &request, is_mutated)
        };
        Self { route, is_query, text }
    }

    /// The text of a query, or of a body as far as it is text.
    fn written(&self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }

    /// A body as JSON, in which a member that is repeated stands once; the names and texts of a query.
    fn json(&self) -> Option<Value> {
        if self.is_query {
            let pairs: Vec<(String, String)> = serde_html_form::from_str(&self.written()).ok()?;
            return Some(pairs.into_iter().flat_map(<[String; 2]>::from).collect());
        }
        serde_json::from_slice(&self.text).ok()
    }

    /// Reads the request and makes of it what it stands for.
    fn prepared<R: Prepare>(&self, context: &Context) -> Result<R::Prepared, Problem> {
        let request =
            if self.is_query { read_query::<R>(&self.written()) } else { read(&self.text) }?;
        request.prepare(context)
    }
}

/// Makes requests and checks what comes back.
struct Checker {
    contract: Contract,
    context: Context,
    /// The time that the last request took.
    took: Cell<Duration>,
}

impl Checker {
    fn new() -> Self {
        let context = Context { knowledge: KNOWLEDGE.clone(), max_time: Some(MAX_TIME) };
        Self { contract: Contract::read(), context, took: Cell::default() }
    }

    /// Makes a request. The error says what is wrong with the answer.
    fn check(&self, request: &Request) -> Result<Reply, String> {
        let (mut id, start) = (None, Instant::now());
        let checked = match request.route {
            Route::BestMove | Route::BestMoveText => {
                self.job(request, request.prepared::<BestMoveRequest>(&self.context), "BestMove")
            }
            Route::Analyze => {
                self.job(request, request.prepared::<AnalysisRequest>(&self.context), "Analysis")
            }
            Route::Batch => {
                let (line, read) = BatchLine::read(&request.text);
                id = line;
                let job = read.and_then(|read| read.prepare(&self.context));
                self.job(request, job, "BestMove")
            }
            Route::Review => self.review(request.prepared::<ReviewRequest>(&self.context)),
            Route::Tree => self.tree(request),
            Route::Position => {
                let board = request.prepared::<PositionRequest>(&self.context);
                board.map(|board| {
                    self.contract.check("Board", &PositionAnswer::from(&*board)).map(drop)
                })
            }
            Route::BoardSvg => request.prepared::<BoardSvgRequest>(&self.context).map(|picture| {
                let svg = picture.svg();
                roxmltree::Document::parse(&svg).map_err(|error| format!("{error}: {svg}"))?;
                if svg.contains("NaN") || picture.text().is_empty() { Err(svg) } else { Ok(()) }
            }),
        };
        self.took.set(start.elapsed());
        check_id(id.as_ref())?;
        match checked {
            Ok(answered) => answered.map(|()| Reply::Answer),
            Err(problem) => self.problem(request, &problem, id.as_ref()).map(|()| Reply::Problem),
        }
    }

    fn job(
        &self,
        request: &Request,
        job: Result<Job, Problem>,
        schema: &str,
    ) -> Result<Result<(), String>, Problem> {
        let mut seen = Ok(());
        let observer = &mut |so_far: bestmove_engine::games::any::Answer| {
            if so_far.search.nodes == 0 {
                seen = Err("the progress tells no nodes".to_owned());
            }
        };
        let stop = AtomicBool::new(false);
        let answer = job?.run(Control { stop: &stop, observer: Some(observer) });
        if request.route == Route::BestMoveText {
            let text = &answer.best_move.text;
            return Ok(if text.is_empty() { Err("no move".to_owned()) } else { seen });
        }
        Ok(self.contract.check(schema, &answer).and(seen))
    }

    /// Runs the tasks of a review one after the other.
    fn review(&self, review: Result<Review, Problem>) -> Result<Result<(), String>, Problem> {
        let mut review = review?;
        let stop = AtomicBool::new(false);
        loop {
            let tasks = review.tasks();
            if tasks.is_empty() {
                break;
            }
            for task in tasks {
                review.take(task.prepare()?.run(&stop));
            }
        }
        Ok(self.contract.check("Review", &review.answer()).map(drop))
    }

    fn tree(&self, request: &Request) -> Result<Result<(), String>, Problem> {
        let job = request.prepared::<TreeRequest>(&self.context)?;
        let tree = job.run(&AtomicBool::new(false))?;
        Ok(self.contract.check("Tree", &tree).map(drop))
    }

    fn problem(
        &self,
        request: &Request,
        problem: &Problem,
        id: Option<&LineId>,
    ) -> Result<(), String> {
        let body = problem.line_body("a request", id);
        let json = request.json();
        let sent = json.as_ref().map_or_else(|| request.written(), texts);
        // Of a member that is repeated, one alone is in the JSON.
        let is_plain = |json: &Value| json.to_string().len() == request.text.len();
        let json = json.filter(|json| !request.is_query && is_plain(json));
        self.contract.check_problem(problem, &body, &sent, json.as_ref())
    }

    /// As [`check`](Self::check); a panic is wrong too.
    fn caught(&self, request: &Request) -> Result<Reply, String> {
        IS_TRYING.set(true);
        let checked = catch_unwind(AssertUnwindSafe(|| self.check(request)));
        IS_TRYING.set(false);
        checked.unwrap_or_else(|_| Err(PANIC.take()))
    }

    /// As [`caught`](Self::caught); an answer that never comes in time is wrong too.
    fn timed(&self, request: &Request) -> Result<Reply, String> {
        let mut checked = self.caught(request);
        let is_late = || request.route != Route::Review && self.took.get() > LONGEST;
        for _ in 1..ATTEMPTS {
            if !is_late() {
                return checked;
            }
            checked = self.caught(request);
        }
        let took = self.took.get();
        if is_late() { Err(format!("took {took:?}")) } else { checked }
    }

    /// The failure with the smallest text that was found to fail alike.
    fn smallest(&self, request: &Request, why: &str) -> (Request, String) {
        let (mut smallest, mut why) = (request.clone(), why.to_owned());
        let kind = kind_of(&why);
        let (mut part, mut attempts) = (request.text.len() / 2, 0);
        while part > 0 {
            let mut at = 0;
            while at < smallest.text.len() && attempts < MOST_ATTEMPTS {
                attempts += 1;
                let mut shorter = smallest.clone();
                shorter.text.drain(at..smallest.text.len().min(at + part));
                match self.timed(&shorter) {
                    Err(same) if kind_of(&same) == kind => (smallest, why) = (shorter, same),
                    _ => at += part,
                }
            }
            part /= 2;
        }
        (smallest, why)
    }
}

/// The texts in a value and the names of its members, one a line.
fn texts(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(elements) => elements.iter().map(texts).collect::<Vec<_>>().join("\n"),
        Value::Object(members) => {
            let members = members.iter().map(|(name, member)| format!("{name}\n{}", texts(member)));
            members.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// The id of a line is a short string or an integer.
fn check_id(id: Option<&LineId>) -> Result<(), String> {
    let Some(json) = id.map(LineId::json) else { return Ok(()) };
    let is_fine = match serde_json::from_str(&json) {
        Ok(Value::String(text)) => text.chars().count() <= 100,
        Ok(Value::Number(number)) => !number.is_f64(),
        _ => false,
    };
    if is_fine { Ok(()) } else { Err(format!("the id {json}")) }
}

thread_local! {
    /// Whether a panic of the thread is what is looked for.
    static IS_TRYING: Cell<bool> = const { Cell::new(false) };
    /// The last panic and its place.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the panics that are looked for, instead of printing them.
fn keep_panics() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if IS_TRYING.get() {
            PANIC.replace(info.to_string());
        } else {
            print(info);
        }
    }));
}

/// The first words of what is wrong, which other requests of the kind share.
fn kind_of(why: &str) -> String {
    why.chars().filter(|letter| !letter.is_ascii_digit()).take(40).collect()
}

/// The number that a variable of the environment has.
fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok().map(|text| text.parse().expect("a number"))
}

/// The requests of a run.
struct Run {
    first: u64,
    requests: u64,
    end: Option<Instant>,
}

impl Run {
    fn of_environment() -> Self {
        /// The seconds of a run of which nothing is said.
        const SECONDS: u64 = 5;
        let (requests, seconds) = (number("REQUESTS"), number("SECONDS"));
        let seconds = seconds.or(requests.is_none().then_some(SECONDS));
        Self {
            first: number("FIRST").unwrap_or(0),
            requests: requests.unwrap_or(u64::MAX),
            end: seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds)),
        }
    }

    fn numbers(&self) -> impl Iterator<Item = u64> {
        let is_over = || self.end.is_some_and(|end| Instant::now() > end);
        (self.first..).take_while(move |number| number - self.first < self.requests && !is_over())
    }
}

/// What a run found.
#[derive(Default)]
struct Found {
    answers: u64,
    problems: u64,
    /// The longest time of each route, and the number of its request.
    longest: BTreeMap<Route, (Duration, u64)>,
    failures: BTreeMap<String, String>,
}

impl Found {
    fn add(&mut self, number: u64, request: &Request, checker: &Checker) {
        let outcome = checker.timed(request);
        let longest = self.longest.entry(request.route).or_default();
        *longest = (checker.took.get(), number).max(*longest);
        match outcome {
            Ok(Reply::Answer) => self.answers += 1,
            Ok(Reply::Problem) => self.problems += 1,
            Err(why) => self.add_failure(&format!("request {number}"), request, &why, checker),
        }
    }

    /// Adds a failure with its smallest request, unless it is of a known kind.
    fn add_failure(&mut self, what: &str, request: &Request, why: &str, checker: &Checker) {
        let kind = kind_of(why);
        if self.failures.contains_key(&kind) {
            return;
        }
        let (smallest, why) = checker.smallest(request, why);
        let form = if request.is_query { "query" } else { "body" };
        let (route, text) = (request.route, smallest.written());
        self.failures.insert(kind, format!("{what}, {route:?} by {form}: {text}\n  {why}"));
    }
}

#[test]
fn every_request_gets_an_answer_or_a_problem_of_the_contract() {
    keep_panics();
    let (checker, run, start) = (Checker::new(), Run::of_environment(), Instant::now());
    checker.contract.check_catalogue().expect("the games keep the contract");
    let mut found = Found::default();
    for (place, request) in found::requests().into_iter().enumerate() {
        if let Err(why) = checker.timed(&request) {
            found.add_failure(&format!("known request {place}"), &request, &why, &checker);
        }
    }
    let mut games = (u64::MAX, Games::random(0));
    for number in run.numbers() {
        let of_games = number / REQUESTS_OF_GAMES;
        if games.0 != of_games {
            games = (of_games, Games::random(of_games));
        }
        let request = Request::numbered(number, &games.1);
        if run.requests == 1 {
            println!("{:?}: {}", request.route, request.written());
        }
        found.add(number, &request, &checker);
        if found.failures.len() >= MOST_FAILURES {
            break;
        }
    }
    let Found { answers, problems, longest, failures } = found;
    let seconds = start.elapsed().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a rate is shown")]
    let rate = (answers + problems) as f64 / seconds;
    println!("{answers} answers, {problems} problems in {seconds:.0} s, {rate:.0} a second");
    println!("the longest of each route, and its request: {longest:?}");
    let failures: Vec<_> = failures.into_values().collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
