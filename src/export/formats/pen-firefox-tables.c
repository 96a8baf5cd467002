/* pen-firefox-tables.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-firefox-tables.h"

#include "pen-table-hash.h"

void
pen_firefox_strings_init (PenFirefoxStrings *self)
{
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->numbers = g_hash_table_new (pen_str_hash, g_str_equal);
}

void
pen_firefox_strings_clear (PenFirefoxStrings *self)
{
  g_clear_pointer (&self->numbers, g_hash_table_unref);
  g_clear_pointer (&self->texts, g_ptr_array_unref);
}

guint
pen_firefox_strings_get (PenFirefoxStrings *self, const char *text)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, text));

  if (number == 0) {
    char *kept = g_strdup (text);

    g_ptr_array_add (self->texts, kept);
    number = self->texts->len;
    g_hash_table_insert (self->numbers, kept, GUINT_TO_POINTER (number));
  }
  return number - 1;
}

/* Each has to have a subcategory, and one of them to be grey: what has none is of that. */
static void
write_category (PenJsonStream *json, const char *name, const char *colour)
{
  pen_json_stream_begin (json, NULL, '{');
  pen_json_stream_text (json, "name", name);
  pen_json_stream_text (json, "color", colour);
  pen_json_stream_begin (json, "subcategories", '[');
  pen_json_stream_text (json, NULL, "Other");
  pen_json_stream_end (json, ']');
  pen_json_stream_end (json, '}');
}

void
pen_firefox_tables_write_categories (PenJsonStream *json)
{
  static const char *const colours[PEN_KINDS] = {
    [PEN_KIND_UNKNOWN] = "darkgrey", [PEN_KIND_KERNEL] = "orange", [PEN_KIND_MODULE] = "yellow",
    [PEN_KIND_BPF] = "green",        [PEN_KIND_STUB] = "magenta",  [PEN_KIND_DSO] = "blue",
    [PEN_KIND_VDSO] = "lightblue",   [PEN_KIND_ANON] = "brown",    [PEN_KIND_GUEST] = "red",
  };

  pen_json_stream_begin (json, "categories", '[');
  write_category (json, "Other", "grey");
  for (guint i = 0; i < PEN_KINDS; i++)
    write_category (json, pen_kind_to_string (i), colours[i]);
  pen_json_stream_end (json, ']');
}

typedef struct {
  PenWeightedStacks *stacks;
  PenFirefoxStrings *strings;
  PenJsonStream *json;
  guint n_frames;
  GPtrArray *occupants;  /* of char *, not owned: names of resources */
  GHashTable *resources; /* occupant → number, plus 1 */
} Tables;

static void
begin_table (Tables *self, const char *name, guint64 length)
{
  pen_json_stream_begin (self->json, name, '{');
  pen_json_stream_unsigned (self->json, "length", length);
}

/* One value for each frame. */
static void
repeat (Tables *self, const char *column, const char *literal)
{
  pen_json_stream_repeat (self->json, column, literal, self->n_frames);
}

static void
write_stack_table (Tables *self)
{
  guint n;
  const PenWeightedNode *nodes = pen_weighted_stacks_get_nodes (self->stacks, &n);

  begin_table (self, "stackTable", n - 1);
  pen_json_stream_begin (self->json, "frame", '[');
  for (guint i = 1; i < n && !self->json->error; i++)
    pen_json_stream_unsigned (self->json, NULL, nodes[i].frame);
  pen_json_stream_end (self->json, ']');
  pen_json_stream_begin (self->json, "prefix", '[');
  for (guint i = 1; i < n && !self->json->error; i++) {
    if (nodes[i].parent == 0)
      pen_json_stream_null (self->json, NULL);
    else
      pen_json_stream_unsigned (self->json, NULL, nodes[i].parent - 1);
  }
  pen_json_stream_end (self->json, ']');
  pen_json_stream_end (self->json, '}');
}

/* Addresses would be looked up in libraries: -1 is none. */
static void
write_frame_table (Tables *self)
{
  begin_table (self, "frameTable", self->n_frames);
  repeat (self, "address", "-1");
  repeat (self, "inlineDepth", "0");
  pen_json_stream_begin (self->json, "category", '[');
  for (guint i = 0; i < self->n_frames && !self->json->error; i++) {
    PenWeightedFrame frame = pen_weighted_stacks_get_frame (self->stacks, i);

    pen_json_stream_unsigned (self->json, NULL, frame.group->kind + 1u);
  }
  pen_json_stream_end (self->json, ']');
  repeat (self, "subcategory", "0");
  pen_json_stream_begin (self->json, "func", '[');
  for (guint i = 0; i < self->n_frames && !self->json->error; i++)
    pen_json_stream_unsigned (self->json, NULL, i);
  pen_json_stream_end (self->json, ']');
  repeat (self, "nativeSymbol", "null");
  repeat (self, "innerWindowID", "0");
  repeat (self, "line", "null");
  repeat (self, "column", "null");
  pen_json_stream_end (self->json, '}');
}

/* -1: none */
static gint64
get_resource (Tables *self, const char *occupant)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->resources, occupant));

  if (*occupant == '\0')
    return -1;
  if (number == 0) {
    g_ptr_array_add (self->occupants, (gpointer) occupant);
    number = self->occupants->len;
    g_hash_table_insert (self->resources, (gpointer) occupant, GUINT_TO_POINTER (number));
  }
  return (gint64) number - 1;
}

static void
write_func_table (Tables *self)
{
  begin_table (self, "funcTable", self->n_frames);
  pen_json_stream_begin (self->json, "name", '[');
  for (guint i = 0; i < self->n_frames && !self->json->error; i++) {
    PenWeightedFrame frame = pen_weighted_stacks_get_frame (self->stacks, i);

    pen_json_stream_unsigned (self->json, NULL,
                              pen_firefox_strings_get (self->strings, frame.name));
  }
  pen_json_stream_end (self->json, ']');
  pen_json_stream_begin (self->json, "resource", '[');
  for (guint i = 0; i < self->n_frames && !self->json->error; i++) {
    PenWeightedFrame frame = pen_weighted_stacks_get_frame (self->stacks, i);

    pen_json_stream_number (self->json, NULL, get_resource (self, frame.group->occupant));
  }
  pen_json_stream_end (self->json, ']');
  repeat (self, "isJS", "false");
  repeat (self, "relevantForJS", "false");
  repeat (self, "source", "null");
  repeat (self, "lineNumber", "null");
  repeat (self, "columnNumber", "null");
  pen_json_stream_end (self->json, '}');
}

#define RESOURCE_LIBRARY "1"

static void
write_resource_table (Tables *self)
{
  guint n = self->occupants->len;

  begin_table (self, "resourceTable", n);
  pen_json_stream_begin (self->json, "name", '[');
  for (guint i = 0; i < n && !self->json->error; i++)
    pen_json_stream_unsigned (self->json, NULL,
                              pen_firefox_strings_get (self->strings, self->occupants->pdata[i]));
  pen_json_stream_end (self->json, ']');
  pen_json_stream_repeat (self->json, "lib", "null", n);
  pen_json_stream_repeat (self->json, "host", "null", n);
  pen_json_stream_repeat (self->json, "type", RESOURCE_LIBRARY, n);
  pen_json_stream_end (self->json, '}');
}

static void
write_empty_table (Tables *self, const char *name, const char *const *columns)
{
  begin_table (self, name, 0);
  for (; *columns; columns++)
    pen_json_stream_repeat (self->json, *columns, "", 0);
  pen_json_stream_end (self->json, '}');
}

gboolean
pen_firefox_tables_write (PenWeightedStacks *stacks, PenFirefoxStrings *strings,
                          PenJsonStream *json, GError **error)
{
  static const char *const symbols[] = { "libIndex", "address", "name", "functionSize", NULL };
  static const char *const sources[] = { "uuid", "filename", NULL };
  g_autoptr (GPtrArray) occupants = g_ptr_array_new ();
  g_autoptr (GHashTable) resources = g_hash_table_new (pen_str_hash, g_str_equal);
  Tables self
      = { stacks, strings, json, pen_weighted_stacks_count_frames (stacks), occupants, resources };

  pen_json_stream_begin (json, "shared", '{');
  write_stack_table (&self);
  write_frame_table (&self);
  write_func_table (&self);
  write_resource_table (&self);
  write_empty_table (&self, "nativeSymbols", symbols);
  write_empty_table (&self, "sources", sources);
  pen_json_stream_begin (json, "stringArray", '[');
  for (guint i = 0; i < strings->texts->len && !json->error; i++)
    pen_json_stream_text (json, NULL, strings->texts->pdata[i]);
  pen_json_stream_end (json, ']');
  pen_json_stream_end (json, '}');
  return pen_json_stream_goes_on (json, error);
}
