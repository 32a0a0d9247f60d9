//! How many games of a given length there are: published and agreed counts.

use bestmove_engine::game::{Game, Position};
use bestmove_engine::games::checkers::{Checkers, CheckersBoard};

use super::board;
use crate::{data, stride};

/// The sequences of `depth` moves, each route of a capture a move of its own.
fn perft(board: &CheckersBoard, depth: u32) -> u64 {
    let moves = board.legal_moves();
    match depth {
        0 => 1,
        1 => moves.count() as u64,
        _ => moves.map(|mv| perft(&board.play(mv), depth - 1)).sum(),
    }
}

#[test]
fn the_start_has_as_many_games_as_is_known() {
    let counts = [7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931, 3_963_680, 18_391_564];
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(perft(&Checkers.start(), depth), count, "depth {depth}");
    }
}

#[test]
fn rare_captures_are_counted_right() {
    let cases: [(&str, &[u64]); 16] = [
        // Several routes with the same ends that take different pieces.
        ("W:WK5:B3,9,12,17,K18,22,K24,25,K26,27", &[4, 45, 126, 1141, 2948, 24764, 73701]),
        ("W:WK20,K23:B2,K9,K15,17,K18,24,K25,26,K32", &[5, 78, 150, 980, 4084, 30951]),
        ("B:W17,K18,20,25,26,27,29:BK14", &[4, 21, 58, 291, 924, 4679, 12992, 66832]),
        // Several routes that take the same pieces.
        ("W:WK15:B12,18,19,26,27", &[2, 2, 8, 14, 48, 70, 272, 540, 1868, 3092]),
        ("W:WK29,K31:B7,10,K17,18,19,21,K25,K26,27", &[9, 95, 197, 1358, 5290, 34421]),
        ("W:WK10:B7,K9,K11,14,K15,22,K23", &[3, 33, 61, 186, 452, 3415, 7055, 56170]),
        // Captures that end where they began.
        ("B:W9,10,K16,17,18,K26:BK13,K21", &[7, 64, 203, 1622, 7719, 54478]),
        ("W:WK17,K21:B2,3,K14,K15,22,23", &[2, 8, 32, 112, 626, 2324, 11432]),
        // Men crowned by a capture, which ends there.
        ("B:W19,20,26,27,28:B1,2,3,5,8,9,15,K17", &[1, 4, 17, 63, 701, 2668, 25509]),
        ("W:W12,K14,19,21,27,29,30,31:B7,8,13", &[1, 3, 17, 39, 169, 359, 1170, 1960]),
        // Long captures.
        ("B:W18,19,25,27,29,30,32:B1,2,4,5,7,8,9,12,17,20,K31", &[1, 1, 11, 71, 605, 3254]),
        ("W:WK3,5,21,25,26,27,28:B8,12,15,23", &[2, 3, 20, 48, 451, 968, 6535, 17181]),
        // Kings among men, kings alone, no move at all.
        ("B:W14,K15,18,22,29,30:B4,6,20,K24", &[6, 31, 151, 803, 3781, 22769, 107_865]),
        ("W:W25:B4,5,6,8,9,19,K27,K31", &[2, 22, 33, 310, 559, 3570, 3171, 16770]),
        ("B:WK1,K13,K14:BK20,K31", &[4, 32, 192, 1455, 7948, 59484]),
        ("B:W7,11,17,22,24,27,32:B13", &[0]),
    ];
    for (text, counts) in cases {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&board(text), depth), count, "{text} depth {depth}");
        }
    }
}

/// Larger counts take minutes in all, even where all others are tried.
const LARGEST: u64 = 100_000_000;

#[test]
fn every_count_of_the_collection_is_right() {
    for line in data("checkers/perft.txt").lines() {
        let mut fields = line.split(" ;");
        let Some(text) = fields.next().filter(|text| !text.starts_with('#')) else { continue };
        for count in fields.filter_map(|field| field.strip_prefix('D')) {
            let (depth, count) = count.split_once(' ').expect("a depth and a count");
            let depth = depth.parse().expect("a depth");
            let count: u64 = count.parse().expect("a count");
            if count <= LARGEST / stride() as u64 {
                assert_eq!(perft(&board(text), depth), count, "{text} depth {depth}");
            }
        }
    }
}
