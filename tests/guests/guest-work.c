/* guest-work.c: keeps parts of the kernel busy
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   guest-work calls SECONDS       system calls in turn
 *   guest-work getppid SECONDS     that system call alone
 *   guest-work pipe SECONDS        a byte between two processes
 *   guest-work hash NAME SECONDS   a hash of the kernel's, by AF_ALG; 1 if there is no such hash
 */

#include <fcntl.h>
#include <linux/if_alg.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* An emulated machine has other things to do, too. */
#define REST_EVERY 4u
#define REST_US 3000

static char buffer[16384];

static double
get_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static int
call (double until)
{
  int zero = open ("/dev/zero", O_RDONLY | O_CLOEXEC);
  int null = open ("/dev/null", O_WRONLY | O_CLOEXEC);

  for (unsigned i = 0; get_now () < until; i++) {
    for (unsigned k = 0; k < 20; k++) {
      syscall (SYS_getppid);
      if (read (zero, buffer, 512) < 0 || write (null, buffer, 512) < 0)
        return 1;
      sched_yield ();
    }
    if (i % REST_EVERY == 0) {
      char *page = mmap (NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

      if (page == MAP_FAILED)
        return 1;
      page[0] = page[4096] = 1;
      munmap (page, 8192);
      usleep (REST_US);
    }
  }
  return 0;
}

static int
ask (double until)
{
  while (get_now () < until) {
    for (unsigned k = 0; k < 100; k++)
      syscall (SYS_getppid);
  }
  return 0;
}

static int
pass (double until)
{
  int there[2];
  int back[2];
  char byte = 'x';
  pid_t other;

  if (pipe (there) != 0 || pipe (back) != 0)
    return 1;
  other = fork ();
  if (other == 0) {
    while (read (there[0], &byte, 1) == 1 && write (back[1], &byte, 1) == 1)
      ;
    _exit (0);
  }
  for (unsigned i = 1; get_now () < until; i++) {
    if (write (there[1], &byte, 1) != 1 || read (back[0], &byte, 1) != 1)
      break;
    if (i % (20 * REST_EVERY) == 0)
      usleep (REST_US);
  }
  kill (other, SIGKILL);
  waitpid (other, NULL, 0);
  return 0;
}

static int
hash (const char *name, double until)
{
  struct sockaddr_alg address = { .salg_family = AF_ALG, .salg_type = "hash" };
  int listening = socket (AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  int hashing;

  snprintf ((char *) address.salg_name, sizeof address.salg_name, "%s", name);
  if (listening < 0 || bind (listening, (struct sockaddr *) &address, sizeof address) != 0) {
    perror (name);
    return 1;
  }
  hashing = accept (listening, NULL, NULL);
  while (get_now () < until) {
    char sum[64];

    if (send (hashing, buffer, sizeof buffer, 0) < 0 || read (hashing, sum, sizeof sum) < 0) {
      perror (name);
      return 1;
    }
  }
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], "calls") == 0)
    return call (get_now () + atof (argv[2]));
  if (argc == 3 && strcmp (argv[1], "getppid") == 0)
    return ask (get_now () + atof (argv[2]));
  if (argc == 3 && strcmp (argv[1], "pipe") == 0)
    return pass (get_now () + atof (argv[2]));
  if (argc == 4 && strcmp (argv[1], "hash") == 0)
    return hash (argv[2], get_now () + atof (argv[3]));
  fputs ("guest-work: see its source\n", stderr);
  return 2;
}
