/* pen-fuzz-steps.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-fuzz-steps.h"

#include <stdlib.h>

static __thread guint64 steps; /* of the thread that asks */
static double most;            /* of what was allowed, in any input so far */

/* clang's -fsanitize-coverage=trace-pc-guard calls these; libFuzzer has its own by the same names,
 * which refuse to be called: the linker's --wrap puts these in their place. */
void __wrap___sanitizer_cov_trace_pc_guard (guint32 *guard);
void __wrap___sanitizer_cov_trace_pc_guard_init (guint32 *start, guint32 *stop);

#ifdef __clang__
#define UNCOUNTED __attribute__ ((no_sanitize ("coverage", "address", "undefined")))
#else
#define UNCOUNTED
#endif

UNCOUNTED void
__wrap___sanitizer_cov_trace_pc_guard (G_GNUC_UNUSED guint32 *guard)
{
  steps++;
}

UNCOUNTED void
__wrap___sanitizer_cov_trace_pc_guard_init (G_GNUC_UNUSED guint32 *start,
                                            G_GNUC_UNUSED guint32 *stop)
{
}

static void
print_most (void)
{
  g_printerr ("steps: %.1f %% of what is allowed, at most\n", 100 * most);
}

void
pen_fuzz_steps_start (void)
{
  static gboolean is_first = TRUE;

  if (is_first && g_getenv ("PENTIMENTO_FUZZ_STEPS"))
    atexit (print_most);
  is_first = FALSE;
  steps = 0;
}

void
pen_fuzz_steps_check (gsize size, guint64 per_byte, guint64 more)
{
  guint64 taken = steps;
  guint64 allowed = per_byte * size + more;

  most = MAX (most, (double) taken / (double) allowed);
  if (taken > allowed)
    g_error ("%" G_GUINT64_FORMAT " steps for %zu bytes, more than %" G_GUINT64_FORMAT, taken, size,
             allowed);
}
