/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A filter that is to be in before the attach comes while the loader has all of its privilege. So a
 * process apart translates it: it has no capability, and memory and one socket by seccomp. What
 * comes back, the kernel's verifier checks.
 */
#pragma once

#include "capture/attach/program/image.h"

/*
 * image_build(), and apart, with a limit. -ETIMEDOUT: it did not answer within four seconds or the
 * limit, or there is no such process to be had; err says so.
 */
image_builder apart_build;
