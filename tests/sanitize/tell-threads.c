/* tell-threads.c: preloaded in a build with -Db_sanitize=thread: what GLib's locks and queues order
 *
 * ThreadSanitizer sees what instrumented code and the functions of libpthread do. A distribution's
 * GLib is neither: its locks are futexes of its own, and all that they protect would be reported.
 * What is called here by the name of a function of GLib's calls that function, and says what comes
 * before what. An order is said only where GLib promises one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <dlfcn.h>
#include <gio/gio.h>

/* ThreadSanitizer's; programs of the tests that are not instrumented have none. */
void __tsan_acquire (void *address) __attribute__ ((weak));
void __tsan_release (void *address) __attribute__ ((weak));

static void
acquire (gpointer address)
{
  if (__tsan_acquire && address)
    __tsan_acquire (address);
}

static void
release (gpointer address)
{
  if (__tsan_release && address)
    __tsan_release (address);
}

/* The function of GLib's of the name of the one that asks. */
#define REAL(name)                                                                                 \
  ({                                                                                               \
    static __typeof__ (&(name)) real;                                                              \
    __typeof__ (&(name)) found = __atomic_load_n (&real, __ATOMIC_RELAXED);                        \
                                                                                                   \
    if (!found) {                                                                                  \
      found = (__typeof__ (&(name))) dlsym (RTLD_NEXT, #name);                                     \
      __atomic_store_n (&real, found, __ATOMIC_RELAXED);                                           \
    }                                                                                              \
    found;                                                                                         \
  })

/* ---- locks ---- */

#define LOCK(type, lock)                                                                           \
  void (lock) (type * self)                                                                        \
  {                                                                                                \
    REAL (lock) (self);                                                                            \
    acquire (self);                                                                                \
  }
#define TRYLOCK(type, trylock)                                                                     \
  gboolean (trylock) (type * self)                                                                 \
  {                                                                                                \
    gboolean ok = REAL (trylock) (self);                                                           \
                                                                                                   \
    if (ok)                                                                                        \
      acquire (self);                                                                              \
    return ok;                                                                                     \
  }
#define UNLOCK(type, unlock)                                                                       \
  void (unlock) (type * self)                                                                      \
  {                                                                                                \
    release (self);                                                                                \
    REAL (unlock) (self);                                                                          \
  }

LOCK (GMutex, g_mutex_lock)
TRYLOCK (GMutex, g_mutex_trylock)
UNLOCK (GMutex, g_mutex_unlock)
LOCK (GRecMutex, g_rec_mutex_lock)
TRYLOCK (GRecMutex, g_rec_mutex_trylock)
UNLOCK (GRecMutex, g_rec_mutex_unlock)

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  release (mutex);
  REAL (g_cond_wait) (cond, mutex);
  acquire (mutex);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean ok;

  release (mutex);
  ok = REAL (g_cond_wait_until) (cond, mutex, end_time);
  acquire (mutex);
  return ok;
}

gboolean (g_once_init_enter) (volatile void *location)
{
  gboolean is_first = REAL (g_once_init_enter) (location);

  acquire ((gpointer) location);
  return is_first;
}

/* Later ones read the location, and call nothing. */
void (g_once_init_leave) (volatile void *location, gsize result)
{
  release ((gpointer) location);
  REAL (g_once_init_leave) (location, result);
  __atomic_store_n ((volatile gsize *) location, result, __ATOMIC_SEQ_CST);
}

typedef struct {
  GOnce *once;
  GThreadFunc func;
  gpointer data;
} Once;

/* Said before the status is written, which others then read and call nothing. */
static gpointer
run_once (gpointer data)
{
  const Once *self = data;
  gpointer result = self->func (self->data);

  release ((gpointer) &self->once->status);
  return result;
}

gpointer
g_once_impl (GOnce *once, GThreadFunc func, gpointer data)
{
  Once said = { once, func, data };
  gpointer result = REAL (g_once_impl) (once, run_once, &said);

  acquire ((gpointer) &once->status);
  return result;
}

/* ---- queues, pools and tasks ---- */

void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  release (queue);
  REAL (g_async_queue_push) (queue, data);
}

#define POP(pop, type, ...)                                                                        \
  {                                                                                                \
    gpointer data = REAL (pop) (__VA_ARGS__);                                                      \
                                                                                                   \
    acquire (queue);                                                                               \
    return data;                                                                                   \
  }

gpointer
g_async_queue_pop (GAsyncQueue *queue) POP (g_async_queue_pop, gpointer, queue)

    gpointer g_async_queue_try_pop (GAsyncQueue *queue) POP (g_async_queue_try_pop, gpointer, queue)

        gpointer g_async_queue_timeout_pop (GAsyncQueue *queue, guint64 timeout)
            POP (g_async_queue_timeout_pop, gpointer, queue, timeout)

                typedef struct {
  GFunc func;
  gpointer data;
} Pooled;

static void
run_pooled (gpointer data, gpointer user_data)
{
  Pooled *self = user_data;

  acquire (self);
  self->func (data, self->data);
  release (self);
}

/* A pool is kept for what it says: there are few. */
static GPtrArray *pools;
G_LOCK_DEFINE_STATIC (pools);

GThreadPool *
g_thread_pool_new (GFunc func, gpointer user_data, int max_threads, gboolean exclusive,
                   GError **error)
{
  Pooled *self = g_new (Pooled, 1);

  *self = (Pooled){ func, user_data };
  release (self);
  G_LOCK (pools);
  if (!pools)
    pools = g_ptr_array_new ();
  g_ptr_array_add (pools, self);
  G_UNLOCK (pools);
  return REAL (g_thread_pool_new) (run_pooled, self, max_threads, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer data, GError **error)
{
  release (pool->user_data);
  return REAL (g_thread_pool_push) (pool, data, error);
}

void
g_thread_pool_free (GThreadPool *pool, gboolean immediate, gboolean wait)
{
  gpointer said = pool->user_data;

  REAL (g_thread_pool_free) (pool, immediate, wait);
  if (wait)
    acquire (said);
}

static const char *const task_key = "tell-threads";

static void
run_task (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GTaskThreadFunc func;

  acquire (task);
  func = *(GTaskThreadFunc *) g_object_get_data (G_OBJECT (task), task_key);
  func (task, source, data, cancellable);
  release (task);
}

void
g_task_run_in_thread (GTask *task, GTaskThreadFunc func)
{
  g_object_set_data_full (G_OBJECT (task), task_key, g_memdup2 (&func, sizeof func), g_free);
  release (task);
  REAL (g_task_run_in_thread) (task, run_task);
}

#define RETURN(name, type)                                                                         \
  void name (GTask *task, type result)                                                             \
  {                                                                                                \
    release (task);                                                                                \
    REAL (name) (task, result);                                                                    \
  }

RETURN (g_task_return_boolean, gboolean)
RETURN (g_task_return_int, gssize)
RETURN (g_task_return_error, GError *)

void
g_task_return_pointer (GTask *task, gpointer result, GDestroyNotify notify)
{
  release (task);
  REAL (g_task_return_pointer) (task, result, notify);
}

#define PROPAGATE(name, type)                                                                      \
  type name (GTask *task, GError **error)                                                          \
  {                                                                                                \
    acquire (task);                                                                                \
    return REAL (name) (task, error);                                                              \
  }

PROPAGATE (g_task_propagate_boolean, gboolean)
PROPAGATE (g_task_propagate_int, gssize)
PROPAGATE (g_task_propagate_pointer, gpointer)

/* ---- what another thread's loop is to do ---- */

static char added;
/* Held until a source is added: GLib frees it in the turn in which it ran, which may be before the
 * thread that added it goes on. */
G_LOCK_DEFINE_STATIC (adding);

typedef struct {
  GSourceFunc func;
  gpointer data;
  GDestroyNotify notify;
} Idle;

static gboolean
run_idle (gpointer data)
{
  Idle *self = data;

  acquire (self);
  G_LOCK (adding);
  acquire (&added);
  G_UNLOCK (adding);
  return self->func (self->data);
}

static void
free_idle (gpointer data)
{
  Idle *self = data;

  acquire (self);
  if (self->notify)
    self->notify (self->data);
  g_free (self);
}

guint
g_idle_add_full (int priority, GSourceFunc func, gpointer data, GDestroyNotify notify)
{
  Idle *self = g_new (Idle, 1);
  guint id;

  *self = (Idle){ func, data, notify };
  release (self);
  G_LOCK (adding);
  id = REAL (g_idle_add_full) (priority, run_idle, self, free_idle);
  release (&added);
  G_UNLOCK (adding);
  return id;
}

/* Sources that others added meanwhile are freed in it. */
gboolean
g_main_context_iteration (GMainContext *context, gboolean may_block)
{
  acquire (&added);
  return REAL (g_main_context_iteration) (context, may_block);
}

void
g_cancellable_cancel (GCancellable *cancellable)
{
  release (cancellable);
  REAL (g_cancellable_cancel) (cancellable);
}

gboolean
g_cancellable_is_cancelled (GCancellable *cancellable)
{
  gboolean is_cancelled = REAL (g_cancellable_is_cancelled) (cancellable);

  acquire (cancellable);
  return is_cancelled;
}

/* ---- what is looked up once, by whoever asks first ---- */

#define LOOK_UP(name)                                                                              \
  const char *name (void)                                                                          \
  {                                                                                                \
    static char order;                                                                             \
    const char *looked_up = REAL (name) ();                                                        \
                                                                                                   \
    release (&order);                                                                              \
    acquire (&order);                                                                              \
    return looked_up;                                                                              \
  }

LOOK_UP (g_get_home_dir)
LOOK_UP (g_get_tmp_dir)
LOOK_UP (g_get_user_cache_dir)
LOOK_UP (g_get_user_config_dir)
LOOK_UP (g_get_user_data_dir)
LOOK_UP (g_get_user_state_dir)

/* ---- counted references: who frees comes after all who let go ---- */

#define UNREF(name, type)                                                                          \
  void name (type self)                                                                            \
  {                                                                                                \
    release (self);                                                                                \
    acquire (self);                                                                                \
    REAL (name) (self);                                                                            \
  }

UNREF (g_object_unref, gpointer)
UNREF (g_async_queue_unref, GAsyncQueue *)
UNREF (g_bytes_unref, GBytes *)
UNREF (g_hash_table_unref, GHashTable *)
UNREF (g_ptr_array_unref, GPtrArray *)
UNREF (g_atomic_rc_box_release, gpointer)

void
g_atomic_rc_box_release_full (gpointer self, GDestroyNotify clear)
{
  release (self);
  acquire (self);
  REAL (g_atomic_rc_box_release_full) (self, clear);
}
