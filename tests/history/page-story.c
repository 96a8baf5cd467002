/* page-story.c: random events over many pages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "page-story.h"

#define PAGE 4096u
#define TEXT 0xffffffff81000000u
#define MODULES 0xffffffffa0000000u
#define PROGRAMS 0xffffffffc0000000u
#define PROGRAM_PAGES 12
#define USER 0x7f0000000000u
#define USER_PAGES 140

static guint
pick (GRand *rand, guint n)
{
  return (guint) g_rand_int_range (rand, 0, (gint32) n);
}

static guint64
pick_offset (GRand *rand)
{
  static const guint64 offsets[] = { 0, 1, 4, 5, 0x800, PAGE - 1 };

  return offsets[pick (rand, G_N_ELEMENTS (offsets))];
}

gint32
page_story_pick_pid (GRand *rand)
{
  return 1 + (gint32) pick (rand, PAGE_STORY_PIDS);
}

guint64
page_story_pick_kernel_address (GRand *rand)
{
  switch (pick (rand, 3)) {
  case 0:
    return TEXT + pick (rand, 4) * PAGE + pick_offset (rand);
  case 1:
    return MODULES + pick (rand, 100) * PAGE + pick_offset (rand);
  default:
    return PROGRAMS + pick (rand, PROGRAM_PAGES) * PAGE + pick_offset (rand);
  }
}

guint64
page_story_pick_user_address (GRand *rand)
{
  return USER + pick (rand, pick (rand, 2) == 0 ? 4 : USER_PAGES) * PAGE + pick_offset (rand);
}

static void
add_kernel_event (Maker *maker, GRand *rand, guint64 time)
{
  static const char *const modules[] = { "[a]", "[b]" };
  static const char *const names[] = { "bpf_prog_a", "bpf_prog_b" };
  guint64 start = PROGRAMS + pick (rand, PROGRAM_PAGES) * PAGE + pick_offset (rand);
  guint64 length = pick (rand, 10) == 0 ? 70 * PAGE : 1 + pick (rand, 3 * PAGE);
  const char *name = names[pick (rand, 2)];

  switch (pick (rand, 8)) {
  case 0:
    maker_kernel_map (maker, time, MODULES + pick (rand, 60) * PAGE, (1 + pick (rand, 90)) * PAGE,
                      modules[pick (rand, 2)]);
    return;
  case 1:
  case 2:
    maker_register (maker, time, start, length, name);
    return;
  case 3:
  case 4:
    maker_unregister (maker, time, start, length, name);
    return;
  default:
    maker_poke (maker, time, page_story_pick_kernel_address (rand), "\1\2\3\4\5", "\5\4\3\2\1");
    return;
  }
}

static void
add_process_event (Maker *maker, GRand *rand, guint64 time)
{
  static const char *const names[] = { "/bin/a", "/lib/b.so" };
  gint32 pid = page_story_pick_pid (rand);

  switch (pick (rand, 10)) {
  case 0:
    maker_fork (maker, time, pid, page_story_pick_pid (rand));
    return;
  case 1:
    maker_exec (maker, time, pid, "new");
    return;
  case 2:
    maker_exit (maker, time, pid, pid);
    return;
  default:
    maker_map (maker, time, pid, USER + pick (rand, USER_PAGES / 2) * PAGE,
               (1 + pick (rand, pick (rand, 3) == 0 ? 90 : 3)) * PAGE, 0, names[pick (rand, 2)]);
    return;
  }
}

void
page_story_add (Maker *maker, GRand *rand, guint n_events)
{
  maker_kernel_map (maker, 0, TEXT, 3 * PAGE, "[kernel.kallsyms]_text");
  for (guint i = 0; i < n_events; i++) {
    guint64 time = 1 + pick (rand, PAGE_STORY_TIME);

    if (pick (rand, 3) > 0)
      add_kernel_event (maker, rand, time);
    else
      add_process_event (maker, rand, time);
  }
}
