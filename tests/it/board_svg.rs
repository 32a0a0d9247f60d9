//! `/board.svg`: a picture of every position.

use roxmltree::{Document, Node};

use crate::common::Server;
use bestmove_engine::games::CATALOGUE;

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
    for game in CATALOGUE {
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
    for game in CATALOGUE {
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
    for other in ["&moves=e5", "&theme=dark", "&flip=true", "&coordinates=false"] {
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
    assert_eq!(refused("game=chess&flip=yes", "invalid-request")["field"], "/flip");
    assert_eq!(refused("game=chess&depth=3", "invalid-request")["allowed"][3], "flip");
    assert_eq!(refused("game=chess&moves=e4,e4", "illegal-move")["field"], "/moves");
    refused("game=go", "unknown-game");
    refused("game=tic-tac-toe&position=XXX......", "invalid-position");
}
