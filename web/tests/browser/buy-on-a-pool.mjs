// Browse, find an event, see a quote, log in, buy. Each number on the page is the API's.
import assert from 'node:assert/strict'
import { cents, money, shares } from './shown.mjs'
import { eventually } from './until.mjs'
import { logIn, rememberSession, visit } from './visitor.mjs'

export const name = 'browse, quote and buy on a pool'

export async function run({ browser, quiet: exchange }) {
  const ada = exchange.user('ada')
  const event = await exchange.event('ether-above-5000-at-year-end')
  const market = event.markets[0]
  const { page, context, clean } = await visit(browser, exchange)

  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('combobox', { name: 'Search questions' }).fill('ether end')
  await page.keyboard.press('Enter')
  const card = page.locator(`[data-event="${event.slug}"]`)
  await card.waitFor()
  await eventually(async () => assert.equal(await page.locator('[data-event]').count(), 1))
  assert.match(await card.innerText(), new RegExp(`Yes\\s*${cents(market.yesBuyPrice)}`))
  await card.getByRole('link', { name: event.title }).click()
  await page.getByRole('heading', { level: 1, name: event.title }).waitFor()
  await page.locator('main').getByText(market.rules.slice(0, 30)).waitFor()

  await page.getByLabel('Amount to spend').fill('25')
  const expected = await exchange.quote(event, market, { side: 'BUY', outcomeId: market.outcome1Id, amount: 25 })
  const quote = page.getByTestId('quote')
  const field = (name) => quote.locator(`[data-field="${name}"]`).innerText()
  await eventually(async () => {
    assert.equal(await field('price'), cents(expected.price))
    assert.equal(await field('shares'), shares(expected.quantity, 4))
    assert.equal(await field('fee'), money(expected.fee))
    assert.equal(await field('total'), money(expected.amount))
    assert.equal(await field('payout'), money(expected.quantity))
  })

  await logIn(page, ada)
  await rememberSession(exchange, ada, context)
  await page.getByRole('button', { name: 'Buy Yes', exact: true }).click()
  await page.locator('[data-toast="good"]', { hasText: 'Bought' }).waitFor()
  const { orders } = await exchange.read('/v1/pm/orders?size=1', ada)
  assert.equal(orders[0].filledSize, expected.quantity, 'the fill is what was quoted')
  assert.match(
    await page.locator('[data-toast="good"]', { hasText: 'Bought' }).innerText(),
    new RegExp(shares(orders[0].filledSize).replace('.', '\\.')),
  )

  const { assets } = await exchange.read('/v1/wallet/assets', ada)
  const dollars = assets.find((asset) => asset.symbol === 'USD')
  await eventually(async () =>
    assert.equal(await page.getByTestId('cash').innerText(), money(dollars.availableBalance)),
  )
  await page.getByRole('heading', { name: 'You hold' }).waitFor()

  // A trade with a pool is in the market's list, on a new visit too, and in one's own.
  const traded = new RegExp(`Buy Yes[\\s\\S]*${cents(expected.price)}[\\s\\S]*${shares(expected.quantity)}`)
  for (const visit of ['first', 'second']) {
    if (visit === 'second') await page.reload()
    await eventually(async () => assert.match(await page.getByTestId('trades').innerText(), traded))
  }
  await page.goto('/portfolio')
  await page.getByRole('tab', { name: 'Trades' }).click()
  await page.getByRole('row', { name: /Bought Yes[\s\S]*With the pool/ }).first().waitFor()
  await page.goto(`/events/${event.slug}`)

  // Too much for the pool is refused in the exchange's own words, and nothing is lost.
  await page.getByLabel('Amount to spend').fill('90000')
  await page.getByRole('alert').filter({ hasText: 'more than the pool may take' }).waitFor()
  assert.ok(await page.getByRole('button', { name: 'Buy Yes', exact: true }).isDisabled())

  // The sizes of the curve are those of the currency.
  await page.getByRole('img', { name: /orders from \$1 to \$5,000,/ }).first().waitFor()
  await page.getByRole('radio', { name: '₦' }).first().check()
  await page.getByRole('img', { name: /orders from ₦100 to ₦500,000,/ }).first().waitFor()
  await clean()
  await context.close()
}
