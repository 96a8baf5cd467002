/* pen-clean-rules.c: an allow-list: decided by what docs/store.md says a column holds
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-clean-rules.h"

#include <string.h>

#define MAX_LISTS 8

/* @columns: with spaces between and around */
typedef struct {
  PenCleanRule rule;
  const char *columns;
} List;

/* @lists: ended by one without columns; none at all: no row is copied */
typedef struct {
  const char *name;
  List lists[MAX_LISTS];
} Table;

#define KEEP(columns)                                                                              \
  {                                                                                                \
    PEN_RULE_KEEP, " " columns " "                                                                 \
  }
#define RULE(rule, columns)                                                                        \
  {                                                                                                \
    PEN_RULE_##rule, " " columns " "                                                               \
  }
/* Only packs of numbers: how many, when, and numbers of rows. */
#define SPANS KEEP ("id level first_block n_blocks samples first last shift tiles functions")
#define PIECES KEEP ("id span first_function last_function buckets")
#define SAMPLES KEEP ("id first last n columns")
#define BUCKETS                                                                                    \
  KEEP ("id first_function last_function first_id last_id n"), RULE (BUCKETS, "buckets")

/* clang-format off */
static const Table tables[] = {
  /* Facts are decided one by one by who asks. */
  { "capture", { KEEP ("key value") } },
  { "file", { KEEP ("id"), RULE (FILE, "name") } },
  { "event", { KEEP ("id type size config flags sample_type read_format period_or_frequency ids samples"),
               RULE (EVENT, "name") } },
  { "record_count", { KEEP ("type name records") } },
  { "problem", { KEEP ("id action file offset record count"), RULE (REASON, "reason") } },
  { "loss", { KEEP ("id kind from_time to_time cpu count repeated event") } },

  { "map", { KEEP ("change time position is_kernel is_data pid tid length cpu tenure evidence"),
             RULE (ADDRESS, "start file_offset"), RULE (MAP, "name"), RULE (TASK, "comm"),
             RULE (BUILD_ID, "build_id") } },
  { "ksymbol", { KEEP ("change time position is_unregister type length cpu pid tid tenure"),
                 RULE (ADDRESS, "address"), RULE (PROGRAM, "name"), RULE (TASK, "comm") } },
  { "text_poke", { KEEP ("id change time position length cause confidence effect rule tenure revision function batch "
                         "breaks_chain is_changed_early break_loss is_at_entry old_form new_form cpu pid tid"),
                   RULE (ADDRESS, "address"), RULE (BYTES, "old new"),
                   RULE (KEY, "key"), RULE (WORDS, "site old_target old_user new_target new_user programs replacement purpose"),
                   RULE (TASK, "comm") } },
  { "batch", { KEEP ("id first_poke last_poke from_time to_time cause confidence effect action sites jumps cpu pid tid"),
               RULE (KEY, "key"), RULE (WORDS, "site target user programs replacement purpose"), RULE (TASK, "comm") } },
  { "bpf_event", { KEEP ("id time position is_unload bpf_id tag cpu pid tid") } },
  /* Of types and strings of programs nothing is kept. */
  { "bpf_program", { KEEP ("bpf_id type tag load_time"), RULE (PROGRAM, "name"), RULE (DROP, "btf_id") } },
  { "bpf_function", { KEEP ("bpf_id number length tenure tag"), RULE (ADDRESS, "address"), RULE (BYTES, "bytes"),
                      RULE (DROP, "type_id") } },
  { "task", { KEEP ("id time position what pid tid ppid ptid"), RULE (TASK, "comm") } },
  /* Those of the kernel and its modules alone. */
  { "build_id", { KEEP ("id pid mode build_id"), RULE (KERNEL, "name") } },
  { "module_event", { KEEP ("id time position is_free module cpu pid tid") } },
  /* A payload may hold anything that a program in the kernel read. */
  { "output", { KEEP ("id sample time event thread cpu kind tenure revision function period has chain is_witness"),
                RULE (ADDRESS, "address"), RULE (DROP, "payload") } },
  { "reading", { KEEP ("output time position flags verdict poke to_time"), RULE (ADDRESS, "start"),
                 RULE (BYTES, "bytes") } },

  { "space", { KEEP ("id pid from_time from_position to_time to_position") } },
  { "tenure", { KEEP ("id space layer kind from_time from_position to_time to_position from_bound to_bound evidence "
                      "bpf_id bpf_tag sure_from_time sure_from_position sure_to_time sure_to_position unverified_time "
                      "unverified_position samples"),
                RULE (ADDRESS, "start end file_offset code_end"), RULE (OCCUPANT, "occupant"), RULE (NAME, "name"),
                RULE (BUILD_ID, "build_id") } },
  { "part", { KEEP ("id tenure from_time from_position to_time to_position"),
              RULE (ADDRESS, "start end file_offset") } },
  { "text", { KEEP ("id tenure evidence source"), RULE (ADDRESS, "start"), RULE (BYTES, "bytes") } },
  { "symbol_block", { KEEP ("id occupant n"), RULE (SYMBOLS, "symbols") } },
  { "thread", { KEEP ("id pid tid"), RULE (TASK, "comm") } },
  { "name_file", { KEEP ("id source evidence"), RULE (FILE, "occupant path"), RULE (DROP, "build_id") } },
  /* What was moved, and by how much, would tell where the kernel was. */
  { "source", { KEEP ("id what occupant found evidence gives"), RULE (FILE, "path"), RULE (REASON, "refused"),
                RULE (DROP, "build_id moved") } },
  { "named_tenure", { KEEP ("tenure name_file bias") } },
  { "function", { KEEP ("id kind length samples period changes versions pokes name_file"), RULE (ADDRESS, "start"),
                  RULE (FUNCTION, "symbol"), RULE (OCCUPANT, "occupant"), RULE (DROP, "linkage_name") } },
  { "source_file", { KEEP ("id"), RULE (SOURCE, "path") } },
  { "inlined_function", { KEEP ("id"), RULE (SYMBOL, "name") } },
  { "source_lines", { KEEP ("id function tenure n n_calls lines") } },

  { "bucket_block", { BUCKETS } },
  { "wait_bucket_block", { BUCKETS } },
  { "sample_block", { SAMPLES } },
  { "wait_block", { SAMPLES } },
  { "span", { SPANS } },
  { "wait_span", { SPANS } },
  { "span_piece", { PIECES } },
  { "wait_span_piece", { PIECES } },
  { "frame_block", { KEEP ("id n"), RULE (FRAMES, "frames") } },
  { "chain_block", { KEEP ("id n chains") } },
  { "wait_chain_block", { KEEP ("id n chains") } },
  { "stack_block", { KEEP ("id n stacks") } },
  { "stack_span", { KEEP ("id first_block n_blocks n cells") } },
  /* The writer makes it anew, of what the others share. */
  { "shared", { KEEP ("id value") } },

  /* Code of programs; paths of the importing machine; what people wrote; arguments of events, and
   * what these are called; sources, types and constants of BPF programs. */
  { "file_text_block", { { 0 } } },
  { "found_file", { { 0 } } },
  { "absent_file", { { 0 } } },
  { "note", { { 0 } } },
  { "payload_block", { { 0 } } },
  { "tracepoint", { { 0 } } },
  { "bpf_line", { { 0 } } },
  { "btf", { { 0 } } },
  { "bpf_metadata", { { 0 } } },
};
/* clang-format on */

static const Table *
find_table (const PenStoreTable *table)
{
  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++) {
    if (strcmp (tables[i].name, table->name) == 0)
      return &tables[i];
  }
  return NULL;
}

gboolean
pen_clean_rules_knows_table (const PenStoreTable *table)
{
  return find_table (table) != NULL;
}

gboolean
pen_clean_rules_has_table (const PenStoreTable *table)
{
  const Table *found = find_table (table);

  return found && found->lists[0].columns;
}

PenCleanRule
pen_clean_rules_find (const PenStoreTable *table, const PenStoreColumn *column)
{
  const Table *found = find_table (table);
  g_autofree char *word = g_strdup_printf (" %s ", column->name);

  for (guint i = 0; found && i < MAX_LISTS && found->lists[i].columns; i++) {
    if (strstr (found->lists[i].columns, word))
      return found->lists[i].rule;
  }
  return PEN_RULE_UNDECIDED;
}
