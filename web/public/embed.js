// Reads the embedded page again while it is in view, so that its prices stay true. It uses no cookie and no storage.
const EVERY_MILLISECONDS = 30_000

async function refresh() {
  if (document.hidden) return
  const response = await fetch(location.pathname, { credentials: 'omit', headers: { accept: 'text/html' } })
  if (!response.ok) return
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main')
  if (fresh) document.querySelector('main').replaceWith(fresh)
}

// What is shown stays where the exchange cannot be reached.
setInterval(() => refresh().catch(() => undefined), EVERY_MILLISECONDS)
