//! Damaged knowledge files are refused when the engine is built.

#[path = "../../build/manifest.rs"]
mod manifest;

use std::fs;
use std::path::{Path, PathBuf};

use bestmove_engine::games;

/// A folder of this test that is empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("knowledge")).expect("room on the disk");
    folder
}

#[test]
fn every_embedded_file_is_the_one_that_the_manifest_describes() {
    let root = &Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    assert_eq!(manifest::check(root), Ok(()));
    let manifest = fs::read_to_string(root.join("knowledge/MANIFEST.toml")).expect("the manifest");
    for entry in fs::read_dir(root.join("knowledge")).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
        let is_data = !["MANIFEST.toml", "README.md"].contains(&name.as_str());
        assert_eq!(manifest.contains(&format!("\"knowledge/{name}\"")), is_data, "{name}");
    }
    games::load_knowledge(None).expect("the files can be read");
}

#[test]
fn the_build_refuses_an_embedded_file_that_is_damaged_or_missing() {
    let root = folder("manifest");
    // The hash of "abc" is an example of FIPS 180-2.
    let origin = ["contents", "command", "commit", "seeds", "data", "result", "reproducible"];
    let manifest = |text: &str| {
        let origin = origin.map(|field| format!("{field} = \"{text}\"\n")).concat();
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let file = format!("path = \"knowledge/some.book\"\nbytes = 3\nsha256 = \"{hash}\"\n");
        let manifest = format!("[[file]]\n{file}{origin}");
        fs::write(root.join("knowledge/MANIFEST.toml"), manifest).expect("room on the disk");
    };
    manifest("not recorded");
    let file = root.join("knowledge/some.book");
    let check = |content: &str| {
        fs::write(&file, content).expect("room on the disk");
        manifest::check(&root)
    };
    assert_eq!(check("abc"), Ok(()));
    for damaged in ["abd", "ab", "abcd", ""] {
        let error = check(damaged).expect_err(damaged);
        assert!(error.starts_with("knowledge/some.book has"), "{error}");
    }
    fs::remove_file(&file).expect("it is there");
    let error = manifest::check(&root).expect_err("it is missing");
    assert!(error.starts_with("knowledge/some.book: "), "{error}");
    manifest("");
    let error = check("abc").expect_err("it says nothing");
    assert!(error.starts_with("knowledge/some.book has an empty field"), "{error}");
}

/// What a published package lacks can't be built from it: files outside are read by `knowledge_file!` alone.
#[test]
fn the_package_reads_no_file_outside_of_it() {
    fn check(folder: &Path) {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                check(&path);
            } else if !path.ends_with("tests.rs") {
                let text = fs::read_to_string(&path).expect("text");
                let is_outside =
                    text.contains("include_bytes!(\"../") && text.contains("/knowledge/");
                assert!(!is_outside, "{}: use knowledge_file!(\"name\")", path.display());
            }
        }
    }
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
}
