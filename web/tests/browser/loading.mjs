// What a page loads, and when something of it can be read. The page's own clock measures, so that no observer is in the way.

/** The line of a slow phone: 400 ms until an answer begins, 50 KB a second. */
export const SLOW_LINE = { offline: false, latency: 400, downloadThroughput: 50 * 1024, uploadThroughput: 50 * 1024 }
export const SLOW_PROCESSOR = 4

/** Notes the first moment at which each of these selectors finds an element with words in it. Before the page begins. */
export async function watchSigns(context, signs) {
  await context.addInitScript((selectors) => {
    window.seen = {}
    window.shift = 0
    window.shifted = []
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
        for (const entry of list.getEntries().filter((one) => !one.hadRecentInput)) {
          window.shift += entry.value
          const moved = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
            const element = node?.nodeType === 1 ? node : node?.parentElement
            return `${element?.outerHTML.slice(0, 90)} from ${from.y}+${from.height} to ${to.y}+${to.height}`
          })
          window.shifted.push(`${entry.value.toFixed(3)} ${moved.join('; ')}`)
        }
      }).observe({ type: 'layout-shift', buffered: true })
  }, signs)
}

/** Everything that came over the wire so far, with its times. */
export function loaded(page) {
  return page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => ({
      url: entry.name,
      name: new URL(entry.name).pathname,
      from: entry.startTime,
      to: entry.responseEnd,
      bytes: entry.transferSize,
    })),
  )
}

/**
 * Notes how deep each request is: the document is the first; what its markup names is the second; what a script asks for is one
 * deeper than the deepest script that was at work.
 */
export function watchDepths(tools) {
  const depths = new Map()
  tools.on('Network.requestWillBeSent', ({ request, initiator }) => {
    const causes = initiator.url ? [initiator.url] : []
    for (let stack = initiator.stack; stack; stack = stack.parent) causes.push(...stack.callFrames.map((frame) => frame.url))
    const known = causes.flatMap((url) => depths.get(url) ?? [])
    const before = known.length > 0 ? Math.max(...known) : Math.min(1, depths.size)
    depths.set(request.url, Math.max(depths.get(request.url) ?? 0, before + 1))
  })
  return depths
}
