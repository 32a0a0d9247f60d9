//! Files of lines from which a killed run goes on.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use flate2::read::MultiGzDecoder;
use serde::Serialize;

use crate::error::invalid;
use crate::in_order::in_order;

/// The lines of a computation, kept in a file if one is named. Its progress is shown on standard error.
pub(crate) struct Resumable {
    /// The lines that were known before.
    pub known: Vec<String>,
    file: Option<File>,
    progress: Progress,
}

impl Resumable {
    /// A computation of `count` lines that goes on with a file. A missing file is made, with the settings in its first line.
    /// Fails where the file has other settings. A last line that a killed run left incomplete is removed.
    pub(crate) fn open(
        file: Option<&Path>,
        settings: &impl Serialize,
        count: u64,
    ) -> io::Result<Self> {
        let header = format!("{SETTINGS}{}\n", serde_json::to_string(settings)?);
        let mut text = String::new();
        let file = match file {
            None => None,
            Some(file) => {
                let mut file =
                    OpenOptions::new().create(true).read(true).append(true).open(file)?;
                file.read_to_string(&mut text)?;
                text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
                file.set_len(text.len() as u64)?;
                if text.is_empty() {
                    file.write_all(header.as_bytes())?;
                }
                Some(file)
            }
        };
        if text.starts_with(SETTINGS) && !text.starts_with(&header) {
            let begun = text.lines().next().unwrap_or_default();
            return Err(invalid(&format!("the file was begun with other settings: {begun}")));
        }
        let known: Vec<_> = text.lines().filter(is_content).map(String::from).collect();
        let progress = Progress::new(known.len() as u64, count);
        Ok(Self { known, file, progress })
    }

    /// Appends a line in one piece.
    pub(crate) fn append(&mut self, line: &dyn Display) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.write_all(format!("{line}\n").as_bytes())?;
        }
        self.progress.step();
        Ok(())
    }
}

/// The beginning of the line with the settings.
const SETTINGS: &str = "# ";

/// Whether a line is not the line of the settings, which a file may lack.
fn is_content(line: &&str) -> bool {
    !line.starts_with(SETTINGS)
}

/// The lines of a file without the settings. A file whose name ends with `.gz` is decompressed.
pub(crate) fn read_lines(file: &Path) -> io::Result<impl Iterator<Item = io::Result<String>>> {
    let opened = File::open(file)?;
    let text: Box<dyn BufRead> = if file.extension().is_some_and(|extension| extension == "gz") {
        Box::new(BufReader::new(MultiGzDecoder::new(opened)))
    } else {
        Box::new(BufReader::new(opened))
    };
    let content =
        |line: &io::Result<String>| line.as_deref().map_or(true, |line| is_content(&line));
    Ok(text.lines().filter(content))
}

/// Appends the lines that a file lacks of `count`, computed on `threads`.
pub(crate) fn extend(
    file: &Path,
    settings: &impl Serialize,
    count: u64,
    threads: usize,
    line: impl Fn(u64) -> io::Result<String> + Sync,
) -> io::Result<()> {
    let mut lines = Resumable::open(Some(file), settings, count)?;
    let numbers = lines.known.len() as u64..count;
    let number = |(): &mut (), number| line(number);
    in_order(numbers, vec![(); threads], number, |line| {
        lines.append(&line)?;
        Ok(ControlFlow::Continue(()))
    })
}

/// Shows on standard error the progress of a computation and the estimated time left.
pub(crate) struct Progress {
    start: Instant,
    shown: Instant,
    known: u64,
    done: u64,
    count: u64,
}

impl Progress {
    /// The time between two lines.
    const BETWEEN: Duration = Duration::from_secs(10);

    /// A computation of `count` steps, of which `known` were done before.
    pub(crate) fn new(known: u64, count: u64) -> Self {
        let now = Instant::now();
        Self { start: now, shown: now, known, done: known, count }
    }

    /// Counts a step.
    pub(crate) fn step(&mut self) {
        self.done += 1;
        if self.shown.elapsed() < Self::BETWEEN {
            return;
        }
        self.shown = Instant::now();
        let seconds = self.start.elapsed().as_secs();
        let left = seconds * self.count.saturating_sub(self.done) / (self.done - self.known);
        let (hours, minutes, seconds) = (left / 3600, left / 60 % 60, left % 60);
        eprintln!("{} of {}, {hours}:{minutes:02}:{seconds:02} left", self.done, self.count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};

    fn lines_of(file: &Path) -> Vec<String> {
        read_lines(file).and_then(Iterator::collect).expect("lines")
    }

    #[test]
    fn a_file_goes_on_after_its_last_whole_line() {
        let file = std::env::temp_dir().join(format!("bestmove-lines-{}", std::process::id()));
        std::fs::write(&file, "0\n1\n2\n3 is inco").expect("room on the disk");
        extend(&file, &(), 6, 2, |number| Ok(number.to_string())).expect("lines");
        assert_eq!(std::fs::read_to_string(&file).expect("text"), "0\n1\n2\n3\n4\n5\n");
        std::fs::remove_file(file).expect("it is there");
    }

    #[test]
    fn a_file_goes_on_with_its_own_settings_alone() {
        let file = std::env::temp_dir().join(format!("bestmove-header-{}", std::process::id()));
        let run =
            |settings: &str, count| extend(&file, &settings, count, 1, |it| Ok(it.to_string()));
        run("two", 2).expect("lines");
        run("two", 3).expect("more lines");
        assert_eq!(std::fs::read_to_string(&file).expect("text"), "# \"two\"\n0\n1\n2\n");
        assert_eq!(lines_of(&file), ["0", "1", "2"]);
        let error = run("three", 4).expect_err("other settings");
        assert_eq!(error.to_string(), "the file was begun with other settings: # \"two\"");
        std::fs::remove_file(file).expect("it is there");
    }

    #[test]
    fn a_compressed_file_is_read_as_the_lines_that_it_holds() {
        let file = std::env::temp_dir().join(format!("bestmove-lines-{}.gz", std::process::id()));
        let mut encoder = GzEncoder::new(File::create(&file).expect("a file"), Compression::best());
        encoder.write_all(b"# settings\n1 e2e4\n0 d2d4\n").expect("room on the disk");
        encoder.finish().expect("room on the disk");
        assert_eq!(lines_of(&file), ["1 e2e4", "0 d2d4"]);
        std::fs::remove_file(file).expect("it is there");
    }
}
