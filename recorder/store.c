/* store.c: names, lock, budget and adoption of one prefix's segments
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * All files of one number are a family: counted together, evicted together.
 */
#include "store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counters.h"
#include "io.h"
#include "scan.h"
#include "store-private.h"

#define MAX_INDEX_DIGITS 10

/* How many taken numbers are stepped over before giving up; more than one takes a hostile directory. */
#define MAX_CREATE_TRIES 64

static const char *const suffixes[PLR_N_FILE_KINDS] = {
  [PLR_FILE_SEALED] = ".bin",
  [PLR_FILE_ACTIVE] = ".bin.active",
  [PLR_FILE_ZSTD] = ".bin.zst",
  [PLR_FILE_GZIP] = ".bin.gz",
  [PLR_FILE_TEMPORARY] = ".bin.zst.tmp",
};

void
plr_store_format_name (const PlrStore *self, char name[PLR_FILE_NAME_SIZE], uint32_t index, PlrFileKind kind)
{
  snprintf (name, PLR_FILE_NAME_SIZE, "%s.%u%s", self->prefix, index, suffixes[kind]);
}

/* A decimal number without sign, padding or leading zeros. Returns its length, 0 when there is none. */
static size_t
parse_index (const char *text, uint32_t *out_index)
{
  uint64_t value = 0;
  size_t n;

  for (n = 0; text[n] >= '0' && text[n] <= '9' && n <= MAX_INDEX_DIGITS; n++)
    value = value * 10 + (uint64_t) (text[n] - '0');
  if (n == 0 || n > MAX_INDEX_DIGITS || (text[0] == '0' && n > 1) || value > PLR_INDEX_MAX)
    return 0;
  *out_index = (uint32_t) value;
  return n;
}

bool
plr_store_parse_name (const char *prefix, const char *name, uint32_t *out_index, PlrFileKind *out_kind)
{
  size_t length = strlen (prefix);
  uint32_t index;
  size_t n;

  if (strncmp (name, prefix, length) != 0 || name[length] != '.')
    return false;
  name += length + 1;
  n = parse_index (name, &index);
  if (n == 0)
    return false;

  for (PlrFileKind kind = 0; kind < PLR_N_FILE_KINDS; kind++)
    if (strcmp (name + n, suffixes[kind]) == 0)
      {
        *out_index = index;
        *out_kind = kind;
        return true;
      }
  return false;
}

static int
make_directories (const char *path)
{
  char *copy = strdup (path);
  int r = 0;

  if (copy == NULL)
    return -ENOMEM;
  for (char *p = copy + 1; r == 0 && *p != '\0'; p++)
    if (*p == '/')
      {
        *p = '\0';
        if (plr_io.mkdir (copy, 0750) < 0 && errno != EEXIST)
          r = -errno;
        *p = '/';
      }
  if (r == 0 && plr_io.mkdir (copy, 0750) < 0 && errno != EEXIST)
    r = -errno;
  free (copy);
  return r;
}

static int
open_directory (PlrStore *self)
{
  int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int r;

  self->dir_fd = plr_io_open (AT_FDCWD, self->path, flags, 0);
  if (self->dir_fd < 0 && errno == ENOENT)
    {
      r = make_directories (self->path);
      if (r < 0)
        return r;
      self->dir_fd = plr_io_open (AT_FDCWD, self->path, flags, 0);
    }
  if (self->dir_fd < 0 || fstat (self->dir_fd, &self->dir_identity) < 0)
    return -errno;
  return 0;
}

static int
open_lock (PlrStore *self, int access)
{
  char name[PLR_FILE_NAME_SIZE];

  snprintf (name, sizeof name, "%s.lock", self->prefix);
  self->lock_fd = plr_io_open (self->dir_fd, name, access | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0640);
  if (self->lock_fd < 0 || fstat (self->lock_fd, &self->lock_identity) < 0)
    return -errno;
  return S_ISREG (self->lock_identity.st_mode) ? 0 : -EEXIST;
}

/* The lock belongs to the open file, so it is gone with the process, however it ends. Nothing is written to it: a file
 * that is open for writing keeps its file system from being made read-only. */
static int
take_lock (PlrStore *self)
{
  int r = open_lock (self, O_RDONLY);

  if (r < 0)
    return r;
  if (flock (self->lock_fd, LOCK_EX | LOCK_NB) == 0)
    return 0;
  if (errno == EBADF)
    {
      /* NFS locks by ranges of bytes, which takes the right to write: flock(2), "NFS details". */
      plr_io_close (self->lock_fd, self->lock_identity.st_dev, self->lock_identity.st_ino);
      r = open_lock (self, O_RDWR);
      if (r < 0)
        return r;
      if (flock (self->lock_fd, LOCK_EX | LOCK_NB) == 0)
        return 0;
    }
  return errno == EWOULDBLOCK ? -EBUSY : -errno;
}

PlrFamily *
plr_store_find_family (PlrStore *self, uint32_t index)
{
  for (size_t i = self->n_families; i > 0; i--)
    if (self->families[i - 1].index == index)
      return &self->families[i - 1];
  return NULL;
}

/* Counts a file. Keeps no order: see sort_families(). */
static int
add_file (PlrStore *self, uint32_t index, PlrFileKind kind, uint64_t bytes)
{
  PlrFamily *family = plr_store_find_family (self, index);

  if (family == NULL)
    {
      if (self->n_families == self->capacity)
        {
          size_t capacity = self->capacity == 0 ? 64 : self->capacity * 2;
          PlrFamily *families = reallocarray (self->families, capacity, sizeof *families);

          if (families == NULL)
            return -ENOMEM;
          self->families = families;
          self->capacity = capacity;
        }
      family = &self->families[self->n_families++];
      *family = (PlrFamily) { .index = index };
    }

  family->kinds |= UINT32_C (1) << kind;
  family->bytes += bytes;
  self->sealed_bytes += bytes;
  return 0;
}

static int
add_sealed (PlrStore *self, uint32_t index, uint64_t bytes)
{
  int r = add_file (self, index, PLR_FILE_SEALED, bytes);

  if (r == 0)
    plr_store_find_family (self, index)->needs_sync = true;
  return r;
}

static int
compare_families (const void *a, const void *b)
{
  uint32_t left = ((const PlrFamily *) a)->index;
  uint32_t right = ((const PlrFamily *) b)->index;

  return (left > right) - (left < right);
}

/* Cuts a left-over to its last whole frame, or to where @limit says. *out_is_kept: events remain, or it is
 * nothing we can judge. */
static int
repair (PlrStore *self, const char *name, uint64_t limit, uint64_t *out_bytes, bool *out_is_kept)
{
  PlrScan scan;
  int fd;
  int r;

  fd = plr_io_open (self->dir_fd, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
  if (fd < 0)
    return -errno;
  r = plr_scan (fd, limit, &scan);
  if (r == 0 && scan.is_understood && scan.end < scan.size && plr_io.ftruncate (fd, (off_t) scan.end) < 0)
    r = -errno;
  (void) close (fd); /* nothing was written through it */
  if (r < 0)
    return r;

  *out_bytes = scan.is_understood ? scan.end : scan.size;
  *out_is_kept = !scan.is_understood || scan.n_events > 0;
  return 0;
}

/* Seals what a dead run was writing. Where its number is taken, another run was there: it gets a new one. */
static int
adopt (PlrStore *self, uint32_t index, const PlrCut *cut)
{
  uint64_t limit = cut != NULL && cut->is_set && cut->index == index ? cut->size : UINT64_MAX;
  char active[PLR_FILE_NAME_SIZE];
  char sealed[PLR_FILE_NAME_SIZE];
  bool is_kept = true;
  uint64_t bytes = 0;
  int r;

  plr_segment_format_active (active, self->prefix, index);
  r = repair (self, active, limit, &bytes, &is_kept);
  if (r == -EACCES || r == -EPERM)
    return 0; /* somebody else's file under a name of ours must not keep us from recording */
  if (r < 0)
    return r;
  if (!is_kept)
    return plr_io.unlinkat (self->dir_fd, active, 0) == 0 || errno == ENOENT ? 0 : -errno;

  plr_segment_format_sealed (sealed, self->prefix, index);
  r = plr_store_find_family (self, index) == NULL ? plr_io_rename (self->dir_fd, active, sealed) : -EEXIST;
  if (r == -EEXIST && self->next_index <= PLR_INDEX_MAX)
    {
      index = self->next_index++;
      plr_segment_format_sealed (sealed, self->prefix, index);
      r = plr_io_rename (self->dir_fd, active, sealed);
    }
  if (r < 0)
    return r;
  return add_sealed (self, index, bytes);
}

/* Reads the directory: counts the prefix's files and lists the left-over active ones in @left_overs,
 * which the caller frees. */
static int
read_directory (PlrStore *self, uint32_t **out_left_overs, size_t *out_n)
{
  uint32_t *left_overs = NULL;
  struct dirent *entry;
  size_t n = 0;
  DIR *dir;
  int fd;
  int r = 0;

  fd = plr_io_open (self->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (fd < 0)
    return -errno;
  dir = fdopendir (fd);
  if (dir == NULL)
    {
      r = -errno;
      (void) close (fd);
      return r;
    }

  while (r == 0 && (errno = 0, entry = readdir (dir)) != NULL)
    {
      PlrFileKind kind;
      struct stat st;
      uint32_t index;

      if (!plr_store_parse_name (self->prefix, entry->d_name, &index, &kind))
        continue;
      if (index >= self->next_index) /* a link or a directory takes its number too */
        self->next_index = index + 1;
      if (fstatat (self->dir_fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG (st.st_mode))
        continue;

      if (kind == PLR_FILE_ACTIVE)
        {
          uint32_t *grown = reallocarray (left_overs, n + 1, sizeof *left_overs);

          if (grown == NULL)
            {
              r = -ENOMEM;
              break;
            }
          left_overs = grown;
          left_overs[n++] = index;
        }
      else if (kind != PLR_FILE_TEMPORARY || plr_io.unlinkat (self->dir_fd, entry->d_name, 0) < 0)
        r = add_file (self, index, kind, (uint64_t) st.st_size);
    }
  if (r == 0 && errno != 0)
    r = -errno;
  (void) closedir (dir);

  *out_left_overs = left_overs;
  *out_n = n;
  return r;
}

static int
take_stock (PlrStore *self, const PlrCut *cut)
{
  uint32_t *left_overs = NULL;
  size_t n = 0;
  int r;

  r = read_directory (self, &left_overs, &n);
  if (r == 0)
    r = plr_store_drop_doubles (self);
  for (size_t i = 0; r == 0 && i < n; i++)
    r = adopt (self, left_overs[i], cut);
  free (left_overs);

  if (self->n_families > 0)
    qsort (self->families, self->n_families, sizeof *self->families, compare_families);
  return r;
}

int
plr_store_resolve (char *dir, size_t size)
{
  char *resolved;
  int r;

  r = make_directories (dir);
  if (r < 0)
    return r;
  resolved = realpath (dir, NULL);
  if (resolved == NULL)
    return -errno;
  r = strlen (resolved) < size ? 0 : -ENAMETOOLONG;
  if (r == 0)
    strcpy (dir, resolved);
  free (resolved);
  return r;
}

int
plr_store_open (PlrStore **out_store, const char *dir, const char *prefix, uint64_t budget_bytes, const PlrCut *cut)
{
  PlrStore *self;
  int r;

  self = calloc (1, sizeof *self);
  if (self == NULL)
    return -ENOMEM;
  self->dir_fd = -1;
  self->lock_fd = -1;
  self->budget_bytes = budget_bytes;
  self->path = strdup (dir);
  self->prefix = strdup (prefix);

  r = self->path != NULL && self->prefix != NULL ? 0 : -ENOMEM;
  if (r == 0)
    r = open_directory (self);
  if (r == 0)
    r = take_lock (self);
  if (r == 0)
    plr_io_own (PLR_OWN_LOCK, self->lock_fd);
  if (r == 0)
    r = take_stock (self, cut);
  if (r < 0)
    {
      plr_store_close (self);
      return r;
    }

  *out_store = self;
  return 0;
}

void
plr_store_close (PlrStore *self)
{
  if (self == NULL)
    return;
  plr_store_abandon_job (self);
  plr_io_own (PLR_OWN_LOCK, -1);
  plr_io_close (self->lock_fd, self->lock_identity.st_dev, self->lock_identity.st_ino);
  plr_io_close (self->dir_fd, self->dir_identity.st_dev, self->dir_identity.st_ino);
  free (self->families);
  free (self->prefix);
  free (self->path);
  free (self);
}

void
plr_store_close_watching (PlrStore *self, PlrVigil *vigil)
{
  *vigil = (PlrVigil) { self->lock_fd, self->lock_identity.st_dev, self->lock_identity.st_ino };
  self->lock_fd = -1;
  plr_store_close (self);
  plr_io_own (PLR_OWN_LOCK, vigil->fd);
}

int
plr_store_check (const PlrStore *self)
{
  struct stat by_path;
  struct stat by_handle;

  if (fstat (self->dir_fd, &by_handle) < 0)
    return -errno;
  if (by_handle.st_dev != self->dir_identity.st_dev || by_handle.st_ino != self->dir_identity.st_ino)
    return -EBADF;
  if (lstat (self->path, &by_path) < 0)
    return -errno;
  return by_path.st_dev == by_handle.st_dev && by_path.st_ino == by_handle.st_ino ? 0 : -ESTALE;
}

void
plr_store_go_on_above (PlrStore *self, uint32_t index)
{
  if (self->next_index <= index)
    self->next_index = index + 1;
}

int
plr_store_create_segment (PlrStore *self, PlrSegment *segment, uint64_t now_ns)
{
  int r = -EEXIST;

  for (unsigned i = 0; r == -EEXIST && i < MAX_CREATE_TRIES; i++)
    {
      if (self->next_index > PLR_INDEX_MAX)
        return -EOVERFLOW;
      r = plr_segment_create (segment, self->dir_fd, self->prefix, self->next_index++, now_ns);
    }
  return r;
}

static int
evict_oldest (PlrStore *self)
{
  const PlrFamily *family = &self->families[0];
  char name[PLR_FILE_NAME_SIZE];

  for (PlrFileKind kind = 0; kind < PLR_N_FILE_KINDS; kind++)
    if (family->kinds & UINT32_C (1) << kind)
      {
        plr_store_format_name (self, name, family->index, kind);
        if (plr_io.unlinkat (self->dir_fd, name, 0) < 0 && errno != ENOENT)
          return -errno;
      }

  if (self->has_job && self->job_index == family->index)
    plr_store_abandon_job (self);
  self->sealed_bytes -= family->bytes;
  plr_count (&plr_counters.n_evicted, 1);
  self->n_families--;
  memmove (self->families, self->families + 1, self->n_families * sizeof *self->families);
  return 0;
}

int
plr_store_make_room (PlrStore *self, uint64_t active_bytes)
{
  int r = 0;

  while (r == 0 && self->n_families > 0 && self->sealed_bytes + self->reserved_bytes + active_bytes > self->budget_bytes)
    r = evict_oldest (self);
  return r;
}

int
plr_store_seal_segment (PlrStore *self, PlrSegment *segment)
{
  uint32_t index = segment->index;
  uint64_t size = segment->size;
  int r;

  if (segment->events.n == 0)
    {
      plr_segment_discard (segment, self->dir_fd, self->prefix);
      if (self->next_index == index + 1) /* whoever reads the directory is to miss no number */
        self->next_index = index;
      return 0;
    }

  r = plr_segment_seal (segment, self->dir_fd, self->prefix);
  if (r < 0)
    return r;
  plr_count (&plr_counters.n_sealed, 1);
  return add_sealed (self, index, size);
}

uint64_t
plr_store_get_sealed_bytes (const PlrStore *self)
{
  return self->sealed_bytes;
}
