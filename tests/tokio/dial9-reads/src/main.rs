//! main.rs: what dial9's own analysis code finds in a segment, as one object of JSON.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// dial9-reads today|older FILE

mod older;
mod today;

/// Shortest poll that is listed.
const LONG_NS: u64 = 15_000_000;

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let found = match [arguments[0].as_str(), arguments[1].as_str()] {
        ["today", path] => today::read(path),
        ["older", path] => older::read(path),
        _ => panic!("usage: dial9-reads today|older FILE"),
    };
    println!("{found}");
}
