//! The levels of all games: how each finds its move.
//!
//! The numbers were tuned by matches, so that each level wins clearly against the one below it; the
//! results are in `docs/levels.md`.

use crate::game::{Errors, LEVEL_COUNT, Level, Rating, Skill};

/// A level that looks `depth` plies ahead, and how it errs: see [`Skill::Careless`].
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

/// A level that visits so many positions, but for some lapses of a hundred moves.
const fn nodes(description: &'static str, nodes: u64, lapses: u8) -> Level {
    let skill = Skill::Search { depth: None, nodes: Some(nodes), algorithm: None, lapses };
    Level { description, skill, rating: None }
}

/// A level that looks so many plies ahead by alpha-beta.
const fn depth(description: &'static str, depth: u32) -> Level {
    let skill = Skill::Search { depth: Some(depth), nodes: None, algorithm: None, lapses: 0 };
    Level { description, skill, rating: None }
}

/// A level that plays by proof where one is found within so many positions.
const fn solve(description: &'static str, nodes: u64) -> Level {
    let skill =
        Skill::Search { depth: None, nodes: Some(nodes), algorithm: Some("solve"), lapses: 0 };
    Level { description, skill, rating: None }
}

/// On what the levels of chess were measured.
const CHESS_LADDER: &str =
    "Stockfish 15.1 with UCI_Elo 1350 to 2400, and the matches of the levels with each other";

impl Level {
    /// The same level with its strength in Elo, which may be off by `error` at 95 % confidence.
    const fn rated(self, elo: u16, error: u16) -> Self {
        Self { rating: Some(Rating { elo, error, ladder: CHESS_LADDER }), ..self }
    }
}

pub(super) const TIC_TAC_TOE: [Level; LEVEL_COUNT] = [
    careless("has just learned the rules: sees every second win and few threats", 1, 50, 0.5, 50),
    careless("a small child: sees most wins and some threats", 2, 45, 0.3, 70),
    careless("a child: sees nearly all wins and most threats", 2, 30, 0.25, 90),
    careless("takes every win, prevents every threat, and errs early in a game", 2, 24, 0.18, 100),
    careless("looks two plies ahead and errs early in a game", 2, 14, 0.12, 100),
    careless("looks three plies ahead and overlooks some double threats", 3, 10, 0.08, 100),
    careless("looks four plies ahead and overlooks few double threats", 4, 6, 0.05, 100),
    careless("looks five plies ahead and hardly errs", 5, 3, 0.03, 100),
    careless("looks six plies ahead and hardly ever errs", 6, 1, 0.02, 100),
    solve("plays perfectly: nobody wins against it", 100_000),
];

pub(super) const CONNECT_FOUR: [Level; LEVEL_COUNT] = [
    careless("has just learned the rules: sees every second win and few threats", 1, 50, 0.3, 50),
    careless("a small child: sees most wins and some threats", 2, 45, 0.14, 70),
    careless("a child: sees nearly all wins and most threats", 2, 30, 0.09, 90),
    careless("takes every win and prevents every threat of the next move", 2, 24, 0.07, 100),
    careless("looks three plies ahead and overlooks a column now and then", 3, 10, 0.04, 100),
    careless("looks four plies ahead and hardly overlooks a column", 4, 5, 0.025, 100),
    depth("looks five plies ahead", 5),
    depth("looks eight plies ahead", 8),
    depth("looks fourteen plies ahead", 14),
    solve("full strength: plays by proof wherever one can be had in a second", 4_000_000),
];

pub(super) const CHECKERS: [Level; LEVEL_COUNT] = [
    careless("has just learned the rules: sees half of the answers to its moves", 1, 50, 0.3, 50),
    careless("a small child: sees most captures that follow at once", 1, 38, 0.18, 70),
    careless("a child: looks two plies ahead and overlooks many exchanges", 2, 29, 0.11, 90),
    careless("an amateur: looks two plies ahead and overlooks some exchanges", 2, 18, 0.07, 100),
    careless("looks three plies ahead and seldom overlooks anything", 3, 10, 0.04, 100),
    careless("looks four plies ahead and hardly overlooks anything", 4, 6, 0.024, 100),
    nodes("visits 1000 positions and plays every fifth move in haste", 1_000, 20),
    nodes("visits 5000 positions and plays one move of twelve in haste", 5_000, 8),
    nodes("visits 30 000 positions and plays one move of 25 in haste", 30_000, 4),
    nodes("full strength within a second: 500 000 positions a move", 500_000, 0),
];

pub(super) const CHESS: [Level; LEVEL_COUNT] = [
    careless("has just learned the rules: sees half of the answers to its moves", 1, 66, 0.45, 50)
        .rated(190, 300),
    careless("a small child: sees most captures that follow at once", 1, 46, 0.151, 70)
        .rated(520, 250),
    careless("a casual player: sees most captures and overlooks quiet moves", 1, 29, 0.073, 90)
        .rated(870, 200),
    careless("an amateur: looks two plies ahead and overlooks some answers", 2, 20, 0.044, 100)
        .rated(1190, 150),
    careless("a good amateur: looks two plies ahead and overlooks few answers", 2, 9, 0.023, 100)
        .rated(1500, 150),
    nodes("visits 2700 positions and plays two moves of five in haste", 2_700, 40).rated(1790, 150),
    nodes("visits 9000 positions and plays every sixth move in haste", 9_000, 16).rated(2050, 250),
    nodes("visits 25 000 positions and plays one move of twenty in haste", 25_000, 5)
        .rated(2200, 300),
    nodes("visits 75 000 positions and plays one move of a hundred in haste", 75_000, 1)
        .rated(2350, 300),
    nodes("full strength within a second: 250 000 positions a move", 250_000, 0).rated(2450, 300),
];
