//! `llms.txt`: what an assistant needs to use the service, put together from the contract and the documentation.

use std::fmt::Write as _;

use serde_json::Value;

/// The guide: what the contract says of itself and of its routes, each with its first example, then the notations of the
/// games in the words of `games`, a page in Markdown.
pub(crate) fn guide(contract: &Value, games: &str) -> String {
    let words = |value: &Value| value.as_str().unwrap_or_default().trim().to_owned();
    let info = &contract["info"];
    let mut guide = format!("# {}\n\n", words(&info["title"]));
    let _ = writeln!(
        guide,
        "> {}\n\n{}\n\n## Routes\n",
        words(&info["summary"]),
        words(&info["description"])
    );
    for (path, methods) in contract["paths"].as_object().into_iter().flatten() {
        for (method, route) in methods.as_object().into_iter().flatten() {
            let method = method.to_uppercase();
            let _ = writeln!(
                guide,
                "- `{method} {path}`: {}.{}",
                words(&route["summary"]),
                example(route)
            );
        }
    }
    let _ = writeln!(
        guide,
        "\n## The contract\n\n- [OpenAPI in YAML](/openapi.yaml)\n- [OpenAPI in JSON](/openapi.json)\n"
    );
    for line in unlinked(games).lines() {
        let _ = writeln!(guide, "{}{line}", if line.starts_with('#') { "#" } else { "" });
    }
    guide
}

/// The text without links to other pages, which the service does not show.
fn unlinked(text: &str) -> String {
    let mut parts = text.split('[');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let link =
            part.split_once("](").and_then(|(words, rest)| Some((words, rest.split_once(')')?)));
        match link {
            Some((words, (target, rest))) if target.contains(".md") || target.starts_with('#') => {
                plain.extend([words, rest]);
            }
            _ => plain.extend(["[", part]),
        }
    }
    plain
}

/// The first example of a request, in JSON.
fn example(route: &Value) -> String {
    let examples = &route["requestBody"]["content"]["application/json"]["examples"];
    let first = examples.as_object().and_then(|examples| examples.values().next());
    first.map(|first| format!(" For example `{}`.", first["value"])).unwrap_or_default()
}
