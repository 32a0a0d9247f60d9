//! The server: accepts connections, serves them, and shuts down gracefully.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket};
use tokio::task::yield_now;
use tokio::time::{Instant, sleep, timeout};

use super::app::App;
use super::connection::{Connection, TimedStream};
use super::middleware::Stack;
use bestmove_service::Pool;

/// Connections that the kernel keeps until they are accepted.
const BACKLOG: u32 = 1024;

/// The bytes of the head of a request, and of what else is read ahead. hyper answers a longer one with 431.
const MAX_HEAD: usize = 64 * 1024;

/// The pause after a connection could not be accepted: most likely there is no file descriptor until another connection
/// is closed.
const ACCEPT_PAUSE: Duration = Duration::from_millis(10);

/// The shortest time between two log lines about failures to accept.
const ACCEPT_LOG_INTERVAL: Duration = Duration::from_secs(1);

/// The time that searches may take to stop.
const STOP_GRACE: Duration = Duration::from_millis(400);

/// The time that the last responses may take to be written.
const WRITE_GRACE: Duration = Duration::from_millis(500);

/// Listens on `address`, within a runtime.
///
/// # Errors
/// Where `address` cannot be bound.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let bound = bind(address);
    bound.map_err(|error| {
        io::Error::new(
            error.kind(),
            format!("can't listen on {address}: {error}; see --host and --port"),
        )
    })
}

fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A port whose last connections linger can be bound again. On Windows it can be in any case, and the option would
    // let two servers have one port.
    socket.set_reuseaddr(cfg!(unix))?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `signal`, then until every admitted search is answered or the time for that is over,
/// and at most a second more.
pub async fn serve(
    listener: TcpListener,
    app: Arc<App>,
    stack: Stack,
    signal: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let is_closing = Arc::new(AtomicBool::new(false));
    let accept_connections = async {
        let mut failures = AcceptFailures::default();
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    // Responses are written whole, so there is nothing to wait for.
                    let _ = stream.set_nodelay(true);
                    let connection =
                        Connection::new(stream, Arc::clone(&app), Arc::clone(&is_closing));
                    let serving = serve_connection(connection, stack.clone(), graceful.watcher());
                    tokio::spawn(serving);
                }
                Err(error) => {
                    failures.count(&error);
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    };
    tokio::select! {
        () = accept_connections => {}
        () = async { signal.await; drain(app.service.pool(), app.limits.drain).await } => {}
    }
    drop(listener);
    is_closing.store(true, Ordering::Relaxed);
    if timeout(WRITE_GRACE, graceful.shutdown()).await.is_err() {
        tracing::warn!("some responses were not written in time");
    }
}

/// Waits until every admitted search is answered. After `time`, searches must answer with their last completed depth; a
/// search that does not stop is left behind.
async fn drain(searches: &Pool, time: Duration) {
    tracing::info!("draining");
    searches.drain();
    if timeout(time, searches.drained()).await.is_ok() {
        return;
    }
    searches.end();
    if timeout(STOP_GRACE, searches.drained()).await.is_err() {
        tracing::warn!("some searches did not stop in time");
    }
}

/// Serves a connection until it ends or its client takes too long.
async fn serve_connection(connection: Arc<Connection>, stack: Stack, watcher: Watcher) {
    let service = TowerToHyperService::new(stack);
    let requests = Arc::clone(&connection);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let in_progress = requests.begin_request();
        let response = service.call(request.map(Body::new));
        async move {
            let response = response.await;
            // A connection with many requests lets other connections go first.
            yield_now().await;
            response.map(|response| in_progress.respond(response))
        }
    });
    let stream = TokioIo::new(TimedStream(Arc::clone(&connection)));
    let serving = http1::Builder::new()
        .half_close(true)
        .max_header_size(MAX_HEAD)
        .max_buf_size(MAX_HEAD)
        .serve_connection(stream, service);
    let served = tokio::select! {
        biased;
        served = watcher.watch(serving) => served,
        () = connection.expired() => return,
    };
    // Otherwise it does not matter how a connection ends.
    if served.is_err_and(|error| error.is_parse()) {
        connection.linger().await;
    }
}

/// Failures to accept a connection. They come in great numbers.
#[derive(Default)]
struct AcceptFailures {
    count: u64,
    logged: Option<Instant>,
}

impl AcceptFailures {
    /// Counts a failure, and logs all unlogged failures unless the last line is younger than [`ACCEPT_LOG_INTERVAL`].
    fn count(&mut self, error: &io::Error) {
        self.count += 1;
        if self.logged.is_none_or(|logged| logged.elapsed() >= ACCEPT_LOG_INTERVAL) {
            tracing::warn!(%error, count = self.count, "connections were not accepted");
            (self.count, self.logged) = (0, Some(Instant::now()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpStream;
    use std::thread;

    use axum::extract::State;
    use axum::routing::get;
    use bestmove_engine::games::any::{Answer, AnySearch, Chance, SearchKey, SearchParameters};
    use bestmove_engine::games::{Knowledge, catalogue};
    use bestmove_engine::search::SearchTables;
    use tokio::runtime::Runtime;

    use super::*;
    use crate::http::{HttpLimits, routes, stack};
    use bestmove_api::{Include, Job};
    use bestmove_service::{Priority, ServiceLimits};

    static IS_SEARCHING: AtomicBool = AtomicBool::new(false);

    /// A search that never ends, whatever it is told.
    struct Endless;

    impl AnySearch for Endless {
        fn key(&self) -> SearchKey {
            let start = catalogue()[0].board(None, &[]).expect("the start");
            let search = start.search(&SearchParameters::default(), &Knowledge::default());
            search.expect("a search").key()
        }

        fn memory(&self) -> usize {
            0
        }

        fn nodes_to_end(&self) -> Option<u64> {
            None
        }

        fn run_with(
            &self,
            _: &AtomicBool,
            _: &mut SearchTables,
            _: Option<&mut dyn FnMut(Answer)>,
        ) -> Answer {
            IS_SEARCHING.store(true, Ordering::Relaxed);
            loop {
                thread::park();
            }
        }

        fn chances(&self, _: Option<Duration>, _: &AtomicBool) -> Option<Vec<Chance>> {
            None
        }
    }

    #[test]
    fn searches_that_never_stop_hold_the_server_a_second_at_most() {
        const DRAIN: Duration = Duration::from_millis(100);
        let hour = Duration::from_hours(1);
        let capacity =
            ServiceLimits { workers: 1, queue: 1, memory: 1 << 30, max_time: hour, cache: 0 };
        let limits = HttpLimits { body: 1024, arrival: hour, idle: hour, drain: DRAIN };
        let app = App::new(&capacity, limits, Knowledge::default());
        let endless = async |State(app): State<Arc<App>>| {
            let board = catalogue()[0].board(None, &[]).expect("the start");
            let job = Job::of_search(Box::new(Endless), board, Include::default());
            let _ = app.service.run(job, Priority::Single).await;
        };
        let stack = stack(&app, [routes(), vec![("/endless", get(endless))]].concat(), &[]);
        let runtime = Runtime::new().expect("a runtime starts");
        let any = ([127, 0, 0, 1], 0).into();
        let listener = runtime.block_on(async { listen(any) }).expect("some port is free");
        let address = listener.local_addr().expect("a listener has an address");
        let mut client = TcpStream::connect(address).expect("the server listens");
        client.write_all(b"GET /endless HTTP/1.1\r\nhost: a\r\n\r\n").expect("the server reads");
        let start = Instant::now();
        let signal = async {
            while !IS_SEARCHING.load(Ordering::Relaxed) {
                sleep(Duration::from_millis(1)).await;
            }
        };
        let serving = serve(listener, app, stack, signal);
        // The bound is generous because the machine may be busy.
        let bound = Duration::from_secs(5);
        let ended = runtime.block_on(async { timeout(bound, serving).await });
        assert!(ended.is_ok() && start.elapsed() >= DRAIN, "after {:?}", start.elapsed());
        runtime.shutdown_background();
    }
}
