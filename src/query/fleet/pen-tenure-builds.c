/* pen-tenure-builds.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-tenure-builds.h"

#include <string.h>

#include "pen-store-occupants.h"
#include "pen-store-programs.h"
#include "pen-store-sources.h"
#include "pen-table-hash.h"

#define TAG_PREFIX "bpf_prog_"
#define TAG_DIGITS 16u

/*
 * @recorded: name → build-id that the recorder wrote for it; "": several
 * @tags: id of a program → its tag
 * @kernel: build of the core kernel
 */
typedef struct {
  PenQuery *query;
  PenNames *names;
  GArray *builds;
  GHashTable *recorded;
  GHashTable *tags;
  const char *release;
  const char *kernel;
} Loading;

static void
loading_clear (Loading *self)
{
  g_clear_pointer (&self->builds, g_array_unref);
  g_clear_pointer (&self->recorded, g_hash_table_unref);
  g_clear_pointer (&self->tags, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Loading, loading_clear)

static const char *
add_hex (Loading *self, const guint8 *bytes, gsize n)
{
  g_autoptr (GString) hex = g_string_new (NULL);

  for (gsize i = 0; i < n; i++)
    g_string_append_printf (hex, "%02x", bytes[i]);
  return pen_names_add (self->names, hex->str);
}

static gboolean
load_recorded (Loading *self, GError **error)
{
  g_autoptr (GArray) ids = pen_store_load_build_ids (self->query->store, error);

  if (!ids)
    return FALSE;
  for (guint i = 0; i < ids->len; i++) {
    const PenStoredBuildId *id = &g_array_index (ids, PenStoredBuildId, i);
    const char *build = add_hex (self, id->id, id->id_length);
    const char *known = g_hash_table_lookup (self->recorded, id->name);

    /* Interned: equal ones are one. */
    if (known && known != build)
      build = pen_names_add (self->names, "");
    g_hash_table_insert (self->recorded, (gpointer) pen_names_add (self->names, id->name),
                         (gpointer) build);
  }
  return TRUE;
}

static gboolean
load_tags (Loading *self, GError **error)
{
  g_autoptr (GArray) programs = pen_store_load_bpf_programs (self->query->store, error);

  for (guint i = 0; programs && i < programs->len; i++) {
    const PenStoredBpfProgram *program = &g_array_index (programs, PenStoredBpfProgram, i);

    g_hash_table_insert (self->tags, GUINT_TO_POINTER (program->id),
                         (gpointer) add_hex (self, program->tag, sizeof program->tag));
  }
  return programs != NULL;
}

/* A program that the recording does not describe has the tag of its BPF_EVENT, or that in its name:
 * "bpf_prog_8a80def6a098fcba_raw_a". */
static const char *
get_tag (Loading *self, const PenTenure *tenure)
{
  const char *tag = g_hash_table_lookup (self->tags, GUINT_TO_POINTER (tenure->bpf_id));
  g_autofree char *digits = NULL;

  if (tenure->bpf_id != 0)
    return tag ? tag : add_hex (self, tenure->bpf_tag, sizeof tenure->bpf_tag);
  if (!g_str_has_prefix (tenure->occupant, TAG_PREFIX))
    return "";
  digits = g_strndup (tenure->occupant + strlen (TAG_PREFIX), TAG_DIGITS);
  return strspn (digits, "0123456789abcdef") == TAG_DIGITS ? pen_names_add (self->names, digits)
                                                           : "";
}

static const char *
find_recorded (const Loading *self, const PenTenure *tenure)
{
  const char *build = g_hash_table_lookup (self->recorded, tenure->name);

  if (!build)
    build = g_hash_table_lookup (self->recorded, tenure->occupant);
  return build ? build : "";
}

static const char *
get_build (Loading *self, const PenTenure *tenure)
{
  const char *build;

  if (tenure->kind == PEN_KIND_BPF)
    return get_tag (self, tenure);
  build = tenure->build_id_length > 0 ? add_hex (self, tenure->build_id, tenure->build_id_length)
                                      : find_recorded (self, tenure);
  if (*build == '\0' && (tenure->kind == PEN_KIND_KERNEL || tenure->kind == PEN_KIND_MODULE))
    build = self->release;
  if (tenure->kind == PEN_KIND_KERNEL && *self->kernel == '\0')
    self->kernel = build;
  return build;
}

static gboolean
add_tenure (const PenTenure *tenure, gpointer user_data)
{
  Loading *self = user_data;
  const PenTenureBuild build = { .from = tenure->from.time,
                                 .to = tenure->to.time,
                                 .start = tenure->start,
                                 .file_offset = tenure->file_offset,
                                 .build = pen_names_add (self->names, get_build (self, tenure)),
                                 .kind = tenure->kind };

  if (tenure->id >= self->builds->len)
    g_array_set_size (self->builds, tenure->id + 1);
  g_array_index (self->builds, PenTenureBuild, tenure->id) = build;
  return TRUE;
}

/* Stubs are the kernel's, and so is text that pokes alone tell of. */
static void
finish (Loading *self)
{
  const char *none = pen_names_add (self->names, "");
  const char *kernel = pen_names_add (self->names, self->kernel);

  for (guint i = 0; i < self->builds->len; i++) {
    PenTenureBuild *build = &g_array_index (self->builds, PenTenureBuild, i);

    if (!build->build)
      build->build = none;
    if (build->kind == PEN_KIND_STUB)
      build->build = kernel;
  }
}

GArray *
pen_tenure_builds_load (PenQuery *query, PenNames *names, GError **error)
{
  const char *release = pen_store_get_fact (query->store, "osrelease");
  g_auto (Loading) self = { .query = query, .names = names, .kernel = "" };

  self.release = release ? release : "";
  self.builds = g_array_new (FALSE, TRUE, sizeof (PenTenureBuild));
  self.recorded = g_hash_table_new (pen_str_hash, g_str_equal);
  self.tags = g_hash_table_new (pen_direct_hash, NULL);
  g_array_set_size (self.builds, 1);
  if (!load_recorded (&self, error) || !load_tags (&self, error)
      || !pen_store_foreach_tenure (query->store, TRUE, add_tenure, &self, error))
    return NULL;
  finish (&self);
  return g_steal_pointer (&self.builds);
}
