// Titles, rules and labels that are markup stay text on every page; no script runs, and no request goes to another host.
import assert from 'node:assert/strict'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'stored markup is text'

const CORPUS = [
  '<script>window.ran=1</script>',
  '<img src=x onerror="window.ran=1">',
  '<svg/onload=window.ran=1>',
  '"><iframe srcdoc="<script>parent.ran=1</script>">',
  '{@html "<b>bold</b>"} ${window.ran=1} {{7*7}}',
  '<a href="javascript:window.ran=1">click</a>',
  "'-window.ran=1-'",
  '</title><style>*{display:none}</style>',
  '<img src="//example.invalid/beacon.png">',
  '<link rel=stylesheet href=https://example.invalid/x.css>',
  '&lt;b&gt; &amp;amp; ‮evil‬',
]

export async function run({ browser, quiet: exchange }) {
  const ada = exchange.user('ada')
  const closingDate = new Date(Date.now() + 86_400_000).toISOString()
  const created = []
  for (const [index, text] of CORPUS.entries()) {
    const slug = `markup-${index}`
    const body = {
      slug,
      title: `markup ${index} ${text}`,
      type: index % 2 ? 'single' : 'grouped',
      engine: 'CLOB',
      currencies: ['USD'],
      category: text.slice(0, 40),
      description: `about ${text}`,
      resolutionSource: text,
      imageUrl: 'https://example.invalid/image.png',
      closingDate,
      markets: (index % 2 ? ['one'] : ['one', 'two']).map((place) => ({
        title: `${place} ${text}`,
        rules: `rule ${text}`,
        yesLabel: `Y${text}`.slice(0, 40),
        noLabel: `N${text}`.slice(0, 40),
      })),
    }
    await exchange.operate('POST', '/admin/v1/events', body)
    await exchange.operate('POST', `/admin/v1/events/${slug}/open`, {})
    created.push(body)
  }
  const { page, context, clean } = await visitAs(browser, exchange, ada)
  const unharmed = async () => {
    assert.equal(await page.evaluate(() => window.ran), undefined)
    assert.equal(await page.locator('main img, main iframe, main script, main link, main style').count(), 0)
  }

  await page.goto('/?order=newest&q=markup')
  await eventually(async () => assert.equal(await page.locator('[data-event^="markup-"]').count(), CORPUS.length))
  for (const body of created) {
    const heading = page.locator(`[data-event="${body.slug}"] h3`)
    assert.equal(await heading.evaluate((element) => element.textContent), body.title)
  }
  await unharmed()

  for (const body of created) {
    await page.goto(`/events/${body.slug}`)
    // The rules are the last part of the page.
    await page.getByRole('heading', { name: 'Rules' }).waitFor()
    assert.equal(await page.getByRole('heading', { level: 1 }).evaluate((element) => element.textContent), body.title)
    const said = await page.locator('main').evaluate((element) => element.textContent)
    assert.ok(said.includes(body.markets[0].rules), `rules of ${body.slug} are there as they were written`)
    assert.ok(said.includes(body.markets[0].yesLabel), `labels of ${body.slug} are there as they were written`)
    assert.ok((await page.title()).startsWith(body.title.slice(0, 10)))
    await unharmed()
  }

  // And where it is held: an order and its place in the portfolio.
  const event = await exchange.event('markup-1')
  await exchange.place(ada, event, event.markets[0], {
    side: 'BUY',
    outcomeId: event.markets[0].outcome1Id,
    type: 'LIMIT',
    price: 0.2,
    quantity: 10,
    currency: 'USD',
  })
  await page.goto('/portfolio?tab=orders')
  await page.getByText(event.title).first().waitFor()
  await unharmed()
  await page.goto('/portfolio?tab=activity')
  const kinds = page.getByRole('radiogroup', { name: 'Kind of activity' })
  await kinds.getByRole('radio', { name: 'All', exact: true }).check()
  await page.getByText(event.title).first().waitFor()
  await unharmed()
  await clean()
  await context.close()
}
