/* pen-jit-pass.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-jit-pass.h"

#include <string.h>
#include <time.h>

#include "pen-file-roots.h"
#include "pen-found-file.h"
#include "pen-jit-dump.h"
#include "pen-reason.h"
#include "pen-table-hash.h"

#define MAX_CODE (1u << 20)
#define MAX_BYTES (64u << 20)

struct _PenJitPass {
  char **roots;
  gboolean has_symfs;
  char *directory; /* of the capture */
  PenLoadedSources *sources;
  PenHistory *history;
  GCancellable *cancellable;
  gboolean has_clock; /* the capture's times are those of dumps */
  GTree *dumps;       /* name as recorded → PenJitDump, or NULL */
};

static void
free_dump (gpointer data)
{
  pen_jit_dump_free (data);
}

static gboolean
has_monotonic_clock (GPtrArray *attrs)
{
  for (guint i = 0; i < attrs->len; i++) {
    const PenAttr *attr = g_ptr_array_index (attrs, i);

    if ((attr->flags & PEN_ATTR_USE_CLOCKID) == 0 || attr->clockid != CLOCK_MONOTONIC)
      return FALSE;
  }
  return attrs->len > 0;
}

/* Returns: (transfer full) (nullable) */
static char *
find_path (PenJitPass *self, const char *name)
{
  g_autofree char *base = g_path_get_basename (name);
  g_autofree char *beside = g_build_filename (self->directory, base, NULL);

  for (guint i = 0; pen_file_roots_may_follow (name, self->has_symfs) && self->roots[i]; i++) {
    g_autofree char *path = g_strconcat (self->roots[i], name, NULL);

    if (g_file_test (path, G_FILE_TEST_EXISTS))
      return g_steal_pointer (&path);
  }
  return g_file_test (beside, G_FILE_TEST_EXISTS) ? g_steal_pointer (&beside) : NULL;
}

static void
add_map (PenJitPass *self, const PenJitCode *code, gint32 pid, guint64 start, const char *name,
         const char *symbol)
{
  PenMapEvent event = {
    .pid = pid,
    .tid = pid,
    .start = start,
    .length = code->length,
    .file_offset = code->offset,
    .name = name,
    .symbol = symbol,
    .evidence = PEN_EVIDENCE_FILE_UNCHECKED,
    .origin.moment = pen_moment (code->time, 0),
  };

  pen_history_add_map (self->history, &event);
}

static void
add_codes (PenJitPass *self, PenJitDump *dump, gint32 pid, const char *name)
{
  GArray *codes = pen_jit_dump_get_codes (dump);

  for (guint i = 0; i < codes->len; i++) {
    const PenJitCode *code = &g_array_index (codes, PenJitCode, i);

    /* The place it moved from has no name any more. */
    if (code->moved_from != G_MAXUINT64)
      add_map (self, code, pid, code->moved_from, name, "");
    add_map (self, code, pid, code->start, name, code->name);
  }
}

static PenJitDump *
open_dump (PenJitPass *self, const char *name)
{
  g_autofree char *path = find_path (self, name);
  g_autoptr (PenJitDump) dump = NULL;
  g_autoptr (GError) problem = NULL;
  gint32 pid;

  if (!path && !self->has_symfs && pen_file_roots_is_refused (name))
    pen_loaded_sources_add_problem (self->sources, name, PEN_REASON_PLACE_REFUSED);
  if (!path)
    return NULL;
  if (!self->has_clock) {
    pen_loaded_sources_add_problem (self->sources, path, PEN_REASON_JIT_CLOCK);
    return NULL;
  }

  dump = pen_jit_dump_open (path, self->cancellable, &problem);
  if (!dump) {
    g_autofree char *reason = pen_reason_new_from_error (problem);

    pen_loaded_sources_add_problem (self->sources, path, reason);
    return NULL;
  }
  if (!pen_jit_dump_is_name (name, &pid) || (guint32) pid != pen_jit_dump_get_pid (dump)) {
    pen_loaded_sources_add_problem (self->sources, path, PEN_REASON_JIT_PROCESS);
    return NULL;
  }
  if (pen_jit_dump_get_damage (dump))
    pen_loaded_sources_add_problem (self->sources, path, pen_jit_dump_get_damage (dump));
  return g_steal_pointer (&dump);
}

static void
see_map (const char *name, gint32 pid, gpointer user_data)
{
  PenJitPass *self = user_data;
  PenJitDump *dump;
  gint32 in_name;

  if (!pen_jit_dump_is_name (name, &in_name)
      || g_tree_lookup_extended (self->dumps, name, NULL, NULL)
      || g_tree_nnodes (self->dumps) >= PEN_JIT_PASS_MAX_DUMPS)
    return;

  dump = open_dump (self, name);
  g_tree_insert (self->dumps, g_strdup (name), dump);
  if (dump)
    add_codes (self, dump, pid, name);
}

static int
compare_paths (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  return strcmp (a, b);
}

PenJitPass *
pen_jit_pass_start (PenSideband *sideband, const char *symfs, const char *capture, GPtrArray *attrs,
                    PenLoadedSources *sources, PenHistory *history, GCancellable *cancellable)
{
  PenJitPass *self = g_new0 (PenJitPass, 1);

  self->roots = pen_file_roots_new (symfs);
  self->has_symfs = symfs != NULL;
  self->directory = g_path_get_dirname (capture);
  self->sources = sources;
  self->history = history;
  self->cancellable = cancellable;
  self->has_clock = has_monotonic_clock (attrs);
  self->dumps = g_tree_new_full (compare_paths, NULL, g_free, free_dump);
  pen_sideband_foreach_process_map (sideband, see_map, self);
  return self;
}

void
pen_jit_pass_free (PenJitPass *self)
{
  g_tree_unref (self->dumps);
  g_strfreev (self->roots);
  g_free (self->directory);
  g_free (self);
}

gboolean
pen_jit_pass_write (PenJitPass *self, PenHistory *history, const guint64 *samples,
                    PenStoreWriter *writer, GError **error)
{
  guint64 left = MAX_BYTES;
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);

  for (GTreeNode *node = g_tree_node_first (self->dumps); node; node = g_tree_node_next (node)) {
    PenJitDump *dump = g_tree_node_value (node);

    if (dump && !pen_found_file_write (pen_jit_dump_get_path (dump), writer, error))
      return FALSE;
  }

  for (guint i = 0; i < n; i++) {
    const PenTenure *tenure = &tenures[i];
    guint64 length = MIN (tenure->end - tenure->start, MAX_CODE);
    PenJitDump *dump;
    g_autoptr (GBytes) bytes = NULL;

    if (tenure->layer != PEN_LAYER_JIT || *tenure->name == '\0' || samples[tenure->id] == 0
        || length > left)
      continue;
    dump = g_tree_lookup (self->dumps, tenure->occupant);
    bytes = dump ? pen_jit_dump_read_code (dump, tenure->file_offset, (gsize) length) : NULL;
    if (bytes) {
      PenStoredText text = {
        .tenure = tenure->id,
        .start = tenure->start,
        .bytes = bytes,
        .evidence = PEN_EVIDENCE_FILE_UNCHECKED,
        .source = "jitdump",
      };

      left -= length;
      if (!pen_store_writer_add_text (writer, &text, error))
        return FALSE;
    }
  }
  return TRUE;
}

/* ---- lines ---- */

/* Returns: (transfer full): where the bytes of code with lines are → PenJitCode; what was moved has
 * the same */
static GHashTable *
index_codes (PenJitDump *dump)
{
  GArray *codes = pen_jit_dump_get_codes (dump);
  GHashTable *index = g_hash_table_new (pen_int64_hash, g_int64_equal);

  for (guint i = 0; i < codes->len; i++) {
    PenJitCode *code = &g_array_index (codes, PenJitCode, i);

    if (code->n_lines > 0)
      g_hash_table_insert (index, &code->offset, code);
  }
  return index;
}

static void
tell_lines (const PenTenure *tenure, PenJitDump *dump, const PenJitCode *code,
            PenFunctionTable *functions, PenLineBook *book)
{
  GArray *lines = pen_jit_dump_get_lines (dump);

  pen_line_book_begin (book,
                       pen_function_table_get (functions, tenure, tenure->kind, tenure->start),
                       tenure->id, tenure->start);
  for (guint i = 0; i < code->n_lines; i++) {
    const PenJitLine *line = &g_array_index (lines, PenJitLine, code->first_line + i);

    /* An empty range is another line's. */
    if (i + 1 < code->n_lines && line[1].offset == line->offset)
      continue;
    pen_line_book_add (book, tenure->start + line->offset, line->file, line->line, 0);
  }
}

void
pen_jit_pass_tell_lines (PenJitPass *self, PenHistory *history, PenFunctionTable *functions,
                         const guint64 *samples, PenLineBook *book)
{
  g_autoptr (GHashTable) indexes
      = g_hash_table_new_full (pen_direct_hash, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);

  for (guint i = 0; g_tree_nnodes (self->dumps) > 0 && i < n; i++) {
    const PenTenure *tenure = &tenures[i];
    PenJitDump *dump = tenure->layer == PEN_LAYER_JIT && samples[tenure->id] > 0
                           ? g_tree_lookup (self->dumps, tenure->occupant)
                           : NULL;
    const PenJitCode *code;
    GHashTable *index;

    if (!dump || *tenure->name == '\0')
      continue;
    index = g_hash_table_lookup (indexes, dump);
    if (!index) {
      index = index_codes (dump);
      g_hash_table_insert (indexes, dump, index);
    }
    code = g_hash_table_lookup (index, &tenure->file_offset);
    if (code)
      tell_lines (tenure, dump, code, functions, book);
  }
}
