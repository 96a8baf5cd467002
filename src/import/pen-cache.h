/* pen-cache.h: what the user's cache holds, and how much of it stays
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define PEN_CACHE_NO_LIMIT G_MAXUINT64
#define PEN_CACHE_DEFAULT_LIMIT (G_GUINT64_CONSTANT (10) * 1000 * 1000 * 1000)

typedef enum {
  PEN_CACHE_COMPLETE,
  PEN_CACHE_IMPORTING,     /* someone is at work on it */
  PEN_CACHE_LEFT,          /* someone was, and was killed */
  PEN_CACHE_OTHER_VERSION, /* of Pentimento: this one does not read it */
  PEN_CACHE_DAMAGED,
  PEN_CACHE_KERNEL_TEXT, /* no import: the text of a kernel, which imports of its boot share */
  PEN_CACHE_STATES,
} PenCacheState;

const char *pen_cache_state_to_string (PenCacheState state);

/*
 * PenCacheEntry: one import
 * @path: of its file
 * @capture: (nullable): what was imported, an absolute file name; NULL: not known
 * @size: bytes
 * @used: when it was opened last, µs since 1970
 * @is_in_use: some process has it open
 */
typedef struct {
  char *path;
  char *capture;
  guint64 size;
  gint64 used;
  PenCacheState state;
  gboolean is_in_use;
} PenCacheEntry;

/* Returns: (transfer full) (element-type PenCacheEntry): used last comes first */
GPtrArray *pen_cache_load_entries (const char *directory, GError **error);

/* The numbers of removed stores, and of those kept since they are in use. */
typedef struct {
  guint n_removed;
  guint64 removed;
  guint n_kept;
  guint64 kept;
} PenCacheTrimmed;

/*
 * pen_cache_trim:
 * @limit: bytes; PEN_CACHE_NO_LIMIT does nothing, 0 removes all that can be
 * @keep: (nullable): a store that stays in any case
 * @idle: an import stays if it was used in the last @idle µs: whoever has just been told its name
 *   may not have opened it yet
 *
 * Removes imports, those first that were used least recently, until they take no more than @limit.
 * One that a process has open stays, as does one that is being made.
 */
gboolean pen_cache_trim (const char *directory, guint64 limit, const char *keep, gint64 idle,
                         PenCacheTrimmed *trimmed, GError **error);

/* Removes the import @path, unless a process has it open. FALSE: the cache cannot be looked into.
 */
gboolean pen_cache_remove (const char *directory, const char *path, PenCacheTrimmed *trimmed,
                           GError **error);

/* An import was asked for: it is the one used last. */
void pen_cache_touch (const char *store);

/* After an import into the cache: keeps to the user's limit. Never fails: the import is good. */
void pen_cache_keep_limit (const char *directory, const char *store);

G_END_DECLS
