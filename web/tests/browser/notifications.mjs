// The bell: a fill and a price alert appear under it, and are read by looking.
import assert from 'node:assert/strict'
import { eventually, until } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'bell and price alert'

export async function run({ browser, quiet: exchange }) {
  const [ada, bola] = [exchange.user('ada'), exchange.user('bola')]
  const event = await exchange.event('marathon-record-this-season')
  const market = event.markets[0]
  const { page, context, clean } = await visitAs(browser, exchange, ada)

  // What is already there is read by opening the bell.
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await bell.click()
  const list = page.getByRole('region', { name: 'Notifications' })
  await list.waitFor()
  await eventually(async () => assert.equal((await exchange.readSigned('/v1/pm/notifications', ada)).unread, 0))
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })

  await exchange.place(ada, event, market, {
    side: 'BUY',
    outcomeId: market.outcome1Id,
    type: 'MARKET',
    amount: 20,
    currency: 'USD',
  })
  await page.reload()
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  const fill = list.locator('[data-notification="FILL"]').first()
  assert.match(await fill.innerText(), /^Bought [\d.,]+ Yes at [\d.]+¢/)
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await fill.getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: event.title }).waitFor()

  // An alert at the price above the shown one, which another trader's purchase reaches.
  const shown = (await exchange.event(event.slug)).markets[0].outcome1Price
  const wanted = Math.min(99, Math.ceil(shown * 100 + 0.5))
  await page.getByRole('button', { name: 'Price alert' }).click()
  const dialog = page.getByRole('dialog', { name: 'Price alert' })
  await dialog.getByLabel(/^Price/).fill('150')
  await dialog.getByRole('button', { name: 'Set the alert' }).click()
  await dialog.getByRole('alert').getByText('from 1 to 99').waitFor()
  await dialog.getByLabel(/^Price/).fill(String(wanted))
  await dialog.getByRole('button', { name: 'Set the alert' }).click()
  await page.locator('[data-toast="good"]', { hasText: 'Price alert set' }).waitFor()
  await bell.click()
  await list.locator('[data-alert]', { hasText: `rises to ${wanted}¢` }).waitFor()
  await page.keyboard.press('Escape')
  const hasFired = async () => {
    const { notifications } = await exchange.readSigned('/v1/pm/notifications', ada)
    return notifications.some(({ type }) => type === 'PRICE_ALERT')
  }
  const shownNow = async () => (await exchange.event(event.slug)).markets[0].outcome1Price
  for (let purchases = 0; purchases < 20 && (await shownNow()) * 100 < wanted; purchases++)
    await exchange.place(bola, event, market, {
      side: 'BUY',
      outcomeId: market.outcome1Id,
      type: 'MARKET',
      amount: 100,
      currency: 'USD',
    })
  await until(hasFired, { what: 'the alert' })
  await page.reload()
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  assert.match(await list.locator('[data-notification="PRICE_ALERT"]').innerText(), /^Yes reached \d/)
  assert.equal(await list.locator('[data-alert]').count(), 0, 'it waits no more')
  await page.keyboard.press('Escape')
  await fillsTogether(page, list, exchange)
  await clean()
  await context.close()
}

/** An order that is filled piece by piece is one line, which counts. */
async function fillsTogether(page, list, exchange) {
  const [ada, bola] = [exchange.user('ada'), exchange.user('bola')]
  const event = await exchange.event('rain-in-lagos-on-new-years-day')
  const market = event.markets[0]
  const limit = (outcomeId, price, quantity) => ({
    side: 'BUY',
    outcomeId,
    type: 'LIMIT',
    price,
    quantity,
    currency: 'USD',
  })
  // Between the best buyer at 34 and the best seller at 36.
  const { order } = await exchange.place(ada, event, market, limit(market.outcome1Id, 0.35, 50))
  for (let piece = 0; piece < 5; piece++)
    await exchange.place(bola, event, market, limit(market.outcome2Id, 0.65, 10))
  const { notifications } = await exchange.readSigned('/v1/pm/notifications', ada)
  const ofOrder = notifications.filter(({ orderId }) => orderId === order.id)
  assert.deepEqual(
    ofOrder.map(({ fills, size, amount }) => [fills, size, amount]),
    [[5, 50, 17.5]],
  )
  await page.reload()
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await list.getByText('Bought 50 Yes at 35¢ in 5 fills, $17.50 in all').waitFor()
}
