/* pen-short-name.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-short-name.h"

#include <string.h>

#define ELLIPSIS "…"
#define BPF_PROGRAM "bpf_prog_"
#define BPF_TAG 16
#define RUST_HASH 16
#define HEX "0123456789abcdef"

/* The state while cutting: @text does not fit yet. */
typedef struct {
  char *text;
  PenShortNameFits fits;
  gpointer data;
} Cut;

/* The text without what is after the first @n_kept characters of [@begin, @end), in bytes. */
static char *
leave_out (const char *text, gsize begin, gsize end, glong n_kept)
{
  const char *kept = g_utf8_offset_to_pointer (text + begin, n_kept);

  return g_strdup_printf ("%.*s" ELLIPSIS "%s", (int) (kept - text), text, text + end);
}

/* As many characters of the middle part as fit; else none, and it is to be cut on.
 * Returns: TRUE: it fits now */
static gboolean
cut_part (Cut *self, gsize begin, gsize end)
{
  glong fitting = -1, failing;
  g_autofree char *best = NULL;

  if (end <= begin)
    return FALSE;
  failing = g_utf8_strlen (self->text + begin, (gssize) (end - begin));
  while (failing - fitting > 1) {
    glong middle = fitting + (failing - fitting) / 2;
    g_autofree char *candidate = leave_out (self->text, begin, end, middle);

    if (self->fits (candidate, self->data)) {
      g_free (best);
      best = g_steal_pointer (&candidate);
      fitting = middle;
    } else {
      failing = middle;
    }
  }
  if (!best) {
    best = leave_out (self->text, begin, end, 0);
    g_free (self->text);
    self->text = g_steal_pointer (&best);
    return FALSE;
  }
  g_free (self->text);
  self->text = g_steal_pointer (&best);
  return TRUE;
}

/* As many characters of both ends as fit. */
static void
cut_middle (Cut *self, const char *text)
{
  glong length = g_utf8_strlen (text, -1);
  glong fitting = 0, failing = length;

  g_free (self->text);
  self->text = g_strdup (ELLIPSIS);
  while (failing - fitting > 1) {
    glong kept = fitting + (failing - fitting) / 2;
    const char *head = g_utf8_offset_to_pointer (text, (kept + 1) / 2);
    const char *tail = g_utf8_offset_to_pointer (text, length - kept / 2);
    g_autofree char *candidate
        = g_strdup_printf ("%.*s" ELLIPSIS "%s", (int) (head - text), text, tail);

    if (self->fits (candidate, self->data)) {
      g_free (self->text);
      self->text = g_steal_pointer (&candidate);
      fitting = kept;
    } else {
      failing = kept;
    }
  }
}

/* Only the part that a name is known by is left, "…next" or "sort…", or less than that. */
static void
cut_to_core (Cut *self, const char *core, gboolean is_end)
{
  g_autofree char *text = g_strconcat (is_end ? ELLIPSIS : core, is_end ? core : ELLIPSIS, NULL);

  if (!self->fits (text, self->data)) {
    cut_middle (self, core);
    return;
  }
  g_free (self->text);
  self->text = g_steal_pointer (&text);
}

/* ---- sorts of names ---- */

/* "bpf_prog_0123456789abcdef_name": programs differ in their name, loads of one not even in the
 * tag. */
static gboolean
is_program (const char *name)
{
  const char *tag = name + strlen (BPF_PROGRAM);

  return g_str_has_prefix (name, BPF_PROGRAM) && strspn (tag, HEX) == BPF_TAG && tag[BPF_TAG] == '_'
         && tag[BPF_TAG + 1] != '\0';
}

static void
cut_program (Cut *self, const char *name)
{
  gsize prefix = strlen (BPF_PROGRAM);

  if (cut_part (self, prefix, prefix + BPF_TAG) || cut_part (self, 0, prefix + strlen (ELLIPSIS)))
    return;
  cut_to_core (self, name + prefix + BPF_TAG + 1, TRUE);
}

static void
cut_path (Cut *self, const char *name)
{
  const char *base = strrchr (name, '/');

  if (!cut_part (self, 0, (gsize) (base - name)))
    cut_to_core (self, base[1] ? base + 1 : base, TRUE);
}

/* "mm/page_alloc.c": of source, a relative path is one, too. */
static gboolean
is_source_path (const char *name)
{
  static const char *const suffixes[]
      = { "c",   "C",   "cc",  "cpp", "cxx", "c++", "h",  "H",  "hh", "hpp", "hxx",  "h++", "inc",
          "inl", "tcc", "def", "S",   "s",   "asm", "rs", "go", "d",  "f",   "f90",  "ada", "adb",
          "ads", "pas", "zig", "m",   "mm",  "y",   "l",  "js", "ts", "py",  "java", "kt",  NULL };
  const char *base = strrchr (name, '/');
  const char *dot = base ? strrchr (base, '.') : NULL;

  return dot && g_strv_contains (suffixes, dot + 1) && !strpbrk (name, "<>()");
}

/* "…/mm/page_alloc.c": what differs is at the end. As many folders as fit. */
static void
cut_source_path (Cut *self, const char *name)
{
  const char *base = strrchr (name, '/');
  g_autoptr (GPtrArray) slashes = g_ptr_array_new ();
  guint failing = 0, fitting;

  for (const char *slash = name + 1; slash <= base; slash++) {
    if (*slash == '/')
      g_ptr_array_add (slashes, (gpointer) slash);
  }
  fitting = slashes->len;
  while (fitting > failing) {
    guint middle = failing + (fitting - failing) / 2;
    g_autofree char *candidate = g_strconcat (ELLIPSIS, slashes->pdata[middle], NULL);

    if (self->fits (candidate, self->data))
      fitting = middle;
    else
      failing = middle + 1;
  }
  if (fitting == slashes->len) {
    cut_to_core (self, base + 1, TRUE);
    return;
  }
  g_free (self->text);
  self->text = g_strconcat (ELLIPSIS, slashes->pdata[fitting], NULL);
}

/* Where the parts of a qualified name are, in bytes: "core::Vec<T>::push<U>(int)::h0123" */
typedef struct {
  gsize last;      /* the beginning of the last part */
  gsize arguments; /* of it, after "<"; 0: none */
  gsize arguments_end;
  gsize parameters; /* after "("; 0: none */
  gsize parameters_end;
  gsize hash; /* of Rust's legacy mangling, after "::h"; 0: none */
} Qualified;

static gboolean
is_hash (const char *part)
{
  return part[0] == 'h' && strspn (part + 1, HEX) == RUST_HASH && part[1 + RUST_HASH] == '\0';
}

/* FALSE: it is no such name, or its brackets are not in pairs ("operator<") */
static gboolean
find_parts (const char *name, Qualified *parts)
{
  guint depth = 0;
  gsize opened = 0;

  *parts = (Qualified){ 0 };
  for (gsize i = 0; name[i]; i++) {
    char c = name[i];

    if (c == '<' || c == '(') {
      if (depth++ == 0)
        opened = i + 1;
    } else if (c == '>' || c == ')') {
      if (c == '>' && i > 0 && name[i - 1] == '-')
        continue;
      if (depth-- == 0)
        return FALSE;
      if (depth == 0 && c == ')') {
        parts->parameters = opened;
        parts->parameters_end = i;
      } else if (depth == 0 && parts->parameters == 0) {
        parts->arguments = opened;
        parts->arguments_end = i;
      }
    } else if (depth == 0 && parts->parameters == 0 && c == ':' && name[i + 1] == ':') {
      if (is_hash (name + i + 2)) {
        parts->hash = i + 3;
        break;
      }
      parts->last = i + 2;
      parts->arguments = parts->arguments_end = 0;
    }
  }
  return depth == 0 && (parts->last > 0 || parts->arguments > 0 || parts->parameters > 0);
}

/* From the right to the left, so that places stay where they are. */
static void
cut_qualified (Cut *self, const char *name, const Qualified *parts)
{
  g_autofree char *core = NULL;
  gsize end = strlen (name);

  if (parts->hash > 0) {
    end = parts->hash - strlen ("::h");
    if (cut_part (self, parts->hash, strlen (name)))
      return;
  }
  if (parts->parameters > 0) {
    end = parts->parameters - 1;
    if (cut_part (self, parts->parameters, parts->parameters_end))
      return;
  }
  if (parts->arguments > parts->last) {
    end = parts->arguments - 1;
    if (cut_part (self, parts->arguments, parts->arguments_end))
      return;
  }
  if (parts->last > 0 && cut_part (self, 0, parts->last - strlen ("::")))
    return;
  core = g_strndup (name + parts->last, end - parts->last);
  if (core[0])
    cut_to_core (self, core, parts->last > 0);
  else
    cut_middle (self, name);
}

/* What others have, too, is no core. */
static void
cut_beginning (Cut *self, const char *name, gsize n)
{
  if (!cut_part (self, 0, n))
    cut_to_core (self, name + n, TRUE);
}

gsize
pen_short_name_count_common (const char *name, const char *other)
{
  gsize n = 0;

  for (gsize i = 0; name[i] != '\0' && name[i] == other[i]; i++) {
    if (strchr ("_.: ", name[i]))
      n = i + 1;
  }
  /* Something has to be left. */
  return name[n] != '\0' && other[n] != '\0' ? n : 0;
}

char *
pen_short_name_new (const char *name, PenShortNameFits fits, gpointer data)
{
  return pen_short_name_new_among (name, 0, fits, data);
}

char *
pen_short_name_new_among (const char *name, gsize n_common, PenShortNameFits fits, gpointer data)
{
  Cut cut = { g_strdup (name), fits, data };
  Qualified parts;

  if (fits (name, data))
    return cut.text;
  if (is_program (name))
    cut_program (&cut, name);
  else if (is_source_path (name))
    cut_source_path (&cut, name);
  else if (name[0] == '/' && name[1] != '\0')
    cut_path (&cut, name);
  else if (find_parts (name, &parts))
    cut_qualified (&cut, name, &parts);
  else if (n_common > 0)
    cut_beginning (&cut, name, n_common);
  else
    cut_middle (&cut, name);
  return cut.text;
}
