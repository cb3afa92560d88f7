/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * One AF_XDP socket: it delivers the frames of one receive queue, in place. The capture program has
 * written struct divert_meta in front of each frame. The reader overwrites that with the header of
 * a record, and writes the options behind the frame, which makes a record as in a ring.
 *
 * Positions count descriptors since the socket was opened. A frame has one descriptor, or with
 * multi-buffer (its MTU exceeds a buffer) several; such a frame is assembled in .assembly.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <xdp/xsk.h>

#include "capture/options/options.h"
#include "util/uapi.h"

/* What XDP keeps free in front of a frame (XDP_PACKET_HEADROOM). */
#define XSK_HEADROOM 256u
/* Room behind it for the longest options and the end of the record. */
#define XSK_TRAILER_MAX                                                                            \
	(sizeof(struct epb_options) + sizeof(struct epb_dropcount) + sizeof(struct epb_nic_time) + \
	 sizeof(struct epb_hash) + sizeof(struct epb_end))
#define XSK_ASSEMBLY_SIZE (XSK_HEADROOM + EPB_PADDED(XDP_SNAPLEN_MAX) + XSK_TRAILER_MAX)

#define XSK_RINGS 4

struct xsk {
	uint32_t queue;
	bool zero_copy;	  /* as the kernel confirms it */
	bool busy_poll;	  /* each look makes the driver poll */
	bool asks_driver; /* struct divert_hints is in front of each frame */
	bool foreign; /* the program writes no divert_meta: the reader chooses time and number */
	struct xsk_umem *umem;
	struct xsk_socket *socket;
	int fd; /* a borrowed socket (xsk_borrowed.h) instead; 0: none */
	struct {
		void *at;
		size_t size;
	} borrowed[XSK_RINGS]; /* the rings of that socket */
	struct xsk_ring_prod fill, tx;
	struct xsk_ring_cons rx, completion;
	uint8_t *memory; /* the buffers */
	uint64_t mapped; /* its size in bytes */
	uint32_t buffer_size, buffer_count;
	uint32_t tx_count; /* further buffers for sending, behind these: xsk_tx.h; 0: none */
	uint32_t interface_id, snaplen; /* of the records */
	/* Positions. */
	uint64_t peeked;   /* the kernel has written all descriptors before this one */
	uint64_t released; /* the kernel has all buffers before this one back */
	uint64_t receive;  /* address: buffers for receiving lie below it; set by each look */
	bool corrupted;	   /* its rings hold something that the kernel does not write */
	/* The last record made. */
	uint64_t at; /* its position */
	struct epb_header *record;
	uint32_t length;
	uint32_t taken;		/* number of its descriptors; 0: no record has been made */
	uint8_t *assembly;	/* for frames in parts, or with too little room behind them */
	uint64_t received;	/* frames so far; atomic */
	uint64_t torn;		/* frames with missing parts */
	uint64_t lost;		/* lost by the kernel, as of the last xsk_count() */
	uint64_t lost_reported; /* how many of these an epb_dropcount has reported */
};

struct xsk_config {
	const char *ifname;
	uint32_t queue;
	uint64_t memory;    /* bytes of buffers for receiving, a power of two */
	uint32_t frame_max; /* the longest frame that the interface receives, including tags */
	bool whole_kib;	    /* the driver tells the card the size of buffers in KiB, rounded down */
	uint32_t interface_id, snaplen;
	enum capture_zero_copy zero_copy;
	bool busy_poll;
	bool asks_driver; /* the program puts struct divert_hints in front of frames */
	bool foreign;	  /* the program writes no divert_meta */
	int fd;		  /* use this socket; 0: open one */
	bool sends;	  /* make buffers and a TX ring for sending */
};

/* What the kernel counts per socket: XDP_STATISTICS of linux/if_xdp.h. */
struct xsk_counts {
	uint64_t dropped;    /* no buffer for the frame, or it is too large for one */
	uint64_t ring_full;  /* the receive ring had no room */
	uint64_t fill_empty; /* times a driver found no buffer to receive into */
};

/*
 * Map buffers, give them to the kernel, and bind. Returns 0; or -errno with err written and nothing
 * left open: -ENOMEM, -ENOBUFS: no memory; -EBUSY: the queue already has a socket; or an error of
 * bind().
 */
int xsk_open(struct xsk *x, const struct xsk_config *c, char *err, size_t size);
/* Write into err what xsk_open() would write for error e. Returns e. */
int xsk_explain(int e, const struct xsk_config *c, char *err, size_t size);
void xsk_close(struct xsk *x);
int xsk_fd(const struct xsk *x);
/* Ask the kernel for its counters. Returns 0 or -errno. Any thread may call it. */
int xsk_count(const struct xsk *x, struct xsk_counts *c);

/* Release what is before position, and look for new frames. Returns the position behind the last
 * whole frame. */
uint64_t xsk_look(struct xsk *x, uint64_t position);
/* Is there a whole frame at position? Changes nothing. */
bool xsk_has(const struct xsk *x, uint64_t position);
/* Is the socket readable? It is also if only the first parts of a frame are there. */
bool xsk_is_readable(const struct xsk *x, uint64_t position);
static inline const struct xdp_desc *xsk_descriptor(const struct xsk *x, uint64_t position)
{
	return xsk_ring_cons__rx_desc(&x->rx, (uint32_t)position);
}

/* Does another part of the same frame follow? */
static inline bool xsk_goes_on(const struct xdp_desc *d)
{
	return d->options & XDP_PKT_CONTD;
}

/*
 * Make the record of the frame at position, which must be before the end that xsk_look() returned.
 * The record is valid until the next call with another position. NULL: a descriptor lies outside of
 * our buffers; x->corrupted is set.
 */
const struct epb_header *xsk_find(struct xsk *x, uint64_t position);
/* Give the buffers before position back to the kernel. */
void xsk_release(struct xsk *x, uint64_t position);
