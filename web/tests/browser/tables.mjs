// Lists of positions, orders and trades: filter, order, page, and an export that has every row of the filter.
import assert from 'node:assert/strict'
import { fitsEverywhere } from './accessibility.mjs'
import { downloaded } from './download.mjs'
import { eventually, until } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'lists: filter, order, pages and export'
const ORDERS = 130

/** Of a file without quotes around lines. */
const rowsOf = (text) =>
  text
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.match(/("([^"]|"")*"|[^,]*)(,|$)/g).map((cell) => cell.replace(/,$/, '')))

/** Again while the exchange says that it is too often. */
const patiently = (send) =>
  until(() =>
    send().catch((error) => {
      if (!error.message.includes('429')) throw error
    }),
  )

async function exported(page) {
  const { name, text } = await downloaded(page, () => page.getByRole('button', { name: 'Export CSV' }).click())
  return { name, rows: rowsOf(text) }
}

export async function run({ browser, quiet: exchange }) {
  const chidi = exchange.user('chidi')
  const event = await exchange.event('rain-in-lagos-on-new-years-day')
  const market = event.markets[0]
  // More orders than two pages of an export, each with a size of its own.
  for (let from = 0; from < ORDERS; from += 10) {
    const orders = Array.from({ length: 10 }, (_, index) => ({
      side: 'BUY',
      outcomeId: market.outcome1Id,
      type: 'LIMIT',
      price: 0.02,
      quantity: 100 + from + index,
      currency: 'USD',
    }))
    await patiently(() => exchange.write(chidi, 'POST', '/v1/pm/orders/batch', { orders }))
  }
  const { page, context, clean } = await visitAs(browser, exchange, chidi, { acceptDownloads: true })
  await page.goto('/portfolio?tab=history')
  const rows = page.locator('[data-order]')
  await eventually(async () => assert.equal(await rows.count(), 20))

  await page.getByLabel('Status').selectOption('open')
  await page.getByLabel('Side').selectOption('BUY')
  const { pagination } = await exchange.read('/v1/pm/orders?status=open&side=BUY&size=1', chidi)
  assert.ok(pagination.totalCount >= ORDERS)
  const pages = page.getByRole('navigation', { name: 'Pages of Your orders' })
  await pages.getByText(`Page 1 of ${Math.ceil(pagination.totalCount / 20)}`).waitFor()

  // The largest of all pages is first, not the largest of this page.
  const { orders } = await exchange.read('/v1/pm/orders?status=open&side=BUY&size=100', chidi)
  const rest = await exchange.read('/v1/pm/orders?status=open&side=BUY&size=100&page=2', chidi)
  const all = [...orders, ...rest.orders]
  await page.getByLabel('Order', { exact: true }).selectOption('size')
  const largest = all.reduce((most, order) => (order.size > most.size ? order : most))
  await eventually(async () => assert.equal(await rows.first().getAttribute('data-order'), largest.id))
  await pages.getByRole('button', { name: 'Older' }).click()
  await pages.getByText('Page 2 of').waitFor()

  const file = await exported(page)
  assert.equal(file.name, 'orders.csv')
  assert.equal(file.rows.length, 1 + pagination.totalCount)
  const [header, ...cells] = file.rows
  const column = (name) => cells.map((row) => row[header.indexOf(name)])
  assert.deepEqual([...column('id')].sort(), all.map((order) => order.id).sort())
  assert.equal(column('size')[0], String(largest.size))
  assert.ok(column('event').every((title) => title.includes('Lagos') || title.length > 3))
  await fitsEverywhere(page, 'orders')

  // Open orders, with the true number of them.
  await page.getByRole('tab', { name: /^Open orders/ }).click()
  const open = async (query = '') => {
    const [untouched, partial] = await Promise.all(
      ['open', 'partial_filled'].map((status) => exchange.read(`/v1/pm/orders?status=${status}&size=1${query}`, chidi)),
    )
    return untouched.pagination.totalCount + partial.pagination.totalCount
  }
  const total = await open()
  assert.ok(total >= ORDERS)
  await eventually(async () =>
    assert.match(await page.getByRole('tab', { name: /^Open orders/ }).innerText(), new RegExp(`${total}$`)),
  )
  const openPages = page.getByRole('navigation', { name: 'Pages of Open orders' })
  await openPages.getByText(`Page 1 of ${Math.ceil(total / 20)}`).waitFor()
  assert.equal(await rows.count(), 20)
  await openPages.getByRole('button', { name: 'Older' }).click()
  await openPages.getByText('Page 2 of').waitFor()
  await page.getByLabel('Order', { exact: true }).selectOption('left')
  await eventually(async () => assert.equal(await rows.first().getAttribute('data-order'), largest.id))
  const openFile = await exported(page)
  assert.equal(openFile.name, 'open-orders.csv')
  assert.equal(openFile.rows.length, 1 + total)
  await page.getByLabel('Side').selectOption('SELL')
  const sells = await open('&side=SELL')
  await eventually(async () => assert.equal(await rows.count(), Math.min(20, sells)))
  // "Cancel all" of a side is not what the exchange does.
  assert.equal(await page.getByRole('button', { name: 'Cancel all' }).count(), 0)
  await page.getByLabel('Side').selectOption('')
  const cancelled = await rows.first().getAttribute('data-order')
  await rows.first().getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.locator(`[data-order="${cancelled}"]`).waitFor({ state: 'detached' })
  await eventually(async () =>
    assert.match(await page.getByRole('tab', { name: /^Open orders/ }).innerText(), new RegExp(`${total - 1}$`)),
  )
  await fitsEverywhere(page, 'open-orders')

  // Trades by day and engine.
  await page.getByRole('tab', { name: 'Trades' }).click()
  await page.getByLabel('Traded on').selectOption('AMM')
  await page.getByLabel('From').fill('2001-01-01')
  await page.getByLabel('To', { exact: true }).fill('2001-01-02')
  await page.getByText('No trades yet').waitFor()
  await fitsEverywhere(page, 'trades')

  // Positions.
  await page.getByRole('tab', { name: 'Positions' }).click()
  const { outcomeBalances } = await exchange.read('/v1/pm/portfolio?currency=USD&size=100', chidi)
  if (outcomeBalances.length > 0) {
    await page.locator('#lists').getByLabel('Currency', { exact: true }).selectOption('USD')
    await page.getByLabel('Order', { exact: true }).selectOption('shares')
    const most = outcomeBalances.reduce((one, other) => (other.balance > one.balance ? other : one))
    const first = page.getByTestId('positions').locator('tbody tr').first()
    await eventually(async () => assert.equal(await first.getAttribute('data-outcome'), most.outcomeId))
    const positions = await exported(page)
    assert.equal(positions.rows.length, 1 + outcomeBalances.length)
    assert.ok(positions.rows.some((row) => row.includes(String(most.balance))))
    await page.getByLabel('Words').fill('nothing like this')
    await page.getByText('Nothing matches.').waitFor()
  }
  await exchange.write(chidi, 'DELETE', '/v1/pm/orders', { eventId: event.id })
  await clean()
  await context.close()
}
