// Place, see in the book, amend, be filled by another user, cancel: the page follows without being loaded again.
import assert from 'node:assert/strict'
import { shares } from './shown.mjs'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'place, amend and cancel on a book, with another trader'

export async function run({ browser, quiet: exchange }) {
  const [ada, chidi] = [exchange.user('ada'), exchange.user('chidi')]
  const event = await exchange.event('rain-in-lagos-on-new-years-day')
  const market = event.markets[0]
  const order = async (id) => exchange.read(`/v1/pm/orders/${id}`, ada)
  const { page, context, clean } = await visitAs(browser, exchange, ada)
  await page.goto(`/events/${event.slug}`)

  const form = page.getByRole('complementary', { name: 'Trade' }).getByRole('form')
  await form.getByRole('radio', { name: 'Limit' }).check()
  await form.getByLabel(/^Limit price/).fill('21')
  await form.getByLabel('Shares', { exact: true }).last().fill('40')
  await form.getByRole('button', { name: 'Buy Yes' }).click()
  const toast = page.locator('[data-toast="good"]', { hasText: 'in the book' })
  await toast.waitFor()
  // The next order may be the same at once: nothing covers its button.
  const [notice, ticket] = await Promise.all([
    toast.boundingBox(),
    page.getByRole('complementary', { name: 'Trade' }).boundingBox(),
  ])
  assert.ok(notice.x + notice.width <= ticket.x, 'a toast stands beside the ticket, not on it')

  const { orders } = await exchange.read('/v1/pm/orders?status=open&size=1', ada)
  const id = orders[0].id
  const row = page.locator(`[data-order="${id}"]`)
  await row.waitFor()
  assert.match(await row.innerText(), /Buy Yes[\s\S]*21¢[\s\S]*40/)
  const level = page.getByTestId('book').locator('[data-price="0.21"]')
  await eventually(async () => assert.match(await level.innerText(), /21¢[\s\S]*40/))

  // Another user's order appears in the book.
  const sale = await exchange.place(chidi, event, market, {
    side: 'BUY',
    outcomeId: market.outcome2Id,
    type: 'LIMIT',
    price: 0.55,
    quantity: 17,
    currency: 'USD',
  })
  assert.equal(sale.order.status, 'open')
  await eventually(async () =>
    assert.match(await page.getByTestId('book').locator('[data-price="0.45"]').innerText(), /45¢[\s\S]*17/),
  )

  // To the top of the book, between its best buyer at 34 and its best seller at 36.
  await row.getByRole('button', { name: 'Amend' }).click()
  const size = page.getByRole('dialog').getByLabel(/^Size/)
  await size.fill('')
  await size.pressSequentially('900000')
  assert.equal(await size.inputValue(), '900,000', 'thousands are set apart')
  await page.getByRole('button', { name: 'Amend order' }).click()
  await page.getByRole('dialog').getByRole('alert').getByText(/^This takes \$[\d,.]+ more, and you have \$/).waitFor()
  assert.equal((await order(id)).size, 40, 'nothing was sent')
  await page
    .getByRole('dialog')
    .getByLabel(/^Price/)
    .fill('35')
  await size.fill('50')
  await page.getByRole('button', { name: 'Amend order' }).click()
  await page.locator('[data-toast="good"]', { hasText: 'Order changed' }).waitFor()
  const amended = await order(id)
  const left = amended.remainingSize
  assert.equal(amended.price, 0.35)
  assert.equal(amended.size, 50)
  await eventually(async () => assert.match(await row.innerText(), new RegExp(`35¢[\\s\\S]*${shares(left)}`)))

  // Another user takes ten of it.
  await exchange.place(chidi, event, market, {
    side: 'BUY',
    outcomeId: market.outcome2Id,
    type: 'LIMIT',
    price: 0.65,
    quantity: 10,
    currency: 'USD',
    timeInForce: 'FAK',
  })
  const filled = await order(id)
  assert.equal(filled.remainingSize, left - 10)
  await eventually(async () =>
    assert.match(
      await row.innerText(),
      new RegExp(`35¢[\\s\\S]*${shares(filled.filledSize)}[\\s\\S]*${shares(filled.remainingSize)}`),
    ),
  )
  await eventually(async () => assert.match(await page.getByTestId('trades').innerText(), /Buy No[\s\S]*35¢[\s\S]*10/))

  await row.getByRole('button', { name: 'Cancel', exact: true }).click()
  await row.waitFor({ state: 'detached' })
  assert.equal((await order(id)).status, 'cancelled')

  // Cancel all, with a question before.
  for (const price of [0.11, 0.12]) {
    await exchange.place(ada, event, market, {
      side: 'BUY',
      outcomeId: market.outcome1Id,
      type: 'LIMIT',
      price,
      quantity: 20,
      currency: 'USD',
    })
  }
  await eventually(async () => assert.equal(await page.locator('[data-order]').count(), 2))
  await page.getByRole('button', { name: 'Cancel all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel all' }).click()
  await eventually(async () => assert.equal(await page.locator('[data-order]').count(), 0))
  const open = await exchange.read(`/v1/pm/orders?status=open&eventId=${event.id}`, ada)
  assert.equal(open.orders.length, 0)

  // All that the cash buys is an order that the exchange takes, its fee included.
  const housing = await exchange.event('housing-bill-this-session')
  assert.ok(housing.markets[0].feePercentage > 0)
  await page.goto(`/events/${housing.slug}`)
  await form.getByRole('radio', { name: 'Limit' }).check()
  // At the best seller's own price: nothing is bought for less, so nothing is left over for the fee.
  await form.getByText(/^Cash \$\d/).waitFor()
  await form.getByRole('button', { name: 'Max' }).click()
  await form.getByRole('button', { name: 'Buy Yes' }).click()
  // All of the cash is more than half of it.
  await form.getByTestId('confirmation').waitFor()
  await form.getByRole('button', { name: 'Confirm: Buy Yes' }).click()
  await page.locator('[data-toast="good"]', { hasText: 'more wait in the book' }).waitFor()
  await exchange.write(ada, 'DELETE', '/v1/pm/orders', { eventId: housing.id })
  await page.goto(`/events/${event.slug}`)
  await page.getByTestId('book').locator('[data-price]').first().waitFor()

  // A cut of the line: the page comes back by itself with what happened meanwhile.
  await context.setOffline(true)
  await page.getByText('You are offline').waitFor()
  await exchange.place(chidi, event, market, {
    side: 'BUY',
    outcomeId: market.outcome1Id,
    type: 'LIMIT',
    price: 0.07,
    quantity: 33,
    currency: 'USD',
  })
  await context.setOffline(false)
  await page.getByText('You are offline').waitFor({ state: 'detached' })
  await eventually(async () => assert.ok((await page.getByTestId('book').locator('[data-price="0.34"]').count()) > 0))
  await clean()
  await context.close()
}
