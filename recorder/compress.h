/* compress.h: a sealed segment as independent zstd frames with a seek table
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_COMPRESS_H
#define PLR_COMPRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* An open file and its identity: a host may close our descriptor and get its number again. */
typedef struct
{
  int fd; /* -1: none */
  uint64_t device;
  uint64_t inode;
} PlrFile;

#define PLR_FILE_NONE ((PlrFile) { .fd = -1 })

/* Takes what fstat() says of @fd. 0 or a negative errno. */
int plr_file_identify (PlrFile *self, int fd);

/* -EBADF when the descriptor is no longer ours. */
int plr_file_check (const PlrFile *self);

typedef enum
{
  PLR_COMPRESS_QUICK,    /* some 20 million events a second */
  PLR_COMPRESS_THOROUGH, /* some two million, and a twelfth less space */
} PlrCompressEffort;

/* Writes @in, from its beginning, to the empty @out: a zstd frame for each mebibyte of raw bytes, cut where a batch
 * begins, then the seek table of zstd's seekable format. Within a batch the events are regrouped, see regroup.h; they and
 * their values stay the same. Neither file is closed or synced.
 *
 * @limit: bytes of output that must not be exceeded
 * @is_cancelled: (nullable) looked at between frames
 * @out_size: bytes written
 * Returns: 0; -E2BIG when @limit does not suffice; -EPROTO when @in holds what the recorder never writes, so that its
 *   batches cannot be told; -ECANCELED; -ENOMEM; or the errno of reading or writing */
int plr_compress (const PlrFile *in, const PlrFile *out, PlrCompressEffort effort, uint64_t limit,
                  const atomic_bool *is_cancelled, uint64_t *out_size);

#endif /* PLR_COMPRESS_H */
