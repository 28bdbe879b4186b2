/* places.h: places in the host's program, known by address until the recorder's thread asks for their text
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_PLACES_H
#define PLR_PLACES_H

#include <stdbool.h>
#include <stdint.h>

/* A location with this bit is the number of a place that had no text yet when it was recorded. */
#define PLR_PLACE_BIT (UINT32_C (1) << 31)

/* Location of the place at @address: from parklane_location_register() once the recorder's thread has named it, until then
 * with PLR_PLACE_BIT. PARKLANE_LOCATION_UNKNOWN for NULL, and when there are too many. Hot path. */
uint32_t plr_places_find (const void *address);

/* The registered location of a place, named now if it has no text yet. May allocate: the recorder's threads. */
uint32_t plr_places_name (uint32_t location);

/* Whether any place was ever found, so that whoever has none pays nothing. */
bool plr_places_is_used (void);

#endif /* PLR_PLACES_H */
