/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/afxdpcapture.h"
#include "util/clock.h"
#include "util/harmless.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/source/device.h"
#include "xdpdump/source/expression.h"
#include "extcap.h"
#include "options.h"
#include "pcapng/write.h"
#include "row.h"

/* Returns the length of the part of *text before the next |, and moves *text after that. */
static int next_part(const char **text, const char **part)
{
	int length = (int)strcspn(*text, "|");

	*part = *text;
	*text += length + ((*text)[length] == '|');
	return length;
}

/* Print the words to choose from. The first one is the default. */
static void print_words(unsigned number, const char *words, const char *texts)
{
	const char *word, *text;

	for (int i = 0; *words; i++) {
		int n = next_part(&words, &word), m = next_part(&texts, &text);

		printf("value {arg=%u}{value=%.*s}{display=%.*s}{default=%s}\n", number, n, word, m,
		       text, i ? "false" : "true");
	}
}

static const char *type_of(const struct row *r, bool has_words)
{
	if (has_words)
		return "selector";
	if (r->takes && strcmp(r->takes, "FILE") == 0)
		return "fileselect";
	return r->takes ? "string" : "boolflag";
}

static void print_widget(unsigned number, const struct row *r)
{
	const char *texts = r->dialogue, *title;
	int length = next_part(&texts, &title);
	bool has_words = *texts;

	printf("arg {number=%u}{call=--%s}{display=%.*s}{tooltip=%s}{type=%s}", number, r->name,
	       length, title, r->help, type_of(r, has_words));
	if (has_words)
		printf("{default=%.*s}", (int)strcspn(r->takes, "|"), r->takes);
	puts(r->takes ? "" : "{default=false}");
	if (has_words)
		print_words(number, r->takes, texts);
}

static void print_config(void)
{
	unsigned number = 0;
	const struct row *rows = options_rows.row;

	for (size_t i = 0; i < options_rows.count; i++)
		if (rows[i].name && rows[i].dialogue)
			print_widget(number++, &rows[i]);
}

/* Wireshark starts the reader of the fifo right after this process. */
#define READER_MS 10000
#define RETRY_MS  20

/* An option that Wireshark uses. Options of ours that it adds go to the parser of options. */
struct word {
	const char *name;
	bool takes_value;
	size_t offset; /* in struct request, of a bool; or of a const char * if it takes a value */
};

struct request {
	bool interfaces, dlts, config, capture, about, cleanup;
	const char *interface, *filter, *fifo, *ignored;
	enum expression_link link; /* link type of the interface */
	/* A command line for our own parser: the first OURS words are filled in later, after them
	 * come the words that are not Wireshark's. */
	const char **ours;
	int count;
};
#define OURS 5

static const struct word words[] = {
	{"--extcap-interfaces", false, offsetof(struct request, interfaces)},
	{"--extcap-dlts", false, offsetof(struct request, dlts)},
	{"--extcap-config", false, offsetof(struct request, config)},
	{"--capture", false, offsetof(struct request, capture)},
	{"--extcap-interface", true, offsetof(struct request, interface)},
	{"--extcap-capture-filter", true, offsetof(struct request, filter)},
	{"--fifo", true, offsetof(struct request, fifo)},
	{"--extcap-reload-option", true, offsetof(struct request, ignored)},
	{"--extcap-control-in", true, offsetof(struct request, ignored)},
	{"--extcap-control-out", true, offsetof(struct request, ignored)},
	{"--extcap-cleanup-postkill", false, offsetof(struct request, cleanup)},
};
#define WORDS (sizeof(words) / sizeof(words[0]))

/* Is it --extcap-version? Its value, the version of Wireshark, follows a '=', or is missing. */
static bool is_version(const char *arg)
{
	return strncmp(arg, "--extcap-version", 16) == 0 && (!arg[16] || arg[16] == '=');
}

static const struct word *find_word(const char *arg, const char **value)
{
	size_t length = strcspn(arg, "=");

	for (size_t i = 0; i < WORDS; i++) {
		if (strlen(words[i].name) != length || strncmp(arg, words[i].name, length) != 0)
			continue;
		if (arg[length] && !words[i].takes_value)
			continue;
		*value = arg[length] ? arg + length + 1 : NULL;
		return &words[i];
	}
	return NULL;
}

bool extcap_called(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strncmp(argv[i], "--extcap-", 9) == 0 || strcmp(argv[i], "--capture") == 0)
			return true;
	return false;
}

/* Returns 0, or -1 after telling what is wrong. */
static int read_request(struct request *q, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *value;
		const struct word *w = find_word(argv[i], &value);

		if (!w && is_version(argv[i])) {
			q->about = true;
		} else if (!w) {
			q->ours[q->count++] = argv[i];
		} else if (!w->takes_value) {
			*(bool *)((char *)q + w->offset) = true;
		} else if (value || argv[i + 1]) {
			*(const char **)((char *)q + w->offset) = value ? value : argv[++i];
		} else {
			return refuse(-1, "%s needs a value", argv[i]);
		}
	}
	return 0;
}

static void print_about(void)
{
	printf("extcap {version=%s}{display=%s}\n", PACKAGE_VERSION, program_invocation_short_name);
}

/* Can this name be sent to Wireshark? Braces end a value in this protocol, and there is no way to
 * escape them. Wireshark reads UTF-8. */
static bool can_be_told(const char *name)
{
	size_t n;

	while ((n = harmless_length(name)) && *name != '{' && *name != '}')
		name += n;
	return !*name;
}

/* Put the name of this program before the name of the interface, because Wireshark lists eth0
 * itself, and xdp:eth0 for libpcap. It is the name of the link in Wireshark's folder, by which
 * users find the manual. */
static int list_interfaces(void)
{
	struct if_nameindex *all = if_nameindex();
	struct afxdp_interface f;

	if (!all)
		return refuse(-1, "listing interfaces: %s", strerror(errno));
	print_about();
	printf("interface {value=%s:" AFXDP_ANY
	       "}{display=all interfaces, and those that come later}\n",
	       program_invocation_short_name);
	for (struct if_nameindex *n = all; n->if_index; n++)
		if (can_be_told(n->if_name) && afxdp_look(n->if_name, &f, sizeof(f)) == 0 &&
		    (f.is_ethernet || f.is_raw_ip))
			printf("interface {value=%s:%s}{display=%s at the XDP layer}\n",
			       program_invocation_short_name, n->if_name, n->if_name);
	if_freenameindex(all);
	return 0;
}

/* Get the interface's name, after the program's, and its link type. No interface has a colon in its
 * name. Returns 0, or -1 after telling what is wrong. */
static int find_interface(struct request *q)
{
	struct afxdp_interface look = {.is_raw_ip = false};
	const char *colon;
	int e;

	if (!q->interface)
		return refuse(-1, "--extcap-interface is missing");
	colon = strchr(q->interface, ':');
	if (colon)
		q->interface = colon + 1;
	q->link = LINK_COOKED;
	if (strcmp(q->interface, AFXDP_ANY) == 0)
		return 0;
	e = afxdp_look(q->interface, &look, sizeof(look));
	q->link = look.is_raw_ip ? LINK_RAW_IP : LINK_ETHERNET;
	if (!e)
		return 0;
	return refuse(-1, "%s: %s", q->interface,
		      e == -ENODEV ? "no such interface" : strerror(-e));
}

static void print_dlts(enum expression_link link)
{
	if (link == LINK_COOKED)
		printf("dlt {number=%u}{name=LINUX_SLL2}{display=Linux cooked v2}\n",
		       LINKTYPE_LINUX_SLL2);
	else if (link == LINK_RAW_IP)
		printf("dlt {number=%u}{name=RAW}{display=Raw IP}\n", LINKTYPE_RAW);
	else
		printf("dlt {number=%u}{name=EN10MB}{display=Ethernet}\n", LINKTYPE_ETHERNET);
}

/* Check a filter: print nothing if it is valid, else what is wrong with it. This is not an error of
 * ours. */
static void print_fault(const char *filter, enum expression_link link)
{
	struct expression_terms terms = {.link = link, .snaplen = AFXDP_SNAPLEN_MAX};
	struct expression e;
	char err[1024];

	if (link == LINK_COOKED && expression_asks_for_vlan(filter)) {
		puts(EXPRESSION_NO_VLAN);
		return;
	}
	if (expression_compile(&e, filter, terms, err, sizeof(err)))
		puts(err);
	expression_free(&e);
}

static int answer_about_interface(struct request *q)
{
	if (find_interface(q))
		return -1;
	if (q->config)
		print_config();
	else if (q->dlts)
		print_dlts(q->link);
	else
		print_fault(q->filter, q->link);
	return 0;
}

/* Replace standard output by the fifo. This happens before anything is attached, so that a signal
 * here just ends the process. It does not wait forever for a reader that has died. Returns 0, or
 * -errno after telling why. */
static int open_fifo(const char *path)
{
	int fd = -1, e = 0;

	for (int ms = 0; fd < 0 && ms < READER_MS; ms += RETRY_MS) {
		fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		e = fd < 0 ? errno : 0;
		if (e != ENXIO)
			break;
		clock_sleep(RETRY_MS);
	}
	if (!e && (fcntl(fd, F_SETFL, O_WRONLY) || dup2(fd, STDOUT_FILENO) < 0))
		e = errno;
	if (fd >= 0)
		close(fd);
	if (e)
		complain("%s: %s", path, e == ENXIO ? "nobody reads it" : strerror(e));
	return -e;
}

/* Express the capture as a command line of ours, and parse it. */
static int parse_as_ours(struct options *o, struct request *q, char name[DEVICE_NAME_SIZE])
{
	const char *const begin[OURS] = {program_invocation_short_name, "-i", name, "-w", "-"};

	device_name(name, q->interface);
	memcpy(q->ours, begin, sizeof(begin));
	q->ours[q->count++] = "--";
	if (q->filter && *q->filter)
		q->ours[q->count++] = q->filter;
	return options_parse(o, q->count, (char **)q->ours);
}

static int capture(struct request *q, int (*run)(const struct options *o))
{
	struct options o = {.report = NULL};
	int status = EXIT_FAILURE;
	char name[DEVICE_NAME_SIZE];

	if (!q->fifo)
		return refuse(EXIT_FAILURE, "--fifo is missing");
	if (find_interface(q) || open_fifo(q->fifo))
		return EXIT_FAILURE;
	if (parse_as_ours(&o, q, name) == 0) {
		o.extcap = true;
		o.quiet = true;
		status = run(&o);
	}
	options_free(&o);
	return status;
}

static int answer(struct request *q, int (*run)(const struct options *o))
{
	int e = 0;

	if (q->capture)
		return capture(q, run);
	if (q->interfaces)
		e = list_interfaces();
	else if (q->config || q->dlts || q->filter)
		e = answer_about_interface(q);
	else if (q->about)
		print_about();
	else
		e = refuse(-1, "an extcap is asked by Wireshark: see %s(8)",
			   program_invocation_short_name);
	if (!e && (fflush(stdout) || ferror(stdout)))
		e = refuse(-1, "standard output: %s", strerror(errno));
	return e ? EXIT_FAILURE : EXIT_SUCCESS;
}

int extcap_answer(int argc, char **argv, int (*run)(const struct options *o))
{
	/* The 3 are for "--", a filter, and NULL at the end. */
	struct request q = {.ours = calloc(OURS + (size_t)argc + 3, sizeof(char *)), .count = OURS};
	int status = EXIT_FAILURE;

	if (!q.ours)
		complain("out of memory");
	else if (read_request(&q, argc, argv) == 0)
		status = answer(&q, run);
	free(q.ours);
	return status;
}
