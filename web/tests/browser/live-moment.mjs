// What happens without a click: a waiting order that another trader meets is told, with a sound if wanted, and the book moves.
import assert from 'node:assert/strict'
import { money } from './shown.mjs'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'fills of waiting orders, and numbers that light up'

export async function run({ browser, quiet: exchange }) {
  const [ada, chidi] = [exchange.user('ada'), exchange.user('chidi')]
  const event = await exchange.event('city-referendum')
  const market = event.markets[0]
  const { page, context, clean } = await visitAs(browser, exchange, ada)
  await page.addInitScript(() => {
    window.tones = 0
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (...given) {
      window.tones += 1
      return start.apply(this, given)
    }
  })
  await page.goto('/account')
  const wanted = page.getByRole('checkbox', { name: /^Play a sound/ })
  assert.equal(await wanted.isChecked(), false)
  await wanted.check()
  assert.ok((await page.evaluate(() => window.tones)) > 0, 'the choice can be heard')

  await page.goto(`/events/${event.slug}?market=${market.id}`)
  await page.getByTestId('book').locator('[data-price]').first().waitFor()
  // Between the best buyer and the best seller, where the next seller meets it first.
  const [book] = await exchange.read(`/v1/pm/books?outcomeId=${market.outcome1Id}`)
  const price = Math.round((book.bids[0].price + 0.01) * 100) / 100
  assert.ok(price < book.asks[0].price, 'there is room between the two')
  const buy = (person, outcomeId, at, more) =>
    exchange.place(person, event, market, { side: 'BUY', outcomeId, type: 'LIMIT', price: at, currency: 'USD', ...more })
  const { order } = await buy(ada, market.outcome1Id, price, { quantity: 40 })
  await page.locator(`[data-order="${order.id}"]`).waitFor()
  const level = page.getByTestId('book').locator(`[data-price="${price}"]`)
  await level.waitFor()

  // Others change how much waits there: the number lights up.
  const { order: more } = await buy(chidi, market.outcome1Id, price, { quantity: 25 })
  await eventually(async () => assert.equal(await level.locator('[data-moved]').getAttribute('data-moved'), 'up'))
  await exchange.write(chidi, 'DELETE', `/v1/pm/orders/${more.id}`)
  await eventually(async () => assert.equal(await level.locator('[data-moved]').getAttribute('data-moved'), 'down'))

  // A sound that was wanted before needs a key or a tap on this page.
  assert.equal(await page.evaluate(() => window.tones), 0)
  await page.keyboard.press('Shift')

  const meeting = Math.round((1 - price) * 100) / 100
  await buy(chidi, market.outcome2Id, meeting, { quantity: 10, timeInForce: 'FAK' })
  const toast = page.locator('[data-toast="good"]', { hasText: 'was met' })
  // It goes by itself after a while, so its words are read as soon as they are there.
  assert.match(await toast.innerText(), /Bought 10 [\s\S]*more wait/)
  await eventually(async () => assert.ok((await page.evaluate(() => window.tones)) > 0, 'a fill can be heard'))

  // Every price of the page lights up when it moves, and what ada holds is worth what the page shows, without being read again.
  const mine = page.getByRole('region', { name: 'You hold' })
  const value = mine.locator('[data-field="value"]')
  await value.waitFor()
  const shown = () => Promise.all([value.innerText(), mine.locator('[data-field="sale"]').innerText()])
  const [worth, sale] = await shown()
  await page.route('**/v1/pm/portfolio?*', (route) => route.abort())
  const [{ asks }] = await exchange.read(`/v1/pm/books?outcomeId=${market.outcome1Id}`)
  await exchange.write(ada, 'DELETE', '/v1/pm/orders', { eventId: event.id })
  // The two best sellers' all, and a bid where they were: both sides of the middle have moved.
  await buy(chidi, market.outcome1Id, asks[1].price, { quantity: asks[0].quantity + asks[1].quantity + 60 })
  await eventually(async () => assert.notEqual((await shown())[0], worth))
  const { outcome1Price } = (await exchange.event(event.slug)).markets[0]
  const { balance } = (await exchange.read(`/v1/pm/portfolio?currency=USD&eventId=${event.id}`, ada)).outcomeBalances.find(
    (position) => position.market.id === market.id && position.outcome === 'YES',
  )
  assert.equal((await shown())[0], money(Math.floor(balance * outcome1Price * 1e6 + 1e-6) / 1e6))
  for (const place of [
    page.getByTestId('chances'),
    page.getByRole('list', { name: 'Markets of this question' }),
    page.getByRole('form', { name: 'Order ticket' }).getByRole('radiogroup', { name: 'Outcome' }),
    mine,
  ])
    if ((await place.count()) > 0) await place.locator('[data-moved]').first().waitFor()
  // What a sale brings is the exchange's to say: it is read again when the price moves.
  await page.unroute('**/v1/pm/portfolio?*')
  await buy(chidi, market.outcome1Id, asks[2].price, { quantity: asks[2].quantity + 60 })
  await eventually(async () => assert.notEqual((await shown())[1], sale))
  await exchange.write(chidi, 'DELETE', '/v1/pm/orders', { eventId: event.id })
  await clean()
  await context.close()
}
