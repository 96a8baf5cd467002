/* pen-inlined-calls.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-inlined-calls.h"

#include <dwarf.h>

#include "pen-binary-search.h"

/* No real code nests deeper. */
#define MAX_DEPTH 128u
#define MAX_RANGES (1u << 20)

/* Code of a call. */
typedef struct {
  guint64 start;
  guint64 end;
  guint64 reach; /* the greatest end up to here */
  guint depth;
  guint call; /* index plus 1 */
} Range;

struct _PenInlinedCalls {
  GArray *calls;  /* PenInlinedCall */
  GArray *ranges; /* Range, by start and depth */
};

typedef struct {
  PenInlinedCalls *self;
  Dwarf_Files *files;
  size_t n_files;
  guint64 *budget;
} Reader;

void
pen_inlined_calls_free (PenInlinedCalls *self)
{
  if (!self)
    return;

  g_array_unref (self->calls);
  g_array_unref (self->ranges);
  g_free (self);
}

const PenInlinedCall *
pen_inlined_calls_get (PenInlinedCalls *self, guint index)
{
  return &g_array_index (self->calls, PenInlinedCall, index);
}

guint
pen_inlined_calls_get_count (PenInlinedCalls *self)
{
  return self->calls->len;
}

/* ---- reading ---- */

static guint64
get_number (Dwarf_Die *die, unsigned int name)
{
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;

  if (!dwarf_attr (die, name, &attribute) || dwarf_formudata (&attribute, &value) != 0)
    return 0;
  return value;
}

static const char *
get_name (Dwarf_Die *die)
{
  Dwarf_Attribute attribute;
  const char *name = NULL;

  if (dwarf_attr_integrate (die, DW_AT_linkage_name, &attribute)
      || dwarf_attr_integrate (die, DW_AT_MIPS_linkage_name, &attribute))
    name = dwarf_formstring (&attribute);
  return name ? name : dwarf_diename (die);
}

/* Returns: its index plus 1; @outer where nothing is known of it */
static guint
add_call (Reader *reader, Dwarf_Die *die, guint outer)
{
  guint64 file = get_number (die, DW_AT_call_file);
  guint64 line = get_number (die, DW_AT_call_line);
  PenInlinedCall call = { .name = get_name (die), .outer = outer };

  if (!call.name)
    return outer;
  if (line > 0 && line <= G_MAXINT32 && file < reader->n_files) {
    call.file = dwarf_filesrc (reader->files, (size_t) file, NULL, NULL);
    call.line = call.file ? (guint) line : 0;
  }
  g_array_append_val (reader->self->calls, call);
  return reader->self->calls->len;
}

static gboolean
may_go_on (Reader *reader)
{
  if (*reader->budget == 0 || reader->self->ranges->len >= MAX_RANGES)
    return FALSE;
  (*reader->budget)--;
  return TRUE;
}

static void
add_ranges (Reader *reader, Dwarf_Die *die, guint depth, guint call)
{
  Dwarf_Addr base;
  Dwarf_Addr start;
  Dwarf_Addr end;
  ptrdiff_t next = 0;

  while (may_go_on (reader) && (next = dwarf_ranges (die, next, &base, &start, &end)) > 0) {
    Range range = { .start = start, .end = end, .depth = depth, .call = call };

    if (start < end)
      g_array_append_val (reader->self->ranges, range);
  }
}

/* Can there be code in it? A function only where it has any: most are only declared. */
static gboolean
may_hold_code (Dwarf_Die *die, int tag)
{
  switch (tag) {
  case DW_TAG_subprogram:
    return dwarf_hasattr (die, DW_AT_low_pc) || dwarf_hasattr (die, DW_AT_ranges)
           || dwarf_hasattr (die, DW_AT_specification);
  case DW_TAG_lexical_block:
  case DW_TAG_inlined_subroutine:
  case DW_TAG_namespace:
  case DW_TAG_module:
  case DW_TAG_class_type:
  case DW_TAG_structure_type:
  case DW_TAG_try_block:
  case DW_TAG_catch_block:
    return TRUE;
  default:
    return FALSE;
  }
}

static void
read_children (Reader *reader, Dwarf_Die *parent, guint depth, guint outer)
{
  Dwarf_Die die;
  Dwarf_Off before = 0;

  if (depth > MAX_DEPTH || dwarf_child (parent, &die) != 0)
    return;

  /* A damaged file may lead back. */
  while (dwarf_dieoffset (&die) > before && may_go_on (reader)) {
    int tag = dwarf_tag (&die);
    guint call = outer;
    Dwarf_Die next;

    before = dwarf_dieoffset (&die);
    if (tag == DW_TAG_inlined_subroutine) {
      call = add_call (reader, &die, outer);
      if (call != outer)
        add_ranges (reader, &die, depth, call);
    } else if (tag == DW_TAG_subprogram) {
      call = 0;
    }
    if (may_hold_code (&die, tag))
      read_children (reader, &die, depth + 1, call);
    if (dwarf_siblingof (&die, &next) != 0)
      break;
    die = next;
  }
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const Range *x = a;
  const Range *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return (x->depth > y->depth) - (x->depth < y->depth);
}

PenInlinedCalls *
pen_inlined_calls_new (Dwarf_Die *unit, guint64 *budget)
{
  PenInlinedCalls *self = g_new0 (PenInlinedCalls, 1);
  Reader reader = { .self = self, .budget = budget };
  guint64 reach = 0;

  self->calls = g_array_new (FALSE, FALSE, sizeof (PenInlinedCall));
  self->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  if (!unit)
    return self;

  if (dwarf_getsrcfiles (unit, &reader.files, &reader.n_files) != 0)
    reader.n_files = 0;
  read_children (&reader, unit, 0, 0);

  g_array_sort (self->ranges, compare_ranges);
  for (guint i = 0; i < self->ranges->len; i++) {
    Range *range = &g_array_index (self->ranges, Range, i);

    range->reach = reach = MAX (reach, range->end);
  }
  return self;
}

/* ---- walking ---- */

void
pen_inlined_walk_init (PenInlinedWalk *walk, PenInlinedCalls *calls, guint64 address)
{
  *walk = (PenInlinedWalk){ .calls = calls, .stack = g_array_new (FALSE, FALSE, sizeof (guint)) };
  walk->next = PEN_BINARY_SEARCH (i, 0, calls->ranges->len,
                                  g_array_index (calls->ranges, Range, i).reach <= address);
}

void
pen_inlined_walk_clear (PenInlinedWalk *walk)
{
  g_clear_pointer (&walk->stack, g_array_unref);
}

static const Range *
get_top (const PenInlinedWalk *walk)
{
  return walk->stack->len > 0 ? &g_array_index (
             walk->calls->ranges, Range, g_array_index (walk->stack, guint, walk->stack->len - 1))
                              : NULL;
}

/* Calls lie within those that they are in: the last that began is the innermost. */
guint
pen_inlined_walk_step (PenInlinedWalk *walk, guint64 address, guint64 *until)
{
  GArray *ranges = walk->calls->ranges;
  const Range *top;

  for (; walk->next < ranges->len; walk->next++) {
    const Range *range = &g_array_index (ranges, Range, walk->next);

    if (range->start > address)
      break;
    if (range->end > address)
      g_array_append_val (walk->stack, walk->next);
  }
  while ((top = get_top (walk)) && top->end <= address)
    g_array_set_size (walk->stack, walk->stack->len - 1);

  *until = walk->next < ranges->len ? g_array_index (ranges, Range, walk->next).start : G_MAXUINT64;
  if (top)
    *until = MIN (*until, top->end);
  return top ? top->call : 0;
}
