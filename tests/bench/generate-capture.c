/* generate-capture.c: writes a large recording for measurements
 *
 * generate-capture SAMPLES CHAIN_DEPTH[r] DIRECTORY
 *
 * r: callers in the kernel are drawn at random from 4096 places, so that hardly two callchains are
 * alike.
 *
 * A perf.data directory as `perf record -a --kcore` leaves it: samples of eight CPUs in ring order
 * with FINISHED_ROUND between, processes that fork, exec and map libraries, BPF programs that come
 * and go at the same addresses, static keys that flip; kcore_dir/kallsyms names the kernel's
 * functions. The same arguments give the same bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CPUS 8
#define FUNCTIONS 20000
#define HOT_SITES 4096
#define PROCESSES 200
#define LIBRARIES 6
#define PROGRAMS 64
#define MAX_DEPTH 120

#define TEXT 0xffffffff81000000ull
#define FUNCTION_SIZE 512ull
#define TEXT_SIZE (FUNCTIONS * FUNCTION_SIZE)
#define BPF_AREA 0xffffffffc0100000ull
#define LIBRARY_AREA 0x7f0000000000ull
#define LIBRARY_SIZE 0x200000ull

#define TICK 1000ull /* ns between two samples of the whole machine */
#define ROUND 65536  /* samples that a recorder collects before it writes them out, CPU by CPU */

/* sample_type: IDENTIFIER | IP | TID | TIME | CPU | PERIOD, and CALLCHAIN where asked for */
#define SAMPLE_TYPE (1ull << 16 | 1 | 2 | 4 | 128 | 256)
#define CALLCHAIN 32ull
/* markers in a callchain: what follows lies there */
#define KERNEL ((uint64_t) -128)
#define USER ((uint64_t) -512)
#define TRAILER_SIZE 32 /* TID, TIME, CPU, IDENTIFIER */

#define PACKED __attribute__ ((packed))

typedef struct PACKED {
  uint32_t type;
  uint16_t misc;
  uint16_t size;
} Header;

typedef struct PACKED {
  uint32_t pid, tid;
  uint64_t time;
  uint32_t cpu, reserved;
  uint64_t id;
} Trailer;

typedef struct PACKED {
  Header header;
  uint64_t id, ip;
  uint32_t pid, tid;
  uint64_t time;
  uint32_t cpu, reserved;
  uint64_t period;
} Sample;

typedef struct PACKED {
  uint32_t type, size;
  uint64_t config, period, sample_type, read_format, flags;
  uint8_t rest[128 - 48];
  uint64_t ids_offset, ids_size;
} Attr;

static FILE *out;
static uint64_t state = 0x9e3779b97f4a7c15ull;
static uint64_t sites[HOT_SITES];
static uint32_t side_band_now;

static uint64_t
draw (void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static void
put (const void *bytes, size_t size)
{
  if (fwrite (bytes, 1, size, out) != size) {
    fprintf (stderr, "generate-capture: cannot write: %s\n", strerror (errno));
    exit (1);
  }
}

/* A side-band record: @body, then the trailer. */
static void
put_record (uint32_t type, uint16_t misc, const void *body, size_t size, uint64_t time,
            uint32_t pid)
{
  uint8_t padding[8] = { 0 };
  size_t padded = (size + 7) & ~(size_t) 7;
  Header header = { type, misc, (uint16_t) (sizeof header + padded + TRAILER_SIZE) };
  Trailer trailer = { pid, pid, time, side_band_now % CPUS, 0, 100 + side_band_now % CPUS };

  put (&header, sizeof header);
  put (body, size);
  put (padding, padded - size);
  put (&trailer, sizeof trailer);
  side_band_now++;
}

static void
put_map (uint16_t misc, int32_t pid, uint64_t start, uint64_t length, uint64_t file_offset,
         const char *name, uint64_t time)
{
  struct PACKED {
    int32_t pid, tid;
    uint64_t start, length, file_offset;
    char name[64];
  } map = { pid, pid, start, length, file_offset, "" };

  snprintf (map.name, sizeof map.name, "%s", name);
  put_record (1, misc, &map, 32 + strlen (map.name) + 1, time, (uint32_t) pid);
}

static void
put_process (uint32_t pid, uint64_t time)
{
  struct PACKED {
    uint32_t pid, tid;
    char comm[16];
  } comm = { pid, pid, "" };
  char name[64];

  snprintf (comm.comm, sizeof comm.comm, "worker%u", pid % 32);
  put_record (3, 1u << 13, &comm, 8 + strlen (comm.comm) + 1, time, pid);
  for (uint32_t i = 0; i < LIBRARIES; i++) {
    snprintf (name, sizeof name, "/usr/lib/x86_64-linux-gnu/libwork%u.so", i);
    put_map (2, (int32_t) pid, LIBRARY_AREA + i * LIBRARY_SIZE, LIBRARY_SIZE, 0, name, time);
  }
}

static void
put_program (uint32_t slot, uint32_t generation, int unregister, uint64_t time)
{
  struct PACKED {
    uint64_t address;
    uint32_t length;
    uint16_t type, flags;
    char name[40];
  } symbol = { BPF_AREA + slot * 1000ull, 900, 1, (uint16_t) unregister, "" };

  snprintf (symbol.name, sizeof symbol.name, "bpf_prog_%016x_work", slot * 7919 + generation);
  put_record (17, 0, &symbol, 16 + strlen (symbol.name) + 1, time, 1);
}

static void
put_poke (uint64_t address, int on, uint64_t time)
{
  static const uint8_t nop[5] = { 0x0f, 0x1f, 0x44, 0, 0 }, jump[5] = { 0xe9, 0x10, 0, 0, 0 };
  struct PACKED {
    uint64_t address;
    uint16_t old_length, new_length;
    uint8_t bytes[10];
  } poke = { address, 5, 5, { 0 } };

  memcpy (poke.bytes, on ? nop : jump, 5);
  memcpy (poke.bytes + 5, on ? jump : nop, 5);
  put_record (20, 1, &poke, sizeof poke, time, 1);
}

static void
put_sample (uint64_t index, uint32_t cpu, unsigned depth, int at_random)
{
  uint64_t chain[MAX_DEPTH + 4], length = 0;
  uint64_t pick = draw ();
  /* the square of an even draw: few sites get most of the samples */
  uint64_t rank = (pick & 0xfff) * (pick >> 12 & 0xfff) / 4096 * (HOT_SITES / 4096);
  int is_user = (pick >> 24 & 7) == 0, is_bpf = !is_user && (pick >> 27 & 31) == 0;
  uint32_t pid = 1000 + (uint32_t) (pick >> 32) % PROCESSES;
  Sample sample
      = { { 9, is_user ? 2 : 1, sizeof sample }, 1 + cpu, 0, pid, pid, index * TICK, cpu, 0, 1000 };

  if (is_user)
    sample.ip = LIBRARY_AREA + (rank % LIBRARIES) * LIBRARY_SIZE + rank * 64 % LIBRARY_SIZE;
  else if (is_bpf)
    sample.ip = BPF_AREA + rank % PROGRAMS * 1000 + rank % 90 * 10;
  else
    sample.ip = sites[rank];

  if (depth) {
    uint64_t n = is_user ? 1 : at_random ? depth : 1 + depth / 2;
    chain[++length] = is_user ? USER : KERNEL;
    chain[++length] = sample.ip;
    for (unsigned i = 1; i < depth; i++) {
      /* Most callers are the same from sample to sample. */
      uint64_t caller = at_random ? draw () % HOT_SITES : (rank / 64 + i * 31) % HOT_SITES;
      uint64_t user_caller = pid * 37ull + i * 4096;

      if (i == n && !is_user)
        chain[++length] = USER;
      chain[++length]
          = i < n ? sites[caller] + 5 : LIBRARY_AREA + user_caller % (LIBRARIES * LIBRARY_SIZE);
    }
    chain[0] = length;
    sample.header.size = (uint16_t) (sizeof sample + 8 * (length + 1));
  }
  put (&sample, sizeof sample);
  if (depth)
    put (chain, 8 * (length + 1));
}

/* What changes while one round is recorded: a process is replaced, a program reloaded, a key
 * flipped. */
static void
put_changes (uint64_t round, uint64_t time)
{
  uint32_t slot = (uint32_t) round % PROGRAMS, generation = (uint32_t) (round / PROGRAMS);

  put_process (1000 + (uint32_t) round % PROCESSES, time);
  put_program (slot, generation, 1, time + 1);
  put_program (slot, generation + 1, 0, time + 2);
  for (unsigned i = 0; i < 8; i++)
    put_poke ((sites[i * 64] & ~(FUNCTION_SIZE - 1)) + 16, generation % 2 == 0, time + 3 + i);
}

static void
put_kallsyms (const char *directory)
{
  char path[4096];

  snprintf (path, sizeof path, "%s/kcore_dir/kallsyms", directory);
  out = fopen (path, "w");
  if (!out) {
    fprintf (stderr, "generate-capture: %s: %s\n", path, strerror (errno));
    exit (1);
  }
  fprintf (out, "%016llx T _text\n%016llx T _stext\n", TEXT, TEXT);
  for (unsigned i = 0; i < FUNCTIONS; i++)
    fprintf (out, "%016llx t work_function_%u\n", TEXT + i * FUNCTION_SIZE, i);
  fprintf (out, "%016llx T _etext\n", TEXT + TEXT_SIZE);
  fclose (out);
}

static void
put_samples (uint64_t n, unsigned depth, int at_random)
{
  Header round_end = { 68, 0, sizeof round_end };

  for (uint64_t first = 0; first < n; first += ROUND) {
    uint64_t last = first + ROUND < n ? first + ROUND : n;

    put_changes (first / ROUND, (1000000000 / TICK + first) * TICK + 10);
    for (uint32_t cpu = 0; cpu < CPUS; cpu++)
      for (uint64_t i = first + cpu; i < last; i += CPUS)
        put_sample (1000000000 / TICK + i, cpu, depth, at_random);
    put (&round_end, sizeof round_end);
  }
}

int
main (int argc, char **argv)
{
  uint64_t ids[2 * CPUS], head[13] = { 0 }, n;
  unsigned depth;
  char *suffix;
  int at_random;
  char path[4096];
  Attr attrs[2] = { { 0 } };
  long end;

  if (argc != 4) {
    fprintf (stderr, "usage: generate-capture SAMPLES CHAIN_DEPTH DIRECTORY\n");
    return 2;
  }
  n = strtoull (argv[1], NULL, 10);
  depth = (unsigned) strtoul (argv[2], &suffix, 10);
  at_random = *suffix == 'r';
  if (depth > MAX_DEPTH)
    depth = MAX_DEPTH;
  mkdir (argv[3], 0777);
  snprintf (path, sizeof path, "%s/kcore_dir", argv[3]);
  mkdir (path, 0777);
  put_kallsyms (argv[3]);

  snprintf (path, sizeof path, "%s/data", argv[3]);
  out = fopen (path, "w");
  if (!out) {
    fprintf (stderr, "generate-capture: %s: %s\n", path, strerror (errno));
    return 1;
  }
  for (unsigned i = 0; i < HOT_SITES; i++)
    sites[i] = TEXT + draw () % FUNCTIONS * FUNCTION_SIZE + draw () % 128 * 4;

  memcpy (head, "PERFILE2", 8);
  head[1] = sizeof head;
  head[2] = sizeof (Attr);
  head[3] = sizeof head + sizeof ids;
  head[4] = sizeof attrs;
  head[5] = head[3] + head[4];
  put (head, sizeof head);
  for (uint64_t i = 0; i < CPUS; i++) {
    ids[i] = 1 + i;
    ids[CPUS + i] = 100 + i;
  }
  put (ids, sizeof ids);
  for (unsigned i = 0; i < 2; i++) {
    attrs[i].type = 1;
    attrs[i].size = 128;
    attrs[i].config = i ? 9 : 0; /* dummy, cpu-clock */
    attrs[i].period = 1000;
    attrs[i].sample_type = SAMPLE_TYPE | (depth && !i ? CALLCHAIN : 0);
    attrs[i].flags
        = 1ull << 18
          | (i ? 1ull << 8 | 1ull << 9 | 1ull << 13 | 1ull << 23 | 1ull << 29 | 1ull << 33 : 0);
    attrs[i].ids_offset = sizeof head + i * CPUS * 8;
    attrs[i].ids_size = CPUS * 8;
  }
  put (attrs, sizeof attrs);

  put_map (1, -1, TEXT, TEXT_SIZE, TEXT, "[kernel.kallsyms]_text", 0);
  for (uint32_t pid = 1000; pid < 1000 + PROCESSES; pid++)
    put_process (pid, 0);
  for (uint32_t slot = 0; slot < PROGRAMS; slot++)
    put_program (slot, 0, 0, 0);
  put_samples (n, depth, at_random);

  end = ftell (out);
  head[6] = (uint64_t) end - head[5];
  rewind (out);
  put (head, sizeof head);
  return fclose (out) == 0 ? 0 : 1;
}
