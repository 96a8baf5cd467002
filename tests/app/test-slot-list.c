/* test-slot-list.c: the rows of an annotation, made when they are asked for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "app-support.h"
#include "pen-slot-list.h"

/* A session that shows vfs_read, which was patched. */
static PenSession *
open_function (void)
{
  g_autofree char *path = app_support_capture ("b-ftrace.data");
  PenSession *session = pen_session_new ();
  guint32 function;

  pen_session_set_remembers (session, FALSE);
  pen_session_open (session, path);
  app_support_settle (session);
  g_assert_true (app_support_find_function (session, "vfs_read", &function));
  pen_session_set_function (session, function);
  app_support_settle (session);
  g_assert_nonnull (pen_session_get_answers (session)->annotation);
  return session;
}

static const PenStrips *
get_strips (PenSession *session)
{
  return pen_session_get_answers (session)->annotation;
}

static PenSlot *
dup_slot (PenSlotList *list, guint i)
{
  return g_list_model_get_item (G_LIST_MODEL (list), i);
}

static void
make_all (PenSlotList *list)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (list)); i++) {
    g_autoptr (PenSlot) slot = dup_slot (list, i);

    g_assert_cmpuint (pen_slot_get_n_lines (slot), ==, pen_slot_list_count_versions (list, i));
  }
}

/* (transfer full): one about the instruction at @address */
static GPtrArray *
new_notes (PenNote *note, PenNoteRow *row, guint64 address)
{
  GPtrArray *notes = g_ptr_array_new ();

  note->has_address = TRUE;
  note->address = address;
  row->note = note;
  g_ptr_array_add (notes, row);
  return notes;
}

typedef struct {
  guint n_lit;
  guint n_noted;
  guint n_absent;
  guint n_changed;
  guint n_arrows;
  guint n_marked;
} Seen;

static void
assert_same (PenSlotList *early, PenSlotList *late, Seen *seen)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (early));

  *seen = (Seen){ 0 };
  g_assert_cmpuint (n, >, 100);
  g_assert_cmpuint (n, ==, g_list_model_get_n_items (G_LIST_MODEL (late)));
  for (guint i = 0; i < n; i++) {
    g_autoptr (PenSlot) a = dup_slot (early, i);
    g_autoptr (PenSlot) b = dup_slot (late, i);
    PenJumpCell jumps_a, jumps_b;

    g_assert_true (pen_slot_get_line (a) == pen_slot_get_line (b));
    g_assert_cmpint (pen_slot_is_present (a), ==, pen_slot_is_present (b));
    g_assert_cmpint (pen_slot_is_lit (a), ==, pen_slot_is_lit (b));
    g_assert_cmpstr (pen_slot_get_needle (a), ==, pen_slot_get_needle (b));
    g_assert_cmpuint (pen_slot_get_hottest (a), ==, pen_slot_get_hottest (b));
    g_assert_cmpuint (pen_slot_get_clock (a)->span.from, ==, pen_slot_get_clock (b)->span.from);
    g_assert_cmpint (!pen_slot_get_notes (a), ==, !pen_slot_get_notes (b));
    g_assert_cmpuint (pen_slot_get_jumps (a, &jumps_a), ==, pen_slot_get_jumps (b, &jumps_b));
    g_assert_cmpmem (&jumps_a, sizeof jumps_a, &jumps_b, sizeof jumps_b);
    seen->n_lit += pen_slot_is_lit (b);
    seen->n_noted += pen_slot_get_notes (b) != NULL;
    seen->n_absent += !pen_slot_is_present (b);
    seen->n_changed += pen_slot_get_line (b) != pen_slot_get_nth_line (b, 0);
    seen->n_arrows += jumps_b.arrow != 0;
    seen->n_marked += jumps_b.marked != 0;
  }
}

/* A slot that a jump goes to. */
static guint64
find_arrow (PenSlotList *list)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (list)); i++) {
    g_autoptr (PenSlot) slot = dup_slot (list, i);
    PenJumpCell jumps;

    pen_slot_get_jumps (slot, &jumps);
    if (jumps.arrow != 0)
      return pen_slot_get_address (slot);
  }
  g_assert_not_reached ();
}

/* Whether a slot is made before or after something is set, it shows that. */
static void
test_late (void)
{
  g_autoptr (PenSession) session = open_function ();
  const PenStrips *strips = get_strips (session);
  const PenAnnotated *annotated = strips->text->annotated;
  PenClock clock = pen_session_get_clock (session);
  guint64 middle = clock.span.from + pen_span_length (clock.span) / 2;
  g_autoptr (PenSlotList) early = pen_slot_list_new ();
  g_autoptr (PenSlotList) late = pen_slot_list_new ();
  PenSlotList *const lists[] = { early, late };
  PenNote note = { 0 };
  PenNoteRow row = { 0 };
  g_autoptr (GPtrArray) notes = NULL;
  guint64 target = 0;
  Seen seen;

  notes = new_notes (&note, &row, annotated->start);
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++) {
    pen_slot_list_replace (lists[i], strips);
    if (lists[i] == early)
      make_all (early);
    pen_slot_list_set_clock (lists[i], &clock);
    pen_slot_list_set_playhead (lists[i], middle);
    pen_slot_list_set_needle (lists[i], "call");
    pen_slot_list_set_notes (lists[i], notes);
    pen_slot_list_set_lit (lists[i], annotated->start + 1, annotated->start + 8);
  }
  target = find_arrow (early);
  pen_slot_list_set_line (early, target);
  pen_slot_list_set_line (late, target);
  assert_same (early, late, &seen);
  g_assert_cmpuint (seen.n_lit, >=, 2);
  g_assert_cmpuint (seen.n_noted, ==, 1);
  g_assert_cmpuint (seen.n_changed, >, 0);
  g_assert_cmpuint (seen.n_arrows, >, 1);
  g_assert_cmpuint (seen.n_marked, >, 1);
  g_assert_cmpuint (seen.n_marked, <, g_list_model_get_n_items (G_LIST_MODEL (late)));

  /* Rows that are there already change. */
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++) {
    pen_slot_list_set_playhead (lists[i], 0);
    pen_slot_list_set_needle (lists[i], "");
    pen_slot_list_set_notes (lists[i], NULL);
    pen_slot_list_set_lit (lists[i], annotated->start + 8, annotated->start + 9);
    pen_slot_list_set_has_arrows (lists[i], FALSE);
  }
  assert_same (early, late, &seen);
  g_assert_cmpuint (seen.n_lit, ==, 1);
  g_assert_cmpuint (seen.n_noted + seen.n_arrows + seen.n_changed, ==, 0);
}

static void
on_changed (PenSlot *slot G_GNUC_UNUSED, gpointer n)
{
  (*(guint *) n)++;
}

static void
on_items (GListModel *model, guint position, guint removed, guint added, gpointer n)
{
  g_assert_cmpuint (position, ==, 0);
  g_assert_cmpuint (added, ==, g_list_model_get_n_items (model));
  *(guint *) n = removed;
}

/* Newer samples go to the slots that are there; other rows are others. */
static void
test_same (void)
{
  g_autoptr (PenSession) session = open_function ();
  const PenStrips *strips = get_strips (session);
  g_autoptr (PenSlotList) list = pen_slot_list_new ();
  g_autoptr (PenSlot) slot = NULL;
  g_autoptr (PenSlot) again = NULL;
  g_autoptr (PenSlot) other = NULL;
  guint n, n_changed = 0, n_removed = 0;
  guint row;

  g_assert_false (pen_slot_list_is_of (list, strips));
  g_assert_false (pen_slot_list_update (list, strips));
  pen_slot_list_replace (list, strips);
  g_assert_true (pen_slot_list_is_of (list, strips));
  n = g_list_model_get_n_items (G_LIST_MODEL (list));
  slot = dup_slot (list, 3);
  g_signal_connect (slot, "changed", G_CALLBACK (on_changed), &n_changed);
  g_signal_connect (list, "items-changed", G_CALLBACK (on_items), &n_removed);

  g_assert_true (pen_slot_list_update (list, strips));
  again = dup_slot (list, 3);
  g_assert_true (slot == again);
  g_assert_cmpuint (n_changed, >, 0);
  g_assert_cmpuint (n_removed, ==, 0);
  g_assert_true (pen_slot_list_find (list, pen_slot_get_address (slot), &row));
  g_assert_cmpuint (row, ==, 3);

  pen_slot_list_replace (list, strips);
  other = dup_slot (list, 3);
  g_assert_true (slot != other);
  g_assert_cmpuint (n_removed, ==, n);
  g_assert_null (dup_slot (list, n));

  pen_slot_list_replace (list, NULL);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 0);
  g_assert_false (pen_slot_list_is_of (list, strips));
  g_assert_false (pen_slot_list_find (list, pen_slot_get_address (slot), &row));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  app_support_begin ();
  g_test_add_func ("/slot-list/late", test_late);
  g_test_add_func ("/slot-list/same", test_same);
  status = g_test_run ();
  app_support_end ();
  return status;
}
