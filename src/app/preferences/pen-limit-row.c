/* pen-limit-row.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-limit-row.h"

#include <glib/gi18n-lib.h>

#include "pen-cache.h"

#define GB (G_GUINT64_CONSTANT (1000) * 1000 * 1000)

struct _PenLimitRow {
  AdwComboRow parent_instance;

  GArray *limits; /* (element-type guint64): ascending, as in the model */
  gboolean is_updating;
};

enum { LIMIT_CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PenLimitRow, pen_limit_row, ADW_TYPE_COMBO_ROW)

static char *
limit_in_words (guint64 limit)
{
  if (limit == PEN_CACHE_NO_LIMIT)
    return g_strdup (_ ("No Limit"));
  if (limit >= GB && limit % GB == 0)
    return g_strdup_printf (_ ("%u GB"), (guint) (limit / GB));
  return g_format_size (limit);
}

static gboolean
find_limit (PenLimitRow *self, guint64 limit, guint *position)
{
  for (*position = 0; *position < self->limits->len; (*position)++) {
    guint64 other = g_array_index (self->limits, guint64, *position);

    if (other >= limit)
      return other == limit;
  }
  return FALSE;
}

static void
fill_limits (PenLimitRow *self)
{
  static const guint64 limits[]
      = { 1 * GB, 2 * GB, 5 * GB, 10 * GB, 20 * GB, 50 * GB, PEN_CACHE_NO_LIMIT };

  g_array_set_size (self->limits, 0);
  g_array_append_vals (self->limits, limits, G_N_ELEMENTS (limits));
}

static void
show_limits (PenLimitRow *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < self->limits->len; i++)
    gtk_string_list_take (names, limit_in_words (g_array_index (self->limits, guint64, i)));
  adw_combo_row_set_model (ADW_COMBO_ROW (self), G_LIST_MODEL (names));
}

void
pen_limit_row_set_limit (PenLimitRow *self, guint64 limit)
{
  guint position;

  self->is_updating = TRUE;
  if (!find_limit (self, limit, &position)) {
    fill_limits (self);
    if (!find_limit (self, limit, &position))
      g_array_insert_val (self->limits, position, limit);
    show_limits (self);
  }
  adw_combo_row_set_selected (ADW_COMBO_ROW (self), position);
  self->is_updating = FALSE;
}

void
pen_limit_row_set_unknown (PenLimitRow *self)
{
  self->is_updating = TRUE;
  adw_combo_row_set_selected (ADW_COMBO_ROW (self), GTK_INVALID_LIST_POSITION);
  self->is_updating = FALSE;
}

static gboolean
get_limit (PenLimitRow *self, guint64 *limit)
{
  guint position = adw_combo_row_get_selected (ADW_COMBO_ROW (self));

  if (position >= self->limits->len)
    return FALSE;
  *limit = g_array_index (self->limits, guint64, position);
  return TRUE;
}

static void
on_selected (PenLimitRow *self)
{
  guint64 limit;

  if (!self->is_updating && get_limit (self, &limit))
    g_signal_emit (self, signals[LIMIT_CHOSEN], 0, limit);
}

static void
pen_limit_row_finalize (GObject *object)
{
  g_array_unref (PEN_LIMIT_ROW (object)->limits);

  G_OBJECT_CLASS (pen_limit_row_parent_class)->finalize (object);
}

static void
pen_limit_row_class_init (PenLimitRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_limit_row_finalize;
  signals[LIMIT_CHOSEN]
      = g_signal_new ("limit-chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 1, G_TYPE_UINT64);
}

static void
pen_limit_row_init (PenLimitRow *self)
{
  self->limits = g_array_new (FALSE, FALSE, sizeof (guint64));
  fill_limits (self);
  show_limits (self);
  pen_limit_row_set_unknown (self);
  g_signal_connect (self, "notify::selected", G_CALLBACK (on_selected), NULL);
}
