/* pl-index-file.c: which file holds the index of a trace file, and whether it is to be believed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One file for each trace file, named by its device, inode, size and time of change. All of these stand inside as well,
 * with a checksum over the rest, so that an index which is stale, cut or damaged is not believed.
 */
#include "config.h"

#include "pl-index-file.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pl-index-block.h"
#include "pl-index.h"

/* What all indices together may take on the disk. */
#define MAX_CACHE_SIZE (G_GUINT64_CONSTANT (1) << 30)

/* An index is summed up while it is still in the processor's cache. */
#define READ_SIZE (256 * 1024)

/* Memory in pages of this size costs a five-hundredth of the page faults. */
#define HUGE_PAGE_SIZE (2 * 1024 * 1024)

/**
 * pl_index_file_identify:
 * @path: a trace file
 * @out_header: (out): what is to stand in an index of it, but for what depends on the payload, which is 0
 *
 * Returns: whether it is a file
 */
gboolean
pl_index_file_identify (const char *path, PlIndexHeader *out_header)
{
  GStatBuf info;

  if (g_stat (path, &info) != 0 || !S_ISREG (info.st_mode))
    return FALSE;
  memset (out_header, 0, sizeof *out_header);
  memcpy (out_header->magic, PL_INDEX_MAGIC, sizeof out_header->magic);
  out_header->device = info.st_dev;
  out_header->inode = info.st_ino;
  out_header->size = (guint64) info.st_size;
  out_header->changed_ns = info.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + info.st_mtim.tv_nsec;
  return TRUE;
}

static char *
index_directory (void)
{
  return g_build_filename (g_get_user_cache_dir (), "parklane", "index", NULL);
}

static char *
index_path (const PlIndexHeader *header)
{
  g_autofree char *directory = index_directory ();
  g_autofree char *name = g_strdup_printf ("%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER
                                           "x-%" G_GINT64_MODIFIER "x", header->device, header->inode, header->size,
                                           (guint64) header->changed_ns);

  return g_build_filename (directory, name, NULL);
}

/* Independent lanes, so that a processor works on all of them at once: sums up as fast as memory delivers. */
#define N_LANES 4

typedef struct
{
  guint64 lanes[N_LANES];
} Sum;

static guint64
mix (guint64 sum, guint64 value)
{
  /* Odd numbers without a pattern, as in xxHash: each bit of a value reaches half of the bits of the sum. */
  sum += value * G_GUINT64_CONSTANT (0xc2b2ae3d27d4eb4f);
  sum = sum << 31 | sum >> 33;
  return sum * G_GUINT64_CONSTANT (0x9e3779b185ebca87);
}

/* @size is a multiple of 8; only that of the last call may be none of 32. */
static void
sum_add (Sum *self, const guint8 *bytes, gsize size)
{
  guint64 lanes[N_LANES];
  gsize i = 0;

  memcpy (lanes, self->lanes, sizeof lanes);
  for (; i + sizeof lanes <= size; i += sizeof lanes)
    {
      guint64 values[N_LANES];

      memcpy (values, bytes + i, sizeof values);
      for (guint lane = 0; lane < N_LANES; lane++)
        lanes[lane] = mix (lanes[lane], values[lane]);
    }
  for (guint lane = 0; i < size; i += sizeof (guint64), lane++)
    {
      guint64 value;

      memcpy (&value, bytes + i, sizeof value);
      lanes[lane] = mix (lanes[lane], value);
    }
  memcpy (self->lanes, lanes, sizeof lanes);
}

static guint64
sum_finish (const Sum *self, const PlIndexHeader *header)
{
  guint64 sum = mix (header->payload_size, header->n_blocks);

  for (guint lane = 0; lane < N_LANES; lane++)
    sum = mix (sum, self->lanes[lane]);
  return sum ^ sum >> 32;
}

static gboolean
read_fully (int fd, void *buffer, gsize size)
{
  for (gsize done = 0; done < size;)
    {
      gssize n = read (fd, (guint8 *) buffer + done, size - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      done += (gsize) n;
    }
  return TRUE;
}

static gboolean
read_payload (int fd, const PlIndexHeader *header, guint8 *bytes)
{
  Sum sum = { { 0 } };

  for (gsize done = 0; done < header->payload_size;)
    {
      gsize size = MIN (header->payload_size - done, READ_SIZE);

      if (!read_fully (fd, bytes + done, size))
        return FALSE;
      sum_add (&sum, bytes + done, size);
      done += size;
    }
  return sum_finish (&sum, header) == header->checksum;
}

static void *
allocate (gsize size)
{
  void *memory;

  if (posix_memalign (&memory, size >= HUGE_PAGE_SIZE ? HUGE_PAGE_SIZE : sizeof (PlBlock *), size) != 0)
    return NULL;
  /* What the system makes of it only changes how long it takes. */
  if (size >= HUGE_PAGE_SIZE)
    madvise (memory, size, MADV_HUGEPAGE);
  return memory;
}

/* Whether the header is of an index of the wanted trace file, and fits the size of its own file. */
static gboolean
is_believable (const PlIndexHeader *found, const PlIndexHeader *wanted, guint64 file_size)
{
  PlIndexHeader expected = *wanted;

  expected.n_blocks = found->n_blocks;
  expected.payload_size = file_size - sizeof *found;
  expected.checksum = found->checksum;
  return memcmp (found, &expected, sizeof expected) == 0 && found->payload_size % 8 == 0
         && found->payload_size <= PL_INDEX_MAX_SIZE && found->n_blocks <= found->payload_size / PL_INDEX_MIN_BLOCK_SIZE;
}

static GBytes *
read_index (int fd, PlIndexHeader *header)
{
  PlIndexHeader found;
  struct stat info;
  guint8 *memory;
  gsize blocks_size;

  if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode) || (guint64) info.st_size < sizeof found
      || !read_fully (fd, &found, sizeof found) || !is_believable (&found, header, (guint64) info.st_size))
    return NULL;
  blocks_size = found.n_blocks * sizeof (PlBlock);
  memory = allocate (found.payload_size + blocks_size);
  if (memory == NULL || !read_payload (fd, &found, memory))
    {
      free (memory);
      return NULL;
    }
  memset (memory + found.payload_size, 0, blocks_size);
  *header = found;
  return g_bytes_new_with_free_func (memory, found.payload_size + blocks_size, free, memory);
}

/**
 * pl_index_file_read:
 * @path: a trace file
 * @out_header: (out): of its index
 *
 * Reads what the index holds of a trace file as that is now. It is read, not mapped: whatever happens to the cache
 * directory later, what was read stays.
 *
 * Returns: (transfer full) (nullable): the payload, and zeroed room for its blocks behind it; %NULL when there is nothing
 *   that can be believed
 */
GBytes *
pl_index_file_read (const char *path, PlIndexHeader *out_header)
{
  g_autofree char *index = NULL;
  GBytes *memory;
  int fd;

  if (!pl_index_file_identify (path, out_header))
    return NULL;
  index = index_path (out_header);
  fd = g_open (index, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  if (fd < 0)
    return NULL;
  memory = read_index (fd, out_header);
  close (fd);
  return memory;
}

/**
 * pl_index_file_seal:
 * @header: from pl_index_file_identify() of the trace file, and the number of blocks; the rest of it is filled in
 * @contents: what an index file is to hold: room for the header, and the payload
 *
 * Puts the header, and with it the checksum, into its place.
 */
void
pl_index_file_seal (PlIndexHeader *header, GByteArray *contents)
{
  Sum sum = { { 0 } };

  header->payload_size = contents->len - sizeof *header;
  sum_add (&sum, contents->data + sizeof *header, header->payload_size);
  header->checksum = sum_finish (&sum, header);
  memcpy (contents->data, header, sizeof *header);
}

/**
 * pl_index_file_write:
 * @header: from pl_index_file_identify() of the trace file; the rest of it is filled in
 * @writer: the payload
 *
 * Returns: %FALSE with an error when it could not be written
 */
gboolean
pl_index_file_write (PlIndexHeader *header, PlIndexWriter *writer, GError **error)
{
  g_autofree char *directory = index_directory ();
  g_autofree char *path = index_path (header);
  g_autoptr(GByteArray) contents = g_byte_array_new ();
  guint64 n_strings = g_hash_table_size (writer->numbers);

  g_byte_array_append (contents, (const guint8 *) header, sizeof *header);
  g_byte_array_append (contents, (const guint8 *) &n_strings, sizeof n_strings);
  g_byte_array_append (contents, writer->texts->data, writer->texts->len);
  g_byte_array_append (contents, writer->bytes->data, writer->bytes->len);
  header->n_blocks = writer->n_blocks;
  pl_index_file_seal (header, contents);
  g_mkdir_with_parents (directory, 0700);
  return g_file_set_contents_full (path, (const char *) contents->data, (gssize) contents->len,
                                   G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

typedef struct
{
  char *path;
  gint64 used_s;
  guint64 size;
} Entry;

static void
clear_entry (gpointer data)
{
  g_free (((Entry *) data)->path);
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *first = a;
  const Entry *second = b;

  return (first->used_s > second->used_s) - (first->used_s < second->used_s);
}

/**
 * pl_index_prune:
 *
 * Deletes the oldest indices until all together fit. After some were saved, not on the main thread.
 */
void
pl_index_prune (void)
{
  g_autofree char *directory = index_directory ();
  g_autoptr(GDir) dir = g_dir_open (directory, 0, NULL);
  g_autoptr(GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  guint64 total = 0;
  const char *name;

  g_array_set_clear_func (entries, clear_entry);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      Entry entry = { g_build_filename (directory, name, NULL), 0, 0 };
      GStatBuf info;

      if (g_stat (entry.path, &info) == 0)
        {
          entry.used_s = info.st_mtim.tv_sec;
          entry.size = (guint64) info.st_size;
        }
      total += entry.size;
      g_array_append_val (entries, entry);
    }
  g_array_sort (entries, compare_entries);
  for (guint i = 0; i < entries->len && total > MAX_CACHE_SIZE; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      if (g_unlink (entry->path) == 0)
        total -= entry->size;
    }
}
