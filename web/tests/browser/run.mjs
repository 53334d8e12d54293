// Runs the browser tests against the executable that BELLWETHER names:
//
//   BELLWETHER=../target/release/bellwether npm run test:browser [part of a file's name …]
//
// Two walks run at a time, or as many as WALKERS says, each in a browser of its own; WALKERS=1 runs one after the other. A walk
// stands alone: it has a quiet exchange of its own, where nothing happens unless the walk does it, and SEED shuffles the walks.
// Walks that show pages as people see them share a busy exchange with a past and bots. Tests that stop an exchange or need a past
// of their own start theirs.
//
// SCREENSHOTS is a folder for pictures, CHROMIUM another browser. BROWSER=firefox runs the walks in Debian's firefox-esr (or
// FIREFOX) over WebDriver BiDi, except those that need DevTools. PAGES is a folder with a build of the pages, such as `dist`,
// that takes the place of the one in the executable: a change of a page is tested without building the executable again.
import { createHash } from 'node:crypto'
import { chromium } from 'playwright-core'
import { startExchange } from './exchange.mjs'
import { launchFirefox } from './firefox.mjs'
import { furnish } from './pages.mjs'
import * as buyOnAPool from './buy-on-a-pool.mjs'
import * as tradeOnABook from './trade-on-a-book.mjs'
import * as amounts from './amounts.mjs'
import * as amend from './amend.mjs'
import * as confirmation from './confirmation.mjs'
import * as cancelAll from './cancel-all.mjs'
import * as unknown from './unknown.mjs'
import * as ladder from './ladder.mjs'
import * as tables from './tables.mjs'
import * as sets from './sets.mjs'
import * as ticketTruth from './ticket-truth.mjs'
import * as portfolio from './portfolio.mjs'
import * as notifications from './notifications.mjs'
import * as pushMessage from './push-message.mjs'
import * as mishaps from './mishaps.mjs'
import * as twoTabs from './two-tabs.mjs'
import * as apiKeys from './api-keys.mjs'
import * as keyboard from './keyboard.mjs'
import * as choices from './choices.mjs'
import * as storedMarkup from './stored-markup.mjs'
import * as performance from './performance.mjs'
import * as slowPhone from './slow-phone.mjs'
import * as weight from './weight.mjs'
import * as priceChart from './price-chart.mjs'
import * as liveMoment from './live-moment.mjs'
import * as match from './match.mjs'
import * as phoneBar from './phone-bar.mjs'
import * as resolved from './resolved.mjs'
import * as upOrDown from './up-or-down.mjs'
import * as news from './news.mjs'
import * as search from './search.mjs'
import * as installable from './installable.mjs'
import * as touchTargets from './touch-targets.mjs'
import * as help from './help.mjs'
import * as reference from './reference.mjs'
import * as sharing from './sharing.mjs'
import * as accessibility from './accessibility.mjs'
import * as stateAccessibility from './state-accessibility.mjs'
import * as screenshots from './screenshots.mjs'
import * as operatorWalk from './operator-walk.mjs'
import * as operatorPictures from './operator-pictures.mjs'
import * as operatorEvents from './operator-events.mjs'
import * as operatorStatistics from './operator-statistics.mjs'
import * as operatorSignals from './operator-signals.mjs'
import * as operatorChores from './operator-chores.mjs'
import * as forgottenPassword from './forgotten-password.mjs'
import * as operatorTwoTabs from './operator-two-tabs.mjs'
import * as operatorAccounts from './operator-accounts.mjs'
import * as operatorPersons from './operator-persons.mjs'
import * as operatorSeries from './operator-series.mjs'
import * as operatorBreakGlass from './operator-break-glass.mjs'
import * as operatorMarkup from './operator-markup.mjs'
import * as operatorAccessibility from './operator-accessibility.mjs'
import * as operatorScreenshots from './operator-screenshots.mjs'

const QUIET = {
  buyOnAPool,
  tradeOnABook,
  amounts,
  amend,
  confirmation,
  cancelAll,
  unknown,
  ladder,
  tables,
  sets,
  portfolio,
  notifications,
  pushMessage,
  ticketTruth,
  mishaps,
  twoTabs,
  apiKeys,
  keyboard,
  choices,
  storedMarkup,
  weight,
  performance,
  slowPhone,
  priceChart,
  liveMoment,
  match,
  resolved,
  news,
  search,
  installable,
  phoneBar,
  touchTargets,
  help,
  reference,
  operatorPictures,
  operatorMarkup,
  operatorEvents,
  operatorStatistics,
  operatorSignals,
  operatorChores,
  operatorPersons,
  operatorTwoTabs,
  operatorAccounts,
  forgottenPassword,
  operatorWalk,
}
const OWN = { sharing, operatorSeries, operatorBreakGlass }
const BUSY = { upOrDown, accessibility, stateAccessibility, screenshots, operatorAccessibility, operatorScreenshots }

/** Pictures show the whole past; it takes long to live through. */
const SHORT_PAST = process.env.SCREENSHOTS ? [] : ['--past-days', '2']

/** The walks that only Chromium's DevTools can do, with what they need of them. */
const DEVTOOLS_ONLY = {
  weight: 'who asked for a request, and layout shifts',
  performance: 'the time that a page computes',
  slowPhone: 'a slow line and a slow processor',
  touchTargets: 'a screen that fingers touch',
  pushMessage: 'a push message without a push service',
  amend: 'the body of a request whose answer is cut off',
  unknown: 'the body of a request whose answer is cut off',
  confirmation: 'a key that is held',
}

const executable = process.env.BELLWETHER
if (!executable) {
  console.error('BELLWETHER must name the executable to test')
  process.exit(2)
}
const isFirefox = process.env.BROWSER === 'firefox'
const asked = process.argv.slice(2).map((word) => word.toLowerCase().replaceAll('-', ''))
const chosen = (tests, exchange) =>
  Object.entries(tests)
    .filter(([key, test]) => {
      const named = asked.some((word) => key.toLowerCase().includes(word))
      const wanted = asked.length === 0 ? !test.onlyByName : named
      return wanted && (test.wanted?.() ?? true) && (!isFirefox || !(key in DEVTOOLS_ONLY))
    })
    .map(([key, test]) => ({ key, test, exchange }))

if (isFirefox)
  for (const [walk, need] of Object.entries(DEVTOOLS_ONLY)) console.log(`not in Firefox: ${walk} needs DevTools for ${need}`)
const begun = Date.now()
const seconds = (from) => (Date.now() - from) / 1000
const walks = shuffled([...chosen(OWN), ...chosen(QUIET, 'quiet')])
const busyWalks = chosen(BUSY, 'busy')
const all = walks.length + busyWalks.length
const ended = []

// While the first walks run, the busy exchange lives through its past.
const busy = { isReady: false }
if (busyWalks.length > 0)
  busy.starting = startExchange(executable, SHORT_PAST).then(async (exchange) => {
    busy.exchange = exchange
    await furnish(exchange, exchange.user('ada'))
    busy.isReady = true
  })
busy.starting?.catch(() => undefined)
try {
  // The adapter of Firefox cuts the line of all its pages at once.
  const walkers = isFirefox ? 1 : Number(process.env.WALKERS ?? 2)
  await Promise.all(Array.from({ length: Math.min(walkers, all) }, walk))
} finally {
  await busy.starting?.catch(() => undefined)
  await busy.exchange?.stop()
}
tell()

/** Takes one test after the other, in a browser of its own. */
async function walk() {
  const browser = isFirefox
    ? await launchFirefox()
    : await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell' })
  try {
    for (let next = take(); next; next = take()) await attempt(browser, next)
  } finally {
    await browser.close()
  }
}

/** The next test. Those on the busy exchange begin as soon as it is ready. */
function take() {
  const isTheirTurn = busy.isReady || walks.length === 0
  return (isTheirTurn && busyWalks.shift()) || walks.shift()
}

async function attempt(browser, { key, test, exchange }) {
  const from = Date.now()
  const lines = []
  // What a test must leave behind in order, the last thing first; after the pictures of a failure.
  const ends = []
  const world = { browser, executable, report: (line) => lines.push(`       ${line}`), atEnd: (end) => ends.push(end) }
  let isPassed = false
  try {
    if (exchange === 'busy') {
      await busy.starting
      world.busy = busy.exchange
    } else if (exchange === 'quiet') {
      world.quiet = await startExchange(executable, ['--no-bots'])
      world.atEnd(() => world.quiet.stop())
    }
    await test.run(world)
    isPassed = true
    lines.push(`ok     ${test.name} (${seconds(from).toFixed(1)} s)`)
  } catch (error) {
    lines.push(`FAILED ${test.name}`, error.stack)
    for (const page of browser.contexts().flatMap((context) => context.pages())) {
      const folder = process.env.SCREENSHOTS
      if (folder) await page.screenshot({ path: `${folder}/failed-${key}.png` }).catch(() => undefined)
      const said = await page.locator('body').innerText({ timeout: 5_000 }).catch(() => '')
      lines.push(`       the page was at ${page.url()} and said: ${said.replaceAll(/\s+/g, ' ').slice(0, 600)}`)
    }
  } finally {
    for (const context of browser.contexts()) await context.close()
    for (const end of ends.reverse()) await end()
  }
  console.log(lines.join('\n'))
  ended.push({ key, name: test.name, isPassed, took: seconds(from) })
}

/** The tests in another order, which SEED gives; without it in theirs. */
function shuffled(tests) {
  if (!process.env.SEED) return tests
  const place = ({ key }) => createHash('sha256').update(`${process.env.SEED} ${key}`).digest('hex')
  return tests.toSorted((one, other) => (place(one) < place(other) ? -1 : 1))
}

/** What took longest, and last what failed, with the command that runs it alone. */
function tell() {
  const failed = ended.filter(({ isPassed }) => !isPassed)
  console.log(`${all - failed.length} passed, ${failed.length} failed, ${seconds(begun).toFixed(1)} s; the longest:`)
  for (const { name, took } of ended.toSorted((one, other) => other.took - one.took).slice(0, 10))
    console.log(`${took.toFixed(1).padStart(8)} s  ${name}`)
  for (const { key, name } of failed) console.log(`failed: ${name}; alone: web browse ${key}`)
  process.exit(failed.length > 0 ? 1 : 0)
}
