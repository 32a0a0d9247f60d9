//! The arguments of tools: the requests of the contract in plain schemas.
//!
//! Some clients refuse all tools of a server if one schema has a list of types, a choice or a reference. So each property
//! and item has one type, that of its first form in the contract. The service still takes the other forms.

use std::sync::Arc;

use rmcp::model::JsonObject;
use serde_json::{Number, Value, json};

/// No arguments.
pub(super) fn empty() -> Arc<JsonObject> {
    let schema = json!({"type": "object", "properties": {}, "additionalProperties": false});
    Arc::new(Contract(Value::Null).plain(&schema))
}

/// The contract: an `OpenAPI` document.
pub(super) struct Contract(pub(super) Value);

impl Contract {
    /// The schema called `name`, without references.
    pub(super) fn request(&self, name: &str) -> Arc<JsonObject> {
        Arc::new(self.plain(&self.0["components"]["schemas"][name]))
    }

    /// The schema called `name`, with the parameters of `GET path` as further properties.
    pub(super) fn request_with_query(&self, name: &str, path: &str) -> Arc<JsonObject> {
        let mut schema = self.0["components"]["schemas"][name].clone();
        let parameters = self.0["paths"][path]["get"]["parameters"].as_array();
        let parameters = parameters.into_iter().flatten().map(|parameter| self.target(parameter));
        for parameter in parameters.filter(|it| it["in"] == "query") {
            let name = parameter["name"].as_str().unwrap_or_default();
            if schema["properties"].get(name).is_none() {
                let mut property = parameter["schema"].clone();
                property["description"] = parameter["description"].clone();
                schema["properties"][name] = property;
            }
        }
        Arc::new(self.plain(&schema))
    }

    /// The target of a reference, or `value` itself where it is no reference.
    fn target<'a>(&'a self, value: &'a Value) -> &'a Value {
        let place = value["$ref"].as_str().map(|reference| reference.trim_start_matches('#'));
        place.map_or(value, |place| self.0.pointer(place).unwrap_or(&Value::Null))
    }

    /// `schema` and all schemas in it, without references and choices, each with one type.
    fn plain(&self, schema: &Value) -> JsonObject {
        let plain = |schema| self.plain(schema);
        let mut members = JsonObject::new();
        let own = schema.as_object().into_iter().flatten();
        for (name, value) in own.clone() {
            match (name.as_str(), value) {
                ("$ref", _) => members.extend(plain(self.target(schema))),
                ("allOf", Value::Array(parts)) => members.extend(parts.iter().flat_map(plain)),
                ("oneOf" | "anyOf", Value::Array(forms)) => {
                    let first = forms.iter().map(plain).find(|form| form.contains_key("type"));
                    members.extend(first.unwrap_or_default());
                }
                _ => {}
            }
        }
        for (name, value) in own {
            let value = match (name.as_str(), value) {
                ("$ref" | "allOf" | "oneOf" | "anyOf", _) | ("default", Value::Null) => continue,
                ("type", _) => match first_type(value) {
                    Some(first) => first.into(),
                    None => continue,
                },
                ("properties", Value::Object(properties)) => {
                    let plain = |(name, it): (&String, _)| (name.clone(), Value::from(plain(it)));
                    properties.iter().map(plain).collect()
                }
                ("items", _) => plain(value).into(),
                ("enum", Value::Array(values)) => {
                    values.iter().filter(|value| !value.is_null()).cloned().collect()
                }
                _ => value.clone(),
            };
            members.insert(name.clone(), value);
        }
        without_other_forms(members)
    }
}

/// The type of a schema, or the first of a list of types; `null` does not count.
fn first_type(value: &Value) -> Option<&str> {
    let types = match value {
        Value::Array(types) => &types[..],
        one => std::slice::from_ref(one),
    };
    types.iter().filter_map(Value::as_str).find(|&name| name != "null")
}

/// Removes the keywords of other types from a schema of one type.
fn without_other_forms(mut schema: JsonObject) -> JsonObject {
    let of_type = first_type(schema.get("type").unwrap_or(&Value::Null)).unwrap_or_default();
    let others: &[&str] = match of_type {
        "array" => &["minLength", "maxLength", "pattern", "format"],
        "string" => &["minItems", "maxItems", "items", "minimum", "maximum"],
        _ => &["minLength", "maxLength", "pattern", "minItems", "maxItems", "items"],
    };
    others.iter().chain(&["examples"]).for_each(|name| _ = schema.remove(*name));
    schema
}

/// The arguments of a tool, by `schema`. Many models send numbers, truth values and lists as text: where `schema` wants no
/// text, such a text is read.
pub(super) fn read_texts(value: Value, schema: &Value) -> Value {
    let of_type = schema["type"].as_str().unwrap_or_default();
    match (of_type, value) {
        ("object", Value::Object(members)) => {
            let read = |(name, value)| {
                let value = read_texts(value, &schema["properties"][&name]);
                (name, value)
            };
            members.into_iter().map(read).collect()
        }
        ("array", Value::Array(items)) => {
            items.into_iter().map(|item| read_texts(item, &schema["items"])).collect()
        }
        (_, Value::String(text)) => match meant(&text, of_type) {
            Some(list @ Value::Array(_)) => read_texts(list, schema),
            Some(value) => value,
            None if schema["items"]["enum"].is_array() => {
                text.split(',').map(|name| Value::from(name.trim())).collect()
            }
            None => Value::String(text),
        },
        (_, value) => value,
    }
}

/// The arguments without blank ones, and without those that hosts add, such as `sessionId`: no argument of a tool is written in
/// camel case. An argument that is a tool's in another case stays, so that it is refused.
pub(super) fn without_additions(mut arguments: JsonObject, schema: &Value) -> JsonObject {
    let names = schema["properties"].as_object();
    let is_known = |name: &str| {
        let letters = name.to_ascii_lowercase();
        names.is_some_and(|names| names.keys().any(|known| known.replace('_', "") == letters))
    };
    arguments.retain(|name, value| {
        let is_blank = *value == "" || value.as_array().is_some_and(Vec::is_empty);
        let is_added = name.contains(char::is_uppercase) && !is_known(name);
        !is_blank && !is_added
    });
    arguments
}

/// Reads a text as a value of the type `of_type`.
fn meant(text: &str, of_type: &str) -> Option<Value> {
    let text = text.trim();
    match of_type {
        "integer" | "number" => text.parse::<Number>().ok().map(Value::Number),
        "boolean" => text.to_ascii_lowercase().parse().ok().map(Value::Bool),
        "array" => serde_json::from_str(text).ok().filter(Value::is_array),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_where_nothing_else_can_be_meant() {
        let schema = json!({
            "type": "object",
            "properties": {
                "depth": {"type": "integer"},
                "flag": {"type": "boolean"},
                "name": {"type": "string"},
                "moves": {"type": "array", "items": {"type": "string"}},
                "sizes": {"type": "array", "items": {"type": "integer"}},
                "inner": {"type": "object", "properties": {"depth": {"type": "integer"}}},
            },
        });
        let cases = [
            (json!({"depth": "3"}), json!({"depth": 3})),
            (json!({"depth": " 3 "}), json!({"depth": 3})),
            (json!({"depth": "3.0"}), json!({"depth": 3.0})),
            (json!({"depth": "-3"}), json!({"depth": -3})),
            (json!({"depth": "three"}), json!({"depth": "three"})),
            (json!({"depth": "1e999"}), json!({"depth": "1e999"})),
            (json!({"depth": ""}), json!({"depth": ""})),
            (json!({"depth": "true"}), json!({"depth": "true"})),
            (json!({"flag": "true"}), json!({"flag": true})),
            (json!({"flag": "False"}), json!({"flag": false})),
            (json!({"flag": "1"}), json!({"flag": "1"})),
            (json!({"name": "3"}), json!({"name": "3"})),
            (json!({"name": "[1]"}), json!({"name": "[1]"})),
            (json!({"other": "3"}), json!({"other": "3"})),
            (json!({"moves": ["4", "4"]}), json!({"moves": ["4", "4"]})),
            (json!({"moves": "[\"e4\", \"e5\"]"}), json!({"moves": ["e4", "e5"]})),
            (json!({"moves": "1. e4 e5"}), json!({"moves": "1. e4 e5"})),
            (json!({"moves": "[Result \"*\"]"}), json!({"moves": "[Result \"*\"]"})),
            (json!({"moves": "{\"a\": 1}"}), json!({"moves": "{\"a\": 1}"})),
            (json!({"sizes": "[\"1\", 2]"}), json!({"sizes": [1, 2]})),
            (json!({"sizes": ["1", "x"]}), json!({"sizes": [1, "x"]})),
            (json!({"inner": {"depth": "7"}}), json!({"inner": {"depth": 7}})),
            (json!({"depth": null, "moves": null}), json!({"depth": null, "moves": null})),
        ];
        for (sent, meant) in cases {
            assert_eq!(read_texts(sent.clone(), &schema), meant, "{sent}");
        }
    }

    #[test]
    fn a_schema_becomes_plain_by_its_first_form() {
        let cases = [
            (
                json!({"type": ["integer", "null"], "minimum": 1}),
                json!({"type": "integer", "minimum": 1}),
            ),
            (json!({"oneOf": [{"type": "null"}, {"type": "string"}]}), json!({"type": "string"})),
            (
                json!({"description": "a", "allOf": [{"type": "string", "description": "b"}]}),
                json!({"type": "string", "description": "a"}),
            ),
            (
                json!({"anyOf": [{"type": "array", "items": {"type": ["string", "integer"]}}, {"type": "string"}], "minLength": 1}),
                json!({"type": "array", "items": {"type": "string"}}),
            ),
            (
                json!({"type": "string", "enum": ["a", null], "default": null}),
                json!({"type": "string", "enum": ["a"]}),
            ),
            (json!({"$ref": "#/components/schemas/Level"}), json!({"type": "integer"})),
        ];
        let level = json!({"oneOf": [{"type": "integer"}, {"type": "string"}]});
        let contract = Contract(json!({"components": {"schemas": {"Level": level}}}));
        for (schema, expected) in cases {
            assert_eq!(Value::Object(contract.plain(&schema)), expected, "{schema}");
        }
    }
}
