//! The modules of a crate import each other without a cycle. An import of what a module only re-exports counts
//! as an import of the module that has it, and a re-export of what the module itself uses as an import.

use std::collections::{BTreeMap, BTreeSet};

use super::architecture::all_sources;

/// The crates and the folders of their sources.
const CRATES: [&str; 5] =
    ["src", "crates/adapters/src", "crates/engine/src", "crates/lab/src", "crates/service/src"];

/// What a file says about other modules.
#[derive(Default)]
struct Module {
    /// The paths that it imports or names.
    named: Vec<String>,
    /// The paths that it re-exports.
    re_exported: Vec<String>,
}

impl Module {
    fn read(text: &str) -> Self {
        let (mut module, mut statement) = (Self::default(), None::<String>);
        let mut words = BTreeSet::new();
        let is_code = |line: &&str| !line.trim_start().starts_with("//") && !is_declaration(line);
        for line in text.lines().filter(is_code) {
            let word = line.trim_start();
            let is_public = word.starts_with("pub");
            let before = word.split_once("use ").map(|(before, _)| before);
            if statement.is_none() && before.is_some_and(is_visibility) {
                statement = Some(String::new());
            }
            let Some(tree) = &mut statement else {
                module.named.extend(inline_paths(line));
                words.extend(line.split(|c: char| !c.is_alphanumeric() && c != '_'));
                continue;
            };
            *tree += word;
            if is_public && tree.len() == word.len() {
                tree.insert(0, '!');
            }
            if tree.ends_with(';') {
                let tree = statement.take().unwrap_or_default();
                let is_public = tree.starts_with('!');
                let (_, tree) = tree.split_once("use ").unwrap_or_default();
                let list = if is_public { &mut module.re_exported } else { &mut module.named };
                list.extend(expanded(tree.trim_end_matches(';')));
            }
        }
        let is_used =
            |path: &&String| path.rsplit("::").next().is_some_and(|name| words.contains(name));
        module.named.extend(module.re_exported.iter().filter(is_used).cloned());
        module
    }
}

/// Whether a line declares a module.
fn is_declaration(line: &str) -> bool {
    line.trim_start().split_once("mod ").is_some_and(|(before, _)| is_visibility(before))
}

/// Whether this stands before `use` or `mod`: nothing, or a visibility.
fn is_visibility(text: &str) -> bool {
    matches!(text, "" | "pub ") || text.starts_with("pub(") && text.ends_with(") ")
}

/// The paths that a line of code names, but for the one of a visibility.
fn inline_paths(line: &str) -> Vec<String> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let restricted = line.trim_start().strip_prefix("pub(in ");
    let code = restricted.map_or(Some(line), |rest| Some(rest.split_once(')')?.1));
    let words = code.unwrap_or_default().split(|c| !is_path(c));
    words.filter(|word| word.contains("::")).map(String::from).collect()
}

/// The paths of a use tree: `a::{b, c::{d, e}}` has `a::b`, `a::c::d` and `a::c::e`.
fn expanded(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((prefix, rest)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or_default().to_owned()];
    };
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for letter in rest.trim_end_matches('}').chars() {
        match letter {
            ',' if depth == 0 => parts.push(String::new()),
            letter => {
                depth += i32::from(letter == '{') - i32::from(letter == '}');
                parts.last_mut().expect("a part").push(letter);
            }
        }
    }
    let closed = |part: String| part.clone() + &"}".repeat(open_braces(&part));
    let parts = parts.into_iter().map(closed).filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| expanded(&part)).map(|path| format!("{prefix}{path}")).collect()
}

fn open_braces(text: &str) -> usize {
    text.matches('{').count() - text.matches('}').count()
}

fn child(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}

/// The modules of a crate by their paths, such as `search::limits`.
struct Graph(BTreeMap<String, Module>);

impl Graph {
    fn of(folder: &str) -> Self {
        let named = all_sources().into_iter().filter_map(|(path, text)| {
            let file = path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".rs")?;
            let name = match file.strip_suffix("/mod").unwrap_or(file) {
                "lib" | "main" => String::new(),
                file => file.replace('/', "::"),
            };
            Some((name, Module::read(&text)))
        });
        Self(named.collect())
    }

    /// The module that has the item of this path, as `module` names it; none outside of the crate.
    fn resolve(&self, module: &str, path: &str) -> Option<String> {
        let mut segments = path.split("::").peekable();
        let mut current = match *segments.peek()? {
            "crate" => String::new(),
            "self" | "super" => module.to_owned(),
            first if self.0.contains_key(&child(module, first)) => module.to_owned(),
            _ => return None,
        };
        for segment in segments {
            match segment {
                "crate" | "self" => {}
                "super" => {
                    let parent = current.rsplit_once("::").map(|(parent, _)| parent);
                    current = parent.unwrap_or_default().to_owned();
                }
                name if self.0.contains_key(&child(&current, name)) => {
                    current = child(&current, name);
                }
                name => return Some(self.origin(&current, name)),
            }
        }
        Some(current)
    }

    /// The module from which `module` has the item of this name.
    fn origin(&self, module: &str, name: &str) -> String {
        let mut paths = self.0[module].re_exported.iter();
        let path = paths.find(|path| path.rsplit("::").next() == Some(name));
        let origin = path.and_then(|path| self.resolve(module, path));
        origin.unwrap_or_else(|| module.to_owned())
    }

    /// The modules that a module depends on.
    fn imports(&self, module: &str) -> BTreeSet<String> {
        let named = self.0[module].named.iter();
        let imports = named.filter_map(|path| self.resolve(module, path));
        imports.filter(|import| import != module).collect()
    }

    /// The first cycle below the last module of a path, if there is one.
    fn cycle(&self, path: &mut Vec<String>, seen: &mut BTreeSet<String>) -> Option<Vec<String>> {
        let last = path.last()?.clone();
        for import in self.imports(&last) {
            if let Some(start) = path.iter().position(|module| *module == import) {
                return Some(path[start..].to_vec());
            }
            if seen.insert(import.clone()) {
                path.push(import);
                let cycle = self.cycle(path, seen);
                path.pop();
                if cycle.is_some() {
                    return cycle;
                }
            }
        }
        None
    }
}

#[test]
fn no_modules_import_each_other() {
    for folder in CRATES {
        let graph = Graph::of(folder);
        let mut seen = BTreeSet::new();
        for module in graph.0.keys() {
            let cycle = graph.cycle(&mut vec![module.clone()], &mut seen);
            assert_eq!(cycle, None, "{folder}");
        }
        let edges: usize = graph.0.keys().map(|module| graph.imports(module).len()).sum();
        assert!(edges > graph.0.len(), "{folder}: {edges} imports of {}", graph.0.len());
    }
}

/// The layers of the service, the lowest first: each may import itself and those before it.
const LAYERS: [&str; 4] = ["telemetry", "service", "http", "cli"];

#[test]
fn the_layers_of_the_service_import_only_lower_ones() {
    let graph = Graph::of("src");
    let layer =
        |module: &str| LAYERS.iter().position(|&layer| module.split("::").next() == Some(layer));
    for module in graph.0.keys() {
        let Some(own) = layer(module) else { continue };
        for import in graph.imports(module) {
            assert!(layer(&import).is_some_and(|it| it <= own), "{module} imports {import}");
        }
    }
}

#[test]
fn paths_in_code_are_imports_and_those_of_a_visibility_are_not() {
    let text = "pub(in crate::a) fn f() {}\n\nfn g() { b::h(); }\nuse super::c;\n";
    assert_eq!(Module::read(text).named, ["b::h", "super::c"]);
}

#[test]
fn a_re_export_is_an_import_where_the_module_uses_it() {
    let text = "pub use a::{B, C};\nfn f(b: B) {}\n";
    assert_eq!(Module::read(text).named, ["a::B"]);
}

#[test]
fn a_use_tree_is_read_as_its_paths() {
    let paths = expanded("a::{b, c::{d, e as f}, self}");
    assert_eq!(paths, ["a::b", "a::c::d", "a::c::e", "a::self"]);
}
