// The search in the header, the orders of the list, related questions, and the small head for members.
import assert from 'node:assert/strict'
import { eventually } from './until.mjs'
import { visit, visitAs } from './visitor.mjs'

export const name = 'search, orders of the list, related questions'

export async function run({ browser, quiet: exchange }) {
  // Nobody has traded anywhere else.
  const traded = await exchange.event('marathon-record-this-season')
  const [market] = traded.markets
  const bought = { side: 'BUY', outcomeId: market.outcome1Id, type: 'MARKET', amount: 20, currency: 'USD' }
  await exchange.place(exchange.user('chidi'), traded, market, bought)

  const { page, context, clean } = await visit(browser, exchange)
  await page.goto('/events/rain-in-lagos-on-new-years-day')
  await page.getByRole('heading', { level: 1 }).waitFor()

  // From anywhere: a key, a few letters, an arrow, Enter.
  await page.keyboard.press('/')
  const field = page.getByRole('combobox', { name: 'Search questions' })
  await eventually(async () => assert.ok(await field.evaluate((element) => element === document.activeElement)))
  await page.keyboard.type('orbit')
  const list = page.getByRole('listbox', { name: 'Suggestions' })
  const outcome = list.getByRole('option').filter({ hasText: 'Orbit Nine' })
  await outcome.waitFor()
  await page.keyboard.press('ArrowDown')
  assert.equal(await list.getByRole('option', { selected: true }).count(), 1)
  await page.keyboard.press('ArrowUp')
  assert.equal(await list.getByRole('option', { selected: true }).count(), 0)
  await outcome.click()
  await page.waitForURL('**/events/number-one-film-of-the-holiday-weekend?market=*')
  await page.getByRole('complementary', { name: 'Trade' }).getByText('Orbit Nine').waitFor()

  // Enter without a choice lists everything with these words; Escape closes.
  await field.fill('rain')
  await list.getByRole('option').first().waitFor()
  await page.keyboard.press('Escape')
  await list.getByRole('option').first().waitFor({ state: 'detached' })
  await field.fill('rain lagos')
  await field.press('Enter')
  await page.waitForURL('**/?q=rain*')
  await page.locator('[data-event="rain-in-lagos-on-new-years-day"]').waitFor()

  // What ends first comes first; the most traded comes first.
  const { events } = await exchange.read('/v1/pm/events?status=open&trending=true&size=100&currency=USD')
  const slugs = () => page.locator('[data-event]').evaluateAll((cards) => cards.map((card) => card.dataset.event))
  await page.goto('/?order=ending')
  const ends = new Map(events.map((event) => [event.slug, Date.parse(event.closingDate) || Infinity]))
  await eventually(async () => {
    const shown = (await slugs()).map((slug) => ends.get(slug)).filter((end) => end !== undefined)
    assert.ok(shown.length > 3)
    assert.deepEqual(shown, [...shown].sort((left, right) => left - right))
  })
  await page.getByRole('radio', { name: 'Most traded' }).check()
  await page.waitForURL('**/?order=traded')
  await eventually(async () => assert.equal((await slugs())[0], traded.slug))

  // Below a question are others of its kind.
  const question = events.find((event) => events.filter((one) => one.category === event.category).length > 1)
  await page.goto(`/events/${question.slug}`)
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  const related = page.getByRole('region', { name: 'Related questions' }).locator('[data-event]')
  await related.first().waitFor()
  assert.ok(!(await related.evaluateAll((cards) => cards.map((card) => card.dataset.event))).includes(question.slug))
  await clean()
  await context.close()

  // A member knows what this is.
  const member = await visitAs(browser, exchange, exchange.user('ada'))
  await member.page.goto('/')
  await member.page.locator('[data-event]').first().waitFor()
  await eventually(async () => assert.equal(await member.page.getByText('Take a side.').count(), 0))
  await member.clean()
  await member.context.close()
}
