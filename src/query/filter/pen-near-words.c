/* pen-near-words.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-near-words.h"

#include <string.h>

#include "pen-names.h"
#include "pen-table-hash.h"

#define MAX_NEAR 5
/* Words that are further off than this are no slip of the finger. */
#define MAX_DISTANCE 3
#define MAX_COMPARED 128
/* Shorter parts occur everywhere. */
#define MIN_PART 3

typedef struct {
  const char *word;
  guint distance;
  guint64 weight;
} NearWord;

struct _PenNearWords {
  char *written;
  guint reach; /* the longest distance that counts */
  GArray *near;
  PenNames *words;
};

PenNearWords *
pen_near_words_new (const char *written)
{
  PenNearWords *self = g_new0 (PenNearWords, 1);

  self->written = g_strdup (written);
  /* Two wrong letters of three are another word. */
  self->reach = (guint) CLAMP (strlen (written) / 2, 1, MAX_DISTANCE);
  self->near = g_array_new (FALSE, FALSE, sizeof (NearWord));
  self->words = pen_names_new ();
  return self;
}

void
pen_near_words_free (PenNearWords *self)
{
  g_array_unref (self->near);
  pen_names_free (self->words);
  g_free (self->written);
  g_free (self);
}

/* Letters to put in, take out, change, or to exchange with their neighbour. */
static guint
edit_distance (const char *a, const char *b)
{
  gsize n_a = strlen (a);
  gsize n_b = strlen (b);
  guint rows[3][MAX_COMPARED + 1];
  guint *before = rows[0];
  guint *last = rows[1];
  guint *row = rows[2];

  if (n_a > MAX_COMPARED || n_b > MAX_COMPARED)
    return G_MAXUINT;
  for (guint j = 0; j <= n_b; j++)
    row[j] = j;
  for (guint i = 1; i <= n_a; i++) {
    guint *spare = before;

    before = last;
    last = row;
    row = spare;
    row[0] = i;
    for (guint j = 1; j <= n_b; j++) {
      row[j] = MIN (MIN (last[j], row[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = MIN (row[j], before[j - 2] + 1);
    }
  }
  return row[n_b];
}

void
pen_near_words_offer (PenNearWords *self, const char *word, guint64 weight)
{
  NearWord near = { word, edit_distance (self->written, word), weight };

  if (near.distance > self->reach && strlen (self->written) >= MIN_PART
      && strstr (word, self->written))
    near.distance = self->reach;
  if (near.distance > self->reach)
    return;
  near.word = pen_names_add (self->words, word);
  g_array_append_val (self->near, near);
}

static int
compare_near (gconstpointer a, gconstpointer b)
{
  const NearWord *x = a;
  const NearWord *y = b;

  if (x->distance != y->distance)
    return x->distance < y->distance ? -1 : 1;
  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return strcmp (x->word, y->word);
}

char *
pen_near_words_list (PenNearWords *self)
{
  g_autoptr (GHashTable) seen
      = g_hash_table_new (pen_direct_hash, NULL); /* the chunk has each word once */
  g_autoptr (GString) words = g_string_new (NULL);

  g_array_sort (self->near, compare_near);
  for (guint i = 0; i < self->near->len && g_hash_table_size (seen) < MAX_NEAR; i++) {
    const char *word = g_array_index (self->near, NearWord, i).word;

    if (g_hash_table_add (seen, (gpointer) word))
      g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "", word);
  }
  return words->len > 0 ? g_string_free (g_steal_pointer (&words), FALSE) : NULL;
}
