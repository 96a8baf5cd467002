/* pen-witness-record.h: the record that the witness emits: the bytes at a sampled address
 *
 * It is the raw data of a bpf-output sample, 88 bytes in the byte order of the machine. The program
 * in the kernel (witness.bpf.c) is compiled with this header, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <linux/types.h>

#define PEN_WITNESS_MAGIC 0x54495750u /* "PWIT" */
#define PEN_WITNESS_VERSION 1

/* Windows begin at multiples of the grain. */
#define PEN_WITNESS_GRAIN 32
#define PEN_WITNESS_BYTES 64

#define PEN_WITNESS_USER (1u << 0)       /* an address of user space */
#define PEN_WITNESS_FIRST (1u << 1)      /* the window had not been seen; else its bytes changed */
#define PEN_WITNESS_UNREADABLE (1u << 2) /* @length is 0 */

/*
 * PenWitnessRecord:
 * @length: bytes that could be read: 64, 32 or 0
 * @start: address of @bytes
 * @address: the sampled one
 */
typedef struct {
  __u32 magic;
  __u8 version;
  __u8 length;
  __u16 flags;
  __u64 start;
  __u64 address;
  __u8 bytes[PEN_WITNESS_BYTES];
} PenWitnessRecord;

/* Each run of the program counts under RUNS, and under one of SAME, FIRSTS, CHANGES, LOST and
 * SKIPPED; the others are those with nothing readable, and with a breakpoint at the sampled
 * address. */
typedef enum {
  PEN_WITNESS_RUNS,
  PEN_WITNESS_SAME,    /* no record: the bytes of the last one for this window */
  PEN_WITNESS_FIRSTS,  /* a record of a window not seen before, or forgotten */
  PEN_WITNESS_CHANGES, /* a record of other bytes than before */
  PEN_WITNESS_LOST,    /* a record for which there was no room */
  PEN_WITNESS_SKIPPED, /* user space, which was not asked for */
  PEN_WITNESS_NO_KERNEL,
  PEN_WITNESS_NO_USER,
  PEN_WITNESS_BREAKPOINTS,
  PEN_WITNESS_TIMED, /* runs whose time was taken */
  PEN_WITNESS_TIME,  /* of these, ns */
  PEN_WITNESS_COUNTERS,
} PenWitnessCounter;
