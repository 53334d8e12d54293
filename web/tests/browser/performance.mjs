// How busy a page is with a book that changes twenty times a second.
import assert from 'node:assert/strict'
import { until } from './until.mjs'
import { visit } from './visitor.mjs'

export const name = 'work of a page with a busy book'
const UPDATES = 160
const UPDATES_PER_SECOND = 20

export async function run({ browser, quiet: exchange, report }) {
  // Two people move an order each, ten times a second.
  const people = ['dayo', 'efe'].map((one) => exchange.user(one))
  const target = await exchange.event('city-referendum')
  const market = target.markets[0]
  const orders = []
  for (const [index, person] of people.entries()) {
    const placed = await exchange.place(person, target, market, {
      side: 'BUY',
      outcomeId: market.outcome1Id,
      type: 'LIMIT',
      price: 0.1 + index / 10,
      quantity: 50,
      currency: 'USD',
    })
    orders.push(placed.order.id)
  }
  const { page, context, clean } = await visit(browser, exchange)
  let updates = 0
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"orderbook_update"') && String(payload).includes(market.outcome1Id)) updates += 1
    }),
  )
  await page.goto(`/events/${target.slug}?market=${market.id}`)
  await page.getByTestId('book').locator('[data-price]').first().waitFor()
  // All of it in view, the picture of the book included.
  await page.locator('[role=img][aria-label^="Depth"]').scrollIntoViewIfNeeded()
  await page.locator('[role=img][aria-label^="Depth"] canvas').waitFor()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  const busySeconds = async () =>
    (await session.send('Performance.getMetrics')).metrics.find((metric) => metric.name === 'TaskDuration').value
  const [begun, before, first] = [Date.now(), await busySeconds(), updates]
  for (let index = 0; index < UPDATES; index += 1) {
    // On time, however long the last one took.
    await until(() => Date.now() - begun >= (index * 1000) / UPDATES_PER_SECOND)
    const place = index % 2
    const item = {
      orderId: orders[place],
      newPrice: 0.1 + place / 10 + ((index >> 1) % 5) / 100,
      newSize: 50 + (index % 7),
    }
    void exchange
      .write(people[place], 'POST', '/v1/pm/orders/batch/amend', {
        items: [{ ...item, newPrice: Number(item.newPrice.toFixed(2)) }],
      })
      .catch(() => undefined)
  }
  const seconds = (Date.now() - begun) / 1000
  const share = ((await busySeconds()) - before) / seconds
  report(`a book with ${((updates - first) / seconds).toFixed(1)} updates/s: ${(share * 100).toFixed(1)} % of one core`)
  assert.ok(updates - first > UPDATES / 2, `only ${updates - first} updates arrived`)
  await clean()
  await context.close()
}
