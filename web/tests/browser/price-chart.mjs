// The chart of a question: lines to switch, values under the cursor and by keyboard, candles, volume, own prices, marks.
import assert from 'node:assert/strict'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'the price chart: lines, cursor, candles, own prices'

export async function run({ browser, quiet: exchange }) {
  const [ada, chidi] = [exchange.user('ada'), exchange.user('chidi')]
  const event = await exchange.event('winner-of-the-lagos-derby')
  const market = event.markets[0]
  const buy = (person, outcomeId, price, more = {}) =>
    exchange.place(person, event, market, { side: 'BUY', outcomeId, type: 'LIMIT', price, currency: 'USD', ...more })
  // A trade, so that there is a candle; and an order of the reader's that waits.
  await buy(chidi, market.outcome1Id, 0.99, { quantity: 5, timeInForce: 'FAK' })
  await buy(ada, market.outcome1Id, 0.99, { quantity: 10, timeInForce: 'FAK' })

  const { page, context, clean } = await visitAs(browser, exchange, ada)
  await page.goto(`/events/${event.slug}?market=${market.id}`)
  const chart = page.getByRole('region', { name: 'Price chart' })
  const lines = chart.locator('[data-line]')
  await lines.first().waitFor({ state: 'attached' })
  const shown = Math.min(4, event.markets.length)
  await eventually(async () => assert.equal(await lines.count(), shown))

  // The closing in UTC, for those who look at it.
  const closing = page.locator('main time').first()
  await closing.hover()
  assert.match((await closing.getAttribute('title')) ?? '', /UTC/)

  // A line goes and comes with its name.
  const first = chart.getByRole('button', { pressed: true }).first()
  const title = (await first.innerText()).split('\n')[0].trim()
  await first.click()
  await eventually(async () => assert.equal(await lines.count(), shown - 1))
  await chart.getByRole('button', { name: title }).click()
  await eventually(async () => assert.equal(await lines.count(), shown))

  // Under the cursor every line has its value.
  const box = await chart.locator('.chart').boundingBox()
  await page.mouse.move(box.x + box.width - 70, box.y + box.height / 2)
  const tip = chart.getByTestId('tip')
  await eventually(async () => assert.equal((await tip.innerText()).match(/\d%/g)?.length, shown))
  assert.ok((await chart.locator('svg [data-mark="Opened"]').count()) > 0, 'the opening is marked')
  await page.mouse.move(0, 0)
  await tip.waitFor({ state: 'detached' })

  // The keyboard reads the same.
  const moment = chart.getByRole('slider', { name: 'Moment on the chart' })
  await moment.focus()
  await page.keyboard.press('ArrowLeft')
  await eventually(async () => assert.match(await moment.getAttribute('aria-valuetext'), /%/))
  await page.getByRole('heading', { level: 1 }).click()

  // Candles have four values and a volume.
  await chart.getByRole('radio', { name: 'Candles' }).check()
  await eventually(async () => assert.equal(await chart.locator('path.rising, path.falling').count(), 2))
  await eventually(async () => {
    for (let x = box.width - 60; x > 0; x -= 6) {
      await page.mouse.move(box.x + x, box.y + box.height / 2)
      if ((await tip.count()) > 0) break
    }
    assert.match(await tip.innerText(), /Open[\s\S]*¢[\s\S]*High[\s\S]*Low[\s\S]*Close[\s\S]*Volume/)
  })
  await chart.getByRole('radio', { name: 'Line' }).check()

  // What the reader paid, and an order that waits, are lines across the chart.
  await chart.locator('[data-level^="Your "]').waitFor({ state: 'attached' })
  const order = await buy(ada, market.outcome1Id, 0.37, { quantity: 12 })
  await chart.locator('[data-level^="Buy 12 "]').waitFor({ state: 'attached' })
  // Labels of one price, and of one moment, stand apart.
  const twin = await buy(ada, market.outcome1Id, 0.37, { quantity: 13 })
  for (const title of ['Fog', 'Rain', 'Sleet']) await exchange.operate('POST', `/admin/v1/events/${event.id}/news`, { title, link: 'https://example.org/' })
  await page.reload()
  await chart.locator('[data-level^="Buy 13 "]').waitFor({ state: 'attached' })
  await chart.locator('[data-mark="Sleet"]').waitFor({ state: 'attached' })
  await eventually(async () => {
    // Letters reach from a fifth of their size below the line to four fifths above; browsers' own boxes differ in their height.
    const boxes = await chart.locator('[data-level] text, [data-mark] text').evaluateAll((texts) =>
      texts.map((one) => {
        const [{ left, right }, size, y] = [one.getBoundingClientRect(), parseFloat(getComputedStyle(one).fontSize), Number(one.getAttribute('y'))]
        return { name: one.textContent, left, right, top: y - 0.8 * size, bottom: y + 0.2 * size }
      }),
    )
    assert.ok(boxes.length >= 6, `${boxes.length} labels`)
    // Lines of text may touch.
    const meet = (one, other) =>
      one.left < other.right && other.left < one.right && one.top < other.bottom - 0.5 && other.top < one.bottom - 0.5
    const pairs = boxes.flatMap((one, index) => boxes.slice(index + 1).filter((other) => meet(one, other)).map((other) => `${one.name} on ${other.name}`))
    assert.deepEqual(pairs, [])
  })
  for (const { id } of (await exchange.read(`/v1/pm/events/${event.id}/news`)).news) await exchange.operate('DELETE', `/admin/v1/events/${event.id}/news/${id}`)
  await exchange.write(ada, 'DELETE', `/v1/pm/orders/${twin.order.id}`)
  await exchange.write(ada, 'DELETE', `/v1/pm/orders/${order.order.id}`)
  await chart.locator('[data-level^="Buy 12 "]').waitFor({ state: 'detached' })
  await clean()
  await context.close()
}
