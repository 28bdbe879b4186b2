/* pl-follow-thread.c: follows a session in a thread of its own, and delivers snapshots
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The thread asks the files themselves, many times a second, whether they have grown. No file system has to tell it: it
 * is the same on a network, on an overlay and where there are no watches left, and costs a few calls of fstat(). A next
 * snapshot is made when the last one has been taken, so that a slow receiver is never behind by more than one.
 */
#include "config.h"

#include "pl-follow-thread.h"

/* So that an event is on screen within 100 ms: 10 until it is written, these, and what decoding and drawing take. */
#define DEFAULT_PACE_MS 30

/* After nothing has grown for IDLE_US. */
#define IDLE_PACE_MS 250
#define IDLE_US (3 * G_USEC_PER_SEC)

#define SCAN_US (1 * G_USEC_PER_SEC)

/* The active file was sealed and another one begun, perhaps: it grew a moment ago, and does not now. */
#define QUICK_SCAN_US (60 * 1000)

/* Where scans take long, as of a session of a hundred thousand segments, they get at most this share of the time. */
#define SCAN_SHARE 10

/* Snapshots that each take long to make get at most this share of the time. */
#define BUILD_SHARE 5

struct _PlFollowThread
{
  gatomicrefcount ref_count;
  PlFollowThreadFunc func; /* used, with its data, on the receiver's context only */
  gpointer user_data;
  GMainContext *context;

  GMutex lock;
  GCond wake;
  gboolean is_stopped;
  guint pace_ms;
  gint64 view_from_ns;
  gint64 view_to_ns;
  PlTrace *detail;  /* offered, not taken over yet */
  PlTrace *news;    /* on its way */
  PlFollowState news_state;

  PlFollow *follow; /* of the thread alone, as all that follows */
  PlFollowState state;
  gint64 next_scan_us;
  gint64 no_scan_before_us;
  gint64 scanned_in_us; /* the last time */
  gint64 next_build_us;
  gint64 built_in_us; /* the last snapshot */
  gint64 grown_us;
  gboolean is_dirty;
};

static void
unref (PlFollowThread *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  pl_follow_free (self->follow);
  g_clear_pointer (&self->detail, pl_trace_unref);
  g_clear_pointer (&self->news, pl_trace_unref);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->wake);
  g_free (self);
}

static gboolean
deliver (gpointer data)
{
  PlFollowThread *self = data;
  g_autoptr(PlTrace) news = NULL;
  PlFollowState state;
  gboolean is_stopped;

  g_mutex_lock (&self->lock);
  news = g_steal_pointer (&self->news);
  state = self->news_state;
  is_stopped = self->is_stopped;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
  if (!is_stopped)
    self->func (news, state, self->user_data);
  return G_SOURCE_REMOVE;
}

/* Caller holds the lock. Takes over what the receiver wants. */
static void
hear (PlFollowThread *self)
{
  g_autoptr(PlTrace) detail = g_steal_pointer (&self->detail);

  pl_follow_look_at (self->follow, self->view_from_ns, self->view_to_ns);
  g_mutex_unlock (&self->lock);
  if (detail != NULL)
    {
      pl_follow_take_detail (self->follow, detail);
      self->is_dirty = TRUE;
    }
  g_clear_pointer (&detail, pl_trace_unref);
  g_mutex_lock (&self->lock);
}

static void
look (PlFollowThread *self)
{
  gint64 now = g_get_monotonic_time ();
  gint64 took_us;
  gboolean has_grown;

  if (now >= self->next_scan_us)
    {
      self->is_dirty |= pl_follow_scan (self->follow);
      if (pl_follow_get_state (self->follow) != self->state)
        self->is_dirty = TRUE;
      self->state = pl_follow_get_state (self->follow);
      took_us = g_get_monotonic_time () - now;
      /* One that had to read a large folder may be followed at once by those that need not. */
      self->no_scan_before_us = now + SCAN_SHARE * MIN (took_us, self->scanned_in_us);
      self->scanned_in_us = took_us;
      self->next_scan_us = MAX (now + SCAN_US, self->no_scan_before_us);
    }
  has_grown = pl_follow_read (self->follow);
  if (has_grown)
    {
      self->is_dirty = TRUE;
      self->grown_us = now;
    }
  else if (now - self->grown_us < IDLE_US)
    self->next_scan_us = MIN (self->next_scan_us, MAX (now + QUICK_SCAN_US, self->no_scan_before_us));
}

static void
publish (PlFollowThread *self)
{
  gint64 begin = g_get_monotonic_time ();
  PlTrace *trace = pl_follow_build (self->follow);
  gint64 end = g_get_monotonic_time ();
  g_autoptr(GSource) source = g_idle_source_new ();

  self->is_dirty = FALSE;
  /* One that was made of everything anew may be followed at once by those that are not. */
  self->next_build_us = end + (BUILD_SHARE - 1) * MIN (end - begin, self->built_in_us);
  self->built_in_us = end - begin;
  g_mutex_lock (&self->lock);
  self->news = trace;
  self->news_state = self->state;
  g_atomic_ref_count_inc (&self->ref_count);
  g_mutex_unlock (&self->lock);
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, deliver, self, (GDestroyNotify) unref);
  g_source_attach (source, self->context);
}

/* Caller holds the lock. Until the next look, or until somebody wants something. */
static void
rest (PlFollowThread *self, gint64 begun_us)
{
  gint64 now = g_get_monotonic_time ();
  gboolean is_idle = now - self->grown_us > IDLE_US;
  guint pace_ms = is_idle && self->pace_ms < IDLE_PACE_MS ? IDLE_PACE_MS : self->pace_ms;
  gint64 until = begun_us + (gint64) pace_ms * 1000;

  while (!self->is_stopped && self->detail == NULL && g_get_monotonic_time () < until)
    if (!g_cond_wait_until (&self->wake, &self->lock, until))
      break;
}

static gpointer
follow (gpointer data)
{
  PlFollowThread *self = data;

  g_mutex_lock (&self->lock);
  while (!self->is_stopped)
    {
      gint64 begun_us = g_get_monotonic_time ();
      gboolean is_taken = self->news == NULL;

      hear (self);
      g_mutex_unlock (&self->lock);
      look (self);
      if (self->is_dirty && is_taken && g_get_monotonic_time () >= self->next_build_us)
        publish (self);
      g_mutex_lock (&self->lock);
      rest (self, begun_us);
    }
  g_mutex_unlock (&self->lock);
  unref (self);
  return NULL;
}

/**
 * pl_follow_thread_start:
 * @follow: (transfer full): what to follow
 * @func: is given the snapshots, on the current thread-default main context
 *
 * Begins to follow.
 *
 * Returns: (transfer full) (nullable): end it with pl_follow_thread_stop(); %NULL when no thread is to be had
 */
PlFollowThread *
pl_follow_thread_start (PlFollow *session, PlFollowThreadFunc func, gpointer user_data)
{
  PlFollowThread *self = g_new0 (PlFollowThread, 1);
  GThread *thread;

  g_atomic_ref_count_init (&self->ref_count);
  g_atomic_ref_count_inc (&self->ref_count);
  self->func = func;
  self->user_data = user_data;
  self->context = g_main_context_ref_thread_default ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
  self->pace_ms = DEFAULT_PACE_MS;
  self->follow = session;
  self->state = pl_follow_get_state (session);
  self->grown_us = g_get_monotonic_time ();
  thread = g_thread_try_new ("follow", follow, self, NULL);
  if (thread == NULL)
    {
      unref (self);
      unref (self);
      return NULL;
    }
  g_thread_unref (thread);
  return self;
}

/**
 * pl_follow_thread_stop:
 * @self: (transfer full): what pl_follow_thread_start() gave
 *
 * Ends it, on the thread that began it, and without waiting: the thread may be held up by a disk. Nothing is delivered
 * any more.
 */
void
pl_follow_thread_stop (PlFollowThread *self)
{
  g_mutex_lock (&self->lock);
  self->is_stopped = TRUE;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
  unref (self);
}

/**
 * pl_follow_thread_set_pace:
 * @interval_ms: how often to look; 0 for often enough that events are seen as they happen
 *
 * Says how fresh snapshots have to be.
 */
void
pl_follow_thread_set_pace (PlFollowThread *self, guint interval_ms)
{
  g_mutex_lock (&self->lock);
  self->pace_ms = interval_ms > 0 ? interval_ms : DEFAULT_PACE_MS;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

/**
 * pl_follow_thread_look_at:
 * @from_ns: start of the view
 * @to_ns: its end
 *
 * As pl_follow_look_at().
 */
void
pl_follow_thread_look_at (PlFollowThread *self, gint64 from_ns, gint64 to_ns)
{
  g_mutex_lock (&self->lock);
  self->view_from_ns = from_ns;
  self->view_to_ns = to_ns;
  g_mutex_unlock (&self->lock);
}

/**
 * pl_follow_thread_offer_detail:
 * @trace: as for pl_follow_take_detail()
 *
 * Passes on detail, which the next snapshot will have.
 */
void
pl_follow_thread_offer_detail (PlFollowThread *self, PlTrace *trace)
{
  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->detail, pl_trace_unref);
  self->detail = pl_trace_ref (trace);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}
