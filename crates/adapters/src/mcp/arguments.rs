//! The arguments of tools as models and hosts write them.

use rmcp::model::JsonObject;
use serde_json::{Number, Value};

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
    use serde_json::json;

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
}
