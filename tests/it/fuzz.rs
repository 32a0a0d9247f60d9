//! Whatever is sent: an answer or a problem, never a fault and never silence.
//!
//! Each property is tried for about a second, or for as many seconds as `FUZZ_SECONDS` says.

use std::cell::Cell;
use std::env;
use std::time::{Duration, Instant};

use crate::common::{Answer, Server, Setup};
use bestmove_api::PROBLEMS;
use bestmove_engine::game::PositionText;
use bestmove_engine::games::any::RequestError;
use bestmove_engine::games::{all_variants, catalogue};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{TestError, TestRunner};
use serde_json::{Value, json};

/// Tries a property with many values until the time is up.
pub(crate) fn fuzz<S: Strategy>(
    strategy: S,
    property: impl Fn(S::Value) -> Result<(), TestCaseError>,
) where
    S::Value: Clone,
{
    let seconds = env::var("FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(1));
    let mut runner =
        TestRunner::new(ProptestConfig { failure_persistence: None, ..Default::default() });
    let tried = Cell::new(0_u64);
    while Instant::now() < end {
        let value = strategy.new_tree(&mut runner).expect("a value");
        tried.set(tried.get() + 1);
        match runner.run_one(value, &property) {
            Ok(_) => {}
            Err(TestError::Fail(why, value)) => panic!("{why}\nminimal: {value:?}"),
            Err(TestError::Abort(why)) => panic!("{why}"),
        }
    }
    println!("{} values tried", tried.get());
}

/// A server whose searches are short, so that many requests can be tried.
fn server() -> Server {
    let mut setup = Setup::default();
    setup.service.max_time = Duration::from_millis(20);
    Server::with(setup)
}

/// Whether an answer keeps the promise: no fault, and problems that can be read.
fn keeps_promise(answer: &Answer) -> Result<(), TestCaseError> {
    prop_assert!(answer.status < 500, "{}", answer.text());
    let kind = answer.header("content-type").unwrap_or_default();
    if answer.status < 400 {
        return keeps_promise_of_success(kind.split(';').next().unwrap_or_default(), answer);
    }
    prop_assert_eq!(kind, "application/problem+json");
    let problem = answer.json();
    let row = PROBLEMS.iter().find(|row| problem["type"] == format!("/problems/{}", row.name));
    let row = row.ok_or_else(|| TestCaseError::fail(format!("unknown type in {problem}")))?;
    prop_assert_eq!(row.status, answer.status);
    prop_assert_eq!(&problem["title"], row.title);
    prop_assert_eq!(&problem["status"], answer.status);
    prop_assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()));
    prop_assert_eq!(problem["request_id"].as_str(), answer.header("x-request-id"));
    prop_assert!(problem.get("field").is_none_or(Value::is_string), "{}", problem);
    prop_assert!(problem.get("allowed").is_none_or(Value::is_array), "{}", problem);
    Ok(())
}

/// Whether a successful answer is what its content type says.
fn keeps_promise_of_success(kind: &str, answer: &Answer) -> Result<(), TestCaseError> {
    let text = answer.text();
    match kind {
        "application/json" => prop_assert!(answer.json().is_object()),
        "text/event-stream" => prop_assert!(text.contains("event: result\n"), "{}", text),
        _ => return Err(TestCaseError::fail(format!("unexpected content type {kind}"))),
    }
    Ok(())
}

/// The routes that take a body.
fn posts(server: &Server) -> Vec<&'static str> {
    let allows = |path: &str| {
        let refusal = server.send("BREW", path, &[], b"");
        refusal.header("allow").is_some_and(|allow| allow.contains("POST"))
    };
    bestmove::http::routes().into_iter().map(|(path, _)| path).filter(|path| allows(path)).collect()
}

const FIELDS: [&str; 14] = [
    "game",
    "variant",
    "position",
    "moves",
    "depth",
    "time_ms",
    "nodes",
    "search_moves",
    "algorithm",
    "evaluator",
    "top",
    "max_nodes",
    "level",
    "seed",
];
const WORDS: [&str; 18] = [
    "minimax",
    "alpha-beta",
    "solve",
    "material",
    "4",
    "0",
    "44453",
    "X...O....",
    "......... X",
    "",
    "XXXOOO...",
    "11-15",
    "22x15x8",
    "B:W21-32:B1-12",
    "W:WK1:B32",
    "e2e4",
    "O-O",
    "\u{0}\u{ffff}é",
];

fn words() -> impl Strategy<Value = String> {
    let names: Vec<_> = catalogue().iter().map(|game| game.info().name).collect();
    prop_oneof![
        3 => select(WORDS.to_vec()).prop_map(String::from),
        3 => select(names).prop_map(String::from),
        1 => ".{0,12}",
        1 => "[XO./ 0-9BWK:,x-]{0,60}",
    ]
}

fn numbers() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-3..12_i64).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
    ]
}

/// Any JSON, often such as a request might have.
fn values() -> impl Strategy<Value = Value> {
    let leaves = prop_oneof![
        4 => words().prop_map(Value::from),
        3 => numbers(),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
    ];
    leaves.prop_recursive(6, 40, 9, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 0..9).prop_map(Value::from),
            1 => prop::collection::vec((words(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// An object that is almost a request.
fn requests() -> impl Strategy<Value = Value> {
    let games: Vec<_> =
        all_variants().iter().map(|game| (game.info().name, game.info().variant)).collect();
    let fields = prop::collection::vec((select(FIELDS.to_vec()), values()), 0..5);
    let limits = (1..4_u64, 1..3000_u64);
    (select(games), limits, any::<bool>(), fields).prop_map(
        |((game, variant), (depth, nodes), plain, fields)| {
            let mut request =
                json!({"game": game, "variant": variant, "depth": depth, "nodes": nodes});
            let members = request.as_object_mut().expect("it is one");
            // Most wrong values hide all others, so some requests are right but for their position.
            let fields = fields.into_iter().filter(|&(name, _)| !plain || name == "position");
            members.extend(fields.map(|(name, value)| (name.to_owned(), value)));
            request
        },
    )
}

#[test]
fn any_bytes_in_a_body() {
    let server = server();
    let routes = posts(&server);
    fuzz((select(routes), prop::collection::vec(any::<u8>(), 0..300)), |(route, body)| {
        keeps_promise(&server.post(route, body))
    });
}

#[test]
fn any_json_in_a_body() {
    let server = server();
    let routes = posts(&server);
    let bodies = prop_oneof![3 => requests(), 1 => values()];
    fuzz((select(routes), bodies), |(route, body)| {
        keeps_promise(&server.post(route, body.to_string()))
    });
}

#[test]
fn any_slip_in_the_text_of_a_request() {
    let server = server();
    let routes = posts(&server);
    let slips = (requests(), any::<prop::sample::Index>(), any::<u8>(), any::<bool>());
    fuzz((select(routes), slips), |(route, (request, place, byte, is_cut))| {
        let mut body = request.to_string().into_bytes();
        let place = place.index(body.len());
        body[place] = byte;
        if is_cut {
            body.truncate(place);
        }
        keeps_promise(&server.post(route, body))
    });
}

#[test]
fn any_nesting_and_any_number() {
    let server = server();
    let routes = posts(&server);
    let numbers = prop_oneof!["-?[0-9]{1,400}", "-?[0-9]{1,9}(\\.[0-9]{1,30})?[eE][+-]?[0-9]{1,5}"];
    let nests = (1..9000_usize, select(vec!["[", "{\"position\":", "[[\"X\"],"]))
        .prop_map(|(depth, open)| open.repeat(depth));
    let field = select(FIELDS.to_vec());
    fuzz((select(routes), field, prop_oneof![numbers, nests]), |(route, field, value)| {
        let body = format!(r#"{{"game":"{}","{field}":{value}}}"#, catalogue()[0].info().name);
        keeps_promise(&server.post(route, body))
    });
}

/// A text as a query may carry it, sometimes wrongly escaped.
fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b',' | b'+' | b'%' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02x}"),
    };
    text.bytes().map(escape).collect()
}

#[test]
fn any_query() {
    let server = server();
    let names = prop_oneof![9 => select(FIELDS.to_vec()).prop_map(String::from), 1 => ".{0,5}"];
    let texts = prop_oneof![4 => words(), 2 => "[0-9]{1,25}", 1 => "[%0-9a-f+,&=]{0,20}"];
    let pairs = prop::collection::vec((names, texts), 0..6);
    let game = catalogue()[0].info().name;
    fuzz((any::<bool>(), pairs), |(has_game, pairs)| {
        let pairs = pairs.iter().map(|(name, text)| format!("{}={}", escaped(name), escaped(text)));
        let start = has_game.then(|| format!("game={game}"));
        let query = start.into_iter().chain(pairs).collect::<Vec<_>>().join("&");
        keeps_promise(&server.get(&format!("/best-move?{query}")))
    });
}

#[test]
fn any_path() {
    let server = server();
    fuzz("/(games/)?[!-\"$->@-~]{0,40}", |path| {
        let answer = server.get(&path);
        prop_assert!(answer.status < 500, "{}", answer.text());
        if answer.status == 400 && answer.body.is_empty() {
            // What is no target of a request at all is refused by the HTTP library.
            return Ok(());
        }
        if answer.status >= 400 { keeps_promise(&answer) } else { Ok(()) }
    });
}

/// Texts that look like those of the games.
fn texts() -> impl Strategy<Value = String> {
    let examples = all_variants().iter().flat_map(|game| {
        let about = game.info();
        about.positions.examples.iter().chain(about.moves.examples).copied()
    });
    let examples: Vec<_> = examples.collect();
    let mutated =
        (select(examples), any::<prop::sample::Index>(), ".").prop_map(|(text, place, new)| {
            let place = place.index(text.chars().count() + 1);
            let (before, after): (String, String) =
                (text.chars().take(place).collect(), text.chars().skip(place + 1).collect());
            before + &new + &after
        });
    prop_oneof![2 => mutated, 1 => words(), 1 => ".{0,80}", 1 => "[-0-9a-hA-HKQRBNPkqrbnpwX/ :,.x]{0,90}"]
}

fn positions() -> impl Strategy<Value = PositionText> {
    let cells = prop_oneof![4 => "[XO.]?", 1 => ".{0,3}"];
    let rows = prop::collection::vec(prop::collection::vec(cells, 0..9), 0..8);
    prop_oneof![3 => texts().prop_map(PositionText::Text), 1 => rows.prop_map(PositionText::Rows)]
}

#[test]
fn any_position_and_any_moves() {
    let games = all_variants();
    let places = 0..games.len();
    let moves = prop::collection::vec(texts(), 0..4);
    fuzz((places, prop::option::of(positions()), moves), |(game, position, moves)| {
        let game = games[game];
        match game.board(position.as_ref(), &moves) {
            Ok(board) => {
                // What is written can be read, and means the same.
                let written = board.state().position;
                let again = game.board(Some(&PositionText::Text(written.clone())), &[]);
                prop_assert!(again.is_ok_and(|board| board.state().position == written));
            }
            Err(RequestError::Move { index, allowed, .. }) => {
                prop_assert!(index < moves.len());
                for mv in allowed {
                    let mut played = moves[..index].to_vec();
                    played.push(mv);
                    prop_assert!(game.board(position.as_ref(), &played).is_ok(), "{:?}", played);
                }
            }
            Err(_) => {}
        }
        Ok(())
    });
}
