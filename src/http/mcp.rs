//! `/mcp`: the messages of assistants, which the adapter of the Model Context Protocol answers.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::Response;

use super::app::App;
use super::body::{read_json, refuse};
use super::problem::ProblemResponse;
use super::request_id::request_id;
use bestmove_adapters::mcp;
use bestmove_api::{Problem, ProblemKind};
use bestmove_service::Failure;

/// `POST /mcp`: one message, and its answer where it is a request. A client that leaves cancels the
/// request.
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    Extension(origins): Extension<Origins>,
    request: Request,
) -> Result<Response, ProblemResponse> {
    if !origins.allow(request.headers()) {
        let detail = "pages of this origin may not use the tools, unless --cors-origin names it";
        let problem = Problem::new(ProblemKind::ForbiddenOrigin, detail);
        return Err(refuse(request, &app, problem).await);
    }
    let (parts, body) = request.into_parts();
    let body = read_json(&parts.headers, body, &app).await?.into_bytes();
    let id = request_id(&parts.headers).to_owned();
    let message = Request::from_parts(parts, body);
    let answer = mcp::answer(Arc::clone(&app.service), message, id).await?;
    let (parts, body) = answer.into_parts();
    let body = app.service.pool().unsent(body).map_err(Failure::from)?;
    Ok(Response::from_parts(parts, body.into()))
}

/// The origins whose pages may use the tools, beside those of this machine. A browser names the origin of a page in
/// `Origin`; other programs send none.
#[derive(Clone)]
pub(super) struct Origins(Arc<[HeaderValue]>);

impl Origins {
    /// Allows the origins in `named`; `*` names none.
    pub(super) fn new(named: &[HeaderValue]) -> Self {
        Self(named.into())
    }

    /// Whether a request with `headers` may be answered: it comes from no page, from a page of this machine, or from an
    /// origin that the settings name. A page under the IP address of this server is the server's own. A page under a name
    /// may be foreign, since any site can let its name lead here (DNS rebinding).
    fn allow(&self, headers: &HeaderMap) -> bool {
        headers.get_all(ORIGIN).iter().all(|origin| {
            let mut named = self.0.iter().filter(|named| *named != "*");
            named.any(|named| named.as_bytes().eq_ignore_ascii_case(origin.as_bytes()))
                || is_near(origin, headers.get(HOST)).unwrap_or(false)
        })
    }
}

/// Whether `origin` is of this machine, or is the IP address that the request was sent to.
fn is_near(origin: &HeaderValue, host: Option<&HeaderValue>) -> Option<bool> {
    let origin: Uri = origin.to_str().ok()?.parse().ok()?;
    if !matches!(origin.scheme_str(), Some("http" | "https")) {
        return None;
    }
    let name = origin.host()?;
    if name.eq_ignore_ascii_case("localhost") {
        return Some(true);
    }
    let address: IpAddr = name.trim_matches(['[', ']']).parse().ok()?;
    let is_own =
        || host.is_some_and(|host| host == origin.authority().map_or("", |it| it.as_str()));
    Some(address.is_loopback() || is_own())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_this_machine_and_those_that_are_named_may_use_the_tools() {
        let named = ["*", "https://games.example"].map(HeaderValue::from_static);
        let origins = Origins::new(&named);
        let cases: [(&[&str], &str, bool); 20] = [
            (&[], "evil.example", true),
            (&["http://localhost:6274"], "a", true),
            (&["https://LOCALHOST"], "a", true),
            (&["http://127.0.0.1:3000"], "a", true),
            (&["http://127.1.2.3"], "a", true),
            (&["http://[::1]:3000"], "a", true),
            (&["https://games.example"], "a", true),
            (&["http://192.168.1.5:8080"], "192.168.1.5:8080", true),
            (&["http://[fe80::1]:8080"], "[fe80::1]:8080", true),
            (&["http://192.168.1.5:8081"], "192.168.1.5:8080", false),
            (&["http://games.example"], "a", false),
            (&["https://games.example:8443"], "a", false),
            (&["https://evil.example"], "a", false),
            // Its name leads to this machine, so it is the host of the request.
            (&["http://evil.example:8080"], "evil.example:8080", false),
            (&["http://localhost.evil.example"], "a", false),
            (&["http://127.0.0.1.evil.example"], "a", false),
            (&["chrome-extension://localhost"], "a", false),
            (&["null"], "a", false),
            (&["http://localhost", "https://evil.example"], "a", false),
            (&[""], "a", false),
        ];
        for (sent, host, is_allowed) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static(host));
            for &origin in sent {
                headers.append(ORIGIN, HeaderValue::from_static(origin));
            }
            assert_eq!(origins.allow(&headers), is_allowed, "{sent:?} to {host}");
        }
    }
}
