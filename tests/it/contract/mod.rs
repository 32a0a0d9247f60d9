//! `openapi.yaml` against its parts and the running service: every example request gives the documented answer.

pub(crate) mod parts;
mod schemas;
pub(crate) mod tools;

use std::collections::BTreeSet;
use std::fs;

use crate::common::{Answer, JSON, Server};
use bestmove::http;
use bestmove_api::PROBLEMS;
use jsonschema::Validator;
use serde_json::{Value, json};

/// A documented answer and the request that leads to it.
pub(crate) struct Example<'a> {
    path: &'a str,
    method: &'a str,
    status: &'a str,
    media_type: &'a str,
    name: &'a str,
    /// The target of a GET, the body of a POST.
    request: String,
    response: &'a Value,
    /// The answer as the document shows it.
    pub(crate) documented: &'a Value,
}

impl Example<'_> {
    pub(crate) fn answer(&self, server: &Server) -> Answer {
        let id = ("x-request-id", "example");
        let accept = ("accept", self.media_type.split(';').next().unwrap_or_default());
        let lines = ("content-type", "application/x-ndjson");
        let kind = if accept.1 == lines.1 { lines } else { JSON };
        match self.method {
            "post" => server.stream(self.path, &[id, kind, accept], self.request.as_bytes()),
            _ => server.send("GET", &self.request, &[id], b""),
        }
    }

    fn check(&self, server: &Server, document: &Value) {
        let place = format!("{} {} {} {}", self.method, self.path, self.status, self.name);
        let answer = self.answer(server);
        assert_eq!(answer.status.to_string(), self.status, "{place}: {}", answer.text());
        assert_eq!(answer.header("content-type"), Some(self.media_type), "{place}");
        for (header, described) in members(&self.response["headers"]) {
            let is_required = resolved(document, described)["required"] == true;
            assert!(!is_required || answer.header(header).is_some(), "{place}: no header {header}");
        }
        let pointer = ["paths", self.path, self.method, "responses", self.status, "content"];
        let pointer = pointer.into_iter().chain([self.media_type, "schema"]);
        let value = self.told(&answer);
        let faults = faults(document, pointer, &value);
        assert!(faults.is_empty(), "{place}: {} {faults:?}", answer.text());
        assert_eq!(value, self.documented["value"], "{place}");
    }

    /// The body of an answer as the document shows it: without the commit, which optimised builds alone tell.
    pub(crate) fn told(&self, answer: &Answer) -> Value {
        if !self.media_type.ends_with("/json") && !self.media_type.ends_with("+json") {
            return answer.text().into();
        }
        let mut value = answer.json();
        if let Some(members) = value.as_object_mut() {
            members.remove("revision");
        }
        value
    }
}

/// Where `value` is not what the schema at this place of the document says.
fn faults<'a>(
    document: &Value,
    place: impl IntoIterator<Item = &'a str>,
    value: &Value,
) -> Vec<String> {
    let replaced = [("~", "~0"), ("/", "~1"), ("{", "%7B"), ("}", "%7D"), (" ", "%20")];
    let escaped = place.into_iter().map(|step| {
        replaced.iter().fold(step.to_owned(), |step, (from, to)| step.replace(from, to))
    });
    let pointer = escaped.collect::<Vec<_>>().join("/");
    let mut schema = document.clone();
    schema["$ref"] = json!(format!("#/{pointer}"));
    let validator: Validator = jsonschema::draft202012::new(&schema).expect("it is a schema");
    let faults = validator.iter_errors(value);
    faults.map(|fault| format!("{}: {fault}", fault.instance_path())).collect()
}

fn members(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

/// Follows a reference within the document.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).expect("references lead somewhere"),
        None => value,
    }
}

fn operations(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    members(&document["paths"]).flat_map(|(path, methods)| {
        members(methods).map(move |(method, operation)| (path, method, operation))
    })
}

pub(crate) fn examples(document: &Value) -> Vec<Example<'_>> {
    let mut examples = Vec::new();
    for (path, method, operation) in operations(document) {
        for (status, response) in members(&operation["responses"]) {
            let response = resolved(document, response);
            for (media_type, content) in members(&response["content"]) {
                for (name, example) in members(&content["examples"]) {
                    let request = request(operation, name, example);
                    examples.push(Example {
                        path,
                        method,
                        status,
                        media_type,
                        name,
                        request,
                        response,
                        documented: example,
                    });
                }
            }
        }
    }
    examples
}

/// The request of an example: its own, or the one of the same name.
fn request(operation: &Value, name: &str, example: &Value) -> String {
    let bodies = members(&operation["requestBody"]["content"]);
    let mut requests = bodies.flat_map(|(_, body)| requests(body));
    let named = requests.find_map(|(known, example)| (known == name).then_some(example));
    match (example["x-request"].as_str(), named.map(|named| &named["value"])) {
        (Some(request), _) => request.to_owned(),
        (None, Some(Value::String(text))) => text.clone(),
        (None, named) => named.map(Value::to_string).unwrap_or_default(),
    }
}

/// The documented requests.
fn requests(body: &Value) -> impl Iterator<Item = (&str, &Value)> {
    members(&body["examples"])
}

fn document(server: &Server) -> Value {
    server.get("/openapi.json").json()
}

#[test]
fn every_example_request_gives_the_documented_answer() {
    let server = Server::start();
    let document = document(&server);
    let examples = examples(&document);
    assert!(examples.len() > 10, "the examples are found");
    for example in examples {
        example.check(&server, &document);
    }
}

#[test]
fn every_example_request_has_an_answer_and_fits_its_schema() {
    let server = Server::start();
    let document = document(&server);
    let answered: BTreeSet<_> = examples(&document).iter().map(|example| example.name).collect();
    for (path, _, operation) in operations(&document) {
        let body = &operation["requestBody"]["content"]["application/json"];
        for (name, example) in requests(body) {
            assert!(answered.contains(name), "{name} has no answer");
            let schema = body["schema"]["$ref"].as_str().expect("requests have names");
            let schema = schema.trim_start_matches("#/").split('/');
            let fits = faults(&document, schema, &example["value"]).is_empty();
            assert!(fits, "{path}: {name} does not fit the schema");
        }
    }
}

#[test]
fn null_is_as_absent_in_every_optional_field_and_nowhere_else() {
    let server = Server::start();
    let document = document(&server);
    let posts =
        operations(&document).filter(|(path, method, _)| *method == "post" && *path != "/mcp");
    for (path, _, operation) in posts {
        let body = &operation["requestBody"]["content"]["application/json"];
        let Some((_, example)) = members(&body["examples"]).next() else { continue };
        let reference = body["schema"]["$ref"].as_str().expect("requests have names");
        let schema = resolved(&document, &body["schema"]);
        for (field, _) in members(&schema["properties"]) {
            let is_required =
                schema["required"].as_array().is_some_and(|all| all.contains(&json!(field)));
            let mut request = example["value"].clone();
            request[field] = Value::Null;
            let place = reference.trim_start_matches("#/").split('/');
            let fits = faults(&document, place, &request).is_empty();
            assert_eq!(fits, !is_required, "{path}: {field} by the schema");
            let status = server.post(path, request.to_string()).status;
            assert_eq!(status, if is_required { 422 } else { 200 }, "{path}: {field}");
        }
    }
}

#[test]
fn every_route_and_method_appears_in_both() {
    let server = Server::start();
    let document = document(&server);
    let documented: BTreeSet<_> = operations(&document)
        .map(|(path, method, _)| (path.to_owned(), method.to_uppercase()))
        .collect();
    let mut answered = BTreeSet::new();
    for (path, _) in http::contract_routes() {
        let refusal = server.send("BREW", &path.replace(['{', '}'], ""), &[], b"");
        assert_eq!(refusal.status, 405, "{path}");
        let allow = refusal.header("allow").expect("a 405 says what is allowed").to_owned();
        let methods = allow.split(',').filter(|&method| method != "HEAD");
        answered.extend(methods.map(|method| (path.to_owned(), method.to_owned())));
    }
    assert_eq!(documented, answered);
}

#[test]
fn every_problem_appears_in_both() {
    let server = Server::start();
    let document = document(&server);
    let schemas = &document["components"]["schemas"];
    let types: Vec<_> = PROBLEMS.iter().map(|row| format!("/problems/{}", row.name)).collect();
    assert_eq!(schemas["ProblemType"]["enum"], json!(types));
    let description = schemas["Problem"]["description"].as_str().expect("it is described");
    let rows = description.lines().filter_map(|line| line.strip_prefix("- "));
    let told = PROBLEMS.iter().zip(&types);
    let told = told.map(|(row, kind)| format!("`{kind}` ({}): {}", row.status, row.title));
    assert_eq!(rows.collect::<Vec<_>>(), told.collect::<Vec<_>>());
}

#[test]
fn every_status_appears_in_both() {
    let server = Server::start();
    let document = document(&server);
    let mut documented: BTreeSet<u16> = operations(&document)
        .flat_map(|(_, _, operation)| members(&operation["responses"]))
        .filter_map(|(status, _)| status.parse().ok())
        .filter(|status| *status >= 400)
        .collect();
    // Every route may answer it, so it stands under `default`.
    documented.insert(405);
    let told: BTreeSet<u16> = PROBLEMS.iter().map(|row| row.status).collect();
    assert_eq!(documented, told);
}

#[test]
fn the_same_fields_are_allowed_in_a_body_and_in_a_query() {
    let server = Server::start();
    let document = document(&server);
    let fields = members(&document["components"]["schemas"]["BestMoveRequest"]["properties"]);
    let fields: Vec<_> = fields.map(|(name, _)| json!(name)).collect();
    let parameters = document["paths"]["/best-move"]["get"]["parameters"].as_array();
    let parameters = parameters.expect("there are some").iter();
    let parameters = parameters.map(|parameter| resolved(&document, parameter));
    let parameters = parameters.filter(|parameter| parameter["in"] == "query");
    assert_eq!(parameters.map(|parameter| parameter["name"].clone()).collect::<Vec<_>>(), fields);
    for refusal in [server.post("/best-move", r#"{"x":1}"#), server.get("/best-move?x=1")] {
        assert_eq!(refusal.problem(422, "invalid-request")["allowed"], json!(fields));
    }
}

#[test]
fn both_forms_of_the_document_say_the_same() {
    let server = Server::start();
    let yaml = server.get("/openapi.yaml").text();
    let document = document(&server);
    // Readers of YAML bound how many aliases they follow.
    let options =
        serde_saphyr::options! { budget: serde_saphyr::budget! { max_aliases: 0, max_anchors: 0 } };
    let from_yaml: Value =
        serde_saphyr::from_str_with_options(&yaml, options).expect("it is YAML without aliases");
    assert_eq!(from_yaml, document);
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
}

fn collect<'a>(value: &'a Value, name: &str, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get(name));
            members.values().for_each(|member| collect(member, name, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, name, found)),
        _ => {}
    }
}

/// All values of this member, wherever it stands.
fn found<'a>(value: &'a Value, name: &str) -> Vec<&'a Value> {
    let mut values = Vec::new();
    collect(value, name, &mut values);
    values
}

#[test]
fn generators_of_clients_can_read_the_document() {
    let server = Server::start();
    let document = document(&server);
    for reference in found(&document, "$ref") {
        let path = reference.as_str().and_then(|text| text.strip_prefix("#/components/"));
        let path: Vec<_> = path.unwrap_or_default().split('/').collect();
        let [kind, name] = path[..] else { panic!("{reference} leads out of the components") };
        assert!(document["components"][kind].get(name).is_some(), "{reference} is missing");
    }
    let schemas = &document["components"]["schemas"];
    assert!(found(schemas, "const").is_empty(), "a set of one is an enum too");
    for (path, method, operation) in operations(&document) {
        let types = members(&operation["responses"]).filter(|(status, _)| status.starts_with('2'));
        let types: Vec<_> = types.flat_map(|(_, answer)| members(&answer["content"])).collect();
        assert!(types.len() <= 1, "{method} {path} has more than one type of success");
    }
}

#[test]
fn every_field_is_described_and_no_object_is_nameless() {
    let server = Server::start();
    let document = document(&server);
    for (name, schema) in members(&document["components"]["schemas"]) {
        assert!(schema["description"].is_string(), "{name} has no description");
        for (field, described) in members(&schema["properties"]) {
            assert!(described["description"].is_string(), "{name}.{field} has no description");
            assert!(found(described, "properties").is_empty(), "{name}.{field} has no name");
        }
    }
}

#[test]
fn the_published_contract_is_joined_from_its_parts() {
    let published = fs::read_to_string(parts::PUBLISHED).expect("openapi.yaml");
    assert!(published == parts::joined(), "openapi.yaml is not up to date: run {}", parts::COMMAND);
}

#[test]
fn the_schemas_of_tools_are_those_of_the_contract() {
    let published: Value = serde_saphyr::from_str(&parts::joined()).expect("YAML");
    let written = fs::read_to_string(tools::FILE).expect("the schemas are there");
    let written: Value = serde_json::from_str(&written).expect("JSON");
    assert!(written == tools::schemas(published), "not up to date: run {}", parts::COMMAND);
}

#[test]
fn every_file_of_examples_is_an_example() {
    let assembled: Value = serde_saphyr::from_str(&parts::assembled()).expect("the parts are YAML");
    let mut named: Vec<_> =
        examples(&assembled).iter().map(|example| file(example.documented)).collect();
    let mut files = parts::example_files();
    named.sort_unstable();
    files.sort_unstable();
    assert_eq!(files, named);
}

/// The file that holds the example of an answer.
pub(crate) fn file(example: &Value) -> &str {
    example["externalValue"].as_str().expect("an example of an answer stands in a file")
}
