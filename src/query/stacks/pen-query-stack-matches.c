/* pen-query-stack-matches.c: stacks through frames that are searched for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-flame-diff.h"

#include "pen-recorded-time.h"
#include "pen-stack-counts.h"

/* By group: a group that no stack has is not asked about. */
enum { UNKNOWN, OTHER, MATCHING };

static PenStackCounts *
count_between (PenQuery *query, const PenFilter *filter, const PenFlameOptions *options,
               const PenFlameWindow windows[2], GError **error)
{
  g_autoptr (PenRecordedTime) recorded = pen_recorded_time_new (query, NULL, error);
  g_autoptr (GArray) before = NULL;
  g_autoptr (GArray) after = NULL;

  if (!recorded)
    return NULL;
  before = pen_recorded_time_list (recorded, windows[0].from, windows[0].to);
  after = pen_recorded_time_list (recorded, windows[1].from, windows[1].to);
  return pen_stack_counts_new_between (query, filter, options, before, after, error);
}

/* Which nodes any stack goes through. A parent is less than its node. */
static guint8 *
find_used (const PenStackCounts *counts)
{
  const PenStackTrie *trie = counts->trie;
  guint8 *used = g_malloc0 (trie->n);

  for (guint32 i = trie->n; i-- > 1;) {
    used[i] |= i < counts->n && !pen_stack_count_is_zero (counts->own[i]);
    used[trie->nodes[i].parent] |= used[i];
  }
  return used;
}

gboolean
pen_query_stack_matches (PenQuery *self, const PenFilter *filter, const PenFlameOptions *options,
                         const PenFlameWindow *windows, PenStackMatchFunc is_match,
                         gpointer user_data, PenStackMatches *matches, GError **error)
{
  g_autoptr (PenStackCounts) counts = windows
                                          ? count_between (self, filter, options, windows, error)
                                          : pen_stack_counts_new (self, filter, options, error);
  const GArray *groups = counts ? counts->index->groups[options->grouping]->groups : NULL;
  const PenStackGroup *first = groups ? (const PenStackGroup *) (gpointer) groups->data : NULL;
  g_autofree guint8 *used = counts ? find_used (counts) : NULL;
  g_autofree guint8 *known = NULL;

  *matches = (PenStackMatches){ 0 };
  if (!counts)
    return FALSE;
  known = g_malloc0 (groups->len);
  /* From here on: whether a node or one above it matches. */
  used[0] = FALSE;
  for (guint32 i = 1; i < counts->trie->n; i++) {
    guint32 group = counts->trie->nodes[i].group;

    if (!pen_store_steps_on (self->store, i, error))
      return FALSE;
    if (!used[i])
      continue;
    if (known[group] == UNKNOWN) {
      known[group] = is_match (&first[group], group, user_data) ? MATCHING : OTHER;
      matches->n_groups += known[group] == MATCHING;
    }
    used[i] = known[group] == MATCHING || used[counts->trie->nodes[i].parent];
    if (i < counts->n && used[i])
      pen_stack_count_add (&matches->count, counts->own[i]);
  }
  return TRUE;
}
