/* pl-slab.c: memory for blocks, many to a mapping
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decoding touches more than half a byte of new memory for each byte that it reads, and asking the kernel for one page
 * of it after the other takes a third of its time. A slab is asked for as a whole: as one huge page where the system has
 * one at hand, else as many small ones in one call. What lies in a slab keeps it; blocks that were decoded one after the
 * other go together, so little is kept for the sake of a neighbour.
 */
#include "config.h"

#include "pl-slab.h"

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* A huge page of all common processors. */
#define SLAB_SIZE (2 * 1024 * 1024)

/* A thread begins with less, and each of its slabs is larger than the one before: many decode but little. */
#define FIRST_SLAB_SIZE (64 * 1024)
#define SLAB_GROWTH 4

/* Clearing a huge page takes a tenth of a millisecond, populating the same with small ones a half. Where it takes the
 * processor this long the kernel moves other memory out of the way first, which costs more than a huge page saves. */
#define MAX_HUGE_NS 1500000

/* The leak checker does not look into mappings, and takes for lost what only blocks there refer to. */
#ifdef __has_feature
#if __has_feature (address_sanitizer)
#define MIN_MAPPED_SIZE G_MAXSIZE
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define MIN_MAPPED_SIZE G_MAXSIZE
#endif
#ifndef MIN_MAPPED_SIZE
#define MIN_MAPPED_SIZE SLAB_SIZE
#endif

typedef struct
{
  gpointer address;
  gsize size;
} Mapping;

typedef struct
{
  GBytes *bytes;    /* NULL: none yet */
  Mapping *mapping; /* (nullable): of @bytes */
  guint8 *free;
  gsize left;
  gsize next_size;
} Slab;

static int huge_pages_are_slow;

static void
slab_free (gpointer data)
{
  Slab *self = data;

  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self);
}

static GPrivate slab_of_thread = G_PRIVATE_INIT (slab_free);

static void
unmap (gpointer data)
{
  Mapping *mapping = data;

  munmap (mapping->address, mapping->size);
  g_free (mapping);
}

/* NULL when the system refuses. */
static guint8 *
map_aligned (gsize size)
{
  guint8 *mapped = mmap (NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  gsize before;

  if (mapped == MAP_FAILED)
    return NULL;
  before = -(gsize) mapped & (size - 1);
  if (before > 0)
    munmap (mapped, before);
  munmap (mapped + before + size, size - before);
  return mapped + before;
}

/* Other threads may run meanwhile, which is not to count. */
static gint64
get_cpu_ns (void)
{
  struct timespec now = { 0 };

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_GINT64_CONSTANT (1000000000) + now.tv_nsec;
}

static void
populate (guint8 *memory)
{
  gint64 began_ns = get_cpu_ns ();
  gboolean wants_huge = !g_atomic_int_get (&huge_pages_are_slow);

  if (wants_huge)
    madvise (memory, SLAB_SIZE, MADV_HUGEPAGE);
#ifdef MADV_POPULATE_WRITE
  /* Not known to kernels before 5.14: pages then come one by one. */
  madvise (memory, SLAB_SIZE, MADV_POPULATE_WRITE);
#else
  memory[0] = 0;
#endif
  if (wants_huge && get_cpu_ns () - began_ns > MAX_HUGE_NS)
    g_atomic_int_set (&huge_pages_are_slow, 1);
}

/* NULL when the system refuses. */
static guint8 *
make_slab (gsize size, GBytes **out_bytes, Mapping **out_mapping)
{
  guint8 *memory;

  *out_mapping = NULL;
  if (size < MIN_MAPPED_SIZE)
    {
      memory = g_try_malloc (size);
      *out_bytes = memory != NULL ? g_bytes_new_take (memory, size) : NULL;
      return memory;
    }
  memory = map_aligned (size);
  if (memory == NULL)
    return NULL;
  populate (memory);
  *out_mapping = g_new (Mapping, 1);
  **out_mapping = (Mapping) { memory, size };
  *out_bytes = g_bytes_new_with_free_func (memory, size, unmap, *out_mapping);
  return memory;
}

static Slab *
get_slab (void)
{
  Slab *self = g_private_get (&slab_of_thread);

  if (self == NULL)
    {
      self = g_new0 (Slab, 1);
      self->next_size = FIRST_SLAB_SIZE;
      g_private_set (&slab_of_thread, self);
    }
  return self;
}

/* Goes on to a new slab, which has room for @size. Returns FALSE when the system refuses. */
static gboolean
renew (Slab *self, gsize size)
{
  Mapping *mapping;
  GBytes *bytes;
  guint8 *memory;

  while (self->next_size < size)
    self->next_size *= SLAB_GROWTH;
  self->next_size = MIN (self->next_size, SLAB_SIZE);
  memory = make_slab (self->next_size, &bytes, &mapping);
  if (memory == NULL)
    return FALSE;
  g_clear_pointer (&self->bytes, g_bytes_unref);
  self->bytes = bytes;
  self->mapping = mapping;
  self->free = memory;
  self->left = self->next_size;
  self->next_size = MIN (self->next_size * SLAB_GROWTH, SLAB_SIZE);
  return TRUE;
}

/**
 * pl_slab_alloc:
 * @size: bytes, a small part of 2 MiB
 * @out_memory: (out) (transfer full) (nullable): what to release when the memory is no longer needed, from any thread;
 *   %NULL when it is to be given to g_free()
 *
 * Memory that lies beside what the calling thread was given before. Its bytes have any value.
 *
 * Returns: memory, aligned for all types of up to 8 bytes
 */
gpointer
pl_slab_alloc (gsize size, GBytes **out_memory)
{
  Slab *self = get_slab ();
  gsize rounded = (size + 7) & ~(gsize) 7;
  gpointer memory;

  if (rounded > SLAB_SIZE / 4 || (self->left < rounded && !renew (self, rounded)))
    {
      *out_memory = NULL;
      return g_malloc (size);
    }
  memory = self->free;
  self->free += rounded;
  self->left -= rounded;
  *out_memory = g_bytes_ref (self->bytes);
  return memory;
}

/**
 * pl_slab_end:
 *
 * What the calling thread is given from now on lies in no slab with what it was given before; what is left of the last
 * one goes back to the system. For memory that does not go together with what follows.
 */
void
pl_slab_end (void)
{
  Slab *self = get_slab ();
  gsize whole = self->left / (gsize) getpagesize () * (gsize) getpagesize ();

  if (self->mapping != NULL && whole > 0)
    {
      self->mapping->size -= whole;
      munmap ((guint8 *) self->mapping->address + self->mapping->size, whole);
    }
  g_clear_pointer (&self->bytes, g_bytes_unref);
  self->mapping = NULL;
  self->left = 0;
}
