// Lighthouse on the landing page and on an event's page of a quiet exchange: accessibility, best practices and SEO must reach 95;
// performance, which depends on the machine, is printed.
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
const exchange = await startExchange(executable, ['--no-bots'])
const chrome = await launch({
  chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  chromeFlags: ['--headless=new', '--no-sandbox'],
})
const missed = []
try {
  for (const [name, path] of Object.entries(PAGES)) {
    const { lhr } = await lighthouse(exchange.url + path, { port: chrome.port, logLevel: 'error' })
    if (lhr.runtimeError) throw new Error(`${name}: ${lhr.runtimeError.message}`)
    const scores = Object.entries(lhr.categories).map(([id, category]) => [id, Math.round(category.score * 100)])
    console.log(`${name}: ${scores.map(([id, score]) => `${id} ${score}`).join(', ')}`)
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
  await chrome.kill()
  await exchange.stop()
}
for (const line of missed) console.error(line)
process.exit(missed.length > 0 ? 1 : 0)
