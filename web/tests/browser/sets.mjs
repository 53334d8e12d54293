// Complete sets: money becomes shares of both sides and back, on the page and in the exchange's books alike.
import assert from 'node:assert/strict'
import { money, shares } from './shown.mjs'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'make and burn complete sets'
const SLUG = 'most-seats-in-the-harbour-assembly'

export async function run({ browser, quiet: exchange }) {
  const bola = exchange.user('bola')
  const event = await exchange.event(SLUG)
  const market = event.markets[1]
  const cash = async (currency = 'USD') => {
    const { assets } = await exchange.read('/v1/wallet/assets', bola)
    return assets.find((asset) => asset.symbol === currency).availableBalance
  }
  const held = async (currency = 'USD') => {
    const { outcomeBalances } = await exchange.read(`/v1/pm/portfolio?eventId=${event.id}&currency=${currency}`, bola)
    const of = (outcome) =>
      outcomeBalances.find((one) => one.market.id === market.id && one.outcome === outcome)?.balance ?? 0
    return [of('YES'), of('NO')]
  }
  const { page, context, clean } = await visitAs(browser, exchange, bola)
  await page.goto(`/events/${SLUG}?market=${market.id}`)
  const panel = page.getByRole('complementary', { name: 'Trade' }).getByTestId('sets')
  await panel.getByText('Complete sets').click()
  const form = panel.getByRole('form')
  const field = form.getByLabel('Sets', { exact: true })
  const [before, price] = [await cash(), event.markets[1].outcome1Price]

  // Mistakes are named, and nothing is sent.
  for (const [typed, said] of [
    ['', 'How many sets?'],
    ['-3', 'A number'],
    ['0.00001', 'A number'],
    ['100000000', 'Your cash makes'],
  ]) {
    await field.fill(typed)
    await form.getByRole('button', { name: 'Make sets' }).click()
    await form.getByText(said).waitFor()
  }
  assert.equal(await cash(), before)

  await field.fill('12.5')
  assert.equal(await form.locator('[data-field="gives"]').innerText(), money(12.5))
  await form.getByRole('button', { name: 'Make sets' }).click()
  await page.locator('[data-toast="good"]', { hasText: 'Made 12.5 sets' }).waitFor()
  assert.deepEqual([await cash(), await held()], [before - 12.5, [12.5, 12.5]])
  assert.equal((await exchange.event(SLUG)).markets[1].outcome1Price, price, 'sets move no price')
  await page.getByText(`${shares(12.5)} No`).first().waitFor()

  // Some of it is given back.
  await form.getByRole('radio', { name: 'Burn' }).check()
  await form.getByRole('button', { name: 'Max 12.5' }).click()
  assert.equal(await form.locator('[data-field="gets"]').innerText(), money(12.5))
  await field.fill('20')
  await form.getByRole('button', { name: 'Burn sets' }).click()
  await form.getByText('You have 12.5 of both sides').waitFor()
  await field.fill('2.5')
  await form.getByRole('button', { name: 'Burn sets' }).click()
  await page.locator('[data-toast="good"]', { hasText: 'Burned 2.5 sets' }).waitFor()
  assert.deepEqual([await cash(), await held()], [before - 10, [10, 10]])

  // A program of the same user was quicker: the exchange refuses, and says why.
  await form.getByRole('button', { name: 'Max 10' }).waitFor()
  await exchange.write(bola, 'POST', `/v1/pm/markets/${market.id}/burn`, { quantity: 9, currency: 'USD' })
  await field.fill('10')
  await form.getByRole('button', { name: 'Burn sets' }).click()
  await form
    .getByRole('alert')
    .filter({ hasText: /shares/i })
    .waitFor()
  assert.deepEqual([await cash(), await held()], [before - 1, [1, 1]])

  // In naira a set is a hundred.
  const naira = await cash('NGN')
  await page.getByRole('radio', { name: '₦' }).first().check({ force: true })
  await form.getByRole('radio', { name: 'Make' }).check()
  await field.fill('3')
  assert.equal(await form.locator('[data-field="gives"]').innerText(), money(300, '₦'))
  await form.getByRole('button', { name: 'Make sets' }).click()
  await page.locator('[data-toast="good"]', { hasText: 'Made 3 sets' }).waitFor()
  assert.deepEqual([await cash('NGN'), await held('NGN')], [naira - 300, [3, 3]])
  await page.getByRole('radio', { name: '$' }).first().check({ force: true })

  // Where nothing can be made any more, what one has can still be given back.
  await exchange.operate('POST', `/admin/v1/events/${SLUG}/pause`)
  await form.getByText('The market is paused').waitFor()
  assert.ok(await form.getByRole('button', { name: 'Make sets' }).isDisabled())
  await form.getByRole('radio', { name: 'Burn' }).check()
  await field.fill('1')
  await form.getByRole('button', { name: 'Burn sets' }).click()
  await page.locator('[data-toast="good"]', { hasText: 'Burned 1 sets' }).waitFor()
  await exchange.operate('POST', `/admin/v1/events/${SLUG}/resume`)
  await eventually(async () => assert.deepEqual([await cash(), await held()], [before, [0, 0]]))

  // Each leaves a line.
  await page.goto('/portfolio')
  await page.getByRole('tab', { name: 'Activity' }).click()
  const kinds = page.getByRole('radiogroup', { name: 'Kind of activity' })
  await kinds.getByRole('radio', { name: 'All', exact: true }).check()
  await page.getByRole('row', { name: /Sets burned.*1/ }).first().waitFor()
  await page.getByRole('row', { name: /Sets made.*300/ }).first().waitFor()

  // A pool has none.
  await page.goto('/events/number-one-film-of-the-holiday-weekend')
  await page.getByRole('form', { name: 'Order ticket' }).waitFor()
  assert.equal(await page.getByTestId('sets').count(), 0)
  await clean()
  await context.close()
}
