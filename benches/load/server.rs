//! A server as a process of its own.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a server may take to start or to stop.
const TIMEOUT: Duration = Duration::from_mins(1);

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    /// From the start of the process to the first connection.
    pub(crate) ready: Duration,
    process: Child,
}

impl Server {
    /// Starts `program` with `arguments` and a free port as the last one.
    pub(crate) fn start(
        program: impl AsRef<OsStr>,
        arguments: &[&str],
        log: &str,
    ) -> io::Result<Self> {
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let mut command = Command::new(program);
        command.args(arguments).arg(address.port().to_string()).env("RUST_LOG", log);
        let start = Instant::now();
        let process = command.stderr(Stdio::null()).spawn()?;
        while TcpStream::connect(address).is_err() {
            if start.elapsed() > TIMEOUT {
                return Err(io::ErrorKind::TimedOut.into());
            }
            sleep(Duration::from_micros(200));
        }
        Ok(Self { address, ready: start.elapsed(), process })
    }

    /// Time on processors since the start.
    pub(crate) fn cpu(&self) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id()));
        let stat = stat.unwrap_or_default();
        let fields = stat.rsplit_once(") ").map(|(_, fields)| fields.split(' '));
        let ticks = fields.into_iter().flatten().skip(11).take(2);
        let ticks: u64 = ticks.filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        Duration::from_millis(ticks * 10)
    }

    /// Resident memory in MiB.
    pub(crate) fn memory(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
        kibibytes.unwrap_or(f64::NAN) / 1024.0
    }

    /// Asks the process to end, by a signal.
    pub(crate) fn terminate(&self) -> io::Result<ExitStatus> {
        Command::new("kill").args(["-s", "TERM", &self.process.id().to_string()]).status()
    }

    pub(crate) fn exit(&mut self) -> io::Result<ExitStatus> {
        let start = Instant::now();
        loop {
            match self.process.try_wait()? {
                Some(status) => return Ok(status),
                None if start.elapsed() > TIMEOUT => return Err(io::ErrorKind::TimedOut.into()),
                None => sleep(Duration::from_millis(1)),
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The load of the machine.
pub(crate) fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').take(3).collect::<Vec<_>>().join(" ")
}
