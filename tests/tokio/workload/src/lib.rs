//! lib.rs: what the programs do, and what they know of it themselves.
// SPDX-License-Identifier: GPL-3.0-or-later

pub mod counts;
pub mod load;
pub mod scenes;

pub use counts::Counts;
