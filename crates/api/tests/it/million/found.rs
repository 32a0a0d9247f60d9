//! Requests that once got an answer or a problem against the contract.

use serde_json::json;

use super::{Request, Route};

/// The requests. Each stands for a kind of request.
pub(super) fn requests() -> Vec<Request> {
    let body = |route, text: String| Request { route, is_query: false, text: text.into_bytes() };
    let query = |route, text: String| Request { route, is_query: true, text: text.into_bytes() };
    let chess = |fields: &str| format!(r#"{{"game":"chess",{fields}}}"#);
    let zeros = "0".repeat(300);
    let circle = json!({
        "game": "checkers",
        "position": "W:WK15:B12,18,19,26,27",
        "moves": [format!("{zeros}15x15")],
    });
    let named = format!("{{\"{}\":", "a".repeat(100));
    vec![
        // A problem without a field.
        body(
            Route::BestMove,
            chess(&format!("\"position\":{}1{}", "[".repeat(150), "]".repeat(150))),
        ),
        body(Route::BestMove, chess(r#""position":["a",{"board":"\ud800"}]"#)),
        // A field that leads into a string.
        body(Route::Analyze, chess(r#""search_moves":"e4 e9""#)),
        body(Route::Tree, chess(r#""depth":1,"search_moves":"e9""#)),
        // A field that repeats all names on its way.
        body(
            Route::Position,
            chess(&format!("\"a\":{}1e999{}", named.repeat(100), "}".repeat(100))),
        ),
        // A detail that repeats a long text, or a short one as a long one.
        body(Route::Position, circle.to_string()),
        query(Route::BestMove, format!("game=chess&level={zeros}3")),
        query(Route::BestMove, format!("game=chess&depth=3{zeros}")),
    ]
}
