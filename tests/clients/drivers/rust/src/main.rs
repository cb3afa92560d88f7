// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
// The crate pcap: see ../../../README.md for what a driver does and prints.
use pcap::{BreakLoop, Capture, Error};
use std::sync::OnceLock;

static BREAK: OnceLock<BreakLoop> = OnceLock::new();

extern "C" fn stop(_: libc::c_int) {
    if let Some(handle) = BREAK.get() {
        handle.breakloop();
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal"))
        .collect()
}

fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().collect();
    let frame = bytes(&words[3]);
    let inactive = Capture::from_device(words[1].as_str())?;
    let mut handle = inactive.promisc(true).timeout(100).open()?;
    handle.filter(&words[2], true)?;
    BREAK.get_or_init(|| handle.breakloop_handle());
    unsafe { libc::signal(libc::SIGINT, stop as extern "C" fn(libc::c_int) as usize) };
    for _ in 0..3 {
        handle.sendpacket(&frame[..])?;
    }
    println!("injected 3\nready");
    let mut counted = 0;
    loop {
        match handle.next_packet() {
            Ok(_) => counted += 1,
            Err(Error::TimeoutExpired) => {}
            Err(Error::NoMorePackets) => break,
            Err(error) => return Err(error),
        }
    }
    println!("counted {counted}");
    Ok(())
}
