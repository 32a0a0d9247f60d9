//! The real program as a process.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::ops::Deref;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{Client, TIMEOUT};

/// The program in a shell after this command.
pub fn after(prepare: &str) -> Command {
    let mut shell = Command::new("sh");
    let script = format!("{prepare} && exec \"$0\" \"$@\"");
    shell.env_remove("RUST_LOG").args(["-c", &script]).arg(crate::program());
    shell
}

/// A process of the program, killed when it is dropped.
pub struct Program {
    client: Client,
    process: Child,
    /// The first line of the log, if it is read.
    pub first: String,
    /// The log lines, once the process has ended.
    log: Option<thread::JoinHandle<Vec<String>>>,
}

impl Program {
    /// Starts it on a free port with these arguments, and with two workers unless they say how many.
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_at(None, arguments)
    }

    /// Starts it with this level of log lines.
    pub fn start_at(level: Option<&str>, arguments: &[&str]) -> Self {
        let mut command = Command::new(crate::program());
        command.env_remove("RUST_LOG").envs(level.map(|level| ("RUST_LOG", level)));
        Self::run(command, arguments)
    }

    /// Starts it with these variables of the environment.
    pub fn start_in(environment: &[(&str, &str)], arguments: &[&str]) -> Self {
        let mut command = Command::new("env");
        command.args(environment.iter().map(|(name, value)| format!("{name}={value}")));
        command.arg(crate::program());
        Self::run(command, arguments)
    }

    /// Starts it in a shell after this command, such as `ulimit -n 40`.
    pub fn start_after(prepare: &str, arguments: &[&str]) -> Self {
        Self::run(after(prepare), arguments)
    }

    /// Starts it with a log that is not read, or [elsewhere](Self::take_log). A process that has the port first is
    /// not noticed.
    pub fn start_logging_to(log: Stdio, arguments: &[&str]) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let address = free.expect("there is a free port");
        let mut command = Command::new(crate::program());
        command.args(["--port", &address.port().to_string(), "--workers", "2"]).args(arguments);
        let command = command.env_remove("RUST_LOG").env_remove("ENDGAME_TABLES").stderr(log);
        let process = command.spawn().expect("the program starts");
        let start = Instant::now();
        while TcpStream::connect(address).is_err() {
            assert!(start.elapsed() < TIMEOUT, "the program does not listen");
            thread::sleep(Duration::from_millis(5));
        }
        Self { client: Client { address }, process, first: String::new(), log: None }
    }

    /// The log of a process that was started with a pipe for it.
    pub fn take_log(&mut self) -> ChildStderr {
        self.process.stderr.take().expect("a pipe that nobody has taken")
    }

    fn run(mut command: Command, arguments: &[&str]) -> Self {
        command.args(["--port", "0", "--log-format", "json"]).args(arguments);
        if !arguments.contains(&"--workers") {
            command.args(["--workers", "2"]);
        }
        let command = command.env_remove("ENDGAME_TABLES").stderr(Stdio::piped());
        let mut process = command.spawn().expect("the program starts");
        let mut lines = BufReader::new(process.stderr.take().expect("it has a log")).lines();
        let first = lines.next().expect("it says where it listens").expect("it is text");
        let log = thread::spawn(move || lines.map_while(Result::ok).collect());
        let address = first.split(r#""address":""#).nth(1).and_then(|rest| rest.split('"').next());
        let address = address.and_then(|address| address.parse().ok()).expect("an address");
        Self { client: Client { address }, process, first, log: Some(log) }
    }

    /// Sends it a signal by name.
    pub fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        let status = Command::new("kill").args(["-s", name, &id]).status();
        assert!(status.is_ok_and(|status| status.success()), "the signal is sent");
    }

    /// Waits for its end.
    pub fn exit(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().expect("it can be waited for") {
                return status;
            }
            assert!(start.elapsed() < TIMEOUT, "the program does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The memory that it occupies now, and the most that it has occupied, in MB of 2^20 bytes.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> (u64, u64) {
        let status = self.proc("status");
        let of = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_suffix("kB"));
            line.and_then(|line| line.trim().parse::<u64>().ok()).expect("kilobytes") >> 10
        };
        (of("VmRSS:"), of("VmHWM:"))
    }

    /// The processor time that all its threads have used.
    #[cfg(target_os = "linux")]
    pub fn processor_time(&self) -> Duration {
        /// Linux tells times in hundredths of a second.
        const TICK: Duration = Duration::from_millis(10);
        let stat = self.proc("stat");
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks = fields.skip(11).take(2).map(|ticks| ticks.parse::<u32>().expect("a number"));
        TICK * ticks.sum::<u32>()
    }

    #[cfg(target_os = "linux")]
    fn proc(&self, file: &str) -> String {
        let path = format!("/proc/{}/{file}", self.process.id());
        std::fs::read_to_string(path).expect("the process goes on")
    }

    /// The lines that it has logged, once it has ended.
    pub fn log(&mut self) -> Vec<String> {
        self.exit();
        self.log.take().map_or_else(Vec::new, |log| log.join().expect("the log is read"))
    }
}

impl Deref for Program {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
