/* pen-timeless.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-timeless.h"

#include "pen-binary-search.h"

/* Of one address: so many parts are collected, after so many were seen that had ended. */
#define MAX_PARTS 64u
#define MAX_SEEN 1024u

struct _PenTimeless {
  PenHistory *history;
  guint32 *images; /* ids of process spaces by pid, then by id; NULL until asked for */
};

/* What may hold the address. */
typedef struct {
  const PenTimeless *timeless;
  guint64 address;
  PenMoment moment;
  const PenPart *parts[2][MAX_PARTS]; /* ksymbols; maps */
  guint n[2];
  gboolean is_full;
} Candidates;

typedef struct {
  const PenPart *part; /* NULL: none so far */
  guint32 revision;
  gboolean is_ambiguous;
} Answer;

PenTimeless *
pen_timeless_new (PenHistory *history)
{
  PenTimeless *self = g_new0 (PenTimeless, 1);

  self->history = history;
  return self;
}

void
pen_timeless_free (PenTimeless *self)
{
  if (!self)
    return;
  g_free (self->images);
  g_free (self);
}

/* ---- candidates ---- */

static gboolean
take_part (const PenPart *part, gpointer user_data)
{
  Candidates *candidates = user_data;
  const PenTenure *tenure = pen_history_get_tenure_at (candidates->timeless->history, part->tenure);
  guint layer = tenure->layer == PEN_LAYER_KSYMBOL ? 0 : 1;

  if (pen_moment_compare (part->from, part->to) >= 0
      || pen_moment_compare (part->to, candidates->moment) < 0)
    return TRUE;
  if (candidates->n[layer] == MAX_PARTS) {
    candidates->is_full = TRUE;
    return FALSE;
  }
  candidates->parts[layer][candidates->n[layer]++] = part;
  return TRUE;
}

static void
take_plane (Candidates *candidates, guint plane)
{
  PenPlanes *planes = &candidates->timeless->history->planes;

  if (!pen_planes_foreach (planes, plane, candidates->address, MAX_SEEN, take_part, candidates))
    candidates->is_full = TRUE;
}

/* ---- what of them is possible ---- */

/* Whether @part is there in the stretch that begins with @moment; the sample's own ends there. */
static gboolean
is_there (const Candidates *candidates, const PenPart *part, PenMoment moment)
{
  if (pen_moment_compare (moment, candidates->moment) == 0)
    return pen_moment_compare (part->from, moment) < 0;
  return pen_moment_compare (part->from, moment) <= 0 && pen_moment_compare (moment, part->to) < 0;
}

/* The one of a layer that starts nearest. */
static const PenPart *
find_there (const Candidates *candidates, guint layer, PenMoment moment)
{
  const PenPart *nearest = NULL;

  for (guint i = 0; i < candidates->n[layer]; i++) {
    const PenPart *part = candidates->parts[layer][i];

    if (is_there (candidates, part, moment) && (!nearest || part->start > nearest->start))
      nearest = part;
  }
  return nearest;
}

static guint64
get_place (const PenPart *part, guint64 address)
{
  return part->file_offset + (address - part->start);
}

static gboolean
is_same (const Candidates *candidates, const PenPart *a, const PenPart *b)
{
  const PenTenure *x = pen_history_get_tenure_at (candidates->timeless->history, a->tenure);
  const PenTenure *y = pen_history_get_tenure_at (candidates->timeless->history, b->tenure);

  return x == y
         || (x->kind == y->kind && x->kind != PEN_KIND_UNKNOWN && x->occupant == y->occupant
             && get_place (a, candidates->address) == get_place (b, candidates->address));
}

static void
add_possible (const Candidates *candidates, const PenPart *part, Answer *answer)
{
  const PenPatches *patches = &candidates->timeless->history->patches;
  guint64 address = candidates->address;
  guint32 least;
  guint32 most;

  if (!part)
    return;
  least = pen_patches_count (patches, part->tenure, address, candidates->moment);
  most = pen_patches_count (patches, part->tenure, address, PEN_MOMENT_END);
  if (least != most
      || (answer->part
          && (answer->revision != most || !is_same (candidates, answer->part, part)))) {
    answer->is_ambiguous = TRUE;
    return;
  }
  if (!answer->part) {
    answer->part = part;
    answer->revision = most;
  }
}

static void
add_possible_at (const Candidates *candidates, PenMoment moment, Answer *answer)
{
  const PenPart *part = find_there (candidates, 0, moment);

  add_possible (candidates, part ? part : find_there (candidates, 1, moment), answer);
}

/* Whatever begins or ends, what is there changes then. */
static Answer
choose (const Candidates *candidates)
{
  Answer answer = { .is_ambiguous = candidates->is_full };

  add_possible_at (candidates, candidates->moment, &answer);
  for (guint layer = 0; layer < 2; layer++)
    for (guint i = 0; i < candidates->n[layer] && !answer.is_ambiguous; i++) {
      const PenPart *part = candidates->parts[layer][i];

      if (pen_moment_compare (part->from, candidates->moment) > 0)
        add_possible_at (candidates, part->from, &answer);
      if (pen_moment_compare (part->to, PEN_MOMENT_END) < 0)
        add_possible_at (candidates, part->to, &answer);
    }
  return answer;
}

static const PenTenure *
tell (const Candidates *candidates, guint32 *revision, gboolean *is_ambiguous)
{
  Answer answer = choose (candidates);

  if (is_ambiguous)
    *is_ambiguous = answer.is_ambiguous;
  if (revision)
    *revision = answer.is_ambiguous ? 0 : answer.revision;
  return answer.part && !answer.is_ambiguous
             ? pen_history_get_tenure_at (candidates->timeless->history, answer.part->tenure)
             : NULL;
}

const PenTenure *
pen_timeless_find_kernel (PenTimeless *self, guint64 address, PenMoment moment, guint32 *revision,
                          gboolean *is_ambiguous)
{
  Candidates candidates = { .timeless = self, .address = address, .moment = moment };

  take_plane (&candidates, PEN_PLANE_KSYMBOLS);
  take_plane (&candidates, PEN_PLANE_KERNEL_MAPS);
  return tell (&candidates, revision, is_ambiguous);
}

/* ---- images of a process ---- */

static int
compare_pids (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenSpace *spaces = user_data;
  guint32 first = *(const guint32 *) a;
  guint32 second = *(const guint32 *) b;

  if (spaces[first].pid != spaces[second].pid)
    return spaces[first].pid < spaces[second].pid ? -1 : 1;
  return first < second ? -1 : first > second;
}

static void
list_images (PenTimeless *self)
{
  const PenSpace *spaces = (const PenSpace *) (gpointer) self->history->spaces->data;
  guint n = self->history->spaces->len;
  PenCancelCheck check = { 0 };

  self->images = g_new (guint32, n);
  for (guint32 i = 0; i < n; i++)
    self->images[i] = i;
  /* The kernel's own comes first: its pid is -1, and it is left out. */
  pen_cancel_check_sort (&check, self->images + 1, n - 1, sizeof *self->images, compare_pids,
                         (gpointer) spaces);
}

const PenTenure *
pen_timeless_find_process (PenTimeless *self, gint32 pid, guint64 address, PenMoment moment,
                           gboolean *is_ambiguous)
{
  Candidates candidates = { .timeless = self, .address = address, .moment = moment };
  const PenSpace *spaces = (const PenSpace *) (gpointer) self->history->spaces->data;
  guint n = self->history->spaces->len;
  guint first;

  if (!self->images)
    list_images (self);
  first = PEN_BINARY_SEARCH (i, 1, n, spaces[self->images[i]].pid < pid);
  for (guint i = first; i < n && spaces[self->images[i]].pid == pid && !candidates.is_full; i++) {
    if (i - first == MAX_SEEN)
      candidates.is_full = TRUE;
    else if (pen_moment_compare (spaces[self->images[i]].to, moment) >= 0)
      take_plane (&candidates, pen_plane_of (self->images[i], PEN_LAYER_MAP));
  }
  return tell (&candidates, NULL, is_ambiguous);
}
