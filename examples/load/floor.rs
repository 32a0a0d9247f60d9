//! What no service made of these crates can beat: a handler that knows its answer.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::post;
use tokio::net::TcpListener;
use tokio::task::spawn_blocking;

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
    let blocking = async || spawn_blocking(answer).await.unwrap_or_else(|_| answer());
    let router =
        Router::new().route("/at-once", post(async || answer())).route("/blocking", post(blocking));
    axum::serve(TcpListener::bind(("127.0.0.1", port)).await?, router).await?;
    Ok(())
}
