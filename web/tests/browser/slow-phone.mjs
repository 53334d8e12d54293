// The time until a page can be read on a slow phone: a processor four times slower, 400 ms until an answer begins, 50 KB/s. It
// prints; a busy machine must not fail a test by its clock.
import { SLOW_LINE, SLOW_PROCESSOR, watchSigns } from './loading.mjs'
import { visit } from './visitor.mjs'

export const name = 'time to readable on a slow phone'
export const onlyByName = true
const GOAL_SECONDS = 4.5
const ROUNDS = 3
const PAGES = [
  { what: 'landing', address: '/', signs: { words: 'main h1', readable: '[data-event]' } },
  {
    what: 'event',
    address: '/events/rain-in-lagos-on-new-years-day',
    signs: { words: 'main h1', readable: '.phone button' },
  },
]

export async function run({ browser, quiet: exchange, report }) {
  for (const { what, address, signs } of PAGES) {
    const rounds = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const { page, context, clean } = await visit(browser, exchange, {
        ...{ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
      })
      page.setDefaultTimeout(60_000)
      await watchSigns(context, signs)
      const tools = await context.newCDPSession(page)
      await tools.send('Network.enable')
      await tools.send('Network.emulateNetworkConditions', SLOW_LINE)
      await tools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_PROCESSOR })
      await page.goto(address, { waitUntil: 'commit' })
      await page.waitForFunction(() => window.seen.readable !== undefined)
      rounds.push(await page.evaluate(() => window.seen))
      await clean()
      await context.close()
    }
    const middle = (name) => rounds.map((seen) => seen[name] / 1000).sort((left, right) => left - right)[ROUNDS >> 1]
    const readable = middle('readable')
    report(
      `${what}: first words ${middle('words').toFixed(2)} s, readable ${readable.toFixed(2)} s ` +
        `(goal ${GOAL_SECONDS} s: ${readable <= GOAL_SECONDS ? 'met' : 'missed'})`,
    )
  }
}
