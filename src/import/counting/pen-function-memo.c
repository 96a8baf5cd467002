/* pen-function-memo.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-function-memo.h"

#include <string.h>

#include "pen-hash.h"
#include "pen-table-hash.h"

/* Places known by their slots: few for a small capture, which would spend more time on the pages of
 * a large table than on its functions. */
#define SLOTS_MIN (1u << 10)
#define SLOTS_MAX (1u << 17)

/* A tenure that was not asked for, and one whose functions do not follow from its file. */
#define NEW 0u
#define ALONE 1u
#define FIRST_CLASS 2u

typedef struct {
  guint64 offset; /* from the beginning of the tenure */
  guint32 class;  /* 0: none */
  guint32 function;
} Place;

/* @classes: tenures of the same part of the same file are one class, which has the number of the
 * first of them */
struct _PenFunctionMemo {
  PenFunctionTable *functions;
  GHashTable *classes; /* PenTenure → class */
  guint32 n_classes;
  const PenTenure *tenures;
  guint32 *of_tenure;            /* by its place among these: NEW, ALONE, or a class */
  guint32 of_nothing[PEN_KINDS]; /* where nothing is known; PEN_NO_FUNCTION: not asked for */
  Place *places;
  guint n_places;
  guint n_asked; /* for places that were not known */
};

static guint
tenure_hash (gconstpointer data)
{
  const PenTenure *tenure = data;
  guint64 key[] = { tenure->file_offset, tenure->end - tenure->start, tenure->kind,
                    pen_str_hash (tenure->name) };

  return pen_data_hash (key, sizeof key);
}

static gboolean
tenure_equal (gconstpointer a, gconstpointer b)
{
  const PenTenure *x = a;
  const PenTenure *y = b;

  return x->file_offset == y->file_offset && x->end - x->start == y->end - y->start
         && x->kind == y->kind && x->build_id_length == y->build_id_length
         && memcmp (x->build_id, y->build_id, MIN (x->build_id_length, sizeof x->build_id)) == 0
         && strcmp (x->name, y->name) == 0 && strcmp (x->occupant, y->occupant) == 0;
}

PenFunctionMemo *
pen_function_memo_new (PenHistory *history, PenFunctionTable *functions)
{
  PenFunctionMemo *self = g_new0 (PenFunctionMemo, 1);
  guint n_tenures;

  self->tenures = pen_history_get_tenures (history, &n_tenures);
  self->functions = functions;
  self->classes = g_hash_table_new (tenure_hash, tenure_equal);
  self->n_classes = FIRST_CLASS;
  self->of_tenure = g_new0 (guint32, (gsize) n_tenures + 1);
  for (guint i = 0; i < PEN_KINDS; i++)
    self->of_nothing[i] = PEN_NO_FUNCTION;
  self->n_places = SLOTS_MIN;
  self->places = g_new0 (Place, self->n_places);
  return self;
}

void
pen_function_memo_free (PenFunctionMemo *self)
{
  g_hash_table_unref (self->classes);
  g_free (self->of_tenure);
  g_free (self->places);
  g_free (self);
}

static guint32
find_class (PenFunctionMemo *self, const PenTenure *tenure)
{
  guint32 class;

  if (tenure->space == PEN_SPACE_KERNEL || tenure->layer != PEN_LAYER_MAP
      || (tenure->kind != PEN_KIND_DSO && tenure->kind != PEN_KIND_VDSO))
    return ALONE;

  class = GPOINTER_TO_UINT (g_hash_table_lookup (self->classes, tenure));
  if (class == 0) {
    class = self->n_classes++;
    g_hash_table_insert (self->classes, (gpointer) tenure, GUINT_TO_POINTER (class));
  }
  return class;
}

static Place *
get_place (Place *places, guint n_places, guint32 class, guint64 offset)
{
  return &places[pen_hash_mix (class, offset) >> 32 & (n_places - 1)];
}

static void
grow (PenFunctionMemo *self)
{
  guint n_places = 4 * self->n_places;
  Place *places = g_new0 (Place, n_places);

  for (guint i = 0; i < self->n_places; i++) {
    const Place *old = &self->places[i];

    if (old->class != 0)
      *get_place (places, n_places, old->class, old->offset) = *old;
  }
  g_free (self->places);
  self->places = places;
  self->n_places = n_places;
  self->n_asked = 0;
}

guint32
pen_function_memo_get (PenFunctionMemo *self, const PenTenure *tenure, PenKind kind,
                       guint64 address)
{
  guint32 class;
  Place *place;

  if (!tenure) {
    if (self->of_nothing[kind] == PEN_NO_FUNCTION)
      self->of_nothing[kind] = pen_function_table_get (self->functions, NULL, kind, address);
    return self->of_nothing[kind];
  }

  class = self->of_tenure[tenure - self->tenures];
  if (class == ALONE)
    return pen_function_table_get (self->functions, tenure, kind, address);

  /* The first time, the table notes where names of the tenure come from. */
  if (class == NEW) {
    self->of_tenure[tenure - self->tenures] = find_class (self, tenure);
    return pen_function_table_get (self->functions, tenure, kind, address);
  }

  place = get_place (self->places, self->n_places, class, address - tenure->start);
  if (place->class == class && place->offset == address - tenure->start)
    return place->function;

  if (++self->n_asked >= self->n_places / 2 && self->n_places < SLOTS_MAX) {
    grow (self);
    place = get_place (self->places, self->n_places, class, address - tenure->start);
  }
  *place = (Place){ address - tenure->start, class,
                    pen_function_table_get (self->functions, tenure, kind, address) };
  return place->function;
}

void
pen_function_memo_expect (PenFunctionMemo *self, const PenTenure *tenure, guint64 address)
{
  guint32 class = tenure ? self->of_tenure[tenure - self->tenures] : NEW;

  if (class >= FIRST_CLASS)
    __builtin_prefetch (get_place (self->places, self->n_places, class, address - tenure->start));
}
