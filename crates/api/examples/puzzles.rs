//! How well the motifs of chess agree with the themes of puzzles: a table.
//!
//! `cargo run --release -p bestmove-api --example puzzles -- FILE [THEME]`, where the file has lines of fen, moves, rating
//! and themes. With a theme the puzzles are shown of which it is missed or told wrongly; `all` shows those of every theme.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::atomic::AtomicBool;

use bestmove_api::{Context, Control, Include, Job, Wanted};
use bestmove_engine::game::PositionText;
use bestmove_engine::games;
use bestmove_engine::games::any::SearchParameters;

/// The themes of puzzles and the kinds that stand for them.
const THEMES: [(&str, &str); 12] = [
    ("fork", "fork"),
    ("pin", "pin pinned-defender"),
    ("deflection", "deflection"),
    ("skewer", "skewer"),
    ("discoveredAttack", "discovered-attack discovered-check"),
    ("doubleCheck", "double-check"),
    ("hangingPiece", "hanging-piece"),
    ("trappedPiece", "trapped-piece"),
    ("backRankMate", "back-rank"),
    ("promotion", "promotion"),
    ("sacrifice", "sacrifices"),
    ("capturingDefender", "removed-defender"),
];

/// A reason that is told: the index of the move in the solution, the sentence, the plies and the line.
type Told = (usize, String, Option<u32>, String);

/// The first reason of each kind along the solution of a puzzle.
fn told_reasons(context: &Context, fen: &str, moves: &str) -> BTreeMap<&'static str, Told> {
    let chess = games::find("chess").expect("a game");
    let start = PositionText::Text(fen.to_owned());
    let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
    let wanted = Wanted { reasons: true, threat: false };
    let include = Include { wanted, ..Include::default() };
    let mut told = BTreeMap::new();
    for (index, mv) in moves.iter().enumerate() {
        if index % 2 == 1 {
            let board = chess.board(Some(&start), &moves[..index]).expect("a puzzle is legal");
            let search_moves = Some(vec![mv.to_owned()]);
            let parameters =
                SearchParameters { nodes: Some(20_000), search_moves, ..Default::default() };
            let job = Job::of_board(board, &parameters, include, context).expect("a search");
            let answer = job.run(Control::new(&AtomicBool::new(false)));
            for reason in answer.reasons.into_iter().flatten() {
                let line: Vec<_> = reason.moves.into_iter().map(|mv| mv.text).collect();
                let told_of = (index, reason.text, reason.plies, line.join(" "));
                told.entry(reason.kind).or_insert(told_of);
            }
        }
    }
    told
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file with lines of fen, moves, rating and themes");
    let puzzles = fs::read_to_string(file).expect("the file can be read");
    let wanted = arguments.next().unwrap_or_default();
    let knowledge = games::load_knowledge(None).expect("the knowledge is whole");
    let context = Context { knowledge, max_time: None };
    let mut counts: BTreeMap<&str, [u32; 3]> = BTreeMap::new();
    let mut mates: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for (number, line) in puzzles.lines().skip(1).enumerate() {
        // With a theme in KIND, the puzzles that have it and some others; with `all`, every one.
        if !wanted.is_empty() && wanted != "all" && !line.contains(&wanted) && number % 8 != 0 {
            continue;
        }
        let fields: Vec<_> = line.split(',').collect();
        let [fen, moves, _, themes] = fields[..] else { continue };
        let themes: BTreeSet<&str> = themes.split(' ').collect();
        let told = told_reasons(&context, fen, moves);
        for (theme, kinds) in THEMES {
            let is_key = |kind: &str| told.get(kind).is_some_and(|first| first.0 == 1);
            let is_key = kinds.split(' ').any(is_key);
            let is_told = kinds.split(' ').any(|kind| told.contains_key(kind));
            let has_theme = themes.contains(theme);
            let count = counts.entry(theme).or_default();
            count[0] += u32::from(is_told && has_theme);
            count[1] += u32::from(is_key && !has_theme);
            count[2] += u32::from(!is_told && has_theme);
            if (is_key && !has_theme || !is_told && has_theme)
                && (wanted == theme || wanted == "all")
            {
                println!(
                    "{} {theme} {fen} {moves} {themes:?} {told:?}",
                    if is_told { "FALSE" } else { "MISSED" }
                );
            }
        }
        for (theme, plies) in [("mateIn1", 1), ("mateIn2", 3), ("mateIn3", 5)] {
            if themes.contains(theme) {
                let is_told =
                    told.get("wins").is_some_and(|wins| wins.2.is_some_and(|it| it <= plies));
                mates.entry(theme.to_owned()).or_default()[usize::from(!is_told)] += 1;
            }
        }
    }
    for (theme, [right, wrong, missed]) in counts {
        let share = |part: u32, whole: u32| 100.0 * f64::from(part) / f64::from(whole.max(1));
        println!(
            "{theme:18} told {right:3} beside the theme {wrong:3} missed {missed:3} precision {:5.1} recall {:5.1}",
            share(right, right + wrong),
            share(right, right + missed)
        );
    }
    println!("mates told and missed {mates:?}");
}
