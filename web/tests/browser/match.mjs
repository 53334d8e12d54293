// A match: the calendar, the score as an operator sets it, all markets on one page, and an order from its one ticket.
import assert from 'node:assert/strict'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'a match in play, with one ticket for all its markets'

export async function run({ browser, quiet: exchange }) {
  const ada = exchange.user('ada')
  const known = (await exchange.operate('GET', '/admin/v1/sports')).games[0]
  const { page, context, clean } = await visitAs(browser, exchange, ada)

  const reads = []
  page.on('request', (request) => request.url().includes('/sports/games') && reads.push(request.url()))
  await page.goto('/sports')
  await page.getByRole('region').getByRole('article').first().waitFor()
  assert.equal(await page.getByRole('region', { name: 'In play' }).count(), 0)

  const { gameId: _id, score: _score, clock: _clock, ...game } = known
  const stand = (more) => exchange.operate('POST', '/admin/v1/sports/import', { games: [{ ...game, ...more }] })
  await stand({ status: 'LIVE', score: { home: 1, away: 0 }, clock: "63'" })
  // The calendar moves it by itself.
  const live = page.getByRole('region', { name: 'In play' })
  await live.getByText("In play · 63'").waitFor()
  await live.getByRole('link').first().click()

  await page.waitForURL(`**/sports/${game.slug}`)
  const state = page.getByTestId('match-state')
  await state.getByText("In play · 63'").waitFor()
  await page.getByText('1 : 0').waitFor()
  // The next score comes by itself.
  await stand({ status: 'LIVE', score: { home: 1, away: 1 }, clock: "71'" })
  await eventually(async () => assert.match(await state.innerText(), /71'/))
  assert.equal(reads.length, 2, 'games are read once on each page, and streamed from then on')

  // Any market of any of its questions goes to the one ticket.
  const ticket = page.getByRole('complementary', { name: 'Trade' })
  await ticket.waitFor()
  const sections = page.getByRole('region').filter({ has: page.getByRole('list') })
  await eventually(async () => assert.ok((await sections.count()) >= 3, 'three questions hang on a match'))
  const last = sections.last().getByRole('listitem').last()
  const title = (await last.innerText()).split('\n')[0].trim()
  await last.getByRole('button').first().click()
  await ticket.getByText(title, { exact: true }).waitFor()
  await ticket.getByLabel('Amount to spend').fill('5')
  await ticket.getByRole('button', { name: /^Buy / }).click()
  await page.locator('[data-toast="good"]').first().waitFor()
  await stand({ status: 'UNPLAYED' })
  await clean()
  await context.close()
}
