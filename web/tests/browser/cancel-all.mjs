// "Cancel all" behind a proxy that drops the bodies of DELETE requests: what is narrowed down to one question stays narrow.
import assert from 'node:assert/strict'
import { ownQuestion } from './own-question.mjs'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'cancel all of one question leaves the orders of another'

export async function run({ browser, quiet: exchange }) {
  const funmi = exchange.user('funmi')
  const here = await ownQuestion(exchange, { slug: 'does-the-kiosk-open', title: 'Does the kiosk open?' })
  const there = await ownQuestion(exchange, { slug: 'does-the-pool-open', title: 'Does the pool open?' })
  const status = async (id) => (await exchange.read(`/v1/pm/orders/${id}`, funmi)).status
  const rest = (question, price) => question.place(funmi, { side: 'BUY', price, quantity: 50 })
  const other = await rest(there, 0.11)
  await rest(here, 0.12)
  await rest(here, 0.13)

  const { page, context, clean } = await visitAs(browser, exchange, funmi)
  await page.route('**/v1/**', async (route) => {
    const request = route.request()
    if (request.method() !== 'DELETE') return route.continue()
    const { 'content-length': _, 'content-type': __, ...headers } = await request.allHeaders()
    const response = await page.request.fetch(request.url(), { method: 'DELETE', headers })
    return route.fulfill({ response })
  })
  await page.goto(here.address)
  await eventually(async () => assert.equal(await page.locator('[data-order]').count(), 2))
  await page.getByRole('button', { name: 'Cancel all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel all' }).click()
  await page.locator('[data-toast="good"]', { hasText: '2 orders cancelled' }).waitFor()
  assert.equal(await status(other.id), 'open')

  // The ladder, by its key; and the orders at one price, which are one request.
  const kept = await rest(here, 0.13)
  const [first, second] = [await rest(here, 0.14), await rest(here, 0.14)]
  const sent = []
  page.on('request', (request) => request.method() !== 'GET' && sent.push(new URL(request.url()).pathname))
  // The first book decides which rows the ladder shows.
  await page.getByTestId('book').locator('[data-price="0.14"]').getByText('100').first().waitFor()
  await page.getByRole('radio', { name: 'Ladder' }).check()
  const ladder = page.getByTestId('ladder')
  await ladder.getByRole('button', { name: 'Arm one-click orders' }).click()
  await ladder.locator('[data-row="14"]').getByRole('button', { name: 'Cancel 100 at 14¢' }).click()
  await page.locator('[data-toast="good"]', { hasText: '2 orders cancelled' }).last().waitFor()
  await eventually(async () =>
    assert.deepEqual([await status(first.id), await status(second.id), await status(kept.id)], ['cancelled', 'cancelled', 'open']),
  )
  assert.deepEqual(sent, ['/v1/pm/orders/batch/cancel'])
  await page.keyboard.press('c')
  await eventually(async () => assert.equal(await status(kept.id), 'cancelled'))
  assert.equal(await status(other.id), 'open')
  await clean()
  await context.close()
}
