/* pl-cli-output.c: a file that is written as a whole or not at all
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It is written beside its place and put there in the end. Unlike with g_file_replace(), what is not finished goes away also
 * when the program is interrupted. Where that cannot be, as with a pipe, a device or a file in a directory that takes no
 * others, it is written in its place.
 */
#include "config.h"

#include "pl-cli-output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pl-cli-interrupt.h"

struct _PlCliOutput
{
  int fd;
  char *path;
  char *partial; /* (nullable): beside @path */
};

static void
set_error (GError **error, int code)
{
  g_set_error_literal (error, G_IO_ERROR, (gint) g_io_error_from_errno (code), g_strerror (code));
}

/* What a link points to is replaced, and not the link. */
static char *
resolve (const char *path)
{
  char *real = realpath (path, NULL);
  char *copy = g_strdup (real != NULL ? real : path);

  free (real);
  return copy;
}

/* Returns FALSE when nothing can be written there. */
static gboolean
open_beside (PlCliOutput *self, const GStatBuf *info)
{
  mode_t mode = info != NULL ? info->st_mode & 07777 : 0666;

  self->partial = g_strdup_printf ("%s.part-%x%08x", self->path, (guint) getpid (), g_random_int ());
  /* Before it is there: an interruption in between finds nothing to remove. */
  pl_cli_interrupt_set_partial (self->partial);
  self->fd = g_open (self->partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (self->fd >= 0)
    {
      /* The mask of new files does not count for one that is replaced. A file system without modes takes none. */
      G_GNUC_UNUSED int r = info != NULL ? fchmod (self->fd, mode) : 0;

      return TRUE;
    }
  pl_cli_interrupt_set_partial (NULL);
  g_clear_pointer (&self->partial, g_free);
  return FALSE;
}

/**
 * pl_cli_output_open:
 * @path: where it is to be
 *
 * One at a time in a program.
 *
 * Returns: (transfer full) (nullable): a file to be written; %NULL with an error of the system
 */
PlCliOutput *
pl_cli_output_open (const char *path, GError **error)
{
  g_autoptr(PlCliOutput) self = g_new0 (PlCliOutput, 1);
  GStatBuf info;
  gboolean is_there = g_stat (path, &info) == 0;

  self->fd = -1;
  self->path = resolve (path);
  if ((is_there && !S_ISREG (info.st_mode)) || !open_beside (self, is_there ? &info : NULL))
    self->fd = g_open (self->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
  if (self->fd >= 0)
    return g_steal_pointer (&self);
  set_error (error, errno);
  return NULL;
}

gboolean
pl_cli_output_write (PlCliOutput *self, const void *bytes, gsize size, GError **error)
{
  const guint8 *at = bytes;

  while (size > 0)
    {
      gssize n = write (self->fd, at, size);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          set_error (error, errno);
          return FALSE;
        }
      at += n;
      size -= (gsize) n;
    }
  return TRUE;
}

/**
 * pl_cli_output_finish:
 *
 * Puts what was written into its place.
 *
 * Returns: %FALSE with an error when that cannot be
 */
gboolean
pl_cli_output_finish (PlCliOutput *self, GError **error)
{
  int fd = self->fd;

  self->fd = -1;
  if (close (fd) < 0 || (self->partial != NULL && g_rename (self->partial, self->path) < 0))
    {
      set_error (error, errno);
      return FALSE;
    }
  pl_cli_interrupt_set_partial (NULL);
  g_clear_pointer (&self->partial, g_free);
  return TRUE;
}

/* What was not finished is removed. */
void
pl_cli_output_free (PlCliOutput *self)
{
  if (self->fd >= 0)
    close (self->fd);
  if (self->partial != NULL)
    g_unlink (self->partial);
  pl_cli_interrupt_set_partial (NULL);
  g_free (self->partial);
  g_free (self->path);
  g_free (self);
}
