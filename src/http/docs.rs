//! The contract, as the project has it in `openapi.yaml`, with the names of the games filled in.

use std::sync::LazyLock;

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use crate::service;

/// What stands in `openapi.yaml` where the names of the games belong.
const NAMES_IN_YAML: &str = "x-enum: the names of the games";
const NAMES_IN_JSON: &str = r#""x-enum":"the names of the games""#;

static YAML: LazyLock<String> = LazyLock::new(|| {
    let names: Vec<_> = service::game_names().collect();
    let list = format!("enum: [{}]", names.join(", "));
    include_str!("../../openapi.yaml").replace(NAMES_IN_YAML, &list)
});

static JSON: LazyLock<String> = LazyLock::new(|| {
    let names: Vec<_> = service::game_names().map(|name| format!("{name:?}")).collect();
    let list = format!(r#""enum":[{}]"#, names.join(","));
    include_str!(concat!(env!("OUT_DIR"), "/openapi.json")).replace(NAMES_IN_JSON, &list)
});

/// `GET /openapi.yaml`
pub(super) async fn yaml() -> Response {
    ([(CONTENT_TYPE, "application/yaml")], YAML.as_str()).into_response()
}

/// `GET /openapi.json`
pub(super) async fn json() -> Response {
    ([(CONTENT_TYPE, "application/json")], JSON.as_str()).into_response()
}
