// Amending an order: the dialog shows the quote of the amended order, asks where the ticket would ask, and then tells what the
// exchange did.
import assert from 'node:assert/strict'
import { dollarsOf, ownQuestion } from './own-question.mjs'
import { cents, money, shares } from './shown.mjs'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'an amendment is quoted, confirmed and told as it happened'

export async function run({ browser, quiet: exchange }) {
  const [dayo, chidi] = [exchange.user('dayo'), exchange.user('chidi')]
  const question = await ownQuestion(exchange, {
    slug: 'does-the-first-tram-run',
    title: 'Does the first tram run?',
  })
  const { event, market } = question
  await question.mint(chidi, 500)
  for (const price of [0.4, 0.55, 0.7]) await question.place(chidi, { side: 'SELL', price, quantity: 100 })
  // The second keeps the list of orders on the page.
  const { id } = await question.place(dayo, { side: 'BUY', price: 0.02, quantity: 400 })
  await question.place(dayo, { side: 'BUY', price: 0.01, quantity: 200 })
  const order = () => exchange.read(`/v1/pm/orders/${id}`, dayo)

  const { page, context, clean } = await visitAs(browser, exchange, dayo)
  await page.goto(question.address)
  const dialog = page.getByRole('dialog')
  const [price, size] = [dialog.getByLabel(/^Price/), dialog.getByLabel(/^Size/)]
  const confirmation = dialog.getByTestId('confirmation')
  const change = confirmation.getByRole('button', { name: 'Change it' })
  const amend = dialog.getByRole('button', { name: 'Amend order', exact: true })
  const open = (of) => page.locator(`[data-order="${of}"]`).getByRole('button', { name: 'Amend' }).click()
  const field = (of) => dialog.locator(`[data-field="${of}"]`).innerText()

  // One slip: 98 in the place of 2. The quote is that of a new order, and what the order holds already is said beside it.
  await open(id)
  await price.fill('98')
  const terms = { side: 'BUY', outcomeId: market.outcome1Id, type: 'LIMIT', currency: 'USD', price: 0.98, quantity: 400 }
  const quote = await exchange.quote(event, market, { ...terms, timeInForce: 'GTC' })
  assert.ok(quote.priceImpactAbsolute > 0.05 && quote.order.restingSize === 100)
  await eventually(async () => {
    assert.equal(await field('price'), cents(quote.price))
    assert.equal(await field('shares'), shares(quote.quantity, 4))
    assert.equal(await field('impact'), cents(quote.priceImpactAbsolute))
    assert.equal(await field('resting'), shares(quote.order.restingSize, 4))
    assert.equal(await field('total'), money(quote.amount + quote.order.hold))
    assert.equal(await field('hold'), money(quote.order.hold))
    assert.equal(await field('released'), money(8))
  })
  await amend.click()
  await confirmation.getByText(`Your order moves the price by ${cents(quote.priceImpactAbsolute)}`).waitFor()
  assert.ok(await change.evaluate((button) => button === document.activeElement))

  // Escape takes the confirmation away, and not the dialog; so does the button. Enter in a field confirms nothing.
  await page.keyboard.press('Escape')
  await confirmation.waitFor({ state: 'detached' })
  assert.ok(await dialog.evaluate((element) => element.open && element.contains(document.activeElement)))
  await price.press('Enter')
  await confirmation.waitFor()
  await size.press('Enter')
  await change.click()
  await confirmation.waitFor({ state: 'detached' })
  assert.deepEqual([(await order()).price, (await order()).filledSize], [0.02, 0], 'nothing was sent')

  await amend.click()
  await confirmation.getByRole('button', { name: 'Confirm: amend' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const part = await order()
  assert.deepEqual([part.status, part.filledSize, part.remainingSize], ['partial_filled', 300, 100])
  const told = page.locator('[data-toast="good"]', { hasText: `Bought 300 Yes at ${cents(part.avgFillPrice)}` })
  await told.getByText('100 more wait in the book').waitFor()
  assert.equal(await page.locator('[data-toast]', { hasText: '98¢' }).count(), 0, 'no order is told that does not exist')

  // What had filled before is not told as filled now, and a fill of all of it is told as that.
  await page.locator(`[data-order="${id}"]`).getByText('98¢').waitFor()
  await open(id)
  await price.fill('20')
  await amend.click()
  await page.locator('[data-toast="good"]', { hasText: 'Order changed' }).getByText('100 Yes at 20¢').waitFor()
  await question.place(chidi, { side: 'SELL', price: 0.23, quantity: 150 })
  await page.locator(`[data-order="${id}"]`).getByText('20¢').waitFor()
  await open(id)
  await price.fill('24')
  await amend.click()
  const whole = page.locator('[data-toast="good"]', { hasText: 'Bought 400 Yes' })
  await whole.getByText('300 of these had filled before the change').waitFor()
  const filled = await order()
  assert.deepEqual([filled.status, filled.filledSize], ['filled', 400])
  await whole.getByText(`at ${cents(filled.avgFillPrice)}`).waitFor()

  // Without a quote the size alone asks; with one, more than the cash is refused here.
  const [other] = (await question.orders(dayo)).filter(({ status }) => status === 'open')
  const cash = await dollarsOf(exchange, dayo)
  await page.route('**/quote', (route) => route.abort())
  await open(other.id)
  await price.fill('90')
  await size.fill(String(Math.floor(cash)))
  await dialog.getByTestId('quote').getByText('cannot be reached').waitFor()
  await amend.click()
  await confirmation.getByText(/^You spend up to \$[\d,.]+, more than half of your cash/).waitFor()
  await page.unroute('**/quote')
  await size.fill(String(Math.floor(cash * 2)))
  await confirmation.waitFor({ state: 'detached' })
  await dialog.getByText(/^This takes \$[\d,.]+ more, and you have \$/).waitFor()
  await amend.click()

  // An answer that does not arrive: said so, and the same amendment again is the same request.
  const keys = []
  await page.route('**/v1/pm/orders/batch/amend', async (route) => {
    keys.push(await route.request().headerValue('Idempotency-Key'))
    await route.fetch()
    await route.abort()
  })
  await price.fill('2')
  await size.fill('200')
  await amend.click()
  await dialog.getByRole('alert').getByText('it is not known whether this was done').waitFor()
  assert.equal((await exchange.read(`/v1/pm/orders/${other.id}`, dayo)).price, 0.02)
  await page.unroute('**/v1/pm/orders/batch/amend')
  page.on('request', (request) => {
    if (request.url().endsWith('/batch/amend')) keys.push(request.headers()['idempotency-key'])
  })
  const attempts = keys.length
  await amend.click()
  await page.locator('[data-toast="good"]', { hasText: 'Order changed' }).getByText('200 Yes at 2¢').waitFor()
  assert.equal(keys.length, attempts + 1)
  assert.equal(new Set(keys).size, 1)

  // What the exchange refuses is told in its words, and the dialog stays. A third order keeps the list on the page.
  await question.place(dayo, { side: 'BUY', price: 0.05, quantity: 30 })
  await page.locator('[data-order]').nth(1).waitFor()
  await open(other.id)
  await exchange.write(dayo, 'DELETE', `/v1/pm/orders/${other.id}`)
  await price.fill('3')
  await amend.click()
  await dialog.getByRole('alert').getByText(/no longer open/).waitFor()
  await clean()
  await context.close()
}
