/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What Wireshark's library finds in a capture file: a line for each interface, "interface N NAME",
 * and for each packet "packet INTERFACE LENGTH flags=N queue=N id=N dropped=N verdict=N", with -
 * for what is not there. Status 1: it does not take the file.
 */
#include <glib.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <ws_version.h>
#include <wiretap/wtap.h>
#include <wsutil/wslog.h>

static void print_uint32(const char *name, wtap_block_t block, guint option)
{
	guint32 value;

	if (wtap_block_get_uint32_option_value(block, option, &value) == WTAP_OPTTYPE_SUCCESS)
		printf(" %s=%" PRIu32, name, value);
	else
		printf(" %s=-", name);
}

static void print_uint64(const char *name, wtap_block_t block, guint option)
{
	guint64 value;

	if (wtap_block_get_uint64_option_value(block, option, &value) == WTAP_OPTTYPE_SUCCESS)
		printf(" %s=%" PRIu64, name, value);
	else
		printf(" %s=-", name);
}

/* gboolean in version 4.0, bool in 4.4. */
typedef __typeof__(((wtap_block_foreach_func)NULL)(NULL, 0, (wtap_opttype_e)0, NULL, NULL)) answer;

/* By its own call for this option version 4.0 finds none; Wireshark itself walks them, too. */
static answer find_verdict(wtap_block_t block, guint id, wtap_opttype_e type, wtap_optval_t *value,
			   void *verdict)
{
	(void)block;
	(void)type;
	if (id == OPT_PKT_VERDICT)
		*(packet_verdict_opt_t **)verdict = &value->packet_verdictval;
	return TRUE;
}

static void print_verdict(wtap_block_t block)
{
	packet_verdict_opt_t *v = NULL;

	wtap_block_foreach_option(block, find_verdict, &v);
	if (v && v->type == packet_verdict_linux_ebpf_xdp)
		printf(" verdict=%" PRIu64 "\n", v->data.verdict_linux_ebpf_xdp);
	else
		puts(" verdict=-");
}

static void print_packet(const wtap_rec *r)
{
	printf("packet %u %u", r->rec_header.packet_header.interface_id,
	       r->rec_header.packet_header.len);
	print_uint32("flags", r->block, OPT_PKT_FLAGS);
	print_uint32("queue", r->block, OPT_PKT_QUEUE);
	print_uint64("id", r->block, OPT_PKT_PACKETID);
	print_uint64("dropped", r->block, OPT_PKT_DROPCOUNT);
	print_verdict(r->block);
}

static void print_interfaces(wtap *w, unsigned *n)
{
	wtap_block_t block;
	char *name;

	while ((block = wtap_get_next_interface_description(w))) {
		if (wtap_block_get_string_option_value(block, OPT_IDB_NAME, &name) !=
		    WTAP_OPTTYPE_SUCCESS)
			name = "-";
		printf("interface %u %s\n", (*n)++, name);
	}
}

/* From version 4.6 on the packet's bytes are in the record. */
#if WIRESHARK_VERSION_MAJOR > 4 || (WIRESHARK_VERSION_MAJOR == 4 && WIRESHARK_VERSION_MINOR >= 6)
#define BYTES_IN_RECORD
#endif

static void begin(wtap_rec *record, Buffer *buffer)
{
#ifdef BYTES_IN_RECORD
	(void)buffer;
	ws_log_init(NULL);
	wtap_rec_init(record, 1514);
#else
	ws_log_init("wiretap", NULL);
	wtap_rec_init(record);
	ws_buffer_init(buffer, 1514);
#endif
	wtap_init(FALSE);
}

static bool next(wtap *w, wtap_rec *record, Buffer *buffer, int *error, gchar **info)
{
	gint64 offset;

#ifdef BYTES_IN_RECORD
	(void)buffer;
	return wtap_read(w, record, error, info, &offset);
#else
	return wtap_read(w, record, buffer, error, info, &offset);
#endif
}

static void end(wtap_rec *record, Buffer *buffer)
{
	wtap_rec_cleanup(record);
#ifdef BYTES_IN_RECORD
	(void)buffer;
#else
	ws_buffer_free(buffer);
#endif
	wtap_cleanup();
}

int main(int argc, char **argv)
{
	int error = 0;
	gchar *info = NULL;
	unsigned interfaces = 0;
	wtap_rec record;
	Buffer buffer;
	wtap *w;

	if (argc != 2)
		return 2;
	begin(&record, &buffer);
	w = wtap_open_offline(argv[1], WTAP_TYPE_AUTO, &error, &info, FALSE);
	while (w && next(w, &record, &buffer, &error, &info)) {
		print_interfaces(w, &interfaces);
		if (record.rec_type == REC_TYPE_PACKET)
			print_packet(&record);
	}
	if (error)
		fprintf(stderr, "%s: %s\n", wtap_strerror(error), info ? info : "");
	if (w)
		wtap_close(w);
	g_free(info);
	end(&record, &buffer);
	return w && !error ? EXIT_SUCCESS : EXIT_FAILURE;
}
