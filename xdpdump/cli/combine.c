/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/afxdpcapture.h"
#include "option_values.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/files/command_line.h"
#include "xdpdump/files/names.h"
#include "options.h"
#include "same_files.h"
#include "xdpdump/source/device.h"
#include "xdpdump/source/patterns.h"

#define SUMMARY_SNAPLEN 64 /* bytes of each packet, if packets are only counted */

/* The first -i that stands for many interfaces; NULL: there is none. */
static const char *first_pattern(const struct options *o)
{
	for (unsigned i = 0; i < o->source.interface_count; i++)
		if (pattern_has_many(&o->source, i))
			return o->source.interfaces[i];
	return NULL;
}

static bool is_stdout(const char *file)
{
	return file && strcmp(file, "-") == 0;
}

static bool is_file(const char *file)
{
	return file && !is_stdout(file);
}

static bool lists_to_stdout(const struct options *o)
{
	const char *name = o->files.print_name;

	return name && (is_stdout(name) || strcmp(name, "stdout") == 0);
}

/* Is it a pipe or a device? */
static bool is_special(const char *file)
{
	struct stat st;

	return file && stat(file, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* The option that sends packets elsewhere, if no lines are printed; NULL: lines are printed. */
static const char *silent_target(const struct options *o)
{
	if (o->print || o->decode)
		return NULL;
	return o->files.write	? "--write"
	       : o->feed.listen ? "--listen"
	       : o->feed.to	? "--to"
				: NULL;
}

static bool is_text(const struct options *o)
{
	return !o->files.write && !o->decode && !options_feed(o);
}

static bool prints_by_tcpdump(const struct options *o)
{
	static const char tcpdump[] = "tcpdump";
	const char *command = o->decode ? o->decode : "";
	size_t n = strcspn(command, " \t\n"), name = sizeof(tcpdump) - 1;
	const char *end = command + n;

	return n >= name && strncmp(end - name, tcpdump, name) == 0 &&
	       (n == name || end[-1 - (int)name] == '/');
}

/* Scripts that use these options look for the lines that xdp-tools prints. */
static enum format format_of(const struct options *o)
{
	if (o->format != FORMAT_NOT_SAID)
		return o->format;
	return o->source.programs || o->rx_capture ? FORMAT_XDP_TOOLS : FORMAT_LINE;
}

/* Is the capture only of drops, on all interfaces? */
static bool is_of_all(const struct options *o)
{
	return o->drops && !o->source.interface_count;
}

/* Is the default to capture only received frames? XDP programs see only these, and scripts for
 * xdp-tools know only these. Packets that we send to readers or to Kafka would be captured again.
 * And an interface's own clock does not stamp sent frames. */
static bool receives(const struct options *o)
{
	return o->source.programs || o->rx_capture || o->format == FORMAT_XDP_TOOLS ||
	       options_feed(o) || o->source.stamps == STAMPS_ADAPTER_UNSYNCED;
}

/* An option that has no meaning for drops, if only drops are captured; NULL: there is none. */
static const char *of_frames_alone(const struct options *o)
{
	if (o->drops != DROPS_ONLY && !is_of_all(o))
		return NULL;
	for (unsigned i = 0; i < o->source.device_count; i++)
		if (!device_option_is_of_drops(o->source.device[i].name))
			return o->source.device[i].name;
	return o->source.promiscuous			    ? "promiscuous-mode"
	       : o->source.entries			    ? "entries"
	       : o->source.stamps != STAMPS_HOST	    ? "time-stamp-type"
	       : !o->source.both_by_default && !receives(o) ? "direction"
							    : NULL;
}

#define BOTH_ARE_STDOUT "%s and --write - do not go together: both are standard output"
#define LISTED_THERE                                                                               \
	"%s and --print-name do not go together: both are standard output (give -b printname:FILE)"
#define EACH_NEEDS_FILE "--files-per-queue needs a file: --write FILE%s"
#define NEEDS_FILE	"%s needs a file: --write FILE"
#define NEEDS_TO	"%s needs --to kafka://BROKER/TOPIC"
#define NOT_BY_QUEUE	"XDP programs are not captured by queue"
#define NOT_DECODED                                                                                \
	"%s and --decode do not go together: the program that prints has its own options, as in --decode='tcpdump -nn -x'"
#define NOT_EACH "--files-per-queue and %s do not go together, because %s"
#define NOT_PRINTED                                                                                \
	"%s is about lines, and %s prints none: leave one of the two out, or give --print"
#define NO_PLACE " do not go together: pcap has no place for "
#define NO_LINES "%s is about lines, and --json prints none"
#define NO_ORDER                                                                                   \
	"%s and --files-per-queue do not go together, because there is no order between files"
#define NOT_LATE                                                                                   \
	"%s and --pre-trigger do not go together: whose a packet is can be known for a minute, and it may wait for longer (leave one of the two out)"
#define NOT_OF_MANY                                                                                \
	"%s does not go with -i %s, since a packet socket does not know whose a frame is: give each interface by its name"
#define SEES_NO_OTHER "each file is written alone, and does not see what another waits for"
#define SEE_RECEIVED  "XDP programs see received frames: %s and --direction do not go together"
#define SHOWS_NONE                                                                                 \
	"--drops=summary counts packets and shows none: leave %s out, or give --drops=only"

enum stage { OF_ALL, AS_TYPED, AS_MEANT };

struct rule {
	enum stage stage;
	bool is_broken;
	const char *says[3]; /* the message, and the arguments of its %s */
};

/* Check the rules of one stage. Returns 0, or -1 after telling the first that is broken. */
static int check(const struct options *o, enum stage stage)
{
	const struct rule rules[] = {
#define RULE(stage, condition, ...) {stage, condition, {__VA_ARGS__}},
#include "xdpdump/cli/combine.def"
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].stage == stage && rules[i].is_broken)
			return refuse(-1, rules[i].says[0], rules[i].says[1], rules[i].says[2]);
	return 0;
}

/* Check the command of -z before packets are captured. */
static int check_command(const struct options *o)
{
	struct command_line c;
	int e = o->files.command ? command_line_parse(&c, "-z", o->files.command) : 0;

	if (o->files.command)
		command_line_clear(&c);
	return e ? -1 : 0;
}

/* Work out what the options mean together, as tcpdump and dumpcap do. */
static int combine(struct options *o)
{
	struct limits *f = &o->files.each;

	if (o->stop.files && o->stop.bytes && !f->bytes) /* the size is for each file */
		f->bytes = o->stop.bytes, o->stop.bytes = 0;
	if (o->stop.bytes && (f->bytes || f->packets || f->duration || f->interval))
		f->bytes = o->stop.bytes, o->stop.bytes = 0;
	o->files.rotates = f->bytes || f->packets || f->duration || f->interval ||
			   (o->files.write && strchr(o->files.write, '%'));
	if ((o->files.ring_count || f->files || o->stop.files) && !o->files.rotates)
		return refuse(-1, "a number of files needs -C, -G or -b, which begin new ones");
	if (o->files.ring_count && f->interval && !f->bytes && !o->files.dumpcap_names) {
		if (!o->stop.files || o->files.ring_count < o->stop.files)
			o->stop.files = o->files.ring_count;
		o->files.ring_count = 0;
	}
	if (o->files.ring_count)
		f->files = o->files.ring_count;
	return 0;
}

/* Follow what the suffix of the file's name says about its contents. */
static int heed_suffix(struct options *o)
{
	static const char *const others[] = {".gz", ".bz2", ".xz", ".lz4"};
	const char *suffix = o->files.write ? names_suffix(o->files.write) : "";

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (strcasecmp(suffix, others[i]) != 0)
			continue;
		return refuse(-1,
			      "%s: %s files are not written: end the name in .zst for compression by zstd, or give -z COMMAND, which is run for each finished file",
			      o->files.write, others[i]);
	}
	if (strcasecmp(suffix, ".zst") == 0 && o->use_pcap)
		return refuse(-1,
			      "%s: the older format is not compressed: leave --use-pcap out, or .zst",
			      o->files.write);
	if (strcasecmp(suffix, ".zst") == 0 && !o->zstd_level)
		return option_zstd(o, o->files.write, NULL);
	if (strcasecmp(suffix, ".pcap") == 0 && !o->use_pcap)
		note("%s is a pcapng file, whatever its name, which tcpdump and Wireshark read; --use-pcap writes the older format",
		     o->files.write);
	if (strcasecmp(suffix, ".pcapng") == 0 && o->use_pcap)
		note("%s is a pcap file, whatever its name, because of --use-pcap", o->files.write);
	return 0;
}

static void choose_direction(struct options *o)
{
	if (o->source.direction != DIRECTION_NOT_SAID)
		return;
	o->source.direction = receives(o) ? DIRECTION_IN : DIRECTION_BOTH;
	o->source.both_by_default = !receives(o);
}

/* Copy options into the plans of other folders that need them, too. */
static void share(struct options *o)
{
	o->source.who = o->who != WHO_NOT;
	o->source.trial = o->feed.trial = o->trial;
	o->feed.user = o->user;
	o->feed.quiet = o->quiet;
	o->feed.has_keys = o->tls_keylog;
	o->feed.by_rings = o->files_per_queue;
}

int options_combine(struct options *o)
{
	choose_direction(o);
	share(o);
	if (check(o, OF_ALL))
		return -1;
	if (o->action != ACTION_CAPTURE)
		return 0;
	if (check(o, AS_TYPED) || combine(o) || heed_suffix(o) || check(o, AS_MEANT) ||
	    same_files_check(o) || check_command(o))
		return -1;
	if (o->drops_summary)
		o->source.snaplen = SUMMARY_SNAPLEN;
	o->format = format_of(o);
	if (is_of_all(o)) {
		o->source.netns[0] = o->next_netns;
		o->source.interfaces[o->source.interface_count++] = AFXDP_ANY;
		o->drops = DROPS_ONLY;
	}
	return 0;
}
