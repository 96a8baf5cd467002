/* pen-annotated.c: where the lines of an annotation lead, and when they change
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include "pen-annotated.h"
#include "pen-binary-search.h"

#include <string.h>

void
pen_annotated_free (PenAnnotated *annotated)
{
  if (!annotated)
    return;
  g_free (annotated->symbol);
  g_free (annotated->occupant);
  g_clear_pointer (&annotated->lines, g_ptr_array_unref);
  g_clear_pointer (&annotated->tenures, g_array_unref);
  g_clear_pointer (&annotated->pokes, g_array_unref);
  g_clear_pointer (&annotated->jumps, g_array_unref);
  g_clear_pointer (&annotated->calls, g_array_unref);
  g_clear_pointer (&annotated->hot, g_array_unref);
  g_free (annotated);
}

static const PenAnnotationLine *
get_line (const PenAnnotated *annotated, guint index)
{
  return annotated->lines->pdata[index];
}

/* The line that began at @address and stood just before @moment; G_MAXUINT: none. O(log n) and the
 * versions of the address. */
static guint
find_line (const PenAnnotated *annotated, guint64 address, PenMoment moment)
{
  guint low
      = PEN_BINARY_SEARCH (i, 0, annotated->lines->len, get_line (annotated, i)->address < address);

  for (; low < annotated->lines->len && get_line (annotated, low)->address == address; low++) {
    const PenAnnotationLine *line = get_line (annotated, low);

    if (!line->is_inside && pen_annotation_line_stood (line, moment))
      return low;
  }
  return G_MAXUINT;
}

/* ---- jumps and calls ---- */

typedef struct {
  const char *target; /* "vfs_read+0x10" */
  guint32 function;
} Callee;

static void
match_callee (const PenFunction *function, gpointer user_data)
{
  Callee *callee = user_data;
  gsize length = function->symbol ? strlen (function->symbol) : 0;

  if (length > 0 && strncmp (callee->target, function->symbol, length) == 0
      && (callee->target[length] == '\0' || callee->target[length] == '+'))
    callee->function = function->id;
}

static void
add_call (PenAnnotated *annotated, PenQuery *query, guint index)
{
  const PenAnnotationLine *line = get_line (annotated, index);
  Callee callee = { line->target, G_MAXUINT32 };
  PenAnnotatedCall call = { index, line->target_address, G_MAXUINT32 };

  if (line->target && line->target_address < G_MAXUINT64)
    pen_query_foreach_function_in (query, line->target_address, line->target_address + 1,
                                   match_callee, &callee);
  call.function = callee.function;
  g_array_append_val (annotated->calls, call);
}

/* Just after @moment. */
static PenMoment
get_moment_after (PenMoment moment)
{
  if (moment.position < G_MAXUINT64)
    return (PenMoment){ moment.time, moment.position + 1 };
  return (PenMoment){ moment.time + (moment.time < G_MAXUINT64), 0 };
}

static void
add_target (PenAnnotated *annotated, PenQuery *query, guint index)
{
  const PenAnnotationLine *line = get_line (annotated, index);
  PenAnnotatedJump jump = { index, 0, line->target_address };

  if (line->target_address < annotated->start || line->target_address >= annotated->end) {
    add_call (annotated, query, index);
    return;
  }
  jump.target = find_line (annotated, line->target_address, get_moment_after (line->from));
  if (jump.target != G_MAXUINT)
    g_array_append_val (annotated->jumps, jump);
}

/* ---- heat ---- */

typedef struct {
  guint64 weight;
  guint line;
} Heat;

static int
compare_heat (gconstpointer a, gconstpointer b)
{
  const Heat *x = a;
  const Heat *y = b;

  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

static GArray *
renew (GArray **array, gsize size)
{
  g_clear_pointer (array, g_array_unref);
  *array = g_array_new (FALSE, FALSE, (guint) size);
  return *array;
}

void
pen_annotated_index (PenAnnotated *annotated, PenQuery *query)
{
  g_autoptr (GArray) heats = g_array_new (FALSE, FALSE, sizeof (Heat));

  renew (&annotated->jumps, sizeof (PenAnnotatedJump));
  renew (&annotated->calls, sizeof (PenAnnotatedCall));
  renew (&annotated->hot, sizeof (guint));
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = get_line (annotated, i);
    Heat heat = { pen_amount_get (pen_annotated_get_line_amount (annotated, line)), i };

    if (line->has_target)
      add_target (annotated, query, i);
    if (line->samples > 0)
      g_array_append_val (heats, heat);
  }
  g_array_sort (heats, compare_heat);
  for (guint i = 0; i < heats->len; i++)
    g_array_append_val (annotated->hot, g_array_index (heats, Heat, i).line);
}

/* ---- one moment ---- */

#define GONE G_MAXUINT

static void
keep_targets (PenAnnotated *annotated, const guint *places)
{
  guint n = 0;

  for (guint i = 0; i < annotated->jumps->len; i++) {
    PenAnnotatedJump jump = g_array_index (annotated->jumps, PenAnnotatedJump, i);

    if (places[jump.line] != GONE)
      g_array_index (annotated->jumps, PenAnnotatedJump, n++) = jump;
  }
  g_array_set_size (annotated->jumps, n);
  n = 0;
  for (guint i = 0; i < annotated->calls->len; i++) {
    PenAnnotatedCall call = g_array_index (annotated->calls, PenAnnotatedCall, i);

    if (places[call.line] == GONE)
      continue;
    call.line = places[call.line];
    g_array_index (annotated->calls, PenAnnotatedCall, n++) = call;
  }
  g_array_set_size (annotated->calls, n);
  n = 0;
  for (guint i = 0; i < annotated->hot->len; i++) {
    guint place = places[g_array_index (annotated->hot, guint, i)];

    if (place != GONE)
      g_array_index (annotated->hot, guint, n++) = place;
  }
  g_array_set_size (annotated->hot, n);
}

/* Which line a jump leads to is a question of the moment. */
static void
renew_jumps (PenAnnotated *annotated, const guint *places, PenMoment moment)
{
  guint n = 0;

  for (guint i = 0; i < annotated->jumps->len; i++) {
    PenAnnotatedJump jump = g_array_index (annotated->jumps, PenAnnotatedJump, i);

    jump.line = places[jump.line];
    jump.target = find_line (annotated, jump.address, moment);
    if (jump.target != G_MAXUINT)
      g_array_index (annotated->jumps, PenAnnotatedJump, n++) = jump;
  }
  g_array_set_size (annotated->jumps, n);
}

void
pen_annotated_keep (PenAnnotated *annotated, PenMoment moment)
{
  g_autofree guint *places = g_new (guint, annotated->lines->len + 1);
  GPtrArray *kept = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_annotation_line_free);

  for (guint i = 0; i < annotated->lines->len; i++) {
    places[i] = GONE;
    if (!pen_annotation_line_stood (get_line (annotated, i), moment))
      continue;
    places[i] = kept->len;
    g_ptr_array_add (kept, g_steal_pointer (&annotated->lines->pdata[i]));
  }
  g_ptr_array_unref (annotated->lines);
  annotated->lines = kept;
  keep_targets (annotated, places);
  renew_jumps (annotated, places, moment);
}
