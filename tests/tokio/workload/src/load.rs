//! load.rs: what is measured: an echo service under load, and tasks that do nothing but yield.
// SPDX-License-Identifier: GPL-3.0-or-later

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const N_CONNECTIONS: usize = 32;
const N_YIELDING: usize = 16;
const MESSAGE: [u8; 32] = *b"0123456789abcdef0123456789abcde\n";

async fn echo(mut stream: TcpStream) -> std::io::Result<()> {
    let mut buffer = [0; 256];

    loop {
        let n = stream.read(&mut buffer).await?;
        if n == 0 {
            return Ok(());
        }
        stream.write_all(&buffer[..n]).await?;
    }
}

async fn ask(address: std::net::SocketAddr, is_over: Arc<AtomicBool>) -> std::io::Result<u64> {
    let mut stream = TcpStream::connect(address).await?;
    let mut buffer = MESSAGE;
    let mut n = 0;

    stream.set_nodelay(true)?;
    while !is_over.load(Ordering::Relaxed) {
        stream.write_all(&MESSAGE).await?;
        stream.read_exact(&mut buffer).await?;
        n += 1;
    }
    Ok(n)
}

/// Requests a second of connections that each wait for their answer; clients and service share the workers.
pub async fn echo_per_second(length: Duration) -> f64 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let is_over = Arc::new(AtomicBool::new(false));

    let service = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            stream.set_nodelay(true).expect("a socket");
            tokio::spawn(echo(stream));
        }
    });
    let begin = Instant::now();
    let clients: Vec<_> = (0..N_CONNECTIONS).map(|_| tokio::spawn(ask(address, Arc::clone(&is_over)))).collect();
    tokio::time::sleep(length).await;
    is_over.store(true, Ordering::Relaxed);
    let mut n = 0;
    for client in clients {
        n += client.await.expect("a task").expect("an answer");
    }
    service.abort();
    n as f64 / begin.elapsed().as_secs_f64()
}

/// Nanoseconds of a worker that one poll takes, of tasks that do nothing but yield on `n_workers` workers.
pub async fn poll_ns(length: Duration, n_workers: usize) -> f64 {
    let is_over = Arc::new(AtomicBool::new(false));
    let polls = Arc::new(AtomicU64::new(0));

    let begin = Instant::now();
    let tasks: Vec<_> = (0..N_YIELDING)
        .map(|_| {
            let (is_over, polls) = (Arc::clone(&is_over), Arc::clone(&polls));
            tokio::spawn(async move {
                let mut n = 0;
                while !is_over.load(Ordering::Relaxed) {
                    tokio::task::yield_now().await;
                    n += 1;
                }
                polls.fetch_add(n, Ordering::Relaxed);
            })
        })
        .collect();
    tokio::time::sleep(length).await;
    is_over.store(true, Ordering::Relaxed);
    for task in tasks {
        task.await.expect("a task");
    }
    begin.elapsed().as_nanos() as f64 * n_workers as f64 / polls.load(Ordering::Relaxed) as f64
}

/// Prints the figure that `name` names.
pub async fn print(name: &str, length: Duration, n_workers: usize) {
    match name {
        "echo" => println!("echo\t{}", echo_per_second(length).await),
        "yield" => println!("poll_ns\t{}", poll_ns(length, n_workers).await),
        _ => panic!("{name} is no load"),
    }
}
