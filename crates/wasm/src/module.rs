//! The module as its host sees it: numbers and addresses.
//!
//! The host asks [`buffer`] for a place, writes a request there as lines: method, path, query and the rest, the body; and calls
//! [`answer`], which hands the parts of the answer to the host's `tell`.

use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;
use std::{mem, panic};

use bestmove_api::{Context, DEFAULT_MAX_TIME_MS, Problem, ProblemKind};
use bestmove_engine::games;
use bestmove_engine::host::{self, Host};

use super::Call;

#[expect(unsafe_code, reason = "the host calls and is called by names")]
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// The milliseconds since a fixed moment.
    safe fn time() -> f64;
    /// Takes the status, the media type and a part of the body of an answer.
    safe fn tell(status: u32, kind: *const u8, kind_length: usize, part: *const u8, length: usize);
    /// Writes a file of `knowledge/` to a place that it asks [`buffer`] for.
    safe fn file(name: *const u8, length: usize);
}

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// The knowledge and limits of all requests, or which file is damaged.
static CONTEXT: LazyLock<Result<Context, String>> = LazyLock::new(|| {
    let time = || Duration::from_secs_f64(time() / 1e3);
    let file = |name: &str| {
        file(name.as_ptr(), name.len());
        written()
    };
    host::set(Host { time, file });
    panic::set_hook(Box::new(|panic| fail(&panic.to_string())));
    let knowledge = games::load_knowledge(None).map_err(|error| error.to_string())?;
    Ok(Context { knowledge, max_time: Some(Duration::from_millis(DEFAULT_MAX_TIME_MS)) })
});

fn told(status: u16, kind: &str, part: &[u8]) {
    tell(status.into(), kind.as_ptr(), kind.len(), part.as_ptr(), part.len());
}

/// Tells that the engine is at fault.
fn fail(detail: &str) {
    super::tell_problem(&Problem::new(ProblemKind::Internal, detail), &mut told);
}

/// What the host has written.
fn written() -> Vec<u8> {
    mem::take(&mut *BUFFER.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A place for a request, or a file, of `length` bytes.
#[expect(unsafe_code, reason = "the host calls it by its name")]
#[unsafe(no_mangle)]
extern "C" fn buffer(length: usize) -> *mut u8 {
    let mut buffer = BUFFER.lock().unwrap_or_else(PoisonError::into_inner);
    *buffer = vec![0; length];
    buffer.as_mut_ptr()
}

/// Answers the request that was written.
#[expect(unsafe_code, reason = "the host calls it by its name")]
#[unsafe(no_mangle)]
extern "C" fn answer() {
    let request = written();
    let request = String::from_utf8_lossy(&request);
    let mut parts = request.splitn(4, '\n');
    let [method, path, query, body] = [(); 4].map(|()| parts.next().unwrap_or_default());
    match &*CONTEXT {
        Ok(context) => super::answer(Call { method, path, query, body }, context, &mut told),
        Err(damage) => fail(damage),
    }
}
