// A round of a series as it happens: the asset against the price to beat, the last rounds, and the way into the round.
import assert from 'node:assert/strict'
import { eventually } from './until.mjs'
import { visit } from './visitor.mjs'

export const name = 'a round of a series, live'

export async function run({ browser, busy: exchange }) {
  const { series } = await exchange.read('/v1/pm/events/series?size=100')
  // An exchange on a busy machine may miss the start of a round, and then its series has none until the next: any will do.
  const quick = series.filter((one) => ['FIFTEEN_MINUTE', 'FIVE_MINUTE', 'HOURLY'].includes(one.intervalType))
  // Between two rounds there is none for a moment, and a round that ends now is another one below.
  const isLong = (event) => Date.parse(event.closingDate) - Date.now() > 30_000
  const isLive = (event) => event.status === 'open' && event.eventThreshold !== undefined && isLong(event)
  const [one, now, events] = await eventually(async () => {
    for (const one of quick) {
      const { events } = await exchange.read(`/v1/pm/events?seriesSlug=${one.slug}&size=24&currency=USD`)
      const found = events.find(isLive)
      if (found) return [one, found, events]
    }
    return assert.fail('a series has a round')
  })

  const { page, context, clean } = await visit(browser, exchange)
  const past = page.waitForResponse((response) => response.url().includes(`/v1/pm/assets/${one.assetSymbol}/prices`))
  await page.goto(`/series/${one.slug}`)
  const round = page.getByTestId('round')
  await round.locator('[data-level^="To beat"]').waitFor({ state: 'attached' })
  const strike = Number((await round.locator('dd').first().innerText()).replaceAll(',', ''))
  assert.ok(Math.abs(strike - now.eventThreshold) < 0.01, `${strike} is ${now.eventThreshold}`)
  // The line is there at the first look: the exchange keeps the past of the asset.
  // Firefox forgets the body of a response, so the test reads it again.
  const { pathname, search } = new URL((await past).url())
  const { prices } = await exchange.read(pathname + search)
  assert.ok(prices.length > 1, `${prices.length} prices are known`)
  await round.locator(`[data-line="${one.assetSymbol}"]`).waitFor({ state: 'attached' })
  // The distance is that between the two prices, by its words and by its sign.
  await eventually(async () => {
    const [, latest] = await round.locator('dd').allInnerTexts()
    const above = Number(latest.replaceAll(',', '')) >= strike
    assert.equal((await round.getByText(/^(Above|Below) by$/).innerText()) === 'Above by', above)
  })
  await round.locator('time').waitFor()
  assert.ok((await round.getByRole('list', { name: 'Last rounds' }).getByRole('link').count()) >= 1)

  // One tap leads into the round, whose page shows the same.
  await page.getByRole('main').getByRole('link', { name: /^Up .*: buy/ }).first().click()
  await page.waitForURL('**/events/**')
  await page.getByTestId('round').locator('[data-level^="To beat"]').waitFor({ state: 'attached' })
  await page.getByRole('complementary', { name: 'Trade' }).waitFor()
  // The chart is called as the page is, by the reader's clock.
  const charts = page.getByRole('region', { name: 'Price chart' }).locator('.chart[aria-label]')
  await charts.first().waitFor()
  assert.match(await charts.first().getAttribute('aria-label'), /^Price of .+ · (\w{3} )?\d/, 'a round over midnight has its days')

  // A round that is over leads to the one that opened when it closed, and to no other.
  const inOrder = [...events].sort((left, right) => Date.parse(left.openingDate) - Date.parse(right.openingDate))
  const pairs = inOrder.flatMap((event, index) => {
    const next = inOrder[index + 1]
    return next && Date.parse(next.openingDate) === Date.parse(event.closingDate) ? [[event, next]] : []
  })
  assert.ok(pairs.length > 0, `${one.slug} has rounds that follow each other`)
  const [old, next] = pairs[0]
  await page.goto(`/events/${old.slug}`)
  await page.getByTestId('round').getByRole('link', { name: /^Next round/ }).click()
  await page.waitForURL(`**/events/${next.slug}`)
  await page.getByTestId('round').locator('[data-level^="To beat"]').waitFor({ state: 'attached' })
  await clean()
  await context.close()
}
