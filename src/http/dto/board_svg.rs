//! A position as a picture in SVG, for every game: its cells, its pieces and its last move say what to
//! draw, and its descriptor how the empty board looks.

use serde::Deserialize;

use super::moves::Moves;
use super::position_text::Position;
use super::request::{Dto, board_request};
use crate::http::assets;
use crate::http::problem::Problem;
use crate::service::{Failure, Service};
use bestmove_engine::game::{Alert, Cells, GameInfo, Square, Surface};
use bestmove_engine::games;
use bestmove_engine::games::any::{GameStatus, State};

/// The room for the names of rows or columns. A square has 100 units.
const MARGIN: usize = 40;
/// The width of the picture in pixels, where nobody scales it.
const PIXELS: usize = 480;

/// The names of the themes with their style sheets.
const THEMES: [(&str, &str); 2] = [
    (
        "light",
        ".background,.hole{fill:#f4f5f3}.light,.dark-number{fill:#e9edf0}.dark{fill:#8fa5b5}.board{\
         fill:#2f63ad}.lines{stroke:#8a8174}.last-move{fill:#e9c53f}.route{stroke:#e9c53f}.winning{\
         fill:#4fae5a}.check{fill:#e0402f}.name,.number,.piece{fill:#596068}",
    ),
    (
        "dark",
        ".background,.hole{fill:#14171a}.light,.dark-number{fill:#b5c0c9}.dark{fill:#5d7383}.board{\
         fill:#27518d}.lines{stroke:#6d7480}.last-move{fill:#d6b13a}.route{stroke:#d6b13a}.winning{\
         fill:#58b765}.check{fill:#ea4b3a}.name,.number,.piece{fill:#b4bac6}",
    ),
];

/// What both themes share.
const STYLE: &str = "text{font-family:sans-serif}.name{font-size:26px;text-anchor:middle}.piece{\
                     font-size:76px;text-anchor:middle}.number,.dark-number{font-size:19px}.lines{\
                     stroke-width:5;stroke-linecap:round}.route{fill:none;stroke-width:8}rect.mark{\
                     fill-opacity:.6}circle.last-move{fill:#fff}circle.winning{fill:#9cf0a5}";

/// The query of `GET /board.svg`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(in crate::http) struct BoardSvgRequest {
    game: Option<String>,
    position: Option<Position>,
    moves: Option<Moves>,
    flip: Option<bool>,
    theme: Option<String>,
    coordinates: Option<bool>,
}

impl Dto for BoardSvgRequest {
    type Typed = Picture;

    fn typed(self, _: &Service) -> Result<Picture, Problem> {
        let name = self.theme.as_deref().unwrap_or("light");
        let theme = THEMES.iter().find(|(known, _)| *known == name).ok_or_else(|| {
            Problem::field("theme", format_args!("there is none called '{name}'"))
                .allowing(THEMES.map(|(known, _)| known))
        })?;
        let request = board_request(self.game, self.position, self.moves)?;
        let board = request.board()?;
        let game = games::find(&request.game).ok_or(Failure::UnknownGame(request.game))?;
        Ok(Picture {
            info: game.info(),
            state: board.state(),
            cells: board.cells(),
            path: board.last_move().map(|last| last.drawing.path).unwrap_or_default(),
            text: board.drawing(),
            flip: self.flip.unwrap_or(false),
            coordinates: self.coordinates.unwrap_or(true),
            theme: theme.1,
        })
    }
}

/// A position, ready to be drawn.
pub(in crate::http) struct Picture {
    info: &'static GameInfo,
    state: State,
    cells: Cells,
    /// The squares that the last move touched.
    path: Vec<Square>,
    /// The board in characters.
    pub(in crate::http) text: String,
    flip: bool,
    coordinates: bool,
    theme: &'static str,
}

impl Picture {
    /// The picture as SVG.
    pub(in crate::http) fn svg(&self) -> String {
        let has_names = |names: &[&str]| self.coordinates && !names.is_empty();
        let left = if has_names(self.info.board.rows) { MARGIN } else { 0 };
        let below = if has_names(self.info.board.columns) { MARGIN } else { 0 };
        let (width, height) = (left + self.columns() * 100, self.rows() * 100 + below);
        let (pixels, theme, title) = (PIXELS * height / width, self.theme, self.title());
        let coordinates =
            if self.coordinates { self.names() + &self.numbers() } else { String::new() };
        let (symbols, surface, marks) = (self.symbols(), self.surface(), self.marks());
        let (holes, pieces, route) = (self.holes(), self.pieces(), self.route());
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-{left} 0 {width} {height}" width="{PIXELS}" height="{pixels}" role="img">
<title>{title}</title>
<style>{STYLE}{theme}</style>
<defs>{symbols}</defs>
<rect class="background" x="-{left}" width="{width}" height="{height}"/>
{surface}{marks}{holes}{coordinates}{pieces}{route}</svg>
"#
        )
    }

    fn rows(&self) -> usize {
        self.cells.len()
    }

    fn columns(&self) -> usize {
        self.cells.first().map_or(0, Vec::len)
    }

    /// All squares, row by row from the top of the board that is not flipped.
    fn squares(&self) -> impl Iterator<Item = (usize, usize)> {
        let columns = self.columns();
        (0..self.rows()).flat_map(move |row| (0..columns).map(move |column| (row, column)))
    }

    /// The top left corner of a square in the picture.
    fn corner(&self, row: usize, column: usize) -> (usize, usize) {
        let turns = self.flip && self.info.board.surface != Surface::Holes;
        let y = if turns { self.rows() - 1 - row } else { row };
        let x = if self.flip { self.columns() - 1 - column } else { column };
        (x * 100, y * 100)
    }

    fn center(&self, row: usize, column: usize) -> (usize, usize) {
        let (x, y) = self.corner(row, column);
        (x + 50, y + 50)
    }

    fn title(&self) -> String {
        let title = self.info.title;
        match &self.state.status {
            GameStatus::Ongoing => format!("{title}: {} to move", self.state.side_to_move),
            GameStatus::Won { winner, reason, .. } => {
                format!("{title}: {winner} has won, {reason}")
            }
            GameStatus::Drawn { reason } => format!("{title}: drawn, {reason}"),
        }
    }

    /// The drawings of the pieces on the board.
    fn symbols(&self) -> String {
        let is_there = |name| self.cells.iter().flatten().any(|&cell| cell == name);
        let pieces = self.info.pieces.iter().filter(|piece| is_there(piece.name));
        pieces.filter_map(|piece| symbol(self.info.name, piece.name)).collect()
    }

    /// The empty board, without its holes.
    fn surface(&self) -> String {
        let (width, height) = (self.columns() * 100, self.rows() * 100);
        match self.info.board.surface {
            Surface::Checkered => {
                let dark = self.squares().filter(|(row, column)| (row + column) % 2 == 1);
                let dark = dark.map(|(row, column)| self.corner(row, column));
                let dark = dark.map(|(x, y)| format!("M{x} {y}h100v100h-100z"));
                let dark = dark.collect::<Vec<_>>().concat();
                format!(
                    "<rect class=\"light\" width=\"{width}\" height=\"{height}\"/>\n\
                     <path class=\"dark\" d=\"{dark}\"/>\n"
                )
            }
            Surface::Lines => {
                let vertical = (1..self.columns()).map(|x| format!("M{x}00 6V{}", height - 6));
                let horizontal = (1..self.rows()).map(|y| format!("M6 {y}00H{}", width - 6));
                let lines: String = vertical.chain(horizontal).collect();
                format!("<path class=\"lines\" d=\"{lines}\"/>\n")
            }
            Surface::Holes => {
                format!("<rect class=\"board\" width=\"{width}\" height=\"{height}\" rx=\"20\"/>\n")
            }
        }
    }

    fn holes(&self) -> String {
        if self.info.board.surface != Surface::Holes {
            return String::new();
        }
        let centers = self.squares().map(|(row, column)| self.center(row, column));
        let hole = |(x, y)| format!("<circle class=\"hole\" cx=\"{x}\" cy=\"{y}\" r=\"44\"/>\n");
        centers.map(hole).collect()
    }

    /// The last move, the winning line and the king in check.
    fn marks(&self) -> String {
        let last_move = self.path.iter().map(|&square| ("last-move", square));
        let winning = match &self.state.status {
            GameStatus::Won { line, .. } => &line[..],
            GameStatus::Ongoing | GameStatus::Drawn { .. } => &[],
        };
        let winning = winning.iter().map(|&square| ("winning", square));
        let check = match self.state.alert {
            Some(Alert::Check(king)) => Some(("check", king)),
            Some(Alert::MustCapture) | None => None,
        };
        let marks = last_move.chain(winning).chain(check);
        marks.map(|(class, square)| self.mark(class, square)).collect()
    }

    fn mark(&self, class: &str, Square { row, column }: Square) -> String {
        let (row, column) = (usize::from(row), usize::from(column));
        if self.info.board.surface == Surface::Holes {
            let (x, y) = self.center(row, column);
            return format!("<circle class=\"mark {class}\" cx=\"{x}\" cy=\"{y}\" r=\"50\"/>\n");
        }
        let (x, y) = self.corner(row, column);
        format!("<rect class=\"mark {class}\" x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100\"/>\n")
    }

    /// The names of columns and rows.
    fn names(&self) -> String {
        let text = |x: String, y, name| {
            format!("<text class=\"name\" x=\"{x}\" y=\"{y}\">{name}</text>\n")
        };
        let columns = self.info.board.columns.iter().enumerate().map(|(column, name)| {
            text(self.center(0, column).0.to_string(), self.rows() * 100 + 29, name)
        });
        let rows = self.info.board.rows.iter().enumerate();
        let rows = rows.map(|(row, name)| text("-20".into(), self.center(row, 0).1 + 9, name));
        columns.chain(rows).collect()
    }

    /// The numbers of the squares.
    fn numbers(&self) -> String {
        let Some(first) = self.info.board.first_number else { return String::new() };
        let is_checkered = self.info.board.surface == Surface::Checkered;
        let class = if is_checkered { "dark-number" } else { "number" };
        let is_numbered = |&(row, column): &_| !is_checkered || (row + column) % 2 == 1;
        let numbered = (usize::from(first)..).zip(self.squares().filter(is_numbered));
        let texts = numbered.map(|(number, (row, column))| {
            let (x, y) = self.corner(row, column);
            let (x, y) = (x + 5, y + 20);
            format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{number}</text>\n")
        });
        texts.collect()
    }

    fn pieces(&self) -> String {
        let cells = self.squares().map(|(row, column)| (row, column, self.cells[row][column]));
        cells.map(|(row, column, name)| self.piece(row, column, name)).collect()
    }

    /// A piece, by its symbol in characters where it has no drawing; an empty cell is nothing.
    fn piece(&self, row: usize, column: usize, name: &str) -> String {
        let piece = self.info.pieces.iter().find(|piece| piece.name == name);
        let Some(piece) = piece else { return String::new() };
        let (game, (x, y)) = (self.info.name, self.corner(row, column));
        if symbol(game, name).is_some() {
            return format!(
                "<use href=\"#{game}-{name}\" x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100\"/>\n"
            );
        }
        let (x, y, symbol) = (x + 50, y + 76, piece.symbol);
        format!("<text class=\"piece\" x=\"{x}\" y=\"{y}\">{symbol}</text>\n")
    }

    /// The way of a piece that landed more than once.
    fn route(&self) -> String {
        if self.path.len() < 3 {
            return String::new();
        }
        let centers = self.path.iter().map(|at| self.center(at.row.into(), at.column.into()));
        let points: Vec<_> = centers.map(|(x, y)| format!("{x},{y}")).collect();
        format!("<polyline class=\"route\" points=\"{}\"/>\n", points.join(" "))
    }
}

/// The drawing of a piece: its element among those that the playground shows too (a `symbol` of 100 by 100 units
/// each), if it has one.
fn symbol(game: &str, piece: &str) -> Option<&'static str> {
    const END: &str = "</symbol>";
    let pieces = assets::text("/web/pieces.svg")?;
    let start = pieces.find(&format!("<symbol id=\"{game}-{piece}\""))?;
    let length = pieces[start..].find(END)? + END.len();
    Some(&pieces[start..start + length])
}
