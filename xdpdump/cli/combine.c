/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What options mean together, and what does not go together. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/afxdpcapture.h"
#include "combine.h"
#include "option_output.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/notes.h"
#include "xdpdump/files/command_line.h"
#include "xdpdump/files/names.h"
#include "options.h"
#include "xdpdump/source/patterns.h"

#define SUMMARY_SNAPLEN 64 /* bytes of a packet that is only counted */

/* Known before a packet is captured. */
static int check_command(const char *command)
{
	struct command_line c;
	int e = command_line_parse(&c, "-z", command);

	command_line_clear(&c);
	return e ? -1 : 0;
}

/* What is about files needs files. */
static int check_files(const struct options *o)
{
	bool named = o->write && strcmp(o->write, "-") != 0;

	if (o->rotates && !named) {
		complain("new files need a name: --write FILE");
		return -1;
	}
	if (named && o->command)
		return check_command(o->command);
	if (named || !(o->print_name || o->command || o->disk_bytes || o->disk_percent))
		return 0;
	complain("%s needs a file: --write FILE", o->print_name ? "--print-name"
						  : o->command	? "--postrotate-command"
								: "--disk-limit");
	return -1;
}

/* Of -i, that stands for many interfaces; NULL: there is none. */
static const char *first_pattern(const struct options *o)
{
	for (unsigned i = 0; i < o->interface_count; i++)
		if (pattern_has_many(o, i))
			return o->interfaces[i];
	return NULL;
}

static int check_files_per_queue(const struct options *o)
{
	const char *other = o->pre_trigger     ? "--pre-trigger"
			    : o->trigger       ? "--trigger"
			    : o->programs      ? "--program-names"
			    : o->at_exit       ? "--rx-capture exit"
			    : o->listen	       ? "--listen"
			    : o->drops	       ? "--drops"
			    : o->disk_percent  ? "--disk-limit with a percentage"
			    : first_pattern(o) ? first_pattern(o)
			    : o->write	       ? NULL /* they are looked at beside it elsewhere */
			    : o->decode	       ? "--decode"
			    : o->print	       ? "--print"
					       : NULL;

	if (!o->files_per_queue)
		return 0;
	if (o->write ? strcmp(o->write, "-") == 0 : !o->to) {
		complain("--files-per-queue needs a file: --write FILE%s",
			 o->write ? "" : ", or --to kafka://BROKER/TOPIC");
		return -1;
	}
	if (!other)
		return 0;
	complain("--files-per-queue and %s do not go together, as %s", other,
		 o->trigger || o->pre_trigger
			 ? "each file is written alone, and does not see what another waits for"
		 : o->programs || o->at_exit ? "XDP programs are not captured by queue"
		 : o->drops		     ? "drops belong to no queue"
		 : o->listen		     ? "readers get all packets in one order"
		 : first_pattern(o)	     ? "interfaces that come later have no queues yet"
		 : !o->write
			 ? "there is no order between rings"
			 : "one file cannot remove those of another (give a size in bytes, which they divide)");
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
		complain("a number of files needs -C, -G or -b, which begin new ones");
		return -1;
	}
	if (o->ring_count && f->interval && !f->bytes && !o->dumpcap_names)
		o->stop.files = o->ring_count, o->ring_count = 0;
	if (o->ring_count)
		f->files = o->ring_count;
	return 0;
}

/* What the name of a file says of what is in it. */
static int heed_suffix(struct options *o)
{
	static const char *const others[] = {".gz", ".bz2", ".xz", ".lz4"};
	const char *suffix = o->write ? names_suffix(o->write) : "";

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (strcasecmp(suffix, others[i]) != 0)
			continue;
		complain("%s: %s files are not written: end the name in .zst for compression by zstd, or give -z COMMAND, which is run for each finished file",
			 o->write, others[i]);
		return -1;
	}
	if (strcasecmp(suffix, ".zst") == 0 && o->use_pcap) {
		complain("%s: the older format is not compressed: leave --use-pcap out, or .zst",
			 o->write);
		return -1;
	}
	if (strcasecmp(suffix, ".zst") == 0 && !o->zstd_level)
		return option_zstd(o, o->write, NULL);
	if (strcasecmp(suffix, ".pcap") == 0 && !o->use_pcap)
		note("%s is a pcapng file, whatever its name, which tcpdump and Wireshark read; --use-pcap writes the older format",
		     o->write);
	if (strcasecmp(suffix, ".pcapng") == 0 && o->use_pcap)
		note("%s is a pcap file, whatever its name, because of --use-pcap", o->write);
	return 0;
}

static int check_programs(const struct options *o)
{
	if ((o->programs || o->at_exit) && first_pattern(o)) {
		complain("XDP programs are those of one interface: name it in place of %s",
			 first_pattern(o));
		return -1;
	}
	if (o->verdicts && (!o->at_exit || o->at_entry)) {
		complain("--verdict needs --rx-capture exit: the verdict is known only there");
		return -1;
	}
	if ((o->programs || o->at_exit) && o->direction != DIRECTION_IN) {
		complain("XDP programs see received frames: %s and --direction do not go together",
			 o->programs ? "--program-names" : "--rx-capture exit");
		return -1;
	}
	return 0;
}

static int check_decode(const struct options *o)
{
	const char *other = o->json			   ? "--json"
			    : o->hex			   ? "--hex"
			    : o->hardware		   ? "--hardware"
			    : o->format != FORMAT_NOT_SAID ? "--format"
			    : o->time_style		   ? "-t"
							   : NULL;

	if (!o->decode || !other)
		return 0;
	complain("%s and --decode do not go together: the program that prints has its own options, as in --decode='tcpdump -nn -x'",
		 other);
	return -1;
}

/* --format is what an alias may have for all captures; these are typed for one. */
static int check_write(const struct options *o)
{
	const char *given = o->hex	    ? "--hex"
			    : o->hardware   ? "--hardware"
			    : o->time_style ? "-t"
					    : NULL;

	if ((!o->write && !options_feed(o)) || o->print || o->decode || !given)
		return 0;
	complain("%s is about lines, and %s prints none: leave one of the two out, or give --print",
		 given,
		 o->write    ? "--write"
		 : o->listen ? "--listen"
			     : "--to");
	return -1;
}

static int check_print(const struct options *o)
{
	const char *given = o->decode ? "--decode" : "--print";

	if (!(o->print || o->decode) || !o->write)
		return 0;
	if (strcmp(o->write, "-") == 0)
		complain("%s and --write - do not go together: both are standard output", given);
	else if (o->files_per_queue)
		complain("%s and --files-per-queue do not go together, as there is no order between files",
			 given);
	else
		return 0;
	return -1;
}

static int check_text(struct options *o)
{
	const char *given = o->format != FORMAT_NOT_SAID ? "--format"
			    : o->hardware		 ? "--hardware"
			    : o->time_style		 ? "-t"
							 : NULL;

	if (check_decode(o) || check_write(o) || check_print(o))
		return -1;
	if (given && o->json) {
		complain("%s is about lines, and --json prints none", given);
		return -1;
	}
	if (o->format == FORMAT_NOT_SAID) /* scripts that know these options look for its lines */
		o->format = o->programs || o->rx_capture ? FORMAT_XDP_TOOLS : FORMAT_LINE;
	if (o->format == FORMAT_LINE || (!o->time_style && !o->hardware))
		return 0;
	if (o->hardware) {
		complain("--hardware is for our own lines: leave it out, or give --format line");
		return -1;
	}
	complain("the lines of xdp-tools have their own time: leave out -t, or give --format line");
	return -1;
}

/* It counts packets, and has none to show or to write. */
static int check_summary(struct options *o)
{
	const char *given = o->write			   ? "--write"
			    : o->listen			   ? "--listen"
			    : o->to			   ? "--to"
			    : o->decode			   ? "--decode"
			    : o->print			   ? "--print"
			    : o->hex			   ? "--hex"
			    : o->hardware		   ? "--hardware"
			    : o->format != FORMAT_NOT_SAID ? "--format"
			    : o->time_style		   ? "-t"
			    : o->pre_trigger		   ? "--pre-trigger"
			    : o->trigger		   ? "--trigger"
							   : NULL;

	if (!o->drops_summary)
		return 0;
	o->snaplen = SUMMARY_SNAPLEN;
	if (!given)
		return 0;
	complain("--drops=summary counts packets and shows none: leave %s out, or give --drops=only",
		 given);
	return -1;
}

static int check_feeds(const struct options *o)
{
	const char *of_to = o->spool	    ? "--spool"
			    : o->kafka_conf ? "--kafka-conf"
			    : o->key	    ? "--key"
					    : NULL;

	if (o->to && strncmp(o->to, "kafka://", 8) != 0)
		complain("--to takes kafka://BROKER/TOPIC, not \"%s\"", o->to);
	else if (!o->to && of_to)
		complain("%s needs --to kafka://BROKER/TOPIC", of_to);
	else if (!o->listen && o->listen_format != LISTEN_PCAPNG)
		complain("--listen-format needs --listen PORT");
	else
		return 0;
	return -1;
}

static bool are_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/* Files of figures have a name, and one of their own. */
static int check_figures(const struct options *o)
{
	const char *option = are_same(o->metrics, "-")	    ? "--metrics"
			     : are_same(o->stats_file, "-") ? "--stats-file"
							    : NULL;

	if (option) {
		complain("%s needs a file, not standard output", option);
		return -1;
	}
	option = are_same(o->metrics, o->write)	       ? "--metrics and --write"
		 : are_same(o->stats_file, o->write)   ? "--stats-file and --write"
		 : are_same(o->stats_file, o->metrics) ? "--stats-file and --metrics"
						       : NULL;
	if (option)
		complain("%s name the same file: each needs its own", option);
	return option ? -1 : 0;
}

/*
 * XDP programs, and scripts of xdp-tools, know received frames alone. What goes out to readers or
 * to Kafka would be captured again, and an interface's own clock stamps nothing that is sent.
 */
static void choose_direction(struct options *o)
{
	bool receives = o->programs || o->rx_capture || o->format == FORMAT_XDP_TOOLS ||
			options_feed(o) || o->stamps == STAMPS_ADAPTER_UNSYNCED;

	if (o->direction != DIRECTION_NOT_SAID)
		return;
	o->direction = receives ? DIRECTION_IN : DIRECTION_BOTH;
	o->both_by_default = !receives;
}

int options_combine(struct options *o)
{
	choose_direction(o);
	if (o->action == ACTION_LIST_STAMPS && o->interface_count != 1) {
		complain("--list-time-stamp-types needs one interface: -i IFACE");
		return -1;
	}
	if (o->report && o->action != ACTION_DOCTOR && !o->trial) {
		complain("--report needs --doctor");
		return -1;
	}
	if (o->action == ACTION_DOCTOR && !o->interface_count) {
		complain("--doctor needs a value: the name of an interface (%s -D lists them)",
			 program_invocation_short_name);
		return -1;
	}
	if (o->action != ACTION_CAPTURE)
		return 0;
	if (check_programs(o) || check_feeds(o) || check_summary(o))
		return -1;
	if (combine(o) || heed_suffix(o) || check_files_per_queue(o) || check_files(o) ||
	    check_text(o) || check_figures(o))
		return -1;
	if (o->use_pcap && ((!o->write && !o->decode) || o->zstd_level)) {
		complain(o->zstd_level ? "--use-pcap and --zstd do not go together"
				       : "--use-pcap needs --write");
		return -1;
	}
	if (o->use_pcap && o->mixed_links) {
		complain("--use-pcap and --mixed-links do not go together: pcap has one link type");
		return -1;
	}
	if (o->zstd_level && !o->write) {
		complain("--zstd needs --write: text is not compressed");
		return -1;
	}
	if (o->tls_keylog && ((!o->write && !o->decode && !options_feed(o)) || o->use_pcap)) {
		complain(
			o->use_pcap
				? "--tls-keylog and --use-pcap do not go together: pcap has no place for keys"
				: "--tls-keylog needs --write, or --decode=tshark: keys go into a pcapng file");
		return -1;
	}
	if (are_same(o->tls_keylog, o->write)) {
		complain("--tls-keylog and --write name the same file: each needs its own");
		return -1;
	}
	if (o->drops && o->use_pcap) {
		complain(
			"--drops and --use-pcap do not go together: pcap has no place for the reasons");
		return -1;
	}
	if (o->drops && o->pre_trigger && o->trigger) {
		complain(
			"--drops, --pre-trigger and --trigger do not go together, as the kernel cannot match every dropped frame: give SIGUSR2 in place of --trigger");
		return -1;
	}
	if (o->drop_reasons && !o->drops) {
		complain("--drop-reasons needs --drops");
		return -1;
	}
	if (o->next_netns && !o->netns_is_used && !(o->drops && !o->interface_count)) {
		complain("--netns stands in front of the -i that it is for");
		return -1;
	}
	if (!o->interface_count && o->drops) { /* of all */
		o->netns[0] = o->next_netns;
		o->interfaces[o->interface_count++] = AFXDP_ANY;
		o->drops = DROPS_ONLY;
	}
	if (!o->interface_count && o->programs) {
		complain("name an interface: -i IFACE; --program-names (-p) took \"%s\" for the name of an XDP program; promiscuous mode, which tcpdump -p turns off, is off without -P",
			 o->programs);
		return -1;
	}
	if (!o->interface_count) {
		complain("name an interface: -i IFACE (%s -D lists them)",
			 program_invocation_short_name);
		return -1;
	}
	if (o->write && strcmp(o->write, "-") == 0 && isatty(STDOUT_FILENO)) {
		complain(
			"standard output is a terminal: send it to a file or through a pipe, or leave --write out to read packets here");
		return -1;
	}
	return 0;
}
