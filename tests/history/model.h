/* model.h: the contract, sentence by sentence, asked of the raw events each time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"

G_BEGIN_DECLS

typedef enum {
  RAW_KERNEL_MAP,
  RAW_MAP,
  RAW_REGISTER,
  RAW_UNREGISTER,
  RAW_POKE,
  RAW_FORK,
  RAW_EXIT,
  RAW_COMM,
  RAW_MODULE_FREE,
  RAW_LISTED, /* in a snapshot of the start: after all of the initial state */
} RawKind;

#define RAW_POKE_MAX 12

typedef struct {
  RawKind kind;
  PenMoment moment;
  guint64 start;
  guint64 length; /* of a poke: MAX (old_length, new_length) */
  guint64 file_offset;
  const char *name; /* or comm */
  gint32 pid;
  gint32 tid;
  gint32 ppid;
  gint32 ptid;
  gboolean flag; /* KERNEL_MAP: of a snapshot; MAP: data; FORK: synthesized; COMM: exec */
  guint16 old_length;
  guint16 new_length;
  guint8 old_bytes[RAW_POKE_MAX];
  guint8 new_bytes[RAW_POKE_MAX];
} RawEvent;

/* Events in the order of their moments, which all differ. Addresses are below MODEL_ADDRESSES. */
#define MODEL_ADDRESSES 48

/* Pokes reach beyond them. */
#define MODEL_BYTES (MODEL_ADDRESSES + RAW_POKE_MAX)

/* @held: MODEL_BYTES for each event and the end, all 0: see model.c */
typedef struct {
  const RawEvent *events;
  guint n;
  guint8 *held;
} Model;

/* Who held an address: what a tenure is to the contract. */
typedef struct {
  gboolean found;
  gboolean is_ksymbol;
  gboolean is_unknown; /* P6 */
  gboolean is_snapshot;
  const char *name;
  guint64 start; /* as first taken */
  guint64 end;
  PenMoment from;
  PenMoment to;
  gboolean from_inferred;
  gboolean to_inferred;
  guint64 file_offset; /* of the address asked for */
} Holder;

Holder model_find_kernel (const Model *self, guint64 address, PenMoment moment);
guint32 model_count_revision (const Model *self, guint64 address, PenMoment moment);
gboolean model_is_patch (const RawEvent *poke);

/* FALSE: @pid has no space then. */
gboolean model_find_space (const Model *self, gint32 pid, PenMoment moment, PenMoment *from,
                           PenMoment *to);
Holder model_find_process (const Model *self, gint32 pid, guint64 address, PenMoment moment);
const char *model_find_comm (const Model *self, gint32 tid, PenMoment moment);

gboolean model_is_same_tenure (const Holder *a, const Holder *b);

G_END_DECLS
