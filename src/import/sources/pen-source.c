/* pen-source.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-source.h"

#include <string.h>

#include "pen-found-file.h"

PenSource *
pen_source_new (const char *what, const char *found, const char *path, PenEvidence evidence)
{
  PenSource *self = g_new0 (PenSource, 1);

  self->what = what;
  self->found = found;
  self->path = g_strdup (path);
  self->evidence = evidence;
  return self;
}

static void
forget (PenSource *self)
{
  g_clear_pointer (&self->modules, g_array_unref);
  g_clear_pointer (&self->sites, pen_text_sites_free);
  g_clear_pointer (&self->file, pen_kernel_file_free);
  g_clear_pointer (&self->dated, pen_dated_kcore_free);
  g_clear_pointer (&self->kcore, pen_kcore_free);
  /* The thread that packs names reads this of all sources, which have one or none by then. */
  if (self->kallsyms)
    g_clear_pointer (&self->kallsyms, pen_kallsyms_free);
}

void
pen_source_free (PenSource *self)
{
  forget (self);
  g_free (self->path);
  g_free (self->occupant);
  g_free (self->refused);
  g_free (self);
}

void
pen_source_refuse (PenSource *self, char *reason)
{
  forget (self);
  g_free (self->refused);
  self->refused = reason;
}

gboolean
pen_source_is_of_stay (const PenSource *self, const PenTenure *tenure)
{
  const PenMoment then = { self->time, 0 };

  if (tenure->kind != PEN_KIND_MODULE)
    return TRUE;
  switch (self->date) {
  case PEN_SNAPSHOT_START:
    return tenure->from.time == 0;
  case PEN_SNAPSHOT_UNDATED:
    return tenure->to.time == G_MAXUINT64 || tenure->evidence != PEN_EVIDENCE_RECORDED;
  case PEN_SNAPSHOT_TIME:
  case PEN_SNAPSHOT_END:
  case PEN_SNAPSHOT_PORTION:
  default:
    return pen_moment_compare (tenure->from, (PenMoment){ then.time, G_MAXUINT64 }) <= 0
           && pen_moment_compare (then, tenure->to) <= 0;
  }
}

static char *
describe_gifts (guint gives)
{
  static const struct {
    PenSourceGift gift;
    const char *word;
  } gifts[] = {
    { PEN_SOURCE_NAMES, "names" },     { PEN_SOURCE_BYTES, "bytes" }, { PEN_SOURCE_SITES, "sites" },
    { PEN_SOURCE_MODULES, "modules" }, { PEN_SOURCE_LINES, "lines" },
  };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (gifts); i++)
    if ((gives & gifts[i].gift) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", gifts[i].word);
  return g_string_free (text, FALSE);
}

gboolean
pen_source_write (const PenSource *self, guint32 id, PenStoreWriter *writer, GError **error)
{
  g_autofree char *gives = describe_gifts (self->gives);
  PenStoreSource row = {
    .id = id,
    .what = self->what,
    .occupant = self->occupant,
    .path = self->path,
    .found = self->found,
    .evidence = !self->refused ? self->evidence : PEN_EVIDENCE_UNKNOWN,
    .moved = self->moved,
    .gives = gives,
    .refused = self->refused,
  };
  const guint8 *build_id;

  if (self->file) {
    build_id = pen_kernel_file_get_build_id (self->file, &row.build_id_length);
    if (build_id)
      memcpy (row.build_id, build_id, row.build_id_length);
  }
  return pen_store_writer_add_source (writer, &row, error)
         && (self->is_given || self->is_captured
             || pen_found_file_write (self->path, writer, error));
}
