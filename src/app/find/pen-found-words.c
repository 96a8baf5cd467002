/* pen-found-words.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-found-words.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "pen-display.h"
#include "pen-format.h"
#include "pen-lane-words.h"
#include "pen-palette.h"
#include "pen-phrases.h"

const char *
pen_found_words_group (PenFoundKind found)
{
  static const char *const groups[PEN_FOUNDS] = {
    [PEN_FOUND_ADDRESS] = N_ ("Addresses"), [PEN_FOUND_FUNCTION] = N_ ("Functions"),
    [PEN_FOUND_TASK] = N_ ("Tasks"),        [PEN_FOUND_KEY] = N_ ("Keys"),
    [PEN_FOUND_TIME] = N_ ("Times"),        [PEN_FOUND_OCCUPANT] = N_ ("Programs and Modules"),
  };

  return _ (groups[found]);
}

/* ---- title ---- */

/* A program's name without its tag, which says least when it is cut. */
static char *
dup_name (const PenFoundRow *row)
{
  const char *name = row->name ? row->name : row->occupant;
  PenTenure tenure = { .kind = row->kind, .occupant = name, .name = name };

  return row->kind == PEN_KIND_BPF ? pen_lane_words_dup_name (&tenure)
                                   : pen_display_text (name ? name : "");
}

static char *
describe_place (const PenFoundRow *row)
{
  g_autofree char *name = NULL;
  GString *text;

  if (row->remark == PEN_REMARK_MORE)
    return g_strdup (_ ("More are not listed"));
  if (row->tenure == 0 && row->function == G_MAXUINT32)
    return g_strdup (_ ("Unknown"));
  name = dup_name (row);
  text = g_string_new (name[0] ? name : _ ("(unknown)"));
  if (row->has_offset && row->offset > 0)
    g_string_append_printf (text, "+0x%" G_GINT64_MODIFIER "x", row->offset);
  if (row->bpf_id != 0)
    g_string_append_printf (text, _ (" (id %u)"), row->bpf_id);
  return g_string_free (text, FALSE);
}

char *
pen_found_words_title (const PenFoundRow *row, const PenClock *clock)
{
  g_autofree char *name = NULL;

  if (row->remark == PEN_REMARK_MORE)
    return describe_place (row);
  switch (row->found) {
  case PEN_FOUND_TASK:
    name = pen_display_text (row->name ? row->name : "");
    return row->has_task ? g_strdup_printf ("%s [%d]", name, row->pid) : g_steal_pointer (&name);
  case PEN_FOUND_KEY:
    return pen_display_text (row->name);
  case PEN_FOUND_TIME:
    return pen_clock_format_all (clock, row->from.time, 1);
  case PEN_FOUND_ADDRESS:
  case PEN_FOUND_FUNCTION:
  case PEN_FOUND_OCCUPANT:
  case PEN_FOUNDS:
  default:
    return describe_place (row);
  }
}

/* ---- when ---- */

char *
pen_found_words_when (const PenFoundRow *row, const PenClock *clock)
{
  g_autofree char *tenancy = NULL;

  if (row->tenure == 0 && row->found != PEN_FOUND_KEY)
    return NULL;
  tenancy = pen_clock_format_tenancy (clock, row->from, row->to);
  switch (row->when) {
  case PEN_FOUND_BEFORE:
    return g_strdup_printf (_ ("Earlier · %s"), tenancy);
  case PEN_FOUND_AFTER:
    return g_strdup_printf (_ ("Later · %s"), tenancy);
  case PEN_FOUND_ALWAYS:
  case PEN_FOUND_THEN:
  default:
    return g_steal_pointer (&tenancy);
  }
}

/* ---- detail ---- */

static void
add (GString *text, const char *more)
{
  if (more[0] != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", more);
}

static char *
describe_remark (const PenFoundRow *row)
{
  switch (row->remark) {
  case PEN_REMARK_LENGTH:
    return g_strdup_printf (_ ("0x%" PRIx64 " bytes long, 0x%" PRIx64 " in the trace"), row->length,
                            row->stated);
  case PEN_REMARK_NAME:
    return g_strdup (_ ("Another name in the trace"));
  case PEN_REMARK_SEVERAL:
    return g_strdup (_ ("One of several with this name"));
  case PEN_REMARK_NOT_THEN:
    return g_strdup (_ ("Nothing of this name at that time"));
  case PEN_REMARK_PAST_END:
    return g_strdup (_ ("Offset past the end of the function"));
  case PEN_REMARK_NO_NAME:
    return g_strdup (_ ("No text of this name is kept"));
  case PEN_REMARK_NO_ONE:
    return g_strdup (_ ("No known occupant at that time"));
  case PEN_REMARK_USER_SPACE:
    return g_strdup (_ ("User space of an unknown process"));
  case PEN_REMARK_NONE:
  case PEN_REMARK_MORE:
  case PEN_REMARKS:
  default:
    return g_strdup ("");
  }
}

static void
add_place (GString *text, const PenFoundRow *row)
{
  g_autofree char *occupant = pen_display_text (row->occupant ? row->occupant : "");
  g_autofree char *address = NULL;

  /* Stubs are their own symbols, and programs but for their tags. */
  if (row->tenure != 0 || row->function != G_MAXUINT32)
    add (text, occupant[0] != '\0'
                       && (row->kind == PEN_KIND_BPF || g_strcmp0 (row->occupant, row->name) != 0)
                   ? occupant
                   : pen_palette_kind_title (row->kind));
  if (!row->has_address)
    return;
  address = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", row->address);
  add (text, address);
}

static void
add_counts (GString *text, const PenFoundRow *row)
{
  g_autofree char *samples = pen_phrase_samples (row->samples, FALSE);
  g_autofree char *changes = pen_phrase_changes (row->changes, FALSE);

  if (row->samples > 0 || row->changes == 0)
    add (text, samples);
  if (row->changes > 0)
    add (text, changes);
}

static void
add_evidence (GString *text, const PenFoundRow *row)
{
  if (row->tenure == 0)
    return;
  if (row->evidence != PEN_EVIDENCE_RECORDED)
    add (text, pen_phrase_evidence (row->evidence));
  if (row->inferred_from != 0)
    add (text, _ ("inferred beyond its code"));
  if (pen_phrase_doubt (row->source))
    add (text, pen_phrase_doubt (row->source));
  if (row->is_unverified)
    add (text, _ ("unverified"));
}

char *
pen_found_words_detail (const PenFoundRow *row)
{
  g_autofree char *remark = describe_remark (row);
  g_autofree char *switches = NULL;
  g_autofree char *count = NULL;
  GString *text = g_string_new (remark);

  switch (row->found) {
  case PEN_FOUND_ADDRESS:
    add_place (text, row);
    add_evidence (text, row);
    break;
  case PEN_FOUND_FUNCTION:
    add_counts (text, row);
    add_place (text, row);
    break;
  case PEN_FOUND_OCCUPANT:
    add_place (text, row);
    if (row->remark != PEN_REMARK_MORE)
      add_counts (text, row);
    add_evidence (text, row);
    break;
  case PEN_FOUND_KEY:
    count = pen_format_count (row->changes);
    switches = g_strdup_printf (ngettext ("%s switch", "%s switches", row->changes), count);
    add (text, switches);
    break;
  case PEN_FOUND_TASK:
  case PEN_FOUND_TIME:
  case PEN_FOUNDS:
  default:
    break;
  }
  if (text->len == 0 || row->remark == PEN_REMARK_MORE) {
    g_string_free (text, TRUE);
    return NULL;
  }
  return g_string_free (text, FALSE);
}
