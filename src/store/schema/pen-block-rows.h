/* pen-block-rows.h: rows that no other struct has: packs and what is said of them, and pairs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-samples.h"
#include "pen-store-spans.h"
#include "pen-store-stacks.h"
#include "pen-words.h"

G_BEGIN_DECLS

typedef struct {
  const char *key;
  const char *value;
} PenFactRow;

typedef struct {
  guint32 id;
  const char *string;
} PenStringRow;

typedef struct {
  guint32 id;
  const char *value;
} PenSharedRow;

typedef struct {
  guint32 id;
  PenThread thread;
} PenThreadRow;

typedef struct {
  guint32 tenure;
  guint32 name_file;
  guint64 bias;
} PenNamedTenureRow;

typedef struct {
  guint32 tenure;
  guint64 start;
  const guint8 *bytes;
  gsize length;
  PenEvidence evidence;
  const char *source;
} PenTextRow;

/* @n pieces from @first to @last, the address of the last byte. */
typedef struct {
  guint32 name_file;
  guint64 first;
  guint64 last;
  guint n;
  PenEvidence evidence;
  const char *source;
  const guint8 *bytes;
  gsize length;
} PenFileTextRow;

/* @n rows in a pack; each table has some of these. */
typedef struct {
  guint64 id;
  const char *name;
  guint64 first;
  guint64 last;
  guint n;
  const guint8 *bytes;
  gsize length;
} PenBlockRow;

typedef struct {
  guint64 id;
  guint64 first_function;
  guint64 last_function;
  guint64 first_id;
  guint64 last_id;
  guint64 n;
  const guint8 *bytes;
  gsize length;
} PenBucketBlockRow;

typedef struct {
  PenStoreSpan span;
  const guint8 *tiles;
  gsize tiles_length;
  const guint8 *functions;
  gsize functions_length;
} PenSpanRow;

typedef struct {
  guint64 id;
  guint32 span;
  guint32 first_function;
  guint32 last_function;
  const guint8 *bytes;
  gsize length;
} PenSpanPieceRow;

typedef struct {
  PenStackSpan span;
  const guint8 *bytes;
  gsize length;
} PenStackSpanRow;

typedef struct {
  guint32 id;
  guint32 function;
  guint32 tenure;
  guint n;
  guint n_calls;
  const guint8 *bytes;
  gsize length;
} PenSourceLinesRow;

G_END_DECLS
