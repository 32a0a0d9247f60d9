//! `bestmove uci`: the Universal Chess Interface.

use std::io::{BufRead, BufReader, Cursor, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use crate::common::{TIMEOUT, knowledge};
use crate::fuzz::fuzz;
use bestmove::cli::Uci;
use bestmove_engine::games;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// The program, as a chess program talks to it.
struct Engine {
    process: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_bestmove"));
        let program = program.arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = program.spawn().expect("the program starts");
        let input = process.stdin.take().expect("piped");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Self { process, input, lines }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the program reads");
    }

    /// The lines up to one that begins so.
    #[track_caller]
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| line.starts_with(start)) {
            lines.push(self.lines.recv_timeout(TIMEOUT).unwrap_or_else(|_| panic!("{lines:?}")));
        }
        lines
    }

    /// The answer to `go`: the lines of the search, the last one with the best move.
    #[track_caller]
    fn go(&mut self, position: &str, limits: &str) -> Vec<String> {
        self.say(&format!("position {position}"));
        self.say(&format!("go {limits}"));
        self.until("bestmove")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What a program writes for this input.
pub(crate) fn conversation(input: &str) -> String {
    let mut output = Vec::new();
    let input = Cursor::new(input.as_bytes().to_vec());
    Uci {}.run(input, &mut output, knowledge()).expect("a vector takes all");
    String::from_utf8(output).expect("it writes UTF-8")
}

#[test]
fn the_engine_introduces_itself() {
    let mut engine = Engine::start();
    engine.say("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name bestmove") && lines[1].starts_with("id author"));
    let threads = "Threads type spin default 1 min 1 max 1";
    let options =
        ["Hash", threads, "MultiPV", "Move Overhead", "UCI_LimitStrength type check", "UCI_Elo"];
    for option in options {
        let declared = format!("option name {option} ");
        assert!(lines.iter().any(|line| format!("{line} ").starts_with(&declared)), "{lines:?}");
    }
    engine.say("isready");
    engine.until("readyok");
    engine.say("quit");
    assert!(engine.process.wait().expect("it ends").success());
}

#[test]
fn every_depth_is_told_with_score_and_line() {
    let output = conversation("position startpos moves e2e4\ngo depth 4\n");
    let lines: Vec<_> = output.lines().collect();
    for (line, depth) in lines.iter().zip(1..=4) {
        assert!(line.starts_with(&format!("info depth {depth} multipv 1 score cp ")), "{output}");
        for word in [" nodes ", " nps ", " hashfull ", " time ", " pv "] {
            assert!(line.contains(word), "{output}");
        }
    }
    let last = lines[lines.len() - 2].split(" pv ").nth(1).expect("a line");
    let best = lines[lines.len() - 1].strip_prefix("bestmove ").expect("a move");
    assert_eq!(last.split(' ').next(), Some(best));
}

#[test]
fn the_table_fills_while_a_search_goes_on() {
    let output = conversation("position startpos\ngo nodes 200000\n");
    let usages =
        output.lines().filter_map(|line| line.split(" hashfull ").nth(1)?.split(' ').next());
    let usages: Vec<u16> = usages.map(|usage| usage.parse().expect("a number")).collect();
    assert!(usages.is_sorted() && usages[0] < usages[usages.len() - 1], "{output}");
    assert!(usages.iter().all(|&usage| usage <= 1000), "{output}");
}

#[test]
fn mates_are_counted_in_moves_for_the_winner_and_the_loser() {
    let winner = conversation("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\ngo depth 3\n");
    assert!(winner.contains(" score mate 1 ") && winner.ends_with("bestmove a1a8\n"), "{winner}");
    let loser = conversation("position fen k7/8/1K6/8/8/8/8/7R b - - 0 1\ngo depth 4\n");
    assert!(loser.contains(" score mate -1 ") && loser.ends_with("bestmove a8b8\n"), "{loser}");
    let sought = conversation("position fen k7/8/2K5/8/8/8/8/7R w - - 0 1\ngo mate 2\n");
    assert!(sought.contains(" score mate 2 "), "{sought}");
}

#[test]
fn several_lines_and_chosen_moves_are_told() {
    let several = conversation("setoption name MultiPV value 3\nposition startpos\ngo depth 2\n");
    let last: Vec<_> = several.lines().filter(|line| line.starts_with("info depth 2")).collect();
    let places: Vec<_> = (1..=3).map(|place| format!(" multipv {place} ")).collect();
    assert!(last.iter().zip(&places).all(|(line, place)| line.contains(place)), "{several}");
    let chosen = conversation("position startpos\ngo depth 3 searchmoves a2a3 h2h3\n");
    assert!(chosen.ends_with("bestmove a2a3\n") || chosen.ends_with("bestmove h2h3\n"), "{chosen}");
}

#[test]
fn limits_hold_and_an_infinite_search_waits_for_stop() {
    let mut engine = Engine::start();
    let nodes = engine.go("startpos", "nodes 5000");
    let spent = nodes[nodes.len() - 2].split(" nodes ").nth(1).and_then(|it| it.split(' ').next());
    assert!(spent.is_some_and(|spent| spent.parse().is_ok_and(|spent: u64| spent <= 5020)));
    engine.go("startpos", "movetime 50");
    engine.go("startpos", "wtime 300 btime 300 winc 10 binc 10");
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    engine.say("go infinite");
    engine.say("isready");
    assert!(!engine.until("readyok").iter().any(|line| line.starts_with("bestmove")));
    engine.say("go depth 1");
    engine.until("info string a search is running already");
    engine.say("stop");
    engine.until("bestmove");
}

#[test]
fn a_search_that_follows_stop_at_once_is_answered_too() {
    let mut engine = Engine::start();
    engine.say("go infinite\nstop\nposition startpos moves e2e4\ngo depth 2");
    engine.until("bestmove");
    let second = engine.until("bestmove");
    assert!(second.iter().any(|line| line.starts_with("info depth 2")), "{second:?}");
    engine.say("go infinite\nstop\ngo infinite\nstop");
    engine.until("bestmove");
    engine.until("bestmove");
}

#[test]
fn what_is_wrong_is_told_and_survived() {
    let mut engine = Engine::start();
    let wrong = [
        ("joho debug on", "unknown command: joho"),
        ("position startpos moves e2e5", "moves[0] 'e2e5'"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", ""),
        ("position", "expected startpos or fen"),
        ("setoption name MultiPV value many", "expected a number from 1 to 218"),
        ("setoption name Colour value blue", "there is no option 'Colour'"),
        ("setoption", "expected name"),
    ];
    for (line, complaint) in wrong {
        engine.say(line);
        let lines = engine.until("info string");
        assert!(lines[0].contains(complaint), "{line}: {lines:?}");
    }
    assert!(engine.go("startpos", "depth two nodes 100")[0].contains("depth: expected a number"));
    let endless = engine.go("startpos", "depth two");
    assert_eq!(endless.last().map(String::as_str), Some("bestmove (none)"));
    let over = engine.go("fen R5k1/5ppp/8/8/8/8/8/7K b - - 0 1", "depth 3");
    assert_eq!(over.last().map(String::as_str), Some("bestmove (none)"));
    let draw = "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    assert!(engine.go(draw, "depth 2")[0].contains("game is over"));
}

/// Words of the interface, and others.
fn word() -> impl Strategy<Value = String> {
    let known = select(vec![
        "uci",
        "isready",
        "ucinewgame",
        "setoption",
        "name",
        "value",
        "Hash",
        "MultiPV",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "e7e5",
        "e1g1",
        "0000",
        "8/8/8/8/8/8/8/8",
        "w",
        "KQkq",
        "go",
        "depth",
        "nodes",
        "movetime",
        "wtime",
        "btime",
        "winc",
        "movestogo",
        "searchmoves",
        "infinite",
        "mate",
        "ponder",
        "stop",
        "debug",
        "on",
        "1",
        "3",
        "-5",
        "99999999999999999999",
    ]);
    prop_oneof![8 => known.prop_map(str::to_owned), 1 => ".{0,12}".prop_map(String::from)]
}

#[test]
fn whatever_is_said_every_search_is_answered_and_nothing_breaks() {
    let line = vec(word(), 0..8).prop_map(|words| words.join(" "));
    let text = (vec(line, 0..12), any::<prop::sample::Index>());
    fuzz(text, |(lines, cut)| {
        let mut input = lines.join("\n").into_bytes();
        input.truncate(cut.index(input.len() + 1));
        let said = String::from_utf8_lossy(&input).into_owned();
        let has_quit = said.lines().any(|line| line.split_whitespace().next() == Some("quit"));
        prop_assume!(!has_quit);
        input.extend(b"\nstop\nisready\n");
        let mut output = Vec::new();
        Uci {}.run(Cursor::new(input), &mut output, knowledge()).expect("a vector takes all");
        let output = String::from_utf8(output).expect("it writes UTF-8");
        let count = |start: &str| output.lines().filter(|line| line.starts_with(start)).count();
        let searches = said.lines().filter(|line| line.split_whitespace().next() == Some("go"));
        let answered = count("bestmove") + count("info string a search is running already");
        prop_assert_eq!(searches.count(), answered, "{}", output);
        prop_assert!(count("readyok") >= 1);
        Ok(())
    });
}

#[test]
fn limited_strength_is_that_of_a_level() {
    let limits = |elo: u32| {
        let options = format!(
            "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value {elo}\n"
        );
        conversation(&format!("{options}position startpos\ngo movetime 20000\n"))
    };
    let (weak, strong) = (limits(0), limits(10_000));
    let depth = |output: &str| output.matches("info depth").count();
    assert!(weak.contains("bestmove ") && strong.contains("bestmove "), "{weak}{strong}");
    assert!(depth(&weak) < depth(&strong), "{weak}{strong}");
}

#[test]
fn only_one_game_is_written_as_in_the_interface() {
    let games: Vec<_> = games::CATALOGUE.iter().map(|game| game.info()).collect();
    let names: Vec<_> = games.iter().filter(|info| info.uci).map(|info| info.name).collect();
    assert_eq!(names, ["chess"]);
}
