/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Interfaces by their plain names, which the environment variable PCAP_AFXDP
 * lists: the functions that pcap.c calls. Include pcap-int.h first.
 */

/*
 * pcap_create() for a device. Sets *is_ours if PCAP_AFXDP lists the device and
 * libafxdpcapture can be loaded. Otherwise it returns NULL, and pcap_create()
 * asks the next module. If the handle cannot capture at the XDP layer, it
 * captures by AF_PACKET. NULL with *is_ours set means failure, and errbuf
 * (PCAP_ERRBUF_SIZE bytes) says why. The caller frees the handle with
 * pcap_close().
 */
pcap_t *pcap_afxdp_plain_create(const char *device, char *errbuf, int *is_ours);
/* Adds nothing, because libpcap lists these interfaces itself. Returns 0. */
int pcap_afxdp_plain_findalldevs(pcap_if_list_t *devlistp, char *errbuf);
