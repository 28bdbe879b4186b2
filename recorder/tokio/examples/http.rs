//! http.rs: a small object store that records itself, with places to provoke each picture in a timeline.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
//   PARKLANE_ENABLED=true PARKLANE_OUTPUT_DIR=/tmp/http cargo run --example http -- 127.0.0.1:7000 /tmp/objects
//
//   PUT, GET, DELETE /objects/NAME   objects are files, written and read through the blocking pool
//   POST /block?ms=N                 holds the worker that serves it: a long poll
//   POST /block-in-place?ms=N        holds its thread, and hands the worker to another one
//   POST /spin?ms=N                  the same with the processor at work
//   POST /blocking?ms=N&n=M          M closures in the blocking pool, N ms each
//   POST /burst?n=M                  M tasks at once: queues grow
//   GET  /metrics                    the recorder's, for Prometheus

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::Router;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longer than any picture needs.
const LONGEST: Duration = Duration::from_secs(10);
const MOST: u64 = 100_000;

type Numbers = Query<HashMap<String, u64>>;

fn length(numbers: &Numbers) -> Duration {
    Duration::from_millis(numbers.get("ms").copied().unwrap_or(10)).min(LONGEST)
}

fn count(numbers: &Numbers) -> u64 {
    numbers.get("n").copied().unwrap_or(1).min(MOST)
}

/// A name that stays in the folder.
fn file_of(folder: &std::path::Path, name: &str) -> Result<PathBuf, StatusCode> {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    if name.is_empty() || name.starts_with('.') || !is_plain {
        return Err(StatusCode::BAD_REQUEST);
    }
    Ok(folder.join(name))
}

/// Disk work belongs off the workers; this is Tokio's function, recorded.
async fn on_disk<R: Send + 'static>(
    work: impl FnOnce() -> io::Result<R> + Send + 'static,
) -> Result<R, StatusCode> {
    match parklane_tokio::spawn_blocking(work).await {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(error)) if error.kind() == io::ErrorKind::NotFound => Err(StatusCode::NOT_FOUND),
        Ok(Err(_)) | Err(_) => Err(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

async fn put_object(
    State(folder): State<Arc<PathBuf>>,
    Path(name): Path<String>,
    content: Bytes,
) -> Result<StatusCode, StatusCode> {
    let file = file_of(&folder, &name)?;
    // Hidden names are never served, so nobody reads half an object.
    let unfinished = folder.join(format!(".{name}"));

    on_disk(move || {
        std::fs::write(&unfinished, &content)?;
        std::fs::File::open(&unfinished)?.sync_all()?;
        std::fs::rename(&unfinished, &file)
    })
    .await?;
    Ok(StatusCode::CREATED)
}

async fn get_object(State(folder): State<Arc<PathBuf>>, Path(name): Path<String>) -> Result<Vec<u8>, StatusCode> {
    let file = file_of(&folder, &name)?;
    on_disk(move || std::fs::read(file)).await
}

async fn delete_object(
    State(folder): State<Arc<PathBuf>>,
    Path(name): Path<String>,
) -> Result<StatusCode, StatusCode> {
    let file = file_of(&folder, &name)?;
    on_disk(move || std::fs::remove_file(file)).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn block(numbers: Numbers) {
    std::thread::sleep(length(&numbers));
}

async fn block_in_place(numbers: Numbers) {
    parklane_tokio::block_in_place(|| std::thread::sleep(length(&numbers)));
}

async fn spin(numbers: Numbers) {
    let begin = Instant::now();
    while begin.elapsed() < length(&numbers) {
        std::hint::spin_loop();
    }
}

async fn blocking(numbers: Numbers) {
    let length = length(&numbers);
    let works: Vec<_> = (0..count(&numbers))
        .map(|_| parklane_tokio::spawn_blocking(move || std::thread::sleep(length)))
        .collect();
    for work in works {
        work.await.expect("it only sleeps");
    }
}

async fn burst(numbers: Numbers) {
    let tasks: Vec<_> = (0..count(&numbers)).map(|_| tokio::spawn(tokio::task::yield_now())).collect();
    for task in tasks {
        task.await.expect("it only yields");
    }
}

async fn metrics() -> String {
    parklane_tokio::prometheus("http_parklane").unwrap_or_default()
}

#[parklane_tokio::main]
async fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:7000".into());
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| "objects".into()));
    std::fs::create_dir_all(&folder)?;

    let service = Router::new()
        .route("/objects/{name}", get(get_object).put(put_object).delete(delete_object))
        .route("/block", post(block))
        .route("/block-in-place", post(block_in_place))
        .route("/spin", post(spin))
        .route("/blocking", post(blocking))
        .route("/burst", post(burst))
        .route("/metrics", get(metrics))
        .with_state(Arc::new(folder));
    let listener = tokio::net::TcpListener::bind(&address).await?;

    println!("listening on {}", listener.local_addr()?);
    axum::serve(listener, service)
        .with_graceful_shutdown(async {
            let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
                .expect("a handler for SIGTERM");
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
        })
        .await
}
