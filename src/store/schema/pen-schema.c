/* pen-schema.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-schema.h"

#include <stddef.h>

/* The three are merged as they lie, by their keys; through the view, SQLite would sort them all. */
#define CHANGES                                                                                    \
  "  SELECT m.change AS id, m.time, m.position, 'map' AS change, m.start AS address, m.length,"    \
  "    ifnull(t.kind, 'unknown') AS kind, ifnull(t.occupant, '') AS occupant, NULL AS symbol,"     \
  "    0 AS offset, m.tenure, NULL AS poke, NULL AS effect, NULL AS cause, NULL AS reason,"        \
  "    NULL AS old, NULL AS new, m.cpu, iif(m.pid = -1, NULL, m.pid) AS pid,"                      \
  "    iif(m.pid = -1, NULL, m.tid) AS tid, m.comm, m.evidence,"                                   \
  "    NULL AS confidence, NULL AS key, NULL AS batch, NULL AS sites"                              \
  "  FROM map m LEFT JOIN tenure t ON t.id = m.tenure WHERE NOT m.is_data"                         \
  " UNION ALL"                                                                                     \
  "  SELECT k.change, k.time, k.position, iif(k.is_unregister, 'unregister', 'register'),"         \
  "    k.address, k.length, ifnull(t.kind, 'unknown'), ifnull(t.occupant, ''), k.name, 0,"         \
  "    k.tenure, NULL, NULL, NULL, NULL, NULL, NULL, k.cpu, k.pid, k.tid, k.comm, 'recorded',"     \
  "    NULL, NULL, NULL, NULL"                                                                     \
  "  FROM ksymbol k LEFT JOIN tenure t ON t.id = k.tenure"                                         \
  " UNION ALL"                                                                                     \
  "  SELECT p.change, p.time, p.position, 'poke', p.address,"                                      \
  "    max(length(p.old), length(p.new)), ifnull(t.kind, 'unknown'), ifnull(t.occupant, ''),"      \
  "    f.symbol, iif(f.symbol IS NULL, 0, p.address - f.start), p.tenure, p.id, p.effect,"         \
  "    p.cause, p.reason, p.old, p.new, p.cpu, p.pid, p.tid, p.comm, 'recorded',"                  \
  "    p.confidence, p.key, p.batch, b.sites"                                                      \
  "  FROM text_poke p LEFT JOIN tenure t ON t.id = p.tenure"                                       \
  "    LEFT JOIN function f ON f.id = p.function LEFT JOIN batch b ON b.id = p.batch"              \
  " ORDER BY 1"

const char pen_schema_changes[] = CHANGES;

#define NOTE                                                                                       \
  "CREATE TABLE note ("                                                                            \
  "  id INTEGER PRIMARY KEY, time INTEGER, address INTEGER, text TEXT NOT NULL,"                   \
  "  written INTEGER NOT NULL);"

const char pen_schema_note[] = NOTE;

const char *const pen_schema_tables[] = {
  "CREATE TABLE capture (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;",

  "CREATE TABLE file (id INTEGER PRIMARY KEY, name TEXT NOT NULL);",

  "CREATE TABLE event ("
  "  id INTEGER PRIMARY KEY, name TEXT NOT NULL, type INTEGER NOT NULL, size INTEGER NOT NULL,"
  "  config INTEGER NOT NULL, flags INTEGER NOT NULL, sample_type INTEGER NOT NULL,"
  "  read_format INTEGER NOT NULL, period_or_frequency INTEGER NOT NULL, ids INTEGER NOT NULL,"
  "  samples INTEGER NOT NULL);",

  "CREATE TABLE record_count ("
  "  type INTEGER PRIMARY KEY, name TEXT NOT NULL, records INTEGER NOT NULL);",

  "CREATE TABLE problem ("
  "  id INTEGER PRIMARY KEY, action TEXT NOT NULL, file INTEGER REFERENCES file,"
  "  offset INTEGER NOT NULL, record TEXT, count INTEGER NOT NULL, reason TEXT NOT NULL);",

  "CREATE TABLE loss ("
  "  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, from_time INTEGER NOT NULL,"
  "  to_time INTEGER NOT NULL, cpu INTEGER, count INTEGER NOT NULL,"
  "  repeated INTEGER NOT NULL, event INTEGER REFERENCES event);",

  "CREATE TABLE map ("
  "  change INTEGER PRIMARY KEY, time INTEGER, position INTEGER NOT NULL,"
  "  is_kernel INTEGER NOT NULL, is_data INTEGER NOT NULL, pid INTEGER NOT NULL,"
  "  tid INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,"
  "  file_offset INTEGER NOT NULL, name TEXT NOT NULL, build_id BLOB, cpu INTEGER, comm TEXT,"
  "  tenure INTEGER REFERENCES tenure, evidence TEXT NOT NULL);",

  "CREATE TABLE ksymbol ("
  "  change INTEGER PRIMARY KEY, time INTEGER, position INTEGER NOT NULL,"
  "  is_unregister INTEGER NOT NULL, type INTEGER NOT NULL, address INTEGER NOT NULL,"
  "  length INTEGER NOT NULL, name TEXT NOT NULL, cpu INTEGER, pid INTEGER, tid INTEGER,"
  "  comm TEXT, tenure INTEGER REFERENCES tenure);",

  "CREATE TABLE text_poke ("
  "  id INTEGER PRIMARY KEY, change INTEGER NOT NULL, time INTEGER, position INTEGER NOT NULL,"
  "  address INTEGER NOT NULL, length INTEGER NOT NULL, old BLOB NOT NULL, new BLOB NOT NULL,"
  "  effect TEXT NOT NULL, tenure INTEGER REFERENCES tenure, revision INTEGER NOT NULL,"
  "  function INTEGER REFERENCES function, cause TEXT NOT NULL, reason TEXT NOT NULL,"
  "  breaks_chain INTEGER NOT NULL, cpu INTEGER, pid INTEGER, tid INTEGER, comm TEXT,"
  "  confidence TEXT NOT NULL, rule TEXT NOT NULL, key TEXT, batch INTEGER REFERENCES batch,"
  "  break_loss INTEGER REFERENCES loss);",

  "CREATE TABLE batch ("
  "  id INTEGER PRIMARY KEY, first_poke INTEGER NOT NULL, last_poke INTEGER NOT NULL,"
  "  from_time INTEGER NOT NULL, to_time INTEGER NOT NULL, cause TEXT NOT NULL,"
  "  confidence TEXT NOT NULL, effect TEXT NOT NULL, sites INTEGER NOT NULL, key TEXT,"
  "  sentence TEXT NOT NULL, cpu INTEGER, pid INTEGER, tid INTEGER, comm TEXT);",

  "CREATE TABLE bpf_event ("
  "  id INTEGER PRIMARY KEY, time INTEGER, position INTEGER NOT NULL,"
  "  is_unload INTEGER NOT NULL, bpf_id INTEGER NOT NULL, tag BLOB NOT NULL, cpu INTEGER,"
  "  pid INTEGER, tid INTEGER);",

  "CREATE TABLE bpf_program ("
  "  bpf_id INTEGER PRIMARY KEY, type INTEGER NOT NULL, name TEXT NOT NULL, tag BLOB NOT NULL,"
  "  load_time INTEGER NOT NULL, btf_id INTEGER NOT NULL);",

  "CREATE TABLE bpf_function ("
  "  bpf_id INTEGER NOT NULL REFERENCES bpf_program, number INTEGER NOT NULL,"
  "  address INTEGER NOT NULL, length INTEGER NOT NULL, tenure INTEGER REFERENCES tenure,"
  "  tag BLOB, type_id INTEGER, bytes BLOB, PRIMARY KEY (bpf_id, number)) WITHOUT ROWID;",

  "CREATE TABLE task ("
  "  id INTEGER PRIMARY KEY, time INTEGER, position INTEGER NOT NULL, what TEXT NOT NULL,"
  "  pid INTEGER NOT NULL, tid INTEGER NOT NULL, ppid INTEGER, ptid INTEGER, comm TEXT);",

  "CREATE TABLE space ("
  "  id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, from_time INTEGER NOT NULL,"
  "  from_position INTEGER NOT NULL, to_time INTEGER, to_position INTEGER);",

  "CREATE TABLE tenure ("
  "  id INTEGER PRIMARY KEY, space INTEGER NOT NULL REFERENCES space, layer TEXT NOT NULL,"
  "  kind TEXT NOT NULL, occupant TEXT NOT NULL, name TEXT NOT NULL, start INTEGER NOT NULL,"
  "  end INTEGER NOT NULL, file_offset INTEGER NOT NULL, from_time INTEGER NOT NULL,"
  "  from_position INTEGER NOT NULL, to_time INTEGER, to_position INTEGER,"
  "  from_bound TEXT NOT NULL, to_bound TEXT NOT NULL, evidence TEXT NOT NULL, bpf_id INTEGER,"
  "  bpf_tag BLOB, build_id BLOB, unverified_time INTEGER, unverified_position INTEGER,"
  "  samples INTEGER NOT NULL);",

  "CREATE TABLE part ("
  "  id INTEGER PRIMARY KEY, tenure INTEGER NOT NULL REFERENCES tenure, start INTEGER NOT NULL,"
  "  end INTEGER NOT NULL, file_offset INTEGER NOT NULL, from_time INTEGER NOT NULL,"
  "  from_position INTEGER NOT NULL, to_time INTEGER, to_position INTEGER);",

  "CREATE TABLE text ("
  "  id INTEGER PRIMARY KEY, tenure INTEGER NOT NULL REFERENCES tenure, start INTEGER NOT NULL,"
  "  bytes BLOB NOT NULL, evidence TEXT NOT NULL, source TEXT NOT NULL);",

  "CREATE TABLE symbol_block ("
  "  id INTEGER PRIMARY KEY, occupant TEXT NOT NULL, n INTEGER NOT NULL, symbols BLOB NOT NULL);",

  "CREATE TABLE thread (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, comm TEXT NOT NULL);",

  "CREATE TABLE name_file ("
  "  id INTEGER PRIMARY KEY, occupant TEXT NOT NULL, build_id BLOB, path TEXT NOT NULL,"
  "  source TEXT NOT NULL, evidence TEXT NOT NULL);",

  "CREATE TABLE source ("
  "  id INTEGER PRIMARY KEY, what TEXT NOT NULL, occupant TEXT, path TEXT NOT NULL,"
  "  found TEXT NOT NULL, build_id BLOB, evidence TEXT NOT NULL, moved INTEGER NOT NULL,"
  "  gives TEXT NOT NULL, refused TEXT);",

  "CREATE TABLE found_file (path TEXT NOT NULL, size INTEGER NOT NULL, changed INTEGER NOT NULL);",

  "CREATE TABLE absent_file (path TEXT NOT NULL);",

  "CREATE TABLE named_tenure ("
  "  tenure INTEGER PRIMARY KEY REFERENCES tenure,"
  "  name_file INTEGER NOT NULL REFERENCES name_file, bias INTEGER NOT NULL);",

  "CREATE TABLE file_text ("
  "  id INTEGER PRIMARY KEY, name_file INTEGER NOT NULL REFERENCES name_file,"
  "  start INTEGER NOT NULL, bytes BLOB NOT NULL, evidence TEXT NOT NULL, source TEXT NOT NULL);",

  "CREATE TABLE function ("
  "  id INTEGER PRIMARY KEY, symbol TEXT, kind TEXT NOT NULL, occupant TEXT NOT NULL,"
  "  start INTEGER NOT NULL, length INTEGER NOT NULL, samples INTEGER NOT NULL,"
  "  period INTEGER NOT NULL, changes INTEGER NOT NULL, versions INTEGER NOT NULL,"
  "  pokes INTEGER NOT NULL, linkage_name TEXT, name_file INTEGER REFERENCES name_file);",

  "CREATE TABLE source_file (id INTEGER PRIMARY KEY, path TEXT NOT NULL);",

  "CREATE TABLE inlined_function (id INTEGER PRIMARY KEY, name TEXT NOT NULL);",

  "CREATE TABLE source_lines ("
  "  id INTEGER PRIMARY KEY, function INTEGER NOT NULL REFERENCES function,"
  "  tenure INTEGER REFERENCES tenure, n INTEGER NOT NULL, n_calls INTEGER NOT NULL,"
  "  lines BLOB NOT NULL);",

  "CREATE TABLE bucket_block ("
  "  id INTEGER PRIMARY KEY, first_function INTEGER NOT NULL REFERENCES function,"
  "  last_function INTEGER NOT NULL REFERENCES function, first_id INTEGER NOT NULL,"
  "  last_id INTEGER NOT NULL, n INTEGER NOT NULL, buckets BLOB NOT NULL);",

  "CREATE TABLE sample_block ("
  "  id INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, n INTEGER NOT NULL,"
  "  columns BLOB NOT NULL);",

  "CREATE TABLE span ("
  "  id INTEGER PRIMARY KEY, level INTEGER NOT NULL,"
  "  first_block INTEGER NOT NULL REFERENCES sample_block, n_blocks INTEGER NOT NULL,"
  "  samples INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,"
  "  shift INTEGER NOT NULL, tiles BLOB NOT NULL, functions BLOB NOT NULL);",

  "CREATE TABLE span_piece ("
  "  id INTEGER PRIMARY KEY, span INTEGER NOT NULL REFERENCES span,"
  "  first_function INTEGER NOT NULL REFERENCES function,"
  "  last_function INTEGER NOT NULL REFERENCES function, buckets BLOB NOT NULL);",

  "CREATE TABLE frame_block ("
  "  id INTEGER PRIMARY KEY, n INTEGER NOT NULL, frames BLOB NOT NULL);",

  "CREATE TABLE chain_block ("
  "  id INTEGER PRIMARY KEY, n INTEGER NOT NULL, chains BLOB NOT NULL);",

  "CREATE TABLE payload_block ("
  "  block INTEGER NOT NULL REFERENCES sample_block, first INTEGER NOT NULL, n INTEGER NOT NULL,"
  "  payloads BLOB NOT NULL, PRIMARY KEY (block, first));",

  "CREATE TABLE tracepoint ("
  "  event INTEGER PRIMARY KEY REFERENCES event, system TEXT NOT NULL, format TEXT NOT NULL);",

  "CREATE TABLE bpf_line ("
  "  id INTEGER PRIMARY KEY, bpf_id INTEGER NOT NULL REFERENCES bpf_program,"
  "  address INTEGER NOT NULL, instruction INTEGER NOT NULL, file TEXT NOT NULL,"
  "  line INTEGER NOT NULL, column INTEGER NOT NULL, text TEXT NOT NULL);",

  "CREATE TABLE btf (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);",

  NOTE,

  "CREATE TABLE build_id ("
  "  id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, mode TEXT NOT NULL, build_id BLOB NOT NULL,"
  "  name TEXT NOT NULL);",

  "CREATE TABLE module_event ("
  "  id INTEGER PRIMARY KEY, time INTEGER, position INTEGER NOT NULL, is_free INTEGER NOT NULL,"
  "  module TEXT, cpu INTEGER, pid INTEGER, tid INTEGER);",

  "CREATE VIEW change AS" CHANGES ";",

  "CREATE VIEW function_total AS"
  "  SELECT symbol, kind, occupant, samples,"
  "    round(100.0 * samples / (SELECT sum(samples) FROM function), 2) AS percent, period,"
  "    changes, versions"
  "  FROM function WHERE samples > 0 OR changes > 0 ORDER BY samples DESC, id;",

  "CREATE VIEW occupant_total AS"
  "  SELECT kind, occupant, sum(samples) AS samples,"
  "    round(100.0 * sum(samples) / (SELECT sum(samples) FROM function), 2) AS percent,"
  "    count(symbol) AS functions"
  "  FROM function GROUP BY kind, occupant ORDER BY 3 DESC, 1, 2;",

  "CREATE VIEW patch_total AS"
  "  SELECT cause, count(*) AS patches, count(DISTINCT address) AS sites,"
  "    count(DISTINCT function) AS functions, sum(breaks_chain) AS chain_breaks,"
  "    count(break_loss) AS explained_breaks,"
  "    min(time) AS first, max(time) AS last"
  "  FROM text_poke WHERE effect = 'patch' GROUP BY cause ORDER BY 2 DESC, 1;",

  "CREATE VIEW batch_total AS"
  "  SELECT id AS batch, from_time AS time, to_time - from_time AS ns, cause, confidence, effect,"
  "    sites, key, sentence, comm, tid,"
  "    (SELECT count(DISTINCT function) FROM text_poke p"
  "      WHERE p.batch = b.id AND p.id BETWEEN b.first_poke AND b.last_poke) AS functions,"
  "    (SELECT sum(breaks_chain) FROM text_poke p"
  "      WHERE p.batch = b.id AND p.id BETWEEN b.first_poke AND b.last_poke) AS chain_breaks"
  "  FROM batch b ORDER BY id;",

  "CREATE VIEW confidence_total AS"
  "  SELECT cause, confidence, rule, count(*) AS pokes, count(DISTINCT address) AS sites"
  "  FROM text_poke GROUP BY cause, confidence, rule ORDER BY 4 DESC, 1, 2, 3;",

  "CREATE VIEW patcher_total AS"
  "  SELECT comm, pid, tid, cause, count(*) AS patches, min(time) AS first, max(time) AS last"
  "  FROM text_poke WHERE effect = 'patch' GROUP BY comm, pid, tid, cause"
  "  ORDER BY 5 DESC, 1, 2, 3, 4;",

  "CREATE VIEW loss_total AS"
  "  SELECT kind, count(*) AS losses, sum(count) AS count, min(from_time) AS first,"
  "    max(to_time) AS last"
  "  FROM loss GROUP BY kind ORDER BY 1;",

  NULL,
};

const char *const pen_schema_indexes[] = {
  "CREATE INDEX text_poke_change ON text_poke (change);",
  "CREATE INDEX text_poke_site ON text_poke (address, length, effect, tenure);",
  "CREATE INDEX tenure_space ON tenure (space);",
  "CREATE INDEX part_tenure ON part (tenure);",
  "CREATE INDEX text_start ON text (start);",
  "CREATE INDEX file_text_start ON file_text (name_file, start);",
  "CREATE INDEX source_lines_function ON source_lines (function);",
  "CREATE INDEX span_piece_function ON span_piece (span, first_function, last_function);",
  "CREATE INDEX bpf_line_program ON bpf_line (bpf_id);",
  NULL,
};
