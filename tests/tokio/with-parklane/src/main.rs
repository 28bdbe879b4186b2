//! main.rs: workloads recorded through parklane-tokio, configured by the environment as an operator would.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// with-parklane scene NAME                     prints what the program counted
// with-parklane LOAD SECONDS WORKERS [paused]  prints a figure; with PARKLANE_ENABLED unset, that of a session that is off

mod scenes;

use std::time::Duration;
use workload::load;

fn measure(name: &str, seconds: &str, workers: &str, is_paused: bool) {
    let n_workers = workers.parse().expect("a number");
    let length = Duration::from_secs_f64(seconds.parse().expect("seconds"));
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.enable_all().worker_threads(n_workers);
    let session = parklane_tokio::attach(&mut builder);
    let runtime = builder.build().expect("a runtime");

    if is_paused {
        session.pause().expect("a session");
    }
    runtime.block_on(load::print(name, length, n_workers));
    if name == "yield" && !is_paused && session.is_running() {
        print_clock();
    }
    drop(runtime);
    let metrics = session.metrics();
    if metrics.active_sessions > 0 {
        println!("dropped\t{}\nevents\t{}", metrics.dropped_events_total, metrics.events_total);
    }
}

unsafe extern "C" {
    /// The C recorder's, which the crate brings along.
    safe fn parklane_now_ns() -> u64;
}

/// What reading the recorder's clock costs.
fn print_clock() {
    const N: u32 = 10_000_000;
    let begin = std::time::Instant::now();
    for _ in 0..N {
        std::hint::black_box(parklane_now_ns());
    }
    println!("clock_ns\t{}", begin.elapsed().as_nanos() as f64 / f64::from(N));
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();

    match words[..] {
        ["scene", name] => scenes::play(name),
        [name, seconds, workers] => measure(name, seconds, workers, false),
        [name, seconds, workers, "paused"] => measure(name, seconds, workers, true),
        _ => panic!("usage: with-parklane scene NAME | LOAD SECONDS WORKERS [paused]"),
    }
}
