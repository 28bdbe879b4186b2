// random.rs: numbers that a seed determines, on every machine.
// SPDX-License-Identifier: GPL-3.0-or-later

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// splitmix64
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// From 0 to LIMIT - 1.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// True in one of N cases.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Of any magnitude, so that varints of every length occur, the limits too.
    pub fn number(&mut self) -> u64 {
        match self.below(16) {
            0 => 0,
            1 => u64::MAX,
            _ => {
                let bits = self.below(64) as u32 + 1;
                self.next() >> (64 - bits)
            }
        }
    }

    /// Short text: ASCII, umlauts, quotes, or the magic of a header, which must not be taken for one.
    pub fn text(&mut self) -> String {
        const PARTS: [&str; 8] = [
            "a",
            "worker",
            "é",
            "\"",
            "\\",
            "\u{1f600}",
            "TRC\0\u{1}",
            " ",
        ];
        let n = self.below(5);
        (0..n).map(|_| PARTS[self.below(PARTS.len())]).collect()
    }

    pub fn bytes(&mut self) -> Vec<u8> {
        if self.one_in(4) {
            return b"TRC\0\x01\x02".to_vec();
        }
        let n = self.below(12);
        (0..n).map(|_| self.next() as u8).collect()
    }
}
