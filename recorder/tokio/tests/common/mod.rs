// mod.rs: what the crate's tests share: a folder of their own, and a sink that keeps what is said.
// SPDX-License-Identifier: MIT OR Apache-2.0

#![allow(dead_code)] // each test program uses a part of it

use parklane_tokio::{Config, Level};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// A folder that is gone when the test is done.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("parklane-tokio-{}-{number}", std::process::id()));
        std::fs::create_dir(&path).expect("a folder of the test's own");
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Names of the segments in it, in the state that their names tell.
    pub fn segments(&self) -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(&self.0)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
            .filter(|name| name.contains(".bin"))
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a session said.
#[derive(Clone, Default)]
pub struct Said(Arc<Mutex<Vec<(Level, String)>>>);

impl Said {
    pub fn has(&self, level: Level, part: &str) -> bool {
        self.0.lock().unwrap().iter().any(|(its_level, text)| *its_level == level && text.contains(part))
    }
}

/// A configuration for `folder` whose messages are kept.
pub fn config(folder: &Folder) -> (Config, Said) {
    let said = Said::default();
    let theirs = said.clone();
    let config = Config::new()
        .output_dir(folder.path())
        .on_message(move |level, text| theirs.0.lock().unwrap().push((level, text.into())));
    (config, said)
}

/// A runtime with two workers, built with `builder`.
pub fn two_workers() -> tokio::runtime::Builder {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all();
    builder
}

/// Spawns `n` tasks that yield once each, and waits for them.
pub async fn work(n: u32) {
    let tasks: Vec<_> = (0..n).map(|_| tokio::spawn(tokio::task::yield_now())).collect();
    for task in tasks {
        task.await.expect("a task");
    }
}
