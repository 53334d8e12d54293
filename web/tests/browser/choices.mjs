// What a reader chooses is kept: colours, currency, the watchlist; and the address says what is shown.
import assert from 'node:assert/strict'
import { eventually } from './until.mjs'
import { visitAs } from './visitor.mjs'

export const name = 'theme, currency, watchlist and filters are kept'

export async function run({ browser, quiet: exchange }) {
  const ada = exchange.user('ada')
  const { page, context, clean } = await visitAs(browser, exchange, ada, { colorScheme: 'light' })
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.goto('/')
  await page.locator('[data-event]').first().waitFor()
  const light = await background()
  await page.getByRole('button', { name: 'Switch to dark colours' }).click()
  const dark = await background()
  assert.notEqual(dark, light)
  await page.reload()
  assert.equal(await background(), dark)

  await page.getByRole('radio', { name: '₦' }).check()
  const naira = await exchange.read('/v1/pm/events/slug/rain-in-lagos-on-new-years-day?currency=NGN')
  const card = page.locator(`[data-event="${naira.slug}"]`)
  // A card out of sight is not painted, and Firefox then gives it no text.
  await eventually(async () => {
    await card.scrollIntoViewIfNeeded()
    assert.match(await card.innerText(), new RegExp(`Yes\\s*₦${Math.round(naira.markets[0].yesBuyPrice * 100)}`))
  })
  await page.reload()
  await eventually(async () => assert.ok(await page.getByRole('radio', { name: '₦' }).isChecked()))

  await card.getByRole('button', { name: /^Watch/ }).click()
  await eventually(async () =>
    assert.equal(await card.getByRole('button', { name: /^Watch/ }).getAttribute('aria-pressed'), 'true'),
  )
  const watched = await exchange.read('/v1/pm/events?watchlist=true', ada)
  assert.deepEqual(
    watched.events.map((event) => event.slug),
    [naira.slug],
  )
  await page.getByRole('button', { name: 'Watchlist' }).click()
  await eventually(async () => assert.equal(await page.locator('[data-event]').count(), 1))
  assert.match(page.url(), /watchlist=true/)

  // Back leads where one was; a shared address shows the same.
  await page.goBack()
  await eventually(async () => assert.ok((await page.locator('[data-event]').count()) > 1))
  await page.goto('/?category=politics&order=newest')
  const politics = await exchange.read('/v1/pm/events?category=politics&status=open')
  await eventually(async () => assert.equal(await page.locator('[data-event]').count(), politics.pagination.totalCount))
  assert.equal(await page.getByRole('button', { name: 'Politics' }).getAttribute('aria-pressed'), 'true')

  // An unknown address shows a message.
  await page.goto('/events/no-such-question')
  await page.getByText('There is no such question').waitFor()
  await page.goto('/nowhere')
  await page.getByText('There is nothing here').waitFor()
  await clean()
  await context.close()
}
