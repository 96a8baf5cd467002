/* pen-clean-names.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-clean-names.h"

#include <inttypes.h>
#include <string.h>

#include "pen-names.h"
#include "pen-table-hash.h"

/* What a name is replaced by: this, and a number. Of texts that are not one name, NULL. */
static const char *const prefixes[PEN_CLEAN_TEXTS] = {
  [PEN_CLEAN_TASK] = "task-",       [PEN_CLEAN_FILE] = "/file-",
  [PEN_CLEAN_SYMBOL] = "function_", [PEN_CLEAN_SOURCE] = "/source-",
  [PEN_CLEAN_PROGRAM] = "program_", [PEN_CLEAN_EVENT] = "event-",
};

static const guint keeps[PEN_CLEAN_TEXTS] = {
  [PEN_CLEAN_TASK] = PEN_SANITIZE_KEEP_TASKS,       [PEN_CLEAN_FILE] = PEN_SANITIZE_KEEP_PATHS,
  [PEN_CLEAN_SYMBOL] = PEN_SANITIZE_KEEP_SYMBOLS,   [PEN_CLEAN_SOURCE] = PEN_SANITIZE_KEEP_PATHS,
  [PEN_CLEAN_PROGRAM] = PEN_SANITIZE_KEEP_PROGRAMS, [PEN_CLEAN_EVENT] = PEN_SANITIZE_KEEP_EVENTS,
};

/*
 * @kernel: names that stay
 * @known: of each sort: name → what replaces it
 * @found: of each sort: text → what it became
 */
struct _PenCleanNames {
  guint keep;
  PenCleanAddressFunc address;
  gpointer user_data;
  PenNames *strings;
  GHashTable *kernel;
  GHashTable *known[PEN_CLEAN_TEXTS];
  GHashTable *found[PEN_CLEAN_TEXTS];
  guint counts[PEN_CLEAN_TEXTS];
};

PenCleanNames *
pen_clean_names_new (guint keep, PenCleanAddressFunc address, gpointer user_data)
{
  PenCleanNames *self = g_new0 (PenCleanNames, 1);

  self->keep = keep;
  self->address = address;
  self->user_data = user_data;
  self->strings = pen_names_new ();
  self->kernel = g_hash_table_new (pen_str_hash, g_str_equal);
  for (guint i = 0; i < PEN_CLEAN_TEXTS; i++) {
    self->known[i] = g_hash_table_new (pen_str_hash, g_str_equal);
    self->found[i] = g_hash_table_new (pen_str_hash, g_str_equal);
  }
  return self;
}

void
pen_clean_names_free (PenCleanNames *self)
{
  if (!self)
    return;
  for (guint i = 0; i < PEN_CLEAN_TEXTS; i++) {
    g_hash_table_unref (self->known[i]);
    g_hash_table_unref (self->found[i]);
  }
  g_hash_table_unref (self->kernel);
  pen_names_free (self->strings);
  g_free (self);
}

void
pen_clean_names_add_kernel (PenCleanNames *self, const char *name)
{
  g_hash_table_add (self->kernel, (gpointer) pen_names_add (self->strings, name));
}

guint
pen_clean_names_count (const PenCleanNames *self, PenCleanText what)
{
  return self->counts[what];
}

/* ---- a name ---- */

static const char *
keep_string (PenCleanNames *self, const char *text)
{
  return pen_names_add (self->strings, text);
}

/* The number of each name, whatever stands around it. */
static const char *
replace (PenCleanNames *self, PenCleanText what, const char *name)
{
  const char *found = g_hash_table_lookup (self->known[what], name);
  g_autofree char *made = NULL;

  if (found)
    return found;
  made = g_strdup_printf ("%s%u", prefixes[what], ++self->counts[what]);
  found = keep_string (self, made);
  g_hash_table_insert (self->known[what], (gpointer) keep_string (self, name), (gpointer) found);
  return found;
}

static gboolean
has_form (const char *text, const char *pattern)
{
  return g_regex_match_simple (pattern, text, G_REGEX_RAW | G_REGEX_DOLLAR_ENDONLY, 0);
}

/* Threads of the kernel that every machine has. */
static gboolean
is_kernel_task (const char *comm)
{
  return has_form (
      comm, "^(swapper|kthreadd|rcu_preempt|rcu_sched|kswapd[0-9]+|khugepaged|kcompactd[0-9]+|"
            "(swapper|ksoftirqd|migration|cpuhp)/[0-9]+|kworker/u?[0-9]+:[0-9]+H?)$");
}

/* Names that the kernel, or perf, gives to memory without a file. */
static gboolean
is_memory (const char *name)
{
  return has_form (name,
                   "^(\\[(heap|stack|vdso|vvar|vsyscall|uprobes|anon|guest\\.kernel\\.kallsyms)\\]|"
                   "//anon|/dev/zero|/anon_hugepage|\\[stack:[0-9]+\\]|/SYSV[0-9a-f]{8})$");
}

#define DELETED " (deleted)"
#define MEMFD "/memfd:"

static const char *
clean_file (PenCleanNames *self, const char *path)
{
  gsize n = strlen (path);
  gboolean is_deleted = g_str_has_suffix (path, DELETED);
  gboolean is_memfd = g_str_has_prefix (path, MEMFD);
  g_autofree char *name = g_strndup (path, is_deleted ? n - strlen (DELETED) : n);
  g_autofree char *made = NULL;

  if (is_memory (name))
    return keep_string (self, path);
  made = g_strconcat (is_memfd ? "/memfd:" : "",
                      replace (self, PEN_CLEAN_FILE, name) + (is_memfd ? 1 : 0),
                      is_deleted ? DELETED : NULL, NULL);
  return keep_string (self, made);
}

/* A map's name by rule M4 of the contract: modules may be paths. */
static const char *
clean_kernel (PenCleanNames *self, const char *name)
{
  const char *slash = strrchr (name, '/');

  return keep_string (self, *name == '[' || !slash ? name : slash + 1);
}

/* "bpf_prog_TAG_NAME" */
#define TAGGED "bpf_prog_"
#define TAG_LENGTH 16

static const char *
clean_program (PenCleanNames *self, const char *name)
{
  g_autofree char *made = NULL;
  gsize head = strlen (TAGGED) + TAG_LENGTH;

  if (g_hash_table_contains (self->kernel, name)
      || has_form (name, "^(bpf_trampoline_[0-9]+|bpf_dispatcher_[a-z_]+|bpf_prog_[0-9a-f]{16}|"
                         "ftrace_trampoline|kprobe_[a-z_]+|optprobe_[a-z_]+)$"))
    return keep_string (self, name);
  if (!has_form (name, "^bpf_prog_[0-9a-f]{16}_."))
    return replace (self, PEN_CLEAN_PROGRAM, name);
  made = g_strdup_printf ("%.*s_%s", (int) head, name,
                          replace (self, PEN_CLEAN_PROGRAM, name + head + 1));
  return keep_string (self, made);
}

/* Names that perf has for events, with modifiers; and tracepoints of the kernel's own systems. */
static const char *
clean_event (PenCleanNames *self, const char *name)
{
  static const char form[] = "^((cpu-cycles|cycles|instructions|cache-references|cache-misses|"
                             "branches|branch-instructions|branch-misses|"
                             "bus-cycles|ref-cycles|stalled-cycles-(front|back)end|cpu-clock|task-"
                             "clock|page-faults|faults|minor-faults|"
                             "major-faults|context-switches|cs|cpu-migrations|migrations|alignment-"
                             "faults|emulation-faults|dummy|bpf-output|"
                             "cgroup-switches|offcpu-time|unknown)(:[ukhGHpPSDWeb]+)?|"
                             "(alarmtimer|block|bpf_test_run|bpf_trace|cgroup|clk|compaction|cpuhp|"
                             "csd|devfreq|dma_fence|error_report|"
                             "exceptions|ext4|fib|filelock|filemap|fs_dax|ftrace|huge_memory|io_"
                             "uring|iomap|iommu|irq|irq_matrix|"
                             "irq_vectors|jbd2|kmem|kvm|kvmmmu|kyber|libata|mce|migrate|mmap|mmap_"
                             "lock|module|msr|napi|neigh|net|netlink|"
                             "nmi|notifier|oom|osnoise|page_isolation|page_pool|pagemap|percpu|"
                             "power|preemptirq|pwm|qdisc|random|ras|"
                             "raw_syscalls|rcu|regmap|resctrl|rpm|rseq|rtc|sched|scsi|signal|skb|"
                             "smbus|sock|swiotlb|sync_trace|syscalls|"
                             "task|tcp|thermal|thp|timer|tlb|udp|vmalloc|vmscan|vsyscall|wbt|"
                             "workqueue|writeback|x86_fpu|xdp|xen|xhci-hcd):"
                             "[a-z0-9_]+(:[ukhGHpPSDWeb]+)?)$";

  return has_form (name, form) ? keep_string (self, name) : replace (self, PEN_CLEAN_EVENT, name);
}

/* ---- texts with names ---- */

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || strchr ("_.$:-", c);
}

/* Of docs/causes.md: for whom a patch was. */
static gboolean
is_purpose (const char *word)
{
  static const char *const words[]
      = { "kprobe",   "kretprobe",      "uprobe", "fprobe", "eprobe",    "ftrace", "tracer",
          "function", "function_graph", "graph",  "bpf",    "livepatch", "perf",   "event",
          "events",   "tracepoint",     "sysctl", "probe",  "profile" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    if (g_str_equal (word, words[i]))
      return TRUE;
  }
  return FALSE;
}

/* @is_key: names are the kernel's own */
static void
append_word (PenCleanNames *self, GString *out, const char *word, gboolean is_key)
{
  guint64 number;

  if (g_str_has_prefix (word, "0x")
      && g_ascii_string_to_unsigned (word + 2, 16, 0, G_MAXUINT64, &number, NULL))
    g_string_append_printf (out, "0x%" PRIx64, self->address (number, self->user_data));
  else if (is_key || self->keep & PEN_SANITIZE_KEEP_PROGRAMS || has_form (word, "^[0-9]+$")
           || g_hash_table_contains (self->kernel, word) || is_purpose (word))
    g_string_append (out, word);
  else
    g_string_append (out, clean_program (self, word));
}

/* Words, and what stands between them; nothing but names, numbers and addresses are words. */
static const char *
clean_words (PenCleanNames *self, const char *text, gboolean is_key)
{
  g_autoptr (GString) out = g_string_new (NULL);

  while (*text != '\0') {
    gsize n = 0;
    g_autofree char *word = NULL;

    while (text[n] != '\0' && is_word (text[n]))
      n++;
    if (n == 0) {
      /* Letters of other alphabets are no names of ours. */
      g_string_append_c (out, (guchar) *text < 0x80 ? *text : '?');
      text++;
      continue;
    }
    word = g_strndup (text, n);
    append_word (self, out, word, is_key);
    text += n;
  }
  return keep_string (self, out->str);
}

static const char *
clean (PenCleanNames *self, PenCleanText what, const char *text)
{
  if (self->keep & keeps[what])
    return keep_string (self, text);

  switch (what) {
  case PEN_CLEAN_TASK:
    return is_kernel_task (text) ? keep_string (self, text) : replace (self, what, text);
  case PEN_CLEAN_FILE:
    return clean_file (self, text);
  case PEN_CLEAN_KERNEL:
    return clean_kernel (self, text);
  case PEN_CLEAN_PROGRAM:
    return clean_program (self, text);
  case PEN_CLEAN_WORDS:
    return clean_words (self, text, FALSE);
  case PEN_CLEAN_KEY:
    return clean_words (self, text, TRUE);
  case PEN_CLEAN_EVENT:
    return clean_event (self, text);
  case PEN_CLEAN_SYMBOL:
  case PEN_CLEAN_SOURCE:
  case PEN_CLEAN_TEXTS:
  default:
    return replace (self, what, text);
  }
}

const char *
pen_clean_names_get (PenCleanNames *self, PenCleanText what, const char *text)
{
  const char *found = g_hash_table_lookup (self->found[what], text);

  if (!found) {
    found = clean (self, what, text);
    g_hash_table_insert (self->found[what], (gpointer) keep_string (self, text), (gpointer) found);
  }
  return found;
}
