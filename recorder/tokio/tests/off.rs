//! off.rs: a service that was not asked to record behaves as with Tokio alone, through all functions of the crate.
// SPDX-License-Identifier: MIT OR Apache-2.0

mod common;

use common::{config, two_workers, work, Folder};
use parklane_tokio::{Config, Health};

#[test]
fn without_the_variable_nothing_is_recorded() {
    let mut builder = two_workers();
    let session = Config::from_env("PARKLANE_TOKIO_TEST_THAT_IS_NOT_SET_").attach(&mut builder);

    builder.build().unwrap().block_on(work(10));
    assert_eq!(session.health(), Health::Off);
    assert!(!session.metrics().configured);
}

#[test]
fn disabled_makes_no_folder() {
    let folder = Folder::new();
    let (config, _) = config(&folder);
    let below = folder.path().join("below");
    let mut builder = two_workers();
    let session = config.enabled(false).output_dir(&below).attach(&mut builder);

    builder.build().unwrap().block_on(work(10));
    assert!(!session.is_running());
    assert!(!below.exists());
}

#[test]
fn wrappers_return_what_tokio_returns() {
    let runtime = two_workers().build().unwrap();

    runtime.block_on(async {
        assert_eq!(parklane_tokio::spawn_blocking(|| 7).await.unwrap(), 7);
        let error = parklane_tokio::spawn_blocking(|| panic!("as asked")).await.unwrap_err();
        assert!(error.is_panic());
        let in_place = tokio::spawn(async { parklane_tokio::block_in_place(|| 8) });
        assert_eq!(in_place.await.unwrap(), 8);
    });
}

#[test]
#[should_panic(expected = "there is no reactor running")]
fn spawn_blocking_outside_a_runtime_panics_as_tokio() {
    drop(parklane_tokio::spawn_blocking(|| ()));
}

#[test]
#[should_panic(expected = "multi-threaded runtime")]
fn block_in_place_on_a_current_thread_runtime_panics_as_tokio() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async { parklane_tokio::block_in_place(|| ()) });
}

#[parklane_tokio::main(env = "PARKLANE_TOKIO_TEST_THAT_IS_NOT_SET_", flavor = "current_thread")]
async fn on_one_thread() -> std::io::Result<u32> {
    tokio::task::yield_now().await;
    Ok(std::future::ready(5).await)
}

#[parklane_tokio::main(env = "PARKLANE_TOKIO_TEST_THAT_IS_NOT_SET_", worker_threads = 3)]
async fn n_workers() -> usize {
    tokio::runtime::Handle::current().metrics().num_workers()
}

#[test]
fn the_attribute_runs_the_function_on_the_runtime_it_names() {
    assert_eq!(on_one_thread().unwrap(), 5);
    assert_eq!(n_workers(), 3);
}

#[test]
fn prometheus_text_says_whether_the_build_can_record() {
    let text = parklane_tokio::prometheus("service").unwrap();
    let supported = u8::from(parklane_tokio::SUPPORTED);

    assert!(text.contains(&format!("service_supported {supported}\n")), "{text}");
    assert_eq!(parklane_tokio::prometheus("1 is no name"), None);
}
