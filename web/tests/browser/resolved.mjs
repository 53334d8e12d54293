// A question that is resolved: what its reader won or lost, the result by its own label, a chart that ends at what was paid, and
// no ticket. The page of a reader who watches it changes by itself.
import assert from 'node:assert/strict'
import { money } from './shown.mjs'
import { eventually } from './until.mjs'
import { visit, visitAs } from './visitor.mjs'

export const name = 'a resolved question'
const SLUG = 'tide-up-or-down'
const LOT = 50

export async function run({ browser, quiet: exchange }) {
  const [ada, bola] = [exchange.user('ada'), exchange.user('bola')]
  await exchange.operate('POST', '/admin/v1/events', {
    slug: SLUG,
    title: 'Is the tide up or down at noon?',
    type: 'single',
    engine: 'CLOB',
    currencies: ['USD'],
    category: 'weather',
    closingDate: new Date(Date.now() + 86_400_000).toISOString(),
    resolutionSource: 'The gauge in the harbour',
    markets: [{ title: 'Noon', rules: 'The gauge at noon, against the gauge at eleven.', yesLabel: 'Up', noLabel: 'Down' }],
  })
  await exchange.operate('POST', `/admin/v1/events/${SLUG}/open`, {})
  const event = await exchange.event(SLUG)
  const market = event.markets[0]
  const order = { side: 'BUY', type: 'LIMIT', currency: 'USD', quantity: LOT }
  await exchange.place(bola, event, market, { ...order, outcomeId: market.outcome2Id, price: 0.4 })
  await exchange.place(ada, event, market, { ...order, outcomeId: market.outcome1Id, price: 0.6 })

  const loser = await visitAs(browser, exchange, ada)
  await loser.page.goto(`/events/${SLUG}`)
  await loser.page.getByRole('form', { name: 'Order ticket' }).waitFor()
  const winner = await visitAs(browser, exchange, bola)

  await exchange.operate('POST', `/admin/v1/events/${SLUG}/close`)
  await exchange.operate('POST', `/admin/v1/markets/${market.id}/resolve`, { outcome: 'NO' })
  await eventually(async () => assert.equal((await exchange.event(SLUG)).status, 'resolved'))

  await winner.page.goto(`/events/${SLUG}`)
  const endOf = async (page) => (await page.locator('.chart text.end').allTextContents()).join()
  for (const [page, word, amount] of [[loser.page, 'You lost', 0.6 * LOT], [winner.page, 'You won', 0.6 * LOT]]) {
    const own = page.getByTestId('own-result')
    await own.waitFor()
    assert.match(await own.innerText(), new RegExp(`${word}[\\s\\S]*${money(amount).replace('$', '\\$')}`))
    assert.equal(await page.getByTestId('result').innerText(), 'Down')
    assert.match(await page.locator('main header').first().innerText(), /Resolved\s*Down/)
    await eventually(async () => assert.equal(await endOf(page), '0%'))
    // The other line ends where its shares were paid.
    await page.getByRole('button', { name: /^Down/ }).first().click()
    await eventually(async () => assert.deepEqual((await endOf(page)).split(',').sort(), ['0%', '100%']))
    assert.equal(await page.getByRole('form', { name: 'Order ticket' }).count(), 0)
    assert.equal(await page.getByText(/\bNO\b/).count(), 0)
  }
  // On a phone there is no bar to buy with either, and lists name the result too.
  const phone = await visit(browser, exchange, { viewport: { width: 360, height: 740 } })
  await phone.page.goto(`/events/${SLUG}`)
  await phone.page.getByTestId('result').waitFor()
  await phone.page.getByRole('navigation', { name: 'Pages, at the bottom' }).waitFor()
  assert.equal(await phone.page.locator('.phone').count(), 0)
  await phone.page.goto('/?q=tide&status=any')
  await eventually(async () =>
    assert.match(await phone.page.locator(`[data-event="${SLUG}"]`).innerText(), /Resolved\s*Down/),
  )
  for (const { clean, context } of [loser, winner, phone]) {
    await clean()
    await context.close()
  }
}
