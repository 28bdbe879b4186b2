/* shelter.c: memory for rings, backlog and names that a kill leaves behind
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * System V shared memory: it stays when the process is gone; nobody can cut it short, as a file in /dev/shm could
 * be; and its pages count as anonymous memory, which is reserved when the segment is made (no SHM_NORESERVE) and
 * belongs to no file system that could be full. So there is no access that a signal could answer which ordinary
 * memory would not. Pages that were never touched take none.
 */
#include "shelter.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/shm.h>
#include <unistd.h>

#include "clock.h"
#include "shelter-layout.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static PlrShelterRoot *root;
static int root_id = -1;
static pid_t owner;
static PlrSlab *slabs[PLR_SHELTER_MAX_SLABS];
static PlrNameChunk *chunks[PLR_SHELTER_MAX_NAMES];
static void *backlog_memory;
static uint64_t backlog_size;
static atomic_bool is_open;

/* Of the segments that the system has, half may be taken in all; others need some too. */
static bool
is_crowded (void)
{
  struct shminfo limits;
  struct shm_info used;

  if (shmctl (0, IPC_INFO, (struct shmid_ds *) &limits) < 0 || shmctl (0, SHM_INFO, (struct shmid_ds *) &used) < 0)
    return false; /* shmget() will say */
  return (unsigned long) used.used_ids >= limits.shmmni / 2;
}

/* Makes and attaches a segment, which begins with the header. */
static void *
new_segment (size_t size, int *out_id)
{
  PlrShelterHeader header = { .magic = PLR_SHELTER_MAGIC, .layout = PLR_SHELTER_LAYOUT };
  void *memory;
  int id;

  if (is_crowded ())
    return NULL;
  id = shmget (IPC_PRIVATE, size, IPC_CREAT | IPC_EXCL | 0600);
  if (id < 0)
    return NULL;
  memory = shmat (id, NULL, 0);
  if (memory == (void *) -1)
    {
      (void) shmctl (id, IPC_RMID, NULL); /* ours, and nobody has it */
      return NULL;
    }
  if (root != NULL)
    memcpy (header.token, root->label.header.token, sizeof header.token);
  else if (getrandom (header.token, sizeof header.token, GRND_NONBLOCK) != (ssize_t) sizeof header.token)
    {
      uint64_t now_ns = plr_clock_now (); /* early in a boot; the number of the segment tells others apart */

      memcpy (header.token, &now_ns, sizeof now_ns);
      memcpy (header.token + sizeof now_ns, &id, sizeof id);
    }
  memcpy (memory, &header, sizeof header);
  *out_id = id;
  return memory;
}

static void
remove_segment (int id, void *memory)
{
  if (memory != NULL)
    (void) shmdt (memory); /* cannot fail on an address of ours */
  (void) shmctl (id, IPC_RMID, NULL); /* best effort: the next start finds it */
}

/* ---- names ---- */

static void
add_name (const PlrNameRecord *record, const char *text)
{
  uint32_t n = atomic_load_explicit (&root->n_names, memory_order_relaxed);
  uint32_t size = (uint32_t) (sizeof *record + record->length + 3) & ~3u;
  PlrNameChunk *chunk = n > 0 ? chunks[n - 1] : NULL;
  uint32_t used = chunk != NULL ? atomic_load_explicit (&chunk->n_used, memory_order_relaxed) : 0;

  if (chunk == NULL || used + size > PLR_NAMES_BYTES - sizeof *chunk)
    {
      int id;

      chunk = n < PLR_SHELTER_MAX_NAMES ? new_segment (PLR_NAMES_BYTES, &id) : NULL;
      if (chunk == NULL)
        return; /* after a kill such a place is unknown */
      chunks[n] = chunk;
      used = 0;
      atomic_store_explicit (&root->name_ids[n], id, memory_order_relaxed);
      atomic_store_explicit (&root->n_names, n + 1, memory_order_release);
    }
  memcpy (chunk->records + used, record, sizeof *record);
  memcpy (chunk->records + used + sizeof *record, text, record->length);
  atomic_store_explicit (&chunk->n_used, used + size, memory_order_release);
}

void
plr_shelter_add_location (uint32_t id, const char *text)
{
  if (root != NULL)
    add_name (&(PlrNameRecord) { .kind = PLR_NAME_LOCATION, .id = id, .length = (uint32_t) strlen (text) }, text);
}

void
plr_shelter_add_runtime (uint32_t id, const PlrRuntime *runtime)
{
  if (root != NULL)
    add_name (&(PlrNameRecord) {
                .kind = PLR_NAME_RUNTIME,
                .id = id,
                .first_worker = runtime->first_worker,
                .n_workers = runtime->n_workers,
                .length = (uint32_t) strlen (runtime->name),
              },
              runtime->name);
}

/* ---- rings ---- */

static PlrSlab *
add_slab (void)
{
  uint32_t n = atomic_load_explicit (&root->n_slabs, memory_order_relaxed);
  PlrSlab *slab;
  int id;

  if (n == PLR_SHELTER_MAX_SLABS)
    return NULL;
  slab = new_segment (PLR_SLAB_BYTES, &id);
  if (slab == NULL)
    return NULL;
  slabs[n] = slab;
  atomic_store_explicit (&root->slab_ids[n], id, memory_order_relaxed);
  atomic_store_explicit (&root->n_slabs, n + 1, memory_order_release);
  return slab;
}

PlrRing *
plr_shelter_new_ring (void)
{
  PlrRing *ring = NULL;

  plr_shelter_lock ();
  if (root != NULL)
    {
      uint32_t n_slabs = atomic_load_explicit (&root->n_slabs, memory_order_relaxed);
      PlrSlab *slab = n_slabs > 0 ? slabs[n_slabs - 1] : NULL;

      if (slab == NULL || atomic_load_explicit (&slab->n_rings, memory_order_relaxed) == PLR_SLAB_RINGS)
        slab = add_slab ();
      if (slab != NULL)
        {
          uint32_t i = atomic_fetch_add_explicit (&slab->n_rings, 1, memory_order_release);

          ring = plr_slab_get_ring (slab, i);
          ring->is_sheltered = true;
        }
    }
  plr_shelter_unlock ();
  return ring;
}

/* ---- the whole ---- */

static void
remove_all (void)
{
  if (root == NULL)
    return;
  for (uint32_t i = 0; i < atomic_load_explicit (&root->n_slabs, memory_order_relaxed); i++)
    remove_segment (atomic_load_explicit (&root->slab_ids[i], memory_order_relaxed), NULL);
  for (uint32_t i = 0; i < atomic_load_explicit (&root->n_names, memory_order_relaxed); i++)
    remove_segment (atomic_load_explicit (&root->name_ids[i], memory_order_relaxed), NULL);
  if (backlog_memory != NULL)
    remove_segment (atomic_load_explicit (&root->backlog_id, memory_order_relaxed), NULL);
  remove_segment (root_id, NULL);
}

static int
make_root (void)
{
  root = new_segment (sizeof *root, &root_id);
  if (root == NULL)
    return -ENOMEM;
  owner = getpid ();
  plr_names_tell_all (plr_shelter_add_location, plr_shelter_add_runtime);
  return 0;
}

static int
make_backlog (uint64_t size)
{
  int id = -1;
  void *memory;

  if (backlog_memory != NULL && backlog_size == size)
    return 0;
  memory = new_segment (PLR_SHELTER_BACKLOG_OFFSET + plr_backlog_get_bytes (size), &id);
  if (memory == NULL)
    return -ENOMEM;
  if (backlog_memory != NULL)
    remove_segment (atomic_load_explicit (&root->backlog_id, memory_order_relaxed), backlog_memory);
  backlog_memory = memory;
  backlog_size = size;
  atomic_store_explicit (&root->backlog_id, id, memory_order_relaxed);
  return 0;
}

int
plr_shelter_open (const ParklaneConfig *config, PlrBacklog *backlog)
{
  int r = 0;

  plr_names_lock ();
  if (root == NULL)
    r = make_root ();
  plr_names_unlock ();
  if (r == 0)
    r = make_backlog (config->buffer_size);
  if (r < 0)
    return r;
  plr_backlog_place (backlog, (char *) backlog_memory + PLR_SHELTER_BACKLOG_OFFSET, config->buffer_size);
  root->config = *config;
  root->config.log = NULL;
  root->config.log_data = NULL;
  root->label.is_root = PLR_SHELTER_IS_ROOT;
  snprintf (root->label.version, sizeof root->label.version, "%s", PARKLANE_VERSION);
  snprintf (root->label.output_dir, sizeof root->label.output_dir, "%s", config->output_dir);
  snprintf (root->label.file_prefix, sizeof root->label.file_prefix, "%s", config->file_prefix);
  return 0;
}

void
plr_shelter_begin (const PlrSessionInfo *info)
{
  root->info = *info;
  root->info.service_name = NULL;
  atomic_store_explicit (&root->label.state, PLR_SHELTER_IN_USE, memory_order_release);
  /* pairs with the acquire in plr_shelter_is_open(): who sees it open sees the root */
  atomic_store_explicit (&is_open, true, memory_order_release);
}

void
plr_shelter_end (void)
{
  if (root == NULL)
    return;
  atomic_store_explicit (&is_open, false, memory_order_relaxed);
  atomic_store_explicit (&root->label.state, PLR_SHELTER_CLEAN, memory_order_release);
}

bool
plr_shelter_is_open (void)
{
  /* pairs with the release in plr_shelter_begin() */
  return atomic_load_explicit (&is_open, memory_order_acquire);
}

void
plr_shelter_lock (void)
{
  pthread_mutex_lock (&lock);
}

void
plr_shelter_unlock (void)
{
  pthread_mutex_unlock (&lock);
}

/* In the child of a fork. It must not keep attached what the parent's death shall leave to others. */
void
plr_shelter_forget (void)
{
  if (root == NULL)
    return;
  for (uint32_t i = 0; i < PLR_SHELTER_MAX_SLABS && slabs[i] != NULL; i++)
    {
      (void) shmdt (slabs[i]); /* cannot fail on an address of ours; likewise below */
      slabs[i] = NULL;
    }
  for (uint32_t i = 0; i < PLR_SHELTER_MAX_NAMES && chunks[i] != NULL; i++)
    {
      (void) shmdt (chunks[i]);
      chunks[i] = NULL;
    }
  if (backlog_memory != NULL)
    (void) shmdt (backlog_memory);
  (void) shmdt (root);
  backlog_memory = NULL;
  root = NULL;
  atomic_store_explicit (&is_open, false, memory_order_relaxed);
}

/* Shared memory stays until somebody removes it. A process that ends in order leaves nothing behind, unless its session
 * still runs: then it is as with a kill. Threads that still record keep what they have attached. */
static void __attribute__ ((destructor))
tidy_up (void)
{
  if (root != NULL && owner == getpid ()
      && atomic_load_explicit (&root->label.state, memory_order_relaxed) == PLR_SHELTER_CLEAN)
    remove_all ();
}
