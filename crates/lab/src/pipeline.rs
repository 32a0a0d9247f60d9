//! Training recipes: the stages of a training from the first game to the measured network, run one after
//! the other.
//!
//! A stage writes to a file with the ending `partial`, and gives it its name once it is complete. A run
//! skips stages whose file is there and goes on with the partial one, so a killed run can be started again.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::arena::Match;
use crate::learning::Learning;
use crate::loading::load_knowledge;
use crate::rescoring::Rescoring;
use crate::self_play::SelfPlay;
use clap::{Args, FromArgMatches, Subcommand};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use toml::{Table, Value};

/// A stage of a training.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Stage {
    /// Play games of the engine against itself, resumably
    SelfPlay(SelfPlay),
    /// Score positions of such games again by deeper searches, resumably
    Rescore(Rescoring),
    /// Train the network of a game on scored positions, or the one of decided endings
    Learn(Learning),
    /// Let two players play against each other
    Match(Match),
}

impl Stage {
    /// Runs the stage. Returns its result in words, where it has one besides its file.
    pub(crate) fn run(self) -> io::Result<String> {
        match self {
            Self::SelfPlay(self_play) => self_play.run().map(|()| String::new()),
            Self::Rescore(rescoring) => rescoring.run().map(|()| String::new()),
            Self::Learn(learning) => learning
                .run()
                .map(|(samples, error)| format!("{samples} samples, validation error {error:.5}")),
            Self::Match(contest) => contest.run().map(|result| result.to_string()),
        }
    }
}

/// A recipe to run.
#[derive(Args, Clone, Debug)]
pub(crate) struct Pipeline {
    /// The recipe: a TOML file
    recipe: PathBuf,
    /// The folder of the files of all stages, for this recipe alone
    #[arg(long)]
    folder: PathBuf,
}

/// The content of a recipe.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recipe {
    /// The name of the game.
    game: String,
    /// The path of the network in the repository.
    path: String,
    /// The description of the network for the manifest.
    contents: String,
    /// The default networks of stages: a file in the folder, or `none` for networks of zeros; the embedded networks where
    /// absent.
    networks: Option<String>,
    /// Games at once in self-play, rescoring and matches.
    threads: u32,
    /// The stages in order: the subcommand of `lab` as `run`, the name of its file as `out`, its options, and `networks` where
    /// the stage does not use the default ones.
    stage: Vec<Table>,
}

impl Pipeline {
    fn read(&self) -> io::Result<(String, Recipe)> {
        let text = fs::read_to_string(&self.recipe)?;
        let recipe =
            toml::from_str(&text).map_err(|error| crate::error::invalid(error.message()))?;
        Ok((text, recipe))
    }

    /// Runs the incomplete stages, with endgame tables of the folder `tables`. Then writes the manifest entry of the network
    /// to `manifest.toml` in the folder, and prints it.
    pub(crate) fn run(self, tables: Option<&Path>) -> io::Result<()> {
        let tables = tables.map(std::path::absolute).transpose()?;
        let (text, recipe) = self.read()?;
        let stages = recipe.stage.iter().map(|stage| recipe.stage(stage));
        let stages = stages.collect::<io::Result<Vec<_>>>()?;
        fs::create_dir_all(&self.folder)?;
        // Options name the files of other stages without the folder.
        std::env::set_current_dir(&self.folder)?;
        let lock = File::create("lock")?;
        lock.try_lock().map_err(|_| crate::error::invalid("another run uses the folder"))?;
        match fs::read_to_string("recipe.toml") {
            Ok(other) if other != text => {
                return Err(crate::error::invalid("the folder has files of another recipe"));
            }
            Ok(_) => {}
            Err(_) => write_whole(Path::new("recipe.toml"), &text)?,
        }
        let count = stages.len();
        for (number, ((out, stage), options)) in (1..).zip(stages.into_iter().zip(&recipe.stage)) {
            if out.exists() {
                eprintln!("stage {number} of {count}: {} is complete", out.display());
                continue;
            }
            eprintln!("stage {number} of {count}: {}", out.display());
            let networks = options.get("networks").map(text_of).or_else(|| recipe.networks.clone());
            let networks = networks.as_deref().map(|file| (recipe.game.as_str(), file));
            load_knowledge(tables.as_deref(), networks)?;
            let result = stage.run()?;
            write_whole(&out.with_added_extension("result"), &result)?;
            fs::rename(out.with_added_extension("partial"), out)?;
        }
        let name = self.recipe.file_name().unwrap_or_default().to_string_lossy();
        let entry = recipe.manifest_entry(&name)?;
        print!("{entry}");
        write_whole(Path::new("manifest.toml"), &entry)
    }
}

/// Writes a file under another name first, so that an incomplete file never has the name `path`.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let partial = path.with_added_extension("partial");
    fs::write(&partial, text)?;
    fs::rename(partial, path)
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Array(values) => values.iter().map(text_of).collect::<Vec<_>>().join(" "),
        other => format!("{other:?}"),
    }
}

impl Recipe {
    /// The file of a stage, and the stage with the partial file as its output.
    fn stage(&self, options: &Table) -> io::Result<(PathBuf, Stage)> {
        let required = |name: &str| {
            let text = options.get(name).and_then(Value::as_str);
            text.ok_or_else(|| crate::error::invalid(&format!("a stage has no '{name}'")))
        };
        let (run, out) = (required("run")?, PathBuf::from(required("out")?));
        let partial = out.with_added_extension("partial").display().to_string();
        let mut arguments = vec!["lab".to_owned(), run.to_owned(), self.game.clone()];
        arguments.extend(["--out".to_owned(), partial]);
        arguments.extend(["--threads".to_owned(), self.threads.to_string()]);
        for (name, value) in
            options.iter().filter(|(name, _)| !["run", "out", "networks"].contains(&name.as_str()))
        {
            let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            let option = format!("--{}", name.replace('_', "-"));
            arguments.extend(values.iter().flat_map(|value| [option.clone(), text_of(value)]));
        }
        let command =
            Stage::augment_subcommands(clap::Command::new("lab")).subcommand_required(true);
        let matches = command.try_get_matches_from(arguments);
        let stage = matches.and_then(|matches| Stage::from_arg_matches(&matches));
        Ok((out, stage.map_err(|error| crate::error::invalid(&error.to_string()))?))
    }

    /// The manifest entry of the network of the last training stage.
    fn manifest_entry(&self, recipe: &str) -> io::Result<String> {
        let is_training =
            |stage: &&Table| stage.get("run").and_then(Value::as_str) == Some("learn");
        let training = self.stage.iter().rfind(is_training);
        let out = |stage: &Table| stage.get("out").map(text_of).unwrap_or_default();
        let network =
            training.map(out).ok_or_else(|| crate::error::invalid("no stage trains a network"))?;
        let network = fs::read(network)?;
        let hash = Sha256::digest(&network);
        let hash = hash.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        let networks = self.networks.as_deref().unwrap_or("embedded");
        let mut data = format!("networks where no others are named: {networks}; ");
        let (mut seeds, mut result) = (String::new(), String::new());
        for stage in &self.stage {
            let run = stage.get("run").map(text_of).unwrap_or_default();
            let options = stage.iter().filter(|(name, _)| *name != "run" && *name != "seed");
            let options = options.map(|(name, value)| format!("{name} {}", text_of(value)));
            // Writing to a string cannot fail.
            let _ = write!(data, "{run}: {}; ", options.collect::<Vec<_>>().join(", "));
            let seed = stage.get("seed").map_or_else(|| "default".to_owned(), text_of);
            let _ = write!(seeds, "{run} {seed}; ");
            let told = fs::read_to_string(format!("{}.result", out(stage)))?;
            if !told.is_empty() {
                let _ = write!(result, "{run}: {told}; ");
            }
        }
        let fields = [
            ("contents", self.contents.as_str()),
            ("command", &format!("lab pipeline {recipe} --folder FOLDER")),
            ("commit", &commit()),
            ("seeds", seeds.trim_end_matches("; ")),
            ("data", data.trim_end_matches("; ")),
            ("result", result.trim_end_matches("; ")),
            (
                "reproducible",
                "Bit for bit by the build of this commit on the same kind of processor.",
            ),
        ];
        let fields = fields.map(|(name, text)| format!("{name} = {text:?}\n")).concat();
        let (path, bytes) = (&self.path, network.len());
        Ok(format!("[[file]]\npath = {path:?}\nbytes = {bytes}\nsha256 = \"{hash}\"\n{fields}"))
    }
}

/// The commit of the source, where the laboratory runs in a clone.
fn commit() -> String {
    let source = env!("CARGO_MANIFEST_DIR");
    let output = Command::new("git").args(["-C", source, "rev-parse", "--short", "HEAD"]).output();
    let text = output.ok().filter(|output| output.status.success());
    let text = text.and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or_else(|| "not recorded".to_owned(), |text| text.trim().to_owned())
}
