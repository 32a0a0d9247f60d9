//! A position with its history, and its description without any search.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{GameStatus, MoveText, RequestError, ShownMove, State, plan};
use crate::game::{
    Alert, CLAIMABLE_OCCURRENCE, DRAWING_OCCURRENCE, Ending, Game, History, MoveError, Outcome,
    Position, PositionText, Side, Symmetry, bare_move, position_text,
};

pub(super) type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A position with the history that led to it: the textbook's board.
#[derive(Clone)]
pub(super) struct Board<G: Game> {
    /// The variant in play.
    pub(super) game: G,
    pub(super) position: G::Position,
    pub(super) history: History,
    /// The last move and the position in which it was played.
    pub(super) last: Option<(G::Position, MoveOf<G>)>,
}

impl<G: Game> Board<G> {
    /// A position without history.
    pub(super) fn new(game: G, position: G::Position) -> Self {
        Self { game, position, history: History::default(), last: None }
    }

    /// Sets up `text`, or the start. A text of moves stands for a position: it has a last move, but no history.
    pub(super) fn read(game: G, text: Option<&PositionText>) -> Result<Self, RequestError> {
        let text = text.map(plain_position);
        let text = text.as_deref();
        let position = match text {
            Some(PositionText::Rows(_)) if !game.game_info().rows => {
                return Err(plan::no_rows(&game));
            }
            Some(PositionText::Text(text)) if game.game_info().uci && text.trim() == "startpos" => {
                game.start()
            }
            Some(text) => game.read_position(text).map_err(RequestError::Position)?,
            None => game.start(),
        };
        let played = match text {
            Some(PositionText::Text(text)) => game.read_played(text).and_then(Result::ok),
            _ => None,
        };
        let last = played.and_then(|mut moves| {
            let last = moves.pop()?;
            Some((moves.into_iter().fold(game.start(), |position, mv| position.play(mv)), last))
        });
        Ok(Self { last, ..Self::new(game, position) })
    }

    pub(super) fn play(&mut self, mv: MoveOf<G>) {
        if G::Position::REPEATS {
            self.history.played(self.position.key());
        }
        let next = self.position.play(mv);
        self.last = Some((std::mem::replace(&mut self.position, next), mv));
    }

    /// Plays the moves of `texts`, and returns them with passes. People do not write passes: where a pass is the only move and
    /// the text is another move, the pass is played before it.
    pub(super) fn play_all(&mut self, texts: &[String]) -> Result<Vec<MoveOf<G>>, RequestError> {
        let mut played = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let mv = match self.unwritten_pass(text) {
                Some(pass) => {
                    self.play(pass);
                    played.push(pass);
                    self.read_move("moves", index, text)?
                }
                None => self.read_move("moves", index, text)?,
            };
            self.play(mv);
            played.push(mv);
        }
        Ok(played)
    }

    /// The pass that must come before the move `text`, if any.
    fn unwritten_pass(&self, text: &str) -> Option<MoveOf<G>> {
        let must_pass = G::Position::PASSES && self.state().alert == Some(Alert::MustPass);
        let pass = must_pass.then(|| self.position.legal_moves().into_iter().next()).flatten()?;
        (self.read_legal_move(text).is_err() && self.after(pass).read_legal_move(text).is_ok())
            .then_some(pass)
    }

    pub(super) fn after(&self, mv: MoveOf<G>) -> Self {
        let mut after = self.clone();
        after.play(mv);
        after
    }

    /// The legal moves in the game's own order; empty where the game is over.
    pub(super) fn moves(&self) -> Vec<MoveOf<G>> {
        if self.status() == GameStatus::Ongoing {
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
    ) -> Result<MoveOf<G>, RequestError> {
        let read = match self.status() {
            GameStatus::Ongoing => self.read_legal_move(text),
            _ => Err(MoveError("the game is over".to_owned())),
        };
        read.map_err(|error| {
            let written = |mv| G::write_move(&self.position, mv);
            let allowed = self.moves().into_iter().map(written).collect();
            RequestError::Move { list, index, place: None, text: text.to_owned(), error, allowed }
        })
    }

    /// Reads a move as it is written, or else without its number and assessment.
    fn read_legal_move(&self, text: &str) -> Result<MoveOf<G>, MoveError> {
        G::read_move(&self.position, text).or_else(|error| match bare_move(text) {
            bare if bare != text => G::read_move(&self.position, &bare),
            _ => Err(error),
        })
    }

    /// The moves to choose from at the root, each once, however often and in whatever notation it is written. Equal texts are
    /// read once.
    pub(super) fn search_moves(&self, texts: &[String]) -> Result<Vec<MoveOf<G>>, RequestError> {
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

    pub(super) fn status(&self) -> GameStatus {
        let position = &self.position;
        let side = position.side_to_move();
        let drawn = || GameStatus::Drawn { reason: G::ending(position).reason };
        match position.outcome() {
            Some(Outcome::Loss) => self.won(side.other()),
            Some(Outcome::Win) => self.won(side),
            Some(Outcome::Draw) => drawn(),
            None if position.plies_to_forced_draw() == Some(0) => drawn(),
            None if self.occurrence() >= DRAWING_OCCURRENCE => {
                GameStatus::Drawn { reason: "fivefold repetition" }
            }
            None => GameStatus::Ongoing,
        }
    }

    fn won(&self, winner: Side) -> GameStatus {
        let Ending { reason, line } = G::ending(&self.position);
        let margin = (G::Position::MARGIN_STEP > 0).then(|| self.position.margin());
        GameStatus::Won { winner: self.side_name(winner), reason, margin, line }
    }

    pub(super) fn side_name(&self, side: Side) -> &'static str {
        self.game.game_info().sides[side as usize]
    }

    /// The draw that the side to move may claim, in a game that goes on.
    fn claim(&self) -> Option<&'static str> {
        if self.position.plies_to_draw() == Some(0) {
            G::MOVE_COUNT_CLAIM
        } else {
            (self.occurrence() >= CLAIMABLE_OCCURRENCE).then_some("threefold-repetition")
        }
    }

    /// The number of times that the position has stood in the game, the present time included.
    fn occurrence(&self) -> usize {
        let Self { position, history, .. } = self;
        if G::Position::REPEATS {
            1 + history.occurrences(position.key(), position.reversible_plies())
        } else {
            1
        }
    }

    /// For each of `moves` the first move that a symmetry of the board turns it into.
    pub(super) fn symmetric_moves(&self, moves: &[MoveOf<G>]) -> Vec<MoveOf<G>> {
        let key = |&mv| self.position.play(mv).canonical().0;
        let keys: Vec<_> = moves.iter().map(key).collect();
        let first = |key| keys.iter().zip(moves).find(|&(other, _)| other == key);
        keys.iter().filter_map(|key| first(key).map(|(_, &mv)| mv)).collect()
    }

    /// The state of the game.
    pub(super) fn state(&self) -> State {
        let status = self.status();
        // A finished game has no duties to capture or pass, but a mated king is in check.
        let holds =
            |alert: &Alert| matches!(alert, Alert::Check(_)) || status == GameStatus::Ongoing;
        State {
            position: G::write_position(&self.position),
            side_to_move: self.side_name(self.position.side_to_move()),
            alert: G::alert(&self.position).filter(holds),
            claim: if status == GameStatus::Ongoing { self.claim() } else { None },
            status,
            view: None,
        }
    }
}

/// Whether the game tells symmetric positions. Its first moves show it.
pub(super) fn folds<G: Game>(game: &G) -> bool {
    let start = game.start();
    let mut children = start.legal_moves().into_iter().map(|mv| start.play(mv));
    children.any(|child| child.canonical().1 != Symmetry::default())
}

/// A position with its text in plain characters, without the tag pair that may enclose it.
pub(super) fn plain_position(position: &PositionText) -> Cow<'_, PositionText> {
    match position {
        PositionText::Text(text) => Cow::Owned(PositionText::Text(position_text(text).into())),
        other => Cow::Borrowed(other),
    }
}

pub(super) fn shown_move<G: Game>(position: &G::Position, mv: MoveOf<G>) -> ShownMove {
    ShownMove { text: move_text::<G>(position, mv), drawing: G::drawn_move(position, mv) }
}

pub(super) fn move_text<G: Game>(position: &G::Position, mv: MoveOf<G>) -> MoveText {
    MoveText { text: G::write_move(position, mv), san: G::write_san(position, mv) }
}
