//! What the contract says of answers and problems.

use std::collections::BTreeMap;
use std::fs;

use bestmove_api::{GameDescription, GameList, Problem, ProblemKind};
use bestmove_engine::games::catalogue;
use jsonschema::Validator;
use serde::Serialize;
use serde_json::{Value, json};

/// The characters of what was sent that a problem repeats at most, and the quotation marks around them, which may have
/// been sent too.
const MOST_REPEATED: usize = 100 + 2;

/// The bytes of the largest problem, without what is allowed.
const LARGEST_PROBLEM: usize = 2048;

/// The schemas of answers.
const SCHEMAS: [&str; 8] =
    ["BestMove", "Analysis", "Review", "Tree", "Board", "Problem", "Games", "Game"];

/// The schemas, ready to be asked.
pub(super) struct Contract(BTreeMap<&'static str, Validator>);

impl Contract {
    pub(super) fn read() -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.yaml");
        let text = fs::read_to_string(path).expect("the contract");
        let mut document: Value = serde_saphyr::from_str(&text).expect("it is YAML");
        let mut validator = |name| {
            document["$ref"] = json!(format!("#/components/schemas/{name}"));
            jsonschema::draft202012::new(&document).expect("it is a schema")
        };
        Self(SCHEMAS.into_iter().map(|name| (name, validator(name))).collect())
    }

    /// Checks an answer, and gives its JSON.
    pub(super) fn check(&self, schema: &str, answer: &impl Serialize) -> Result<Value, String> {
        let json = serde_json::to_value(answer).map_err(|error| format!("no JSON: {error}"))?;
        let fault = self.0[schema].iter_errors(&json).next();
        fault.map_or(Ok(()), |fault| Err(format!("{schema}{}: {fault}", fault.instance_path())))?;
        Ok(json)
    }

    /// Checks what does not depend on a request.
    pub(super) fn check_catalogue(&self) -> Result<(), String> {
        self.check("Games", &GameList::of_catalogue())?;
        let mut games = catalogue().iter().map(|&game| GameDescription::from(game));
        games.try_for_each(|game| self.check("Game", &game).map(drop))
    }

    /// Checks a problem that is the answer to what was `sent`, as text and where it could be read as JSON.
    pub(super) fn check_problem(
        &self,
        problem: &Problem,
        body: &str,
        sent: &str,
        request: Option<&Value>,
    ) -> Result<(), String> {
        let mut json: Value =
            serde_json::from_str(body).map_err(|error| format!("no JSON: {error}"))?;
        self.check("Problem", &json)?;
        if json.get("field").is_none() && must_have_field(problem.kind()) {
            return Err(format!("no field: {body}"));
        }
        let members = json.as_object_mut().expect("a problem is an object");
        let allowed = members.remove("allowed");
        members.remove("id");
        if json.to_string().len() > LARGEST_PROBLEM {
            return Err(format!("{} bytes: {body}", body.len()));
        }
        let allowed = allowed.as_ref().and_then(Value::as_array).into_iter().flatten();
        for text in
            [&json["detail"], &json["field"]].into_iter().chain(allowed).filter_map(Value::as_str)
        {
            if let Some(repeated) = repeated(text, sent) {
                return Err(format!("repeats {repeated:?}: {body}"));
            }
        }
        match (json["field"].as_str(), request) {
            (Some(field), Some(request)) if !leads_somewhere(field, request) => {
                Err(format!("the field leads nowhere: {body}"))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a request of this kind is refused for one of its fields. The others have none: text that is no JSON has no fields;
/// where a game is over or the service is at fault, no other value of one field would be answered.
fn must_have_field(kind: ProblemKind) -> bool {
    match kind {
        ProblemKind::InvalidRequest
        | ProblemKind::UnknownGame
        | ProblemKind::InvalidPosition
        | ProblemKind::IllegalMove
        | ProblemKind::TooLargeATree => true,
        ProblemKind::MalformedJson | ProblemKind::GameOver => false,
        other => panic!("{other:?} is no answer of this package"),
    }
}

/// More characters of a text than may be repeated, which were sent; or as many equal ones.
fn repeated(text: &str, sent: &str) -> Option<String> {
    const PART: usize = MOST_REPEATED / 2;
    // Some texts are shown with escapes.
    let text = text.replace(r"\\", r"\").replace("\\\"", "\"");
    let letters: Vec<char> = text.chars().collect();
    let is_run = |part: &[char]| part.iter().all(|letter| *letter == part[0]);
    if let Some(run) = letters.windows(MOST_REPEATED + 1).find(|part| is_run(part)) {
        return Some(run.iter().collect());
    }
    let is_sent = |part: &[char]| sent.contains(&part.iter().collect::<String>());
    if !letters.chunks_exact(PART).any(is_sent) {
        return None;
    }
    letters.windows(MOST_REPEATED + 1).find(|part| is_sent(part)).map(|part| part.iter().collect())
}

/// Whether a pointer leads to a value of the request, or to a member that an object of it has not. Long names are cut.
fn leads_somewhere(field: &str, request: &Value) -> bool {
    match field.rsplit_once('/') {
        None => field.is_empty(),
        Some(_) if field.contains('…') => true,
        Some((outer, _)) => {
            request.pointer(field).is_some() || request.pointer(outer).is_some_and(Value::is_object)
        }
    }
}
