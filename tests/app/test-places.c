/* test-places.c: where one has been: steps, bursts, going back, forgetting
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-places.h"

#define LATER (PEN_PLACES_BURST * 2)

typedef struct {
  PenPlaces *places;
  PenFilter *filter;
  gint64 now;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data G_GNUC_UNUSED)
{
  *f = (Fixture){ pen_places_new (), pen_filter_new (), 1 };
}

static void
tear_down (Fixture *f, gconstpointer data G_GNUC_UNUSED)
{
  pen_places_free (f->places);
  pen_filter_free (f->filter);
}

/* A place that is told apart by its name, function and zoom. */
static PenVisit
place_at (Fixture *f, const char *name, guint32 function, guint64 from)
{
  return (PenVisit){
    .name = (char *) name,
    .view.visible = { from, 1000000 },
    .view.filter = f->filter,
    .view.has_function = function > 0,
    .view.function = function,
  };
}

static gboolean
visit (Fixture *f, const char *name, guint32 function, guint64 from, gint64 after)
{
  PenVisit place = place_at (f, name, function, from);

  f->now += after;
  return pen_places_visit (f->places, &place, f->now);
}

static void
assert_name (const PenVisit *place, const char *name)
{
  g_assert_cmpstr (place ? place->name : NULL, ==, name);
}

static void
test_back_and_forward (Fixture *f, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_null (pen_places_peek (f->places, 0));
  g_assert_null (pen_places_go (f->places, -1));
  visit (f, "start", 1, 0, 0);
  visit (f, "b", 2, 0, LATER);
  visit (f, "c", 3, 0, LATER);
  assert_name (pen_places_peek (f->places, -1), "b");
  assert_name (pen_places_go (f->places, -2), "start");
  assert_name (pen_places_peek (f->places, 2), "c");
  g_assert_null (pen_places_peek (f->places, -1));
  g_assert_null (pen_places_go (f->places, 3));
  assert_name (pen_places_go (f->places, 1), "b");

  /* to be there already is no step; going elsewhere forgets what was ahead */
  g_assert_false (visit (f, "b again", 2, 0, LATER));
  assert_name (pen_places_peek (f->places, 1), "c");
  g_assert_true (visit (f, "d", 4, 0, LATER));
  g_assert_null (pen_places_peek (f->places, 1));
  assert_name (pen_places_peek (f->places, -1), "b");
}

static void
test_bursts (Fixture *f, gconstpointer data G_GNUC_UNUSED)
{
  visit (f, "start", 1, 0, 0);
  for (guint i = 1; i <= 30; i++)
    visit (f, "turn of the wheel", 1, i, PEN_PLACES_BURST / 2);
  assert_name (pen_places_peek (f->places, -1), "start");
  g_assert_cmpuint (pen_places_peek (f->places, 0)->view.visible.from, ==, 30);

  visit (f, "later", 1, 31, PEN_PLACES_BURST + 1);
  g_assert_cmpuint (pen_places_peek (f->places, -1)->view.visible.from, ==, 30);
  /* something else, however soon */
  visit (f, "function", 2, 31, 1);
  assert_name (pen_places_peek (f->places, -1), "later");
  visit (f, "zoom", 2, 32, 1);
  assert_name (pen_places_peek (f->places, -1), "function");
  visit (f, "zoom 2", 2, 33, PEN_PLACES_BURST + 1);
  assert_name (pen_places_peek (f->places, -1), "zoom");
  /* what was gone back to is not changed by what follows soon */
  pen_places_go (f->places, -1);
  visit (f, "zoom 3", 2, 34, 1);
  assert_name (pen_places_peek (f->places, -1), "zoom");
}

/* A stretch that is chosen and left again at once can be come back to. */
static void
test_stretch_left_at_once (Fixture *f, gconstpointer data G_GNUC_UNUSED)
{
  visit (f, "start", 0, 0, 0);
  f->filter->has_time = TRUE;
  f->filter->to = 10;
  visit (f, "drag", 0, 0, LATER);
  f->filter->to = 20;
  visit (f, "dragged on", 0, 0, 1);
  f->filter->has_time = FALSE;
  f->filter->to = 0;
  visit (f, "any time", 0, 0, 1);
  assert_name (pen_places_peek (f->places, 0), "any time");
  assert_name (pen_places_peek (f->places, -1), "dragged on");
  assert_name (pen_places_peek (f->places, -2), "start");
}

static void
test_burst_to_where_it_began (Fixture *f, gconstpointer data G_GNUC_UNUSED)
{
  visit (f, "start", 1, 0, 0);
  visit (f, "in", 1, 5, LATER);
  visit (f, "out", 1, 0, 1);
  assert_name (pen_places_peek (f->places, 0), "start");
  g_assert_null (pen_places_peek (f->places, -1));
  g_assert_null (pen_places_peek (f->places, 1));
}

static void
test_filters_are_steps (Fixture *f, gconstpointer data G_GNUC_UNUSED)
{
  visit (f, "start", 1, 0, 0);
  f->filter->only.kinds = 1;
  visit (f, "kinds", 1, 0, 1);
  f->filter->only.kinds = 2;
  visit (f, "kinds 2", 1, 0, 1);
  assert_name (pen_places_peek (f->places, -1), "kinds");
  /* a brush that is dragged is one */
  f->filter->has_time = TRUE;
  for (guint i = 0; i < 10; i++) {
    f->filter->to = i;
    visit (f, "time", 1, 0, 1);
  }
  assert_name (pen_places_peek (f->places, -1), "kinds 2");
  g_assert_cmpuint (pen_places_peek (f->places, 0)->view.filter->to, ==, 9);
  g_assert_cmpuint (pen_places_peek (f->places, -2)->view.filter->only.kinds, ==, 1);
}

static void
test_compare (Fixture *f, gconstpointer data G_GNUC_UNUSED)
{
  PenVisit a = place_at (f, "a", 1, 0);
  g_autoptr (PenVisit) b = pen_visit_copy (&a);

  g_assert_cmpint (pen_visit_compare (&a, b), ==, PEN_STEP_NONE);
  b->view.visible.from = 1;
  g_assert_cmpint (pen_visit_compare (&a, b), ==, PEN_STEP_ZOOM);
  b->view.page = PEN_PAGE_CAUSES;
  g_assert_cmpint (pen_visit_compare (&a, b), ==, PEN_STEP_PAGE);
  b->view.has_line = TRUE;
  g_assert_cmpint (pen_visit_compare (&a, b), ==, PEN_STEP_LINE);
  b->view.function = 2;
  g_assert_cmpint (pen_visit_compare (&a, b), ==, PEN_STEP_FUNCTION);
  b->view.filter->has_time = TRUE;
  g_assert_cmpint (pen_visit_compare (&a, b), ==, PEN_STEP_TIME);
  b->view.filter->changed = TRUE;
  g_assert_cmpint (pen_visit_compare (&a, b), ==, PEN_STEP_FILTER);
}

/* Frames that one walks over are one step; zooms into stacks are each chosen. */
static void
test_stacks (Fixture *f, gconstpointer data G_GNUC_UNUSED)
{
  PenVisit place = place_at (f, "start", 1, 0);
  g_autoptr (PenFlameState) words
      = pen_flame_state_new_from_words ("inverted,by-occupant,nonsense");
  g_autofree char *written = pen_flame_state_to_words (words);
  gint64 now = 0;

  g_assert_cmpstr (written, ==, "by-occupant,inverted");
  g_assert_cmpint (pen_flame_state_get_order (words), ==, PEN_FLAME_INNERMOST);
  {
    g_autoptr (PenFlameState) by_file = pen_flame_state_new_from_words ("by-file");

    g_assert_cmpint (by_file->grouping, ==, PEN_STACK_BY_FILE);
  }
  g_assert_true (pen_flame_state_equal (NULL, NULL));
  g_assert_false (pen_flame_state_equal (NULL, words));
  pen_places_visit (f->places, &place, now);
  for (guint i = 1; i <= 3; i++) {
    g_autoptr (PenFlameState) flame = pen_flame_state_new ();

    flame->subject = i;
    place.view.flame = flame;
    pen_places_visit (f->places, &place, ++now);
  }
  assert_name (pen_places_peek (f->places, -1), "start");
  g_assert_null (pen_places_peek (f->places, -2));
  for (guint32 i = 1; i <= 3; i++) {
    g_autoptr (PenFlameState) flame = pen_flame_state_new ();

    flame->subject = 3;
    g_array_append_val (flame->zoom, i);
    place.view.flame = flame;
    pen_places_visit (f->places, &place, ++now);
  }
  g_assert_nonnull (pen_places_peek (f->places, -4));
  g_assert_cmpuint (pen_places_peek (f->places, -1)->view.flame->zoom->len, ==, 1);
}

static void
test_settle (Fixture *f, gconstpointer data G_GNUC_UNUSED)
{
  PenVisit settled = place_at (f, "start", 7, 0);

  visit (f, "start", 0, 0, 0);
  pen_places_settle (f->places, &settled);
  g_assert_null (pen_places_peek (f->places, -1));
  g_assert_cmpuint (pen_places_peek (f->places, 0)->view.function, ==, 7);
}

static void
test_bounded (Fixture *f, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 1; i <= PEN_PLACES_MAX * 3; i++)
    visit (f, "place", i, 0, LATER);
  g_assert_cmpuint (pen_places_peek (f->places, 0)->view.function, ==, PEN_PLACES_MAX * 3);
  g_assert_nonnull (pen_places_peek (f->places, 1 - PEN_PLACES_MAX));
  g_assert_null (pen_places_peek (f->places, -PEN_PLACES_MAX));
  pen_places_clear (f->places);
  g_assert_null (pen_places_peek (f->places, 0));
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*func) (Fixture *, gconstpointer);
  } tests[] = {
    { "/places/back-and-forward", test_back_and_forward },
    { "/places/bursts", test_bursts },
    { "/places/stretch-left-at-once", test_stretch_left_at_once },
    { "/places/burst-to-where-it-began", test_burst_to_where_it_began },
    { "/places/filters-are-steps", test_filters_are_steps },
    { "/places/compare", test_compare },
    { "/places/stacks", test_stacks },
    { "/places/settle", test_settle },
    { "/places/bounded", test_bounded },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].func, tear_down);
  return g_test_run ();
}
