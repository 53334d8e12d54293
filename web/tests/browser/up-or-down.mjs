// A round of a series as it happens: the asset against the price to beat, the last rounds, and the way into the round.
import assert from 'node:assert/strict'
import { eventually } from './until.mjs'
import { visit } from './visitor.mjs'

export const name = 'a round of a series, live'

export async function run({ browser, busy: exchange }) {
  const { series } = await exchange.read('/v1/pm/events/series?size=100')
  const quick = series.find((one) => one.intervalType === 'FIFTEEN_MINUTE') ?? series[0]
  // Between two rounds there is none for a moment, and a round that ends now is another one below.
  const [now, events] = await eventually(async () => {
    const { events } = await exchange.read(`/v1/pm/events?seriesSlug=${quick.slug}&size=24&currency=USD`)
    const isLong = (event) => Date.parse(event.closingDate) - Date.now() > 30_000
    const found = events.find((event) => event.status === 'open' && event.eventThreshold !== undefined && isLong(event))
    assert.ok(found, `${quick.slug} has a round`)
    return [found, events]
  })

  const { page, context, clean } = await visit(browser, exchange)
  const past = page.waitForResponse((response) => response.url().includes(`/v1/pm/assets/${quick.assetSymbol}/prices`))
  await page.goto(`/series/${quick.slug}`)
  const round = page.getByTestId('round')
  await round.locator('[data-level^="To beat"]').waitFor({ state: 'attached' })
  const strike = Number((await round.locator('dd').first().innerText()).replaceAll(',', ''))
  assert.ok(Math.abs(strike - now.eventThreshold) < 0.01, `${strike} is ${now.eventThreshold}`)
  // The line is there at the first look: the exchange keeps the past of the asset.
  // Firefox forgets the body of a response, so the test reads it again.
  const { pathname, search } = new URL((await past).url())
  const { prices } = await exchange.read(pathname + search)
  assert.ok(prices.length > 1, `${prices.length} prices are known`)
  await round.locator(`[data-line="${quick.assetSymbol}"]`).waitFor({ state: 'attached' })
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
  assert.match(await charts.first().getAttribute('aria-label'), /^Price of .+ · \d/)

  // A round that is over leads to the one that opened when it closed, and to no other.
  const inOrder = [...events].sort((left, right) => Date.parse(left.openingDate) - Date.parse(right.openingDate))
  const pairs = inOrder.flatMap((event, index) => {
    const next = inOrder[index + 1]
    return next && Date.parse(next.openingDate) === Date.parse(event.closingDate) ? [[event, next]] : []
  })
  assert.ok(pairs.length > 0, `${quick.slug} has rounds that follow each other`)
  const [old, next] = pairs[0]
  await page.goto(`/events/${old.slug}`)
  await page.getByTestId('round').getByRole('link', { name: /^Next round/ }).click()
  await page.waitForURL(`**/events/${next.slug}`)
  await page.getByTestId('round').locator('[data-level^="To beat"]').waitFor({ state: 'attached' })
  await clean()
  await context.close()
}
