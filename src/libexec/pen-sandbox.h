/* pen-sandbox.h: where untrusted bytes are parsed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PEN_SANDBOX_HAS_SHADOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PEN_SANDBOX_HAS_SHADOW 1
#endif
#endif

/*
 * pen_sandbox_enter:
 * @socket: the only file that is used from here on, a socket to receive from and send to
 * @memory: bytes, those that the process has included
 * @seconds: on a CPU
 *
 * From here on the process, which has one thread, can calculate, ask for memory that holds no code,
 * receive and send, and end. A system call that opens or looks for a file fails with ENOENT, as
 * libraries look for some; any other kills the process. Limits of resources and, where the kernel
 * has it, Landlock hold besides.
 *
 * Sanitizers reserve address space without measure, and have system calls of their own: with
 * PEN_SANDBOX_HAS_SHADOW there are the limits of CPU and files, and Landlock, only.
 *
 * Returns: FALSE: nothing may be parsed
 */
gboolean pen_sandbox_enter (int socket, guint64 memory, guint64 seconds);

/*
 * pen_sandbox_enter_reading:
 * @path: of a regular file
 *
 * The same for who reads a file with libraries that open it: files can be looked for, opened for
 * reading, read, mapped and locked. Where the kernel has Landlock, @path is the only one that
 * opens.
 *
 * Returns: FALSE: nothing may be parsed
 */
gboolean pen_sandbox_enter_reading (int socket, const char *path, guint64 memory, guint64 seconds);

/* A part of it: takes away all access to files, network and other processes that Landlock knows of.
 * Returns: FALSE: it failed where there is one */
gboolean pen_sandbox_restrict_files (void);

G_END_DECLS
