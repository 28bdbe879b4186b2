//! scenes.rs: scenes of what Parklane's crate offers, or of several runtimes.
// SPDX-License-Identifier: GPL-3.0-or-later

use parklane_tokio::Session;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use tokio::task::yield_now;
use workload::{scenes, spawn, Counts};

fn multi_thread(n_workers: usize) -> Builder {
    let mut builder = Builder::new_multi_thread();
    builder.enable_all().worker_threads(n_workers);
    builder
}

fn start(n_workers: usize) -> (Session, Runtime) {
    let mut builder = multi_thread(n_workers);
    let session = parklane_tokio::attach(&mut builder);
    assert!(session.is_running(), "the environment asks for a session");
    (session, builder.build().expect("a runtime"))
}

async fn yielding(counts: &Counts, n: usize) {
    for _ in 0..n {
        spawn!(counts, yield_now()).await.expect("a task");
    }
}

/// Two runtimes with workers, of which the second begins later and ends earlier, and one on the main thread.
fn runtimes(counts: &Counts) {
    let mut builder = multi_thread(3);
    let session = parklane_tokio::attach(&mut builder);
    let first = builder.build().expect("a runtime");
    first.block_on(yielding(counts, 20));

    let mut builder = multi_thread(2);
    session.attach(&mut builder, "io");
    let second = builder.build().expect("a runtime");
    second.block_on(yielding(counts, 20));

    let mut builder = Builder::new_current_thread();
    session.attach(&mut builder, "local");
    let third = builder.enable_all().build().expect("a runtime");
    third.block_on(yielding(counts, 20));
    drop(third);
    drop(second);
    first.block_on(yielding(counts, 20));
    drop(first);
}

fn current_thread(counts: &Counts) {
    let mut builder = Builder::new_current_thread();
    let session = parklane_tokio::attach(&mut builder);
    let runtime = builder.enable_all().build().expect("a runtime");
    runtime.block_on(scenes::plain(counts));
    drop(runtime);
    drop(session);
}

/// Work for a pool of one thread: the second closure waits for as long as the first one takes.
fn blocking(counts: &Counts) {
    let mut builder = multi_thread(2);
    builder.max_blocking_threads(1);
    let session = parklane_tokio::attach(&mut builder);
    let runtime = builder.build().expect("a runtime");

    let timed = || {
        let begin = Instant::now();
        std::thread::sleep(Duration::from_millis(20));
        begin.elapsed().as_nanos() as u64
    };
    runtime.block_on(async {
        counts.set("blocking_line", line!() + 1);
        let works: Vec<_> = (0..5).map(|_| parklane_tokio::spawn_blocking(timed)).collect();
        let mut times = Vec::new();
        for work in works {
            times.push(work.await.expect("work"));
        }
        counts.set("blocking_ns", times);
    });
    drop(runtime);
    drop(session);
}

fn pause(counts: &Counts) {
    let (session, runtime) = start(2);
    let ignored = Counts::default();

    runtime.block_on(yielding(counts, 100));
    session.flush().expect("a session");
    session.pause().expect("a session");
    runtime.block_on(yielding(&ignored, 100));
    session.resume().expect("a session");
    runtime.block_on(yielding(counts, 50));
    session.rotate().expect("a session");
    // It is done at the next drain, after which there must be something left to record.
    session.flush().expect("a session");
    runtime.block_on(yielding(counts, 50));
    drop(runtime);
}

fn panics(counts: &Counts) {
    let (_session, runtime) = start(2);

    std::panic::set_hook(Box::new(|_| ()));
    runtime.block_on(async {
        for _ in 0..50 {
            let task = spawn!(counts, async {
                yield_now().await;
                panic!("as asked")
            });
            assert!(task.await.is_err_and(|error| error.is_panic()));
        }
    });
    drop(runtime);
}

/// Leaves as a service does on SIGTERM: nothing is dropped.
fn exit(counts: &Counts) -> ! {
    let (session, runtime) = start(2);

    runtime.block_on(yielding(counts, 100));
    counts.print();
    std::mem::forget((session, runtime));
    parklane_tokio::shutdown().expect("a session");
    std::process::exit(0);
}

fn local_tasks(counts: &Counts) {
    let (_session, runtime) = start(2);
    let local = tokio::task::LocalSet::new();
    let ignored = Counts::default();

    runtime.block_on(scenes::plain(counts));
    local.block_on(&runtime, async {
        counts.set("local_line", line!() + 1);
        let task = tokio::task::spawn_local(ignored.task(file!(), line!(), yield_now()));
        task.await.expect("a task");
    });
    drop(runtime);
}

pub fn play(name: &str) {
    let counts = Counts::default();

    match name {
        "runtimes" => runtimes(&counts),
        "current-thread" => current_thread(&counts),
        "blocking" => blocking(&counts),
        "pause" => pause(&counts),
        "panics" => panics(&counts),
        "exit" => exit(&counts),
        "local" => local_tasks(&counts),
        _ => {
            // A single worker is what the replacement of a thread that blocks in place has to take.
            let (session, runtime) = start(if name.starts_with("block-in-place") { 1 } else { 2 });
            match name {
                "plain" => runtime.block_on(scenes::plain(&counts)),
                "stalls" => runtime.block_on(scenes::stalls(&counts)),
                "quiet" => runtime.block_on(scenes::quiet(&counts)),
                "block-in-place" => runtime.block_on(scenes::block_in_place(&counts, |wait| {
                    tokio::task::block_in_place(|| wait.recv().expect("word that they are done"));
                })),
                "block-in-place-wrapped" => runtime.block_on(scenes::block_in_place(&counts, |wait| {
                    parklane_tokio::block_in_place(|| wait.recv().expect("word that they are done"));
                })),
                _ => panic!("{name} is no scene"),
            }
            drop(runtime);
            session.flush().expect("a session");
            let metrics = session.metrics();
            counts.set("metrics", json!({ "events": metrics.events_total, "dropped": metrics.dropped_events_total }));
        }
    }
    counts.print();
}
