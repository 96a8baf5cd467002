/* pen-loss-spans.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-loss-spans.h"

#include "pen-binary-search.h"

typedef struct {
  guint64 from;
  guint64 to;
} LossSpan;

/* @spans: by time, none of which touch */
struct _PenLossSpans {
  GArray *spans; /* LossSpan */
};

/* The kernel's own count of an event, at the end of a recording, is about losses that are known. */
static gboolean
is_about (const PenLoss *loss, int event)
{
  switch (loss->kind) {
  case PEN_LOSS_RECORDS:
  case PEN_LOSS_SET_ASIDE:
  case PEN_LOSS_TRUNCATED:
    return TRUE;
  default:
    return event >= 0 && (!loss->has_event || loss->event == (guint32) event)
           && (loss->count == 0 || loss->repeated < loss->count);
  }
}

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const LossSpan *x = a;
  const LossSpan *y = b;

  return x->from < y->from ? -1 : x->from > y->from;
}

static void
join_spans (GArray *spans)
{
  LossSpan *all = (LossSpan *) (gpointer) spans->data;
  guint n = 0;

  for (guint i = 0; i < spans->len; i++)
    if (n > 0 && all[i].from <= all[n - 1].to)
      all[n - 1].to = MAX (all[n - 1].to, all[i].to);
    else
      all[n++] = all[i];
  g_array_set_size (spans, n);
}

PenLossSpans *
pen_loss_spans_new (const GArray *losses, int event)
{
  PenLossSpans *self = g_new0 (PenLossSpans, 1);

  self->spans = g_array_new (FALSE, FALSE, sizeof (LossSpan));
  for (guint i = 0; i < losses->len; i++) {
    const PenLoss *loss = &g_array_index (losses, PenLoss, i);
    LossSpan span = { loss->from, loss->to };

    if (is_about (loss, event))
      g_array_append_val (self->spans, span);
  }
  g_array_sort (self->spans, compare_spans);
  join_spans (self->spans);
  return self;
}

void
pen_loss_spans_free (PenLossSpans *self)
{
  g_array_unref (self->spans);
  g_free (self);
}

gboolean
pen_loss_spans_meet (const PenLossSpans *self, guint64 from, guint64 to)
{
  const LossSpan *spans = (const LossSpan *) (gpointer) self->spans->data;
  guint next = PEN_BINARY_SEARCH (i, 0, self->spans->len, spans[i].to <= from);

  return next < self->spans->len && spans[next].from < to;
}
