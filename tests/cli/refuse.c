/* refuse.c: a system that refuses something, for a program that is started with this library before all others
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PARKLANE_REFUSE names what: threads, contexts (of zstd), mappings, large (blocks of memory of 32 KiB and more), aligned
 * (ones of them). PARKLANE_REFUSE_FROM says which call is the first that is refused, from 1 on; so are all later ones.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <zstd.h>

/* Smaller ones a program cannot do without, and GLib ends it. */
#define LARGE_SIZE (32 * 1024)

static atomic_int n_calls;

static bool
refuses (const char *what)
{
  const char *refused = getenv ("PARKLANE_REFUSE");
  const char *from = getenv ("PARKLANE_REFUSE_FROM");

  return refused != NULL && from != NULL && strcmp (refused, what) == 0
         && atomic_fetch_add_explicit (&n_calls, 1, memory_order_relaxed) + 1 >= atoi (from);
}

/* Function pointers and dlsym()'s result have one representation wherever this is built. */
static void
find (void *function, const char *name)
{
  void *found = dlsym (RTLD_NEXT, name);

  memcpy (function, &found, sizeof found);
}

int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*function) (void *), void *data)
{
  int (*real) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);

  if (refuses ("threads"))
    return EAGAIN;
  find (&real, "pthread_create");
  return real (thread, attributes, function, data);
}

ZSTD_DCtx *
ZSTD_createDCtx (void)
{
  ZSTD_DCtx *(*real) (void);

  if (refuses ("contexts"))
    return NULL;
  find (&real, "ZSTD_createDCtx");
  return real ();
}

void *
mmap (void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
  void *(*real) (void *, size_t, int, int, int, off_t);

  if (fd < 0 && refuses ("mappings"))
    {
      errno = ENOMEM;
      return MAP_FAILED;
    }
  find (&real, "mmap");
  return real (address, size, protection, flags, fd, offset);
}

/* The C library's own names: what finds these functions may ask them for memory. */
extern void *__libc_malloc (size_t size);
extern void *__libc_realloc (void *memory, size_t size);

void *
malloc (size_t size)
{
  if (size >= LARGE_SIZE && refuses ("large"))
    {
      errno = ENOMEM;
      return NULL;
    }
  return __libc_malloc (size);
}

void *
realloc (void *memory, size_t size)
{
  if (size >= LARGE_SIZE && refuses ("large"))
    {
      errno = ENOMEM;
      return NULL;
    }
  return __libc_realloc (memory, size);
}

int
posix_memalign (void **memory, size_t alignment, size_t size)
{
  int (*real) (void **, size_t, size_t);

  if (size >= LARGE_SIZE && refuses ("aligned"))
    return ENOMEM;
  find (&real, "posix_memalign");
  return real (memory, alignment, size);
}
