// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
// The crate pcap, until it gives nothing: see ../../../../README.md for what such a driver does and prints.
use pcap::{Capture, Error};
use std::{thread::sleep, time::Duration};

fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().collect();
    let frames: u32 = words[2].parse().expect("FRAMES");
    let inactive = Capture::from_device(words[1].as_str())?;
    let mut handle = inactive.immediate_mode(true).open()?;
    println!("ready");
    let mut counted = 0;
    while counted < frames && handle.next_packet().is_ok() {
        counted += 1;
        if counted % 8 == 0 {
            sleep(Duration::from_millis(5));
        }
    }
    println!("counted {counted}");
    Ok(())
}
