//! Annotations of a picture: arrows and marked squares.

use std::fmt::Write;

use super::geometry::BoardGeometry;
use crate::{Problem, ProblemKind};
use bestmove_engine::game::{GameInfo, Square};
use bestmove_engine::games::any::AnyBoard;

/// The names of colours, which are classes of the style sheet. The first one is the default.
const COLORS: [&str; 4] = ["green", "red", "blue", "yellow"];

/// The greatest number of arrows, and of marks, in a picture.
const MOST: usize = 64;

/// The greatest number of characters of an arrow or a mark.
const LONGEST: usize = 100;

/// The style of annotations in both themes.
pub(super) const STYLE: &str = ".green{fill:#4a9a4a;stroke:#4a9a4a}.red{fill:#d0473b;stroke:#d0473b}.blue{fill:\
                                #3f78c9;stroke:#3f78c9}.yellow{fill:#d99a1c;stroke:#d99a1c}.ring,.arrow polyline{\
                                fill:none}.ring{stroke-width:8}.arrow{opacity:.8}.arrow polyline{stroke-width:15;\
                                stroke-linecap:round}.arrow polygon{stroke:none}";

/// An arrow along squares, or a ring around one.
pub(super) struct Annotation {
    path: Vec<Square>,
    color: &'static str,
}

impl Annotation {
    /// The annotation as SVG.
    pub(super) fn svg(&self, geometry: &BoardGeometry) -> String {
        let centers = self.path.iter().map(|at| geometry.center(at.row.into(), at.column.into()));
        #[expect(clippy::cast_precision_loss, reason = "a picture has some thousand units")]
        let centers: Vec<_> = centers.map(|(x, y)| (x as f64, y as f64)).collect();
        let color = self.color;
        match centers[..] {
            [.., from, to] if from != to => arrow(&centers, from, to, color),
            [.., (x, y)] => {
                format!("<circle class=\"ring {color}\" cx=\"{x}\" cy=\"{y}\" r=\"44\"/>\n")
            }
            [] => String::new(),
        }
    }
}

/// An arrow through `points`, whose last part goes `from` one point `to` another.
fn arrow(points: &[(f64, f64)], from: (f64, f64), to: (f64, f64), color: &str) -> String {
    const LENGTH: f64 = 36.0;
    const HALF_WIDTH: f64 = 22.0;
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    let (dx, dy) = (dx / length, dy / length);
    let (x, y) = (to.0 - LENGTH * dx, to.1 - LENGTH * dy);
    let (left, right) = (x + HALF_WIDTH * dy, y - HALF_WIDTH * dx);
    let (other_left, other_right) = (x - HALF_WIDTH * dy, y + HALF_WIDTH * dx);
    let mut shaft = String::new();
    for (x, y) in &points[..points.len() - 1] {
        // Writing to a string cannot fail.
        let _ = write!(shaft, "{x},{y} ");
    }
    format!(
        "<g class=\"arrow {color}\"><polyline points=\"{shaft}{x:.0},{y:.0}\"/><polygon points=\"{},{} \
         {left:.0},{right:.0} {other_left:.0},{other_right:.0}\"/></g>\n",
        to.0, to.1
    )
}

/// Reads annotations of a board of a game.
pub(super) struct Reader<'a> {
    pub(super) info: &'a GameInfo,
    pub(super) geometry: &'a BoardGeometry,
    /// The position, where the picture shows one.
    pub(super) board: Option<&'a dyn AnyBoard>,
}

impl Reader<'_> {
    /// Reads arrows: each a legal move, or the squares that the arrow touches.
    pub(super) fn arrows(&self, texts: &[String]) -> Result<Vec<Annotation>, Problem> {
        read(
            "arrows",
            texts,
            |text| self.moved(text).or_else(|| self.squares(text)),
            || {
                let [mv, ..] = self.info.moves.examples else { return "a move".to_owned() };
                let [from, to] = self.corners();
                format!("a legal move, such as {mv}, or two squares, such as {from}-{to}")
            },
        )
    }

    /// Reads marks: each a square, or a legal move, which marks its last square.
    pub(super) fn marks(&self, texts: &[String]) -> Result<Vec<Annotation>, Problem> {
        read(
            "marks",
            texts,
            |text| Some(vec![self.marked(text)?]),
            || format!("a square, such as {}", self.corners().join(" or ")),
        )
    }

    fn marked(&self, text: &str) -> Option<Square> {
        self.square(text).or_else(|| self.moved(text)?.last().copied())
    }

    /// The squares that a legal move touches.
    fn moved(&self, text: &str) -> Option<Vec<Square>> {
        let after = self.board?.after(text, 0).ok()?;
        Some(after.last_move()?.drawing.path).filter(|path| !path.is_empty())
    }

    /// Reads squares, with or without `-` or `x` between them, and perhaps the letter of a promotion after them.
    fn squares(&self, text: &str) -> Option<Vec<Square>> {
        let (mut rest, mut path) = (text, Vec::new());
        while !rest.is_empty() {
            let letters = rest.len() - rest.trim_start_matches(char::is_alphabetic).len();
            let name = rest.len()
                - rest[letters..].trim_start_matches(|it: char| it.is_ascii_digit()).len();
            if name == letters {
                return (path.len() > 1 && letters == 1 && rest.len() == 1).then_some(path);
            }
            path.push(self.square(&rest[..name])?);
            rest = rest[name..].trim_start_matches(['-', 'x']);
        }
        Some(path).filter(|path| !path.is_empty())
    }

    /// The square with the number or name `text`.
    fn square(&self, text: &str) -> Option<Square> {
        let place = match text.parse::<usize>() {
            Ok(number) => self.geometry.numbered(self.info).find(|&(known, _)| known == number)?.1,
            Err(_) => self.named(&text.to_ascii_lowercase())?,
        };
        Some(Square { row: place.0.try_into().ok()?, column: place.1.try_into().ok()? })
    }

    /// The row and the column of a square, by the letter of its column from the left and the name of its row. A row without a
    /// name has its number from below.
    fn named(&self, text: &str) -> Option<(usize, usize)> {
        let letter = text.chars().next().filter(char::is_ascii_lowercase)?;
        let (column, row) = ((letter as u8 - b'a').into(), &text[1..]);
        let is_there = column < self.geometry.columns;
        let named = (0..self.geometry.rows).find(|&at| self.row_name(at) == row);
        named.filter(|_| is_there).map(|row| (row, column))
    }

    fn row_name(&self, row: usize) -> String {
        let name = self.info.board.rows.get(row).map(|&name| name.to_owned());
        name.unwrap_or_else(|| (self.geometry.rows - row).to_string())
    }

    /// The names of two squares far from each other, as examples in problems.
    fn corners(&self) -> [String; 2] {
        let mut numbers = self.geometry.numbered(self.info).map(|(number, _)| number);
        if let Some((first, last)) = numbers.next().zip(numbers.last()) {
            return [first, last].map(|number| number.to_string());
        }
        let last = ('a'..='z').nth(self.geometry.columns.saturating_sub(1)).unwrap_or('z');
        let bottom = self.geometry.rows.saturating_sub(1);
        [format!("a{}", self.row_name(bottom)), format!("{last}{}", self.row_name(0))]
    }
}

/// Reads a list of annotations: each a path, and perhaps a colour after a colon.
fn read(
    list: &str,
    texts: &[String],
    path: impl Fn(&str) -> Option<Vec<Square>>,
    expected: impl Fn() -> String,
) -> Result<Vec<Annotation>, Problem> {
    if texts.len() > MOST {
        let detail = format!("{list}: expected at most {MOST} but got {}", texts.len());
        return Err(Problem::new(ProblemKind::InvalidRequest, detail).at(format!("/{list}")));
    }
    let annotations = texts.iter().enumerate().map(|(index, whole)| {
        let characters = whole.chars().count();
        if characters > LONGEST {
            let detail = format!(": expected at most {LONGEST} characters but got {characters}");
            return Err(refused(list, index, &detail));
        }
        let (text, color) = whole.rsplit_once(':').unwrap_or((whole, COLORS[0]));
        let color = COLORS.into_iter().find(|&known| known == color).ok_or_else(|| {
            let known = COLORS.join(", ");
            let detail = format!(" '{whole}': there is no colour '{color}'; known are {known}");
            refused(list, index, &detail).allowing(COLORS.map(|color| format!("{text}:{color}")))
        })?;
        let path = path(text.trim())
            .ok_or_else(|| refused(list, index, &format!(" '{whole}': expected {}", expected())))?;
        Ok(Annotation { path, color })
    });
    annotations.collect()
}

/// The problem of an annotation of a list. `detail` follows its place.
fn refused(list: &str, index: usize, detail: &str) -> Problem {
    Problem::new(ProblemKind::InvalidRequest, format!("{list}[{index}]{detail}"))
        .at(format!("/{list}/{index}"))
}
