//! Connect Four is solved exactly: against published values, and rule by rule against a prover that
//! knows only the rules of the game.

use std::collections::BTreeMap;

use crate::{cases, data, evaluator, positions_after, stride, untyped};
use bestmove_engine::game::{
    Cells, Evaluator, Expansion, Game, KnowledgeKind, Known, Notation, Outcome, Position,
    PositionText, Question, Score, SelectiveHooks, SolverHooks, SolverScore, Square, known_value,
    outcome_and_score, solver_score_of,
};
use bestmove_engine::games::connect_four::{ConnectFour, ConnectFourBoard};
use bestmove_engine::search::{self, Algorithm, SearchLimits, Solver, Source, StoppedBy, Task};
use proptest::prelude::*;
use proptest::sample::Index;

/// Knows nothing but the rules.
struct RulesAlone;

impl Evaluator<ConnectFourBoard> for RulesAlone {
    type Accumulator = ();

    fn score(&self, _: &ConnectFourBoard) -> i32 {
        0
    }
}

impl SelectiveHooks<ConnectFourBoard> for RulesAlone {}

impl SolverHooks<ConnectFourBoard> for RulesAlone {}

fn played(columns: &str) -> ConnectFourBoard {
    ConnectFour::STANDARD.read_position(&PositionText::Text(columns.to_owned())).expect(columns)
}

fn task(position: ConnectFourBoard) -> Task<ConnectFourBoard> {
    Task::new(position, SearchLimits::depth(42), Algorithm::Solve)
}

fn exact_value(position: &ConnectFourBoard) -> SolverScore {
    Solver::of(&RulesAlone, position).value(position)
}

/// The published score: a win with the n-th last stone of the winner counts n, a loss minus that.
fn stones_unplayed(columns: &str, score: Score) -> i32 {
    let played = columns.len() as i32;
    score.plies().map_or(0, |plies| {
        let unplayed = 22 - (played + plies as i32 + 1) / 2;
        if score.is_won() { unplayed } else { -unplayed }
    })
}

fn assert_solved(columns: &str, score: i32) {
    let position = played(columns);
    let report = search::run(&task(position), &evaluator::<ConnectFour>("segments"));
    assert_eq!(stones_unplayed(columns, report.score()), score, "{columns}");
    let line = report.principal_variation();
    let end = line.iter().fold(position, |position, &mv| position.play(mv));
    if report.source == Source::Stored(KnowledgeKind::Book) {
        // The line ends where the book does.
        return;
    }
    let outcome = end.outcome().expect("a proven line runs to the end of the game");
    assert_eq!(outcome == Outcome::Draw, score == 0, "{columns}");
    assert_eq!(report.depth as usize, line.len(), "{columns}");
}

#[test]
fn a_margin_and_its_score_say_the_same() {
    for plies_left in 1..=42 {
        for value in -(plies_left as SolverScore)..=plies_left as SolverScore {
            let (_, score) = outcome_and_score(value, plies_left);
            assert_eq!(solver_score_of(score, plies_left), value, "with {plies_left} plies left");
        }
    }
}

#[test]
fn published_values_are_found() {
    for (columns, score) in [
        ("1531435732333212612244546142577545167", 0),
        ("52751475256122436752336456773", -1),
        ("2233531575313362771", 11),
        ("1364677262162655322673311513", -1),
        ("1663415236436216773", -3),
        ("125677555745744164514", 3),
        ("363652576761", 12),
        ("4551167743", 12),
        ("773441325", -6),
    ] {
        assert_solved(columns, score);
    }
}

/// The published positions of a class, each with its score.
fn published(class: &str) -> Vec<(String, i32)> {
    let text = data(&format!("connect-four/Test_{class}.txt"));
    let lines = text.lines().map(|line| line.split_once(' ').expect("columns and a score"));
    lines.map(|(columns, score)| (columns.to_owned(), score.parse().expect("a score"))).collect()
}

#[test]
fn the_collection_of_values_is_reproduced() {
    for class in ["L3_R1", "L2_R1", "L2_R2", "L1_R1"] {
        for (columns, score) in published(class) {
            assert_solved(&columns, score);
        }
    }
}

/// Positions of which the book knows all moves, with their proven scores.
fn in_the_book() -> Vec<(ConnectFourBoard, Score)> {
    let positions = positions_after(&ConnectFour::STANDARD.start(), 7).into_iter();
    let known = positions.filter_map(|position| {
        let all = position.legal_moves().map(|mv| position.play(mv));
        let mut ongoing = all.filter(|child| child.outcome().is_none());
        let has_all = ongoing
            .all(|child| known_value(&evaluator::<ConnectFour>("threats"), &child).is_some());
        Some((
            position,
            known_value(&evaluator::<ConnectFour>("threats"), &position).filter(|_| has_all)?,
        ))
    });
    known.collect()
}

#[test]
fn the_book_holds_what_the_prover_finds_without_it() {
    for (position, score) in in_the_book().into_iter().skip(1000).step_by(2000 * stride()) {
        let evaluator = evaluator::<ConnectFour>("threats");
        let value = Solver::of(&evaluator, &position).value(&position);
        let plies = position.plies_left().expect("it must end");
        assert_eq!(outcome_and_score(value, plies).1, score, "{position:?}");
    }
}

#[test]
fn the_book_answers_whoever_looks_as_far_as_its_proof() {
    let report = |position, depth| {
        let limits = SearchLimits { nodes: Some(1000), ..SearchLimits::depth(depth) };
        search::run(
            &Task::new(position, limits, Algorithm::AlphaBeta),
            &evaluator::<ConnectFour>("threats"),
        )
    };
    for (position, score) in in_the_book().into_iter().step_by(50) {
        // A draw takes all the cells.
        let plies = score.plies().or(position.plies_left()).expect("it must end");
        let answer = report(position, plies);
        assert_eq!(answer.source, Source::Stored(KnowledgeKind::Book), "{position:?}");
        assert_eq!((answer.score(), answer.stopped_by), (score, StoppedBy::Solved));
        if plies > 1 {
            assert_eq!(report(position, plies - 1).source, Source::Search, "{position:?}");
        }
    }
}

/// Its best moves are held against proofs where it is read.
#[test]
fn the_book_answers_after_its_last_ply_by_a_stored_move() {
    let evaluator = evaluator::<ConnectFour>("threats");
    let stored = Source::Stored(KnowledgeKind::Book);
    for position in positions_after(&ConnectFour::STANDARD.start(), 8).into_iter().step_by(101) {
        let (report, known) =
            (search::run(&task(position), &evaluator), known_value(&evaluator, &position));
        assert_eq!(Some(report.score()), known, "{position:?}");
        // A lost player looks for the move that is the hardest to answer.
        if report.source == stored {
            assert_eq!(
                Some(report.best_move()),
                evaluator.known(&position, Question::Move).and_then(Known::mv),
                "{position:?}"
            );
            // The last plies of a line are searched.
            assert!(report.nodes < 20_000, "{position:?}");
        } else {
            assert!(report.score().is_lost(), "{position:?}");
        }
    }
}

#[test]
fn a_lost_player_blocks_where_the_book_ends() {
    // Three in a row, both ends free: of the seven moves, all lost on the second ply, 2 and 6 leave a
    // single winning reply. The book knows the moves and not all of the replies.
    let position = played("3141115");
    for algorithm in [Algorithm::Minimax, Algorithm::AlphaBeta, Algorithm::Selective] {
        let task = Task::new(position, SearchLimits::depth(4), algorithm);
        let report = search::run(&task, &evaluator::<ConnectFour>("segments"));
        assert_eq!((report.score(), report.outcome), (Score::lost_in(2), Some(Outcome::Loss)));
        assert_eq!(
            ConnectFour::write_move(&position, report.best_move()).text,
            "2",
            "{algorithm:?}"
        );
    }
    let report = search::run(&task(position), &evaluator::<ConnectFour>("segments"));
    assert_eq!(ConnectFour::write_move(&position, report.best_move()).text, "2");
}

#[test]
fn a_line_whose_search_ended_in_the_book_runs_to_the_end_of_the_game() {
    for (columns, lost) in [("42146", 4), ("7513", 4)] {
        let position = played(columns);
        let task = Task {
            top: usize::MAX,
            ..Task::new(position, SearchLimits::depth(4), Algorithm::Selective)
        };
        let report = search::run(&task, &evaluator::<ConnectFour>("threats"));
        let proven: Vec<_> =
            report.variations.iter().filter(|known| known.outcome.is_some()).collect();
        assert!(proven.iter().any(|known| known.score == Score::lost_in(lost)), "{report:?}");
        for known in proven {
            let line = std::iter::once(&known.mv).chain(&known.continuation);
            let end = line.fold(position, |position, &mv| position.play(mv));
            assert_eq!(known.score.plies(), Some(1 + known.continuation.len() as u32));
            assert!(end.outcome().is_some(), "{columns}: {known:?}");
        }
    }
}

/// Holds what a look at a position decides against its exact solver score.
fn assert_decides_truly(position: &ConnectFourBoard, exact: SolverScore) {
    let plies = position.plies_left().expect("it must end") as SolverScore;
    for beta in 1 - plies..=plies {
        match evaluator::<ConnectFour>("segments").expand(position, beta, |_, _| ()) {
            Expansion::Decided(bound) if bound >= beta => {
                assert!(bound <= exact, "{bound} or more for {exact}: {position:?}");
            }
            Expansion::Decided(bound) => {
                assert!(bound >= exact, "{bound} or less for {exact}: {position:?}");
            }
            Expansion::Open { low, high, rest } => {
                assert!((low..=high).contains(&exact), "{low} to {high} for {exact}: {position:?}");
                assert!(rest < beta, "{rest} is not less than {beta}: {position:?}");
            }
        }
    }
}

#[test]
fn what_a_look_decides_is_true_of_all_published_positions() {
    for class in ["L3_R1", "L2_R1", "L2_R2", "L1_R1", "L1_R2", "L1_R3"] {
        for (columns, score) in published(class) {
            let position = played(&columns);
            let plies = position.plies_left().expect("it must end");
            // The n-th last stone of a side is followed by 2 (n - 1) plies, or by one more where its
            // opponent moves last.
            let mover_is_last = plies % 2 == 1;
            let ends_last = mover_is_last == (score > 0);
            let value = 2 * score.abs() - i32::from(ends_last);
            assert_decides_truly(&position, (score.signum() * value) as SolverScore);
        }
    }
}

#[test]
fn what_a_look_decides_is_true_in_the_opening() {
    let positions =
        (0..=8).flat_map(|plies| positions_after(&ConnectFour::STANDARD.start(), plies));
    for position in positions.step_by(stride()) {
        let Some(score) = known_value(&evaluator::<ConnectFour>("threats"), &position) else {
            continue;
        };
        let plies = position.plies_left().expect("it must end");
        assert_decides_truly(&position, solver_score_of(score, plies));
    }
}

/// A late position in which the side to move has no win at once.
fn late_position(choices: &[Index]) -> Option<ConnectFourBoard> {
    let mut position = ConnectFour::STANDARD.start();
    for choice in choices {
        let children = position.legal_moves().map(|mv| position.play(mv));
        let ongoing: Vec<_> = children.filter(|child| child.outcome().is_none()).collect();
        if ongoing.is_empty() {
            return None;
        }
        position = ongoing[choice.index(ongoing.len())];
    }
    Some(position)
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn what_a_look_decides_is_true_in_the_middle(choices in prop::collection::vec(any::<Index>(), 19..27)) {
        let Some(position) = late_position(&choices) else { return Ok(()) };
        assert_decides_truly(&position, exact_value(&position));
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn what_a_look_decides_is_true(choices in prop::collection::vec(any::<Index>(), 26..40)) {
        let Some(position) = late_position(&choices) else { return Ok(()) };
        let exact = exact_value(&position);
        let plies = position.plies_left().expect("it must end") as SolverScore;
        for beta in 1 - plies..=plies {
            let mut best_child = None;
            let expansion = evaluator::<ConnectFour>("segments").expand(&position, beta, |child, _| {
                best_child = best_child.max(Some(-exact_value(&child)));
            });
            match expansion {
                Expansion::Decided(bound) => {
                    prop_assert_eq!(bound >= beta, exact >= beta, "{} for {}", bound, exact);
                    let is_bound = if bound >= beta { bound <= exact } else { bound >= exact };
                    prop_assert!(is_bound, "{} for {}", bound, exact);
                }
                Expansion::Open { low, high, rest } => {
                    prop_assert!(low <= exact && exact <= high, "{} to {} for {}", low, high, exact);
                    let searched = best_child.max(Some(low));
                    prop_assert!(searched <= Some(exact), "{:?} for {}", searched, exact);
                    prop_assert!(searched.max(Some(rest)) >= Some(exact), "a child is missing");
                }
            }
        }
    }
}

/// Whether a piece on a square would make a row of four.
fn completes(cells: &Cells, Square { row, column }: Square, piece: &str) -> bool {
    [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(down, right)| {
        let along = |sign: i32| {
            let at = |step: i32| {
                let row = usize::try_from(i32::from(row) + sign * step * down).ok()?;
                let column = usize::try_from(i32::from(column) + sign * step * right).ok()?;
                cells.get(row)?.get(column).copied()
            };
            (1..4).take_while(|&step| at(step) == Some(piece)).count()
        };
        along(1) + along(-1) >= 3
    })
}

#[test]
fn threats_of_motifs_complete_four_and_lie_on_the_rows_that_they_claim() {
    let mut seen = BTreeMap::new();
    for game in 0..40 {
        let mut position = untyped(ConnectFour::STANDARD).board(None, &[]).expect("the start");
        for ply in 0.. {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            for mv in &legal {
                let after = position.after(&mv.mv.text, 0).expect("a legal move").cells();
                let landing = mv.drawing.path[0];
                let piece = after[usize::from(landing.row)][usize::from(landing.column)];
                for motif in position.motifs(&mv.mv.text) {
                    *seen.entry(motif.kind).or_insert(0) += 1;
                    let cell = |it: &Square| after[usize::from(it.row)][usize::from(it.column)];
                    assert!(motif.squares.iter().all(|it| cell(it).is_empty()), "{motif:?}");
                    assert!(
                        motif.squares.iter().all(|&it| completes(&after, it, piece)),
                        "{motif:?}"
                    );
                    match motif.squares[..] {
                        [lower, upper] => {
                            assert_eq!((lower.row - 1, lower.column), (upper.row, upper.column));
                        }
                        [cell] => assert_eq!(usize::from(6 - cell.row) % 2, (ply + 1) % 2),
                        _ => panic!("{motif:?}"),
                    }
                }
            }
            let choice = (ply * ply + game * 5 + ply * game) % legal.len();
            position = position.after(&legal[choice].mv.text, 0).expect("legal");
        }
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
}
