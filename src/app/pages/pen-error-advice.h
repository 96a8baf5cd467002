/* pen-error-advice.h: what was wrong with a capture, what was kept, and what a person can do
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"

G_BEGIN_DECLS

/*
 * PenErrorAdvice: plain texts, fit to be shown
 * @message: what was wrong with which file, where, and what was kept
 * @remedy: what to do
 * @command: (nullable): that does it in a terminal: safe to be pasted there
 * @action: (nullable): what else helps: one of those that the page has a button for
 * @can_retry: it may be otherwise the next time
 */
typedef struct {
  const char *icon;
  char *title;
  char *message;
  char *remedy;
  char *command;
  const char *action;
  gboolean can_retry;
} PenErrorAdvice;

/* @path: what was to be opened, or "-"
 * @is_sandboxed: a file that is not there may be hidden */
PenErrorAdvice *pen_error_advice_new (const GError *error, const char *path, gboolean is_sandboxed);

/* For a capture that could be read, and has nothing to look at; NULL: it has.
 * @path: of the capture */
PenErrorAdvice *pen_error_advice_new_for_nothing (const PenOpened *opened, const char *path);

void pen_error_advice_free (PenErrorAdvice *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenErrorAdvice, pen_error_advice_free)

/* Whether what was to be opened is gone: not a file that it was to be imported with. */
gboolean pen_error_advice_is_gone (const GError *error, const char *path);

/* A remark though there is something to see; NULL: none. Static strings. */
const char *pen_error_advice_get_remark (const PenOpened *opened);

G_END_DECLS
