/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * To be preloaded: an interface's driver refuses XDP programs, and says of itself what real ones
 * say. FAKE_XDP=ERRNO is what BPF_LINK_CREATE returns for the XDP hook. All else is the kernel's.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

long syscall(long number, ...)
{
	static typeof(syscall) *real;
	const char *refusal = getenv("FAKE_XDP");
	long w[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		w[i] = va_arg(args, long);
	va_end(args);
	if (refusal && number == SYS_bpf && w[0] == BPF_LINK_CREATE) {
		const union bpf_attr *attr = (const void *)w[1];

		if (attr->link_create.attach_type == BPF_XDP) {
			errno = atoi(refusal);
			return -1;
		}
	}
	if (!real)
		real = (typeof(syscall) *)dlsym(RTLD_NEXT, "syscall");
	return real(number, w[0], w[1], w[2], w[3], w[4], w[5]);
}
