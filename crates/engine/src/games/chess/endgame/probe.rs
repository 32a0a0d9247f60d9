//! Exact values from buckets.

use super::super::super::endgame::{DRAW, Plies};
use super::packing::range;
use super::placement::ChessPlacement;
use super::tables::BucketTables;
use crate::game::Score;

/// What is known of a position at a glance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Glance {
    Draw,
    /// The side to move wins in a number of plies between these.
    Win([Plies; 2]),
    /// The side to move loses in a number of plies between these.
    Loss([Plies; 2]),
}

impl BucketTables {
    /// The exact value of a position; none where its tables are missing.
    pub(super) fn value(&self, placement: &ChessPlacement) -> Option<Plies> {
        self.memo.value(placement, || self.found(placement))
    }

    /// A bound of the value of a position that tells whether it reaches `beta`: the value is no less where the bound
    /// reaches it, and no more where it does not. None where only the exact value tells that.
    pub(super) fn bound(&self, placement: &ChessPlacement, beta: Score) -> Option<Score> {
        let glance = self.glance_until(placement, |glance| glance.bounds()[0] >= beta)?;
        let [lower, upper] = glance.bounds();
        if lower >= beta { Some(lower) } else { Some(upper).filter(|&upper| upper < beta) }
    }

    fn found(&self, placement: &ChessPlacement) -> Option<Plies> {
        let (Glance::Win([least, most]) | Glance::Loss([least, most])) = self.glance(placement)?
        else {
            return Some(DRAW);
        };
        for plies in (least..most).step_by(2) {
            if self.ends_within(placement, plies)? {
                return Some(plies);
            }
        }
        Some(most)
    }

    /// What the tables say of a position, or of those after its moves.
    fn glance(&self, placement: &ChessPlacement) -> Option<Glance> {
        self.glance_until(placement, |_| false)
    }

    /// The same; where the slice is left out, the moves end with the first that is enough.
    fn glance_until(
        &self,
        placement: &ChessPlacement,
        is_enough: impl Fn(Glance) -> bool,
    ) -> Option<Glance> {
        if placement.men().next().is_none() {
            return Some(Glance::Draw);
        }
        if !placement.en_passant() && self.has(placement.slice()) {
            let bucket = self.bucket(placement)?;
            return Some(match range(bucket) {
                None => Glance::Draw,
                Some(range) if range[0] % 2 == 0 => Glance::Loss(range),
                Some(range) => Glance::Win(range),
            });
        }
        let after = placement.after();
        if after.is_empty() {
            return Some(if placement.is_check() { Glance::Loss([0, 0]) } else { Glance::Draw });
        }
        let mut best: Option<Glance> = None;
        for next in &after {
            let glance = self.glance(next)?.one_ply_earlier();
            let better = best.map_or(glance, |best| best.or_better(glance));
            if is_enough(better) {
                return Some(better);
            }
            best = Some(better);
        }
        best
    }

    /// Whether a position that is won or lost ends within so many plies.
    fn ends_within(&self, placement: &ChessPlacement, plies: Plies) -> Option<bool> {
        let is_won = match self.glance(placement)? {
            Glance::Draw => return Some(false),
            Glance::Win([_, most]) | Glance::Loss([_, most]) if most <= plies => return Some(true),
            Glance::Win([least, _]) | Glance::Loss([least, _]) if least > plies => {
                return Some(false);
            }
            glance => matches!(glance, Glance::Win(_)),
        };
        let mut after = Vec::new();
        for next in placement.after() {
            match self.glance(&next)? {
                Glance::Loss([_, most]) if is_won && most < plies => return Some(true),
                Glance::Loss([least, _]) if is_won && least < plies => after.push(next),
                Glance::Win([least, _]) if !is_won && least >= plies => return Some(false),
                Glance::Win([_, most]) if !is_won && most >= plies => after.push(next),
                _ => {}
            }
        }
        for next in after {
            if self.ends_within(&next, plies - 1)? == is_won {
                return Some(is_won);
            }
        }
        Some(!is_won)
    }
}

impl Glance {
    /// The least and the greatest value that it allows.
    fn bounds(self) -> [Score; 2] {
        match self {
            Self::Draw => [Score::DRAWN; 2],
            Self::Win([least, most]) => [most, least].map(|plies| Score::won_in(plies.into())),
            Self::Loss([least, most]) => [least, most].map(|plies| Score::lost_in(plies.into())),
        }
    }

    /// What follows for a position from the one after its best move.
    fn one_ply_earlier(self) -> Self {
        match self {
            Self::Draw => Self::Draw,
            Self::Win(range) => Self::Loss(range.map(|plies| plies + 1)),
            Self::Loss(range) => Self::Win(range.map(|plies| plies + 1)),
        }
    }

    /// What follows for a side that may choose between both.
    fn or_better(self, other: Self) -> Self {
        match (self, other) {
            (Self::Win(a), Self::Win(b)) => Self::Win([a[0].min(b[0]), a[1].min(b[1])]),
            (Self::Win(_), _) => self,
            (_, Self::Win(_)) => other,
            (Self::Loss(a), Self::Loss(b)) => Self::Loss([a[0].max(b[0]), a[1].max(b[1])]),
            (Self::Draw, _) | (_, Self::Draw) => Self::Draw,
        }
    }
}
