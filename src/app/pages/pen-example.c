/* pen-example.c: the recording that is installed with the program
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-example.h"

#include "pen-installed.h"

char *
pen_example_dup_path (void)
{
  return pen_installed_find ("PENTIMENTO_DATA", "share/pentimento", PEN_PKGDATADIR, "example.data");
}
