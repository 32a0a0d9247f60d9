//! Records in the ways people write them lead to the positions of the games that were played.

use std::io::Write;
use std::process::{Command, Stdio};

use bestmove_engine::game::{PositionText, Record};
use bestmove_engine::games;
use bestmove_engine::games::any::AnyGame;
use fastrand::Rng;
use serde_json::{Value, json};

/// A game that was played: its moves, each in the game's notation and in SAN where there is one.
struct Played {
    moves: Vec<(String, Option<String>)>,
    end: String,
}

fn game(name: &str) -> &'static dyn AnyGame {
    games::find(name).expect("a game")
}

fn play(name: &str, rng: &mut Rng) -> Played {
    let mut board = game(name).board(None, &[]).expect("the start");
    let mut moves = Vec::new();
    for ply in 0..rng.usize(4..90) {
        let legal = board.legal_moves();
        let Some(choice) = legal.get(rng.usize(0..legal.len().max(1))) else { break };
        moves.push((choice.mv.text.clone(), choice.mv.san.clone()));
        board = board.after(&choice.mv.text, ply).expect("a legal move");
    }
    Played { moves, end: board.state().position }
}

fn end_of(name: &str, text: &str) -> Result<String, String> {
    let Record { start, moves, .. } = game(name).read_record(text).map_err(|error| error.0)?;
    let start = start.map(PositionText::Text);
    let board = game(name).board(start.as_ref(), &moves).map_err(|error| format!("{error:?}"))?;
    Ok(board.state().position)
}

/// Whether the record is to be read by other programs too, which take fewer ways of writing.
#[derive(Clone, Copy, PartialEq)]
enum Ways {
    Standard,
    All,
}

/// One of these texts.
fn any<'t>(rng: &mut Rng, texts: &[&'t str]) -> &'t str {
    rng.choice(texts.iter().copied()).unwrap_or_default()
}

/// A move as somebody might write it.
fn spelled(mv: &(String, Option<String>), ways: Ways, rng: &mut Rng) -> String {
    let Some(san) = &mv.1 else {
        let dash = if ways == Ways::All { any(rng, &["-", "–", "‑", "−"]) } else { "-" };
        return mv.0.replace('-', dash);
    };
    if ways == Ways::Standard {
        return san.clone();
    }
    let san = if rng.u8(0..8) == 0 { mv.0.clone() } else { san.clone() };
    match rng.u8(0..7) {
        0 => san.replace("O-O", "0-0").replace("0-0-O", "0-0-0"),
        1 => san.replace('-', "‑"),
        2 => "KQRBN".chars().zip("♔♛♖♝♘".chars()).fold(san, |san, (letter, figurine)| {
            if san.starts_with(letter) {
                san.replacen(letter, &figurine.to_string(), 1)
            } else {
                san
            }
        }),
        3 => match san.split_once('=') {
            Some((pawn, piece)) if piece.len() == 1 => {
                any(rng, &["A/B", "A(B)", "AB", "A=(B)"]).replace('A', pawn).replace('B', piece)
            }
            _ => san,
        },
        4 => san.replace('x', "×"),
        5 => format!("\u{200b}{san}"),
        _ => san,
    }
}

/// What may stand after a move.
fn ornament(ways: Ways, rng: &mut Rng) -> &'static str {
    match (rng.u8(0..10), ways) {
        (0, _) => " {a [quiet] (move); e4 }",
        (1, _) => " $14",
        (2, _) => any(rng, &["!", "?", "!?"]),
        (3, Ways::All) => " (1. a4 {or (b4)} (1. h4 $2))",
        (4, _) => " ; to the end (of [the line\n",
        (5, Ways::All) => {
            any(rng, &["±", " ∓", "⩲", " = ", " +- ", " -+", " ∞", "$3", " N", " □", "+/-"])
        }
        (6, Ways::All) => any(rng, &["\n% a line of a program\n", ",", "\r\n", "\u{a0}", "_"]),
        _ => "",
    }
}

fn rendered(played: &Played, ways: Ways, rng: &mut Rng) -> String {
    let mut text = String::new();
    if ways == Ways::All && rng.bool() {
        text.push('\u{feff}');
    }
    if ways == Ways::Standard || rng.bool() {
        text.push_str("[Event \"A [b] {c} (d\"]\n[Site \"?\"]\n\n");
    }
    // Plain digits are moves in some games, so numbers have dots there.
    let numbers: &[&str] = match (ways, played.moves.iter().all(|mv| mv.0.len() == 1)) {
        (Ways::Standard, _) => &["N. ", "N."],
        (Ways::All, true) => &["N. ", "", "N… "],
        (Ways::All, false) => &["N. ", "N.", "N ", "N... ", "N… "],
    };
    let number = any(rng, numbers);
    for (ply, mv) in played.moves.iter().enumerate() {
        if ply % 2 == 0 {
            text.push_str(&number.replace('N', &(ply / 2 + 1).to_string()));
        }
        text.push_str(&spelled(mv, ways, rng));
        text.push_str(ornament(ways, rng));
        text.push(' ');
    }
    let results: &[&str] = match ways {
        Ways::Standard => &["1-0", "0-1", "1/2-1/2", "*"],
        Ways::All => &["", "1–0", "0:1", "½–½", "1/2", "*", "1 - 0", "0.5-0.5"],
    };
    text + any(rng, results)
}

#[test]
fn a_game_is_read_in_every_way_of_writing_it() {
    for info in games::catalogue().iter().map(|game| game.info()) {
        for seed in 0..150 {
            let mut rng = Rng::with_seed(seed);
            let played = play(info.name, &mut rng);
            let text = rendered(&played, Ways::All, &mut rng);
            assert_eq!(
                end_of(info.name, &text).as_ref(),
                Ok(&played.end),
                "{}, seed {seed}: {text}",
                info.name
            );
        }
    }
}

#[test]
fn no_text_panics_and_no_bracket_is_lost() {
    const PARTS: [&str; 24] = [
        "{", "}", "(", ")", "[", "]", "\"", ";", "%", "$", "\n", "1.", "1", "e4", "11-15", "4",
        " ", "*", "1-0", "½", "♘", "(Q)", "-", "[FEN \"",
    ];
    let mut rng = Rng::with_seed(1);
    for _ in 0..20_000 {
        let text: String = (0..rng.usize(0..12)).map(|_| any(&mut rng, &PARTS)).collect();
        for game in games::catalogue() {
            let read = game.read_record(&text);
            assert_eq!(
                read.as_ref().map_or(0, |read| read.places.len()),
                read.map_or(0, |read| read.moves.len())
            );
            let _ = game.board(Some(&PositionText::Text(text.clone())), &[]);
            let _ = game.board(None, std::slice::from_ref(&text));
        }
    }
}

/// What python-chess says of these games: the position at the end of each; `None` where it is not installed.
fn python_chess(records: &[String]) -> Option<Vec<String>> {
    const SCRIPT: &str = "\
import io, json, sys
import chess.pgn
ends = []
for text in json.load(sys.stdin):
    game = chess.pgn.read_game(io.StringIO(text))
    assert not game.errors, (game.errors, text)
    ends.append(game.end().board().fen(en_passant='legal'))
json.dump(ends, sys.stdout)
";
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_chess = Command::new(&python).args(["-c", "import chess.pgn"]).output();
    if !has_chess.is_ok_and(|output| output.status.success()) {
        return None;
    }
    let mut child = Command::new(python)
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(json!(records).to_string().as_bytes()).expect("python reads");
    drop(input);
    let output = child.wait_with_output().expect("python ends");
    assert!(output.status.success(), "python-chess refuses a record");
    let ends: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    Some(ends.iter().map(|end| end.as_str().expect("a FEN").to_owned()).collect())
}

#[test]
fn chess_records_are_read_as_python_chess_reads_them() {
    let mut rng = Rng::with_seed(7);
    let games: Vec<Played> = (0..150).map(|_| play("chess", &mut rng)).collect();
    let records: Vec<String> =
        games.iter().map(|played| rendered(played, Ways::Standard, &mut rng)).collect();
    let Some(ends) = python_chess(&records) else {
        eprintln!("skipped: python-chess is not installed (PYTHON names the interpreter)");
        return;
    };
    assert_eq!(ends.len(), games.len());
    for ((played, record), end) in games.iter().zip(&records).zip(ends) {
        assert_eq!(end_of("chess", record).as_ref(), Ok(&end), "{record}");
        let text = rendered(played, Ways::All, &mut rng);
        assert_eq!(end_of("chess", &text).as_ref(), Ok(&end), "{text}");
    }
}

#[test]
fn a_drawing_of_a_grid_is_read_as_its_position() {
    for name in ["tic-tac-toe", "connect-four"] {
        for seed in 0..40 {
            let mut rng = Rng::with_seed(seed);
            let end = play(name, &mut rng).end;
            let position = PositionText::Text(end.clone());
            let drawing = game(name).board(Some(&position), &[]).expect("a position").drawing();
            let rows = end.split(' ').next().expect("rows");
            assert_eq!(written(name, &drawing), written(name, rows), "{drawing}");
        }
    }
}

/// The position that a text names, written.
fn written(name: &str, text: &str) -> Result<String, String> {
    let board = game(name).board(Some(&PositionText::Text(text.to_owned())), &[]);
    board.map(|board| board.state().position).map_err(|error| format!("{error:?}"))
}

#[test]
fn positions_are_read_as_people_write_them() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    const MEN: &str = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
    for (name, text, position) in [
        ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", START),
        ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w AHah", START),
        ("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq – 0 1", START),
        ("chess", "startpos", START),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; id \"a; b\";", KINGS),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 bm Kd2", KINGS),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - ;D1 5 ;D2 25", KINGS),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - hmvc 4; fmvn 9;", "4k3/8/8/8/8/8/8/4K3 w - - 4 9"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - - -", KINGS),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w − – ? 3", "4k3/8/8/8/8/8/8/4K3 w - - 0 3"),
        ("chess", "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]", KINGS),
        ("chess", "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n", KINGS),
        ("chess", "\u{feff}\u{201c}4k3/8/8/8/8/8/8/4K3 w - -\u{201d}", KINGS),
        ("chess", "4k3/8/8/8/8/8/8/4K3\u{a0}w\u{200b} - -", KINGS),
        ("checkers", "W:W21-32:B1-12:H0:F1", MEN),
        ("checkers", "W:W21–32:B1–12.", MEN),
        ("checkers", "[FEN \"W:W21-32:B1-12:H3:F12\"]", MEN),
        ("tic-tac-toe", "x.o.x...o", "X.O.X...O X"),
        ("tic-tac-toe", "X O X   O", "X.O.X...O X"),
        ("tic-tac-toe", "X O X   O x", "X.O.X...O X"),
        ("tic-tac-toe", "X_O_X___O_X", "X.O.X...O X"),
        ("tic-tac-toe", "X_O/_X_/__O_X", "X.O.X...O X"),
        ("tic-tac-toe", "X . O\n. X .\n. . O\n", "X.O.X...O X"),
        ("tic-tac-toe", "X O\n X \n  O", "X.O.X...O X"),
        ("tic-tac-toe", "X| |O\n |X| \n | |O", "X.O.X...O X"),
        ("tic-tac-toe", "X,,O,,X,,,,O", "X.O.X...O X"),
        ("tic-tac-toe", "102010002", "X.O.X...O X"),
        ("tic-tac-toe", "102010002 1", "X.O.X...O X"),
        (
            "connect-four",
            "000000000000000000000000000000000000001200",
            "......./......./......./......./......./...XO.. X",
        ),
        ("connect-four", "45", "......./......./......./......./......./...XO.. X"),
        (
            "connect-four",
            ". . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . x o . .\n",
            "......./......./......./......./......./...XO.. X",
        ),
    ] {
        assert_eq!(written(name, text).as_deref(), Ok(position), "{text}");
    }
    for (name, text, words) in [
        ("chess", "1N6/8/K7/3k4/3p3B/p7/2PP4/8 w KQkq - 0 1", "leave out KQkq"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2", "moves have a field of their own"),
        ("tic-tac-toe", "X0X.0....", "write X, O and ."),
        ("tic-tac-toe", "X O X", "expected 9 cells"),
        ("connect-four", "XO", "cells: expected 42"),
    ] {
        let error = written(name, text).expect_err(text);
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn frames_and_numbers_with_points_are_read() {
    for text in [
        "┌─┬─┬─┐\n│X│ │O│\n├─┼─┼─┤\n│ │X│ │\n├─┼─┼─┤\n│ │ │O│\n└─┴─┴─┘",
        "│X│ │O│\n│ │X│ │\n│ │ │O│",
        "[[1. 0. 2.]\n [0. 1. 0.]\n [0. 0. 2.]]",
        "[[1.0, 0.0, -1.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]",
    ] {
        assert_eq!(written("tic-tac-toe", text).as_deref(), Ok("X.O.X...O X"), "{text}");
    }
    let error = written("othello", "1 (;GM[Othello]PC[GGS/os];)").expect_err("a game in GGF");
    assert!(error.contains("GGF or SGF"), "{error}");
}

#[test]
fn invisible_characters_may_stand_between_moves_and_in_them() {
    for invisible in ["\u{200b}", "\u{feff}", "\u{ad}", "\u{2060}", "\u{fffb}", "\u{e0020}"] {
        for (name, moves, texts) in [
            ("chess", "e4,e5,Nf3", ["1. e4@e5 2.@N@f3", "e2e4@e7e5@g1f3", "1. e4 @ e5@ @Nf3@"]),
            (
                "checkers",
                "11-15,23-19,8-11",
                ["11-15@23@-19@8-11", "11@-15,@,23-19 8-11", "1. 11-15 2@3-19 8-11"],
            ),
            ("connect-four", "4,4,3", ["4@43", "4 @ 4 3@", "@4,@,4,3"]),
            ("othello", "f5,d6,c3", ["f5@d6@c3", "f@5d6 @ c3", "f5-d6@-c3"]),
        ] {
            let position = |text: &str| {
                let record = game(name).read_record(text).expect(text);
                game(name).board(None, &record.moves).map(|board| board.state().position)
            };
            for text in texts {
                let text = text.replace('@', invisible);
                assert_eq!(position(&text), position(moves), "{name}: {text:?}");
            }
        }
        let moves = ["4", invisible, "0"].map(str::to_owned);
        let board = game("tic-tac-toe").board(None, &moves).expect("two moves");
        assert_eq!(board.state().position, "O...X.... X");
    }
}

/// The move in UCI, or why it can't be played.
fn end(position: &str, mv: &str) -> Result<String, String> {
    let position = PositionText::Text(position.to_owned());
    let board = game("chess").board(Some(&position), &[mv.to_owned()]);
    board
        .map(|board| board.last_move().expect("a move").text.text)
        .map_err(|error| format!("{error:?}"))
}

#[test]
fn moves_are_read_as_people_write_them() {
    let start = "startpos";
    let open = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1";
    let promotion = "8/4P3/8/7k/8/8/8/K7 w - - 0 1";
    let passing = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
    let bishop = "4k3/8/8/2p5/1P1B4/8/8/4K3 w - - 0 1";
    for (position, mv, uci) in [
        (start, "♘f3", "g1f3"),
        (start, "♞f3", "g1f3"),
        (start, "nf3", "g1f3"),
        (start, "NF3", "g1f3"),
        (start, "E4", "e2e4"),
        (start, "E2E4", "e2e4"),
        (start, "e2–e4", "e2e4"),
        (start, "e4±", "e2e4"),
        (start, "Nf3N", "g1f3"),
        (start, "1.e4!", "e2e4"),
        (start, "e4 $1", "e2e4"),
        (open, "0-0", "e1g1"),
        (open, "o-o", "e1g1"),
        (open, "O‑O!", "e1g1"),
        (open, "О-О", "e1g1"),
        (open, "bxc6", "b5c6"),
        (open, "B×c6", "b5c6"),
        (open, "B:c6", "b5c6"),
        (promotion, "e8(Q)", "e7e8q"),
        (promotion, "e8=(Q)+", "e7e8q"),
        (promotion, "e8/Q", "e7e8q"),
        (promotion, "e8=♕", "e7e8q"),
        (promotion, "e8N", "e7e8n"),
        (promotion, "e8=q", "e7e8q"),
        (passing, "exf6e.p.", "e5f6"),
        (passing, "exf6 e.p.", "e5f6"),
        (passing, "exf6ep", "e5f6"),
        (bishop, "bxc5", "b4c5"),
        (bishop, "Bxc5", "d4c5"),
    ] {
        assert_eq!(end(position, mv).as_deref(), Ok(uci), "{mv}");
    }
    for mv in ["--", "Z0", "0000", "@@@@", "null"] {
        assert!(end(start, mv).expect_err(mv).contains("null move"), "{mv}");
    }
    // An upper-case letter is a piece, never a file.
    assert!(end("4k3/8/8/8/2p5/1P6/8/4K3 w - - 0 1", "Bxc4").is_err());
}

#[test]
fn remarks_and_short_forms_of_old_books_are_read() {
    let open = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1";
    let passing = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
    let bishop = "4k3/8/8/2p5/1P1B4/8/8/4K3 w - - 0 1";
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    for (position, mv, uci) in [
        (bishop, "bc", "b4c5"),
        (bishop, "b:c", "b4c5"),
        (open, "00", "e1g1"),
        (open, "oo", "e1g1"),
        (open, "Bxc6 ch", "b5c6"),
        (passing, "ef", "e5f6"),
        (mate, "Ra8mate", "a1a8"),
        (mate, "Ra8 checkmate", "a1a8"),
        (mate, "Ra8ch.", "a1a8"),
    ] {
        assert_eq!(end(position, mv).as_deref(), Ok(uci), "{mv}");
    }
    assert!(
        end("4k3/8/8/2p5/1P6/2p5/1P6/4K3 w - - 0 1", "bc")
            .expect_err("two")
            .contains("bxc3 or bxc5")
    );
}
