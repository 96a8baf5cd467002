/* steep-features.c: lists of the capture's header
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "steep.h"

#define FEATURE_PMU_MAPPINGS 16
#define FEATURE_GROUP_DESC 17
#define FEATURE_CACHE 20

static void
build_ids (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("/nowhere/%u", i % 2 ? i : 0);
    guint8 id[20] = { 0 };

    memcpy (id, &i, sizeof i);
    pen_test_capture_add_build_id (self->capture, 7, PEN_TEST_USER, id, sizeof id, name);
  }
  for (guint i = 0; i < n / 4; i++)
    steep_map (self, 7, MEMORY + 2 * PAGE * (guint64) i, PAGE, i);
}

static void
command_line (SteepMaker *self, guint n)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (words, g_strdup_printf ("--option=%u", i));
  g_ptr_array_add (words, NULL);
  pen_test_capture_set_command_line (self->capture, (const char *const *) words->pdata);
}

static void
put_word (GByteArray *bytes, guint32 word)
{
  g_byte_array_append (bytes, (const guint8 *) &word, sizeof word);
}

/* A length, the text, and zeros up to it. */
static void
put_text (GByteArray *bytes, const char *format, guint i)
{
  char text[64] = { 0 };

  g_snprintf (text, sizeof text, format, i);
  put_word (bytes, sizeof text);
  g_byte_array_append (bytes, (const guint8 *) text, sizeof text);
}

/* Lists of the header that have as many entries as they like, up to what is read of each. */
static void
all_features (SteepMaker *self, guint n)
{
  g_autoptr (GByteArray) pmus = g_byte_array_new ();
  g_autoptr (GByteArray) groups = g_byte_array_new ();
  g_autoptr (GByteArray) caches = g_byte_array_new ();

  put_word (pmus, MIN (n, 4096));
  for (guint i = 0; i < MIN (n, 4096); i++) {
    put_word (pmus, i);
    put_text (pmus, "pmu_%u", i);
  }
  put_word (groups, MIN (n, 32768));
  for (guint i = 0; i < MIN (n, 32768); i++) {
    put_text (groups, "group_%u", i);
    put_word (groups, i % 3);
    put_word (groups, i);
  }
  put_word (caches, 1);
  put_word (caches, MIN (n, 65536));
  for (guint i = 0; i < MIN (n, 65536); i++) {
    for (guint k = 0; k < 4; k++)
      put_word (caches, i % 4);
    put_text (caches, "Data", i);
    put_text (caches, "%uK", i);
    put_text (caches, "%u", i);
  }
  pen_test_capture_set_raw_feature (self->capture, FEATURE_PMU_MAPPINGS, pmus->data, pmus->len);
  pen_test_capture_set_raw_feature (self->capture, FEATURE_GROUP_DESC, groups->data, groups->len);
  pen_test_capture_set_raw_feature (self->capture, FEATURE_CACHE, caches->data, caches->len);
}

static void
btfs (SteepMaker *self, guint n)
{
  static const guint8 data[64] = { 0x9f, 0xeb, 1 };

  for (guint i = 0; i < n; i++)
    pen_test_capture_add_btf (self->capture, i, data, sizeof data);
}

const SteepKind steep_features[] = {
  STEEP_KIND (build_ids),
  STEEP_KIND (command_line),
  STEEP_KIND (all_features),
  STEEP_KIND (btfs),
  { 0 },
};
