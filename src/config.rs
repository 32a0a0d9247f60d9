//! Every setting: a flag, an environment variable, a default and a range. This module alone checks them.

use std::env;
use std::ffi::OsStr;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use axum::http::{HeaderValue, Uri};
use clap::builder::RangedU64ValueParser;
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

use crate::http;
use crate::telemetry::LogFormat;
use bestmove_adapters::{BestMove, Play, ReviewCommand, Uci};
use bestmove_api::DEFAULT_MAX_TIME_MS;
use bestmove_engine::search::MOST_MEMORY;
use bestmove_service::ServiceLimits;

/// Answers over HTTP with the best move of a board game.
#[derive(Debug, Parser)]
#[command(version = http::LONG_VERSION, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to do; `serve` where no command is named.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The settings of `serve`.
    #[command(flatten)]
    pub settings: Settings,
}

/// The commands of the program.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve over HTTP (the default)
    Serve(Box<Settings>),
    /// Ask a running server for its health: exit status 0 if it is alive
    Healthcheck(Address),
    /// Find the best move of a position, without a server
    BestMove(BestMove),
    /// Play a game in the terminal
    Play(Play),
    /// Review a game: what each of its moves was worth
    ///
    /// All values are from the view of the side that moves first in the game.
    Review(ReviewCommand),
    /// Speak the Universal Chess Interface (UCI) over standard input and output, for chess programs
    Uci(Uci),
    /// Speak the Model Context Protocol (MCP) over standard input and output, for an assistant
    ///
    /// The settings of the server that limit searches hold.
    Mcp(Box<Settings>),
    /// Write completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual page
    Man,
}

impl Cli {
    /// Reads the command line. A variable of the environment counts only for a command that has its setting, since
    /// `HOST` and `PORT` are often meant for other programs. An empty variable counts as absent.
    pub fn read() -> Self {
        let command = without_empty_variables(Self::command());
        let first = env::args_os().nth(1);
        let has_subcommand = first.is_some_and(|first| command.find_subcommand(first).is_some());
        let command = if has_subcommand {
            // These settings are those of `serve` where no command is named.
            command.mut_args(|setting| setting.env(None::<&str>))
        } else {
            command
        };
        Self::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit())
    }
}

/// Removes empty variables of the environment from the settings of `command` and of its subcommands.
fn without_empty_variables(command: clap::Command) -> clap::Command {
    let is_empty = |name: &OsStr| env::var_os(name).is_some_and(|value| value.is_empty());
    let command = command.mut_args(|setting| match setting.get_env() {
        Some(name) if is_empty(name) => setting.env(None::<&str>),
        _ => setting,
    });
    command.mut_subcommands(without_empty_variables)
}

/// Where the server listens.
#[derive(Args, Clone, Debug)]
pub struct Address {
    /// IP address of the server: `0.0.0.0` and `::` are all of this machine
    #[arg(long, env = "HOST", default_value = "127.0.0.1", value_parser = ip_address)]
    pub host: IpAddr,
    /// Port of the server, 0 to 65535; 0 takes a free one
    #[arg(long, env = "PORT", default_value_t = 8080)]
    pub port: u16,
}

impl Address {
    /// The address to listen on.
    #[must_use]
    pub fn socket_address(&self) -> SocketAddr {
        (self.host, self.port).into()
    }
}

/// The settings of the server.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Where to listen.
    #[command(flatten)]
    pub address: Address,
    /// Searches at once, 1 to 256
    #[arg(long, env = "WORKERS", default_value_t = cpus(), value_parser = count::<usize>(1, 256))]
    pub workers: usize,
    /// Searches that may wait for a worker, 0 to 1000000; further ones are refused with 503
    #[arg(long, env = "QUEUE", default_value_t = 64, value_parser = count::<usize>(0, 1_000_000))]
    pub queue: usize,
    /// Mebibytes, 94 to 1048576, for tables of running searches and, a quarter, answers that wait to be sent and what
    /// batches read ahead; a search that finds too little left waits, a large answer is refused with 503
    #[arg(
        long,
        env = "MEMORY_MB",
        default_value_t = 1024,
        value_parser = count::<usize>(LEAST_MEMORY_MB, 1 << 20)
    )]
    pub memory_mb: usize,
    /// Milliseconds, 1 to 3600000, after which any search answers with its last completed depth
    #[arg(
        long,
        env = "MAX_TIME_MS",
        default_value_t = DEFAULT_MAX_TIME_MS,
        value_parser = count::<u64>(1, 3_600_000)
    )]
    pub max_time_ms: u64,
    /// Mebibytes of answers that are kept, 0 to 1048576; 0 keeps none
    #[arg(long, env = "CACHE_MB", default_value_t = 64, value_parser = count::<u64>(0, 1 << 20))]
    pub cache_mb: u64,
    /// Bytes that a request body may have, 1024 to 67108864
    #[arg(
        long,
        env = "BODY_LIMIT",
        default_value_t = 64 * 1024,
        value_parser = count::<usize>(1024, 64 * 1024 * 1024)
    )]
    pub body_limit: usize,
    /// Seconds, 0.001 to 86400, in which the head of a request must arrive, and then its body
    #[arg(long, env = "HEADER_TIMEOUT", default_value = "10", value_parser = seconds)]
    pub header_timeout: Duration,
    /// Seconds, 0.001 to 86400, for which a connection is kept on which no byte moves while the server waits for
    /// the client; a proxy in front should close its own connections earlier
    #[arg(long, env = "IDLE_TIMEOUT", default_value = "75", value_parser = seconds)]
    pub idle_timeout: Duration,
    /// Origin whose pages may read the answers and use /mcp, such as <https://example.org>; several are separated
    /// by commas, and * stands for any, but not at /mcp
    #[arg(long, env = "CORS_ORIGIN", default_value = "*", value_delimiter = ',', value_parser = origin)]
    pub cors_origin: Vec<HeaderValue>,
    /// Folder of endgame tables to map into memory, made by `lab tables` and checked at the start; to
    /// replace a file, rename another to its name: one that is shortened while it is mapped ends the
    /// server by SIGBUS
    #[arg(long, env = "ENDGAME_TABLES", value_name = "DIR")]
    pub endgame_tables: Option<PathBuf>,
    /// Whether assistants may use the Model Context Protocol at /mcp
    #[arg(long, env = "MCP", default_value_t = true, action = ArgAction::Set)]
    pub mcp: bool,
    /// Milliseconds after a signal, 0 to 3600000, in which running searches may finish by themselves
    #[arg(
        long,
        env = "DRAIN_MS",
        default_value_t = 25_000,
        value_parser = count::<u64>(0, 3_600_000)
    )]
    pub drain_ms: u64,
    /// Form of the log lines on standard error
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
}

impl Settings {
    /// The limits of the service.
    pub fn service(&self) -> ServiceLimits {
        ServiceLimits {
            workers: self.workers,
            queue: self.queue,
            memory: self.memory_mb << 20,
            max_time: Duration::from_millis(self.max_time_ms),
            cache: self.cache_mb << 20,
        }
    }

    /// Writes the line of the log with the version and every setting. `address` is the one that the server listens on.
    pub fn log(&self, address: SocketAddr) {
        let origins: Vec<_> = self.cors_origin.iter().filter_map(|it| it.to_str().ok()).collect();
        tracing::info!(
            version = http::VERSION,
            build = http::BUILD,
            revision = http::REVISION,
            %address,
            workers = self.workers,
            queue = self.queue,
            memory_mb = self.memory_mb,
            max_time_ms = self.max_time_ms,
            cache_mb = self.cache_mb,
            body_limit = self.body_limit,
            header_timeout = self.header_timeout.as_secs_f64(),
            idle_timeout = self.idle_timeout.as_secs_f64(),
            cors_origin = origins.join(","),
            endgame_tables = self.endgame_tables.as_ref().map(|folder| folder.display().to_string()),
            mcp = self.mcp,
            drain_ms = self.drain_ms,
            "listening"
        );
    }

    /// The limits of connections.
    pub fn http(&self) -> http::HttpLimits {
        http::HttpLimits {
            body: self.body_limit,
            arrival: self.header_timeout,
            idle: self.idle_timeout,
            drain: Duration::from_millis(self.drain_ms),
        }
    }
}

/// Mebibytes: enough for the largest search.
const LEAST_MEMORY_MB: u64 = (MOST_MEMORY as u64).div_ceil(1 << 20);

fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(256)
}

fn count<T: TryFrom<u64> + Clone + Send + Sync>(least: u64, most: u64) -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(least..=most)
}

/// An IP address, or `localhost`, the one name that needs no lookup. (A static program cannot look names up.)
fn ip_address(text: &str) -> Result<IpAddr, String> {
    if text == "localhost" {
        return Ok(Ipv4Addr::LOCALHOST.into());
    }
    text.parse().map_err(|_| "expected an IP address: 127.0.0.1, 0.0.0.0 or ::".to_owned())
}

/// Reads a number of seconds, which may have a fraction.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected seconds, from 0.001 to 86400".to_owned())
}

/// Reads `*`, or an origin as browsers send it: ASCII in small letters, without the default port of the scheme.
fn origin(text: &str) -> Result<HeaderValue, String> {
    let text = text.trim().to_ascii_lowercase();
    let origin = if text == "*" { Some(text) } else { sent_origin(&text) };
    origin.and_then(|origin| origin.parse().ok()).ok_or_else(|| {
        "expected * or an origin that browsers send: a scheme, a host in ASCII and perhaps a port, such as \
         https://example.org"
            .to_owned()
    })
}

/// The origin that browsers send for pages of `text`, an origin in small letters.
fn sent_origin(text: &str) -> Option<String> {
    /// Schemes without pages, or whose pages have no origin.
    const OTHERS: [&str; 9] =
        ["about", "blob", "data", "file", "ftp", "javascript", "mailto", "ws", "wss"];
    let uri: Uri = text.parse().ok()?;
    let (scheme, host) = (uri.scheme_str()?, uri.host()?);
    let port = uri.port().map(|port| port.as_str().parse::<u16>()).transpose().ok()?;
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    let is_whole = text == format!("{scheme}://{host}{port}");
    let is_implied = matches!((scheme, &*port), ("http", ":80") | ("https", ":443"));
    let is_page =
        scheme.starts_with(|it: char| it.is_ascii_lowercase()) && !OTHERS.contains(&scheme);
    (is_whole && is_page && is_host(host))
        .then(|| format!("{scheme}://{host}{}", if is_implied { "" } else { &port }))
}

/// Whether `host` is written as by browsers: an address in its shortest form, or a name in small letters.
fn is_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().is_ok_and(|parsed| parsed.to_string() == address);
    }
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || b"-_".contains(&it))
    };
    let name = host.strip_suffix('.').unwrap_or(host);
    let last = name.rsplit('.').next().unwrap_or_default();
    // Browsers take a name whose last part is a number for an address.
    let is_number = |label: &str| label.bytes().all(|it| it.is_ascii_digit());
    let is_address = is_number(last)
        || last
            .strip_prefix("0x")
            .is_some_and(|rest| rest.bytes().all(|it| it.is_ascii_hexdigit()));
    if is_address { host.parse::<Ipv4Addr>().is_ok() } else { name.split('.').all(is_label) }
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    #[test]
    fn an_origin_is_one_that_browsers_send() {
        for (text, sent) in [
            ("*", "*"),
            ("http://localhost:3000", "http://localhost:3000"),
            (" HTTPS://Example.ORG:443", "https://example.org"),
            ("http://example.org:443", "http://example.org:443"),
            ("http://example.org.:80", "http://example.org."),
            ("https://xn--mller-kva.example", "https://xn--mller-kva.example"),
            ("http://127.0.0.1:65535", "http://127.0.0.1:65535"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("http://my_host:0", "http://my_host:0"),
            (
                "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
                "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
            ),
            ("capacitor://localhost", "capacitor://localhost"),
        ] {
            assert_eq!(origin(text).as_ref().map(HeaderValue::as_bytes), Ok(sent.as_bytes()));
        }
        let others = "null example.org //example.org http:// http:example.org ://a 1a://a http://\u{e9} http://\u{212a} \
            http://a/ http://a/b http://a?b http://a#b http://a\tb http://u@a http://@a http://a: http://a:b http://a:65536 \
            http://a:+80 http://a:080 http://a:80:80 http://:80 http://*.a http://* http://a* http://a..b http://.a http://. \
            http://a%41 http://a! http://[::1 http://[0::1] http://[::1]a http://[a] http://127.1 http://256.0.0.1 \
            http://0x7f.1 http://a.0x1f http://a.0x http://1 http://127.0.0.1. http://01.2.3.4 http://http://a \
            http://a,http://b file://a ftp://a ws://a data://a";
        for text in others.split(' ').chain(["", "http://a b"]) {
            assert!(origin(text).is_err_and(|error| error.contains("expected * or")), "{text}");
        }
    }

    #[test]
    fn the_ranges_in_the_help_are_those_that_are_checked() {
        let command = Settings::augment_args(Command::new("bestmove"));
        let mut ranges = 0;
        for setting in command.get_arguments() {
            let help = setting.get_help().map(ToString::to_string).unwrap_or_default();
            let words: Vec<_> = help.split([' ', ',', ';']).collect();
            let bounds = words.windows(3).find_map(|words| {
                let [least, "to", most] = words else { return None };
                Some((least.parse::<f64>().ok()?, most.parse::<f64>().ok()?))
            });
            let (Some((least, most)), Some(name)) = (bounds, setting.get_long()) else { continue };
            ranges += 1;
            for (value, is_taken) in
                [(least, true), (most, true), (least - 1.0, false), (most + 1.0, false)]
            {
                let arguments = ["bestmove", &format!("--{name}={value}")];
                let taken = command.clone().try_get_matches_from(arguments).is_ok();
                assert_eq!(taken, is_taken, "--{name}={value}");
            }
        }
        assert_eq!(ranges, 10);
    }
}
