/* pen-query-annotate-at.c: the text of a place, whether or not samples or changes were recorded
 * there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include "pen-annotated.h"
#include "pen-query-holdings.h"
#include "pen-query-text.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* Where no symbol says how far it goes, so much is shown. */
#define WINDOW 1024u

/* The holder of an address: @function is made up, unless one of the store's is @known. Strings are
 * owned by the store. */
typedef struct {
  PenFunction function;
  const PenFunction *known;
} Place;

static void
match_known (const PenFunction *function, gpointer user_data)
{
  Place *place = user_data;

  if (function->start == place->function.start
      && g_strcmp0 (function->symbol, place->function.symbol) == 0
      && g_strcmp0 (function->occupant, place->function.occupant) == 0)
    place->known = function;
}

/* A symbol's whole, or a window from the address on: what leads there leads to an instruction. */
static void
set_range (PenQuery *self, const PenTenure *tenure, guint64 address, PenFunction *function)
{
  guint64 start;
  guint64 end;

  function->start = address;
  function->length = MIN (WINDOW, tenure->end - address);
  if (tenure->layer == PEN_LAYER_POKE && tenure->end - tenure->start <= PEN_ANNOTATION_MAX) {
    function->start = tenure->start;
    function->length = tenure->end - tenure->start;
  }
  if (!pen_query_find_symbol (self, tenure, address, &function->symbol, &start, &end))
    return;
  start = MAX (start, tenure->start);
  end = MIN (end, tenure->end);
  if (end - start <= PEN_ANNOTATION_MAX) {
    function->start = start;
    function->length = end - start;
  }
}

static gboolean
find_place (PenQuery *self, guint64 address, PenMoment moment, Place *place, GError **error)
{
  g_autoptr (GArray) holders = NULL;
  const PenHolder *holder = NULL;

  if (address < G_MAXUINT64)
    holders = pen_query_find_holders (self, address, address + 1, moment, error);
  if (holders && holders->len > 0)
    holder = &g_array_index (holders, PenHolder, 0);
  if (address < G_MAXUINT64 && !holders)
    return FALSE;
  if (!holder || holder->tenure.id == 0) {
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                 _ ("No occupant of 0x%" PRIx64 " in the kernel's space is known at that time"),
                 address);
    return FALSE;
  }
  *place = (Place){ .function = { .id = G_MAXUINT32,
                                  .kind = holder->tenure.kind,
                                  .occupant = holder->tenure.occupant } };
  set_range (self, &holder->tenure, address, &place->function);
  pen_query_foreach_function_in (self, place->function.start, place->function.start + 1,
                                 match_known, place);
  return TRUE;
}

PenAnnotated *
pen_query_annotate_at (PenQuery *self, const PenFilter *filter, guint64 address, PenMoment moment,
                       PenSyntax syntax, GError **error)
{
  Place place;

  if (!pen_query_load (self, error) || !find_place (self, address, moment, &place, error))
    return NULL;
  return pen_query_annotate_function (self, filter, place.known ? place.known : &place.function,
                                      syntax, error);
}
