/* fuzz-session.c: a directory of any files at all gives a trace or a sentence
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The input is a list of entries: a name, a newline, and a letter for what it is. `f`: a file; two bytes of its size,
 * little endian, and so many bytes follow. `l`: a symbolic link to the name up to the next newline. `d`: a directory,
 * `p`: a FIFO.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check-trace.h"
#include "fuzz-target.h"
#include "pl-segment-name.h"
#include "pl-session-files.h"

#define MAX_ENTRIES 32
#define MAX_NAME 100

typedef struct
{
  const guint8 *at;
  const guint8 *end;
} Input;

static char *directory;

static void
remove_directory (void)
{
  g_rmdir (directory);
}

/* In memory where that can be had: thousands of directories a second are no work for a disk. */
static void
make_directory (void)
{
  const char *parent = access ("/dev/shm", W_OK) == 0 ? "/dev/shm" : g_get_tmp_dir ();

  directory = g_build_filename (parent, "parklane-fuzz-XXXXXX", NULL);
  g_assert_nonnull (g_mkdtemp (directory));
  atexit (remove_directory);
}

/* (nullable): the next word up to a newline, as the name of a file in the directory and nowhere else */
static char *
take_name (Input *input)
{
  const guint8 *newline = memchr (input->at, '\n', (gsize) (input->end - input->at));
  char *name;

  if (newline == NULL)
    return NULL;
  name = g_strndup ((const char *) input->at, MIN ((gsize) (newline - input->at), MAX_NAME));
  input->at = newline + 1;
  g_strdelimit (name, "/", '_');
  return name;
}

static void
make_file (const char *path, Input *input)
{
  gsize left = (gsize) (input->end - input->at);
  gsize size;

  if (left < 2)
    return;
  size = MIN ((gsize) input->at[0] | (gsize) input->at[1] << 8, left - 2);
  g_assert_true (g_file_set_contents_full (path, (const char *) input->at + 2, (gssize) size,
                                           G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  input->at += 2 + size;
}

static void
make_link (const char *path, Input *input)
{
  g_autofree char *target = take_name (input);

  if (target != NULL && *target != '\0')
    g_assert_cmpint (symlink (target, path), ==, 0);
}

static gboolean
make_entry (Input *input)
{
  g_autofree char *name = take_name (input);
  g_autofree char *path = NULL;
  guint8 kind;

  if (name == NULL || input->at == input->end)
    return FALSE;
  kind = *input->at++;
  path = g_build_filename (directory, name, NULL);
  /* Also "", "." and "..", which exist. */
  if (g_file_test (path, G_FILE_TEST_EXISTS | G_FILE_TEST_IS_SYMLINK))
    return TRUE;
  if (kind == 'f')
    make_file (path, input);
  else if (kind == 'l')
    make_link (path, input);
  else if (kind == 'd')
    g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  else if (kind == 'p')
    g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  return TRUE;
}

static void
empty_directory (void)
{
  g_autoptr(GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
}

/* Segments of a stem come in order of their numbers, and none twice. */
static void
check_order (const char *const *paths)
{
  g_autoptr(GPtrArray) files = pl_session_files_list (paths, NULL, NULL);
  PlSegmentName last = { NULL };

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      g_autofree char *name = g_path_get_basename (g_ptr_array_index (files, i));
      PlSegmentName segment = { NULL };

      if (!pl_segment_name_parse (name, &segment))
        continue;
      if (last.stem != NULL && strcmp (last.stem, segment.stem) == 0)
        g_assert_cmpuint (segment.index, >, last.index);
      pl_segment_name_clear (&last);
      last = segment;
    }
  pl_segment_name_clear (&last);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  Input input = { bytes, bytes + size };
  g_autoptr(PlTrace) trace = NULL;

  if (directory == NULL)
    make_directory ();
  for (guint i = 0; i < MAX_ENTRIES && make_entry (&input); i++)
    ;
  check_order ((const char *const[]) { directory, NULL });
  trace = check_load ((const char *const[]) { directory, NULL }, 2);
  empty_directory ();
  return 0;
}
