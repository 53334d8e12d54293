// Runs the browser tests, one after the other, against the executable that BELLWETHER names:
//
//   BELLWETHER=../target/release/bellwether npm run test:browser [part of a file's name …]
//
// SCREENSHOTS is a folder for pictures, CHROMIUM another browser. BROWSER=firefox runs the walks in Debian's firefox-esr (or
// FIREFOX) over WebDriver BiDi, except those that need DevTools. PAGES is a folder with a build of the pages, such as `dist`,
// that takes the place of the one in the executable: a change of a page is tested without building the executable again. Two exchanges are started: a quiet one, where nothing
// happens unless a test does it, and a busy one with a past and bots, for pages as people see them. Tests that stop an exchange
// or need a past of their own start theirs.
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
const chosen = (tests) =>
  Object.entries(tests)
    .filter(([key, test]) => {
      const named = asked.some((word) => key.toLowerCase().includes(word))
      const wanted = asked.length === 0 ? !test.onlyByName : named
      return wanted && (test.wanted?.() ?? true) && (!isFirefox || !(key in DEVTOOLS_ONLY))
    })
    .map(([, test]) => test)
const [quietTests, ownTests, busyTests] = [chosen(QUIET), chosen(OWN), chosen(BUSY)]

if (isFirefox)
  for (const [walk, need] of Object.entries(DEVTOOLS_ONLY)) console.log(`not in Firefox: ${walk} needs DevTools for ${need}`)
const begun = Date.now()
const world = { executable, report: (line) => console.log(`       ${line}`) }
let failed = 0
// While the first tests run on the quiet exchange, the busy one lives through its past.
const starting = busyTests.length > 0 ? startExchange(executable) : undefined
starting?.catch(() => undefined)
try {
  world.browser = isFirefox
    ? await launchFirefox()
    : await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' })
  if (quietTests.length > 0) world.quiet = await startExchange(executable, ['--no-bots'])
  for (const test of quietTests) await attempt(test)
  await world.quiet?.stop()
  world.quiet = undefined
  for (const test of ownTests) await attempt(test)
  if (starting) {
    world.busy = await starting
    await furnish(world.busy, world.busy.user('ada'))
  }
  for (const test of busyTests) await attempt(test)
} finally {
  await world.browser?.close()
  await world.quiet?.stop()
  await (world.busy ?? (await starting?.catch(() => undefined)))?.stop()
}
const all = quietTests.length + ownTests.length + busyTests.length
console.log(
  `${all - failed} passed, ${failed} failed, ${((Date.now() - begun) / 1000).toFixed(1)} s`,
)
process.exit(failed > 0 ? 1 : 0)

async function attempt(test) {
  const from = Date.now()
  // What a test must leave behind in order, the last thing first; after the pictures of a failure.
  const ends = []
  try {
    await test.run({ ...world, atEnd: (end) => ends.push(end) })
    console.log(`ok     ${test.name} (${((Date.now() - from) / 1000).toFixed(1)} s)`)
  } catch (error) {
    failed += 1
    console.log(`FAILED ${test.name}\n${error.stack}`)
    for (const context of world.browser.contexts()) {
      for (const page of context.pages()) {
        const folder = process.env.SCREENSHOTS
        if (folder) await page.screenshot({ path: `${folder}/failed.png` }).catch(() => undefined)
        console.log(`       the page was at ${page.url()}`)
      }
      await context.close()
    }
  } finally {
    for (const end of ends.reverse()) await end()
  }
}
