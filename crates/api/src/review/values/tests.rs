//! Values from searches that are made up.

use super::*;

fn line(best: &str) -> Line {
    Line::of(&[MoveText { text: best.to_owned(), san: None }])
}

fn scored(score: i32) -> Evaluation {
    Evaluation::of(Score::heuristic(score), None, 100)
}

fn ended(score: Score, outcome: Outcome) -> Evaluation {
    Evaluation::of(score, Some(outcome), 100)
}

/// The positions of a game in which `m1`, `m2` and so on were played; for each what a search found, from the
/// view of its side to move, with the best move.
fn game(found: &[(Evaluation, &str, bool)]) -> Vec<SearchedPosition> {
    let position =
        |(index, &(evaluation, best, is_of_others)): (usize, &(_, &str, _))| SearchedPosition {
            played: if index > 0 { format!("m{index}").into() } else { "".into() },
            has_choice: true,
            scope: Scope { is_of_others, ..Scope::FIRST },
            finding: Finding { evaluation, line: line(best) },
            change: 0,
        };
    found.iter().enumerate().map(position).collect()
}

fn losses(mut positions: Vec<SearchedPosition>) -> Vec<f64> {
    let values = values(&mut positions);
    let loss = |around: &[Value]| (around[0].points + around[1].points - ALL_POINTS).max(0);
    values.windows(2).map(|around| shown_points(loss(around))).collect()
}

#[test]
fn a_belief_that_turns_out_wrong_is_searched_again() {
    let mut positions =
        game(&[(scored(0), "m1", false), (scored(0), "m2", false), (scored(300), "x", false)]);
    let values = values(&mut positions);
    let again = Scope { is_of_others: true, effort: 1 };
    assert!(disputed(&positions, &values).contains(&(1, again)));
}

#[test]
fn nothing_is_known_beside_a_move_that_turned_out_worse_than_it_was_thought() {
    let searched_again = |score| {
        let mut positions = game(&[(scored(20), "m1", false), (scored(score), "x", false)]);
        let values = values(&mut positions);
        disputed(&positions, &values).contains(&(0, Scope { is_of_others: true, effort: 1 }))
    };
    assert!(searched_again(-15) && !searched_again(-20) && !searched_again(-25));
}

#[test]
fn effort_is_raised_until_the_value_settles() {
    let third = Scope { is_of_others: true, effort: 3 };
    let searched_again = |change| {
        let mut positions = game(&[(scored(100), "y", true), (scored(0), "x", false)]);
        positions[0].scope.effort = 2;
        positions[0].change = change;
        let values = values(&mut positions);
        disputed(&positions, &values).contains(&(0, third))
    };
    assert!(searched_again(600) && !searched_again(400));
}

#[test]
fn the_blame_goes_back_to_the_move_that_had_a_better_one_beside_it() {
    // Black's second move was as good as any other: the position was lost before it.
    let lost = game(&[
        (scored(0), "m1", false),
        (scored(0), "better", true),
        (scored(0), "m3", false),
        (scored(-310), "worse", true),
        (scored(300), "x", false),
    ]);
    let blamed: Vec<bool> = losses(lost).iter().map(|&loss| loss > 0.4).collect();
    assert_eq!(blamed, [false, true, false, false]);
}

#[test]
fn a_move_that_turns_out_better_than_the_best_one_raises_the_value_before_it() {
    let mut positions = game(&[(scored(0), "x", false), (scored(-200), "y", false)]);
    let values = values(&mut positions);
    assert_eq!((values[0].line.first(), values[0].evaluation.score), (Some("m1"), 200));
    assert_eq!(values[0].points, ALL_POINTS - values[1].points);
}

#[test]
fn only_a_win_is_proven_by_one_move() {
    let won = ended(Score::lost_in(4), Outcome::Loss);
    let values_of = |found, after| values(&mut game(&[(found, "m1", false), (after, "x", false)]));
    let value = values_of(scored(-900), won).swap_remove(0);
    assert_eq!((value.evaluation.outcome, value.evaluation.plies), (Some(Outcome::Win), Some(5)));
    let drawn = ended(Score::DRAWN, Outcome::Draw);
    let value = values_of(scored(-900), drawn).swap_remove(0);
    assert_eq!((value.evaluation.outcome, value.points), (None, 5000));
    let lost = ended(Score::won_in(4), Outcome::Win);
    let value = values_of(scored(-900), lost).swap_remove(0);
    assert_eq!((value.evaluation.outcome, value.points), (None, 0));
}
