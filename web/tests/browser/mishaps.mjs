// What goes wrong, and ways back: it is said in a trader's words, nothing old stands for something new, and Back leads back.
import assert from 'node:assert/strict'
import { eventually, until } from './until.mjs'
import { headersOf, visit, visitAs } from './visitor.mjs'

export const name = 'mishaps and ways back'

export async function run({ browser, quiet: exchange }) {
  await aSearchThatFails(browser, exchange)
  await backToTheSamePlace(browser, exchange)
  await aStreamThatStaysAway(browser, exchange)
  await aSheetAndBack(browser, exchange)
  await chartsThatDoNotCome(browser, exchange)
  await aSessionThatEnds(browser, exchange)
}

async function aSearchThatFails(browser, exchange) {
  const { page, context, clean } = await visit(browser, exchange)
  await page.goto('/')
  await page.locator('[data-event]').first().waitFor()
  await page.route('**/v1/pm/events?*', (route) => route.abort())
  await page.getByPlaceholder(/Search/).fill('rain')
  await page.getByPlaceholder(/Search/).press('Enter')
  await page.getByText('The markets could not be loaded').waitFor()
  assert.equal(await page.locator('[data-event]').count(), 0, 'no answer to another question is shown')
  await page.unroute('**/v1/pm/events?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('[data-event]').first().waitFor()
  await clean()
  await context.close()
}

async function backToTheSamePlace(browser, exchange) {
  const { page, context, clean } = await visit(browser, exchange)
  await page.goto('/')
  // Deep in the list, but not at the end of the page, which is now longer, now shorter: rounds of series open and close.
  const deep = page.locator('[data-event]').nth(9)
  await deep.waitFor()
  // Answers come when the test lets them, so the page is short when one comes back to it.
  let release
  const released = new Promise((resume) => (release = resume))
  await page.route('**/v1/pm/events?*', async (route) => {
    await released
    await route.continue()
  })
  // What loads above may still move the list until it is left: the place is where the click happens.
  await page.evaluate(() => addEventListener('click', () => (window.left = scrollY), { capture: true, once: true }))
  await deep.getByRole('link').first().click()
  await page.getByRole('form', { name: 'Order ticket' }).waitFor()
  const place = await page.evaluate(() => window.left)
  assert.ok(place > 600, `left at ${place}`)
  assert.equal(await page.evaluate(() => scrollY), 0)
  await page.goBack()
  await page.locator('main [aria-busy=true]').waitFor()
  assert.ok((await page.evaluate(() => scrollY)) < place)
  release()
  await eventually(async () => {
    const now = await page.evaluate(() => scrollY)
    assert.ok(Math.abs(now - place) < 200, `at ${now} instead of ${place}`)
  })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await clean()
  await context.close()
}

async function aStreamThatStaysAway(browser, exchange) {
  const { page, context, clean } = await visit(browser, exchange)
  let [refusing, refused] = [false, 0]
  const open = new Set()
  await page.routeWebSocket(/\/ws\/v1\//, (socket) => {
    if (refusing) {
      refused += 1
      return void socket.close()
    }
    const server = socket.connectToServer()
    open.add(() => Promise.all([socket.close(), server.close()]))
  })
  await page.goto('/events/rain-in-lagos-on-new-years-day')
  await page.getByTestId('book').locator('[data-price]').first().waitFor()
  refusing = true
  for (const close of open) await close()
  const bar = page.getByText('Connection lost')
  await bar.waitFor()
  // It stays through every attempt, and in view.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const { y } = await bar.boundingBox()
  assert.ok(y >= 0 && y < 200, `the bar is at ${y}`)
  await bar.evaluate((element) => {
    window.barsGone = 0
    new MutationObserver(() => (window.barsGone += element.isConnected ? 0 : 1)).observe(document.body, {
      childList: true,
      subtree: true,
    })
  })
  const before = refused
  await until(() => refused >= before + 2, { what: 'two more attempts' })
  assert.equal(await page.evaluate(() => window.barsGone), 0, 'the bar went away while nothing was live')
  refusing = false
  await bar.waitFor({ state: 'detached' })
  await clean()
  await context.close()
}

async function aSheetAndBack(browser, exchange) {
  const { page, context, clean } = await visit(browser, exchange, { viewport: { width: 360, height: 740 } })
  await page.goto('/')
  await page.locator('[data-event]').first().waitFor()
  await page.goto('/events/rain-in-lagos-on-new-years-day')
  const sheet = page.getByRole('dialog')
  const yes = page.getByRole('button', { name: /^Yes \d/ }).last()
  await yes.click()
  await sheet.waitFor()
  await page.goBack()
  await sheet.waitFor({ state: 'hidden' })
  assert.match(page.url(), /rain-in-lagos/)
  // Closed by hand it leaves nothing behind that Back would stumble over.
  await yes.click()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await sheet.waitFor({ state: 'hidden' })
  await eventually(async () => assert.equal(await page.evaluate(() => history.state?.covers), undefined))
  await page.goBack()
  await page.waitForURL((url) => url.pathname === '/')
  await clean()
  await context.close()
}

/** They say so, and the page goes on without them. */
async function chartsThatDoNotCome(browser, exchange) {
  const { page, context, clean } = await visit(browser, exchange)
  await page.route(/assets\/\w+\/(uPlot|TimeChart)\b/, (route) => route.abort())
  await page.goto('/events/rain-in-lagos-on-new-years-day')
  await page.getByTestId('book').locator('[data-price]').first().waitFor()
  await page.getByText('Depth', { exact: true }).scrollIntoViewIfNeeded()
  await eventually(async () => assert.equal(await page.getByText('chart could not be loaded').count(), 2))
  await clean()
  await context.close()
}

async function aSessionThatEnds(browser, exchange) {
  const { page, context, clean } = await visitAs(browser, exchange, exchange.user('funmi'))
  await page.goto('/events/rain-in-lagos-on-new-years-day')
  const form = page.getByRole('form', { name: 'Order ticket' })
  await form.getByLabel('Amount to spend').fill('10')
  await form.getByRole('button', { name: 'Buy Yes' }).waitFor()
  // The order is the first request that meets the ended session: another one would already show the log-in button.
  const reads = (route) => (route.request().method() === 'GET' ? route.abort() : route.continue())
  await page.route('**/v1/**', reads)
  await page.evaluate((headers) => fetch('/web/session', { method: 'DELETE', headers }), await headersOf(page))
  await form.getByRole('button', { name: 'Buy Yes' }).click()
  await form.getByText('You are not logged in any more').waitFor()
  await page.unroute('**/v1/**', reads)
  await form.getByRole('button', { name: 'Log in to trade' }).waitFor()
  await clean()
  await context.close()
}
