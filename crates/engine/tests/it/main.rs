//! The tests of the engine.

mod checkers;
mod chess;
mod conformance;
mod connect_four;
mod equivalence;
mod grid_notation;
mod knowledge;
mod signature;
mod tic_tac_toe;
