//! What clients get wrong: requests are changed, as values and as texts.

use fastrand::Rng;
use serde_json::{Map, Value, json};

/// What is written over and over to make a text long. A place that repeats too much of a text shows the text many times.
const FILLERS: [&str; 44] = [
    "a", "Ж", "0", "9", "1", "-", "x", "!", " ", "\"", "\\", "\u{0}", "/", "~", "{", "(", "[", ";",
    ".", "…", "♘", "e4 ", "1. ", "44", "\u{200b}", "\n", ",", "W", "/8", "𝒳", "=Q", "+", "_", "%",
    "&", "O", ":", "`", "'", "K", "$1 ", "?", "\u{feff}", "#",
];

/// The characters of the longest filler.
const LONGEST: usize = 6000;

/// The bytes of the longest body or query.
const MOST_BYTES: usize = 64 << 10;

/// What stands for itself in the text of the request, where JSON has no value for it.
const RAW: [&str; 22] = [
    "1e999",
    "-1e999",
    "1e-400",
    "18446744073709551616",
    "9007199254740993",
    "-0",
    "-0.0",
    "3.0",
    "1.5",
    "00",
    ".5",
    "+1",
    "NaN",
    "\"\\ud800\"",
    "\"a\\udc00b\"",
    "\"\\u0000\"",
    "nul",
    "'a'",
    "[[[[[[[[[[[[[[[[[[[[",
    "{}",
    "[]",
    "",
];

/// Marks [`RAW`] text in a string.
const MARK: char = '\u{f8ff}';

/// The fields of all requests.
const FIELDS: [&str; 26] = [
    "game",
    "variant",
    "position",
    "moves",
    "depth",
    "time_ms",
    "nodes",
    "search_moves",
    "algorithm",
    "evaluator",
    "level",
    "seed",
    "include",
    "view",
    "top",
    "exact",
    "max_nodes",
    "flip",
    "theme",
    "coordinates",
    "arrows",
    "marks",
    "size",
    "id",
    "board",
    "side_to_move",
];

/// Changes a request as a value.
pub(super) fn value(rng: &mut Rng, request: &mut Value) {
    match rng.u8(..16) {
        0..=3 => lengthen(rng, request),
        4 | 5 => edit_text(rng, request),
        6 | 7 => replace(rng, request, Value::is_string),
        8 => replace(rng, request, |_| true),
        9 | 10 => edit_array(rng, request),
        11 => rename(rng, request),
        12 => add_field(rng, request),
        13 => remove_field(rng, request),
        14 => nest(rng, request),
        _ => multiply(rng, request),
    }
}

/// The pointers to the values that fit, inside of the request.
fn places(value: &Value, fits: fn(&Value) -> bool) -> Vec<String> {
    fn collect(value: &Value, place: &str, fits: fn(&Value) -> bool, found: &mut Vec<String>) {
        if !place.is_empty() && fits(value) {
            found.push(place.to_owned());
        }
        match value {
            Value::Array(elements) => elements
                .iter()
                .enumerate()
                .for_each(|(at, element)| collect(element, &format!("{place}/{at}"), fits, found)),
            Value::Object(members) => members.iter().for_each(|(name, member)| {
                let name = name.replace('~', "~0").replace('/', "~1");
                collect(member, &format!("{place}/{name}"), fits, found);
            }),
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(value, "", fits, &mut found);
    found
}

/// A random value that fits, each field as likely as any other.
fn choose<'v>(
    rng: &mut Rng,
    value: &'v mut Value,
    fits: fn(&Value) -> bool,
) -> Option<&'v mut Value> {
    let places = places(value, fits);
    let field_of = |place: &String| place.split('/').nth(1).map(str::to_owned);
    let mut fields: Vec<_> = places.iter().map(field_of).collect();
    fields.dedup();
    let field = rng.choice(&fields)?;
    let places: Vec<_> = places.iter().filter(|place| field_of(place) == *field).collect();
    value.pointer_mut(rng.choice(places)?)
}

/// A long text of one character, or of a few by turns, or random.
fn filler(rng: &mut Rng) -> String {
    let count = if rng.bool() { rng.usize(95..140) } else { rng.usize(101..LONGEST) };
    if rng.usize(..5) == 0 {
        return (0..count).map(|_| letter(rng)).collect();
    }
    let filler = FILLERS[rng.usize(..FILLERS.len())];
    let count = count / filler.chars().count() + 1;
    filler.repeat(count)
}

fn letter(rng: &mut Rng) -> char {
    match rng.u8(..4) {
        0 => rng.char(..),
        1 => rng.char('\u{20}'..'\u{7f}'),
        2 => rng.char('\u{0}'..'\u{2ff}'),
        _ => rng.alphanumeric(),
    }
}

fn lengthen(rng: &mut Rng, request: &mut Value) {
    let filler = filler(rng);
    let Some(place) = choose(rng, request, |value| !value.is_object() && !value.is_array()) else {
        return;
    };
    let text = place.as_str().map_or_else(|| place.to_string(), str::to_owned);
    let count = text.chars().count();
    let at = match rng.u8(..6) {
        0 => 0,
        1 => count,
        _ => rng.usize(0..=count),
    };
    let (before, after): (String, String) =
        (text.chars().take(at).collect(), text.chars().skip(at).collect());
    *place = match rng.u8(..6) {
        0 => json!(filler),
        1 => json!(filler.clone() + &text + &filler),
        _ => json!(before + &filler + &after),
    };
}

/// One to four characters are replaced, added, taken away or exchanged.
fn edit_text(rng: &mut Rng, request: &mut Value) {
    const LETTERS: &str = "KQRBNPkqrbnp0123456789/wbXOxo.-_=+#:, []{}()\"';|~aehW%$\n";
    let Some(place) = choose(rng, request, Value::is_string) else { return };
    let mut text: Vec<char> = place.as_str().unwrap_or_default().chars().collect();
    for _ in 0..rng.usize(1..5) {
        let new = match rng.u8(..5) {
            0 => letter(rng),
            _ => LETTERS.chars().nth(rng.usize(..LETTERS.len())).unwrap_or('8'),
        };
        let at = rng.usize(0..=text.len());
        match rng.u8(..4) {
            0 => text.insert(at, new),
            _ if at == text.len() => text.push(new),
            1 => drop(text.remove(at)),
            2 => {
                let other = rng.usize(..text.len());
                text.swap(at, other);
            }
            _ => text[at] = new,
        }
    }
    *place = text.into_iter().collect::<String>().into();
}

/// A value of any type.
fn any(rng: &mut Rng) -> Value {
    match rng.u8(..12) {
        0 => Value::Null,
        1 => json!(rng.bool()),
        2 => json!(rng.i64(-3..12)),
        3 => json!(rng.u64(..)),
        4 => json!(rng.f64() * 10_f64.powi(rng.i32(-3..30))),
        5 => json!([]),
        6 => json!({}),
        7 => json!([[rng.u8(..), null, "X"], "O", {"board": []}]),
        8 => json!({"board": [["X"], []], "side_to_move": letter(rng)}),
        9 => json!(FIELDS[rng.usize(..FIELDS.len())]),
        10 => json!(letter(rng)),
        _ => json!(format!("{MARK}{}{MARK}", RAW[rng.usize(..RAW.len())])),
    }
}

fn replace(rng: &mut Rng, request: &mut Value, fits: fn(&Value) -> bool) {
    let new = any(rng);
    if let Some(place) = choose(rng, request, fits) {
        *place = new;
    }
}

/// An element is added, repeated, replaced or taken away.
fn edit_array(rng: &mut Rng, request: &mut Value) {
    let new = any(rng);
    let Some(Value::Array(elements)) = choose(rng, request, Value::is_array) else { return };
    let at = rng.usize(0..=elements.len());
    match rng.u8(..5) {
        0 => elements.insert(at, new),
        _ if at == elements.len() => {}
        1 => elements[at] = new,
        2 => elements.insert(at, elements[at].clone()),
        3 => elements.truncate(at),
        _ => drop(elements.remove(at)),
    }
}

/// The name of a member that none has, sometimes a long one.
fn name(rng: &mut Rng) -> String {
    match rng.u8(..4) {
        0 => filler(rng),
        1 => letter(rng).to_string(),
        _ => FIELDS[rng.usize(..FIELDS.len())].to_owned(),
    }
}

fn rename(rng: &mut Rng, request: &mut Value) {
    let new = name(rng);
    let is_inner = rng.bool() && !places(request, Value::is_object).is_empty();
    let object = if is_inner { choose(rng, request, Value::is_object) } else { Some(request) };
    let Some(Value::Object(members)) = object else { return };
    let names: Vec<_> = members.keys().cloned().collect();
    if let Some(value) = rng.choice(&names).and_then(|name| members.remove(name)) {
        members.insert(new, value);
    }
}

fn add_field(rng: &mut Rng, request: &mut Value) {
    let (name, value) = (name(rng), any(rng));
    if let Value::Object(members) = request {
        members.insert(name, value);
    }
}

fn remove_field(rng: &mut Rng, request: &mut Value) {
    if let Value::Object(members) = request {
        let names: Vec<_> = members.keys().cloned().collect();
        rng.choice(&names).and_then(|name| members.remove(name));
    }
}

/// A value stands in arrays or objects with long names, one in the other.
fn nest(rng: &mut Rng, request: &mut Value) {
    let depth = if rng.bool() { rng.usize(1..8) } else { rng.usize(1..200) };
    let name = name(rng);
    let name: String = name.chars().take(300).collect();
    let (is_object, inner) = (rng.bool(), any(rng));
    let Some(place) = choose(rng, request, |_| true) else { return };
    if rng.bool() {
        *place = inner;
    }
    for _ in 0..depth {
        let inner = place.take();
        *place = if is_object {
            Value::Object(Map::from_iter([(name.clone(), inner)]))
        } else {
            json!([inner])
        };
    }
}

/// A long array of an element, or of elements by turns.
fn multiply(rng: &mut Rng, request: &mut Value) {
    let count = rng.usize(1..3000);
    let Some(place) = choose(rng, request, |value| !value.is_object()) else { return };
    let count = count.min(MOST_BYTES / place.to_string().len() + 1);
    *place = match place.take() {
        Value::Array(elements) if !elements.is_empty() => {
            elements.iter().cycle().take(count).cloned().collect()
        }
        value => vec![value; count].into(),
    };
}

/// The text of a request as a body.
pub(super) fn body(rng: &mut Rng, request: &Value, is_mutated: bool) -> Vec<u8> {
    let mut text = unmarked(&request.to_string());
    if !is_mutated {
        return text.into_bytes();
    }
    if rng.usize(..12) == 0 {
        let (name, value) = (name(rng), any(rng));
        let member = format!("{{{}:{},", json!(name), unmarked(&value.to_string()));
        text = text.replacen('{', &member, 1 + rng.usize(..2));
    }
    let mut bytes = text.into_bytes();
    bytes.truncate(MOST_BYTES);
    slip(rng, &mut bytes);
    bytes
}

/// Some texts are cut, or have other bytes.
fn slip(rng: &mut Rng, bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    let at = rng.usize(..bytes.len());
    match rng.u8(..24) {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << rng.u8(..8),
        2 => bytes[at] = rng.u8(..),
        3 => bytes.insert(at, b"{}[]\",:\\ "[rng.usize(..9)]),
        4 => drop(bytes.remove(at)),
        _ => {}
    }
}

/// A text of JSON in which marked strings stand as they are to be written.
fn unmarked(text: &str) -> String {
    let (start, end) = (format!("\"{MARK}"), format!("{MARK}\""));
    let mut parts = text.split(start.as_str());
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (raw, rest) = part.split_once(end.as_str()).unwrap_or(("", part));
        written
            .push_str(&serde_json::from_str::<String>(&format!("\"{raw}\"")).unwrap_or_default());
        written.push_str(rest);
    }
    written
}

/// The text of a request as a query.
pub(super) fn query(rng: &mut Rng, request: &Value, is_mutated: bool) -> String {
    let empty = Map::new();
    let members = request.as_object().unwrap_or(&empty);
    let text = |value: &Value| match value {
        Value::String(text) => text.replace(MARK, ""),
        Value::Array(elements) if elements.iter().all(Value::is_string) => {
            let texts: Vec<_> = elements.iter().filter_map(Value::as_str).collect();
            texts.join(",")
        }
        value => value.to_string(),
    };
    let pairs =
        members.iter().map(|(name, value)| format!("{}={}", escaped(name), escaped(&text(value))));
    let mut pairs: Vec<_> = pairs.collect();
    if !is_mutated {
        return pairs.join("&");
    }
    if rng.usize(..12) == 0 {
        let pair = pairs.first().cloned().unwrap_or_default();
        pairs.push(if rng.bool() { pair } else { escaped(&name(rng)) });
    }
    let mut bytes = pairs.join("&").into_bytes();
    bytes.truncate(MOST_BYTES);
    slip(rng, &mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A text as a query carries it.
fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b',' => {
            char::from(byte).to_string()
        }
        b' ' => "+".to_owned(),
        other => format!("%{other:02x}"),
    };
    text.bytes().map(escape).collect()
}
