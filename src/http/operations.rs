//! Health and metrics, for operators and their tools.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE, VARY};
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::prometheus_text;

use super::app::App;
use super::build::REVISION;
use super::problem::ProblemResponse;
use bestmove_api::Health;
use bestmove_service::{Failure, Overloaded, internal, write_json};

/// Marks an answer that machines ask for every few seconds, health or metrics, so that the log can leave it out.
#[derive(Clone, Copy)]
pub(super) struct OfProbe;

/// `GET /health`: alive.
pub(super) async fn health() -> Result<Response, ProblemResponse> {
    let json = write_json(&Health::new(REVISION))?;
    Ok((Extension(OfProbe), [(CONTENT_TYPE, "application/json")], json).into_response())
}

/// `GET /health/ready`: alive and not about to stop.
pub(super) async fn ready(State(app): State<Arc<App>>) -> Result<Response, ProblemResponse> {
    if app.service.pool().is_draining() {
        return Err(Failure::Overloaded(Overloaded::Draining).into());
    }
    health().await
}

/// `GET /metrics`: in the format of `OpenMetrics` for clients that accept it, else in the text format of Prometheus.
pub(super) async fn metrics(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
) -> Result<Response, ProblemResponse> {
    const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let mut accepted = headers.get_all(ACCEPT).iter().filter_map(|types| types.to_str().ok());
    let is_open = accepted.any(|types| types.contains("application/openmetrics-text"));
    // Metrics are never refused: they matter most while everything else is.
    let text = app.metrics.text(&app.service, is_open).map_err(|error| internal(&error))?;
    let kind = if is_open { OPEN_METRICS } else { prometheus_text::CONTENT_TYPE };
    let head = [(CONTENT_TYPE, kind), (VARY, "accept")];
    Ok((Extension(OfProbe), head, text).into_response())
}

/// Asks the server at `address` whether it is alive.
///
/// # Errors
/// Where the server does not answer within three seconds, or not with 200.
pub fn healthcheck(mut address: SocketAddr) -> io::Result<()> {
    const TIMEOUT: Duration = Duration::from_secs(3);
    match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    let stream = TcpStream::connect_timeout(&address, TIMEOUT);
    let mut stream = stream.map_err(|error| {
        let text = format!("can't connect to {address}: {error}; see --host and --port");
        io::Error::new(error.kind(), text)
    })?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
    let mut status_line = [0; 12];
    stream.read_exact(&mut status_line)?;
    match &status_line {
        b"HTTP/1.1 200" => Ok(()),
        other => Err(io::Error::other(String::from_utf8_lossy(other).into_owned())),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use bestmove_engine::games::Knowledge;
    use bestmove_service::ServiceLimits;
    use futures_util::future::join_all;
    use tokio::runtime::Runtime;

    use super::*;
    use crate::http::HttpLimits;

    #[test]
    fn metrics_are_told_while_all_other_work_is_refused() {
        let hour = Duration::from_hours(1);
        let capacity =
            ServiceLimits { workers: 1, queue: 1, memory: 1 << 30, max_time: hour, cache: 0 };
        let limits = HttpLimits { body: 1024, arrival: hour, idle: hour, drain: hour };
        let app = App::new(&capacity, limits, Knowledge::default());
        let runtime = Runtime::new().expect("a runtime starts");
        runtime.block_on(async {
            let pool = app.service.pool();
            let (release, wait) = mpsc::channel::<()>();
            let wait = Arc::new(std::sync::Mutex::new(wait));
            let piece = || {
                let wait = Arc::clone(&wait);
                pool.run_short(move || wait.lock().map(|wait| wait.recv().is_ok()).is_ok())
            };
            let all = join_all((0..2000).map(|_| piece()));
            let told = async {
                assert!(pool.run_short(|| {}).await.is_err(), "the queue is full");
                let told = metrics(State(Arc::clone(&app)), HeaderMap::new()).await;
                drop(release);
                told.map(|told| told.status().as_u16()).map_err(|refused| refused.problem().kind())
            };
            // The pieces are first, so none of them leaves its place before.
            let (_, told) = tokio::join!(biased; all, told);
            assert_eq!(told, Ok(200));
        });
    }
}
