//! `openapi.yaml` against the contract of the last release: what a client may rely on is still there.

use std::collections::BTreeSet;
use std::fs;
use std::iter;
use std::path::Path;

use serde_json::{Map, Value};

/// The contract of the last release.
const RELEASED: &str = "openapi/released/0.3.0.yaml";

/// What a contract promises, a line each: routes, parameters, answers, and the fields and values of what is sent
/// and answered.
type Promises = BTreeSet<String>;

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn document(file: &str) -> Value {
    serde_saphyr::from_str(&read(file)).expect("it is YAML")
}

fn members(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

fn elements(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// Collects the promises of one document.
struct Collector<'d> {
    document: &'d Value,
    /// The references on the way to the present schema: one that leads back is not followed again.
    way: Vec<&'d str>,
    found: Promises,
}

impl<'d> Collector<'d> {
    fn resolved(&self, value: &'d Value) -> &'d Value {
        match value["$ref"].as_str() {
            Some(reference) => self.document.pointer(&reference[1..]).expect("it leads somewhere"),
            None => value,
        }
    }

    fn operation(&mut self, path: &'d str, method: &str, operation: &'d Value) {
        let route = format!("{} {path}", method.to_uppercase());
        self.found.insert(route.clone());
        for parameter in elements(&operation["parameters"]) {
            let parameter = self.resolved(parameter);
            let name = parameter["name"].as_str().expect("a parameter has a name");
            let place = format!("{route}: parameter {name}");
            self.found.insert(place.clone());
            self.schema(&place, &parameter["schema"]);
        }
        let body = self.resolved(&operation["requestBody"]);
        for (media_type, content) in members(&body["content"]) {
            self.found.insert(format!("{route}: takes {media_type}"));
            self.schema(&format!("{route}: field "), &content["schema"]);
        }
        for (status, response) in members(&operation["responses"]) {
            self.found.insert(format!("{route}: answers {status}"));
            let response = self.resolved(response);
            for (media_type, content) in members(&response["content"]) {
                let place = format!("{route}: {status} {media_type}");
                self.found.insert(place.clone());
                self.schema(&format!("{place} "), &content["schema"]);
            }
        }
    }

    /// The fields and values of a schema, by their place in what is sent or answered.
    fn schema(&mut self, place: &str, schema: &'d Value) {
        if let Some(reference) = schema["$ref"].as_str() {
            if !self.way.contains(&reference) {
                self.way.push(reference);
                self.schema(place, self.resolved(schema));
                self.way.pop();
            }
            return;
        }
        for value in elements(&schema["enum"]) {
            let name = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            self.found.insert(format!("{place} = {name}"));
        }
        for (name, field) in members(&schema["properties"]) {
            self.found.insert(format!("{place}.{name}"));
            self.schema(&format!("{place}.{name}"), field);
        }
        for combined in ["oneOf", "anyOf", "allOf"] {
            elements(&schema[combined]).for_each(|schema| self.schema(place, schema));
        }
        if schema["items"].is_object() {
            self.schema(&format!("{place}[]"), &schema["items"]);
        }
    }
}

fn promises(document: &Value) -> Promises {
    let mut collector = Collector { document, way: Vec::new(), found: Promises::new() };
    for (path, methods) in members(&document["paths"]) {
        let operations =
            members(methods).filter(|(_, operation)| operation["responses"].is_object());
        operations.for_each(|(method, operation)| collector.operation(path, method, operation));
    }
    collector.found
}

/// The entries under "Breaking changes" of the newest section of the changelog.
fn breaking_changes(changelog: &str) -> &str {
    let newest = changelog.split("\n## ").nth(1).unwrap_or_default();
    let breaking = newest.split("\n### ").find(|part| part.starts_with("Breaking"));
    breaking.unwrap_or_default()
}

/// What the later promises lack of the earlier ones, but for the routes, fields and values that the changelog
/// names in code quotes.
fn lost(earlier: &Promises, later: &Promises, breaking: &str) -> Vec<String> {
    let told: BTreeSet<&str> = breaking.split('`').skip(1).step_by(2).collect();
    let is_told = |line: &str| {
        let mut words =
            line.split([' ', ':']).flat_map(|word| iter::once(word).chain(word.split('.')));
        words.any(|word| told.contains(word.trim_end_matches("[]")))
    };
    earlier.difference(later).filter(|line| !is_told(line)).cloned().collect()
}

#[test]
fn the_contract_keeps_what_the_last_release_promised_or_the_changelog_says_so() {
    let (earlier, later) = (promises(&document(RELEASED)), promises(&document("openapi.yaml")));
    assert!(earlier.len() > 500, "the promises are found");
    let changelog = read("CHANGELOG.md");
    let lost = lost(&earlier, &later, breaking_changes(&changelog));
    assert!(lost.is_empty(), "not in openapi.yaml any more:\n{}", lost.join("\n"));
}

/// Takes away the first member of that name, wherever it stands.
fn remove(value: &mut Value, name: &str) -> bool {
    fn from(object: &mut Map<String, Value>, name: &str) -> bool {
        object.remove(name).is_some() || object.values_mut().any(|value| remove(value, name))
    }
    match value {
        Value::Object(object) => from(object, name),
        Value::Array(list) => list.iter_mut().any(|value| remove(value, name)),
        _ => false,
    }
}

#[test]
fn a_lost_route_field_or_value_is_noticed_unless_the_changelog_names_it() {
    let released = document(RELEASED);
    let earlier = promises(&released);
    for (name, told) in [
        ("/board.svg", "- `/board.svg` is gone."),
        ("/tree/dot", "- `/tree/dot` is gone."),
        ("principal_variation", "- There is no `principal_variation` any more."),
        ("application/problem+json", "- Errors are no `application/problem+json`."),
    ] {
        let mut changed = released.clone();
        while remove(&mut changed, name) {}
        let later = promises(&changed);
        assert!(lost(&earlier, &later, "").iter().any(|line| line.contains(name)), "{name}");
        let rest = lost(&earlier, &later, told);
        assert!(rest.is_empty(), "{name}: {:?}", rest.first());
    }
}
