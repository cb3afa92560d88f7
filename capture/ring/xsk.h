/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * One AF_XDP socket: the frames of one receive queue, delivered in place. What the capture program
 * has written in front of a frame (struct divert_meta) becomes the record's header there, and its
 * options go behind the frame, so that it reads like a record of a ring.
 *
 * A socket counts positions in descriptors, from its first one on. A frame has one, or with
 * multi-buffer (MTU beyond a buffer) several; such a frame is put together in memory of its own.
 */
#ifndef PCAP_AFXDP_XSK_H
#define PCAP_AFXDP_XSK_H

#include <stdbool.h>
#include <stdint.h>
#include <xdp/xsk.h>

#include "capture/options/options.h"

/* uapi since 6.6. */
#ifndef XDP_PKT_CONTD
#define XDP_PKT_CONTD (1 << 0)
#endif

/* What XDP keeps free in front of a frame (XDP_PACKET_HEADROOM). */
#define XSK_HEADROOM 256u
/* Behind it: options, the longest there are, and the end. */
#define XSK_TRAILER_MAX                                                                            \
	(sizeof(struct epb_options) + sizeof(struct epb_dropcount) + sizeof(struct epb_nic_time) + \
	 sizeof(struct epb_hash) + sizeof(struct epb_end))
#define XSK_ASSEMBLY_SIZE (XSK_HEADROOM + EPB_PADDED(XDP_SNAPLEN_MAX) + XSK_TRAILER_MAX)

#define XSK_RINGS 4

struct xsk {
	uint32_t queue;
	bool zero_copy;	  /* as the kernel confirms it */
	bool busy_poll;	  /* each look drives the driver */
	bool asks_driver; /* struct divert_hints is in front of frames */
	bool foreign;	  /* the program says nothing of frames: time and number are ours */
	struct xsk_umem *umem;
	struct xsk_socket *socket;
	int fd; /* in place of these two, a borrowed socket, which is not closed with this:
		 * xsk_borrowed.h; 0: none */
	struct {
		void *at;
		size_t size;
	} borrowed[XSK_RINGS]; /* its rings */
	struct xsk_ring_prod fill, tx;
	struct xsk_ring_cons rx, completion;
	uint8_t *memory; /* the buffers */
	uint64_t mapped; /* bytes */
	uint32_t buffer_size, buffer_count;
	uint32_t tx_count;		/* buffers behind these, to send: xsk_tx.h; 0: it cannot */
	uint32_t interface_id, snaplen; /* of the records */
	/* Positions. */
	uint64_t peeked;   /* the kernel has written all before */
	uint64_t released; /* the kernel has all before back */
	uint64_t receive;  /* buffers to receive into lie below; set by each look */
	bool corrupted;	   /* something is in its rings that the kernel does not write */
	/* The record made last. */
	uint64_t at;
	struct epb_header *record;
	uint32_t length;
	uint32_t taken;		/* its descriptors; 0: there is none */
	uint8_t *assembly;	/* for frames in parts, and such as leave no room behind them */
	uint64_t received;	/* frames */
	uint64_t torn;		/* frames of which parts are missing */
	uint64_t lost;		/* by the kernel at this socket, as of the last question */
	uint64_t lost_reported; /* of these, in an epb_dropcount already */
};

struct xsk_config {
	const char *ifname;
	uint32_t queue;
	uint64_t memory;    /* bytes, a power of two */
	uint32_t frame_max; /* longest frame that the interface may bring, tags included */
	bool whole_kib;	    /* the card gets the size of buffers in KiB, rounded down */
	uint32_t interface_id, snaplen;
	enum capture_zero_copy zero_copy;
	bool busy_poll;
	bool asks_driver; /* the program puts struct divert_hints in front of frames */
	bool foreign;	  /* it puts nothing there */
	int fd;		  /* to use this socket; 0: open one */
	bool sends;	  /* with buffers and a TX ring for that */
};

/* What the kernel counts per socket. */
struct xsk_counts {
	uint64_t dropped;    /* no buffer for the frame, or it is too large for one */
	uint64_t ring_full;  /* the receive ring had no room */
	uint64_t fill_empty; /* times a driver found no buffer to receive into */
};

/* Memory, buffers given to the kernel, bound. -errno with err written, and nothing left. */
int xsk_open(struct xsk *x, const struct xsk_config *c, char *err, size_t size);
/* What it writes for -errno, which it returns. */
int xsk_explain(int e, const struct xsk_config *c, char *err, size_t size);
void xsk_close(struct xsk *x);
int xsk_fd(const struct xsk *x);
int xsk_count(const struct xsk *x, struct xsk_counts *c);

/* Everything before position is done with. Returns the end of the whole frames that are there. */
uint64_t xsk_look(struct xsk *x, uint64_t position);
/* Is there a whole frame from position on? Changes nothing. */
bool xsk_has(const struct xsk *x, uint64_t position);
/* Is there anything, be it the first part of a frame? Then the socket is readable. */
bool xsk_is_readable(const struct xsk *x, uint64_t position);
static inline const struct xdp_desc *xsk_descriptor(const struct xsk *x, uint64_t position)
{
	return xsk_ring_cons__rx_desc(&x->rx, (uint32_t)position);
}

/* Another part of the same frame follows. */
static inline bool xsk_goes_on(const struct xdp_desc *d)
{
	return d->options & XDP_PKT_CONTD;
}

/*
 * The record at position, which xsk_look() has said is there. The same again until another is.
 * NULL: its descriptor is of no buffer of ours.
 */
const struct epb_header *xsk_find(struct xsk *x, uint64_t position);
/* Give the kernel the buffers before position back. */
void xsk_release(struct xsk *x, uint64_t position);

#endif
