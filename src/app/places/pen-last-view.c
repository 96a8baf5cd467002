/* pen-last-view.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-last-view.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-filter-term.h"
#include "pen-lanes.h"
#include "pen-new-file.h"
#include "pen-regular-file.h"

#define GROUP "view"
/* More than a view of PEN_FILTER_TERMS_MAX long names takes; a larger file is none of ours. */
#define FILE_MAX (256 * 1024)

PenLastView *
pen_last_view_new (void)
{
  PenLastView *self = g_new0 (PenLastView, 1);

  self->state.filter = pen_filter_new ();
  return self;
}

static PenLastView *
copy_view (const PenLastView *self)
{
  PenLastView *copy = g_memdup2 (self, sizeof *self);

  copy->state.filter = pen_filter_copy (self->state.filter);
  copy->state.flame = pen_flame_state_copy (self->state.flame);
  copy->symbol = g_strdup (self->symbol);
  return copy;
}

void
pen_last_view_free (PenLastView *self)
{
  pen_filter_free (self->state.filter);
  g_clear_pointer (&self->state.flame, pen_flame_state_unref);
  g_free (self->symbol);
  g_free (self);
}

/* ---- text ---- */

/* Names are bytes as recorded: a key file wants UTF-8, and gets ASCII. */
static void
set_bytes (GKeyFile *file, const char *key, const char *bytes)
{
  g_autofree char *escaped = g_strescape (bytes, NULL);

  g_key_file_set_value (file, GROUP, key, escaped);
}

static char *
get_bytes (GKeyFile *file, const char *key)
{
  g_autofree char *escaped = g_key_file_get_value (file, GROUP, key, NULL);

  return escaped ? g_strcompress (escaped) : NULL;
}

static gboolean
get_number (GKeyFile *file, const char *key, guint64 *number)
{
  g_autofree char *text = g_key_file_get_value (file, GROUP, key, NULL);

  return text && g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, number, NULL);
}

static gboolean
get_span (GKeyFile *file, const char *from, const char *to, PenSpan *span)
{
  return get_number (file, from, &span->from) && get_number (file, to, &span->to)
         && span->from <= span->to;
}

/* The words of lanes, by commas; rows of tasks that are there are among those of @shown. */
static char *
name_lanes (const PenLastView *self, gboolean shown)
{
  static const PenLaneKind tasks[] = { PEN_LANE_CPUS, PEN_LANE_TASKS };
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < PEN_LANES; i++) {
    gboolean is_named
        = shown ? (tasks[0] == i && self->state.shows_tasks[PEN_TASKS_BY_CPU])
                      || (tasks[1] == i && self->state.shows_tasks[PEN_TASKS_BY_PROCESS])
                : (self->state.folded >> i & 1) != 0;

    if (is_named)
      g_string_append_printf (words, words->len > 0 ? ",%s" : "%s", pen_lane_to_string (i));
  }
  return g_string_free (words, FALSE);
}

static guint32
read_lanes (GKeyFile *file, const char *key)
{
  g_autofree char *text = g_key_file_get_value (file, GROUP, key, NULL);
  g_auto (GStrv) words = g_strsplit (text ? text : "", ",", PEN_LANES + 1);
  guint32 lanes = 0;
  PenLaneKind lane;

  for (guint i = 0; words[i]; i++) {
    if (pen_lane_from_string (words[i], &lane))
      lanes |= 1u << lane;
  }
  return lanes;
}

/* ---- two stretches that are compared ---- */

static const struct {
  const char *from;
  const char *to;
} window_keys[] = { { "before-from", "before-to" }, { "after-from", "after-to" } };

static void
set_pair (GKeyFile *file, const PenLastView *self)
{
  const PenFlamePair *pair = self->state.flame ? &self->state.flame->pair : NULL;

  if (!pair || !pair->is_set)
    return;
  if (pair->batch > 0 && self->batch_from > 0) {
    g_key_file_set_uint64 (file, GROUP, "compared-batch", self->batch_from);
    g_key_file_set_uint64 (file, GROUP, "compared-across", pair->rules.crosses);
    g_key_file_set_uint64 (file, GROUP, "compared-most", pair->rules.most);
  }
  for (guint i = 0; pair->batch == 0 && i < G_N_ELEMENTS (window_keys); i++) {
    g_key_file_set_uint64 (file, GROUP, window_keys[i].from, pair->windows[i].from);
    g_key_file_set_uint64 (file, GROUP, window_keys[i].to, pair->windows[i].to);
  }
}

static void
read_pair (GKeyFile *file, PenLastView *self)
{
  PenFlamePair pair = { .is_set = TRUE };
  guint64 across;

  if (get_number (file, "compared-batch", &self->batch_from)) {
    pair.rules.crosses = get_number (file, "compared-across", &across) && across != 0;
    if (!get_number (file, "compared-most", &pair.rules.most))
      pair.rules.most = 0;
  } else {
    for (guint i = 0; i < G_N_ELEMENTS (window_keys); i++) {
      PenSpan span;

      if (!get_span (file, window_keys[i].from, window_keys[i].to, &span))
        return;
      pair.windows[i] = (PenFlameWindow){ span.from, span.to };
    }
  }
  if (!self->state.flame)
    self->state.flame = pen_flame_state_new ();
  self->state.flame->pair = pair;
}

static char *
to_text (const PenLastView *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GPtrArray) terms = pen_filter_dup_terms (self->state.filter);
  g_autofree char *folded = name_lanes (self, FALSE);
  g_autofree char *shown = name_lanes (self, TRUE);
  g_autofree char *stacks = pen_flame_state_to_words (self->state.flame);

  g_key_file_set_uint64 (file, GROUP, "from", self->span.from);
  g_key_file_set_uint64 (file, GROUP, "to", self->span.to);
  g_key_file_set_uint64 (file, GROUP, "samples", self->samples);
  g_key_file_set_uint64 (file, GROUP, "visible-from", self->state.visible.from);
  g_key_file_set_uint64 (file, GROUP, "visible-to", self->state.visible.to);
  g_key_file_set_uint64 (file, GROUP, "playhead", self->state.playhead);
  if (self->state.has_mark)
    g_key_file_set_uint64 (file, GROUP, "mark", self->state.mark);
  g_key_file_set_uint64 (file, GROUP, "mark-all", self->state.mark_all);
  g_key_file_set_value (file, GROUP, "page", pen_page_to_string (self->state.page));
  g_key_file_set_value (file, GROUP, "times", pen_times_to_string (self->state.times));
  g_key_file_set_value (file, GROUP, "folded", folded);
  g_key_file_set_value (file, GROUP, "rows", shown);
  if (stacks[0] != '\0')
    g_key_file_set_value (file, GROUP, "stacks", stacks);
  set_pair (file, self);
  if (self->has_addresses) {
    g_key_file_set_uint64 (file, GROUP, "map-from", self->address_from);
    g_key_file_set_uint64 (file, GROUP, "map-to", self->address_to);
  }
  if (self->state.has_function) {
    g_key_file_set_uint64 (file, GROUP, "function", self->start);
    if (self->symbol)
      set_bytes (file, "symbol", self->symbol);
  }
  if (self->state.has_line)
    g_key_file_set_uint64 (file, GROUP, "line", self->state.line);
  for (guint i = 0; i < MIN (terms->len, PEN_FILTER_TERMS_MAX); i++) {
    g_autofree char *key = g_strdup_printf ("filter-%u", i);
    g_autofree char *term = pen_filter_term_to_text (terms->pdata[i]);

    set_bytes (file, key, term);
  }
  return g_key_file_to_data (file, NULL, NULL);
}

static void
read_filter (GKeyFile *file, PenLastView *self)
{
  for (guint i = 0; i < PEN_FILTER_TERMS_MAX; i++) {
    g_autofree char *key = g_strdup_printf ("filter-%u", i);
    g_autofree char *term = get_bytes (file, key);

    if (!term)
      return;
    pen_filter_add_text (self->state.filter, term, self->span.from, self->span.to, NULL);
  }
}

/* Parts that cannot be read are left out. */
static PenLastView *
from_text (const char *text, gsize length)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (PenLastView) self = pen_last_view_new ();
  g_autofree char *page = NULL;
  g_autofree char *times = NULL;
  g_autofree char *stacks = NULL;
  guint32 rows;
  guint64 all;
  PenSpan addresses;

  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, NULL)
      || !get_span (file, "from", "to", &self->span)
      || !get_number (file, "samples", &self->samples))
    return NULL;
  if (!get_span (file, "visible-from", "visible-to", &self->state.visible))
    self->state.visible = self->span;
  if (!get_number (file, "playhead", &self->state.playhead))
    self->state.playhead = self->span.from;
  self->state.has_mark = get_number (file, "mark", &self->state.mark);
  self->state.mark_all = get_number (file, "mark-all", &all) && all != 0;
  page = g_key_file_get_value (file, GROUP, "page", NULL);
  if (!page || !pen_page_from_string (page, &self->state.page))
    self->state.page = PEN_PAGE_CODE;
  times = g_key_file_get_value (file, GROUP, "times", NULL);
  if (!times || !pen_times_from_string (times, &self->state.times))
    self->state.times = PEN_TIMES_RECORDED;
  stacks = g_key_file_get_value (file, GROUP, "stacks", NULL);
  self->state.flame = stacks ? pen_flame_state_new_from_words (stacks) : NULL;
  read_pair (file, self);
  self->state.folded = read_lanes (file, "folded");
  rows = read_lanes (file, "rows");
  self->state.shows_tasks[PEN_TASKS_BY_CPU] = rows >> PEN_LANE_CPUS & 1;
  self->state.shows_tasks[PEN_TASKS_BY_PROCESS] = rows >> PEN_LANE_TASKS & 1;
  self->has_addresses = get_span (file, "map-from", "map-to", &addresses);
  self->address_from = self->has_addresses ? addresses.from : 0;
  self->address_to = self->has_addresses ? addresses.to : 0;
  self->state.has_function = get_number (file, "function", &self->start);
  self->symbol = get_bytes (file, "symbol");
  self->state.has_line = get_number (file, "line", &self->state.line);
  read_filter (file, self);
  return g_steal_pointer (&self);
}

/* ---- files ---- */

char *
pen_last_view_dup_file (const char *capture)
{
  g_autofree char *path = g_canonicalize_filename (capture, NULL);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, path, -1);
  g_autofree char *name = g_strconcat (sum, ".ini", NULL);

  return g_build_filename (g_get_user_state_dir (), "pentimento", "views", name, NULL);
}

PenLastView *
pen_last_view_load (const char *file)
{
  guint64 size;
  int descriptor = pen_regular_file_open (file, &size, NULL);
  g_autofree char *text = NULL;
  gssize length;

  if (descriptor < 0)
    return NULL;
  text = g_malloc (FILE_MAX);
  length = size <= FILE_MAX ? pread (descriptor, text, FILE_MAX, 0) : -1;
  close (descriptor);
  return length > 0 ? from_text (text, (gsize) length) : NULL;
}

typedef struct {
  char *path;
  gint64 changed;
} Kept;

static void
clear_kept (gpointer data)
{
  g_free (((Kept *) data)->path);
}

static int
compare_kept (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const Kept *) a)->changed, y = ((const Kept *) b)->changed;

  return x > y ? -1 : x < y;
}

static void
remove_oldest (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (Kept));
  const char *name;

  /* Of a view that is never saved again. */
  pen_new_file_remove_left (directory, NULL);
  g_array_set_clear_func (files, clear_kept);
  while (dir && (name = g_dir_read_name (dir))) {
    Kept kept = { g_build_filename (directory, name, NULL), 0 };
    GStatBuf status;

    if (g_lstat (kept.path, &status) == 0)
      kept.changed = status.st_mtime;
    g_array_append_val (files, kept);
  }
  if (files->len <= PEN_LAST_VIEWS_MAX)
    return;
  g_array_sort (files, compare_kept);
  for (guint i = PEN_LAST_VIEWS_MAX; i < files->len; i++)
    g_unlink (g_array_index (files, Kept, i).path);
}

/* ---- saving ---- */

typedef struct {
  char *file;
  PenLastView *view; /* NULL: remove it */
} Wish;

static GMutex lock;
static GCond all_done;
static GThreadPool *saver;
static guint n_wishes;

static void
save (gpointer data, gpointer user_data)
{
  Wish *wish = data;
  g_autofree char *directory = g_path_get_dirname (wish->file);

  if (!wish->view) {
    g_unlink (wish->file);
  } else if (g_mkdir_with_parents (directory, 0700) == 0) {
    g_autofree char *text = to_text (wish->view);

    if (strlen (text) <= FILE_MAX)
      pen_new_file_save (wish->file, 0600, text, strlen (text), NULL);
    remove_oldest (directory);
  }
  g_clear_pointer (&wish->view, pen_last_view_free);
  g_free (wish->file);
  g_free (wish);
  g_mutex_lock (&lock);
  if (--n_wishes == 0)
    g_cond_broadcast (&all_done);
  g_mutex_unlock (&lock);
}

void
pen_last_view_save_later (const char *file, const PenLastView *view)
{
  Wish *wish = g_new0 (Wish, 1);

  wish->file = g_strdup (file);
  wish->view = view ? copy_view (view) : NULL;
  g_mutex_lock (&lock);
  if (!saver)
    saver = g_thread_pool_new (save, NULL, 1, FALSE, NULL);
  n_wishes++;
  g_mutex_unlock (&lock);
  g_thread_pool_push (saver, wish, NULL);
}

void
pen_last_view_wait_all (void)
{
  g_mutex_lock (&lock);
  while (n_wishes > 0)
    g_cond_wait (&all_done, &lock);
  g_mutex_unlock (&lock);
}
