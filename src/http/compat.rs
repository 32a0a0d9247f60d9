//! Routes of public services, for front ends that have their hosts written into them: a change of the host moves them
//! here. Off unless `--compat` names them. A request is put into the words of `/best-move` or `/analyze`; the answer
//! is put into the fields of that service.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::app::App;
use super::body::{Json, Query, json, timed};
use super::problem::ProblemResponse;
use super::router::Route;
use bestmove_engine::game::{MoveDrawing, Outcome, Square};
use bestmove_engine::games::any::{Answer, Evaluation, MoveText};
use bestmove_service::{
    AnalysisRequest, BestMoveRequest, Found, Prepare, PreparedSearch, Priority, Problem,
    ProblemKind, Service, read,
};

/// A public service whose routes are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Compat {
    /// `POST /v1` of chess-api.com.
    ChessApi,
    /// `GET /api/s/v2.php` of stockfish.online.
    StockfishOnline,
    /// `GET /solve` of connect4.gamesolver.org.
    Gamesolver,
}

/// The routes of these services.
pub fn compat_routes(services: &[Compat]) -> Vec<Route> {
    let mut routes: Vec<Route> = Vec::new();
    for service in services {
        let (path, methods) = match service {
            Compat::ChessApi => ("/v1", post(chess_api)),
            Compat::StockfishOnline => ("/api/s/v2.php", get(stockfish_online)),
            Compat::Gamesolver => ("/solve", get(gamesolver)),
        };
        if routes.iter().all(|&(known, _)| known != path) {
            routes.push((path, methods));
        }
    }
    routes
}

/// A search, and what its answer needs of the request.
struct Asked<T> {
    search: PreparedSearch,
    request: T,
}

/// The request in the words of this service, read as any other.
fn prepared<R: Prepare<Prepared = PreparedSearch>>(
    service: &Service,
    request: &Value,
) -> Result<PreparedSearch, Problem> {
    read::<R>(request.to_string().as_bytes())?.prepare(service)
}

async fn found(app: &App, search: PreparedSearch) -> Result<Found, ProblemResponse> {
    Ok(app.service.best_move(search, Priority::Single).await?)
}

/// The answer with its times, which the log tells too.
fn answered<T: Serialize>(value: &T, found: Found) -> Response {
    let mut response = timed(json(value), found.timing);
    response.extensions_mut().insert(found);
    response
}

/// The moves as chess programs write them.
fn texts(line: &[MoveText]) -> Vec<&str> {
    line.iter().map(|mv| mv.text.as_str()).collect()
}

/// 1 where White is to move, -1 where Black is: values of chess are told from White's view.
fn sign(answer: &Answer) -> i32 {
    if answer.side_to_move == "white" { 1 } else { -1 }
}

/// The moves to a proven mate, negative where Black mates.
fn mate(answer: &Answer) -> Option<i32> {
    let Evaluation { outcome, plies, .. } = answer.evaluation;
    let moves = plies?.div_ceil(2) as i32 * sign(answer);
    match outcome? {
        Outcome::Win => Some(moves),
        Outcome::Loss => Some(-moves),
        Outcome::Draw => None,
    }
}

/// What chess-api.com is asked.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChessApiRequest {
    fen: String,
    depth: Option<u32>,
    max_thinking_time: Option<u32>,
    searchmoves: Option<String>,
    task_id: Option<Value>,
}

impl Prepare for ChessApiRequest {
    type Prepared = Asked<Self>;

    fn prepare(self, service: &Service) -> Result<Asked<Self>, Problem> {
        let mut asked = json!({
            "game": "chess",
            "position": self.fen,
            "depth": self.depth.unwrap_or(12).clamp(1, 18),
            "time_ms": self.max_thinking_time.unwrap_or(50).clamp(1, 100),
            "include": ["board"],
        });
        if let Some(moves) = self.searchmoves.as_deref().filter(|moves| !moves.trim().is_empty()) {
            asked["search_moves"] = json!(moves.split_whitespace().collect::<Vec<_>>());
        }
        let search = prepared::<BestMoveRequest>(service, &asked)?;
        Ok(Asked { search, request: self })
    }
}

/// `POST /v1`
async fn chess_api(
    State(app): State<Arc<App>>,
    Json(Asked { search, request }): Json<ChessApiRequest>,
) -> Result<Response, ProblemResponse> {
    let found = found(&app, search).await?;
    let answer = &found.answer;
    let pawns = f64::from(answer.evaluation.score * sign(answer)) / 100.0;
    let mate = mate(answer);
    // A proven mate is worth a hundred pawns there.
    let pawns = mate.map_or(pawns, |moves| 100.0 * f64::from(moves.signum()));
    let standing = match pawns {
        0.5.. => "White is winning",
        ..=-0.5 => "Black is winning",
        _ => "The game is balanced",
    };
    let mut told = chess_move(answer);
    let san = answer.best_move.san.as_deref().unwrap_or(&answer.best_move.text);
    let depth = answer.search.depth;
    let text = format!("Move {san}: [{pawns:.2}]. {standing}. Depth {depth}.");
    let rest = json!({
        "text": text,
        "eval": pawns,
        "centipawns": mate.is_none().then(|| format!("{:.0}", pawns * 100.0)),
        "mate": mate,
        "winChance": 100.0 / (1.0 + (-0.368_208 * pawns).exp()),
        "depth": depth,
        "fen": request.fen,
        "san": san,
        "move": answer.best_move.text,
        "lan": answer.best_move.text,
        "continuationArr": texts(&answer.principal_variation),
        "taskId": request.task_id,
        "type": "bestmove",
    });
    told.extend(rest.as_object().cloned().unwrap_or_default());
    Ok(answered(&told, found))
}

/// What the best move does, in the fields of chess-api.com.
fn chess_move(answer: &Answer) -> Map<String, Value> {
    let after = answer.after.as_ref().and_then(|after| after.view.as_ref());
    let drawing = after.and_then(|view| view.last_move.as_ref()).map(|mv| &mv.drawing);
    let Some(MoveDrawing { path, captures, promotion, also, .. }) = drawing else {
        return Map::new();
    };
    let (Some(from), Some(to)) = (path.first(), path.last()) else { return Map::new() };
    let piece = kind_on(&answer.position, *from).unwrap_or_default();
    let is_en_passant = captures.first().is_some_and(|captured| captured != to);
    let captured = captures.first().and_then(|&square| kind_on(&answer.position, square));
    let turn = &answer.side_to_move[..1];
    let mut flags = String::new();
    match (&captured, also.first()) {
        (_, Some(rook)) => flags.push(if rook.column == 0 { 'q' } else { 'k' }),
        (Some(_), _) => flags.push(if is_en_passant { 'e' } else { 'c' }),
        _ => flags.push(if piece == "p" && from.row.abs_diff(to.row) == 2 { 'b' } else { 'n' }),
    }
    flags.extend(promotion.map(|_| 'p'));
    let name = |square: &Square| format!("{}{}", char::from(b'a' + square.column), 8 - square.row);
    let number = |square: &Square| format!("{}{}", square.column + 1, 8 - square.row);
    let told = json!({
        "turn": turn,
        "color": turn,
        "piece": piece,
        "flags": flags,
        "isCapture": captured.is_some(),
        "isCastling": !also.is_empty(),
        "isPromotion": promotion.is_some(),
        "captured": captured,
        "promotion": promotion.map(str::to_lowercase),
        "from": name(from),
        "to": name(to),
        "fromNumeric": number(from),
        "toNumeric": number(to),
    });
    let Value::Object(mut told) = told else { return Map::new() };
    told.retain(|_, value| !value.is_null());
    told
}

/// The small letter of the piece on a square of a FEN.
fn kind_on(fen: &str, square: Square) -> Option<String> {
    let row = fen.split(['/', ' ']).nth(usize::from(square.row))?;
    let mut column = 0;
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(empty) => column += empty,
            None if column == u32::from(square.column) => {
                return Some(letter.to_lowercase().to_string());
            }
            None => column += 1,
        }
    }
    None
}

/// What stockfish.online is asked.
#[derive(Deserialize)]
struct StockfishOnlineRequest {
    fen: String,
    depth: Option<u32>,
}

impl Prepare for StockfishOnlineRequest {
    type Prepared = PreparedSearch;

    fn prepare(self, service: &Service) -> Result<PreparedSearch, Problem> {
        let depth = self.depth.unwrap_or(10).clamp(1, 15);
        let asked = json!({ "game": "chess", "position": self.fen, "depth": depth });
        prepared::<BestMoveRequest>(service, &asked)
    }
}

/// `GET /api/s/v2.php`
async fn stockfish_online(
    State(app): State<Arc<App>>,
    Query(search): Query<StockfishOnlineRequest>,
) -> Result<Response, ProblemResponse> {
    let found = found(&app, search).await?;
    let answer = &found.answer;
    let mate = mate(answer);
    let pawns = f64::from(answer.evaluation.score * sign(answer)) / 100.0;
    let line = texts(&answer.principal_variation);
    let ponder = line.get(1).map(|reply| format!(" ponder {reply}")).unwrap_or_default();
    let told = json!({
        "success": true,
        "evaluation": mate.is_none().then_some(pawns),
        "mate": mate,
        "bestmove": format!("bestmove {}{ponder}", answer.best_move.text),
        "continuation": line.join(" "),
    });
    Ok(answered(&told, found))
}

/// What connect4.gamesolver.org is asked: the columns played, a digit each.
#[derive(Deserialize)]
struct GamesolverRequest {
    #[serde(default)]
    pos: String,
}

impl Prepare for GamesolverRequest {
    type Prepared = Asked<Self>;

    fn prepare(self, service: &Service) -> Result<Asked<Self>, Problem> {
        let moves: Vec<_> = self.pos.chars().map(String::from).collect();
        let asked = json!({ "game": "connect-four", "moves": moves, "algorithm": "solve" });
        let search = prepared::<AnalysisRequest>(service, &asked)?;
        Ok(Asked { search, request: self })
    }
}

/// `GET /solve`: what each column is worth, 100 where it is full.
async fn gamesolver(
    State(app): State<Arc<App>>,
    Query(Asked { search, request }): Query<GamesolverRequest>,
) -> Result<Response, ProblemResponse> {
    const FULL: i32 = 100;
    let found = found(&app, search).await?;
    let mut score = [FULL; 7];
    for variation in &found.answer.variations {
        let column = variation.mv.text.parse::<usize>().ok();
        let value = solver_score(variation.evaluation, request.pos.len());
        let (Some(column), Some(value)) = (column, value) else {
            let detail = "the time was up before every column was solved";
            return Err(Problem::new(ProblemKind::Overloaded, detail).into());
        };
        if let Some(place) = score.get_mut(column.wrapping_sub(1)) {
            *place = value;
        }
    }
    Ok(answered(&json!({ "pos": request.pos, "score": score }), found))
}

/// The discs that the winner has left when the game ends, and one; negative for a loss, 0 for a draw. `None` where the
/// value is not proven.
fn solver_score(evaluation: Evaluation, discs: usize) -> Option<i32> {
    let left = |plies: u32| 22 - (discs as i32 + plies as i32 + 1) / 2;
    match evaluation.outcome? {
        Outcome::Win => evaluation.plies.map(left),
        Outcome::Loss => evaluation.plies.map(|plies| -left(plies)),
        Outcome::Draw => Some(0),
    }
}
