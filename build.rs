//! Translates `openapi.yaml` into `openapi.json`.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=openapi.yaml");
    let yaml = fs::read_to_string("openapi.yaml")?;
    let document: serde_json::Value = serde_saphyr::from_str(&yaml)?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("openapi.json"), document.to_string())?;
    Ok(())
}
