//! Endings shortly before the rules draw them: what is proven holds under the counter and under
//! repetition, and lines end where the game ends.

use std::collections::{HashMap, HashSet};

use crate::{cases, evaluator};
use bestmove_engine::game::{
    CLAIMABLE_OCCURRENCE, DRAWING_OCCURRENCE, Notation, Outcome, Position, Score, known_value,
};
use bestmove_engine::games::checkers::{Checkers, CheckersBoard, CheckersMove};
use bestmove_engine::search::{self, Algorithm, Report, SearchVariation, Task};
use proptest::prelude::*;
use proptest::sample::Index;

use super::search::{choices, shuffle, task};
use super::{board, plain, played, unfinished};

/// The answer of a search of the last position of a line, without a depth, with its best moves.
fn analysed(line: &[CheckersBoard], top: usize) -> Report<CheckersMove> {
    let task = Task { probe_limit: None, top, ..task(line, 14, Algorithm::Selective) };
    search::run(&task, &evaluator::<Checkers>("full"))
}

/// How often the last position of a line stands in it.
fn occurrences(line: &[CheckersBoard]) -> usize {
    line.iter().filter(|earlier| earlier.key() == line[line.len() - 1].key()).count()
}

/// Whether the last position of a line is the end of the game.
fn is_over(line: &[CheckersBoard]) -> bool {
    let last = line[line.len() - 1];
    let is_drawn =
        last.plies_to_forced_draw() == Some(0) || occurrences(line) >= DRAWING_OCCURRENCE;
    last.outcome().is_some() || is_drawn
}

/// Whether the last position of a line is the end of the game or a draw that may be claimed.
fn may_be_over(line: &[CheckersBoard]) -> bool {
    let is_counted = line[line.len() - 1].plies_to_draw() == Some(0);
    is_over(line) || is_counted || occurrences(line) >= CLAIMABLE_OCCURRENCE
}

/// A line ends where the game does or a draw may be claimed, or before; that of a win or a loss when it says,
/// with a winner. At a root past the claim the opponent need not claim after the first move.
fn assert_line_holds(line: &[CheckersBoard], known: &SearchVariation<CheckersMove>) {
    let mut line = line.to_vec();
    let unclaimed = usize::from(line[line.len() - 1].plies_to_draw() == Some(0));
    for (ply, &mv) in std::iter::once(&known.mv).chain(&known.continuation).enumerate() {
        let is_over = if ply > unclaimed { may_be_over(&line) } else { is_over(&line) };
        assert!(!is_over, "the game has ended before {mv:?}: {}", told(&line, known));
        let last = line[line.len() - 1];
        assert!(last.legal_moves().any(|legal| legal == mv), "{}", told(&line, known));
        line.push(last.play(mv));
    }
    if let Some(Outcome::Win | Outcome::Loss) = known.outcome {
        let length = known.continuation.len() as u32 + 1;
        assert_eq!(known.score.plies(), Some(length), "{}", told(&line, known));
        assert!(line[line.len() - 1].outcome().is_some(), "{}", told(&line, known));
    }
}

fn told(line: &[CheckersBoard], known: &SearchVariation<CheckersMove>) -> String {
    let last = line[line.len() - 1];
    format!("{} with {:?}, {known:?}", Checkers::write_position(&last), last.plies_to_draw())
}

/// The analysis is sorted by its final values, proven wins first; its best move is that of a search
/// for the best move alone.
fn assert_ranked(line: &[CheckersBoard], report: &Report<CheckersMove>) {
    assert!(report.variations.is_sorted_by(|one, next| one.score >= next.score), "{report:?}");
    let is_won = |known: &SearchVariation<_>| known.outcome == Some(Outcome::Win);
    assert!(report.variations.is_sorted_by_key(|known| !is_won(known)), "{report:?}");
    let alone = analysed(line, 1);
    assert_eq!(alone.best_move(), report.best_move(), "{report:?}");
    assert_eq!((alone.score(), alone.outcome), (report.score(), report.outcome));
    assert_line_holds(line, &alone.variations[0]);
}

/// Kings, most of them of one side, which is where there are wins to lose.
fn kings(pieces: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = CheckersBoard> {
    scattered(prop_oneof![1 => Just('B'), 3 => Just('W')], pieces)
}

fn scattered(
    piece: impl Strategy<Value = char>,
    pieces: impl Into<prop::collection::SizeRange>,
) -> impl Strategy<Value = CheckersBoard> {
    let pieces = prop::collection::vec((piece, 0usize..32), pieces);
    (pieces, any::<bool>()).prop_filter_map("a side without moves", |(pieces, black_to_move)| {
        let mut squares = ['.'; 32];
        for (piece, square) in pieces {
            squares[square] = piece;
        }
        unfinished(&plain::Board::scattered(&squares, black_to_move))
    })
}

/// Three or four pieces, men among them.
fn mixed() -> impl Strategy<Value = CheckersBoard> {
    let piece = prop_oneof![1 => Just('b'), 3 => Just('B'), 1 => Just('w'), 3 => Just('W')];
    scattered(piece, 3..=4)
}

/// A line of quiet moves after which there is always another, as long as there are any.
fn quiet_walk(start: CheckersBoard, choices: &[Index]) -> Vec<CheckersBoard> {
    let is_quiet =
        |board: &CheckersBoard| board.reversible_plies() > 0 && board.outcome().is_none();
    let children =
        |board: CheckersBoard| board.legal_moves().map(move |mv| board.play(mv)).filter(is_quiet);
    let mut line = vec![start];
    for choice in choices {
        let last = line[line.len() - 1];
        let quiet: Vec<_> =
            children(last).filter(|&child| children(child).next().is_some()).collect();
        if quiet.is_empty() || last.plies_to_forced_draw() <= Some(1) {
            break;
        }
        line.push(quiet[choice.index(quiet.len())]);
    }
    line
}

fn assert_sound(line: &[CheckersBoard]) {
    if is_over(line) {
        return;
    }
    let report = analysed(line, usize::MAX);
    for known in &report.variations {
        assert_line_holds(line, known);
    }
    assert_ranked(line, &report);
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn kings_near_the_draw_are_judged_by_the_rules(start in kings(3..=4), choices in choices(60..=78)) {
        assert_sound(&quiet_walk(start, &choices));
    }

    #[test]
    fn kings_past_the_claim_are_judged_by_the_rules(start in kings(3..=4), choices in choices(80..=140)) {
        assert_sound(&quiet_walk(start, &choices));
    }

    #[test]
    fn kings_and_men_are_judged_by_the_rules(start in mixed(), choices in choices(60..=78)) {
        assert_sound(&quiet_walk(start, &choices));
    }

    #[test]
    fn a_game_that_came_back_is_judged_by_the_rules(start in mixed(), choices in choices(8..=40)) {
        assert_sound(&shuffle(start, &choices));
    }
}

/// Plain minimax over positions and their counters: the value under the draw rules, with the tables'
/// only where the counter begins anew.
struct Truth {
    /// The positions that have stood twice. A fastest win comes to no other position a third time.
    drawn: HashSet<u64>,
    known: HashMap<(u64, Option<u32>), Score>,
}

impl Truth {
    /// The values after a line of play without irreversible moves.
    fn after(line: &[CheckersBoard]) -> Self {
        let mut seen = HashSet::new();
        let drawn = line.iter().map(CheckersBoard::key).filter(|&key| !seen.insert(key)).collect();
        Self { drawn, known: HashMap::new() }
    }

    fn value(&mut self, board: &CheckersBoard) -> Score {
        if let Some(outcome) = board.outcome() {
            return Score::ended(outcome, 0);
        }
        if board.plies_to_draw() == Some(0) || self.drawn.contains(&board.key()) {
            return Score::DRAWN;
        }
        if board.reversible_plies() == 0 {
            let value = known_value(&evaluator::<Checkers>("material"), board).expect("few pieces");
            assert!(value.plies() <= Some(80), "a counter that begins anew matters");
            return value;
        }
        let key = (board.key(), board.plies_to_draw());
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let values = board.legal_moves().map(|mv| -self.value(&board.play(mv)).seen_from_root(1));
        let best = values.collect::<Vec<_>>().into_iter().max().expect("the game goes on");
        self.known.insert(key, best);
        best
    }

    /// The value of a position after a move from a root past the claim. The side to move may claim a draw;
    /// the game may go on, too.
    fn unclaimed(&mut self, board: &CheckersBoard) -> Score {
        if board.outcome().is_some() || board.plies_to_draw() != Some(0) {
            return self.value(board);
        }
        let values = board.legal_moves().map(|mv| -self.value(&board.play(mv)).seen_from_root(1));
        values.collect::<Vec<_>>().into_iter().max().max(Some(Score::DRAWN)).expect("a maximum")
    }
}

/// What is proven of the moves of the last position of a line is what plain minimax finds. A score that is not proven
/// errs by a draw at most.
fn assert_true(line: &[CheckersBoard], mut truth: Truth) {
    let board = line[line.len() - 1];
    for known in analysed(line, usize::MAX).variations {
        let child = board.play(known.mv);
        let is_past_claim = board.plies_to_draw() == Some(0);
        let value = if is_past_claim { truth.unclaimed(&child) } else { truth.value(&child) };
        let exact = -value.seen_from_root(1);
        let may_be = match known.outcome {
            Some(_) => known.score == exact,
            None if known.score > Score::DRAWN => exact >= Score::DRAWN,
            None if known.score < Score::DRAWN => exact <= Score::DRAWN,
            None => exact == Score::DRAWN,
        };
        assert!(may_be, "{exact:?}: {}", told(line, &known));
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn what_is_proven_near_the_draw_is_what_plain_minimax_finds(
        start in kings(3),
        choices in choices(62..=79),
    ) {
        let line = quiet_walk(start, &choices);
        prop_assume!(line.len() == choices.len() + 1 && !is_over(&line));
        assert_true(&line[line.len() - 1..], Truth::after(&[]));
        assert_true(&line, Truth::after(&line));
    }

    #[test]
    fn what_is_proven_past_the_claim_is_what_plain_minimax_finds(
        start in mixed(),
        choices in choices(80..=100),
    ) {
        let line = quiet_walk(start, &choices);
        prop_assume!(line.len() == choices.len() + 1 && !is_over(&line));
        assert_true(&line[line.len() - 1..], Truth::after(&[]));
        assert_true(&line, Truth::after(&line));
    }

    #[test]
    fn what_is_proven_of_four_kings_at_the_draw_is_what_plain_minimax_finds(
        start in kings(4),
        choices in choices(74..=79),
    ) {
        let line = quiet_walk(start, &choices);
        prop_assume!(line.len() == choices.len() + 1 && !is_over(&line));
        assert_true(&line, Truth::after(&line));
    }
}

/// The positions of a line of play.
fn line(start: &str, moves: &str) -> Vec<CheckersBoard> {
    let mut line = vec![board(start)];
    for mv in moves.split_whitespace() {
        line.push(played(&line[line.len() - 1], mv));
    }
    line
}

#[test]
fn what_is_proven_after_a_repetition_is_what_plain_minimax_finds() {
    // Two kings drive one out of the corner. The position stood before, so its next occurrence draws.
    for moves in ["6-1 15-19 1-6 19-15", "6-1 15-19 1-6 19-15 6-1 15-19 1-6 19-15 6-2"] {
        let line = line("W:WK6,K9:BK15", moves);
        assert_true(&line, Truth::after(&line));
        assert_ranked(&line, &analysed(&line, usize::MAX));
    }
}

#[test]
fn the_line_of_a_search_that_meets_the_tables_runs_to_the_end() {
    let start = board("B:WK14,K13,K9,K11:BK26,K2");
    let report =
        search::run(&task(&[start], 14, Algorithm::Selective), &evaluator::<Checkers>("full"));
    let unbounded = analysed(&[start], 1);
    assert_eq!(unbounded.score(), Score::lost_in(32));
    for report in [report, unbounded] {
        assert_line_holds(&[start], &report.variations[0]);
    }
}

/// Six kings, four of one side.
fn six_kings() -> impl Strategy<Value = CheckersBoard> {
    let squares = prop::sample::subsequence((0usize..32).collect::<Vec<_>>(), 6).prop_shuffle();
    (squares, any::<bool>()).prop_filter_map("a side without moves", |(squares, black_to_move)| {
        let mut board = ['.'; 32];
        for (number, square) in squares.into_iter().enumerate() {
            board[square] = if number < 4 { 'W' } else { 'B' };
        }
        unfinished(&plain::Board::scattered(&board, black_to_move))
    })
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn proven_lines_of_six_kings_end_the_game(start in six_kings(), choices in choices(0..=20)) {
        let line = shuffle(start, &choices);
        if is_over(&line) {
            return Ok(());
        }
        let task = Task { probe_limit: None, ..task(&line, 8, Algorithm::Selective) };
        assert_line_holds(&line, &search::run(&task, &evaluator::<Checkers>("full")).variations[0]);
    }
}
