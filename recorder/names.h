/* names.h: spawn locations and runtimes of the process, by number
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_NAMES_H
#define PLR_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLR_LOCATION_SIZE 512 /* longest text of a location, with its NUL; longer ones are cut at the front */
#define PLR_MAX_LOCATIONS 65536
#define PLR_MAX_RUNTIMES 64

/* Text of a location, "" for an unknown id. Never NULL, valid for ever. Any thread, no lock. */
const char *plr_names_get_location (uint32_t id);

typedef struct
{
  const char *name; /* "" when unnamed */
  uint32_t first_worker;
  uint32_t n_workers;
} PlrRuntime;

/* Any thread, no lock. */
uint32_t plr_names_get_n_runtimes (void);
PlrRuntime plr_names_get_runtime (uint32_t id); /* all zero and "" for an unknown id */

/* Names of another process, in place of this one's while its events are encoded. */
typedef struct
{
  const char *const *locations; /* by id; NULL: unknown */
  uint32_t n_locations;
  const PlrRuntime *runtimes;
  uint32_t n_runtimes;
} PlrForeignNames;

/* NULL: this process's again. The functions above only; nothing else may encode meanwhile. */
void plr_names_use (const PlrForeignNames *names);
bool plr_names_is_foreign (void);

/* Calls for all that is registered. Under the lock. */
void plr_names_tell_all (void (*location) (uint32_t id, const char *text),
                         void (*runtime) (uint32_t id, const PlrRuntime *runtime));

/* Holds the registry across a fork. */
void plr_names_lock (void);
void plr_names_unlock (void);

/* Copies a string as valid UTF-8 of at most @size - 1 bytes: what is not becomes '?'. */
void plr_copy_utf8 (char *to, size_t size, const char *from);

#endif /* PLR_NAMES_H */
