/* pen-witnessed-modules.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-witnessed-modules.h"

#include <string.h>

#include "pen-module-space.h"
#include "pen-table-hash.h"

#define PAGE 4096u
/* More readings of places that differ tell no more. */
#define MAX_WINDOWS 8192u
/* No module of a kernel has more. */
#define MAX_TEXT (16u << 20)
/* Of a reading, that may be of absolute addresses, which are not known yet: four of them. */
#define MAX_ABSOLUTE 16u
/* Bytes of a reading that loading does not change: fewer are in too many modules. */
#define MIN_SAME 32u
/* Two places that differ in each byte above the page: absolute addresses in the text do, too. */
#define PLACE G_GUINT64_CONSTANT (0xffffffffc0a5a000)
#define OTHER_PLACE G_GUINT64_CONSTANT (0xffffffffc15a5000)

/* Readings of one place with the same bytes. @seen: index of the first */
typedef struct {
  guint seen;
  guint64 start;
  const guint8 *bytes;
  guint n_hits;
  guint hit;
} Window;

/* @window, @file: indexes; @base: where the text would begin; @same: bytes that agree */
typedef struct {
  guint window;
  guint file;
  guint64 base;
  guint same;
} Hit;

/* @text_length: from its beginning to the end of its code */
typedef struct {
  char *name;
  guint64 text_length;
  guint8 build_id[20];
  guint8 build_id_length;
} Candidate;

typedef struct {
  GArray *windows; /* Window */
  GArray *files;   /* Candidate: with hits */
  GArray *hits;    /* Hit */
  guint64 text;    /* bytes read so far */
} Search;

static void
candidate_clear (gpointer data)
{
  g_free (((Candidate *) data)->name);
}

/* ---- readings ---- */

static void
note_range (guint32 id G_GNUC_UNUSED, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

static gboolean
is_named (PenRangeIndex *named, guint64 start)
{
  gboolean is_found = FALSE;

  pen_range_index_find (named, start, start + PEN_WITNESSED_BYTES, note_range, &is_found);
  return is_found;
}

static guint
hash_window (gconstpointer key)
{
  const Window *window = key;

  return pen_int64_hash (&window->start) ^ pen_data_hash (window->bytes, PEN_WITNESSED_BYTES);
}

static gboolean
equal_windows (gconstpointer a, gconstpointer b)
{
  const Window *x = a;
  const Window *y = b;

  return x->start == y->start && memcmp (x->bytes, y->bytes, PEN_WITNESSED_BYTES) == 0;
}

static void
list_windows (Search *self, PenReadings *readings, PenRangeIndex *named, guint64 text_start,
              guint64 text_end)
{
  g_autoptr (GHashTable) listed = g_hash_table_new_full (hash_window, equal_windows, g_free, NULL);
  guint n;
  const PenSeen *seen = pen_readings_get (readings, &n);

  for (guint i = 0; i < n && self->windows->len < MAX_WINDOWS; i++) {
    const PenWitnessedPlace *place = &seen[i].record;
    const Window window = { .seen = i, .start = place->start, .bytes = place->bytes };

    if ((place->flags & PEN_WITNESSED_USER) != 0 || place->length < PEN_WITNESSED_BYTES
        || !pen_module_space_holds (text_start, text_end, place->start)
        || is_named (named, place->start) || g_hash_table_contains (listed, &window))
      continue;
    g_hash_table_add (listed, g_memdup2 (&window, sizeof window));
    g_array_append_val (self->windows, window);
  }
}

/* ---- files ---- */

/* The bytes of a module's text that are the same wherever it lies. */
typedef struct {
  gsize length;
  guint8 *bytes;
  guint8 *same;
} ModuleText;

static void
module_text_clear (ModuleText *text)
{
  g_free (text->bytes);
  g_free (text->same);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ModuleText, module_text_clear)

static gboolean
read_text (const char *path, guint64 place, ModuleText *text, Candidate *candidate)
{
  g_autoptr (PenKernelFile) file = pen_kernel_file_open (path, NULL);
  const guint8 *id;
  guint length = 0;
  guint64 end;

  if (!file || !pen_kernel_file_is_module (file))
    return FALSE;
  pen_kernel_file_place (file, place);
  end = pen_kernel_file_get_code_end (file);
  if (end <= place || end - place > MAX_TEXT)
    return FALSE;
  text->length = end - place;
  text->bytes = g_malloc0 (text->length);
  text->same = g_malloc0 (text->length);
  pen_kernel_file_read (file, place, text->length, text->bytes, text->same, NULL);
  for (gsize i = 0; i < text->length; i++)
    text->same[i] = text->same[i] == PEN_FILE_BYTE_SAME;
  candidate->text_length = text->length;
  id = pen_kernel_file_get_build_id (file, &length);
  if (id && length <= sizeof candidate->build_id) {
    memcpy (candidate->build_id, id, length);
    candidate->build_id_length = (guint8) length;
  }
  return TRUE;
}

/* Returns: how many bytes agree; 0: more than @others do not */
static guint
compare (const ModuleText *text, gsize at, const guint8 *bytes, guint others)
{
  guint n = (guint) MIN (PEN_WITNESSED_BYTES, text->length - at);
  guint same = 0;
  guint other = 0;

  for (guint i = 0; i < n && other <= others; i++) {
    if (!text->same[at + i])
      continue;
    if (text->bytes[at + i] == bytes[i])
      same++;
    else
      other++;
  }
  return other <= others ? same : 0;
}

/* @func: what is done with a hit. Returns: FALSE as soon as it does */
typedef gboolean (*HitFunc) (const Hit *hit, gpointer user_data);

static gboolean
foreach_hit (const Search *self, const ModuleText *text, guint others, HitFunc func,
             gpointer user_data)
{
  for (guint i = 0; i < self->windows->len; i++) {
    const Window *window = &g_array_index (self->windows, Window, i);

    for (gsize at = window->start & (PAGE - 1); at + MIN_SAME <= text->length; at += PAGE) {
      Hit hit
          = { i, self->files->len, window->start - at, compare (text, at, window->bytes, others) };

      if (hit.same >= MIN_SAME && !func (&hit, user_data))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
stop_at_hit (const Hit *hit G_GNUC_UNUSED, gpointer user_data G_GNUC_UNUSED)
{
  return FALSE;
}

static gboolean
may_have_any (const Search *self, const ModuleText *text)
{
  return !foreach_hit (self, text, MAX_ABSOLUTE, stop_at_hit, NULL);
}

static gboolean
add_hit (const Hit *hit, gpointer user_data)
{
  g_array_append_vals (user_data, hit, 1);
  return TRUE;
}

/* Of the file that is listed next. */
static void
list_hits (const Search *self, const ModuleText *text)
{
  foreach_hit (self, text, 0, add_hit, self->hits);
}

/* "…/virtio-blk.ko.xz" is "[virtio_blk]" (M4). */
static char *
name_module (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  char *end = strstr (base, ".ko");
  char *name;

  if (end)
    *end = '\0';
  name = g_strdup_printf ("[%s]", base);
  g_strdelimit (name, "-", '_');
  return name;
}

/* Absolute addresses are known by reading the text for two places; few files need that. */
static void
drop_absolute (const char *path, ModuleText *text)
{
  g_auto (ModuleText) other = { 0 };
  Candidate again = { 0 };

  if (!read_text (path, OTHER_PLACE, &other, &again) || other.length != text->length) {
    memset (text->same, 0, text->length);
    return;
  }
  for (gsize i = 0; i < text->length; i++)
    text->same[i] &= other.same[i] && other.bytes[i] == text->bytes[i];
}

static void
look_into (Search *self, const char *path)
{
  g_auto (ModuleText) text = { 0 };
  Candidate candidate = { 0 };

  if (!read_text (path, PLACE, &text, &candidate))
    return;
  self->text += text.length;
  if (!may_have_any (self, &text))
    return;
  drop_absolute (path, &text);
  candidate.name = name_module (path);
  list_hits (self, &text);
  g_array_append_val (self->files, candidate);
}

/* ---- which one ---- */

static guint
hash_place (gconstpointer key)
{
  return pen_data_hash (key, 2 * sizeof (guint64));
}

static gboolean
equal_places (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, 2 * sizeof (guint64)) == 0;
}

/* Of several modules with the same bytes, the one that has most readings at that place. */
static void
choose (Search *self)
{
  g_autoptr (GHashTable) votes = g_hash_table_new_full (hash_place, equal_places, g_free, NULL);
  g_autofree guint *best = g_new0 (guint, self->windows->len + 1);

  for (guint i = 0; i < self->hits->len; i++) {
    const Hit *hit = &g_array_index (self->hits, Hit, i);
    const guint64 place[2] = { hit->file, hit->base };
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (votes, place));

    g_hash_table_replace (votes, g_memdup2 (place, sizeof place), GUINT_TO_POINTER (n + 1));
  }
  for (guint i = 0; i < self->hits->len; i++) {
    const Hit *hit = &g_array_index (self->hits, Hit, i);
    const guint64 place[2] = { hit->file, hit->base };
    Window *window = &g_array_index (self->windows, Window, hit->window);
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (votes, place));

    if (n > best[hit->window]) {
      best[hit->window] = n;
      window->n_hits = 1;
      window->hit = i;
    } else if (n == best[hit->window]) {
      window->n_hits++;
    }
  }
}

static GArray *
list_modules (const Search *self, PenReadings *readings)
{
  const PenSeen *seen = pen_readings_get (readings, &(guint){ 0 });
  GArray *modules = g_array_new (FALSE, FALSE, sizeof (PenModule));

  g_array_set_clear_func (modules, (GDestroyNotify) pen_module_clear);
  for (guint i = 0; i < self->windows->len; i++) {
    const Window *window = &g_array_index (self->windows, Window, i);
    PenModule module = { 0 };
    const Candidate *candidate;
    const Hit *hit;

    if (window->n_hits != 1)
      continue;
    hit = &g_array_index (self->hits, Hit, window->hit);
    candidate = &g_array_index (self->files, Candidate, hit->file);
    module.name = g_strdup (candidate->name);
    module.start = hit->base;
    module.length = (candidate->text_length + PAGE - 1) & ~(guint64) (PAGE - 1);
    module.time = seen[window->seen].moment.time;
    memcpy (module.build_id, candidate->build_id, sizeof module.build_id);
    module.build_id_length = candidate->build_id_length;
    g_array_append_val (modules, module);
  }
  return modules;
}

GArray *
pen_witnessed_modules_find (PenReadings *readings, PenRangeIndex *named, guint64 text_start,
                            guint64 text_end, PenKernelFinder *finder, GCancellable *cancellable,
                            GError **error)
{
  g_autoptr (GArray) windows = g_array_new (FALSE, FALSE, sizeof (Window));
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  g_autoptr (GPtrArray) paths = NULL;
  Search search = { .windows = windows, .files = files, .hits = hits };

  g_array_set_clear_func (files, candidate_clear);
  list_windows (&search, readings, named, text_start, text_end);
  if (windows->len > 0)
    paths = pen_kernel_finder_list_modules (finder);
  for (guint i = 0; paths && i < paths->len && search.text < PEN_WITNESSED_MODULES_TEXT; i++) {
    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return NULL;
    look_into (&search, paths->pdata[i]);
  }
  choose (&search);
  return list_modules (&search, readings);
}
