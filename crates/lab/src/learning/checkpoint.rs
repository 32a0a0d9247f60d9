//! The state of a training after an epoch. A killed training goes on from it.

use std::fs;
use std::io;
use std::path::Path;

use crate::error::invalid;

/// The state of a training.
pub(super) struct Checkpoint {
    /// The epochs that are complete.
    pub epoch: u32,
    /// The steps taken.
    pub steps: i32,
    /// The weights.
    pub weights: Vec<f32>,
    /// The running means of the gradient and of its square, for each weight.
    pub means: Vec<[f32; 2]>,
}

impl Checkpoint {
    /// Reads a file: a line with the settings, then epoch and steps, weights and means in 4 little-endian bytes each. `None`
    /// where there is no file; an error where its settings differ from `settings`.
    pub(super) fn read(file: &Path, settings: &str) -> io::Result<Option<Self>> {
        let bytes = match fs::read(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes?,
        };
        let head = format!("{settings}\n");
        let rest = bytes.strip_prefix(head.as_bytes());
        let rest = rest.ok_or_else(|| invalid("the checkpoint is one of another training"))?;
        let words = rest.as_chunks::<4>().0;
        let [epoch, steps, numbers @ ..] = words else {
            return Err(invalid("the checkpoint is too short"));
        };
        let numbers: Vec<_> = numbers.iter().map(|&word| f32::from_le_bytes(word)).collect();
        let (weights, means) = numbers.split_at(numbers.len() / 3);
        Ok(Some(Self {
            epoch: u32::from_le_bytes(*epoch),
            steps: i32::from_le_bytes(*steps),
            weights: weights.to_vec(),
            means: means.as_chunks().0.to_vec(),
        }))
    }

    /// Writes a file in that form in one piece.
    pub(super) fn write(&self, file: &Path, settings: &str) -> io::Result<()> {
        let mut bytes = format!("{settings}\n").into_bytes();
        bytes.extend(self.epoch.to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        let numbers = self.weights.iter().chain(self.means.as_flattened());
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        let partial = file.with_added_extension("partial");
        fs::write(&partial, bytes)?;
        fs::rename(partial, file)
    }
}
