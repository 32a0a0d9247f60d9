//! Othello.

use std::collections::BTreeMap;

use crate::{cases, data, evaluator, knowledge, untyped};
use bestmove_engine::game::{
    Alert, Cells, Drawing, Evaluator, Game, MoveDrawing, Notation, Outcome, Position, PositionText,
    Square,
};
use bestmove_engine::games::any::{AnyBoard, GameStatus, SearchParameters};
use bestmove_engine::games::othello::{Othello, OthelloBoard, OthelloEvaluator};
use bestmove_engine::search::{self, Algorithm, SearchLimits, Solver, StoppedBy, Task};
use proptest::prelude::*;
use proptest::sample::Index;

fn text(position: &str) -> PositionText {
    PositionText::Text(position.to_owned())
}

fn read(position: &str) -> OthelloBoard {
    Othello::Standard.read_position(&text(position)).expect(position)
}

/// A board after some moves, which are written as people write them.
fn board(position: Option<&str>, moves: &[&str]) -> Box<dyn AnyBoard> {
    let moves: Vec<_> = moves.iter().map(|&mv| mv.to_owned()).collect();
    untyped(Othello::Standard)
        .board(position.map(text).as_ref(), &moves)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// X has no move; a1 and b1 are left for O.
const PASS: &str = "..XXXXOXXXXXXOOXXOXOOOOXXOXOOOOXXOOOXOOXXOXOOXOXXOOOOOXXXOOXXXXX X";

/// The positions after so many plies, a finished game counted once.
fn perft(position: &OthelloBoard, plies: u32) -> u64 {
    if plies == 0 || position.outcome().is_some() {
        return 1;
    }
    position.legal_moves().map(|mv| perft(&position.play(mv), plies - 1)).sum()
}

#[test]
fn the_moves_are_as_many_as_an_independent_counter_finds() {
    let expected = [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288];
    for (plies, expected) in (1..).zip(expected) {
        assert_eq!(perft(&Othello::Standard.start(), plies), expected, "{plies} plies");
    }
}

#[test]
#[ignore = "takes half a minute: cargo test --release -p bestmove-engine --test it othello -- --ignored"]
fn the_moves_are_as_many_as_an_independent_counter_finds_to_eleven_plies() {
    for (plies, expected) in [(10, 24_571_284), (11, 212_258_800)] {
        assert_eq!(perft(&Othello::Standard.start(), plies), expected, "{plies} plies");
    }
}

/// The first eleven problems of the Fédération Française d'Othello, each with the margin of best play.
const PROBLEMS: [(&str, i32); 11] = [
    ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", 18),
    ("-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X", 10),
    ("----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X", 2),
    ("-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X", 0),
    ("-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X", 32),
    ("--OXXX--OOOXXX--OOOXOXO-OOXOOOX-OOXXXXXXXOOXXOX--OOOOX---XXXXXX- X", 14),
    ("--OXXO--XOXXXX--XOOOXXXXXOOXXXXXXOOOOXXX-XXXXXXX--XXOOO----XXOO- X", 8),
    ("---X-X--X-XXXX--XXXXOXXXXXXOOOOOXXOXXXO-XOXXXXO-XOOXXX--XOOXXO-- O", 8),
    ("--XOXX--O-OOXXXX-OOOXXXX-XOXXXOXXXOXOOOXOXXOXOXX--OXOO----OOOO-- O", -8),
    ("-XXXX-----OXXX--XOXOXOXXOXOXXOXXOXXOXOOOXXXOXOOX--OXXO---OOOOO-- O", 10),
    ("---O-XOX----XXOX---XXOOXO-XXOXOXXXXOOXOX-XOOXXXXXOOOXX-XOOOOOOO- O", 30),
];

#[test]
fn known_endgames_are_proven_with_their_margins() {
    for (position, margin) in PROBLEMS {
        for algorithm in [Algorithm::Solve, Algorithm::Selective] {
            let task = Task::new(read(position), SearchLimits::depth(120), algorithm);
            let report = search::run(&task, &evaluator::<Othello>("mobility"));
            assert_eq!(report.margin, Some(margin), "{position}");
            let outcome = match margin {
                0 => Outcome::Draw,
                1.. => Outcome::Win,
                _ => Outcome::Loss,
            };
            assert_eq!(report.outcome, Some(outcome));
            assert_eq!(report.stopped_by, StoppedBy::Solved);
            let line = report.principal_variation().into_iter();
            let end = line.fold(task.position, |board, mv| board.play(mv));
            assert!(end.outcome().is_some(), "the line ends the game");
            assert_eq!(end.margin(), margin.unsigned_abs());
        }
    }
}

/// The presearch cuts off by the static evaluation, whatever that is worth.
#[test]
fn likely_answers_of_a_presearch_prove_nothing() {
    let position = read("--O-------OOX---OOOXXXO-OOOOXOXXXXXOOXOXXXXXXOOXX-XXXXOX--XXXX-- X");
    for name in ["network", "discs"] {
        let evaluator = evaluator::<Othello>(name);
        assert_eq!(Solver::of(&evaluator, &position).value(&position), 2, "{name}");
        let limits = SearchLimits { nodes: Some(50_000), ..SearchLimits::depth(120) };
        let report = search::run(&Task::new(position, limits, Algorithm::Solve), &evaluator);
        assert!(report.nodes <= 50_000 && report.margin.is_none(), "{name}: {}", report.nodes);
        assert_eq!(report.stopped_by, StoppedBy::Nodes);
    }
}

#[test]
fn all_moves_of_the_first_problems_have_the_margins_that_are_published() {
    let evaluator = evaluator::<Othello>("mobility");
    for line in data("othello/ffo-1-19.obf").lines() {
        let mut fields = line.split(';').map(str::trim);
        let board = read(fields.next().expect("a position"));
        for (mv, margin) in fields.filter_map(|field| field.split_once(':')) {
            let child = board.play(Othello::read_move(&board, mv).expect(mv));
            let value = match child.outcome() {
                Some(_) => continue,
                None => -i32::from(Solver::of(&evaluator, &child).value(&child)) * 2,
            };
            assert_eq!(Ok(value), margin.parse(), "{mv} in {line}");
        }
    }
}

#[test]
fn a_complete_tree_proves_the_margin_and_an_incomplete_one_does_not() {
    let (position, _) = PROBLEMS[0];
    let mut board = read(position);
    let solve = Task::new(board, SearchLimits::depth(120), Algorithm::Solve);
    let evaluator = evaluator::<Othello>("discs");
    let line = search::run(&solve, &evaluator).principal_variation();
    for mv in &line[..line.len() - 6] {
        board = board.play(*mv);
    }
    let proof =
        search::run(&Task::new(board, SearchLimits::depth(120), Algorithm::Solve), &evaluator);
    for algorithm in [Algorithm::Minimax, Algorithm::AlphaBeta] {
        let complete =
            search::run(&Task::new(board, SearchLimits::depth(12), algorithm), &evaluator);
        assert_eq!((complete.margin, complete.score()), (proof.margin, proof.score()));
        assert_eq!(complete.stopped_by, StoppedBy::Solved);
        let shallow = search::run(&Task::new(board, SearchLimits::depth(2), algorithm), &evaluator);
        assert_eq!((shallow.margin, shallow.stopped_by), (None, StoppedBy::Depth));
    }
}

#[test]
fn a_side_without_a_move_passes_and_is_told_so() {
    let must_pass = read(PASS);
    assert_eq!(Othello::alert(&must_pass), Some(Alert::MustPass));
    let moves: Vec<_> = must_pass.legal_moves().collect();
    assert_eq!(moves.len(), 1);
    assert_eq!(Othello::write_move(&must_pass, moves[0]).text, "pass");
    assert_eq!(Othello::drawn_move(&must_pass, moves[0]), MoveDrawing::default());
    let after = must_pass.play(moves[0]);
    assert_eq!(Othello::cells(&after), Othello::cells(&must_pass));
    assert_ne!(after.side_to_move(), must_pass.side_to_move());
    assert_eq!(Othello::alert(&Othello::Standard.start()), None);
    let error =
        Othello::read_move(&Othello::Standard.start(), "pass").expect_err("there are moves");
    assert_eq!(error.0, "only a side without another move may pass");
}

#[test]
fn passes_need_not_be_written() {
    let with = board(Some(PASS), &["pass", "a1"]);
    let without = board(Some(PASS), &["a1"]);
    assert_eq!(without.state(), with.state());
    let line = untyped(Othello::Standard)
        .line(Some(&text(PASS)), &["a1".to_owned()])
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((line.plies(), line.board(2).state()), (2, with.state()));
    let refused = untyped(Othello::Standard)
        .board(Some(&text(PASS)), &["h8".to_owned()])
        .err()
        .expect("h8 is taken");
    assert!(refused.to_string().contains("the move is pass"), "{refused}");
}

#[test]
fn a_finished_game_tells_its_margin() {
    let mut board = board(Some(PASS), &[]);
    while board.state().status == GameStatus::Ongoing {
        board = board.after(&board.legal_moves()[0].mv.text, 0).expect("a legal move");
    }
    let count = |name| board.cells().into_iter().flatten().filter(|&cell| cell == name).count();
    let (first, second) = (count("X"), count("O"));
    let GameStatus::Won { winner, margin, reason, .. } = board.state().status else {
        panic!("{first} against {second}")
    };
    assert_eq!((winner, reason), (if first > second { "black" } else { "white" }, "more discs"));
    assert_eq!(margin, Some(64 - 2 * first.min(second) as u32), "empty squares are the winner's");
}

/// The position of a record.
fn played(moves: &str) -> String {
    let record = untyped(Othello::Standard).read_record(moves).expect(moves);
    let board = untyped(Othello::Standard)
        .board(None, &record.moves)
        .unwrap_or_else(|error| panic!("{error}"));
    board.state().position
}

#[test]
fn records_are_read_as_people_write_them() {
    for moves in [
        "f5d6c3",
        "F5D6C3",
        "f5 d6 c3",
        "1. f5 d6 2. c3",
        "f5, d6, c3",
        "1. F5 d6\n2. C3 *",
        "f5D6 c3",
    ] {
        assert_eq!(played(moves), board(None, &["f5", "d6", "c3"]).state().position, "{moves}");
    }
    let passed = played("d3c3f5d2d1e1b3c1b4");
    for pass in ["pass", "pa", "PA", "--", "PS", "ps"] {
        let moves = format!("d3 c3 f5 d2 d1 e1 b3 c1 {pass} b4");
        assert_eq!(played(&moves), passed, "{moves}");
        let numbered = format!("1. d3 c3 2. f5 d2 3. d1 e1 4. b3 c1 5. {pass} b4");
        assert_eq!(played(&numbered), passed, "{numbered}");
    }
    for glued in ["d3c3f5d2d1e1b3c1--b4", "D3C3F5D2D1E1B3C1PAB4", "d3c3f5d2d1e1b3c1psb4"] {
        assert_eq!(played(glued), passed, "{glued}");
        assert_eq!(board(Some(glued), &[]).state().position, passed, "{glued}");
    }
}

#[test]
fn boards_are_read_in_the_signs_of_people_and_programs() {
    let position = board(None, &["f5", "d6", "c3"]).state().position;
    let cells = &position[..64];
    for [first, second, empty] in [
        ["X", "O", "-"],
        ["x", "o", "."],
        ["*", "O", "-"],
        ["#", "o", "."],
        ["@", "O", "."],
        ["B", "W", "-"],
        ["b", "w", "_"],
        ["●", "○", "."],
        ["⚫", "⚪", "-"],
        ["⚫\u{fe0f}", "⚪\u{fe0f}", "."],
        ["1", "2", "0"],
        ["1", "-1", "0"],
    ] {
        let sign = |cell: char| match cell {
            'X' => first,
            'O' => second,
            _ => empty,
        };
        let signs: Vec<_> = cells.chars().map(|cell| sign(cell).to_owned()).collect();
        let rows: Vec<Vec<String>> = signs.chunks(8).map(<[_]>::to_vec).collect();
        let columns: Vec<Vec<String>> = signs.iter().map(|cell| vec![cell.clone()]).collect();
        for lines in [&rows, &columns, &vec![signs.clone()]] {
            let read =
                Othello::Standard.read_position(&PositionText::Rows(lines.clone())).expect("rows");
            assert_eq!(Othello::write_position(&read), position, "{lines:?}");
        }
        if second == "-1" {
            continue;
        }
        let lines: Vec<_> = rows.iter().map(|row| row.concat()).collect();
        let (run, spaced) = (lines.concat(), rows.iter().map(|row| row.join(" ")));
        let numbered = (1..).zip(spaced.clone()).map(|(at, row)| format!("{at} {row}\n"));
        let numbered = numbered.collect::<String>();
        let both = (1..).zip(spaced.clone()).map(|(at, row)| format!("{at} {row} {at}\n"));
        let both = both.collect::<String>();
        for text in [
            run.clone(),
            format!("{run}{second}"),
            format!("{run} {second}"),
            format!("{run} white"),
            format!("{run} White to move"),
            lines.join("\n"),
            lines.join("/") + " w",
            lines.join("\n") + "\nW",
            spaced.collect::<Vec<_>>().join("\n") + "\nwhite to move",
            numbered.clone() + "  a b c d e f g h\n",
            format!("  A B C D E F G H\n{both}  A B C D E F G H\n"),
            format!("  A B C D E F G H\n{both}O to move\n"),
        ] {
            assert_eq!(board(Some(&text), &[]).state().position, position, "{text}");
        }
    }
    let drawing = Othello::drawing(&read(&position));
    assert_eq!(board(Some(&drawing), &[]).state().position, position, "{drawing}");
}

#[test]
fn a_side_may_be_named_by_its_colour() {
    let start = &Othello::Standard.game_info().start[..64];
    for (names, side) in [
        (["X", "x", "B", "b", "black", "Black", "1", "*", "⚫"], "black"),
        (["O", "o", "W", "w", "white", "WHITE", "2", "○", "⚪"], "white"),
    ] {
        for name in names {
            let text = format!("{start} {name}");
            assert_eq!(board(Some(&text), &[]).state().side_to_move, side, "{text}");
            let rows = Othello::cells(&Othello::Standard.start()).into_iter();
            let rows = rows.map(|row| row.into_iter().map(str::to_owned).collect()).collect();
            let cells = PositionText::Board { rows, side_to_move: name.to_owned() };
            let read = Othello::Standard.read_position(&cells).expect(name);
            assert_eq!(read.side_to_move(), self::read(&text).side_to_move(), "{name}");
        }
    }
}

#[test]
fn signs_that_could_mean_several_things_are_refused_with_what_would_do() {
    let start = Othello::Standard.game_info().start;
    for (marks, words) in [
        // A star may be a mark of a legal move.
        ([("X", "B"), (".", "*")], "B, W and ."),
        ([("X", "B"), ("O", "O")], "write X, O and . for the empty cell, or B, W and ."),
        ([("X", "●"), ("O", "⚪")], "not written together"),
        ([("X", "1"), ("O", "W")], "both digits and other signs"),
        ([("X", "X"), ("O", "0")], "both digits and other signs"),
        ([("X", "R"), ("O", "Y")], "row 4, column 4: expected X, O or . but got 'Y'"),
    ] {
        let [first, second] = marks;
        let text_of = start[..64].replace(first.0, "?").replacen(second.0, second.1, 2);
        let position = text_of.replace('?', first.1);
        let error = Othello::Standard.read_position(&text(&position)).expect_err(&position);
        assert!(error.0.contains(words), "{position}: {error}");
    }
}

#[test]
fn positions_that_no_game_reaches_are_refused_with_the_reason() {
    let start = Othello::Standard.game_info().start;
    for (position, words) in [
        (start.replace("OX..", "O..."), "d4, e4, d5 and e5"),
        (format!("X{}", &start[1..]), "a1"),
        (start[4..].to_owned(), "cells: expected 64 but got 60"),
        ("f5f5".to_owned(), "f5, disc 2: f5 is taken"),
        ("f5a1".to_owned(), "a disc on a1 turns none over"),
    ] {
        let error = Othello::Standard.read_position(&text(&position)).expect_err(&position);
        assert!(error.0.contains(words), "{position}: {error}");
    }
}

#[test]
fn a_request_without_limits_proves_late_positions() {
    let (position, margin) = PROBLEMS[1];
    let board = board(Some(position), &[]);
    let search =
        board.search(&SearchParameters::default(), knowledge()).expect("something to search");
    let answer = search.run(&false.into());
    assert_eq!(answer.evaluation.margin, Some(margin));
    assert_eq!(answer.evaluation.plies, Some(answer.principal_variation.len() as u32));
}

proptest! {
    #![proptest_config(cases(40))]

    /// What the network keeps between positions never changes a score.
    #[test]
    fn a_score_does_not_depend_on_the_positions_before(
        choices in prop::collection::vec(any::<Index>(), 0..60),
    ) {
        let evaluator = evaluator::<Othello>("network");
        let mut accumulator = <OthelloEvaluator as Evaluator<OthelloBoard>>::Accumulator::default();
        let mut board = Othello::Standard.start();
        for choice in choices {
            if board.outcome().is_some() {
                break;
            }
            prop_assert_eq!(evaluator.score_after(&board, &mut accumulator), evaluator.score(&board));
            let moves: Vec<_> = board.legal_moves().collect();
            board = board.play(moves[choice.index(moves.len())]);
        }
    }
}

#[test]
fn motifs_say_which_corners_change_hands_and_who_must_pass() {
    const CORNERS: [(u8, u8); 4] = [(0, 0), (0, 7), (7, 0), (7, 7)];
    let corners = |board: &dyn AnyBoard| {
        let landings =
            board.legal_moves().into_iter().filter_map(|mv| mv.drawing.path.last().copied());
        landings.filter(|it| CORNERS.contains(&(it.row, it.column))).collect::<Vec<_>>()
    };
    let mut seen = BTreeMap::new();
    for game in 0..6 {
        let mut position = board(None, &[]);
        for ply in 0.. {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let (discs, side) = position_text(&*position);
            let turned = format!("{discs} {}", if side == "X" { "O" } else { "X" });
            let known = untyped(Othello::Standard)
                .board(Some(&text(&turned)), &[])
                .map(|board| corners(&*board));
            let known = known.unwrap_or_default();
            for mv in &legal {
                let motifs = position.motifs(&mv.mv.text);
                let of = |kind: &str| motifs.iter().filter(|it| it.kind == kind).count();
                let after = position.after(&mv.mv.text, 0).expect("a legal move");
                let given = corners(&*after).iter().filter(|it| !known.contains(it)).count();
                let landing = mv.drawing.path.last();
                let is_corner = landing.is_some_and(|it| CORNERS.contains(&(it.row, it.column)));
                let must_pass = mv.alert == Some(Alert::MustPass) && landing.is_some();
                let expected = [usize::from(is_corner), usize::from(must_pass), given];
                let found = ["corner", "pass", "gives-corner"].map(of);
                // A pass changes nothing on the board.
                if landing.is_some() {
                    assert_eq!(found, expected, "{discs} {side} {}", mv.mv.text);
                }
                for motif in motifs {
                    *seen.entry(motif.kind).or_insert(0) += 1;
                }
            }
            position =
                position.after(&legal[(ply * 7 + game) % legal.len()].mv.text, 0).expect("legal");
        }
    }
    assert!(
        ["corner", "pass", "gives-corner"].iter().all(|kind| seen.contains_key(kind)),
        "{seen:?}"
    );
}

/// The empty squares that hang together with one of them, without or with a shared corner.
fn region(cells: &Cells, from: Square) -> Vec<Square> {
    let mut found = vec![from];
    let mut next = 0;
    while let Some(&Square { row, column }) = found.get(next) {
        next += 1;
        for row in row.saturating_sub(1)..=(row + 1).min(7) {
            for column in column.saturating_sub(1)..=(column + 1).min(7) {
                let square = Square { row, column };
                if cell(cells, square).is_empty() && !found.contains(&square) {
                    found.push(square);
                }
            }
        }
    }
    found
}

fn cell(cells: &Cells, Square { row, column }: Square) -> &'static str {
    cells[usize::from(row)][usize::from(column)]
}

#[test]
fn a_disc_told_stable_is_never_turned_over_and_parity_is_told_of_the_one_odd_region() {
    let mut seen = BTreeMap::new();
    for game in 0..60 {
        let mut position = board(None, &[]);
        let mut stable = Vec::new();
        for ply in 0.. {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = &legal[(ply * ply * 5 + ply * game + game * 11) % legal.len()].mv.text;
            let (motifs, before) = (position.motifs(mv), position.cells());
            position = position.after(mv, 0).expect("legal");
            let after = position.cells();
            for motif in motifs {
                *seen.entry(motif.kind).or_insert(0) += 1;
                match (motif.kind, &motif.squares[..]) {
                    ("stable-edge", [square]) => stable.push((*square, cell(&after, *square))),
                    ("parity", [square]) => {
                        assert_eq!(region(&before, *square).len() % 2, 1, "{before:?} {mv}");
                        let squares = (0..64).map(|it| Square { row: it / 8, column: it % 8 });
                        let empty = squares.filter(|it| cell(&before, *it).is_empty());
                        let odd = empty.filter(|it| region(&before, *it).len() % 2 == 1);
                        let other = odd.filter(|it| !region(&before, *it).contains(square)).count();
                        assert_eq!(other, 0, "{before:?} {mv}");
                    }
                    _ => {}
                }
            }
            assert!(
                stable.iter().all(|(square, disc)| cell(&after, *square) == *disc),
                "{after:?}"
            );
        }
    }
    assert!(["stable-edge", "parity"].iter().all(|kind| seen[kind] > 9), "{seen:?}");
}

/// The discs of a position as text, and its side to move.
fn position_text(board: &dyn AnyBoard) -> (String, String) {
    let position = board.state().position;
    let (discs, side) = position.split_once(' ').expect("a side");
    (discs.to_owned(), side.to_owned())
}
