/* pen-bpf-list.h: BPF programs and links of the machine
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* As `bpftool -j prog show` and `bpftool -j link show` name and spell what they have: a JSON array
 * of one object for each, a line each. At most 65,536. They need CAP_SYS_ADMIN.
 * Returns: (transfer full): or NULL with a GIOErrorEnum */
GString *pen_bpf_list_programs (GError **error);
GString *pen_bpf_list_links (GError **error);

G_END_DECLS
