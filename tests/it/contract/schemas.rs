//! The schemas of requests and answers, from their types: JSON Schema as `OpenAPI` 3.1 has it.
//!
//! A request has the properties of those [`Fields`] that it takes, an answer those of its type that it tells. The prose is
//! that of the doc comments.

use std::iter::once;
use std::mem::{replace, take};

use bestmove_api::{
    AnalysisRequest, BestMoveRequest, Fields, GameList, INCLUDED, PROBLEMS, PositionAnswer,
    PositionRequest, Prepare, ProblemBody, ReviewAnswer, ReviewRequest, TreeRequest, game_names,
};
use bestmove_engine::game::LevelNumber;
use bestmove_engine::games::any::{Answer, Tree, TreeParameters};
use bestmove_engine::games::catalogue;
use bestmove_engine::search::Algorithm;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// Where the contract has the schemas that have names.
const PLACE: &str = "/components/schemas";

/// The schemas of the contract by name: those of requests, of answers, and of what both consist of.
pub(crate) fn schemas() -> Map<String, Value> {
    let mut schemas = requests();
    schemas.extend(answers());
    schemas.extend(names());
    for (name, schema) in &mut schemas {
        refer_to_names(name, schema);
        if let Ok(schema) = schema.try_into() {
            Readable.transform(schema);
        }
    }
    schemas
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| settings.definitions_path = PLACE.into())
}

fn described(text: &str) -> Value {
    json!({ "description": text })
}

/// The schemas of the requests and of what they consist of.
fn requests() -> Map<String, Value> {
    let mut generator = settings().into_generator();
    let mut all = Value::from(Fields::json_schema(&mut generator));
    let mut parts = generator.take_definitions(false);
    // A level by its name is one of those that there are. Of moves to consider there is at least one.
    parts["Level"]["anyOf"][1] = reference("LevelName");
    let mut moves = parts["Moves"]["anyOf"][0].clone();
    moves["minItems"] = 1.into();
    let forms = json!([moves, {"type": "string"}, {"type": "null"}]);
    all["properties"]["search_moves"]["anyOf"] = forms;
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
        request::<ReviewRequest>(REVIEW, &all, &review()),
        request::<TreeRequest>("What a decision tree is asked for.", &all, &tree()),
    ];
    let names =
        ["PositionRequest", "BestMoveRequest", "AnalysisRequest", "ReviewRequest", "TreeRequest"];
    let mut schemas: Map<_, _> = names.map(str::to_owned).into_iter().zip(requests).collect();
    schemas.extend(parts);
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
fn review() -> Value {
    json!({
        "position": {"description": "The position in which the game begins; the start where absent."},
        "moves": {
            "description": "The moves of the game, 1 to 1000.",
            "minItems": 1, "maxItems": 1000, "minLength": 1,
        },
        "include": {
            "description": "What the review includes beside the value of each move.",
            "items": reference("ReviewIncluded"),
        },
        "view": {
            "description": "From whose view values are told; `mover`, the side that moves first in the game, where absent.",
        },
    })
}

/// What differs in the fields of a tree.
fn tree() -> Value {
    json!({
        "depth": {"description": "Plies below the position, at most the game's `max_depth`."},
        "algorithm": {
            "description": "The search whose tree is shown; `minimax` where absent.",
            "anyOf": [reference("TreeAlgorithm"), {"type": "null"}],
        },
    })
}

/// The schema of a request: the fields of `all` that it takes, with what is said of its `own`.
fn request<R: Prepare>(description: &str, all: &Value, own: &Value) -> Value {
    let property = |name: &&str| {
        let mut property = all["properties"][name].clone();
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

/// The properties by which an answer tells a board, where a request asks for it.
const VIEW: [&str; 3] = ["board", "last_move", "legal_moves"];

/// The properties by which a move tells what it does to the board.
const DRAWING: [&str; 5] = ["path", "captures", "flips", "promotion", "also"];

/// The schemas of the answers and of what they consist of.
fn answers() -> Map<String, Value> {
    let mut generator = settings().for_serialize().into_generator();
    generator.subschema_for::<GameList>();
    generator.subschema_for::<PositionAnswer>();
    generator.subschema_for::<Answer>();
    generator.subschema_for::<Tree>();
    generator.subschema_for::<ReviewAnswer>();
    generator.subschema_for::<ProblemBody>();
    let mut schemas = generator.take_definitions(false);
    schemas.values_mut().for_each(complete);
    count_labels(&mut schemas);
    name_cells(&mut schemas);
    schemas["Problem"]["description"] = problem_prose(&schemas["Problem"]["description"]).into();
    let answer = schemas.remove("Answer").unwrap_or_default();
    let (tree, variation) = (schemas["Tree"].clone(), schemas["RankedMove"].clone());
    let (board, review) = (schemas["Board"].clone(), schemas["Review"].clone());
    let explained = ["moves", "reasons", "threat", "chances", "reasons_cut"];
    let parts = [
        ("BestMove", part(&answer, &[&VIEW, &["moves"]], &["after"], &best_move())),
        ("Analysis", part(&answer, &[&["reasons"]], &["after", "moves"], &analysis())),
        ("Tree", part(&tree, &[&VIEW, &explained], &["after"], &json!({}))),
        ("TreeNode", part(&schemas["TreeNode"], &[], &[], &tree_node())),
        ("RankedMove", part(&variation, &[&DRAWING], &[], &ranked_move())),
        ("ReviewedBest", part(&variation, &[], &["path"], &reviewed_best())),
        ("Board", part(&board, &[], &["board", "legal_moves"], &whole_board())),
        ("Review", part(&review, &[&VIEW], &[], &review_end())),
    ];
    schemas.extend(parts.map(|(name, schema)| (name.to_owned(), schema)));
    schemas["ReviewedMove"]["properties"]["best"]["$ref"] =
        reference("ReviewedBest")["$ref"].take();
    schemas
}

/// A part of a schema: the properties that are not in `without`, of which `always` are never left out. `own` are the
/// descriptions of the part: its own, and those of its properties.
fn part(all: &Value, without: &[&[&str]], always: &[&str], own: &Value) -> Value {
    let mut schema = all.clone();
    let properties = schema["properties"].as_object_mut().expect("properties");
    properties.retain(|name, _| !without.concat().contains(&name.as_str()));
    for (name, description) in own.as_object().into_iter().flatten() {
        match name.as_str() {
            "description" => schema["description"] = description.clone(),
            name => schema["properties"][name]["description"] = description.clone(),
        }
    }
    if let Some(Value::Object(path)) = schema["properties"].get_mut("path") {
        // A pass touches no square.
        path.remove("minItems");
    }
    let required = schema["required"].as_array_mut().expect("names");
    required.extend(always.iter().map(|name| json!(name)));
    schema
}

fn best_move() -> Value {
    json!({"description": "The best move of a position."})
}

fn analysis() -> Value {
    json!({"description": "What `/best-move` answers, and the moves."})
}

fn ranked_move() -> Value {
    json!({"principal_variation": "The line that is expected, the move first."})
}

fn tree_node() -> Value {
    json!({
        "move": "The move that leads here; none at the root.",
        "san": "The same in standard algebraic notation, in games that have it.",
    })
}

fn reviewed_best() -> Value {
    json!({
        "description": "The best move of a position, and what is expected of it.",
        "evaluation": "The value of the position before the move, which is that of the best move.",
        "principal_variation":
            "The line that is expected, the best move first. It never runs past the end of the game. That of a proven win or \
             loss runs to the end and has `plies` moves, with three exceptions: where a book answers (`source`) it may stop at \
             the end of the book, from `selective` it may stop sooner, and no line has more than 48 moves.",
        "reasons":
            "Why it is good, if another move was played, where `include` asks for it: three at most, the most important first; \
             empty where nothing is certain.",
    })
}

fn whole_board() -> Value {
    json!({
        "position": "The position after `moves`, in the notation of the game.",
        "board": "The cells of the board.",
        "last_move": "The last of `moves`; or of the moves by which the position is given.",
        "legal_moves": "What may be played, in the game's own order; nothing where the game is over.",
    })
}

fn review_end() -> Value {
    json!({"position": "The position after the last move.", "side_to_move": "The side to move there."})
}

/// The moves of a side by their labels, which the type has as a list.
fn count_labels(schemas: &mut Map<String, Value>) {
    let labels = schemas["MoveLabel"]["oneOf"].as_array().expect("the labels");
    let counts = labels.iter().map(|label| {
        let count = json!({"type": "integer", "minimum": 0, "description": label["description"]});
        (label["const"].as_str().expect("a name").to_owned(), count)
    });
    let properties: Map<_, _> = counts.collect();
    let counts = json!({
        "description": "How many moves have each label.",
        "type": "object",
        "required": properties.keys().collect::<Vec<_>>(),
        "properties": properties,
    });
    let labels = &mut schemas["SideReview"]["properties"]["labels"];
    let mut counted = reference("LabelCounts");
    counted["description"] = labels["description"].take();
    *labels = counted;
    schemas.insert("LabelCounts".to_owned(), counts);
}

/// The description of a problem, and the kinds of problems.
fn problem_prose(description: &Value) -> String {
    let kinds = PROBLEMS
        .iter()
        .map(|kind| format!("\n- `/problems/{}` ({}): {}", kind.name, kind.status, kind.title));
    let description = description.as_str().unwrap_or_default().to_owned();
    once(description + "\n").chain(kinds).collect()
}

/// Gives the cells of a board a name.
fn name_cells(schemas: &mut Map<String, Value>) {
    let mut cells = Value::Null;
    for object in ["After", "Answer", "Board"] {
        let board = &mut schemas[object]["properties"]["board"];
        let mut named = reference("Cells");
        named["description"] = board["description"].take();
        cells = replace(board, named);
    }
    let described = "The rows of the board from the top, each an array of cells: the name of a piece, one of the `pieces` of \
                     the game, or an empty string.";
    cells["description"] = described.into();
    schemas.insert("Cells".to_owned(), cells);
}

/// Says what an answer leaves out: a property that has nothing to tell.
fn complete(schema: &mut Value) {
    join_forms(schema);
    let required = schema["required"].clone();
    let is_required =
        |name: &String| required.as_array().is_some_and(|all| all.contains(&json!(name)));
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (_, property) in properties.into_iter().flatten().filter(|(name, _)| !is_required(name)) {
        match property["type"].as_str() {
            Some("array") if property.get("minItems").is_none() => property["minItems"] = 1.into(),
            Some("boolean") => property["enum"] = json!([true]),
            _ => *property = not_null(take(property)),
        }
    }
}

/// Joins the forms of how a game stands to the object that has them, before the claim.
fn join_forms(schema: &mut Value) {
    let Some(Value::Array(forms)) = schema.get("oneOf").cloned() else { return };
    if schema["type"] != "object" {
        return;
    }
    let mut joined = Map::new();
    for (name, property) in forms.iter().filter_map(|form| form["properties"].as_object()).flatten()
    {
        joined.entry(name).or_insert_with(|| property.clone());
    }
    joined["state"] = json!({"description": "Whether the game goes on.", "type": "string"});
    let mut properties = Map::new();
    for (name, property) in schema["properties"].as_object().expect("properties") {
        if name == "claim" {
            properties.append(&mut joined);
        }
        properties.insert(name.clone(), property.clone());
    }
    schema["properties"] = properties.into();
    schema["required"].as_array_mut().expect("names").push("state".into());
    schema.as_object_mut().expect("an object").remove("oneOf");
}

/// The schemas of names, and their descriptions.
const NAMES: [(&str, &str); 10] = [
    ("GameName", "The name of a game, one of those that `GET /games` lists."),
    ("SideName", "The name of a side, one of the game's two."),
    (
        "LevelName",
        "The name of a level; `beginner` and `easy` are 2, `amateur` and `medium` 4, `professional` and `hard` 7, `master` and \
         `strongest` 10.",
    ),
    (
        "Included",
        "What an answer includes. `reasons` and `threat` are searched for: at most twelve searches of 10 000 nodes a move and \
         two of 400 000, which `search.nodes` counts. They are values of the side to move whatever `view` is. `chances` are those \
         of the player of `level`, which must stand beside them.",
    ),
    (
        "ReviewIncluded",
        "`reasons` of each move that was played, and of the best one where it is another; `exercises` from the game. Both are \
         searched for as in `/analyze`.",
    ),
    (
        "View",
        "From whose view values are told: `mover`, the side to move in the position asked about, or `first`, the first of the \
         game's `sides`. In `/review` the mover is the side that moves first in its game.",
    ),
    ("TreeAlgorithm", "The search whose tree is shown."),
    ("State", "Whether a game goes on. A draw that must be claimed does not end it."),
    (
        "Claim",
        "A draw that the side to move may claim in a game that goes on. `threefold-repetition`: the position stands for the \
         third time or the fourth, in chess and checkers. `fifty-moves`: in chess, 100 plies or more without a capture or a \
         pawn move. `forty-moves`: in checkers, 80 plies or more without a capture or a man's move. The caller ends the game \
         if it claims; moves are legal and searches answer. The fifth occurrence of a position and 150 such plies end the game.",
    ),
    ("ProblemType", "What went wrong, one of the kinds that `Problem` lists."),
];

/// The schemas of names, by their own names.
fn names() -> Map<String, Value> {
    let schema = |(name, description): (&str, &str)| {
        let mut values = Vec::new();
        for value in values_of(name) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let schema = json!({"description": description, "type": "string", "enum": values});
        (name.to_owned(), schema)
    };
    NAMES.into_iter().map(schema).collect()
}

/// The names that a schema has; some may stand twice.
fn values_of(schema: &str) -> Vec<String> {
    let games = catalogue().iter().map(|game| game.info());
    let names: Vec<&str> = match schema {
        "GameName" => game_names().collect(),
        "SideName" => games.flat_map(|game| game.sides).collect(),
        "LevelName" => LevelNumber::names().collect(),
        "Included" => INCLUDED.to_vec(),
        "ReviewIncluded" => vec!["reasons", "exercises"],
        "View" => vec!["mover", "first"],
        "TreeAlgorithm" => TreeParameters::ALGORITHMS.map(Algorithm::name).to_vec(),
        "State" => vec!["ongoing", "won", "drawn"],
        "Claim" => {
            let counted = games.filter_map(|game| game.move_count_claim);
            once("threefold-repetition").chain(counted).collect()
        }
        _ => return PROBLEMS.iter().map(|kind| format!("/problems/{}", kind.name)).collect(),
    };
    names.into_iter().map(str::to_owned).collect()
}

/// The properties whose texts are names, alone or behind their object, and the schemas of the names.
const NAMED: [(&str, &str); 13] = [
    ("Problem.type", "ProblemType"),
    ("Game.name", "GameName"),
    ("Game.sides", "SideName"),
    ("LevelDescription.name", "LevelName"),
    ("game", "GameName"),
    ("side_to_move", "SideName"),
    ("side", "SideName"),
    ("winner", "SideName"),
    ("state", "State"),
    ("claim", "Claim"),
    ("algorithm", "Algorithm"),
    ("include", "Included"),
    ("view", "View"),
];

/// Refers to the schemas of names, where the properties of an object are names.
fn refer_to_names(object: &str, schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        let is_named = |place: &str| place == name || place == format!("{object}.{name}");
        let named = NAMED.iter().find(|(place, _)| is_named(place));
        if let Some((_, names)) = named.filter(|_| !property.to_string().contains("$ref")) {
            match property.get_mut("items") {
                Some(items) => *items = reference(names),
                None => *property = refer(property, names),
            }
        }
    }
}

/// A property that is one of these names, or `null` where it could be before.
fn refer(property: &Value, names: &str) -> Value {
    let is_null = |form: &Value| form == "null" || form["type"] == "null";
    let forms = [&property["type"], &property["anyOf"]].map(Value::as_array);
    let is_optional = forms.into_iter().flatten().flatten().any(is_null);
    let reference = reference(names);
    let mut schema =
        if is_optional { json!({"anyOf": [reference, {"type": "null"}]}) } else { reference };
    schema["description"] = property["description"].clone();
    schema
}

/// A reference to the schema of this name.
fn reference(name: &str) -> Value {
    json!({"$ref": format!("#{PLACE}/{name}")})
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

/// Says the same in the form that people and generators of clients read best.
struct Readable;

impl Transform for Readable {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        // The size of a number of Rust is none of the contract.
        if !schema.get("type").is_some_and(|name| name == "string") {
            schema.remove("format");
        }
        // The bounds of a type of Rust are none of the contract, and the contract has examples of its own.
        if schema.get("maximum").is_some_and(|most| *most == u8::MAX || *most == u16::MAX) {
            schema.remove("maximum");
        }
        if let Some(Value::String(description)) = schema.get_mut("description")
            && let Some((prose, _)) = description.split_once("```")
        {
            *description = prose.trim_end().to_owned();
        }
        let forms = schema.get("oneOf").or_else(|| schema.get("anyOf"));
        if let Some(names) = forms.and_then(listed) {
            schema.remove("oneOf");
            schema.remove("anyOf");
            schema.insert("type".to_owned(), "string".into());
            schema.insert("enum".to_owned(), names.into());
        }
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

/// The texts that fit the forms, where nothing else fits them.
fn listed(forms: &Value) -> Option<Vec<Value>> {
    let texts = |form: &Value| match &form["enum"] {
        Value::Array(texts) => Some(texts.clone()),
        _ => Some(vec![form.get("const")?.clone()]),
    };
    forms.as_array()?.iter().map(texts).collect::<Option<Vec<_>>>().map(|texts| texts.concat())
}
