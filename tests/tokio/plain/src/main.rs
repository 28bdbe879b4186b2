//! main.rs: a load that nobody records.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// plain LOAD SECONDS WORKERS

use std::time::Duration;

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [name, seconds, workers] = &arguments[..] else { panic!("usage: plain LOAD SECONDS WORKERS") };
    let n_workers = workers.parse().expect("a number");
    let length = Duration::from_secs_f64(seconds.parse().expect("seconds"));
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(n_workers).enable_all().build().expect("a runtime");

    runtime.block_on(workload::load::print(name, length, n_workers));
}
