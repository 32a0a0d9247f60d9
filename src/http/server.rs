//! Connections: accepted, served, and closed in order when the server stops.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use super::patience::{Patience, PatientStream, Turns};
use super::{App, Limits, Stack};
use crate::service::Pool;

/// How long the last answers may take to leave once all are given. Only a client that does not
/// take its own delays the exit, and no longer than this.
const FAREWELL: Duration = Duration::from_millis(500);

/// Serves until `signal`, and then until every admitted search is answered.
pub async fn serve(
    listener: TcpListener,
    app: Arc<App>,
    stack: Stack,
    signal: impl Future<Output = ()>,
) {
    let closing = CancellationToken::new();
    let connections = TaskTracker::new();
    let limits = app.limits;
    let mut drained = pin!(async {
        signal.await;
        drain(app.service.pool(), app.limits.drain).await;
    });
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(converse(stream, stack.clone(), limits, closing.clone()));
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    // Out of file descriptors, most likely: some will be closed.
                    sleep(Duration::from_millis(10)).await;
                }
            },
            () = &mut drained => break,
        }
    }
    drop(listener);
    closing.cancel();
    connections.close();
    let _ = timeout(FAREWELL, connections.wait()).await;
}

/// Answers all that were admitted and nobody else; those who take too long, with what they have.
async fn drain(pool: &Pool, patience: Duration) {
    tracing::info!("draining");
    pool.drain();
    if timeout(patience, pool.drained()).await.is_err() {
        pool.end();
        pool.drained().await;
    }
}

/// Serves a connection until it ends, or closes it when it is idle.
async fn converse(stream: TcpStream, stack: Stack, limits: Limits, closing: CancellationToken) {
    // Answers are written at once, so there is nothing to wait for.
    let _ = stream.set_nodelay(true);
    let turns = Arc::new(Turns::default());
    let Limits { arrival, idle, .. } = limits;
    let patience = Patience { head: arrival, idle };
    let stream = PatientStream::new(stream, patience, Arc::clone(&turns));
    let counted = Arc::clone(&turns);
    let service = service_fn(move |request: hyper::Request<_>| {
        let (stack, turn) = (stack.clone(), counted.take());
        async move {
            let response = stack.oneshot(request.map(Body::new)).await;
            response.map(|response| turn.end_with(response))
        }
    });
    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    // How a connection ends is the client's affair.
    tokio::select! {
        biased;
        _ = connection.as_mut() => return,
        () = closing.cancelled() => {}
    }
    turns.end();
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}
