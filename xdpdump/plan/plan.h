/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What was asked for on the command line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEVICE_NAME_SIZE   32
#define INTERFACES_MAX	   16
#define DEVICE_OPTIONS_MAX 64
#define SOURCES_MAX	   64 /* an interface has one, or one for each XDP program and hook */

enum direction { DIRECTION_NOT_SAID = -1, DIRECTION_BOTH, DIRECTION_IN, DIRECTION_OUT };
enum stamps { STAMPS_HOST, STAMPS_HOST_LOWPREC, STAMPS_ADAPTER, STAMPS_ADAPTER_UNSYNCED };

static inline bool stamps_are_nics(enum stamps s)
{
	return s == STAMPS_ADAPTER || s == STAMPS_ADAPTER_UNSYNCED;
}
enum { DUMP_EBPF = 4 }; /* options.dump_level of -dddd */
enum drops { DROPS_NOT, DROPS_TOO, DROPS_ONLY };
enum who_asked { WHO_NOT, WHO_NAMES, WHO_COMMAND_LINES };
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum format { FORMAT_NOT_SAID = -1, FORMAT_LINE, FORMAT_XDP_TOOLS };
enum listen_format { LISTEN_PCAPNG, LISTEN_PCAP };
enum key { KEY_STREAM, KEY_FLOW };
enum action {
	ACTION_CAPTURE,
	ACTION_LIST,
	ACTION_LIST_STAMPS,
	ACTION_DUMP,
	ACTION_DOCTOR,
	ACTION_VERSION,
	ACTION_HELP
};

/* When to end a file, or the whole capture; 0: no such limit. Times are in ns. */
struct limits {
	uint64_t bytes, packets, duration, interval, files;
};

/* What xdpdump/files needs. */
struct file_plan {
	const char *write; /* NULL: text */
	struct limits each;
	uint64_t ring_count;	/* files to keep, by -W; 0: all */
	const char *print_name; /* where to write names of finished files; NULL: nowhere */
	const char *command;	/* to run for each finished file; NULL: none */
	uint64_t disk_bytes;	/* most bytes that our files may use; 0: no limit */
	unsigned disk_percent;	/* most that may be used of the file system; 0: no limit */
	bool index;		/* write an index beside each file */
	bool dumpcap_names;	/* put number and time into the names of files, because of -b */
	bool rotates;		/* more than one file may be written */
};

/* What xdpdump/feed needs. */
struct feed_plan {
	const char *listen; /* [ADDRESS:]PORT; NULL: nowhere */
	enum listen_format listen_format;
	const char *to;			/* kafka://...; NULL: nowhere */
	enum key key;			/* the key of messages there */
	const char *spool, *kafka_conf; /* NULL: none */
	const char *user;		/* copies from struct options, as are all that follow */
	bool quiet, trial;
	bool has_keys; /* of TLS connections */
	bool by_rings; /* send a stream for each ring */
};

/* What xdpdump/source needs. */
struct source_plan {
	const char *interfaces[INTERFACES_MAX]; /* may have "xdp:" before, and options after it */
	char numbered[INTERFACES_MAX]
		     [DEVICE_NAME_SIZE];   /* names of interfaces that were given by number */
	const char *netns[INTERFACES_MAX]; /* of each interface; NULL: our own */
	unsigned interface_count;
	enum direction direction;
	bool both_by_default; /* no direction was given: received frames alone will do */
	enum stamps stamps;
	uint32_t snaplen;
	char *expression;     /* NULL: none */
	bool as_written;      /* libpcap does not optimize it */
	uint64_t pre_trigger; /* bytes of records that each ring keeps until the trigger; 0: none */
	const char *trigger;  /* an expression; NULL: SIGUSR2 only */
	const char *drop_reasons; /* only drops for these reasons; NULL: for all */
	const char *programs;	  /* -p; NULL: none were named */
	bool at_entry, at_exit;	  /* capture at the entry and exit of these */
	uint32_t verdicts;	  /* 1 << XDP_...; 0: all */
	bool entries;		  /* packets say which lines of files of addresses matched */
	bool promiscuous;
	bool yes; /* divert even an interface that the default route uses */
	/* Options for the device, in the order that they were given: see
	 * capture/options/options.def. */
	struct device_option {
		const char *name, *value;
	} device[DEVICE_OPTIONS_MAX];
	unsigned device_count;
	bool who, trial; /* copies from struct options */
};

struct options {
	enum action action;
	enum color color;
	enum who_asked who;    /* who is behind packets */
	const char *processes; /* only these processes, by name or number; NULL: all */
	const char *cgroup; /* only this control group: a path, a unit or a container; NULL: all */
	enum format format;
	const char *next_netns; /* --netns for the -i that follow */
	bool netns_is_used;
	const char *expression_file, *expression_text; /* of -F and -f; NULL: not given */
	struct limits stop;
	struct file_plan files;
	struct feed_plan feed;
	struct source_plan source;
	const char *tls_keylog;	 /* file that programs write their TLS keys to; NULL: none */
	const char *decode;	 /* program that prints packets, with arguments; NULL: we print */
	enum drops drops;	 /* what the host's stack drops */
	bool drops_summary;	 /* only count them */
	const char *user;	 /* user to become after captures are open; NULL: do not change */
	uint64_t stats_interval; /* ns; 0: none */
	const char *metrics;	 /* file for metrics; NULL: none */
	const char *stats_file;	 /* file for statistics; NULL: none */
	unsigned verbose;
	int zstd_level;	     /* 0: no compression */
	unsigned time_style; /* how often -t was given: enum time_style of output/time_text.h */
	unsigned dump_level; /* how often -d was given, up to DUMP_EBPF */
	bool zstd_seekable;
	bool use_pcap;	      /* not pcapng */
	bool mixed_links;     /* each interface in a file keeps its own link type */
	bool files_per_queue; /* a file and a reader for each ring, instead of one order */
	bool stop_when_gone;  /* stop when one of several interfaces is gone */
	bool children;	      /* processes include their children */
	bool hex, hardware, json;
	bool print;	 /* print lines beside the file */
	bool quiet;	 /* print only errors on standard error */
	bool rx_capture; /* --rx-capture was given */
	bool extcap;	 /* Wireshark reads standard output, and takes each message for a failure */
	bool help_all;
	bool trial;	    /* open everything and attach nothing: see session_try() */
	char **words;	    /* the command line */
	const char *report; /* file for the report of --doctor; NULL: none */
};

/* Are there feeds, beside a file or instead of one? */
static inline bool options_feed(const struct options *o)
{
	return o->feed.listen || o->feed.to;
}
