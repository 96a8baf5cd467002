/* pen-capture-files.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-capture-files.h"

const char *const *
pen_capture_files_get (void)
{
  static const char *const names[] = {
    "kcore_dir/kallsyms",
    "kcore_dir/kcore",
    "kcore_dir/modules",
    "pentimento/lists",
    "pentimento/loads",
    "pentimento/patches",
    "pentimento/witness",
    "pentimento/start/enabled_functions",
    "pentimento/start/kallsyms",
    "pentimento/start/kprobe_events",
    "pentimento/start/kprobes",
    "pentimento/start/links",
    "pentimento/start/livepatch",
    "pentimento/start/modules",
    "pentimento/start/notes",
    "pentimento/start/programs",
    "pentimento/start/sections",
    "pentimento/start/switches",
    "pentimento/start/times",
    "pentimento/start/tracers",
    "pentimento/end/enabled_functions",
    "pentimento/end/kallsyms",
    "pentimento/end/kcore",
    "pentimento/end/kprobe_events",
    "pentimento/end/kprobes",
    "pentimento/end/links",
    "pentimento/end/livepatch",
    "pentimento/end/modules",
    "pentimento/end/notes",
    "pentimento/end/programs",
    "pentimento/end/sections",
    "pentimento/end/switches",
    "pentimento/end/times",
    "pentimento/end/tracers",
    NULL,
  };

  return names;
}
