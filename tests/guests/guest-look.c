/* guest-look.c: reads the memory of the kernel that it runs on, through /proc/kcore
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   guest-look lists FILE COUNTER
 *                                lists of modules, and of the text of modules, BPF programs and
 * stubs, with bytes of the programs, again and again until SIGTERM; COUNTER has their number
 *   guest-look settle COUNTER    until two more lists are complete: one of them began after this
 * program guest-look bytes FILE MILLISECONDS FUNCTION... bytes of the functions, and of modules
 * that came since the start, until SIGTERM guest-look nop FUNCTION...   the address of the first
 * function's nop that ftrace has at its entry guest-look wait ADDRESS HEX SECONDS until memory at
 * the address has these bytes
 */

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define SEGMENTS_MAX 64
#define REGIONS_MAX 512
#define REGION_BYTES 512u
#define NOP_BYTES 5u
#define NAME_BYTES 256
#define LISTS_EVERY_US 100000

typedef struct {
  char name[NAME_BYTES];
  char module[NAME_BYTES];
  uint64_t start;
  size_t length;
} Region;

typedef struct {
  Region rows[REGIONS_MAX];
  size_t length;
} Regions;

/* What was read of a region the last time. */
typedef struct {
  Region region;
  unsigned char bytes[4096];
  size_t length;
} Known;

static Elf64_Phdr segments[SEGMENTS_MAX];
static size_t n_segments;
static int kcore = -1;
static volatile sig_atomic_t is_over;

static void
end (int number)
{
  (void) number;
  is_over = 1;
}

static uint64_t
get_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

static void
fail (const char *what)
{
  fprintf (stderr, "guest-look: %s: %s\n", what, strerror (errno));
  exit (1);
}

/* ---- memory ---- */

static void
open_memory (void)
{
  Elf64_Ehdr header;

  kcore = open ("/proc/kcore", O_RDONLY | O_CLOEXEC);
  if (kcore < 0 || pread (kcore, &header, sizeof header, 0) != (ssize_t) sizeof header)
    fail ("/proc/kcore");
  n_segments = header.e_phnum < SEGMENTS_MAX ? header.e_phnum : SEGMENTS_MAX;
  if (pread (kcore, segments, n_segments * sizeof *segments, (off_t) header.e_phoff) < 0)
    fail ("/proc/kcore");
}

/* Returns: how many bytes could be read; 0 if there are none */
static size_t
read_memory (uint64_t address, unsigned char *bytes, size_t length)
{
  for (size_t i = 0; i < n_segments; i++) {
    const Elf64_Phdr *segment = &segments[i];
    ssize_t n;

    if (segment->p_type != PT_LOAD || address < segment->p_vaddr
        || address - segment->p_vaddr + length > segment->p_memsz)
      continue;
    n = pread (kcore, bytes, length, (off_t) (segment->p_offset + address - segment->p_vaddr));
    return n > 0 ? (size_t) n : 0;
  }
  return 0;
}

/* ---- symbols ---- */

static int
is_text (char type)
{
  return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

/* The functions of the kernel itself of these names, in the order of their addresses. */
static void
find_functions (char **names, Regions *found)
{
  FILE *file = fopen ("/proc/kallsyms", "re");
  char line[1024];
  Region *open_end = NULL;

  found->length = 0;
  if (!file)
    fail ("/proc/kallsyms");
  while (fgets (line, sizeof line, file)) {
    Region row = { .length = REGION_BYTES };
    char type;

    if (strchr (line, '[')
        || sscanf (line, "%" SCNx64 " %c %255s", &row.start, &type, row.name) != 3
        || !is_text (type))
      continue;
    if (open_end && row.start > open_end->start) {
      if (row.start - open_end->start < REGION_BYTES)
        open_end->length = row.start - open_end->start;
      open_end = NULL;
    }
    for (char **name = names; *name && found->length < REGIONS_MAX; name++) {
      if (strcmp (*name, row.name) != 0)
        continue;
      found->rows[found->length] = row;
      open_end = &found->rows[found->length++];
      break;
    }
  }
  fclose (file);
}

/* ---- lists ---- */

/* A list is written only where it differs from the one before. */
typedef struct {
  char *text;
  size_t length;
} List;

static void
write_list (FILE *out, char kind, uint64_t from, List *before, char *text, size_t length)
{
  int is_same
      = before->text && before->length == length && memcmp (before->text, text, length) == 0;

  fprintf (out, "%c %" PRIu64 " %" PRIu64 "%s\n", kind, from, get_now (), is_same ? " =" : "");
  if (!is_same)
    fwrite (text, 1, length, out);
  free (before->text);
  before->text = text;
  before->length = length;
}

static void
list_symbols (FILE *out, List *before, Regions *programs)
{
  FILE *file = fopen ("/proc/kallsyms", "re");
  uint64_t from = get_now ();
  char line[1024];
  char *text = NULL;
  size_t length = 0;
  FILE *list = open_memstream (&text, &length);

  programs->length = 0;
  if (!file || !list)
    fail ("/proc/kallsyms");
  while (fgets (line, sizeof line, file)) {
    Region row = { 0 };
    const char *bracket = strchr (line, '[');
    char type;

    if (!bracket
        || sscanf (line, "%" SCNx64 " %c %255s [%255[^]]", &row.start, &type, row.name, row.module)
               != 4
        || !is_text (type))
      continue;
    fprintf (list, "k %" PRIx64 " %s %s\n", row.start, row.name, row.module);
    row.length = 64;
    if (strcmp (row.module, "bpf") == 0 && programs->length < REGIONS_MAX)
      programs->rows[programs->length++] = row;
  }
  fclose (file);
  fclose (list);
  write_list (out, 'K', from, before, text, length);
}

/* @first: modules that were there at the start: these are not looked at; NULL: this is the start */
static void
list_modules (FILE *out, List *before, const Regions *first, Regions *found)
{
  FILE *file = fopen ("/proc/modules", "re");
  uint64_t from = get_now ();
  char line[1024];
  char *text = NULL;
  size_t length = 0;
  FILE *list = open_memstream (&text, &length);

  found->length = 0;
  if (!file || !list)
    fail ("/proc/modules");
  while (fgets (line, sizeof line, file)) {
    Region row = { .length = REGION_BYTES };
    size_t size;
    int is_new = 1;

    if (sscanf (line, "%255s %zu %*s %*s %*s %" SCNx64, row.name, &size, &row.start) != 3)
      continue;
    fprintf (list, "m %s %zu %" PRIx64 "\n", row.name, size, row.start);
    for (size_t i = 0; first && i < first->length; i++)
      is_new = is_new && strcmp (first->rows[i].name, row.name) != 0;
    if (is_new && found->length < REGIONS_MAX)
      found->rows[found->length++] = row;
  }
  fclose (file);
  fclose (list);
  write_list (out, 'M', from, before, text, length);
}

/* ---- snapshots ---- */

static Known *known;
static size_t n_known;

static Known *
find_known (const Region *region)
{
  for (size_t i = 0; i < n_known; i++) {
    if (known[i].region.start == region->start && strcmp (known[i].region.name, region->name) == 0)
      return &known[i];
  }
  known = realloc (known, (n_known + 1) * sizeof *known);
  if (!known)
    fail ("memory");
  memset (&known[n_known], 0, sizeof *known);
  known[n_known].region = *region;
  return &known[n_known++];
}

static void
take_bytes (FILE *out, const Regions *regions)
{
  for (size_t i = 0; i < regions->length; i++) {
    const Region *region = &regions->rows[i];
    Known *before = find_known (region);
    unsigned char bytes[sizeof before->bytes];
    uint64_t from = get_now ();
    size_t n = read_memory (region->start, bytes, region->length);
    uint64_t to = get_now ();

    if (n == 0)
      continue;
    fprintf (out, "B %" PRIu64 " %" PRIu64 " %" PRIx64 " %s ", from, to, region->start,
             region->name);
    if (before->length == n && memcmp (before->bytes, bytes, n) == 0) {
      fputs ("=\n", out);
      continue;
    }
    memcpy (before->bytes, bytes, n);
    before->length = n;
    for (size_t k = 0; k < n; k++)
      fprintf (out, "%02x", bytes[k]);
    fputc ('\n', out);
  }
}

static void
set_counter (const char *path, unsigned n)
{
  FILE *file = fopen (path, "we");

  if (!file || fprintf (file, "%u\n", n) < 0 || fclose (file) != 0)
    fail (path);
}

static unsigned
get_counter (const char *path)
{
  FILE *file = fopen (path, "re");
  unsigned n = 0;

  /* It is empty while it is written. */
  if (!file)
    return 0;
  if (fscanf (file, "%u", &n) != 1)
    n = 0;
  fclose (file);
  return n;
}

static int
take_lists (const char *path, const char *counter)
{
  FILE *out = fopen (path, "we");
  static Regions modules;
  static Regions programs;
  List symbols_before = { 0 };
  List modules_before = { 0 };

  if (!out)
    fail (path);
  setpriority (PRIO_PROCESS, 0, -20);
  for (unsigned n = 1; !is_over; n++) {
    list_symbols (out, &symbols_before, &programs);
    list_modules (out, &modules_before, NULL, &modules);
    take_bytes (out, &programs);
    set_counter (counter, n);
    usleep (LISTS_EVERY_US);
  }
  return fclose (out) == 0 ? 0 : 1;
}

static int
settle (const char *counter)
{
  unsigned first = get_counter (counter);

  while (get_counter (counter) < first + 2)
    usleep (20000);
  return 0;
}

static int
take_memory (const char *path, unsigned milliseconds, char **names)
{
  FILE *out = fopen (path, "we");
  static Regions functions;
  static Regions first;
  static Regions modules;
  List modules_before = { 0 };

  if (!out)
    fail (path);
  setpriority (PRIO_PROCESS, 0, -10);
  find_functions (names, &functions);
  list_modules (out, &modules_before, NULL, &first);
  while (!is_over) {
    list_modules (out, &modules_before, &first, &modules);
    take_bytes (out, &functions);
    take_bytes (out, &modules);
    usleep (milliseconds * 1000);
  }
  return fclose (out) == 0 ? 0 : 1;
}

/* ---- one place ---- */

/* Some kernels take another one for processors of AMD. */
static const char *
get_nop (const unsigned char *bytes)
{
  static const unsigned char plain[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const unsigned char amd[] = { 0x66, 0x66, 0x66, 0x66, 0x90 };

  if (memcmp (bytes, plain, NOP_BYTES) == 0)
    return "0f1f440000";
  return memcmp (bytes, amd, NOP_BYTES) == 0 ? "6666666690" : NULL;
}

static int
print_nop (char **names)
{
  static Regions functions;

  find_functions (names, &functions);
  for (size_t i = 0; i < functions.length; i++) {
    const Region *function = &functions.rows[i];
    unsigned char bytes[24];
    size_t n = read_memory (function->start, bytes, sizeof bytes);

    /* At the entry, or after its endbr64. */
    for (size_t k = 0; k <= 4 && k + NOP_BYTES <= n; k += 4) {
      const char *nop = get_nop (bytes + k);

      if (!nop)
        continue;
      printf ("0x%" PRIx64 " %s\n", function->start + k, nop);
      return 0;
    }
  }
  return 1;
}

static int
wait_for (uint64_t address, const char *hex, unsigned seconds)
{
  uint64_t limit = get_now () + seconds * 1000000000ull;
  size_t length = strlen (hex) / 2;

  while (get_now () < limit) {
    unsigned char bytes[64];
    char shown[2 * sizeof bytes + 1] = "";
    size_t n = length <= sizeof bytes ? read_memory (address, bytes, length) : 0;

    for (size_t i = 0; i < n; i++)
      snprintf (shown + 2 * i, 3, "%02x", bytes[i]);
    if (n > 0 && strcmp (shown, hex) == 0)
      return 0;
    usleep (20000);
  }
  return 1;
}

int
main (int argc, char **argv)
{
  struct sigaction action = { .sa_handler = end };

  sigaction (SIGTERM, &action, NULL);
  sigaction (SIGINT, &action, NULL);
  open_memory ();
  if (argc == 4 && strcmp (argv[1], "lists") == 0)
    return take_lists (argv[2], argv[3]);
  if (argc == 3 && strcmp (argv[1], "settle") == 0)
    return settle (argv[2]);
  if (argc > 4 && strcmp (argv[1], "bytes") == 0)
    return take_memory (argv[2], (unsigned) atoi (argv[3]), argv + 4);
  if (argc > 2 && strcmp (argv[1], "nop") == 0)
    return print_nop (argv + 2);
  if (argc == 5 && strcmp (argv[1], "wait") == 0)
    return wait_for (strtoull (argv[2], NULL, 0), argv[3], (unsigned) atoi (argv[4]));
  fputs ("guest-look: see its source\n", stderr);
  return 2;
}
