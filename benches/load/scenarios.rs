//! More than the service can bear, clients that leave, clients that say nothing, and the end.

use std::path::Path;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio::time::sleep;

use super::Outcome;
use super::client::{Client, HEALTH, post};
use super::server::Server;

fn search(time_ms: u32) -> Vec<u8> {
    let body = format!(
        r#"{{"game":"connect-four","position":"444544121","algorithm":"minimax","time_ms":{time_ms}}}"#
    );
    post("/best-move", &body)
}

fn start(program: &Path) -> std::io::Result<Server> {
    Server::start(program, &["--workers", "2", "--queue", "8", "--port"], "warn")
}

pub(crate) async fn all(program: &Path) -> Outcome {
    overload(&start(program)?).await?;
    disconnect(&start(program)?).await?;
    half_open(&Server::start(program, &["--header-timeout", "2", "--port"], "warn")?).await?;
    drain(start(program)?).await
}

/// 120 requests at once where ten find a place.
async fn overload(server: &Server) -> Outcome {
    let address = server.address;
    let mut clients = JoinSet::new();
    for _ in 0..120 {
        clients.spawn(async move {
            let start = Instant::now();
            let mut client = Client::connect(address).await?;
            let status = client.ask(&search(3000)).await?;
            Ok::<_, std::io::Error>((status, start.elapsed(), client.has_header("retry-after")))
        });
    }
    let mut slowest_health = Duration::ZERO;
    let (mut answered, mut refused, mut slowest_refusal) = (0, 0, Duration::ZERO);
    let mut healthy = Client::connect(address).await?;
    while !clients.is_empty() {
        tokio::select! {
            Some(client) = clients.join_next() => match client?? {
                (200, ..) => answered += 1,
                (503, time, true) => (refused, slowest_refusal) = (refused + 1, slowest_refusal.max(time)),
                other => return Err(format!("an unexpected answer: {other:?}").into()),
            },
            () = sleep(Duration::from_millis(20)) => {
                let start = Instant::now();
                healthy.ask(HEALTH).await?;
                slowest_health = slowest_health.max(start.elapsed());
            }
        }
    }
    println!(
        "overload: {answered} answered, {refused} refused with retry-after, the slowest after \
         {slowest_refusal:.1?}; slowest health check {slowest_health:.1?}"
    );
    Ok(())
}

/// Ten clients who leave together.
async fn disconnect(server: &Server) -> Outcome {
    let mut clients = Vec::new();
    for _ in 0..10 {
        let mut client = Client::connect(server.address).await?;
        client.send(&search(3_600_000)).await?;
        clients.push(client);
    }
    sleep(Duration::from_millis(500)).await;
    let busy = cpu_share(server, Duration::from_millis(500)).await;
    clients.clear();
    sleep(Duration::from_millis(500)).await;
    let idle = cpu_share(server, Duration::from_millis(500)).await;
    println!("disconnect: {busy:.2} processors busy before, {idle:.2} half a second after");
    Ok(())
}

async fn cpu_share(server: &Server, time: Duration) -> f64 {
    let (start, cpu) = (Instant::now(), server.cpu());
    sleep(time).await;
    server.cpu().saturating_sub(cpu).as_secs_f64() / start.elapsed().as_secs_f64()
}

/// 200 clients who send half a head.
async fn half_open(server: &Server) -> Outcome {
    let begin = Instant::now();
    let mut clients = Vec::new();
    for _ in 0..200 {
        let mut client = Client::connect(server.address).await?;
        client.send(&HEALTH[..20]).await?;
        clients.push(client);
    }
    let start = Instant::now();
    let status = Client::connect(server.address).await?.ask(HEALTH).await?;
    println!("half-open: another client gets {status} after {:.1?}", start.elapsed());
    let mut closed = 0;
    for client in &mut clients {
        closed += usize::from(client.receive().await.is_err());
    }
    println!("half-open: {closed} of 200 closed after {:.1?}", begin.elapsed());
    Ok(())
}

/// Four searches at two workers when the signal comes.
async fn drain(mut server: Server) -> Outcome {
    let mut clients = Vec::new();
    for _ in 0..4 {
        let mut client = Client::connect(server.address).await?;
        client.send(&search(1000)).await?;
        clients.push(client);
    }
    let mut half_open = Client::connect(server.address).await?;
    half_open.send(b"GET").await?;
    sleep(Duration::from_millis(200)).await;
    server.terminate()?;
    let mut answered = 0;
    for client in &mut clients {
        answered += usize::from(client.receive().await? == 200);
    }
    let start = Instant::now();
    let status = server.exit()?;
    println!("drain: {answered} of 4 answered, {status} after another {:.1?}", start.elapsed());
    Ok(())
}
