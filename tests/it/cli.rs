//! The program as a tool: answers without a server.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::program::{Program, after};
use crate::common::{Server, TIMEOUT};
use insta::assert_snapshot;
use serde_json::Value;

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bestmove"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it has an input");
    // A program that has ended reads no more.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

#[track_caller]
fn said(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it writes UTF-8")
}

#[track_caller]
fn complaint(arguments: &[&str]) -> String {
    let output = run(arguments, "");
    assert!(!output.status.success() && output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("it writes UTF-8")
}

fn with_variable(name: &str, value: &str, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bestmove"));
    program.args(arguments).env(name, value).output().expect("the program ends")
}

#[test]
fn variables_of_the_server_do_not_matter_to_other_commands() {
    for name in ["HOST", "PORT", "WORKERS"] {
        let output = with_variable(name, "x86_64-linux-gnu", &["best-move", "tic-tac-toe"]);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        for arguments in [&[][..], &["serve"]] {
            let output = with_variable(name, "x86_64-linux-gnu", arguments);
            assert!(!output.status.success(), "{name} {arguments:?}");
        }
    }
}

#[test]
fn an_empty_variable_is_as_one_that_is_not_there() {
    // Every setting that has a variable, by the help of the server.
    let help = said(&["serve", "--help"], "");
    let in_help = help.split("[env: ").skip(1).filter_map(|rest| rest.split(['=', ']']).next());
    let mut program = Command::new(env!("CARGO_BIN_EXE_bestmove"));
    let names: Vec<_> = in_help.chain(["RUST_LOG"]).collect();
    assert!(names.len() > 14 && names.contains(&"ENDGAME_TABLES"), "{names:?}");
    program.envs(names.iter().map(|name| (name, ""))).arg("completions").arg("bash");
    assert!(program.output().expect("the program ends").status.success());
    let environment: Vec<_> = names.iter().map(|&name| (name, "")).collect();
    let program = Program::start_in(&environment, &[]);
    assert_eq!(program.get("/health/ready").status, 200);
    let output = with_variable("PORT", "", &["healthcheck", "--host", "127.0.0.2"]);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.contains("127.0.0.2:8080"), "{complaint}");
}

#[test]
fn a_wrong_log_filter_is_refused_with_the_right_ones() {
    for filter in ["warning", "bestmove=infoo", "info,debg"] {
        let output = with_variable("RUST_LOG", filter, &["--port", "0"]);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && complaint.contains("error, warn, info"), "{complaint}");
    }
}

/// What a server says that can't start under this limit of the shell.
fn refused_under(limit: &str, arguments: &[&str]) -> String {
    let mut server = after(limit);
    server.args(["--port", "0"]).args(arguments).stderr(Stdio::piped());
    let (mut process, start) = (server.spawn().expect("a shell"), Instant::now());
    while process.try_wait().expect("it can be waited for").is_none() && start.elapsed() < TIMEOUT {
        thread::sleep(Duration::from_millis(5));
    }
    let _ = process.kill();
    let output = process.wait_with_output().expect("the program has ended");
    assert_eq!(output.status.code(), Some(1), "{limit} {output:?}");
    String::from_utf8(output.stderr).expect("it writes UTF-8")
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_with_too_few_descriptors_or_threads_ends_and_says_what_to_change() {
    for descriptors in 4..18 {
        let limit = format!("ulimit -n {descriptors}");
        let complaint = refused_under(&limit, &["--workers", "1"]);
        assert!(
            complaint.starts_with("bestmove: too few file descriptors: "),
            "{limit}: {complaint}"
        );
        assert!(complaint.contains("ulimit -n") && !complaint.contains("panicked"), "{complaint}");
    }
    // Threads lack their stacks, 2 MB each. The limit of their number does not hold for root.
    let complaint = refused_under("ulimit -v 450000", &["--workers", "256"]);
    assert!(complaint.starts_with("bestmove: too few threads: --workers 256 "), "{complaint}");
    assert!(complaint.contains("ulimit -u") && complaint.lines().count() == 1, "{complaint}");
}

#[test]
fn an_origin_that_no_browser_sends_is_refused() {
    for origin in ["http://\u{e9}", "example.org", "https://example.org/", "https://a:65536", "*.a"]
    {
        for command in [&[][..], &["serve"], &["mcp"]] {
            let output = with_variable("CORS_ORIGIN", origin, command);
            let complaint = String::from_utf8_lossy(&output.stderr);
            let is_clear =
                complaint.contains("a host in ASCII") && complaint.contains("--cors-origin");
            assert!(!output.status.success() && is_clear, "{complaint}");
        }
    }
}

#[test]
fn an_address_that_is_taken_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let address = taken.local_addr().expect("it has an address");
    let complaint = complaint(&["--port", &address.port().to_string()]);
    assert!(
        complaint.contains(&address.to_string()) && complaint.contains("--port"),
        "{complaint}"
    );
}

#[test]
fn a_best_move_is_told_in_words() {
    assert_snapshot!(said(&["best-move", "tic-tac-toe", "--position", "XOXX.O..O"], ""));
}

#[test]
fn json_is_what_the_service_answers() {
    let position = ["--position", "44", "--depth", "5", "--json"];
    let arguments = [&["best-move", "connect-four", "4", "3"][..], &position].concat();
    let text = said(&arguments, "");
    let server = Server::start();
    let answer = server.get("/best-move?game=connect-four&position=44&moves=4,3&depth=5");
    assert_eq!(text.trim_end(), answer.text());
    let checkers = said(&["best-move", "checkers", "--nodes", "5000", "--json"], "");
    let checkers: Value = serde_json::from_str(&checkers).expect("it is JSON");
    assert_eq!(checkers["search"]["stopped_by"], "nodes");
}

#[test]
fn what_is_wrong_is_said_as_the_service_says_it() {
    let complaints = [
        &["--depth", "nine"][..],
        &["--depth", "10"],
        &["4", "4"],
        &["4", "--search-moves", "4"],
        &["--algorithm", "guess"],
        &["--position", "XXXOO...."],
    ]
    .map(|arguments| complaint(&[&["best-move", "tic-tac-toe"], arguments].concat()));
    assert_snapshot!(complaints.concat());
    assert!(complaint(&["best-move", "go"]).contains("[possible values: tic-tac-toe,"));
}

#[test]
fn moves_are_arguments_one_by_one_or_as_a_record() {
    let told = |moves: &[&str]| {
        said(&[&["best-move", "chess"], moves, &["--depth", "3", "--json"]].concat(), "")
    };
    let expected = told(&["e4", "e5", "Nf3"]);
    assert!(expected.contains(r#""side_to_move":"black""#), "{expected}");
    for moves in [&["1. e4 e5 2. Nf3"][..], &["1.", "e4", "e5", "2.Nf3"], &["e2e4,e7e5", "g1f3"]] {
        assert_eq!(told(moves), expected, "{moves:?}");
    }
    let digits = said(&["best-move", "connect-four", "4453", "--depth", "3"], "");
    assert_eq!(
        digits,
        said(&["best-move", "connect-four", "4", "4", "5", "3", "--depth", "3"], "")
    );
}

#[test]
fn a_wrong_move_lists_the_legal_ones_as_the_command_moves_does() {
    let shown = said(&["play", "chess", "e4"], "moves\nquit\n");
    let (_, shown) = shown.split_once("black> ").expect("a prompt");
    let moves = shown.lines().next().expect("the moves");
    assert!(moves.starts_with("a6 a5 ") || moves.contains(" Nf6"), "{moves}");
    let text = complaint(&["best-move", "chess", "e4", "e6e4"]);
    assert!(text.ends_with(&format!("; legal moves: {moves}\n")), "{text}");
    let text = said(&["play", "chess", "e4"], "Ke7\nquit\n");
    assert!(text.contains(&format!("; legal moves: {moves}\n")), "{text}");
    let tagged = "[FEN \"8/8/8/8/8/4k3/4p3/4K2R w K\"] 1. Rh3+";
    assert!(said(&["best-move", "chess", tagged, "--depth", "2"], "").contains("black to move"));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let text = complaint(&["best-move", "chess", tagged, "--position", start]);
    assert!(text.starts_with("bestmove: moves: its tag FEN says "), "{text}");
    let text = complaint(&["review", "chess", "e4 e6e4 Nf3"]);
    assert!(text.starts_with("bestmove: moves[1] 'e6e4': "), "{text}");
    assert!(text.ends_with(&format!("; legal moves: {moves}\n")), "{text}");
}

#[test]
fn a_player_sees_the_position_and_resigns() {
    let text = said(&["play", "chess", "e4"], "fen\nresign\n");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert!(text.ends_with(&format!("black> {fen}\nblack> black resigns: white wins\n")), "{text}");
}

#[test]
fn a_review_is_a_table() {
    let record = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0";
    assert_snapshot!(said(&["review", "chess", record, "--nodes", "5000"], ""));
}

#[test]
fn a_record_is_read_from_a_file_and_from_standard_input() {
    let path = std::env::temp_dir().join(format!("bestmove-{}.pgn", std::process::id()));
    for (game, record) in [
        ("chess", "[White \"M\u{fc}ller\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"),
        ("connect-four", "4453"),
        ("tic-tac-toe", "4 1 0 8"),
        ("checkers", "1. 11-15 23-19"),
    ] {
        std::fs::write(&path, record).expect("a file");
        let told = said(&["review", game, record, "--nodes", "500"], "");
        let name = path.to_str().expect("a name");
        assert_eq!(said(&["review", game, name, "--nodes", "500"], ""), told);
        assert_eq!(said(&["review", game, "-", "--nodes", "500"], record), told);
    }
    // Tags of old files are often in Latin-1.
    std::fs::write(&path, b"[White \"M\xfcller\"]\n\n1. f3 e5").expect("a file");
    let told = said(&["review", "chess", path.to_str().expect("a name"), "--nodes", "500"], "");
    assert_eq!(told, said(&["review", "chess", "f3", "e5", "--nodes", "500"], ""));
    std::fs::remove_file(&path).expect("it is there");
    let text = complaint(&["review", "chess", "nofile.pgn"]);
    assert!(text.starts_with("bestmove: nofile.pgn: No such file"), "{text}");
}

#[test]
fn a_review_in_json_is_what_the_service_answers() {
    let text = said(&["review", "tic-tac-toe", "4", "1", "0", "8", "--json"], "");
    let server = Server::start();
    let answer = server.post("/review", r#"{"game": "tic-tac-toe", "moves": "4 1 0 8"}"#);
    assert_eq!(text.trim_end(), answer.text());
    let text = complaint(&["review", "tic-tac-toe"]);
    assert_eq!(text, "bestmove: moves: expected 1 to 1000 moves but got 0\n");
}

#[test]
fn no_progress_is_written_where_there_is_no_terminal() {
    let output = run(&["best-move", "chess", "--time-ms", "1500"], "");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_person_plays_against_the_program() {
    assert_snapshot!(said(&["play", "tic-tac-toe"], "8\n8\nnine\nmoves\nhelp\nquit\n"));
}

#[test]
fn a_game_goes_on_to_its_end() {
    let text = said(&["play", "tic-tac-toe", "--position", "XX.OO....", "--side", "X"], "2\n");
    assert!(
        text.ends_with("X|X|X\n-----\nO|O| \n-----\n | | \nX wins: three in a row\n"),
        "{text}"
    );
    let text = said(&["play", "tic-tac-toe", "--position", "XX.OO....", "--side", "O"], "");
    assert!(text.contains("X: 2\n") && text.ends_with("X wins: three in a row\n"), "{text}");
    let text = said(&["play", "tic-tac-toe", "--side", "both"], "0\n1\n2\n3\n5\n4\n6\n8\n7\n");
    assert!(text.ends_with("a draw: board full\n"), "{text}");
}

#[test]
fn moves_are_taken_back_and_hinted() {
    assert_snapshot!(said(&["play", "tic-tac-toe"], "back\n8\nback\nhint\n0\n"));
    let text = said(&["play", "tic-tac-toe", "--side", "O"], "back\n");
    assert!(text.contains("O> there is no move to take back\n"), "{text}");
}

#[test]
fn a_side_that_nobody_has_is_refused() {
    let text = complaint(&["play", "checkers", "--side", "X"]);
    assert_eq!(text, "bestmove: side: expected black, white or both but got 'X'\n");
}

#[test]
fn the_manual_page_names_the_commands_and_the_flags() {
    let page = said(&["man"], "");
    assert!(page.contains(".TH bestmove 1"), "{page}");
    for word in ["best\\-move", "healthcheck", "max\\-time\\-ms"] {
        assert!(page.contains(word), "no {word}");
    }
}

#[test]
fn completions_know_the_commands_and_the_flags() {
    for shell in ["bash", "zsh", "fish"] {
        let script = said(&["completions", shell], "");
        for word in ["best-move", "play", "review", "healthcheck", "max-time-ms", "search-moves"] {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
    assert!(said(&["completions", "bash"], "").contains("connect-four"));
}
