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

/* When to end, of a file or of it all; 0: no such limit. Times in ns. */
struct limits {
	uint64_t bytes, packets, duration, interval, files;
};

/* For files/. */
struct file_plan {
	const char *write; /* NULL: text */
	struct limits each;
	uint64_t ring_count;	/* -W */
	const char *print_name; /* where names of finished files go; NULL: nowhere */
	const char *command;	/* for each finished file; NULL: none */
	uint64_t disk_bytes;	/* most that our files take; 0: no limit */
	unsigned disk_percent;	/* most of the file system that is in use; 0: no limit */
	bool index;		/* beside each file */
	bool dumpcap_names;	/* number and time in the names of files, by -b */
	bool rotates;		/* more than one file may be written */
};

/* For feed/. */
struct feed_plan {
	const char *listen; /* [ADDRESS:]PORT; NULL: nowhere */
	enum listen_format listen_format;
	const char *to;			/* kafka://...; NULL: nowhere */
	enum key key;			/* of messages there */
	const char *spool, *kafka_conf; /* NULL: none */
	const char *user;		/* as of the options, like all that follows */
	bool quiet, trial;
	bool has_keys; /* of TLS connections */
	bool by_rings; /* a stream of each */
};

/* For source/. */
struct source_plan {
	const char *interfaces[INTERFACES_MAX]; /* with or without "xdp:" and options behind it */
	char numbered[INTERFACES_MAX]
		     [DEVICE_NAME_SIZE];   /* names of those that were given by number */
	const char *netns[INTERFACES_MAX]; /* of each; NULL: ours */
	unsigned interface_count;
	enum direction direction;
	bool both_by_default; /* the direction was not said: received frames alone will do */
	enum stamps stamps;
	uint32_t snaplen;
	char *expression;	  /* NULL: none */
	bool as_written;	  /* it is not optimised */
	uint64_t pre_trigger;	  /* bytes of records that each ring keeps until the trigger */
	const char *trigger;	  /* an expression; NULL: SIGUSR2 only */
	const char *drop_reasons; /* only these; NULL: all */
	const char *programs;	  /* -p; NULL: none were named */
	bool at_entry, at_exit;	  /* of these */
	uint32_t verdicts;	  /* 1 << XDP_...; 0: all */
	bool entries;		  /* of files of addresses: packets name theirs */
	bool promiscuous;
	bool yes; /* divert even what the default route brings */
	/* For the device, in the order they were given: capture/options/options.def. */
	struct device_option {
		const char *name, *value;
	} device[DEVICE_OPTIONS_MAX];
	unsigned device_count;
	bool who, trial; /* as of the options */
};

struct options {
	enum action action;
	enum color color;
	enum who_asked who;    /* is behind packets */
	const char *processes; /* names and numbers: these alone; NULL: all */
	const char *cgroup;    /* likewise, a path, a unit or a container */
	enum format format;
	const char *next_netns; /* of those that follow on the command line */
	bool netns_is_used;
	const char *expression_file, *expression_text; /* -F, -f; NULL: on the command line */
	struct limits stop;
	struct file_plan files;
	struct feed_plan feed;
	struct source_plan source;
	const char *tls_keylog;	 /* a file that programs log their keys to; NULL: none */
	const char *decode;	 /* what prints the packets, with arguments; NULL: we do */
	enum drops drops;	 /* of the host's stack */
	bool drops_summary;	 /* counted, and not shown one by one */
	const char *user;	 /* to become, once captures are open; NULL: stay */
	uint64_t stats_interval; /* ns; 0: none */
	const char *metrics;	 /* a file for figures; NULL: none */
	const char *stats_file;	 /* likewise */
	unsigned verbose;
	int zstd_level;	     /* 0: no compression */
	unsigned time_style; /* how often -t was given: enum time_style of output/time_text.h */
	unsigned dump_level; /* how often -d was given, up to DUMP_EBPF */
	bool zstd_seekable;
	bool use_pcap;	      /* not pcapng */
	bool mixed_links;     /* in a file, each interface has its own kind */
	bool files_per_queue; /* and a reader for each, in place of one order */
	bool stop_when_gone;  /* one of several interfaces is enough */
	bool children;	      /* of these processes, too */
	bool hex, hardware, json;
	bool print;	 /* lines beside the file */
	bool quiet;	 /* errors alone go to standard error */
	bool rx_capture; /* where was said */
	bool extcap;	 /* Wireshark reads standard output, and treats each message as a failure */
	bool help_all;
	bool trial;	    /* open everything and attach nothing: see session_try() */
	char **words;	    /* the command line */
	const char *report; /* of --doctor: the file to write it to; NULL: none */
};

/* Do others get the packets, beside a file or in its place? */
static inline bool options_feed(const struct options *o)
{
	return o->feed.listen || o->feed.to;
}
