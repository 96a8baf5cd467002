/* pen-trampoline-users.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-trampoline-users.h"

#include <string.h>

#include "pen-table-hash.h"

#define FTRACE_NAME "ftrace_trampoline"
#define BPF_PREFIX "bpf_trampoline_"
#define BPF_SIZE 4096u
/* Of one poke. */
#define POKE_SIZE 1024u
#define CALL_LENGTH 5u
#define MAX_NAMES 8u
/* That are looked through for each poke: no function is traced so often in one recording. */
#define MAX_PROGRAMS 4096u
/* In a trampoline's number: its function is of the kernel or a module, not of a BPF program. */
#define OF_KERNEL 0x80000000u

/* A direct call. */
typedef struct {
  guint64 address;
  guint64 target;
} Call;

/* @calls: (element-type Call): of one of BPF */
typedef struct {
  GArray *calls;
  PenFtraceText ftrace;
} Contents;

static void
free_contents (gpointer data)
{
  Contents *contents = data;

  g_array_unref (contents->calls);
  g_free (contents);
}

typedef struct {
  guint32 id;
  guint32 tenure; /* of its first function */
  char name[17];
} Program;

struct _PenTrampolineUsers {
  PenHistory *history;
  PenLoadedSources *sources;
  PenDecoder *decoder;
  GHashTable *contents;  /* tenure's id → Contents */
  GHashTable *by_target; /* BTF's id and type → (element-type Program) */
  GHashTable *btf_ids;   /* program's id → BTF's id */
};

/* ---- programs ---- */

static guint64
make_target (guint32 btf_id, guint32 type)
{
  return (guint64) btf_id << 32 | type;
}

static void
add_program (PenTrampolineUsers *self, const PenBpfProgram *program, guint32 tenure)
{
  guint64 target = make_target (program->target_btf_id, program->target_type);
  Program entry = { .id = program->id, .tenure = tenure };
  GArray *programs;

  g_hash_table_insert (self->btf_ids, GUINT_TO_POINTER (program->id),
                       GUINT_TO_POINTER (program->btf_id));
  if (program->target_type == 0 || tenure == 0)
    return;

  memcpy (entry.name, program->name, sizeof entry.name);
  programs = g_hash_table_lookup (self->by_target, &target);
  if (!programs) {
    programs = g_array_new (FALSE, FALSE, sizeof (Program));
    g_hash_table_insert (self->by_target, g_memdup2 (&target, sizeof target), programs);
  }
  if (programs->len < MAX_PROGRAMS)
    g_array_append_val (programs, entry);
}

static void
add_programs (PenTrampolineUsers *self, GPtrArray *programs)
{
  const GArray *tenures = self->sources->bpf_tenures;
  guint first = 0;

  for (guint i = 0; programs && i < programs->len; i++) {
    const PenBpfProgram *program = g_ptr_array_index (programs, i);
    guint n = program->functions ? program->functions->len : 0;

    add_program (self, program,
                 n > 0 && first < tenures->len ? g_array_index (tenures, guint32, first) : 0);
    first += n;
  }
}

PenTrampolineUsers *
pen_trampoline_users_new (PenHistory *history, PenLoadedSources *sources, GPtrArray *programs,
                          PenDecoder *decoder)
{
  PenTrampolineUsers *self = g_new0 (PenTrampolineUsers, 1);

  self->history = history;
  self->sources = sources;
  self->decoder = decoder;
  self->contents = g_hash_table_new_full (pen_direct_hash, NULL, NULL, free_contents);
  self->by_target = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free,
                                           (GDestroyNotify) g_array_unref);
  self->btf_ids = g_hash_table_new (pen_direct_hash, NULL);
  add_programs (self, programs);
  return self;
}

void
pen_trampoline_users_free (PenTrampolineUsers *self)
{
  g_hash_table_unref (self->contents);
  g_hash_table_unref (self->by_target);
  g_hash_table_unref (self->btf_ids);
  g_free (self);
}

/* ---- calls ---- */

static gboolean
is_of_ftrace (const PenTenure *tenure)
{
  return tenure->kind == PEN_KIND_STUB && strcmp (tenure->name, FTRACE_NAME) == 0;
}

static gboolean
is_of_bpf (const PenTenure *tenure)
{
  return tenure->kind == PEN_KIND_STUB && g_str_has_prefix (tenure->name, BPF_PREFIX);
}

static void
find_calls (PenTrampolineUsers *self, GArray *calls, const guint8 *bytes, gsize length,
            guint64 address)
{
  for (gsize at = 0; self->decoder && at < length;) {
    PenInstruction instruction;

    pen_decoder_classify (self->decoder, bytes + at, length - at, address + at, &instruction);
    if (instruction.class == PEN_INSTRUCTION_CALL && instruction.has_target
        && instruction.length == CALL_LENGTH) {
      Call call = { address + at, instruction.target };

      g_array_append_val (calls, call);
    }
    at += instruction.length;
  }
}

/* Where no poke filled it. */
static void
read_copies (PenTrampolineUsers *self, const PenTenure *tenure, Contents *contents)
{
  gsize size = is_of_ftrace (tenure) ? PEN_FTRACE_TRAMPOLINE_MAX : BPF_SIZE;
  guint64 end = tenure->start + MIN (size, tenure->end - tenure->start);
  g_autoptr (GPtrArray) pieces
      = pen_loaded_sources_read (self->sources, tenure, tenure->start, end);

  for (guint i = 0; i < pieces->len && self->decoder; i++) {
    const PenTextPiece *piece = g_ptr_array_index (pieces, i);
    gsize length;
    const guint8 *bytes = g_bytes_get_data (piece->bytes, &length);

    if (piece->start != tenure->start)
      continue;
    length = MIN (length, size);
    if (is_of_ftrace (tenure))
      contents->ftrace.form
          = pen_ftrace_trampoline_read (self->decoder, bytes, length, piece->start);
    else
      find_calls (self, contents->calls, bytes, length, piece->start);
    return;
  }
}

static Contents *
get_contents (PenTrampolineUsers *self, const PenTenure *tenure)
{
  Contents *contents = g_hash_table_lookup (self->contents, GUINT_TO_POINTER (tenure->id));

  if (!contents) {
    contents = g_new0 (Contents, 1);
    contents->calls = g_array_new (FALSE, FALSE, sizeof (Call));
    g_hash_table_insert (self->contents, GUINT_TO_POINTER (tenure->id), contents);
    read_copies (self, tenure, contents);
  }
  return contents;
}

static gboolean
covers_call (const PenPoke *poke, guint64 call)
{
  return call < poke->address + pen_poke_get_length (poke) && poke->address < call + CALL_LENGTH;
}

/* Data comes after the code, and may look like a call: the first one is the trampoline's. */
static void
take_ftrace (PenTrampolineUsers *self, const PenPoke *poke, PenFtraceText *text)
{
  PenFtraceTrampoline form = { 0 };

  if (self->decoder)
    form = pen_ftrace_trampoline_read (self->decoder, poke->new_bytes, poke->new_length,
                                       poke->address);
  if (poke->old_length == 0 || poke->new_length == 0) {
    *text = (PenFtraceText){ form, poke->has_task, poke->tid, poke->moment };
  } else if (text->form.call == 0 || covers_call (poke, text->form.call)) {
    text->form.call = form.call;
    text->form.target = form.target;
  }
}

/* What a poke covers is no call any more. */
static void
take_bpf (PenTrampolineUsers *self, const PenPoke *poke, GArray *calls)
{
  for (guint i = calls->len; i-- > 0;)
    if (covers_call (poke, g_array_index (calls, Call, i).address))
      g_array_remove_index (calls, i);
  find_calls (self, calls, poke->new_bytes, MIN (poke->new_length, POKE_SIZE), poke->address);
}

void
pen_trampoline_users_take (PenTrampolineUsers *self, const PenPoke *poke)
{
  const PenTenure *tenure = pen_history_get_tenure (self->history, poke->tenure);

  if (tenure && is_of_ftrace (tenure))
    take_ftrace (self, poke, &get_contents (self, tenure)->ftrace);
  else if (tenure && is_of_bpf (tenure))
    take_bpf (self, poke, get_contents (self, tenure)->calls);
}

const PenFtraceText *
pen_trampoline_users_get_ftrace (PenTrampolineUsers *self, const PenTenure *tenure)
{
  return is_of_ftrace (tenure) ? &get_contents (self, tenure)->ftrace : NULL;
}

/* ---- names ---- */

/* Returns: FALSE when there are enough. */
static gboolean
add_name (GString *names, guint *n, const char *name, guint32 id)
{
  if (*n > 0)
    g_string_append (names, ", ");
  if (*n == MAX_NAMES) {
    g_string_append (names, "…");
    return FALSE;
  }

  (*n)++;
  g_string_append (names, name);
  if (id != 0)
    g_string_append_printf (names, " (%u)", id);
  return TRUE;
}

/* "bpf_prog_0123456789abcdef_name": the tag means nothing to a person. */
static const char *
skip_tag (const char *name)
{
  const char *rest = g_str_has_prefix (name, "bpf_prog_") ? name + strlen ("bpf_prog_") : NULL;

  return rest && strspn (rest, "0123456789abcdef") == 16 && rest[16] == '_' ? rest + 17 : name;
}

static char *
finish_names (GString *names, guint n)
{
  return g_string_free (names, n == 0);
}

char *
pen_trampoline_users_list_called (PenTrampolineUsers *self, const PenTenure *tenure,
                                  PenMoment moment)
{
  const GArray *calls = is_of_bpf (tenure) ? get_contents (self, tenure)->calls : NULL;
  GString *names;
  guint n = 0;

  if (!calls || calls->len == 0)
    return NULL;

  names = g_string_new (NULL);
  for (guint i = 0; i < calls->len; i++) {
    guint64 target = g_array_index (calls, Call, i).target;
    const PenTenure *called
        = pen_history_find (self->history, PEN_SPACE_KERNEL, target, moment, NULL);

    if (called && called->kind == PEN_KIND_BPF && called->start == target
        && !add_name (names, &n, skip_tag (called->name), called->bpf_id))
      break;
  }
  return finish_names (names, n);
}

/* The number in its name: the BTF, or the BPF program, and the type of its function. */
static const GArray *
find_programs (const PenTrampolineUsers *self, const PenTenure *tenure)
{
  guint64 number = 0;
  guint32 owner;
  guint64 target;

  if (!is_of_bpf (tenure)
      || !g_ascii_string_to_unsigned (tenure->name + strlen (BPF_PREFIX), 10, 0, G_MAXUINT64,
                                      &number, NULL))
    return NULL;

  owner = (guint32) (number >> 32);
  if (!(number & OF_KERNEL))
    owner = GPOINTER_TO_UINT (g_hash_table_lookup (self->btf_ids, GUINT_TO_POINTER (owner)));
  target = make_target (owner, (guint32) number & ~OF_KERNEL);
  return g_hash_table_lookup (self->by_target, &target);
}

char *
pen_trampoline_users_list_loaded (PenTrampolineUsers *self, const PenTenure *tenure,
                                  PenMoment moment)
{
  const GArray *programs = find_programs (self, tenure);
  GString *names;
  guint n = 0;

  if (!programs)
    return NULL;

  names = g_string_new (NULL);
  for (guint i = 0; i < programs->len; i++) {
    const Program *program = &g_array_index (programs, Program, i);
    const PenTenure *own = pen_history_get_tenure (self->history, program->tenure);

    if (pen_moment_compare (own->from, moment) <= 0 && pen_moment_compare (moment, own->to) < 0
        && !add_name (names, &n, program->name, program->id))
      break;
  }
  return finish_names (names, n);
}
