//! A position as a picture in SVG, for every game: cells, pieces and the last move on the board that the descriptor of the
//! game describes.

mod annotations;
mod drawn;
mod geometry;

use self::annotations::{Annotation, Reader};
use self::drawn::Drawn;
use self::geometry::BoardGeometry;
use crate::request::BOARD;
use crate::{Context, Fields, Prepare, Problem};
use bestmove_engine::game::{GameInfo, Square, Surface, excerpt};

/// The room for the names of rows or columns. A square has 100 units.
const MARGIN: usize = 40;
/// The width of the picture in pixels where the request has none.
const PIXELS: u64 = 480;

/// The drawings of pieces, which the playground shows too.
const PIECES: &str = include_str!("../../../../web/pieces.svg");

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

/// The style of both themes.
const STYLE: &str = "text{font-family:sans-serif}.name{font-size:26px;text-anchor:middle}.piece{\
                     font-size:76px;text-anchor:middle}.number,.dark-number{font-size:19px}.lines{\
                     stroke-width:5;stroke-linecap:round}.route{fill:none;stroke-width:8}rect.mark{\
                     fill-opacity:.6}circle.last-move{fill:#fff}circle.winning{fill:#9cf0a5}";

/// The request of `/board.svg`.
pub enum BoardSvgRequest {}

impl Prepare for BoardSvgRequest {
    const FIELDS: &'static [&'static [&'static str]] =
        &[BOARD, &["flip", "theme", "coordinates", "arrows", "marks", "size"]];
    type Prepared = Picture;

    fn prepare(mut fields: Fields, _: &Context) -> Result<Picture, Problem> {
        let name = fields.theme.as_ref().map_or("light", AsRef::as_ref);
        let theme = THEMES.iter().find(|(known, _)| *known == name).ok_or_else(|| {
            Problem::field("theme", format_args!("there is none called '{}'", excerpt(name)))
                .allowing(THEMES.map(|(known, _)| known))
        })?;
        let [arrows, marks] = fields.annotations()?;
        let is_flipped = fields.flip.is_some_and(|flag| flag.0);
        let coordinates = fields.coordinates.is_none_or(|flag| flag.0);
        let pixels = fields.size.map_or(PIXELS, u64::from);
        let (info, drawn) = Drawn::read(&fields.board()?)?;
        let geometry = BoardGeometry {
            rows: drawn.cells.len(),
            columns: drawn.cells.first().map_or(0, Vec::len),
            turns_columns: is_flipped,
            turns_rows: is_flipped && info.board.surface != Surface::Holes,
        };
        let reader = Reader { info, geometry: &geometry, board: drawn.board.as_deref() };
        let annotations = [reader.marks(&marks)?, reader.arrows(&arrows)?];
        Ok(Picture {
            info,
            drawn,
            annotations: annotations.into_iter().flatten().collect(),
            geometry,
            coordinates,
            theme: theme.1,
            pixels,
        })
    }
}

/// A position, ready to be drawn.
pub struct Picture {
    info: &'static GameInfo,
    drawn: Drawn,
    annotations: Vec<Annotation>,
    geometry: BoardGeometry,
    coordinates: bool,
    theme: &'static str,
    pixels: u64,
}

impl Picture {
    /// The board in characters.
    pub fn text(&self) -> String {
        self.drawn.text()
    }

    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let left = self.margin(self.info.board.rows);
        let below = self.margin(self.info.board.columns);
        let BoardGeometry { rows, columns, .. } = self.geometry;
        let (width, height) = (left + columns * 100, rows * 100 + below);
        let (pixels, theme, title) = (self.pixels, self.theme, self.drawn.title(self.info));
        let pixels_high = pixels * height as u64 / width as u64;
        let coordinates =
            if self.coordinates { self.names() + &self.numbers() } else { String::new() };
        let (symbols, surface, marks) = (self.symbols(), self.surface(), self.marks());
        let (holes, pieces, route) = (self.holes(), self.pieces(), self.route());
        let annotations = self.annotations.iter().map(|annotation| annotation.svg(&self.geometry));
        let annotations: String = annotations.collect();
        let annotation_style = if annotations.is_empty() { "" } else { annotations::STYLE };
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-{left} 0 {width} {height}" width="{pixels}" height="{pixels_high}" role="img">
<title>{title}</title>
<style>{STYLE}{theme}{annotation_style}</style>
<defs>{symbols}</defs>
<rect class="background" x="-{left}" width="{width}" height="{height}"/>
{surface}{marks}{holes}{coordinates}{pieces}{route}{annotations}</svg>
"#
        )
    }

    /// The width of the margin for the names of rows or of columns.
    fn margin(&self, names: &[&str]) -> usize {
        if self.coordinates && !names.is_empty() { MARGIN } else { 0 }
    }

    /// The drawings of the pieces on the board.
    fn symbols(&self) -> String {
        let pieces = self.info.pieces.iter();
        let on_board = pieces
            .filter(|piece| self.drawn.cells.iter().flatten().any(|&cell| cell == piece.name));
        on_board.filter_map(|piece| symbol(self.info.name, piece.name)).collect()
    }

    /// The empty board, without its holes.
    fn surface(&self) -> String {
        let (width, height) = (self.geometry.columns * 100, self.geometry.rows * 100);
        match self.info.board.surface {
            Surface::Checkered => {
                let dark = self.geometry.squares().filter(|(row, column)| (row + column) % 2 == 1);
                let dark = dark.map(|(row, column)| self.geometry.corner(row, column));
                let dark = dark.map(|(x, y)| format!("M{x} {y}h100v100h-100z"));
                let dark = dark.collect::<Vec<_>>().concat();
                format!(
                    "<rect class=\"light\" width=\"{width}\" height=\"{height}\"/>\n\
                     <path class=\"dark\" d=\"{dark}\"/>\n"
                )
            }
            Surface::Lines | Surface::Felt => {
                let vertical =
                    (1..self.geometry.columns).map(|x| format!("M{x}00 6V{}", height - 6));
                let horizontal = (1..self.geometry.rows).map(|y| format!("M6 {y}00H{}", width - 6));
                let lines: String = vertical.chain(horizontal).collect();
                let lines = format!("<path class=\"lines\" d=\"{lines}\"/>\n");
                if self.info.board.surface == Surface::Lines {
                    return lines;
                }
                let felt =
                    format!("<rect fill=\"#3c8a5c\" width=\"{width}\" height=\"{height}\"/>\n");
                felt + &lines.replace("class=\"lines\"", "stroke=\"#235339\" stroke-width=\"4\"")
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
        let holes = self.geometry.squares().map(|(row, column)| {
            let (x, y) = self.geometry.center(row, column);
            format!("<circle class=\"hole\" cx=\"{x}\" cy=\"{y}\" r=\"44\"/>\n")
        });
        holes.collect()
    }

    /// The last move, the winning line and the king in check.
    fn marks(&self) -> String {
        let last_move = self.drawn.path().into_iter().map(|square| ("last-move", square));
        let winning = self.drawn.winning().iter().map(|&square| ("winning", square));
        let check = self.drawn.checked().map(|king| ("check", king));
        let marks = last_move.chain(winning).chain(check);
        marks.map(|(class, square)| self.mark(class, square)).collect()
    }

    fn mark(&self, class: &str, Square { row, column }: Square) -> String {
        let (row, column) = (usize::from(row), usize::from(column));
        if self.info.board.surface == Surface::Holes {
            let (x, y) = self.geometry.center(row, column);
            return format!("<circle class=\"mark {class}\" cx=\"{x}\" cy=\"{y}\" r=\"50\"/>\n");
        }
        let (x, y) = self.geometry.corner(row, column);
        format!("<rect class=\"mark {class}\" x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100\"/>\n")
    }

    /// The names of columns and rows.
    fn names(&self) -> String {
        let y = self.geometry.rows * 100 + 29;
        let columns = self.info.board.columns.iter().enumerate().map(|(column, name)| {
            let x = self.geometry.center(0, column).0;
            format!("<text class=\"name\" x=\"{x}\" y=\"{y}\">{name}</text>\n")
        });
        let rows = self.info.board.rows.iter().enumerate().map(|(row, name)| {
            let y = self.geometry.center(row, 0).1 + 9;
            format!("<text class=\"name\" x=\"-20\" y=\"{y}\">{name}</text>\n")
        });
        columns.chain(rows).collect()
    }

    /// The numbers of the squares.
    fn numbers(&self) -> String {
        let is_checkered = self.info.board.surface == Surface::Checkered;
        let class = if is_checkered { "dark-number" } else { "number" };
        let numbered = self.geometry.numbered(self.info);
        let texts = numbered.map(|(number, (row, column))| {
            let (x, y) = self.geometry.corner(row, column);
            let (x, y) = (x + 5, y + 20);
            format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{number}</text>\n")
        });
        texts.collect()
    }

    fn pieces(&self) -> String {
        let cells = self
            .geometry
            .squares()
            .map(|(row, column)| (row, column, self.drawn.cells[row][column]));
        cells.map(|(row, column, name)| self.piece(row, column, name)).collect()
    }

    /// A piece, by its symbol in characters where it has no drawing; an empty cell is nothing.
    fn piece(&self, row: usize, column: usize, name: &str) -> String {
        let piece = self.info.pieces.iter().find(|piece| piece.name == name);
        let Some(piece) = piece else { return String::new() };
        let (game, (x, y)) = (self.info.name, self.geometry.corner(row, column));
        if symbol(game, name).is_some() {
            return format!(
                "<use href=\"#{game}-{name}\" x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100\"/>\n"
            );
        }
        let (x, y, symbol) = (x + 50, y + 76, piece.symbol);
        format!("<text class=\"piece\" x=\"{x}\" y=\"{y}\">{symbol}</text>\n")
    }

    /// The path of a piece that landed more than once.
    fn route(&self) -> String {
        let path = self.drawn.path();
        if path.len() < 3 {
            return String::new();
        }
        let centers = path.iter().map(|at| self.geometry.center(at.row.into(), at.column.into()));
        let points: Vec<_> = centers.map(|(x, y)| format!("{x},{y}")).collect();
        format!("<polyline class=\"route\" points=\"{}\"/>\n", points.join(" "))
    }
}

/// The drawing of a piece: its element among those that the playground shows too (a `symbol` of 100 by 100 units
/// each), if it has one.
fn symbol(game: &str, piece: &str) -> Option<&'static str> {
    const END: &str = "</symbol>";
    let start = PIECES.find(&format!("<symbol id=\"{game}-{piece}\""))?;
    let length = PIECES[start..].find(END)? + END.len();
    Some(&PIECES[start..start + length])
}
