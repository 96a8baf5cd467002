/* steep-events.c: what a capture in pipe form says of its events and programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "steep.h"

#define TYPE_DEFERRED 22
#define TYPE_HEADER_ATTR 64
#define TYPE_BUILD_ID 67
#define TYPE_EVENT_UPDATE 78
#define TYPE_BPF_METADATA 84
#define CONTEXT_KERNEL ((guint64) -128)
#define CONTEXT_USER ((guint64) -512)
#define CONTEXT_USER_DEFERRED ((guint64) -640)
/* A record's size has 16 bits. */
#define IDS 8000u

/* struct perf_event_attr, and ids. */
typedef struct {
  guint32 type;
  guint32 size;
  guint64 config;
  guint64 period;
  guint64 sample_type;
  guint64 read_format;
  guint64 flags;
  guint8 rest[80];
  guint64 ids[IDS];
} Attr;

static void
add_attr (SteepMaker *self, guint number, guint n_ids)
{
  Attr attr = {
    .type = PEN_TEST_EVENT_CLOCK.type,
    .size = 128,
    .config = number,
    .period = 1,
    .sample_type = PEN_TEST_EVENT_CLOCK.sample_type,
    .flags = PEN_TEST_EVENT_CLOCK.flags,
  };

  /* The last ones first. */
  for (guint i = 0; i < n_ids; i++)
    attr.ids[i] = G_MAXUINT64 - IDS * (guint64) number - i;
  pen_test_capture_add_raw (self->capture, TYPE_HEADER_ATTR, 0, &attr,
                            G_STRUCT_OFFSET (Attr, ids) + n_ids * sizeof *attr.ids, FALSE);
}

static void
attrs (SteepMaker *self, guint n)
{
  self->flags |= PEN_TEST_CAPTURE_PIPE;
  for (guint i = 0; i < n; i++) {
    add_attr (self, i, 1);
    if (i % 4 == 0)
      steep_sample (self, KERNEL + 0x10);
  }
}

static void
attrs_with_ids (SteepMaker *self, guint n)
{
  self->flags |= PEN_TEST_CAPTURE_PIPE;
  for (guint i = 0; i < n; i += 100) {
    add_attr (self, i, MIN (n - i, 100));
    steep_sample (self, KERNEL + 0x10);
  }
}

/* Each event has a new name, again and again. */
static void
event_updates (SteepMaker *self, guint n)
{
  self->flags |= PEN_TEST_CAPTURE_PIPE;
  for (guint i = 0; i < n; i++) {
    struct {
      guint64 kind;
      guint64 id;
      char name[48];
    } update = { .kind = 2, .id = pen_test_capture_get_id (i % 4, i / 4 % PEN_TEST_CPUS) };

    g_snprintf (update.name, sizeof update.name, "event_%u", i);
    pen_test_capture_add_raw (self->capture, TYPE_EVENT_UPDATE, 0, &update, sizeof update, FALSE);
    if (i % 8 == 0)
      steep_sample (self, KERNEL + 0x10);
  }
}

static void
build_id_records (SteepMaker *self, guint n)
{
  self->flags |= PEN_TEST_CAPTURE_PIPE;
  for (guint i = 0; i < n; i++) {
    struct {
      gint32 pid;
      guint8 id[24];
      char name[20];
    } body = { .pid = 7 };

    memcpy (body.id, &i, sizeof i);
    g_snprintf (body.name, sizeof body.name, "/nowhere/%u", i);
    pen_test_capture_add_raw (self->capture, TYPE_BUILD_ID, PEN_TEST_USER, &body, sizeof body,
                              FALSE);
  }
}

static void
bpf_metadata (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    struct {
      char program[512];
      guint64 n;
      char key[64];
      char value[256];
    } body = { .n = 1, .key = "key", .value = "value" };

    g_snprintf (body.program, sizeof body.program, "bpf_prog_%016x_p", i / 2);
    g_snprintf (body.key, sizeof body.key, "key_%u", i);
    pen_test_capture_add_raw (self->capture, TYPE_BPF_METADATA, 0, &body, sizeof body, FALSE);
  }
}

/* All records are within compressed ones, and among them every kind that means something. */
static void
compressed (SteepMaker *self, guint n)
{
  self->flags |= PEN_TEST_CAPTURE_ZSTD;
  for (guint i = 0; i < n; i++) {
    if (i % 2 == 0)
      steep_sample (self, KERNEL + i);
    else
      steep_map (self, 7, MEMORY + 2 * PAGE * (guint64) i, PAGE, i);
  }
}

/* Chains that wait for what comes last, the first one for what comes at the very end. */
static void
deferred_chains (SteepMaker *self, guint n)
{
  steep_map (self, 7, MEMORY, 16 * PAGE, 0);
  for (guint i = 0; i < n / 2; i++) {
    const guint64 chain[] = { CONTEXT_KERNEL, KERNEL + 0x10, CONTEXT_USER_DEFERRED, i + 1 };

    pen_test_capture_from (self->capture, 2);
    steep_at (self, 7);
    pen_test_capture_add_sample_with_callchain (self->capture, PEN_TEST_KERNEL, KERNEL + 0x10, 1,
                                                chain, G_N_ELEMENTS (chain));
  }
  for (guint i = 0; i < n / 2; i++) {
    const guint64 body[] = { n / 2 - i, 2, CONTEXT_USER, MEMORY + i };

    pen_test_capture_from (self->capture, 2);
    steep_at (self, 7);
    pen_test_capture_add_raw (self->capture, TYPE_DEFERRED, PEN_TEST_USER, body, sizeof body, TRUE);
  }
}

const SteepKind steep_events[] = {
  STEEP_KIND (attrs),           STEEP_KIND (attrs_with_ids),
  STEEP_KIND (event_updates),   STEEP_KIND (build_id_records),
  STEEP_KIND (bpf_metadata),    STEEP_KIND (compressed),
  STEEP_KIND (deferred_chains), { 0 },
};
