//! Paths into a JSON document: `moves[0].evaluation.outcome`, `result.tools[name=best_move].inputSchema`.

use serde_json::Value;

/// The value at a path; none where a member or an element is absent. The empty path is the whole document.
pub(super) fn find<'v>(document: &'v Value, path: &str) -> Option<&'v Value> {
    let (first, rest) = split(path);
    if first.is_empty() {
        return Some(document);
    }
    let found = match first.strip_prefix('[') {
        Some(place) => element(document, place.trim_end_matches(']'))?,
        None => document.get(first)?,
    };
    find(found, rest)
}

/// The first part of a path, and the rest.
fn split(path: &str) -> (&str, &str) {
    let path = path.strip_prefix('.').unwrap_or(path);
    let end = match path.find(['.', '[']) {
        Some(0) => path.find(']').map_or(path.len(), |end| end + 1),
        Some(end) => end,
        None => path.len(),
    };
    path.split_at(end)
}

/// An element by its place, or by the value of a member: `name=best_move`.
fn element<'v>(list: &'v Value, place: &str) -> Option<&'v Value> {
    match place.split_once('=') {
        Some((member, value)) => list.as_array()?.iter().find(|element| element[member] == value),
        None => list.get(place.parse::<usize>().ok()?),
    }
}

#[test]
fn a_path_names_members_and_elements() {
    let document = serde_json::json!({"a": [{"name": "x", "b": 1}, {"name": "y", "b": {"c": 2}}]});
    for (path, found) in [
        ("a[0].b", Some(serde_json::json!(1))),
        ("a[name=y].b.c", Some(serde_json::json!(2))),
        ("a[2].b", None),
        ("a[name=z]", None),
        ("b", None),
        ("", Some(document.clone())),
    ] {
        assert_eq!(find(&document, path), found.as_ref(), "{path}");
    }
}
