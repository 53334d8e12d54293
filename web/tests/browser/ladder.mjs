// The ladder: nothing is sent before it is armed or while something is typed; then orders go out by click and by key.
import assert from 'node:assert/strict'
import { fitsEverywhere } from './accessibility.mjs'
import { watchSent } from './sent.mjs'
import { eventually, until } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'orders by click and by key on a ladder'

export async function run({ browser, quiet: exchange }) {
  const [ada, bola] = [exchange.user('ada'), exchange.user('bola')]
  // A separate question: its book has no orders of other traders.
  const title = 'Does the ferry sail on Friday?'
  const slug = 'does-the-ferry-sail-on-friday'
  await exchange.operate('POST', '/admin/v1/events', {
    ...{ slug, title, type: 'single', engine: 'CLOB', currencies: ['USD'], category: 'transport' },
    markets: [{ title, rules: 'YES if it leaves the harbour before midnight.' }],
  })
  await exchange.operate('POST', `/admin/v1/events/${slug}/open`)
  const event = await exchange.event(slug)
  const market = event.markets[0]
  const open = async () => (await exchange.read(`/v1/pm/orders?status=open&marketId=${market.id}`, ada)).orders
  const held = async () => {
    const { outcomeBalances } = await exchange.read(`/v1/pm/portfolio?marketId=${market.id}&currency=USD`, ada)
    return outcomeBalances.find((one) => one.outcome === 'YES')?.availableBalance ?? 0
  }
  const place = (user, order) =>
    exchange.place(user, event, market, {
      outcomeId: market.outcome1Id,
      type: 'LIMIT',
      quantity: 40,
      currency: 'USD',
      ...order,
    })
  await exchange.write(bola, 'POST', `/v1/pm/markets/${market.id}/mint`, { quantity: 200, currency: 'USD' })
  await exchange.write(ada, 'POST', `/v1/pm/markets/${market.id}/mint`, { quantity: 100, currency: 'USD' })
  const [bid, ask] = [0.45, 0.47]
  await place(bola, { side: 'SELL', price: ask, quantity: 150 })
  await place(bola, { side: 'BUY', price: bid, quantity: 120 })
  const before = await held()

  const { page, context, clean } = await visitAs(browser, exchange, ada)
  const sent = []
  watchSent(page, ({ method, url, body }) => {
    if (method === 'POST' && url.endsWith('/orders')) sent.push(JSON.parse(body))
  })
  await page.goto(`/events/${slug}`)
  await page.getByRole('radio', { name: 'Ladder' }).check()
  const ladder = page.getByTestId('ladder')
  const row = (hundredths) => ladder.locator(`[data-row="${hundredths}"]`)
  await row(45).waitFor()
  await eventually(async () => assert.match(await row(47).innerText(), /150/))

  // Not armed: no cell is a button, no key sends.
  assert.ok(await row(44).getByRole('button', { name: /^Buy/ }).isDisabled())
  await page.keyboard.press('b')
  await fitsEverywhere(page, 'ladder')

  // An amount of one's own is kept in the browser.
  await ladder.getByRole('button', { name: 'Edit amounts' }).click()
  await ladder.getByLabel('Amount 1').fill('7')
  await ladder.getByRole('button', { name: 'Arm one-click orders' }).click()
  await ladder.getByText(/^Armed:/).waitFor()
  // In a field a key is only a letter.
  await ladder.getByLabel('Amount 1').focus()
  await page.keyboard.press('b')
  assert.deepEqual(sent, [])
  await ladder.getByLabel('Amount 1').fill('7')
  await ladder.getByRole('button', { name: 'Done' }).click()
  await page.keyboard.press('1')
  await fitsEverywhere(page, 'ladder-armed')

  await row(43).getByRole('button', { name: 'Buy 7 Yes at 43¢' }).click()
  const [resting] = await until(async () => ((await open()).length === 1 ? open() : undefined))
  assert.deepEqual([resting.side, resting.price, resting.size], ['BUY', 0.43, 7])
  await row(43).getByRole('button', { name: 'Cancel 7 at 43¢' }).click()
  await until(async () => (await open()).length === 0)

  // B takes the best seller, S gives to the best buyer.
  await page.keyboard.press('b')
  await until(async () => (await held()) === before + 7)
  await page.keyboard.press('s')
  await until(async () => (await held()) === before)
  assert.ok(sent.slice(1).every((order) => order.timeInForce === 'FAK'))

  // Parts of what is held, then the rest: also what an own offer holds.
  await eventually(async () => assert.match(await page.getByTestId('ladder-held').innerText(), new RegExp(`${before} free`)))
  await page.keyboard.press('q')
  await until(async () => (await held()) === before * 0.75)
  await place(ada, { side: 'SELL', price: 0.52, quantity: 10 })
  await row(52).getByRole('button', { name: /^Cancel/ }).waitFor()
  await page.keyboard.press('x')
  await until(async () => (await held()) === 0)
  assert.equal((await open()).length, 0)

  await place(ada, { side: 'BUY', price: 0.41, quantity: 5 })
  await place(ada, { side: 'BUY', price: 0.42, quantity: 5 })
  await page.keyboard.press('c')
  await until(async () => (await open()).length === 0)

  // Too much for one click, and a switch of the outcome, which disarms.
  const orders = sent.length
  await ladder.getByRole('button', { name: 'Edit amounts' }).click()
  await ladder.getByLabel('Amount 4').fill('900000')
  await ladder.getByRole('button', { name: 'Done' }).click()
  await page.keyboard.press('4')
  await page.keyboard.press('b')
  await page.locator('[data-toast="bad"]', { hasText: 'Nothing was sent' }).first().waitFor()
  await page.getByRole('radiogroup', { name: 'Outcome shown' }).getByRole('radio').last().check()
  await ladder.getByText(/^Not armed/).waitFor()
  await page.keyboard.press('b')
  assert.equal(sent.length, orders)

  await page.reload()
  await page.getByRole('radio', { name: 'Ladder' }).check()
  await ladder.getByText(/^Not armed/).waitFor()
  await ladder.getByRole('radio', { name: /^7\b/ }).waitFor()
  await exchange.operate('POST', `/admin/v1/events/${slug}/close`)
  await clean()
  await context.close()
}
