/* record-connects.c: to be preloaded: who is called over a network
 *
 * Appends a line to the file that CONNECTS names for each connection, or packet, to an internet
 * address, and for each name that is to be looked up.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void
record (const char *what)
{
  const char *path = getenv ("CONNECTS");
  FILE *file = path ? fopen (path, "a") : NULL;

  if (!file)
    return;
  fprintf (file, "%s\n", what);
  fclose (file);
}

static int
is_internet (const struct sockaddr *address)
{
  return address && (address->sa_family == AF_INET || address->sa_family == AF_INET6);
}

int
connect (int fd, const struct sockaddr *address, socklen_t length)
{
  int (*real) (int, const struct sockaddr *, socklen_t);
  void *symbol = dlsym (RTLD_NEXT, "connect");

  memcpy (&real, &symbol, sizeof real);
  if (is_internet (address))
    record ("connect");
  return real (fd, address, length);
}

ssize_t
sendto (int fd, const void *bytes, size_t n, int flags, const struct sockaddr *address,
        socklen_t length)
{
  ssize_t (*real) (int, const void *, size_t, int, const struct sockaddr *, socklen_t);
  void *symbol = dlsym (RTLD_NEXT, "sendto");

  memcpy (&real, &symbol, sizeof real);
  if (is_internet (address))
    record ("sendto");
  return real (fd, bytes, n, flags, address, length);
}

int
getaddrinfo (const char *name, const char *service, const struct addrinfo *hints,
             struct addrinfo **found)
{
  int (*real) (const char *, const char *, const struct addrinfo *, struct addrinfo **);
  void *symbol = dlsym (RTLD_NEXT, "getaddrinfo");

  memcpy (&real, &symbol, sizeof real);
  record ("getaddrinfo");
  return real (name, service, hints, found);
}
