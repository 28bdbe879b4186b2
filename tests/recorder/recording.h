/* recording.h: a session in a directory of its own, for tests that record through the public calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef RECORDING_H
#define RECORDING_H

#include <glib.h>
#include <sys/types.h>
#include <time.h>

#include "parklane-recorder.h"

typedef struct
{
  char *dir;
  ParklaneConfig config;
} Recording;

/* The defaults, to @dir with the prefix "app", not compressed: files keep the names that tests know. */
void init_config (ParklaneConfig *config, const char *dir);

/* Makes the directory and configures a session for it; removes it. The test starts and stops. */
void             recording_set_up    (Recording *self, gconstpointer data);
void             recording_tear_down (Recording *self, gconstpointer data);
ParklaneRecorder *recording_start    (Recording *self);

/* Records polls, two events each, in the calling thread; of tasks with a spawn location. */
void            record_polls         (guint n_polls);
void            record_located_polls (guint n_polls);
ParklaneMetrics get_metrics          (void);

/* Shared memory segments that a process has made since @begin_s: a number may have been another's before. */
guint count_shared_memory (pid_t pid, time_t begin_s);

#ifdef __SANITIZE_THREAD__
#define SKIP_WITHOUT_FORK                                                                        \
  g_test_skip ("not under the thread sanitizer, which lets no child of a fork start a thread"); \
  return
#else
#define SKIP_WITHOUT_FORK
#endif

#endif /* RECORDING_H */
