/* pen-store.h: one imported capture on disk, read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-page-file.h"

G_BEGIN_DECLS

#define PEN_STORE_APPLICATION_ID 0x50454e54 /* "PENT", SQLite header bytes 68–71 */
#define PEN_STORE_VERSION 17                /* user_version: a change of the schema counts it up */

#define PEN_STORE_ERROR (pen_store_error_quark ())
GQuark pen_store_error_quark (void);

typedef enum {
  PEN_STORE_ERROR_NOT_A_STORE,
  PEN_STORE_ERROR_NEWER, /* written by a newer Pentimento */
  PEN_STORE_ERROR_OLDER, /* a schema that this version no longer reads: import again */
  PEN_STORE_ERROR_UNFINISHED,
  PEN_STORE_ERROR_DAMAGED, /* SQLite or a block's checksum says so */
  PEN_STORE_ERROR_FAILED,
} PenStoreError;

/* Two things that a store counts in one way: samples, and waits: stretches in which a task was off
 * CPU (semantics.md, "Time off CPU"), whose period is how long that was, in ns. */
typedef enum {
  PEN_POPULATION_SAMPLES,
  PEN_POPULATION_WAITS,
} PenPopulation;

/* Not safe to use from two threads at once: each thread opens its own. */
#define PEN_TYPE_STORE (pen_store_get_type ())
G_DECLARE_FINAL_TYPE (PenStore, pen_store, PEN, STORE, GObject)

/* TRUE if the file begins as an SQLite database with our application_id. */
gboolean pen_store_is_store (const char *path);

/* Opens read-only. */
PenStore *pen_store_open (const char *path, GError **error);

/* One that is written in parts (pen_store_writer_new_pages()), as it was when @state was published.
 * Its path is the state's name, and no file. */
PenStore *pen_store_open_state (PenPageState *state, GError **error);

/*
 * pen_store_open_waits:
 *
 * Opens the file of @self a second time: everything that says samples there is about waits, and
 * everything that says period about time off CPU. The rest is the same.
 *
 * Returns: (transfer full)
 */
PenStore *pen_store_open_waits (PenStore *self, GError **error);
/* Of waits: the store of samples that it was opened from. Of samples: itself.
 * Returns: (transfer none): NULL: of waits that pen_store_open_again() opened */
PenStore *pen_store_get_samples (PenStore *self);
/*
 * pen_store_open_again:
 *
 * Opens the file of @self once more, for another thread. It is not cancelled with @self.
 *
 * Returns: (transfer full); NULL also where another file has its name meanwhile
 */
PenStore *pen_store_open_again (PenStore *self, GError **error);
/* Whether both have one file open. FALSE also where that is not known. */
gboolean pen_store_is_same_file (PenStore *a, PenStore *b);
PenPopulation pen_store_get_population (PenStore *self);
/* Whether it has any, of a store of either population. */
gboolean pen_store_has_waits (PenStore *self);

const char *pen_store_get_path (PenStore *self);

/* A running or later query of this store stops with G_IO_ERROR_CANCELLED when @cancellable is. */
void pen_store_set_cancellable (PenStore *self, GCancellable *cancellable);
/* Returns: (transfer none) (nullable) */
GCancellable *pen_store_get_cancellable (PenStore *self);

/*
 * pen_store_begin_reading:
 *
 * What is read until pen_store_end_reading() takes one lock of the file, not one for each read: for
 * questions of thousands of small reads. A note can be written meanwhile: pen_store_goes_on() lets
 * go of the lock each second. Calls nest.
 */
gboolean pen_store_begin_reading (PenStore *self, GError **error);
void pen_store_end_reading (PenStore *self);

/* For long loops over what was read. Returns: FALSE: it was cancelled */
gboolean pen_store_goes_on (PenStore *self, GError **error);
/* Looks at each 1,024th @step only. */
static inline gboolean
pen_store_steps_on (PenStore *self, guint step, GError **error)
{
  return step % 1024 != 0 || pen_store_goes_on (self, error);
}

/* Returns: (nullable): owned by the store */
const char *pen_store_get_fact (PenStore *self, const char *key);
gint64 pen_store_get_fact_int (PenStore *self, const char *key, gint64 fallback);

G_END_DECLS
