//! A position with its history, and what can be said about it without any search.

use std::collections::HashSet;

use super::{LegalMove, MoveText, Refusal, Standing, State};
use crate::game::{Ending, Game, History, MoveError, Outcome, Position, Side, Symmetry};

/// A move of a game.
pub(super) type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A position with the history that led to it: the textbook's board.
#[derive(Clone)]
pub(super) struct Board<G: Game> {
    pub(super) position: G::Position,
    pub(super) history: History,
    /// The last move and the position in which it was played.
    last: Option<(G::Position, MoveOf<G>)>,
}

impl<G: Game> Board<G> {
    /// A position without history.
    pub(super) fn new(position: G::Position) -> Self {
        Self { position, history: History::default(), last: None }
    }

    pub(super) fn play(&mut self, mv: MoveOf<G>) {
        if G::Position::REPEATS {
            self.history.played(self.position.key());
        }
        let next = self.position.play(mv);
        self.last = Some((std::mem::replace(&mut self.position, next), mv));
    }

    pub(super) fn after(&self, mv: MoveOf<G>) -> Self {
        let mut after = self.clone();
        after.play(mv);
        after
    }

    fn moves(&self) -> Vec<MoveOf<G>> {
        if self.standing() == Standing::Ongoing {
            self.position.legal_moves().into_iter().collect()
        } else {
            Vec::new()
        }
    }

    pub(super) fn read_move(
        &self,
        list: &'static str,
        index: usize,
        text: &str,
    ) -> Result<MoveOf<G>, Refusal> {
        let read = match self.standing() {
            Standing::Ongoing => G::read_move(&self.position, text),
            _ => Err(MoveError("the game is over".to_owned())),
        };
        read.map_err(|error| {
            let written = |mv| G::write_move(&self.position, mv);
            let allowed = self.moves().into_iter().map(written).collect();
            Refusal::Move { list, index, text: text.to_owned(), error, allowed }
        })
    }

    /// The moves to choose from at the root: each once, however often or in whatever notation it is
    /// written. So there are no more than legal ones, and equal texts are read once.
    pub(super) fn search_moves(&self, texts: &[String]) -> Result<Vec<MoveOf<G>>, Refusal> {
        let (mut seen, mut moves) = (HashSet::new(), Vec::new());
        for (index, text) in texts.iter().enumerate().filter(|(_, text)| seen.insert(text.as_str()))
        {
            let mv = self.read_move("search_moves", index, text)?;
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
        Ok(moves)
    }

    pub(super) fn standing(&self) -> Standing {
        let position = &self.position;
        let side = position.side_to_move();
        let drawn = || Standing::Drawn { reason: G::ending(position).reason };
        match position.outcome() {
            Some(Outcome::Loss) => won::<G>(side.other(), position),
            Some(Outcome::Win) => won::<G>(side, position),
            Some(Outcome::Draw) => drawn(),
            None if position.plies_to_draw() == Some(0) => drawn(),
            None if self.is_third_occurrence() => {
                Standing::Drawn { reason: "threefold repetition" }
            }
            None => Standing::Ongoing,
        }
    }

    fn is_third_occurrence(&self) -> bool {
        let position = &self.position;
        G::Position::REPEATS
            && self.history.occurrences(position.key(), position.reversible_plies()) >= 2
    }

    /// For each of `moves` the first that is the same but for a symmetry of the board.
    fn likes(&self, moves: &[MoveOf<G>]) -> Vec<MoveOf<G>> {
        let key = |&mv| self.position.play(mv).canonical().0;
        let keys: Vec<_> = moves.iter().map(key).collect();
        let first = |key| keys.iter().zip(moves).find(|&(other, _)| other == key);
        keys.iter().filter_map(|key| first(key).map(|(_, &mv)| mv)).collect()
    }

    /// Where the game stands.
    pub(super) fn state(&self) -> State {
        State {
            game: G::ABOUT.name,
            position: G::write_position(&self.position),
            side_to_move: side_name::<G>(self.position.side_to_move()),
            standing: self.standing(),
        }
    }

    /// The move that was played last, if one was.
    pub(super) fn last_move(&self) -> Option<MoveText> {
        self.last.as_ref().map(|(before, mv)| move_text::<G>(before, *mv))
    }

    /// The legal moves in the game's own order; none where the game is over.
    pub(super) fn legal_moves(&self) -> Vec<LegalMove> {
        let moves = self.moves();
        let likes = if folds::<G>() { self.likes(&moves) } else { Vec::new() };
        let mut likes = likes.into_iter().map(|mv| G::write_move(&self.position, mv));
        let told = moves.into_iter().map(|mv| LegalMove {
            mv: move_text::<G>(&self.position, mv),
            after: self.after(mv).state(),
            like: likes.next(),
        });
        told.collect()
    }
}

/// Whether positions of the game are told to be symmetric to others; its first moves show it.
fn folds<G: Game>() -> bool {
    let start = G::start();
    let mut children = start.legal_moves().into_iter().map(|mv| start.play(mv));
    children.any(|child| child.canonical().1 != Symmetry::default())
}

fn won<G: Game>(winner: Side, position: &G::Position) -> Standing {
    let Ending { reason, line } = G::ending(position);
    Standing::Won { winner: side_name::<G>(winner), reason, line }
}

pub(super) fn side_name<G: Game>(side: Side) -> &'static str {
    G::ABOUT.sides[side as usize]
}

pub(super) fn move_text<G: Game>(position: &G::Position, mv: MoveOf<G>) -> MoveText {
    MoveText { text: G::write_move(position, mv), san: G::write_san(position, mv) }
}
