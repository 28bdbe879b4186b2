//! main.rs: a workload that dial9 records, with the settings of its README.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// with-dial9 DIR scene NAME            prints what the program counted
// with-dial9 DIR LOAD SECONDS WORKERS  prints a figure
// with-dial9 DIR record                prints another: nanoseconds of a call that records an event

mod record;

use dial9::{Dial9HandleTokioExt, DiskBuffer, TokioAttachOptions};
use std::time::Duration;
use workload::{load, scenes, Counts};

async fn play(name: &str) {
    let counts = Counts::default();
    match name {
        "plain" => scenes::plain(&counts).await,
        "stalls" => scenes::stalls(&counts).await,
        _ => panic!("{name} is no scene"),
    }
    counts.print();
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let directory = std::path::Path::new(&arguments[0]);
    let n_workers = arguments.get(3).map_or(2, |number| number.parse().expect("a number"));
    // As there, but for the budget: 5 MiB would not hold what is to be counted.
    let buffer = DiskBuffer::builder()
        .base_path(directory.join("trace"))
        .max_total_size(4 << 30)
        .max_file_size(100 << 20)
        .rotation_period(Duration::from_secs(300))
        .build()?;
    let recorder = dial9::recorder(buffer).segment_metadata([("service".to_string(), "workload".to_string())]).build();
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.enable_all().worker_threads(n_workers);
    let options = TokioAttachOptions::builder().runtime_name("main").task_tracking_enabled(true).build();
    let runtime = recorder.handle().attach_tokio_runtime(builder, options)?;

    if arguments[1] == "scene" {
        runtime.block_on(play(&arguments[2]));
    } else if arguments[1] == "record" {
        let handle = recorder.handle();
        println!("dial9_ns\t{}", runtime.block_on(async { record::event_ns(&handle) }));
    } else {
        let length = Duration::from_secs_f64(arguments[2].parse().expect("seconds"));
        runtime.block_on(load::print(&arguments[1], length, n_workers));
    }
    drop(runtime);
    drop(recorder);
    Ok(())
}
