/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* put: a stream of packets becomes sections, and they become messages. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kafka/commands.h"
#include "kafka/put/claim.h"
#include "kafka/put/flow.h"
#include "kafka/put/indexer.h"
#include "kafka/put/input.h"
#include "kafka/put/limit.h"
#include "kafka/put/losses.h"
#include "kafka/put/sender.h"
#include "kafka/put/settings.h"
#include "kafka/put/state.h"
#include "util/command/say.h"
#include "kafka/section.h"
#include "util/command/signals.h"
#include "util/clock.h"
#include "util/unique.h"

#define LOOK_MS	      100 /* look for acknowledgements at least this often */
#define DRAIN_NS      (2 * NS_PER_SEC)
#define INDEX_WAIT_MS 2000 /* wait for records of the index at the end */
#define PIPE_SIZE     (1 << 20)
#define SECTION_NS    NS_PER_SEC
#define FLOW_LANES    SENDER_STREAMS /* number of streams with --key flow */
#define REUSED_MEMORY (4 << 20)	     /* the C library gives larger blocks back at once */

/* A stream, and its section that is being filled. */
struct lane {
	struct section section;
	uint64_t lost_since; /* packets lost since the last section that was sent */
	uint64_t begun;	     /* when the section got its first block, monotonic */
	uint64_t cut;	     /* when the last section was cut, monotonic; 0: none was */
};

struct put {
	const struct options *o;
	const char *name; /* name of the input */
	bool drops;	  /* drops packets when the queue is full */
	struct client client;
	struct sender sender;
	struct spool spool;
	struct indexer indexer;
	struct state state;
	struct settings settings;
	struct input input;
	struct flow flow;
	struct losses losses;
	bool predecessor_told;
	struct lane lane[FLOW_LANES];
	unsigned lanes;
	uint64_t packets;	   /* read */
	uint64_t told, stopped_at; /* monotonic */
	bool told_too_long, told_shortened, failed, refusal_told;
	bool is_claimed;   /* the spool is claimed, and its cluster is known */
	bool is_of_others; /* the spool is for another cluster, which was found late */
	const char *fault; /* why a section could not be made */
};

static int make_label(struct label *l, const struct options *o)
{
	char host[256] = "";

	*l = (struct label){.stream = o->stream};
	gethostname(host, sizeof(host) - 1);
	unique_name(l->writer);
	unique_name(l->session);
	if (!label_name(l->host, sizeof(l->host), o->host ? o->host : host)) {
		complain("this host has no name: --host NAME");
		return -1;
	}
	if (o->session)
		snprintf(l->session, sizeof(l->session), "%s", o->session);
	return 0;
}

static void print_statistics(const struct put *p, const char *event)
{
	const struct sender *s = &p->sender;
	const struct {
		const char *name;
		struct tally t;
	} kinds[] = {{"acknowledged", s->acknowledged}, {"lost", s->lost}};

	printf("{\"event\":\"%s\",\"time\":%.6f,\"packets_read\":%" PRIu64, event,
	       (double)clock_wall() / NS_PER_SEC, p->packets);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		printf(",\"packets_%s\":%" PRIu64 ",\"sections_%s\":%" PRIu64
		       ",\"bytes_%s\":%" PRIu64,
		       kinds[i].name, kinds[i].t.packets, kinds[i].name, kinds[i].t.sections,
		       kinds[i].name, kinds[i].t.bytes);
	printf(",\"packets_spooled\":%" PRIu64 ",\"packets_earlier\":%" PRIu64
	       ",\"packets_earlier_lost\":%" PRIu64 "}\n",
	       p->spool.packets, s->earlier, s->earlier_lost);
	fflush(stdout);
}

/* Every packet that was read is acknowledged, lost, or in flight. */
static void tell_statistics(struct put *p, const char *event)
{
	const struct sender *s = &p->sender;

	p->told = clock_monotonic();
	if (p->o->json)
		print_statistics(p, event);
	else
		note("%" PRIu64 " packets read, %" PRIu64 " acknowledged, %" PRIu64
		     " spooled, %" PRIu64 " lost; %" PRIu64 " sections of %" PRIu64 " bytes",
		     p->packets, s->acknowledged.packets, p->spool.packets, s->lost.packets,
		     s->acknowledged.sections, s->acknowledged.bytes);
}

/*
 * Takes up changed settings, such as a password or a certificate. If they name other files, the
 * next look notices one more change.
 */
static void reload(struct put *p)
{
	struct client *c = &p->client;

	c->conf = rd_kafka_conf_new();
	if (sender_configure(&p->sender, c) || client_read_conf(c, p->o->kafka_conf) ||
	    client_reset(c)) {
		rd_kafka_conf_destroy(c->conf);
		c->conf = NULL;
		complain("%s has changed, and the settings before stay", p->o->kafka_conf);
		return;
	}
	note("%s, or a file that it names, has changed, and is taken up", p->o->kafka_conf);
	sender_renew(&p->sender);
	indexer_renew(&p->indexer, c, p->o->kafka_conf);
}

/* Claims the spool for the topic, and for the cluster once brokers name it: sections for another
 * one are not sent. */
static int claim(struct put *p, bool is_first)
{
	char *cluster = rd_kafka_clusterid(p->client.kafka, 0);
	int e = cluster || is_first ? claim_spool(&p->spool, p->client.address.topic, cluster,
						  p->o->spool_anyway)
				    : 0;

	p->is_claimed = cluster;
	if (cluster)
		rd_kafka_mem_free(p->client.kafka, cluster);
	return e;
}

static void attend(struct put *p, int wait_ms)
{
	if (p->o->spool && !p->is_claimed && claim(p, false))
		p->failed = p->is_of_others = true;
	sender_poll(&p->sender, wait_ms);
	if (settings_have_changed(&p->settings, &p->client))
		reload(p);
}

/* Sends the section; if there is no room, waits for it, provided that the input can wait and room
 * can come. */
static int wait_for_room(struct put *p, struct buffer *message, const struct label *label)
{
	int e;

	while ((e = sender_send(&p->sender, message, label)) == -ENOBUFS && !p->drops &&
	       !signals_stop && !p->is_of_others)
		attend(p, LOOK_MS);
	return e;
}

/* Adds what the input says is missing to the next section that is cut. */
static void add_missing(struct lane *lane, uint64_t dropped, uint64_t behind)
{
	lane->section.label.dropped += dropped;
	lane->section.label.behind += behind;
}

/* Adds what sections said that were lost since. */
static void take_untold(struct put *p, struct lane *lane)
{
	add_missing(lane, p->sender.untold_dropped, p->sender.untold_behind);
	p->sender.untold_dropped = p->sender.untold_behind = 0;
}

static int cut(struct put *p, struct lane *lane)
{
	struct buffer message;
	struct label label;
	int e;

	take_untold(p, lane);
	e = section_cut(&lane->section, lane->lost_since, clock_wall(), &message, &label);
	if (e) {
		p->fault = lane->section.fault;
		return e;
	}
	buffer_shrink(&message);
	lane->cut = clock_monotonic();
	lane->lost_since = 0;
	e = wait_for_room(p, &message, &label);
	if (e) {
		sender_lose(&p->sender, &label, message.used);
		lane->lost_since = label.lost + label.packets;
		add_missing(lane, label.dropped, label.behind);
	}
	buffer_free(&message);
	return 0;
}

static void tell_shortened(struct put *p, const struct lane *lane)
{
	if (lane->section.is_shortened && !p->told_shortened)
		note("%s: a block has more options than a section has room for: some are left out, as others of this length will be",
		     p->name);
	p->told_shortened |= lane->section.is_shortened;
}

/* If the topic now takes smaller messages, makes sections smaller. */
static int fit_lanes(struct put *p)
{
	int e = 0;

	if (p->lane[0].section.most <= p->sender.section)
		return 0;
	for (unsigned i = 0; i < p->lanes && !e; i++) {
		struct lane *lane = &p->lane[i];

		if (!section_is_empty(&lane->section))
			e = cut(p, lane);
		if (!e) {
			e = section_resize(&lane->section, p->sender.section);
			p->fault = lane->section.fault;
		}
		tell_shortened(p, lane);
	}
	state_fit(&p->state, p->sender.section);
	return e;
}

/* Cuts the last sections, even one without packets if something is missing that no later section
 * would say. */
static int cut_all(struct put *p)
{
	int e = 0;

	take_untold(p, &p->lane[0]);
	for (unsigned i = 0; i < p->lanes && !e; i++) {
		struct lane *lane = &p->lane[i];
		const struct label *l = &lane->section.label;

		if (!section_is_empty(&lane->section) || lane->lost_since || l->dropped ||
		    l->behind)
			e = cut(p, lane);
	}
	return e;
}

/* Is a heartbeat due? An empty section says that the capture goes on: for the first stream, and for
 * those that have had a section. */
static bool is_silent(const struct put *p, const struct lane *lane, uint64_t now)
{
	return p->o->heartbeat && lane->cut && now - lane->cut >= p->o->heartbeat * NS_PER_SEC &&
	       section_is_begun(&lane->section);
}

static int cut_due(struct put *p)
{
	uint64_t now = clock_monotonic();
	int e = 0;

	for (unsigned i = 0; i < p->lanes && !e; i++) {
		struct lane *lane = &p->lane[i];

		if (section_is_empty(&lane->section) ? is_silent(p, lane, now)
						     : now - lane->begun >= SECTION_NS)
			e = cut(p, lane);
	}
	return e;
}

/* Counts packets as lost before the section that is being filled, even if they were lost within
 * it. */
static void lose_before(struct lane *lane, uint64_t packets)
{
	lane->section.label.before += packets;
	lane->lost_since += packets;
}

static void lose_block(struct put *p, struct lane *lane, const struct pcapng_block *b)
{
	const struct label unsent = {.packets = pcapng_is_packet(b->type)};

	if (!p->told_too_long)
		note("%s: a block of %u bytes is too large for a section: it is lost, as others of this length will be",
		     p->name, b->length);
	p->told_too_long = true;
	if (unsent.packets) {
		sender_lose(&p->sender, &unsent, 0);
		trouble_knows(&p->sender.trouble, 1);
		lose_before(lane, 1);
	}
}

static void explain(const struct put *p, int e, const char *fault)
{
	complain("%s: %s", p->name, e == -EBADMSG ? fault : strerror(-e));
}

static int take_into(struct put *p, struct lane *lane, const struct pcapng_block *b)
{
	bool was_empty = section_is_empty(&lane->section);
	int e = section_take(&lane->section, b);

	if (e == 1) {
		e = cut(p, lane);
		was_empty = true;
		if (!e)
			e = section_take(&lane->section, b);
	}
	if (e == -EMSGSIZE) {
		lose_block(p, lane, b);
		e = 0;
	}
	if (e)
		explain(p, e, lane->section.fault);
	tell_shortened(p, lane);
	if (was_empty && !section_is_empty(&lane->section))
		lane->begun = clock_monotonic();
	return e;
}

/*
 * A block that is not a packet goes to all streams; what it says is missing counts for the first.
 * So does what an earlier run had read and lost: all of that was handed over before this run's
 * input began.
 */
static int take_block(struct put *p, const struct pcapng_block *b)
{
	struct lane *lane = &p->lane[0];
	struct missing m;
	int e = losses_note(&p->losses, b, &m);

	if (e) {
		complain("%s: %s", p->name, strerror(-e));
		return e;
	}
	if (!p->predecessor_told) {
		lose_before(lane, state_never_acknowledged(&p->state));
		state_find_vanished(&p->state);
	}
	p->predecessor_told = true;
	if (pcapng_is_packet(b->type)) {
		lane = &p->lane[flow_bucket(&p->flow, b, p->lanes)];
		e = take_into(p, lane, b);
		add_missing(lane, m.dropped, m.behind);
		p->packets += !e;
		return e;
	}
	flow_note(&p->flow, b);
	for (unsigned i = 0; i < p->lanes && !e; i++)
		e = take_into(p, &p->lane[i], b);
	add_missing(lane, m.dropped, m.behind);
	return e;
}

static int take_all(struct put *p)
{
	struct pcapng_block b;
	int n;

	while ((n = input_next(&p->input, &b)) == 1) {
		int e = take_block(p, &b);

		if (e)
			return e;
	}
	if (n < 0)
		explain(p, n, p->input.fault);
	return n;
}

/* How long may we sleep if no input comes? */
static int sleep_ms(const struct put *p)
{
	uint64_t now = clock_monotonic(), due = now + LOOK_MS * NS_PER_MS;

	for (unsigned i = 0; i < p->lanes; i++) {
		const struct lane *lane = &p->lane[i];

		if (!section_is_empty(&lane->section) && lane->begun + SECTION_NS < due)
			due = lane->begun + SECTION_NS;
	}
	return due > now ? (int)((due - now + NS_PER_MS - 1) / NS_PER_MS) : 0;
}

/* Returns 1: something was read; 0: nothing yet; -1: the end, or an error, which sets p->failed. */
static int read_some(struct put *p)
{
	struct pollfd fd = {.fd = p->input.fd, .events = POLLIN};
	int n = poll(&fd, 1, sleep_ms(p));

	if (n <= 0)
		return 0;
	n = input_fill(&p->input);
	if (n == -EINTR || n == -EAGAIN)
		return 0;
	if (n < 0)
		complain("%s: %s", p->name, strerror(-n));
	if (n > 0)
		n = take_all(p) < 0 ? -1 : 1;
	else if (n == 0)
		return -1;
	p->failed |= n < 0;
	return n;
}

/* After the first signal goes on for DRAIN_NS or until the input ends, because the program that
 * writes it may have got the signal too. */
static bool is_over(struct put *p)
{
	if (!signals_stop)
		return false;
	if (!p->stopped_at)
		p->stopped_at = clock_monotonic();
	return signals_stop > 1 || clock_monotonic() - p->stopped_at > DRAIN_NS;
}

static void tell_refusal(const struct put *p)
{
	/* A user who may write to no topic gets no producer id either. */
	if (rd_kafka_fatal_error(p->client.kafka, NULL, 0) ==
	    RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED)
		client_complain(&p->client, RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED);
	else if (p->client.is_fatal)
		complain("librdkafka has stopped sending: %s", p->client.trouble);
	else
		complain("topic %s has the brokers' time in place of the packets', so that nobody would find "
			 "them: kafka-configs.sh --alter --entity-type topics --entity-name %s --add-config "
			 "message.timestamp.type=CreateTime",
			 p->client.address.topic, p->client.address.topic);
}

static bool is_refused(struct put *p)
{
	if (!p->sender.is_append_time && (!p->client.is_fatal || p->sender.keeps))
		return false;
	if (!p->refusal_told)
		tell_refusal(p);
	p->refusal_told = p->failed = true;
	return true;
}

static int read_all(struct put *p)
{
	int n = 0, e = 0;

	while (!e && n >= 0 && !is_over(p) && !is_refused(p) && !p->is_of_others) {
		n = read_some(p);
		if (n >= 0)
			e = cut_due(p);
		attend(p, 0);
		if (!e)
			e = fit_lanes(p);
		if (p->o->stats_interval &&
		    clock_monotonic() - p->told >= p->o->stats_interval * NS_PER_SEC)
			tell_statistics(p, "statistics");
	}
	if (!e)
		e = cut_all(p);
	if (input_left(&p->input) && !p->failed)
		note("%s ends within a block: %zu bytes of it are left out", p->name,
		     input_left(&p->input));
	return e;
}

static int open_input(struct put *p)
{
	const char *file = p->o->rest[0];
	struct stat s;
	int fd = STDIN_FILENO;

	p->name = file ? file : "standard input";
	if (file && strcmp(file, "-") != 0)
		fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &s)) {
		complain("%s: %s", p->name, strerror(errno));
		return -1;
	}
	if (p->o->rest[0] && p->o->rest[1]) {
		complain("put reads one file, and '%s' is another", p->o->rest[1]);
		return -1;
	}
	if (isatty(fd)) {
		complain(
			"standard input is a terminal: xdpdump -i eth0 -w - | pcapng-kafka put ...");
		return -1;
	}
	p->drops = p->o->full == FULL_BY_INPUT ? !S_ISREG(s.st_mode) : p->o->full == FULL_DROP;
	fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE); /* enlarges a pipe, if allowed */
	input_init(&p->input, fd);
	return 0;
}

/* With a spool, brokers may come later. After a restart the earlier run has found the topic, and
 * packets wait already: do not look again. */
static int find_topic(struct put *p)
{
	rd_kafka_resp_err_t error;

	if (state_is_restart(&p->state))
		return 0;
	p->client.is_found = client_ask_topic(&p->client, &error) > 0;
	if (p->client.is_found)
		return 0;
	client_complain(&p->client, error);
	return p->o->spool && client_is_unreachable(error) ? 0 : -1;
}

/*
 * Makes sections small enough for the topic's messages. Several sections share a batch, whose size
 * is a setting: so this needs another producer.
 */
static int fit_sections(struct put *p)
{
	uint64_t message = p->client.is_found ? limit_ask(&p->client) : 0;
	uint64_t most = limit_section(message);

	if (!message || !sender_fits(&p->sender, most))
		return 0;
	state_fit(&p->state, p->sender.section);
	note("topic %s takes messages of %" PRIu64 " bytes at most, so sections have %" PRIu64,
	     p->client.address.topic, message, p->sender.section);
	return client_renew(&p->client);
}

static int open_topic(struct put *p)
{
	struct client *c = &p->client;

	c->is_verbose = p->o->verbose;
	if (address_parse(&c->address, p->o->address))
		return -1;
	c->conf = rd_kafka_conf_new();
	if (sender_init(&p->sender, c, p->o->queue, state_section(&p->state, p->o->section_size)) ||
	    (p->o->kafka_conf && client_read_conf(c, p->o->kafka_conf)) ||
	    client_create(c, RD_KAFKA_PRODUCER))
		return -1;
	settings_begin(&p->settings, c, p->o->kafka_conf);
	if (find_topic(p) || fit_sections(p))
		return -1;
	if (p->o->spool && claim(p, true))
		return -1;
	if (!p->o->no_index)
		indexer_open(&p->indexer, c, p->o->kafka_conf, state_is_restart(&p->state));
	return 0;
}

/* Counts packets as lost that were read and could not be cut. */
static void lose_uncut(struct put *p)
{
	for (unsigned i = 0; i < p->lanes; i++)
		if (!section_is_empty(&p->lane[i].section)) {
			sender_lose(&p->sender, &p->lane[i].section.label, 0);
			trouble_knows(&p->sender.trouble, p->lane[i].section.label.packets);
		}
}

static int finish(struct put *p, int e)
{
	bool at_once =
		signals_stop > 1 || p->is_of_others || (p->client.is_fatal && !p->sender.keeps);

	if (e)
		explain(p, e, p->fault && *p->fault ? p->fault : "it is broken");
	lose_uncut(p);
	sender_finish(&p->sender, at_once ? 0 : (int)p->o->end_wait * 1000);
	is_refused(p);
	state_tell(&p->state, &p->sender);
	if (!state_is_told_elsewhere(&p->state))
		tell_statistics(p, "end");
	indexer_close(&p->indexer, at_once ? 0 : INDEX_WAIT_MS);
	return e || p->failed || p->sender.lost.packets || p->sender.earlier_lost ||
			       p->sender.waiting || p->sender.is_refused || p->spool.is_damaged ||
			       (p->o->json && printed() != EXIT_SUCCESS)
		       ? EXIT_FAILURE
		       : EXIT_SUCCESS;
}

/* With --key flow the streams get numbers of their own for each --stream. */
static void open_lanes(struct put *p, struct label *label)
{
	uint64_t stream = label->stream;

	p->lanes = p->o->key == KEY_FLOW ? FLOW_LANES : 1;
	for (unsigned i = 0; i < p->lanes; i++) {
		label->stream = stream * p->lanes + i;
		section_init(&p->lane[i].section, label, p->sender.section);
	}
	p->lane[0].cut = clock_monotonic();
}

/*
 * Under xdpdump this process runs as nobody, as other programs do, and its exec made it dumpable:
 * they could look into it and take its descriptors.
 */
static void shut_out_others(const struct options *o)
{
#if !defined(__SANITIZE_ADDRESS__) /* otherwise its leak check could not look either */
	if (o->state_fd)
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#else
	(void)o;
#endif
}

int put_run(const struct options *o)
{
	struct put p = {.o = o, .told = clock_monotonic(), .spool = {.folder = -1, .written = -1}};
	int status = EXIT_FAILURE;
	struct label label;

	shut_out_others(o);
	p.sender.spool = &p.spool;
	p.sender.indexer = &p.indexer;
	p.sender.state = &p.state;
	mallopt(M_MMAP_THRESHOLD, REUSED_MEMORY);
	mallopt(M_TRIM_THRESHOLD, REUSED_MEMORY);
	if (state_open(&p.state, o->state_fd) == 0 && make_label(&label, o) == 0 &&
	    open_input(&p) == 0 && (!o->spool || spool_open(&p.spool, o->spool) == 0) &&
	    open_topic(&p) == 0) {
		open_lanes(&p, &label);
		signals_catch();
		state_begin(&p.state, &p.spool);
		p.losses.before = p.state.dropped;
		status = finish(&p, read_all(&p));
	}
	indexer_close(&p.indexer, 0);
	client_close(&p.client);
	claim_release(&p.spool);
	spool_close(&p.spool);
	for (unsigned i = 0; i < p.lanes; i++)
		section_free(&p.lane[i].section);
	losses_free(&p.losses);
	input_free(&p.input);
	return status;
}
