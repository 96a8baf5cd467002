/* pen-module-watch.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-module-watch.h"

#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define KERNEL_GROUP 1
#define ADDED "add@/module/"
#define MESSAGE_MAX 8192

int
pen_module_watch_open (void)
{
  struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = KERNEL_GROUP };
  int watch
      = socket (AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);

  if (watch >= 0 && bind (watch, (struct sockaddr *) &address, sizeof address) != 0) {
    close (watch);
    return -1;
  }
  return watch;
}

gboolean
pen_module_watch_parse (const char *message, gsize length, char *name)
{
  gsize n = 0;

  if (length < strlen (ADDED) || memcmp (message, ADDED, strlen (ADDED)) != 0)
    return FALSE;
  message += strlen (ADDED);
  length -= strlen (ADDED);
  while (n < length && n < PEN_MODULE_NAME_MAX
         && (g_ascii_isalnum (message[n]) || message[n] == '_'))
    n++;
  /* The header ends with a byte 0. */
  if (n == 0 || n == length || n == PEN_MODULE_NAME_MAX || message[n] != '\0')
    return FALSE;
  memcpy (name, message, n + 1);
  return TRUE;
}

gboolean
pen_module_watch_next (int watch, char *name)
{
  char message[MESSAGE_MAX];
  struct sockaddr_nl sender;
  struct iovec piece = { .iov_base = message, .iov_len = sizeof message };
  struct msghdr header = {
    .msg_name = &sender,
    .msg_namelen = sizeof sender,
    .msg_iov = &piece,
    .msg_iovlen = 1,
  };
  gssize n;

  while ((n = recvmsg (watch, &header, 0)) >= 0) {
    /* Other programs may send to the group. */
    if (sender.nl_pid == 0 && pen_module_watch_parse (message, (gsize) n, name))
      return TRUE;
    header.msg_namelen = sizeof sender;
  }
  return FALSE;
}
