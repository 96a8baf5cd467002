/* pen-command-render.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"
#include "pen-render.h"

const PenCommand pen_command_render = {
  "render",
  "CAPTURE [SYMBOL|ADDRESS] -o FILE.png|.svg|.pdf",
  "a picture of the timeline, the text map, or a function's text",
  "The picture that the window shows, as a file: the ending of its name says of what sort. --time\n"
  "is the stretch that is drawn, the other filters narrow the samples and patches in it. An\n"
  "annotation is of the function that is named, or else of the patched one with most samples.\n\n"
  "Examples:\n"
  "  pentimento-cli render perf.data -o overview.png\n"
  "  pentimento-cli render perf.data --view=map --time 5.8,7 -o map.svg --dark\n"
  "  pentimento-cli render perf.data vfs_read --view=annotation -o vfs_read.pdf\n"
  "  pentimento-cli render perf.data --cpus --width=1600 --scale=2 -o cpus.png\n",
  PEN_COMMAND_FILTER | PEN_COMMAND_SYNTAX | PEN_COMMAND_RENDER,
  pen_render_run,
};
