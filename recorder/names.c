/* names.c: registry of spawn locations and runtimes
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Writers hold a lock, readers do not: an entry is complete before the count that covers it is published,
 * and never changes afterwards.
 */
#include "names.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parklane-recorder.h"
#include "shelter.h"

#define CHUNK 256 /* locations; a chunk is allocated when its first one is registered */
#define N_BUCKETS 1024
#define MAX_RUNTIME_NAME 100

typedef struct
{
  const char *text;
  uint32_t next_in_bucket; /* 0 ends the chain */
} Location;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic (Location *) chunks[PLR_MAX_LOCATIONS / CHUNK];
static uint32_t buckets[N_BUCKETS];
static uint32_t n_locations = 1; /* 0 is "unknown" */

static const PlrForeignNames *foreign; /* touched by whoever encodes */

static PlrRuntime runtimes[PLR_MAX_RUNTIMES];
static char runtime_names[PLR_MAX_RUNTIMES][MAX_RUNTIME_NAME + 1]; /* registering allocates nothing: hooks do it */
static _Atomic uint32_t n_runtimes;
static uint32_t next_worker;

void
plr_names_lock (void)
{
  pthread_mutex_lock (&lock);
}

void
plr_names_unlock (void)
{
  pthread_mutex_unlock (&lock);
}

/* Length of the valid UTF-8 sequence at @p, 0 when there is none. Overlong forms and surrogates are none. */
static size_t
sequence_length (const unsigned char *p)
{
  size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;

  for (size_t i = 1; i < n; i++)
    if ((p[i] & 0xc0) != 0x80)
      return 0;
  if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90)
      || (p[0] == 0xf4 && p[1] > 0x8f))
    return 0;
  return n;
}

void
plr_copy_utf8 (char *to, size_t size, const char *from)
{
  size_t length = 0;

  while (*from != '\0')
    {
      size_t n = sequence_length ((const unsigned char *) from);

      if (length + (n > 0 ? n : 1) >= size)
        break;
      if (n > 0)
        memcpy (to + length, from, n);
      else
        to[length] = '?';
      length += n > 0 ? n : 1;
      from += n > 0 ? n : 1;
    }
  to[length] = '\0';
}

static Location *
get_location (uint32_t id)
{
  /* pairs with the release in add_location() */
  Location *chunk = atomic_load_explicit (&chunks[id / CHUNK], memory_order_acquire);

  return chunk == NULL ? NULL : &chunk[id % CHUNK];
}

static const char *
get_foreign_location (uint32_t id)
{
  return id < foreign->n_locations && foreign->locations[id] != NULL ? foreign->locations[id] : "";
}

const char *
plr_names_get_location (uint32_t id)
{
  Location *location = id > 0 && id < PLR_MAX_LOCATIONS ? get_location (id) : NULL;

  if (foreign != NULL)
    return get_foreign_location (id);
  /* An id reaches the recorder's thread through a ring, after its registration: the text is there. */
  return location == NULL || location->text == NULL ? "" : location->text;
}

static uint32_t
hash (const char *text)
{
  uint32_t h = 2166136261u; /* FNV-1a */

  for (; *text != '\0'; text++)
    h = (h ^ (unsigned char) *text) * 16777619u;
  return h;
}

static uint32_t
add_location (const char *text)
{
  uint32_t bucket = hash (text) % N_BUCKETS;
  Location *chunk;
  uint32_t id;
  char *copy;

  for (id = buckets[bucket]; id != 0; id = get_location (id)->next_in_bucket)
    if (strcmp (get_location (id)->text, text) == 0)
      return id;

  if (n_locations == PLR_MAX_LOCATIONS)
    return PARKLANE_LOCATION_UNKNOWN;
  id = n_locations;
  chunk = atomic_load_explicit (&chunks[id / CHUNK], memory_order_relaxed);
  if (chunk == NULL)
    chunk = calloc (CHUNK, sizeof *chunk);
  copy = strdup (text);
  if (chunk == NULL || copy == NULL)
    {
      if (atomic_load_explicit (&chunks[id / CHUNK], memory_order_relaxed) == NULL)
        free (chunk);
      free (copy);
      return PARKLANE_LOCATION_UNKNOWN;
    }

  chunk[id % CHUNK] = (Location) { .text = copy, .next_in_bucket = buckets[bucket] };
  /* pairs with the acquire in get_location() */
  atomic_store_explicit (&chunks[id / CHUNK], chunk, memory_order_release);
  buckets[bucket] = id;
  n_locations++;
  plr_shelter_add_location (id, copy);
  return id;
}

/* "file:line:column", without the parts that are 0. A text too long loses the front of its path. */
static void
format_location (char text[PLR_LOCATION_SIZE], const char *file, uint32_t line, uint32_t column)
{
  char suffix[32] = "";
  size_t length;
  size_t room;

  if (line != 0 && column != 0)
    snprintf (suffix, sizeof suffix, ":%u:%u", line, column);
  else if (line != 0)
    snprintf (suffix, sizeof suffix, ":%u", line);

  length = strlen (file);
  room = PLR_LOCATION_SIZE - 1 - strlen (suffix);
  if (length > room)
    file += length - room;
  plr_copy_utf8 (text, room + 1, file);
  strcat (text, suffix);
}

uint32_t
parklane_location_register (const char *file, uint32_t line, uint32_t column)
{
  char text[PLR_LOCATION_SIZE];
  uint32_t id;

  if (file == NULL)
    return PARKLANE_LOCATION_UNKNOWN;
  format_location (text, file, line, column);

  plr_names_lock ();
  id = add_location (text);
  plr_names_unlock ();
  return id;
}

/* First id of a block that holds neither of the ids that mean "no worker". -ENOSPC when there is none. */
static int
reserve_workers (uint32_t n_workers, uint32_t *out_first)
{
  uint32_t first = next_worker;

  if (n_workers > PARKLANE_WORKER_MAX)
    return -ENOSPC;
  if (first <= PARKLANE_WORKER_NONE && first + n_workers > 254)
    first = PARKLANE_WORKER_NONE + 1;
  if (first + n_workers - 1 > PARKLANE_WORKER_MAX)
    return -ENOSPC;

  next_worker = first + n_workers;
  *out_first = first;
  return 0;
}

static int
add_runtime (const char *name, uint32_t n_workers, uint32_t *out_first_worker)
{
  uint32_t id = atomic_load_explicit (&n_runtimes, memory_order_relaxed);
  uint32_t first = 0;
  int r;

  if (id == PLR_MAX_RUNTIMES)
    return -ENOSPC;
  r = reserve_workers (n_workers, &first);
  if (r < 0)
    return r;

  plr_copy_utf8 (runtime_names[id], sizeof runtime_names[id], name);
  runtimes[id] = (PlrRuntime) { .name = runtime_names[id], .first_worker = first, .n_workers = n_workers };
  plr_shelter_add_runtime (id, &runtimes[id]);
  /* pairs with the acquire in plr_names_get_n_runtimes() */
  atomic_store_explicit (&n_runtimes, id + 1, memory_order_release);
  if (out_first_worker != NULL)
    *out_first_worker = first;
  return (int) id;
}

int
parklane_runtime_register (const char *name, uint32_t n_workers, uint32_t *out_first_worker)
{
  int r;

  if (name == NULL)
    name = "";
  if (n_workers == 0 || strlen (name) > MAX_RUNTIME_NAME)
    return -EINVAL;

  plr_names_lock ();
  r = add_runtime (name, n_workers, out_first_worker);
  plr_names_unlock ();
  return r;
}

uint32_t
plr_names_get_n_runtimes (void)
{
  if (foreign != NULL)
    return foreign->n_runtimes;
  /* pairs with the release in add_runtime() */
  return atomic_load_explicit (&n_runtimes, memory_order_acquire);
}

PlrRuntime
plr_names_get_runtime (uint32_t id)
{
  if (id >= plr_names_get_n_runtimes ())
    return (PlrRuntime) { .name = "" };
  return foreign != NULL ? foreign->runtimes[id] : runtimes[id];
}

bool
plr_names_is_foreign (void)
{
  return foreign != NULL;
}

void
plr_names_use (const PlrForeignNames *names)
{
  foreign = names;
}

void
plr_names_tell_all (void (*location) (uint32_t id, const char *text), void (*runtime) (uint32_t id, const PlrRuntime *runtime))
{
  for (uint32_t id = 1; id < n_locations; id++)
    location (id, get_location (id)->text);
  for (uint32_t id = 0; id < atomic_load_explicit (&n_runtimes, memory_order_relaxed); id++)
    runtime (id, &runtimes[id]);
}
