/* SPDX-License-Identifier: BSD-3-Clause */
/* Standard error, which complaints share with the live line. */
#ifndef XDPDUMP_COMPLAIN_H
#define XDPDUMP_COMPLAIN_H

/* One sentence, after "xdpdump: ". */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A line was printed without its end, to be printed over. */
void live_line_stands(void);
/* Take it away, if there is one. */
void live_line_clear(void);

#endif
