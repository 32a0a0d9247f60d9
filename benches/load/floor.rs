//! The constants to compare with: a handler that knows its answer, behind the layers of an ordinary
//! axum service.

use std::time::Duration;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Request, StatusCode};
use axum::routing::post;
use tokio::net::TcpListener;
use tokio::task::spawn_blocking;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::CorsLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::{DefaultMakeSpan, DefaultOnResponse, TraceLayer};
use tracing::Level;

use super::Outcome;

/// The argument with which this program serves as the floor.
pub(crate) const COMMAND: &str = "floor";

/// As long as an answer of the service.
const ANSWER: &str = r#"{"game":"tic-tac-toe","position":"X...O.... X","side_to_move":"X","best_move":"1","evaluation":{"outcome":"draw","score":0,"value":0.0},"principal_variation":["1","2","6","3","5","7","8"],"search":{"algorithm":"solve","source":"search","depth":7,"nodes":444,"stopped_by":"solved"},"after":{"position":"XX..O.... O","side_to_move":"O","state":"ongoing"}}"#;

type Constant = ([(axum::http::HeaderName, &'static str); 1], &'static str);

fn answer() -> Constant {
    ([(CONTENT_TYPE, "application/json")], ANSWER)
}

/// Answers at once at one path, and by way of the blocking pool at another one.
pub(crate) async fn serve(port: u16) -> Outcome {
    tracing_subscriber::fmt().with_max_level(Level::INFO).with_writer(std::io::stderr).init();
    let span = DefaultMakeSpan::new().level(Level::INFO);
    let layers = ServiceBuilder::new()
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(span)
                .on_request(|_: &Request<_>, _: &tracing::Span| {})
                .on_response(DefaultOnResponse::new().level(Level::INFO)),
        )
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(CorsLayer::permissive())
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, Duration::from_secs(30)))
        .layer(CatchPanicLayer::new())
        .layer(RequestBodyLimitLayer::new(64 << 10));
    let blocking = async || spawn_blocking(answer).await.unwrap_or_else(|_| answer());
    let router = Router::new()
        .route("/at-once", post(async || answer()))
        .route("/blocking", post(blocking))
        .layer(layers);
    axum::serve(TcpListener::bind(("127.0.0.1", port)).await?, router).await?;
    Ok(())
}
