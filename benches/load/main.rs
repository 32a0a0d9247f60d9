//! How much the service bears, beside a floor made of the same crates.
//!
//! ```text
//! cargo build --release
//! cargo run --profile dist --example load -- target/dist/bestmove [throughput|scenarios|hostile|reading|streams|memory]
//! ```
//!
//! The figures of a run are to be compared with each other only: the machine's speed varies, so the
//! targets are measured in short slices in turn, and a ratio is the median over the rounds.

mod client;
mod floor;
mod hostile;
mod reading;
mod scenarios;
mod server;
mod streams;
mod throughput;

use std::env;
use std::error::Error;
use std::path::PathBuf;

use tokio::runtime::Builder;

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let mut arguments = env::args().skip(1);
    let first = arguments.next().ok_or("the path of the program is missing")?;
    let second = arguments.next();
    let runtime = Builder::new_multi_thread().enable_all().build()?;
    if first == floor::COMMAND {
        let port = second.ok_or("the port is missing")?.parse()?;
        return runtime.block_on(floor::serve(port));
    }
    let program = PathBuf::from(first);
    let wanted = |name: &str| second.as_ref().is_none_or(|second| second == name);
    println!("load {}", server::load());
    runtime.block_on(async {
        if wanted("throughput") {
            throughput::measure(&program).await?;
        }
        if wanted("scenarios") {
            scenarios::all(&program).await?;
        }
        if wanted("hostile") {
            hostile::all(&program).await?;
        }
        if wanted("reading") {
            reading::all(&program).await?;
        }
        if wanted("streams") {
            streams::all(&program).await?;
        }
        if wanted("memory") {
            throughput::memory(&program).await?;
        }
        println!("load {}", server::load());
        Ok(())
    })
}
