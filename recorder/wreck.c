/* wreck.c: what a killed session has left in shared memory, read with distrust
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Whoever may write to the memory may have written anything, and may do so still: all is read once, and checked
 * in the copy. Segments are known by their size, their creator and the token that all of one process share.
 */
#include "wreck.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "recorder-config.h"
#include "thread.h"

/* Workers of all runtimes; more do not fit a segment's metadata, and no process can have had more. */
#define MAX_WORKERS 65535

/* How often, and after what a pause, a root is looked at that others look at in the same moment. */
#define MAX_LOOKS 20
#define LOOK_NS 500000

bool
plr_wreck_is_owned_by (const struct shmid_ds *segment, uid_t owner)
{
  return segment->shm_perm.uid == owner && segment->shm_perm.cuid == owner && (segment->shm_perm.mode & 0777) == 0600;
}

bool
plr_wreck_is_creator_gone (const struct shmid_ds *segment)
{
  return segment->shm_cpid > 0 && kill (segment->shm_cpid, 0) < 0 && errno == ESRCH;
}

static void *
attach (int id, int flags)
{
  void *memory = shmat (id, NULL, flags);

  return memory == (void *) -1 ? NULL : memory;
}

static void
detach (const void *memory)
{
  if (memory != NULL)
    (void) shmdt (memory); /* cannot fail on an address of ours */
}

/* Attaches a segment of the session, of @size bytes. NULL when it is not what it should be. */
static const void *
attach_part (const PlrWreck *self, int id, size_t size)
{
  struct shmid_ds segment;
  const void *memory;
  PlrShelterHeader header;

  if (shmctl (id, IPC_STAT, &segment) < 0 || !plr_wreck_is_owned_by (&segment, self->owner) || segment.shm_segsz != size)
    return NULL;
  memory = attach (id, SHM_RDONLY);
  if (memory == NULL)
    return NULL;
  memcpy (&header, memory, sizeof header);
  if (memcmp (&header, &self->root.label.header, sizeof header) == 0)
    return memory;
  detach (memory);
  return NULL;
}

/* ---- the root ---- */

static bool
is_ours (const PlrWreck *self)
{
  return self->root.label.header.magic == PLR_SHELTER_MAGIC && self->root.label.header.layout == PLR_SHELTER_LAYOUT;
}

static bool
is_root_of (PlrWreck *self, const char *dir, const char *prefix)
{
  ParklaneConfig *config = &self->root.config;

  if (!is_ours (self))
    return false;
  config->log = NULL;
  config->log_data = NULL;
  return plr_config_check (config) == 0 && strcmp (config->output_dir, dir) == 0
         && (prefix == NULL || strcmp (config->file_prefix, prefix) == 0);
}

/* Attaches a root that nobody uses. -EAGAIN when somebody else is looking at it. */
static int
try_attach (PlrWreck *self, int i, uid_t dir_owner)
{
  struct shmid_ds segment;
  int id = shmctl (i, SHM_STAT, &segment);
  void *memory;

  if (id < 0 || segment.shm_segsz != sizeof self->root)
    return -ENOENT;
  if (!plr_wreck_is_owned_by (&segment, geteuid ()) && !plr_wreck_is_owned_by (&segment, dir_owner))
    return -EACCES;
  if (segment.shm_nattch != 0)
    return plr_wreck_is_creator_gone (&segment) ? -EAGAIN : -EBUSY;
  memory = attach (id, 0);
  if (memory == NULL)
    return -ENOMEM;
  if (shmctl (id, IPC_STAT, &segment) < 0 || segment.shm_nattch != 1)
    {
      detach (memory);
      return -EAGAIN;
    }

  *self = (PlrWreck) { .id = id, .owner = segment.shm_perm.cuid, .shared = memory };
  memcpy (&self->root, memory, sizeof self->root);
  return 0;
}

/* Whether the segment with the kernel's number @i is a root that nobody uses. It is attached then. */
static bool
look_at (PlrWreck *self, int i, uid_t dir_owner)
{
  int r = -EAGAIN;

  self->shared = NULL;
  for (unsigned n = 0; r == -EAGAIN && n < MAX_LOOKS; n++)
    {
      /* Uneven, so that two that meet do not meet again. */
      const struct timespec pause = { .tv_nsec = LOOK_NS + (getpid () % 16) * (LOOK_NS / 16) };

      if (n > 0)
        nanosleep (&pause, NULL);
      r = try_attach (self, i, dir_owner);
    }
  return r == 0;
}

bool
plr_wreck_copy_label (int id, const struct shmid_ds *segment, PlrShelterLabel *label)
{
  const void *memory;

  *label = (PlrShelterLabel) { 0 };
  if (segment->shm_segsz < sizeof label->header)
    return false;
  memory = attach (id, SHM_RDONLY);
  if (memory == NULL)
    return false;
  memcpy (label, memory, segment->shm_segsz < sizeof *label ? segment->shm_segsz : sizeof *label);
  detach (memory);
  label->output_dir[sizeof label->output_dir - 1] = '\0';
  label->file_prefix[sizeof label->file_prefix - 1] = '\0';
  label->version[sizeof label->version - 1] = '\0';
  return label->header.magic == PLR_SHELTER_MAGIC;
}

int
plr_wreck_get_last (void)
{
  struct shm_info info;

  return shmctl (0, SHM_INFO, (struct shmid_ds *) &info);
}

bool
plr_wreck_find (PlrWreck *self, const char *dir, const char *prefix, int *cursor)
{
  int last = plr_wreck_get_last ();
  struct stat st;

  if (lstat (dir, &st) < 0)
    return false;
  while (*cursor <= last)
    {
      if (look_at (self, (*cursor)++, st.st_uid) && is_root_of (self, dir, prefix))
        return true;
      detach (self->shared);
    }
  return false;
}

/* ---- the backlog ---- */

bool
plr_wreck_is_kept (uint64_t word)
{
  PlrEventKind kind = plr_word_kind (word);

  return kind > PLR_EVENT_NONE && kind < PLR_N_EVENT_KINDS;
}

static void
read_intent (PlrWreck *self, const PlrBacklogState *state)
{
  uint64_t to = atomic_load_explicit (&state->intent.to, memory_order_acquire);

  if (to <= self->written || to > self->taken)
    return;
  self->intent.to = to;
  self->intent.index = atomic_load_explicit (&state->intent.index, memory_order_relaxed);
  self->intent.offset = atomic_load_explicit (&state->intent.offset, memory_order_relaxed);
  self->intent.end = atomic_load_explicit (&state->intent.end, memory_order_relaxed);
}

static PlrSpan
read_span (const PlrBacklogSpan *span)
{
  return (PlrSpan) {
    .n = atomic_load_explicit (&span->n, memory_order_acquire),
    .first_ns = atomic_load_explicit (&span->first_ns, memory_order_relaxed),
    .last_ns = atomic_load_explicit (&span->last_ns, memory_order_relaxed),
  };
}

static int
read_backlog (PlrWreck *self)
{
  uint64_t size = self->root.config.buffer_size;
  uint64_t capacity = size / sizeof (PlrEvent);
  const char *memory;
  const PlrBacklogState *state;
  const PlrEvent *places;
  uint64_t origin;

  memory = attach_part (self, atomic_load_explicit (&self->root.backlog_id, memory_order_relaxed),
                        PLR_SHELTER_BACKLOG_OFFSET + plr_backlog_get_bytes (size));
  if (memory == NULL)
    return -EBADMSG;
  state = (const PlrBacklogState *) (memory + PLR_SHELTER_BACKLOG_OFFSET);
  places = (const PlrEvent *) (memory + PLR_SHELTER_BACKLOG_OFFSET + plr_backlog_get_bytes (0));
  origin = atomic_load_explicit (&state->origin, memory_order_acquire);
  self->written = atomic_load_explicit (&state->written, memory_order_acquire);
  self->taken = atomic_load_explicit (&state->taken, memory_order_acquire);
  if (self->taken - self->written > capacity || self->written < origin)
    {
      detach (memory);
      return -EBADMSG;
    }

  read_intent (self, state);
  self->segment = read_span (&state->segment);
  self->segment_index = atomic_load_explicit (&state->segment_index, memory_order_relaxed);
  self->segment_size = atomic_load_explicit (&state->segment_size, memory_order_relaxed);
  self->lost = read_span (&state->lost);
  self->events = calloc (self->taken - self->written + 1, sizeof *self->events);
  for (uint64_t i = self->written; self->events != NULL && i < self->taken; i++)
    self->events[i - self->written] = places[(i - origin) % capacity];
  detach (memory);
  return self->events != NULL ? 0 : -ENOMEM;
}

/* ---- the rings ---- */

/* Where the records begin that are in the ring alone. */
static uint64_t
get_tail (const PlrRing *ring, uint64_t taken)
{
  uint64_t tail = atomic_load_explicit (&ring->tail, memory_order_relaxed);
  uint64_t copied_at = atomic_load_explicit (&ring->copied_at, memory_order_relaxed);
  uint64_t copied_to = atomic_load_explicit (&ring->copied_to, memory_order_relaxed);

  return copied_at != 0 && copied_at < taken && copied_to > tail ? copied_to : tail;
}

/* Copies the records between @tail and @head of @source, whose first part @ring is a copy of. */
static void
copy_records (PlrRing *copy, const PlrRing *ring, const PlrRing *source, uint64_t tail, uint64_t head)
{
  for (uint64_t position = tail; position < head; position++)
    {
      unsigned block = ring->order[position / PLR_RING_BLOCK % PLR_RING_N_BLOCKS];
      PlrRecord record;

      if (block >= PLR_RING_N_BLOCKS)
        return;
      record = source->records[block * PLR_RING_BLOCK + (position & PLR_RING_BLOCK_MASK)];
      if (plr_wreck_is_kept (record.word))
        plr_ring_push (copy, record.time_ns, record.word, record.payload);
    }
}

/* What the thread dropped, and no record tells yet. */
static void
copy_drops (PlrRing *copy, const PlrRing *ring)
{
  uint64_t n_dropped = atomic_load_explicit (&ring->n_dropped, memory_order_relaxed);
  uint64_t n_told = atomic_load_explicit (&ring->n_dropped_told, memory_order_relaxed);

  if (n_dropped <= n_told)
    return;
  atomic_store_explicit (&copy->n_dropped, n_dropped - n_told, memory_order_relaxed);
  atomic_store_explicit (&copy->gap_from_ns, atomic_load_explicit (&ring->gap_from_ns, memory_order_relaxed),
                         memory_order_relaxed);
  atomic_store_explicit (&copy->gap_to_ns, atomic_load_explicit (&ring->gap_to_ns, memory_order_relaxed),
                         memory_order_relaxed);
}

static int
read_ring (PlrWreck *self, const PlrRing *source)
{
  PlrRing *copy;
  PlrRing ring;
  uint64_t head;
  uint64_t tail;

  memcpy (&ring, source, sizeof ring);
  head = atomic_load_explicit (&ring.head, memory_order_relaxed);
  tail = get_tail (&ring, self->taken);
  if (tail > head || head - tail > PLR_RING_CAPACITY)
    return 0; /* not a ring */
  if (head == tail
      && atomic_load_explicit (&ring.n_dropped, memory_order_relaxed)
           <= atomic_load_explicit (&ring.n_dropped_told, memory_order_relaxed))
    return 0;

  copy = plr_ring_new ();
  if (copy == NULL)
    return -ENOMEM;
  copy->worker = ring.worker;
  copy->tid = ring.tid;
  copy->next = self->rings;
  self->rings = copy;
  copy_records (copy, &ring, source, tail, head);
  copy_drops (copy, &ring);
  return 0;
}

static uint32_t
clamp (uint32_t n, uint32_t max)
{
  return n < max ? n : max;
}

static int
read_slabs (PlrWreck *self)
{
  uint32_t n_slabs = clamp (atomic_load_explicit (&self->root.n_slabs, memory_order_relaxed), PLR_SHELTER_MAX_SLABS);
  int r = 0;

  for (uint32_t i = 0; r == 0 && i < n_slabs; i++)
    {
      const PlrSlab *slab = attach_part (self, atomic_load_explicit (&self->root.slab_ids[i], memory_order_relaxed),
                                         PLR_SLAB_BYTES);
      uint32_t n_rings = slab == NULL ? 0 : clamp (atomic_load_explicit (&slab->n_rings, memory_order_relaxed), PLR_SLAB_RINGS);

      for (uint32_t k = 0; r == 0 && k < n_rings; k++)
        r = read_ring (self, plr_slab_get_ring ((PlrSlab *) slab, k));
      detach (slab);
    }
  return r;
}

/* ---- the names ---- */

static void
take_location (PlrWreck *self, uint32_t id, const char *text)
{
  if (id < PLR_MAX_LOCATIONS && self->locations[id] == NULL)
    self->locations[id] = strdup (text);
}

static void
take_runtime (PlrWreck *self, const PlrNameRecord *record, const char *text)
{
  uint32_t n_workers = record->n_workers;

  for (uint32_t i = 0; i < self->n_runtimes; i++)
    n_workers += self->runtimes[i].n_workers;
  if (record->id != self->n_runtimes || self->n_runtimes == PLR_MAX_RUNTIMES || record->n_workers > MAX_WORKERS
      || record->first_worker > MAX_WORKERS || n_workers > MAX_WORKERS)
    return;
  self->runtime_names[record->id] = strdup (text);
  if (self->runtime_names[record->id] == NULL)
    return;
  self->runtimes[self->n_runtimes++] = (PlrRuntime) {
    .name = self->runtime_names[record->id],
    .first_worker = record->first_worker,
    .n_workers = record->n_workers,
  };
}

static void
read_chunk (PlrWreck *self, const PlrNameChunk *chunk)
{
  const uint32_t size = PLR_NAMES_BYTES - sizeof *chunk;
  uint32_t used = clamp (atomic_load_explicit (&chunk->n_used, memory_order_acquire), size);
  uint32_t at = 0;

  while (used - at >= sizeof (PlrNameRecord))
    {
      char raw[PLR_LOCATION_SIZE] = "";
      char text[PLR_LOCATION_SIZE];
      PlrNameRecord record;

      memcpy (&record, chunk->records + at, sizeof record);
      at += sizeof record;
      if (record.length >= sizeof raw || record.length > used - at)
        return;
      memcpy (raw, chunk->records + at, record.length);
      at = clamp (at + ((record.length + 3) & ~3u), used);
      plr_copy_utf8 (text, sizeof text, raw);
      if (record.kind == PLR_NAME_LOCATION)
        take_location (self, record.id, text);
      else if (record.kind == PLR_NAME_RUNTIME)
        take_runtime (self, &record, text);
    }
}

static int
read_names (PlrWreck *self)
{
  uint32_t n = clamp (atomic_load_explicit (&self->root.n_names, memory_order_relaxed), PLR_SHELTER_MAX_NAMES);

  self->locations = calloc (PLR_MAX_LOCATIONS, sizeof *self->locations);
  if (self->locations == NULL)
    return -ENOMEM;
  for (uint32_t i = 0; i < n; i++)
    {
      const PlrNameChunk *chunk
        = attach_part (self, atomic_load_explicit (&self->root.name_ids[i], memory_order_relaxed), PLR_NAMES_BYTES);

      if (chunk != NULL)
        read_chunk (self, chunk);
      detach (chunk);
    }
  return 0;
}

/* ---- the whole ---- */

int
plr_wreck_read (PlrWreck *self)
{
  int r;

  r = read_backlog (self);
  if (r == 0)
    r = read_slabs (self);
  if (r == 0)
    r = read_names (self);
  return r;
}

void
plr_wreck_clear (PlrWreck *self)
{
  detach (self->shared);
  free (self->events);
  while (self->rings != NULL)
    {
      PlrRing *ring = self->rings;

      self->rings = ring->next;
      plr_ring_free (ring);
    }
  for (uint32_t i = 0; self->locations != NULL && i < PLR_MAX_LOCATIONS; i++)
    free (self->locations[i]);
  free (self->locations);
  for (uint32_t i = 0; i < PLR_MAX_RUNTIMES; i++)
    free (self->runtime_names[i]);
}

/* Only what the session's own memory says of itself, so that no number in a root makes us remove a stranger's. */
static void
remove_part (const PlrWreck *self, int id, size_t size)
{
  const void *memory = attach_part (self, id, size);

  if (memory == NULL)
    return;
  detach (memory);
  (void) shmctl (id, IPC_RMID, NULL); /* best effort: the next start finds it */
}

void
plr_wreck_remove (PlrWreck *self)
{
  for (uint32_t i = 0; i < PLR_SHELTER_MAX_SLABS; i++)
    remove_part (self, atomic_load_explicit (&self->root.slab_ids[i], memory_order_relaxed), PLR_SLAB_BYTES);
  for (uint32_t i = 0; i < PLR_SHELTER_MAX_NAMES; i++)
    remove_part (self, atomic_load_explicit (&self->root.name_ids[i], memory_order_relaxed), PLR_NAMES_BYTES);
  remove_part (self, atomic_load_explicit (&self->root.backlog_id, memory_order_relaxed),
               PLR_SHELTER_BACKLOG_OFFSET + plr_backlog_get_bytes (self->root.config.buffer_size));
  (void) shmctl (self->id, IPC_RMID, NULL); /* best effort: the next start finds it */
}
