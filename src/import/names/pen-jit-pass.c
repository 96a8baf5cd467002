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
#include "pen-names.h"
#include "pen-reason.h"
#include "pen-table-hash.h"

#define MAX_CODE (1u << 20)
#define MAX_BYTES (64u << 20)

/* Code of a process that has ended. */
typedef struct {
  guint32 tenure;
  guint64 start;
  guint64 length;
  guint64 file_offset;
  const char *dump;
} Ended;

struct _PenJitKept {
  PenNames *names;
  GPtrArray *dumps; /* names, as recorded */
  GArray *pids;     /* gint32: of these */
  GArray *ended;    /* Ended */
  gboolean has_parts;
  guint64 until; /* ns: of what is known, if there was a part */
  guint64 n_known;
};

struct _PenJitPass {
  PenJitKept *kept; /* or NULL */
  guint64 until;    /* ns: of what is wanted, with @kept */
  guint64 n_known;  /* codes up to the end of the part before */
  guint64 n_until;  /* up to that of this part */
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

/* A part has what is new; the history goes on with the rest. */
static gboolean
is_wanted (PenJitPass *self, const PenJitCode *code)
{
  guint64 time = pen_moment (code->time, 0).time;
  gboolean is_known;

  if (!self->kept)
    return TRUE;
  is_known = self->kept->has_parts && time <= self->kept->until;
  self->n_known += is_known;
  self->n_until += time <= self->until;
  return !is_known && time <= self->until;
}

static void
add_codes (PenJitPass *self, PenJitDump *dump, gint32 pid, const char *name)
{
  GArray *codes = pen_jit_dump_get_codes (dump);

  for (guint i = 0; i < codes->len; i++) {
    const PenJitCode *code = &g_array_index (codes, PenJitCode, i);

    if (!is_wanted (self, code))
      continue;
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
keep_dump (PenJitKept *kept, const char *name, gint32 pid)
{
  const char *known = pen_names_add (kept->names, name);

  if (g_ptr_array_find (kept->dumps, known, NULL))
    return;
  g_ptr_array_add (kept->dumps, (gpointer) known);
  g_array_append_val (kept->pids, pid);
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

  if (self->kept)
    keep_dump (self->kept, name, pid);
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

PenJitKept *
pen_jit_kept_new (void)
{
  PenJitKept *self = g_new0 (PenJitKept, 1);

  self->names = pen_names_new ();
  self->dumps = g_ptr_array_new ();
  self->pids = g_array_new (FALSE, FALSE, sizeof (gint32));
  self->ended = g_array_new (FALSE, FALSE, sizeof (Ended));
  return self;
}

void
pen_jit_kept_free (PenJitKept *self)
{
  g_ptr_array_unref (self->dumps);
  g_array_unref (self->pids);
  g_array_unref (self->ended);
  pen_names_free (self->names);
  g_free (self);
}

gboolean
pen_jit_pass_is_other (PenJitPass *self)
{
  return self->kept && self->n_known != self->kept->n_known;
}

PenJitPass *
pen_jit_pass_start (PenSideband *sideband, const char *symfs, const char *capture, GPtrArray *attrs,
                    PenLoadedSources *sources, PenHistory *history, PenJitKept *kept, guint64 until,
                    GCancellable *cancellable)
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
  self->kept = kept;
  self->until = until;
  for (guint i = 0; kept && i < kept->dumps->len; i++)
    see_map (kept->dumps->pdata[i], g_array_index (kept->pids, gint32, i), self);
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

/* @left: (inout): bytes that may still be written */
static gboolean
write_code (PenJitPass *self, const Ended *code, guint64 *left, PenStoreWriter *writer,
            GError **error)
{
  PenJitDump *dump = code->length <= *left ? g_tree_lookup (self->dumps, code->dump) : NULL;
  g_autoptr (GBytes) bytes
      = dump ? pen_jit_dump_read_code (dump, code->file_offset, (gsize) code->length) : NULL;
  PenStoredText text = {
    .tenure = code->tenure,
    .start = code->start,
    .bytes = bytes,
    .evidence = PEN_EVIDENCE_FILE_UNCHECKED,
    .source = "jitdump",
  };

  if (!bytes)
    return TRUE;
  *left -= code->length;
  return pen_store_writer_add_text (writer, &text, error);
}

/* The next part is not told of it. */
static void
keep_ended (PenJitKept *kept, const PenTenure *tenure, Ended code)
{
  if (pen_moment_compare (tenure->to, PEN_MOMENT_END) == 0)
    return;
  code.dump = pen_names_add (kept->names, code.dump);
  g_array_append_val (kept->ended, code);
}

gboolean
pen_jit_pass_write (PenJitPass *self, PenHistory *history, const guint64 *samples,
                    PenStoreWriter *writer, GError **error)
{
  guint64 left = MAX_BYTES;
  guint n_ended = self->kept ? self->kept->ended->len : 0;
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (history, &n);

  for (GTreeNode *node = g_tree_node_first (self->dumps); node; node = g_tree_node_next (node)) {
    PenJitDump *dump = g_tree_node_value (node);

    if (dump && !pen_found_file_write (pen_jit_dump_get_path (dump), writer, error))
      return FALSE;
  }

  for (guint i = 0; i < n_ended; i++)
    if (!write_code (self, &g_array_index (self->kept->ended, Ended, i), &left, writer, error))
      return FALSE;

  for (guint i = 0; i < n; i++) {
    const PenTenure *tenure = &tenures[i];
    Ended code = {
      .tenure = tenure->id,
      .start = tenure->start,
      .length = MIN (tenure->end - tenure->start, MAX_CODE),
      .file_offset = tenure->file_offset,
      .dump = tenure->occupant,
    };

    if (tenure->layer != PEN_LAYER_JIT || *tenure->name == '\0' || samples[tenure->id] == 0)
      continue;
    if (self->kept)
      keep_ended (self->kept, tenure, code);
    if (!write_code (self, &code, &left, writer, error))
      return FALSE;
  }
  if (self->kept) {
    self->kept->has_parts = TRUE;
    self->kept->until = self->until;
    self->kept->n_known = self->n_until;
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
