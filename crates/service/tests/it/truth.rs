//! No reason is refuted by an independent search.

use super::{Random, answer, board, explained};
use bestmove_engine::game::Outcome;
use bestmove_engine::games::CATALOGUE;
use bestmove_engine::games::any::{AnyBoard, Reason, SearchParameters};

/// The nodes of a search that may refute a reason.
const NODES: u64 = 400_000;

/// The reasons that the check of a game should meet.
const FEWEST_REASONS: usize = 5;

fn search(depth: Option<u32>, moves: Option<Vec<String>>, algorithm: &str) -> SearchParameters {
    SearchParameters {
        depth: depth.map(u64::from),
        nodes: Some(NODES),
        search_moves: moves,
        algorithm: Some(algorithm.to_owned()),
        ..SearchParameters::default()
    }
}

/// What a search says of the outcome of some moves.
enum Said {
    Proven(Outcome),
    /// It went as deep as it was to go and found none.
    Open,
    /// It ran out of nodes, or there is none to ask.
    Nothing,
}

impl Said {
    /// What it says against an outcome. A search that went deep enough should find it.
    fn against(&self, expected: Outcome) -> Option<String> {
        match self {
            Self::Proven(outcome) if *outcome != expected => Some(format!("{outcome:?}")),
            Self::Open => Some(format!("no {expected:?} is found")),
            _ => None,
        }
    }

    fn is(&self, outcome: Outcome) -> bool {
        matches!(self, Self::Proven(proven) if *proven == outcome)
    }
}

/// What a search of these moves says: `alpha-beta` to a depth, or `solve` where no depth is known and the game must end.
fn said(board: &dyn AnyBoard, moves: Vec<String>, plies: Option<u32>) -> Said {
    let moves = (!moves.is_empty()).then_some(moves);
    let deeper = plies.map(|plies| (plies + 2).min(board.game().max_depth));
    let algorithm = if deeper.is_some() { "alpha-beta" } else { "solve" };
    if algorithm == "solve" && board.game().default_depth.is_some() {
        return Said::Nothing;
    }
    let answer = answer(board, &search(deeper, moves, algorithm));
    match answer.evaluation.outcome {
        Some(outcome) => Said::Proven(outcome),
        None if answer.search.stopped_by.name() == "nodes" => Said::Nothing,
        None => Said::Open,
    }
}

/// Why a reason of a move is wrong, where an independent search says so.
fn refutation(board: &dyn AnyBoard, mv: &str, reason: &Reason) -> Option<String> {
    let own = || said(board, vec![mv.to_owned()], reason.plies);
    let others =
        || board.other_moves(&board.after(mv, 0).expect("legal").last_move().expect("one").text);
    match reason.kind {
        "wins" => own().against(Outcome::Win),
        "stacked-threats" | "zugzwang-threat" => {
            said(board, vec![mv.to_owned()], None).against(Outcome::Win)
        }
        "loses" | "allows" => own().against(Outcome::Loss),
        "draws" => own().against(Outcome::Draw),
        "only-move" if reason.text.starts_with("Every") => {
            let of_others = said(board, others(), reason.plies).against(Outcome::Loss);
            // A loss that comes later than that of the other moves refutes nothing.
            let loses_too = reason.plies.is_none() && own().is(Outcome::Loss);
            of_others.or(loses_too.then(|| "it loses too".to_owned()))
        }
        "only-move" => {
            let wins_too = said(board, others(), None).is(Outcome::Win);
            wins_too.then(|| "another move wins too".to_owned())
        }
        "misses" | "throws-away" => {
            let best = said(board, vec![reason.moves[0].text.clone()], reason.plies);
            let wins = !reason.text.contains("draw");
            best.against(if wins { Outcome::Win } else { Outcome::Draw })
        }
        "prevents" => {
            let passed = board.passed().expect("a pass");
            let threat = answer(&*passed, &search(reason.plies, None, "alpha-beta"));
            let after = board.after(mv, 0).expect("legal");
            let held = answer(&*after, &search(reason.plies, None, "alpha-beta"));
            let wins = |outcome: Option<Outcome>| outcome == Some(Outcome::Win);
            let is_threat = wins(threat.evaluation.outcome);
            let is_short = threat.search.stopped_by.name() == "nodes";
            (!is_threat && !is_short || wins(held.evaluation.outcome))
                .then(|| "it holds nothing".to_owned())
        }
        "double-threat" | "threatens" => {
            let passed = board.after(mv, 0).expect("legal").passed().expect("a pass");
            let wins = reason.moves.iter().all(|mv| {
                let after = passed.after(&mv.text, 0).expect("legal");
                after.state().status != bestmove_engine::games::any::GameStatus::Ongoing
            });
            (!wins).then(|| "a threat does not win".to_owned())
        }
        "loses-points" => {
            let loss = points(board, others()) - points(board, vec![mv.to_owned()]);
            (loss <= 0.0).then(|| format!("another move gains {loss:.2}"))
        }
        "wins-material" | "loses-material" => material(board, mv, reason),
        // What a motif wins.
        "sacrifices" | "trades" | "threat" => None,
        _ if reason.gain.is_some_and(|gain| gain >= 100) && !reason.proven => {
            material(board, mv, reason)
        }
        _ => None,
    }
}

/// The expected points of the best of these moves.
fn points(board: &dyn AnyBoard, moves: Vec<String>) -> f64 {
    let parameters = SearchParameters {
        nodes: Some(4 * NODES),
        search_moves: Some(moves),
        ..SearchParameters::default()
    };
    answer(board, &parameters).evaluation.expected_points()
}

/// Whether a search of the material two plies deeper than the line is long finds no gain, or no loss.
fn material(board: &dyn AnyBoard, mv: &str, reason: &Reason) -> Option<String> {
    let now = board.static_score("material", &super::KNOWLEDGE).expect("piece values");
    let parameters = SearchParameters {
        evaluator: Some("material".to_owned()),
        ..search(Some(reason.moves.len() as u32 + 2), Some(vec![mv.to_owned()]), "selective")
    };
    let found = answer(board, &parameters);
    if found.evaluation.outcome.is_some() {
        return None;
    }
    let (gain, told) = (found.evaluation.score - now, reason.gain.expect("a gain"));
    let is_refuted = if told > 0 { gain < 100 } else { gain > -100 };
    is_refuted.then(|| format!("told {told}, found {gain}"))
}

/// Explains moves of so many random positions, and of more where few of them have a reason. Gives the number of reasons
/// checked and those that are wrong.
fn wrong_reasons(game: &str, positions: usize, seed: u64) -> (usize, Vec<String>) {
    let mut random = Random(seed);
    let (mut checked, mut wrong) = (0, Vec::new());
    let mut position = board(game, None);
    let mut visited = 0;
    while visited < positions || checked < FEWEST_REASONS && visited < 10 * positions {
        visited += 1;
        for _ in 0..=random.below(4) {
            let legal = position.legal_moves();
            position = match legal.len() {
                0 => board(game, None),
                count => {
                    let mv = &legal[random.below(count)].mv.text;
                    position.after(mv, 0).expect("legal")
                }
            };
        }
        let legal = position.legal_moves();
        if legal.is_empty() {
            continue;
        }
        let mut moves = vec![legal[random.below(legal.len())].mv.text.clone()];
        let best =
            answer(&*position, &SearchParameters { nodes: Some(2_000), ..Default::default() });
        moves.push(best.best_move.text);
        for mv in moves {
            let parameters = SearchParameters {
                nodes: Some(5_000),
                search_moves: Some(vec![mv.clone()]),
                ..SearchParameters::default()
            };
            for reason in explained(&*position, &parameters).reasons.into_iter().flatten() {
                checked += 1;
                if let Some(refuted) = refutation(&*position, &mv, &reason) {
                    wrong.push(format!(
                        "{game} {} {mv}: {} ({refuted})",
                        position.state().position,
                        reason.text
                    ));
                }
            }
        }
    }
    (checked, wrong)
}

/// `POSITIONS=10000 GAME=othello cargo test --release -p bestmove-service --test it truth` checks more of them.
#[test]
fn no_reason_is_refuted_by_an_independent_search() {
    let asked = std::env::var("POSITIONS").ok().and_then(|text| text.parse().ok());
    let usual = if std::env::var_os("FULL_TESTS").is_some() { 40 } else { 6 };
    let wanted = std::env::var("GAME").unwrap_or_default();
    for game in CATALOGUE {
        if !wanted.is_empty() && wanted != game.info().name {
            continue;
        }
        let (checked, wrong) = wrong_reasons(game.info().name, asked.unwrap_or(usual), 1);
        println!(
            "{}: {checked} reasons, {} wrong\n{}",
            game.info().name,
            wrong.len(),
            wrong.join("\n")
        );
        assert!(checked > 0 && wrong.is_empty(), "{wrong:#?}");
    }
}
