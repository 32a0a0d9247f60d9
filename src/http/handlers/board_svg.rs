//! `/board.svg`.

use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use crate::http::dto::BoardSvgRequest;
use crate::http::etag::{self, Tag};
use crate::http::extract::Query;

/// `GET /board.svg`: a picture of a position.
pub(in crate::http) async fn draw(
    headers: HeaderMap,
    Query(picture): Query<BoardSvgRequest>,
) -> Response {
    let svg = picture.svg();
    // Its tag is weak, so it may be compressed.
    let tag = Tag::of_text(&svg);
    if tag.is_held(&headers) {
        return tag.not_modified();
    }
    (etag::headers(Some(&tag)), [(CONTENT_TYPE, "image/svg+xml")], svg).into_response()
}
