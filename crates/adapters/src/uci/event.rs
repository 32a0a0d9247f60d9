//! The events of a session: commands, and reports of a search.

use std::io::BufRead;
use std::sync::mpsc::Sender;
use std::time::Instant;

use bestmove_engine::games::any::Answer;

/// An event that the answering thread waits for.
pub(super) enum SessionEvent {
    /// A command, and when it came, from which a clock runs.
    Line(String, Instant),
    /// There are no more commands.
    EndOfInput,
    /// A depth is completed.
    Progress(Box<Answer>),
    /// The search has ended.
    Found(Box<Answer>),
}

/// Sends every line as an event, until the session ends. Bytes that are not UTF-8 are replaced.
pub(super) fn read_lines(input: impl BufRead, events: &Sender<SessionEvent>) {
    for line in input.split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).into_owned();
        if events.send(SessionEvent::Line(line, Instant::now())).is_err() {
            return;
        }
    }
    let _ = events.send(SessionEvent::EndOfInput);
}
