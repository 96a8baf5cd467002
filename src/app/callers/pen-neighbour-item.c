/* pen-neighbour-item.c: a caller or a callee, as a row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-neighbour-item.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>

#include "pen-column.h"
#include "pen-compare.h"
#include "pen-display.h"
#include "pen-flame.h"
#include "pen-format.h"
#include "pen-name-label.h"
#include "pen-palette.h"
#include "pen-phrases.h"
#include "pen-tooltip.h"

struct _PenNeighbourItem {
  GObject parent_instance;

  PenNeighbourAnswer *answer;
  PenStackSide side;
  guint index;
};

G_DEFINE_FINAL_TYPE (PenNeighbourItem, pen_neighbour_item, G_TYPE_OBJECT)

static void
pen_neighbour_item_finalize (GObject *object)
{
  pen_neighbour_answer_unref (PEN_NEIGHBOUR_ITEM (object)->answer);

  G_OBJECT_CLASS (pen_neighbour_item_parent_class)->finalize (object);
}

static void
pen_neighbour_item_class_init (PenNeighbourItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_neighbour_item_finalize;
}

static void
pen_neighbour_item_init (PenNeighbourItem *self)
{
}

PenNeighbourItem *
pen_neighbour_item_new (const PenNeighbourAnswer *answer, PenStackSide side, guint index)
{
  PenNeighbourItem *self = g_object_new (PEN_TYPE_NEIGHBOUR_ITEM, NULL);

  self->answer = g_atomic_rc_box_acquire ((PenNeighbourAnswer *) answer);
  self->side = side;
  self->index = index;
  return self;
}

const PenStackNeighbour *
pen_neighbour_item_get_row (PenNeighbourItem *self)
{
  return &g_array_index (self->answer->sides[self->side]->rows, PenStackNeighbour, self->index);
}

static const PenStackGroup *
get_group (PenNeighbourItem *self)
{
  const PenStackNeighbour *row = pen_neighbour_item_get_row (self);

  return row->what == PEN_NEIGHBOUR_FRAME ? &self->answer->sides[self->side]->groups[row->group]
                                          : NULL;
}

const PenFunction *
pen_neighbour_item_get_function (PenNeighbourItem *self)
{
  const PenStackGroup *group = get_group (self);

  return group && group->function < self->answer->n_functions
             ? &self->answer->functions[group->function]
             : NULL;
}

char *
pen_neighbour_item_dup_name (PenNeighbourItem *self)
{
  const PenStackGroup *group = get_group (self);

  if (pen_neighbour_item_get_row (self)->what == PEN_NEIGHBOUR_UNRECORDED)
    return g_strdup (_ ("(callers unknown)"));
  if (!group)
    return g_strdup (self->side == PEN_STACK_CALLERS              ? _ ("(outermost frame)")
                     : self->answer->measure == PEN_STACK_OFF_CPU ? _ ("(its own waits)")
                                                                  : _ ("(its own samples)"));
  return pen_flame_dup_group_name (group);
}

/* ---- cells ---- */

static GtkWidget *
make_name (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *kind = gtk_label_new (NULL);
  GtkWidget *name = pen_name_label_new ();

  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (box), kind);
  gtk_box_append (GTK_BOX (box), name);
  return box;
}

static void
show_name (GtkWidget *cell, gpointer item)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  const PenStackGroup *group = get_group (item);
  GtkWidget *mark = gtk_widget_get_first_child (cell);
  g_autofree char *name = pen_neighbour_item_dup_name (item);
  g_autofree char *occupant
      = group ? pen_display_text (group->occupant ? group->occupant : "") : g_strdup ("");
  g_autofree char *square = group ? pen_format_square (pen_palette_kind (group->kind, dark))
                                  : g_strdup ("<span alpha=\"1\">■</span>");
  g_autofree char *tooltip
      = group ? g_strdup_printf ("%s\n%s %s", name, pen_palette_kind_title (group->kind), occupant)
              : g_strdup (name);

  gtk_label_set_markup (GTK_LABEL (mark), square);
  gtk_accessible_update_property (GTK_ACCESSIBLE (mark), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  group ? pen_palette_kind_title (group->kind) : "", -1);
  pen_name_label_set_name (PEN_NAME_LABEL (gtk_widget_get_last_child (cell)), name);
  pen_tooltip_set (cell, tooltip);
}

/* Whether others of the side are of the same function: in another text, and of another load. */
static gboolean
has_other_texts (PenNeighbourItem *self, gboolean *has_other_loads)
{
  const GArray *rows = self->answer->sides[self->side]->rows;
  const PenStackNeighbour *row = pen_neighbour_item_get_row (self);
  gboolean found = FALSE;

  *has_other_loads = FALSE;
  for (guint i = 0; i < rows->len; i++) {
    const PenStackNeighbour *other = &g_array_index (rows, PenStackNeighbour, i);

    if (other == row || other->what != row->what || other->group != row->group)
      continue;
    found = TRUE;
    *has_other_loads |= other->tenure != row->tenure;
  }
  return found;
}

/* The text that the call was in: "original", "Static key 2", or of several loads "load 12". Nothing
 * of text that had one only. */
static char *
dup_version (PenNeighbourItem *self)
{
  const PenStackNeighbour *row = pen_neighbour_item_get_row (self);
  gboolean has_other_loads;
  gboolean has_others = has_other_texts (self, &has_other_loads);

  if (row->poke != 0)
    return g_strdup_printf ("%s %u", pen_palette_cause_title (row->cause), row->revision);
  /* Translators: number of a tenure */
  if (has_other_loads && row->tenure != 0)
    return g_strdup_printf (_ ("load %u"), row->tenure);
  return g_strdup (has_others ? C_ ("version", "original") : "");
}

static void
show_version (GtkWidget *cell, gpointer item)
{
  g_autofree char *text = dup_version (item);

  gtk_label_set_text (GTK_LABEL (cell), text);
  pen_tooltip_set (cell, text[0] ? text : NULL);
}

static guint64
get_count (PenNeighbourItem *self)
{
  return pen_stack_count_get (pen_neighbour_item_get_row (self)->count, self->answer->measure);
}

static void
show_count (GtkWidget *cell, gpointer item)
{
  g_autofree char *text = pen_flame_format_number (((PenNeighbourItem *) item)->answer->measure,
                                                   pen_neighbour_item_get_row (item)->count);

  gtk_label_set_text (GTK_LABEL (cell), text);
}

static void
show_share (GtkWidget *cell, gpointer item)
{
  g_autofree char *text = pen_format_share (pen_neighbour_item_get_row (item)->share);

  gtk_label_set_text (GTK_LABEL (cell), text);
}

static void
show_rate (GtkWidget *cell, gpointer item)
{
  gboolean has_rate = ((PenNeighbourItem *) item)->answer->measure != PEN_STACK_OFF_CPU;
  g_autofree char *text
      = has_rate ? pen_format_rate (pen_neighbour_item_get_row (item)->rate) : g_strdup ("");

  gtk_label_set_text (GTK_LABEL (cell), text);
}

/* "do_syscall_64, Kernel, 34 samples, 12.3 %" */
static char *
speak (gpointer item)
{
  const PenStackNeighbour *row = pen_neighbour_item_get_row (item);
  const PenStackGroup *group = get_group (item);
  g_autofree char *name = pen_neighbour_item_dup_name (item);
  g_autofree char *samples = ((PenNeighbourItem *) item)->answer->measure == PEN_STACK_OFF_CPU
                                 ? pen_flame_format_number (PEN_STACK_OFF_CPU, row->count)
                                 : pen_phrase_samples (row->count.samples, TRUE);
  g_autofree char *share = pen_format_share (row->share);
  g_autofree char *version = dup_version (item);

  return g_strdup_printf ("%s%s%s, %s, %s%s%s", name, group ? ", " : "",
                          group ? pen_palette_kind_title (group->kind) : "", samples, share,
                          version[0] ? ", " : "", version);
}

/* ---- order: numbers begin with the largest ---- */

static int
compare_names (gconstpointer a, gconstpointer b, gpointer user_data)
{
  g_autofree char *first = pen_neighbour_item_dup_name ((PenNeighbourItem *) a);
  g_autofree char *second = pen_neighbour_item_dup_name ((PenNeighbourItem *) b);

  return g_ascii_strcasecmp (first, second);
}

static int
compare_counts (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return PEN_COMPARE (get_count ((PenNeighbourItem *) b), get_count ((PenNeighbourItem *) a));
}

static int
compare_versions (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenStackNeighbour *first = pen_neighbour_item_get_row ((PenNeighbourItem *) a);
  const PenStackNeighbour *second = pen_neighbour_item_get_row ((PenNeighbourItem *) b);
  int tenures = PEN_COMPARE (first->tenure, second->tenure);

  return tenures != 0 ? tenures : PEN_COMPARE (first->revision, second->revision);
}

#define NAME(heading, explanation)                                                                 \
  {                                                                                                \
    .title = heading, .tooltip = explanation, .ellipsize = TRUE, .expand = TRUE,                   \
    .make = make_name, .show = show_name, .speak = speak, .compare = compare_names                 \
  }

#define COUNT                                                                                      \
  {                                                                                                \
    .title = N_ ("Samples"), .tooltip = N_ ("Samples whose stacks have the call"), .width = 66,    \
    .css = "numeric", .align_end = TRUE, .show = show_count, .compare = compare_counts             \
  }

#define SHARE                                                                                      \
  {                                                                                                \
    .title = N_ ("Share"), .tooltip = N_ ("Share of the samples through the selected function"),   \
    .width = 64, .css = "numeric", .align_end = TRUE, .show = show_share,                          \
    .compare = compare_counts, .min_width = 260                                                    \
  }

#define RATE                                                                                       \
  {                                                                                                \
    .title = N_ ("Rate"), .tooltip = N_ ("Samples per second"), .width = 64, .css = "numeric",     \
    .align_end = TRUE, .show = show_rate, .compare = compare_counts, .min_width = 440              \
  }

#define TEXT                                                                                       \
  {                                                                                                \
    .title = N_ ("Text"), .tooltip = N_ ("Version of the text that the call was in"), .width = 92, \
    .ellipsize = TRUE, .show = show_version, .compare = compare_versions, .min_width = 330         \
  }

static const PenColumnSpec caller_columns[] = {
  NAME (N_ ("Called by"), N_ ("Function that calls the selected one")), TEXT, COUNT, SHARE, RATE,
};

static const PenColumnSpec callee_columns[]
    = { NAME (N_ ("Calls"), N_ ("Function that the selected one calls")), TEXT, COUNT, SHARE,
        RATE };

void
pen_neighbour_columns_add (GtkColumnView *view, PenStackSide side)
{
  if (side == PEN_STACK_CALLERS)
    pen_column_add_all (view, caller_columns, G_N_ELEMENTS (caller_columns));
  else
    pen_column_add_all (view, callee_columns, G_N_ELEMENTS (callee_columns));
}
