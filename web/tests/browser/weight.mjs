// The weight of a first load over the wire, what the first words need of it, how much the page jumps, and how quiet it is then.
import assert from 'node:assert/strict'
import { loaded, watchDepths, watchSigns } from './loading.mjs'
import { until } from './until.mjs'
import { visit } from './visitor.mjs'

export const name = 'weight of a first load, first words, shifts, and an idle page'
const TEXT_BYTES_MAX = 70_000
const DEPTH_MAX = 3
const SHIFT_MAX = 0.05
const IDLE_SECONDS = 15
/** So that the first words come before what is read after them. */
const LATENCY_MILLISECONDS = 150

const PAGES = [
  {
    what: 'landing',
    address: '/',
    most: 130_000,
    text: 'main h1',
    ready: ['[data-event]'],
    // What the page lists is asked for early; held back until the words are there, which shows that they do not need it.
    later: /\/v1\//,
  },
  {
    what: 'event',
    address: '/events/rain-in-lagos-on-new-years-day',
    most: 160_000,
    text: 'main h1',
    ready: ['[data-testid=book] [data-price]', '.chart svg'],
    // The page's own code, likewise.
    later: /\/assets\/\w+\/(?!(ahead|first|index|shared|styles|trader|event-head|rolldown-runtime)\.)/,
  },
]
const inKilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`

export async function run({ browser, quiet: exchange, report }) {
  for (const { what, address, most, text, ready, later } of PAGES) {
    for (const viewport of [{ width: 1280, height: 900 }, { width: 360, height: 740 }]) {
      const { page, context, clean } = await visit(browser, exchange, { viewport })
      await watchSigns(context, { text })
      const tools = await context.newCDPSession(page)
      const depths = watchDepths(tools)
      await tools.send('Network.enable')
      await tools.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: LATENCY_MILLISECONDS, downloadThroughput: -1, uploadThroughput: -1 },
      })
      const words = () => page.waitForFunction(() => window.seen.text !== undefined)
      // A page that is closed without words has failed already.
      if (later) await page.route(later, (route) => words().then(() => route.continue()).catch(() => undefined))
      await page.goto(address, { waitUntil: 'commit' })
      for (const sign of ready) await page.locator(sign).first().waitFor({ state: 'attached' })
      await page.waitForLoadState('networkidle')
      const entries = await loaded(page)
      const read = await page.evaluate(() => window.seen.text)
      // The browser asks for the icon of the tab beside the page.
      const needed = entries.filter((entry) => entry.to <= read && entry.name !== '/favicon.svg')
      const sum = (list) => list.reduce((total, entry) => total + entry.bytes, 0)
      const [shift, depth] = [
        await page.evaluate(() => window.shift),
        Math.max(...needed.map((entry) => depths.get(entry.url) ?? 1)),
      ]
      report(
        `${what}, ${viewport.width} px: ${inKilobytes(sum(entries))}; first words after ${inKilobytes(sum(needed))}, ` +
          `${depth} requests deep; shift ${shift.toFixed(3)}`,
      )
      const listed = entries.map((entry) => `${Math.round(entry.from)}–${Math.round(entry.to)} ${entry.bytes} (${depths.get(entry.url)}) ${entry.name}`).join('\n')
      assert.ok(sum(entries) <= most, `the first load of the ${what} is ${sum(entries)} bytes:\n${listed}`)
      assert.ok(sum(needed) <= TEXT_BYTES_MAX, `the first words of the ${what} need ${sum(needed)} bytes:\n${listed}`)
      assert.ok(depth <= DEPTH_MAX, `the first words of the ${what} are ${depth} requests deep:\n${listed}`)
      const twice = entries.filter(({ url }, at) => entries.findIndex((other) => other.url === url) !== at)
      assert.deepEqual(twice.map(({ url }) => url), [], `the ${what} asks for something twice`)
      const moved = (await page.evaluate(() => window.shifted)).join('\n')
      assert.ok(shift <= SHIFT_MAX, `the ${what} shifts by ${shift} at ${viewport.width} pixels:\n${moved}`)
      await clean()
      await context.close()
    }
  }

  const { page, context, clean } = await visit(browser, exchange)
  await page.goto(PAGES[1].address)
  await page.locator('.chart svg').waitFor()
  await page.waitForLoadState('networkidle')
  const requests = []
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
  const from = Date.now()
  await until(() => Date.now() - from >= IDLE_SECONDS * 1000, { milliseconds: IDLE_SECONDS * 2000 })
  assert.deepEqual(requests, [], `requests of an idle page in ${IDLE_SECONDS} s`)
  await clean()
  await context.close()
}
