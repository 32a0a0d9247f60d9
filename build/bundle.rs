//! Joins the modules of the playground into one script, which a browser has sooner than one file for each module.
//!
//! It reads only what the modules of `web` are written in: each import on a line of its own,
//! `import { a, b as c } from './file.js'` or `import * as name from './file.js'`, and each export before a
//! `const`, a `function` or a `class`. Bundlers from crates.io take longer to compile than the whole service.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The module `entry` of a folder and all that it needs as one script.
pub(crate) fn script(folder: &Path, entry: &str) -> Result<String, Box<dyn Error>> {
    let mut bundle = Bundle { folder, added: BTreeSet::new(), text: String::new() };
    bundle.add(entry)?;
    Ok(bundle.text)
}

struct Bundle<'a> {
    folder: &'a Path,
    added: BTreeSet<String>,
    text: String,
}

impl Bundle<'_> {
    /// Adds a module after those that it needs: a function that is called once and returns what it exports.
    fn add(&mut self, name: &str) -> Result<(), Box<dyn Error>> {
        if !self.added.insert(name.to_owned()) {
            return Ok(());
        }
        let mut body = String::new();
        let mut exports = Vec::new();
        for line in fs::read_to_string(self.folder.join(name))?.lines() {
            if let Some((names, module)) = import(line) {
                self.add(module)?;
                writeln!(body, "const {names} = {};", variable(module))?;
            } else if let Some(declaration) = line.strip_prefix("export ") {
                let known = declared(declaration);
                exports
                    .push(known.ok_or_else(|| format!("{name} exports {declaration}"))?.to_owned());
                writeln!(body, "{declaration}")?;
            } else {
                writeln!(body, "{line}")?;
            }
        }
        let (module, exports) = (variable(name), exports.join(", "));
        writeln!(self.text, "const {module} = (() => {{\n{body}return {{ {exports} }};\n}})();")?;
        Ok(())
    }
}

/// What a line imports, as the left side of a declaration, and from which file.
fn import(line: &str) -> Option<(String, &str)> {
    let (names, file) = line.strip_prefix("import ")?.split_once(" from './")?;
    let names =
        names.strip_prefix("* as ").map_or_else(|| names.replace(" as ", ": "), str::to_owned);
    Some((names, file.strip_suffix("';")?))
}

/// The name that a declaration gives.
fn declared(declaration: &str) -> Option<&str> {
    let kinds = ["const ", "function ", "async function ", "class "];
    let rest = kinds.iter().find_map(|kind| declaration.strip_prefix(kind))?;
    rest.split(|character: char| !character.is_alphanumeric() && character != '_').next()
}

/// The variable that holds what a module exports.
fn variable(file: &str) -> String {
    format!("${}", file.trim_end_matches(".js").replace('-', "_"))
}
