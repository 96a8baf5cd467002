/* pen-filter-options.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-filter-options.h"

#include "pen-command.h"
#include "pen-filter-term.h"

void
pen_filter_options_clear (PenFilterOptions *self)
{
  g_clear_pointer (&self->times, g_strfreev);
  g_clear_pointer (&self->address, g_free);
  g_clear_pointer (&self->cpus, g_strfreev);
  g_clear_pointer (&self->pids, g_strfreev);
  g_clear_pointer (&self->tids, g_strfreev);
  g_clear_pointer (&self->comms, g_strfreev);
  g_clear_pointer (&self->events, g_strfreev);
  g_clear_pointer (&self->kinds, g_strfreev);
  g_clear_pointer (&self->occupants, g_strfreev);
  g_clear_pointer (&self->symbols, g_strfreev);
  g_clear_pointer (&self->bpf_ids, g_strfreev);
  g_clear_pointer (&self->tenures, g_strfreev);
  g_clear_pointer (&self->causes, g_strfreev);
}

/* Puts the name of the option before the message. */
static gboolean
refuse (PenFilterPart part, const GError *why, GError **error)
{
  g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE, "--%s: %s",
               pen_filter_part_to_string (part), why->message);
  return FALSE;
}

static gboolean
add_values (PenFilter *filter, PenFilterPart part, char **values, GError **error)
{
  for (guint i = 0; values && values[i]; i++) {
    g_autoptr (GError) why = NULL;

    if (!pen_filter_add_value (filter, part, values[i], &why))
      return refuse (part, why, error);
  }
  return TRUE;
}

static gboolean
set_addresses (PenFilter *filter, const char *range, GError **error)
{
  g_autoptr (GError) why = NULL;

  return pen_filter_set_addresses_from_string (filter, range, &why)
         || refuse (PEN_FILTER_ADDRESS, why, error);
}

gboolean
pen_filter_options_apply (const PenFilterOptions *self, PenFilter *filter, GError **error)
{
  const struct {
    PenFilterPart part;
    char **values;
  } lists[] = {
    { PEN_FILTER_CPU, self->cpus },           { PEN_FILTER_PID, self->pids },
    { PEN_FILTER_TID, self->tids },           { PEN_FILTER_COMM, self->comms },
    { PEN_FILTER_EVENT, self->events },       { PEN_FILTER_KIND, self->kinds },
    { PEN_FILTER_OCCUPANT, self->occupants }, { PEN_FILTER_SYMBOL, self->symbols },
    { PEN_FILTER_BPF, self->bpf_ids },        { PEN_FILTER_TENURE, self->tenures },
    { PEN_FILTER_CAUSE, self->causes },
  };

  filter->changed = self->changed;
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++) {
    if (!add_values (filter, lists[i].part, lists[i].values, error))
      return FALSE;
  }
  return !self->address || set_addresses (filter, self->address, error);
}
