//! The schemas of requests, from their types: JSON Schema as `OpenAPI` 3.1 has it.
//!
//! A request has the properties of those [`Fields`] that it takes. The prose is that of the doc comments.

use std::mem::take;

use bestmove_api::{
    AnalysisRequest, BestMoveRequest, Fields, PositionRequest, Prepare, ReviewRequest, TreeRequest,
};
use bestmove_engine::games::any::TreeParameters;
use bestmove_engine::search::Algorithm;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// Where the contract has the schemas that have names.
const PLACE: &str = "/components/schemas";

/// The schemas of the requests of the contract and of what they consist of, by name.
pub(crate) fn request_schemas() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12();
    let settings = settings.with(|settings| settings.definitions_path = PLACE.into());
    let mut generator = settings.into_generator();
    let all = Fields::json_schema(&mut generator);
    let described = |text: &str| json!({ "description": text });
    let requests = [
        request::<PositionRequest>("A position and the moves played from it.", &all, &json!({})),
        request::<BestMoveRequest>(
            "What the best move is asked for.",
            &all,
            &json!({"include": described(
                "What `after` contains besides the position: `legal_moves`, or the `board` with the `last_move`, which is the \
                 best one; and `reasons` of the best move, or the `threat` of the other side.",
            )}),
        ),
        request::<AnalysisRequest>(
            "What an analysis is asked for.",
            &all,
            &json!({"include": described(
                "What the answer includes about the position asked about, and about its moves.",
            )}),
        ),
        request::<ReviewRequest>(REVIEW, &all, &review(&mut generator)),
        request::<TreeRequest>("What a decision tree is asked for.", &all, &tree(&mut generator)),
    ];
    let names =
        ["PositionRequest", "BestMoveRequest", "AnalysisRequest", "ReviewRequest", "TreeRequest"];
    let mut schemas: Map<_, _> = names.map(str::to_owned).into_iter().zip(requests).collect();
    schemas.extend(generator.take_definitions(true));
    for schema in schemas.values_mut() {
        if let Ok(schema) = schema.try_into() {
            Readable.transform(schema);
        }
    }
    schemas
}

/// What a review is.
const REVIEW: &str = "\
A game to review, and the limits of the first search of each position: 20 000 nodes where `depth`, `time_ms` and `nodes` \
are all absent. Where the searches of neighbouring positions disagree by more than 0.05 expected points, the moves that \
were not played are searched with eight times the nodes, twice the time, one ply deeper; where that leaves more than 0.1, \
once more with 32 times the nodes, three times the time, two plies deeper. No search is raised above a million nodes, no \
position is searched more than five times, and the server's own limits hold for every search.";

/// What differs in the fields of a review.
fn review(generator: &mut SchemaGenerator) -> Value {
    let included = named(
        generator,
        "ReviewIncluded",
        "`reasons` of each move that was played, and of the best one where it is another; `exercises` from the game. Both \
         are searched for as in `/analyze`.",
        &["reasons", "exercises"],
    );
    json!({
        "position": {"description": "The position in which the game begins; the start where absent."},
        "moves": {
            "description": "The moves of the game, 1 to 1000.",
            "minItems": 1, "maxItems": 1000, "minLength": 1,
        },
        "include": {
            "description": "What the review includes beside the value of each move.",
            "items": included,
        },
        "view": {
            "description": "From whose view values are told; `mover`, the side that moves first in the game, where absent.",
        },
    })
}

/// What differs in the fields of a tree.
fn tree(generator: &mut SchemaGenerator) -> Value {
    let algorithms = TreeParameters::ALGORITHMS.map(Algorithm::name);
    let algorithm =
        named(generator, "TreeAlgorithm", "The search whose tree is shown.", &algorithms);
    json!({
        "depth": {"description": "Plies below the position, at most the game's `max_depth`."},
        "algorithm": {
            "description": "The search whose tree is shown; `minimax` where absent.",
            "anyOf": [algorithm, {"type": "null"}],
        },
    })
}

/// The schema of a request: the fields of `all` that it takes, with what is said of its `own`.
fn request<R: Prepare>(description: &str, all: &Schema, own: &Value) -> Value {
    let property = |name: &&str| {
        let mut property = all.get("properties").map_or(Value::Null, |all| all[name].clone());
        for (key, value) in own[name].as_object().into_iter().flatten() {
            property[key] = value.clone();
        }
        if R::REQUIRED.contains(name) {
            property = not_null(property);
        }
        ((*name).to_owned(), property)
    };
    let properties: Map<_, _> = R::FIELDS.concat().iter().map(property).collect();
    json!({
        "description": description,
        "type": "object",
        "additionalProperties": false,
        "required": R::REQUIRED,
        "properties": properties,
    })
}

/// A schema that `null` does not fit.
fn not_null(mut schema: Value) -> Value {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [one] = &mut types[..] {
            schema["type"] = take(one);
        }
    }
    if let Some(Value::Array(forms)) = schema.get_mut("anyOf") {
        forms.retain(|form| form["type"] != "null");
    }
    schema
}

/// A reference to a schema of this name, of the texts that are listed.
fn named(generator: &mut SchemaGenerator, name: &str, description: &str, values: &[&str]) -> Value {
    let schema = json!({"description": description, "type": "string", "enum": values});
    generator.definitions_mut().insert(name.to_owned(), schema);
    json!({"$ref": format!("#{PLACE}/{name}")})
}

/// Says the same in the form that people and generators of clients read best.
struct Readable;

impl Transform for Readable {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        schema.remove("format");
        if schema.get("type").is_some_and(|name| name == "object") {
            schema.insert("additionalProperties".to_owned(), false.into());
        }
        if let Some(Value::Array(forms)) = schema.remove("anyOf") {
            let types: Vec<_> = forms.iter().map(only_type).collect();
            match forms.len() {
                _ if types.iter().all(Option::is_some) => {
                    let types: Vec<_> = types.into_iter().flatten().collect();
                    let types = if let [one] = &types[..] { one.clone() } else { types.into() };
                    schema.insert("type".to_owned(), types);
                }
                1 => _ = schema.insert("allOf".to_owned(), forms.into()),
                _ => _ = schema.insert("oneOf".to_owned(), forms.into()),
            }
        }
        if schema.as_object().is_some_and(|schema| schema.len() > 1)
            && let Some(reference) = schema.remove("$ref")
        {
            schema.insert("allOf".to_owned(), json!([{"$ref": reference}]));
        }
    }
}

/// The type of a schema that says nothing else.
fn only_type(schema: &Value) -> Option<Value> {
    let schema = schema.as_object().filter(|schema| schema.len() == 1)?;
    schema.get("type").filter(|name| name.is_string()).cloned()
}
