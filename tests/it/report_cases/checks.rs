//! The checks of a case.

use std::collections::BTreeMap;

use super::path::find;
use super::{Reply, ask, best_moves, text};
use crate::common::Server;
use regex::Regex;
use serde_json::Value;

/// What is wrong with a reply; nothing where all checks hold.
pub(super) fn faults(
    server: &Server,
    via: &str,
    reply: &Reply,
    expect: &BTreeMap<String, Value>,
) -> Vec<String> {
    let fails = |(check, wanted): (&String, &Value)| {
        let holds = if let Some(holds) = holds(reply, check, wanted) {
            holds
        } else {
            holds_beside(server, via, reply, check, wanted)
        };
        (!holds).then(|| {
            let shown: String = reply.text.chars().take(300).collect();
            format!("{check} {wanted}: status {:?}, exit {:?}, {shown}", reply.status, reply.exit)
        })
    };
    expect.iter().filter_map(fails).collect()
}

/// Whether a check of the reply alone holds; `None` where it needs another request.
fn holds(reply: &Reply, check: &str, wanted: &Value) -> Option<bool> {
    let at = |path: &str| find(&reply.json, path);
    let list = || wanted.as_array().into_iter().flatten();
    let all = |holds: &dyn Fn(&str, &Value) -> bool| {
        wanted.as_object().is_some_and(|paths| paths.iter().all(|(path, value)| holds(path, value)))
    };
    let number = |path: &str| at(path).and_then(Value::as_f64);
    let detail = at("detail").and_then(Value::as_str).unwrap_or(&reply.text);
    let lines: Vec<String> = reply.text.lines().map(str::to_owned).collect();
    Some(match check {
        "status" if wanted.is_array() => list().any(|status| *status == reply.status.unwrap_or(0)),
        "status" => *wanted == reply.status.unwrap_or(0),
        "problem" => {
            let kind = at("type").and_then(Value::as_str).unwrap_or_default();
            list().any(|name| kind.ends_with(&format!("/{}", text(name))))
        }
        "detail_has" => {
            let detail = detail.to_lowercase();
            list().any(|word| detail.contains(&text(word).to_lowercase()))
        }
        "detail_rights" => text(wanted).chars().all(|right| names_right(detail, right)),
        "json" => all(&|path, value| at(path) == Some(value)),
        "json_not" => all(&|path, value| at(path) != Some(value)),
        "json_in" => all(&|path, values| {
            at(path)
                .is_some_and(|found| values.as_array().is_some_and(|values| values.contains(found)))
        }),
        "json_min" => all(&|path, least| number(path) >= least.as_f64() && number(path).is_some()),
        "json_max" => {
            all(&|path, most| number(path).is_some_and(|found| Some(found) <= most.as_f64()))
        }
        "present" => list().all(|path| at(text(path)).is_some()),
        "absent" => list().all(|path| at(text(path)).is_none()),
        "body_has" => reply.text.contains(text(wanted)),
        "header_has" => all(&|name, values| has_header(reply, name, values)),
        "uci_last" => best_moves(&lines).last().is_some_and(|line| matches(wanted, line)),
        "uci_has" => lines.iter().any(|line| matches(wanted, line)),
        "uci_bestmoves" => {
            let told: Vec<&str> = best_moves(&lines).collect();
            told.len() == list().count()
                && list().zip(told).all(|(pattern, line)| matches(pattern, line))
        }
        "quiet_before" => reply.told_before.get(text(wanted)) == Some(&0),
        "rpc_error" => wanted.as_i64() == reply.rpc_error,
        "mcp_no_null_types" => schemas(reply).iter().all(|schema| is_typed(schema)),
        "mcp_schema_plain" => {
            schemas(reply).iter().all(|schema| is_typed(schema) && is_plain(schema))
        }
        "exit" => wanted.as_i64() == reply.exit.map(i64::from),
        "exit_not" => reply.exit.is_some() && wanted.as_i64() != reply.exit.map(i64::from),
        "out_has" => matches(wanted, &reply.text),
        "review_faults" => review_faults(&reply.json, wanted),
        "review_swings" => review_swings(&reply.json, wanted.as_f64().expect("a number")),
        _ => return None,
    })
}

/// Whether a check that needs another request, or holds others, holds.
fn holds_beside(server: &Server, via: &str, reply: &Reply, check: &str, wanted: &Value) -> bool {
    match check {
        "any_of" => wanted.as_array().into_iter().flatten().any(|checks| {
            let checks = serde_json::from_value(checks.clone()).expect("a set of checks");
            faults(server, via, reply, &checks).is_empty()
        }),
        "same_as" => {
            let other = ask(server, via, &wanted["request"]);
            let mut paths = wanted["paths"].as_array().into_iter().flatten().map(text);
            other.status == Some(200)
                && paths.all(|path| match path {
                    "" => other.text == reply.text,
                    path => find(&other.json, path) == find(&reply.json, path),
                })
        }
        "differs_from" => ask(server, via, wanted).text != reply.text,
        "prefix_of" => {
            let longer = ask(server, via, &wanted["request"]);
            is_prefix(&reply.json["moves"], &longer.json["moves"])
        }
        other => panic!("there is no check {other}"),
    }
}

fn matches(pattern: &Value, line: &str) -> bool {
    Regex::new(text(pattern)).expect("a regular expression").is_match(line)
}

/// Whether a castling right stands in a text, alone or with others, as in `KQkq`.
fn names_right(detail: &str, right: char) -> bool {
    let words = detail.split(|letter: char| !letter.is_ascii_alphabetic());
    let mut rights = words.filter(|word| word.chars().all(|letter| "KQkq".contains(letter)));
    rights.any(|word| word.contains(right))
}

fn has_header(reply: &Reply, name: &str, values: &Value) -> bool {
    let sent: Vec<String> = reply
        .headers
        .iter()
        .filter(|(known, _)| known.eq_ignore_ascii_case(name))
        .flat_map(|(_, value)| value.split(',').map(|value| value.trim().to_lowercase()))
        .collect();
    values.as_array().into_iter().flatten().all(|value| sent.contains(&text(value).to_lowercase()))
}

/// The schemas of the arguments of all tools, and all schemas within them.
fn schemas(reply: &Reply) -> Vec<&Value> {
    let tools =
        find(&reply.json, "result.tools").and_then(Value::as_array).expect("a list of tools");
    let mut open: Vec<&Value> = tools.iter().map(|tool| &tool["inputSchema"]).collect();
    let mut all = Vec::new();
    while let Some(schema) = open.pop() {
        all.push(schema);
        open.extend(schema["properties"].as_object().into_iter().flat_map(serde_json::Map::values));
        open.extend(schema.get("items"));
        for combined in ["oneOf", "anyOf", "allOf"] {
            open.extend(schema[combined].as_array().into_iter().flatten());
        }
    }
    all
}

fn is_typed(schema: &Value) -> bool {
    !schema["type"].is_array() && schema["type"] != "null"
}

fn is_plain(schema: &Value) -> bool {
    let combined = ["oneOf", "anyOf", "allOf", "$ref"];
    schema["type"].is_string() && combined.iter().all(|member| schema.get(member).is_none())
}

/// Whether one side has as many moves at fault as it should have.
fn review_faults(review: &Value, wanted: &Value) -> bool {
    let side = wanted["side"].as_u64().expect("a side") as usize;
    let moves = review["moves"].as_array().into_iter().flatten().skip(side).step_by(2);
    let is_fault =
        |mv: &&Value| ["inaccuracy", "mistake", "blunder"].iter().any(|&name| mv["label"] == name);
    moves.filter(is_fault).count() as u64 >= wanted["min"].as_u64().expect("a number")
}

/// Whether no move that was not forced lost nothing where the value fell by more than `most`.
fn review_swings(review: &Value, most: f64) -> bool {
    let moves = review["moves"].as_array().expect("a list of moves");
    moves.iter().enumerate().all(|(ply, mv)| {
        let value = |evaluation: &Value| evaluation["value"].as_f64().expect("a value");
        let fall = value(&mv["best"]["evaluation"]) - value(&mv["evaluation"]);
        let fall = if ply.is_multiple_of(2) { fall } else { -fall };
        mv["label"] == "forced" || fall <= most || mv["loss"].as_f64() >= Some(0.02)
    })
}

/// Whether these are the first of those moves, each with the value that it has there.
fn is_prefix(moves: &Value, longer: &Value) -> bool {
    let (Some(moves), Some(longer)) = (moves.as_array(), longer.as_array()) else { return false };
    let same_values =
        moves.iter().zip(longer).all(|(mv, other)| mv["evaluation"] == other["evaluation"]);
    let keeps_value = |mv: &Value| {
        longer
            .iter()
            .any(|other| other["move"] == mv["move"] && other["evaluation"] == mv["evaluation"])
    };
    moves.len() <= longer.len() && same_values && moves.iter().all(keeps_value)
}
