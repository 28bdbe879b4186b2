/* wake.h: waking the recorder's thread before its time
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_WAKE_H
#define PLR_WAKE_H

#include <stdint.h>

/* Ends the wait that is going on, or the next one. Any thread; at most one futex call, and none when the
 * recorder's thread is not waiting. */
void plr_wake_drain (void);

/* Waits for plr_wake_drain() or @timeout_ns. Only the recorder's thread. */
void plr_wake_wait (uint64_t timeout_ns);

#endif /* PLR_WAKE_H */
