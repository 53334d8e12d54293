// A match: the calendar, the score as an operator sets it, all markets on one page, and an order from its one ticket.
import assert from 'node:assert/strict'
import { cents, money } from './shown.mjs'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'a match in play, with one ticket for all its markets'

export async function run({ browser, quiet: exchange }) {
  const ada = exchange.user('ada')
  const known = (await exchange.operate('GET', '/admin/v1/sports')).games[0]
  const { page, context, clean } = await visitAs(browser, exchange, ada)

  const reads = []
  page.on('request', (request) => request.url().includes('/sports/games') && reads.push(request.url()))
  const { gameId: _id, score: _score, clock: _clock, ...game } = known
  const stand = (more) => exchange.operate('POST', '/admin/v1/sports/import', { games: [{ ...game, ...more }] })

  // Any market of any of its questions goes to the one ticket.
  await page.goto(`/sports/${game.slug}`)
  const state = page.getByTestId('match-state')
  const ticket = page.getByRole('complementary', { name: 'Trade' })
  await ticket.waitFor()
  const sections = page.getByRole('region').filter({ has: page.getByRole('list') })
  await eventually(async () => assert.ok((await sections.count()) >= 3, 'three questions hang on a match'))
  const last = sections.last().getByRole('listitem').last()
  const title = (await last.innerText()).split('\n')[0].trim()
  await anAskThatMovesAlone(page, exchange)
  await termsToCome(page, ticket, exchange)
  await last.getByRole('button').first().click()
  await ticket.getByText(title, { exact: true }).waitFor()
  await ticket.getByLabel('Amount to spend').fill('5')
  await ticket.getByRole('button', { name: /^Buy / }).click()
  await page.locator('[data-toast="good"]').first().waitFor()

  await page.goto('/sports')
  await page.getByRole('region').getByRole('article').first().waitFor()
  assert.equal(await page.getByRole('region', { name: 'In play' }).count(), 0)
  const listed = reads.length
  await stand({ status: 'LIVE', score: { home: 1, away: 0 }, clock: "63'" })
  // The calendar moves it by itself.
  const live = page.getByRole('region', { name: 'In play' })
  await live.getByText("In play · 63'").waitFor()
  assert.equal(reads.length, listed, 'the calendar is streamed')
  await live.getByRole('link').first().click()

  await page.waitForURL(`**/sports/${game.slug}`)
  await state.getByText("In play · 63'").waitFor()
  const readThen = reads.length
  await page.getByText('1 : 0').waitFor()
  // The next score comes by itself.
  await stand({ status: 'LIVE', score: { home: 1, away: 1 }, clock: "71'" })
  await eventually(async () => assert.match(await state.innerText(), /71'/))
  assert.equal(reads.length, readThen, 'a game is read once on its page, and streamed from then on')
  // Trading ended when it began.
  const { events } = await exchange.read(`/v1/pm/events?sportGameSlug=${game.slug}&size=50`)
  assert.deepEqual([...new Set(events.map((event) => event.status))], ['closed'])
  assert.equal(await ticket.count(), 0)
  // What is left until it begins follows the clock, also over the kick-off.
  await stand({ status: 'UNPLAYED', startDate: new Date(Date.now() + 3000).toISOString() })
  await page.reload()
  await state.getByText(/Begins in|About to begin/).waitFor()
  await state.getByText('About to begin').waitFor()
  assert.equal(await state.getByText('Begins in').count(), 0)
  await stand({ status: 'UNPLAYED' })
  await clean()
  await context.close()
}

/** A higher smallest order of the chosen market is announced, and taken back: the one ticket follows. */
async function termsToCome(page, ticket, exchange) {
  const { events } = await exchange.read(`/v1/pm/events?sportGameSlug=${page.url().split('/').at(-1)}&size=50`)
  const chosen = (await ticket.locator('p').first().innerText()).trim()
  const event = events.find((one) => one.markets.some((market) => market.title === chosen))
  const market = event.markets.find((one) => one.title === chosen)
  const set = (USD) => exchange.operate('PUT', `/admin/v1/markets/${market.id}/terms`, { minimumOrderAmount: { USD } })
  await set(market.minimumOrderAmount + 2)
  const said = ticket.locator('[data-field="announced-terms"]')
  await said.getByText(`the smallest order is ${money(market.minimumOrderAmount + 2)}.`).waitFor()
  await set(market.minimumOrderAmount)
  await said.waitFor({ state: 'detached' })
}

/** A seller who comes in changes the price of a button; nothing is read again for it. */
async function anAskThatMovesAlone(page, exchange) {
  const bola = exchange.user('bola')
  const { events } = await exchange.read(`/v1/pm/events?sportGameSlug=${page.url().split('/').at(-1)}&size=50`)
  const event = events.find((one) => one.engine === 'CLOB') ?? events[0]
  const market = event.markets[0]
  const button = page
    .getByRole('region', { name: await page.locator(`[id="${event.id}"]`).innerText() })
    .getByRole('listitem')
    .first()
    .getByRole('button')
    .first()
  const read = async () => (await exchange.event(event.slug)).markets[0].yesBuyPrice
  const before = await read()
  await eventually(async () => assert.ok((await button.innerText()).includes(cents(before))))
  await page.route('**/v1/pm/events?*', (route) => route.abort())
  // An order to buy No at the rest to one is an offer of Yes.
  const offer = event.engine === 'CLOB'
    ? { type: 'LIMIT', price: Math.round((1 - before + 0.01) * 100) / 100, quantity: 60 }
    : { type: 'MARKET', amount: 200 }
  const { order } = await exchange.place(bola, event, market, { side: 'BUY', outcomeId: market.outcome2Id, currency: 'USD', ...offer })
  const after = await read()
  assert.notEqual(after, before)
  await eventually(async () => assert.ok((await button.innerText()).includes(cents(after))))
  assert.equal(await button.locator('[data-moved]').getAttribute('data-moved'), 'down')
  if (order.status === 'open') await exchange.write(bola, 'DELETE', `/v1/pm/orders/${order.id}`)
  await page.unroute('**/v1/pm/events?*')
}
