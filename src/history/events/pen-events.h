/* pen-events.h: the events of a history, before they are put in order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-cancel-check.h"

G_BEGIN_DECLS

/* In the order in which events of one moment count: what ends, before what begins. */
typedef enum {
  PEN_EVENT_EXIT,
  PEN_EVENT_UNREGISTER,
  PEN_EVENT_MODULE_FREE,
  PEN_EVENT_FORK,
  PEN_EVENT_COMM,
  PEN_EVENT_PROCESS_MAP,
  PEN_EVENT_MAP, /* of the kernel */
  PEN_EVENT_REGISTER,
  PEN_EVENT_LISTED,
  PEN_EVENT_BPF_LOAD,
  PEN_EVENT_POKE,
} PenEventKind;

typedef struct {
  PenMoment moment;
  guint32 kind;
  guint32 index; /* in the array of its kind */
} PenEvent;

/* A map of the kernel's space. */
typedef struct {
  PenTenure tenure; /* all that the record says about it */
  guint32 opened;   /* index of the tenure that it opened in the kernel's space */
} PenMapItem;

/* A map of a process, of which there may be a million: its tenure is made when it is due.
 * @symbol: of what a runtime wrote (U6), else NULL. @evidence: a PenEvidence */
typedef struct {
  const char *name;
  const char *symbol;
  const guint8 *build_id;
  guint64 start;
  guint64 end;
  guint64 file_offset;
  gint32 pid;
  gint32 tid;
  guint8 build_id_length;
  guint8 evidence;
  guint is_data : 1;
} PenProcessMapItem;

/* What a snapshot lists as registered (K6). */
typedef struct {
  const char *name;
  PenKind kind;
  guint64 start;
  guint64 end;
  PenEvidence evidence;
} PenListedItem;

/* FORK, EXIT and COMM. */
typedef struct {
  gint32 pid;
  gint32 ppid;
  gint32 tid;
  gint32 ptid;
  gboolean is_synthesized;
  gboolean is_exec;
  const char *comm;
} PenTaskItem;

typedef struct {
  guint32 bpf_id;
  guint8 tag[8];
  gint32 tid;
  guint32 cpu;
  guint first_address; /* in PenEvents.addresses */
  guint n_addresses;
} PenBpfLoadItem;

/* @occupant: interned. @map: no record says so, and it ends what this map took only (M5);
 * G_MAXUINT32: recorded, and ends all that is mapped of the module */
typedef struct {
  const char *occupant;
  PenMoment moment;
  gboolean is_free;
  guint32 map;
  gboolean has_task;
  gint32 tid;
} PenModuleItem;

/* A module in a snapshot: see PenModuleSighting. */
typedef struct {
  const char *occupant;
  guint64 start;
  guint64 end;
  gboolean is_rough;
  gboolean has_other_memory;
  PenEvidence evidence;
} PenSighting;

/* @first, @n: of the sightings */
typedef struct {
  PenMoment moment;
  gboolean is_dated;
  gboolean is_whole;
  guint32 first;
  guint32 n;
} PenSightingList;

/* Memory that a task was given for text (M7). */
typedef struct {
  PenMoment moment;
  gint32 tid;
  guint64 start;
  guint64 end;
} PenAllocationItem;

/*
 * PenEvents: names in it are interned: equal names have equal pointers.
 */
typedef struct {
  GArray *order;          /* PenEvent */
  GArray *process_maps;   /* PenProcessMapItem */
  GArray *maps;           /* PenMapItem */
  GArray *ksymbols;       /* PenKsymbolEvent */
  GArray *listed;         /* PenListedItem */
  GArray *tasks;          /* PenTaskItem */
  GArray *bpf_loads;      /* PenBpfLoadItem */
  GArray *addresses;      /* guint64 */
  GArray *pokes;          /* PenPoke */
  GArray *modules;        /* PenModuleItem */
  GArray *sightings;      /* PenSighting */
  GArray *sighting_lists; /* PenSightingList */
  GArray *allocations;    /* PenAllocationItem */
} PenEvents;

void pen_events_init (PenEvents *self);
void pen_events_clear (PenEvents *self);

/* Adds @item to @items, and its place to the order. */
void pen_events_add (PenEvents *self, PenMoment moment, PenEventKind kind, GArray *items,
                     gconstpointer item);
/* FALSE: stopped */
gboolean pen_events_sort (PenEvents *self, PenCancelCheck *check);

G_END_DECLS
