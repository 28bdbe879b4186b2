/* thread.h: which threads record, and where their rings are
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_THREAD_H
#define PLR_THREAD_H

#include "ring.h"

/* 1 while events are taken. Read by every recording call. */
extern _Atomic uint32_t plr_recording;

/* Sets it, and the copy that callers look at: that one may lie in the program, where this library takes longer to reach. */
void plr_thread_set_recording (bool is_recording);

/* The calling thread's ring, or NULL. Initial-exec: one load, no call into the dynamic linker. */
extern __thread PlrRing *plr_thread_ring __attribute__ ((tls_model ("initial-exec")));

/* Attaches the calling thread as no worker, for its first event. NULL when memory is refused or the
 * thread is ending; the event is then counted as dropped. */
PlrRing *plr_thread_attach_first (void);

/* Asks all threads whose rings are not in the shelter to move there at their next event. One that is in the middle of an
 * event may miss it: to be repeated. */
void plr_thread_call (void);

/* The calling thread's ring is @ring, and its time stands still: it may have been called, and moves if there is room. The
 * ring that it has now. Cold. */
PlrRing *plr_thread_settle (PlrRing *ring);

/* First of all rings ever made; follow `next`. Rings are reused and never freed, so the list needs no lock. */
PlrRing *plr_thread_get_rings (void);

/* Threads that have a ring. */
uint32_t plr_thread_count_attached (void);

/* Events lost so far because their thread had no ring. */
uint64_t plr_thread_get_n_refused (void);

/* Installs the fork handlers, once. */
int plr_thread_init (void);

/* Lets the next attaching thread's memory be refused; for tests. */
void plr_thread_refuse_memory (bool refuse);

#endif /* PLR_THREAD_H */
