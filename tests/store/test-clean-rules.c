/* test-clean-rules.c: of each table and column it is decided what a cleaned store has of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-clean-rules.h"

/* Who adds a table or a column lists it in src/store/clean/pen-clean-rules.c: may names of people,
 * machines or programs, paths, addresses of the kernel or memory be in it? */
static void
test_all_are_decided (void)
{
  guint n_copied = 0;

  for (guint i = 0; i < PEN_TABLES; i++) {
    const PenStoreTable *table = &pen_store_tables[i];

    if (!pen_clean_rules_knows_table (table))
      g_error ("table %s is not decided", table->name);
    if (!pen_clean_rules_has_table (table))
      continue;
    n_copied++;
    for (guint k = 0; k < table->n_columns; k++) {
      if (pen_clean_rules_find (table, &table->columns[k]) == PEN_RULE_UNDECIDED)
        g_error ("column %s of %s is not decided", table->columns[k].name, table->name);
    }
  }
  g_assert_cmpuint (n_copied, >, 30);
  g_assert_cmpuint (n_copied, <, PEN_TABLES);
}

/* Text is decided by what it is, and never kept by mistake: what is kept as it is has names of
 * ours, or of the kernel. */
static void
test_kept_text (void)
{
  static const char *const kept[] = {
    "capture.key",     "capture.value",         "record_count.name", "problem.action",
    "problem.record",  "text_poke.rule",        "task.what",         "module_event.module",
    "text.source",     "symbol_block.occupant", "name_file.source",  "source.what",
    "source.occupant", "source.found",          "source.gives",      "build_id.mode",
    "shared.value",
  };

  for (guint i = 0; i < PEN_TABLES; i++) {
    const PenStoreTable *table = &pen_store_tables[i];

    for (guint k = 0; pen_clean_rules_has_table (table) && k < table->n_columns; k++) {
      const PenStoreColumn *column = &table->columns[k];
      g_autofree char *name = g_strdup_printf ("%s.%s", table->name, column->name);
      gboolean is_listed = FALSE;

      for (guint j = 0; j < G_N_ELEMENTS (kept); j++)
        is_listed |= g_str_equal (kept[j], name);
      if (column->field == PEN_FIELD_STRING && pen_clean_rules_find (table, column) == PEN_RULE_KEEP
          && !is_listed)
        g_error ("%s is text that is kept", name);
    }
  }
}

/* One that nobody has decided about is left out. */
static void
test_unknown (void)
{
  static const PenStoreColumn columns[] = { { .name = "id" }, { .name = "kernel" } };
  const PenStoreTable table = { .name = "news", .columns = columns, .n_columns = 2 };
  const PenStoreTable known = { .name = "loss", .columns = columns, .n_columns = 2 };

  g_assert_false (pen_clean_rules_knows_table (&table));
  g_assert_false (pen_clean_rules_has_table (&table));
  g_assert_cmpint (pen_clean_rules_find (&known, &columns[0]), ==, PEN_RULE_KEEP);
  g_assert_cmpint (pen_clean_rules_find (&known, &columns[1]), ==, PEN_RULE_UNDECIDED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/clean-rules/all", test_all_are_decided);
  g_test_add_func ("/store/clean-rules/kept-text", test_kept_text);
  g_test_add_func ("/store/clean-rules/unknown", test_unknown);
  return g_test_run ();
}
