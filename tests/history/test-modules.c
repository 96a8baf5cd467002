/* test-modules.c: where modules were, and when, by rules M3 and M5 to M7
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "maker.h"

#define PLACE 0x10000
#define SIZE 0x4000
#define LAST 100

/* A poke's bytes do not matter here. */
#define OLD "aaaaa"
#define NEW "bbbbb"

static void
see_as (Maker *maker, PenMoment moment, gboolean is_dated, gboolean is_whole, const char *name,
        guint64 start, gboolean has_other_memory)
{
  const PenModuleSighting sighting = {
    .module = name,
    .start = start,
    .length = SIZE,
    .has_other_memory = has_other_memory,
    .evidence = PEN_EVIDENCE_FILE_UNCHECKED,
  };

  pen_history_add_modules (maker->history, moment, is_dated, is_whole, &sighting, name ? 1 : 0);
}

/* A dated list with one module, or none. */
static void
see (Maker *maker, guint64 time, const char *name, guint64 start)
{
  see_as (maker, (PenMoment){ time, 0 }, TRUE, TRUE, name, start, FALSE);
}

static PenMoment
tell (Maker *maker, guint64 time, gint32 tid, const char *name, gboolean is_free)
{
  const PenOrigin origin = {
    .moment = { time, ++maker->position },
    .has_task = TRUE,
    .tid = tid,
  };

  pen_history_add_module (maker->history, &origin, name, is_free);
  return origin.moment;
}

static void
allocate (Maker *maker, guint64 time, gint32 tid, guint64 start, guint64 length)
{
  const PenOrigin origin = {
    .moment = { time, ++maker->position },
    .has_task = TRUE,
    .tid = tid,
  };

  pen_history_add_allocation (maker->history, &origin, start, length);
}

static void
poke_by (Maker *maker, guint64 time, gint32 tid, guint64 address)
{
  const PenPoke poke = {
    .moment = { time, ++maker->position },
    .time = time,
    .has_time = TRUE,
    .address = address,
    .old_length = 5,
    .new_length = 5,
    .old_bytes = (const guint8 *) OLD,
    .new_bytes = (const guint8 *) NEW,
    .has_task = TRUE,
    .pid = tid,
    .tid = tid,
  };

  pen_history_add_poke (maker->history, &poke);
}

static PenEvidence
grade (Maker *maker, guint64 time, guint64 address)
{
  const PenTenure *tenure = maker_find_kernel (maker, time, address, NULL);
  const PenMoment now = { time, G_MAXUINT64 };

  return tenure ? pen_tenure_get_evidence (tenure, address, now, now) : PEN_EVIDENCE_UNKNOWN;
}

static PenEvidence
grade_whole (Maker *maker, guint64 time, guint64 address)
{
  const PenTenure *tenure = maker_find_kernel (maker, time, address, NULL);

  return pen_tenure_get_evidence (tenure, tenure->start, tenure->from, tenure->to);
}

/* ---- M5: a snapshot shows its own time ---- */

static void
test_load (void)
{
  g_autoptr (Maker) maker = maker_new ();

  tell (maker, 20, 1, "late", FALSE);
  see (maker, LAST, "[late]", PLACE);
  maker_assert_kernel (maker, 10, PLACE, NULL, 0);
  maker_assert_kernel (maker, 30, PLACE, "[late]", 0);
  maker_assert_kernel (maker, 30, PLACE + SIZE - 1, "[late]", 0);
  maker_assert_kernel (maker, 30, PLACE + SIZE, NULL, 0);
  g_assert_cmpint (grade (maker, 30, PLACE), ==, PEN_EVIDENCE_FILE_UNCHECKED);
  g_assert_cmpint (grade_whole (maker, 30, PLACE), ==, PEN_EVIDENCE_FILE_UNCHECKED);
}

static void
test_ksymbol_contradicts (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_register (maker, 10, PLACE + 0x800, 0x100, "bpf_prog_a");
  maker_unregister (maker, 20, PLACE + 0x800, 0x100, "bpf_prog_a");
  see (maker, LAST, "[late]", PLACE);
  maker_assert_kernel (maker, 15, PLACE, NULL, 0);
  maker_assert_kernel (maker, 15, PLACE + 0x800, "bpf_prog_a", 0);
  maker_assert_kernel (maker, 21, PLACE, "[late]", 0);
  maker_assert_kernel (maker, 21, PLACE + 0x800, "[late]", 0);
  g_assert_cmpint (grade (maker, 21, PLACE), ==, PEN_EVIDENCE_INFERRED);
  g_assert_cmpint (maker_find_kernel (maker, 21, PLACE, NULL)->from_bound, ==, PEN_BOUND_INFERRED);
}

/* A symbol that is still there when the list was made: the list knows nothing of that place. */
static void
test_live_ksymbol_contradicts (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_register (maker, 10, PLACE + 0x800, 0x100, "bpf_prog_a");
  see (maker, 50, "[late]", PLACE);
  maker_assert_kernel (maker, 40, PLACE, NULL, 0);
}

static void
test_free_contradicts (void)
{
  g_autoptr (Maker) maker = maker_new ();

  tell (maker, 20, 1, "late", TRUE);
  see (maker, LAST, "[late]", PLACE);
  maker_assert_kernel (maker, 10, PLACE, NULL, 0);
  maker_assert_kernel (maker, 30, PLACE, "[late]", 0);
  g_assert_cmpint (grade (maker, 30, PLACE), ==, PEN_EVIDENCE_INFERRED);
}

/* An undated list shows a module that was freed, and not loaded again, as it was before. */
static void
test_undated (void)
{
  g_autoptr (Maker) maker = maker_new ();

  tell (maker, 20, 1, "gone", TRUE);
  see_as (maker, (PenMoment){ LAST, G_MAXUINT64 }, FALSE, TRUE, "[gone]", PLACE, FALSE);
  maker_assert_kernel (maker, 10, PLACE, "[gone]", 0);
  maker_assert_kernel (maker, 30, PLACE, NULL, 0);
}

static void
test_last_list_lacks (void)
{
  g_autoptr (Maker) maker = maker_new ();

  see (maker, 20, "[a]", PLACE);
  see (maker, 60, NULL, 0);
  maker_assert_kernel (maker, 10, PLACE, "[a]", 0);
  maker_assert_kernel (maker, 40, PLACE, "[a]", 0);
  maker_assert_kernel (maker, 60, PLACE, NULL, 0);
  g_assert_cmpint (grade (maker, 10, PLACE), ==, PEN_EVIDENCE_INFERRED);
  g_assert_cmpint (grade (maker, 40, PLACE), ==, PEN_EVIDENCE_INFERRED);
}

/* Of the start, and not there any more: up to the list, or the first thing that contradicts it. */
static void
test_start_ends (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_kernel_map (maker, 0, PLACE, SIZE, "[a]");
  maker_kernel_map (maker, 0, 2 * PLACE, SIZE, "[b]");
  maker_register (maker, 30, 2 * PLACE + 0x10, 0x20, "bpf_prog_b");
  maker_unregister (maker, 40, 2 * PLACE + 0x10, 0x20, "bpf_prog_b");
  see (maker, 60, NULL, 0);
  maker_assert_kernel (maker, 50, PLACE, "[a]", 0);
  maker_assert_kernel (maker, 60, PLACE, NULL, 0);
  maker_assert_kernel (maker, 20, 2 * PLACE, "[b]", 0);
  maker_assert_kernel (maker, 35, 2 * PLACE, NULL, 0);
  maker_assert_kernel (maker, 50, 2 * PLACE, NULL, 0);
  g_assert_cmpint (grade (maker, 50, PLACE), ==, PEN_EVIDENCE_INFERRED);
  g_assert_cmpint (maker_find_kernel (maker, 50, PLACE, NULL)->to_bound, ==, PEN_BOUND_INFERRED);
}

/* Recorders let maps reach to the next one: what lies there later does not contradict the module.
 */
static void
test_stretched_map (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_kernel_map (maker, 0, PLACE, 0x8000, "[a]");
  maker_register (maker, 30, PLACE + 0x6000, 0x20, "bpf_prog_b");
  maker_unregister (maker, 40, PLACE + 0x6000, 0x20, "bpf_prog_b");
  tell (maker, 90, 1, "a", TRUE);
  maker_assert_kernel (maker, 50, PLACE, "[a]", 0);
  maker_assert_kernel (maker, 95, PLACE, NULL, 0);
}

/* ---- M6: several snapshots ---- */

/* Which of two was there between their lists is not known. */
static void
test_two_in_turn (void)
{
  g_autoptr (Maker) maker = maker_new ();

  see (maker, 20, "[a]", PLACE);
  see (maker, 60, "[b]", PLACE);
  maker_assert_kernel (maker, 10, PLACE, "[a]", 0);
  maker_assert_kernel (maker, 40, PLACE, NULL, 0);
  maker_assert_kernel (maker, 70, PLACE, "[b]", 0);
  g_assert_cmpint (grade (maker, 70, PLACE), ==, PEN_EVIDENCE_FILE_UNCHECKED);
}

/* Something that contradicts the second tells them apart. */
static void
test_two_with_bound (void)
{
  g_autoptr (Maker) maker = maker_new ();

  see (maker, 20, "[a]", PLACE);
  maker_register (maker, 30, PLACE, 0x40, "bpf_prog_a");
  maker_unregister (maker, 40, PLACE, 0x40, "bpf_prog_a");
  see (maker, 60, "[b]", PLACE);
  maker_assert_kernel (maker, 25, PLACE, "[a]", 0);
  maker_assert_kernel (maker, 35, PLACE + 0x40, NULL, 0);
  maker_assert_kernel (maker, 50, PLACE, "[b]", 0);
}

static void
test_moved (void)
{
  g_autoptr (Maker) maker = maker_new ();

  see (maker, 20, "[a]", PLACE);
  see (maker, 60, "[a]", 2 * PLACE);
  maker_assert_kernel (maker, 20, PLACE, "[a]", 0);
  maker_assert_kernel (maker, 70, PLACE, NULL, 0);
  maker_assert_kernel (maker, 70, 2 * PLACE, "[a]", 0);
}

static void
test_seen_again (void)
{
  g_autoptr (Maker) maker = maker_new ();
  guint n;

  maker_kernel_map (maker, 0, PLACE, SIZE, "[a]");
  see (maker, 20, "[a]", PLACE);
  see (maker, 60, "[a]", PLACE);
  maker_assert_kernel (maker, 40, PLACE, "[a]", 0);
  maker_assert_kernel (maker, 70, PLACE, "[a]", 0);
  g_assert_cmpint (grade (maker, 40, PLACE), ==, PEN_EVIDENCE_RECORDED);
  g_assert_cmpint (grade_whole (maker, 40, PLACE), ==, PEN_EVIDENCE_RECORDED);
  pen_history_get_tenures (maker->history, &n);
  g_assert_cmpuint (n, ==, 1);
}

/* Modules that only lists show may have gone between them, and come again: from the last one on it
 * is sure.
 */
static void
test_listed_again (void)
{
  g_autoptr (Maker) maker = maker_new ();
  guint n;

  see (maker, 20, "[a]", PLACE);
  see (maker, 40, "[a]", PLACE);
  see (maker, 60, "[a]", PLACE);
  maker_assert_kernel (maker, 10, PLACE, "[a]", 0);
  maker_assert_kernel (maker, 50, PLACE, "[a]", 0);
  maker_assert_kernel (maker, 70, PLACE, "[a]", 0);
  g_assert_cmpint (grade (maker, 50, PLACE), ==, PEN_EVIDENCE_INFERRED);
  g_assert_cmpint (grade (maker, 60, PLACE), ==, PEN_EVIDENCE_FILE_UNCHECKED);
  pen_history_get_tenures (maker->history, &n);
  g_assert_cmpuint (n, ==, 1);
}

/* And where something else was there meanwhile, it did. */
static void
test_listed_again_with_bound (void)
{
  g_autoptr (Maker) maker = maker_new ();

  see (maker, 20, "[a]", PLACE);
  maker_register (maker, 30, PLACE, 0x40, "bpf_prog_a");
  maker_unregister (maker, 40, PLACE, 0x40, "bpf_prog_a");
  see (maker, 60, "[a]", PLACE);
  maker_assert_kernel (maker, 25, PLACE, "[a]", 0);
  maker_assert_kernel (maker, 35, PLACE + 0x40, NULL, 0);
  maker_assert_kernel (maker, 50, PLACE, "[a]", 0);
  g_assert_cmpuint (maker_find_kernel (maker, 25, PLACE, NULL)->id, !=,
                    maker_find_kernel (maker, 50, PLACE, NULL)->id);
}

/* A list of one module, which says nothing of others. */
static void
glimpse (Maker *maker, guint64 time, const char *name)
{
  see_as (maker, (PenMoment){ time, 0 }, TRUE, FALSE, name, PLACE, FALSE);
}

/* Several at one place, seen now and then: each from the first to the last time in a row. */
static void
test_listed_in_turn (void)
{
  static const struct {
    guint64 time;
    const char *name;
  } seen[] = { { 20, "[a]" }, { 24, "[a]" }, { 28, "[a]" }, { 40, "[b]" },
               { 48, "[b]" }, { 60, "[a]" }, { 68, "[a]" }, { 80, "[c]" } };
  static const struct {
    guint64 time;
    const char *name;
  } holders[] = { { 22, "[a]" }, { 27, "[a]" }, { 34, NULL }, { 44, "[b]" }, { 50, NULL },
                  { 64, "[a]" }, { 70, NULL },  { 79, NULL }, { 90, "[c]" } };
  g_autoptr (Maker) maker = maker_new ();

  for (guint i = 0; i < G_N_ELEMENTS (seen); i++)
    glimpse (maker, seen[i].time, seen[i].name);
  for (guint i = 0; i < G_N_ELEMENTS (holders); i++)
    maker_assert_kernel (maker, holders[i].time, PLACE, holders[i].name, 0);
  g_assert_cmpuint (maker_find_kernel (maker, 22, PLACE, NULL)->id, !=,
                    maker_find_kernel (maker, 64, PLACE, NULL)->id);
}

/* ---- M7: what the loading task did ---- */

static void
test_pokes_of_loader (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_kernel_map (maker, 0, 0x1000, 0x1000, "[kernel.kallsyms]_text");
  poke_by (maker, 19, 7, 0x1010);
  poke_by (maker, 19, 7, PLACE + 0x2010);
  poke_by (maker, 20, 7, PLACE + 0x5010);
  poke_by (maker, 20, 8, PLACE + 0x9010);
  tell (maker, 20, 7, "m", FALSE);
  tell (maker, 60, 9, "m", TRUE);
  maker_assert_kernel (maker, 20, 0x1010, "[kernel.kallsyms]", 1);
  maker_assert_kernel (maker, 30, PLACE + 0x2000, "[m]", 0);
  maker_assert_kernel (maker, 30, PLACE + 0x2010, "[m]", 1);
  maker_assert_kernel (maker, 30, PLACE + 0x5010, "[m]", 1);
  maker_assert_kernel (maker, 30, PLACE + 0x3000, NULL, 0);
  g_assert_cmpint (grade (maker, 30, PLACE + 0x2000), ==, PEN_EVIDENCE_INFERRED);
  g_assert_cmpstr (maker_find_kernel (maker, 30, PLACE + 0x2000, NULL)->occupant, ==, "[m]");
  g_assert_cmpint (pen_moment_compare (maker_find_kernel (maker, 30, PLACE + 0x2000, NULL)->to,
                                       (PenMoment){ 60, 7 }),
                   ==, 0);
}

/* Long before, or before another load, is not for this one. */
static void
test_pokes_of_other_times (void)
{
  const guint64 second = 1000000000;
  g_autoptr (Maker) maker = maker_new ();

  poke_by (maker, second, 7, PLACE);
  tell (maker, 2 * second, 7, "a", FALSE);
  poke_by (maker, 3 * second, 7, PLACE + 0x1000);
  tell (maker, 3 * second + 1, 7, "b", FALSE);
  tell (maker, 3 * second + 2, 7, "c", FALSE);
  maker_assert_kernel (maker, 4 * second, PLACE + 0x1010, "[b]", 0);
  g_assert_true (!maker_find_kernel (maker, 4 * second, PLACE + 0x100, NULL)
                 || maker_find_kernel (maker, 4 * second, PLACE + 0x100, NULL)->kind
                        != PEN_KIND_MODULE);
}

static void
test_allocation (void)
{
  g_autoptr (Maker) maker = maker_new ();

  allocate (maker, 15, 7, PLACE, SIZE);
  allocate (maker, 16, 7, 4 * PLACE, SIZE);
  tell (maker, 20, 7, "m", FALSE);
  maker_assert_kernel (maker, 10, PLACE, NULL, 0);
  maker_assert_kernel (maker, 30, PLACE + SIZE - 1, "[m]", 0);
  maker_assert_kernel (maker, 30, 4 * PLACE, NULL, 0);
  g_assert_cmpint (grade (maker, 30, PLACE), ==, PEN_EVIDENCE_INFERRED);
}

/* Memory that was given out anew held no module before. */
static void
test_allocation_contradicts (void)
{
  g_autoptr (Maker) maker = maker_new ();

  allocate (maker, 40, 7, PLACE, SIZE);
  see (maker, LAST, "[late]", PLACE);
  maker_assert_kernel (maker, 30, PLACE, NULL, 0);
  maker_assert_kernel (maker, 50, PLACE, "[late]", 0);
}

/* Another module is known to have been there: by its load, and its pokes. */
static void
test_other_owner (void)
{
  g_autoptr (Maker) maker = maker_new ();

  poke_by (maker, 19, 7, PLACE + 0x10);
  tell (maker, 20, 7, "first", FALSE);
  tell (maker, 40, 8, "first", TRUE);
  see (maker, LAST, "[late]", PLACE);
  maker_assert_kernel (maker, 30, PLACE, "[first]", 0);
  maker_assert_kernel (maker, 50, PLACE, "[late]", 0);
  maker_assert_kernel (maker, 10, PLACE, NULL, 0);
}

/* ---- lists that count other memory ---- */

static void
test_other_memory (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_register (maker, 10, PLACE + 0x2000, 0x100, "bpf_prog_a");
  see_as (maker, (PenMoment){ 50, 0 }, TRUE, TRUE, "[a]", PLACE, TRUE);
  maker_assert_kernel (maker, 20, PLACE, "[a]", 0);
  maker_assert_kernel (maker, 20, PLACE + 0x1fff, "[a]", 0);
  maker_assert_kernel (maker, 20, PLACE + 0x2100, NULL, 0);
}

/* Any number of places, each over all the memory for modules, costs no more than their number:
 * those that are too many are claimed for the moment only at which they were seen. */
static void
test_many_places (void)
{
  const guint n = 20000;
  g_autoptr (Maker) maker = maker_new ();

  for (guint i = 0; i < n; i++) {
    maker_register (maker, 10, PLACE + 16 * i, 16, "bpf_prog_a");
    maker_unregister (maker, 20, PLACE + 16 * i, 16, "bpf_prog_a");
  }
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("[m%u]", i);
    const PenModuleSighting sighting = {
      .module = name,
      .start = PLACE,
      .length = 16 * n,
      .evidence = PEN_EVIDENCE_RECORDED,
    };

    pen_history_add_modules (maker->history, (PenMoment){ 1000 + i, 0 }, TRUE, FALSE, &sighting, 1);
  }
  maker_assert_kernel (maker, 900, PLACE + 4, "[m0]", 0);
  maker_assert_kernel (maker, 1000 + n, PLACE + 4, "[m19999]", 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/modules/M5/load", test_load);
  g_test_add_func ("/modules/M5/ksymbol-contradicts", test_ksymbol_contradicts);
  g_test_add_func ("/modules/M5/live-ksymbol-contradicts", test_live_ksymbol_contradicts);
  g_test_add_func ("/modules/M5/free-contradicts", test_free_contradicts);
  g_test_add_func ("/modules/M5/undated", test_undated);
  g_test_add_func ("/modules/M5/last-list-lacks", test_last_list_lacks);
  g_test_add_func ("/modules/M5/start-ends", test_start_ends);
  g_test_add_func ("/modules/M5/stretched-map", test_stretched_map);
  g_test_add_func ("/modules/M6/two-in-turn", test_two_in_turn);
  g_test_add_func ("/modules/M6/two-with-bound", test_two_with_bound);
  g_test_add_func ("/modules/M6/moved", test_moved);
  g_test_add_func ("/modules/M6/seen-again", test_seen_again);
  g_test_add_func ("/modules/M6/listed-again", test_listed_again);
  g_test_add_func ("/modules/M6/listed-in-turn", test_listed_in_turn);
  g_test_add_func ("/modules/M6/listed-again-with-bound", test_listed_again_with_bound);
  g_test_add_func ("/modules/M7/pokes-of-loader", test_pokes_of_loader);
  g_test_add_func ("/modules/M7/pokes-of-other-times", test_pokes_of_other_times);
  g_test_add_func ("/modules/M7/allocation", test_allocation);
  g_test_add_func ("/modules/M7/allocation-contradicts", test_allocation_contradicts);
  g_test_add_func ("/modules/M7/other-owner", test_other_owner);
  g_test_add_func ("/modules/other-memory", test_other_memory);
  g_test_add_func ("/modules/many-places", test_many_places);
  return g_test_run ();
}
