//! `/board.svg`: a picture of every position.

use roxmltree::{Document, Node};

use crate::common::Server;
use bestmove_engine::games::catalogue;

/// The elements of a class, each with its place in the picture.
fn places(svg: &str, class: &str) -> Vec<(u32, u32)> {
    let document = Document::parse(svg).expect("it is XML");
    let has_class = |node: &Node| {
        node.attribute("class").is_some_and(|classes| classes.split(' ').any(|it| it == class))
    };
    let number = |node: &Node, names: [&str; 2]| {
        let text = names.iter().find_map(|name| node.attribute(*name));
        text.expect("it has a place").parse().expect("a number")
    };
    let place = |node: Node| (number(&node, ["x", "cx"]), number(&node, ["y", "cy"]));
    document.descendants().filter(has_class).map(place).collect()
}

/// The pieces that are drawn, by their places.
fn pieces(svg: &str) -> Vec<(String, u32, u32)> {
    let document = Document::parse(svg).expect("it is XML");
    let uses = document.descendants().filter(|node| node.has_tag_name("use"));
    let piece = |node: Node| {
        let name = node.attribute("href").expect("it shows a symbol").rsplit('-').next();
        let number = |name| node.attribute(name).expect("a place").parse().expect("a number");
        (name.expect("a name").to_owned(), number("x"), number("y"))
    };
    let mut pieces: Vec<_> = uses.map(piece).collect();
    pieces.sort();
    pieces
}

#[test]
fn every_piece_of_the_board_is_drawn_where_it_stands() {
    let server = Server::start();
    let positions = [
        ("tic-tac-toe", "X...O...."),
        ("connect-four", "44453"),
        ("checkers", "B:WK18,24:B5,K6"),
        ("chess", "r3k2r/pp1qpppp/2n1b3/8/8/2N1B3/PP1QPPPP/R3K2R_w_KQkq_-_0_1"),
    ];
    for (game, position) in positions {
        let query = format!("game={game}&position={position}");
        let asked = format!(r#"{{"game":"{game}","position":"{}"}}"#, position.replace('_', " "));
        let board = server.post("/position", asked).json()["board"].clone();
        let mut expected = Vec::new();
        for (y, row) in (0..).zip(board.as_array().expect("rows")) {
            for (x, cell) in (0..).zip(row.as_array().expect("cells")) {
                let name = cell.as_str().expect("a name").to_owned();
                expected.extend((!name.is_empty()).then_some((name, x * 100, y * 100)));
            }
        }
        expected.sort();
        let answer = server.get(&format!("/board.svg?{query}"));
        assert_eq!(answer.header("content-type"), Some("image/svg+xml"));
        assert_eq!(pieces(&answer.text()), expected, "{game}");
    }
}

#[test]
fn every_game_has_a_picture_in_both_themes_that_refers_to_nothing_outside() {
    let server = Server::start();
    for game in catalogue() {
        let name = game.info().name;
        for theme in ["light", "dark"] {
            let svg = server.get(&format!("/board.svg?game={name}&theme={theme}")).text();
            let document = Document::parse(&svg).expect("it is XML");
            for node in document.descendants() {
                let mut values = node.attributes().map(|attribute| attribute.value());
                assert!(!values.any(|value| value.contains("://")), "{name} refers to a host");
                if let Some(target) = node.attribute("href") {
                    let is_target = |node: Node| node.attribute("id") == target.strip_prefix('#');
                    assert!(document.descendants().any(is_target), "{name}: {target} is missing");
                }
            }
        }
    }
}

#[test]
fn the_last_move_the_winning_line_and_check_are_marked() {
    let server = Server::start();
    let svg = |query: &str| server.get(&format!("/board.svg?{query}")).text();
    let opening = svg("game=chess&moves=e4,e5,Nf3");
    assert_eq!(places(&opening, "last-move"), [(600, 700), (500, 500)]);
    assert!(places(&opening, "check").is_empty());
    let mate = svg("game=chess&moves=f3,e5,g4,Qh4");
    assert_eq!(places(&mate, "check"), [(400, 700)]);
    let won = svg("game=tic-tac-toe&moves=0,3,1,4,2");
    assert_eq!(places(&won, "winning"), [(0, 0), (100, 0), (200, 0)]);
    assert!(won.contains("<title>Tic-tac-toe: X has won, three in a row</title>"), "{won}");
    let dropped = svg("game=connect-four&moves=4,4");
    assert_eq!(places(&dropped, "last-move"), [(350, 450)]);
    let jumped = svg("game=checkers&position=B:W18,25:B14&moves=14x23");
    assert_eq!(places(&jumped, "last-move").len(), 2);
    assert!(!jumped.contains("<polyline"));
    let twice = svg("game=checkers&position=B:W18,26:B14&moves=14x23x30");
    assert!(twice.contains("points=\"250,350 450,550 250,750\""), "{twice}");
}

#[test]
fn a_flipped_board_is_seen_by_the_other_player() {
    let server = Server::start();
    let svg = |query: &str| server.get(&format!("/board.svg?{query}")).text();
    for game in ["chess", "checkers", "tic-tac-toe", "connect-four"] {
        let query = format!("game={game}&moves=");
        let moves = if game == "checkers" { "11-15" } else { "1" };
        let moves = if game == "chess" { "e4" } else { moves };
        let (there, flipped) =
            (svg(&format!("{query}{moves}")), svg(&format!("{query}{moves}&flip=true")));
        let (rows, columns) = match game {
            "tic-tac-toe" => (3, 3),
            "connect-four" => (6, 7),
            _ => (8, 8),
        };
        // A board that stands upright is seen from behind.
        let turned = |(name, x, y)| {
            let y = if game == "connect-four" { y } else { (rows - 1) * 100 - y };
            (name, (columns - 1) * 100 - x, y)
        };
        let mut expected: Vec<_> = pieces(&there).into_iter().map(turned).collect();
        expected.sort();
        assert_eq!(pieces(&flipped), expected, "{game}");
    }
}

#[test]
fn coordinates_are_shown_unless_they_are_turned_off() {
    let server = Server::start();
    let texts = |query: &str| {
        let svg = server.get(&format!("/board.svg?{query}")).text();
        let document = Document::parse(&svg).expect("it is XML");
        let texts = document.descendants().filter(|node| node.has_tag_name("text"));
        texts.filter_map(|node| node.text().map(str::to_owned)).collect::<String>()
    };
    assert_eq!(texts("game=chess"), "abcdefgh87654321");
    assert_eq!(texts("game=connect-four"), "1234567");
    assert_eq!(texts("game=tic-tac-toe"), "012345678");
    assert!(texts("game=checkers").starts_with("1234") && texts("game=checkers").ends_with("32"));
    for game in catalogue() {
        assert_eq!(texts(&format!("game={}&coordinates=false", game.info().name)), "");
    }
}

#[test]
fn caches_may_keep_a_picture_and_ask_whether_it_still_holds() {
    let server = Server::start();
    let target = "/board.svg?game=chess&moves=e4";
    let first = server.get(target);
    assert_eq!(first.header("cache-control"), Some("public, max-age=3600"));
    let tag = first.header("etag").expect("a tag");
    let held = server.send("GET", target, &[("if-none-match", tag)], b"");
    assert_eq!((held.status, held.header("etag"), held.body.len()), (304, Some(tag), 0));
    for other in [
        "&moves=e5",
        "&theme=dark",
        "&flip=1",
        "&coordinates=no",
        "&size=400",
        "&marks=e4",
        "&arrows=e7e5",
    ] {
        assert_ne!(server.get(&format!("{target}{other}")).header("etag"), Some(tag), "{other}");
    }
    let small = server.send("GET", target, &[("accept-encoding", "gzip")], b"");
    assert_eq!(small.header("content-encoding"), Some("gzip"));
    assert!(small.body.len() < first.body.len() / 2);
}

#[test]
fn what_cannot_be_drawn_is_a_problem() {
    let server = Server::start();
    let refused =
        |query: &str, name: &str| server.get(&format!("/board.svg?{query}")).problem(422, name);
    let theme = refused("game=chess&theme=blue", "invalid-request");
    assert_eq!(theme["allowed"], serde_json::json!(["light", "dark"]));
    assert_eq!(refused("game=chess&flip=maybe", "invalid-request")["field"], "/flip");
    for size in ["0", "15", "4097", "wide", "1.5"] {
        let refusal = refused(&format!("game=chess&size={size}"), "invalid-request");
        assert_eq!(refusal["field"], "/size", "{size}");
    }
    assert_eq!(refused("game=chess&depth=3", "invalid-request")["allowed"][4], "flip");
    assert_eq!(refused("game=chess&moves=e4,e4", "illegal-move")["field"], "/moves");
    refused("game=go", "unknown-game");
    // Moves are played from a position that is one.
    refused("game=tic-tac-toe&position=XXX......&moves=3", "invalid-position");
    refused("game=chess&position=8/8/8/8/8/8/8/8&moves=e4", "invalid-position");
    for (game, position, told) in [
        ("chess", "8/8/8/8/8/8/8", "rows: expected 8 but got 7"),
        ("chess", "8/8/8/8/8/8/8/9", "cells in row 8: expected 8 but got 9"),
        ("chess", "8/8/8/2x5/8/8/8/8", "row 4, column 3: expected one of P N"),
        ("chess", "e4", "cells: expected 64 but got"),
        ("tic-tac-toe", "XX", "cells: expected 9 but got 2"),
        ("tic-tac-toe", "XX.....Z.", "row 3, column 2"),
        ("connect-four", "48", "column 8 at ply 2"),
        ("connect-four", "XX", "cells: expected 42 but got 2"),
        ("checkers", "W18,40:B5", "expected a square, 1 to 32, but got '40'"),
        ("checkers", "8/8", "rows: expected 8 but got 2"),
    ] {
        let problem = refused(&format!("game={game}&position={position}"), "invalid-position");
        assert_eq!(problem["field"], "/position");
        let detail = problem["detail"].as_str().expect("it says what is wrong");
        assert!(detail.contains(told), "{position}: {detail}");
    }
}

/// A piece and its place.
type Place = (&'static str, u32, u32);

/// What is drawn, and its pieces.
#[rustfmt::skip]
static DRAWABLE: &[(&str, &str, &[Place])] = &[
    // Nobody is to move.
    ("chess", "8/8/8/8/4k3/8/8/K7", &[("K", 0, 700), ("k", 400, 400)]),
    ("checkers", "W18,K24:B5", &[("W", 600, 500), ("b", 0, 100), ("w", 300, 400)]),
    ("checkers", ":W18:BK5", &[("B", 0, 100), ("w", 300, 400)]),
    ("checkers", "B5:W18", &[("b", 0, 100), ("w", 300, 400)]),
    // No game leads there.
    ("chess", "8/8/8/8/8/8/8/8", &[]),
    ("chess", "8/8/8/8/4K3/8/8/K7_w_-_-_0_1", &[("K", 0, 700), ("K", 400, 400)]),
    ("chess", "P7/8/8/8/8/8/8/7p%20w%20KQ%20e4", &[("P", 0, 0), ("p", 700, 700)]),
    ("checkers", "W:W1:B32:H0:F1", &[("b", 600, 700), ("w", 100, 0)]),
    ("connect-four", "...X.../......./......./......./......./O......", &[("O", 0, 500), ("X", 300, 0)]),
    ("tic-tac-toe", "XXX......", &[("X", 0, 0), ("X", 100, 0), ("X", 200, 0)]),
    ("tic-tac-toe", "OO./.../..O", &[("O", 0, 0), ("O", 100, 0), ("O", 200, 200)]),
    // Rows of cells in games that write positions otherwise.
    ("chess", "......../......../......../......../....k.../......../......../K.......", &[("K", 0, 700), ("k", 400, 400)]),
    ("checkers", ".b6/8/8/8/8/8/8/W7", &[("W", 0, 700), ("b", 100, 0)]),
];

#[test]
fn a_picture_needs_no_side_to_move_and_no_position_that_a_game_could_reach() {
    let server = Server::start();
    for (game, position, expected) in DRAWABLE {
        let answer = server.get(&format!("/board.svg?game={game}&position={position}"));
        assert_eq!(answer.status, 200, "{position}: {}", answer.text());
        let expected: Vec<_> =
            expected.iter().map(|&(name, x, y)| (name.to_owned(), x, y)).collect();
        assert_eq!(pieces(&answer.text()), expected, "{game} {position}");
        let mark = server.get(&format!("/board.svg?game={game}&position={position}&marks=a1"));
        assert_eq!(places(&mark.text(), "ring").len(), 1, "{game} {position}");
    }
}

#[test]
fn a_flag_is_written_as_people_write_it() {
    let server = Server::start();
    let svg = |query: &str| server.get(&format!("/board.svg?game=chess{query}")).text();
    for (set, unset) in [
        ("=true", "=false"),
        ("=1", "=0"),
        ("=yes", "=no"),
        ("=TRUE", "=Off"),
        ("", "=0"),
        ("=", "=0"),
    ] {
        assert_eq!(svg(&format!("&flip{set}")), svg("&flip=true"), "{set}");
        assert_eq!(svg(&format!("&flip{unset}")), svg(""), "{unset}");
        assert_eq!(svg(&format!("&coordinates{unset}")), svg("&coordinates=false"), "{unset}");
        assert_eq!(svg(&format!("&coordinates{set}")), svg(""), "{set}");
    }
}

/// The points of the arrows, each with its colour: those of its shaft but the last one, and its tip.
fn arrows(svg: &str) -> Vec<(String, String)> {
    let document = Document::parse(svg).expect("it is XML");
    let arrows = document.descendants().filter(|node| {
        node.attribute("class").is_some_and(|classes| classes.starts_with("arrow "))
    });
    let arrow = |node: Node| {
        let points = |tag: &str| {
            let part = node.children().find(|child| child.has_tag_name(tag)).expect("a part");
            part.attribute("points").expect("points").to_owned()
        };
        let (shaft, head) = (points("polyline"), points("polygon"));
        let (shaft, _) = shaft.rsplit_once(' ').expect("two points at least");
        let tip = head.split(' ').next().expect("a tip");
        let color = node.attribute("class").and_then(|classes| classes.split(' ').nth(1));
        (color.expect("a colour").to_owned(), format!("{shaft} {tip}"))
    };
    arrows.map(arrow).collect()
}

#[test]
fn arrows_are_moves_or_squares() {
    let server = Server::start();
    for (query, expected) in [
        ("game=chess&arrows=e2e4", "green 450,650 450,450"),
        ("game=chess&arrows=e4", "green 450,650 450,450"),
        ("game=chess&arrows=Nf3:red", "red 650,750 550,550"),
        ("game=chess&arrows=e2-e4", "green 450,650 450,450"),
        ("game=chess&arrows=E2E4", "green 450,650 450,450"),
        // No legal move.
        ("game=chess&arrows=a1h8:blue", "blue 50,750 750,50"),
        ("game=chess&position=8/P7/8/8/8/8/8/8&arrows=a7a8q", "green 50,150 50,50"),
        ("game=chess&flip=1&arrows=e2e4", "green 350,150 350,350"),
        (
            "game=chess&arrows=e2e4,g1f3&arrows=b1c3",
            "green 450,650 450,450,green 650,750 550,550,green 150,750 250,550",
        ),
        // The best move after the moves.
        ("game=chess&moves=e4,e5&arrows=Nf3", "green 650,750 550,550"),
        ("game=checkers&arrows=11-15", "green 550,250 450,350"),
        ("game=checkers&arrows=32x28:yellow", "yellow 650,750 750,650"),
        ("game=checkers&position=B:W18,26:B14&arrows=14x23x30", "green 250,350 450,550 250,750"),
        ("game=tic-tac-toe&arrows=0-8", "green 50,50 250,250"),
        ("game=connect-four&arrows=a1d4", "green 50,550 350,250"),
    ] {
        let answer = server.get(&format!("/board.svg?{query}"));
        assert_eq!(answer.status, 200, "{query}: {}", answer.text());
        let arrows = arrows(&answer.text());
        let arrows: Vec<_> =
            arrows.iter().map(|(color, points)| format!("{color} {points}")).collect();
        assert_eq!(arrows.join(","), expected, "{query}");
    }
}

#[test]
fn marks_are_squares_or_moves_that_touch_one() {
    let server = Server::start();
    for (query, expected) in [
        ("game=chess&marks=e4,d5", &[(450, 450), (350, 350)][..]),
        ("game=chess&marks=a1&flip=1", &[(750, 50)]),
        ("game=chess&arrows=e4,c6", &[(250, 250)]),
        ("game=checkers&marks=1,32", &[(150, 50), (650, 750)]),
        ("game=tic-tac-toe&marks=4&arrows=8", &[(150, 150), (250, 250)]),
        ("game=tic-tac-toe&marks=b2", &[(150, 150)]),
        // Where the disc lands.
        ("game=connect-four&moves=4,4&arrows=4", &[(350, 350)]),
        ("game=connect-four&marks=1,a1,g6", &[(50, 550), (50, 550), (650, 50)]),
        ("game=connect-four&marks=a2&flip=1", &[(650, 450)]),
    ] {
        let answer = server.get(&format!("/board.svg?{query}"));
        assert_eq!(answer.status, 200, "{query}: {}", answer.text());
        assert_eq!(places(&answer.text(), "ring"), expected, "{query}");
    }
}

#[test]
fn what_is_no_arrow_and_no_square_is_refused_with_its_place() {
    let server = Server::start();
    for (query, field, told) in [
        (
            "game=chess&arrows=e2e4,z9",
            "/arrows/1",
            "expected a legal move, such as e2e4, or two squares, such as a1-h8",
        ),
        ("game=chess&arrows=Nf6", "/arrows/0", "'Nf6'"),
        ("game=chess&arrows=e2e9", "/arrows/0", "'e2e9'"),
        ("game=chess&arrows=e2e4qq", "/arrows/0", "'e2e4qq'"),
        ("game=chess&marks=i1", "/marks/0", "expected a square, such as a1 or h8"),
        ("game=chess&arrows=e2e4:pink", "/arrows/0", "there is no colour 'pink'"),
        ("game=checkers&arrows=0-33", "/arrows/0", "such as 11-15, or two squares, such as 1-32"),
        ("game=tic-tac-toe&marks=9", "/marks/0", "such as 0 or 8"),
        ("game=connect-four&marks=8", "/marks/0", "such as a1 or g6"),
        ("game=chess&marks=%C3%A94", "/marks/0", "'\u{e9}4'"),
    ] {
        let problem = server.get(&format!("/board.svg?{query}")).problem(422, "invalid-request");
        assert_eq!(problem["field"], field, "{query}");
        let detail = problem["detail"].as_str().expect("it says what is wrong");
        assert!(detail.contains(told), "{query}: {detail}");
    }
}

#[test]
fn a_picture_has_at_most_64_arrows_and_64_marks_of_100_characters() {
    let server = Server::start();
    let most = |list: &str, item: &str, count| {
        let items = vec![item; count].join(",");
        server.get(&format!("/board.svg?game=chess&{list}={items}"))
    };
    for (list, item) in [("arrows", "e2e4"), ("marks", "e4")] {
        assert_eq!(most(list, item, 64).status, 200, "{list}");
        for count in [65, 12_000] {
            let problem = most(list, item, count).problem(422, "invalid-request");
            assert_eq!(problem["field"], format!("/{list}"));
            let detail = format!("{list}: expected at most 64 but got {count}");
            assert_eq!(problem["detail"], detail);
        }
        let long = most(list, &"a1-b2-".repeat(10_000), 1).problem(422, "invalid-request");
        assert_eq!(long["field"], format!("/{list}/0"));
        let detail = format!("{list}[0]: expected at most 100 characters but got 60000");
        assert_eq!(long["detail"], detail);
    }
    let both = ["arrows=e2e4"; 64].join("&") + "&" + &["marks=e4:red"; 64].join("&");
    assert_eq!(server.get(&format!("/board.svg?game=chess&{both}")).status, 200);
}

#[test]
fn the_size_is_the_width_in_pixels() {
    let server = Server::start();
    for (query, width, height) in [
        ("game=tic-tac-toe", 480, 480),
        ("game=tic-tac-toe&size=16", 16, 16),
        ("game=chess&size=840&coordinates=0", 840, 840),
        ("game=connect-four&size=700", 700, 640),
        ("game=checkers&size=4096", 4096, 4096),
    ] {
        let svg = server.get(&format!("/board.svg?{query}")).text();
        let document = Document::parse(&svg).expect("it is XML");
        let number = |name| document.root_element().attribute(name).and_then(|it| it.parse().ok());
        assert_eq!((number("width"), number("height")), (Some(width), Some(height)), "{query}");
    }
}
