//! Schemas of fields of requests that the types do not tell: names of the catalogue, and bounds.

use std::borrow::Cow;

use schemars::generate::SchemaGenerator;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::fields::{Integer, MOST, OneMove};
use crate::game_names;
use bestmove_engine::game::LevelNumber;
use bestmove_engine::games::CATALOGUE;
use bestmove_engine::search::Algorithm;

/// The JSON Pointer to the named schemas of a document.
const PLACE: &str = "/components/schemas";

/// A reference to a named schema of a text that is one of `values`.
fn named(generator: &mut SchemaGenerator, name: &str, description: &str, values: &[&str]) -> Value {
    let schema = json!({"description": description, "type": "string", "enum": values});
    generator.definitions_mut().insert(name.to_owned(), schema);
    json!({"$ref": format!("#{PLACE}/{name}")})
}

fn schema(value: Value) -> Schema {
    value.try_into().unwrap_or_default()
}

/// The schema, or `null`.
fn optional(value: &Value) -> Schema {
    schema(json!({"anyOf": [value, {"type": "null"}]}))
}

pub(super) fn game(generator: &mut SchemaGenerator) -> Schema {
    let names: Vec<_> = game_names().collect();
    let description = "The name of a game, one of those that `GET /games` lists.";
    optional(&named(generator, "GameName", description, &names))
}

pub(super) fn side(generator: &mut SchemaGenerator) -> Schema {
    let mut sides = Vec::new();
    for side in CATALOGUE.iter().flat_map(|game| game.info().sides) {
        if !sides.contains(&side) {
            sides.push(side);
        }
    }
    let description = "The name of a side, one of the game's two.";
    schema(named(generator, "SideName", description, &sides))
}

pub(super) fn search_moves(generator: &mut SchemaGenerator) -> Schema {
    let list = json!({
        "type": "array", "items": generator.subschema_for::<OneMove>(), "minItems": 1,
    });
    schema(json!({"anyOf": [list, {"type": "string"}, {"type": "null"}]}))
}

pub(super) fn algorithm(generator: &mut SchemaGenerator) -> Schema {
    let description = "\
`minimax` is the textbook search without any pruning. `alpha-beta` prunes only what cannot matter: the same value and the \
same move at the same depth, fewer nodes. `selective` also searches past the horizon and skips what is unlikely to matter: \
stronger in the same time. `solve` proves outcome and distance in a game that must end; where a limit stops it, the answer \
is that of the deepest completed `alpha-beta`. The default is `selective` in a game that need not end; in one that must, \
`solve` where `depth` is absent or reaches the end, else `alpha-beta`.";
    optional(&named(generator, "Algorithm", description, &Algorithm::ALL.map(Algorithm::name)))
}

pub(super) fn level_name(generator: &mut SchemaGenerator) -> Schema {
    let names: Vec<_> = LevelNumber::names().collect();
    let description = "\
The name of a level; `beginner` and `easy` are 2, `amateur` and `medium` 4, `professional` and `hard` 7, `master` and `strongest` 10.";
    schema(named(generator, "LevelName", description, &names))
}

pub(super) fn include(generator: &mut SchemaGenerator) -> Schema {
    let description = "\
What an answer includes. `reasons` and `threat` are searched for: at most twelve searches of 10 000 nodes a move and two \
of 400 000, which `search.nodes` counts. They are values of the side to move whatever `view` is.";
    let items = named(generator, "Included", description, &super::INCLUDED);
    schema(json!({"type": ["array", "null"], "items": items}))
}

pub(super) fn view(generator: &mut SchemaGenerator) -> Schema {
    let description = "\
From whose view values are told: `mover`, the side to move in the position asked about, or `first`, the first of the \
game's `sides`. In `/review` the mover is the side that moves first in its game.";
    optional(&named(generator, "View", description, &["mover", "first"]))
}

impl<const MAX: u64, const MIN: u64> JsonSchema for Integer<MAX, MIN> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Integer".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut integer = json!({"type": "integer", "minimum": MIN});
        if MAX != MOST {
            integer["maximum"] = MAX.into();
        }
        schema(integer)
    }
}
