/* pen-text-rings.h: what the kernel says about changes of its text, as it happens
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Events that the records of a ring belong to. */
typedef enum {
  PEN_TEXT_EVENT_CHANGES,     /* pokes, ksymbols, BPF, tasks: no samples */
  PEN_TEXT_EVENT_MODULE_LOAD, /* samples with the tracepoint's data; where tracefs may be read */
  PEN_TEXT_EVENT_MODULE_FREE,
  PEN_TEXT_EVENTS,
} PenTextEvent;

typedef enum {
  PEN_TEXT_RINGS_CHANGES, /* all of them */
  PEN_TEXT_RINGS_PATCHES, /* text pokes alone: perf records the rest */
} PenTextRingsKind;

/*
 * PenTextRings: an event on each CPU, without samples, that writes PERF_RECORD_TEXT_POKE, KSYMBOL,
 * BPF_EVENT, COMM, FORK and EXIT into a ring; samples of module:module_load and module_free, too.
 * Their trailer has task, time (CLOCK_MONOTONIC), CPU and identifier. Nothing else is sampled.
 */
typedef struct _PenTextRings PenTextRings;

/* @record: @size bytes with the header, valid until it returns */
typedef void (*PenTextRingFunc) (const guint8 *record, guint32 size, gpointer user_data);

/*
 * pen_text_rings_open:
 * @cpus: (element-type guint): on which the events are opened; one that went offline is left out
 *
 * Errors: G_IO_ERROR, PERMISSION_DENIED with a message that says what is needed.
 */
PenTextRings *pen_text_rings_open (const GArray *cpus, PenTextRingsKind kind, GError **error);
void pen_text_rings_free (PenTextRings *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTextRings, pen_text_rings_free)

/* Whether the kernel knows text pokes at all (Linux 5.9). */
gboolean pen_text_rings_has_pokes (PenTextRings *self);
gboolean pen_text_rings_has_event (PenTextRings *self, PenTextEvent event);
guint pen_text_rings_get_n_cpus (PenTextRings *self);
/* Can be read when the ring of that one of them has something. Returns: owned by @self */
int pen_text_rings_get_descriptor (PenTextRings *self, guint cpu);

/* Its struct perf_event_attr. @n: (out): bytes. Returns: owned by @self */
const guint8 *pen_text_rings_get_attr (PenTextRings *self, PenTextEvent event, gsize *n);
/* (element-type guint64): the kernel's identifiers of the event, one for each CPU */
const GArray *pen_text_rings_get_ids (PenTextRings *self, PenTextEvent event);
/* Appends the record of a stream that describes the event: PERF_RECORD_HEADER_ATTR of perf. */
void pen_text_rings_describe (PenTextRings *self, PenTextEvent event, GByteArray *to);
/* (nullable): the text of a tracepoint's file `format` */
const char *pen_text_rings_get_format (PenTextRings *self, PenTextEvent event);

/*
 * pen_text_rings_provoke:
 *
 * Opens an event of this task, and closes it. The first such event of a machine switches the
 * static key perf_sched_events on (account_event() in kernel/events/core.c), which is switched off
 * a second after the last is closed: a patch that a kernel which records patches shows, unless
 * another program has such an event open.
 */
void pen_text_rings_provoke (PenTextRings *self);

/* Waits until a ring has 16 KiB, or @milliseconds have passed, or @cancel can be read
 * (-1: none). */
void pen_text_rings_wait (PenTextRings *self, int milliseconds, int cancel);

/* Hands out all that is in the rings, CPU by CPU, each in the order in which it was written.
 * Returns: bytes that were given up because a ring was damaged */
gsize pen_text_rings_drain (PenTextRings *self, PenTextRingFunc func, gpointer user_data);

G_END_DECLS
