//! What operators and their tools ask for: health and metrics.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE, VARY};
use axum::response::{IntoResponse, Response};

use super::json;
use crate::http::app::App;
use crate::http::dto::Health;
use crate::http::problem::Problem;
use crate::http::search_record::Probe;
use crate::service::{Failure, Overloaded};

/// `GET /health`: alive.
pub(in crate::http) async fn health() -> Response {
    (Extension(Probe), json(&Health::OK)).into_response()
}

/// `GET /health/ready`: alive and not about to stop.
pub(in crate::http) async fn ready(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    if app.service.pool().is_draining() {
        return Err(Failure::Overloaded(Overloaded::Draining).into());
    }
    Ok(health().await)
}

/// `GET /metrics`: in the format of `OpenMetrics` for those that accept it, else in the text format of Prometheus.
pub(in crate::http) async fn metrics(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";
    let mut accepted = headers.get_all(ACCEPT).iter().filter_map(|types| types.to_str().ok());
    let is_open = accepted.any(|types| types.contains("application/openmetrics-text"));
    let text = if is_open {
        app.metrics.open_metrics(&app.service)
    } else {
        app.metrics.text(&app.service)
    };
    let Ok(text) = text else { return Problem::internal().into_response() };
    let kind = if is_open { OPEN_METRICS } else { TEXT };
    let head = [(CONTENT_TYPE, kind), (VARY, "accept")];
    (Extension(Probe), head, text).into_response()
}

/// Asks the server at this address whether it is alive.
///
/// # Errors
/// Where it does not say so within three seconds.
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
