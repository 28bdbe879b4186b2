/* store-finish.c: which sealed segment is synced and compressed next, and what becomes of the result
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * PREFIX.N.bin → PREFIX.N.bin.zst.tmp (synced) → PREFIX.N.bin.zst by rename, then the .bin goes. As long as there is a
 * .bin it is the whole one: a start that finds both removes the other.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "counters.h"
#include "io.h"
#include "store-private.h"

#define ONLY_SEALED (UINT32_C (1) << PLR_FILE_SEALED)
#define ONLY_ZSTD (UINT32_C (1) << PLR_FILE_ZSTD)

/* The one to be compressed and one that was sealed meanwhile. */
#define MAX_WAITING 2

/* What the output may take: a segment that saves less than three eighths stays as it is, but small ones, whose strings
 * weigh more, need only shrink. */
static uint64_t
get_limit (uint64_t raw_bytes)
{
  uint64_t limit = raw_bytes / 8 * 5 + 4096;

  return limit < raw_bytes ? limit : raw_bytes;
}

static void
remove_temporary (PlrStore *self, uint32_t index)
{
  char name[PLR_FILE_NAME_SIZE];

  plr_store_format_name (self, name, index, PLR_FILE_TEMPORARY);
  (void) plr_io.unlinkat (self->dir_fd, name, 0); /* best effort: the next start removes it otherwise */
}

void
plr_store_abandon_job (PlrStore *self)
{
  if (!self->has_job)
    return;
  plr_finisher_cancel (self->finisher);
  if (self->job_compresses)
    remove_temporary (self, self->job_index);
  self->has_job = false;
  self->reserved_bytes = 0;
}

static int
open_file (PlrStore *self, uint32_t index, PlrFileKind kind, int flags, PlrFile *out_file)
{
  char name[PLR_FILE_NAME_SIZE];
  int fd;
  int r;

  plr_store_format_name (self, name, index, kind);
  fd = plr_io_open (self->dir_fd, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0640);
  if (fd < 0)
    return -errno;
  r = plr_file_identify (out_file, fd);
  if (r < 0)
    (void) close (fd); /* nothing was written through it */
  return r;
}

/* Takes the compressed file in place of the raw one. */
static int
replace (PlrStore *self, PlrFamily *family, uint64_t size)
{
  char temporary[PLR_FILE_NAME_SIZE];
  char packed[PLR_FILE_NAME_SIZE];
  char raw[PLR_FILE_NAME_SIZE];
  int r;

  plr_store_format_name (self, temporary, family->index, PLR_FILE_TEMPORARY);
  plr_store_format_name (self, packed, family->index, PLR_FILE_ZSTD);
  plr_store_format_name (self, raw, family->index, PLR_FILE_SEALED);
  r = plr_io_rename (self->dir_fd, temporary, packed);
  if (r < 0)
    return r;
  if (plr_io.unlinkat (self->dir_fd, raw, 0) < 0 && errno != ENOENT)
    {
      r = -errno;
      (void) plr_io.unlinkat (self->dir_fd, packed, 0); /* best effort: the next start removes it otherwise */
      return r;
    }

  self->sealed_bytes += size - family->bytes;
  family->bytes = size;
  family->kinds = ONLY_ZSTD;
  plr_count (&plr_counters.n_compressed_bytes, size);
  return 0;
}

static int
complete (PlrStore *self, const PlrFinishResult *result)
{
  PlrFamily *family = plr_store_find_family (self, self->job_index);
  bool is_packed = self->job_compresses && family != NULL && result->compress_error == 0;

  self->has_job = false;
  self->reserved_bytes = 0;
  if (is_packed)
    is_packed = replace (self, family, result->size) == 0;
  if (self->job_compresses && !is_packed)
    remove_temporary (self, self->job_index);
  if (family != NULL)
    {
      family->needs_sync = false; /* after an error too: the kernel tells of one once */
      family->stays_uncompressed = self->job_compresses && !is_packed;
    }
  return result->sync_error;
}

/* @kept_bytes: what must stay: the family itself, those after it and the segment being written */
static bool
may_compress (const PlrStore *self, const PlrFamily *family, uint64_t kept_bytes)
{
  return self->compresses && family->kinds == ONLY_SEALED && !family->stays_uncompressed
         && get_limit (family->bytes) + kept_bytes <= self->budget_bytes;
}

/* When segments are sealed faster than they are compressed well, well enough must do. */
static PlrCompressEffort
choose_effort (const PlrStore *self)
{
  unsigned n_waiting = 0;

  for (size_t i = 0; i < self->n_families; i++)
    n_waiting += self->families[i].kinds == ONLY_SEALED && !self->families[i].stays_uncompressed;
  return n_waiting > MAX_WAITING ? PLR_COMPRESS_QUICK : PLR_COMPRESS_THOROUGH;
}

static int
submit (PlrStore *self, uint32_t index, bool compresses, uint64_t active_bytes)
{
  PlrFamily *family = plr_store_find_family (self, index);
  PlrFinishJob job = { .in = PLR_FILE_NONE, .out = PLR_FILE_NONE, .must_sync = family->needs_sync };
  int r;

  job.limit = get_limit (family->bytes);
  job.effort = choose_effort (self);
  r = open_file (self, index, PLR_FILE_SEALED, O_RDONLY, &job.in);
  if (r < 0)
    {
      family->needs_sync = false;
      family->stays_uncompressed = true;
      return r;
    }

  if (compresses)
    {
      self->reserved_bytes = job.limit;
      r = plr_store_make_room (self, active_bytes);
      if (r == 0)
        r = open_file (self, index, PLR_FILE_TEMPORARY, O_RDWR | O_CREAT | O_EXCL, &job.out);
      if (r < 0)
        {
          self->reserved_bytes = 0;
          family = plr_store_find_family (self, index);
          if (family != NULL)
            family->stays_uncompressed = true;
        }
    }

  self->has_job = true;
  self->job_index = index;
  self->job_compresses = job.out.fd >= 0;
  plr_finisher_submit (self->finisher, &job);
  return 0;
}

static int
drop_double (PlrStore *self, PlrFamily *family)
{
  char name[PLR_FILE_NAME_SIZE];
  struct stat st;

  plr_store_format_name (self, name, family->index, PLR_FILE_ZSTD);
  if (fstatat (self->dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
    return -errno;
  if (plr_io.unlinkat (self->dir_fd, name, 0) < 0)
    return -errno;
  family->kinds &= ~(UINT32_C (1) << PLR_FILE_ZSTD);
  family->bytes -= (uint64_t) st.st_size;
  self->sealed_bytes -= (uint64_t) st.st_size;
  return 0;
}

int
plr_store_drop_doubles (PlrStore *self)
{
  const uint32_t both = UINT32_C (1) << PLR_FILE_SEALED | UINT32_C (1) << PLR_FILE_ZSTD;
  int r = 0;

  for (size_t i = 0; r == 0 && i < self->n_families; i++)
    if ((self->families[i].kinds & both) == both)
      r = drop_double (self, &self->families[i]);
  return r;
}

void
plr_store_set_finisher (PlrStore *self, PlrFinisher *finisher, bool compresses)
{
  self->finisher = finisher;
  self->compresses = compresses;
}

int
plr_store_finish (PlrStore *self, uint64_t active_bytes)
{
  uint64_t kept_bytes = active_bytes;
  PlrFinishResult result;
  int r = 0;

  /* A result that is not awaited is of a directory that has been given up. */
  if (plr_finisher_collect (self->finisher, &result) && self->has_job)
    r = complete (self, &result);
  if (r < 0 || !plr_finisher_is_idle (self->finisher))
    return r;

  /* The newest first: the oldest may have to go before it is done. */
  for (size_t i = self->n_families; i > 0; i--)
    {
      const PlrFamily *family = &self->families[i - 1];
      bool compresses;

      kept_bytes += family->bytes;
      compresses = may_compress (self, family, kept_bytes);
      if (family->needs_sync || compresses)
        return submit (self, family->index, compresses, active_bytes);
    }
  return 0;
}

int
plr_store_finish_last (PlrStore *self)
{
  PlrFinishResult result;
  int r = 0;

  if (plr_finisher_collect (self->finisher, &result) && self->has_job)
    r = complete (self, &result);

  for (size_t i = 0; i < self->n_families; i++)
    {
      PlrFamily *family = &self->families[i];
      PlrFile file;

      if (!family->needs_sync || open_file (self, family->index, PLR_FILE_SEALED, O_RDONLY, &file) < 0)
        continue;
      family->needs_sync = false;
      if (plr_io.fdatasync (file.fd) < 0 && errno != EINVAL && errno != ENOSYS && r == 0)
        r = -errno;
      plr_io_close (file.fd, file.device, file.inode);
    }
  return r;
}
