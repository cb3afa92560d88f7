/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pcapng/format.h"
#include "xdpdump/os/complain.h"
#include "source.h"
#include "source_parts.h"

enum expression_link source_link(const struct source *s)
{
	if (s->members && !s->drops)
		return LINK_COOKED;
	return s->raw_ip ? LINK_RAW_IP : LINK_ETHERNET;
}

uint16_t source_link_type(const struct source *s)
{
	static const uint16_t types[] = {LINKTYPE_ETHERNET, LINKTYPE_RAW, LINKTYPE_LINUX_SLL2};

	return types[source_link(s)];
}

const char *source_link_name(const struct source *s)
{
	static const char *const names[] = {"Ethernet", "raw IP", "LINUX_SLL2"};

	return names[source_link(s)];
}

const char *source_place(const struct source *s)
{
	return s->drops ? "drop" : s->at_exit ? "exit" : "entry";
}

const char *source_nic_time(const struct source *s)
{
	if (!afxdp_has_nic_time(s->capture))
		return "";
	return afxdp_options_have(s->options, "nic-synced", "on")
		       ? ", time stamps of the interface (adapter)"
		       : ", time stamps of the interface (adapter_unsynced)";
}

/* Describe in words where frames are captured; the first words are those of xdp-tools. */
void source_find_place(struct source *s)
{
	const char *hooks = afxdp_hooks(s->capture), *to = afxdp_diverted_to(s->capture);
	const char *behind = strstr(hooks, "packet") ? "packet socket" : "tc hook";
	char *received = s->place[AFXDP_RECEIVED], *sent = s->place[AFXDP_SENT];
	const size_t size = sizeof(s->place[0]);
	char at[PROGRAM_FUNCTION_SIZE + 64];
	struct xdp_program p;

	if (s->drops) {
		snprintf(received, size, "dropped by the host's stack");
		if (!s->members) /* one block of the file is for both sides */
			snprintf(sent, size, "dropped by the host's stack, on the way out");
		return;
	}
	if (s->members) { /* likewise */
		snprintf(received, size, "%s packet socket",
			 s->no_side[AFXDP_SENT]	      ? "ingress"
			 : s->no_side[AFXDP_RECEIVED] ? "egress"
						      : "ingress and egress");
		return;
	}
	snprintf(at, sizeof(at), "%s", strncmp(hooks, "tc", 2) == 0 ? "tc hook" : behind);
	if (s->program) {
		snprintf(at, sizeof(at), "XDP program ID %u func %s", s->program, s->function);
	} else if (strncmp(hooks, "xdp", 3) == 0) {
		interface_program(s->ifname, &p);
		snprintf(at, sizeof(at), "XDP program ID %u%s%s", p.id,
			 p.function[0] ? " func " : "",
			 p.function); /* without privileges it is "" */
	}
	if (!s->no_side[AFXDP_RECEIVED])
		snprintf(received, size, "ingress %s%s%s%s", at, to ? " to " : "", to ? to : "",
			 source_nic_time(s));
	if (!s->no_side[AFXDP_SENT])
		snprintf(sent, size, "egress %s", behind);
}

void source_name(const struct source *s, char *text, size_t size)
{
	snprintf(text, size, "%s%s%s%s%s%s%s", s->netns ? s->netns : "", s->netns ? "/" : "",
		 source_interface(s),
		 s->drops     ? ":drops"
		 : s->program ? ":"
			      : "",
		 s->function, s->program ? "()@f" : "", s->program ? source_place(s) : "");
}

void source_describe(const struct source *s, enum afxdp_side side, char *text, size_t size)
{
	const char *received = side == AFXDP_SENT ? "" : s->place[AFXDP_RECEIVED];
	const char *sent = side == AFXDP_RECEIVED ? "" : s->place[AFXDP_SENT];

	snprintf(text, size, "%s%s%s%s%s%s%s", s->netns ? "network namespace" : "",
		 s->many_spaces ? "s "
		 : s->netns	? " "
				: "",
		 s->netns ? s->netns : "", s->netns ? ", " : "", received,
		 received[0] && sent[0] ? ", " : "", sent);
}

void source_explain(const struct source *s, int e, bool goes_on)
{
	const char *name = source_interface(s);
	const char *more = goes_on ? ": the capture goes on without it" : "";

	if (e == -ENODEV)
		complain("%s has disappeared%s", name, more);
	else if (e == -ENONET && s->netns_id.process)
		complain("process %s has ended, whose network namespace %s is in%s", s->netns, name,
			 more);
	else if (e == -ENONET)
		complain("%s has disappeared with network namespace %s, which was deleted%s", name,
			 s->netns, more);
	else if (e == -ENOLINK && s->program)
		complain("the XDP program of %s was detached or replaced%s", name, more);
	else if (e == -EBADMSG)
		complain("ring corrupted: something in this process has written into the memory that packets of %s are in, so nothing more is read from it; check the machine's memory, and report it%s",
			 name, more);
	else if (e == -ENOLINK)
		complain("another program has detached the capture from %s%s", name, more);
	else if (e == -EOWNERDEAD && s->many_spaces)
		complain("the process that keeps the sockets in network namespaces %s has ended%s",
			 s->netns, more);
	else if (e == -EOWNERDEAD)
		complain("the loader process has ended, and with it what it kept for the capture of %s%s",
			 name, more);
	else
		complain("waiting for packets of %s: %s%s", name, strerror(-e), more);
}
