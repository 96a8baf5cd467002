/* pen-store-columns.h: the columns of a table, as pen-store-tables.c describes them: @T is the
 * struct of a row, @f a field of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-table.h"

/* clang-format off */
#define FIELD_TYPE(T, f) _Generic (((T *) 0)->f,                                                   \
    guint8: PEN_FIELD_U8, guint16: PEN_FIELD_U16, guint32: PEN_FIELD_U32, gint32: PEN_FIELD_I32,   \
    guint64: PEN_FIELD_U64, gint64: PEN_FIELD_U64,                                                 \
    const char *: PEN_FIELD_STRING, char *: PEN_FIELD_STRING,                                      \
    const guint8 *: PEN_FIELD_BYTES, guint8 *: PEN_FIELD_ARRAY)
/* clang-format on */
#define FIELD(T, f) .field = FIELD_TYPE (T, f), .offset = offsetof (T, f)
#define LENGTH(T, f) .length_field = FIELD_TYPE (T, f), .length = offsetof (T, f)
#define WORDS(func, n) .to_word = (PenWordFunc) func, .n_words = n

/* A number, or a string; and as SQLite numbers the rows. */
#define KEY(T, f, name)                                                                            \
  {                                                                                                \
    name, "INTEGER PRIMARY KEY", FIELD (T, f)                                                      \
  }
#define AUTO                                                                                       \
  {                                                                                                \
    "id", "INTEGER PRIMARY KEY", .field = PEN_FIELD_NONE                                           \
  }
#define NUM(T, f, name)                                                                            \
  {                                                                                                \
    name, "INTEGER NOT NULL", FIELD (T, f)                                                         \
  }
#define STR(T, f, name)                                                                            \
  {                                                                                                \
    name, "TEXT NOT NULL", FIELD (T, f)                                                            \
  }
#define OPT_STR(T, f, name)                                                                        \
  {                                                                                                \
    name, "TEXT", FIELD (T, f), .null_rule = PEN_NULL_STRING                                       \
  }
#define COMM(T, f)                                                                                 \
  {                                                                                                \
    "comm", "TEXT", FIELD (T, f), .null_rule = PEN_NULL_EMPTY                                      \
  }
/* NULL for one value; for 0, which is no row; or where another field says so. */
#define OPT(T, f, name, value)                                                                     \
  {                                                                                                \
    name, "INTEGER", FIELD (T, f), .null_rule = PEN_NULL_VALUE, .null = (guint64) (value)          \
  }
#define REF(T, f, name, of)                                                                        \
  {                                                                                                \
    name, "INTEGER REFERENCES " of, FIELD (T, f), .null_rule = PEN_NULL_VALUE                      \
  }
#define NUM_REF(T, f, name, of)                                                                    \
  {                                                                                                \
    name, "INTEGER NOT NULL REFERENCES " of, FIELD (T, f)                                          \
  }
#define IF(T, f, name, condition, otherwise)                                                       \
  {                                                                                                \
    name, "INTEGER", FIELD (T, f), .null_rule = PEN_NULL_UNLESS, .other = offsetof (T, condition), \
                                   .null = (guint64) (gint64) (otherwise)                          \
  }
#define WORD(T, f, name, func, n)                                                                  \
  {                                                                                                \
    name, "TEXT NOT NULL", FIELD (T, f), WORDS (func, n)                                           \
  }
#define EVIDENCE(T) WORD (T, evidence, "evidence", pen_evidence_to_string, PEN_EVIDENCES)
/* Bytes, and how many: a field, or always so many. */
#define BLOB(T, f, l, name)                                                                        \
  {                                                                                                \
    name, "BLOB NOT NULL", FIELD (T, f), LENGTH (T, l)                                             \
  }
#define OPT_BLOB(T, f, l, name)                                                                    \
  {                                                                                                \
    name, "BLOB", FIELD (T, f), LENGTH (T, l), .null_rule = PEN_NULL_EMPTY,                        \
                                               .size = sizeof ((T *) 0)->f                         \
  }
/* Where many rows have the same: kept once, in the table `shared`. */
#define SHARED(T, f) "INTEGER REFERENCES shared", FIELD (T, f), .is_shared = TRUE
#define SHARED_STR(T, f, name)                                                                     \
  {                                                                                                \
    name, SHARED (T, f)                                                                            \
  }
#define SHARED_WORD(T, f, name, func, n)                                                           \
  {                                                                                                \
    name, SHARED (T, f), WORDS (func, n)                                                           \
  }
#define SHARED_COMM(T, f)                                                                          \
  {                                                                                                \
    "comm", SHARED (T, f), .null_rule = PEN_NULL_EMPTY                                             \
  }
#define SHARED_BLOB(T, f, l, name)                                                                 \
  {                                                                                                \
    name, SHARED (T, f), LENGTH (T, l), .null_rule = PEN_NULL_EMPTY, .size = sizeof ((T *) 0)->f   \
  }
#define SHARED_EVIDENCE(T)                                                                         \
  SHARED_WORD (T, evidence, "evidence", pen_evidence_to_string, PEN_EVIDENCES)
#define TAG(T, f)                                                                                  \
  {                                                                                                \
    "tag", "BLOB NOT NULL", FIELD (T, f), .size = 8                                                \
  }

/* The columns that all records have: @at is where in the struct. */
#define TIME(T, at) IF (T, at time, "time", at has_time, 0), NUM (T, at moment.position, "position")
#define CPU(T, at) OPT (T, at cpu, "cpu", G_MAXUINT32)
#define TASK_OR(T, at, none)                                                                       \
  IF (T, at pid, "pid", at has_task, none), IF (T, at tid, "tid", at has_task, none)
#define TASK(T, at) TASK_OR (T, at, -1)
#define FROM(T) NUM (T, from.time, "from_time"), NUM (T, from.position, "from_position")
#define END(T, f, prefix)                                                                          \
  OPT (T, f.time, prefix "_time", G_MAXUINT64), OPT (T, f.position, prefix "_position", G_MAXUINT64)
/* NULL: of no meaning. */
#define SINCE(T, f, prefix)                                                                        \
  OPT (T, f.time, prefix "_time", 0), OPT (T, f.position, prefix "_position", 0)
#define CAUSE(T)                                                                                   \
  WORD (T, cause, "cause", pen_cause_to_string, PEN_CAUSES),                                       \
      WORD (T, confidence, "confidence", pen_confidence_to_string, PEN_CONFIDENCES),               \
      WORD (T, effect, "effect", pen_poke_effect_to_string, PEN_POKE_EFFECTS)
