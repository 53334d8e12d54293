// Where the reader is. Links stay plain links; clicks on those that lead to our own pages are taken over here.

function here(): URL {
  return new URL(globalThis.location.href)
}

let current = $state.raw(here())
const scrolls = new Map<string, number>()
// Longer than a slow list takes. A scroll, touch, click or key of the reader ends it earlier.
const RETURN_MILLISECONDS_MAX = 20_000
let entry = history.state?.entry ?? newEntry()

function newEntry(): string {
  return Math.random().toString(36).slice(2)
}

export const router = {
  get path() {
    return current.pathname
  },
  get query() {
    return current.searchParams
  },
}

export function navigate(address: string, options: { replace?: boolean; keepScroll?: boolean } = {}): void {
  const target = new URL(address, current)
  if (target.origin !== current.origin) return void globalThis.location.assign(target)
  const moved = target.pathname !== current.pathname
  if (options.replace) history.replaceState({ entry }, '', target)
  else {
    scrolls.set(entry, scrollY)
    entry = newEntry()
    history.pushState({ entry }, '', target)
  }
  current = target
  if (moved && !options.keepScroll) arrive()
}

/** Changes parameters of the address; an empty value takes one away. */
export function setQuery(changes: Record<string, string>, options: { replace?: boolean } = {}): void {
  const target = new URL(current)
  for (const [name, value] of Object.entries(changes)) {
    if (value) target.searchParams.set(name, value)
    else target.searchParams.delete(name)
  }
  navigate(target.href, { ...options, keepScroll: true })
}

// A new page begins at its top, and a screen reader at its heading.
function arrive(): void {
  scrollTo(0, 0)
  document.getElementById('main')?.focus({ preventScroll: true })
}

/**
 * A sheet that covers the page takes a place of its own in the history, so that a phone's Back closes the sheet and does not leave
 * the page. Returns what to call once it is closed in another way.
 */
export function coverPage(close: () => void): () => void {
  history.pushState({ entry, covers: true }, '')
  const gone = new AbortController()
  const uncovered = () => {
    gone.abort()
    close()
  }
  addEventListener('popstate', uncovered, { signal: gone.signal })
  return () => {
    if (gone.signal.aborted) return
    gone.abort()
    // Not if the user has already left for another page.
    if (history.state?.covers) history.back()
  }
}

/** Pages grow while they load: retries until the scroll position is reached, the user scrolls, or the time is up. */
function returnTo(place: number): void {
  const [mine, end] = [entry, performance.now() + RETURN_MILLISECONDS_MAX]
  const moved = new AbortController()
  for (const sign of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    addEventListener(sign, () => moved.abort(), { signal: moved.signal, passive: true })
  }
  const attempt = () => {
    if (moved.signal.aborted || entry !== mine) return moved.abort()
    scrollTo(0, place)
    if (Math.abs(scrollY - place) > 1 && performance.now() < end) requestAnimationFrame(attempt)
    else moved.abort()
  }
  // Twice: pages that are loaded on demand are there in the second frame.
  requestAnimationFrame(() => requestAnimationFrame(attempt))
}

export function startRouter(): void {
  history.scrollRestoration = 'manual'
  history.replaceState({ entry }, '')
  addEventListener('popstate', (event) => {
    scrolls.set(entry, scrollY)
    entry = event.state?.entry ?? newEntry()
    current = here()
    returnTo(scrolls.get(entry) ?? 0)
  })
  addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    const link = (event.target as Element | null)?.closest?.('a')
    if (!link || link.target || link.hasAttribute('download') || link.origin !== globalThis.location.origin) return
    if (link.dataset.native !== undefined || link.getAttribute('href')?.startsWith('#')) return
    event.preventDefault()
    navigate(link.href)
  })
}
