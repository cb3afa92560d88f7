/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * oracle SINGLES PREFIXES FRAMES FOLDER [DEVICE]: frames by chance, sent into a veth in a namespace
 * of our own, and sets of addresses and prefixes by chance: is what is captured exactly what was
 * asked for, and by a line of the file that has the frame's address? At each hook, or of DEVICE
 * alone, and by each option; and before, while and after the file is read again with another set.
 * What a frame's addresses are is known, because chance.c makes them; whether a set has them is
 * found out among its entries, which are sorted and joined.
 */
#include <errno.h>
#include <linux/capability.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/afxdpcapture.h"
#include "tests/capture/own_net.h"
#include "tests/sets/chance.h"
#include "tests/sets/verified.h"
#include "tests/sets/wanted.h"

#define BATCH	      256u
#define WAIT_MS	      20000
#define VERIFIED_MOST 150000 /* instructions */

static unsigned frames;
static uint8_t *want;
static bool *got;
static unsigned passed, failed;
static bool drops_privileges; /* once a capture is open */
static bool by_call;	      /* the program gives the set, without files */
static struct frame batch[BATCH];
static unsigned batch_first; /* number of the first frame in it */
static unsigned lines_wrong;

/* not-forms have none. While the file is exchanged both lines are of one set. */
static bool has_entries(const char *device, const char *option)
{
	return strncmp(option, "not-", 4) != 0 && !strstr(device, "zero-copy");
}

static void check_lines(const struct epb_header *r, unsigned number, const char *option)
{
	const struct epb_lengths l = {.total = r->total_length, .caplen = r->caplen};
	struct epb_entries e;

	if (number < batch_first || number >= batch_first + BATCH)
		return;
	if (!afxdp_entries_of(r, &l, &e) ||
	    !are_lines_right(&batch[number - batch_first], option, &e))
		lines_wrong++;
}

static int open_sender(const char *name)
{
	struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_ifindex = (int)if_nametoindex(name)};
	int fd = socket(AF_PACKET, SOCK_RAW, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&to, sizeof(to))) {
		perror("oracle: a socket to send by");
		exit(1);
	}
	return fd;
}

/* The file as it is, by a call. */
static void give(struct afxdp_capture *c, const char *option)
{
	char err[AFXDP_ERROR_SIZE] = "", *text = NULL;
	struct afxdp_addresses list = {.option = option};
	FILE *f = fopen(FILE_NAME, "r");

	if (!f || getdelim(&text, &list.length, EOF, f) < 0) {
		perror(FILE_NAME);
		exit(1);
	}
	list.length = strlen(text);
	list.text = text;
	fclose(f);
	if (afxdp_addresses_replace(c, &list, 1, err, sizeof(err))) {
		printf("FAILED: a set by a call: %s\n", err);
		failed++;
	}
	free(text);
}

/* As a program that gives sets: room for all of them, and prefixes take more. */
static void ask_for_lists(struct afxdp_options *o, const char *option)
{
	char room[16], err[AFXDP_ERROR_SIZE];

	snprintf(room, sizeof(room), "%u", singles + 8 * prefixes);
	if (afxdp_options_set(o, "lists", option, err, sizeof(err)) ||
	    afxdp_options_set(o, "set-max", room, err, sizeof(err))) {
		printf("FAILED: lists=%s: %s\n", option, err);
		failed++;
	}
}

static struct afxdp_capture *open_capture(const char *device, const char *option)
{
	char name[256], err[AFXDP_ERROR_SIZE] = "";
	struct afxdp_options *o = afxdp_options_new();
	struct afxdp_capture *c = NULL;

	if (by_call) {
		snprintf(name, sizeof(name), "%s", device);
		ask_for_lists(o, option);
	} else {
		snprintf(name, sizeof(name), "%s,%s=%s", device, option,
			 strstr(option, "ports") ? PORTS_NAME : FILE_NAME);
	}
	if (afxdp_options_device(o, name, err, sizeof(err)) ||
	    afxdp_options_set(o, "immediate", "on", err, sizeof(err)) ||
	    afxdp_options_set(o, "entries", has_entries(device, option) ? "on" : "off", err,
			      sizeof(err)) ||
	    afxdp_open(&c, o, err, sizeof(err))) {
		printf("FAILED: %s: %s\n", name, err);
		failed++;
	}
	afxdp_options_free(o);
	if (c && by_call)
		give(c, option);
	return c;
}

/* Notes the numbers of what was recorded. Returns how many were wanted. option: whose lines they
 * name; NULL: none. */
static unsigned read_some(struct afxdp_reader *r, const char *option)
{
	const struct epb_header *at;
	struct afxdp_run run;
	unsigned n = 0;

	while (afxdp_run(r, &run) > 0) {
		for (at = run.first; afxdp_run_has(&run, at); at = epb_next(at)) {
			const uint8_t *in =
				epb_frame(at) + (cuts_frames ? NUMBER_AT : at->caplen - 4);
			unsigned number = (unsigned)in[0] << 24 | (unsigned)in[1] << 16 |
					  (unsigned)in[2] << 8 | in[3];

			if (number >= frames)
				continue;
			if (option)
				check_lines(at, number, option);
			n += want[number] == YES && !got[number];
			got[number] = true;
		}
		afxdp_run_done(r, &run, at);
	}
	return n;
}

/* All that is wanted is waited for. */
static void run_batch(struct afxdp_capture *c, int sender, const char *option, bool entries)
{
	const char *told = entries ? option : NULL;
	unsigned wanted = 0, there;

	for (unsigned i = batch_first; i < batch_first + BATCH && i < frames; i++) {
		struct frame *f = &batch[i - batch_first];

		make_frame(f, i);
		want[i] = wants(f, option);
		wanted += want[i] == YES;
		if (send(sender, f->byte, f->length, 0) < 0) {
			perror("oracle: send");
			exit(1);
		}
	}
	there = read_some(afxdp_reader(c), told);
	while (there < wanted && afxdp_wait(afxdp_reader(c), WAIT_MS) == 0) {
		unsigned more = read_some(afxdp_reader(c), told);

		there += more;
		if (!more)
			break;
	}
}

/*
 * The file has another set now: a third of the frames come before that, a third while it is read,
 * and the rest after it has a third one, which counts from the return on.
 */
static void exchange(struct afxdp_capture *c, const char *option, bool wait)
{
	char err[AFXDP_ERROR_SIZE];
	int e;

	set = &sets[!wait];
	make_set();
	exchanging = !wait;
	if (by_call) {
		give(c, option);
		return;
	}
	e = afxdp_addresses_reload(c, wait, err, sizeof(err));
	if (!e)
		return;
	printf("FAILED: the file is read again: %s\n", err);
	failed++;
}

/* All that root has but the files that are his. */
static void drop_privileges(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[2] = {{0}};

	if (syscall(SYS_capset, &head, none)) {
		perror("oracle: capset");
		exit(1);
	}
}

static void run_capture(const char *device, const char *option, bool exchanges)
{
	struct afxdp_capture *c = open_capture(device, option);
	bool entries = has_entries(device, option);
	unsigned wrong = 0, wanted = 0;
	int sender;

	if (!c)
		return;
	memset(got, 0, frames);
	memset(want, 0, frames);
	cuts_frames = strcmp(device, "any") != 0; /* whose records have another header */
	tags_looked_behind = cuts_frames ? 2 : 1;
	sender = open_sender("va");
	read_some(afxdp_reader(c), NULL); /* from here on it diverts */
	if (drops_privileges)
		drop_privileges();
	lines_wrong = 0;
	for (unsigned third = 0, sent = 0; sent < frames; sent += BATCH) {
		if (exchanges && third < 2 && sent > frames / 3 * (third + 1))
			exchange(c, option, third++);
		batch_first = sent;
		run_batch(c, sender, option, entries);
	}
	exchanging = false;
	set = &sets[0];
	close(sender);
	read_some(afxdp_reader(c), NULL);
	afxdp_close(c);
	for (unsigned i = 0; i < frames; i++) {
		wanted += want[i] == YES;
		wrong += want[i] != EITHER && want[i] != got[i];
	}
	wrong += lines_wrong;
	printf("%s: %s,%s%s: %u of %u frames wanted, %u wrong, %u of them by their lines\n",
	       wrong ? "FAILED" : "ok", device, option,
	       by_call	   ? ", by calls"
	       : exchanges ? ", exchanged"
			   : "",
	       wanted, frames, wrong, lines_wrong);
	fflush(stdout); /* one of 10 million takes minutes */
	if (wrong)
		failed++;
	else
		passed++;
}

/* It takes a million, and seconds for that. */
static void check_verifier(void)
{
	struct afxdp_capture *c = open_capture("vb,hook=xdp,ports=" PORTS_NAME, "hosts");
	int n = c ? verified() : 0;
	bool is_right = n > 0 && n <= VERIFIED_MOST;

	if (!c)
		return;
	afxdp_close(c);
	if (n == UNTOLD) {
		puts("the kernel does not tell how many instructions the verifier goes through");
		return;
	}
	printf("%s: the verifier goes through %d instructions\n", is_right ? "ok" : "FAILED", n);
	if (is_right)
		passed++;
	else
		failed++;
}

static void run_all(void)
{
	static const char *const devices[] = {"vb,hook=xdp",
					      "vb,hook=tc",
					      "vb,hook=packet",
					      "vb,hook=xdp,xdp-mode=skb",
					      "va,hook=tc",
					      "va,sent-at=packet,hook=packet",
					      "any",
					      "vb,engine=divert,zero-copy=off",
					      "vb,engine=divert",
					      "vb,hook=xdp,after=drop"};
	static const char *const options[] = {"hosts",	   "src-hosts",	    "dst-hosts",
					      "not-hosts", "not-src-hosts", "not-dst-hosts",
					      "ports",	   "src-ports",	    "dst-ports",
					      "not-ports", "not-src-ports", "not-dst-ports"};

	for (unsigned d = 0; d < sizeof(devices) / sizeof(devices[0]); d++)
		for (unsigned i = 0; i < 12; i++)
			if (i >= 6 && (d ? i == (d * 5) % 12 : i % 2))
				run_capture(devices[d], options[i], false);
	for (unsigned d = 0; d < sizeof(devices) / sizeof(devices[0]); d++) {
		set = &sets[0];
		make_set();
		run_capture(devices[d], options[d % 6], true);
	}
}

static void refuses(struct afxdp_capture *c, const struct afxdp_addresses *lists, unsigned n,
		    const char *words)
{
	char err[AFXDP_ERROR_SIZE] = "";
	bool is_right =
		afxdp_addresses_replace(c, lists, n, err, sizeof(err)) < 0 && strstr(err, words);

	printf("%s: refused: %s\n", is_right ? "ok" : "FAILED", is_right ? words : err);
	if (is_right)
		passed++;
	else
		failed++;
}

/* What is wrong with lists that a program gives. */
static void check_refused(void)
{
	const struct afxdp_addresses wrong[] = {
		{"hosts", "192.0.2.1\n192.0.2.256\n", 22},
		{"src-hosts", "", 0},
		{"hosts", "", 0},
		{"hosts", "", 0},
	};
	struct afxdp_capture *c;

	by_call = true;
	c = open_capture("vb,hook=packet", "hosts");
	if (!c)
		return;
	refuses(c, &wrong[0], 1, "hosts, line 2: 192.0.2.256: give an address");
	refuses(c, &wrong[1], 1, "src-hosts is not in lists=");
	refuses(c, &wrong[2], 2, "hosts is not in lists=, or was given twice");
	afxdp_close(c);
	by_call = false;
	c = open_capture("vb,hook=packet", "hosts");
	if (!c)
		return;
	refuses(c, &wrong[2], 1, "no list was asked for");
	afxdp_close(c);
}

static void run_by_calls(void)
{
	check_refused();
	by_call = true;
	set = &sets[0];
	make_set();
	run_capture("vb,hook=xdp", "hosts", true);
	set = &sets[0];
	make_set();
	drops_privileges = true;
	run_capture("vb,hook=packet", "not-dst-hosts", true);
}

int main(int argc, char **argv)
{
	if ((argc != 5 && argc != 6) || chdir(argv[4])) {
		fprintf(stderr, "oracle SINGLES PREFIXES FRAMES FOLDER [DEVICE]\n");
		return 2;
	}
	singles = (unsigned)atoi(argv[1]);
	prefixes = (unsigned)atoi(argv[2]);
	frames = (unsigned)atoi(argv[3]);
	for (unsigned i = 0; i < 2; i++) {
		sets[i].entries = calloc(singles + prefixes, sizeof(*set->entries));
		sets[i].joined = calloc(singles + prefixes, sizeof(*set->joined));
		if (!sets[i].entries || !sets[i].joined)
			return 1;
	}
	want = calloc(frames, 1);
	got = calloc(frames, 1);
	if (!want || !got)
		return 1;
	own_net();
	veth_pair("");
	make_set();
	make_ports();
	if (argc == 6) {
		run_capture(argv[5], "hosts", true);
	} else {
		check_verifier();
		run_all();
		run_by_calls();
	}
	for (unsigned i = 0; i < 2; i++) {
		free(sets[i].entries);
		free(sets[i].joined);
	}
	free(want);
	free(got);
	unlink(FILE_NAME);
	unlink(PORTS_NAME);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
