/* steep-others.c: records that mean nothing for text, and sections of the header as records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "steep.h"

#define TYPE_HEADER_FEATURE 80
#define FEATURE_HOSTNAME 3
#define FEATURE_EVENT_DESC 12
#define FEATURE_PMU_MAPPINGS 16
#define FEATURE_LAST 31
#define IDS 100u

/* Of all kinds that are passed over, or of which the last one holds. */
static void
other_records (SteepMaker *self, guint n)
{
  static const guint8 types[] = { 8, 12, 21, 65, 69, 70, 72, 73, 74, 75, 76, 77, 79, 82, 85, 86 };

  for (guint i = 0; i < n; i++) {
    guint64 body[10] = { 1, i, i, 1, 1, i, i };
    guint8 type = types[i % G_N_ELEMENTS (types)];

    steep_at (self, 7);
    pen_test_capture_add_raw (self->capture, type, 0, body, sizeof body, type < 64);
  }
}

static void
auxtraces (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    pen_test_capture_add_auxtrace (self->capture, 64);
    if (i % 8 == 0)
      steep_sample (self, KERNEL + 0x10);
  }
}

static void
put_32 (GByteArray *bytes, guint32 value)
{
  g_byte_array_append (bytes, (const guint8 *) &value, sizeof value);
}

static void
put_string (GByteArray *bytes, const char *format, guint i)
{
  char text[32] = { 0 };

  g_snprintf (text, sizeof text, format, i);
  put_32 (bytes, sizeof text);
  g_byte_array_append (bytes, (const guint8 *) text, sizeof text);
}

/* Each section again and again, as a pipe may have it. */
static void
header_features (SteepMaker *self, guint n)
{
  self->flags |= PEN_TEST_CAPTURE_PIPE;
  for (guint i = 0; i < n; i++) {
    g_autoptr (GByteArray) body = g_byte_array_new ();
    guint64 feature = FEATURE_HOSTNAME + i % (FEATURE_LAST - FEATURE_HOSTNAME);

    g_byte_array_append (body, (const guint8 *) &feature, sizeof feature);
    if (feature == FEATURE_PMU_MAPPINGS) {
      put_32 (body, 1);
      put_32 (body, i);
    }
    put_string (body, "text_%u", i);
    pen_test_capture_add_raw (self->capture, TYPE_HEADER_FEATURE, 0, body->data, body->len, FALSE);
    if (i % 8 == 0)
      steep_sample (self, KERNEL + 0x10);
  }
}

/* Names of an event, each with many ids that none has. */
static void
event_descriptions (SteepMaker *self, guint n)
{
  static const guint8 attr[128] = { 0 };

  self->flags |= PEN_TEST_CAPTURE_PIPE;
  for (guint i = 0; i < n; i += IDS) {
    g_autoptr (GByteArray) body = g_byte_array_new ();
    guint64 feature = FEATURE_EVENT_DESC;

    g_byte_array_append (body, (const guint8 *) &feature, sizeof feature);
    put_32 (body, 1);
    put_32 (body, sizeof attr);
    g_byte_array_append (body, attr, sizeof attr);
    put_32 (body, IDS);
    put_string (body, "event_%u", i);
    for (guint k = 0; k < IDS; k++) {
      guint64 id = G_MAXUINT64 - i - k;

      g_byte_array_append (body, (const guint8 *) &id, sizeof id);
    }
    pen_test_capture_add_raw (self->capture, TYPE_HEADER_FEATURE, 0, body->data, body->len, FALSE);
    steep_sample (self, KERNEL + 0x10);
  }
}

/* A function of a program for each line, and each line's names in the types. */
static void
bpf_lines (SteepMaker *self, guint n)
{
  static const guint8 image[64] = { 0x90 };
  static const guint8 tag[8] = { 1 };
  g_autofree guint64 *addresses = g_new (guint64, n + 1);
  g_autofree guint32 *lines = g_new0 (guint32, 4 * (gsize) n + 4);
  guint64 address = PROGRAM;
  guint32 length = sizeof image;
  PenTestBpfProgram program = {
    .id = 1,
    .name = "steep",
    .tag = tag,
    .btf_id = 1,
    .n = 1,
    .addresses = &address,
    .lengths = &length,
    .image = image,
    .image_length = sizeof image,
    .n_lines = n,
    .line_addresses = addresses,
    .lines = (const guint32 (*)[4]) lines,
  };

  for (guint i = 0; i < n; i++) {
    addresses[i] = PROGRAM + (n - i) % sizeof image;
    lines[4 * i] = i;
    lines[4 * i + 3] = i << 10;
  }
  pen_test_capture_add_bpf_details (self->capture, &program);
  steep_ksymbol (self, PROGRAM, sizeof image, FALSE, 1);
  steep_at (self, 7);
  pen_test_capture_add_bpf_event (self->capture, 1, 1, tag);
  for (guint i = 0; i < n / 8; i++)
    steep_sample (self, PROGRAM + i % sizeof image);
}

const SteepKind steep_others[] = {
  STEEP_KIND (other_records),      STEEP_KIND (auxtraces), STEEP_KIND (header_features),
  STEEP_KIND (event_descriptions), STEEP_KIND (bpf_lines), { 0 },
};
