// Lighthouse on the landing page and on an event's page of a quiet exchange: accessibility, best practices and SEO must reach 95;
// performance, which depends on the machine, is printed: as Lighthouse measures by itself, and for the phone it has in mind.
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { startExchange } from '../tests/browser/exchange.mjs'

const LEAST = 95
const ASSERTED = ['accessibility', 'best-practices', 'seo']
const PAGES = { landing: '/', event: '/events/rain-in-lagos-on-new-years-day' }

const executable = process.env.BELLWETHER
if (!executable) {
  console.error('BELLWETHER must name the executable to test')
  process.exit(2)
}
/** A recording can fail on a busy machine; that is no score, so it is made again. */
const ATTEMPTS = 3

/**
 * Lighthouse slows the page down by 4, which makes a phone of the middle class out of a desktop with an index of 1,500 to 2,000.
 * A machine with a lower index is slowed down less, to arrive at the same phone.
 */
const PHONE_INDEX = 1750 / 4
const SLOWDOWN = 4
const slowdownFor = (index) => Math.min(SLOWDOWN, Math.max(1, index / PHONE_INDEX))

async function measured(address, cpuSlowdownMultiplier = SLOWDOWN) {
  for (let attempt = 1; ; attempt += 1) {
    const chrome = await launch({
      chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
      chromeFlags: ['--headless=new', '--no-sandbox'],
    })
    try {
      const throttling = { cpuSlowdownMultiplier }
      const { lhr } = await lighthouse(address, { port: chrome.port, logLevel: 'error', throttling })
      if (!lhr.runtimeError) return lhr
      if (attempt === ATTEMPTS) throw new Error(`${address}: ${lhr.runtimeError.message}`)
    } finally {
      chrome.kill()
    }
  }
}

const scoresOf = (lhr) => Object.entries(lhr.categories).map(([id, category]) => [id, Math.round(category.score * 100)])

/** What the score of performance consists of. */
function parts(lhr) {
  const weighed = lhr.categories.performance.auditRefs.filter(({ weight }) => weight > 0)
  return weighed.map(({ id }) => `${id} ${lhr.audits[id].displayValue}`).join(', ')
}

const missed = []
const exchange = await startExchange(executable, ['--no-bots'])
try {
  for (const [name, path] of Object.entries(PAGES)) {
    const lhr = await measured(exchange.url + path)
    const scores = scoresOf(lhr)
    console.log(`${name}: ${scores.map(([id, score]) => `${id} ${score}`).join(', ')}`)
    console.log(`  ${parts(lhr)}`)
    const index = lhr.environment.benchmarkIndex
    const slowdown = slowdownFor(index)
    if (slowdown < SLOWDOWN) {
      const phone = await measured(exchange.url + path, slowdown)
      console.log(`  this machine has index ${Math.round(index)}: slowed down by ${slowdown.toFixed(1)}, performance ${Object.fromEntries(scoresOf(phone)).performance}`)
      console.log(`  ${parts(phone)}`)
    }
    for (const [id, score] of scores) {
      if (!ASSERTED.includes(id) || score >= LEAST) continue
      missed.push(`${name}: ${id} is ${score}, less than ${LEAST}`)
      for (const { id: audit, weight } of lhr.categories[id].auditRefs) {
        const found = lhr.audits[audit]
        if (weight > 0 && found.score !== null && found.score < 1) missed.push(`  ${found.title} (${audit})`)
      }
    }
  }
} finally {
  await exchange.stop()
}
for (const line of missed) console.error(line)
process.exit(missed.length > 0 ? 1 : 0)
