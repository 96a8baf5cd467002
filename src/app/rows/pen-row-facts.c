/* pen-row-facts.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-row-facts.h"

#include "pen-format.h"

/* objdump's octets_per_line on x86 */
#define BYTES_PER_LINE 7

static void
add_place (PenRow *row, const char *symbol, const char *occupant, PenKind kind)
{
  pen_row_add_term (row, PEN_FILTER_SYMBOL, symbol);
  pen_row_add_term (row, PEN_FILTER_OCCUPANT, occupant);
  pen_row_add_term (row, PEN_FILTER_KIND, pen_kind_to_string (kind));
}

/* For text that comes and goes: the one load of several. @tenure: 0: not known */
static void
add_tenure (PenRow *row, PenKind kind, guint32 tenure)
{
  if (tenure != 0 && tenure != PEN_SHARED_TENURE
      && (kind == PEN_KIND_BPF || kind == PEN_KIND_STUB || kind == PEN_KIND_MODULE))
    pen_row_add_number (row, PEN_FILTER_TENURE, (gint32) tenure);
}

void
pen_row_tell_function (PenRow *row, const PenFunction *function)
{
  g_autofree char *address = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", function->start);

  add_place (row, function->symbol, function->occupant, function->kind);
  pen_row_set_function (row, function->id);
  if (function->length == 0)
    return;
  pen_row_set_command (row, "annotate",
                       function->symbol && function->symbol[0] != '-' ? function->symbol : address);
  pen_row_set_address (row, function->start);
  pen_row_set_range (row, function->kind, function->start, function->start + function->length);
}

/* As objdump -d prints it, over several lines where it has more than seven bytes:
 * "ffffffff81a00000:\t0f 1f 44 00 00       \tnopl   0x0(%rax,%rax,1)" */
static char *
format_objdump (const PenAnnotationLine *line)
{
  GString *text = g_string_new (NULL);

  for (guint at = 0; at == 0 || at < line->n_bytes; at += BYTES_PER_LINE) {
    g_string_append_printf (text, "%s%8" G_GINT64_MODIFIER "x:\t", at > 0 ? "\n" : "",
                            line->address + at);
    for (guint i = at; i < at + BYTES_PER_LINE; i++) {
      if (i < line->n_bytes)
        g_string_append_printf (text, "%02x ", line->bytes[i]);
      else if (at == 0)
        g_string_append (text, "   ");
    }
    if (at > 0)
      continue;
    g_string_append_printf (text, "\t%s", line->instruction ? line->instruction : "(unknown)");
    if (line->target) {
      g_autofree char *target = pen_display_text (line->target);

      g_string_append_printf (text, " <%s>", target);
    }
  }
  return g_string_free (text, FALSE);
}

void
pen_row_tell_line (PenRow *row, const PenAnnotated *annotated, const PenAnnotationLine *line)
{
  g_autofree char *address = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", line->address);
  g_autofree char *range
      = g_strdup_printf ("%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x", line->address,
                         line->address + MAX (line->n_bytes, 1) - 1);

  add_place (row, annotated->symbol, annotated->occupant, annotated->kind);
  add_tenure (row, annotated->kind, line->tenure);
  pen_row_add_term (row, PEN_FILTER_ADDRESS, range);
  pen_row_set_function (row, annotated->function);
  row->line = format_objdump (line);
  pen_row_set_command (row, "history", address);
  pen_row_set_address (row, line->address);
  pen_row_set_range (row, annotated->kind, line->address, line->address + MAX (line->n_bytes, 1));
  pen_row_set_life (row, line->from.time, line->to.time);
  if (line->from.time > 0)
    pen_row_set_time (row, line->from.time);
  if (line->poke > 0)
    pen_row_set_change (row, line->from);
}

void
pen_row_tell_history (PenRow *row, const PenHistoryRow *history, guint64 address)
{
  g_autofree char *target = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address);

  if (history->poke > 0) {
    pen_row_add_term (row, PEN_FILTER_CAUSE, pen_cause_to_string (history->cause));
    pen_row_add_term (row, PEN_FILTER_COMM, history->comm);
    if (history->comm)
      pen_row_add_number (row, PEN_FILTER_PID, history->pid);
    if (history->cpu != G_MAXUINT32)
      pen_row_add_number (row, PEN_FILTER_CPU, history->cpu);
  }
  add_place (row, history->symbol, history->occupant, history->kind);
  pen_row_set_command (row, "history", target);
  pen_row_set_address (row, address);
  pen_row_set_range (row, history->kind, address, address + 1);
  pen_row_set_life (row, history->from.time, history->to.time);
  if (history->from.time > 0)
    pen_row_set_time (row, history->from.time);
  pen_row_set_batch (row, history->batch);
  if (history->from_bound == PEN_BOUND_RECORDED)
    pen_row_set_change (row, history->from);
}

void
pen_row_tell_change (PenRow *row, const PenChange *change)
{
  g_autofree char *target = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", change->address);

  if (change->poke != 0)
    pen_row_add_term (row, PEN_FILTER_CAUSE, pen_cause_to_string (change->cause));
  if (change->has_task) {
    pen_row_add_term (row, PEN_FILTER_COMM, change->comm);
    pen_row_add_number (row, PEN_FILTER_PID, change->pid);
  }
  if (change->cpu != G_MAXUINT32)
    pen_row_add_number (row, PEN_FILTER_CPU, change->cpu);
  add_place (row, change->symbol, change->occupant, change->kind);
  add_tenure (row, change->kind, change->tenure);
  pen_row_set_command (row, "history", target);
  pen_row_set_address (row, change->address);
  pen_row_set_range (row, change->kind, change->address, change->address + MAX (change->length, 1));
  if (change->has_time && change->time > 0)
    pen_row_set_time (row, change->time);
  pen_row_set_batch (row, change->batch);
}
