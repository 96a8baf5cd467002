/* app-support.h: what the tests of sessions and windows share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-session.h"
#include "pen-test-capture.h"

G_BEGIN_DECLS

/* A cache directory of this run's own: every test sees a real import. Removed at exit of main. */
void app_support_begin (void);
void app_support_end (void);

/* After a cancel: waits for the thread. An import that was done before the word came may stay; half
 * of one may not. */
void app_support_assert_nothing_unfinished (void);
void app_support_clear_cache (void);
/* Nothing that was looked at before comes back. */
void app_support_forget_views (void);

/* tests/data/@name */
char *app_support_capture (const char *name);

/* A small capture: four CPUs at work for two seconds from 100 s on, of which the last second is
 * that of a patched function. */
PenTestCapture *app_support_new_capture (void);
/* The same, with that event as the third. */
PenTestCapture *app_support_new_capture_with (const PenTestEvent *event);
/* Writes it to a file of this run's own. Returns: (transfer full): its path */
char *app_support_write_capture (PenTestCapture *capture, const char *name);
/* The path of such a file, whether or not it is there. */
char *app_support_temporary (const char *name);

/* Runs the main loop until the session has nothing more to do. */
void app_support_settle (PenSession *session);
/* Runs the main loop for a while, which is at least some frames of every window: what came up in it
 * is done and drawn, however busy the machine is. For what ends later: app_support_wait_for(). */
void app_support_run (guint ms);
/* Runs the main loop for a while, and asks for no frame. */
void app_support_pass (guint ms);

/* Runs the main loop until @condition holds; a test in which it never does, fails. */
#define app_support_wait_for(condition)                                                            \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 app_support_deadline = app_support_get_deadline ();                                     \
                                                                                                   \
    while (!(condition)) {                                                                         \
      if (g_get_monotonic_time () >= app_support_deadline)                                         \
        g_error ("%s:%d: waited in vain for %s", __FILE__, __LINE__, #condition);                  \
      app_support_run (5);                                                                         \
    }                                                                                              \
  }                                                                                                \
  G_STMT_END
/* Until when a test waits, in microseconds of the monotonic clock. */
gint64 app_support_get_deadline (void);

/* The session's store, opened once more: what the window shows is compared with it. */
PenQuery *app_support_open_query (PenSession *session);

/* What a query writes for itself. */
char *app_support_export (PenQuery *query, PenExport table, const PenFilter *filter,
                          guint64 address);
/* What the session writes. */
char *app_support_session_export (PenSession *session, PenExport table);

/* What that command line prints; its first word stands for the program. */
char *app_support_run_command (const char *command);

/* The picture of the overview. */
/* Returns: (transfer full): the file */
GBytes *app_support_session_export_profile (PenSession *session, PenProfileFormat format,
                                            guint64 *n_samples);
void app_support_session_export_picture (PenSession *session, const char *path);

/* Why it cannot be written there. */
char *app_support_session_export_fails (PenSession *session, PenExport table, const char *path);

/* Finds a function by its name. */
gboolean app_support_find_function (PenSession *session, const char *symbol, guint32 *function);

G_END_DECLS
