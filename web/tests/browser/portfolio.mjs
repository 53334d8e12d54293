// Positions, profit and the past, held against the API.
import assert from 'node:assert/strict'
import { ownQuestion } from './own-question.mjs'
import { money, shares } from './shown.mjs'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'portfolio and profit'

/** At the price that the page shows for the outcome, rounded down to a millionth. */
function valueOf({ balance, outcome, currency, market }) {
  const price = outcome === 'YES' ? market.outcome1Price : market.outcome2Price
  return Math.floor(balance * price * 1e6 + 1e-6) * (currency === 'NGN' ? 1e-4 : 1e-6)
}

export async function run({ browser, quiet: exchange }) {
  const ada = exchange.user('ada')
  const event = await exchange.event('marathon-record-this-season')
  const market = event.markets[0]
  await exchange.place(ada, event, market, {
    side: 'BUY',
    outcomeId: market.outcome1Id,
    type: 'MARKET',
    amount: 200,
    currency: 'USD',
  })
  await exchange.place(ada, event, market, {
    side: 'BUY',
    outcomeId: market.outcome2Id,
    type: 'MARKET',
    amount: 5000,
    currency: 'NGN',
  })
  // A trade of an order that waited in a book.
  const book = await ownQuestion(exchange, { slug: 'does-the-ferry-sail', title: 'Does the ferry sail?' })
  const bola = exchange.user('bola')
  await book.place(ada, { side: 'BUY', price: 0.4, quantity: 50 })
  await book.mint(bola, 50)
  await book.place(bola, { side: 'SELL', price: 0.4, quantity: 50 })

  const { page, context, clean } = await visitAs(browser, exchange, ada)
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Portfolio' }).click()
  const table = page.getByTestId('positions')
  await table.waitFor()

  // Sell half on the event's page, so that there is something realised.
  await table.getByRole('link', { name: event.title }).first().click()
  await page.getByRole('heading', { level: 1, name: event.title }).waitFor()
  await page.getByRole('button', { name: 'Sell', exact: true }).first().click()
  const form = page.getByRole('complementary', { name: 'Trade' }).getByRole('form')
  await form.getByLabel('Shares', { exact: true }).last().fill('300')
  await form.getByRole('button', { name: 'Sell Yes' }).click()
  await page.locator('[data-toast="good"]', { hasText: 'Sold 300 Yes' }).waitFor()

  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Portfolio' }).click()
  for (const [currency, symbol] of [
    ['USD', '$'],
    ['NGN', '₦'],
  ]) {
    const portfolio = await exchange.read(`/v1/pm/portfolio?currency=${currency}`, ada)
    assert.ok(portfolio.outcomeBalances.length > 0)
    for (const position of portfolio.outcomeBalances) {
      const row = page.locator(`[data-outcome="${position.outcomeId}"][data-currency="${currency}"]`)
      await eventually(async () => {
        assert.ok((await row.locator('[data-field="shares"]').innerText()).startsWith(shares(position.balance)))
        assert.equal(await row.locator('[data-field="value"]').innerText(), money(valueOf(position), symbol))
        // What is believed is a percentage, in either currency.
        const { outcome1Price, outcome2Price } = position.market
        const believed = position.outcome === 'YES' ? outcome1Price : outcome2Price
        assert.equal(await row.locator('[data-field="now"]').innerText(), `${Math.round(believed * 100)}%`)
        assert.equal(await row.locator('[data-field="sale"]').innerText(), money(position.currentValue, symbol))
        const profit = Math.round((valueOf(position) - position.cost) * 1e6) / 1e6
        assert.ok((await row.locator('[data-field="profit"]').innerText()).includes(money(profit, symbol, true)))
      })
    }
    const { assets } = await exchange.read('/v1/wallet/assets', ada)
    const asset = assets.find((one) => one.symbol === currency)
    const wallet = page.locator(`[data-wallet="${currency}"]`)
    await eventually(async () => {
      assert.equal(await wallet.locator('[data-field="cash"]').innerText(), money(asset.availableBalance, symbol))
      assert.equal(
        await wallet.locator('[data-field="positions"]').innerText(),
        money(
          portfolio.outcomeBalances.reduce((sum, position) => sum + valueOf(position), 0),
          symbol,
        ),
      )
    })
  }

  const pnl = await exchange.read('/v1/pm/pnl?timePeriod=1W&currency=USD', ada)
  assert.notEqual(pnl.realizedPnl, 0)
  await eventually(async () =>
    assert.ok((await page.getByTestId('realized').innerText()).includes(money(pnl.realizedPnl, '$', true))),
  )

  await page.getByRole('tab', { name: 'Orders', exact: true }).click()
  const { orders } = await exchange.read('/v1/pm/orders?size=20', ada)
  await eventually(async () => assert.equal(await page.locator('[data-order]').count(), orders.length))
  await page.getByRole('tab', { name: 'Activity' }).click()
  // Every movement with its sign, and the balance after it, back to the first deposit.
  const { movements } = await exchange.readSigned('/v1/pm/statement?currency=USD&size=20', ada)
  await eventually(async () => assert.equal(await page.locator('[data-movement]').count(), movements.length))
  for (const [index, movement] of movements.entries()) {
    const row = page.locator('[data-movement]').nth(index)
    assert.equal(await row.getAttribute('data-movement'), movement.type)
    assert.equal(await row.locator('[data-field="amount"]').innerText(), money(movement.amount, '$', true))
    assert.equal(await row.locator('[data-field="balance"]').innerText(), money(movement.balance, '$'))
  }
  assert.equal(movements.at(-1).type, 'DEPOSIT')
  const { points } = await exchange.readSigned('/v1/pm/account/value?timePeriod=1W&currency=USD', ada)
  assert.ok((await page.getByTestId('account-value').innerText()).includes(money(points.at(-1).value, '$')))
  await page.getByRole('radiogroup', { name: 'Kind of activity' }).getByRole('radio', { name: 'All', exact: true }).check()
  await page.getByText('Sold', { exact: true }).first().waitFor()
  await page.getByRole('row', { name: /Sold Yes[\s\S]*300/ }).waitFor()
  await page.getByRole('tab', { name: 'Trades' }).click()
  await page.getByText('Rested in the book').first().waitFor()

  // What cannot be read is not shown as nothing.
  await page.route('**/v1/pm/portfolio*', (route) => route.abort())
  await page.goto('/portfolio')
  const dollars = page.locator('[data-wallet="USD"]')
  await page.getByText('Your positions could not be loaded').waitFor()
  assert.match(await dollars.locator('[data-field="cash"]').innerText(), /^\$/)
  for (const field of ['positions', 'total'])
    assert.equal(await dollars.locator(`[data-field="${field}"]`).innerText(), '–')
  await page.unroute('**/v1/pm/portfolio*')
  await clean()
  await context.close()
}
