/* glib-order.c: tells ThreadSanitizer in which order GLib's primitives put memory accesses.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GLib is not instrumented and its locks are futexes, so the sanitizer sees neither a lock nor a hand-over and takes
 * everything that they order for a race. This library is preloaded into the tests of a thread-sanitized build: it puts
 * itself before the functions that Parklane calls, announces the order and calls the real one. Programs that are not
 * instrumented run with it too and announce nothing.
 */
#include <dlfcn.h>
#include <gio/gio.h>

void __tsan_acquire (void *address) __attribute__ ((weak));
void __tsan_release (void *address) __attribute__ ((weak));

/* What the program would have called without this library; looked up once. */
#define REAL(name) \
  ({ \
    static __typeof__ (&name) real; \
    if (real == NULL) \
      real = (__typeof__ (&name)) real_function (#name); \
    real; \
  })

static void *
real_function (const char *name)
{
  void *function = dlsym (RTLD_NEXT, name);

  g_assert (function != NULL);
  return function;
}

static void
acquire (void *address)
{
  if (__tsan_acquire != NULL)
    __tsan_acquire (address);
}

static void
release (void *address)
{
  if (__tsan_release != NULL)
    __tsan_release (address);
}

#define EXPORT __attribute__ ((visibility ("default")))

EXPORT void
g_mutex_lock (GMutex *mutex)
{
  REAL (g_mutex_lock) (mutex);
  acquire (mutex);
}

EXPORT void
g_mutex_unlock (GMutex *mutex)
{
  release (mutex);
  REAL (g_mutex_unlock) (mutex);
}

EXPORT void
g_cond_wait (GCond  *cond,
             GMutex *mutex)
{
  release (mutex);
  REAL (g_cond_wait) (cond, mutex);
  acquire (mutex);
}

EXPORT gboolean
g_cond_wait_until (GCond  *cond,
                   GMutex *mutex,
                   gint64  end_time)
{
  gboolean signalled;

  release (mutex);
  signalled = REAL (g_cond_wait_until) (cond, mutex, end_time);
  acquire (mutex);
  return signalled;
}

EXPORT gboolean
(g_atomic_ref_count_dec) (gatomicrefcount *count)
{
  gboolean is_last;

  release (count);
  is_last = REAL (g_atomic_ref_count_dec) (count);
  if (is_last)
    acquire (count);
  return is_last;
}

/* Who drops the last reference finalizes the object, after all that others did with it. */
EXPORT void
g_object_unref (gpointer object)
{
  release (object);
  acquire (object);
  REAL (g_object_unref) (object);
}

EXPORT void
g_async_queue_push (GAsyncQueue *queue,
                    gpointer     data)
{
  release (queue);
  REAL (g_async_queue_push) (queue, data);
}

EXPORT gpointer
g_async_queue_pop (GAsyncQueue *queue)
{
  gpointer data = REAL (g_async_queue_pop) (queue);

  acquire (queue);
  return data;
}

/* A pool's work follows its push, and what waits for the pool follows its work. A pool lives as long as the program
 * runs it, so its entry here is never freed. */
typedef struct
{
  GFunc func;
  gpointer data;
} Work;

static char pool_order;

static void
work_run (gpointer item,
          gpointer data)
{
  Work *work = data;

  acquire (&pool_order);
  work->func (item, work->data);
  release (&pool_order);
}

EXPORT GThreadPool *
g_thread_pool_new (GFunc    func,
                   gpointer data,
                   int      max_threads,
                   gboolean exclusive,
                   GError **error)
{
  Work *work = g_new (Work, 1);

  *work = (Work) { func, data };
  return REAL (g_thread_pool_new) (work_run, work, max_threads, exclusive, error);
}

EXPORT gboolean
g_thread_pool_push (GThreadPool *pool,
                    gpointer     item,
                    GError     **error)
{
  release (&pool_order);
  return REAL (g_thread_pool_push) (pool, item, error);
}

EXPORT void
g_thread_pool_free (GThreadPool *pool,
                    gboolean     immediate,
                    gboolean     wait)
{
  REAL (g_thread_pool_free) (pool, immediate, wait);
  if (wait)
    acquire (&pool_order);
}

/* A function that runs later, perhaps in another thread, and sees what was written before it was handed over. */
typedef struct
{
  GSourceFunc func;
  gpointer data;
  GDestroyNotify destroy;
} Call;

static Call *
call_new (GSourceFunc    func,
          gpointer       data,
          GDestroyNotify destroy)
{
  Call *call = g_new (Call, 1);

  *call = (Call) { func, data, destroy };
  release (call);
  return call;
}

static gboolean
call_run (gpointer data)
{
  Call *call = data;

  acquire (call);
  return call->func (call->data);
}

static void
call_free (gpointer data)
{
  Call *call = data;

  acquire (call);
  if (call->destroy != NULL)
    call->destroy (call->data);
  g_free (call);
}

EXPORT guint
g_idle_add_full (gint           priority,
                 GSourceFunc    function,
                 gpointer       data,
                 GDestroyNotify notify)
{
  return REAL (g_idle_add_full) (priority, call_run, call_new (function, data, notify), call_free);
}

EXPORT void
g_main_context_invoke_full (GMainContext  *context,
                            gint           priority,
                            GSourceFunc    function,
                            gpointer       data,
                            GDestroyNotify notify)
{
  REAL (g_main_context_invoke_full) (context, priority, call_run, call_new (function, data, notify), call_free);
}

static void
task_run (GTask        *task,
          gpointer      source,
          gpointer      task_data,
          GCancellable *cancellable)
{
  GTaskThreadFunc func;

  acquire (task);
  func = (GTaskThreadFunc) g_object_get_data (G_OBJECT (task), "glib-order-func");
  func (task, source, task_data, cancellable);
}

EXPORT void
g_task_run_in_thread (GTask          *task,
                      GTaskThreadFunc task_func)
{
  g_object_set_data (G_OBJECT (task), "glib-order-func", (gpointer) task_func);
  release (task);
  REAL (g_task_run_in_thread) (task, task_run);
}

EXPORT void
g_task_return_pointer (GTask         *task,
                       gpointer       result,
                       GDestroyNotify result_destroy)
{
  release (task);
  REAL (g_task_return_pointer) (task, result, result_destroy);
}

EXPORT void
g_task_return_error (GTask  *task,
                     GError *error)
{
  release (task);
  REAL (g_task_return_error) (task, error);
}

EXPORT gpointer
g_task_propagate_pointer (GTask   *task,
                          GError **error)
{
  acquire (task);
  return REAL (g_task_propagate_pointer) (task, error);
}
