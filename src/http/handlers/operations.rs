//! What operators and their tools ask for: health and metrics.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::json;
use crate::http::app::App;
use crate::http::dto::Health;
use crate::http::problem::Problem;
use crate::service::{Failure, Overloaded};

/// `GET /health`: alive.
pub(in crate::http) async fn health() -> Response {
    json(&Health::OK)
}

/// `GET /health/ready`: alive and not about to stop.
pub(in crate::http) async fn ready(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    if app.service.pool().is_draining() {
        return Err(Failure::Overloaded(Overloaded::Draining).into());
    }
    Ok(json(&Health::OK))
}

/// `GET /metrics`
pub(in crate::http) async fn metrics(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let shared = Arc::clone(&app);
    let text = app.service.pool().run_short(move || shared.metrics.text(&shared.service)).await?;
    let text = text.map_err(|_| Problem::internal())?;
    Ok(([(CONTENT_TYPE, OPEN_METRICS)], text).into_response())
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
