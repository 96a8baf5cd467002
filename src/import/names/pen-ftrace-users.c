/* pen-ftrace-users.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-ftrace-users.h"

struct _PenFtraceUsers {
  PenHistory *history;
  PenKernelSources *kernel;
  PenTrampolineUsers *trampolines;
  PenPurposes *purposes;
  PenModuleEvents *modules;
  const PenFeatures *features;
};

PenFtraceUsers *
pen_ftrace_users_new (PenHistory *history, PenKernelSources *kernel,
                      PenTrampolineUsers *trampolines, PenPurposes *purposes,
                      PenModuleEvents *modules, const PenFeatures *features)
{
  PenFtraceUsers *self = g_new0 (PenFtraceUsers, 1);

  self->history = history;
  self->kernel = kernel;
  self->trampolines = trampolines;
  self->purposes = purposes;
  self->modules = modules;
  self->features = features;
  return self;
}

void
pen_ftrace_users_free (PenFtraceUsers *self)
{
  g_free (self);
}

/* The task that loads a live patch enables it meanwhile. */
static gboolean
was_loading_livepatch (const PenFtraceUsers *self, const PenFtraceText *text)
{
  return text->has_task
         && pen_module_events_is_livepatch_load (self->modules, text->tid, text->moment);
}

/* @tenure: of @called: the names of data are those of its text */
static const char *
find_by_form (const PenFtraceUsers *self, const PenFtraceText *text, const PenTenure *tenure,
              const char *called, gboolean *is_inferred)
{
  PenSymbol ops;
  gboolean is_named = text->form.ops != 0
                      && pen_kernel_sources_find_symbol (self->kernel, tenure, text->form.ops, &ops)
                      && ops.start == text->form.ops;
  const char *user = pen_ftrace_trampoline_find_user (
      &text->form, called, is_named ? ops.name : NULL, self->features->os_release, is_inferred);

  if (*is_inferred)
    *is_inferred = !was_loading_livepatch (self, text);
  return user;
}

char *
pen_ftrace_users_find (PenFtraceUsers *self, const PenTenure *trampoline, PenMoment moment,
                       gboolean *is_inferred)
{
  const PenFtraceText *text = pen_trampoline_users_get_ftrace (self->trampolines, trampoline);
  guint64 target = text ? text->form.target : 0;
  const PenTenure *tenure
      = target != 0 ? pen_history_find (self->history, PEN_SPACE_KERNEL, target, moment, NULL)
                    : NULL;
  const char *listed;
  PenSymbol called;

  *is_inferred = FALSE;
  if (!tenure || tenure->layer != PEN_LAYER_MAP
      || !pen_kernel_sources_find_symbol (self->kernel, tenure, target, &called)
      || called.start != target)
    return g_strdup (pen_purposes_find_called (self->purposes, trampoline));
  listed = pen_ftrace_trampoline_is_for_any (called.name)
               ? pen_purposes_find_called (self->purposes, trampoline)
               : NULL;
  return g_strdup (listed ? listed : find_by_form (self, text, tenure, called.name, is_inferred));
}
