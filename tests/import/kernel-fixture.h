/* kernel-fixture.h: a kernel and a module that were recorded, and the files that may be theirs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "import-fixture.h"

G_BEGIN_DECLS

#define ID "000102030405060708090a0b0c0d0e0f10111213"
#define OTHER_ID "ff0102030405060708090a0b0c0d0e0f10111213"
#define RELEASE "6.1.0-test"
#define SLIDE 0x1a000000u
#define TEXT (PEN_TEST_KERNEL_TEXT + SLIDE)
#define MODULE_START G_GUINT64_CONSTANT (0xffffffffc0201000)
#define MODULE_PATH "/lib/modules/" RELEASE "/kernel/drivers/pen-test.ko"

typedef struct {
  ImportFixture fixture;
  char *vmlinux;
  char *root; /* of another machine's files */
} KernelFixture;

#define KERNEL_FIXTURE_ADD(name, func)                                                             \
  g_test_add (name, KernelFixture, NULL, kernel_fixture_set_up, func, kernel_fixture_tear_down)

void kernel_fixture_set_up (KernelFixture *self, gconstpointer data);
void kernel_fixture_tear_down (KernelFixture *self, gconstpointer data);

/* @digits: hexadecimal, forty */
void kernel_fixture_parse_id (const char *digits, guint8 id[20]);
/* A kernel that was moved, a patched jump label in it, a module; samples in both. */
PenTestCapture *kernel_fixture_make_capture (const char *kernel_id, const char *module_id);
gboolean kernel_fixture_try_import (KernelFixture *self, PenTestCapture *capture,
                                    const PenSources *sources, GError **error);
PenStore *kernel_fixture_import (KernelFixture *self, const char *kernel_id, const char *module_id,
                                 const PenSources *sources);
/* A vmlinux or a module, with the folders that it lies in. */
void kernel_fixture_build_at (const char *path, const char *build_id, gboolean is_module);
void kernel_fixture_write_core_at (const char *path, guint64 address, const guint8 *bytes,
                                   gsize length);

/* "vmlinux given file names, bytes, sites" of each source, or "… refused". */
void kernel_fixture_assert_sources (PenStore *store, const char *expected);
gboolean kernel_fixture_has_function (PenStore *store, const char *symbol, guint64 start);
/* Of the byte, which has to be from @source. */
PenEvidence kernel_fixture_get_evidence (PenStore *store, guint64 address, const char *source);
PenCause kernel_fixture_get_cause (PenStore *store, guint64 address);

G_END_DECLS
