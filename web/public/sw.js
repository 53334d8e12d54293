// The service worker: files named by their content come from the cache, and a page without a line is the offline page. Answers
// of the exchange are never kept: an old price would be worse than none.
// The build puts a hash of these files in the place of `build`.
const KEPT = 'bellwether-build'
const OFFLINE = ['/offline.html', '/offline.css', '/favicon.svg']
const ENTRIES_MAX = 150

addEventListener('install', (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(OFFLINE)))
  skipWaiting()
})

addEventListener('activate', (event) => {
  const others = (names) => names.filter((name) => name !== KEPT).map((name) => caches.delete(name))
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(others(names)))
      .then(() => clients.claim()),
  )
})

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (pathname.startsWith('/assets/')) event.respondWith(fromCache(request))
  else if (request.mode === 'navigate') {
    event.respondWith(fetch(request).catch(() => caches.match('/offline.html')))
    event.waitUntil(prune())
  } else if (OFFLINE.includes(pathname)) event.respondWith(fetch(request).catch(() => caches.match(pathname)))
})

async function fromCache(request) {
  const cache = await caches.open(KEPT)
  const known = await cache.match(request)
  if (known) return known
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}

// Once per page: files of older builds go, the oldest first; the offline page stays.
async function prune() {
  const cache = await caches.open(KEPT)
  const keys = (await cache.keys()).filter((key) => !OFFLINE.includes(new URL(key.url).pathname))
  await Promise.all(keys.slice(0, Math.max(0, keys.length - ENTRIES_MAX)).map((key) => cache.delete(key)))
}

// A push message: title, body, the address of its question, and a tag that replaces an older message about the same thing.
addEventListener('push', (event) => {
  let message = {}
  try {
    message = event.data?.json() ?? {}
  } catch {
    // Not one of ours; the browser still wants something shown.
  }
  const { title = 'Bellwether', body = '', url = '/', tag = '' } = message
  const options = { body, tag, icon: '/icon-192.png', badge: '/icon-192.png', data: { url } }
  event.waitUntil(registration.showNotification(title, options))
})

addEventListener('notificationclick', (event) => {
  event.notification.close()
  // Only ever a place of this origin.
  const wanted = new URL(event.notification.data?.url ?? '/', location.origin)
  const address = wanted.origin === location.origin ? wanted.href : location.origin
  event.waitUntil(
    clients.matchAll({ type: 'window' }).then(async ([open]) => {
      if (!open) return clients.openWindow(address)
      await open.focus()
      return open.navigate(address)
    }),
  )
})
