//! The contract, as the project has it in `openapi.yaml`, with the names of the games filled in.

use std::sync::LazyLock;

use axum::http::HeaderMap;
use axum::response::Response;

use super::asset::Asset;
use crate::service;

/// What stands in `openapi.yaml` where the names of the games belong.
const NAMES_IN_YAML: &str = "x-enum: the names of the games";
const NAMES_IN_JSON: &str = r#""x-enum":"the names of the games""#;

static YAML: LazyLock<Asset> = LazyLock::new(|| {
    let names: Vec<_> = service::game_names().collect();
    let list = format!("enum: [{}]", names.join(", "));
    let text = include_str!("../../openapi.yaml").replace(NAMES_IN_YAML, &list);
    Asset::new("application/yaml", text)
});

static JSON: LazyLock<Asset> = LazyLock::new(|| {
    let names: Vec<_> = service::game_names().map(|name| format!("{name:?}")).collect();
    let list = format!(r#""enum":[{}]"#, names.join(","));
    let text = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));
    Asset::new("application/json", text.replace(NAMES_IN_JSON, &list))
});

/// `GET /openapi.yaml`
pub(super) async fn yaml(headers: HeaderMap) -> Response {
    YAML.response(&headers)
}

/// `GET /openapi.json`
pub(super) async fn json(headers: HeaderMap) -> Response {
    JSON.response(&headers)
}
