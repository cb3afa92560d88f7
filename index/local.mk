# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Indexes of files; what writes and what reads them has these sources.
index_sources = \
	index/build.c index/build.h \
	index/format.c index/format.h \
	index/keys.c index/keys.h
# What an expression asks of them.
condition_sources = index/condition.c index/condition.h index/expression.c index/expression.h
