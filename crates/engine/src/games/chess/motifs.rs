//! The motifs of a chess move, found on the board after the move. A search confirms their claims.

use bestmove_endgames::chess::attacked;
use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_between_rays, get_bishop_rays,
    get_king_moves, get_rook_rays,
};

use super::drawing;
use super::notation::landing;
use super::position::en_passant;
use super::tactics::in_front;
use crate::game::{Claim, Motif, NextCapture};

/// Pawns, knights, bishops, rooks, queens and kings, as targets.
const VALUES: [i32; Piece::NUM] = [1, 3, 3, 5, 9, 100];

fn value(board: &Board, square: Square) -> i32 {
    board.piece_on(square).map_or(0, |piece| VALUES[piece as usize])
}

/// The pieces of `color` that attack a square.
fn attackers(board: &Board, square: Square, color: Color) -> BitBoard {
    let occupied = board.occupied();
    let all = Piece::ALL.into_iter().fold(BitBoard::EMPTY, |all, piece| {
        all | attacked(!color, piece, square, occupied) & board.pieces(piece)
    });
    all & board.colors(color)
}

/// Whether pieces of `color` attack a square that no piece of the other side defends.
fn is_open(board: &Board, square: Square, color: Color) -> bool {
    !attackers(board, square, color).is_empty() && attackers(board, square, !color).is_empty()
}

/// Whether `color` can take the piece on a square by a lesser piece, or by any piece for nothing.
fn is_in_danger(board: &Board, square: Square, color: Color) -> bool {
    let mut attackers = attackers(board, square, color).into_iter();
    attackers.any(|from| value(board, from) < value(board, square)) || is_open(board, square, color)
}

/// The bishops, rooks and queens of `color` whose lines pass over a square, if nothing stands between.
fn line_pieces(board: &Board, square: Square, color: Color) -> BitBoard {
    let [bishops, rooks, queens] =
        [Piece::Bishop, Piece::Rook, Piece::Queen].map(|piece| board.pieces(piece));
    let diagonal = get_bishop_rays(square) & (bishops | queens);
    let straight = get_rook_rays(square) & (rooks | queens);
    (diagonal | straight) & board.colors(color)
}

/// A move with the boards and squares that the detectors of motifs use.
struct PlayedMove<'a> {
    before: &'a Board,
    after: Board,
    mv: Move,
    /// The square of the piece after the move.
    to: Square,
    piece: Piece,
    us: Color,
    theirs: BitBoard,
    motifs: Vec<Motif>,
}

/// The motifs of a legal move, the most important first.
pub(super) fn motifs(before: &Board, mv: Move) -> Vec<Motif> {
    let mut after = before.clone();
    after.play_unchecked(mv);
    let (us, to) = (before.side_to_move(), landing(before, mv));
    let Some(piece) = after.piece_on(to) else { return Vec::new() };
    let theirs = after.colors(!us);
    let mut played = PlayedMove { before, after, mv, to, piece, us, theirs, motifs: Vec::new() };
    played.checks();
    played.fork();
    played.discovered();
    played.on_lines();
    played.pinned();
    played.deflection();
    played.trapped();
    played.captures();
    played.pawns();
    played.motifs
}

impl PlayedMove<'_> {
    fn add(&mut self, kind: &'static str, squares: &[Square], claim: impl Into<Claim>) {
        let squares = squares.iter().map(|&square| drawing::square(square)).collect();
        self.motifs.push(Motif { kind, squares, claim: claim.into() });
    }

    /// The capture of one of `squares`, by the piece on `by`.
    fn capture(squares: &[Square], by: Option<Square>) -> NextCapture {
        NextCapture {
            on: squares.iter().map(|&square| drawing::square(square)).collect(),
            by: by.map(drawing::square),
            ..NextCapture::default()
        }
    }

    /// The capture of `square` by the piece on `by`, right after one of `replies`.
    fn capture_after(replies: &[Move], square: Square, by: Option<Square>) -> NextCapture {
        let replies = replies.iter().map(|mv| [mv.from, mv.to].map(drawing::square));
        NextCapture { replies: replies.collect(), ..Self::capture(&[square], by) }
    }

    /// The capture of the piece on one of `squares`, wherever it goes, by the piece on `by`.
    fn capture_of(squares: &[Square], by: Option<Square>) -> NextCapture {
        NextCapture { follows: true, ..Self::capture(squares, by) }
    }

    /// The replies of the pieces on some squares.
    fn replies(&self, from: BitBoard) -> Vec<Move> {
        let mut replies = Vec::new();
        self.after.generate_moves_for(from, |moves| {
            replies.extend(moves);
            false
        });
        replies
    }

    /// Whether a piece of the other side is worth more than the one that moved, or can be taken for nothing and can't
    /// take it.
    fn is_target(&self, square: Square) -> bool {
        let is_free = attackers(&self.after, square, !self.us).is_empty()
            && !attackers(&self.after, self.to, !self.us).has(square);
        value(&self.after, square) > VALUES[self.piece as usize] || is_free
    }

    /// The pieces of the other side but its king and pawns.
    fn their_pieces(&self) -> BitBoard {
        self.theirs - self.after.pieces(Piece::Pawn) - self.after.pieces(Piece::King)
    }

    /// The pieces that the piece that moved attacks.
    fn attacked(&self) -> BitBoard {
        attacked(self.us, self.piece, self.to, self.after.occupied()) & self.theirs
    }

    fn checks(&mut self) {
        let checkers: Vec<_> = self.after.checkers().into_iter().collect();
        if checkers.len() > 1 {
            self.add("double-check", &checkers, Claim::Shown);
        } else if let [checker] = checkers[..]
            && checker != self.to
        {
            self.add("discovered-check", &[checker], Claim::Shown);
        }
        let has_moves = self.after.generate_moves(|_| true);
        if has_moves {
            return;
        }
        let king = self.after.king(!self.us);
        let is_home = king.rank() == Rank::First.relative_to(!self.us);
        if checkers.is_empty() {
            self.add("stalemate", &[], Claim::Shown);
        }
        let in_front = get_king_moves(king) & Rank::Second.relative_to(!self.us).bitboard();
        let is_hemmed_in = in_front.is_subset(self.theirs)
            && in_front
                .into_iter()
                .all(|square| attackers(&self.after, square, self.us).is_empty());
        let checker = checkers.iter().find(|checker| checker.rank() == king.rank());
        if let Some(&checker) = checker.filter(|_| is_home && is_hemmed_in) {
            self.add("back-rank", &[checker, king], Claim::Shown);
        }
    }

    fn fork(&mut self) {
        if self.piece == Piece::King || is_in_danger(&self.after, self.to, !self.us) {
            return;
        }
        let attacked = self.attacked() - self.after.pieces(Piece::Pawn);
        let targets: Vec<_> =
            attacked.into_iter().filter(|&square| self.is_target(square)).collect();
        if targets.len() > 1 {
            let squares = [&[self.to], &targets[..]].concat();
            self.add("fork", &squares, Self::capture_of(&targets, Some(self.to)));
        }
    }

    /// Lines that the move opens.
    fn discovered(&mut self) {
        let occupied = self.after.occupied();
        for from in line_pieces(&self.after, self.mv.from, self.us) - self.to.bitboard() {
            let Some(piece) = self.after.piece_on(from) else { continue };
            let now = attacked(self.us, piece, from, occupied) & self.their_pieces();
            let before = attacked(self.us, piece, from, self.before.occupied());
            let targets: Vec<_> = (now - before).into_iter().collect();
            if !targets.is_empty() {
                let squares = [&[from], &targets[..]].concat();
                self.add("discovered-attack", &squares, Self::capture(&targets, Some(from)));
            }
        }
    }

    /// Pins and skewers by the piece that moved.
    fn on_lines(&mut self) {
        let occupied = self.after.occupied();
        if !matches!(self.piece, Piece::Bishop | Piece::Rook | Piece::Queen) {
            return;
        }
        let is_in_danger = is_in_danger(&self.after, self.to, !self.us);
        let fronts = self.attacked();
        for front in fronts {
            let through = attacked(self.us, self.piece, self.to, occupied - front.bitboard());
            let mut uncovered = ((through - fronts) & self.theirs).into_iter();
            let behind = uncovered.find(|&behind| get_between_rays(self.to, behind).has(front));
            let Some(behind) = behind else { continue };
            let (front_value, behind_value) =
                (value(&self.after, front), value(&self.after, behind));
            let squares = [self.to, front, behind];
            if behind_value > front_value && behind_value > VALUES[self.piece as usize] {
                self.add("pin", &squares, Self::capture_of(&[front], None));
            } else if front_value > behind_value && behind_value > 1 && !is_in_danger {
                let replies = self.replies(front.bitboard());
                self.add("skewer", &squares, Self::capture_after(&replies, behind, Some(self.to)));
            }
        }
    }

    /// Pieces pinned against the king that the move attacks, or that can't take or block because of the pin.
    fn pinned(&mut self) {
        let (king, occupied) = (self.after.king(!self.us), self.after.occupied());
        let mut checkers = self.after.checkers().into_iter();
        let checker = checkers.next().filter(|_| checkers.next().is_none());
        for square in self.after.pinned() & self.theirs {
            let Some(piece) = self.after.piece_on(square) else { continue };
            let holds =
                |&from: &Square| get_between_rays(from, king) & occupied == square.bitboard();
            let pinner = line_pieces(&self.after, king, self.us).into_iter().find(holds);
            let Some(pinner) = pinner else { continue };
            let line = get_between_rays(pinner, king) | pinner.bitboard();
            let reach = attacked(!self.us, piece, square, occupied) - line;
            let stopped = if let Some(checker) = checker {
                let between = get_between_rays(checker, king) & reach;
                let can_stop = reach.has(checker) || piece != Piece::Pawn && !between.is_empty();
                Some(checker).filter(|_| can_stop)
            } else {
                // A pin that the move makes saves every piece that the pinned one attacks.
                let own = self.after.colors(self.us);
                let saved = if pinner == self.to { own } else { self.to.bitboard() };
                let worth = VALUES[piece as usize];
                (reach & saved).into_iter().find(|&it| self.is_prey(it, worth))
            };
            if let Some(stopped) = stopped {
                self.add("pinned-defender", &[stopped, square, pinner], Claim::Gains);
            }
            if self.attacked().has(square) && pinner != self.to {
                self.add("pin", &[pinner, square, king], Self::capture_of(&[square], None));
            }
        }
    }

    /// Whether the side's piece on a square is worth more than an attacker, or is not defended.
    fn is_prey(&self, square: Square, attacker: i32) -> bool {
        value(&self.after, square) > attacker || attackers(&self.after, square, self.us).is_empty()
    }

    /// Deflections: replies that take the piece that moved, or answer its check, by a piece that was the only defender of
    /// another one.
    fn deflection(&mut self) {
        let is_check = !self.after.checkers().is_empty();
        let is_offer = value(self.before, self.to) < VALUES[self.piece as usize];
        if !is_check && !is_offer {
            return;
        }
        let mut found: Vec<([Square; 2], Vec<Move>)> = Vec::new();
        for reply in self.replies(self.theirs).into_iter().filter(|mv| is_check || mv.to == self.to)
        {
            let Some(piece) = self.after.piece_on(reply.from) else { continue };
            let guarded = attacked(!self.us, piece, reply.from, self.after.occupied());
            let mut moved = self.after.clone();
            moved.play_unchecked(reply);
            for target in (guarded & self.theirs) - self.after.pieces(Piece::King) {
                let squares = [reply.from, target];
                match found.iter_mut().find(|(known, _)| *known == squares) {
                    _ if !is_open(&moved, target, self.us) => {}
                    Some((_, replies)) => replies.push(reply),
                    None => found.push((squares, vec![reply])),
                }
            }
        }
        for (squares, replies) in found {
            self.add("deflection", &squares, Self::capture_after(&replies, squares[1], None));
        }
    }

    /// Trapped pieces: they are attacked, and on every square a lesser piece, or any piece for nothing, can take them.
    fn trapped(&mut self) {
        if !self.after.checkers().is_empty() {
            return;
        }
        for square in self.their_pieces() - self.after.pinned() {
            let mut replies = self.replies(square.bitboard()).into_iter();
            if is_in_danger(&self.after, square, self.us) && !replies.any(|mv| self.is_escape(mv)) {
                self.add("trapped-piece", &[square], Self::capture_of(&[square], None));
            }
        }
    }

    /// Whether a reply takes a piece of the same worth, or brings its piece out of danger.
    fn is_escape(&self, reply: Move) -> bool {
        let mut moved = self.after.clone();
        moved.play_unchecked(reply);
        value(&self.after, reply.to) >= value(&self.after, reply.from)
            || !is_in_danger(&moved, reply.to, self.us)
    }

    fn captures(&mut self) {
        let taken = self.before.colors(!self.us).has(self.to);
        if !taken || self.before.piece_on(self.to) == Some(Piece::Pawn) {
            return;
        }
        if attackers(&self.after, self.to, !self.us).is_empty() {
            self.add("hanging-piece", &[self.to], Claim::Takes);
        }
        // The captured piece may have been the only defender of another one.
        let Some(victim) = self.before.piece_on(self.to) else { return };
        let defended = attacked(!self.us, victim, self.to, self.before.occupied());
        for square in defended & self.their_pieces() {
            if is_open(&self.after, square, self.us) {
                self.add("removed-defender", &[square], Self::capture(&[square], None));
            }
        }
    }

    fn pawns(&mut self) {
        let is_pawn = self.before.piece_on(self.mv.from) == Some(Piece::Pawn);
        if !is_pawn {
            return;
        }
        if self.mv.promotion.is_some() {
            self.add("promotion", &[self.to], Claim::Shown);
        } else if en_passant(self.before) == Some(self.to) && self.mv.from.file() != self.to.file()
        {
            self.add("en-passant", &[self.to], Claim::Shown);
        }
        let is_near = self.to.rank() == Rank::Sixth.relative_to(self.us)
            || self.to.rank() == Rank::Seventh.relative_to(self.us);
        if is_near && self.mv.promotion.is_none() && self.is_passed() {
            self.add("passed-pawn", &[self.to], Claim::Holds);
        }
    }

    /// Whether no pawn of the other side stands before the pawn that moved, on its file or the next ones.
    fn is_passed(&self) -> bool {
        let pawns = self.after.colored_pieces(!self.us, Piece::Pawn);
        !in_front(pawns, !self.us).has(self.to)
    }
}
