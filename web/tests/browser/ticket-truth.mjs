// The ticket says what the order does: the preview is the exchange's quote of that order, what is above the cash is refused,
// what is large is confirmed, and what was said of another order goes when that order goes.
import assert from 'node:assert/strict'
import { cents, money, shares } from './shown.mjs'
import { eventually, until } from './until.mjs'
import { visit, visitAs } from './visitor.mjs'

export const name = 'the ticket says what the order does'
const SLUG = 'rain-in-lagos-on-new-years-day'

export async function run({ browser, quiet: exchange }) {
  await theButtonIsThePrice(browser, exchange)
  await thePreviewIsTheOrder(browser, exchange)
  await whatIsConfirmed(browser, exchange)
  await aBookOnAPhone(browser, exchange)
  await aClosedMarket(browser, exchange)
  await termsToCome(browser, exchange)
}

/** Announced terms appear, change and go on the ticket of a page that stays open. */
async function termsToCome(browser, exchange) {
  const slug = 'will-the-terms-change'
  await exchange.operate('POST', '/admin/v1/events', {
    slug,
    title: 'Will the terms change?',
    type: 'single',
    engine: 'CLOB',
    currencies: ['USD', 'NGN'],
    category: 'politics',
    markets: [{ title: 'Will the terms change?', feePercentage: 1 }],
  })
  await exchange.operate('POST', `/admin/v1/events/${slug}/open`)
  const set = (body) => exchange.operate('PUT', `/admin/v1/markets/${slug}/terms`, body)
  const { page, context, clean } = await visit(browser, exchange)
  await page.goto(`/events/${slug}`)
  const ticket = page.getByRole('form', { name: 'Order ticket' })
  await ticket.waitFor()
  const said = ticket.locator('[data-field="announced-terms"]')
  assert.equal(await said.count(), 0)
  await page.evaluate(() => (globalThis.isStillOpen = true))
  await set({ feePercentage: 2.5 })
  await said.getByText(/^From .+ the fee of this market is 2\.5%\.$/).waitFor()
  await set({ minimumOrderAmount: { USD: 4 } })
  await said.getByText(/^From .+ the fee of this market is 2\.5% and the smallest order \$4\.00\.$/).waitFor()
  await set({ feePercentage: 1 })
  await said.getByText(/^From .+ the smallest order is \$4\.00\.$/).waitFor()
  await set({ minimumOrderAmount: { USD: 1 } })
  await said.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate(() => globalThis.isStillOpen), true, 'the page was not loaded again')
  await clean()
  await context.close()
}

async function theButtonIsThePrice(browser, exchange) {
  const { page, context, clean } = await visit(browser, exchange)
  const event = await exchange.event(SLUG)
  const { yesBuyPrice, noBuyPrice, outcome1Price } = event.markets[0]
  await page.goto(`/events/${SLUG}`)
  const form = page.getByRole('form', { name: 'Order ticket' })
  const choice = form.getByRole('radiogroup', { name: 'Outcome' })
  await eventually(async () => {
    const text = await choice.innerText()
    assert.ok(text.includes(cents(yesBuyPrice)) && text.includes(cents(noBuyPrice)), text)
  })
  // The middle is a probability, and the two sum to 100.
  const [yes, no] = (await page.getByTestId('chances').innerText()).match(/\d+(?=%)/g).map(Number)
  assert.equal(yes, Math.round(outcome1Price * 100))
  assert.equal(yes + no, 100)
  await clean()
  await context.close()
}

async function thePreviewIsTheOrder(browser, exchange) {
  const [ada, chidi] = [exchange.user('ada'), exchange.user('chidi')]
  const event = await exchange.event('bitcoin-milestones-this-year')
  const market = event.markets[0]
  const { page, context, clean } = await visitAs(browser, exchange, ada)
  await page.goto(`/events/${event.slug}?market=${market.id}`)
  const form = page.getByRole('form', { name: 'Order ticket' })
  const quote = page.getByTestId('quote')
  const size = form.getByLabel('Amount to spend')
  const buy = form.getByRole('button', { name: /Buy Yes$/ })
  const count = async () => (await exchange.read('/v1/pm/orders?size=1', ada)).pagination.totalCount
  await form.getByText(/^Cash \$\d/).waitFor()
  const { assets } = await exchange.read('/v1/wallet/assets', ada)
  const cash = assets.find((asset) => asset.symbol === 'USD').availableBalance

  // More than the cash is refused before it is sent, however little of it would fill.
  const before = await count()
  await size.pressSequentially(String(Math.ceil(cash * 5)))
  assert.match(await size.inputValue(), /,/, 'thousands are set apart while typing')
  await form.getByText(`You have ${money(cash)}`).waitFor()
  await buy.click()
  assert.equal(await count(), before, 'nothing was sent')
  await size.fill('10')
  await eventually(async () => assert.equal(await form.getByText('You have $').count(), 0))

  // What is bounded by the slippage limit is shown as it will be, to the unit.
  await form.getByText('Advanced').click()
  await form.getByLabel('Slippage limit').selectOption('1')
  await size.fill(String(Math.floor(cash / 3)))
  const body = { side: 'BUY', outcomeId: market.outcome1Id, type: 'MARKET', currency: 'USD' }
  const expected = await exchange.quote(event, market, { ...body, amount: Math.floor(cash / 3), maxSlippage: 0.01 })
  await eventually(async () => {
    assert.equal(await quote.locator('[data-field="total"]').innerText(), money(expected.amount))
    assert.equal(await quote.locator('[data-field="shares"]').innerText(), shares(expected.quantity, 4))
  })
  await quote.getByText(/within your slippage limit of 1 %/).waitFor()
  await buy.click()
  if (await form.getByTestId('confirmation').isVisible()) await buy.click()
  await page.locator('[data-toast="good"]', { hasText: 'Bought' }).waitFor()
  const { orders } = await exchange.read('/v1/pm/orders?size=1', ada)
  assert.deepEqual([orders[0].filledSize, orders[0].fee], [expected.quantity, expected.fee])

  // A level of the book fills in its price and everything up to it.
  await page.getByTestId('book').locator('.ask button').last().click()
  const asks = (await exchange.read(`/v1/pm/books?outcomeId=${market.outcome1Id}`))[0].asks
  assert.equal(await form.getByLabel(/^Limit price/).inputValue(), String(Math.round(asks[0].price * 100)))
  assert.equal(await form.getByLabel('Shares', { exact: true }).last().inputValue(), shares(asks[0].quantity, 4))

  // The market moves between the preview and the order: the page says so.
  await form.getByRole('radio', { name: 'Market' }).check()
  await form.getByRole('radio', { name: '$' }).check()
  await size.fill('5')
  const small = await exchange.quote(event, market, { ...body, amount: 5, maxSlippage: 0.01 })
  await eventually(async () =>
    assert.equal(await quote.locator('[data-field="shares"]').innerText(), shares(small.quantity, 4)),
  )
  await page.route('**/quote', () => undefined)
  await exchange.place(chidi, event, market, {
    ...body,
    type: 'LIMIT',
    price: asks[0].price,
    quantity: Math.max(3, Math.ceil(asks[0].quantity)),
    timeInForce: 'FAK',
  })
  await buy.click()
  await page.locator('[data-toast]', { hasText: 'The market moved after the preview' }).waitFor()
  await page.unroute('**/quote')

  // What could not be reached is asked again when the line is back.
  await context.setOffline(true)
  await size.fill('7')
  await quote.getByText('cannot be reached').waitFor()
  await context.setOffline(false)
  await quote.locator('[data-field="total"]').waitFor()
  await eventually(async () => assert.equal(await page.getByText('cannot be reached').count(), 0))
  await clean()
  await context.close()
}

/** An order that moves the price far, and one that is large, whether or not there is a preview. */
async function whatIsConfirmed(browser, exchange) {
  const bola = exchange.user('bola')
  const event = await exchange.event('naira-below-1500-by-year-end')
  const market = event.markets[0]
  const { page, context, clean } = await visitAs(browser, exchange, bola)
  await page.goto(`/events/${event.slug}`)
  const form = page.getByRole('form', { name: 'Order ticket' })
  const [size, confirmation] = [form.getByLabel('Amount to spend'), form.getByTestId('confirmation')]
  const buy = form.getByRole('button', { name: /Buy Yes$/ })
  const count = async () => (await exchange.read('/v1/pm/orders?size=1', bola)).pagination.totalCount
  await form.getByText(/^Cash \$\d/).waitFor()
  const { assets } = await exchange.read('/v1/wallet/assets', bola)
  const cash = assets.find((asset) => asset.symbol === 'USD').availableBalance

  // A tenth more until the price moves by more than five points; far less than half of the cash.
  const asked = { side: 'BUY', outcomeId: market.outcome1Id, type: 'MARKET', currency: 'USD' }
  let [amount, quote] = [100]
  do quote = await exchange.quote(event, market, { ...asked, amount: (amount = Math.ceil(amount * 1.1)) })
  while (quote.priceImpactAbsolute <= 0.055)
  assert.ok(amount * 2 < cash, `${amount} of ${cash}`)
  await form.getByText('Advanced').click()
  await form.getByLabel('Slippage limit').selectOption('')
  const before = await count()
  await size.fill(String(amount))
  await page.getByTestId('quote').locator('[data-field="total"]').waitFor()
  await buy.click()
  await confirmation.getByText(`Your order moves the price by ${cents(quote.priceImpactAbsolute)}`).waitFor()
  assert.equal(await count(), before, 'nothing was sent')
  await confirmation.getByRole('button', { name: 'Change it' }).click()
  await confirmation.waitFor({ state: 'detached' })

  // Without a preview the size alone asks.
  await page.route('**/quote', (route) => route.abort())
  await size.fill(String(Math.ceil(cash * 0.6)))
  await form.getByTestId('quote').getByText('cannot be reached').waitFor()
  await buy.click()
  await confirmation.getByText(`You spend up to ${money(Math.ceil(cash * 0.6))}, more than half of your cash`).waitFor()
  assert.equal(await count(), before, 'nothing was sent without a preview either')
  await page.unroute('**/quote')
  await size.fill('5')
  await confirmation.waitFor({ state: 'detached' })
  await buy.click()
  await page.locator('[data-toast="good"]', { hasText: 'Bought' }).waitFor()
  assert.equal(await count(), before + 1)
  await clean()
  await context.close()
}

async function aBookOnAPhone(browser, exchange) {
  const { page, context, clean } = await visit(browser, exchange, { viewport: { width: 360, height: 740 } })
  await page.goto(`/events/${SLUG}`)
  const level = page.getByTestId('book').locator('.bid button').first()
  await level.scrollIntoViewIfNeeded()
  await level.click()
  const sheet = page.getByRole('dialog')
  await sheet.waitFor()
  assert.ok(await sheet.getByRole('radio', { name: 'Sell', exact: true }).isChecked(), 'buyers are sold to')
  assert.ok(await sheet.getByRole('radio', { name: 'Limit', exact: true }).isChecked())
  await sheet.getByRole('button', { name: 'Close' }).click()

  // The bar at the bottom names the outcome that it buys.
  const group = (await exchange.read('/v1/pm/events?size=50')).events.find((event) => event.markets.length > 1)
  await page.goto(`/events/${group.slug}?market=${group.markets[1].id}`)
  await page.locator('.phone', { hasText: group.markets[1].title }).waitFor()
  await clean()
  await context.close()
}

async function aClosedMarket(browser, exchange) {
  const event = await exchange.event('marathon-record-this-season')
  const { page, context, clean } = await visitAs(browser, exchange, exchange.user('ada'))
  await page.goto(`/events/${event.slug}`)
  await page.getByRole('form', { name: 'Order ticket' }).waitFor()
  await exchange.operate('POST', `/admin/v1/events/${event.id}/close`)
  await page.getByTestId('closed').waitFor()
  assert.equal(await page.getByRole('form', { name: 'Order ticket' }).count(), 0)
  await until(async () => (await exchange.event(event.slug)).status === 'closed')
  await clean()
  await context.close()
}
