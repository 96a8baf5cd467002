/* pen-slot-painter.c: the cells of annotation rows, drawn
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slot-painter.h"

#include "pen-amount-words.h"
#include "pen-format.h"
#include "pen-jump-gutter.h"
#include "pen-palette.h"
#include "pen-slot-words.h"
#include "pen-snapshot-painter.h"
#include "pen-strip.h"

typedef enum {
  FONT_PLAIN,
  FONT_CODE,
  FONT_SMALL,
  FONTS,
} Font;

/* The size of code to that of other text, as style.css has it, and of small text. */
#define CODE_SCALE 0.92
#define SMALL_SCALE 0.82
/* Of text of secondary weight, as style.css has it. */
#define DIM 0.72

/* In pixels. */
#define GAP 6
#define GUTTER_GAP 2
#define CUE_LETTERS 2
/* Above and below the strips. */
#define MARGIN 2

/* With less room than this, there is no word of when a version stood there. */
#define DETAIL_MIN_WIDTH 24

struct _PenSlotPainter {
  GtkWidget *widget;
  PangoLayout *layouts[FONTS]; /* those of FONTS are there, or none is */
  int height;
  int cue_width;
  GtkIconPaintable *closed;
  GtkIconPaintable *opened;
  PenTheme theme;
  GdkRGBA text;
  GdkRGBA dim;
  GdkRGBA warning;
  GdkRGBA accent;
};

PenSlotPainter *
pen_slot_painter_new (GtkWidget *widget)
{
  PenSlotPainter *self = g_new0 (PenSlotPainter, 1);

  self->widget = widget;
  return self;
}

void
pen_slot_painter_free (PenSlotPainter *self)
{
  pen_slot_painter_forget (self);
  g_free (self);
}

void
pen_slot_painter_forget (PenSlotPainter *self)
{
  for (guint i = 0; i < FONTS; i++)
    g_clear_object (&self->layouts[i]);
  g_clear_object (&self->closed);
  g_clear_object (&self->opened);
}

/* ---- fonts and colours ---- */

static GdkRGBA
find_color (GtkWidget *widget, const char *name, GdkRGBA otherwise)
{
  GdkRGBA color;

  return gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), name, &color)
             ? color
             : otherwise;
}

static GtkIconPaintable *
find_icon (GtkWidget *widget, const char *name)
{
  return gtk_icon_theme_lookup_icon (
      gtk_icon_theme_get_for_display (gtk_widget_get_display (widget)), name, NULL, PEN_SLOT_ARROW,
      gtk_widget_get_scale_factor (widget), GTK_TEXT_DIR_LTR, 0);
}

static PangoLayout *
new_layout (PangoContext *context, Font font)
{
  static const double scales[FONTS] = { 1, CODE_SCALE, SMALL_SCALE };
  const PangoFontDescription *usual = pango_context_get_font_description (context);
  PangoFontDescription *description = pango_font_description_copy (usual);
  PangoLayout *layout = pango_layout_new (context);
  double size = pango_font_description_get_size (usual) * scales[font];

  if (pango_font_description_get_size_is_absolute (usual))
    pango_font_description_set_absolute_size (description, size);
  else
    pango_font_description_set_size (description, (int) size);
  if (font == FONT_CODE)
    pango_font_description_set_family (description, "monospace");
  pango_layout_set_font_description (layout, description);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_auto_dir (layout, FALSE);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_font_description_free (description);
  return layout;
}

static void
find_sizes (PenSlotPainter *self, PangoContext *context)
{
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);

  self->cue_width
      = PANGO_PIXELS_CEIL (pango_font_metrics_get_approximate_char_width (metrics) * CUE_LETTERS);
  pango_font_metrics_unref (metrics);
  self->height = PEN_STRIP_HEIGHT;
  for (guint i = 0; i < FONTS; i++) {
    int height;

    pango_layout_set_text (self->layouts[i], "Ag" PEN_SLOT_CUE, -1);
    pango_layout_get_pixel_size (self->layouts[i], NULL, &height);
    self->height = MAX (self->height, height);
  }
  self->height += 2 * MARGIN;
}

static void
ensure (PenSlotPainter *self)
{
  PangoContext *context;

  if (self->layouts[0])
    return;
  context = gtk_widget_create_pango_context (self->widget);
  pango_context_set_base_dir (context, PANGO_DIRECTION_LTR);
  for (Font i = 0; i < FONTS; i++)
    self->layouts[i] = new_layout (context, i);
  find_sizes (self, context);
  g_object_unref (context);
  self->closed = find_icon (self->widget, "pan-end-symbolic");
  self->opened = find_icon (self->widget, "pan-down-symbolic");
  self->theme = pen_snapshot_painter_get_theme (self->widget);
  gtk_style_context_get_color (gtk_widget_get_style_context (self->widget), &self->text);
  self->dim = self->text;
  self->dim.alpha *= self->theme.contrast ? 1 : (float) DIM;
  self->warning = find_color (self->widget, "warning_color", self->text);
  self->accent = find_color (self->widget, "accent_color", self->text);
}

int
pen_slot_painter_get_height (PenSlotPainter *self)
{
  ensure (self);
  return self->height;
}

const PenTheme *
pen_slot_painter_get_theme (PenSlotPainter *self)
{
  ensure (self);
  return &self->theme;
}

/* ---- a row ---- */

/* Drawing: a row that is being drawn. */
typedef struct {
  PenSlotPainter *painter;
  GtkSnapshot *snapshot;
  PenSlot *slot;
  int height;
} Drawing;

/* Draws one line of text into [@x, @end), from its start or, @at_end, to its end. What does not fit
 * is cut with an ellipsis. @attributes: (nullable). Returns: where it ends */
static int
put (Drawing *drawing, Font font, const char *text, PangoAttrList *attributes, const GdkRGBA *color,
     int x, int end, gboolean at_end)
{
  PangoLayout *layout = drawing->painter->layouts[font];
  int width, height;

  if (text[0] == '\0' || end <= x)
    return x;
  pango_layout_set_width (layout, -1);
  pango_layout_set_text (layout, text, -1);
  pango_layout_set_attributes (layout, attributes);
  pango_layout_get_pixel_size (layout, &width, &height);
  if (width > end - x) {
    pango_layout_set_width (layout, (end - x) * PANGO_SCALE);
    width = end - x;
  }
  if (at_end)
    x = end - width;
  gtk_snapshot_save (drawing->snapshot);
  gtk_snapshot_translate (drawing->snapshot,
                          &GRAPHENE_POINT_INIT ((float) x, (float) (drawing->height - height) / 2));
  gtk_snapshot_append_layout (drawing->snapshot, layout, color);
  gtk_snapshot_restore (drawing->snapshot);
  return x + width;
}

static int
put_bold (Drawing *drawing, const char *text, const GdkRGBA *color, int x, int end, gboolean at_end)
{
  g_autoptr (PangoAttrList) bold = pango_attr_list_new ();

  pango_attr_list_insert (bold, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  return put (drawing, FONT_PLAIN, text, bold, color, x, end, at_end);
}

static void
put_arrow (Drawing *drawing, gboolean is_open, int x)
{
  PenSlotPainter *painter = drawing->painter;
  GtkIconPaintable *icon = is_open ? painter->opened : painter->closed;

  gtk_snapshot_save (drawing->snapshot);
  gtk_snapshot_translate (
      drawing->snapshot,
      &GRAPHENE_POINT_INIT ((float) x, (float) ((drawing->height - PEN_SLOT_ARROW) / 2)));
  gtk_symbolic_paintable_snapshot_symbolic (GTK_SYMBOLIC_PAINTABLE (icon), drawing->snapshot,
                                            PEN_SLOT_ARROW, PEN_SLOT_ARROW, &painter->text, 1);
  gtk_snapshot_restore (drawing->snapshot);
}

/* The letter of the cause, on its colour. */
static int
put_badge (Drawing *drawing, const PenPoke *poke, int x, int end)
{
  gboolean dark = drawing->painter->theme.dark;
  g_autofree char *markup = pen_format_badge (pen_palette_cause_letter (poke->cause),
                                              pen_palette_cause (poke->cause, dark), dark);
  g_autofree char *text = NULL;
  g_autoptr (PangoAttrList) attributes = NULL;

  if (!pango_parse_markup (markup, -1, 0, &attributes, &text, NULL, NULL))
    return x;
  return put (drawing, FONT_PLAIN, text, attributes, &drawing->painter->text, x, end, FALSE) + GAP;
}

static void
draw_offset (Drawing *drawing, GtkTreeListRow *row, int x, int end)
{
  PenSlotPainter *painter = drawing->painter;
  PenSlot *slot = drawing->slot;
  gboolean is_version = pen_slot_is_version (slot);
  gboolean is_patched = pen_slot_get_nth_line (slot, 0)->is_patched;
  const PenPoke *poke = is_version ? pen_slot_find_poke (slot, pen_slot_get_line (slot)) : NULL;
  g_autofree char *text = pen_slot_cells_dup_offset (slot);

  if (row && !is_version && pen_slot_get_n_lines (slot) > 1)
    put_arrow (drawing, gtk_tree_list_row_get_expanded (row), x);
  x += PEN_SLOT_ARROW + PEN_SLOT_ARROW_GAP;
  if (is_version)
    x += GAP;
  if (pen_slot_get_notes (slot)) {
    put_bold (drawing, PEN_SLOT_NOTE, &painter->accent, x, end, TRUE);
    end -= painter->cue_width + PEN_SLOT_ARROW_GAP;
  }
  if (poke) {
    x = put_badge (drawing, poke, x, end);
  } else if (!is_version) {
    if (is_patched)
      put_bold (drawing, PEN_SLOT_CUE, &painter->warning, x, end, FALSE);
    x += painter->cue_width + GAP;
  }
  put (drawing, is_version ? FONT_PLAIN : FONT_CODE, text, NULL,
       is_version || !is_patched ? &painter->dim : &painter->text, x, end, FALSE);
}

/* A number of samples, or time off CPU, and a bar under it in proportion. */
static void
draw_samples (Drawing *drawing, int x, int end)
{
  PenSlotPainter *painter = drawing->painter;
  PenKind kind = pen_slot_get_strips (drawing->slot)->text->annotated->kind;
  guint32 argb = pen_palette_kind (kind, painter->theme.dark);
  PenAmount amount = pen_slot_get_amount (drawing->slot);
  guint64 hottest = pen_slot_get_hottest (drawing->slot);
  float length = (float) (end - x), height = (float) drawing->height - 2 * MARGIN - 2;
  GdkRGBA color = { ((argb >> 16) & 0xff) / 255.f, ((argb >> 8) & 0xff) / 255.f,
                    (argb & 0xff) / 255.f, 0.32f };
  g_autofree char *text = NULL;
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  if (amount.n == 0)
    return;
  if (hottest > 0) {
    length = MAX ((float) ((double) pen_amount_get (amount) / (double) hottest) * length, 2);
    gtk_snapshot_append_color (drawing->snapshot, &color,
                               &GRAPHENE_RECT_INIT ((float) x, MARGIN + 1, length, height));
    color.alpha = 1;
    gtk_snapshot_append_color (drawing->snapshot, &color,
                               &GRAPHENE_RECT_INIT ((float) x, MARGIN + 1, 2, height));
  }
  text = pen_amount_format (amount);
  /* Digits of one width */
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  put (drawing, FONT_PLAIN, text, attributes, &painter->text, x, end, TRUE);
}

static void
draw_bytes (Drawing *drawing, int x, int end)
{
  g_autofree char *text = pen_slot_cells_dup_bytes (drawing->slot);
  g_autoptr (PangoAttrList) marks = pango_attr_list_new ();

  pen_slot_cells_mark (drawing->slot, PEN_SLOT_BYTES, text, marks);
  put (drawing, FONT_CODE, text, marks, &drawing->painter->dim, x, end, FALSE);
}

/* Arrows and the instruction; of a version also when it stood there. */
static void
draw_instruction (Drawing *drawing, int x, int end)
{
  PenSlotPainter *painter = drawing->painter;
  PenSlot *slot = drawing->slot;
  g_autofree char *text = pen_slot_cells_dup_instruction (slot);
  g_autofree char *detail = pen_slot_is_version (slot) ? pen_slot_dup_version_detail (slot) : NULL;
  g_autoptr (PangoAttrList) marks = pango_attr_list_new ();
  gboolean is_dim = pen_slot_get_line (slot)->is_inside || !pen_slot_is_present (slot);
  PenJumpCell jumps;
  guint n_lanes = pen_slot_get_jumps (slot, &jumps);

  if (n_lanes > 0 && x + pen_jump_gutter_get_width (n_lanes) < end) {
    pen_jump_gutter_draw (drawing->snapshot, &jumps, n_lanes, &painter->text, x, drawing->height);
    x += pen_jump_gutter_get_width (n_lanes) + GUTTER_GAP;
  }
  pen_slot_cells_mark (slot, PEN_SLOT_INSTRUCTION, text, marks);
  x = put (drawing, FONT_CODE, text, marks, is_dim ? &painter->dim : &painter->text, x, end, FALSE)
      + GAP;
  if (detail && end - x >= DETAIL_MIN_WIDTH)
    put (drawing, FONT_SMALL, detail, NULL, &painter->dim, x, end, FALSE);
}

static void
draw_source (Drawing *drawing, int x, int end)
{
  g_autofree char *text = pen_slot_cells_dup_source (drawing->slot);

  put (drawing, FONT_PLAIN, text, NULL, &drawing->painter->dim, x, end, FALSE);
}

GskRenderNode *
pen_slot_painter_new_node (PenSlotPainter *self, PenSlot *slot, GtkTreeListRow *row,
                           const PenSlotBox *boxes, int height)
{
  Drawing drawing = { self, gtk_snapshot_new (), slot, height };

  ensure (self);
  for (PenSlotColumn i = 0; i < PEN_SLOT_COLUMNS; i++) {
    int x = boxes[i].x + PEN_SLOT_PADDING, end = boxes[i].x + boxes[i].width - PEN_SLOT_PADDING;

    if (end <= x)
      continue;
    if (i == PEN_SLOT_OFFSET)
      draw_offset (&drawing, row, x, end);
    else if (i == PEN_SLOT_SAMPLES)
      draw_samples (&drawing, x, end);
    else if (i == PEN_SLOT_BYTES)
      draw_bytes (&drawing, x, end);
    else if (i == PEN_SLOT_INSTRUCTION)
      draw_instruction (&drawing, x, end);
    else if (i == PEN_SLOT_SOURCE)
      draw_source (&drawing, x, end);
  }
  return gtk_snapshot_free_to_node (drawing.snapshot);
}
