//! session.rs: a session from its start to the sealed segment: pause, rotation, the hook for signals, what breaks in tasks.
// SPDX-License-Identifier: MIT OR Apache-2.0
#![cfg(feature = "record")]

mod common;

use common::{config, two_workers, work, Folder};
use parklane_tokio::{Health, Level};
use std::sync::Mutex;

/// A process has one session at a time.
static ONE: Mutex<()> = Mutex::new(());

fn lock() -> std::sync::MutexGuard<'static, ()> {
    ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[test]
fn events_of_a_pause_are_not_taken_and_later_ones_are() {
    let _one = lock();
    let folder = Folder::new();
    let mut builder = two_workers();
    let session = config(&folder).0.attach(&mut builder);
    let runtime = builder.build().unwrap();

    runtime.block_on(work(100));
    session.flush().unwrap();
    let before = session.metrics().events_total;
    // Each task: spawned, polled twice, ended.
    assert!(before >= 100 * 6, "{before}");

    session.pause().unwrap();
    runtime.block_on(work(1000));
    session.flush().unwrap();
    let paused = session.metrics().events_total;
    assert!(paused < before + 1000, "{before} {paused}");

    session.resume().unwrap();
    runtime.block_on(work(100));
    session.flush().unwrap();
    assert!(session.metrics().events_total >= paused + 100 * 6);
    assert_eq!(session.metrics().dropped_events_total, 0);
    assert_eq!(session.health(), Health::Ok);
}

#[test]
fn rotation_seals_a_segment_and_shutdown_the_last() {
    let _one = lock();
    let folder = Folder::new();
    let mut builder = two_workers();
    let session = config(&folder).0.compress(parklane_tokio::Compress::None).attach(&mut builder);
    let runtime = builder.build().unwrap();

    runtime.block_on(work(10));
    session.flush().unwrap();
    session.rotate().unwrap();
    while session.metrics().segments_sealed_total == 0 {
        std::thread::yield_now();
    }
    runtime.block_on(work(10));

    // What a task does that a signal woke, while the runtime lives.
    runtime.block_on(async { tokio::spawn(async { parklane_tokio::shutdown() }).await.unwrap() }).unwrap();
    assert!(!session.is_running());
    assert_eq!(session.health(), Health::Off);
    assert_eq!(folder.segments(), ["parklane.0.bin", "parklane.1.bin"]);
    parklane_tokio::shutdown().expect("ending it again is no error");

    runtime.block_on(work(10));
    assert_eq!(session.metrics().active_sessions, 0);
}

#[test]
fn a_second_session_follows_the_first() {
    let _one = lock();
    let folder = Folder::new();

    for _ in 0..2 {
        let mut builder = two_workers();
        let session = config(&folder).0.compress(parklane_tokio::Compress::None).attach(&mut builder);
        let runtime = builder.build().unwrap();
        runtime.block_on(work(10));
        session.flush().unwrap();
        assert!(session.metrics().events_total >= 60);
    }
    assert_eq!(folder.segments(), ["parklane.0.bin", "parklane.1.bin"]);
}

#[test]
fn a_busy_prefix_leaves_the_second_a_plain_runtime() {
    let _one = lock();
    let folder = Folder::new();
    let session = parklane_tokio::Session::start(config(&folder).0);
    let (config, said) = config(&folder);
    let mut builder = two_workers();
    let second = config.attach(&mut builder);

    assert!(session.is_running());
    assert!(!second.is_running());
    assert!(said.has(Level::Warning, "runs without recording"));
    builder.build().unwrap().block_on(work(10));
}

#[test]
fn a_panicking_task_is_recorded_like_another_and_breaks_nothing() {
    let _one = lock();
    let folder = Folder::new();
    let mut builder = two_workers();
    let session = config(&folder).0.attach(&mut builder);
    let runtime = builder.build().unwrap();

    runtime.block_on(async {
        for _ in 0..10 {
            let error = tokio::spawn(async { panic!("as asked") }).await.unwrap_err();
            assert!(error.is_panic());
            let error = parklane_tokio::spawn_blocking(|| panic!("as asked")).await.unwrap_err();
            assert!(error.is_panic());
        }
    });
    session.flush().unwrap();
    assert!(session.metrics().events_total >= 10 * (4 + 2));
    assert_eq!(session.health(), Health::Ok);
}

#[test]
fn a_sink_that_panics_hurts_nobody() {
    let _one = lock();
    let folder = Folder::new();
    let mut builder = two_workers();
    let session = config(&folder).0.on_message(|_, _| panic!("as asked")).attach(&mut builder);
    let runtime = builder.build().unwrap();

    runtime.block_on(work(10));
    drop(runtime);
    session.shutdown().unwrap();
    assert!(!folder.segments().is_empty());
}

#[test]
fn runtimes_come_and_go_within_a_session() {
    let _one = lock();
    let folder = Folder::new();
    let session = parklane_tokio::Session::start(config(&folder).0);

    for number in 0..5 {
        let mut builder = two_workers();
        session.attach(&mut builder, &format!("runtime {number}"));
        let runtime = builder.build().unwrap();
        runtime.block_on(work(10));
        drop(runtime);
        let mut builder = tokio::runtime::Builder::new_current_thread();
        session.attach(&mut builder, "");
        builder.build().unwrap().block_on(work(10));
    }
    session.flush().unwrap();
    assert!(session.metrics().events_total >= 10 * 60);
}

#[test]
fn whoever_ends_a_session_where_it_records_or_twice_harms_nothing() {
    let _one = lock();
    let folder = Folder::new();
    let mut builder = two_workers();
    let session = config(&folder).0.attach(&mut builder);
    let runtime = builder.build().unwrap();

    runtime.block_on(work(10));
    session.shutdown().unwrap();
    session.shutdown().expect("ending it again is no error");
    runtime.block_on(async { tokio::spawn(async move { drop(session) }).await }).unwrap();
    runtime.block_on(work(10));
    assert!(!folder.segments().is_empty());

    let session = config(&folder).0.attach(&mut two_workers());
    runtime.block_on(async { tokio::spawn(async move { drop(session) }).await }).unwrap();
    runtime.block_on(work(10));
    drop(runtime);
}

/// A runtime with a task that waits for ever, which ends with it.
struct LastWork(Option<tokio::runtime::Runtime>);

#[test]
fn hooks_hold_while_the_locals_of_their_thread_are_destroyed() {
    thread_local!(static LAST: std::cell::RefCell<LastWork> = const { std::cell::RefCell::new(LastWork(None)) });
    let _one = lock();
    let folder = Folder::new();
    let session = parklane_tokio::Session::start(config(&folder).0);
    let mut builder = tokio::runtime::Builder::new_current_thread();
    session.attach(&mut builder, "last");
    let runtime = builder.build().unwrap();

    let thread = std::thread::spawn(move || {
        LAST.with(|last| {
            // Known to the thread before what Tokio and the hooks keep in it, and so destroyed after them.
            let mut last = last.borrow_mut();
            runtime.block_on(work(10));
            runtime.spawn(std::future::pending::<()>());
            last.0 = Some(runtime);
        });
    });
    thread.join().expect("no panic");
    session.flush().unwrap();
    assert!(session.metrics().events_total >= 10 * 6);
}
