// Two people in one browser: a tab shows whose session its cookie is, and nothing is done for a person that it does not show.
import assert from 'node:assert/strict'
import { money } from './shown.mjs'
import { eventually } from './until.mjs'
import { logIn, visit } from './visitor.mjs'

export const name = 'a tab shows who is logged in, and acts for nobody else'
const SLUG = 'rain-in-lagos-on-new-years-day'

export async function run({ browser, quiet: exchange }) {
  await toldByAnotherTab(browser, exchange)
  await toldByNobody(browser, exchange)
}

/** What a tab shows of a person, and what the API says of that person. */
function tabOf(page, exchange) {
  const form = page.getByRole('form', { name: 'Order ticket' })
  return {
    form,
    size: form.getByLabel('Amount to spend'),
    buy: form.getByRole('button', { name: /Buy Yes$/ }),
    async shows(user) {
      await page.getByRole('link', { name: `Account of ${user.tag}` }).waitFor()
      const cash = money((await walletOf(exchange, user)).availableBalance)
      await eventually(async () => assert.equal(await page.getByTestId('cash').innerText(), cash))
      await form.getByText(`Cash ${cash}`).waitFor()
    },
  }
}

async function walletOf(exchange, user) {
  const { assets } = await exchange.read('/v1/wallet/assets', user)
  return assets.find((asset) => asset.symbol === 'USD')
}

async function has(exchange, user) {
  const { pagination } = await exchange.read('/v1/pm/orders?size=1', user)
  const { outcomeBalances } = await exchange.read('/v1/pm/portfolio?size=100', user)
  return { orders: pagination.totalCount, positions: outcomeBalances.map(({ balance }) => balance) }
}

const tagged = (exchange, name) => ({ ...exchange.user(name), tag: name })

async function toldByAnotherTab(browser, exchange) {
  const [efe, dayo] = [tagged(exchange, 'efe'), tagged(exchange, 'dayo')]
  const event = await exchange.event(SLUG)
  const market = event.markets[0]
  const order = { side: 'BUY', type: 'MARKET', outcomeId: market.outcome1Id, currency: 'USD', amount: 5 }
  await exchange.place(efe, event, market, order)

  const { page, context, clean } = await visit(browser, exchange)
  await page.goto(`/events/${SLUG}`)
  await logIn(page, efe)
  const tab = tabOf(page, exchange)
  await tab.shows(efe)
  await page.getByRole('heading', { name: 'You hold' }).waitFor()
  await page.evaluate(() => (window.sameDocument = true))

  // The ladder is armed, and a large order waits for its confirmation.
  await page.getByRole('radio', { name: 'Ladder' }).check()
  const arm = page.getByTestId('ladder').getByRole('button', { name: /arm/i })
  await arm.click()
  await eventually(async () => assert.match(await arm.innerText(), /disarm/i))
  const wallet = await walletOf(exchange, efe)
  const typed = String(Math.ceil(wallet.availableBalance * 0.6))
  await tab.size.fill(typed)
  await tab.buy.click()
  await tab.form.getByTestId('confirmation').waitFor()
  const before = [await has(exchange, efe), await has(exchange, dayo)]

  const other = await context.newPage()
  await other.goto('/account')
  await other.getByRole('button', { name: 'Log out' }).click()
  await other.getByText('You are logged out').waitFor()
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor()
  for (const gone of [page.getByTestId('cash'), page.getByText('efe', { exact: true }), page.getByRole('heading', { name: 'You hold' }), tab.form.getByTestId('confirmation')])
    await eventually(async () => assert.equal(await gone.count(), 0))

  await other.getByLabel('Email').fill(dayo.email)
  await other.getByLabel('Password').fill(dayo.password)
  await other.locator('main').getByRole('button', { name: 'Log in' }).click()
  await tab.shows(dayo)
  assert.equal(await page.evaluate(() => window.sameDocument), true, 'without a reload')
  assert.equal((await tab.size.inputValue()).replaceAll(',', ''), typed, 'what was typed stays')
  assert.equal(await tab.form.getByTestId('confirmation').count(), 0)
  assert.equal(await page.getByRole('heading', { name: 'You hold' }).count(), 0)
  assert.doesNotMatch(await arm.innerText(), /disarm/i)
  assert.deepEqual([await has(exchange, efe), await has(exchange, dayo)], before)
  await clean()
  await context.close()
}

/** Holds what the page reads by itself, whose refusal would say who is logged in before the order does. Returns what ends it. */
async function deafen(page) {
  let held = []
  await page.route(
    ({ pathname }) => pathname.startsWith('/v1/'),
    (route) => {
      const request = route.request()
      const isOrder = request.method() !== 'GET' && !new URL(request.url()).pathname.endsWith('/quote')
      return held && !isOrder ? void held.push(route) : route.continue()
    },
  )
  return async () => {
    const waiting = held
    held = undefined
    for (const route of waiting) await route.continue()
  }
}

/** The first tab hears nothing of the login: the exchange alone knows that the session is another one's. */
async function toldByNobody(browser, exchange) {
  const [efe, dayo] = [tagged(exchange, 'efe'), tagged(exchange, 'dayo')]
  const { page, context, clean } = await visit(browser, exchange)
  await page.addInitScript(() => delete window.BroadcastChannel)
  await page.goto(`/events/${SLUG}`)
  await logIn(page, efe)
  const tab = tabOf(page, exchange)
  await tab.shows(efe)
  await tab.size.fill('10')
  await page.getByTestId('quote').locator('[data-field="total"]').waitFor()
  const before = [await has(exchange, efe), await has(exchange, dayo)]

  const hear = await deafen(page)
  const other = await context.newPage()
  await other.goto('/help')
  const status = await other.evaluate(async ({ email, password }) => {
    const headers = { 'X-Bellwether-Page': '1', 'Content-Type': 'application/json' }
    return (await fetch('/web/session', { method: 'POST', headers, body: JSON.stringify({ email, password }) })).status
  }, dayo)
  assert.equal(status, 200)
  assert.equal(await page.getByRole('link', { name: 'Account of efe' }).count(), 1)
  await tab.buy.click()
  await tab.form.getByText('This browser is now logged in as dayo. Nothing was done.').waitFor()
  await hear()
  await tab.shows(dayo)
  assert.equal(await tab.size.inputValue(), '10')
  assert.deepEqual([await has(exchange, efe), await has(exchange, dayo)], before)

  // From here on the tab acts for the person that it shows.
  await tab.buy.click()
  await page.locator('[data-toast="good"]', { hasText: 'Bought' }).waitFor()
  const after = [await has(exchange, efe), await has(exchange, dayo)]
  assert.deepEqual([after[0], after[1].orders], [before[0], before[1].orders + 1])
  await clean()
  await context.close()
}
