//! `bestmove uci`: the Universal Chess Interface.

use std::io::{BufRead, BufReader, Cursor, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{TIMEOUT, knowledge};
use crate::fuzz::fuzz;
use bestmove_adapters::Uci;
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
    let options = [
        "Hash",
        threads,
        "Ponder type check",
        "MultiPV",
        "Move Overhead",
        "UCI_Chess960 type check",
        "UCI_LimitStrength type check",
        "UCI_Elo",
    ];
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
    let expected: Vec<_> = last.split(' ').take(2).collect();
    assert_eq!(best, expected.join(" ponder "));
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
fn a_search_goes_on_with_the_tables_of_the_one_before_until_a_new_game() {
    let mut engine = Engine::start();
    let mut nodes = |start, position| {
        engine.say(start);
        let lines = engine.go(position, "depth 10");
        let mut told = lines.iter().rev().filter_map(|line| line.split(" nodes ").nth(1));
        let number = told.next().and_then(|told| told.split(' ').next()).expect("a number");
        number.parse::<u64>().expect("a number")
    };
    let (first, again) = (nodes("ucinewgame", "startpos"), nodes("isready", "startpos"));
    assert!(again * 4 < first, "{first} positions, then {again}");
    assert_eq!(nodes("ucinewgame", "startpos"), first);
}

#[test]
fn mates_are_counted_in_moves_for_the_winner_and_the_loser() {
    let winner = conversation("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\ngo depth 3\n");
    assert!(winner.contains(" score mate 1 ") && winner.ends_with("\nbestmove a1a8\n"), "{winner}");
    let loser = conversation("position fen k7/8/1K6/8/8/8/8/7R b - - 0 1\ngo depth 4\n");
    assert!(
        loser.contains(" score mate -1 ") && loser.ends_with("\nbestmove a8b8 ponder h1h8\n"),
        "{loser}"
    );
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
    assert!(["a2a3", "h2h3"].contains(&best_moves(&chosen)[0]), "{chosen}");
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
        ("joho hello", "unknown command: joho hello"),
        ("position startpos moves e2e5", "moves[0] 'e2e5'"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", ""),
        ("position", "expected startpos or fen"),
        ("setoption name MultiPV value many", "expected a number from 1 to 218"),
        ("setoption name Ponder value maybe", "expected true or false"),
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
}

/// The moves that are told, without the replies that are expected.
fn best_moves(output: &str) -> Vec<&str> {
    let told = output.lines().filter_map(|line| line.strip_prefix("bestmove "));
    told.map(|told| told.split(' ').next().unwrap_or_default()).collect()
}

#[test]
fn no_move_is_told_of_another_position_than_the_last_one() {
    let refused = [
        "position startpos moves e2e4 0000",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e7e5 e1g1",
        "position startpos moves f2f3 e7e5 g2g4 d8h4 a2a3",
        "position startpos e2e4",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
        "position fen",
        "position kiwipete",
        "position",
    ];
    for refused in refused {
        let output = conversation(&format!(
            "{refused}\ngo depth 2\nucinewgame\ngo wtime 1000 btime 1000\nisready\n\
             position startpos moves e2e4\ngo depth 1\nstop\n{refused}\ngo nodes 100\n"
        ));
        let told = best_moves(&output);
        let [first, second, third, fourth] = told[..] else { panic!("{output}") };
        assert_eq!([first, second, fourth], ["(none)"; 3], "{output}");
        assert!(third.contains(['5', '6']), "{output}");
        assert_eq!(output.matches("info depth").count(), 1, "{output}");
        assert!(output.starts_with("info string "), "{output}");
    }
}

/// Positions in which the game is over, and their scores.
const ENDED: [(&str, &str); 4] = [
    ("startpos moves f2f3 e7e5 g2g4 d8h4", "mate 0"),
    ("fen R5k1/5ppp/8/8/8/8/8/7K b - - 0 1", "mate 0"),
    ("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
    ("fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1", "cp 0"),
];

#[test]
fn the_end_of_a_game_has_a_score_and_no_move() {
    for (position, score) in ENDED {
        let end = format!("info depth 0 score {score}\nbestmove (none)\n");
        for limits in ["depth 3", "wtime 100 btime 100", "mate 2", "nodes 9 searchmoves e2e4", ""] {
            let output = conversation(&format!("position {position}\ngo {limits}\n"));
            assert_eq!(output, end, "{position} {limits}");
        }
        for (limits, command) in
            [("infinite", "stop"), ("ponder wtime 9 btime 9", "ponderhit"), ("ponder", "stop")]
        {
            let said = format!("position {position}\ngo {limits}\nisready\n{command}\nisready\n");
            assert_eq!(conversation(&said), format!("readyok\n{end}readyok\n"), "{said}");
        }
    }
}

#[test]
fn illegal_moves_to_choose_from_are_left_out() {
    let cases = [
        ("e2e5 a2a3", "a2a3", 1),
        ("a2a3 a2a3 e2e5 e7e5 a2a3", "a2a3", 2),
        ("a2a3 0000 nonsense", "a2a3", 2),
        ("e2e5 e1g1", "(none)", 2),
    ];
    for (moves, best, left_out) in cases {
        let output = conversation(&format!("position startpos\ngo depth 2 searchmoves {moves}\n"));
        assert_eq!(best_moves(&output), [best], "{output}");
        assert_eq!(output.matches("info string go searchmoves: '").count(), left_out, "{output}");
    }
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    assert!(conversation("joho uci\n").ends_with("uciok\n"));
    assert_eq!(conversation("joho debug on\nplease say isready now\n"), "readyok\n");
    assert_eq!(conversation("now quit\nuci\n"), "");
    let output = conversation("a position startpos moves e2e4\nand then go depth 1\n");
    assert!(output.starts_with("info depth 1 "), "{output}");
}

#[test]
fn commands_are_read_as_programs_write_them() {
    let castled = "fen rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4";
    let start = "fen rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let promoted = "fen 1Q5k/8/8/8/8/8/8/K7 b - - 0 1";
    let cases = [
        (format!("{start} moves e1g1"), castled),
        (format!("{start} moves e1h1"), castled),
        ("fen 7k/1P6/8/8/8/8/8/K7 w - - 0 1 moves b7b8q".to_owned(), promoted),
        ("fen 7k/1P6/8/8/8/8/8/K7 w - - 0 1 moves b7b8Q".to_owned(), promoted),
        ("fen 1Q5k/8/8/8/8/8/8/K7 b - -".to_owned(), promoted),
        ("fen 1Q5k/8/8/8/8/8/8/K7 b - - 0 1 moves".to_owned(), promoted),
        ("\tfen  1Q5k/8/8/8/8/8/8/K7  b - - 0 1\t moves \r".to_owned(), promoted),
        ("startpos moves".to_owned(), "startpos"),
        ("startpos\r".to_owned(), "startpos"),
    ];
    let searched = |position: &str| {
        let output = conversation(&format!("position {position}\ngo depth 3\n"));
        let line = |line: &str| line.split(" pv ").nth(1).map(str::to_owned);
        output.lines().filter_map(line).collect::<Vec<_>>()
    };
    for (written, plain) in cases {
        let lines = searched(&written);
        assert!(!lines.is_empty(), "{written}");
        assert_eq!(lines, searched(plain), "{written}");
    }
}

#[test]
fn while_it_ponders_no_move_is_told() {
    let mut engine = Engine::start();
    let limits = [
        "depth 2",
        "wtime 300 btime 300 winc 10 binc 10",
        "movetime 100",
        "nodes 1000",
        "searchmoves g1f3 depth 1",
        "mate 1",
        "",
    ];
    for limits in limits {
        for command in ["ponderhit", "stop"] {
            engine.say("position startpos moves e2e4 e7e5");
            engine.say(&format!("go ponder {limits}"));
            thread::sleep(Duration::from_millis(200));
            engine.say("isready");
            let before = engine.until("readyok");
            assert!(
                !before.iter().any(|line| line.starts_with("bestmove")),
                "{limits}: {before:?}"
            );
            engine.say(if limits == "mate 1" { "stop" } else { command });
            let after = engine.until("bestmove");
            assert!(!after.iter().any(|line| line.contains("(none)")), "{limits}: {after:?}");
        }
    }
    engine.say("go ponder infinite\nponderhit\nisready");
    assert!(!engine.until("readyok").iter().any(|line| line.starts_with("bestmove")));
    engine.say("stop\nstop\nponderhit");
    engine.until("bestmove");
    engine.say("stop\nponderhit\nisready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
}

#[test]
fn the_clock_runs_from_the_moment_at_which_the_opponent_has_played() {
    let mut engine = Engine::start();
    engine.say("position fen r1bq1rk1/pp2bppp/2n2n2/3p4/3P4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 10");
    engine.say("go ponder movetime 300");
    thread::sleep(Duration::from_millis(600));
    engine.say("ponderhit");
    let hit = Instant::now();
    engine.until("bestmove");
    assert!(hit.elapsed() >= Duration::from_millis(250), "{:?}", hit.elapsed());
}

#[test]
fn other_commands_do_not_disturb_a_search() {
    let mut engine = Engine::start();
    engine.say(
        "go infinite\nposition fen 7k/8/8/8/8/8/8/K6R w - - 0 1\nsetoption name MultiPV value 2",
    );
    engine.say("ponderhit\nisready\nposition startpos moves e2e5\ndebug on\nisready");
    engine.until("readyok");
    let lines = engine.until("readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    engine.say("stop");
    let best = engine.until("bestmove").pop().unwrap_or_default();
    assert!(
        conversation("go depth 1\n").contains("bestmove") && !best.contains("(none)"),
        "{best}"
    );
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
        "ponderhit",
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

/// The command of a line: its first word that names one.
fn command(line: &str) -> Option<&str> {
    let commands =
        "uci debug isready setoption register ucinewgame position go stop ponderhit quit";
    line.split_whitespace().find(|word| commands.split(' ').any(|command| command == *word))
}

#[test]
fn whatever_is_said_every_search_is_answered_and_nothing_breaks() {
    let line = vec(word(), 0..8).prop_map(|words| words.join(" "));
    let text = (vec(line, 0..12), any::<prop::sample::Index>());
    fuzz(text, |(lines, cut)| {
        let mut input = lines.join("\n").into_bytes();
        input.truncate(cut.index(input.len() + 1));
        let said = String::from_utf8_lossy(&input).into_owned();
        let commands = said.lines().filter_map(command);
        prop_assume!(!commands.clone().any(|command| command == "quit"));
        input.extend(b"\nstop\nisready\n");
        let mut output = Vec::new();
        Uci {}.run(Cursor::new(input), &mut output, knowledge()).expect("a vector takes all");
        let output = String::from_utf8(output).expect("it writes UTF-8");
        let count = |start: &str| output.lines().filter(|line| line.starts_with(start)).count();
        let searches = commands.filter(|&command| command == "go");
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
    let games: Vec<_> = games::catalogue().iter().map(|game| game.info()).collect();
    let names: Vec<_> = games.iter().filter(|info| info.uci).map(|info| info.name).collect();
    assert_eq!(names, ["chess"]);
}

#[test]
fn castling_takes_the_rook_where_chess960_is_played() {
    let asked = |limits: &str| {
        conversation(&format!(
            "setoption name UCI_Chess960 value true\n\
             position fen 4k3/8/8/8/8/8/8/R4K1R w HA - 0 1{limits}\n"
        ))
    };
    let castling = asked("\ngo depth 1 searchmoves f1h1");
    assert!(castling.contains("bestmove f1h1"), "{castling}");
    let castled = asked(" moves f1h1\ngo depth 1");
    assert!(castled.contains("bestmove e8"), "{castled}");
    let standard =
        conversation("position fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\ngo depth 1 searchmoves e1c1");
    assert!(standard.contains("bestmove e1c1"), "{standard}");
}
