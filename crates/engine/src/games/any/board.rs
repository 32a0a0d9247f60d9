//! A position with its history, and its description without any search.

use std::collections::HashSet;

use super::{GameStatus, RequestError, ShownMove, State};
use crate::game::{
    Alert, CLAIMABLE_OCCURRENCE, DRAWING_OCCURRENCE, Ending, GAME_TREES, Game, History, INVISIBLE,
    MoveError, MoveOf, Outcome, Position, PositionError, PositionText, Side, Symmetry, bare_move,
    is_game_tree, plain_text, position_text,
};

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
        let text = text.as_ref();
        let position = match text {
            Some(PositionText::Rows(_)) if !game.game_info().rows => {
                let title = game.game_info().title;
                let detail =
                    format!("{title} expects a string, or an object with rows, but got rows alone");
                return Err(RequestError::choice("position", detail));
            }
            Some(PositionText::Text(text)) if game.game_info().uci && text.trim() == "startpos" => {
                game.start()
            }
            Some(PositionText::Text(text)) if is_game_tree(text) => {
                return Err(RequestError::Position(PositionError(GAME_TREES.to_owned())));
            }
            Some(text) => game.read_position(text).map_err(RequestError::Position)?,
            None => game.start(),
        };
        let played = text.and_then(|text| game.read_played(text.text()?)?.ok());
        let last = played.and_then(|mut moves| {
            let last = moves.pop()?;
            Some((moves.into_iter().fold(game.start(), |position, mv| position.play(mv)), last))
        });
        Ok(Self { last, ..Self::new(game, position) })
    }

    pub(super) fn play(&mut self, mv: MoveOf<G>) {
        if G::Position::PROPERTIES.repeats {
            self.history.played(self.position.key());
        }
        let next = self.position.play(mv);
        self.last = Some((std::mem::replace(&mut self.position, next), mv));
    }

    /// Plays the moves of `texts`, and returns them with passes. People do not write passes: where a pass is the only move and
    /// the text is another move, the pass is played before it. Invisible characters separate moves where
    /// the text is no move, and alone stand for none.
    pub(super) fn play_all(&mut self, texts: &[String]) -> Result<Vec<MoveOf<G>>, RequestError> {
        let mut played = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            if !text.is_empty() && plain_text(text).trim().is_empty() {
                continue;
            }
            let is_one = !text.contains(INVISIBLE) || self.read_legal_move(text).is_ok();
            let parts = if is_one { vec![&**text] } else { text.split(INVISIBLE).collect() };
            for text in parts {
                if let Some(pass) = self.unwritten_pass(text) {
                    self.play(pass);
                    played.push(pass);
                }
                let mv = self.read_move("moves", index, text)?;
                self.play(mv);
                played.push(mv);
            }
        }
        Ok(played)
    }

    /// The pass that must come before the move `text`, if any.
    fn unwritten_pass(&self, text: &str) -> Option<MoveOf<G>> {
        let must_pass =
            G::Position::PROPERTIES.passes && self.state().alert == Some(Alert::MustPass);
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
            let moves = self.moves().into_iter();
            let allowed = moves.map(|mv| G::write_move(&self.position, mv).text).collect();
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
        let is_drawn = match position.outcome() {
            Some(Outcome::Loss) => return self.won(side.other()),
            Some(Outcome::Win) => return self.won(side),
            Some(Outcome::Draw) => true,
            None => position.plies_to_forced_draw() == Some(0),
        };
        if is_drawn {
            GameStatus::Drawn { reason: G::ending(position).reason }
        } else if self.occurrence() >= DRAWING_OCCURRENCE {
            GameStatus::Drawn { reason: "fivefold repetition" }
        } else {
            GameStatus::Ongoing
        }
    }

    fn won(&self, winner: Side) -> GameStatus {
        let Ending { reason, line } = G::ending(&self.position);
        let margin = (G::Position::PROPERTIES.margin_step > 0).then(|| self.position.margin());
        GameStatus::Won { winner: self.side_name(winner), reason, margin, line }
    }

    pub(super) fn side_name(&self, side: Side) -> &'static str {
        self.game.game_info().sides[side as usize]
    }

    /// The draw that the side to move may claim, in a game that goes on.
    fn claim(&self) -> Option<&'static str> {
        if self.position.plies_to_draw() == Some(0) {
            self.game.game_info().move_count_claim
        } else {
            (self.occurrence() >= CLAIMABLE_OCCURRENCE).then_some("threefold-repetition")
        }
    }

    /// The number of times that the position has stood in the game, the present time included.
    fn occurrence(&self) -> usize {
        let Self { position, history, .. } = self;
        if G::Position::PROPERTIES.repeats {
            1 + history.occurrences(position.key(), position.reversible_plies())
        } else {
            1
        }
    }

    /// For each of `moves` the first move that a symmetry of the board turns it into.
    pub(super) fn symmetric_moves(&self, moves: &[MoveOf<G>]) -> Vec<MoveOf<G>> {
        let keys: Vec<_> = moves.iter().map(|&mv| self.position.play(mv).canonical().0).collect();
        let firsts = keys.iter().filter_map(|key| keys.iter().position(|other| other == key));
        firsts.map(|first| moves[first]).collect()
    }

    /// The state of the game.
    pub(super) fn state(&self) -> State {
        let status = self.status();
        // A finished game has no duties to capture or pass, but a mated king is in check.
        let is_ongoing = status == GameStatus::Ongoing;
        let alert = G::alert(&self.position);
        State {
            position: G::write_position(&self.position),
            side_to_move: self.side_name(self.position.side_to_move()),
            alert: alert.filter(|alert| is_ongoing || matches!(alert, Alert::Check(_))),
            claim: if is_ongoing { self.claim() } else { None },
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

/// A position with its texts in plain characters, without the tag pair that may enclose it.
pub(super) fn plain_position(position: &PositionText) -> PositionText {
    match position {
        PositionText::Text(text) => PositionText::Text(position_text(text).into()),
        PositionText::Rows(rows) => PositionText::Rows(plain_rows(rows)),
        PositionText::Board { rows, side_to_move } => PositionText::Board {
            rows: plain_rows(rows),
            side_to_move: plain_text(side_to_move).into(),
        },
    }
}

fn plain_rows(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    rows.iter().map(|row| row.iter().map(|cell| plain_text(cell).into()).collect()).collect()
}

pub(super) fn shown_move<G: Game>(position: &G::Position, mv: MoveOf<G>) -> ShownMove {
    ShownMove { text: G::write_move(position, mv), drawing: G::drawn_move(position, mv) }
}
