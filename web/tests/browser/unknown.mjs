// What is not known is not told as something else: shares that were not read are not "none", and an order whose answer did not
// arrive was not "not sent".
import assert from 'node:assert/strict'
import { ownQuestion } from './own-question.mjs'
import { eventually, until } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'what is not known is told as that'

export async function run({ browser, quiet: exchange }) {
  const [funmi, chidi] = [exchange.user('funmi'), exchange.user('chidi')]
  const question = await ownQuestion(exchange, { slug: 'does-the-cinema-open', title: 'Does the cinema open?' })
  await question.mint(funmi, 40)
  await question.mint(chidi, 200)
  await question.place(chidi, { side: 'BUY', price: 0.45, quantity: 100 })
  await question.place(chidi, { side: 'SELL', price: 0.47, quantity: 100 })
  const { page, context, clean } = await visitAs(browser, exchange, funmi)
  await sharesThatAreNotRead(page, question, funmi)
  await anOrderWithoutAnAnswer(page, question, funmi)
  await aClickWithoutAnAnswer(page, question, funmi)
  await clean()
  await context.close()
}

/** Cuts off the answers to orders, after the exchange has carried them out. Answers their keys. */
async function cutOff(page) {
  const keys = []
  await page.route('**/orders', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys.push(await route.request().headerValue('Idempotency-Key'))
    await route.fetch()
    await route.abort()
  })
  return keys
}

async function sharesThatAreNotRead(page, question, funmi) {
  // Late: the answers wait until the walk lets them go. Then they fail.
  let letGo
  const late = new Promise((resume) => (letGo = resume))
  await page.route('**/v1/pm/portfolio?*', async (route) => {
    await late
    await route.abort()
  })
  await page.goto(question.address)
  const form = page.getByRole('form', { name: 'Order ticket' })
  await form.getByRole('radio', { name: 'Sell', exact: true }).check()
  const size = form.getByLabel('Shares', { exact: true }).last()
  await size.fill('5')
  await form.getByText('Your shares are not known yet.').waitFor()
  assert.ok(await form.getByRole('button', { name: '25 %' }).isDisabled())
  await form.getByTestId('quote').locator('[data-field="total"]').waitFor()
  assert.equal(await page.getByText(/you have none/i).count(), 0)
  await page.getByRole('radio', { name: 'Ladder' }).check()
  await page.getByTestId('ladder').getByText('Your shares are not known yet.').waitFor()
  letGo()
  await form.getByText('Your shares could not be read.').waitFor()
  await page.getByText('What you hold could not be loaded').waitFor()

  // A key of the ladder says the same, and the ticket sells: the exchange knows what there is.
  const ladder = page.getByTestId('ladder')
  await ladder.getByRole('button', { name: 'Arm one-click orders' }).click()
  await page.keyboard.press('e')
  await page.locator('[data-toast="bad"]', { hasText: 'Your shares are not known' }).waitFor()
  await ladder.getByRole('button', { name: /^Disarm/ }).click()
  await form.getByRole('button', { name: 'Sell Yes' }).click()
  await page.locator('[data-toast="good"]', { hasText: 'Sold 5 Yes' }).waitFor()
  assert.equal(await question.held(funmi), 35)
  assert.equal(await page.getByText(/none to sell|you hold no/i).count(), 0)

  // Tried again, they are there. A page that has come to rest does not read them by itself before that.
  await page.reload()
  await form.getByRole('radio', { name: 'Sell', exact: true }).check()
  await form.getByText('Your shares could not be read.').waitFor()
  await page.waitForLoadState('networkidle')
  await page.unroute('**/v1/pm/portfolio?*')
  await form.getByRole('button', { name: 'Try again' }).click()
  await form.getByText('You hold 35 Yes').waitFor()
  assert.equal(await form.getByTestId('shares-unknown').count(), 0)
}

async function anOrderWithoutAnAnswer(page, question, funmi) {
  const form = page.getByRole('form', { name: 'Order ticket' })
  const keys = await cutOff(page)
  await form.getByLabel('Shares', { exact: true }).last().fill('3')
  await form.getByTestId('quote').locator('[data-field="total"]').waitFor()
  const sell = form.getByRole('button', { name: 'Sell Yes' })
  await sell.click()
  const said = form.getByRole('alert').filter({ hasText: 'it is not known whether this was done' })
  await said.waitFor()
  await eventually(async () => assert.equal(await question.held(funmi), 32))
  // It stays said while prices move, and the same order again is the same request.
  await page.unroute('**/orders')
  page.on('request', (request) => request.url().endsWith('/orders') && keys.push(request.headers()['idempotency-key']))
  const first = keys.length
  await sell.click()
  await page.locator('[data-toast="good"]', { hasText: 'Sold 3 Yes' }).waitFor()
  assert.equal(keys.length, first + 1)
  assert.equal(new Set(keys).size, 1)
  assert.equal(await question.held(funmi), 32)
}

async function aClickWithoutAnAnswer(page, question, funmi) {
  await page.getByRole('radio', { name: 'Ladder' }).check()
  const ladder = page.getByTestId('ladder')
  const offered = async () => (await question.orders(funmi)).filter(({ status }) => status === 'open')
  await ladder.getByRole('button', { name: 'Arm one-click orders' }).click()
  const keys = await cutOff(page)
  const cell = ladder.locator('[data-row="44"]').getByRole('button', { name: /^Buy/ })
  await cell.click()
  const told = page.locator('[data-toast="bad"]', { hasText: 'The outcome is not known' })
  await told.waitFor()
  assert.equal(await page.getByText('The order was not sent').count(), 0)
  assert.equal((await offered()).length, 1)
  await cell.click()
  await until(async () => (await told.count()) === 2)
  assert.equal((await offered()).length, 1, 'the same click is the same order')
  await page.unroute('**/orders')
  await cell.click()
  await page.locator('[data-toast="good"]', { hasText: 'in the book' }).waitFor()
  assert.equal((await offered()).length, 1)
  assert.equal(new Set(keys).size, 1)
  // Its outcome is known: the next click is another order.
  await cell.click()
  await eventually(async () => assert.equal((await offered()).length, 2))

  // A part of the shares is what was meant at the first press, not a part of what is left by then.
  const before = await question.held(funmi)
  while ((await told.count()) > 0) await told.first().getByRole('button', { name: 'Dismiss' }).click()
  await cutOff(page)
  await page.keyboard.press('w')
  await told.waitFor()
  await eventually(async () => assert.equal(await question.held(funmi), before / 2))
  await ladder.getByText(`${before / 2} free`).waitFor()
  await page.unroute('**/orders')
  await page.keyboard.press('w')
  await page.locator('[data-toast="good"]', { hasText: `Sold ${before / 2} Yes` }).waitFor()
  assert.equal(await question.held(funmi), before / 2)
  await page.keyboard.press('Escape')
}
