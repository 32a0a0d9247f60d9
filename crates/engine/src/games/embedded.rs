//! Files that are part of the program.

use std::io;
use std::sync::LazyLock;

/// What a file holds that is part of the program, read when it is first asked.
pub(super) struct Embedded<T> {
    /// The file's path below the project's root.
    path: &'static str,
    content: LazyLock<io::Result<T>>,
}

impl<T> Embedded<T> {
    pub(super) const fn new(path: &'static str, read: fn() -> io::Result<T>) -> Self {
        Self { path, content: LazyLock::new(read) }
    }

    /// Its content; none where it is damaged, which [`check`](Self::check) refuses at the start.
    #[inline]
    pub(super) fn get(&self) -> Option<&T> {
        self.content.as_ref().ok()
    }

    /// Reads the file now.
    ///
    /// # Errors
    /// Names the file if it is damaged.
    pub(super) fn check(&self) -> io::Result<()> {
        let named = |error| io::Error::other(format!("{}: {error}", self.path));
        self.content.as_ref().map(drop).map_err(named)
    }
}

/// Why a file is refused.
pub(super) fn invalid(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_is_refused_by_its_name() {
        static WHOLE: Embedded<u8> = Embedded::new("knowledge/whole", || Ok(1));
        static DAMAGED: Embedded<u8> =
            Embedded::new("knowledge/damaged", || Err(invalid("not a table")));
        assert!(WHOLE.check().is_ok());
        assert_eq!((WHOLE.get(), DAMAGED.get()), (Some(&1), None));
        let error = DAMAGED.check().expect_err("it is damaged").to_string();
        assert_eq!(error, "knowledge/damaged: not a table");
    }
}
