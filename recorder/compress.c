/* compress.c: packs batches into zstd frames and lists them in a seek table
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A batch repeats its schemas and strings, so a frame that begins with one can be read without those before it. The table is
 * that of zstd's contrib/seekable_format: a skippable frame of sizes that other decoders pass over.
 */
#include "compress.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "io.h"
#include "regroup.h"
#include "scan.h"
#include "trc.h"

/* By effort. An optimal parser that takes any match of eight bytes at the first place where it finds one: longer matches
 * that lie further back cost as much as the literals they save, and so do those of four bytes. Measured on grouped events
 * of an echo server, bytes an event and million events a second: quick 4.23 and 20, thorough 3.86 and 2; level 19 packs
 * worse at 0.3. */
static const struct
{
  ZSTD_cParameter name;
  int value;
} parameters[][8] = {
  [PLR_COMPRESS_QUICK] = { { ZSTD_c_compressionLevel, 3 } },
  [PLR_COMPRESS_THOROUGH] = {
    { ZSTD_c_compressionLevel, 9 },
    { ZSTD_c_strategy, ZSTD_btopt },
    { ZSTD_c_windowLog, 17 },
    { ZSTD_c_hashLog, 17 },
    { ZSTD_c_chainLog, 14 },
    { ZSTD_c_searchLog, 1 },
    { ZSTD_c_minMatch, 5 },
    { ZSTD_c_targetLength, 8 },
  },
};

/* A stretch of one kind shares no block, and so no statistics, with others; in blocks of equal size as large as they can be. */
#define BLOCK_BYTES (127 * 1024)

/* Shorter ones are not worth tables of their own. */
#define MIN_STRETCH_BYTES (16 * 1024)

/* What a flush adds at the most: a block header, and what little a block that does not shrink grows. */
#define FLUSH_BYTES 64

/* Raw bytes after which a frame ends with its batch. */
#define FRAME_BYTES (1024 * 1024)

/* A longer frame is held by no batch of this recorder's. */
#define MAX_FRAME_BYTES (32 * 1024 * 1024)

#define SEEK_TABLE_MAGIC 0x184D2A5Eu
#define SEEK_FOOTER_MAGIC 0x8F92EAB1u
#define SEEK_HEADER_SIZE 8
#define SEEK_ENTRY_SIZE 8
#define SEEK_FOOTER_SIZE 9
#define MAX_SEEK_ENTRIES 0x8000000u

typedef struct
{
  uint32_t packed_size;
  uint32_t raw_size;
} Entry;

typedef struct
{
  const PlrFile *in;
  const PlrFile *out;
  const atomic_bool *is_cancelled;
  uint64_t limit;
  uint64_t packed; /* raw bytes that are in frames */
  uint64_t written;
  ZSTD_CCtx *context;
  PlrRegroup *regroup;
  uint8_t *raw;
  size_t raw_capacity;
  uint8_t *frame;
  size_t frame_capacity;
  Entry *entries;
  size_t n_entries;
  size_t capacity;
  int error;
} Packer;

int
plr_file_identify (PlrFile *self, int fd)
{
  struct stat st;

  if (fstat (fd, &st) < 0)
    return -errno;
  *self = (PlrFile) { .fd = fd, .device = st.st_dev, .inode = st.st_ino };
  return 0;
}

int
plr_file_check (const PlrFile *self)
{
  struct stat st;

  if (fstat (self->fd, &st) < 0)
    return -errno;
  return st.st_dev == self->device && st.st_ino == self->inode ? 0 : -EBADF;
}

static int
reserve (uint8_t **buffer, size_t *capacity, size_t size)
{
  uint8_t *grown;

  if (size <= *capacity)
    return 0;
  grown = realloc (*buffer, size);
  if (grown == NULL)
    return -ENOMEM;
  *buffer = grown;
  *capacity = size;
  return 0;
}

static int
read_all (const PlrFile *file, uint8_t *data, size_t size, uint64_t offset)
{
  int r = plr_file_check (file);

  while (r == 0 && size > 0)
    {
      ssize_t n = pread (file->fd, data, size, (off_t) offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -errno;
      if (n == 0)
        return -EIO; /* somebody cut it */
      data += n;
      offset += (uint64_t) n;
      size -= (size_t) n;
    }
  return r;
}

static int
write_out (Packer *self, const uint8_t *data, size_t size)
{
  int r;

  if (size > self->limit - self->written)
    return -E2BIG;
  r = plr_file_check (self->out);
  if (r == 0)
    r = plr_io_write_all (self->out->fd, data, size, (off_t) self->written);
  if (r == 0)
    self->written += size;
  return r;
}

static int
add_entry (Packer *self, size_t packed_size, size_t raw_size)
{
  if (self->n_entries == MAX_SEEK_ENTRIES)
    return -E2BIG;
  if (self->n_entries == self->capacity)
    {
      size_t capacity = self->capacity == 0 ? 128 : self->capacity * 2;
      Entry *entries = reallocarray (self->entries, capacity, sizeof *entries);

      if (entries == NULL)
        return -ENOMEM;
      self->entries = entries;
      self->capacity = capacity;
    }
  self->entries[self->n_entries++] = (Entry) { (uint32_t) packed_size, (uint32_t) raw_size };
  return 0;
}

/* Adds @size bytes to the frame as blocks of their own, and ends the frame after the last ones. */
static int
compress_stretch (Packer *self, const uint8_t *data, size_t size, bool is_last, ZSTD_outBuffer *out)
{
  size_t n_blocks = (size + BLOCK_BYTES - 1) / BLOCK_BYTES;

  for (size_t i = 0; i < n_blocks; i++)
    {
      ZSTD_EndDirective mode = is_last && i + 1 == n_blocks ? ZSTD_e_end : ZSTD_e_flush;
      size_t n = (size - size * i / n_blocks) - (size - size * (i + 1) / n_blocks);
      ZSTD_inBuffer in = { data + size * i / n_blocks, n, 0 };
      size_t left;

      do
        {
          left = ZSTD_compressStream2 (self->context, out, &in, mode);
          if (ZSTD_isError (left) || (left > 0 && out->pos == out->size))
            return -ENOMEM; /* with room for any result, memory is all that it can lack */
        }
      while (left > 0);
    }
  return 0;
}

static int
compress_events (Packer *self, const PlrRegrouped *events, size_t *out_size)
{
  ZSTD_outBuffer out = { self->frame, self->frame_capacity, 0 };
  size_t begin = 0;
  int r = 0;

  if (ZSTD_isError (ZSTD_CCtx_reset (self->context, ZSTD_reset_session_only))
      || ZSTD_isError (ZSTD_CCtx_setPledgedSrcSize (self->context, events->size)))
    return -ENOMEM;
  for (unsigned i = 0; r == 0 && i <= events->n_cuts; i++)
    {
      size_t end = i < events->n_cuts ? events->cuts[i] : events->size;

      if (i < events->n_cuts && end - begin < MIN_STRETCH_BYTES)
        continue;
      r = compress_stretch (self, events->data + begin, end - begin, i == events->n_cuts, &out);
      begin = end;
    }
  *out_size = out.pos;
  return r;
}

/* Packs what lies before @end and is in no frame yet. */
static int
pack_frame (Packer *self, uint64_t end)
{
  uint64_t size = end - self->packed;
  PlrRegrouped events;
  size_t n = 0;
  int r;

  if (size == 0)
    return 0;
  if (size > MAX_FRAME_BYTES)
    return -EPROTO;
  if (self->is_cancelled != NULL && atomic_load_explicit (self->is_cancelled, memory_order_relaxed))
    return -ECANCELED;

  r = reserve (&self->raw, &self->raw_capacity, (size_t) size);
  if (r == 0)
    r = read_all (self->in, self->raw, (size_t) size, self->packed);
  if (r < 0)
    return r;

  r = plr_regroup (self->regroup, self->raw, (size_t) size, &events);
  if (r == -EPROTO) /* packs as it is */
    {
      events = (PlrRegrouped) { .data = self->raw, .size = (size_t) size };
      r = 0;
    }
  if (r == 0)
    r = reserve (&self->frame, &self->frame_capacity, ZSTD_compressBound (events.size) + FLUSH_BYTES * (events.size / BLOCK_BYTES + PLR_REGROUP_MAX_CUTS));
  if (r == 0)
    r = compress_events (self, &events, &n);
  if (r == 0)
    r = write_out (self, self->frame, n);
  if (r == 0)
    r = add_entry (self, n, events.size);
  if (r == 0)
    self->packed = end;
  return r;
}

static bool
on_batch (uint64_t offset, void *data)
{
  Packer *self = data;

  if (offset - self->packed >= FRAME_BYTES)
    self->error = pack_frame (self, offset);
  return self->error == 0;
}

static int
write_seek_table (Packer *self)
{
  size_t size = SEEK_HEADER_SIZE + self->n_entries * SEEK_ENTRY_SIZE + SEEK_FOOTER_SIZE;
  uint8_t *p;
  int r;

  r = reserve (&self->frame, &self->frame_capacity, size);
  if (r < 0)
    return r;
  p = trc_write_u32 (self->frame, SEEK_TABLE_MAGIC);
  p = trc_write_u32 (p, (uint32_t) (size - SEEK_HEADER_SIZE));
  for (size_t i = 0; i < self->n_entries; i++)
    {
      p = trc_write_u32 (p, self->entries[i].packed_size);
      p = trc_write_u32 (p, self->entries[i].raw_size);
    }
  p = trc_write_u32 (p, (uint32_t) self->n_entries);
  *p++ = 0; /* no checksums here: each frame ends with its own */
  (void) trc_write_u32 (p, SEEK_FOOTER_MAGIC);
  return write_out (self, self->frame, size);
}

static int
prepare (Packer *self, PlrCompressEffort effort)
{
  self->regroup = plr_regroup_new ();
  self->context = ZSTD_createCCtx ();
  if (self->regroup == NULL || self->context == NULL
      || ZSTD_isError (ZSTD_CCtx_setParameter (self->context, ZSTD_c_checksumFlag, 1)))
    return -ENOMEM;
  for (unsigned i = 0; i < sizeof parameters[0] / sizeof parameters[0][0] && parameters[effort][i].name != 0; i++)
    if (ZSTD_isError (ZSTD_CCtx_setParameter (self->context, parameters[effort][i].name, parameters[effort][i].value)))
      return -ENOMEM;
  return 0;
}

static int
pack_file (Packer *self, PlrCompressEffort effort)
{
  PlrScan scan;
  int r;

  r = prepare (self, effort);
  if (r == 0)
    r = plr_file_check (self->in);
  if (r == 0)
    r = plr_scan_batches (self->in->fd, on_batch, self, &scan);
  if (r == 0)
    r = self->error;
  if (r == 0 && !scan.is_understood)
    r = -EPROTO;
  if (r == 0)
    r = pack_frame (self, scan.size);
  if (r == 0)
    r = write_seek_table (self);
  return r;
}

int
plr_compress (const PlrFile *in, const PlrFile *out, PlrCompressEffort effort, uint64_t limit,
              const atomic_bool *is_cancelled, uint64_t *out_size)
{
  Packer packer = { .in = in, .out = out, .is_cancelled = is_cancelled, .limit = limit };
  int r;

  r = pack_file (&packer, effort);
  ZSTD_freeCCtx (packer.context);
  plr_regroup_free (packer.regroup);
  free (packer.raw);
  free (packer.frame);
  free (packer.entries);
  if (r == 0)
    *out_size = packer.written;
  return r;
}
