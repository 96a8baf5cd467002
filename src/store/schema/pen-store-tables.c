/* pen-store-tables.c: what is kept, table by table; docs/store.md says what the columns mean
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-block-rows.h"
#include "pen-history.h"
#include "pen-notes.h"
#include "pen-store-changes.h"
#include "pen-store-outputs.h"
#include "pen-store-pokes.h"
#include "pen-store-columns.h"
#include "pen-store-writer.h"

/* ---- facts ---- */

static const PenStoreColumn capture[] = {
  { "key", "TEXT PRIMARY KEY", FIELD (PenFactRow, key) },
  STR (PenFactRow, value, "value"),
};

static const PenStoreColumn file[] = {
  KEY (PenStringRow, id, "id"),
  STR (PenStringRow, string, "name"),
};

static const PenStoreColumn event[] = {
  KEY (PenStoreEvent, id, "id"),
  STR (PenStoreEvent, name, "name"),
  NUM (PenStoreEvent, type, "type"),
  NUM (PenStoreEvent, size, "size"),
  NUM (PenStoreEvent, config, "config"),
  NUM (PenStoreEvent, flags, "flags"),
  NUM (PenStoreEvent, sample_type, "sample_type"),
  NUM (PenStoreEvent, read_format, "read_format"),
  NUM (PenStoreEvent, period_or_frequency, "period_or_frequency"),
  NUM (PenStoreEvent, ids, "ids"),
  NUM (PenStoreEvent, samples, "samples"),
};

static const PenStoreColumn tracepoint[] = {
  { "event", "INTEGER PRIMARY KEY REFERENCES event", FIELD (PenStoreEvent, id) },
  STR (PenStoreEvent, system, "system"),
  STR (PenStoreEvent, format, "format"),
};

static const PenStoreColumn record_count[] = {
  KEY (PenRecordCount, type, "type"),
  STR (PenRecordCount, name, "name"),
  NUM (PenRecordCount, records, "records"),
};

static const PenStoreColumn problem[] = {
  AUTO,
  STR (PenStoreProblem, action, "action"),
  { "file", "INTEGER REFERENCES file", FIELD (PenStoreProblem, file_id) },
  NUM (PenStoreProblem, offset, "offset"),
  OPT_STR (PenStoreProblem, record, "record"),
  NUM (PenStoreProblem, count, "count"),
  STR (PenStoreProblem, reason, "reason"),
};

static const PenStoreColumn loss[] = {
  AUTO,
  WORD (PenLoss, kind, "kind", pen_loss_kind_to_string, PEN_LOSSES),
  NUM (PenLoss, from, "from_time"),
  NUM (PenLoss, to, "to_time"),
  CPU (PenLoss, ),
  NUM (PenLoss, count, "count"),
  NUM (PenLoss, repeated, "repeated"),
  { "event", "INTEGER REFERENCES event", FIELD (PenLoss, event), .null_rule = PEN_NULL_UNLESS,
    .other = offsetof (PenLoss, has_event) },
};

/* ---- records ---- */

static const PenStoreColumn map[] = {
  KEY (PenMapEvent, change, "change"),
  TIME (PenMapEvent, origin.),
  NUM (PenMapEvent, is_kernel, "is_kernel"),
  NUM (PenMapEvent, is_data, "is_data"),
  NUM (PenMapEvent, pid, "pid"),
  NUM (PenMapEvent, tid, "tid"),
  NUM (PenMapEvent, start, "start"),
  NUM (PenMapEvent, length, "length"),
  NUM (PenMapEvent, file_offset, "file_offset"),
  SHARED_STR (PenMapEvent, name, "name"),
  SHARED_BLOB (PenMapEvent, build_id, build_id_length, "build_id"),
  CPU (PenMapEvent, origin.),
  SHARED_COMM (PenMapEvent, origin.comm),
  REF (PenMapEvent, tenure, "tenure", "tenure_row"),
  SHARED_EVIDENCE (PenMapEvent),
};

static const PenStoreColumn ksymbol[] = {
  KEY (PenKsymbolEvent, change, "change"),
  TIME (PenKsymbolEvent, origin.),
  NUM (PenKsymbolEvent, is_unregister, "is_unregister"),
  NUM (PenKsymbolEvent, type, "type"),
  NUM (PenKsymbolEvent, address, "address"),
  NUM (PenKsymbolEvent, length, "length"),
  STR (PenKsymbolEvent, name, "name"),
  CPU (PenKsymbolEvent, origin.),
  TASK (PenKsymbolEvent, origin.),
  COMM (PenKsymbolEvent, origin.comm),
  REF (PenKsymbolEvent, tenure, "tenure", "tenure_row"),
};

static const PenStoreColumn text_poke[] = {
  KEY (PenPoke, id, "id"),
  NUM (PenPoke, change, "change"),
  TIME (PenPoke, ),
  NUM (PenPoke, address, "address"),
  NUM (PenPoke, length, "length"),
  BLOB (PenPoke, old_bytes, old_length, "old"),
  BLOB (PenPoke, new_bytes, new_length, "new"),
  CAUSE (PenPoke),
  STR (PenPoke, rule, "rule"),
  REF (PenPoke, tenure, "tenure", "tenure_row"),
  NUM (PenPoke, revision, "revision"),
  { "function", "INTEGER REFERENCES function_row", FIELD (PenPoke, function),
    .null_rule = PEN_NULL_VALUE, .null = PEN_POKE_NO_FUNCTION },
  OPT_STR (PenPoke, key, "key"),
  REF (PenPoke, batch, "batch", "batch"),
  NUM (PenPoke, breaks_chain, "breaks_chain"),
  NUM (PenPoke, is_changed_early, "is_changed_early"),
  REF (PenPoke, break_loss, "break_loss", "loss"),
  OPT_STR (PenPoke, site, "site"),
  NUM (PenPoke, is_at_entry, "is_at_entry"),
  WORD (PenPoke, before.form, "old_form", pen_side_form_to_string, PEN_FORMS),
  OPT_STR (PenPoke, before.target, "old_target"),
  OPT_STR (PenPoke, before.user, "old_user"),
  WORD (PenPoke, after.form, "new_form", pen_side_form_to_string, PEN_FORMS),
  OPT_STR (PenPoke, after.target, "new_target"),
  OPT_STR (PenPoke, after.user, "new_user"),
  OPT_STR (PenPoke, programs, "programs"),
  OPT_STR (PenPoke, replacement, "replacement"),
  OPT_STR (PenPoke, purpose, "purpose"),
  CPU (PenPoke, ),
  TASK (PenPoke, ),
  COMM (PenPoke, comm),
};

static const PenStoreColumn batch[] = {
  KEY (PenBatch, id, "id"),
  NUM (PenBatch, first_poke, "first_poke"),
  NUM (PenBatch, last_poke, "last_poke"),
  NUM (PenBatch, from, "from_time"),
  NUM (PenBatch, to, "to_time"),
  CAUSE (PenBatch),
  WORD (PenBatch, action, "action", pen_batch_action_to_string, PEN_ACTIONS),
  NUM (PenBatch, n_sites, "sites"),
  NUM (PenBatch, n_jumps, "jumps"),
  OPT_STR (PenBatch, key, "key"),
  OPT_STR (PenBatch, site, "site"),
  OPT_STR (PenBatch, target, "target"),
  OPT_STR (PenBatch, user, "user"),
  OPT_STR (PenBatch, programs, "programs"),
  OPT_STR (PenBatch, replacement, "replacement"),
  OPT_STR (PenBatch, purpose, "purpose"),
  CPU (PenBatch, ),
  TASK (PenBatch, ),
  COMM (PenBatch, comm),
};

static const PenStoreColumn bpf_event[] = {
  AUTO,
  TIME (PenBpfEvent, origin.),
  NUM (PenBpfEvent, is_unload, "is_unload"),
  NUM (PenBpfEvent, bpf_id, "bpf_id"),
  TAG (PenBpfEvent, tag),
  CPU (PenBpfEvent, origin.),
  TASK (PenBpfEvent, origin.),
};

static const PenStoreColumn task[] = {
  AUTO,
  TIME (PenTaskEvent, origin.),
  SHARED_STR (PenTaskEvent, what, "what"),
  NUM (PenTaskEvent, pid, "pid"),
  NUM (PenTaskEvent, tid, "tid"),
  IF (PenTaskEvent, ppid, "ppid", has_parent, 0),
  IF (PenTaskEvent, ptid, "ptid", has_parent, 0),
  { "comm", SHARED (PenTaskEvent, comm), .null_rule = PEN_NULL_STRING },
};

static const PenStoreColumn module_event[] = {
  AUTO,
  TIME (PenModuleEvent, origin.),
  NUM (PenModuleEvent, is_free, "is_free"),
  OPT_STR (PenModuleEvent, module, "module"),
  CPU (PenModuleEvent, origin.),
  TASK (PenModuleEvent, origin.),
};

static const PenStoreColumn output[] = {
  KEY (PenBpfOutput, id, "id"),
  NUM (PenBpfOutput, sample, "sample"),
  IF (PenBpfOutput, time, "time", has_time, 0),
  { "event", "INTEGER REFERENCES event", FIELD (PenBpfOutput, event), .null_rule = PEN_NULL_VALUE,
    .null = PEN_OUTPUT_NO_EVENT },
  NUM_REF (PenBpfOutput, thread, "thread", "thread"),
  CPU (PenBpfOutput, ),
  IF (PenBpfOutput, address, "address", has_address, 0),
  WORD (PenBpfOutput, kind, "kind", pen_kind_to_string, PEN_KINDS),
  REF (PenBpfOutput, tenure, "tenure", "tenure_row"),
  NUM (PenBpfOutput, revision, "revision"),
  NUM_REF (PenBpfOutput, function, "function", "function_row"),
  IF (PenBpfOutput, period, "period", has_period, 0),
  NUM (PenBpfOutput, has, "has"),
  NUM (PenBpfOutput, chain, "chain"),
  NUM (PenBpfOutput, is_witness, "is_witness"),
  BLOB (PenBpfOutput, payload, payload_length, "payload"),
};

static const PenStoreColumn reading[] = {
  { "output", "INTEGER PRIMARY KEY REFERENCES output", FIELD (PenReading, output) },
  NUM (PenReading, moment.time, "time"),
  NUM (PenReading, moment.position, "position"),
  NUM (PenReading, start, "start"),
  NUM (PenReading, flags, "flags"),
  BLOB (PenReading, bytes, length, "bytes"),
  WORD (PenReading, verdict, "verdict", pen_witness_verdict_to_string, PEN_WITNESS_VERDICTS),
  REF (PenReading, poke, "poke", "text_poke"),
  OPT (PenReading, to_time, "to_time", G_MAXUINT64),
};

static const PenStoreColumn bpf_program[] = {
  KEY (PenStoredBpfProgram, id, "bpf_id"),           NUM (PenStoredBpfProgram, type, "type"),
  STR (PenStoredBpfProgram, name, "name"),           TAG (PenStoredBpfProgram, tag),
  NUM (PenStoredBpfProgram, load_time, "load_time"), NUM (PenStoredBpfProgram, btf_id, "btf_id"),
};

static const PenStoreColumn bpf_function[] = {
  NUM_REF (PenStoredBpfFunction, bpf_id, "bpf_id", "bpf_program"),
  NUM (PenStoredBpfFunction, number, "number"),
  NUM (PenStoredBpfFunction, address, "address"),
  NUM (PenStoredBpfFunction, length, "length"),
  REF (PenStoredBpfFunction, tenure, "tenure", "tenure_row"),
  { "tag", "BLOB", FIELD (PenStoredBpfFunction, tag), .null_rule = PEN_NULL_EMPTY, .size = 8 },
  OPT (PenStoredBpfFunction, type_id, "type_id", 0),
  OPT_BLOB (PenStoredBpfFunction, bytes, length, "bytes"),
};

static const PenStoreColumn bpf_metadata[] = {
  AUTO,
  STR (PenStoredBpfMetadata, program, "program"),
  STR (PenStoredBpfMetadata, key, "key"),
  STR (PenStoredBpfMetadata, value, "value"),
};

static const PenStoreColumn bpf_line[] = {
  AUTO,
  NUM_REF (PenStoredBpfLine, bpf_id, "bpf_id", "bpf_program"),
  NUM (PenStoredBpfLine, address, "address"),
  NUM (PenStoredBpfLine, instruction, "instruction"),
  STR (PenStoredBpfLine, file, "file"),
  NUM (PenStoredBpfLine, line, "line"),
  NUM (PenStoredBpfLine, column, "column"),
  STR (PenStoredBpfLine, text, "text"),
};

static const PenStoreColumn btf[] = {
  KEY (PenBlockRow, id, "id"),
  BLOB (PenBlockRow, bytes, length, "bytes"),
};

static const PenStoreColumn build_id[] = {
  AUTO,
  NUM (PenStoredBuildId, pid, "pid"),
  STR (PenStoredBuildId, mode, "mode"),
  BLOB (PenStoredBuildId, id, id_length, "build_id"),
  STR (PenStoredBuildId, name, "name"),
};

/* ---- what was found out ---- */

static const PenStoreColumn space[] = {
  KEY (PenSpace, id, "id"),
  NUM (PenSpace, pid, "pid"),
  FROM (PenSpace),
  END (PenSpace, to, "to"),
};

static const PenStoreColumn tenure[] = {
  KEY (PenTenure, id, "id"),
  NUM_REF (PenTenure, space, "space", "space"),
  SHARED_WORD (PenTenure, layer, "layer", pen_layer_to_string, PEN_LAYERS),
  SHARED_WORD (PenTenure, kind, "kind", pen_kind_to_string, PEN_KINDS),
  SHARED_STR (PenTenure, occupant, "occupant"),
  SHARED_STR (PenTenure, name, "name"),
  NUM (PenTenure, start, "start"),
  NUM (PenTenure, end, "end"),
  NUM (PenTenure, file_offset, "file_offset"),
  FROM (PenTenure),
  END (PenTenure, to, "to"),
  SHARED_WORD (PenTenure, from_bound, "from_bound", pen_bound_to_string, PEN_BOUNDS),
  SHARED_WORD (PenTenure, to_bound, "to_bound", pen_bound_to_string, PEN_BOUNDS),
  SHARED_EVIDENCE (PenTenure),
  OPT (PenTenure, bpf_id, "bpf_id", 0),
  { "bpf_tag", "BLOB", FIELD (PenTenure, bpf_tag), .size = 8, .null_rule = PEN_NULL_UNLESS,
    .other = offsetof (PenTenure, bpf_id) },
  SHARED_BLOB (PenTenure, build_id, build_id_length, "build_id"),
  SINCE (PenTenure, sure_from, "sure_from"),
  SINCE (PenTenure, sure_to, "sure_to"),
  END (PenTenure, unverified_from, "unverified"),
  OPT (PenTenure, code_end, "code_end", 0),
  NUM (PenTenure, samples, "samples"),
};

static const PenStoreColumn part[] = {
  AUTO,
  NUM_REF (PenPart, tenure, "tenure", "tenure_row"),
  NUM (PenPart, start, "start"),
  NUM (PenPart, end, "end"),
  NUM (PenPart, file_offset, "file_offset"),
  FROM (PenPart),
  END (PenPart, to, "to"),
};

static const PenStoreColumn text[] = {
  AUTO,
  NUM_REF (PenTextRow, tenure, "tenure", "tenure_row"),
  NUM (PenTextRow, start, "start"),
  BLOB (PenTextRow, bytes, length, "bytes"),
  EVIDENCE (PenTextRow),
  STR (PenTextRow, source, "source"),
};

static const PenStoreColumn file_text_block[] = {
  AUTO,
  NUM_REF (PenFileTextRow, name_file, "name_file", "name_file"),
  NUM (PenFileTextRow, first, "first"),
  NUM (PenFileTextRow, last, "last"),
  NUM (PenFileTextRow, n, "n"),
  EVIDENCE (PenFileTextRow),
  STR (PenFileTextRow, source, "source"),
  BLOB (PenFileTextRow, bytes, length, "texts"),
};

static const PenStoreColumn symbol_block[] = {
  AUTO,
  STR (PenBlockRow, name, "occupant"),
  NUM (PenBlockRow, n, "n"),
  BLOB (PenBlockRow, bytes, length, "symbols"),
};

static const PenStoreColumn thread[] = {
  KEY (PenThreadRow, id, "id"),
  TASK_OR (PenThreadRow, thread., 0),
  STR (PenThreadRow, thread.comm, "comm"),
};

static const PenStoreColumn name_file[] = {
  KEY (PenStoreNameFile, id, "id"),
  STR (PenStoreNameFile, occupant, "occupant"),
  OPT_BLOB (PenStoreNameFile, build_id, build_id_length, "build_id"),
  STR (PenStoreNameFile, path, "path"),
  STR (PenStoreNameFile, source, "source"),
  EVIDENCE (PenStoreNameFile),
};

static const PenStoreColumn source[] = {
  KEY (PenStoreSource, id, "id"),
  STR (PenStoreSource, what, "what"),
  OPT_STR (PenStoreSource, occupant, "occupant"),
  STR (PenStoreSource, path, "path"),
  STR (PenStoreSource, found, "found"),
  OPT_BLOB (PenStoreSource, build_id, build_id_length, "build_id"),
  EVIDENCE (PenStoreSource),
  NUM (PenStoreSource, moved, "moved"),
  STR (PenStoreSource, gives, "gives"),
  OPT_STR (PenStoreSource, refused, "refused"),
};

static const PenStoreColumn found_file[] = {
  STR (PenStoreFoundFile, path, "path"),
  NUM (PenStoreFoundFile, size, "size"),
  NUM (PenStoreFoundFile, changed, "changed"),
};

static const PenStoreColumn absent_file[] = { STR (PenStringRow, string, "path") };

static const PenStoreColumn named_tenure[] = {
  { "tenure", "INTEGER PRIMARY KEY REFERENCES tenure_row", FIELD (PenNamedTenureRow, tenure) },
  NUM_REF (PenNamedTenureRow, name_file, "name_file", "name_file"),
  NUM (PenNamedTenureRow, bias, "bias"),
};

static const PenStoreColumn function[] = {
  KEY (PenFunction, id, "id"),
  OPT_STR (PenFunction, symbol, "symbol"),
  SHARED_WORD (PenFunction, kind, "kind", pen_kind_to_string, PEN_KINDS),
  SHARED_STR (PenFunction, occupant, "occupant"),
  NUM (PenFunction, start, "start"),
  NUM (PenFunction, length, "length"),
  NUM (PenFunction, samples, "samples"),
  NUM (PenFunction, period, "period"),
  NUM (PenFunction, changes, "changes"),
  NUM (PenFunction, versions, "versions"),
  NUM (PenFunction, pokes, "pokes"),
  OPT_STR (PenFunction, linkage_name, "linkage_name"),
  REF (PenFunction, name_file, "name_file", "name_file"),
};

static const PenStoreColumn source_file[] = {
  KEY (PenStringRow, id, "id"),
  STR (PenStringRow, string, "path"),
};

static const PenStoreColumn inlined_function[] = {
  KEY (PenStringRow, id, "id"),
  STR (PenStringRow, string, "name"),
};

static const PenStoreColumn source_lines[] = {
  KEY (PenSourceLinesRow, id, "id"),
  NUM_REF (PenSourceLinesRow, function, "function", "function_row"),
  REF (PenSourceLinesRow, tenure, "tenure", "tenure_row"),
  NUM (PenSourceLinesRow, n, "n"),
  NUM (PenSourceLinesRow, n_calls, "n_calls"),
  BLOB (PenSourceLinesRow, bytes, length, "lines"),
};

static const PenStoreColumn note[] = {
  KEY (PenNote, id, "id"),
  IF (PenNote, time, "time", has_time, 0),
  IF (PenNote, address, "address", has_address, 0),
  STR (PenNote, text, "text"),
  NUM (PenNote, written, "written"),
};

/* ---- blocks ---- */

#define BUCKET_COLUMNS                                                                             \
  KEY (PenBucketBlockRow, id, "id"),                                                               \
      NUM_REF (PenBucketBlockRow, first_function, "first_function", "function_row"),               \
      NUM_REF (PenBucketBlockRow, last_function, "last_function", "function_row"),                 \
      NUM (PenBucketBlockRow, first_id, "first_id"), NUM (PenBucketBlockRow, last_id, "last_id"),  \
      NUM (PenBucketBlockRow, n, "n"), BLOB (PenBucketBlockRow, bytes, length, "buckets")

static const PenStoreColumn bucket_block[] = { BUCKET_COLUMNS };
static const PenStoreColumn wait_bucket_block[] = { BUCKET_COLUMNS };

#define SAMPLE_COLUMNS                                                                             \
  KEY (PenBlockRow, id, "id"), NUM (PenBlockRow, first, "first"), NUM (PenBlockRow, last, "last"), \
      NUM (PenBlockRow, n, "n"), BLOB (PenBlockRow, bytes, length, "columns")

static const PenStoreColumn sample_block[] = { SAMPLE_COLUMNS };
static const PenStoreColumn wait_block[] = { SAMPLE_COLUMNS };

#define SPAN_COLUMNS(blocks)                                                                       \
  KEY (PenSpanRow, span.id, "id"), NUM (PenSpanRow, span.level, "level"),                          \
      NUM_REF (PenSpanRow, span.first_block, "first_block", blocks),                               \
      NUM (PenSpanRow, span.n_blocks, "n_blocks"), NUM (PenSpanRow, span.samples, "samples"),      \
      NUM (PenSpanRow, span.first, "first"), NUM (PenSpanRow, span.last, "last"),                  \
      NUM (PenSpanRow, span.shift, "shift"), BLOB (PenSpanRow, tiles, tiles_length, "tiles"),      \
      BLOB (PenSpanRow, functions, functions_length, "functions")

static const PenStoreColumn span[] = { SPAN_COLUMNS ("sample_block") };
static const PenStoreColumn wait_span[] = { SPAN_COLUMNS ("wait_block") };

#define PIECE_COLUMNS(spans)                                                                       \
  KEY (PenSpanPieceRow, id, "id"), NUM_REF (PenSpanPieceRow, span, "span", spans),                 \
      NUM_REF (PenSpanPieceRow, first_function, "first_function", "function_row"),                 \
      NUM_REF (PenSpanPieceRow, last_function, "last_function", "function_row"),                   \
      BLOB (PenSpanPieceRow, bytes, length, "buckets")

static const PenStoreColumn span_piece[] = { PIECE_COLUMNS ("span") };
static const PenStoreColumn wait_span_piece[] = { PIECE_COLUMNS ("wait_span") };

static const PenStoreColumn frame_block[] = {
  KEY (PenBlockRow, id, "id"),
  NUM (PenBlockRow, n, "n"),
  BLOB (PenBlockRow, bytes, length, "frames"),
};

#define CHAIN_COLUMNS                                                                              \
  KEY (PenBlockRow, id, "id"), NUM (PenBlockRow, n, "n"),                                          \
      BLOB (PenBlockRow, bytes, length, "chains")

static const PenStoreColumn chain_block[] = { CHAIN_COLUMNS };
static const PenStoreColumn wait_chain_block[] = { CHAIN_COLUMNS };

static const PenStoreColumn stack_block[] = {
  KEY (PenBlockRow, id, "id"),
  NUM (PenBlockRow, n, "n"),
  BLOB (PenBlockRow, bytes, length, "stacks"),
};

static const PenStoreColumn stack_span[] = {
  KEY (PenStackSpanRow, span.id, "id"),
  NUM_REF (PenStackSpanRow, span.first_block, "first_block", "sample_block"),
  NUM (PenStackSpanRow, span.n_blocks, "n_blocks"),
  NUM (PenStackSpanRow, span.n, "n"),
  BLOB (PenStackSpanRow, bytes, length, "cells"),
};

static const PenStoreColumn payload_block[] = {
  NUM_REF (PenBlockRow, id, "block", "sample_block"),
  NUM (PenBlockRow, first, "first"),
  NUM (PenBlockRow, n, "n"),
  BLOB (PenBlockRow, bytes, length, "payloads"),
};

/* A string, or bytes. Without a type, a value stays what it is. */
static const PenStoreColumn shared[] = {
  KEY (PenSharedRow, id, "id"),
  { "value", "NOT NULL", FIELD (PenSharedRow, value) },
};

/* ---- all of them ---- */

/* Named as its columns are. */
#define TABLE(T, columns)                                                                          \
  {                                                                                                \
#columns, columns, G_N_ELEMENTS(columns), sizeof(T), NULL, NULL                                \
  }
/* With columns in `shared`: its rows are a table of another name, and it is a view. */
#define TABLE_OF_SHARED(T, columns)                                                                \
  {                                                                                                \
#columns, columns, G_N_ELEMENTS(columns), sizeof(T), NULL, #columns "_row"                     \
  }
#define TABLE_WITH(T, columns, rest)                                                               \
  {                                                                                                \
#columns, columns, G_N_ELEMENTS(columns), sizeof(T), rest, NULL                                \
  }

const PenStoreTable pen_store_tables[PEN_TABLES] = {
  [PEN_TABLE_CAPTURE] = TABLE_WITH (PenFactRow, capture, ") WITHOUT ROWID"),
  [PEN_TABLE_FILE] = TABLE (PenStringRow, file),
  [PEN_TABLE_EVENT] = TABLE (PenStoreEvent, event),
  [PEN_TABLE_RECORD_COUNT] = TABLE (PenRecordCount, record_count),
  [PEN_TABLE_PROBLEM] = TABLE (PenStoreProblem, problem),
  [PEN_TABLE_LOSS] = TABLE (PenLoss, loss),
  [PEN_TABLE_MAP] = TABLE_OF_SHARED (PenMapEvent, map),
  [PEN_TABLE_KSYMBOL] = TABLE (PenKsymbolEvent, ksymbol),
  [PEN_TABLE_TEXT_POKE] = TABLE (PenPoke, text_poke),
  [PEN_TABLE_BATCH] = TABLE (PenBatch, batch),
  [PEN_TABLE_BPF_EVENT] = TABLE (PenBpfEvent, bpf_event),
  [PEN_TABLE_BPF_PROGRAM] = TABLE (PenStoredBpfProgram, bpf_program),
  [PEN_TABLE_BPF_FUNCTION] = TABLE_WITH (PenStoredBpfFunction, bpf_function,
                                         ", PRIMARY KEY (bpf_id, number)) WITHOUT ROWID"),
  [PEN_TABLE_TASK] = TABLE_OF_SHARED (PenTaskEvent, task),
  [PEN_TABLE_SPACE] = TABLE (PenSpace, space),
  [PEN_TABLE_TENURE] = TABLE_OF_SHARED (PenTenure, tenure),
  [PEN_TABLE_PART] = TABLE (PenPart, part),
  [PEN_TABLE_TEXT] = TABLE (PenTextRow, text),
  [PEN_TABLE_SYMBOL_BLOCK] = TABLE (PenBlockRow, symbol_block),
  [PEN_TABLE_THREAD] = TABLE (PenThreadRow, thread),
  [PEN_TABLE_NAME_FILE] = TABLE (PenStoreNameFile, name_file),
  [PEN_TABLE_SOURCE] = TABLE (PenStoreSource, source),
  [PEN_TABLE_FOUND_FILE] = TABLE (PenStoreFoundFile, found_file),
  [PEN_TABLE_ABSENT_FILE] = TABLE (PenStringRow, absent_file),
  [PEN_TABLE_NAMED_TENURE] = TABLE (PenNamedTenureRow, named_tenure),
  [PEN_TABLE_FILE_TEXT_BLOCK] = TABLE (PenFileTextRow, file_text_block),
  [PEN_TABLE_FUNCTION] = TABLE_OF_SHARED (PenFunction, function),
  [PEN_TABLE_SOURCE_FILE] = TABLE (PenStringRow, source_file),
  [PEN_TABLE_INLINED_FUNCTION] = TABLE (PenStringRow, inlined_function),
  [PEN_TABLE_SOURCE_LINES] = TABLE (PenSourceLinesRow, source_lines),
  [PEN_TABLE_BUCKET_BLOCK] = TABLE (PenBucketBlockRow, bucket_block),
  [PEN_TABLE_SAMPLE_BLOCK] = TABLE (PenBlockRow, sample_block),
  [PEN_TABLE_SPAN] = TABLE (PenSpanRow, span),
  [PEN_TABLE_SPAN_PIECE] = TABLE (PenSpanPieceRow, span_piece),
  [PEN_TABLE_FRAME_BLOCK] = TABLE (PenBlockRow, frame_block),
  [PEN_TABLE_CHAIN_BLOCK] = TABLE (PenBlockRow, chain_block),
  [PEN_TABLE_STACK_BLOCK] = TABLE (PenBlockRow, stack_block),
  [PEN_TABLE_STACK_SPAN] = TABLE (PenStackSpanRow, stack_span),
  [PEN_TABLE_PAYLOAD_BLOCK]
  = TABLE_WITH (PenBlockRow, payload_block, ", PRIMARY KEY (block, first))"),
  [PEN_TABLE_TRACEPOINT] = TABLE (PenStoreEvent, tracepoint),
  [PEN_TABLE_BPF_LINE] = TABLE (PenStoredBpfLine, bpf_line),
  [PEN_TABLE_BTF] = TABLE (PenBlockRow, btf),
  [PEN_TABLE_NOTE] = TABLE (PenNote, note),
  [PEN_TABLE_BUILD_ID] = TABLE (PenStoredBuildId, build_id),
  [PEN_TABLE_BPF_METADATA] = TABLE (PenStoredBpfMetadata, bpf_metadata),
  [PEN_TABLE_MODULE_EVENT] = TABLE (PenModuleEvent, module_event),
  [PEN_TABLE_WAIT_BUCKET_BLOCK] = TABLE (PenBucketBlockRow, wait_bucket_block),
  [PEN_TABLE_WAIT_BLOCK] = TABLE (PenBlockRow, wait_block),
  [PEN_TABLE_WAIT_SPAN] = TABLE (PenSpanRow, wait_span),
  [PEN_TABLE_WAIT_SPAN_PIECE] = TABLE (PenSpanPieceRow, wait_span_piece),
  [PEN_TABLE_WAIT_CHAIN_BLOCK] = TABLE (PenBlockRow, wait_chain_block),
  [PEN_TABLE_OUTPUT] = TABLE (PenBpfOutput, output),
  [PEN_TABLE_READING] = TABLE (PenReading, reading),
  [PEN_TABLE_SHARED] = TABLE (PenSharedRow, shared),
};

PenTableId
pen_store_table_of (PenTableId table, PenPopulation population)
{
  if (population == PEN_POPULATION_SAMPLES)
    return table;

  switch (table) {
  case PEN_TABLE_BUCKET_BLOCK:
    return PEN_TABLE_WAIT_BUCKET_BLOCK;
  case PEN_TABLE_SAMPLE_BLOCK:
    return PEN_TABLE_WAIT_BLOCK;
  case PEN_TABLE_SPAN:
    return PEN_TABLE_WAIT_SPAN;
  case PEN_TABLE_SPAN_PIECE:
    return PEN_TABLE_WAIT_SPAN_PIECE;
  case PEN_TABLE_CHAIN_BLOCK:
    return PEN_TABLE_WAIT_CHAIN_BLOCK;
  default:
    return table;
  }
}

static const PenStoreColumn change[] = {
  NUM (PenChange, id, "id"),
  TIME (PenChange, ),
  STR (PenChange, change, "change"),
  NUM (PenChange, address, "address"),
  NUM (PenChange, length, "length"),
  WORD (PenChange, kind, "kind", pen_kind_to_string, PEN_KINDS),
  STR (PenChange, occupant, "occupant"),
  OPT_STR (PenChange, symbol, "symbol"),
  NUM (PenChange, offset, "offset"),
  OPT (PenChange, tenure, "tenure", 0),
  OPT (PenChange, poke, "poke", 0),
  CAUSE (PenChange),
  BLOB (PenChange, old_bytes, old_length, "old"),
  BLOB (PenChange, new_bytes, new_length, "new"),
  OPT_STR (PenChange, key, "key"),
  OPT (PenChange, batch, "batch", 0),
  OPT (PenChange, n_sites, "sites", 0),
  CPU (PenChange, ),
  TASK_OR (PenChange, , 0),
  STR (PenChange, comm, "comm"),
  EVIDENCE (PenChange),
};

const PenStoreTable pen_store_change_view = TABLE (PenChange, change);

static const PenStoreColumn tick[] = {
  NUM (PenPokeTick, poke, "p.id"),
  NUM (PenPokeTick, time, "time"),
  NUM (PenPokeTick, address, "address"),
  WORD (PenPokeTick, cause, "p.cause", pen_cause_to_string, PEN_CAUSES),
  WORD (PenPokeTick, effect, "p.effect", pen_poke_effect_to_string, PEN_POKE_EFFECTS),
  WORD (PenPokeTick, confidence, "p.confidence", pen_confidence_to_string, PEN_CONFIDENCES),
  OPT (PenPokeTick, tenure, "tenure", 0),
  OPT (PenPokeTick, batch, "batch", 0),
  OPT (PenPokeTick, n_sites, "sites", 0),
};

const PenStoreTable pen_store_tick_view = {
  "text_poke p LEFT JOIN batch b ON b.id = p.batch",
  tick,
  G_N_ELEMENTS (tick),
  sizeof (PenPokeTick),
  NULL,
  NULL,
};
