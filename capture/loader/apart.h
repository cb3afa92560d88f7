/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A filter that is to be there when the programs are attached reaches the loader while that still
 * has all of its privilege. So a separate process translates it, which has no capability, and whose
 * seccomp filter allows it only memory and one socket. The kernel's verifier checks what comes
 * back.
 */
#pragma once

#include "capture/attach/program/image.h"

/*
 * image_build() in such a process, with a limit. -ETIMEDOUT: it did not answer within four seconds
 * or the limit, or the process could not be started; err says so.
 */
image_builder apart_build;
