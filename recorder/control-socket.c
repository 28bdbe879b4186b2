/* control-socket.c: a socket in the output directory that a session answers on
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The socket is bound under a short name and then takes its own by a rename: an address holds 108 bytes, which a
 * directory's path may exceed, and a rename replaces what a killed process left in one step.
 */
#include "control-socket.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "io.h"

/* Clients that wait while one is served. */
#define BACKLOG 8

/* ".parklane-", a number, ".sock". */
#define TEMPORARY_SIZE 32

/* A client that sends or takes nothing for so long is left alone. */
#define CLIENT_TIMEOUT_MS 1000

static int
open_directory (const char *dir)
{
  int fd = plr_io_lift (open (dir, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));

  return fd < 0 ? -errno : fd;
}

static void
format_name (char name[PLR_FILE_NAME_SIZE], const char *prefix)
{
  snprintf (name, PLR_FILE_NAME_SIZE, "%s.sock", prefix);
}

static bool
is_same (const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool
is_ours (const PlrControlSocket *self)
{
  struct stat st;

  return self->fd >= 0 && fstat (self->fd, &st) == 0 && is_same (&st, &self->fd_identity);
}

/* Binds @fd to @temporary in the directory. Its mode is that of the descriptor. */
static int
bind_temporary (int fd, int dir_fd, const char temporary[TEMPORARY_SIZE])
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };

  snprintf (address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", dir_fd, temporary);
  if (unlinkat (dir_fd, temporary, 0) < 0 && errno != ENOENT)
    return -errno;
  if (fchmod (fd, 0600) < 0 || bind (fd, (const struct sockaddr *) &address, sizeof address) < 0 || listen (fd, BACKLOG) < 0)
    return -errno;
  return 0;
}

static int
publish (PlrControlSocket *self, int dir_fd, const char *temporary)
{
  struct stat st;

  if (fstatat (dir_fd, temporary, &self->file_identity, AT_SYMLINK_NOFOLLOW) < 0)
    return -errno;
  if (fstatat (dir_fd, self->name, &st, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISSOCK (st.st_mode))
    return -EEXIST;
  return renameat (dir_fd, temporary, dir_fd, self->name) < 0 ? -errno : 0;
}

int
plr_control_socket_open (PlrControlSocket *self, const char *dir, const char *prefix)
{
  PlrControlSocket opened = PLR_CONTROL_SOCKET_CLOSED;
  char temporary[TEMPORARY_SIZE];
  int dir_fd = open_directory (dir);
  int r;

  if (dir_fd < 0)
    return dir_fd;
  snprintf (temporary, sizeof temporary, ".parklane-%d.sock", (int) getpid ());
  format_name (opened.name, prefix);

  opened.fd = plr_io_lift (socket (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  r = opened.fd < 0 || fstat (opened.fd, &opened.fd_identity) < 0 ? -errno : 0;
  if (r == 0)
    r = bind_temporary (opened.fd, dir_fd, temporary);
  if (r == 0)
    {
      r = publish (&opened, dir_fd, temporary);
      if (r < 0)
        (void) unlinkat (dir_fd, temporary, 0); /* best effort: it has our process's number in its name */
    }
  (void) close (dir_fd); /* nothing was written through it */
  if (r < 0 && opened.fd >= 0)
    (void) close (opened.fd);
  if (r < 0)
    return r;

  plr_io_own (PLR_OWN_SOCKET, opened.fd);
  *self = opened;
  return 0;
}

int
plr_control_socket_renew (PlrControlSocket *self, const char *dir, const char *prefix)
{
  char name[PLR_FILE_NAME_SIZE];
  PlrControlSocket opened;
  int r = plr_control_socket_open (&opened, dir, prefix);

  format_name (name, prefix);
  if (r < 0 && is_ours (self) && strcmp (name, self->name) == 0)
    return r;
  plr_control_socket_close (self, dir);
  if (r < 0)
    return r;
  *self = opened;
  plr_io_own (PLR_OWN_SOCKET, self->fd);
  return 0;
}

static bool
is_file_there (const PlrControlSocket *self, int dir_fd)
{
  struct stat st;

  return fstatat (dir_fd, self->name, &st, AT_SYMLINK_NOFOLLOW) == 0 && is_same (&st, &self->file_identity);
}

bool
plr_control_socket_is_there (const PlrControlSocket *self, const char *dir, const char *prefix)
{
  char name[PLR_FILE_NAME_SIZE];
  int dir_fd;
  bool is_there;

  format_name (name, prefix);
  if (!is_ours (self) || strcmp (name, self->name) != 0)
    return false;
  dir_fd = open_directory (dir);
  if (dir_fd < 0)
    return false;
  is_there = is_file_there (self, dir_fd);
  (void) close (dir_fd); /* nothing was written through it */
  return is_there;
}

void
plr_control_socket_interrupt (const PlrControlSocket *self)
{
  if (is_ours (self))
    (void) shutdown (self->fd, SHUT_RD); /* else the wait ends by its timeout */
}

void
plr_control_socket_close (PlrControlSocket *self, const char *dir)
{
  int dir_fd;

  if (self->fd < 0)
    return;
  dir_fd = open_directory (dir);
  if (dir_fd >= 0 && is_file_there (self, dir_fd))
    (void) unlinkat (dir_fd, self->name, 0); /* what is left is replaced by the next start */
  if (dir_fd >= 0)
    (void) close (dir_fd); /* nothing was written through it */
  plr_io_own (PLR_OWN_SOCKET, -1);
  if (is_ours (self))
    (void) close (self->fd);
  *self = PLR_CONTROL_SOCKET_CLOSED;
}

static bool
may_ask (int client)
{
  struct ucred peer;
  socklen_t size = sizeof peer;

  return getsockopt (client, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && (peer.uid == geteuid () || peer.uid == 0);
}

int
plr_control_socket_accept (PlrControlSocket *self, int timeout_ms)
{
  struct pollfd listener = { .fd = self->fd, .events = POLLIN };
  int client;

  if (poll (&listener, 1, timeout_ms) <= 0 || !is_ours (self))
    return -1;
  client = plr_io_lift (accept4 (self->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (client >= 0 && !may_ask (client))
    {
      (void) close (client); /* nothing was said */
      return -1;
    }
  return client;
}

static bool
await (int client, short events, uint64_t deadline_ns)
{
  struct pollfd pollfd = { .fd = client, .events = events };
  uint64_t now_ns = plr_clock_read_system ();
  int timeout_ms = now_ns < deadline_ns ? (int) ((deadline_ns - now_ns) / PLR_NS_PER_MS) + 1 : 0;

  return poll (&pollfd, 1, timeout_ms) > 0;
}

size_t
plr_control_socket_read (int client, char *data, size_t size, bool (*is_enough) (const char *data, size_t size))
{
  uint64_t deadline_ns = plr_clock_read_system () + CLIENT_TIMEOUT_MS * PLR_NS_PER_MS;
  size_t length = 0;

  while (length < size && !(length > 0 && is_enough (data, length)) && await (client, POLLIN, deadline_ns))
    {
      ssize_t n = recv (client, data + length, size - length, 0);

      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        continue;
      if (n <= 0)
        break;
      length += (size_t) n;
    }
  return length;
}

void
plr_control_socket_answer (int client, const char *text, size_t length)
{
  uint64_t deadline_ns = plr_clock_read_system () + CLIENT_TIMEOUT_MS * PLR_NS_PER_MS;

  while (length > 0 && await (client, POLLOUT, deadline_ns))
    {
      ssize_t n = send (client, text, length, MSG_NOSIGNAL);

      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        continue;
      if (n <= 0)
        break;
      text += n;
      length -= (size_t) n;
    }
  (void) close (client); /* it has what it takes */
}
