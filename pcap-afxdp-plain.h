/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Interfaces by their plain names, which the environment variable PCAP_AFXDP
 * lists: the functions that pcap.c calls. pcap-int.h comes before.
 */

/*
 * pcap_create() for a device. *is_ours: does PCAP_AFXDP list it, and can
 * libafxdpcapture be loaded? If not, NULL, and pcap_create() asks the next
 * module. The handle captures by AF_PACKET where it cannot at the XDP layer.
 * NULL with *is_ours set: failed, and errbuf (PCAP_ERRBUF_SIZE bytes) says why.
 * The caller frees the handle with pcap_close().
 */
pcap_t *pcap_afxdp_plain_create(const char *device, char *errbuf, int *is_ours);
/* Adds nothing, as libpcap lists these interfaces itself. Always 0. */
int pcap_afxdp_plain_findalldevs(pcap_if_list_t *devlistp, char *errbuf);
