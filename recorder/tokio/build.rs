//! build.rs: compiles the C recorder that lies above this crate.
// SPDX-License-Identifier: MIT OR Apache-2.0

#[cfg(not(any(feature = "record", feature = "stable-hooks")))]
fn main() {}

#[cfg(any(feature = "record", feature = "stable-hooks"))]
fn main() {
    use std::path::Path;

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut sources: Vec<_> = std::fs::read_dir(&folder)
        .expect("the C recorder lies in the folder above this crate")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort();

    cc::Build::new()
        .files(&sources)
        .include(&folder)
        .define("_GNU_SOURCE", None)
        .define(
            "PARKLANE_VERSION",
            Some(concat!("\"", env!("CARGO_PKG_VERSION"), "\"")),
        )
        .std("gnu11")
        // A service that is built for debugging records as cheaply as another.
        .opt_level(3)
        .flag_if_supported("-fvisibility=hidden")
        .flag_if_supported("-fno-omit-frame-pointer")
        .flag_if_supported("-funwind-tables")
        .compile("parklane_recorder");
    println!("cargo::rustc-link-lib=zstd");
    println!("cargo::rerun-if-changed={}", folder.display());
}
