/* test-raster.c: time in pixels, colours, words, without a toolkit
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-clock.h"
#include "pen-format.h"
#include "pen-palette.h"
#include "pen-raster.h"
#include "pen-theme.h"

#include <math.h>
#include <string.h>

#define SECOND G_GUINT64_CONSTANT (1000000000)
#define GROUND 0xff000000u
#define RED 0xffff0000u
#define BLUE 0xff0000ffu

static guint32
pixel (const PenRaster *raster, int x, int y)
{
  return raster->pixels[(gsize) y * raster->width + x];
}

static guint
count_pixels (const PenRaster *raster, guint32 color)
{
  guint n = 0;

  for (int i = 0; i < raster->width * raster->height; i++)
    n += raster->pixels[i] == color;
  return n;
}

static PenRaster *
new_ground (int width, int height)
{
  PenRaster *raster = pen_raster_new (width, height);

  pen_raster_fill (raster, (PenBox){ 0, 0, width, height }, GROUND);
  return raster;
}

/* ---- spans ---- */

static void
test_span_position (void)
{
  PenSpan span = { 10 * SECOND, 20 * SECOND };

  g_assert_cmpfloat (pen_span_position (span, 10 * SECOND), ==, 0);
  g_assert_cmpfloat (pen_span_position (span, 15 * SECOND), ==, 0.5);
  g_assert_cmpfloat (pen_span_position (span, 20 * SECOND), ==, 1);
  g_assert_cmpfloat (pen_span_position (span, 5 * SECOND), ==, -0.5);
  g_assert_cmpuint (pen_span_time_at (span, 0.25), ==, 12500000000);
  g_assert_cmpuint (pen_span_time_at (span, -3), ==, 10 * SECOND);
  g_assert_cmpuint (pen_span_time_at (span, 7), ==, 20 * SECOND);
  g_assert_cmpuint (pen_span_time_at (span, NAN), ==, 10 * SECOND);
}

static void
test_span_zoom (void)
{
  PenSpan bounds = { 0, 100 * SECOND };
  PenSpan span = pen_span_zoom (bounds, 25 * SECOND, 0.5, bounds);

  g_assert_cmpuint (pen_span_length (span), ==, 50 * SECOND);
  /* What was under the pointer stays there. */
  g_assert_cmpfloat_with_epsilon (pen_span_position (span, 25 * SECOND), 0.25, 1e-9);
  span = pen_span_zoom (span, 25 * SECOND, 100, bounds);
  g_assert_true (pen_span_equal (span, bounds));

  for (int i = 0; i < 200; i++)
    span = pen_span_zoom (span, 99 * SECOND, 0.5, bounds);
  g_assert_cmpuint (pen_span_length (span), ==, PEN_SPAN_SHORTEST);
  g_assert_cmpuint (span.from, <=, 99 * SECOND);
  g_assert_cmpuint (span.to, >=, 99 * SECOND);
}

static void
test_span_pan (void)
{
  PenSpan bounds = { 5, 5 + 100 * SECOND };
  PenSpan span = { 5 + 10 * SECOND, 5 + 20 * SECOND };

  g_assert_true (pen_span_equal (pen_span_pan (span, 0.5, bounds),
                                 (PenSpan){ 5 + 15 * SECOND, 5 + 25 * SECOND }));
  g_assert_true (pen_span_equal (pen_span_pan (span, -9, bounds), (PenSpan){ 5, 5 + 10 * SECOND }));
  g_assert_true (pen_span_equal (pen_span_pan (span, 99, bounds),
                                 (PenSpan){ bounds.to - 10 * SECOND, bounds.to }));
  /* As the keys for both ends ask for. */
  g_assert_true (pen_span_equal (pen_span_pan (span, 1e18, bounds),
                                 (PenSpan){ bounds.to - 10 * SECOND, bounds.to }));
  g_assert_true (
      pen_span_equal (pen_span_pan (span, -1e18, bounds), (PenSpan){ 5, 5 + 10 * SECOND }));
}

/* Times come from a file: none of them may make the arithmetic go wrong. */
static void
test_span_hostile (void)
{
  static const guint64 times[]
      = { 0, 1, 999, SECOND, G_MAXUINT64 / 2, G_MAXUINT64 - 1, G_MAXUINT64 };

  for (gsize i = 0; i < G_N_ELEMENTS (times); i++) {
    for (gsize k = i; k < G_N_ELEMENTS (times); k++) {
      PenSpan bounds = { times[i], times[k] };

      for (gsize m = 0; m < G_N_ELEMENTS (times); m++) {
        PenSpan span = pen_span_zoom (bounds, times[m], 0.3, bounds);

        g_assert_cmpuint (span.from, >=, bounds.from);
        g_assert_cmpuint (span.to, <=, bounds.to);
        g_assert_cmpuint (span.from, <=, span.to);
        span = pen_span_pan (span, 0.7, bounds);
        g_assert_cmpuint (span.to, <=, bounds.to);
        g_assert_cmpuint (pen_span_step (span, 10), >, 0);
      }
    }
  }
}

static void
test_span_step (void)
{
  g_assert_cmpuint (pen_span_step ((PenSpan){ 0, 10 * SECOND }, 10), ==, 2 * SECOND);
  g_assert_cmpuint (pen_span_step ((PenSpan){ 0, 9 * SECOND }, 10), ==, SECOND);
  g_assert_cmpuint (pen_span_step ((PenSpan){ 0, 1000 }, 4), ==, 500);
}

/* ---- raster ---- */

static void
test_fill_is_cut (void)
{
  g_autoptr (PenRaster) raster = new_ground (10, 6);

  pen_raster_fill (raster, (PenBox){ -5, -5, 7, 8 }, RED);
  g_assert_cmpuint (count_pixels (raster, RED), ==, 2 * 3);
  pen_raster_fill (raster, (PenBox){ 8, 4, 100, 100 }, BLUE);
  g_assert_cmpuint (count_pixels (raster, BLUE), ==, 2 * 2);
  pen_raster_fill (raster, (PenBox){ 50, 50, 1, 1 }, BLUE);
  pen_raster_fill (raster, (PenBox){ 3, 3, -4, 2 }, BLUE);
  g_assert_cmpuint (count_pixels (raster, BLUE), ==, 4);
}

static void
test_stack_heights (void)
{
  static const guint64 counts[] = { 10, 0, 5, 5, 1, 0, 0, 0 }; /* 4 bins, 2 series */
  static const guint8 order[] = { 0, 1 };
  static const guint32 colors[] = { RED, BLUE };
  PenSpan span = { 0, 4 * SECOND };
  g_autoptr (PenRaster) raster = new_ground (4, 20);

  pen_raster_stack (raster, (PenBox){ 0, 0, 4, 20 }, span, span, counts, 4, 2, order, 10, colors);
  g_assert_cmphex (pixel (raster, 0, 0), ==, RED);
  g_assert_cmphex (pixel (raster, 0, 19), ==, RED);
  g_assert_cmphex (pixel (raster, 1, 19), ==, RED);
  g_assert_cmphex (pixel (raster, 1, 10), ==, RED);
  g_assert_cmphex (pixel (raster, 1, 9), ==, BLUE);
  g_assert_cmphex (pixel (raster, 1, 0), ==, BLUE);
  g_assert_cmphex (pixel (raster, 2, 17), ==, GROUND);
  g_assert_cmphex (pixel (raster, 2, 18), ==, RED);
  g_assert_cmphex (pixel (raster, 3, 19), ==, GROUND);
}

/* One sample among many is still a pixel, and the order is that of the stack. */
static void
test_stack_keeps_the_small (void)
{
  static const guint64 counts[] = { 1000000, 1, 1 };
  static const guint8 order[] = { 0, 2, 1 };
  static const guint32 colors[] = { RED, BLUE, 0xff00ff00u };
  PenSpan span = { 0, SECOND };
  g_autoptr (PenRaster) raster = new_ground (1, 30);

  pen_raster_stack (raster, (PenBox){ 0, 0, 1, 30 }, span, span, counts, 1, 3, order, 4000000,
                    colors);
  g_assert_cmpuint (count_pixels (raster, RED), ==, 7);
  g_assert_cmpuint (count_pixels (raster, 0xff00ff00u), ==, 1);
  g_assert_cmpuint (count_pixels (raster, BLUE), ==, 1);
}

/* While a newer answer is on its way the old one is drawn where its own times are. */
static void
test_stack_of_another_span (void)
{
  static const guint64 counts[] = { 8, 8 };
  static const guint8 order[] = { 0 };
  static const guint32 colors[] = { RED };
  g_autoptr (PenRaster) raster = new_ground (40, 4);

  pen_raster_stack (raster, (PenBox){ 0, 0, 40, 4 }, (PenSpan){ 0, 4 * SECOND },
                    (PenSpan){ SECOND, 3 * SECOND }, counts, 2, 1, order, 8, colors);
  g_assert_cmphex (pixel (raster, 9, 3), ==, GROUND);
  g_assert_cmphex (pixel (raster, 10, 3), ==, RED);
  g_assert_cmphex (pixel (raster, 29, 3), ==, RED);
  g_assert_cmphex (pixel (raster, 30, 3), ==, GROUND);
}

static void
test_tick_and_interval (void)
{
  PenSpan view = { 10 * SECOND, 20 * SECOND };
  PenBox box = { 0, 0, 100, 5 };
  g_autoptr (PenRaster) raster = new_ground (100, 5);
  PenBox part;

  pen_raster_tick (raster, box, view, 15 * SECOND, 1, RED);
  g_assert_cmphex (pixel (raster, 50, 0), ==, RED);
  g_assert_cmpuint (count_pixels (raster, RED), ==, 5);
  pen_raster_tick (raster, box, view, 9 * SECOND, 2, RED);
  pen_raster_tick (raster, box, view, 21 * SECOND, 2, RED);
  g_assert_cmpuint (count_pixels (raster, RED), ==, 5);
  /* The very last moment is in sight. */
  pen_raster_tick (raster, box, view, 20 * SECOND, 2, BLUE);
  g_assert_cmpuint (count_pixels (raster, BLUE), ==, 10);

  g_assert_true (pen_raster_interval (box, view, 12 * SECOND, 13 * SECOND, &part));
  g_assert_cmpint (part.x, ==, 20);
  g_assert_cmpint (part.width, ==, 10);
  g_assert_true (pen_raster_interval (box, view, 12 * SECOND, 12 * SECOND, &part));
  g_assert_cmpint (part.width, ==, 1);
  g_assert_true (pen_raster_interval (box, view, 0, G_MAXUINT64, &part));
  g_assert_cmpint (part.x, ==, 0);
  g_assert_cmpint (part.width, ==, 100);
  g_assert_false (pen_raster_interval (box, view, 1, 2, &part));
  g_assert_false (pen_raster_interval (box, view, 30 * SECOND, G_MAXUINT64, &part));
}

static void
test_hatch (void)
{
  g_autoptr (PenRaster) raster = new_ground (20, 20);

  pen_raster_hatch (raster, (PenBox){ 0, 0, 20, 20 }, RED, 5);
  g_assert_cmpuint (count_pixels (raster, RED), ==, 80);
  g_assert_cmphex (pixel (raster, 0, 0), ==, RED);
  g_assert_cmphex (pixel (raster, 4, 1), ==, RED);
  g_assert_cmphex (pixel (raster, 1, 0), ==, GROUND);
}

static void
test_blend (void)
{
  g_assert_cmphex (pen_raster_blend (RED, BLUE, 1), ==, RED);
  g_assert_cmphex (pen_raster_blend (RED, BLUE, 0), ==, BLUE);
  g_assert_cmphex (pen_raster_blend (0xffffffffu, GROUND, 0.5), ==, 0xff808080u);
}

/* ---- palette ---- */

static double
linear_channel (guint32 color, int shift)
{
  double value = ((color >> shift) & 0xff) / 255.0;

  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static double
luminance (guint32 color)
{
  return 0.2126 * linear_channel (color, 16) + 0.7152 * linear_channel (color, 8)
         + 0.0722 * linear_channel (color, 0);
}

/* WCAG contrast of two colours, 1–21. */
static double
contrast (guint32 a, guint32 b)
{
  double la = luminance (a), lb = luminance (b);

  return (MAX (la, lb) + 0.05) / (MIN (la, lb) + 0.05);
}

static void
test_palette (void)
{
  guint32 letters = 0;

  g_assert_cmpfloat_with_epsilon (contrast (0xffffffffu, 0xff000000u), 21, 0.01);
  for (int dark = 0; dark < 2; dark++) {
    guint32 ground = pen_palette_ground (dark);

    for (guint i = 0; i < PEN_KINDS; i++)
      g_assert_cmpfloat (contrast (pen_palette_kind (i, dark), ground), >=, 3);
    for (guint i = 0; i < PEN_CAUSES; i++)
      g_assert_cmpfloat (contrast (pen_palette_cause (i, dark), ground), >=, 4.5);
    g_assert_cmpfloat (contrast (pen_palette_loss (dark), ground), >=, 3);
  }
  /* No two causes by the same letter: colour is never the only cue. */
  for (guint i = 0; i < PEN_CAUSES; i++) {
    const char *letter = pen_palette_cause_letter (i);

    g_assert_cmpuint (strlen (letter), ==, 1);
    if (g_ascii_isupper (letter[0])) {
      g_assert_false (letters & (1u << (letter[0] - 'A')));
      letters |= 1u << (letter[0] - 'A');
    }
  }
}

/* As the painter puts it there. */
static guint32
lay_over (guint32 color, guint32 ground)
{
  return pen_raster_blend (color | 0xff000000u, ground, (color >> 24) / 255.0);
}

/* Words are to be read, lines to be seen, in each of the four looks. The text of GTK's own themes
 * is weaker than that of a picture that stands alone. */
static void
test_words (void)
{
  for (int look = 0; look < 4; look++) {
    gboolean dark = look & 1, is_high = (look & 2) != 0;
    guint32 ground = pen_palette_ground (dark);
    guint32 surface = dark ? 0xffffffffu : 0xff323232u;
    PenTheme themes[]
        = { pen_theme_new (dark, is_high), pen_theme_new_for (surface, surface, dark, is_high) };

    for (gsize i = 0; i < G_N_ELEMENTS (themes); i++) {
      g_assert_cmpfloat (contrast (lay_over (themes[i].text, ground), ground), >=,
                         is_high ? 7 : 4.5);
      g_assert_cmpfloat (contrast (lay_over (themes[i].dim, ground), ground), >=,
                         is_high ? 7 : 4.5);
      if (is_high)
        g_assert_cmpfloat (contrast (lay_over (themes[i].line, ground), ground), >=, 3);
      g_assert_cmpfloat (contrast (themes[i].accent, ground), >=, 3);
    }
  }
}

/* Words on a bar or a frame, whatever its shade. */
static void
test_words_on_shades (void)
{
  for (int dark = 0; dark < 2; dark++) {
    PenTheme theme = pen_theme_new (dark, FALSE);

    for (guint i = 0; i < PEN_KINDS; i++) {
      for (guint shade = 0; shade <= 20; shade++) {
        guint32 ground = pen_raster_blend (pen_palette_kind (i, dark), pen_palette_ground (dark),
                                           shade / 20.0);

        g_assert_cmpfloat (contrast (pen_theme_get_text_on (&theme, ground), ground), >=, 4.5);
      }
    }
    /* As dark as other words where both can be read. */
    g_assert_cmphex (pen_theme_get_text_on (&theme, 0xff757575u), ==,
                     dark ? 0xffffffffu : 0xff000000u);
  }
}

static void
test_stack_order (void)
{
  guint32 seen = 0;

  for (guint i = 0; i < PEN_KINDS; i++)
    seen |= 1u << pen_palette_stack_order ()[i];
  g_assert_cmphex (seen, ==, (1u << PEN_KINDS) - 1);
}

/* ---- words ---- */

static void
assert_text (char *text, const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_format (void)
{
  assert_text (pen_format_time (4810000000, 10000000), "4.81");
  assert_text (pen_format_time (4 * SECOND, SECOND), "4");
  assert_text (pen_format_time (1, 1), "0.000000001");
  assert_text (pen_format_time (G_MAXUINT64, 1000), "18446744073.709551");
  assert_text (pen_format_duration (2380000000), "2.38 s");
  assert_text (pen_format_duration (16 * SECOND), "16 s");
  assert_text (pen_format_duration (5000 * SECOND), "5000 s");
  assert_text (pen_format_duration (830000), "830 µs");
  assert_text (pen_format_duration (12), "12 ns");
  assert_text (pen_format_count (0), "0");
  assert_text (pen_format_count (999), "999");
  assert_text (pen_format_count (19649), "19\342\200\257649");
  assert_text (pen_format_count (1234567), "1\342\200\257234\342\200\257567");
  assert_text (pen_format_share (0.1234), "12.3 %");
  assert_text (pen_format_share (0), "0.0 %");
  assert_text (pen_format_share (0.0001), "< 0.1 %");
  assert_text (pen_format_rate (NAN), "");
  assert_text (pen_format_bytes ((const guint8 *) "\x0f\x1f", 2), "0f 1f");
}

/* What a recording names a function is not what a file system takes. */
static void
test_file_name (void)
{
  g_autofree char *long_name = g_strnfill (5000, 'x');
  g_autofree char *cut = pen_format_file_name (long_name, ".csv");

  assert_text (pen_format_file_name ("vfs_read", "-annotation.csv"), "vfs_read-annotation.csv");
  assert_text (pen_format_file_name ("../../etc/passwd", ".csv"), "_._.._etc_passwd.csv");
  assert_text (pen_format_file_name ("-rf *", ".csv"), "_rf _.csv");
  assert_text (pen_format_file_name ("a\033[31m\n\377", ".csv"), "a_x1b[31m_n_xff.csv");
  assert_text (pen_format_file_name ("\342\200\256moc", ".csv"), "_u{202e}moc.csv");
  assert_text (pen_format_basename ("/tmp/a\nb"), "a\\nb");
  g_assert_cmpuint (strlen (cut), <, 255);
}

static void
test_clock (void)
{
  PenClock clock = { .span = { 10 * SECOND, 20 * SECOND } };
  PenMoment from = pen_moment (12 * SECOND, 0), to = pen_moment (13 * SECOND, 0);
  g_autoptr (GDateTime) date = g_date_time_new_local (2026, 11, 20, 14, 3, 22);
  PenTimes times;

  assert_text (pen_clock_format_tenancy (&clock, from, to), "12.000–13.000 s");
  assert_text (pen_clock_format_tenancy (&clock, from, PEN_MOMENT_END), "12.000 s – end");
  assert_text (pen_clock_format_tenancy (&clock, PEN_MOMENT_START, PEN_MOMENT_END),
               "entire recording");
  g_assert_null (pen_clock_format_tenancy_elsewhere (&clock, from, to));
  assert_text (pen_clock_format_all (&clock, 12 * SECOND, SECOND), "12 s");

  /* Without a wall clock there is none to choose. */
  clock.times = PEN_TIMES_WALL;
  assert_text (pen_clock_format_long (&clock, 12 * SECOND, SECOND), "12 s");

  clock.times = PEN_TIMES_RELATIVE;
  assert_text (pen_clock_format (&clock, 12 * SECOND, SECOND / 10), "+2.0");
  assert_text (pen_clock_format (&clock, 9 * SECOND, SECOND), "−1");
  assert_text (pen_clock_format_tenancy_elsewhere (&clock, from, to), "recorded 12.000–13.000 s");
  g_assert_cmpuint (pen_clock_get_first_mark (&clock, 11500000000, SECOND), ==, 11 * SECOND);

  clock.has_wall = TRUE;
  clock.wall_offset = g_date_time_to_unix (date) * SECOND - 12 * SECOND + SECOND / 4;
  clock.times = PEN_TIMES_WALL;
  assert_text (pen_clock_format (&clock, 12 * SECOND, SECOND / 100), "14:03:22.25");
  assert_text (pen_clock_format_all (&clock, 12 * SECOND, SECOND), "2026-11-20 14:03:22 · 12 s");
  assert_text (pen_clock_format_tenancy (&clock, from, to), "14:03:22.250–14:03:23.250");
  assert_text (pen_clock_format_tenancy_elsewhere (&clock, from, to), "recorded 12.000–13.000 s");
  /* Marks stand at whole seconds of the day. */
  g_assert_cmpuint (pen_clock_get_first_mark (&clock, 12 * SECOND, SECOND), ==, 11750000000);
  clock.times = PEN_TIMES_RECORDED;
  assert_text (pen_clock_format_tenancy_elsewhere (&clock, from, to), "14:03:22.250–14:03:23.250");
  /* What no calendar has is told as recorded. */
  clock.times = PEN_TIMES_WALL;
  clock.wall_offset = G_MAXINT64;
  assert_text (pen_clock_format (&clock, 12 * SECOND, SECOND), "12");

  for (guint i = 0; i < PEN_TIMES; i++) {
    g_assert_true (pen_times_from_string (pen_times_to_string (i), &times));
    g_assert_cmpuint (times, ==, i);
  }
  g_assert_false (pen_times_from_string ("tomorrow", &times));
}

static void
test_format_instruction (void)
{
  assert_text (pen_format_instruction ("call   0xffffffffc0219000 <ftrace_caller>", NULL),
               "call   ftrace_caller");
  assert_text (pen_format_instruction ("je     0xffffffff8134cf3f", "vfs_read+0x2ef"),
               "je     vfs_read+0x2ef");
  assert_text (pen_format_instruction ("jmp    0xffffffff8134cf3f", NULL),
               "jmp    0xffffffff8134cf3f");
  assert_text (pen_format_instruction ("nopl   0x0(%rax,%rax,1)", "x"), "nopl   0x0(%rax,%rax,1)");
  assert_text (pen_format_instruction (NULL, NULL), "");
  assert_text (pen_format_instruction ("call 0xffffffff81000000 <", NULL),
               "call 0xffffffff81000000 <");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/span/position", test_span_position);
  g_test_add_func ("/span/zoom", test_span_zoom);
  g_test_add_func ("/span/pan", test_span_pan);
  g_test_add_func ("/span/hostile", test_span_hostile);
  g_test_add_func ("/span/step", test_span_step);
  g_test_add_func ("/raster/fill-is-cut", test_fill_is_cut);
  g_test_add_func ("/raster/stack", test_stack_heights);
  g_test_add_func ("/raster/stack-keeps-the-small", test_stack_keeps_the_small);
  g_test_add_func ("/raster/stack-of-another-span", test_stack_of_another_span);
  g_test_add_func ("/raster/tick-and-interval", test_tick_and_interval);
  g_test_add_func ("/raster/hatch", test_hatch);
  g_test_add_func ("/raster/blend", test_blend);
  g_test_add_func ("/palette/contrast", test_palette);
  g_test_add_func ("/palette/words", test_words);
  g_test_add_func ("/palette/words-on-shades", test_words_on_shades);
  g_test_add_func ("/palette/stack-order", test_stack_order);
  g_test_add_func ("/format/words", test_format);
  g_test_add_func ("/format/clock", test_clock);
  g_test_add_func ("/format/file-name", test_file_name);
  g_test_add_func ("/format/instruction", test_format_instruction);
  return g_test_run ();
}
