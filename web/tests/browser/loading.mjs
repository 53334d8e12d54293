// What a page loads, and when something of it can be read. The page's own clock measures, so that no observer is in the way.

/** The line of a slow phone: 400 ms until an answer begins, 50 KB a second. */
export const SLOW_LINE = { offline: false, latency: 400, downloadThroughput: 50 * 1024, uploadThroughput: 50 * 1024 }
export const SLOW_PROCESSOR = 4

/** Notes the first moment at which each of these selectors finds an element with words in it. Before the page begins. */
export async function watchSigns(context, signs) {
  await context.addInitScript((selectors) => {
    window.seen = {}
    window.shift = 0
    const look = () => {
      for (const [name, selector] of Object.entries(selectors)) {
        if (window.seen[name] !== undefined) continue
        if ([...document.querySelectorAll(selector)].some((element) => element.textContent.trim()))
          window.seen[name] = performance.now()
      }
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
    if (PerformanceObserver.supportedEntryTypes.includes('layout-shift'))
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value
      }).observe({ type: 'layout-shift', buffered: true })
  }, signs)
}

/** Everything that came over the wire so far, with its times. */
export function loaded(page) {
  return page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => ({
      name: new URL(entry.name).pathname,
      from: entry.startTime,
      to: entry.responseEnd,
      bytes: entry.transferSize,
    })),
  )
}

/** How many requests had to follow one another: each begins after the end of the one that it waited for. */
export function depthOf(entries) {
  const depths = new Map()
  for (const entry of [...entries].sort((left, right) => left.from - right.from)) {
    const before = entries.filter((other) => other.to <= entry.from && depths.has(other))
    depths.set(entry, 1 + Math.max(0, ...before.map((other) => depths.get(other))))
  }
  return Math.max(...depths.values())
}
