/* pl-memory.c: whether the system would give more memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-memory.h"

#include <sys/mman.h>

/**
 * pl_memory_has_room:
 *
 * Asks the system for memory and gives it back. GLib ends a program that is refused even a little; who asks for more than
 * it is about to need can give something up before that, or end with a sentence. Takes a few microseconds. Any thread.
 *
 * Returns: whether that many bytes could be had
 */
gboolean
pl_memory_has_room (gsize bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED)
    return FALSE;
  munmap (memory, bytes);
  return TRUE;
}
