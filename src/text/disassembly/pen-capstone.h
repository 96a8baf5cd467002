/* pen-capstone.h: Capstone, loaded when it is needed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <capstone.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/* Its functions, by their names. Linked, it would cost each start of a program one or two
 * milliseconds: it has 77,000 relocations, more than all other libraries. */
typedef struct {
  unsigned int (*version) (int *major, int *minor);
  cs_err (*open) (cs_arch arch, cs_mode mode, csh *handle);
  cs_err (*close) (csh *handle);
  cs_err (*option) (csh handle, cs_opt_type type, size_t value);
  const char *(*strerror) (cs_err code);
  cs_insn *(*malloc) (csh handle);
  void (*free) (cs_insn *insn, size_t n);
  bool (*disasm_iter) (csh handle, const uint8_t **code, size_t *size, uint64_t *address,
                       cs_insn *insn);
} PenCapstone;

/* From any thread; the first call loads it. Returns: (transfer none): NULL with @error (G_IO_ERROR,
 * NOT_FOUND) where it is not installed */
const PenCapstone *pen_capstone_get (GError **error);

G_END_DECLS
