/* pen-source-talk.h: the messages of PenSourceLines and pentimento-source-lines
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The program's name, in libexec. It is called with two limits, of bytes and of seconds; its
 * standard input is a PenDebugImage, its standard output a socket: questions come in, messages go
 * out. Both ends are of one build on one machine. */
#define PEN_SOURCE_PROGRAM "pentimento-source-lines"

/* Longer paths and names are as good as none. */
#define PEN_SOURCE_TEXT_MAX 4096u

/* Asks for the lines of [start, end). */
typedef struct {
  guint64 start;
  guint64 end;
} PenSourceQuestion;

/* Texts and calls are sent once, before they are referred to, and are numbered from 1; 0 is none.
 */
typedef enum {
  PEN_SOURCE_TEXT, /* length bytes of a path or name follow */
  PEN_SOURCE_CALL, /* of name, at line of file, within call */
  PEN_SOURCE_LINE, /* code from address on is of line of file, within call */
  PEN_SOURCE_END,  /* of the answer */
} PenSourceKind;

typedef struct {
  guint32 kind; /* PenSourceKind */
  guint32 length;
  guint32 name;
  guint32 file;
  guint32 line;
  guint32 call;
  guint64 address;
} PenSourceMessage;

G_END_DECLS
