/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "affinity.h"
#include "capture.h"
#include "clock.h"
#include "expression_text.h"
#include "option_output.h"
#include "option_upstream.h"
#include "option_values.h"
#include "options.h"
#include "report.h"
#include "stamp_types.h"

#define FILE_SECONDS_MAX 1000000000u
#define RING_COUNT_MAX	 100000u

struct row {
	int letter; /* 0: none */
	const char *name;
	const char *arg; /* NULL: takes none; "[=...": may have one, behind a = */
	const char *help;
	/* 0, or -1 after telling what is wrong. NULL: an option of the device name. */
	int (*set)(struct options *o, const char *name, const char *value);
};

static int set_interface(struct options *o, const char *name, const char *value)
{
	if (o->interface_count == INTERFACES_MAX) {
		complain("%s: at most %u interfaces at once", name, INTERFACES_MAX);
		return -1;
	}
	o->netns[o->interface_count] = o->next_netns;
	o->netns_is_used = true;
	o->interfaces[o->interface_count++] = value;
	return 0;
}

static int set_netns(struct options *o, const char *name, const char *value)
{
	if (!*value) {
		complain("%s needs the name of a network namespace (see: ip netns)", name);
		return -1;
	}
	o->next_netns = value;
	o->netns_is_used = false;
	return 0;
}

static int set_list(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->action = ACTION_LIST;
	return 0;
}

static int set_list_stamps(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->action = ACTION_LIST_STAMPS;
	return 0;
}

static int set_doctor(struct options *o, const char *name, const char *value)
{
	(void)name;
	o->action = ACTION_DOCTOR;
	o->doctor = value;
	return 0;
}

static int set_write(struct options *o, const char *name, const char *value)
{
	if (!*value) {
		complain("%s needs the name of a file, or - for standard output", name);
		return -1;
	}
	o->write = value;
	return 0;
}

static int set_count(struct options *o, const char *name, const char *value)
{
	return value_number(&o->stop.packets, name, value, 1, INT64_MAX);
}

/* In tcpdump's unit, a million bytes. */
static int set_file_size(struct options *o, const char *name, const char *value)
{
	return value_size(&o->file.bytes, name, value, 1000000);
}

static int set_file_seconds(struct options *o, const char *name, const char *value)
{
	int e = value_number(&o->file.interval, name, value, 1, FILE_SECONDS_MAX);

	o->file.interval *= NS_PER_SEC;
	return e;
}

static int set_ring_count(struct options *o, const char *name, const char *value)
{
	return value_number(&o->ring_count, name, value, 1, RING_COUNT_MAX);
}

static int set_print_name(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->print_name = "-";
	return 0;
}

static int set_command(struct options *o, const char *name, const char *value)
{
	if (!*value) {
		complain("%s needs the name of a program", name);
		return -1;
	}
	o->command = value;
	return 0;
}

static int set_disk_limit(struct options *o, const char *name, const char *value)
{
	return value_size_or_share(&o->disk_bytes, &o->disk_percent, name, value);
}

/* 0 has always meant "all of it" to tcpdump. */
static int set_snaplen(struct options *o, const char *name, const char *value)
{
	uint64_t n;

	if (value_number(&n, name, value, 0, CAPTURE_SNAPLEN_MAX))
		return -1;
	o->snaplen = n ? (uint32_t)n : CAPTURE_SNAPLEN_MAX;
	return 0;
}

static int set_direction(struct options *o, const char *name, const char *value)
{
	static const char *const names[] = {
		[DIRECTION_IN] = "in", [DIRECTION_OUT] = "out", [DIRECTION_BOTH] = "inout"};

	for (int i = DIRECTION_IN; i <= DIRECTION_BOTH; i++) {
		if (strcmp(value, names[i]) == 0) {
			o->direction = (enum direction)i;
			return 0;
		}
	}
	complain("%s takes in, out or inout, not \"%s\"", name, value);
	return -1;
}

static int set_expression_file(struct options *o, const char *name, const char *value)
{
	(void)name;
	o->expression_file = value;
	return 0;
}

static int set_dump(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->action = ACTION_DUMP;
	if (o->dump_level < DUMP_EBPF)
		o->dump_level++;
	return 0;
}

static int set_promiscuous(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->promiscuous = true;
	return 0;
}

static int set_hex(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->hex = true;
	return 0;
}

static int set_json(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->json = true;
	return 0;
}

static int set_yes(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->yes = true;
	return 0;
}

static int set_color(struct options *o, const char *name, const char *value)
{
	static const char *const names[] = {
		[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"};

	for (int i = COLOR_AUTO; i <= COLOR_NEVER; i++) {
		if (strcmp(value, names[i]) == 0) {
			o->color = (enum color)i;
			return 0;
		}
	}
	complain("%s takes auto, always or never, not \"%s\"", name, value);
	return -1;
}

static int set_stats_interval(struct options *o, const char *name, const char *value)
{
	return value_seconds(&o->stats_interval, name, value);
}

static int set_verbose(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->verbose++;
	return 0;
}

static int set_version(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->action = ACTION_VERSION;
	return 0;
}

static int set_help(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->action = ACTION_HELP;
	return 0;
}

/* What the device name takes as ",name=value"; its parser checks the value. */
static int set_engine(struct options *o, const char *name, const char *value)
{
	size_t used = strlen(o->engine), room = sizeof(o->engine) - used;

	if (*value && !strchr(value, ',') &&
	    (size_t)snprintf(o->engine + used, room, ",%s=%s", name, value) < room)
		return 0;
	o->engine[used] = 0;
	complain("--%s=%s: not a value", name, value);
	return -1;
}

static const struct row rows[] = {
	{'i', "interface", "IFACE", "capture on this interface", set_interface},
	{0, "netns", "NAME", "in this network namespace are the interfaces that follow", set_netns},
	{'D', "list-interfaces", NULL, "list interfaces, and what is in their XDP hooks", set_list},
	{0, "doctor", "IFACE", "tell what will work on IFACE, and what to type where it does not",
	 set_doctor},
	{'w', "write", "FILE", "write pcapng to FILE, or to standard output: -", set_write},
	{'c', "count", "N", "end after N packets", set_count},
	{'a', "autostop", "duration|filesize|files|packets:N",
	 "end after seconds, kilobytes, files or packets", value_stop},
	{'C', "file-size", "SIZE", "begin a new file before one is larger (in MB; or K, M, G)",
	 set_file_size},
	{'G', "file-seconds", "SECONDS", "begin a new file at each multiple of so many seconds",
	 set_file_seconds},
	{'W', "file-count", "N", "keep the last N files; with -G alone: end after N files",
	 set_ring_count},
	{'b', "ring-buffer", "duration|filesize|files|packets|interval|printname:VALUE",
	 "new files as dumpcap makes them", value_rotation},
	{0, "print-name", NULL, "print the name of each finished file", set_print_name},
	{'z', "postrotate-command", "COMMAND", "run COMMAND FILE for each finished file",
	 set_command},
	{'Z', "relinquish-privileges", "USER", "become USER once the capture is open", option_user},
	{0, "files-per-queue", NULL,
	 "a file for each ring (CPU or queue), each with a reader of its own",
	 option_files_per_queue},
	{0, "disk-limit", "SIZE|N%", "let files take so much of the disk at most", set_disk_limit},
	{0, "zstd", "[=LEVEL][,seekable]", "compress the file (level 1 to 19: 3)", option_zstd},
	{0, "pre-trigger", "SIZE", "keep so much in memory until SIGUSR2 or --trigger, write then",
	 option_pre_trigger},
	{0, "trigger", "EXPRESSION", "write nothing until a packet matches", option_trigger},
	{'s', "snapshot-length", "BYTES", "keep so much of each packet (262144)", set_snaplen},
	{'Q', "direction", "in|out|inout", "frames that are received, sent, or both (in)",
	 set_direction},
	{'j', "time-stamp-type", "host|host_hiprec|host_lowprec|adapter|adapter_unsynced",
	 "time stamps of the host, or of the interface (host)", option_stamp_type},
	{'J', "list-time-stamp-types", NULL, "list those that the interface of -i has",
	 set_list_stamps},
	{'F', "filter-file", "FILE", "read the filter expression from FILE", set_expression_file},
	{'P', "promiscuous-mode", NULL, "also capture what is for other hosts", set_promiscuous},
	{'x', "hex", NULL, "without --write: print the bytes of packets", set_hex},
	{'d', "dump-filter", NULL,
	 "print the compiled filter; -dd as C, -ddd as numbers, -dddd as eBPF", set_dump},
	{0, "use-pcap", NULL, "write the older pcap format, with nanoseconds", option_use_pcap},
	{0, "load-xdp-program", NULL, "for scripts of xdp-tools: it always loads one",
	 option_load_xdp_program},
	{0, "load-xdp-mode", "native|skb|unspecified",
	 "for scripts of xdp-tools: the same as --xdp-mode", option_load_xdp_mode},
	{0, "perf-wakeup", "N", "for scripts of xdp-tools: of no effect", option_perf_wakeup},
	{'p', "program-names", "PROGRAM[,...]",
	 "capture on XDP programs that are there: all, NAME, ID, NAME@ID", option_program_names},
	{0, "rx-capture", "entry|exit[,...]", "at the entry or exit of XDP programs (entry)",
	 option_rx_capture},
	{0, "verdict", "drop|pass|tx|redirect|aborted[,...]",
	 "at the exit: only frames with this verdict", option_verdict},
	{0, "cpus", "LIST", "read on the first of these CPUs, write on the others, as in 2,4-6",
	 option_cpus},
	{0, "stats-interval", "SECONDS", "tell so often how the capture stands",
	 set_stats_interval},
	{0, "json", NULL, "packets without --write, statistics, --doctor: JSON, an object a line",
	 set_json},
	{0, "color", "auto|always|never", "lines of packets in colour (on a terminal)", set_color},
	{0, "engine", "tap|divert",
	 "copy frames, or take them away from the host, by AF_XDP sockets (tap)", NULL},
	{0, "queues", "LIST", "receive queues to divert, as in 0-3+6 (all)", NULL},
	{0, "zero-copy", "auto|on|off", "of these sockets, where the driver has it (auto)", NULL},
	{0, "busy-poll", "on|off", "drive the driver from here, in place of interrupts (off)",
	 NULL},
	{0, "after", "pass|drop", "what becomes of frames that were copied (pass)", NULL},
	{0, "rest", "pass|drop", "... and of others, with divert or --after drop (pass)", NULL},
	{0, "xdp-obj", "FILE", "an XDP program of your own, which calls the capture", NULL},
	{0, "sock-fds", "LIST", "AF_XDP sockets opened by somebody else, as in 3+4", NULL},
	{0, "prog-fd", "FD", "... and the XDP program that sends to them", NULL},
	{0, "yes", NULL, "divert also on the interface of the default route", set_yes},
	{0, "hook", "auto|xdp|tc|packet", "where to capture (auto)", NULL},
	{0, "xdp-mode", "native|skb", "in the driver, or before the stack (native)", NULL},
	{0, "ring", "SIZE", "ring of each CPU, a power of two such as 16M", NULL},
	{0, "ring-total", "SIZE", "bound on all rings together (256M)", NULL},
	{0, "vlan", "on|off", "keep VLAN tags that the device takes off (on)", NULL},
	{0, "hash", "on|off", "record the receive hash of the device, if it has one (off)", NULL},
	{0, "join", "on|off", "be a program of the libxdp dispatcher that is there (off)", NULL},
	{0, "sample", "N", "keep one of so many packets", NULL},
	{0, "slice", "l2|l3|l4[+BYTES]", "keep headers only, and so much of the rest", NULL},
	{0, "flow-cutoff", "SIZE", "keep the packets of a flow until they were so many bytes",
	 NULL},
	{0, "flow-table", "N", "flows to remember for that (65536)", NULL},
	{0, "loader", "on|off", "let a helper with the capabilities open the capture (on)", NULL},
	{'v', "verbose", NULL, "tell more; twice: the words of libbpf and the verifier",
	 set_verbose},
	{0, "version", NULL, "print the version", set_version},
	{'h', "help", NULL, "print this text", set_help},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static int argument_of(const struct row *r)
{
	if (!r->arg)
		return no_argument;
	return r->arg[0] == '[' ? optional_argument : required_argument;
}

void options_help(void)
{
	char left[96]; /* the longest, --ring-buffer with what it takes, has 68 */

	puts("Usage: xdpdump -i IFACE [OPTION]... [EXPRESSION]\n"
	     "Captures packets at the XDP layer, to a pcapng file or as one line per packet.\n"
	     "EXPRESSION is a filter as in pcap-filter(7), such as: tcp port 80\n");
	for (size_t i = 0; i < ROWS; i++) {
		const struct row *r = &rows[i];

		snprintf(left, sizeof(left), "--%s%s%s", r->name,
			 argument_of(r) == required_argument ? " " : "", r->arg ? r->arg : "");
		if (r->letter)
			printf("  -%c, ", r->letter);
		else
			printf("      ");
		if (strlen(left) > 28)
			printf("%s\n%35s%s\n", left, "", r->help);
		else
			printf("%-28s %s\n", left, r->help);
	}
}

/* Rows without a letter have their place, above all letters, for a key. */
static int key_of(size_t row)
{
	return rows[row].letter ? rows[row].letter : UCHAR_MAX + 1 + (int)row;
}

/* Leading ':' keeps getopt silent and has it tell a missing value from an unknown option. */
static void fill_getopt(struct option *longs, char *shorts)
{
	*shorts++ = ':';
	for (size_t i = 0; i < ROWS; i++) {
		*longs++ = (struct option){rows[i].name, argument_of(&rows[i]), NULL, key_of(i)};
		if (!rows[i].letter)
			continue;
		*shorts++ = (char)rows[i].letter;
		if (rows[i].arg)
			*shorts++ = ':';
	}
	*longs = (struct option){0};
	*shorts = 0;
}

static const struct row *find_row(int key)
{
	for (size_t i = 0; i < ROWS; i++)
		if (key_of(i) == key)
			return &rows[i];
	return NULL;
}

/* problem: '?' or ':' from getopt; last: the word it took last. */
static void refuse(int problem, const char *last)
{
	char letter[3] = {'-', (char)optopt};
	/* getopt has not yet left the word that an unknown letter is in. */
	bool is_letter = problem == '?' ? optopt && !find_row(optopt) : last[1] != '-';
	const char *what = is_letter ? letter : last;

	if (problem == ':')
		complain("%s needs a value (see xdpdump --help)", what);
	else
		complain("%s: no such option (see xdpdump --help)", what);
}

static int set_row(struct options *o, const struct row *r, const char *value)
{
	char name[64];

	if (!r->set)
		return set_engine(o, r->name, value);
	snprintf(name, sizeof(name), "--%s", r->name);
	return r->set(o, name, value);
}

static int read_options(struct options *o, int argc, char **argv)
{
	struct option longs[ROWS + 1];
	char shorts[2 * ROWS + 2];
	const struct row *r;
	int key;

	fill_getopt(longs, shorts);
	while ((key = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		r = find_row(key);
		if (!r) {
			refuse(key, argv[optind - 1]);
			return -1;
		}
		if (set_row(o, r, optarg))
			return -1;
	}
	return 0;
}

/* What is about files needs files. */
static int check_files(const struct options *o)
{
	bool named = o->write && strcmp(o->write, "-") != 0;

	if (o->rotates && !named) {
		complain("new files need a name: --write FILE");
		return -1;
	}
	if (named || !(o->print_name || o->command || o->disk_bytes || o->disk_percent))
		return 0;
	complain("%s needs a file: --write FILE", o->print_name ? "--print-name"
						  : o->command	? "--postrotate-command"
								: "--disk-limit");
	return -1;
}

/* What the options mean together, as with tcpdump and dumpcap. */
static int combine(struct options *o)
{
	struct limits *f = &o->file;

	if (o->stop.files && o->stop.bytes && !f->bytes) /* each file is to have that size */
		f->bytes = o->stop.bytes, o->stop.bytes = 0;
	if (o->stop.bytes && (f->bytes || f->packets || f->duration || f->interval))
		f->bytes = o->stop.bytes, o->stop.bytes = 0;
	o->rotates = f->bytes || f->packets || f->duration || f->interval ||
		     (o->write && strchr(o->write, '%'));
	if ((o->ring_count || f->files || o->stop.files) && !o->rotates) {
		complain("a number of files needs a reason to begin a new one: -C, -G or -b");
		return -1;
	}
	if (o->ring_count && f->interval && !f->bytes && !o->dumpcap_names)
		o->stop.files = o->ring_count, o->ring_count = 0;
	if (o->ring_count)
		f->files = o->ring_count;
	return 0;
}

static int check_programs(const struct options *o)
{
	if (o->verdicts && (!o->at_exit || o->at_entry)) {
		complain("--verdict is of what is captured at the exit alone: --rx-capture exit");
		return -1;
	}
	if ((o->programs || o->at_exit) && o->direction != DIRECTION_IN) {
		complain("XDP programs see received frames: %s and --direction do not go together",
			 o->programs ? "--program-names" : "--rx-capture exit");
		return -1;
	}
	return 0;
}

static int check(struct options *o)
{
	if (o->action == ACTION_LIST_STAMPS && o->interface_count != 1) {
		complain("--list-time-stamp-types needs one interface: -i IFACE");
		return -1;
	}
	if (o->action != ACTION_CAPTURE)
		return 0;
	if (check_programs(o))
		return -1;
	if (combine(o) || check_files_per_queue(o) || check_files(o))
		return -1;
	if (o->use_pcap && (!o->write || o->zstd_level)) {
		complain(o->write ? "--use-pcap and --zstd do not go together"
				  : "--use-pcap needs --write");
		return -1;
	}
	if (o->zstd_level && !o->write) {
		complain("--zstd needs --write: text is not compressed");
		return -1;
	}
	if (o->next_netns && !o->netns_is_used) {
		complain("--netns stands in front of the -i that it is for");
		return -1;
	}
	if (!o->interface_count) {
		complain("name an interface: -i IFACE (xdpdump -D lists them)");
		return -1;
	}
	if (o->write && strcmp(o->write, "-") == 0 && isatty(STDOUT_FILENO)) {
		complain("standard output is a terminal: send it to a file or through a pipe, "
			 "or leave --write out to read packets here");
		return -1;
	}
	return 0;
}

int options_parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){.snaplen = CAPTURE_SNAPLEN_MAX, .at_entry = true};
	if (read_options(o, argc, argv) || check(o))
		return -1;
	if (o->action != ACTION_CAPTURE && o->action != ACTION_DUMP)
		return 0;
	if (!o->expression_file)
		return expression_join(&o->expression, argv + optind);
	if (argv[optind]) {
		complain("the filter is either in %s or on the command line, not both",
			 o->expression_file);
		return -1;
	}
	return expression_read(&o->expression, o->expression_file);
}

void options_free(struct options *o)
{
	free(o->expression);
	o->expression = NULL;
}
