/* pen-pair-source-lines.c: the lines of source of a function in two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-source-lines.h"

#include "pen-table-hash.h"

/* A line of A and one of B that instructions have which stand beside each other. */
typedef struct {
  const char *places[2];
  guint first;
  guint n;
} Vote;

/*
 * @rows: of each side: place → row
 * @votes: (element-type Vote): a set; @sorted: the same by number
 */
typedef struct {
  PenPairFunction *function;
  PenNames *strings;
  PenCancelCheck *check;
  GHashTable *rows[2];
  GHashTable *votes;
  GPtrArray *sorted;
} Listing;

static void
listing_clear (Listing *self)
{
  g_clear_pointer (&self->rows[0], g_hash_table_unref);
  g_clear_pointer (&self->rows[1], g_hash_table_unref);
  g_clear_pointer (&self->votes, g_hash_table_unref);
  g_clear_pointer (&self->sorted, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Listing, listing_clear)

static guint
vote_hash (gconstpointer vote)
{
  return pen_data_hash (((const Vote *) vote)->places, sizeof ((const Vote *) vote)->places);
}

static gboolean
vote_equal (gconstpointer a, gconstpointer b)
{
  const Vote *x = a;
  const Vote *y = b;

  return x->places[0] == y->places[0] && x->places[1] == y->places[1];
}

/* Most first; of as many, the one that comes first. */
static int
compare_votes (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const Vote *x = *(const Vote *const *) a;
  const Vote *y = *(const Vote *const *) b;

  return x->n != y->n ? (x->n > y->n ? -1 : 1) : (x->first > y->first) - (x->first < y->first);
}

/* Equal ones have equal pointers; NULL: not known. */
static const char *
get_place (Listing *self, const PenAnnotationLine *line)
{
  g_autofree char *words = NULL;

  if (!line || !line->source_file)
    return NULL;
  words = g_strdup_printf ("%s:%u", line->source_file, line->source_line);
  return pen_names_add (self->strings, words);
}

static void
count_votes (Listing *self)
{
  const GPtrArray *lines = self->function->lines;

  for (guint i = 0; i < lines->len && pen_cancel_check_step (self->check); i++) {
    const PenPairLine *line = lines->pdata[i];
    const Vote wanted
        = { { get_place (self, line->lines[0]), get_place (self, line->lines[1]) }, i, 1 };
    Vote *vote;

    if (!wanted.places[0] || !wanted.places[1])
      continue;
    vote = g_hash_table_lookup (self->votes, &wanted);
    if (vote) {
      vote->n++;
      continue;
    }
    vote = g_memdup2 (&wanted, sizeof wanted);
    g_hash_table_add (self->votes, vote);
    g_ptr_array_add (self->sorted, vote);
  }
}

static PenPairSourceLine *
add_row (Listing *self)
{
  PenPairSourceLine *row = g_new0 (PenPairSourceLine, 1);

  g_ptr_array_add (self->function->sources, row);
  return row;
}

/* Each line goes with one other at most: with whom it shares most instructions. */
static void
join_lines (Listing *self)
{
  if (!pen_cancel_check_sort (self->check, self->sorted->pdata, self->sorted->len,
                              sizeof (gpointer), compare_votes, NULL))
    return;
  for (guint i = 0; i < self->sorted->len; i++) {
    const Vote *vote = self->sorted->pdata[i];
    PenPairSourceLine *row;

    if (g_hash_table_contains (self->rows[0], vote->places[0])
        || g_hash_table_contains (self->rows[1], vote->places[1]))
      continue;
    row = add_row (self);
    g_hash_table_insert (self->rows[0], (gpointer) vote->places[0], row);
    g_hash_table_insert (self->rows[1], (gpointer) vote->places[1], row);
  }
}

static PenPairSourceLine *
find_row (Listing *self, guint side, const char *place)
{
  PenPairSourceLine *row = g_hash_table_lookup (self->rows[side], place);

  if (row)
    return row;
  row = add_row (self);
  g_hash_table_insert (self->rows[side], (gpointer) place, row);
  return row;
}

/* What one side does not know is the other's; what neither knows has a row without a place. */
static void
add_side (Listing *self, const PenPairLine *line, guint side)
{
  const PenAnnotationLine *own = line->lines[side];
  const char *places[2] = { get_place (self, line->lines[0]), get_place (self, line->lines[1]) };
  guint of = places[side] || !places[!side] ? side : !side;
  PenPairSourceLine *row;

  if (!own && line->rates[side].samples == 0)
    return;
  row = find_row (self, places[of] ? of : 0,
                  places[of] ? places[of] : pen_names_add (self->strings, ""));
  if (places[of]) {
    row->files[of] = line->lines[of]->source_file;
    row->lines[of] = line->lines[of]->source_line;
  }
  row->rates[side].samples += line->rates[side].samples;
  row->instructions[side] += own != NULL;
  if (line->difference != PEN_PAIR_LINE_SAME && line->difference != PEN_PAIR_LINE_REST)
    row->n_different += side == 0 || !line->lines[0];
}

void
pen_pair_list_source_lines (PenPairFunction *function, PenNames *strings, PenCancelCheck *check)
{
  g_auto (Listing) self = { .function = function, .strings = strings, .check = check };

  for (guint i = 0; i < 2; i++)
    self.rows[i] = g_hash_table_new (pen_direct_hash, NULL);
  self.votes = g_hash_table_new_full (vote_hash, vote_equal, g_free, NULL);
  self.sorted = g_ptr_array_new ();
  count_votes (&self);
  join_lines (&self);
  for (guint i = 0; i < function->lines->len && pen_cancel_check_step (check); i++)
    for (guint side = 0; side < 2; side++)
      add_side (&self, function->lines->pdata[i], side);
}
