//! The arguments of tools: the schemas of the requests in the contract.

use std::sync::{Arc, LazyLock};

use rmcp::model::JsonObject;
use serde_json::{Value, json};

use crate::http::assets::contract;

static CONTRACT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(contract()).unwrap_or_default());

/// No arguments.
pub(super) fn empty() -> Arc<JsonObject> {
    object(&json!({"type": "object", "additionalProperties": false}))
}

/// The schema of this name, complete in itself.
pub(super) fn request(name: &str) -> Arc<JsonObject> {
    object(&CONTRACT["components"]["schemas"][name])
}

/// The schema of this name, with the parameters of a GET as further properties.
pub(super) fn request_with_query(name: &str, path: &str) -> Arc<JsonObject> {
    let mut schema = CONTRACT["components"]["schemas"][name].clone();
    let parameters = CONTRACT["paths"][path]["get"]["parameters"].as_array();
    let parameters = parameters.into_iter().flatten().map(resolved);
    for parameter in parameters.filter(|it| it["in"] == "query") {
        let name = parameter["name"].as_str().unwrap_or_default();
        if schema["properties"].get(name).is_none() {
            let mut property = parameter["schema"].clone();
            property["description"] = parameter["description"].clone();
            schema["properties"][name] = property;
        }
    }
    object(&schema)
}

fn object(schema: &Value) -> Arc<JsonObject> {
    match resolved(schema) {
        Value::Object(members) => Arc::new(members),
        _ => Arc::default(),
    }
}

/// A schema with what its references lead to in their places.
fn resolved(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let target = members.get("$ref").and_then(Value::as_str);
            match target.and_then(|target| CONTRACT.pointer(target.trim_start_matches('#'))) {
                Some(target) => resolved(target),
                None => members.iter().map(|(name, it)| (name.clone(), resolved(it))).collect(),
            }
        }
        Value::Array(items) => items.iter().map(resolved).collect(),
        other => other.clone(),
    }
}
