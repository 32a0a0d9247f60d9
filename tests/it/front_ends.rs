//! The programs in README.md and in the guides to front ends, reviews and batches run, against the running service.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

use serde_json::Value;

use crate::common::Server;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/front-ends.md");
const REVIEWS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reviews.md");
const BATCHES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/batches.md");
/// How long a program may take.
const TIMEOUT: Duration = Duration::from_mins(2);

/// The programs of a page in `language`, asking this server.
fn programs(page: &str, language: &str, server: &Server) -> Vec<String> {
    let guide = fs::read_to_string(page).expect(page);
    let blocks = guide.split("\n```").skip(1).step_by(2);
    let blocks = blocks.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n'));
    let address = server.address.to_string();
    blocks.map(|block| block.replace("127.0.0.1:8080", &address)).collect()
}

fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok();
    if !found {
        eprintln!("skipped: there is no {program}");
    }
    found
}

/// What a program writes that gets its text as its input.
fn output(command: &mut Command, text: &str) -> String {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let mut child = command.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("it has an input");
    input.write_all(text.as_bytes()).expect("it reads its text");
    drop(input);
    let id = child.id().to_string();
    let ended = thread::spawn(move || child.wait_with_output());
    let start = Instant::now();
    while !ended.is_finished() {
        if start.elapsed() > TIMEOUT {
            let _ = Command::new("kill").arg(&id).status();
            panic!("the program does not end:\n{text}");
        }
        thread::sleep(Duration::from_millis(20));
    }
    let output = ended.join().expect("it is waited for").expect("it ends");
    assert!(output.status.success(), "{:?}:\n{text}", output.status);
    String::from_utf8(output.stdout).expect("it writes UTF-8")
}

#[test]
fn the_turn_in_the_readme_is_one_request() {
    if !is_there("node") {
        return;
    }
    let server = Server::start();
    let [turn] = &programs(README, "js", &server)[..] else { panic!("one program") };
    let text = output(Command::new("node").args(["--input-type=module", "-"]), turn);
    assert!(text.contains("'P'") && text.contains("'a2a3'"), "{text}");
}

#[test]
fn the_loop_plays_every_game_by_coordinates_alone() {
    if !is_there("node") {
        return;
    }
    let server = Server::start();
    let programs = [GUIDE, REVIEWS].into_iter().flat_map(|page| programs(page, "js", &server));
    let programs = programs.filter(|program| !program.contains("AbortController"));
    let script = programs.collect::<Vec<_>>().join("\n") + "\n" + include_str!("front_ends.mjs");
    let text = output(Command::new("node").args(["--input-type=module", "-"]), &script);
    for game in [
        "tic-tac-toe",
        "connect-four",
        "checkers",
        "chess",
        "othello",
        "connect-four 8x7",
        "othello 4x4",
    ] {
        let played = text.lines().filter(|line| line.starts_with(&format!("{game}: "))).count();
        assert_eq!(played, 2, "{text}");
    }
}

#[test]
fn an_aborted_request_is_rejected() {
    if !is_there("node") {
        return;
    }
    let server = Server::start();
    let programs = programs(GUIDE, "js", &server);
    let aborting = programs.iter().find(|program| program.contains("AbortController"));
    let script = programs[0].clone()
        + aborting.expect("the guide has one")
        + "\nawait response.then(() => process.exit(1), (error) => console.log(error.name));";
    let text = output(Command::new("node").args(["--input-type=module", "-"]), &script);
    assert_eq!(text, "AbortError\n");
}

#[test]
fn the_python_client_gets_the_answers_to_a_batch_in_order() {
    if !is_there("python3") {
        return;
    }
    let server = Server::start();
    let [program] = &programs(BATCHES, "python", &server)[..] else { panic!("one Python program") };
    let more = format!(
        "\ncount = 6000\n\
         requests = ({{'game': 'connect-four', 'position': '44', 'depth': 1 + i % 2}} for i in range(count))\n\
         depths = [answer['search']['depth'] for answer in batch('{}', requests)]\n\
         assert depths == [1 + i % 2 for i in range(count)]\n\
         print('done')\n",
        server.address
    );
    let text = output(Command::new("python3").arg("-"), &(program.clone() + &more));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    for (line, mv) in lines.iter().zip(["e4", "d4", "c4", "Nf3"]) {
        assert!(line.starts_with(&format!("{mv} ")), "{text}");
    }
    assert_eq!(lines[4], "done");
}

#[test]
fn the_shell_clients_get_their_answers() {
    if !is_there("curl") {
        return;
    }
    let server = Server::start();
    let [batch, one] = &programs(BATCHES, "sh", &server)[..] else { panic!("two shell programs") };
    let text = output(Command::new("sh").arg("-s"), batch);
    let answers: Vec<Value> = text.lines().map(|line| line.parse().expect("JSON")).collect();
    assert_eq!(answers.len(), 4, "{text}");
    for (answer, row) in answers.iter().zip(["4P3", "3P4", "2P5", "5N2"]) {
        assert!(answer["position"].as_str().is_some_and(|fen| fen.contains(row)), "{answer}");
    }
    let text = output(Command::new("sh").arg("-s"), one);
    assert_eq!(text, server.get("/best-move.txt?game=chess&moves=e4,e5").text());
}
