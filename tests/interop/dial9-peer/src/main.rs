// main.rs: reads, dumps and writes TRC streams with dial9's own crate, for comparison.
// SPDX-License-Identifier: GPL-3.0-or-later

mod dump;
mod random;
mod read;
mod schema;
mod write;

use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "usage: dial9-peer read FILE… | dump FILE | write SEED FILE";

fn main() -> ExitCode {
    let began = Instant::now();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();

    let result = match words.as_slice() {
        ["read", files @ ..] if !files.is_empty() => read::run(files, began),
        ["dump", file] => dump::run(file),
        ["write", seed, file] => match seed.parse() {
            Ok(seed) => write::run(seed, file),
            Err(error) => Err(format!("{seed}: {error}")),
        },
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("dial9-peer: {message}");
            ExitCode::FAILURE
        }
    }
}
