/* steep-tracepoints.c: samples of tracepoints, their formats, and records of switches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "steep.h"

#define FEATURE_TRACING_DATA 1
#define TYPE_SWITCH 14
#define TYPE_SWITCH_CPU_WIDE 15
#define SWITCH_OUT (1u << 13)
/* As long as one may be that is kept. */
#define PAYLOAD 252u
#define MODULES (KERNEL + 0x20000000)

#define COMMON                                                                                     \
  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                           \
  "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char alloc_vmap_area[] = "name: alloc_vmap_area\nID: 316\nformat:\n" COMMON
                                      "\tfield:unsigned long addr;\toffset:8;\tsize:8;\tsigned:0;\n"
                                      "\tfield:unsigned long size;\toffset:16;\tsize:8;\tsigned:0;"
                                      "\n\nprint fmt: \"%d\", REC->addr\n";
static const char module_load[] = "name: module_load\nID: 317\nformat:\n" COMMON
                                  "\tfield:unsigned int taints;\toffset:8;\tsize:4;\tsigned:0;\n"
                                  "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;"
                                  "\n\nprint fmt: \"%s\", __get_str(name)\n";
static const char sched_switch[] = "name: sched_switch\nID: 318\nformat:\n" COMMON
                                   "\tfield:pid_t prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n"
                                   "\tfield:pid_t next_pid;\toffset:12;\tsize:4;\tsigned:1;\n"
                                   "\tfield:long prev_state;\toffset:16;\tsize:8;\tsigned:1;\n\n"
                                   "print fmt: \"%d\", REC->prev_pid\n";

static void
put (GByteArray *bytes, gconstpointer data, gsize n)
{
  g_byte_array_append (bytes, data, (guint) n);
}

static void
put_word (GByteArray *bytes, guint32 word)
{
  put (bytes, &word, sizeof word);
}

static void
put_long (GByteArray *bytes, guint64 number)
{
  put (bytes, &number, sizeof number);
}

static void
put_system (GByteArray *bytes, const char *name, const char *format)
{
  put (bytes, name, strlen (name) + 1);
  put_word (bytes, 1);
  put_long (bytes, strlen (format));
  put (bytes, format, strlen (format));
}

/* As trace-cmd.dat(5) has them. @n: of others */
static void
set_formats (SteepMaker *self, guint n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  put (bytes, "\x17\x08\x44tracing0.6", 14);
  put (bytes, "\0\x08", 2);
  put_word (bytes, PAGE);
  put (bytes, "header_page", 12);
  put_long (bytes, 0);
  put (bytes, "header_event", 13);
  put_long (bytes, 0);
  put_word (bytes, 0);
  put_word (bytes, 3 + n);
  put_system (bytes, "vmalloc", alloc_vmap_area);
  put_system (bytes, "module", module_load);
  put_system (bytes, "sched", sched_switch);
  for (guint i = 0; i < n; i++) {
    g_autofree char *format
        = g_strdup_printf ("name: e%u\nID: %u\nformat:\n" COMMON "print fmt: \"\"\n", i, i + 1000);

    put_system (bytes, "mine", format);
  }
  pen_test_capture_set_raw_feature (self->capture, FEATURE_TRACING_DATA, bytes->data, bytes->len);
}

static void
trace (SteepMaker *self, guint event, const void *payload, gsize length)
{
  pen_test_capture_from (self->capture, event);
  steep_at (self, 7);
  pen_test_capture_set_payload (self->capture, payload, length);
  pen_test_capture_add_sample (self->capture, PEN_TEST_KERNEL, KERNEL + 0x20, 1);
  pen_test_capture_set_payload (self->capture, NULL, 0);
  pen_test_capture_from (self->capture, 1);
}

static void
add_allocations (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint64 payload[PAYLOAD / 8 + 1] = { 316, MODULES + 2 * PAGE * (guint64) i, 2 * PAGE };

    trace (self, STEEP_ALLOCATION, payload, PAYLOAD);
  }
}

static void
allocations (SteepMaker *self, guint n)
{
  set_formats (self, 0);
  add_allocations (self, n);
}

/* What is in them is not known, and may become so. */
static void
allocations_without_format (SteepMaker *self, guint n)
{
  add_allocations (self, n);
}

static void
module_loads (SteepMaker *self, guint n)
{
  set_formats (self, 0);
  for (guint i = 0; i < n / 2; i++) {
    struct {
      guint64 common;
      guint32 taints;
      guint32 place;
      char name[PAYLOAD - 16];
    } payload = { .common = 317, .place = 56u << 16 | 16u };
    guint64 memory[PAYLOAD / 8 + 1] = { 316, MODULES + 2 * PAGE * (guint64) i, 2 * PAGE };

    g_snprintf (payload.name, sizeof payload.name, "a_module_with_a_long_name_%u", i);
    trace (self, STEEP_MODULE_LOAD, &payload, sizeof payload);
    trace (self, STEEP_ALLOCATION, memory, PAYLOAD);
  }
}

static void
formats (SteepMaker *self, guint n)
{
  set_formats (self, n);
  add_allocations (self, n / 8);
}

/* Every task goes off the CPU, and comes back at the end. */
static void
switch_traces (SteepMaker *self, guint n)
{
  set_formats (self, 0);
  for (guint i = 0; i < n; i++) {
    gboolean is_back = i >= n / 2;
    guint32 other = 10 + (is_back ? n - 1 - i : i);
    struct {
      guint64 common;
      guint32 before;
      guint32 next;
      guint64 state;
    } payload = { 318, is_back ? 7 : other, is_back ? other : 7, 1 };

    trace (self, STEEP_SWITCH, &payload, sizeof payload);
  }
}

static void
switches (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    steep_at (self, (gint32) (10 + i / 2));
    pen_test_capture_add_raw (self->capture, TYPE_SWITCH, i % 2 == 0 ? SWITCH_OUT : 0, NULL, 0,
                              TRUE);
  }
}

/* All are off CPU before the first one is back. */
static void
switches_cpu_wide (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    gboolean is_back = i >= n / 2;
    const guint32 other[2] = { 7, 7 };

    steep_at (self, (gint32) (10 + (is_back ? n - 1 - i : i)));
    pen_test_capture_add_raw (self->capture, TYPE_SWITCH_CPU_WIDE, is_back ? 0 : SWITCH_OUT, other,
                              sizeof other, TRUE);
  }
}

const SteepKind steep_tracepoints[] = {
  STEEP_KIND (allocations),       STEEP_KIND (allocations_without_format),
  STEEP_KIND (module_loads),      STEEP_KIND (formats),
  STEEP_KIND (switch_traces),     STEEP_KIND (switches),
  STEEP_KIND (switches_cpu_wide), { 0 },
};
