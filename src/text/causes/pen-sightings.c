/* pen-sightings.c
 *
 * A list is read again and again, and is often the same: each version of it is kept once. Times and
 * versions rise together, so that both are searched by halves.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sightings.h"

#include "pen-table-hash.h"

/* Of one key; more tell nothing. */
#define MAX_NAMES 8u

typedef struct {
  guint64 begun;
  guint64 ended;
  guint version;
} Reading;

typedef struct {
  guint version;
  const char *names;
} Sighting;

struct _PenSightings {
  PenNames *names;
  GArray *readings;    /* Reading */
  GArray *firsts;      /* guint: of each version, its first reading */
  GHashTable *numbers; /* guint64 → (element-type Sighting) */
  GHashTable *words;
  gboolean is_ignored; /* what was begun last */
};

const char *
pen_sightings_join (PenNames *kept, const char *names, const char *name)
{
  g_auto (GStrv) words = names ? g_strsplit (names, ", ", -1) : NULL;
  g_autofree char *joined = NULL;

  if (!names)
    return pen_names_add (kept, name);
  if (g_strv_contains ((const char *const *) words, name) || g_strv_length (words) >= MAX_NAMES)
    return names;
  joined = g_strconcat (names, ", ", name, NULL);
  return pen_names_add (kept, joined);
}

PenSightings *
pen_sightings_new (PenNames *names)
{
  PenSightings *self = g_new0 (PenSightings, 1);

  self->names = names;
  self->readings = g_array_new (FALSE, FALSE, sizeof (Reading));
  self->firsts = g_array_new (FALSE, FALSE, sizeof (guint));
  self->numbers = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free,
                                         (GDestroyNotify) g_array_unref);
  self->words
      = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref);
  return self;
}

void
pen_sightings_free (PenSightings *self)
{
  if (!self)
    return;
  g_array_unref (self->readings);
  g_array_unref (self->firsts);
  g_hash_table_unref (self->numbers);
  g_hash_table_unref (self->words);
  g_free (self);
}

/* ---- filling ---- */

/* Whoever wrote the times may have written any: one that does not rise is left out. */
static gboolean
add_reading (PenSightings *self, guint64 begun, guint64 ended, guint version)
{
  const Reading *last = self->readings->len > 0
                            ? &g_array_index (self->readings, Reading, self->readings->len - 1)
                            : NULL;
  Reading reading = { begun, MAX (begun, ended), version };

  if (last && begun < last->ended)
    return FALSE;
  g_array_append_val (self->readings, reading);
  return TRUE;
}

void
pen_sightings_begin (PenSightings *self, guint64 begun, guint64 ended)
{
  guint first = self->readings->len;

  self->is_ignored = !add_reading (self, begun, ended, self->firsts->len);
  if (!self->is_ignored)
    g_array_append_val (self->firsts, first);
}

void
pen_sightings_repeat (PenSightings *self, guint64 begun, guint64 ended)
{
  if (self->firsts->len > 0 && !self->is_ignored)
    add_reading (self, begun, ended, self->firsts->len - 1);
}

static void
add (PenSightings *self, GArray *list, const char *name)
{
  Sighting *last = list->len > 0 ? &g_array_index (list, Sighting, list->len - 1) : NULL;
  Sighting sighting = { self->firsts->len - 1, NULL };

  if (last && last->version == sighting.version) {
    last->names = pen_sightings_join (self->names, last->names, name);
    return;
  }
  sighting.names = pen_names_add (self->names, name);
  g_array_append_val (list, sighting);
}

static gboolean
may_add (PenSightings *self)
{
  return !self->is_ignored && self->firsts->len > 0;
}

static GArray *
new_list (void)
{
  return g_array_new (FALSE, FALSE, sizeof (Sighting));
}

void
pen_sightings_add_number (PenSightings *self, guint64 key, const char *name)
{
  GArray *list = g_hash_table_lookup (self->numbers, &key);

  if (!may_add (self))
    return;
  if (!list)
    g_hash_table_insert (self->numbers, g_memdup2 (&key, sizeof key), list = new_list ());
  add (self, list, name);
}

void
pen_sightings_add_word (PenSightings *self, const char *key, const char *name)
{
  GArray *list = g_hash_table_lookup (self->words, key);

  if (!may_add (self))
    return;
  if (!list)
    g_hash_table_insert (self->words, (gpointer) pen_names_add (self->names, key),
                         list = new_list ());
  add (self, list, name);
}

/* ---- finding ---- */

static const Reading *
get_reading (PenSightings *self, guint index)
{
  return &g_array_index (self->readings, Reading, index);
}

/* Returns: the first reading that was begun at @time or later */
static guint
find_begun (PenSightings *self, guint64 time)
{
  guint low = 0;
  guint high = self->readings->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (get_reading (self, middle)->begun < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns: how many readings were complete by @time */
static guint
count_ended (PenSightings *self, guint64 time)
{
  guint low = 0;
  guint high = self->readings->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (get_reading (self, middle)->ended <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns: the first of @list that is of @version or a later one */
static guint
find_version (const GArray *list, guint version)
{
  guint low = 0;
  guint high = list->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (list, Sighting, middle).version < version)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static const char *
find_after (PenSightings *self, const GArray *list, guint64 from, guint64 until, guint64 *begun)
{
  guint at = find_begun (self, from);
  guint version = at < self->readings->len ? get_reading (self, at)->version : G_MAXUINT;
  guint found = find_version (list, version);
  const Sighting *sighting = found < list->len ? &g_array_index (list, Sighting, found) : NULL;

  if (!sighting)
    return NULL;
  if (sighting->version != version)
    at = g_array_index (self->firsts, guint, sighting->version);
  if (at >= self->readings->len || get_reading (self, at)->ended > until)
    return NULL;
  *begun = get_reading (self, at)->begun;
  return sighting->names;
}

/* The last reading of a version is the one before the next version's first. */
static guint
find_last (PenSightings *self, guint version)
{
  return (version + 1 < self->firsts->len ? g_array_index (self->firsts, guint, version + 1)
                                          : self->readings->len)
         - 1;
}

static const char *
find_before (PenSightings *self, const GArray *list, guint64 since, guint64 until, guint64 *begun)
{
  guint n = count_ended (self, until);
  guint version = n > 0 ? get_reading (self, n - 1)->version : 0;
  guint found = n > 0 ? find_version (list, version + 1) : 0;
  const Sighting *sighting = found > 0 ? &g_array_index (list, Sighting, found - 1) : NULL;
  guint at = n - 1;

  if (!sighting)
    return NULL;
  if (sighting->version != version)
    at = find_last (self, sighting->version);
  if (get_reading (self, at)->begun < since)
    return NULL;
  *begun = get_reading (self, at)->begun;
  return sighting->names;
}

static const char *
find (PenSightings *self, const GArray *list, const PenSightingSpan *span, guint64 *begun)
{
  const char *names = NULL;

  if (!list)
    return NULL;
  for (guint i = 0; i < 2 && !names; i++)
    names = (i == 0) == (span->is_forward != FALSE)
                ? find_after (self, list, span->time, span->until, begun)
                : find_before (self, list, span->since, span->time, begun);
  return names;
}

const char *
pen_sightings_find_number (PenSightings *self, guint64 key, const PenSightingSpan *span)
{
  return find (self, g_hash_table_lookup (self->numbers, &key), span, &(guint64){ 0 });
}

const char *
pen_sightings_find_word (PenSightings *self, const char *key, const PenSightingSpan *span,
                         guint64 *begun)
{
  guint64 unused;

  return find (self, g_hash_table_lookup (self->words, key), span, begun ? begun : &unused);
}
