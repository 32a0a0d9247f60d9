//! What the search and a front end take for granted of the rules of a game, tried on every game of the catalogue.

use std::collections::HashMap;

use crate::cases;
use bestmove_engine::game::{Cells, Game, Move, MoveDrawing, MoveOf, Position, Square};
use bestmove_engine::games::checkers::Checkers;
use bestmove_engine::games::chess::Chess;
use bestmove_engine::games::connect_four::{ConnectFour, SizedConnectFour};
use bestmove_engine::games::othello::Othello;
use bestmove_engine::games::tic_tac_toe::TicTacToe;
use proptest::prelude::*;
use proptest::sample::Index;

/// The legal moves; none where the game is over.
fn moves<P: Position>(position: &P) -> Vec<P::Move> {
    match position.outcome() {
        Some(_) => Vec::new(),
        None => position.legal_moves().into_iter().collect(),
    }
}

/// The positions of a game of random moves, until it ends or the choices do.
fn random_game<P: Position>(start: P, choices: &[Index]) -> Vec<P> {
    let mut positions = vec![start];
    for choice in choices {
        let position = &positions[positions.len() - 1];
        let legal = moves(position);
        if legal.is_empty() {
            break;
        }
        let next = position.play(legal[choice.index(legal.len())]);
        positions.push(next);
    }
    positions
}

/// All positions up to so many plies below the start, at most about `most`.
fn opening<P: Position>(start: P, most: usize) -> Vec<P> {
    let mut positions = vec![start];
    let mut next = 0;
    while next < positions.len() && positions.len() < most {
        let children: Vec<P> =
            moves(&positions[next]).into_iter().map(|mv| positions[next].play(mv)).collect();
        positions.extend(children);
        next += 1;
    }
    positions
}

/// What everybody sees of a position: the board, whose turn it is, and the moves.
fn appearance<G: Game>(position: &G::Position) -> (Cells, bool, Vec<String>) {
    let first = position.side_to_move() == bestmove_engine::game::Side::First;
    let mut written: Vec<String> =
        moves(position).into_iter().map(|mv| G::write_move(position, mv).text).collect();
    written.sort();
    (G::cells(position), first, written)
}

/// Positions that look different have different keys.
fn keys_tell_positions_apart<G: Game>(game: G, choices: &[Index]) {
    let mut seen = HashMap::new();
    for position in opening(game.start(), 400).into_iter().chain(random_game(game.start(), choices))
    {
        let looks = appearance::<G>(&position);
        let known = seen.entry(position.key()).or_insert_with(|| looks.clone());
        assert_eq!(*known, looks, "{}: one key for two positions", game.game_info().name);
    }
}

/// Every move has a text of its own, which is read as that move, and an index in range. Moves share an index only
/// where they are captures by the same piece to the same square.
fn moves_have_indices_and_texts_of_their_own<G: Game>(game: G, choices: &[Index]) {
    for position in random_game(game.start(), choices) {
        let mut known: HashMap<u16, MoveDrawing> = HashMap::new();
        for mv in moves(&position) {
            let (index, drawn) = (mv.move_index(), G::drawn_move(&position, mv));
            assert!(index < MoveOf::<G>::INDICES);
            let text = G::write_move(&position, mv).text;
            assert_eq!(G::read_move(&position, &text), Ok(mv), "{text}");
            if let Some(other) = known.insert(index, drawn.clone()) {
                let ends =
                    |drawn: &MoveDrawing| (drawn.path.first().copied(), drawn.path.last().copied());
                assert!(
                    !drawn.captures.is_empty() && !other.captures.is_empty(),
                    "{text} shares an index"
                );
                assert_eq!(
                    (ends(&drawn), drawn.promotion),
                    (ends(&other), other.promotion),
                    "{text}"
                );
            }
        }
    }
}

/// Positions with the same canonical key are the same but for a symmetry, and `transformed` leads their moves to
/// each other.
fn symmetries_preserve_the_game<G: Game>(game: G, choices: &[Index]) {
    let mut representatives: HashMap<u64, G::Position> = HashMap::new();
    let random = random_game(game.start(), choices);
    for position in opening(game.start(), 400).into_iter().chain(random) {
        let (key, symmetry) = position.canonical();
        let other = representatives.entry(key).or_insert_with(|| position.clone());
        let (_, other_symmetry) = other.canonical();
        assert_eq!(position.outcome(), other.outcome());
        assert_eq!(position.plies_left(), other.plies_left());
        assert_eq!(position.side_to_move(), other.side_to_move());
        let mut images: Vec<_> = moves(other)
            .into_iter()
            .map(|mv| (G::Position::transformed(mv, other_symmetry), other.play(mv).canonical().0))
            .collect();
        for mv in moves(&position) {
            let image = G::Position::transformed(mv, symmetry);
            let found = images.iter().position(|&(other, _)| other == image);
            let (_, child) = images.swap_remove(found.expect("the other position has this move"));
            assert_eq!(position.play(mv).canonical().0, child, "{}", game.game_info().name);
        }
        assert!(images.is_empty(), "the other position has no further move");
    }
}

/// In a game that must end each ply takes one of the plies that are left; where sides may have to pass, the game ends
/// no later than it says.
fn the_end_comes_nearer<G: Game>(game: G, choices: &[Index]) {
    let positions = random_game(game.start(), choices);
    for (plies, position) in (0..).zip(positions.iter().rev()) {
        assert!(position.plies_left().is_none_or(|left| plies <= left));
    }
    for pair in positions.windows(2) {
        if let (Some(before), Some(after)) = (pair[0].plies_left(), pair[1].plies_left()) {
            assert!(if G::Position::PROPERTIES.passes {
                after <= before
            } else {
                before == after + 1
            });
        }
    }
}

/// A client that makes a move by its drawing has the board after the move.
fn drawings_tell_what_a_move_does<G: Game>(game: G, choices: &[Index]) {
    for position in random_game(game.start(), choices) {
        for mv in moves(&position) {
            let mut cells = G::cells(&position);
            let mut pieces = game.game_info().pieces.iter();
            let own = pieces.find(|piece| piece.side == position.side_to_move()).expect("a piece");
            make(&mut cells, &G::drawn_move(&position, mv), own.name);
            assert_eq!(
                cells,
                G::cells(&position.play(mv)),
                "{}",
                G::write_move(&position, mv).text
            );
        }
    }
}

/// Makes a move on the cells as the documentation of [`MoveDrawing`] says.
fn make(cells: &mut Cells, drawing: &MoveDrawing, own: &'static str) {
    if drawing.path.is_empty() {
        assert_eq!(*drawing, MoveDrawing::default(), "a pass touches nothing");
        return;
    }
    let (first, last) = (drawing.path[0], drawing.path[drawing.path.len() - 1]);
    let piece = if drawing.path.len() == 1 { own } else { std::mem::take(at(cells, first)) };
    for &square in &drawing.captures {
        assert_ne!(*at(cells, square), "", "a piece vanishes");
        *at(cells, square) = "";
    }
    // The second piece is lifted before the first one is put down.
    let second = drawing.also.first().map(|&from| std::mem::take(at(cells, from)));
    assert_eq!(*at(cells, last), "", "the last square is free");
    *at(cells, last) = drawing.promotion.unwrap_or(piece);
    for &square in &drawing.flips {
        assert!(!["", own].contains(at(cells, square)), "a piece changes sides");
        *at(cells, square) = own;
    }
    if let (Some(second), Some(&to)) = (second, drawing.also.last()) {
        *at(cells, to) = second;
    }
}

fn at(cells: &mut Cells, square: Square) -> &mut &'static str {
    &mut cells[square.row as usize][square.column as usize]
}

/// Tries a property on one variant of every type of game; which one, the choices tell.
macro_rules! for_each_game {
    ($property:ident $choices:ident) => {
        in_variants(&$choices, super::$property::<TicTacToe>);
        in_variants(&$choices, super::$property::<ConnectFour>);
        in_variants(&$choices, super::$property::<SizedConnectFour>);
        in_variants(&$choices, super::$property::<Checkers>);
        in_variants(&$choices, super::$property::<Chess>);
        in_variants(&$choices, super::$property::<Othello>);
    };
}

mod in_every_game {
    use super::*;

    fn in_variants<G: Game>(choices: &[Index], property: fn(G, &[Index])) {
        let place = choices.first().map_or(0, |choice| choice.index(G::VARIANTS.len()));
        property(G::VARIANTS[place], choices);
    }

    fn choices() -> impl Strategy<Value = Vec<Index>> {
        prop::collection::vec(any::<Index>(), 0..120)
    }

    proptest! {
        #![proptest_config(cases(24))]

        #[test]
        fn keys_tell_positions_apart(choices in choices()) {
            for_each_game!(keys_tell_positions_apart choices);
        }

        #[test]
        fn moves_have_indices_and_texts_of_their_own(choices in choices()) {
            for_each_game!(moves_have_indices_and_texts_of_their_own choices);
        }

        #[test]
        fn symmetries_preserve_the_game(choices in choices()) {
            for_each_game!(symmetries_preserve_the_game choices);
        }

        #[test]
        fn the_end_comes_nearer(choices in choices()) {
            for_each_game!(the_end_comes_nearer choices);
        }

        #[test]
        fn drawings_tell_what_a_move_does(choices in choices()) {
            for_each_game!(drawings_tell_what_a_move_does choices);
        }
    }
}
