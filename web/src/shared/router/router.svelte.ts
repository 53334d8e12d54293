// Where the reader is. Links stay plain links; clicks on those that lead to our own pages are taken over here.

function here(): URL {
  return new URL(globalThis.location.href)
}

let current = $state.raw(here())
const scrolls = new Map<string, number>()
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

export function startRouter(): void {
  history.scrollRestoration = 'manual'
  history.replaceState({ entry }, '')
  addEventListener('popstate', (event) => {
    scrolls.set(entry, scrollY)
    entry = event.state?.entry ?? newEntry()
    current = here()
    // Twice: pages that are loaded on demand are there in the second frame.
    const place = scrolls.get(entry) ?? 0
    requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, place)))
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
