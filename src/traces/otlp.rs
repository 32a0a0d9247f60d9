//! Traces of requests, sent by OTLP over HTTP to the collector that the variables `OTEL_…` name.
//!
//! A thread of its own sends spans in batches. A span is lost where too many spans wait to be sent, so no answer waits
//! for a collector.

use std::time::Duration;
use std::{env, io};

use async_trait::async_trait;
use axum::http::HeaderMap;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{SpanId, SpanKind, Status, TracerProvider};
use opentelemetry::{Context, KeyValue};
use opentelemetry_http::{Bytes, HeaderExtractor, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter as OtlpExporter, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::resource::{EnvResourceDetector, TelemetryResourceDetector};
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use tracing::{Level, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::filter::{Targets, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::Registry;
use tracing_subscriber::util::SubscriberInitExt;

/// The name of the span of a request, in which the log writes its lines.
const REQUEST: &str = "request";

/// The time that the last spans may take to be sent.
const LAST_SPANS: Duration = Duration::from_secs(1);

/// The variables that name a collector. Nothing is traced unless one of them is set.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];

/// Traces to a collector, if one is named.
pub(crate) struct Traces(Option<SdkTracerProvider>);

impl Traces {
    /// Traces to the collector that the environment names, if any.
    pub(crate) fn start() -> io::Result<Self> {
        let is_off =
            |name, off: &str| variable(name).is_some_and(|value| value.eq_ignore_ascii_case(off));
        let endpoint = ENDPOINTS.iter().find_map(|name| Some((name, variable(name)?)));
        let Some((name, endpoint)) = endpoint else { return Ok(Self(None)) };
        if is_off("OTEL_SDK_DISABLED", "true") || is_off("OTEL_TRACES_EXPORTER", "none") {
            return Ok(Self(None));
        }
        if !endpoint.starts_with("http://") {
            let expected = "expected 'http://host:port', for there is no TLS to the collector";
            return Err(io::Error::other(format!("{name}: {expected}, but got '{endpoint}'")));
        }
        let exporter = OtlpExporter::builder().with_http().with_http_client(Client::new()).build();
        let exporter = exporter.map_err(|error| io::Error::other(format!("OTLP: {error}")))?;
        let provider = SdkTracerProvider::builder()
            .with_resource(resource())
            .with_batch_exporter(Exporter(exporter))
            .build();
        Ok(Self(Some(provider)))
    }

    /// Installs the log, with its filter, and the traces, which take all spans of requests and their steps.
    pub(crate) fn install(&self, lines: impl Layer<Registry> + Send + Sync, filter: Targets) {
        let layer = self.0.as_ref().map(|provider| {
            let layer = tracing_opentelemetry::layer()
                .with_tracer(provider.tracer("bestmove"))
                .with_context_activation(false)
                .with_tracked_inactivity(false)
                .with_threads(false)
                .with_target(false)
                .with_location(false);
            layer.with_filter(filter_fn(|metadata| {
                let is_wanted = metadata.is_span() || *metadata.level() <= Level::WARN;
                is_wanted && metadata.target().starts_with("bestmove")
            }))
        });
        tracing_subscriber::registry().with(lines.with_filter(filter)).with(layer).init();
    }

    /// Sends the last spans, unless the collector is slow.
    pub(crate) fn end(&self) {
        if let Some(provider) = &self.0 {
            // Spans that could not be sent are lost.
            let _ = provider.shutdown_with_timeout(LAST_SPANS);
        }
    }
}

/// The value of a variable of the environment, unless it is empty.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The service that the traces are about, by the variables of OpenTelemetry.
fn resource() -> Resource {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let own = [KeyValue::new("service.name", "bestmove"), version];
    let named = Resource::builder_empty().with_attributes(own).with_detectors(&[
        Box::new(TelemetryResourceDetector),
        Box::new(EnvResourceDetector::new()),
    ]);
    match variable("OTEL_SERVICE_NAME") {
        Some(name) => named.with_service_name(name).build(),
        None => named.build(),
    }
}

/// Makes a span part of the trace that the headers name.
pub(crate) fn follow(span: &Span, headers: &HeaderMap) {
    let caller = TraceContextPropagator::new()
        .extract_with_context(&Context::new(), &HeaderExtractor(headers));
    // Setting the parent fails only for a span that is not traced.
    let _ = span.set_parent(caller);
}

/// Records the status of an answer in the span of its request.
pub(crate) fn answered(span: &Span, status: u16) {
    span.set_attribute("http.response.status_code", i64::from(status));
    if status >= 500 {
        span.set_status(Status::error(""));
    }
}

/// Renames spans and attributes by the conventions of OpenTelemetry before they are sent.
#[derive(Debug)]
struct Exporter(OtlpExporter);

impl SpanExporter for Exporter {
    async fn export(&self, mut spans: Vec<SpanData>) -> OTelSdkResult {
        // A step outside of any request is of no use.
        spans.retain(|span| span.name == REQUEST || span.parent_span_id != SpanId::INVALID);
        spans.iter_mut().filter(|span| span.name == REQUEST).for_each(describe_request);
        if spans.is_empty() { Ok(()) } else { self.0.export(spans).await }
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}

/// Names the span of a request, and its attributes, by the semantic conventions for HTTP.
fn describe_request(span: &mut SpanData) {
    let [method, route] = ["method", "route"].map(|key| {
        let attribute = span.attributes.iter().find(|it| it.key.as_str() == key);
        attribute.map(|it| it.value.as_str()).unwrap_or_default()
    });
    span.name = format!("{method} {route}").into();
    span.span_kind = SpanKind::Server;
    span.attributes.retain(|it| it.key.as_str() != "traceparent");
    for attribute in &mut span.attributes {
        attribute.key = match attribute.key.as_str() {
            "id" => "http.request.header.x-request-id".into(),
            "method" => "http.request.method".into(),
            "route" => "http.route".into(),
            _ => continue,
        };
    }
}

/// The HTTP client of the collector, used by the thread that sends.
#[derive(Debug)]
struct Client(ureq::Agent);

impl Client {
    fn new() -> Self {
        let milliseconds = ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"]
            .into_iter()
            .find_map(|name| variable(name)?.parse().ok());
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_millis(milliseconds.unwrap_or(10_000))))
            .http_status_as_error(false)
            .max_redirects(0);
        Self(config.build().into())
    }
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, body) = request.into_parts();
        let (parts, mut body) = self.0.run(Request::from_parts(parts, &body[..]))?.into_parts();
        Ok(Response::from_parts(parts, body.read_to_vec()?.into()))
    }
}
