/* pen-patch-path.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-patch-path.h"

#include <glib/gi18n-lib.h>

#include "pen-binary-search.h"
#include "pen-query-cells.h"
#include "pen-query-private.h"
#include "pen-store-buckets.h"
#include "pen-store-callchains.h"
#include "pen-store-pokes.h"
#include "pen-store-samples.h"
#include "pen-table-hash.h"

/*
 * The code that patches: from the function that writes text up to the face that the rest of the
 * kernel calls. Beginnings of names, from arch/x86/kernel/alternative.c, jump_label.c, ftrace.c,
 * kprobes/, static_call.c, net/bpf_jit_comp.c, arch/arm64/kernel/patching.c, kernel/jump_label.c,
 * static_call_inline.c, kprobes.c and trace/ftrace.c of Linux 5.10 to 7.2.
 */
static const char *const patching[] = {
  "__bpf_arch_text_poke",
  "__ftrace_modify_",
  "__ftrace_replace_",
  "__jump_label_",
  "__static_call_",
  "__static_key_",
  "__text_poke",
  "aarch64_insn_",
  "arch_arm_kprobe",
  "arch_disarm_kprobe",
  "arch_ftrace_update_code",
  "arch_jump_label_",
  "arch_optimize_kprobe",
  "arch_static_call_",
  "arch_unoptimize_kprobe",
  "arm_kprobe",
  "bpf_arch_text_",
  "disarm_kprobe",
  "ftrace_make_",
  "ftrace_modify_",
  "ftrace_replace_code",
  "ftrace_run_",
  "ftrace_shutdown",
  "ftrace_startup",
  "ftrace_update_ftrace_func",
  "jump_label_",
  "smp_text_poke_",
  "static_call_",
  "static_key_",
  "text_poke",
  "tracepoint_add_func",
};

/* Callers that are named, and frames of a callchain that are looked at. */
#define MOST_CALLERS 3
#define MOST_FRAMES 256

/* A sample of a task in the code that patches. @path: index, above 0 */
typedef struct {
  guint64 time;
  gint32 tid;
  guint32 path;
} Sighting;

/* A batch among those of its task. */
typedef struct {
  gint32 tid;
  guint64 from;
  guint64 to;
  guint32 batch;
} Turn;

/*
 * @patches: by function: it is code that patches
 * @paths: (element-type utf8): callers in words; 0: none
 * @by_chain: callchain → index of @paths
 * @blocks: (element-type Sighting): of each block by time; NULL until it is read
 * @turns: (element-type Turn): by task and time
 * @found: by batch, from 1; @is_found: it was searched for
 */
typedef struct {
  PenQuery *query;
  guint8 *patches;
  const guint32 *bucket_functions;
  const PenFrame *frames;
  guint n_frames;
  GPtrArray *paths;
  GHashTable *by_words;
  GHashTable *by_chain;
  GArray **blocks;
  guint n_blocks;
  GArray *turns;
  PenPatchPath *found;
  guint8 *is_found;
} PatchPaths;

static void
patch_paths_free (PatchPaths *self)
{
  for (guint i = 0; self->blocks && i < self->n_blocks; i++)
    g_clear_pointer (&self->blocks[i], g_array_unref);
  g_free (self->blocks);
  g_free (self->patches);
  g_free (self->found);
  g_free (self->is_found);
  g_clear_pointer (&self->by_chain, g_hash_table_unref);
  g_clear_pointer (&self->by_words, g_hash_table_unref);
  g_clear_pointer (&self->paths, g_ptr_array_unref);
  g_clear_pointer (&self->turns, g_array_unref);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PatchPaths, patch_paths_free)

/* ---- what is kept ---- */

static gboolean
is_patching (const PenFunction *function)
{
  if (function->kind != PEN_KIND_KERNEL || !function->symbol)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (patching); i++) {
    if (g_str_has_prefix (function->symbol, patching[i]))
      return TRUE;
  }
  return FALSE;
}

static int
compare_turns (gconstpointer a, gconstpointer b)
{
  const Turn *x = a;
  const Turn *y = b;

  if (x->tid != y->tid)
    return x->tid < y->tid ? -1 : 1;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->batch < y->batch ? -1 : x->batch > y->batch;
}

static GArray *
list_turns (PenStore *store, GError **error)
{
  g_autoptr (GArray) turns = g_array_new (FALSE, FALSE, sizeof (Turn));
  GError *failure = NULL;
  guint n;
  const PenBatch *batches = pen_store_get_batches (store, &n, &failure);

  if (failure) {
    g_propagate_error (error, failure);
    return NULL;
  }
  for (guint i = 0; batches && i < n; i++) {
    Turn turn = { batches[i].tid, batches[i].from, batches[i].to, batches[i].id };

    if (batches[i].has_task)
      g_array_append_val (turns, turn);
  }
  g_array_sort (turns, compare_turns);
  return g_steal_pointer (&turns);
}

static PatchPaths *
patch_paths_new (PenQuery *query, GError **error)
{
  g_autoptr (PatchPaths) self = g_new0 (PatchPaths, 1);
  guint n_batches;
  guint n_buckets;

  self->query = query;
  if (!pen_query_load (query, error) || !pen_query_load_threads (query, error))
    return NULL;
  self->turns = list_turns (query->store, error);
  if (!self->turns)
    return NULL;
  self->patches = g_new0 (guint8, (gsize) query->n_functions + 1);
  for (guint i = 0; i < query->n_functions; i++)
    self->patches[i] = is_patching (&query->functions[i]);
  self->bucket_functions = pen_store_get_bucket_functions (query->store, &n_buckets, error);
  self->frames = pen_store_get_frames (query->store, &self->n_frames, error);
  if (!self->bucket_functions || !self->frames)
    return NULL;

  pen_store_get_blocks (query->store, &self->n_blocks);
  self->blocks = g_new0 (GArray *, (gsize) self->n_blocks + 1);
  pen_store_get_batches (query->store, &n_batches, NULL);
  self->found = g_new0 (PenPatchPath, (gsize) n_batches + 1);
  self->is_found = g_new0 (guint8, (gsize) n_batches + 1);
  self->paths = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->paths, NULL);
  self->by_words = g_hash_table_new (pen_str_hash, g_str_equal);
  self->by_chain = g_hash_table_new (pen_direct_hash, NULL);
  return g_steal_pointer (&self);
}

static PatchPaths *
get_patch_paths (PenQuery *query, GError **error)
{
  static GQuark quark;
  PatchPaths *self;

  if (quark == 0)
    quark = g_quark_from_static_string ("pen-patch-paths");
  self = g_object_get_qdata (G_OBJECT (query), quark);
  if (!self) {
    self = patch_paths_new (query, error);
    if (self)
      g_object_set_qdata_full (G_OBJECT (query), quark, self, (GDestroyNotify) patch_paths_free);
  }
  return self;
}

/* ---- callers of a callchain ---- */

/* A path for each way into the code that patches, kept once: no more than there are callchains. */
static guint32
intern (PatchPaths *self, GString *words)
{
  guint32 index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_words, words->str));

  if (index == 0) {
    index = self->paths->len;
    g_ptr_array_add (self->paths, g_strdup (words->str));
    g_hash_table_insert (self->by_words, g_ptr_array_index (self->paths, index),
                         GUINT_TO_POINTER (index));
  }
  return index;
}

/* Named functions of the kernel's that stand outside of the outermost code that patches. */
static gboolean
add_callers (PatchPaths *self, guint32 chain, gboolean is_inside, GString *words, GError **error)
{
  guint n_callers = 0;

  for (guint i = 0; chain != 0 && i < MOST_FRAMES; i++) {
    const PenFrame *frame;
    PenChainNode node;

    if (!pen_store_read_chain (self->query->store, chain, &node, error))
      return FALSE;
    chain = node.parent < chain ? node.parent : 0;
    if (node.frame >= self->n_frames)
      continue;
    frame = &self->frames[node.frame];
    if (frame->function < self->query->n_functions && self->patches[frame->function]) {
      is_inside = TRUE;
      n_callers = 0;
      g_string_truncate (words, 0);
    } else if (is_inside && n_callers < MOST_CALLERS && frame->symbol
               && pen_query_is_kernel_kind (frame->kind)) {
      g_string_append_printf (words, "%s%s", n_callers > 0 ? " < " : "", frame->symbol);
      n_callers++;
    }
  }
  return TRUE;
}

/* 0: not in the code that patches, or nothing is known of its callers. */
static gboolean
find_path (PatchPaths *self, guint32 chain, guint32 bucket, guint32 *path, GError **error)
{
  g_autoptr (GString) words = NULL;
  gboolean is_leaf = self->patches[MIN (self->bucket_functions[bucket], self->query->n_functions)];
  /* The same callchain is of samples inside, and not: what is called by a trap there, say. */
  gpointer key = GSIZE_TO_POINTER ((gsize) chain * 2 + (is_leaf ? 1 : 0));
  gpointer known;

  *path = 0;
  if (chain == 0 || chain > pen_store_count_chains (self->query->store))
    return TRUE;
  if (g_hash_table_lookup_extended (self->by_chain, key, NULL, &known)) {
    *path = GPOINTER_TO_UINT (known);
    return TRUE;
  }
  words = g_string_new (NULL);
  if (!add_callers (self, chain, is_leaf, words, error))
    return FALSE;
  if (words->len > 0)
    *path = intern (self, words);
  g_hash_table_insert (self->by_chain, key, GUINT_TO_POINTER (*path));
  return TRUE;
}

/* ---- sightings ---- */

static gboolean
read_block (PatchPaths *self, guint number, GError **error)
{
  g_autoptr (GArray) sightings = g_array_new (FALSE, FALSE, sizeof (Sighting));
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();

  if (!pen_store_read_block (self->query->store, number, block, error))
    return FALSE;
  for (guint i = 0; i < block->n; i++) {
    const PenThread *thread = &self->query->threads[block->thread[i]];
    Sighting sighting = { block->time[i], thread->tid, 0 };

    if (!(block->has[i] & PEN_SAMPLE_HAS_TIME) || !thread->has_task)
      continue;
    if (!find_path (self, block->chain[i], block->bucket[i], &sighting.path, error))
      return FALSE;
    if (sighting.path != 0)
      g_array_append_val (sightings, sighting);
  }
  self->blocks[number] = g_steal_pointer (&sightings);
  return TRUE;
}

/*
 * @before, @after: a sample nearer than that is this batch's, not another one's
 * @during: (element-type guint32): paths of samples within the batch
 * @nearest: path of the sample nearest to it, at @distance; 0: none
 */
typedef struct {
  const Turn *turn;
  guint64 before;
  guint64 after;
  GArray *during;
  guint64 distance;
  guint32 nearest;
} Search;

static void
take_sighting (Search *search, const Sighting *sighting)
{
  const Turn *turn = search->turn;
  guint64 distance;

  if (sighting->time >= turn->from && sighting->time <= turn->to) {
    if (search->during->len < PEN_PATCH_PATH_SAMPLES)
      g_array_append_val (search->during, sighting->path);
    return;
  }
  distance = sighting->time < turn->from ? turn->from - sighting->time : sighting->time - turn->to;
  if (distance < search->distance
      && distance < (sighting->time < turn->from ? search->before : search->after)) {
    search->distance = distance;
    search->nearest = sighting->path;
  }
}

/* No more than so many of all tasks are looked at on each side of a batch's beginning. */
#define MOST_SIGHTINGS 4096

static void
search_block (Search *search, const GArray *sightings)
{
  const Sighting *all = (const Sighting *) (gpointer) sightings->data;
  guint start = PEN_BINARY_SEARCH (i, 0, sightings->len, all[i].time < search->turn->from);

  for (guint i = start; i < sightings->len && i - start < MOST_SIGHTINGS; i++) {
    if (all[i].time > search->turn->to && all[i].time - search->turn->to > PEN_PATCH_PATH_MOST)
      break;
    if (all[i].tid == search->turn->tid)
      take_sighting (search, &all[i]);
  }
  for (guint i = start; i > 0 && start - i < MOST_SIGHTINGS; i--) {
    if (search->turn->from - all[i - 1].time > PEN_PATCH_PATH_MOST)
      break;
    if (all[i - 1].tid == search->turn->tid)
      take_sighting (search, &all[i - 1]);
  }
}

/* Half of the time to the batches of the same task before and after it. */
static void
find_neighbours (const PatchPaths *self, Search *search)
{
  const Turn *turns = (const Turn *) (gpointer) self->turns->data;
  const Turn *turn = search->turn;
  gsize index = (gsize) (turn - turns);

  search->before = search->after = PEN_PATCH_PATH_MOST;
  if (index > 0 && turn[-1].tid == turn->tid)
    search->before = turn[-1].to < turn->from ? (turn->from - turn[-1].to + 1) / 2 : 0;
  if (index + 1 < self->turns->len && turn[1].tid == turn->tid)
    search->after = turn[1].from > turn->to ? (turn[1].from - turn->to + 1) / 2 : 0;
}

static const Turn *
find_turn (const PatchPaths *self, const PenBatch *batch)
{
  const Turn *turns = (const Turn *) (gpointer) self->turns->data;
  Turn wanted = { batch->tid, batch->from, batch->to, batch->id };
  guint index = PEN_BINARY_SEARCH (i, 0, self->turns->len, compare_turns (&turns[i], &wanted) < 0);

  return index < self->turns->len && turns[index].batch == batch->id ? &turns[index] : NULL;
}

/* The path that most of the samples have; of several, the first. */
static void
choose (const PatchPaths *self, const Search *search, PenPatchPath *path)
{
  const guint32 *during = (const guint32 *) (gpointer) search->during->data;
  guint32 chosen = search->nearest;

  path->source = search->nearest != 0 ? PEN_PATCH_PATH_NEAR : PEN_PATCH_PATH_UNKNOWN;
  path->distance = search->nearest != 0 ? search->distance : 0;
  path->samples = path->looked_at = search->nearest != 0 ? 1 : 0;
  if (search->during->len > 0) {
    path->source = PEN_PATCH_PATH_DURING;
    path->distance = 0;
    path->looked_at = search->during->len;
    path->samples = 0;
  }
  for (guint i = 0; i < search->during->len; i++) {
    guint n = 0;

    for (guint k = 0; k < search->during->len; k++)
      n += during[k] == during[i];
    if (n > path->samples) {
      path->samples = n;
      chosen = during[i];
    }
  }
  path->callers = g_ptr_array_index (self->paths, chosen);
}

static gboolean
search_batch (PatchPaths *self, const PenBatch *batch, PenPatchPath *path, GError **error)
{
  g_autoptr (GArray) during = g_array_new (FALSE, FALSE, sizeof (guint32));
  Search search
      = { .turn = find_turn (self, batch), .during = during, .distance = PEN_PATCH_PATH_MOST };
  const PenBlockInfo *blocks;
  guint64 from;
  guint64 to;
  guint n;

  if (!search.turn)
    return TRUE;
  find_neighbours (self, &search);
  from = search.turn->from - MIN (search.turn->from, PEN_PATCH_PATH_MOST);
  to = search.turn->to + MIN (G_MAXUINT64 - search.turn->to, PEN_PATCH_PATH_MOST);
  blocks = pen_store_get_blocks (self->query->store, &n);
  for (guint i = 0; i < self->n_blocks; i++) {
    if (blocks[i].last < from || blocks[i].first > to)
      continue;
    if (!self->blocks[i] && !read_block (self, i, error))
      return FALSE;
    search_block (&search, self->blocks[i]);
  }
  choose (self, &search, path);
  return TRUE;
}

gboolean
pen_query_find_patch_path (PenQuery *query, guint32 batch, PenPatchPath *path, GError **error)
{
  /* A task that patches is on CPU. */
  PenQuery *self = pen_query_get_samples (query);
  guint n;
  const PenBatch *batches = pen_store_get_batches (self->store, &n, NULL);
  PatchPaths *paths;

  *path = (PenPatchPath){ 0 };
  if (!batches || batch == 0 || batch > n || !batches[batch - 1].has_task
      || pen_store_count_chains (self->store) == 0)
    return TRUE;
  paths = get_patch_paths (self, error);
  if (!paths)
    return FALSE;
  if (!paths->is_found[batch]
      && !search_batch (paths, &batches[batch - 1], &paths->found[batch], error))
    return FALSE;
  paths->is_found[batch] = 1;
  *path = paths->found[batch];
  return TRUE;
}

/* ---- words ---- */

const char *
pen_patch_path_source_to_string (PenPatchPathSource source)
{
  static const char *const words[PEN_PATCH_PATHS] = { "", "during", "near" };

  g_return_val_if_fail (source < PEN_PATCH_PATHS, NULL);
  return words[source];
}

void
pen_query_write_patch_path (PenTableWriter *writer, const PenPatchPath *path)
{
  gboolean is_known = path->source != PEN_PATCH_PATH_UNKNOWN;

  pen_query_write_text_or_empty (writer, path->callers);
  pen_query_write_text_or_empty (writer,
                                 is_known ? pen_patch_path_source_to_string (path->source) : NULL);
  pen_query_write_unsigned_or_empty (writer, is_known, path->samples);
}

char *
pen_patch_path_describe (const PenPatchPath *path)
{
  g_autofree char *how = NULL;

  if (path->source == PEN_PATCH_PATH_UNKNOWN)
    return NULL;
  if (path->source == PEN_PATCH_PATH_NEAR)
    how = g_strdup_printf (_ ("1 sample of the task, %.1f ms away"), (double) path->distance / 1e6);
  else if (path->samples < path->looked_at)
    how = g_strdup_printf (_ ("%u of %u samples while patching"), path->samples, path->looked_at);
  else
    how = g_strdup_printf (
        ngettext ("%u sample while patching", "%u samples while patching", path->samples),
        path->samples);
  return g_strdup_printf (_ ("Called from %s (%s)"), path->callers, how);
}
