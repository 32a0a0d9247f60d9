//! `/best-move/batch`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;

use crate::http::extract::{discard, is_declared};
use crate::http::problem::{Kind, Problem};
use crate::http::{App, ndjson};

/// `POST /best-move/batch`
pub(in crate::http) async fn answer_lines(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Response, Problem> {
    if is_declared(request.headers(), ndjson::MEDIA_TYPE) {
        return Ok(ndjson::answers(app, request));
    }
    discard(request, &app.limits).await;
    let detail = "expected a body with the header 'content-type: application/x-ndjson'";
    Err(Problem::new(Kind::UnsupportedMediaType, detail))
}
