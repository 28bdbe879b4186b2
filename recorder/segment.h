/* segment.h: the segment that is being written
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_SEGMENT_H
#define PLR_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Prefix, index, ".bin.active" and the NUL. */
#define PLR_FILE_NAME_SIZE 160

/* Recorded events: how many, and the times of the first and the last. Heartbeats and what opens every
 * segment do not count; a gap counts for those it tells of, since they are missing without it. */
typedef struct
{
  uint64_t n;
  uint64_t n_told; /* part of n: by gaps */
  uint64_t first_ns;
  uint64_t last_ns;
} PlrSpan;

/* A plain value; fd is -1 while no segment is open. */
typedef struct
{
  int fd;
  bool is_torn;       /* a part of a frame is left after `size` */
  uint32_t index;
  uint64_t device;    /* identity of the file: a host may close our descriptor and get its number again */
  uint64_t inode;
  uint64_t size;      /* bytes of whole frames in the file */
  PlrSpan events;
  uint64_t opened_ns; /* on the recorder's clock */
} PlrSegment;

#define PLR_SEGMENT_CLOSED ((PlrSegment) { .fd = -1 })

/* Makes @self cover @other, which came later, as well. */
static inline void
plr_span_add (PlrSpan *self, const PlrSpan *other)
{
  if (other->n == 0)
    return;
  if (self->n == 0)
    self->first_ns = other->first_ns;
  if (other->first_ns < self->first_ns)
    self->first_ns = other->first_ns;
  self->last_ns = other->last_ns;
  self->n += other->n;
  self->n_told += other->n_told;
}

void plr_segment_format_active (char name[PLR_FILE_NAME_SIZE], const char *prefix, uint32_t index);
void plr_segment_format_sealed (char name[PLR_FILE_NAME_SIZE], const char *prefix, uint32_t index);

/* Creates PREFIX.N.bin.active, which must not exist. */
int plr_segment_create (PlrSegment *self, int dir_fd, const char *prefix, uint32_t index, uint64_t now_ns);

/* Appends whole frames. When not all of it could be written, the file is cut back to what it was; where it
 * cannot be cut, it is torn. */
int plr_segment_append (PlrSegment *self, const void *data, size_t size);

/* Whether the file is still there and as long as it was written: -EBADF when the descriptor is no longer
 * ours, -ENOENT when the file was deleted, -ESTALE when somebody cut it. */
int plr_segment_check (const PlrSegment *self);

/* Closes and leaves the file as it is. */
void plr_segment_close (PlrSegment *self);

/* Renames to PREFIX.N.bin and closes. After an error the segment is closed all the same and its file has
 * kept its name. */
int plr_segment_seal (PlrSegment *self, int dir_fd, const char *prefix);

/* Closes and removes a segment that holds no events. */
void plr_segment_discard (PlrSegment *self, int dir_fd, const char *prefix);

#endif /* PLR_SEGMENT_H */
