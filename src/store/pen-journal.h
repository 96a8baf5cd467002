/* pen-journal.h: files that SQLite keeps beside a database while it is changed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Notes are written with a rollback journal (FILE-journal), not with a write-ahead log: once a note
 * is written, the file alone is all of it, as one who copies a store expects. With a log, notes are
 * beside it until the last program closes it in order; a copy lacks them, and a log that is older
 * than the file beside it damages that file. A journal is there for some milliseconds only. It is
 * left where the writer was killed, and undoes the change that was begun.
 */

/*
 * pen_journal_settle:
 * @path: a database
 * @is_foreign: (out): something lies beside it that no note leaves: a journal that names another
 *   file (SQLite would remove that), a log, anything else; or the database wants a log. It is to be
 *   read immutable, which is as if nothing lay there, and not to be written to.
 *
 * Undoes a change that was interrupted, as its journal says. Nothing but the database and the
 * journal is touched. May wait for readers.
 *
 * Returns: FALSE: it could not be undone: the database is neither as before nor as after the change
 */
gboolean pen_journal_settle (const char *path, gboolean *is_foreign, GError **error);

/*
 * pen_journal_check_place:
 * @path: the name that a new file is to have
 *
 * Returns: FALSE: what is named as a journal of @path would be is some other file, which is not to
 * be removed
 */
gboolean pen_journal_check_place (const char *path, GError **error);

/*
 * PenJournalTaken: keeps others from beginning a journal
 */
typedef struct _PenJournalTaken PenJournalTaken;

/*
 * pen_journal_take_place:
 * @path: a name that another file is about to get: what lies beside must not be rolled into that
 *
 * Undoes what is interrupted there, so that what is there stays whole if nothing comes of it;
 * removes journals that are left, also from the disk.
 */
PenJournalTaken *pen_journal_take_place (const char *path, GError **error);
void pen_journal_give_place (PenJournalTaken *self);

/*
 * pen_journal_remove:
 * @path: a database that is gone
 *
 * Removes what SQLite left beside it.
 */
void pen_journal_remove (const char *path);

/* Returns: (nullable): the name of the database to which one named @name would be a journal */
char *pen_journal_get_owner (const char *name);

G_END_DECLS
