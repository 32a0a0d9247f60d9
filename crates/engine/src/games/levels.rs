//! The levels of all games.
//!
//! The numbers were tuned by matches, so that each level wins clearly against the one below it; the
//! results are in `docs/benchmarks/levels.md`.

use crate::game::{Errors, LEVEL_COUNT, Level, Rating, Skill};

/// A careless player that looks `depth` plies ahead: see [`Skill::Careless`].
const fn careless(depth: u32, overlooks: u8, temperature: f64, wins: u8) -> Skill {
    Skill::Careless { errors: Errors { depth, overlooks, temperature }, wins }
}

/// A player that visits `nodes`, except in `lapses` of a hundred moves.
const fn nodes(nodes: u64, lapses: u8) -> Skill {
    Skill::Search { depth: None, nodes: Some(nodes), algorithm: None, lapses }
}

/// A player that looks `depth` plies ahead by alpha-beta.
const fn depth(depth: u32) -> Skill {
    Skill::Search { depth: Some(depth), nodes: None, algorithm: None, lapses: 0 }
}

/// A player that plays by proof where a proof is found within `nodes`.
const fn solve(nodes: u64) -> Skill {
    Skill::Search { depth: None, nodes: Some(nodes), algorithm: Some("solve"), lapses: 0 }
}

impl Skill {
    /// The level of this skill, in the words of players.
    const fn described(self, description: &'static str) -> Level {
        Level { description, skill: self, rating: None }
    }
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
    careless(1, 50, 0.5, 50)
        .described("has just learned the rules: takes every second win and hardly sees a threat"),
    careless(2, 45, 0.3, 70).described("a small child: takes most wins and sees some threats"),
    careless(2, 30, 0.25, 90).described("a child: takes nearly all wins and prevents most threats"),
    careless(2, 24, 0.18, 100)
        .described("takes every win and prevents every threat, but errs early in the game"),
    careless(2, 14, 0.12, 100).described("an amateur: overlooks some double threats"),
    careless(3, 10, 0.08, 100)
        .described("a careful player: overlooks a double threat now and then"),
    careless(4, 6, 0.05, 100).described("a good player: seldom overlooks a double threat"),
    careless(5, 3, 0.03, 100).described("a strong player: hardly errs"),
    careless(6, 1, 0.02, 100).described("an expert: errs once in many games"),
    solve(100_000).described("plays perfectly: nobody wins against it"),
];

pub(super) const CONNECT_FOUR: [Level; LEVEL_COUNT] = [
    careless(1, 50, 0.3, 50)
        .described("has just learned the rules: takes every second win and hardly sees a threat"),
    careless(2, 45, 0.14, 70).described("a small child: takes most wins and sees some threats"),
    careless(2, 30, 0.09, 90).described("a child: takes nearly all wins and prevents most threats"),
    careless(2, 24, 0.07, 100)
        .described("takes every win and prevents every threat of the next move, but makes no plan"),
    careless(3, 10, 0.04, 100)
        .described("an amateur: plans a move ahead and overlooks a column now and then"),
    careless(4, 5, 0.025, 100)
        .described("a good amateur: plans two moves ahead and hardly overlooks a column"),
    depth(5).described("a good player: falls for no short trap"),
    depth(8).described("a strong player: sees traps of four moves"),
    depth(14).described("an expert: sees traps of seven moves"),
    solve(4_000_000).described(
        "full strength: plays perfectly wherever the end of the game can be seen in a second",
    ),
];

pub(super) const CHECKERS: [Level; LEVEL_COUNT] = [
    careless(1, 50, 0.3, 50)
        .described("has just learned the rules: overlooks half of your captures"),
    careless(1, 38, 0.18, 70).described("a small child: sees most captures that follow at once"),
    careless(2, 29, 0.11, 90)
        .described("a child: thinks one move ahead and overlooks many exchanges"),
    careless(2, 18, 0.07, 100)
        .described("an amateur: thinks one move ahead and overlooks some exchanges"),
    careless(3, 10, 0.04, 100)
        .described("a good amateur: sees short exchanges and seldom overlooks anything"),
    careless(4, 6, 0.024, 100)
        .described("a club player: sees longer exchanges and hardly overlooks anything"),
    nodes(1_000, 20)
        .described("a good club player: sees most shots, but plays every fifth move in haste"),
    nodes(5_000, 8).described("a strong player: plays one move of twelve in haste"),
    nodes(30_000, 4).described("an expert: plays one move of 25 in haste"),
    nodes(500_000, 0).described("full strength: thinks for up to a second, and never in haste"),
];

pub(super) const CHESS: [Level; LEVEL_COUNT] = [
    careless(1, 55, 0.27, 50)
        .described(
            "has just learned the rules: leaves pieces to be taken and overlooks most of your \
             plans",
        )
        .rated(270, 300),
    careless(1, 39, 0.105, 70)
        .described("a small child: sees most captures that follow at once")
        .rated(620, 250),
    careless(1, 26, 0.05, 90)
        .described("a casual player: sees most captures and overlooks quiet moves")
        .rated(930, 200),
    careless(2, 20, 0.044, 100)
        .described("an amateur: thinks one move ahead and overlooks some of your answers")
        .rated(1250, 150),
    careless(2, 9, 0.023, 100)
        .described("a good amateur: thinks one move ahead and overlooks few of your answers")
        .rated(1600, 150),
    nodes(2_700, 40)
        .described("a club player: sees combinations, but plays two moves of five in haste")
        .rated(1880, 150),
    nodes(9_000, 16)
        .described("a good club player: plays every sixth move in haste")
        .rated(2080, 250),
    nodes(25_000, 5)
        .described("a strong player: plays one move of twenty in haste")
        .rated(2200, 300),
    nodes(75_000, 1).described("an expert: plays one move of a hundred in haste").rated(2350, 300),
    nodes(250_000, 0)
        .described("full strength: thinks for up to a second, and never in haste")
        .rated(2450, 300),
];

pub(super) const OTHELLO: [Level; LEVEL_COUNT] = [
    careless(1, 50, 0.5, 50).described("has just learned the rules: turns over what it sees"),
    careless(1, 40, 0.25, 70).described("a small child: takes some corners"),
    careless(1, 30, 0.14, 90).described("a child: takes most corners"),
    careless(2, 22, 0.09, 100)
        .described("an amateur: thinks one move ahead and overlooks some of your answers"),
    careless(2, 10, 0.05, 100)
        .described("a good amateur: thinks one move ahead and overlooks few answers"),
    careless(3, 5, 0.03, 100)
        .described("a club player: sees short plans and hardly overlooks an answer"),
    nodes(500, 20).described("a good club player: plays every fifth move in haste"),
    nodes(3_000, 8).described("a strong player: plays one move of twelve in haste"),
    nodes(30_000, 3).described("an expert: plays one move of 33 in haste"),
    nodes(500_000, 0).described("full strength: thinks for up to a second, and never in haste"),
];
