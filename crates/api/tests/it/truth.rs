//! No reason is refuted by an independent search.

use super::{Random, answer, board, explained};
use bestmove_engine::game::Outcome;
use bestmove_engine::games::any::{AnyBoard, Reason, SearchParameters};
use bestmove_engine::games::catalogue;
use bestmove_engine::search::Algorithm;

/// The nodes of a search that may refute a reason.
const NODES: u64 = 400_000;

/// Of so many positions, one has its `loses-points` checked: they cost more than all others together.
const POINTS_EVERY: usize = 10;

/// The reasons that the check of a game should meet.
const FEWEST_REASONS: usize = 5;

fn search(depth: Option<u32>, moves: Option<Vec<String>>, algorithm: &str) -> SearchParameters {
    SearchParameters {
        depth: depth.map(u64::from),
        nodes: Some(NODES),
        search_moves: moves,
        algorithm: Algorithm::named(algorithm),
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

/// The reasons of a random move and of the best one that were checked, and those that are wrong. What a move costs in
/// expected points is checked where that is asked for.
fn wrong_reasons_at(
    position: &dyn Fn() -> Box<dyn AnyBoard>,
    random: &mut Random,
    has_points: bool,
) -> (usize, Vec<String>) {
    let board = &*position();
    let legal = board.legal_moves();
    let parameters = SearchParameters { nodes: Some(2_000), ..Default::default() };
    let moves = [
        legal[random.below(legal.len())].mv.text.clone(),
        answer(board, &parameters).best_move.text,
    ];
    let (mut checked, mut wrong) = (0, Vec::new());
    for mv in moves {
        let parameters = SearchParameters {
            nodes: Some(5_000),
            search_moves: Some(vec![mv.clone()]),
            ..SearchParameters::default()
        };
        let reasons = explained(position(), &parameters).reasons.into_iter().flatten();
        for reason in reasons.filter(|reason| has_points || reason.kind != "loses-points") {
            checked += 1;
            if let Some(refuted) = refutation(board, &mv, &reason) {
                let position = board.state().position;
                wrong.push(format!("{position} {mv}: {} ({refuted})", reason.text));
            }
        }
    }
    (checked, wrong)
}

/// Explains moves of so many random positions, and of more where few of them have a reason. Prints each reason that is
/// wrong when it is met, and how far the check is. Gives the number of reasons checked and those that are wrong.
fn wrong_reasons(game: &str, positions: usize, seed: u64) -> (usize, Vec<String>) {
    let mut random = Random(seed);
    let (mut checked, mut wrong) = (0, Vec::new());
    // The board before the last move, and the move: the last move is part of what is explained.
    let mut last: Option<(Box<dyn AnyBoard>, String)> = None;
    let mut visited = 0;
    while visited < positions || checked < FEWEST_REASONS && visited < 10 * positions {
        visited += 1;
        let after = |last: &Option<(Box<dyn AnyBoard>, String)>| match last {
            Some((before, mv)) => before.after(mv, 0).expect("legal"),
            None => board(game, None),
        };
        for _ in 0..=random.below(4) {
            let position = after(&last);
            let legal = position.legal_moves();
            last = match legal.len() {
                0 => None,
                count => {
                    let mv = legal[random.below(count)].mv.text.clone();
                    Some((position, mv))
                }
            };
        }
        let position = || after(&last);
        if position().legal_moves().is_empty() {
            continue;
        }
        let has_points = visited % POINTS_EVERY == 0;
        let (reasons, refuted) = wrong_reasons_at(&position, &mut random, has_points);
        for text in &refuted {
            println!("{game} {text}");
        }
        checked += reasons;
        wrong.extend(refuted);
        if visited % 500 == 0 {
            println!("{game}: {visited} positions, {checked} reasons, {} wrong", wrong.len());
        }
    }
    (checked, wrong)
}

/// `POSITIONS=10000 GAME=othello cargo test --release -p bestmove-api --test it truth -- --nocapture` checks more of
/// them, and `SEED=2` others.
#[test]
fn no_reason_is_refuted_by_an_independent_search() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let usual = if std::env::var_os("FULL_TESTS").is_some() { 40 } else { 3 };
    let positions = number("POSITIONS").unwrap_or(usual);
    let seed = number("SEED").unwrap_or(1) as u64;
    let wanted = std::env::var("GAME").unwrap_or_default();
    let games = catalogue().iter().map(|game| game.info().name);
    let games = games.filter(|&game| wanted.is_empty() || wanted == game);
    std::thread::scope(|scope| {
        for game in games {
            scope.spawn(move || {
                let (checked, wrong) = wrong_reasons(game, positions, seed);
                println!("{game}: {checked} reasons, {} wrong", wrong.len());
                assert!(checked > 0 && wrong.is_empty(), "{game}: {wrong:#?}");
            });
        }
    });
}
