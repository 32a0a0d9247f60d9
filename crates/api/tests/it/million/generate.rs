//! Requests that a client could mean: random games, described in every form that the contract has.

use std::fmt::Write;

use bestmove_engine::game::{GameInfo, LevelNumber};
use bestmove_engine::games::any::{AnyBoard, AnyGame, AnyLine, MoveText};
use bestmove_engine::games::{all_variants, catalogue, special_variant};
use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::Route;

/// The plies of the longest game.
const MOST_PLIES: usize = 80;

/// A random game.
struct Played {
    line: Box<dyn AnyLine>,
    info: &'static GameInfo,
    game: &'static dyn AnyGame,
    moves: Vec<MoveText>,
}

impl Played {
    fn random(rng: &mut Rng, game: &'static dyn AnyGame) -> Self {
        let mut board = game.board(None, &[]).expect("there is a start");
        let mut moves = Vec::new();
        for _ in 0..rng.usize(1..=MOST_PLIES) {
            let legal = board.other_moves(&MoveText::default());
            let Some(mv) = rng.choice(&legal) else { break };
            board = board.after(mv, 0).expect("the move is legal");
            moves.extend(board.last_move().map(|last| last.text));
        }
        let texts: Vec<_> = moves.iter().map(|mv| mv.text.clone()).collect();
        let line = game.line(None, &texts).expect("the moves are legal");
        Self { line, info: game.info(), game, moves }
    }
}

/// One random game of every variant, from which some requests are made.
pub(super) struct Games(Vec<Played>);

impl Games {
    pub(super) fn random(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        Self(all_variants().iter().map(|&game| Played::random(&mut rng, game)).collect())
    }

    /// A game, the standard variants as often as all others together.
    fn choose(&self, rng: &mut Rng) -> &Played {
        let standard = catalogue()[rng.usize(..catalogue().len())].info();
        let place = rng.usize(..self.0.len());
        let is_standard = |played: &&Played| std::ptr::eq(played.info, standard);
        let found = self.0.iter().find(is_standard).filter(|_| rng.bool());
        found.unwrap_or(&self.0[place])
    }
}

/// A request of a route.
pub(super) fn request(rng: &mut Rng, games: &Games, route: Route) -> Value {
    let played = games.choose(rng);
    let cut = rng.usize(0..=played.moves.len());
    let mut maker = Maker { rng, played, request: Map::new() };
    maker.set("game", played.info.name);
    if special_variant(played.info).is_some() || maker.is_one_of(4) {
        maker.set("variant", played.info.variant);
    }
    if route == Route::Review {
        maker.game(cut);
    } else {
        maker.position(cut);
    }
    match route {
        Route::BestMove | Route::BestMoveText | Route::Batch => maker.best_move(cut),
        Route::Analyze => maker.analysis(cut),
        Route::Review => maker.review(),
        Route::Tree => maker.tree(cut),
        Route::Position => {}
        Route::BoardSvg => maker.picture(cut),
    }
    if route == Route::Batch && !maker.is_one_of(3) {
        let id = if maker.rng.bool() { json!(maker.rng.u64(..)) } else { json!("line 7") };
        maker.set("id", id);
    }
    Value::Object(maker.request)
}

/// Adds the fields of a request.
struct Maker<'a> {
    rng: &'a mut Rng,
    played: &'a Played,
    request: Map<String, Value>,
}

impl Maker<'_> {
    fn set(&mut self, field: &str, value: impl Into<Value>) {
        self.request.insert(field.to_owned(), value.into());
    }

    /// True for one of so many requests.
    fn is_one_of(&mut self, count: usize) -> bool {
        self.rng.usize(..count) == 0
    }

    fn choose<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.rng.usize(..values.len())]
    }

    /// The position after `cut` plies: by itself, or by moves from an earlier one.
    fn position(&mut self, cut: usize) {
        let start = match self.rng.u8(..4) {
            0 => 0,
            1 => self.rng.usize(0..=cut),
            _ => cut,
        };
        if start > 0 || self.is_one_of(4) {
            let board = self.played.line.board(start);
            let position = self.written_position(&*board);
            self.set("position", position);
        }
        if start < cut || self.is_one_of(8) {
            let moves = self.written_moves(start, cut);
            self.set("moves", moves);
        }
    }

    /// A few moves that were played, for a review.
    fn game(&mut self, cut: usize) {
        let start = cut.saturating_sub(self.rng.usize(1..6));
        if start > 0 {
            let position = self.played.line.board(start).state().position;
            self.set("position", position);
        }
        let moves = self.written_moves(start, cut);
        self.set("moves", moves);
    }

    fn written_position(&mut self, board: &dyn AnyBoard) -> Value {
        let text = board.state().position;
        let cells = board.cells();
        let of_row = |row: &Vec<&str>| {
            let cells = row.iter().map(|&cell| if cell.is_empty() { "." } else { cell });
            cells.collect::<String>()
        };
        let rows = || cells.iter().map(of_row).collect::<Vec<_>>();
        let object = || json!({"board": cells, "side_to_move": board.state().side_to_move});
        match self.rng.u8(..16) {
            0 | 1 => object(),
            2 => json!({"board": rows(), "side_to_move": board.state().side_to_move}),
            3 => json!(cells),
            4 => json!(rows()),
            5 => json!(cells.concat()),
            6 => json!(object().to_string()),
            7 => json!(format!("[FEN \"{text}\"]")),
            8 => json!(format!("\"{text}\"")),
            9 => json!(board.drawing()),
            10 => json!(rows().join("/")),
            11 => json!(self.choose(self.played.info.positions.examples)),
            _ => json!(text),
        }
    }

    /// The moves from one ply to another: a list, or a record.
    fn written_moves(&mut self, start: usize, end: usize) -> Value {
        let moves = &self.played.moves[start..end];
        let is_san = self.rng.bool();
        let text = |mv: &MoveText| match &mv.san {
            Some(san) if is_san => san.clone(),
            _ => mv.text.clone(),
        };
        let texts: Vec<_> = moves.iter().map(text).collect();
        let integer = |text: &String| text.parse::<u64>().map_or_else(|_| json!(text), Value::from);
        match self.rng.u8(..12) {
            0 => texts.iter().map(integer).collect(),
            1 => json!(texts.join(",")),
            2 => json!(texts.concat()),
            3 => json!(json!(texts).to_string()),
            4..=6 => json!(self.record(start, &texts)),
            _ => json!(texts),
        }
    }

    /// A record with tag pairs, numbers, comments, variations, assessments and a result.
    fn record(&mut self, start: usize, moves: &[String]) -> String {
        let mut record = String::new();
        if self.is_one_of(4) {
            let position = self.played.line.board(start).state().position;
            let variant = self.played.info.variant;
            record = format!(
                "[Event \"A [b] c\"]\n[Variant \"{variant}\"]\n[SetUp \"1\"]\n[FEN \"{position}\"]\n\n"
            );
        }
        for (at, mv) in moves.iter().enumerate() {
            if at % 2 == 0 {
                // Writing to a string cannot fail.
                let _ = write!(record, "{}. ", at / 2 + 1);
            }
            record.push_str(mv);
            let extra = ["!?", " $14", " {a (comment}", " (1. x (2. y))", " ; to the end\n", "\n"];
            if self.is_one_of(6) {
                record.push_str(self.choose(&extra));
            }
            record.push(' ');
        }
        if self.is_one_of(3) {
            record.push_str(self.choose(&["*", "1-0", "1/2-1/2", "0 - 1"]));
        }
        record
    }

    /// Limits that keep most searches short.
    fn limits(&mut self) {
        match self.rng.u8(..32) {
            0 => {}
            1 => {
                let time = self.rng.u64(1..4);
                self.set("time_ms", time);
            }
            2..=8 => {
                let depth = self.rng.u64(1..=2);
                self.set("depth", depth);
            }
            9..=16 => {
                let (depth, nodes) = (self.rng.u64(1..=3), self.rng.u64(1..=400));
                self.set("depth", depth);
                self.set("nodes", nodes);
            }
            _ => {
                let nodes = self.rng.u64(1..=400);
                self.set("nodes", nodes);
            }
        }
        self.searcher();
    }

    fn searcher(&mut self) {
        if self.is_one_of(3) {
            let offered = self.played.game.algorithms();
            let algorithm = offered[self.rng.usize(..offered.len())].name();
            self.set("algorithm", algorithm);
        }
        if self.is_one_of(4) {
            let evaluator = self.choose(self.played.info.evaluators).0;
            self.set("evaluator", evaluator);
        }
    }

    fn view(&mut self) {
        if self.is_one_of(4) {
            let view = self.choose(&["mover", "first"]);
            self.set("view", view);
        }
    }

    fn search_moves(&mut self, cut: usize) {
        if self.is_one_of(6) {
            let legal = self.played.line.board(cut).other_moves(&MoveText::default());
            let count = self.rng.usize(0..=legal.len());
            let chosen = self.rng.choose_multiple(&legal, count);
            let chosen = if self.is_one_of(4) {
                json!(chosen.into_iter().cloned().collect::<Vec<_>>().join(" "))
            } else {
                json!(chosen)
            };
            self.set("search_moves", chosen);
        }
    }

    /// What the answer to a search includes. Reasons and threats cost more than all else.
    fn include(&mut self) {
        if self.is_one_of(3) {
            let mut include = vec!["board", "legal_moves"];
            include.truncate(self.rng.usize(0..=2));
            if self.is_one_of(16) {
                include.push("reasons");
            }
            if self.is_one_of(8) {
                include.push("threat");
            }
            self.set("include", include);
        }
        self.view();
    }

    fn best_move(&mut self, cut: usize) {
        if self.is_one_of(10) {
            let most = if self.is_one_of(5) { 10 } else { 3 };
            let level = self.rng.u64(1..=most);
            let name = LevelNumber::new(level).and_then(LevelNumber::name);
            match name.filter(|_| self.rng.bool()) {
                Some(name) => self.set("level", name),
                None => self.set("level", level),
            }
            let seed = self.rng.u64(..1 << 53);
            if self.rng.bool() {
                self.set("seed", seed);
            }
        } else {
            self.limits();
        }
        self.search_moves(cut);
        self.include();
    }

    fn analysis(&mut self, cut: usize) {
        self.limits();
        if self.rng.bool() {
            let top = self.rng.u64(1..5);
            self.set("top", top);
        }
        if self.is_one_of(4) {
            let exact = self.rng.bool();
            self.set("exact", exact);
        }
        self.search_moves(cut);
        self.include();
    }

    fn review(&mut self) {
        let nodes = self.rng.u64(1..=60);
        self.set("nodes", nodes);
        self.searcher();
        if self.is_one_of(10) {
            let include = self.choose(&["reasons", "exercises"]);
            self.set("include", vec![include]);
        }
        self.view();
    }

    fn tree(&mut self, cut: usize) {
        let depth = self.rng.u64(1..=2);
        self.set("depth", depth);
        if !self.is_one_of(4) {
            let nodes = self.rng.u64(1..=300);
            self.set("max_nodes", nodes);
        }
        if self.rng.bool() {
            let algorithm = self.choose(&["minimax", "alpha-beta"]);
            self.set("algorithm", algorithm);
        }
        self.search_moves(cut);
        self.view();
    }

    fn picture(&mut self, cut: usize) {
        let legal = self.played.line.board(cut).other_moves(&MoveText::default());
        for field in ["arrows", "marks"] {
            if self.is_one_of(3) {
                let squares = ["a1", "b2", "1", "5", "a1-b2", "a1:red", "12:blue", "0", "h8"];
                let squares = squares.map(str::to_owned);
                let all = [&legal[..], &squares[..]].concat();
                let count = self.rng.usize(0..5).min(all.len());
                let chosen = self.rng.choose_multiple(&all, count);
                self.set(field, json!(chosen));
            }
        }
        for field in ["flip", "coordinates"] {
            if self.is_one_of(3) {
                let flag = self.choose(&["true", "false", "1", "no", ""]);
                self.set(field, flag);
            }
        }
        if self.is_one_of(3) {
            let theme = self.choose(&["light", "dark"]);
            self.set("theme", theme);
        }
        if self.is_one_of(3) {
            let size = self.rng.u64(16..=4096);
            self.set("size", size);
        }
    }
}
