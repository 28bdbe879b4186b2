//! fallback.rs: a session that cannot start leaves the service a plain runtime, says so and counts it.
// SPDX-License-Identifier: MIT OR Apache-2.0

mod common;

use common::{config, two_workers, work, Folder};
use parklane_tokio::{metrics, Health, Level, SUPPORTED};

#[test]
fn failed_start_leaves_a_plain_runtime() {
    let folder = Folder::new();
    let file = folder.path().join("file");
    std::fs::write(&file, "no folder").unwrap();
    let (config, said) = config(&folder);
    let errors_before = metrics().errors_total;

    let mut builder = two_workers();
    let session = config.output_dir(file.join("below")).attach(&mut builder);
    let runtime = builder.build().unwrap();
    runtime.block_on(work(100));

    assert!(!session.is_running());
    assert_eq!(session.health(), Health::Off);
    assert!(said.has(Level::Warning, if SUPPORTED { "runs without recording" } else { "cannot record" }));
    let metrics = session.metrics();
    assert_eq!(metrics.supported, SUPPORTED);
    assert!(metrics.configured);
    assert_eq!(metrics.active_sessions, 0);
    assert!(metrics.errors_total > errors_before);
    assert_eq!(metrics.events_total, 0);
    assert!(session.pause().is_err() && session.resume().is_err() && session.rotate().is_err());
    session.shutdown().expect("ending nothing is no error");
    assert_eq!(folder.segments(), Vec::<String>::new());
}

#[test]
fn names_with_a_nul_are_refused_without_harm() {
    let folder = Folder::new();
    let (config, _) = config(&folder);
    let mut builder = two_workers();
    let session = config.file_prefix("a\0b").attach(&mut builder);

    builder.build().unwrap().block_on(work(10));
    assert!(!session.is_running());
}
