// main.rs: a small service that records itself with dial9 until it gets SIGTERM
// SPDX-License-Identifier: GPL-3.0-or-later
//
// dial9-service DIR [--disabled]: four workers, a few tasks that wake up now and then. With --disabled the session is set
// up and recording is switched off at once.

use std::time::Duration;

use dial9::{Dial9HandleTokioExt, DiskBuffer, TokioAttachOptions, recorder};

async fn tick(period: Duration) {
    loop {
        tokio::time::sleep(period).await;
    }
}

async fn serve() {
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()).expect("signals");

    for i in 1..=8 {
        tokio::spawn(tick(Duration::from_millis(i * 20)));
    }
    println!("ready");
    terminate.recv().await;
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().expect("usage: dial9-service DIR [--disabled]");
    let is_disabled = arguments.next().as_deref() == Some("--disabled");
    let buffer = DiskBuffer::builder()
        .base_path(directory)
        .max_file_size(8 * 1024 * 1024)
        .max_total_size(64 * 1024 * 1024)
        .build()?;
    let recorder = recorder(buffer).build();

    if is_disabled {
        recorder.handle().disable();
    }
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.enable_all().worker_threads(4);
    let runtime = recorder.handle().attach_tokio_runtime(builder, TokioAttachOptions::default()).expect("runtime");

    dial9::block_on(&runtime, serve());
    drop(runtime);
    drop(recorder);
    Ok(())
}
