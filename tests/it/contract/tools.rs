//! The schemas of the tools of assistants: the requests and answers of the contract in plain schemas.
//!
//! Some clients refuse all tools of a server if one schema has a list of types, a choice or a reference. So each property
//! and item has one type, that of its first form in the contract. The service still takes the other forms.

use serde_json::{Map, Value, json};

/// Where the program has the schemas.
pub(crate) const FILE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/crates/adapters/src/mcp/schemas.json");

/// The schemas of each tool, from the contract.
pub(crate) fn schemas(contract: Value) -> Value {
    let contract = Contract(contract);
    json!({
        "list_games": {
            "input": {"type": "object", "properties": {}, "additionalProperties": false},
            "output": contract.result("Games"),
        },
        "get_position": {
            "input": contract.component("PositionRequest"),
            "output": contract.result("Board"),
        },
        "best_move": {
            "input": contract.component("BestMoveRequest"),
            "output": contract.result("BestMove"),
        },
        "analyze_position": {
            "input": contract.component("AnalysisRequest"),
            "output": contract.result("Analysis"),
        },
        "review_game": {
            "input": contract.component("ReviewRequest"),
            "output": contract.result("Review"),
        },
        "render_board": {"input": contract.with_query("PositionRequest", "/board.svg")},
    })
}

/// The contract: an `OpenAPI` document.
struct Contract(Value);

impl Contract {
    /// The schema called `name`, without references.
    fn component(&self, name: &str) -> Map<String, Value> {
        self.plain(&self.0["components"]["schemas"][name])
    }

    /// The schema of a result. A problem fits it too: some clients hold the structured content of an error against it.
    /// Of what is in a property nothing is described, since hosts show models the whole schema.
    fn result(&self, name: &str) -> Map<String, Value> {
        let mut schema = self.component(name);
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        for (_, property) in properties.into_iter().flatten() {
            let description = property["description"].take();
            shorten(property);
            property["description"] = description;
        }
        schema
            .retain(|keyword, _| !["required", "additionalProperties"].contains(&keyword.as_str()));
        schema
    }

    /// The schema called `name`, with the parameters of `GET path` as further properties.
    fn with_query(&self, name: &str, path: &str) -> Map<String, Value> {
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
        self.plain(&schema)
    }

    /// The target of a reference, or `value` itself where it is no reference.
    fn target<'a>(&'a self, value: &'a Value) -> &'a Value {
        let place = value["$ref"].as_str().map(|reference| reference.trim_start_matches('#'));
        place.map_or(value, |place| self.0.pointer(place).unwrap_or(&Value::Null))
    }

    /// `schema` and all schemas in it, without references and choices, each with one type.
    fn plain(&self, schema: &Value) -> Map<String, Value> {
        let plain = |schema| self.plain(schema);
        let mut members = Map::new();
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

/// Removes the descriptions of a schema and of all in it, and that it has no other properties: a later version may.
fn shorten(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    keywords.remove("description");
    keywords.remove("additionalProperties");
    let inner =
        keywords.iter_mut().filter(|(name, _)| ["properties", "items"].contains(&name.as_str()));
    for (name, value) in inner {
        match value.as_object_mut() {
            Some(properties) if name == "properties" => {
                properties.values_mut().for_each(shorten);
            }
            _ => shorten(value),
        }
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
fn without_other_forms(mut schema: Map<String, Value>) -> Map<String, Value> {
    let of_type = first_type(schema.get("type").unwrap_or(&Value::Null)).unwrap_or_default();
    let others: &[&str] = match of_type {
        "array" => &["minLength", "maxLength", "pattern", "format"],
        "string" => &["minItems", "maxItems", "items", "minimum", "maximum"],
        _ => &["minLength", "maxLength", "pattern", "minItems", "maxItems", "items"],
    };
    others.iter().chain(&["examples"]).for_each(|name| _ = schema.remove(*name));
    schema
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
