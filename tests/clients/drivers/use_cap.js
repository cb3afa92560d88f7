// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
// npm's cap: see ../README.md for what a driver does and prints.
'use strict';

const { Cap } = require('cap');

const [device, wanted, frame] = process.argv.slice(2);
const bytes = Buffer.from(frame, 'hex');
const handle = new Cap();
let counted = 0;

handle.open(device, wanted, 2 * 1024 * 1024, Buffer.alloc(65535));
handle.setMinBytes && handle.setMinBytes(0);
handle.on('packet', () => {
	counted++;
});
process.on('SIGINT', () => {
	handle.close();
	console.log('counted ' + counted);
});
for (let sent = 0; sent < 3; sent++)
	handle.send(bytes, bytes.length);
console.log('injected 3\nready');
