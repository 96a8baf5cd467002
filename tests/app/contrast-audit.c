/* contrast-audit.c
 *
 * The tree of render nodes says where letters are, whoever draws them; the pixels say how they
 * look.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "contrast-audit.h"

#include <adwaita.h>
#include <hb.h>
#include <math.h>

#include "ink.h"
#include "pen-palette.h"
#include "pen-raster.h"

/* Pixels of a unit of the window: stems of letters are one pixel or less otherwise, and mixed with
 * their ground. */
#define SCALE 3
#define TEXT_MIN 4.5
#define LARGE_MIN 3.0
/* Rounded to 8 bits a channel. */
#define TOLERANCE 0.05
/* Pixels of text that is large (WCAG 2.1, 1.4.3), and of bold one. */
#define LARGE 24.0
#define LARGE_BOLD 18.66
/* A colour of fewer pixels in a picture is an edge between two others. */
#define PIXELS_MIN 6

typedef struct {
  guint32 *pixels;
  int width;
  int height;
} Picture;

static guint n_seen;

/* ---- colours ---- */

static double
get_linear (guint32 channel)
{
  double value = channel / 255.0;

  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static double
get_luminance (guint32 color)
{
  return 0.2126 * get_linear ((color >> 16) & 0xff) + 0.7152 * get_linear ((color >> 8) & 0xff)
         + 0.0722 * get_linear (color & 0xff);
}

static double
get_contrast (guint32 a, guint32 b)
{
  double first = get_luminance (a), second = get_luminance (b);

  return (MAX (first, second) + 0.05) / (MIN (first, second) + 0.05);
}

/* ---- pixels ---- */

static Picture
render (GskRenderNode *node, const graphene_rect_t *bounds, int scale)
{
  g_autoptr (GskRenderer) renderer = gsk_cairo_renderer_new ();
  g_autoptr (GdkTexture) texture = NULL;
  g_autoptr (GskRenderNode) scaled = NULL;
  g_autoptr (GError) error = NULL;
  GskTransform *transform = gsk_transform_scale (NULL, (float) scale, (float) scale);
  graphene_rect_t viewport;
  Picture picture;

  scaled = transform ? gsk_transform_node_new (node, transform) : gsk_render_node_ref (node);
  gsk_transform_transform_bounds (transform, bounds, &viewport);
  gsk_transform_unref (transform);
  gsk_renderer_realize (renderer, NULL, &error);
  g_assert_no_error (error);
  texture = gsk_renderer_render_texture (renderer, scaled, &viewport);
  gsk_renderer_unrealize (renderer);
  picture.width = gdk_texture_get_width (texture);
  picture.height = gdk_texture_get_height (texture);
  picture.pixels = g_new (guint32, (gsize) picture.width * (gsize) picture.height);
  gdk_texture_download (texture, (guchar *) picture.pixels, (gsize) picture.width * 4);
  return picture;
}

/* The strongest pixel of a part, which is in units of the window. @share: (nullable): how much of
 * it is ink. Returns: 0: none is */
static double
get_strongest (const Picture *inked, const Picture *ground, const graphene_rect_t *part)
{
  int left = MAX ((int) floorf (part->origin.x * SCALE), 0);
  int top = MAX ((int) floorf (part->origin.y * SCALE), 0);
  int right = MIN ((int) ceilf ((part->origin.x + part->size.width) * SCALE), inked->width);
  int bottom = MIN ((int) ceilf ((part->origin.y + part->size.height) * SCALE), inked->height);
  guint32 last = 0, last_ground = 0;
  double strongest = 0;

  for (int y = top; y < bottom; y++) {
    for (int x = left; x < right; x++) {
      guint32 color = inked->pixels[(gsize) y * (gsize) inked->width + (gsize) x];
      guint32 below = ground->pixels[(gsize) y * (gsize) ground->width + (gsize) x];

      if (color == below || (color == last && below == last_ground))
        continue;
      last = color;
      last_ground = below;
      strongest = MAX (strongest, get_contrast (color, below));
    }
  }
  return strongest;
}

/* Where a letter has ink. Returns: FALSE: it is a space */
static gboolean
get_cell (const InkMark *mark, PangoGlyph glyph, float x, float y, graphene_rect_t *cell)
{
  PangoRectangle ink;

  pango_font_get_glyph_extents (gsk_text_node_get_font (mark->text), glyph, &ink, NULL);
  if (ink.width <= 0 || ink.height <= 0)
    return FALSE;
  *cell = GRAPHENE_RECT_INIT (x + (float) ink.x / PANGO_SCALE, y + (float) ink.y / PANGO_SCALE,
                              (float) ink.width / PANGO_SCALE, (float) ink.height / PANGO_SCALE);
  gsk_transform_transform_bounds (mark->transform, cell, cell);
  return TRUE;
}

/* A square is a picture, though a letter of the font: it shows its colour. */
static gboolean
is_square (PangoFont *font, PangoGlyph glyph)
{
  static const hb_codepoint_t squares[] = { 0x25a0, 0x25a1 };

  for (gsize i = 0; i < G_N_ELEMENTS (squares); i++) {
    hb_codepoint_t square;

    if (hb_font_get_nominal_glyph (pango_font_get_hb_font (font), squares[i], &square)
        && square == glyph)
      return TRUE;
  }
  return FALSE;
}

/* A letter at the edge of a list that is scrolled may be cut off. */
static gboolean
is_in_sight (const InkMark *mark, const graphene_rect_t *cell)
{
  return graphene_rect_equal (&mark->bounds, &mark->whole)
         || graphene_rect_contains_rect (&mark->bounds, cell);
}

/* The weakest of its letters, each by its strongest pixel, in times of what it needs: a text may go
 * over several grounds. Returns: 0: nothing of it is in sight */
static double
get_weakest (const Picture *inked, const Picture *ground, const InkMark *mark, double least)
{
  double weakest = 0;
  guint n = gsk_text_node_get_num_glyphs (mark->text);
  const PangoGlyphInfo *glyphs = gsk_text_node_get_glyphs (mark->text, NULL);
  PangoFont *font = gsk_text_node_get_font (mark->text);
  const graphene_point_t *offset = gsk_text_node_get_offset (mark->text);
  float x = offset->x;
  graphene_rect_t cell;

  for (guint i = 0; i < n; i++) {
    const PangoGlyphGeometry *place = &glyphs[i].geometry;
    double strongest;

    if (get_cell (mark, glyphs[i].glyph, x + (float) place->x_offset / PANGO_SCALE,
                  offset->y + (float) place->y_offset / PANGO_SCALE, &cell)
        && is_in_sight (mark, &cell)) {
      strongest = get_strongest (inked, ground, &cell)
                  / (is_square (font, glyphs[i].glyph) ? LARGE_MIN : least);
      n_seen += strongest > 0;
      if (strongest > 0)
        weakest = weakest > 0 ? MIN (weakest, strongest) : strongest;
    }
    x += (float) place->width / PANGO_SCALE;
  }
  return weakest;
}

/* ---- words ---- */

static gboolean
is_large (GskRenderNode *text)
{
  PangoFontDescription *font
      = pango_font_describe_with_absolute_size (gsk_text_node_get_font (text));
  double pixels = pango_font_description_get_size (font) / (double) PANGO_SCALE;
  gboolean is_bold = pango_font_description_get_weight (font) >= PANGO_WEIGHT_BOLD;

  pango_font_description_free (font);
  return pixels >= LARGE || (is_bold && pixels >= LARGE_BOLD);
}

/* Its classes and those of what it is in, up to one of ours. */
static char *
describe_widget (GtkWidget *widget)
{
  GString *text = g_string_new (NULL);

  for (GtkWidget *at = widget; at; at = gtk_widget_get_parent (at)) {
    g_auto (GStrv) classes = gtk_widget_get_css_classes (at);
    g_autofree char *joined = g_strjoinv (".", classes);

    g_string_append_printf (text, "%s%s%s%s", at == widget ? "" : " in ", G_OBJECT_TYPE_NAME (at),
                            joined[0] ? "." : "", joined);
    if (g_str_has_prefix (G_OBJECT_TYPE_NAME (at), "Pen"))
      break;
  }
  return g_string_free (text, FALSE);
}

static void
report (GHashTable *told, const char *view, GtkWidget *widget, const InkMark *mark, double contrast)
{
  g_autofree char *where = describe_widget (widget);

  if (!g_hash_table_add (told, g_strdup (where)))
    return;
  g_printerr ("%s: contrast %.2f of %s at %.0f,%.0f%s%s%s\n", view, contrast,
              mark->text ? "text" : "an icon", mark->bounds.origin.x, mark->bounds.origin.y,
              GTK_IS_LABEL (widget) ? " “" : " ",
              GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : "",
              GTK_IS_LABEL (widget) ? "”" : "");
  g_printerr ("  %s\n", where);
}

/* Returns: its contrast where it is too little; 0: it has enough, or is not to be read */
static double
get_little (const InkMark *mark, const Picture *inked, const Picture *ground)
{
  double least = mark->text && !is_large (mark->text) ? TEXT_MIN : LARGE_MIN;
  double contrast;

  if (mark->text && gsk_text_node_has_color_glyphs (mark->text))
    return 0;
  n_seen += !mark->text;
  contrast = mark->text ? least * get_weakest (inked, ground, mark, least)
                        : get_strongest (inked, ground, &mark->bounds);
  return contrast > 0 && contrast < least - TOLERANCE ? contrast : 0;
}

static guint
check_marks (GtkWidget *widget, const char *view, GArray *marks, const Picture *inked,
             const Picture *ground)
{
  g_autoptr (GHashTable) told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_faults = 0;

  for (guint i = 0; i < marks->len; i++) {
    const InkMark *mark = &g_array_index (marks, InkMark, i);
    graphene_point_t centre;
    GtkWidget *at;
    double contrast;

    graphene_rect_get_center (&mark->bounds, &centre);
    at = gtk_widget_pick (widget, centre.x, centre.y,
                          GTK_PICK_INSENSITIVE | GTK_PICK_NON_TARGETABLE);
    if (at && !gtk_widget_is_sensitive (at))
      continue;
    contrast = get_little (mark, inked, ground);
    if (contrast == 0)
      continue;
    n_faults++;
    report (told, view, at ? at : widget, mark, contrast);
  }
  return n_faults;
}

/* ---- pictures of our own ---- */

/* Whether it is a colour of the palette. Shades of one bound nothing: they are the fills of bars
 * and frames, which begin with a stroke of the full colour, and amounts, which words say. */
static gboolean
is_full (guint32 color, gboolean dark)
{
  gboolean is_one = color == pen_palette_loss (dark);

  for (guint kind = 0; kind < PEN_KINDS; kind++)
    is_one = is_one || color == pen_palette_kind (kind, dark);
  for (guint cause = 0; cause < PEN_CAUSES; cause++)
    is_one = is_one || color == pen_palette_cause (cause, dark);
  return is_one;
}

static guint
check_picture (GskRenderNode *node, const char *view, gboolean dark)
{
  graphene_rect_t bounds;
  Picture picture;
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer color, count;
  guint n_faults = 0;

  gsk_render_node_get_bounds (node, &bounds);
  picture = render (node, &bounds, 1);
  for (gsize i = 0; i < (gsize) picture.width * (gsize) picture.height; i++) {
    gpointer key = GUINT_TO_POINTER (picture.pixels[i]);

    g_hash_table_insert (
        counts, key, GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, key)) + 1));
  }
  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, &color, &count)) {
    guint32 argb = GPOINTER_TO_UINT (color);
    double contrast = MIN (get_contrast (argb, pen_palette_ground (dark)),
                           get_contrast (argb, pen_palette_lane (dark)));

    if (GPOINTER_TO_UINT (count) < PIXELS_MIN || !is_full (argb, dark))
      continue;
    n_seen++;
    if (contrast >= LARGE_MIN - TOLERANCE)
      continue;
    n_faults++;
    g_printerr ("%s: contrast %.2f of #%06x in a picture of %.0f×%.0f\n", view, contrast,
                GPOINTER_TO_UINT (color) & 0xffffff, bounds.size.width, bounds.size.height);
  }
  g_free (picture.pixels);
  return n_faults;
}

static guint
check_pictures (const char *view, GPtrArray *pictures)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  guint n_faults = 0;

  for (guint i = 0; i < pictures->len; i++)
    n_faults += check_picture (pictures->pdata[i], view, dark);
  return n_faults;
}

/* ---- */

guint
contrast_audit (GtkWidget *widget, const char *view)
{
  Ink *ink = ink_new (widget);
  Picture inked = render (ink->drawn, &ink->bounds, SCALE);
  Picture ground = render (ink->bare, &ink->bounds, SCALE);
  guint n_faults = check_marks (widget, view, ink->marks, &inked, &ground)
                   + check_pictures (view, ink->pictures);

  g_free (inked.pixels);
  g_free (ground.pixels);
  ink_free (ink);
  return n_faults;
}

guint
contrast_audit_count (void)
{
  return n_seen;
}
