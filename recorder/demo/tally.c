/* tally.c: counts polls and prints the demo's last line
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "tally.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct
{
  const char *name;
  uint64_t ns;
} limits[TALLY_N_LIMITS] = {
  { "1ms", 1000000 },
  { "5ms", 5000000 },
  { "40ms", 40000000 },
  { "100ms", 100000000 },
};

void
tally_poll (Tally *self, uint64_t duration_ns)
{
  self->n_polls++;
  if (duration_ns > self->longest_ns)
    self->longest_ns = duration_ns;
  for (unsigned i = 0; i < TALLY_N_LIMITS && duration_ns >= limits[i].ns; i++)
    self->at_least[i]++;
}

Tally *
tally_new_array (const char *log, unsigned n)
{
  int fd = log == NULL ? -1 : open (log, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
  void *memory;

  if (log != NULL && (fd < 0 || ftruncate (fd, (off_t) (n * sizeof (Tally))) < 0))
    return NULL;
  memory = mmap (NULL, n * sizeof (Tally), PROT_READ | PROT_WRITE, MAP_SHARED | (log == NULL ? MAP_ANONYMOUS : 0), fd, 0);
  if (fd >= 0)
    (void) close (fd); /* the mapping holds it */
  return memory == MAP_FAILED ? NULL : memory;
}

void
tally_add (Tally *self, const Tally *other)
{
  self->n_polls += other->n_polls;
  if (other->longest_ns > self->longest_ns)
    self->longest_ns = other->longest_ns;
  for (unsigned i = 0; i < TALLY_N_LIMITS; i++)
    self->at_least[i] += other->at_least[i];
  self->n_spawned += other->n_spawned;
  self->n_terminated += other->n_terminated;
  self->n_recorded += other->n_recorded;
}

void
tally_print (const Tally *total, const Tally *workers, unsigned n_workers, uint64_t n_dropped)
{
  printf ("{\"polls\":%" PRIu64 ",\"polls_per_worker\":[", total->n_polls);
  for (unsigned i = 0; i < n_workers; i++)
    printf ("%s%" PRIu64, i == 0 ? "" : ",", workers[i].n_polls);
  printf ("],\"longest_poll_ns\":%" PRIu64 ",\"at_least\":{", total->longest_ns);
  for (unsigned i = 0; i < TALLY_N_LIMITS; i++)
    printf ("%s\"%s\":%" PRIu64, i == 0 ? "" : ",", limits[i].name, total->at_least[i]);
  printf ("},\"spawned\":%" PRIu64 ",\"terminated\":%" PRIu64 ",\"recorded_events\":%" PRIu64
          ",\"dropped_events\":%" PRIu64 "}\n",
          total->n_spawned, total->n_terminated, total->n_recorded, n_dropped);
}
