//! The levels of all games.
//!
//! The numbers were tuned by matches, so that each level wins clearly against the one below it; the
//! results are in `docs/benchmarks/levels.md`.

use crate::game::{Errors, LEVEL_COUNT, Level, Rating, Skill};

/// A careless level that looks `depth` plies ahead: see [`Skill::Careless`].
const fn careless(
    description: &'static str,
    depth: u32,
    overlooks: u8,
    temperature: f64,
    wins: u8,
) -> Level {
    let skill = Skill::Careless { errors: Errors { depth, overlooks, temperature }, wins };
    Level { description, skill, rating: None }
}

/// A level that visits `nodes`, except in `lapses` of a hundred moves.
const fn nodes(description: &'static str, nodes: u64, lapses: u8) -> Level {
    let skill = Skill::Search { depth: None, nodes: Some(nodes), algorithm: None, lapses };
    Level { description, skill, rating: None }
}

/// A level that looks `depth` plies ahead by alpha-beta.
const fn depth(description: &'static str, depth: u32) -> Level {
    let skill = Skill::Search { depth: Some(depth), nodes: None, algorithm: None, lapses: 0 };
    Level { description, skill, rating: None }
}

/// A level that plays by proof where a proof is found within `nodes`.
const fn solve(description: &'static str, nodes: u64) -> Level {
    let skill =
        Skill::Search { depth: None, nodes: Some(nodes), algorithm: Some("solve"), lapses: 0 };
    Level { description, skill, rating: None }
}

/// The ladder on which the levels of chess were measured.
const CHESS_LADDER: &str =
    "Stockfish 15.1 with UCI_Elo 1350 to 2400, and the matches of the levels with each other";

impl Level {
    /// Adds the strength in Elo, with its `error` at 95 % confidence.
    const fn rated(self, elo: u16, error: u16) -> Self {
        Self { rating: Some(Rating { elo, error, ladder: CHESS_LADDER }), ..self }
    }
}

pub(super) const TIC_TAC_TOE: [Level; LEVEL_COUNT] = [
    careless(
        "has just learned the rules: takes every second win and hardly sees a threat",
        1,
        50,
        0.5,
        50,
    ),
    careless("a small child: takes most wins and sees some threats", 2, 45, 0.3, 70),
    careless("a child: takes nearly all wins and prevents most threats", 2, 30, 0.25, 90),
    careless(
        "takes every win and prevents every threat, but errs early in the game",
        2,
        24,
        0.18,
        100,
    ),
    careless("an amateur: overlooks some double threats", 2, 14, 0.12, 100),
    careless("a careful player: overlooks a double threat now and then", 3, 10, 0.08, 100),
    careless("a good player: seldom overlooks a double threat", 4, 6, 0.05, 100),
    careless("a strong player: hardly errs", 5, 3, 0.03, 100),
    careless("an expert: errs once in many games", 6, 1, 0.02, 100),
    solve("plays perfectly: nobody wins against it", 100_000),
];

pub(super) const CONNECT_FOUR: [Level; LEVEL_COUNT] = [
    careless(
        "has just learned the rules: takes every second win and hardly sees a threat",
        1,
        50,
        0.3,
        50,
    ),
    careless("a small child: takes most wins and sees some threats", 2, 45, 0.14, 70),
    careless("a child: takes nearly all wins and prevents most threats", 2, 30, 0.09, 90),
    careless(
        "takes every win and prevents every threat of the next move, but makes no plan",
        2,
        24,
        0.07,
        100,
    ),
    careless(
        "an amateur: plans a move ahead and overlooks a column now and then",
        3,
        10,
        0.04,
        100,
    ),
    careless(
        "a good amateur: plans two moves ahead and hardly overlooks a column",
        4,
        5,
        0.025,
        100,
    ),
    depth("a good player: falls for no short trap", 5),
    depth("a strong player: sees traps of four moves", 8),
    depth("an expert: sees traps of seven moves", 14),
    solve(
        "full strength: plays perfectly wherever the end of the game can be seen in a second",
        4_000_000,
    ),
];

pub(super) const CHECKERS: [Level; LEVEL_COUNT] = [
    careless("has just learned the rules: overlooks half of your captures", 1, 50, 0.3, 50),
    careless("a small child: sees most captures that follow at once", 1, 38, 0.18, 70),
    careless("a child: thinks one move ahead and overlooks many exchanges", 2, 29, 0.11, 90),
    careless("an amateur: thinks one move ahead and overlooks some exchanges", 2, 18, 0.07, 100),
    careless(
        "a good amateur: sees short exchanges and seldom overlooks anything",
        3,
        10,
        0.04,
        100,
    ),
    careless(
        "a club player: sees longer exchanges and hardly overlooks anything",
        4,
        6,
        0.024,
        100,
    ),
    nodes("a good club player: sees most shots, but plays every fifth move in haste", 1_000, 20),
    nodes("a strong player: plays one move of twelve in haste", 5_000, 8),
    nodes("an expert: plays one move of 25 in haste", 30_000, 4),
    nodes("full strength: thinks for up to a second, and never in haste", 500_000, 0),
];

pub(super) const CHESS: [Level; LEVEL_COUNT] = [
    careless(
        "has just learned the rules: leaves pieces to be taken and overlooks most of your plans",
        1,
        55,
        0.27,
        50,
    )
    .rated(270, 300),
    careless("a small child: sees most captures that follow at once", 1, 39, 0.105, 70)
        .rated(620, 250),
    careless("a casual player: sees most captures and overlooks quiet moves", 1, 26, 0.05, 90)
        .rated(930, 200),
    careless(
        "an amateur: thinks one move ahead and overlooks some of your answers",
        2,
        20,
        0.044,
        100,
    )
    .rated(1250, 150),
    careless(
        "a good amateur: thinks one move ahead and overlooks few of your answers",
        2,
        9,
        0.023,
        100,
    )
    .rated(1600, 150),
    nodes("a club player: sees combinations, but plays two moves of five in haste", 2_700, 40)
        .rated(1880, 150),
    nodes("a good club player: plays every sixth move in haste", 9_000, 16).rated(2080, 250),
    nodes("a strong player: plays one move of twenty in haste", 25_000, 5).rated(2200, 300),
    nodes("an expert: plays one move of a hundred in haste", 75_000, 1).rated(2350, 300),
    nodes("full strength: thinks for up to a second, and never in haste", 250_000, 0)
        .rated(2450, 300),
];

pub(super) const OTHELLO: [Level; LEVEL_COUNT] = [
    careless("has just learned the rules: turns over what it sees", 1, 50, 0.5, 50),
    careless("a small child: takes some corners", 1, 40, 0.25, 70),
    careless("a child: takes most corners", 1, 30, 0.14, 90),
    careless(
        "an amateur: thinks one move ahead and overlooks some of your answers",
        2,
        22,
        0.09,
        100,
    ),
    careless("a good amateur: thinks one move ahead and overlooks few answers", 2, 10, 0.05, 100),
    careless("a club player: sees short plans and hardly overlooks an answer", 3, 5, 0.03, 100),
    nodes("a good club player: plays every fifth move in haste", 500, 20),
    nodes("a strong player: plays one move of twelve in haste", 3_000, 8),
    nodes("an expert: plays one move of 33 in haste", 30_000, 3),
    nodes("full strength: thinks for up to a second, and never in haste", 500_000, 0),
];
